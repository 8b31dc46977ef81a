/* SPDX-License-Identifier: MIT */
/*
 * The game's pictures and sounds: the two atlases with the cells that sprites.txt names, the font,
 * and the effects.
 */
#ifndef EMBERLINE_ART_H
#define EMBERLINE_ART_H

#include <stdbool.h>

#include "engine/engine.h"

/* Every cell the game draws: constant, name in sprites.txt. */
#define CELLS(X)                                                                                   \
    X(LOGO, "logo")                                                                                \
    X(MOTH_0, "moth_0")                                                                            \
    X(MOTH_1, "moth_1")                                                                            \
    X(MOTH_FLASH, "moth_0_flash")                                                                  \
    X(DRIFTER, "drifter")                                                                          \
    X(DRIFTER_FLASH, "drifter_flash")                                                              \
    X(CHASER, "chaser")                                                                            \
    X(CHASER_FLASH, "chaser_flash")                                                                \
    X(SPLITTER, "splitter")                                                                        \
    X(SPLITTER_FLASH, "splitter_flash")                                                            \
    X(SHARD, "splitter_child")                                                                     \
    X(SHARD_FLASH, "splitter_child_flash")                                                         \
    X(SNIPER, "sniper")                                                                            \
    X(SNIPER_FLASH, "sniper_flash")                                                                \
    X(ORBITER, "orbiter")                                                                          \
    X(ORBITER_FLASH, "orbiter_flash")                                                              \
    X(TANK, "tank")                                                                                \
    X(TANK_FLASH, "tank_flash")                                                                    \
    X(BOSS_0, "boss")                                                                              \
    X(BOSS_1, "boss_rage")                                                                         \
    X(BOSS_2, "boss_last")                                                                         \
    X(BOSS_FLASH, "boss_flash")                                                                    \
    X(BULLET_ENEMY, "bullet_enemy")                                                                \
    X(BULLET, "bullet")                                                                            \
    X(BULLET_SNIPER, "bullet_sniper")                                                              \
    X(MOTE_0, "mote_0")                                                                            \
    X(MOTE_1, "mote_1")                                                                            \
    X(CROSSHAIR, "crosshair")                                                                      \
    X(ICON_LIFE, "icon_life")                                                                      \
    X(ICON_NOVA, "icon_nova")                                                                      \
    X(ICON_DASH, "icon_dash")                                                                      \
    X(ICON_FLOW, "icon_flow")                                                                      \
    X(ICON_CURSOR, "icon_cursor")                                                                  \
    X(GLOW64, "glow64")                                                                            \
    X(RING64, "ring64")                                                                            \
    X(GLOW32, "glow32")                                                                            \
    X(RING32, "ring32")                                                                            \
    X(GLOW16, "glow16")                                                                            \
    X(STREAK16, "streak16")                                                                        \
    X(SPARK16, "spark16")                                                                          \
    X(GLOW8, "glow8")

enum cell {
#define CELL_ENUM(name, text) CELL_##name,
    CELLS(CELL_ENUM)
#undef CELL_ENUM
        CELL_COUNT
};

/* Every effect: constant, file, volume. */
#define SOUNDS(X)                                                                                  \
    X(SHOT, "sounds/shot.wav", 0.16F)                                                              \
    X(HIT, "sounds/hit.wav", 0.25F)                                                                \
    X(EXPLODE, "sounds/explode.wav", 0.4F)                                                         \
    X(HURT, "sounds/hurt.wav", 0.8F)                                                               \
    X(DASH, "sounds/dash.wav", 0.4F)                                                               \
    X(PICKUP, "sounds/pickup.wav", 0.2F)                                                           \
    X(CHARGE, "sounds/nova_charge.wav", 0.6F)                                                      \
    X(NOVA, "sounds/nova.wav", 0.9F)                                                               \
    X(SELECT, "sounds/select.wav", 0.4F)                                                           \
    X(CONFIRM, "sounds/confirm.wav", 0.5F)                                                         \
    X(PAUSE, "sounds/pause.wav", 0.5F)                                                             \
    X(TYPE, "sounds/select.wav", 0.12F)                                                            \
    X(LOOP, "sounds/loop.wav", 0.3F)

enum sound {
#define SOUND_ENUM(name, file, volume) SOUND_##name,
    SOUNDS(SOUND_ENUM)
#undef SOUND_ENUM
        SOUND_COUNT
};

struct art_cell {
    struct engine_texture_handle texture;
    struct engine_rect source;
};

struct art {
    struct engine_texture_handle sprites;
    struct engine_texture_handle glow;
    struct engine_texture_handle font;
    struct engine_file_handle table; /* sprites.txt */
    struct engine_sound_handle sounds[SOUND_COUNT];
    struct art_cell cells[CELL_COUNT];
    uint64_t last_played[SOUND_COUNT]; /* the frame, so that a swarm's end is one bang */
};

/* The files, each loadable by itself: three pictures, where their cells are, then the sounds. */
enum art_part {
    ART_SPRITES,
    ART_GLOW,
    ART_FONT,
    ART_TABLE,
    ART_SOUNDS,
    ART_PARTS = ART_SOUNDS + SOUND_COUNT
};

/* Adds every file to the engine's asset table, to be read, in place of what there was. False with
 * one line in `error`. */
bool art_add(struct art *art, struct engine *engine, char error[ENGINE_ERROR_SIZE]);

/* The asset of a part, for engine_asset_read on any thread. */
struct engine_asset art_asset(const struct art *art, enum art_part part);

/* Takes all that was read into use. False with one line in `error` that names the file and the
 * reason: the first that there is. */
bool art_finish(struct art *art, struct engine *engine, char error[ENGINE_ERROR_SIZE]);

/* All of it here and now. False with one line in `error`. */
bool art_load(struct art *art, struct engine *engine, char error[ENGINE_ERROR_SIZE]);

/* What an effect sounds like. */
const struct engine_sound *art_sound(const struct art *art, struct engine *engine,
                                     enum sound sound);

/* Draws a cell: its middle at `at`, `scale` times its size. */
void art_draw(const struct art *art, struct engine *engine, enum cell cell, struct engine_vec2 at,
              float scale, float rotation, struct engine_color color);

/* Draws a cell stretched to a size in pixels. */
void art_stamp(const struct art *art, struct engine *engine, enum cell cell, struct engine_vec2 at,
               struct engine_vec2 size, float rotation, struct engine_color color);

/* Plays an effect, panned to where it happens; at most one of a kind in three frames. */
void art_play(struct art *art, struct engine *engine, enum sound sound, float x);

#endif
