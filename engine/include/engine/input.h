/* SPDX-License-Identifier: MIT */
/*
 * Input: devices and scripts become one immutable snapshot a frame, and edges that are never lost
 * nor seen twice.
 *
 * The host binds actions (numbers from 0 to 31) to keys, mouse buttons, pad buttons and halves of
 * pad axes. Each EARLY takes in what was injected since the last EARLY, in order, and after it the
 * SDL events, in order; motion is coalesced.
 *
 * Edges (pressed, released) exist twice: once for frames and once for fixed steps. engine_input
 * gives those that belong to the running phase. In FIXED each edge shows in exactly one step: the
 * first step after it happened, in a later frame where this one has none. In all other phases it
 * shows in exactly one frame. A press and a release between two snapshots both show, with the
 * action not held.
 *
 * Codes are SDL's own numbers (SDL_Scancode, SDL_BUTTON_LEFT, SDL_GameControllerButton,
 * SDL_GameControllerAxis). Everything here belongs to the engine's own thread; functions of a
 * snapshot alone work on any thread that has one.
 */
#ifndef ENGINE_INPUT_H
#define ENGINE_INPUT_H

#include "engine/types.h"

#ifdef __cplusplus
extern "C" {
#endif

union SDL_Event;

enum {
    /* The number of actions: 0 to 31. */
    ENGINE_ACTIONS_MAX = 32,
    /* The number of bindings in all. */
    ENGINE_BINDINGS_MAX = 128,
    /* The number of pads that are open at a time. */
    ENGINE_PADS_MAX = 4,
    /* The number of axes of a pad (SDL_CONTROLLER_AXIS_MAX). */
    ENGINE_PAD_AXES = 6,
    /* The number of keys (SDL_NUM_SCANCODES). */
    ENGINE_KEYS_MAX = 512,
    /* The number of events that can be injected between two frames. */
    ENGINE_INJECT_MAX = 1024
};

/* What an action can be bound to. */
enum engine_source {
    ENGINE_SOURCE_NONE,         /* no binding */
    ENGINE_SOURCE_KEY,          /* code: an SDL_Scancode */
    ENGINE_SOURCE_MOUSE_BUTTON, /* code: SDL_BUTTON_LEFT, SDL_BUTTON_MIDDLE, SDL_BUTTON_RIGHT ... */
    ENGINE_SOURCE_PAD_BUTTON,   /* code: an SDL_GameControllerButton, of any pad */
    ENGINE_SOURCE_PAD_AXIS_POSITIVE, /* code: an SDL_GameControllerAxis: its right, lower or pulled
                                        half, of any pad */
    ENGINE_SOURCE_PAD_AXIS_NEGATIVE  /* code: an SDL_GameControllerAxis: its left or upper half, of
                                        any pad */
};

/* What was used last: to show fitting button names, and to aim with the mouse or the stick. */
enum engine_device {
    ENGINE_DEVICE_NONE,     /* nothing yet */
    ENGINE_DEVICE_KEYBOARD, /* a key */
    ENGINE_DEVICE_MOUSE,    /* a mouse button, the wheel, or motion */
    ENGINE_DEVICE_PAD,      /* a pad's button or axis */
    ENGINE_DEVICE_SCRIPT    /* something injected */
};

/* A pad in a snapshot. */
struct engine_pad {
    bool connected;              /* whether there is one in this place */
    int32_t id;                  /* SDL's joystick instance id: never used again for another pad */
    uint32_t buttons;            /* bit per SDL_GameControllerButton that is held */
    float axes[ENGINE_PAD_AXES]; /* -1 to 1 (triggers 0 to 1), without dead zone */
};

/* A snapshot of all input. Read only. */
struct engine_input_state {
    uint64_t frame;                  /* the frame in whose EARLY it was made */
    uint32_t down;                   /* bit per action that is held */
    uint32_t pressed;                /* bit per action that went down */
    uint32_t released;               /* bit per action that went up */
    float value[ENGINE_ACTIONS_MAX]; /* 0 to 1 for each action: 1 for buttons, dead zone removed for
                                        axes */
    struct engine_vec2 mouse;        /* in logical pixels; may lie outside the picture */
    struct engine_vec2 mouse_motion; /* what the mouse moved, logical pixels */
    float wheel;                     /* wheel steps, away from the user is positive */
    enum engine_device last_device;  /* what was used last */
    bool device_pressed; /* a key or button of a real device went down: ends an attract mode */
    uint32_t keys_down[ENGINE_KEYS_MAX / 32]; /* bit per SDL_Scancode that is held */
    uint32_t keys_pressed[ENGINE_KEYS_MAX /
                          32]; /* bit per SDL_Scancode that went down; repeats do not count */
    uint32_t mouse_buttons;    /* bit per mouse button that is held: 1 << SDL_BUTTON_LEFT ... */
    struct engine_pad
        pads[ENGINE_PADS_MAX]; /* the pads; a pad keeps its place while it is connected */
    uint32_t pads_added;       /* bit per place that was filled */
    uint32_t pads_removed; /* bit per place that was emptied; its buttons were released before */
};

/* Called for each SDL event in EARLY, in order, before the engine takes it in (`event` is an
 * SDL_Event, borrowed during the call). For a removed pad, releases of all that was held on it come
 * first. */
typedef void engine_event_callback(struct engine *engine, void *user, const union SDL_Event *event);

/* Binds an action to one more source. Returns false with an error for a bad action, source or code,
 * or when all bindings are taken. Binding the same twice is harmless. */
bool engine_input_bind(struct engine *engine, int action, enum engine_source source, int code);

/* What a text names, for tables of bindings in text files: `key:` and SDL's name of the key
 * ("key:Space", "key:W"), `mouse:left`, `mouse:middle`, `mouse:right`, `pad:` and SDL's name of the
 * button ("pad:a", "pad:dpup") or of the axis and its half ("pad:leftx-", "pad:leftx+",
 * "pad:righttrigger"). False, and the values undefined, where it names nothing. Any thread. */
bool engine_input_parse(const char *text, enum engine_source *source, int *code);

/* Removes all bindings of an action, -1: of all actions. What was held by them is released in the
 * next EARLY. */
void engine_input_unbind(struct engine *engine, int action);

/* The snapshot that belongs to the running phase (see the top). Before the first frame: nothing is
 * held. The pointer is valid until engine_destroy, its content until the next step or frame. */
const struct engine_input_state *engine_input(const struct engine *engine);

/* Lets all pads that can rumble for `seconds` (5 at most; 0 stops), with their two motors from 0 to
 * 1 (clamped). Returns whether any does; no pad, or none with motors, is no failure. */
bool engine_input_rumble(struct engine *engine, float low, float high, double seconds);

/* Forgets edges that no fixed step has seen yet. Call it when a pause ends, so that what the menu
 * saw does not act in the game as well. */
void engine_input_discard_fixed(struct engine *engine);

/* Calls `fn` for each SDL event from now on; one listener, null removes it. `user` is borrowed
 * until then. */
void engine_input_listen(struct engine *engine, engine_event_callback *fn, void *user);

/* Whether an action is held. False for a bad action. */
bool engine_down(const struct engine_input_state *input, int action);

/* Whether an action went down. False for a bad action. */
bool engine_pressed(const struct engine_input_state *input, int action);

/* Whether an action went up. False for a bad action. */
bool engine_released(const struct engine_input_state *input, int action);

/* value[positive] - value[negative], -1 to 1. */
float engine_axis(const struct engine_input_state *input, int negative, int positive);

/* Two axes as a vector of length 1 at most: a stick, or four keys. */
struct engine_vec2 engine_stick(const struct engine_input_state *input, int left, int right, int up,
                                int down);

/* Whether a key (SDL_Scancode) is held. */
bool engine_key_down(const struct engine_input_state *input, int scancode);

/* Whether a key (SDL_Scancode) went down. */
bool engine_key_pressed(const struct engine_input_state *input, int scancode);

/*
 * Injection: scripts, replays and the attract mode. Injected events wait for the next EARLY (this
 * frame's when called in BEGIN) and then act as those of devices do. Each returns false with an
 * error when a value is bad or ENGINE_INJECT_MAX events wait already.
 */

/* Holds an action at `value`, 0 to 1, whatever is bound to it, until injected otherwise; the larger
 * of this and the devices' value counts. From 0.5 up it is held. */
bool engine_input_inject_action(struct engine *engine, int action, float value);

/* Presses or releases a key (SDL_Scancode). */
bool engine_input_inject_key(struct engine *engine, int scancode, bool down);

/* Moves the mouse to a point in logical pixels. */
bool engine_input_inject_mouse(struct engine *engine, struct engine_vec2 position);

/* Presses or releases a mouse button (SDL_BUTTON_LEFT ...). */
bool engine_input_inject_mouse_button(struct engine *engine, int button, bool down);

/* Plugs in, or pulls out, a pad that is no device, in a place from 0 to ENGINE_PADS_MAX - 1. Where
 * a real one is in the place, nothing happens. */
bool engine_input_inject_pad(struct engine *engine, int place, bool connected);

/* Presses or releases a button (SDL_GameControllerButton), or moves an axis
 * (SDL_GameControllerAxis, -1 to 1), of a pad that was injected. */
bool engine_input_inject_pad_button(struct engine *engine, int place, int button, bool down);
bool engine_input_inject_pad_axis(struct engine *engine, int place, int axis, float value);

/* Takes the keyboard from the window, as if someone had gone to another one, or gives it back. */
bool engine_input_inject_focus(struct engine *engine, bool focused);

/* Requests to quit, as SDL_QUIT does. */
bool engine_input_inject_quit(struct engine *engine);

/* Whether devices are listened to; true at first. While false their events still reach the listener
 * and SDL_QUIT still ends the loop, but the snapshot holds only what is injected (and
 * device_pressed). For replays. */
void engine_input_set_devices(struct engine *engine, bool enabled);

#ifdef __cplusplus
}
#endif

#endif
