/* SPDX-License-Identifier: MIT */
/*
 * The moth. Flying, shooting, dashing and NOVA are four flows that it spawns and that end with it;
 * the moth itself is the story of its three lives.
 */
#include "enemies.h"
#include "game.h"
#include "play.h"

static const float top_speed = 2.7F;
static const float dash_speed = 8.0F;
static const float comet_speed = 10.0F;

/* 0.18 s, and as long as a dash lasts; then a comet. */
enum { COMBO_STEPS = 11, COMET_STEPS = 22 };

static const struct engine_input_state *input_of(const struct game *game)
{
    return engine_input(game->engine);
}

/* The nearest enemy's direction, for who plays without a mouse; the boss's unless one is near. */
static angle nearest_enemy(const struct game *game, angle otherwise)
{
    const struct arena *arena = &game->arena;
    float best = 240.0F * 240.0F;
    for (int i = 0; i < arena->enemy_high; i++) {
        const struct enemy *enemy = &arena->pool[i];
        float apart = vec_apart2(enemy->at, arena->player.at);
        if (enemy->used && enemy->arriving == 0 && apart < best) {
            best = apart;
            otherwise = angle_of(vec_sub(enemy->at, arena->player.at));
        }
    }
    const struct boss_body *boss = &arena->boss;
    if (boss->used && boss->open && vec_apart2(boss->at, arena->player.at) < 3.0F * best) {
        otherwise = angle_of(vec_sub(boss->at, arena->player.at));
    }
    return otherwise;
}

/* The right stick, else the mouse once it was used, else the nearest enemy. */
static void take_aim(struct game *game)
{
    struct player *player = &game->arena.player;
    const struct engine_input_state *input = input_of(game);
    struct engine_vec2 stick =
        engine_stick(input, ACTION_AIM_LEFT, ACTION_AIM_RIGHT, ACTION_AIM_UP, ACTION_AIM_DOWN);
    if (stick.x * stick.x + stick.y * stick.y > 0.1F) {
        player->aim = angle_of(stick);
        player->mouse_aims = false;
        return;
    }
    if (input->mouse_motion.x != 0.0F || input->mouse_motion.y != 0.0F) {
        player->mouse_aims = true;
    }
    player->aim = player->mouse_aims ? angle_of(vec_sub(input->mouse, player->at))
                                     : nearest_enemy(game, player->aim);
}

static int trigger_is_held(void *game)
{
    return engine_down(input_of(game), ACTION_FIRE);
}

static void steer(struct game *game)
{
    struct player *player = &game->arena.player;
    struct engine_vec2 stick =
        engine_stick(input_of(game), ACTION_LEFT, ACTION_RIGHT, ACTION_UP, ACTION_DOWN);
    take_aim(game);
    if (!player->dashing) {
        player->velocity = vec_mix(player->velocity, vec_scale(stick, top_speed), 0.22F);
    }
}

/* Flies where the stick says. */
struct moth_fly {
    flow_frame base;
    struct game *game;
};

FLOW_STATIC(moth_fly)
{
    FLOW_BEGIN;
    for (;;) {
        steer(self->game);
        FLOW_AWAIT(flow_next_tick());
    }
    FLOW_END;
}

static void fire(struct game *game)
{
    const struct player *player = &game->arena.player;
    int stray = engine_random_between(&game->arena.player_random, -260, 260);
    angle heading = (angle)(player->aim + stray);
    for (int side = -1; side <= 1; side += 2) {
        angle across = (angle)(player->aim + ANGLE_QUARTER);
        struct engine_vec2 muzzle = vec_add(player->at, angle_vector(player->aim, 11.0F));
        bullet_fire(game, vec_add(muzzle, angle_vector(across, 3.5F * (float)side)), heading);
    }
    fx_spark(&game->fx, vec_add(player->at, angle_vector(player->aim, 13.0F)),
             angle_vector(player->aim, 60.0F), COLOR_CYAN, 0.08F, 12.0F);
    game_sound(game, SOUND_SHOT, player->at.x);
}

/* Shoots while the trigger is held. */
struct moth_shoot {
    flow_frame base;
    struct game *game;
};

FLOW_STATIC(moth_shoot)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(flow_until(trigger_is_held, self->game));
        fire(self->game);
        FLOW_AWAIT(flow_ticks(7));
    }
    FLOW_END;
}

static void begin_dash(struct game *game)
{
    struct player *player = &game->arena.player;
    struct engine_vec2 stick =
        engine_stick(input_of(game), ACTION_LEFT, ACTION_RIGHT, ACTION_UP, ACTION_DOWN);
    angle way = vec_length(stick) > 0.2F ? angle_of(stick) : player->aim;
    player->velocity = angle_vector(way, dash_speed);
    player->dashing = true;
    player->dash_ready = false;
    fx_ring(&game->fx, player->at, 22.0F, 3.0F, 0.3F, COLOR_CYAN);
    fx_ripple(&game->fx, player->at, 4.0F);
    game_sound(game, SOUND_DASH, player->at.x);
}

/* A second press in time: faster, longer, and what it touches burns. */
static void become_comet(struct game *game)
{
    struct player *player = &game->arena.player;
    player->comet = true;
    player->velocity = angle_vector(angle_of(player->velocity), comet_speed);
    fx_ring(&game->fx, player->at, 36.0F, 5.0F, 0.4F, COLOR_GOLD);
    fx_ripple(&game->fx, player->at, 8.0F);
    fx_shake(&game->fx, 0.2F);
    game_sound(game, SOUND_CONFIRM, player->at.x);
}

