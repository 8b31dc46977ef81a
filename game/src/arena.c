/* SPDX-License-Identifier: MIT */
/*
 * A step: everything moves, then everything collides. Decisions are the flows', which run after it
 * in the same fixed step.
 */
#include "game.h"

#include <string.h>

#include "enemies.h"
#include "play.h"

bool arena_init(struct game *game, uint64_t seed)
{
    struct arena *arena = &game->arena;
    random_seed(&arena->wave_random, seed, 1);
    random_seed(&arena->enemy_random, seed, 2);
    random_seed(&arena->player_random, seed, 3);
    enemies_reset(arena);
    return flow_signal_init(&arena->player.struck, game->world) == FLOW_OK &&
           flow_signal_init(&arena->killed, game->world) == FLOW_OK;
}

static void reset_player(struct player *player)
{
    event_signal struck = player->struck;
    memset(player, 0, sizeof *player);
    player->struck = struck;
    player->at = player->before =
        vec((FIELD_LEFT + FIELD_RIGHT) / 2, (FIELD_TOP + FIELD_BOTTOM) / 2);
    player->aim = (angle)(3 * ANGLE_QUARTER);
    player->lives = LIVES;
}

void arena_begin(struct game *game, flow_handle owner)
{
    struct arena *arena = &game->arena;
    const flow_group_desc desc = {
        .name = "enemies", .owner = owner, .phase = FLOW_FIXED, .clock = FLOW_CLOCK_GAME};
    enemies_reset(arena);
    memset(arena->bullets, 0, sizeof arena->bullets);
    memset(arena->shots, 0, sizeof arena->shots);
    memset(arena->motes, 0, sizeof arena->motes);
    arena->next_bullet = arena->next_shot = arena->next_mote = 0;
    arena->wave = arena->chain = arena->nova_count = 0;
    arena->score = arena->nova_gain = 0;
    reset_player(&arena->player);
    arena->enemies = flow_group_create(game->world, &desc);
    fx_reset(&game->fx);
}

void arena_step(struct game *game)
{
    game->arena.steps++;
    player_step(game);
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
