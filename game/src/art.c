/* SPDX-License-Identifier: MIT */
/*
 * sprites.txt says where things are: `name file x y w h` a line. Every cell of the game must be
 * there; others are left alone, so that the atlas may hold more.
 */
#include "art.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char *const cell_names[CELL_COUNT] = {
#define CELL_NAME(name, text) text,
    CELLS(CELL_NAME)
#undef CELL_NAME
};

static const struct {
    const char *file;
    float volume;
} sound_files[SOUND_COUNT] = {
#define SOUND_ROW(name, file, volume) {file, volume},
    SOUNDS(SOUND_ROW)
#undef SOUND_ROW
};

static int find_cell(const char *name)
{
    for (int i = 0; i < CELL_COUNT; i++) {
        if (strcmp(cell_names[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

static bool inside(const struct engine_texture *texture, const struct engine_rect *r)
{
    struct engine_vec2 size = engine_texture_size(texture);
    return r->x >= 0 && r->y >= 0 && r->w > 0 && r->h > 0 && r->x + r->w <= size.x &&
           r->y + r->h <= size.y;
}

/* Takes in a line of sprites.txt: null, or what is wrong with it. */
static const char *read_cell(struct art *art, const char *line)
{
    char name[64];
    char file[64];
    struct engine_rect r = {0};
    char more = 0;
    int count = sscanf(line, "%63s %63s %f %f %f %f %c", name, file, &r.x, &r.y, &r.w, &r.h, &more);
    if (count <= 0 || name[0] == '#') {
        return NULL;
    }
    if (count != 6) {
        return "expected: name file x y w h";
    }
    bool is_sprite = strcmp(file, "sprites.bmp") == 0;
    if (!is_sprite && strcmp(file, "glow.bmp") != 0) {
        return "the file is neither sprites.bmp nor glow.bmp";
    }
    struct art_cell cell = {is_sprite ? art->sprites : art->glow, r};
    if (!inside(cell.texture, &r)) {
        return "the cell is not inside its picture";
    }
    int at = find_cell(name);
    if (at >= 0) {
        art->cells[at] = cell;
    }
    return NULL;
}

static bool read_cells(struct art *art, FILE *file, const char *path, char error[ENGINE_ERROR_SIZE])
{
    char line[256];
    for (int number = 1; fgets(line, sizeof line, file) != NULL; number++) {
        const char *problem = read_cell(art, line);
        if (problem != NULL) {
            (void)snprintf(error, ENGINE_ERROR_SIZE, "%.160s:%d: %s", path, number, problem);
            return false;
        }
    }
    for (int i = 0; i < CELL_COUNT; i++) {
        if (art->cells[i].texture == NULL) {
            (void)snprintf(error, ENGINE_ERROR_SIZE, "%.160s: has no cell \"%s\"", path,
                           cell_names[i]);
            return false;
        }
    }
    return true;
}

static bool load_cells(struct art *art, struct engine *engine, char error[ENGINE_ERROR_SIZE])
{
    char path[1024];
    if (!engine_asset_path(engine, "images/sprites.txt", path, error)) {
        return false;
    }
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        (void)snprintf(error, ENGINE_ERROR_SIZE, "%.160s: %s", path, strerror(errno));
        return false;
    }
    bool fine = read_cells(art, file, path, error);
    (void)fclose(file);
    return fine;
}

static const char *const picture_files[ART_SOUNDS] = {"images/sprites.bmp", "images/glow.bmp",
                                                      "fonts/font8x8.bmp"};

void art_loading_begin(struct art_loading *loading, const struct engine *engine, int slow_ms)
{
    memset(loading, 0, sizeof *loading);
    loading->engine = engine;
    loading->slow_ms = slow_ms;
}

bool art_load_part(struct art_loading *loading, enum art_part part)
{
    int sound = (int)part - (int)ART_SOUNDS;
    if (loading->slow_ms > 0) {
        engine_sleep((int64_t)loading->slow_ms * 1000000);
    }
    if (part < ART_SOUNDS) {
        loading->images[part] = engine_image_load(loading->engine, picture_files[part],
                                                  ENGINE_KEY_NONE, loading->errors[part]);
        return loading->images[part] != NULL;
    }
    loading->sounds[sound] =
        engine_sound_load(loading->engine, sound_files[sound].file, loading->errors[part]);
    return loading->sounds[sound] != NULL;
}

const char *art_loading_error(const struct art_loading *loading)
{
    for (int i = 0; i < ART_PARTS; i++) {
        if (loading->errors[i][0] != '\0') {
            return loading->errors[i];
        }
    }
    return NULL;
}

static struct engine_texture *make_texture(struct engine *engine, const struct engine_image *image,
                                           char error[ENGINE_ERROR_SIZE])
{
    struct engine_texture *texture = engine_texture_create(engine, image);
    if (texture == NULL) {
        (void)snprintf(error, ENGINE_ERROR_SIZE, "%s", engine_error(engine));
    }
    return texture;
}

bool art_finish(struct art *art, struct engine *engine, struct art_loading *loading,
                char error[ENGINE_ERROR_SIZE])
{
    art_free(art, engine);
    art->sprites = make_texture(engine, loading->images[ART_SPRITES], error);
    art->glow = make_texture(engine, loading->images[ART_GLOW], error);
    art->font = make_texture(engine, loading->images[ART_FONT], error);
    for (int i = 0; i < SOUND_COUNT; i++) {
        art->sounds[i] = loading->sounds[i];
        loading->sounds[i] = NULL;
    }
    art_loading_end(loading, engine);
    if (art->sprites == NULL || art->glow == NULL || art->font == NULL ||
        !load_cells(art, engine, error)) {
        return false;
    }
    engine_text_font(engine, art->font);
    return true;
}

void art_loading_end(struct art_loading *loading, struct engine *engine)
{
    for (int i = 0; i < ART_SOUNDS; i++) {
        engine_image_destroy(loading->images[i]);
        loading->images[i] = NULL;
    }
    for (int i = 0; i < SOUND_COUNT; i++) {
        engine_sound_destroy(engine, loading->sounds[i]);
        loading->sounds[i] = NULL;
    }
}

bool art_load(struct art *art, struct engine *engine, char error[ENGINE_ERROR_SIZE])
{
    struct art_loading loading;
    art_loading_begin(&loading, engine, 0);
    for (int i = 0; i < ART_PARTS; i++) {
        if (!art_load_part(&loading, (enum art_part)i)) {
            (void)snprintf(error, ENGINE_ERROR_SIZE, "%s", loading.errors[i]);
            art_loading_end(&loading, engine);
            return false;
        }
    }
    return art_finish(art, engine, &loading, error);
}

void art_free(struct art *art, struct engine *engine)
{
    for (int i = 0; i < SOUND_COUNT; i++) {
        engine_sound_destroy(engine, art->sounds[i]);
    }
    engine_text_font(engine, NULL);
    engine_texture_destroy(engine, art->font);
    engine_texture_destroy(engine, art->glow);
    engine_texture_destroy(engine, art->sprites);
    memset(art, 0, sizeof *art);
}

void art_stamp(const struct art *art, struct engine *engine, enum cell cell, struct engine_vec2 at,
               struct engine_vec2 size, float rotation, struct engine_color color)
{
    struct engine_sprite sprite = {.texture = art->cells[cell].texture,
                                   .source = art->cells[cell].source,
                                   .position = at,
                                   .size = size,
                                   .rotation = rotation,
                                   .color = color};
    engine_draw_sprite(engine, &sprite);
}

void art_draw(const struct art *art, struct engine *engine, enum cell cell, struct engine_vec2 at,
              float scale, float rotation, struct engine_color color)
{
    const struct engine_rect *source = &art->cells[cell].source;
    struct engine_vec2 size = {source->w * scale, source->h * scale};
    if (scale > 0.0F) {
        art_stamp(art, engine, cell, at, size, rotation, color);
    }
}

void art_play(struct art *art, struct engine *engine, enum sound sound, float x)
{
    uint64_t frame = engine_frame_number(engine);
    if (art->last_played[sound] != 0 && frame < art->last_played[sound] + 3) {
        return;
    }
    art->last_played[sound] = frame;
    float pan = (x - (float)ENGINE_WIDTH / 2) / ((float)ENGINE_WIDTH / 2);
    (void)engine_audio_play(engine, art->sounds[sound], sound_files[sound].volume, pan * 0.6F);
}
