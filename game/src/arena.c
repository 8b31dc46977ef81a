/* SPDX-License-Identifier: MIT */
/*
 * A step: everything moves, then everything collides. Decisions are the flows', which run after it
 * in the same fixed step.
 */
#include "game.h"

#include <string.h>

#include "boss.h"
#include "enemies.h"
#include "play.h"

bool arena_init(struct game *game, uint64_t seed)
{
    struct arena *arena = &game->arena;
    engine_random_seed(&arena->wave_random, seed, 1);
    engine_random_seed(&arena->enemy_random, seed, 2);
    engine_random_seed(&arena->player_random, seed, 3);
    enemies_reset(arena);
    return flow_signal_init(&arena->player.struck, game->world) == FLOW_OK &&
           flow_signal_init(&arena->killed, game->world) == FLOW_OK &&
           flow_signal_init(&arena->nova, game->world) == FLOW_OK &&
           flow_property_init(&arena->multiplier, game->world, &(int){1}) == FLOW_OK;
}

static void reset_player(struct player *player)
{
    event_signal struck = player->struck;
    flow_votes_fini(&player->safe);
    memset(player, 0, sizeof *player);
    player->struck = struck;
    player->at = player->before =
        vec((FIELD_LEFT + FIELD_RIGHT) / 2, (FIELD_TOP + FIELD_BOTTOM) / 2);
    player->aim = (angle)(3 * ANGLE_QUARTER);
    player->lives = LIVES;
}

static flow_handle make_crowd(struct game *game)
{
    const flow_group_desc desc = {.name = "enemies",
                                  .owner = game->arena.screen,
                                  .phase = FLOW_FIXED,
                                  .clock = FLOW_CLOCK_GAME};
    return flow_group_create(game->world, &desc);
}

flow_handle arena_part(struct game *game)
{
    flow_handle old = game->arena.enemies;
    game->arena.enemies = make_crowd(game);
    return old;
}

void arena_dismiss(struct game *game)
{
    struct arena *arena = &game->arena;
    arena->leaving = arena_part(game);
    (void)flow_request_stop(game->world, arena->leaving);
}

void arena_set_chain(struct arena *arena, int chain)
{
    arena->chain = chain;
    int multiplier = arena_multiplier(arena);
    (void)flow_property_set(&arena->multiplier, &multiplier);
}

void arena_begin(struct game *game, flow_handle owner)
{
    struct arena *arena = &game->arena;
    enemies_reset(arena);
    memset(arena->bullets, 0, sizeof arena->bullets);
    memset(arena->shots, 0, sizeof arena->shots);
    memset(arena->motes, 0, sizeof arena->motes);
    arena->next_bullet = arena->next_shot = arena->next_mote = 0;
    arena_set_chain(arena, 0);
    arena->wave = arena->nova_count = 0;
    arena->score = arena->nova_gain = 0;
    reset_player(&arena->player);
    arena->screen = owner;
    arena->leaving = (flow_handle){0};
    arena->enemies = make_crowd(game);
    fx_reset(&game->fx);
}

void arena_step(struct game *game)
{
    game->arena.steps++;
    player_step(game);
    boss_step(&game->arena.boss);
    bullets_step(game);
    motes_step(game);
    enemies_step(game);
    collide_step(game);
}

int arena_is_clear(void *game)
{
    const struct game *g = game;
    return g->arena.enemy_count == 0;
}

int arena_multiplier(const struct arena *arena)
{
    int multiplier = 1 + arena->chain / 8;
    return multiplier < 9 ? multiplier : 9;
}

struct engine_vec2 arena_clamp(struct engine_vec2 at, float margin)
{
    return vec(clampf(at.x, FIELD_LEFT + margin, FIELD_RIGHT - margin),
               clampf(at.y, FIELD_TOP + margin, FIELD_BOTTOM - margin));
}
