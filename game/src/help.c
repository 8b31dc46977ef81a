/* SPDX-License-Identifier: MIT */
/*
 * Help: a sheet with the controls, over whatever there is. The game stands still as long as it is
 * shown, whether or not it is paused already.
 */
#include "game.h"

/* What there is to know: what for, keys and mouse, pad. */
static const char *const rows[][3] = {
    {"MOVE", "WASD, ARROWS", "LEFT STICK"},
    {"AIM", "MOUSE (OR BY ITSELF)", "RIGHT STICK"},
    {"FIRE", "LEFT BUTTON, SPACE", "RIGHT TRIGGER"},
    {"DASH", "SHIFT; TWICE: COMET", "A; TWICE: COMET"},
    {"NOVA", "HOLD E, RIGHT BUTTON", "HOLD X"},
    {"CONFIRM", "ENTER", "A"},
    {"PAUSE", "ESC, P", "START"},
    {"STRESS LAB", "B ON THE TITLE", ""},
    {"PROFILER", "F3; F4 FREEZES, F5 WRITES", ""},
    {"SOUND, SCREEN, PICTURE", "M, F11, F12", ""},
};

enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

struct help_sheet {
    flow_frame base;
    struct game *game;
};

static void put_away(void *user)
{
    struct game *game = user;
    engine_input_discard_fixed(game->engine);
    game->screens.help_in = 0.0F;
}

FLOW_STATIC(help_sheet)
{
    FLOW_BEGIN;
    if (flow_pause_clock(flow, FLOW_CLOCK_GAME) != FLOW_OK) {
        FLOW_FAIL(FLOW_NOMEM, "no memory to pause for the help");
    }
    FLOW_DEFER(put_away, self->game);
    FLOW_SPAWN(tween, .value = &self->game->screens.help_in, .to = 1.0F, .seconds = 0.2,
               .ease = engine_ease_out_cubic);
    FLOW_AWAIT(next_press(self->game, ACTION_HELP));
    FLOW_END;
}

FLOW_DEFINE(help)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(next_press(self->game, ACTION_HELP));
        FLOW_AWAIT(FLOW_CALL(help_sheet, .game = self->game));
    }
    FLOW_END;
}

void help_draw(struct game *game)
{
    float in = game->screens.help_in;
    if (in <= 0.0F) {
        return;
    }
    struct engine_rect sheet = {50.0F, 40.0F - 20.0F * (1.0F - in), 540.0F, 286.0F};
    engine_draw_rect(game->engine, sheet, color_faded(COLOR_NAVY, 0.97F * in));
    engine_draw_frame(game->engine, sheet, 1.0F, color_faded(COLOR_CYAN, in));
    float y = sheet.y + 14.0F;
    game_text(game, ENGINE_WIDTH / 2.0F, y, 3.0F, color_faded(COLOR_WHITE, in), ENGINE_ALIGN_CENTER,
              "CONTROLS");
    for (int i = 0; i < ROW_COUNT; i++) {
        float top = y + 40.0F + 20.0F * (float)i;
        game_text(game, 74.0F, top, 1.0F, color_faded(COLOR_GOLD, in), ENGINE_ALIGN_LEFT,
                  rows[i][0]);
        game_text(game, 270.0F, top, 1.0F, color_faded(COLOR_WHITE, in), ENGINE_ALIGN_LEFT,
                  rows[i][1]);
        game_text(game, 450.0F, top, 1.0F, color_faded(COLOR_CYAN, in), ENGINE_ALIGN_LEFT,
                  rows[i][2]);
    }
    game_text(game, ENGINE_WIDTH / 2.0F, y + 240.0F, 1.0F, color_faded(COLOR_VIOLET, in),
              ENGINE_ALIGN_CENTER, "KILLS DROP MOTES, MOTES CHARGE NOVA, NOVA IS WORTH THE SQUARE");
    game_text(game, ENGINE_WIDTH / 2.0F, y + 254.0F, 1.0F, color_faded(COLOR_CYAN, in),
              ENGINE_ALIGN_CENTER, "F1 CLOSES");
}
