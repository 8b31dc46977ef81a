/* SPDX-License-Identifier: MIT */
/*
 * The director: one screen after another, and between two of them a wipe, under whose cover the old
 * one is cancelled and the new one built.
 */
#include "game.h"
#include "glue.h"

const flow_options in_simulation = {.phase = FLOW_FIXED, .clock = FLOW_CLOCK_GAME};
const flow_options in_menus = {.phase = FLOW_UPDATE, .clock = FLOW_CLOCK_UNSCALED};

void screen_enter(struct game *game, enum screen screen)
{
    struct screens *screens = &game->screens;
    screens->now = screen;
    if (screens->log_count < SCREENS_LOG_MAX) {
        screens->log[screens->log_count++] = screen;
    }
    (void)flow_emit(&screens->entered, &screen);
}

void screen_leave(struct game *game, enum screen next)
{
    (void)flow_emit(&game->screens.leave, &next);
}

/* Such frames may be long. */
static void say_loading(struct screens *screens, bool loading)
{
    screens->loading = loading;
    screens->loaded = true;
}

static flow_handle start_screen(flow_task *flow, struct game *game, enum screen screen)
{
    if (screen == SCREEN_PLAY) {
        return FLOW_SPAWN(play, .game = game);
    }
    if (screen == SCREEN_LAB) {
        return FLOW_SPAWN(lab, .game = game);
    }
    if (screen == SCREEN_OVER) {
        return FLOW_SPAWN(game_over, .game = game);
    }
    return FLOW_SPAWN(title, .game = game);
}

/* Ends a screen with all that lives in it; a bench wants to know what that takes. */
static void close_screen(struct game *game, flow_handle screen)
{
    uint64_t since = glue_now_ns();
    (void)flow_cancel(game->world, screen);
    game->bench.close_ns = glue_now_ns() - since;
}

FLOW_DEFINE(emberline)
{
    FLOW_BEGIN;
    say_loading(&self->game->screens, true);
    FLOW_AWAIT(FLOW_CALL(boot, .game = self->game));
    if (self->game->options->piloted) {
        FLOW_SPAWN(attract, .game = self->game);
    }
    FLOW_SPAWN(help, .game = self->game);
    for (;;) {
        self->screen = start_screen(flow, self->game, self->next);
        say_loading(&self->game->screens, false);
        self->opening = FLOW_SPAWN(wipe_open, .game = self->game);
        FLOW_AWAIT(flow_next(&self->game->screens.leave, &self->next));
        (void)flow_cancel(self->game->world, self->opening);
        FLOW_AWAIT(FLOW_CALL(wipe_close, .game = self->game));
        say_loading(&self->game->screens, true);
        close_screen(self->game, self->screen);
        FLOW_AWAIT(flow_join(self->screen, NULL));
    }
    FLOW_END;
}
