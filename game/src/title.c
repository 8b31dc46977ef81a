/* SPDX-License-Identifier: MIT */
/*
 * The title: the logo comes, embers gather behind it, and someone picks what to do, or no one does
 * and the game shows itself.
 */
#include <math.h>

#include "enemies.h"
#include "game.h"

/* A slow gathering of embers, up to a crowd. */
struct title_swarm {
    flow_frame base;
    struct game *game;
};

static void gather(struct game *game)
{
    struct engine_random *random = &game->arena.wave_random;
    struct engine_vec2 at = {engine_random_range(random, FIELD_LEFT, FIELD_RIGHT),
                             engine_random_range(random, FIELD_TOP, FIELD_BOTTOM)};
    (void)enemy_spawn(game, (enum enemy_kind)engine_random_below(random, ENEMY_SNIPER), at);
}

FLOW_STATIC(title_swarm)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(flow_seconds(0.12));
        if (self->game->arena.enemy_count < 90) {
            gather(self->game);
        }
    }
    FLOW_END;
}

enum { CHOICE_START, CHOICE_LAB, CHOICE_SETTINGS, CHOICE_QUIT, CHOICE_COUNT };

/* The branches of the title's race. */
enum { PICKED, NOBODY, PRESSED_LAB };

static const char *const words[CHOICE_COUNT] = {"START", "STRESS LAB", "SETTINGS", "QUIT"};
static const struct menu_desc choices = {words, CHOICE_COUNT, 208.0F, 22.0F};

static void build(struct game *game, flow_handle screen)
{
    arena_begin(game, screen);
    game->screens.title_in = 0.0F;
    screen_enter(game, SCREEN_TITLE);
}

static int someone_is_there(void *game)
{
    const struct game *g = game;
    const struct engine_input_state *input = engine_input(g->engine);
    return g->touched || input->pressed != 0;
}

/* Ends when no one has touched anything for a while. */
struct idle {
    flow_frame base;
    struct game *game;
    int timed_out;
};

FLOW_STATIC(idle)
{
    FLOW_BEGIN;
    do {
        FLOW_AWAIT(flow_next_frame());
        FLOW_TIMEOUT(&self->timed_out, flow_until(someone_is_there, self->game), 25.0);
    } while (!self->timed_out);
    FLOW_END;
}

static void leave(const struct title *title)
{
    struct game *game = title->game;
    if (title->winner == PRESSED_LAB || (title->winner == PICKED && title->picked == CHOICE_LAB)) {
        screen_leave(game, SCREEN_LAB);
        return;
    }
    if (title->winner == PICKED && title->picked != CHOICE_START) {
        engine_request_quit(game->engine);
        return;
    }
    game->screens.demo = title->winner == NOBODY && !game->options->piloted;
    screen_leave(game, SCREEN_PLAY);
}

FLOW_DEFINE(title)
{
    FLOW_BEGIN;
    build(self->game, flow_self(flow));
    FLOW_SPAWN_WITH(&in_simulation, title_swarm, .game = self->game);
    FLOW_SPAWN(tween, .value = &self->game->screens.title_in, .to = 1.0F, .seconds = 0.9,
               .ease = engine_ease_out_back);
    for (;;) {
        FLOW_RACE(self->winner,
                  FLOW_CALL(menu, .game = self->game, .desc = &choices,
                            .at = &self->game->screens.title_choice, .picked = &self->picked),
                  FLOW_CALL(idle, .game = self->game), next_press(self->game, ACTION_LAB));
        if (self->winner != PICKED || self->picked != CHOICE_SETTINGS) {
            break;
        }
        FLOW_AWAIT(FLOW_CALL(settings_panel, .game = self->game));
    }
    leave(self);
    FLOW_AWAIT(flow_never());
    FLOW_END;
}

/* So that what is written stands out from the embers. */
static void dim_band(struct game *game, float top, float height, float alpha)
{
    struct engine_rect band = {FIELD_LEFT + 1.0F, top, FIELD_RIGHT - FIELD_LEFT - 2.0F, height};
    engine_draw_rect(game->engine, band, color_faded(COLOR_NAVY, alpha));
}

void title_draw(struct game *game)
{
    const struct screens *screens = &game->screens;
    float middle = ENGINE_WIDTH / 2.0F;
    float in = screens->title_in;
    dim_band(game, 74.0F, 226.0F, 0.72F * in);
    dim_band(game, 306.0F, 20.0F, 0.72F * in);
    art_draw(&game->art, game->engine, CELL_LOGO, vec(middle, floorf(128.0F - 40.0F * (1.0F - in))),
             1.0F, 0.0F, color_plain(in));
    game_text(game, middle, 182.0F, 1.0F, color_faded(COLOR_WHITE, in), ENGINE_ALIGN_CENTER,
              "EVERY EMBER IS A FLOW. NOVA CANCELS THEM ALL.");
    menu_draw(game, &choices, screens->title_choice, in);
    game_text(game, middle, 312.0F, 1.0F, color_faded(COLOR_CYAN, 0.8F * in), ENGINE_ALIGN_CENTER,
              "WASD MOVE   MOUSE AIM AND FIRE   SHIFT DASH   HOLD E NOVA   P PAUSE");
    if (screens->best > 0) {
        char text[48];
        (void)snprintf(text, sizeof text, "BEST %08lld", (long long)screens->best);
        game_text(game, middle, 12.0F, 1.0F, color_faded(COLOR_WHITE, 0.8F), ENGINE_ALIGN_CENTER,
                  text);
    }
}
