/* SPDX-License-Identifier: MIT */
/*
 * A play: the moth, the waves, the display and the pause key; it is over when the moth is.
 */
#include "play.h"

#include "game.h"

/* Among the high scores, unless the attract mode played. */
static void keep_score(struct game *game)
{
    char error[SAVE_LINE_SIZE];
    const struct screens *screens = &game->screens;
    if (screens->last_score <= 0 || game->options->piloted) {
        return;
    }
    if (save_add_score(&game->save, screens->last_score, screens->last_wave) >= 0 &&
        !save_scores(&game->save, error)) {
        (void)fprintf(stderr, "emberline: %s\n", error);
    }
}

static void remember(struct game *game)
{
    struct screens *screens = &game->screens;
    screens->last_score = game->arena.score;
    screens->last_wave = game->arena.wave;
    if (screens->demo) {
        return;
    }
    if (screens->last_score > screens->best) {
        screens->best = screens->last_score;
    }
    keep_score(game);
}

FLOW_DEFINE(play)
{
    FLOW_BEGIN;
    self->game->screens.won = false;
    arena_begin(self->game, flow_self(flow));
    screen_enter(self->game, SCREEN_PLAY);
    FLOW_SPAWN(hud, .game = self->game);
    FLOW_SPAWN_WITH(&in_simulation, speech, .game = self->game);
    FLOW_SPAWN(pausing, .game = self->game);
    if (self->game->screens.demo) {
        FLOW_SPAWN(demo, .game = self->game);
    }
    if (!self->game->screens.demo && !self->game->options->piloted &&
        self->game->save.settings[SETTING_TAUGHT] == 0) {
        FLOW_SPAWN_WITH(&in_simulation, tutorial, .game = self->game);
    }
    FLOW_SPAWN_WITH(&in_simulation, waves, .game = self->game);
    self->player = FLOW_SPAWN_WITH(&in_simulation, moth, .game = self->game);
    FLOW_AWAIT(flow_join(self->player, NULL));
    FLOW_AWAIT(flow_seconds(1.4));
    screen_leave(self->game, self->game->screens.demo ? SCREEN_TITLE : SCREEN_OVER);
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    remember(self->game);
    self->game->screens.demo = false;
    FLOW_END;
}
