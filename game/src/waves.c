/* SPDX-License-Identifier: MIT */
/*
 * Waves: groups arrive side by side; then the field is cleared, or 25 seconds are over.
 */
#include "enemies.h"
#include "game.h"
#include "play.h"

/* Some enemies of a kind, one after another, away from the moth. */
struct spawn_group {
    flow_frame base;
    struct game *game;
    enum enemy_kind kind;
    int count;
    double delay;    /* seconds before the first */
    double interval; /* seconds between two */
};

static void spawn_somewhere(struct game *game, enum enemy_kind kind)
{
    struct arena *arena = &game->arena;
    struct engine_vec2 at = {0};
    for (int tries = 0; tries < 8; tries++) {
        at.x = random_range(&arena->wave_random, FIELD_LEFT + 14.0F, FIELD_RIGHT - 14.0F);
        at.y = random_range(&arena->wave_random, FIELD_TOP + 14.0F, FIELD_BOTTOM - 14.0F);
        if (vec_apart2(at, arena->player.at) > 110.0F * 110.0F) {
            break;
        }
    }
    (void)enemy_spawn(game, kind, at);
}

FLOW_STATIC(spawn_group)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_seconds(self->delay));
    for (; self->count > 0; self->count--) {
        spawn_somewhere(self->game, self->kind);
        FLOW_AWAIT(flow_seconds(self->interval));
    }
    FLOW_END;
}

static const char *wave_word(int wave)
{
    static const char *const words[] = {"THE FIRST EMBERS", "THEY HUNT", "THEY BREAK",
                                        "THEY AIM",         "NO END",    "LET THEM COME"};
    enum { COUNT = sizeof words / sizeof words[0] };
    return words[wave <= COUNT ? wave - 1 : COUNT - 1];
}

/* How many of a kind a wave has: from its `first` wave on, and more with each. */
static int amount(int wave, int first, int base, int more)
{
    return wave < first ? 0 : base + (wave - first) * more;
}

FLOW_DEFINE(waves)
{
    FLOW_BEGIN;
    for (self->game->arena.wave = 1;; self->game->arena.wave++) {
        FLOW_SPAWN_WITH(&in_menus, banner, .game = self->game, .title = "WAVE",
                        .number = self->game->arena.wave,
                        .detail = wave_word(self->game->arena.wave));
        FLOW_AWAIT(flow_seconds(1.2));
        FLOW_ALL(FLOW_CALL(spawn_group, .game = self->game, .kind = ENEMY_DRIFTER,
                           .count = amount(self->game->arena.wave, 1, 56, 30), .interval = 0.09),
                 FLOW_CALL(spawn_group, .game = self->game, .kind = ENEMY_CHASER, .delay = 1.5,
                           .count = amount(self->game->arena.wave, 1, 16, 14), .interval = 0.3),
                 FLOW_CALL(spawn_group, .game = self->game, .kind = ENEMY_SPLITTER, .delay = 2.5,
                           .count = amount(self->game->arena.wave, 2, 10, 8), .interval = 0.5),
                 FLOW_CALL(spawn_group, .game = self->game, .kind = ENEMY_SNIPER, .delay = 3.0,
                           .count = amount(self->game->arena.wave, 3, 5, 3), .interval = 0.9));
        FLOW_RACE(self->winner, flow_until(arena_is_clear, self->game), flow_seconds(25.0));
        FLOW_AWAIT(flow_seconds(1.5));
    }
    FLOW_END;
}
