/* SPDX-License-Identifier: MIT */
/*
 * NOVA: hold the button until the ring is full, and every enemy's flow on the field is cancelled in
 * one call. What each one's finally section does is what one sees.
 */
#include "enemies.h"
#include "game.h"
#include "play.h"

enum { CHARGE_STEPS = 36 };

static int is_charged(void *game)
{
    const struct game *g = game;
    return g->arena.player.energy >= NOVA_FULL;
}

static int is_released(void *game)
{
    const struct game *g = game;
    return !engine_down(engine_input(g->engine), ACTION_NOVA);
}

/* The ring round the moth fills; whatever ends this empties it. */
struct nova_charge {
    flow_frame base;
    struct game *game;
    int steps;
};

FLOW_STATIC(nova_charge)
{
    FLOW_BEGIN;
    game_sound(self->game, SOUND_CHARGE, self->game->arena.player.at.x);
    for (self->steps = 0; self->steps < CHARGE_STEPS; self->steps++) {
        self->game->arena.player.charge = (float)self->steps / (float)CHARGE_STEPS;
        FLOW_AWAIT(flow_next_tick());
    }
    FLOW_FINALLY;
    self->game->arena.player.charge = 0.0F;
    FLOW_END;
}

/* A held breath, then slow motion that wears off: on real time, once a frame. */
struct nova_slow_motion {
    flow_frame base;
    struct game *game;
    float scale;
};

FLOW_STATIC(nova_slow_motion)
{
    FLOW_BEGIN;
    (void)flow_clock_set_scale(self->game->world, FLOW_CLOCK_GAME, 0.0);
    FLOW_AWAIT(flow_seconds_on(FLOW_CLOCK_REAL, 0.12));
    for (self->scale = 0.25F; self->scale < 1.0F;
         self->scale += 0.75F / 0.8F * (float)flow_dt(flow)) {
        (void)flow_clock_set_scale(self->game->world, FLOW_CLOCK_GAME, (double)self->scale);
        FLOW_AWAIT(flow_next_frame());
    }
    FLOW_FINALLY;
    (void)flow_clock_set_scale(self->game->world, FLOW_CLOCK_GAME, 1.0);
    FLOW_END;
}

static void shine(struct game *game, struct engine_vec2 at)
{
    fx_ring(&game->fx, at, 420.0F, 14.0F, 0.9F, COLOR_WHITE);
    fx_ring(&game->fx, at, 330.0F, 8.0F, 1.0F, COLOR_CYAN);
    fx_ring(&game->fx, at, 240.0F, 6.0F, 1.1F, COLOR_MAGENTA);
    fx_ripple(&game->fx, at, 34.0F);
    fx_burst(&game->fx, at, COLOR_WHITE, 60, 420.0F);
    fx_shake(&game->fx, 1.0F);
    game->fx.flash = 1.0F;
    game_sound(game, SOUND_NOVA, at.x);
    game_rumble(game, 1.0F, 0.5);
}

/* The score is the square of how many ended at once: the more one dares, the more it is worth. */
void nova_fire(struct game *game)
{
    struct arena *arena = &game->arena;
    int count = enemies_alive(arena);
    (void)flow_group_clear(game->world, arena->enemies);
    (void)flow_group_clear(game->world, arena->leaving);
    shots_clear(game);
    arena->nova_count = count;
    arena->nova_gain = (int64_t)count * count * 5;
    arena->score += arena->nova_gain;
    arena->player.energy = 0;
    shine(game, arena->player.at);
    (void)flow_emit(&arena->nova, &count);
}

FLOW_DEFINE(nova)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(flow_until(is_charged, self->game));
        FLOW_AWAIT(next_step_press(self->game, ACTION_NOVA));
        FLOW_RACE(self->winner, flow_until(is_released, self->game),
                  FLOW_CALL(nova_charge, .game = self->game));
        if (self->winner == 1) {
            nova_fire(self->game);
            FLOW_SPAWN_WITH(&in_menus, nova_slow_motion, .game = self->game);
            FLOW_SPAWN_WITH(&in_menus, nova_tally, .game = self->game);
        }
    }
    FLOW_END;
}
