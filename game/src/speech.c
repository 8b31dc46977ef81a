/* SPDX-License-Identifier: MIT */
/*
 * A line is typed, or confirm shows all of it at once; then it stays until confirm or for four
 * seconds. What is said meanwhile is kept by the subscription.
 */
#include "speech.h"

#include <string.h>

#include "game.h"

enum { LINES_KEPT = 4 };

void speech_say(struct game *game, const char *who, const char *text)
{
    (void)flow_emit(&game->speech.said, &(struct line){who, text});
}

/* Two characters in three steps, with a tick for every other. */
struct typewriter {
    flow_frame base;
    struct game *game;
};

FLOW_STATIC(typewriter)
{
    FLOW_BEGIN;
    for (;;) {
        self->game->speech.typed++;
        if (self->game->speech.line.text[self->game->speech.typed - 1] == '\0') {
            FLOW_RETURN;
        }
        if (self->game->speech.typed % 3 == 0) {
            game_sound(self->game, SOUND_TYPE, ENGINE_WIDTH / 2.0F);
        }
        FLOW_AWAIT(flow_ticks(self->game->speech.typed % 2 + 1));
    }
    FLOW_END;
}

static void hide(struct speech_state *speech)
{
    speech->line = (struct line){0};
    speech->typed = 0;
}

FLOW_DEFINE(speech)
{
    FLOW_BEGIN;
    (void)flow_subscribe(flow, &self->lines, &self->game->speech.said, FLOW_DROP_OLDEST,
                         LINES_KEPT);
    for (;;) {
        FLOW_AWAIT(flow_next(&self->lines, &self->game->speech.line));
        self->game->speech.typed = 0;
        FLOW_RACE(self->winner, FLOW_CALL(typewriter, .game = self->game),
                  next_step_press(self->game, ACTION_CONFIRM));
        self->game->speech.typed = (int)strlen(self->game->speech.line.text);
        FLOW_RACE(self->winner, next_step_press(self->game, ACTION_CONFIRM), flow_seconds(4.0));
        hide(&self->game->speech);
    }
    FLOW_FINALLY;
    hide(&self->game->speech);
    FLOW_END;
}

void speech_draw(struct game *game)
{
    char text[128];
    const struct speech_state *speech = &game->speech;
    struct engine_rect box = {ENGINE_WIDTH / 2.0F - 200.0F, 284.0F, 400.0F, 44.0F};
    if (speech->line.text == NULL) {
        return;
    }
    engine_draw_rect(game->engine, box, color_faded(COLOR_NAVY, 0.85F));
    engine_draw_frame(game->engine, box, 1.0F, color(COLOR_EMBER));
    game_text(game, box.x + 10.0F, box.y + 7.0F, 1.0F, color(COLOR_GOLD), ENGINE_ALIGN_LEFT,
              speech->line.who);
    (void)snprintf(text, sizeof text, "%.*s", speech->typed, speech->line.text);
    game_text(game, box.x + 10.0F, box.y + 22.0F, 1.0F, color(COLOR_WHITE), ENGINE_ALIGN_LEFT,
              text);
}
