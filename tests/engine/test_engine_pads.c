/* SPDX-License-Identifier: MIT */
/*
 * Pads that come and go, with SDL's virtual joysticks.
 */
#include <SDL.h>

#include "test_fixture.h"

enum { FIRE, AIM_LEFT, AIM_RIGHT, AIM_UP, AIM_DOWN, PULL };

/* A virtual pad: the index to set it with, and its id. */
struct pad {
    SDL_Joystick *joystick;
    SDL_JoystickID id;
};

static struct pad plug_in(void)
{
    int index = SDL_JoystickAttachVirtual(SDL_JOYSTICK_TYPE_GAMECONTROLLER, SDL_CONTROLLER_AXIS_MAX,
                                          SDL_CONTROLLER_BUTTON_MAX, 0);
    struct pad pad;
    assert_true(index >= 0);
    pad.joystick = SDL_JoystickOpen(index);
    assert_non_null(pad.joystick);
    pad.id = SDL_JoystickInstanceID(pad.joystick);
    return pad;
}

static void unplug(struct pad *pad)
{
    for (int i = 0; i < SDL_NumJoysticks(); i++) {
        if (SDL_JoystickGetDeviceInstanceID(i) == pad->id) {
            SDL_JoystickClose(pad->joystick);
            assert_int_equal(SDL_JoystickDetachVirtual(i), 0);
            return;
        }
    }
    fail();
}

static struct engine *create_bound(void)
{
    struct engine *engine = create_plain_engine();
    assert_true(engine_input_bind(engine, FIRE, ENGINE_SOURCE_PAD_BUTTON, SDL_CONTROLLER_BUTTON_A));
    assert_true(engine_input_bind(engine, AIM_LEFT, ENGINE_SOURCE_PAD_AXIS_NEGATIVE,
                                  SDL_CONTROLLER_AXIS_RIGHTX));
    assert_true(engine_input_bind(engine, AIM_RIGHT, ENGINE_SOURCE_PAD_AXIS_POSITIVE,
                                  SDL_CONTROLLER_AXIS_RIGHTX));
    assert_true(engine_input_bind(engine, AIM_UP, ENGINE_SOURCE_PAD_AXIS_NEGATIVE,
                                  SDL_CONTROLLER_AXIS_RIGHTY));
    assert_true(engine_input_bind(engine, AIM_DOWN, ENGINE_SOURCE_PAD_AXIS_POSITIVE,
                                  SDL_CONTROLLER_AXIS_RIGHTY));
    assert_true(engine_input_bind(engine, PULL, ENGINE_SOURCE_PAD_AXIS_POSITIVE,
                                  SDL_CONTROLLER_AXIS_TRIGGERRIGHT));
    return engine;
}

static void an_injected_pad_lets_go_of_everything_when_it_is_pulled_out(void **state)
{
    struct engine *engine = create_bound();
    (void)state;
    assert_false(engine_input_inject_pad(engine, ENGINE_PADS_MAX, true));
    assert_true(engine_input_inject_pad(engine, 1, true));
    assert_true(engine_input_inject_pad_button(engine, 1, SDL_CONTROLLER_BUTTON_A, true));
    assert_true(engine_input_inject_pad_axis(engine, 1, SDL_CONTROLLER_AXIS_RIGHTX, -1.0f));
    assert_true(engine_input_inject_pad_button(engine, 2, SDL_CONTROLLER_BUTTON_A, true));
    engine_iterate(engine);
    assert_int_equal(engine_input(engine)->pads_added, 1u << 1);
    assert_true(engine_pressed(engine_input(engine), FIRE));
    assert_true(engine_input(engine)->device_pressed);
    assert_true(engine_input(engine)->value[AIM_LEFT] == 1.0f);
    assert_false(engine_input_rumble(engine, 1.0f, 1.0f, 0.5)); /* it has no motors */
    assert_true(engine_input_inject_pad(engine, 1, false));
    engine_iterate(engine);
    assert_int_equal(engine_input(engine)->pads_removed, 1u << 1);
    assert_true(engine_released(engine_input(engine), FIRE));
    assert_true(engine_input(engine)->value[AIM_LEFT] == 0.0f);
    assert_false(engine_input(engine)->pads[1].connected);
    engine_destroy(engine);
}

static void a_pad_that_is_plugged_in_works_and_shows_its_id(void **state)
{
    struct engine *engine = create_bound();
    struct pad pad;
    const struct engine_input_state *input = engine_input(engine);
    (void)state;
    engine_iterate(engine);
    assert_false(input->pads[0].connected);
    pad = plug_in();
    engine_iterate(engine);
    input = engine_input(engine);
    assert_true(input->pads[0].connected);
    assert_int_equal(input->pads[0].id, pad.id);
    assert_int_equal(input->pads_added, 1);
    SDL_JoystickSetVirtualButton(pad.joystick, SDL_CONTROLLER_BUTTON_A, SDL_PRESSED);
    engine_iterate(engine);
    assert_int_equal(input->pads_added, 0);
    assert_true(engine_pressed(input, FIRE));
    assert_int_equal(input->pads[0].buttons, 1u << SDL_CONTROLLER_BUTTON_A);
    assert_int_equal(input->last_device, ENGINE_DEVICE_PAD);
    unplug(&pad);
    engine_destroy(engine);
}

/* What a listener heard of releases and removals, in order. */
static char heard[64];

