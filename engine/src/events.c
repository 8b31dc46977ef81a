/* SPDX-License-Identifier: MIT */
/*
 * SDL's events, in order, with motion coalesced.
 *
 * The queue is pumped once and drained in blocks up to a bound above its size, so that no stream of
 * events can hold a frame for ever. Motion in a row becomes one event; anything else hands it on
 * first, so order is kept.
 */
#include "internal.h"

enum { BLOCK = 64, EVENTS_MAX = 70000 };

void engine__input_listen_to(struct engine *engine, const SDL_Event *event)
{
    if (engine->input.listener) {
        engine->input.listener(engine, engine->input.listener_user, event);
    }
}

static void take_key(struct engine *engine, const SDL_KeyboardEvent *key)
{
    bool down = key->type == SDL_KEYDOWN;
    if (key->repeat == 0) {
        engine->input.edges.device_pressed |= down;
        if (engine->input.devices) {
            engine__input_key(engine, (int)key->keysym.scancode, down, ENGINE_DEVICE_KEYBOARD);
        }
    }
}

static void take_mouse_button(struct engine *engine, const SDL_MouseButtonEvent *button)
{
    bool down = button->type == SDL_MOUSEBUTTONDOWN;
    engine->input.edges.device_pressed |= down;
    if (engine->input.devices) {
        engine->input.state.mouse = engine__window_to_picture(engine, button->x, button->y);
        engine__input_mouse_button(engine, button->button, down, ENGINE_DEVICE_MOUSE);
    }
}

static void take_motion(struct engine *engine, const SDL_MouseMotionEvent *motion)
{
    if (engine->input.devices) {
        engine->input.state.mouse = engine__window_to_picture(engine, motion->x, motion->y);
        engine->input.state.last_device = ENGINE_DEVICE_MOUSE;
    }
}

static void take_wheel(struct engine *engine, const SDL_MouseWheelEvent *wheel)
{
    if (engine->input.devices) {
        float steps = (float)wheel->y;
        engine->input.edges.wheel += wheel->direction == SDL_MOUSEWHEEL_FLIPPED ? -steps : steps;
        engine->input.state.last_device = ENGINE_DEVICE_MOUSE;
    }
}

static void take(struct engine *engine, const SDL_Event *event)
{
    switch (event->type) {
    case SDL_QUIT:
        engine->quit = true;
        break;
    case SDL_KEYDOWN:
    case SDL_KEYUP:
        take_key(engine, &event->key);
        break;
    case SDL_MOUSEMOTION:
        take_motion(engine, &event->motion);
        break;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        take_mouse_button(engine, &event->button);
        break;
    case SDL_MOUSEWHEEL:
        take_wheel(engine, &event->wheel);
        break;
    case SDL_CONTROLLERDEVICEADDED:
        engine__pad_added(engine, event->cdevice.which);
        break;
    case SDL_CONTROLLERBUTTONDOWN:
    case SDL_CONTROLLERBUTTONUP:
        engine__pad_button(engine, event->cbutton.which, event->cbutton.button,
                           event->type == SDL_CONTROLLERBUTTONDOWN);
        break;
    case SDL_CONTROLLERAXISMOTION:
        engine__pad_axis(engine, event->caxis.which, event->caxis.axis, event->caxis.value);
        break;
    case SDL_WINDOWEVENT:
        engine__window_event(engine, &event->window);
        break;
    default:
        break;
    }
}

static void hand_on(struct engine *engine, const SDL_Event *event)
{
    if (event->type == SDL_CONTROLLERDEVICEREMOVED) {
        engine__pad_removed(engine,
                            event->cdevice.which); /* releases come first, for listeners too */
    }
    engine__input_listen_to(engine, event);
    take(engine, event);
}

static void hand_on_motion(struct engine *engine)
{
    if (engine->input.motion_waits) {
        engine->input.motion_waits = false;
        hand_on(engine, &engine->input.motion);
    }
}

static void add_motion(struct engine__input *input, const SDL_Event *event)
{
    int x = input->motion.motion.xrel;
    int y = input->motion.motion.yrel;
    bool more = input->motion_waits;
    input->motion = *event;
    input->motion_waits = true;
    if (more) {
        input->motion.motion.xrel += x;
        input->motion.motion.yrel += y;
    }
}

void engine__input_events(struct engine *engine)
{
    SDL_Event block[BLOCK];
    int count;
    SDL_PumpEvents();
    for (int total = 0; total < EVENTS_MAX; total += count) {
        count = SDL_PeepEvents(block, BLOCK, SDL_GETEVENT, SDL_FIRSTEVENT, SDL_LASTEVENT);
        for (int i = 0; i < count; i++) {
            if (block[i].type == SDL_MOUSEMOTION) {
                add_motion(&engine->input, &block[i]);
            } else {
                hand_on_motion(engine);
                hand_on(engine, &block[i]);
            }
        }
        if (count <= 0) {
            break;
        }
    }
    hand_on_motion(engine);
}
