/* SPDX-License-Identifier: MIT */
/*
 * What is only seen: particles, rings, rising numbers, the grid's ripples, shake and flash. It has
 * a random stream of its own and moves once a frame, so the simulation never depends on it.
 */
#ifndef EMBERLINE_FX_H
#define EMBERLINE_FX_H

#include <stdint.h>

#include "angle.h"
#include "engine/random.h"
#include "palette.h"

struct game;

enum { PARTICLES_MAX = 4000, RINGS_MAX = 48, RIPPLES_MAX = 12, NUMBERS_MAX = 48 };

struct particle {
    struct engine_vec2 at;
    struct engine_vec2 velocity; /* pixels a second */
    float age;                   /* seconds */
    float life;
    float size; /* pixels; 0: not in use */
    uint8_t color;
};

struct ring {
    struct engine_vec2 at;
    float age;
    float life; /* 0: not in use */
    float radius;
    float width;
    enum palette color;
};

struct ripple {
    struct engine_vec2 at;
    float age;
    float strength; /* pixels; 0: not in use */
};

struct number {
    struct engine_vec2 at;
    float age;
    int value; /* 0: not in use */
};

struct fx {
    struct engine_random random;
    struct particle particles[PARTICLES_MAX];
    struct ring rings[RINGS_MAX];
    struct ripple ripples[RIPPLES_MAX];
    struct number numbers[NUMBERS_MAX];
    int next_particle;
    int next_ring;
    int next_ripple;
    int next_number;
    float trauma; /* 0 to 1; its square shakes */
    float flash;  /* 0 to 1 of white over all */
    struct engine_vec2 shake;
    float shake_scale; /* of the player's settings, 0 to 1 */
    float flash_scale;
    float time; /* seconds of game time */
};

/* Empties everything. */
void fx_reset(struct fx *fx);

/* Moves everything by `dt` seconds of game time. */
void fx_update(struct fx *fx, float dt);

/* Particles in all directions. */
void fx_burst(struct fx *fx, struct engine_vec2 at, enum palette color, int count, float speed);

/* One particle with a direction, as of a trail or a jet. */
void fx_spark(struct fx *fx, struct engine_vec2 at, struct engine_vec2 velocity, enum palette color,
              float life, float size);

void fx_ring(struct fx *fx, struct engine_vec2 at, float radius, float width, float life,
             enum palette color);
void fx_ripple(struct fx *fx, struct engine_vec2 at, float strength);
void fx_number(struct fx *fx, struct engine_vec2 at, int value);
void fx_shake(struct fx *fx, float trauma);

/* In RENDER. The grid lies under everything, the rest above enemies and player. */
void fx_draw_grid(struct game *game);
void fx_draw_light(struct game *game);
void fx_draw_numbers(struct game *game);

#endif