static void hear(struct engine *engine, void *user, const SDL_Event *event)
{
    const char *word = "";
    (void)engine;
    (void)user;
    if (event->type == SDL_CONTROLLERBUTTONUP) {
        word = "up ";
    } else if (event->type == SDL_CONTROLLERDEVICEREMOVED) {
        word = "removed ";
    }
    strncat(heard, word, sizeof heard - strlen(heard) - 1);
}

static void a_removed_pad_releases_before_it_goes(void **state)
{
    struct engine *engine = create_bound();
    const struct engine_input_state *input = engine_input(engine);
    struct pad pad = plug_in();
    (void)state;
    engine_iterate(engine);
    SDL_JoystickSetVirtualButton(pad.joystick, SDL_CONTROLLER_BUTTON_A, SDL_PRESSED);
    SDL_JoystickSetVirtualAxis(pad.joystick, SDL_CONTROLLER_AXIS_RIGHTX, 32767);
    engine_iterate(engine);
    assert_true(engine_down(input, FIRE) && engine_down(input, AIM_RIGHT));
    heard[0] = '\0';
    engine_input_listen(engine, hear, NULL);
    unplug(&pad);
    engine_iterate(engine);
    assert_int_equal(strncmp(heard, "up ", 3), 0);
    assert_string_equal(strstr(heard, "removed "), "removed ");
    assert_true(engine_released(input, FIRE) && engine_released(input, AIM_RIGHT));
    assert_false(engine_down(input, FIRE));
    assert_false(input->pads[0].connected);
    assert_int_equal(input->pads_removed, 1);
    engine_destroy(engine);
}

static void another_pads_removal_moves_nothing(void **state)
{
    struct engine *engine = create_bound();
    const struct engine_input_state *input = engine_input(engine);
    struct pad first = plug_in();
    struct pad second = plug_in();
    (void)state;
    engine_iterate(engine);
    SDL_JoystickSetVirtualButton(second.joystick, SDL_CONTROLLER_BUTTON_A, SDL_PRESSED);
    engine_iterate(engine);
    assert_int_equal(input->pads[1].id, second.id);
    unplug(&first); /* now the second has the first one's device index */
    engine_iterate(engine);
    assert_false(input->pads[0].connected);
    assert_true(input->pads[1].connected);
    assert_true(engine_down(input, FIRE));
    assert_false(engine_released(input, FIRE));
    first = plug_in();
    engine_iterate(engine);
    assert_true(input->pads[0].connected);
    assert_int_equal(input->pads[0].id, first.id);
    assert_int_equal(input->pads_added, 1);
    unplug(&first);
    unplug(&second);
    engine_destroy(engine);
}

static void events_of_unknown_pads_are_ignored(void **state)
{
    struct engine *engine = create_bound();
    SDL_Event event = {.type = SDL_CONTROLLERBUTTONDOWN};
    (void)state;
    event.cbutton.which = 12345;
    event.cbutton.button = SDL_CONTROLLER_BUTTON_A;
    SDL_PushEvent(&event);
    event = (SDL_Event){.type = SDL_CONTROLLERDEVICEREMOVED};
    event.cdevice.which = 12345;
    SDL_PushEvent(&event);
    event = (SDL_Event){.type = SDL_CONTROLLERDEVICEADDED};
    event.cdevice.which = 99;
    SDL_PushEvent(&event);
    assert_true(engine_iterate(engine));
    assert_int_equal(engine_input(engine)->down, 0);
    assert_int_equal(engine_input(engine)->pads_removed, 0);
    assert_false(engine_input(engine)->device_pressed);
    engine_destroy(engine);
}

static void sticks_have_a_round_dead_zone_and_triggers_a_threshold(void **state)
{
    struct engine *engine = create_bound();
    const struct engine_input_state *input = engine_input(engine);
    struct pad pad = plug_in();
    struct engine_vec2 aim;
    (void)state;
    engine_iterate(engine);
    SDL_JoystickSetVirtualAxis(pad.joystick, SDL_CONTROLLER_AXIS_RIGHTX, 4000);
    SDL_JoystickSetVirtualAxis(pad.joystick, SDL_CONTROLLER_AXIS_TRIGGERRIGHT, -32768);
    engine_iterate(engine);
    aim = engine_stick(input, AIM_LEFT, AIM_RIGHT, AIM_UP, AIM_DOWN);
    assert_true(aim.x == 0.0f && aim.y == 0.0f);
    SDL_JoystickSetVirtualAxis(pad.joystick, SDL_CONTROLLER_AXIS_RIGHTY, -32768);
    engine_iterate(engine);
    aim = engine_stick(input, AIM_LEFT, AIM_RIGHT, AIM_UP, AIM_DOWN);
    assert_true(aim.x > 0.11f && aim.x < 0.13f); /* a small part of a full tilt is kept */
    assert_true(aim.y < -0.99f);
    assert_false(engine_down(input, PULL));
    SDL_JoystickSetVirtualAxis(pad.joystick, SDL_CONTROLLER_AXIS_TRIGGERRIGHT, 32767);
    engine_iterate(engine);
    assert_true(engine_pressed(input, PULL));
    assert_true(input->value[PULL] == 1.0f);
    unplug(&pad);
    engine_destroy(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_injected_pad_lets_go_of_everything_when_it_is_pulled_out),
        cmocka_unit_test(a_pad_that_is_plugged_in_works_and_shows_its_id),
        cmocka_unit_test(a_removed_pad_releases_before_it_goes),
        cmocka_unit_test(another_pads_removal_moves_nothing),
        cmocka_unit_test(events_of_unknown_pads_are_ignored),
        cmocka_unit_test(sticks_have_a_round_dead_zone_and_triggers_a_threshold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
