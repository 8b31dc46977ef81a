/* SPDX-License-Identifier: MIT */
/*
 * Bullets of the player and shots of the enemies. They only fly straight, so they are plain data
 * and a loop; the oldest makes room when a pool is full.
 */
#include "game.h"

#include <string.h>

static const float bullet_speed = 7.5F;

static bool outside(struct engine_vec2 at)
{
    return at.x < FIELD_LEFT || at.x > FIELD_RIGHT || at.y < FIELD_TOP || at.y > FIELD_BOTTOM;
}

static void fly(struct game *game, struct bullet *bullets, int count, enum palette spark)
{
    for (int i = 0; i < count; i++) {
        struct bullet *bullet = &bullets[i];
        if (!bullet->used) {
            continue;
        }
        bullet->before = bullet->at;
        bullet->at = vec_add(bullet->at, bullet->velocity);
        if (outside(bullet->at)) {
            bullet->used = false;
            fx_burst(&game->fx, arena_clamp(bullet->at, 0.0F), spark, 3, 60.0F);
        }
    }
}

void bullets_step(struct game *game)
{
    fly(game, game->arena.bullets, BULLETS_MAX, COLOR_CYAN);
    fly(game, game->arena.shots, SHOTS_MAX, COLOR_MAGENTA);
}

static void put(struct bullet *bullet, struct engine_vec2 from, angle heading, float speed)
{
    bullet->at = bullet->before = from;
    bullet->heading = heading;
    bullet->velocity = angle_vector(heading, speed);
    bullet->used = true;
}

void bullet_fire(struct game *game, struct engine_vec2 from, angle heading)
{
    struct arena *arena = &game->arena;
    put(&arena->bullets[arena->next_bullet], from, heading, bullet_speed);
    arena->next_bullet = (arena->next_bullet + 1) % BULLETS_MAX;
}

void shot_fire(struct game *game, enum shot_look look, struct engine_vec2 from, angle heading,
               float speed)
{
    struct arena *arena = &game->arena;
    arena->shots[arena->next_shot].look = look;
    put(&arena->shots[arena->next_shot], from, heading, speed);
    arena->next_shot = (arena->next_shot + 1) % SHOTS_MAX;
}

void shots_clear(struct game *game)
{
    for (int i = 0; i < SHOTS_MAX; i++) {
        struct bullet *shot = &game->arena.shots[i];
        if (shot->used) {
            shot->used = false;
            fx_burst(&game->fx, shot->at, COLOR_MAGENTA, 4, 80.0F);
        }
    }
}
