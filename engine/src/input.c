/* SPDX-License-Identifier: MIT */
/*
 * Actions, and the two snapshots.
 *
 * Devices and injection change one state, event by event, and every change of an action is an edge
 * that is noted twice: for the next frame's snapshot, and for the next fixed step's, where it waits
 * as long as no step runs. So an edge is seen exactly once in each kind, however many steps a frame
 * has.
 */
#include "internal.h"

/* An action goes down at the first value and up below the second, so that a trigger half pulled
 * does not flicker. */
#define PRESS_VALUE 0.5f
#define RELEASE_VALUE 0.4f

static bool has_bit(const uint32_t *bits, int index)
{
    return (bits[index / 32] >> (index % 32) & 1u) != 0;
}

static void set_bit(uint32_t *bits, int index, bool on)
{
    uint32_t bit = UINT32_C(1) << (index % 32);
    bits[index / 32] = on ? bits[index / 32] | bit : bits[index / 32] & ~bit;
}

static float pads_value(const struct engine__input *input, const struct engine__binding *binding)
{
    float value = 0.0f;
    for (int i = 0; i < ENGINE_PADS_MAX; i++) {
        const struct engine_pad *pad = &input->state.pads[i];
        float one = 0.0f;
        if (binding->source == ENGINE_SOURCE_PAD_BUTTON) {
            one = (pad->buttons >> binding->code & 1u) != 0 ? 1.0f : 0.0f;
        } else {
            one = engine__pad_half_axis(pad, binding->code,
                                        binding->source == ENGINE_SOURCE_PAD_AXIS_POSITIVE);
        }
        value = one > value ? one : value;
    }
    return value;
}

static float value_of(const struct engine__input *input, const struct engine__binding *binding)
{
    switch (binding->source) {
    case ENGINE_SOURCE_KEY:
        return has_bit(input->state.keys_down, binding->code) ? 1.0f : 0.0f;
    case ENGINE_SOURCE_MOUSE_BUTTON:
        return (input->state.mouse_buttons >> binding->code & 1u) != 0 ? 1.0f : 0.0f;
    case ENGINE_SOURCE_PAD_BUTTON:
    case ENGINE_SOURCE_PAD_AXIS_POSITIVE:
    case ENGINE_SOURCE_PAD_AXIS_NEGATIVE:
        return pads_value(input, binding);
    case ENGINE_SOURCE_NONE:
        break;
    }
    return 0.0f;
}

/* Looks at everything that holds an action, and notes an edge where that changes it. */
static void update_action(struct engine__input *input, int action)
{
    uint32_t bit = UINT32_C(1) << action;
    bool was_down = (input->state.down & bit) != 0;
    float value = input->injected_value[action];
    bool down;
    for (int i = 0; i < input->binding_count; i++) {
        if (input->bindings[i].action == action) {
            float one = value_of(input, &input->bindings[i]);
            value = one > value ? one : value;
        }
    }
    input->state.value[action] = value;
    down = value >= (was_down ? RELEASE_VALUE : PRESS_VALUE);
    if (down && !was_down) {
        input->state.down |= bit;
        input->edges.pressed |= bit;
    } else if (!down && was_down) {
        input->state.down &= ~bit;
        input->edges.released |= bit;
    }
}

void engine__input_changed(struct engine *engine, enum engine_source source, int code)
{
    struct engine__input *input = &engine->input;
    for (int i = 0; i < input->binding_count; i++) {
        if (input->bindings[i].source == source && input->bindings[i].code == code) {
            update_action(input, input->bindings[i].action);
        }
    }
}

static void note_device(struct engine__input *input, enum engine_device device, bool down)
{
    input->state.last_device = device;
    input->edges.device_pressed |= down && device != ENGINE_DEVICE_SCRIPT;
}

