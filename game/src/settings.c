/* SPDX-License-Identifier: MIT */
/*
 * The panel is a race of the keys that matter to it. Its finally section saves, so that quitting
 * the program with the panel open loses nothing.
 */
#include "settings.h"

#include "game.h"

/* The branches of the panel's race. */
enum { PRESSED_UP, PRESSED_DOWN, PRESSED_LEFT, PRESSED_RIGHT, PRESSED_CONFIRM, PRESSED_PAUSE };

static const struct {
    enum setting setting;
    const char *words;
} rows[] = {
    {SETTING_SOUND, "SOUND"}, {SETTING_MUSIC, "MUSIC"},   {SETTING_FLASH, "FLASH"},
    {SETTING_SHAKE, "SHAKE"}, {SETTING_RUMBLE, "RUMBLE"}, {SETTING_FULLSCREEN, "FULL SCREEN"},
};

enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

void settings_apply(struct game *game)
{
    const int64_t *settings = game->save.settings;
    bool fullscreen = settings[SETTING_FULLSCREEN] != 0;
    engine_audio_set_group_volume(game->engine, GROUP_SOUND,
                                  (float)settings[SETTING_SOUND] / 10.0F);
    engine_audio_set_group_volume(game->engine, GROUP_MUSIC,
                                  (float)settings[SETTING_MUSIC] / 10.0F);
    game->fx.shake_scale = (float)settings[SETTING_SHAKE] / 10.0F;
    game->fx.flash_scale = (float)settings[SETTING_FLASH] / 10.0F;
    if (!game->options->headless && fullscreen != engine_window_fullscreen(game->engine)) {
        (void)engine_window_set_fullscreen(game->engine, fullscreen);
    }
}

void settings_save(struct game *game)
{
    char error[SAVE_LINE_SIZE];
    if (!save_settings(&game->save, error)) {
        (void)fprintf(stderr, "emberline: %s\n", error);
    }
}

static void change(struct game *game, int by)
{
    enum setting setting = rows[game->screens.row].setting;
    int64_t value = game->save.settings[setting] + by;
    if (value >= setting_least(setting) && value <= setting_most(setting)) {
        game->save.settings[setting] = value;
        settings_apply(game);
        if (setting == SETTING_RUMBLE) {
            game_rumble(game, 0.6F, 0.2);
        }
        game_sound(game, SOUND_SELECT, ENGINE_WIDTH / 2.0F);
    }
}

static void take(const struct settings_panel *panel)
{
    struct game *game = panel->game;
    if (panel->winner == PRESSED_UP || panel->winner == PRESSED_DOWN) {
        int step = panel->winner == PRESSED_UP ? ROW_COUNT - 1 : 1;
        game->screens.row = (game->screens.row + step) % ROW_COUNT;
        game_sound(game, SOUND_SELECT, ENGINE_WIDTH / 2.0F);
    } else if (panel->winner < PRESSED_CONFIRM) {
        change(game, panel->winner == PRESSED_LEFT ? -1 : 1);
    }
}

FLOW_DEFINE(settings_panel)
{
    FLOW_BEGIN;
    self->before = self->game->screens.now;
    self->game->screens.row = 0;
    screen_enter(self->game, SCREEN_SETTINGS);
    do {
        FLOW_RACE(self->winner, next_press(self->game, ACTION_UP),
                  next_press(self->game, ACTION_DOWN), next_press(self->game, ACTION_LEFT),
                  next_press(self->game, ACTION_RIGHT), next_press(self->game, ACTION_CONFIRM),
                  next_press(self->game, ACTION_PAUSE));
        take(self);
    } while (self->winner < PRESSED_CONFIRM);
    game_sound(self->game, SOUND_CONFIRM, ENGINE_WIDTH / 2.0F);
    screen_enter(self->game, self->before);
    FLOW_FINALLY;
    settings_save(self->game);
    FLOW_END;
}

static void draw_row(struct game *game, int row, float y)
{
    bool chosen = game->screens.row == row;
    enum setting setting = rows[row].setting;
    int most = (int)setting_most(setting);
    struct engine_color ink = color(chosen ? COLOR_GOLD : COLOR_VIOLET);
    game_text(game, 190.0F, y, 2.0F, ink, ENGINE_ALIGN_LEFT, rows[row].words);
    if (most == 1) {
        game_text(game, 450.0F, y, 2.0F, ink, ENGINE_ALIGN_RIGHT,
                  game->save.settings[setting] != 0 ? "ON" : "OFF");
        return;
    }
    for (int i = 0; i < most; i++) {
        struct engine_rect bar = {331.0F + 12.0F * (float)i, y, 8.0F, 14.0F};
        engine_draw_rect(game->engine, bar,
                         i < (int)game->save.settings[setting] ? ink : color(COLOR_INDIGO));
    }
}

void settings_draw(struct game *game)
{
    struct engine_rect all = {0.0F, 0.0F, ENGINE_WIDTH, ENGINE_HEIGHT};
    struct engine_rect panel = {160.0F, 64.0F, 320.0F, 236.0F};
    engine_draw_rect(game->engine, all, color_faded(COLOR_NAVY, 0.7F));
    engine_draw_rect(game->engine, panel, color_faded(COLOR_INK, 0.97F));
    engine_draw_frame(game->engine, panel, 1.0F, color(COLOR_CYAN));
    game_text(game, ENGINE_WIDTH / 2.0F, 78.0F, 3.0F, color(COLOR_WHITE), ENGINE_ALIGN_CENTER,
              "SETTINGS");
    for (int i = 0; i < ROW_COUNT; i++) {
        draw_row(game, i, 118.0F + 25.0F * (float)i);
    }
    game_text(game, ENGINE_WIDTH / 2.0F, 280.0F, 1.0F, color(COLOR_CYAN), ENGINE_ALIGN_CENTER,
              "LEFT AND RIGHT CHANGE   ENTER KEEPS");
}
