/* SPDX-License-Identifier: MIT */
/*
 * The title: the logo comes, embers gather behind it, and someone presses start, or no one does and
 * the game shows itself.
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
    struct random_stream *random = &game->arena.wave_random;
    struct engine_vec2 at = {random_range(random, FIELD_LEFT, FIELD_RIGHT),
                             random_range(random, FIELD_TOP, FIELD_BOTTOM)};
    (void)enemy_spawn(game, (enum enemy_kind)random_below(random, ENEMY_SNIPER), at);
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

/* "Press start", on and off. */
struct title_prompt {
    flow_frame base;
    struct game *game;
};

FLOW_STATIC(title_prompt)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_seconds(0.7));
    for (;;) {
        FLOW_AWAIT(FLOW_CALL(tween, .value = &self->game->screens.title_prompt, .to = 1.0F,
                             .seconds = 0.5F, .ease = ease_in_out));
        FLOW_AWAIT(flow_seconds(0.4));
        FLOW_AWAIT(FLOW_CALL(tween, .value = &self->game->screens.title_prompt, .to = 0.25F,
                             .seconds = 0.5F, .ease = ease_in_out));
    }
    FLOW_END;
}

static void build(struct game *game, flow_handle screen)
{
    arena_begin(game, screen);
    game->screens.title_in = 0.0F;
    game->screens.title_prompt = 0.0F;
    screen_enter(game, SCREEN_TITLE);
}

/* The branches of the title's race. */
enum { PRESSED_CONFIRM, PRESSED_FIRE, PRESSED_PAUSE, PRESSED_NOTHING };

FLOW_DEFINE(title)
{
    FLOW_BEGIN;
    build(self->game, flow_self(flow));
    FLOW_SPAWN_WITH(&in_simulation, title_swarm, .game = self->game);
    FLOW_SPAWN(title_prompt, .game = self->game);
    FLOW_SPAWN(tween, .value = &self->game->screens.title_in, .to = 1.0F, .seconds = 0.9F,
               .ease = ease_out_back);
    FLOW_RACE(self->winner, next_press(self->game, ACTION_CONFIRM),
              next_press(self->game, ACTION_FIRE), next_press(self->game, ACTION_PAUSE),
              flow_seconds(25.0));
    if (self->winner == PRESSED_PAUSE) {
        engine_request_quit(self->game->engine);
    } else {
        self->game->screens.demo = self->winner == PRESSED_NOTHING && !self->game->piloted;
        game_sound(self->game, SOUND_CONFIRM, ENGINE_WIDTH / 2.0F);
        screen_leave(self->game, SCREEN_PLAY);
    }
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
    dim_band(game, 74.0F, 126.0F, 0.72F * in);
    dim_band(game, 284.0F, 24.0F, 0.72F * in);
    art_draw(&game->art, game->engine, CELL_LOGO, vec(middle, floorf(128.0F - 40.0F * (1.0F - in))),
             1.0F, 0.0F, color_plain(in));
    game_text(game, middle, 182.0F, 1.0F, color_faded(COLOR_WHITE, in), ENGINE_ALIGN_CENTER,
              "EVERY EMBER IS A FLOW. NOVA CANCELS THEM ALL.");
    game_text(game, middle, 232.0F, 2.0F, color_faded(COLOR_GOLD, screens->title_prompt),
              ENGINE_ALIGN_CENTER, "PRESS ENTER");
    game_text(game, middle, 292.0F, 1.0F, color_faded(COLOR_CYAN, 0.8F * in), ENGINE_ALIGN_CENTER,
              "WASD MOVE   MOUSE AIM AND FIRE   SHIFT DASH   HOLD E NOVA   P PAUSE");
    if (screens->best > 0) {
        char text[48];
        (void)snprintf(text, sizeof text, "BEST %08lld", (long long)screens->best);
        game_text(game, middle, 12.0F, 1.0F, color_faded(COLOR_WHITE, 0.8F), ENGINE_ALIGN_CENTER,
                  text);
    }
}