void engine__input_key(struct engine *engine, int scancode, bool down, enum engine_device device)
{
    struct engine__input *input = &engine->input;
    if (scancode <= 0 || scancode >= ENGINE_KEYS_MAX ||
        has_bit(input->state.keys_down, scancode) == down) {
        return;
    }
    set_bit(input->state.keys_down, scancode, down);
    if (down) {
        set_bit(input->edges.keys_pressed, scancode, true);
    }
    note_device(input, device, down);
    engine__input_changed(engine, ENGINE_SOURCE_KEY, scancode);
}

void engine__input_mouse_button(struct engine *engine, int button, bool down,
                                enum engine_device device)
{
    struct engine__input *input = &engine->input;
    uint32_t bit;
    if (button < 1 || button > 31) {
        return;
    }
    bit = UINT32_C(1) << button;
    if (((input->state.mouse_buttons & bit) != 0) == down) {
        return;
    }
    input->state.mouse_buttons ^= bit;
    note_device(input, device, down);
    engine__input_changed(engine, ENGINE_SOURCE_MOUSE_BUTTON, button);
}

/* Lets go of everything, with edges. */
static void release_all(struct engine *engine)
{
    struct engine__input *input = &engine->input;
    SDL_memset(input->state.keys_down, 0, sizeof input->state.keys_down);
    SDL_memset(input->injected_value, 0, sizeof input->injected_value);
    input->state.mouse_buttons = 0;
    engine__pads_release(engine);
    for (int action = 0; action < ENGINE_ACTIONS_MAX; action++) {
        update_action(input, action);
    }
}

static void apply_injected(struct engine *engine, const struct engine__injected *item)
{
    struct engine__input *input = &engine->input;
    switch (item->kind) {
    case INJECT_ACTION:
        input->injected_value[item->code] = item->x;
        input->state.last_device = ENGINE_DEVICE_SCRIPT;
        update_action(input, item->code);
        break;
    case INJECT_KEY:
        engine__input_key(engine, item->code, item->down, ENGINE_DEVICE_SCRIPT);
        break;
    case INJECT_MOUSE:
        input->state.mouse = (struct engine_vec2){item->x, item->y};
        input->state.last_device = ENGINE_DEVICE_SCRIPT;
        break;
    case INJECT_MOUSE_BUTTON:
        engine__input_mouse_button(engine, item->code, item->down, ENGINE_DEVICE_SCRIPT);
        break;
    case INJECT_PAD:
        engine__pad_injected(engine, item->place, item->down);
        break;
    case INJECT_PAD_BUTTON:
        engine__pad_button(engine, engine__injected_id(item->place), item->code, item->down);
        break;
    case INJECT_PAD_AXIS:
        engine__pad_axis(engine, engine__injected_id(item->place), item->code,
                         (int)(item->x * (item->x < 0.0f ? 32768.0f : 32767.0f)));
        break;
    case INJECT_FOCUS:
        engine->window.looked_away = !item->down;
        engine__window_refresh(engine);
        break;
    case INJECT_QUIT:
        engine->quit = true;
        break;
    }
}

/* Adds what happened in a frame to what a later snapshot shall show. */
static void add_edges(struct engine__edges *to, const struct engine__edges *from)
{
    to->pressed |= from->pressed;
    to->released |= from->released;
    for (int i = 0; i < ENGINE_KEYS_MAX / 32; i++) {
        to->keys_pressed[i] |= from->keys_pressed[i];
    }
    to->motion.x += from->motion.x;
    to->motion.y += from->motion.y;
    to->wheel += from->wheel;
    to->device_pressed |= from->device_pressed;
}

static void show_edges(struct engine_input_state *view, const struct engine__edges *edges)
{
    view->pressed = edges->pressed;
    view->released = edges->released;
    SDL_memcpy(view->keys_pressed, edges->keys_pressed, sizeof view->keys_pressed);
    view->mouse_motion = edges->motion;
    view->wheel = edges->wheel;
    view->device_pressed = edges->device_pressed;
}

void engine__input_open(struct engine *engine)
{
    engine->input.devices = true;
}

