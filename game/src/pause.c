/* SPDX-License-Identifier: MIT */
/*
 * The pause: the game's clock stands still as long as the menu lives, whatever ends it; the menu
 * itself lives on the unscaled clock.
 */
#include "game.h"

struct pause_menu {
    flow_frame base;
    struct game *game;
    int picked;
};

enum { CHOICE_RESUME, CHOICE_SETTINGS, CHOICE_GIVE_UP, CHOICE_COUNT };

static const char *const words[CHOICE_COUNT] = {"RESUME", "SETTINGS", "GIVE UP"};
static const struct menu_desc choices = {words, CHOICE_COUNT, 174.0F, 22.0F};

static void open_menu(struct game *game)
{
    game->screens.choice = CHOICE_RESUME;
    game->screens.pause_in = 0.0F;
    (void)engine_audio_change(game->engine, game->music, MUSIC_VOLUME * 0.3F, 0.0F);
    game_sound(game, SOUND_PAUSE, ENGINE_WIDTH / 2.0F);
    screen_enter(game, SCREEN_PAUSE);
}

static void close_menu(void *user)
{
    struct game *game = user;
    (void)engine_audio_change(game->engine, game->music, MUSIC_VOLUME, 0.0F);
    engine_input_discard_fixed(game->engine);
    game->screens.pause_in = 0.0F;
}

FLOW_STATIC(pause_menu)
{
    FLOW_BEGIN;
    if (flow_pause_clock(flow, FLOW_CLOCK_GAME) != FLOW_OK) {
        FLOW_FAIL(FLOW_NOMEM, "no memory to pause");
    }
    FLOW_DEFER(close_menu, self->game);
    open_menu(self->game);
    FLOW_SPAWN(tween, .value = &self->game->screens.pause_in, .to = 1.0F, .seconds = 0.25,
               .ease = engine_ease_out_cubic);
    for (;;) {
        FLOW_AWAIT(FLOW_CALL(menu, .game = self->game, .desc = &choices,
                             .at = &self->game->screens.choice, .picked = &self->picked));
        if (self->picked != CHOICE_SETTINGS) {
            break;
        }
        FLOW_AWAIT(FLOW_CALL(settings_panel, .game = self->game));
    }
    if (self->picked == CHOICE_GIVE_UP) {
        screen_leave(self->game, SCREEN_TITLE);
        FLOW_AWAIT(flow_never());
    }
    FLOW_END;
}

FLOW_DEFINE(pausing)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(next_press(self->game, ACTION_PAUSE));
        FLOW_AWAIT(FLOW_CALL(pause_menu, .game = self->game));
        screen_enter(self->game, SCREEN_PLAY);
    }
    FLOW_END;
}

void pause_draw(struct game *game)
{
    float in = game->screens.pause_in;
    float middle = ENGINE_WIDTH / 2.0F;
    struct engine_rect all = {0.0F, 0.0F, ENGINE_WIDTH, ENGINE_HEIGHT};
    struct engine_rect panel = {middle - 110.0F, 180.0F - 62.0F * in, 220.0F, 124.0F * in};
    engine_draw_rect(game->engine, all, color_faded(COLOR_NAVY, 0.6F * in));
    engine_draw_rect(game->engine, panel, color_faded(COLOR_INK, 0.95F));
    engine_draw_frame(game->engine, panel, 1.0F, color(COLOR_CYAN));
    if (in < 0.7F) {
        return;
    }
    game_text(game, middle, 136.0F, 3.0F, color(COLOR_WHITE), ENGINE_ALIGN_CENTER, "PAUSE");
    menu_draw(game, &choices, game->screens.choice, 1.0F);
}
