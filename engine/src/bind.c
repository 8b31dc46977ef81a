/* SPDX-License-Identifier: MIT */
/*
 * Bindings, and the queue of what is injected.
 */
#include "internal.h"

static bool is_action(int action)
{
    return action >= 0 && action < ENGINE_ACTIONS_MAX;
}

static bool is_code(enum engine_source source, int code)
{
    switch (source) {
    case ENGINE_SOURCE_KEY:
        return code > 0 && code < ENGINE_KEYS_MAX;
    case ENGINE_SOURCE_MOUSE_BUTTON:
        return code >= 1 && code <= 31;
    case ENGINE_SOURCE_PAD_BUTTON:
        return code >= 0 && code < SDL_CONTROLLER_BUTTON_MAX;
    case ENGINE_SOURCE_PAD_AXIS_POSITIVE:
    case ENGINE_SOURCE_PAD_AXIS_NEGATIVE:
        return code >= 0 && code < ENGINE_PAD_AXES;
    case ENGINE_SOURCE_NONE:
        break;
    }
    return false;
}

bool engine_input_bind(struct engine *engine, int action, enum engine_source source, int code)
{
    struct engine__input *input = &engine->input;
    if (!is_action(action) || !is_code(source, code)) {
        return engine__fail(engine->error, "cannot bind action %d to code %d of source %d", action,
                            code, (int)source);
    }
    for (int i = 0; i < input->binding_count; i++) {
        const struct engine__binding *known = &input->bindings[i];
        if (known->action == action && known->source == source && known->code == code) {
            return true;
        }
    }
    if (input->binding_count == ENGINE_BINDINGS_MAX) {
        return engine__fail(engine->error, "cannot bind action %d: there are %d bindings already",
                            action, ENGINE_BINDINGS_MAX);
    }
    input->bindings[input->binding_count++] =
        (struct engine__binding){.action = action, .source = source, .code = code};
    input->rebound = true;
    return true;
}

void engine_input_unbind(struct engine *engine, int action)
{
    struct engine__input *input = &engine->input;
    int kept = 0;
    for (int i = 0; i < input->binding_count; i++) {
        if (action != -1 && input->bindings[i].action != action) {
            input->bindings[kept++] = input->bindings[i];
        }
    }
    input->binding_count = kept;
    input->rebound = true;
}

static bool inject(struct engine *engine, bool valid, const struct engine__injected *item)
{
    struct engine__input *input = &engine->input;
    if (!valid) {
        return engine__fail(engine->error, "cannot inject: %d is out of range", item->code);
    }
    if (input->queue_count == ENGINE_INJECT_MAX) {
        return engine__fail(engine->error, "cannot inject: %d events wait already",
                            ENGINE_INJECT_MAX);
    }
    input->queue[input->queue_count++] = *item;
    return true;
}

bool engine_input_inject_action(struct engine *engine, int action, float value)
{
    struct engine__injected item = {.kind = INJECT_ACTION, .code = action, .x = value};
    return inject(engine, is_action(action) && value >= 0.0f && value <= 1.0f, &item);
}

bool engine_input_inject_key(struct engine *engine, int scancode, bool down)
{
    struct engine__injected item = {.kind = INJECT_KEY, .code = scancode, .down = down};
    return inject(engine, is_code(ENGINE_SOURCE_KEY, scancode), &item);
}

bool engine_input_inject_mouse(struct engine *engine, struct engine_vec2 position)
{
    struct engine__injected item = {.kind = INJECT_MOUSE, .x = position.x, .y = position.y};
    return inject(engine, position.x == position.x && position.y == position.y, &item);
}

bool engine_input_inject_mouse_button(struct engine *engine, int button, bool down)
{
    struct engine__injected item = {.kind = INJECT_MOUSE_BUTTON, .code = button, .down = down};
    return inject(engine, is_code(ENGINE_SOURCE_MOUSE_BUTTON, button), &item);
}

static bool is_place(int place)
{
    return place >= 0 && place < ENGINE_PADS_MAX;
}

bool engine_input_inject_pad(struct engine *engine, int place, bool connected)
{
    struct engine__injected item = {.kind = INJECT_PAD, .place = place, .down = connected};
    return inject(engine, is_place(place), &item);
}

bool engine_input_inject_pad_button(struct engine *engine, int place, int button, bool down)
{
    struct engine__injected item = {
        .kind = INJECT_PAD_BUTTON, .place = place, .code = button, .down = down};
    return inject(engine, is_place(place) && is_code(ENGINE_SOURCE_PAD_BUTTON, button), &item);
}

bool engine_input_inject_pad_axis(struct engine *engine, int place, int axis, float value)
{
    struct engine__injected item = {
        .kind = INJECT_PAD_AXIS, .place = place, .code = axis, .x = value};
    return inject(engine,
                  is_place(place) && is_code(ENGINE_SOURCE_PAD_AXIS_POSITIVE, axis) &&
                      value >= -1.0f && value <= 1.0f,
                  &item);
}

bool engine_input_inject_focus(struct engine *engine, bool focused)
{
    struct engine__injected item = {.kind = INJECT_FOCUS, .down = focused};
    return inject(engine, true, &item);
}

bool engine_input_inject_quit(struct engine *engine)
{
    struct engine__injected item = {.kind = INJECT_QUIT};
    return inject(engine, true, &item);
}

/* The part of `text` after `prefix`, or null. */
static const char *after(const char *text, const char *prefix)
{
    size_t length = SDL_strlen(prefix);
    return SDL_strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

static bool parse_mouse(const char *name, int *code)
{
    static const char *const names[] = {"left", "middle", "right"};
    for (int i = 0; i < 3; i++) {
        if (SDL_strcasecmp(name, names[i]) == 0) {
            *code = i + 1;
            return true;
        }
    }
    return false;
}

/* A button, or an axis with a sign after its name; a trigger needs none. */
static bool parse_pad(const char *name, enum engine_source *source, int *code)
{
    char axis[32];
    size_t length = SDL_strlcpy(axis, name, sizeof axis);
    char sign = '+';
    *source = ENGINE_SOURCE_PAD_BUTTON;
    *code = SDL_GameControllerGetButtonFromString(name);
    if (*code != SDL_CONTROLLER_BUTTON_INVALID) {
        return true;
    }
    if (length > 1 && length < sizeof axis &&
        (axis[length - 1] == '+' || axis[length - 1] == '-')) {
        sign = axis[length - 1];
        axis[length - 1] = '\0';
    }
    *source = sign == '-' ? ENGINE_SOURCE_PAD_AXIS_NEGATIVE : ENGINE_SOURCE_PAD_AXIS_POSITIVE;
    *code = SDL_GameControllerGetAxisFromString(axis);
    return *code != SDL_CONTROLLER_AXIS_INVALID;
}

bool engine_input_parse(const char *text, enum engine_source *source, int *code)
{
    const char *key = after(text, "key:");
    const char *mouse = after(text, "mouse:");
    const char *pad = after(text, "pad:");
    if (key) {
        *source = ENGINE_SOURCE_KEY;
        *code = (int)SDL_GetScancodeFromName(key);
        return *code != SDL_SCANCODE_UNKNOWN;
    }
    if (mouse) {
        *source = ENGINE_SOURCE_MOUSE_BUTTON;
        return parse_mouse(mouse, code);
    }
    return pad && parse_pad(pad, source, code);
}