void engine__input_close(struct engine *engine)
{
    engine__pads_close(engine);
}

static void begin_update(struct engine *engine)
{
    struct engine__input *input = &engine->input;
    input->edges = (struct engine__edges){0};
    input->state.pads_added = 0;
    input->state.pads_removed = 0;
    if (input->release_all) {
        input->release_all = false;
        release_all(engine);
    }
    if (input->rebound) {
        input->rebound = false;
        for (int action = 0; action < ENGINE_ACTIONS_MAX; action++) {
            update_action(input, action);
        }
    }
}

void engine__input_update(struct engine *engine)
{
    struct engine__input *input = &engine->input;
    struct engine_vec2 before = input->state.mouse;
    begin_update(engine);
    for (int i = 0; i < input->queue_count; i++) {
        apply_injected(engine, &input->queue[i]);
    }
    input->queue_count = 0;
    engine__input_events(engine);
    input->edges.motion.x = input->state.mouse.x - before.x;
    input->edges.motion.y = input->state.mouse.y - before.y;
    input->state.frame = engine->frame.number;
    input->frame_view = input->state;
    show_edges(&input->frame_view, &input->edges);
    add_edges(&input->fixed_edges, &input->edges);
}

void engine__input_begin_step(struct engine *engine)
{
    struct engine__input *input = &engine->input;
    input->in_fixed = true;
    input->fixed_view = input->frame_view;
    show_edges(&input->fixed_view, &input->fixed_edges);
    input->fixed_edges = (struct engine__edges){0};
}

void engine__input_end_steps(struct engine *engine)
{
    engine->input.in_fixed = false;
}

const struct engine_input_state *engine_input(const struct engine *engine)
{
    return engine->input.in_fixed ? &engine->input.fixed_view : &engine->input.frame_view;
}

void engine_input_discard_fixed(struct engine *engine)
{
    engine->input.fixed_edges = (struct engine__edges){0};
}

void engine_input_set_devices(struct engine *engine, bool enabled)
{
    engine->input.release_all |= engine->input.devices != enabled;
    engine->input.devices = enabled;
}

void engine_input_listen(struct engine *engine, engine_event_callback *fn, void *user)
{
    engine->input.listener = fn;
    engine->input.listener_user = user;
}

bool engine_down(const struct engine_input_state *input, int action)
{
    return action >= 0 && action < ENGINE_ACTIONS_MAX && has_bit(&input->down, action);
}

bool engine_pressed(const struct engine_input_state *input, int action)
{
    return action >= 0 && action < ENGINE_ACTIONS_MAX && has_bit(&input->pressed, action);
}

bool engine_released(const struct engine_input_state *input, int action)
{
    return action >= 0 && action < ENGINE_ACTIONS_MAX && has_bit(&input->released, action);
}

static float action_value(const struct engine_input_state *input, int action)
{
    return action >= 0 && action < ENGINE_ACTIONS_MAX ? input->value[action] : 0.0f;
}

float engine_axis(const struct engine_input_state *input, int negative, int positive)
{
    return action_value(input, positive) - action_value(input, negative);
}

struct engine_vec2 engine_stick(const struct engine_input_state *input, int left, int right, int up,
                                int down)
{
    struct engine_vec2 stick = {engine_axis(input, left, right), engine_axis(input, up, down)};
    float length = SDL_sqrtf(stick.x * stick.x + stick.y * stick.y);
    if (length > 1.0f) {
        stick.x /= length;
        stick.y /= length;
    }
    return stick;
}

bool engine_key_down(const struct engine_input_state *input, int scancode)
{
    return scancode > 0 && scancode < ENGINE_KEYS_MAX && has_bit(input->keys_down, scancode);
}

bool engine_key_pressed(const struct engine_input_state *input, int scancode)
{
    return scancode > 0 && scancode < ENGINE_KEYS_MAX && has_bit(input->keys_pressed, scancode);
}
