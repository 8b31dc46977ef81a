/* SPDX-License-Identifier: MIT */
/*
 * Reading the picture back, and writing it as a BMP.
 *
 * The file is made in memory and written with plain C, so that its error says what the system said.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "internal.h"

enum { HEADER_MAX = 256, FILE_MAX = ENGINE_WIDTH * ENGINE_HEIGHT * 3 + HEADER_MAX };

static bool read_target(struct engine *engine, Uint32 format, void *pixels, int pitch)
{
    SDL_Renderer *renderer = engine->window.renderer;
    SDL_Texture *before = SDL_GetRenderTarget(renderer);
    bool done;
    engine__draw_flush(engine);
    done = SDL_SetRenderTarget(renderer, engine->window.target) == 0 &&
           SDL_RenderReadPixels(renderer, NULL, format, pixels, pitch) == 0;
    SDL_SetRenderTarget(renderer, before);
    return done;
}

bool engine_read_pixels(struct engine *engine, struct engine_color *pixels)
{
    if (!read_target(engine, SDL_PIXELFORMAT_RGBA32, pixels, ENGINE_WIDTH * (int)sizeof *pixels)) {
        return engine__fail(engine->error, "the picture cannot be read: %s", SDL_GetError());
    }
    for (int i = 0; i < ENGINE_WIDTH * ENGINE_HEIGHT; i++) {
        pixels[i].a = 255;
    }
    return true;
}

static bool write_file(struct engine *engine, const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    bool written;
    if (!file) {
        return engine__fail(engine->error, "%s: cannot be written: %s", path, strerror(errno));
    }
    written = fwrite(bytes, 1, size, file) == size;
    if (fclose(file) != 0 || !written) {
        return engine__fail(engine->error, "%s: cannot be written: %s", path, strerror(errno));
    }
    return true;
}

/* Encodes the picture to `bytes` (FILE_MAX). Returns its size, 0 with an error. */
static size_t encode(struct engine *engine, void *bytes, SDL_Surface *surface)
{
    SDL_RWops *memory = SDL_RWFromMem(bytes, FILE_MAX);
    Sint64 size = 0;
    if (memory && read_target(engine, SDL_PIXELFORMAT_BGR24, surface->pixels, surface->pitch) &&
        SDL_SaveBMP_RW(surface, memory, 0) == 0) {
        size = SDL_RWtell(memory);
    }
    if (size <= 0) {
        engine__fail(engine->error, "the picture cannot be read: %s", SDL_GetError());
    }
    if (memory) {
        SDL_RWclose(memory);
    }
    return size > 0 ? (size_t)size : 0;
}

bool engine_screenshot(struct engine *engine, const char *path)
{
    SDL_Surface *surface =
        SDL_CreateRGBSurfaceWithFormat(0, ENGINE_WIDTH, ENGINE_HEIGHT, 24, SDL_PIXELFORMAT_BGR24);
    void *bytes = SDL_malloc(FILE_MAX);
    bool done = false;
    if (!path || !*path) {
        engine__fail(engine->error, "a screenshot needs a file name");
    } else if (!surface || !bytes) {
        engine__fail(engine->error, "%s: out of memory", path);
    } else {
        size_t size = encode(engine, bytes, surface);
        done = size > 0 && write_file(engine, path, bytes, size);
    }
    SDL_free(bytes);
    SDL_FreeSurface(surface);
    return done;
}
