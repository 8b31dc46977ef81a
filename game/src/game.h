/* SPDX-License-Identifier: MIT */
/*
 * The game in one struct: allocated once, nothing in it grows.
 */
#ifndef EMBERLINE_GAME_H
#define EMBERLINE_GAME_H

#include "arena.h"
#include "art.h"
#include "bench.h"
#include "boot.h"
#include "boss.h"
#include "controls.h"
#include "fx.h"
#include "hud.h"
#include "inject.h"
#include "lab.h"
#include "options.h"
#include "overlay.h"
#include "profiling.h"
#include "replay.h"
#include "save.h"
#include "screens.h"
#include "script.h"
#include "settings.h"
#include "speech.h"
#include "stress.h"
#include "tutorial.h"
#include "waves.h"

#define MUSIC_VOLUME 0.5F

/* The mixer's groups, each with a setting. */
enum { GROUP_SOUND, GROUP_MUSIC };

struct game {
    const struct options *options;
    struct engine *engine;
    flow_world *world;
    struct script script; /* of --script or --replay */
    struct script_player input;
    struct recorder recorder;
    size_t replay_at;    /* the first line whose hash is not compared yet */
    bool replay_differs; /* a hash was another than recorded */
    struct save save;
    struct art art;
    struct boot_state boot;
    struct bench_state bench;
    struct controls controls;
    struct arena arena;
    struct fx fx;
    struct wave_plan plan; /* of the wave that runs */
    struct hud_state hud;
    struct speech_state speech;
    struct tutorial_state tutorial;
    struct lab_state lab;
    struct screens screens;
    struct stress stress;
    struct injector injector; /* of --inject-hitch */
    struct profiling profiling;
    struct overlay overlay;
    struct engine_random pilot_random;
    uint32_t music; /* voice */
    bool touched;   /* someone used a real key or button in this frame */
    bool away;      /* someone looks elsewhere: the window has not the keyboard */
    bool silent;    /* someone muted it */
    int failures;   /* of flows; each was printed */
    int unwritten;  /* pictures that could not be written; each was printed */
    flow_handle root;
    int64_t next_hash; /* the step at which the next hash is due */
    bool over;         /* the last frame that counts has been */
};

/* Flows of the simulation: fixed steps, on the game's clock. */
extern const flow_options in_simulation;

/* Flows of what is seen: once a frame, not held by a pause. */
extern const flow_options in_menus;

/* Makes the game's parts, all but engine and world, which the caller has set. False with a line in
 * `error`, and the exit code. */
bool game_init(struct game *game, char error[ENGINE_ERROR_SIZE], enum exit_code *code);

/* Starts the root flow, which boots. False with one line in `error`, and the exit code. */
bool game_start(struct game *game, char error[ENGINE_ERROR_SIZE], enum exit_code *code);

/* Starts the loop of music. */
void game_start_music(struct game *game);

/* The game's own work in each phase, before the flows'. */
void game_on_early(struct game *game);
void game_on_fixed(struct game *game);
void game_on_update(struct game *game, double dt);
void game_on_render(struct game *game, double alpha);
void game_on_end(struct game *game);

/* The report of a run: frames, screens and flows. False where writing failed. */
bool game_report(struct game *game, FILE *file);

/* The next press of an action: for flows of EARLY, UPDATE and LATE, and for those of FIXED. */
flow_wait next_press(struct game *game, enum action action);
flow_wait next_step_press(struct game *game, enum action action);

/* Sound at a place. */
void game_sound(struct game *game, enum sound sound, float x);

/* Shakes the pads, as strongly as the player wants. */
void game_rumble(struct game *game, float strength, double seconds);

/* Everything on the field. */
void game_draw_arena(struct game *game, float alpha);

/* Text: centred at x, its top at y. */
void game_text(struct game *game, float x, float y, float scale, struct engine_color color,
               enum engine_align align, const char *text);

/* hash.c: a hash of the simulation and of the live flows. */
uint64_t game_hash(const struct game *game);
/* Prints it as a line. */
void game_print_hash(const struct game *game, const char *label, uint64_t frame);

#endif
