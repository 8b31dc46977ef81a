/* SPDX-License-Identifier: MIT */
/*
 * Enemies: a pool of bodies, and a flow for each as its mind. Cancelling the flow is the enemy's
 * end: its finally section bursts it into particles and gives the slot back.
 */
#ifndef EMBERLINE_ENEMIES_H
#define EMBERLINE_ENEMIES_H

#include "arena.h"
#include "art.h"
#include "palette.h"

enum { SNIPER_AIM_STEPS = 66, TANK_BURN_STEPS = 28 };

/* What a kind is. */
struct enemy_look {
    enum cell cell;
    enum cell flash;
    enum palette color;
    float radius; /* pixels */
    float glow;   /* of its light, pixels */
    int health;
    int score;
    int motes;    /* it drops */
    int arriving; /* steps from the first glimmer to its being there */
};

const struct enemy_look *enemy_look(enum enemy_kind kind);

/* Empties the pool; no flow of an enemy may live. */
void enemies_reset(struct arena *arena);

/* Puts an enemy on the field and starts its flow in the scope of enemies. False when the pool or
 * the world's memory is full. */
bool enemy_spawn(struct game *game, enum enemy_kind kind, struct engine_vec2 at);

/* How many live and are not dying. */
int enemies_alive(const struct arena *arena);

/* Moves all enemies by a step, and files them in the collision grid. */
void enemies_step(struct game *game);

/* Takes health; at none left the enemy is slain: score, motes, and the end of its flow. */
void enemy_hurt(struct enemy *enemy, int damage);

/* The last thing an enemy's flow does. */
void enemy_end(struct enemy *enemy);

/* Turns towards an angle and goes that way. */
void enemy_steer(struct enemy *enemy, angle to, int turn, float speed);

/* The direction of the player. */
angle enemy_to_player(const struct enemy *enemy);

/* Whether the player is near enough to be seen, as a flow_predicate of an enemy. */
int enemy_sees_player(void *enemy);

/* The kinds. Each is the whole life of one enemy. */
struct drifter {
    flow_frame base;
    struct enemy *enemy;
    int16_t turn;
    int16_t steps;
};
FLOW_DECLARE(drifter);

struct chaser {
    flow_frame base;
    struct enemy *enemy;
    int winner;
    int steps;
};
FLOW_DECLARE(chaser);

struct splitter {
    flow_frame base;
    struct enemy *enemy;
    int winner;
};
FLOW_DECLARE(splitter);

struct sniper {
    flow_frame base;
    struct enemy *enemy;
    int winner;
};
FLOW_DECLARE(sniper);

struct orbiter {
    flow_frame base;
    struct enemy *enemy;
    flow_handle gun;
};
FLOW_DECLARE(orbiter);

struct tank {
    flow_frame base;
    struct enemy *enemy;
    FLOW_SUBSCRIPTION(flow_nothing) hits;
    int winner;
    int count;
};
FLOW_DECLARE(tank);

/* What an enemy does that is asked to go: out of the field, the nearest way. */
struct retreat {
    flow_frame base;
    struct enemy *enemy;
    int steps;
};
FLOW_DECLARE(retreat);

#endif
