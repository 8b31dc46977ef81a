/* SPDX-License-Identifier: MIT */
/*
 * FNV-1a over what the simulation is: the same for the same seed and inputs, in every build. Slots
 * are hashed in their order; handles, addresses and what is only seen take no part.
 */
#include <string.h>

#include "game.h"

static void add(uint64_t *hash, uint64_t value)
{
    for (int i = 0; i < 8; i++) {
        *hash = (*hash ^ (value & 255u)) * 1099511628211u;
        value >>= 8;
    }
}

static void add_float(uint64_t *hash, float value)
{
    uint32_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    add(hash, bits);
}

static void add_vec(uint64_t *hash, struct engine_vec2 v)
{
    add_float(hash, v.x);
    add_float(hash, v.y);
}

static void add_random(uint64_t *hash, const struct engine_random *random)
{
    add(hash, random->state);
    add(hash, random->increment);
}

static void add_enemies(uint64_t *hash, const struct arena *arena)
{
    for (int i = 0; i < arena->enemy_high; i++) {
        const struct enemy *enemy = &arena->pool[i];
        if (enemy->used) {
            add(hash, (uint64_t)i << 32 | (uint64_t)enemy->kind << 16 | enemy->heading);
            add(hash, (uint64_t)enemy->health << 32 | (uint64_t)enemy->arriving << 16 |
                          (uint64_t)enemy->aiming);
            add_vec(hash, enemy->at);
            add_vec(hash, enemy->velocity);
        }
    }
}

static void add_bullets(uint64_t *hash, const struct bullet *bullets, int count)
{
    for (int i = 0; i < count; i++) {
        if (bullets[i].used) {
            add(hash, (uint64_t)i << 16 | bullets[i].heading);
            add_vec(hash, bullets[i].at);
        }
    }
}

static void add_motes(uint64_t *hash, const struct arena *arena)
{
    for (int i = 0; i < MOTES_MAX; i++) {
        if (arena->motes[i].used) {
            add(hash, (uint64_t)i << 32 | (uint64_t)arena->motes[i].age);
            add_vec(hash, arena->motes[i].at);
            add_vec(hash, arena->motes[i].velocity);
        }
    }
}

static void add_player(uint64_t *hash, const struct player *player)
{
    add_vec(hash, player->at);
    add_vec(hash, player->velocity);
    add(hash, player->aim);
    add(hash, (uint64_t)player->lives << 32 | (uint64_t)player->energy << 16 | player->safe.count);
    add(hash, (uint64_t)player->comet << 3 | (uint64_t)player->alive << 2 |
                  (uint64_t)player->dashing << 1 | (uint64_t)player->dash_ready);
    add_float(hash, player->charge);
}

static void add_boss(uint64_t *hash, const struct boss_body *boss)
{
    if (boss->used) {
        add_vec(hash, boss->at);
        add(hash, (uint64_t)boss_health(boss) << 32 | (uint64_t)boss->phase << 16 | boss->heading);
    }
}

uint64_t game_hash(const struct game *game)
{
    const struct arena *arena = &game->arena;
    uint64_t hash = 14695981039346656037u;
    add(&hash, (uint64_t)arena->steps);
    add(&hash, (uint64_t)arena->score);
    add(&hash, (uint64_t)arena->wave << 32 | (uint64_t)arena->chain);
    add(&hash, (uint64_t)arena->enemy_count);
    add(&hash, (uint64_t)game->screens.now);
    add_random(&hash, &arena->wave_random);
    add_random(&hash, &arena->enemy_random);
    add_random(&hash, &arena->player_random);
    add_player(&hash, &arena->player);
    add_boss(&hash, &arena->boss);
    add_enemies(&hash, arena);
    add_bullets(&hash, arena->bullets, BULLETS_MAX);
    add_bullets(&hash, arena->shots, SHOTS_MAX);
    add_motes(&hash, arena);
    add(&hash, flow_world_hash(game->world));
    return hash;
}
