/* SPDX-License-Identifier: MIT */
/*
 * Actions, what they are bound to, and their presses as signals that flows await.
 */
#ifndef EMBERLINE_CONTROLS_H
#define EMBERLINE_CONTROLS_H

#include <stdbool.h>

#include "engine/engine.h"
#include "flow/flow.h"

/* Every action: constant, name in scripts. */
#define ACTIONS(X)                                                                                 \
    X(LEFT, "left")                                                                                \
    X(RIGHT, "right")                                                                              \
    X(UP, "up")                                                                                    \
    X(DOWN, "down")                                                                                \
    X(AIM_LEFT, "aim_left")                                                                        \
    X(AIM_RIGHT, "aim_right")                                                                      \
    X(AIM_UP, "aim_up")                                                                            \
    X(AIM_DOWN, "aim_down")                                                                        \
    X(FIRE, "fire")                                                                                \
    X(DASH, "dash")                                                                                \
    X(NOVA, "nova")                                                                                \
    X(CONFIRM, "confirm")                                                                          \
    X(PAUSE, "pause")                                                                              \
    X(MUTE, "mute")                                                                                \
    X(FULLSCREEN, "fullscreen")                                                                    \
    X(SNAPSHOT, "snapshot")                                                                        \
    X(HELP, "help")                                                                                \
    X(LAB, "lab")                                                                                  \
    X(OVERLAY, "overlay")                                                                          \
    X(FREEZE, "freeze")                                                                            \
    X(TRACE, "trace")                                                                              \
    X(FRAME_BACK, "frame_back")                                                                    \
    X(FRAME_ON, "frame_on")

enum action {
#define ACTION_ENUM(name, text) ACTION_##name,
    ACTIONS(ACTION_ENUM)
#undef ACTION_ENUM
        ACTION_COUNT
};

typedef FLOW_SIGNAL(flow_nothing) press_signal;

struct controls {
    press_signal pressed[ACTION_COUNT];      /* once a frame, for EARLY, UPDATE and LATE */
    press_signal step_pressed[ACTION_COUNT]; /* once a fixed step, for FIXED */
};

/* The action with this name in scripts; -1 where there is none. */
int action_find(const char *name);

/* Its name in scripts; static text. */
const char *action_name(enum action action);

/* Binds all actions as the game comes. False with an error in the engine. */
bool controls_bind(struct engine *engine);

/* Reads bindings from a text file, a line `action source` for each (engine_input_parse): an action
 * that it names loses the bindings it had. False with one line in `error` that names file, line and
 * reason; then nothing has changed. */
bool controls_load(struct engine *engine, const char *path, char error[ENGINE_ERROR_SIZE]);

/* Whether there is such a file. */
bool controls_exist(const char *path);

/* Makes the signals. False for want of memory. */
bool controls_init(struct controls *controls, flow_world *world);

/* Emits the presses of the running phase: in EARLY those of the frame, in FIXED those of the step.
 */
void controls_emit(struct controls *controls, const struct engine_input_state *input,
                   enum engine_phase phase);

#endif
