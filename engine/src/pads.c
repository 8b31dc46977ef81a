/* SPDX-License-Identifier: MIT */
/*
 * Pads come and go.
 *
 * A pad is known by SDL's instance id alone: device indices change whenever one is plugged in.
 * Events for an id that is not open are ignored, since SDL may report them before the pad was added
 * or after it was removed.
 */
#include "internal.h"

#define STICK_DEAD 0.2f
#define TRIGGER_DEAD 0.05f

/* The place of an open pad, or -1. */
static int place_of(const struct engine__input *input, SDL_JoystickID id)
{
    for (int i = 0; i < ENGINE_PADS_MAX; i++) {
        if (input->state.pads[i].connected && input->state.pads[i].id == id) {
            return i;
        }
    }
    return -1;
}

static int free_place(const struct engine__input *input)
{
    for (int i = 0; i < ENGINE_PADS_MAX; i++) {
        if (!input->state.pads[i].connected) {
            return i;
        }
    }
    return -1;
}

void engine__pad_added(struct engine *engine, int device_index)
{
    struct engine__input *input = &engine->input;
    int place = free_place(input);
    if (place < 0 || place_of(input, SDL_JoystickGetDeviceInstanceID(device_index)) >= 0) {
        return;
    }
    input->controllers[place] = SDL_GameControllerOpen(device_index);
    if (input->controllers[place]) {
        SDL_Joystick *joystick = SDL_GameControllerGetJoystick(input->controllers[place]);
        input->state.pads[place] =
            (struct engine_pad){.connected = true, .id = SDL_JoystickInstanceID(joystick)};
        input->state.pads_added |= UINT32_C(1) << place;
    }
}

SDL_JoystickID engine__injected_id(int place)
{
    return -2 - place; /* no id of SDL's */
}

void engine__pad_injected(struct engine *engine, int place, bool connected)
{
    struct engine__input *input = &engine->input;
    SDL_JoystickID id = engine__injected_id(place);
    if (!connected) {
        engine__pad_removed(engine, id);
    } else if (!input->state.pads[place].connected) {
        input->state.pads[place] = (struct engine_pad){.connected = true, .id = id};
        input->state.pads_added |= UINT32_C(1) << place;
    }
}

static void announce_release(struct engine *engine, const struct engine_pad *pad)
{
    SDL_Event event = {.type = SDL_CONTROLLERBUTTONUP};
    event.cbutton.timestamp = SDL_GetTicks();
    event.cbutton.which = pad->id;
    event.cbutton.state = SDL_RELEASED;
    for (int button = 0; button < SDL_CONTROLLER_BUTTON_MAX; button++) {
        if ((pad->buttons >> button & 1u) != 0) {
            event.cbutton.button = (Uint8)button;
            engine__input_listen_to(engine, &event);
        }
    }
}

static void axis_changed(struct engine *engine, int axis)
{
    engine__input_changed(engine, ENGINE_SOURCE_PAD_AXIS_POSITIVE, axis);
    engine__input_changed(engine, ENGINE_SOURCE_PAD_AXIS_NEGATIVE, axis);
}

/* Lets go of all that a pad holds. */
static void release_pad(struct engine *engine, struct engine_pad *pad)
{
    for (int button = 0; button < SDL_CONTROLLER_BUTTON_MAX; button++) {
        if ((pad->buttons >> button & 1u) != 0) {
            engine__pad_button(engine, pad->id, button, false);
        }
    }
    pad->buttons = 0;
    SDL_memset(pad->axes, 0, sizeof pad->axes);
    for (int axis = 0; axis < ENGINE_PAD_AXES; axis++) {
        axis_changed(engine, axis);
    }
}

void engine__pad_removed(struct engine *engine, SDL_JoystickID id)
{
    struct engine__input *input = &engine->input;
    int place = place_of(input, id);
    if (place < 0) {
        return;
    }
    announce_release(engine, &input->state.pads[place]);
    release_pad(engine, &input->state.pads[place]);
    if (input->controllers[place]) {
        SDL_GameControllerClose(input->controllers[place]);
        input->controllers[place] = NULL;
    }
    input->state.pads[place] = (struct engine_pad){.connected = false};
    input->state.pads_removed |= UINT32_C(1) << place;
}

