/* SPDX-License-Identifier: MIT */
/*
 * A menu is a race of the keys that matter to it, again and again.
 */
#include "menu.h"

#include "game.h"

/* The branches of the menu's race. */
enum { PRESSED_UP, PRESSED_DOWN, PRESSED_CONFIRM, PRESSED_PAUSE };

static void move_to(struct game *game, int *at, int to, int count)
{
    *at = (to + count) % count;
    game_sound(game, SOUND_SELECT, ENGINE_WIDTH / 2.0F);
}

/* Lets a mouse that moves over the words choose. */
struct menu_pointer {
    flow_frame base;
    struct game *game;
    const struct menu_desc *desc;
    int *at;
};

static void point(const struct menu_pointer *pointer)
{
    const struct engine_input_state *input = engine_input(pointer->game->engine);
    const struct menu_desc *desc = pointer->desc;
    float row = (input->mouse.y - desc->top + 2.0F) / desc->step;
    bool moved = input->mouse_motion.x != 0.0F || input->mouse_motion.y != 0.0F;
    bool inside = row >= 0.0F && row < (float)desc->count &&
                  vec_apart2(vec(input->mouse.x, 0.0F), vec(ENGINE_WIDTH / 2.0F, 0.0F)) < 140 * 140;
    if (moved && inside && (int)row != *pointer->at) {
        move_to(pointer->game, pointer->at, (int)row, desc->count);
    }
}

FLOW_STATIC(menu_pointer)
{
    FLOW_BEGIN;
    for (;;) {
        point(self);
        FLOW_AWAIT(flow_next_frame());
    }
    FLOW_END;
}

static void pick(const struct menu *menu)
{
    if (menu->picked != NULL) {
        *menu->picked = menu->winner == PRESSED_CONFIRM ? *menu->at : MENU_BACK;
    }
    game_sound(menu->game, SOUND_CONFIRM, ENGINE_WIDTH / 2.0F);
}

FLOW_DEFINE(menu)
{
    FLOW_BEGIN;
    FLOW_SPAWN(menu_pointer, .game = self->game, .desc = self->desc, .at = self->at);
    do {
        FLOW_RACE(self->winner, next_press(self->game, ACTION_UP),
                  next_press(self->game, ACTION_DOWN), next_press(self->game, ACTION_CONFIRM),
                  next_press(self->game, ACTION_PAUSE));
        if (self->winner < PRESSED_CONFIRM) {
            move_to(self->game, self->at, *self->at + (self->winner == PRESSED_UP ? -1 : 1),
                    self->desc->count);
        }
    } while (self->winner < PRESSED_CONFIRM);
    pick(self);
    FLOW_END;
}

void menu_draw(struct game *game, const struct menu_desc *desc, int at, float alpha)
{
    float middle = ENGINE_WIDTH / 2.0F;
    for (int i = 0; i < desc->count; i++) {
        bool chosen = at == i;
        float y = desc->top + desc->step * (float)i;
        struct engine_text style = {.scale = 2.0F};
        float half = engine_text_size(&style, desc->words[i]).x / 2.0F;
        game_text(game, middle, y, 2.0F, color_faded(chosen ? COLOR_GOLD : COLOR_VIOLET, alpha),
                  ENGINE_ALIGN_CENTER, desc->words[i]);
        if (chosen) {
            art_draw(&game->art, game->engine, CELL_ICON_CURSOR,
                     vec(middle - half - 16.0F, y + 7.0F), 1.0F, 0.0F,
                     color_faded(COLOR_GOLD, alpha));
        }
    }
}
