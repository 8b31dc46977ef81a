/* SPDX-License-Identifier: MIT */
/*
 * Three lessons side by side, each a wait with a time-out: a hint shows only to who needs it, and
 * as long as they do. All of them end the tutorial.
 */
#include "tutorial.h"

#include "game.h"

static const struct {
    const char *keys;
    const char *pad;
    double patience; /* seconds until the hint */
} words[LESSON_COUNT] = {
    [LESSON_MOVE] = {"WASD OR ARROWS: MOVE", "LEFT STICK: MOVE", 3.0},
    [LESSON_FIRE] = {"SPACE OR LEFT BUTTON: FIRE", "RIGHT TRIGGER: FIRE", 4.5},
    [LESSON_DASH] = {"SHIFT: DASH THROUGH THEM", "A: DASH THROUGH THEM", 9.0},
};

static int has_moved(void *game)
{
    const struct game *g = game;
    struct engine_vec2 stick =
        engine_stick(engine_input(g->engine), ACTION_LEFT, ACTION_RIGHT, ACTION_UP, ACTION_DOWN);
    return stick.x != 0.0F || stick.y != 0.0F;
}

static int has_fired(void *game)
{
    const struct game *g = game;
    return engine_down(engine_input(g->engine), ACTION_FIRE);
}

static int has_dashed(void *game)
{
    const struct game *g = game;
    return g->arena.player.dashing;
}

/* One thing to do, and a hint for who takes their time. */
struct lesson {
    flow_frame base;
    struct game *game;
    enum lesson_kind kind;
    flow_predicate done;
    int late;
};

FLOW_STATIC(lesson)
{
    FLOW_BEGIN;
    FLOW_TIMEOUT(&self->late, flow_until(self->done, self->game), words[self->kind].patience);
    if (self->late) {
        self->game->tutorial.hints[self->kind] = true;
        FLOW_AWAIT(flow_until(self->done, self->game));
        game_sound(self->game, SOUND_CONFIRM, ENGINE_WIDTH / 2.0F);
    }
    FLOW_FINALLY;
    self->game->tutorial.hints[self->kind] = false;
    FLOW_END;
}

FLOW_DEFINE(tutorial)
{
    FLOW_BEGIN;
    FLOW_ALL(FLOW_CALL(lesson, .game = self->game, .kind = LESSON_MOVE, .done = has_moved),
             FLOW_CALL(lesson, .game = self->game, .kind = LESSON_FIRE, .done = has_fired),
             FLOW_CALL(lesson, .game = self->game, .kind = LESSON_DASH, .done = has_dashed));
    self->game->save.settings[SETTING_TAUGHT] = 1;
    settings_save(self->game);
    FLOW_END;
}

void tutorial_draw(struct game *game)
{
    float y = 252.0F;
    bool pad = engine_input(game->engine)->last_device == ENGINE_DEVICE_PAD;
    for (int i = 0; i < LESSON_COUNT; i++) {
        const char *text = pad ? words[i].pad : words[i].keys;
        if (game->tutorial.hints[i]) {
            float half = engine_text_size(&(struct engine_text){.scale = 1.0F}, text).x / 2.0F;
            struct engine_rect back = {ENGINE_WIDTH / 2.0F - half - 6.0F, y - 4.0F,
                                       2.0F * half + 12.0F, 16.0F};
            engine_draw_rect(game->engine, back, color_faded(COLOR_NAVY, 0.8F));
            engine_draw_frame(game->engine, back, 1.0F, color(COLOR_MINT));
            game_text(game, ENGINE_WIDTH / 2.0F, y, 1.0F, color(COLOR_WHITE), ENGINE_ALIGN_CENTER,
                      text);
            y -= 20.0F;
        }
    }
}