static void end_dash(struct player *player)
{
    player->velocity = vec_scale(player->velocity, 0.4F);
    player->dashing = player->comet = false;
}

/* The flight of a dash, which leaves a trail. */
struct dash_flight {
    flow_frame base;
    struct game *game;
    int steps;
};

static void leave_trail(struct game *game)
{
    const struct player *player = &game->arena.player;
    fx_spark(&game->fx, player->at, vec(0.0F, 0.0F), player->comet ? COLOR_GOLD : COLOR_CYAN, 0.35F,
             player->comet ? 26.0F : 16.0F);
}

FLOW_STATIC(dash_flight)
{
    FLOW_BEGIN;
    for (; self->steps > 0; self->steps--) {
        leave_trail(self->game);
        FLOW_AWAIT(flow_next_tick());
    }
    FLOW_END;
}

/* One dash, unhurt as long as it lasts. Pressed again within 0.18 s it becomes a comet. */
struct dash {
    flow_frame base;
    struct game *game;
    flow_vote safe;
    int winner;
};

FLOW_STATIC(dash)
{
    FLOW_BEGIN;
    if (flow_vote_cast(flow, &self->safe, &self->game->arena.player.safe, 1.0) != FLOW_OK) {
        FLOW_FAIL(FLOW_NOMEM, "no memory to be safe");
    }
    begin_dash(self->game);
    FLOW_RACE(self->winner, next_step_press(self->game, ACTION_DASH),
              FLOW_CALL(dash_flight, .game = self->game, .steps = COMBO_STEPS));
    if (self->winner == 0) {
        become_comet(self->game);
        FLOW_AWAIT(FLOW_CALL(dash_flight, .game = self->game, .steps = COMET_STEPS));
    }
    FLOW_FINALLY;
    end_dash(&self->game->arena.player);
    FLOW_END;
}

/* Dashes at a press, and then has to rest. */
struct moth_dash {
    flow_frame base;
    struct game *game;
};

FLOW_STATIC(moth_dash)
{
    FLOW_BEGIN;
    for (;;) {
        self->game->arena.player.dash_ready = true;
        FLOW_AWAIT(next_step_press(self->game, ACTION_DASH));
        FLOW_AWAIT(FLOW_CALL(dash, .game = self->game));
        FLOW_AWAIT(flow_seconds(0.6));
    }
    FLOW_END;
}

/* A new life cannot be hurt for two seconds. */
struct moth_shield {
    flow_frame base;
    struct game *game;
    flow_vote safe;
};

FLOW_STATIC(moth_shield)
{
    FLOW_BEGIN;
    if (flow_vote_cast(flow, &self->safe, &self->game->arena.player.safe, 1.0) != FLOW_OK) {
        FLOW_FAIL(FLOW_NOMEM, "no memory to be safe");
    }
    FLOW_AWAIT(flow_seconds(2.0));
    FLOW_END;
}

/* Ends a row of kills when the next one takes too long. */
struct moth_chain {
    flow_frame base;
    struct game *game;
    int timed_out;
};

FLOW_STATIC(moth_chain)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(flow_next(&self->game->arena.killed, NULL));
        do {
            FLOW_TIMEOUT(&self->timed_out, flow_next(&self->game->arena.killed, NULL), 2.0);
        } while (!self->timed_out);
        arena_set_chain(&self->game->arena, 0);
    }
    FLOW_END;
}

static void lose_life(struct game *game)
{
    struct player *player = &game->arena.player;
    player->lives--;
    arena_set_chain(&game->arena, 0);
    shots_clear(game);
    fx_burst(&game->fx, player->at, COLOR_CYAN, player->lives > 0 ? 50 : 160, 260.0F);
    fx_burst(&game->fx, player->at, COLOR_WHITE, 20, 140.0F);
    fx_ring(&game->fx, player->at, 70.0F, 5.0F, 0.5F, COLOR_CYAN);
    fx_ripple(&game->fx, player->at, 14.0F);
    fx_shake(&game->fx, 0.7F);
    game_sound(game, SOUND_HURT, player->at.x);
    game_rumble(game, 0.8F, 0.3);
}

FLOW_DEFINE(moth)
{
    FLOW_BEGIN;
    self->game->arena.player.alive = true;
    fx_ring(&self->game->fx, self->game->arena.player.at, 60.0F, 4.0F, 0.6F, COLOR_CYAN);
    FLOW_SPAWN(moth_fly, .game = self->game);
    FLOW_SPAWN(moth_shoot, .game = self->game);
    FLOW_SPAWN(moth_dash, .game = self->game);
    FLOW_SPAWN(moth_chain, .game = self->game);
    FLOW_SPAWN(nova, .game = self->game);
    while (self->game->arena.player.lives > 0) {
        FLOW_AWAIT(FLOW_CALL(moth_shield, .game = self->game));
        FLOW_AWAIT(flow_next(&self->game->arena.player.struck, NULL));
        lose_life(self->game);
    }
    FLOW_FINALLY;
    self->game->arena.player.alive = false;
    FLOW_END;
}

void player_step(struct game *game)
{
    struct player *player = &game->arena.player;
    player->before = player->at;
    if (player->alive) {
        player->at = arena_clamp(vec_add(player->at, player->velocity), 9.0F);
    }
}

void player_struck(struct game *game)
{
    (void)flow_emit(&game->arena.player.struck, NULL);
}
