/* SPDX-License-Identifier: MIT */
/*
 * The attract mode: flows that hold the buttons. They write to the engine's input like any device,
 * once a frame, and let go of everything when they end.
 */
#include "enemies.h"
#include "game.h"

/* Nobody is faster than this. */
enum { REACTION_FRAMES = 4 };

static void hold(struct game *game, enum action action, float value)
{
    if (game->options->replay == NULL) { /* there what was held is recorded */
        (void)engine_input_inject_action(game->engine, (int)action, clampf(value, 0.0F, 1.0F));
    }
}

/* A thumb knows full, half and not at all. */
static float by_thumb(float value)
{
    return value >= 0.75F ? 1.0F : value >= 0.25F ? 0.5F : 0.0F;
}

static void hold_stick(struct game *game, struct engine_vec2 way)
{
    hold(game, ACTION_LEFT, by_thumb(-way.x));
    hold(game, ACTION_RIGHT, by_thumb(way.x));
    hold(game, ACTION_UP, by_thumb(-way.y));
    hold(game, ACTION_DOWN, by_thumb(way.y));
}

static void let_go(struct game *game)
{
    for (int i = 0; i < ACTION_COUNT; i++) {
        hold(game, (enum action)i, 0.0F);
    }
}

/* A push away from a point, the harder the nearer. */
static struct engine_vec2 flee(struct engine_vec2 from, struct engine_vec2 at, float reach)
{
    struct engine_vec2 way = vec_sub(at, from);
    float distance = vec_length(way);
    if (distance >= reach || distance < 0.01F) {
        return vec(0.0F, 0.0F);
    }
    float push = (reach - distance) / reach;
    return vec_scale(way, 3.0F * push * push / distance);
}

static struct engine_vec2 flee_all(const struct arena *arena)
{
    struct engine_vec2 way = {0};
    for (int i = 0; i < arena->enemy_high; i++) {
        if (arena->pool[i].used) {
            way = vec_add(way, flee(arena->pool[i].at, arena->player.at, 95.0F));
        }
    }
    for (int i = 0; i < SHOTS_MAX; i++) {
        const struct bullet *shot = &arena->shots[i];
        if (shot->used) {
            struct engine_vec2 soon = vec_add(shot->at, vec_scale(shot->velocity, 9.0F));
            way = vec_add(way, flee(shot->at, arena->player.at, 46.0F));
            way = vec_add(way, flee(soon, arena->player.at, 40.0F));
        }
    }
    if (arena->boss.used) {
        way = vec_add(way, flee(arena->boss.at, arena->player.at, 150.0F));
    }
    return way;
}

/* The nearest mote's direction, or that of the middle. */
static struct engine_vec2 seek(const struct arena *arena)
{
    struct engine_vec2 goal = {ENGINE_WIDTH / 2.0F, ENGINE_HEIGHT / 2.0F};
    float best = 200.0F * 200.0F;
    for (int i = 0; i < MOTES_MAX; i++) {
        float apart = vec_apart2(arena->motes[i].at, arena->player.at);
        if (arena->motes[i].used && apart < best) {
            best = apart;
            goal = arena->motes[i].at;
        }
    }
    struct engine_vec2 way = vec_sub(goal, arena->player.at);
    float distance = vec_length(way);
    return distance > 6.0F ? vec_scale(way, 0.7F / distance) : vec(0.0F, 0.0F);
}

/* Walls are no place to be cornered. */
static struct engine_vec2 avoid_walls(struct engine_vec2 at)
{
    struct engine_vec2 way = {0};
    way.x += at.x < FIELD_LEFT + 50.0F ? 0.9F : at.x > FIELD_RIGHT - 50.0F ? -0.9F : 0.0F;
    way.y += at.y < FIELD_TOP + 50.0F ? 0.9F : at.y > FIELD_BOTTOM - 50.0F ? -0.9F : 0.0F;
    return way;
}

static void fly(struct game *game)
{
    const struct arena *arena = &game->arena;
    struct engine_vec2 danger = flee_all(arena);
    struct engine_vec2 way = vec_add(vec_add(danger, seek(arena)), avoid_walls(arena->player.at));
    float length = vec_length(way);
    hold_stick(game, length > 1.0F ? vec_scale(way, 1.0F / length) : way);
    hold(game, ACTION_FIRE, arena->enemy_count > 0 || arena->boss.open ? 1.0F : 0.0F);
    hold(game, ACTION_DASH, vec_length(danger) > 1.6F && arena->player.dash_ready ? 1.0F : 0.0F);
}

static int wants_nova(void *game)
{
    const struct game *g = game;
    return g->arena.player.energy >= NOVA_FULL &&
           (g->arena.enemy_count >= 24 || g->arena.boss.open);
}

static int has_no_energy(void *game)
{
    const struct game *g = game;
    return g->arena.player.energy == 0;
}

/* Holds NOVA when it is worth it. */
struct pilot_nova {
    flow_frame base;
    struct game *game;
    int timed_out;
};

FLOW_STATIC(pilot_nova)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(flow_until(wants_nova, self->game));
        hold(self->game, ACTION_NOVA, 1.0F);
        FLOW_TIMEOUT(&self->timed_out, flow_until(has_no_energy, self->game), 1.5);
        hold(self->game, ACTION_NOVA, 0.0F);
        FLOW_AWAIT(flow_seconds(0.25));
    }
    FLOW_END;
}

FLOW_DEFINE(pilot)
{
    FLOW_BEGIN;
    FLOW_SPAWN(pilot_nova, .game = self->game);
    for (;;) {
        fly(self->game);
        FLOW_AWAIT(flow_frames(REACTION_FRAMES));
    }
    FLOW_FINALLY;
    let_go(self->game);
    FLOW_END;
}

/* Looks at a screen for a while and presses confirm. */
struct press_confirm {
    flow_frame base;
    struct game *game;
};

FLOW_STATIC(press_confirm)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(flow_seconds(2.5));
        hold(self->game, ACTION_CONFIRM, 1.0F);
        FLOW_AWAIT(flow_frames(4));
        hold(self->game, ACTION_CONFIRM, 0.0F);
    }
    FLOW_FINALLY;
    let_go(self->game);
    FLOW_END;
}

FLOW_DEFINE(attract)
{
    FLOW_BEGIN;
    for (;;) {
        if (self->screen == SCREEN_PLAY) {
            FLOW_RACE(self->winner, flow_next(&self->game->screens.entered, &self->screen),
                      FLOW_CALL(pilot, .game = self->game));
        } else if (self->game->options->attract || self->screen == SCREEN_VICTORY) {
            FLOW_RACE(self->winner, flow_next(&self->game->screens.entered, &self->screen),
                      FLOW_CALL(press_confirm, .game = self->game));
        } else {
            FLOW_AWAIT(flow_next(&self->game->screens.entered, &self->screen));
        }
    }
    FLOW_END;
}

static int someone_is_there(void *game)
{
    const struct game *g = game;
    return g->touched;
}

FLOW_DEFINE(demo)
{
    FLOW_BEGIN;
    FLOW_RACE(self->winner, flow_until(someone_is_there, self->game),
              FLOW_CALL(pilot, .game = self->game));
    screen_leave(self->game, SCREEN_TITLE);
    FLOW_AWAIT(flow_never());
    FLOW_END;
}
