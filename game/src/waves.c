/* SPDX-License-Identifier: MIT */
/*
 * The shape of a run: three waves, each a calm, a pressure and a release; then the boss; then waves
 * without end. In a wave groups arrive side by side; then the field is cleared, or 25 seconds are
 * over.
 */
#include "waves.h"

#include "boss.h"
#include "enemies.h"
#include "game.h"
#include "play.h"

/* What there is in the three waves: kind, count, seconds before the first, seconds between two. */
static const struct wave_plan plans[BOSS_WAVE - 1] = {
    {"THE FIRST EMBERS",
     {{ENEMY_DRIFTER, 44, 0.0, 0.22},
      {ENEMY_CHASER, 9, 5.0, 0.9},
      {ENEMY_DRIFTER, 20, 11.0, 0.08}}},
    {"THEY HUNT",
     {{ENEMY_DRIFTER, 70, 0.0, 0.16},
      {ENEMY_CHASER, 22, 2.0, 0.5},
      {ENEMY_SPLITTER, 9, 4.0, 1.0},
      {ENEMY_ORBITER, 4, 8.0, 1.2}}},
    {"THEY AIM",
     {{ENEMY_DRIFTER, 100, 0.0, 0.13},
      {ENEMY_CHASER, 30, 1.5, 0.42},
      {ENEMY_SPLITTER, 12, 3.0, 0.9},
      {ENEMY_SNIPER, 6, 5.0, 1.4},
      {ENEMY_ORBITER, 6, 7.0, 1.1},
      {ENEMY_TANK, 2, 10.0, 4.0}}},
};

/* After the boss: all kinds, more of each every time. */
static void plan_endless(struct wave_plan *plan, int wave)
{
    int more = wave - BOSS_WAVE;
    *plan = (struct wave_plan){more == 1 ? "NO END" : "LET THEM COME",
                               {{ENEMY_DRIFTER, 110 + 40 * more, 0.0, 0.07},
                                {ENEMY_CHASER, 26 + 12 * more, 1.0, 0.28},
                                {ENEMY_SPLITTER, 10 + 5 * more, 2.0, 0.6},
                                {ENEMY_SNIPER, 4 + 2 * more, 4.0, 1.0},
                                {ENEMY_ORBITER, 4 + 3 * more, 3.0, 0.9},
                                {ENEMY_TANK, 1 + more, 6.0, 3.0}}};
}

static void plan_wave(struct wave_plan *plan, int wave)
{
    if (wave < BOSS_WAVE) {
        *plan = plans[wave - 1];
    } else {
        plan_endless(plan, wave);
    }
}

/* Some enemies of a kind, one after another, away from the moth. */
struct spawn_group {
    flow_frame base;
    struct game *game;
    const struct wave_group *group;
    flow_interval beat;
    int left;
};

static void spawn_somewhere(struct game *game, enum enemy_kind kind)
{
    struct arena *arena = &game->arena;
    struct engine_vec2 at = {0};
    for (int tries = 0; tries < 8; tries++) {
        at.x = engine_random_range(&arena->wave_random, FIELD_LEFT + 14.0F, FIELD_RIGHT - 14.0F);
        at.y = engine_random_range(&arena->wave_random, FIELD_TOP + 14.0F, FIELD_BOTTOM - 14.0F);
        if (vec_apart2(at, arena->player.at) > 110.0F * 110.0F) {
            break;
        }
    }
    (void)enemy_spawn(game, kind, at);
}

FLOW_STATIC(spawn_group)
{
    FLOW_BEGIN;
    if (self->group->count == 0) {
        FLOW_RETURN;
    }
    FLOW_AWAIT(flow_seconds(self->group->delay));
    (void)flow_interval_begin(flow, &self->beat, self->group->interval, FLOW_CLOCK_INHERIT);
    for (self->left = self->group->count; self->left > 0; self->left--) {
        spawn_somewhere(self->game, self->group->kind);
        FLOW_AWAIT(flow_interval_next(&self->beat, NULL));
    }
    FLOW_END;
}

/* How a wave ends. */
enum { CLEARED, TIME_OVER };

/* Points, and a life that was lost. */
static void reward(struct game *game, int wave)
{
    struct player *player = &game->arena.player;
    game->arena.score += 1000 * (int64_t)wave;
    player->lives += player->lives < LIVES;
    fx_ring(&game->fx, game->arena.player.at, 120.0F, 5.0F, 0.8F, COLOR_GOLD);
    game_sound(game, SOUND_CONFIRM, ENGINE_WIDTH / 2.0F);
}

struct wave {
    flow_frame base;
    struct game *game;
    int number;
    int winner;
    flow_set groups;
};

FLOW_STATIC(wave)
{
    FLOW_BEGIN;
    plan_wave(&self->game->plan, self->number);
    FLOW_SPAWN_WITH(&in_menus, banner, .game = self->game, .title = "WAVE", .number = self->number,
                    .detail = self->game->plan.words);
    FLOW_AWAIT(flow_seconds(2.0));
    (void)flow_set_begin(flow, &self->groups);
    for (int i = 0; i < WAVE_GROUPS; i++) {
        flow_set_add(
            &self->groups, i,
            FLOW_CALL(spawn_group, .game = self->game, .group = &self->game->plan.groups[i]));
    }
    FLOW_AWAIT(flow_all_of(&self->groups));
    FLOW_RACE(self->winner, flow_until(arena_is_clear, self->game), flow_seconds(25.0));
    if (self->winner == CLEARED) {
        reward(self->game, self->number);
        FLOW_AWAIT(flow_seconds(2.5));
    }
    FLOW_END;
}

/* The field empties for the boss: who is there is asked to go, and who dawdles is ended, a few a
 * step. The moth has its breath back. */
struct make_room {
    flow_frame base;
    struct game *game;
    int late;
};

FLOW_STATIC(make_room)
{
    FLOW_BEGIN;
    arena_dismiss(self->game);
    self->game->arena.player.lives = LIVES;
    FLOW_TIMEOUT(&self->late, flow_join(self->game->arena.leaving, NULL), 3.0);
    if (self->late) {
        (void)flow_cancel_gradually(self->game->world, self->game->arena.leaving, 1);
        FLOW_AWAIT(flow_join(self->game->arena.leaving, NULL));
    }
    FLOW_END;
}

FLOW_DEFINE(waves)
{
    FLOW_BEGIN;
    for (self->game->arena.wave = self->game->options->first_wave;; self->game->arena.wave++) {
        if (self->game->arena.wave != BOSS_WAVE) {
            FLOW_AWAIT(FLOW_CALL(wave, .game = self->game, .number = self->game->arena.wave));
            continue;
        }
        FLOW_AWAIT(FLOW_CALL(make_room, .game = self->game));
        FLOW_AWAIT(FLOW_CALL(boss, .game = self->game));
        FLOW_AWAIT(flow_seconds(3.0));
        FLOW_AWAIT(flow_join(FLOW_SPAWN_WITH(&in_menus, victory, .game = self->game), NULL));
    }
    FLOW_END;
}
