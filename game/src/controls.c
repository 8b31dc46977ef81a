/* SPDX-License-Identifier: MIT */
/*
 * Bindings are one table. A press becomes an emit, so that menus await it and never poll.
 */
#include "controls.h"

#include <string.h>

#include "keys.h"

static const struct {
    enum action action;
    enum engine_source source;
    int code;
} bindings[] = {
    {ACTION_LEFT, ENGINE_SOURCE_KEY, KEY_A},
    {ACTION_LEFT, ENGINE_SOURCE_KEY, KEY_LEFT},
    {ACTION_LEFT, ENGINE_SOURCE_PAD_BUTTON, PAD_LEFT},
    {ACTION_LEFT, ENGINE_SOURCE_PAD_AXIS_NEGATIVE, PAD_LEFT_X},
    {ACTION_RIGHT, ENGINE_SOURCE_KEY, KEY_D},
    {ACTION_RIGHT, ENGINE_SOURCE_KEY, KEY_RIGHT},
    {ACTION_RIGHT, ENGINE_SOURCE_PAD_BUTTON, PAD_RIGHT},
    {ACTION_RIGHT, ENGINE_SOURCE_PAD_AXIS_POSITIVE, PAD_LEFT_X},
    {ACTION_UP, ENGINE_SOURCE_KEY, KEY_W},
    {ACTION_UP, ENGINE_SOURCE_KEY, KEY_UP},
    {ACTION_UP, ENGINE_SOURCE_PAD_BUTTON, PAD_UP},
    {ACTION_UP, ENGINE_SOURCE_PAD_AXIS_NEGATIVE, PAD_LEFT_Y},
    {ACTION_DOWN, ENGINE_SOURCE_KEY, KEY_S},
    {ACTION_DOWN, ENGINE_SOURCE_KEY, KEY_DOWN},
    {ACTION_DOWN, ENGINE_SOURCE_PAD_BUTTON, PAD_DOWN},
    {ACTION_DOWN, ENGINE_SOURCE_PAD_AXIS_POSITIVE, PAD_LEFT_Y},
    {ACTION_AIM_LEFT, ENGINE_SOURCE_PAD_AXIS_NEGATIVE, PAD_RIGHT_X},
    {ACTION_AIM_RIGHT, ENGINE_SOURCE_PAD_AXIS_POSITIVE, PAD_RIGHT_X},
    {ACTION_AIM_UP, ENGINE_SOURCE_PAD_AXIS_NEGATIVE, PAD_RIGHT_Y},
    {ACTION_AIM_DOWN, ENGINE_SOURCE_PAD_AXIS_POSITIVE, PAD_RIGHT_Y},
    {ACTION_FIRE, ENGINE_SOURCE_KEY, KEY_SPACE},
    {ACTION_FIRE, ENGINE_SOURCE_MOUSE_BUTTON, MOUSE_LEFT},
    {ACTION_FIRE, ENGINE_SOURCE_PAD_AXIS_POSITIVE, PAD_TRIGGER_RIGHT},
    {ACTION_DASH, ENGINE_SOURCE_KEY, KEY_LEFT_SHIFT},
    {ACTION_DASH, ENGINE_SOURCE_KEY, KEY_RIGHT_SHIFT},
    {ACTION_DASH, ENGINE_SOURCE_PAD_BUTTON, PAD_A},
    {ACTION_NOVA, ENGINE_SOURCE_KEY, KEY_E},
    {ACTION_NOVA, ENGINE_SOURCE_MOUSE_BUTTON, MOUSE_RIGHT},
    {ACTION_NOVA, ENGINE_SOURCE_PAD_BUTTON, PAD_X},
    {ACTION_CONFIRM, ENGINE_SOURCE_KEY, KEY_ENTER},
    {ACTION_CONFIRM, ENGINE_SOURCE_KEY, KEY_SPACE},
    {ACTION_CONFIRM, ENGINE_SOURCE_PAD_BUTTON, PAD_A},
    {ACTION_PAUSE, ENGINE_SOURCE_KEY, KEY_ESCAPE},
    {ACTION_PAUSE, ENGINE_SOURCE_KEY, KEY_P},
    {ACTION_PAUSE, ENGINE_SOURCE_PAD_BUTTON, PAD_START},
    {ACTION_MUTE, ENGINE_SOURCE_KEY, KEY_M},
    {ACTION_FULLSCREEN, ENGINE_SOURCE_KEY, KEY_F11},
    {ACTION_SNAPSHOT, ENGINE_SOURCE_KEY, KEY_F12},
    {ACTION_HELP, ENGINE_SOURCE_KEY, KEY_F1},
    {ACTION_LAB, ENGINE_SOURCE_KEY, KEY_B},
    {ACTION_OVERLAY, ENGINE_SOURCE_KEY, KEY_F3},
    {ACTION_FREEZE, ENGINE_SOURCE_KEY, KEY_F4},
    {ACTION_TRACE, ENGINE_SOURCE_KEY, KEY_F5},
    {ACTION_FRAME_BACK, ENGINE_SOURCE_KEY, KEY_COMMA},
    {ACTION_FRAME_ON, ENGINE_SOURCE_KEY, KEY_PERIOD},
};

static const char *const action_names[ACTION_COUNT] = {
#define ACTION_NAME(constant, text) text,
    ACTIONS(ACTION_NAME)
#undef ACTION_NAME
};

int action_find(const char *name)
{
    for (int i = 0; i < ACTION_COUNT; i++) {
        if (strcmp(action_names[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

const char *action_name(enum action action)
{
    return action_names[action];
}

bool controls_bind(struct engine *engine)
{
    for (size_t i = 0; i < sizeof bindings / sizeof bindings[0]; i++) {
        if (!engine_input_bind(engine, (int)bindings[i].action, bindings[i].source,
                               bindings[i].code)) {
            return false;
        }
    }
    return true;
}

bool controls_init(struct controls *controls, flow_world *world)
{
    for (int i = 0; i < ACTION_COUNT; i++) {
        if (flow_signal_init(&controls->pressed[i], world) != FLOW_OK ||
            flow_signal_init(&controls->step_pressed[i], world) != FLOW_OK) {
            return false;
        }
    }
    return true;
}

void controls_emit(struct controls *controls, const struct engine_input_state *input,
                   enum engine_phase phase)
{
    press_signal *signals =
        phase == ENGINE_PHASE_FIXED ? controls->step_pressed : controls->pressed;
    for (int i = 0; i < ACTION_COUNT; i++) {
        if (engine_pressed(input, i)) {
            (void)flow_emit(&signals[i], NULL);
        }
    }
}