void engine__pad_button(struct engine *engine, SDL_JoystickID id, int button, bool down)
{
    struct engine__input *input = &engine->input;
    int place = place_of(input, id);
    uint32_t bit;
    if (place < 0 || button < 0 || button >= SDL_CONTROLLER_BUTTON_MAX) {
        return;
    }
    bit = UINT32_C(1) << button;
    input->edges.device_pressed |= down;
    if (input->devices && ((input->state.pads[place].buttons & bit) != 0) != down) {
        input->state.pads[place].buttons ^= bit;
        input->state.last_device = ENGINE_DEVICE_PAD;
        engine__input_changed(engine, ENGINE_SOURCE_PAD_BUTTON, button);
    }
}

static bool is_trigger(int axis)
{
    return axis == SDL_CONTROLLER_AXIS_TRIGGERLEFT || axis == SDL_CONTROLLER_AXIS_TRIGGERRIGHT;
}

void engine__pad_axis(struct engine *engine, SDL_JoystickID id, int axis, int value)
{
    struct engine__input *input = &engine->input;
    int place = place_of(input, id);
    float amount = (float)value / (value < 0 ? 32768.0f : 32767.0f);
    if (place < 0 || axis < 0 || axis >= ENGINE_PAD_AXES || !input->devices) {
        return;
    }
    input->state.pads[place].axes[axis] = amount;
    if (SDL_fabsf(amount) > 0.5f) {
        input->state.last_device = ENGINE_DEVICE_PAD;
    }
    axis_changed(engine, axis);
    if (!is_trigger(axis)) {
        axis_changed(engine, axis ^ 1); /* the dead zone of a stick is round */
    }
}

static float without_dead_zone(float amount, float dead)
{
    float value = (amount - dead) / (1.0f - dead);
    if (!(value > 0.0f)) {
        return 0.0f;
    }
    return value < 1.0f ? value : 1.0f;
}

float engine__pad_half_axis(const struct engine_pad *pad, int axis, bool positive)
{
    float amount = positive ? pad->axes[axis] : -pad->axes[axis];
    float other;
    float length;
    if (is_trigger(axis)) {
        return without_dead_zone(amount, TRIGGER_DEAD);
    }
    other = pad->axes[axis ^ 1];
    length = SDL_sqrtf(amount * amount + other * other);
    if (!(amount > 0.0f && length > STICK_DEAD)) {
        return 0.0f;
    }
    return amount / length * without_dead_zone(length, STICK_DEAD);
}

bool engine_input_rumble(struct engine *engine, float low, float high, double seconds)
{
    bool rumbles = false;
    double ms = seconds > 0.0 ? seconds * 1000.0 : 0.0;
    for (int i = 0; i < ENGINE_PADS_MAX; i++) {
        SDL_GameController *controller = engine->input.controllers[i];
        if (controller) {
            float l = low < 0.0f ? 0.0f : low < 1.0f ? low : 1.0f;
            float h = high < 0.0f ? 0.0f : high < 1.0f ? high : 1.0f;
            rumbles |=
                SDL_GameControllerRumble(controller, (Uint16)(l * 65535.0f), (Uint16)(h * 65535.0f),
                                         (Uint32)(ms < 5000.0 ? ms : 5000.0)) == 0;
        }
    }
    return rumbles;
}

void engine__pads_release(struct engine *engine)
{
    for (int i = 0; i < ENGINE_PADS_MAX; i++) {
        struct engine_pad *pad = &engine->input.state.pads[i];
        pad->buttons = 0;
        SDL_memset(pad->axes, 0, sizeof pad->axes);
    }
}

void engine__pads_close(struct engine *engine)
{
    for (int i = 0; i < ENGINE_PADS_MAX; i++) {
        if (engine->input.controllers[i]) {
            SDL_GameControllerClose(engine->input.controllers[i]);
            engine->input.controllers[i] = NULL;
        }
    }
}
