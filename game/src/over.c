/* SPDX-License-Identifier: MIT */
/*
 * Game over: what the play was worth; then back to the title.
 */
#include "game.h"

FLOW_DEFINE(game_over)
{
    FLOW_BEGIN;
    arena_begin(self->game, flow_self(flow));
    self->game->screens.over_in = 0.0F;
    screen_enter(self->game, SCREEN_OVER);
    FLOW_AWAIT(FLOW_CALL(tween, .value = &self->game->screens.over_in, .to = 1.0F, .seconds = 1.2,
                         .ease = engine_ease_out_cubic));
    FLOW_RACE(self->winner, next_press(self->game, ACTION_CONFIRM),
              next_press(self->game, ACTION_PAUSE), flow_seconds(12.0));
    screen_leave(self->game, SCREEN_TITLE);
    FLOW_AWAIT(flow_never());
    FLOW_END;
}

void over_draw(struct game *game)
{
    char text[64];
    const struct screens *screens = &game->screens;
    float in = screens->over_in;
    float middle = ENGINE_WIDTH / 2.0F;
    long long shown = (long long)((double)screens->last_score * (double)in);
    bool best = screens->last_score > 0 && screens->last_score == screens->best;
    game_text(game, middle, 84.0F, 5.0F, color_faded(COLOR_MAGENTA, in), ENGINE_ALIGN_CENTER,
              "GAME OVER");
    (void)snprintf(text, sizeof text, "%08lld", shown);
    game_text(game, middle, 152.0F, 4.0F, color_faded(COLOR_WHITE, in), ENGINE_ALIGN_CENTER, text);
    (void)snprintf(text, sizeof text, "WAVE %d", screens->last_wave);
    game_text(game, middle, 200.0F, 2.0F, color_faded(COLOR_CYAN, in), ENGINE_ALIGN_CENTER, text);
    if (best) {
        (void)snprintf(text, sizeof text, "A NEW BEST");
    } else {
        (void)snprintf(text, sizeof text, "BEST %08lld", (long long)screens->best);
    }
    game_text(game, middle, 230.0F, 2.0F, color_faded(COLOR_GOLD, in), ENGINE_ALIGN_CENTER, text);
    if (in >= 1.0F) {
        game_text(game, middle, 282.0F, 1.0F, color(COLOR_VIOLET), ENGINE_ALIGN_CENTER,
                  "PRESS ENTER");
    }
}
