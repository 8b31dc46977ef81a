/* SPDX-License-Identifier: MIT */
/*
 * Motes: what kills leave behind. Near the moth they fly to it, and charge NOVA.
 */
#include "game.h"

enum { MOTE_LIFE = 600 };

static const float reach = 70.0F;
static const float touch = 12.0F;

static void collect(struct game *game, struct mote *mote)
{
    struct player *player = &game->arena.player;
    mote->used = false;
    game->arena.score += 5;
    if (player->energy < NOVA_FULL) {
        player->energy++;
    }
    fx_burst(&game->fx, mote->at, COLOR_GOLD, 2, 50.0F);
    game_sound(game, SOUND_PICKUP, mote->at.x);
}

/* The nearer, the harder it is drawn. */
static void attract_mote(const struct player *player, struct mote *mote)
{
    struct engine_vec2 way = vec_sub(player->at, mote->at);
    float distance = vec_length(way);
    if (distance < reach && distance > 0.01F) {
        float pull = 0.12F + 0.6F * (1.0F - distance / reach);
        mote->velocity = vec_add(mote->velocity, vec_scale(way, pull / distance));
    }
}

void motes_step(struct game *game)
{
    const struct player *player = &game->arena.player;
    for (int i = 0; i < MOTES_MAX; i++) {
        struct mote *mote = &game->arena.motes[i];
        if (!mote->used) {
            continue;
        }
        if (player->alive) {
            attract_mote(player, mote);
        }
        mote->before = mote->at;
        mote->velocity = vec_scale(mote->velocity, 0.95F);
        mote->at = arena_clamp(vec_add(mote->at, mote->velocity), 4.0F);
        if (++mote->age >= MOTE_LIFE) {
            mote->used = false;
        } else if (player->alive && vec_apart2(mote->at, player->at) < touch * touch) {
            collect(game, mote);
        }
    }
}

void motes_drop(struct game *game, struct engine_vec2 at, int count)
{
    struct arena *arena = &game->arena;
    for (int i = 0; i < count; i++) {
        struct mote *mote = &arena->motes[arena->next_mote];
        angle way = (angle)engine_random_below(&arena->enemy_random, 65536);
        arena->next_mote = (arena->next_mote + 1) % MOTES_MAX;
        mote->used = true;
        mote->age = 0;
        mote->at = mote->before = at;
        mote->velocity = angle_vector(way, engine_random_range(&arena->enemy_random, 0.4F, 1.6F));
    }
}
