/* SPDX-License-Identifier: MIT */
/*
 * Finding and reading assets, and pictures made of them.
 *
 * Files are read with plain C first and decoded from memory, so that an error can tell a missing
 * file from one that cannot be read and one that is broken.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "file.h"
#include "internal.h"

enum { PICTURE_MAX = 4096, FILE_SIZE_MAX = 64 * 1024 * 1024 };

void engine__assets_open(struct engine *engine, const struct engine_desc *desc)
{
    char *base = desc->assets ? NULL : SDL_GetBasePath();
    if (desc->assets) {
        SDL_strlcpy(engine->folders[0], desc->assets, ENGINE__PATH_MAX);
    } else if (base) {
        SDL_snprintf(engine->folders[0], ENGINE__PATH_MAX, "%sassets", base);
    }
    SDL_free(base);
    if (desc->assets_fallback) {
        SDL_strlcpy(engine->folders[1], desc->assets_fallback, ENGINE__PATH_MAX);
    }
}

static bool exists(const char *path)
{
    FILE *file = fopen(path, "rb");
    int error = errno;
    if (file) {
        (void)fclose(file);
    }
    return file || error != ENOENT;
}

bool engine_asset_path(const struct engine *engine, const char *name, char path[1024],
                       char error[ENGINE_ERROR_SIZE])
{
    if (!name || !*name) {
        return engine__fail(error, "an asset needs a name");
    }
    if (name[0] == '/') {
        SDL_strlcpy(path, name, ENGINE__PATH_MAX);
        return exists(path) || engine__fail(error, "%s: not found", name);
    }
    for (int i = 0; i < 2; i++) {
        if (engine->folders[i][0]) {
            SDL_snprintf(path, ENGINE__PATH_MAX, "%s/%s", engine->folders[i], name);
            if (exists(path)) {
                return true;
            }
        }
    }
    return engine__fail(error, "%s: not found in %s%s%s", name, engine->folders[0],
                        engine->folders[1][0] ? " or " : "", engine->folders[1]);
}

bool engine_user_path(const char *application, const char *name, char path[1024],
                      char error[ENGINE_ERROR_SIZE])
{
    char *folder = SDL_GetPrefPath(NULL, application);
    if (!folder) {
        return engine__fail(error, "no folder for %s: %s", name, SDL_GetError());
    }
    SDL_snprintf(path, ENGINE__PATH_MAX, "%s%s", folder, name);
    SDL_free(folder);
    return true;
}

/* Reads from where the file is to its end, and puts a zero behind that. Returns null with errno
 * set, 0 for what is no error of the system's. */
static unsigned char *read_stream(FILE *file, size_t *size)
{
    size_t room = 65536;
    unsigned char *bytes = SDL_malloc(room);
    *size = 0;
    while (bytes) {
        unsigned char *more;
        *size += fread(bytes + *size, 1, room - *size, file);
        if (*size < room) {
            break;
        }
        room *= 2;
        more = room <= FILE_SIZE_MAX ? SDL_realloc(bytes, room) : NULL;
        if (!more) {
            SDL_free(bytes);
        }
        bytes = more;
    }
    if (bytes && ferror(file)) {
        SDL_free(bytes);
        bytes = NULL;
    }
    if (bytes) {
        bytes[*size] = 0; /* there is room: the last read was short */
    }
    return bytes;
}

void *engine__read_asset(const struct engine *engine, const char *name, size_t *size, char *error)
{
    char path[ENGINE__PATH_MAX];
    FILE *file;
    void *bytes = NULL;
    if (!engine_asset_path(engine, name, path, error)) {
        return NULL;
    }
    errno = 0;
    file = fopen(path, "rb");
    if (file) {
        bytes = read_stream(file, size);
    }
    if (!bytes) {
        engine__fail(error, "%s: cannot be read: %s", path, errno ? strerror(errno) : "too large");
    } else if (*size == 0) {
        engine__fail(error, "%s: is empty", path);
        SDL_free(bytes);
        bytes = NULL;
    }
    if (file) {
        (void)fclose(file);
    }
    return bytes;
}

static void apply_key(SDL_Surface *surface, enum engine_key key)
{
    for (int y = 0; y < surface->h; y++) {
        struct engine_color *row =
            (struct engine_color *)(void *)((Uint8 *)surface->pixels + y * surface->pitch);
        for (int x = 0; x < surface->w; x++) {
            struct engine_color *c = &row[x];
            Uint8 light = c->r > c->g ? c->r : c->g;
            light = light > c->b ? light : c->b;
            if (key == ENGINE_KEY_LIGHT) {
                *c = (struct engine_color){255, 255, 255, light};
            } else if ((key == ENGINE_KEY_BLACK && light == 0) ||
                       (key == ENGINE_KEY_MAGENTA && c->r == 255 && c->g == 0 && c->b == 255)) {
                *c = (struct engine_color){0, 0, 0, 0};
            }
        }
    }
}

/* Takes over `surface` (may be null). Null where anything is missing; then SDL_GetError says why.
 */
static struct engine_image *wrap(SDL_Surface *surface)
{
    struct engine_image *image = SDL_malloc(sizeof *image);
    SDL_Surface *converted =
        surface ? SDL_ConvertSurfaceFormat(surface, SDL_PIXELFORMAT_RGBA32, 0) : NULL;
    SDL_FreeSurface(surface);
    if (!image || !converted) {
        SDL_FreeSurface(converted);
        SDL_free(image);
        return NULL;
    }
    image->surface = converted;
    return image;
}

struct engine_image *engine_image_load(const struct engine *engine, const char *name,
                                       enum engine_key key, char error[ENGINE_ERROR_SIZE])
{
    size_t size;
    void *bytes = engine__read_asset(engine, name, &size, error);
    struct engine_image *image;
    if (!bytes) {
        return NULL;
    }
    image = wrap(SDL_LoadBMP_RW(SDL_RWFromConstMem(bytes, (int)size), 1));
    SDL_free(bytes);
    if (!image) {
        engine__fail(error, "%s: is no picture: %s", name, SDL_GetError());
    } else if (image->surface->w > PICTURE_MAX || image->surface->h > PICTURE_MAX) {
        engine__fail(error, "%s: is larger than %dx%d", name, PICTURE_MAX, PICTURE_MAX);
        engine_image_destroy(image);
        image = NULL;
    } else if (key != ENGINE_KEY_NONE) {
        apply_key(image->surface, key);
    }
    return image;
}

struct engine_image *engine_image_create(int width, int height, const struct engine_color *pixels)
{
    SDL_Surface *surface;
    if (width < 1 || height < 1 || width > PICTURE_MAX || height > PICTURE_MAX || !pixels) {
        return NULL;
    }
    surface = SDL_CreateRGBSurfaceWithFormat(0, width, height, 32, SDL_PIXELFORMAT_RGBA32);
    for (int y = 0; surface && y < height; y++) {
        SDL_memcpy((Uint8 *)surface->pixels + y * surface->pitch, pixels + (ptrdiff_t)y * width,
                   (size_t)width * sizeof *pixels);
    }
    return wrap(surface);
}

void engine_image_destroy(struct engine_image *image)
{
    if (image) {
        SDL_FreeSurface(image->surface);
        SDL_free(image);
    }
}
