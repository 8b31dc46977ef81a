/* SPDX-License-Identifier: MIT */
/*
 * Victory: the boss is out. The play stands still while one decides: to go on, without end, or to
 * rest on what one has.
 */
#include "game.h"
#include "waves.h"

enum { CHOICE_GO_ON, CHOICE_REST, CHOICE_COUNT };

static const char *const words[CHOICE_COUNT] = {"INTO THE DARK", "REST"};
static const struct menu_desc choices = {words, CHOICE_COUNT, 226.0F, 26.0F};

static void show(struct game *game)
{
    game->screens.victory_in = 0.0F;
    game->screens.choice = CHOICE_GO_ON;
    game->screens.won = true;
    screen_enter(game, SCREEN_VICTORY);
}

FLOW_DEFINE(victory)
{
    FLOW_BEGIN;
    if (flow_pause_clock(flow, FLOW_CLOCK_GAME) != FLOW_OK) {
        FLOW_FAIL(FLOW_NOMEM, "no memory to pause for the victory");
    }
    show(self->game);
    FLOW_AWAIT(FLOW_CALL(tween, .value = &self->game->screens.victory_in, .to = 1.0F,
                         .seconds = 0.8, .ease = engine_ease_out_elastic));
    FLOW_AWAIT(FLOW_CALL(menu, .game = self->game, .desc = &choices,
                         .at = &self->game->screens.choice, .picked = &self->picked));
    if (self->picked == CHOICE_REST) {
        screen_leave(self->game, SCREEN_OVER);
        FLOW_AWAIT(flow_never());
    }
    screen_enter(self->game, SCREEN_PLAY);
    FLOW_FINALLY;
    engine_input_discard_fixed(self->game->engine);
    FLOW_END;
}

void victory_draw(struct game *game)
{
    char text[64];
    float in = game->screens.victory_in;
    float middle = ENGINE_WIDTH / 2.0F;
    float shown = clampf(in, 0.0F, 1.0F);
    struct engine_rect all = {0.0F, 0.0F, ENGINE_WIDTH, ENGINE_HEIGHT};
    engine_draw_rect(game->engine, all, color_faded(COLOR_NAVY, 0.7F * shown));
    game_text(game, middle, 106.0F - 30.0F * (1.0F - in), 4.0F, color_faded(COLOR_GOLD, shown),
              ENGINE_ALIGN_CENTER, "THE LINE HOLDS");
    game_text(game, middle, 150.0F, 1.0F, color_faded(COLOR_WHITE, shown), ENGINE_ALIGN_CENTER,
              "THE KINDLER IS OUT. THE DARK IS NOT EMPTY.");
    (void)snprintf(text, sizeof text, "%08lld", (long long)game->arena.score);
    game_text(game, middle, 176.0F, 3.0F, color_faded(COLOR_CYAN, shown), ENGINE_ALIGN_CENTER,
              text);
    if (in >= 0.95F) {
        menu_draw(game, &choices, game->screens.choice, 1.0F);
    }
}
