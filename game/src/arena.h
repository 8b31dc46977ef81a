/* SPDX-License-Identifier: MIT */
/*
 * The simulation: what there is on the field, in fixed pools. It moves in fixed steps alone, draws
 * from random streams of its own, and is all that the state hash covers.
 */
#ifndef EMBERLINE_ARENA_H
#define EMBERLINE_ARENA_H

#include <stdbool.h>

#include "angle.h"
#include "engine/engine.h"
#include "flow/flow.h"

struct game;

enum {
    ENEMIES_MAX = 6144,
    BULLETS_MAX = 512,
    SHOTS_MAX = 512,
    MOTES_MAX = 1024,
    CELL_SIZE = 20, /* of the collision grid, pixels */
    CELLS_ACROSS = ENGINE_WIDTH / CELL_SIZE,
    CELLS_DOWN = ENGINE_HEIGHT / CELL_SIZE,
    NOVA_FULL = 60, /* motes that fill NOVA */
    LIVES = 3
};

/* The field's inner edges, pixels. */
#define FIELD_LEFT 8.0F
#define FIELD_TOP 26.0F
#define FIELD_RIGHT 632.0F
#define FIELD_BOTTOM 334.0F

typedef FLOW_SIGNAL(flow_nothing) event_signal;
typedef FLOW_SIGNAL(int) count_signal;
typedef FLOW_PROPERTY(int) int_property;

enum enemy_kind {
    ENEMY_DRIFTER,
    ENEMY_CHASER,
    ENEMY_SPLITTER,
    ENEMY_SHARD,
    ENEMY_SNIPER,
    ENEMY_ORBITER,
    ENEMY_TANK,
    ENEMY_KIND_COUNT
};

struct enemy {
    struct game *game;
    flow_handle flow;   /* its mind; cancelling it is its end */
    event_signal hit;   /* of kinds that flinch; else never made */
    event_signal slain; /* of kinds with something left to do; else never made */
    struct engine_vec2 at;
    struct engine_vec2 before;   /* where it was a step ago, for drawing */
    struct engine_vec2 velocity; /* pixels a step; its flow sets it, the arena moves by it */
    float radius;
    angle heading;
    enum enemy_kind kind;
    int health;
    int aiming;   /* of a sniper: steps it has aimed at the player */
    int flash;    /* steps it still shows a hit */
    int arriving; /* steps until it is there: harmless, and cannot be hit */
    bool used;
    bool dying;       /* slain or ending, but its slot is not given back yet */
    int next;         /* in the free list; -1 ends it */
    int next_in_cell; /* of the collision grid; -1 ends it */
};

/* What a shot of the enemies looks like. */
enum shot_look { SHOT_NEEDLE, SHOT_ORB };

struct bullet {
    struct engine_vec2 at;
    struct engine_vec2 before;
    struct engine_vec2 velocity;
    angle heading;
    enum shot_look look; /* of enemies' shots */
    bool used;
};

struct mote {
    struct engine_vec2 at;
    struct engine_vec2 before;
    struct engine_vec2 velocity;
    int age; /* steps */
    bool used;
};

struct player {
    struct engine_vec2 at;
    struct engine_vec2 before;
    struct engine_vec2 velocity;
    angle aim;
    bool alive;
    bool mouse_aims; /* someone has used the mouse */
    int lives;
    flow_votes safe; /* the reasons why nothing hurts, each as long as it lives */
    bool dashing;
    bool comet; /* a second press made the dash a comet, which burns what it touches */
    bool dash_ready;
    int energy;   /* motes towards NOVA */
    float charge; /* of the NOVA that is being held, 0 to 1 */
    event_signal struck;
};

/* The boss's body; boss.c tells what it does. */
struct boss_body {
    flow_owner owner;    /* of the flows it carries; begun as long as it is on the field */
    int_property health; /* made as long as it is on the field */
    struct engine_vec2 at;
    struct engine_vec2 before;
    angle heading; /* it spins, for drawing */
    int phase;     /* 0 to 2 */
    int flash;     /* steps it still shows a hit */
    bool used;
    bool open; /* it can be hurt */
};

struct arena {
    flow_handle screen;  /* owns what is on the field */
    flow_handle enemies; /* the scope of all enemies: what NOVA cancels */
    flow_handle leaving; /* the scope of those that were asked to go */
    struct engine_random wave_random;
    struct engine_random enemy_random;
    struct engine_random player_random;
    struct player player;
    struct boss_body boss;
    struct enemy pool[ENEMIES_MAX];
    int enemy_count;
    int enemy_high; /* slots from here on were never used */
    int enemy_free; /* head of the free list */
    int cells[CELLS_ACROSS * CELLS_DOWN];
    struct bullet bullets[BULLETS_MAX]; /* the player's */
    struct bullet shots[SHOTS_MAX];     /* the enemies' */
    struct mote motes[MOTES_MAX];
    int next_bullet;
    int next_shot;
    int next_mote;
    int wave;
    int chain;               /* kills in a row */
    int_property multiplier; /* what a kill counts now; follows the chain */
    event_signal killed;
    count_signal nova; /* fired, with how many it cancelled */
    int64_t score;
    int64_t nova_gain; /* what the last NOVA was worth, */
    int nova_count;    /* and how many it cancelled */
    int64_t steps;
};

/* Makes the signals and seeds the streams. False for want of memory. */
bool arena_init(struct game *game, uint64_t seed);

/* Empties the field and starts a new count; `owner` is the screen that the enemies end with. */
void arena_begin(struct game *game, flow_handle owner);

/* One fixed step of all that is no flow: moves, collects, collides. */
void arena_step(struct game *game);

/* Counts a kill, or forgets the chain, and what a kill counts follows. */
void arena_set_chain(struct arena *arena, int chain);

/* Makes a new scope for the enemies to come, and returns the old one, which keeps its own. */
flow_handle arena_part(struct game *game);

/* Asks all enemies to leave, and makes a new scope for those to come; the old one, arena.leaving,
 * ends when the last of it has gone. */
void arena_dismiss(struct game *game);

/* Whether no enemy lives, as a flow_predicate of the game. */
int arena_is_clear(void *game);

/* What a kill counts now. */
int arena_multiplier(const struct arena *arena);

/* Keeps a point inside the field by a margin. */
struct engine_vec2 arena_clamp(struct engine_vec2 at, float margin);

/* bullets.c */
void bullets_step(struct game *game);
void bullet_fire(struct game *game, struct engine_vec2 from, angle heading);
void shot_fire(struct game *game, enum shot_look look, struct engine_vec2 from, angle heading,
               float speed);
void shots_clear(struct game *game);

/* motes.c */
void motes_step(struct game *game);
void motes_drop(struct game *game, struct engine_vec2 at, int count);

/* collide.c */
void collide_step(struct game *game);

#endif
