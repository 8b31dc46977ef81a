/* SPDX-License-Identifier: MIT */
/*
 * The pause: the game's clock stands still as long as the menu lives, whatever ends it; the menu
 * itself lives on the unscaled clock.
 */
#include "game.h"

struct pause_menu {
    flow_frame base;
    struct game *game;
    int winner;
};

/* The branches of the menu's race. */
enum { PRESSED_UP, PRESSED_DOWN, PRESSED_CONFIRM };
enum { CHOICE_RESUME, CHOICE_GIVE_UP, CHOICE_COUNT };

static void move_choice(struct game *game)
{
    game->screens.pause_choice = (game->screens.pause_choice + 1) % CHOICE_COUNT;
    game_sound(game, SOUND_SELECT, ENGINE_WIDTH / 2.0F);
}

static void open_menu(struct game *game)
{
    (void)flow_clock_pause(game->world, FLOW_CLOCK_GAME);
    (void)engine_audio_change(game->engine, game->music, MUSIC_VOLUME * 0.3F, 0.0F);
    game->screens.pause_choice = CHOICE_RESUME;
    game->screens.pause_in = 0.0F;
    game_sound(game, SOUND_PAUSE, ENGINE_WIDTH / 2.0F);
    screen_enter(game, SCREEN_PAUSE);
}

static void close_menu(struct game *game)
{
    (void)flow_clock_release(game->world, FLOW_CLOCK_GAME);
    (void)engine_audio_change(game->engine, game->music, MUSIC_VOLUME, 0.0F);
    engine_input_discard_fixed(game->engine);
    game->screens.pause_in = 0.0F;
}

FLOW_STATIC(pause_menu)
{
    FLOW_BEGIN;
    open_menu(self->game);
    FLOW_SPAWN(tween, .value = &self->game->screens.pause_in, .to = 1.0F, .seconds = 0.25F,
               .ease = ease_out_cubic);
    do {
        FLOW_RACE(self->winner, next_press(self->game, ACTION_UP),
                  next_press(self->game, ACTION_DOWN), next_press(self->game, ACTION_CONFIRM),
                  next_press(self->game, ACTION_PAUSE));
        if (self->winner < PRESSED_CONFIRM) {
            move_choice(self->game);
        }
    } while (self->winner < PRESSED_CONFIRM);
    game_sound(self->game, SOUND_CONFIRM, ENGINE_WIDTH / 2.0F);
    if (self->winner == PRESSED_CONFIRM && self->game->screens.pause_choice == CHOICE_GIVE_UP) {
        screen_leave(self->game, SCREEN_TITLE);
        FLOW_AWAIT(flow_never());
    }
    FLOW_FINALLY;
    close_menu(self->game);
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
    static const char *const words[CHOICE_COUNT] = {"RESUME", "GIVE UP"};
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
    for (int i = 0; i < CHOICE_COUNT; i++) {
        bool chosen = game->screens.pause_choice == i;
        float y = 180.0F + 24.0F * (float)i;
        game_text(game, middle, y, 2.0F, color(chosen ? COLOR_GOLD : COLOR_VIOLET),
                  ENGINE_ALIGN_CENTER, words[i]);
        if (chosen) {
            art_draw(&game->art, game->engine, CELL_ICON_CURSOR, vec(middle - 76.0F, y + 7.0F),
                     1.0F, 0.0F, color(COLOR_GOLD));
        }
    }
}
