/* SPDX-License-Identifier: MIT */
/*
 * sprites.txt says where things are: `name file x y w h` a line. Every cell of the game must be
 * there; others are left alone, so that the atlas may hold more.
 */
#include "art.h"

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

static const char table_file[] = "images/sprites.txt";

static int find_cell(const char *name)
{
    for (int i = 0; i < CELL_COUNT; i++) {
        if (strcmp(cell_names[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

static bool inside(struct engine_vec2 size, const struct engine_rect *r)
{
    return r->x >= 0 && r->y >= 0 && r->w > 0 && r->h > 0 && r->x + r->w <= size.x &&
           r->y + r->h <= size.y;
}

/* Takes in a line of sprites.txt: null, or what is wrong with it. */
static const char *read_cell(struct art *art, struct engine *engine, const char *line)
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
    if (!inside(engine_texture_size(engine_texture_get(engine, cell.texture)), &r)) {
        return "the cell is not inside its picture";
    }
    int at = find_cell(name);
    if (at >= 0) {
        art->cells[at] = cell;
    }
    return NULL;
}

static bool has_all_cells(const struct art *art, char error[ENGINE_ERROR_SIZE])
{
    for (int i = 0; i < CELL_COUNT; i++) {
        if (art->cells[i].source.w <= 0.0F) {
            (void)snprintf(error, ENGINE_ERROR_SIZE, "%s: has no cell \"%s\"", table_file,
                           cell_names[i]);
            return false;
        }
    }
    return true;
}

static bool read_cells(struct art *art, struct engine *engine, char error[ENGINE_ERROR_SIZE])
{
    const char *at = engine_file_get(engine, art->table, NULL);
    for (int number = 1; *at != '\0'; number++) {
        char line[256];
        size_t length = strcspn(at, "\n");
        (void)snprintf(line, sizeof line, "%.*s", (int)length, at);
        const char *problem = read_cell(art, engine, line);
        if (problem != NULL) {
            (void)snprintf(error, ENGINE_ERROR_SIZE, "%s:%d: %s", table_file, number, problem);
            return false;
        }
        at += length + (at[length] == '\n');
    }
    return has_all_cells(art, error);
}

static void release(struct art *art, struct engine *engine)
{
    for (int i = 0; i < ART_PARTS; i++) {
        (void)engine_asset_release(engine, art_asset(art, (enum art_part)i));
    }
    memset(art, 0, sizeof *art);
}

bool art_add(struct art *art, struct engine *engine, char error[ENGINE_ERROR_SIZE])
{
    release(art, engine);
    art->sprites = engine_texture_add(engine, "images/sprites.bmp", ENGINE_KEY_NONE);
    art->glow = engine_texture_add(engine, "images/glow.bmp", ENGINE_KEY_NONE);
    art->font = engine_texture_add(engine, "fonts/font8x8.bmp", ENGINE_KEY_NONE);
    art->table = engine_file_add(engine, table_file);
    for (int i = 0; i < SOUND_COUNT; i++) {
        art->sounds[i] = engine_sound_add(engine, sound_files[i].file);
    }
    for (int i = 0; i < ART_PARTS; i++) {
        if (art_asset(art, (enum art_part)i).generation == 0) {
            (void)snprintf(error, ENGINE_ERROR_SIZE, "%s", engine_error(engine));
            return false;
        }
    }
    return true;
}

struct engine_asset art_asset(const struct art *art, enum art_part part)
{
    const struct engine_asset first[ART_SOUNDS] = {art->sprites.asset, art->glow.asset,
                                                   art->font.asset, art->table.asset};
    return part < ART_SOUNDS ? first[part] : art->sounds[part - ART_SOUNDS].asset;
}

bool art_finish(struct art *art, struct engine *engine, char error[ENGINE_ERROR_SIZE])
{
    for (int i = 0; i < ART_PARTS; i++) {
        if (!engine_asset_finish(engine, art_asset(art, (enum art_part)i))) {
            (void)snprintf(error, ENGINE_ERROR_SIZE, "%s", engine_error(engine));
            return false;
        }
    }
    engine_text_font(engine, engine_texture_get(engine, art->font));
    return read_cells(art, engine, error);
}

bool art_load(struct art *art, struct engine *engine, char error[ENGINE_ERROR_SIZE])
{
    bool fine = art_add(art, engine, error);
    for (int i = 0; fine && i < ART_PARTS; i++) {
        fine = engine_asset_read(engine, art_asset(art, (enum art_part)i), error);
    }
    return fine && art_finish(art, engine, error);
}

const struct engine_sound *art_sound(const struct art *art, struct engine *engine, enum sound sound)
{
    return engine_sound_get(engine, art->sounds[sound]);
}

void art_stamp(const struct art *art, struct engine *engine, enum cell cell, struct engine_vec2 at,
               struct engine_vec2 size, float rotation, struct engine_color color)
{
    const struct art_cell *drawn = &art->cells[cell];
    struct engine_sprite sprite = {.texture = engine_texture_get(engine, drawn->texture),
                                   .source = drawn->source,
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
    (void)engine_audio_play(engine, art_sound(art, engine, sound), sound_files[sound].volume,
                            pan * 0.6F);
}
