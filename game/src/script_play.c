/* SPDX-License-Identifier: MIT */
/*
 * Playing a script: each line is one call of the engine's injection.
 */
#include "script.h"

#include "controls.h"

enum { SCRIPT_PAD_PLACE = 0 };

/* An axis as the two actions that make it up. */
static void act_axis(struct script_player *player, struct engine *engine, enum script_axis axis,
                     float value)
{
    static const enum action halves[][2] = {{ACTION_LEFT, ACTION_RIGHT},
                                            {ACTION_UP, ACTION_DOWN},
                                            {ACTION_AIM_LEFT, ACTION_AIM_RIGHT},
                                            {ACTION_AIM_UP, ACTION_AIM_DOWN}};
    if (axis < SCRIPT_MOUSE_X) {
        (void)engine_input_inject_action(engine, (int)halves[axis][0],
                                         value < 0.0F ? -value : 0.0F);
        (void)engine_input_inject_action(engine, (int)halves[axis][1], value > 0.0F ? value : 0.0F);
        return;
    }
    if (axis == SCRIPT_MOUSE_X) {
        player->mouse.x = value;
    } else {
        player->mouse.y = value;
    }
    (void)engine_input_inject_mouse(engine, player->mouse);
}

static void act(struct script_player *player, struct engine *engine, const struct script_line *line)
{
    bool on = line->value > 0.0F;
    switch (line->kind) {
    case SCRIPT_ACTION:
        (void)engine_input_inject_action(engine, line->code, line->value);
        break;
    case SCRIPT_KEY:
        (void)engine_input_inject_key(engine, line->code, on);
        break;
    case SCRIPT_AXIS:
        act_axis(player, engine, (enum script_axis)line->code, line->value);
        break;
    case SCRIPT_PAD:
        (void)engine_input_inject_pad(engine, SCRIPT_PAD_PLACE, on);
        player->pad_gone |= !on;
        break;
    case SCRIPT_PAD_BUTTON:
        (void)engine_input_inject_pad_button(engine, SCRIPT_PAD_PLACE, line->code, on);
        break;
    case SCRIPT_PAD_AXIS:
        (void)engine_input_inject_pad_axis(engine, SCRIPT_PAD_PLACE, line->code, line->value);
        break;
    case SCRIPT_FOCUS:
        (void)engine_input_inject_focus(engine, on);
        player->away = !on;
        break;
    case SCRIPT_RESIZE:
        (void)engine_window_set_size(engine, (int)line->value, line->code);
        break;
    case SCRIPT_QUIT:
        (void)engine_input_inject_quit(engine);
        break;
    case SCRIPT_TIME:
    case SCRIPT_STILL:
        (void)engine_set_frame_time(engine, (int64_t)line->number, line->kind == SCRIPT_STILL);
        break;
    case SCRIPT_TOUCH:
        player->touched = true;
        break;
    case SCRIPT_HASH:
        break;
    }
}

void script_play(struct script_player *player, struct engine *engine, const struct script *script,
                 long frame)
{
    player->touched = player->pad_gone = false;
    while (player->at < script->count && script->lines[player->at].frame <= frame) {
        act(player, engine, &script->lines[player->at++]);
    }
}
