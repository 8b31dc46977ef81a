/* SPDX-License-Identifier: MIT */
/*
 * Input: snapshots, edges for frames and for steps, bindings, injection, floods of events.
 */
#if defined(__linux__)
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#endif

#include <SDL.h>

#include "test_fixture.h"

/* How often the engine has asked the system for its events; negative where that cannot be told. */
#if defined(__linux__)
static int pumps;

void SDL_PumpEvents(void)
{
    union {
        void *object;
        void (*call)(void);
    } real = {dlsym(RTLD_NEXT, "SDL_PumpEvents")};
    pumps++;
    real.call();
}
#else
static int pumps = -1;
#endif

enum { FIRE, DASH, LEFT, RIGHT, UP, DOWN };

static void push_key(SDL_Scancode scancode, bool down, int repeat)
{
    SDL_Event event = {.type = down ? SDL_KEYDOWN : SDL_KEYUP};
    event.key.state = down ? SDL_PRESSED : SDL_RELEASED;
    event.key.repeat = (Uint8)repeat;
    event.key.keysym.scancode = scancode;
    assert_int_equal(SDL_PushEvent(&event), 1);
}

static void push_motion(int x, int y)
{
    SDL_Event event = {.type = SDL_MOUSEMOTION};
    event.motion.x = x;
    event.motion.y = y;
    event.motion.xrel = 1;
    SDL_PushEvent(&event);
}

static void push_button(Uint8 button, bool down, int x, int y)
{
    SDL_Event event = {.type = down ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP};
    event.button.button = button;
    event.button.state = down ? SDL_PRESSED : SDL_RELEASED;
    event.button.x = x;
    event.button.y = y;
    assert_int_equal(SDL_PushEvent(&event), 1);
}

/* How often each kind of phase saw edges of FIRE. */
struct edges {
    int steps;
    int fixed_pressed;
    int fixed_released;
    int frame_pressed;
    int frame_released;
    int first_step; /* the step that saw the press */
};

static void count_fixed(struct engine *engine, void *user, const struct engine_frame *frame)
{
    struct edges *edges = user;
    edges->steps++;
    edges->fixed_released += engine_released(engine_input(engine), FIRE);
    if (engine_pressed(engine_input(engine), FIRE)) {
        edges->fixed_pressed++;
        edges->first_step = frame->step;
    }
}

static void count_frame(struct engine *engine, void *user, const struct engine_frame *frame)
{
    struct edges *edges = user;
    (void)frame;
    edges->frame_pressed += engine_pressed(engine_input(engine), FIRE);
    edges->frame_released += engine_released(engine_input(engine), FIRE);
}

static struct engine *create_counting(struct virtual_time *time, struct edges *edges)
{
    struct engine *engine = create_virtual_engine(time);
    *edges = (struct edges){.first_step = -1};
    assert_true(engine_on(engine, ENGINE_PHASE_FIXED, count_fixed, edges, "fixed"));
    assert_true(engine_on(engine, ENGINE_PHASE_UPDATE, count_frame, edges, "update"));
    assert_true(engine_input_bind(engine, FIRE, ENGINE_SOURCE_KEY, SDL_SCANCODE_SPACE));
    run_frame(engine, time, 0);
    return engine;
}

static void a_tap_in_a_frame_without_steps_shows_once_in_the_next_step(void **state)
{
    struct virtual_time time = {.now = 0};
    struct edges edges;
    struct engine *engine = create_counting(&time, &edges);
    (void)state;
    push_key(SDL_SCANCODE_SPACE, true, 0);
    push_key(SDL_SCANCODE_SPACE, false, 0);
    run_frame(engine, &time, 2);
    assert_int_equal(edges.steps, 0);
    assert_int_equal(edges.frame_pressed, 1);
    assert_int_equal(edges.frame_released, 1);
    assert_false(engine_down(engine_input(engine), FIRE));
    run_frame(engine, &time, 2);
    assert_int_equal(edges.frame_pressed, 1);
    run_frame(engine, &time, 6);
    assert_int_equal(edges.steps, 1);
    assert_int_equal(edges.fixed_pressed, 1);
    assert_int_equal(edges.fixed_released, 1);
    run_frame(engine, &time, 20);
    assert_int_equal(edges.steps, 3);
    assert_int_equal(edges.fixed_pressed, 1);
    assert_int_equal(edges.frame_pressed, 1);
    engine_destroy(engine);
}

static void a_press_shows_in_the_first_of_three_steps_only(void **state)
{
    struct virtual_time time = {.now = 0};
    struct edges edges;
    struct engine *engine = create_counting(&time, &edges);
    (void)state;
    push_key(SDL_SCANCODE_SPACE, true, 0);
    run_frame(engine, &time, 30);
    assert_int_equal(edges.steps, 3);
    assert_int_equal(edges.fixed_pressed, 1);
    assert_int_equal(edges.first_step, 0);
    assert_int_equal(edges.frame_pressed, 1);
    assert_true(engine_down(engine_input(engine), FIRE));
    engine_destroy(engine);
}

static void key_repeats_are_no_presses(void **state)
{
    struct virtual_time time = {.now = 0};
    struct edges edges;
    struct engine *engine = create_counting(&time, &edges);
    (void)state;
    push_key(SDL_SCANCODE_SPACE, true, 0);
    push_key(SDL_SCANCODE_SPACE, true, 1);
    run_frame(engine, &time, 10);
    push_key(SDL_SCANCODE_SPACE, true, 1);
    run_frame(engine, &time, 10);
    assert_int_equal(edges.frame_pressed, 1);
    assert_int_equal(edges.fixed_pressed, 1);
    engine_destroy(engine);
}

static void what_a_pause_saw_can_be_kept_from_the_steps(void **state)
{
    struct virtual_time time = {.now = 0};
    struct edges edges;
    struct engine *engine = create_counting(&time, &edges);
    (void)state;
    assert_true(engine_set_time_scale(engine, 0.0));
    push_key(SDL_SCANCODE_SPACE, true, 0);
    run_frame(engine, &time, 30);
    assert_int_equal(edges.frame_pressed, 1);
    assert_true(engine_set_time_scale(engine, 1.0));
    engine_input_discard_fixed(engine);
    run_frame(engine, &time, 30);
    assert_int_equal(edges.steps, 3);
    assert_int_equal(edges.fixed_pressed, 0);
    assert_true(engine_down(engine_input(engine), FIRE));
    engine_destroy(engine);
}

static void an_action_held_by_two_sources_is_pressed_and_released_once(void **state)
{
    struct virtual_time time = {.now = 0};
    struct edges edges;
    struct engine *engine = create_counting(&time, &edges);
    (void)state;
    assert_true(engine_input_bind(engine, FIRE, ENGINE_SOURCE_MOUSE_BUTTON, SDL_BUTTON_LEFT));
    push_key(SDL_SCANCODE_SPACE, true, 0);
    run_frame(engine, &time, 10);
    push_button(SDL_BUTTON_LEFT, true, 0, 0);
    push_key(SDL_SCANCODE_SPACE, false, 0);
    run_frame(engine, &time, 10);
    assert_int_equal(edges.frame_released, 0);
    push_button(SDL_BUTTON_LEFT, false, 0, 0);
    run_frame(engine, &time, 10);
    assert_int_equal(edges.frame_pressed, 1);
    assert_int_equal(edges.frame_released, 1);
    engine_destroy(engine);
}

static void raw_keys_show_levels_and_edges(void **state)
{
    struct engine *engine = create_plain_engine();
    (void)state;
    push_key(SDL_SCANCODE_F3, true, 0);
    engine_iterate(engine);
    assert_true(engine_key_down(engine_input(engine), SDL_SCANCODE_F3));
    assert_true(engine_key_pressed(engine_input(engine), SDL_SCANCODE_F3));
    assert_int_equal(engine_input(engine)->last_device, ENGINE_DEVICE_KEYBOARD);
    assert_true(engine_input(engine)->device_pressed);
    engine_iterate(engine);
    assert_true(engine_key_down(engine_input(engine), SDL_SCANCODE_F3));
    assert_false(engine_key_pressed(engine_input(engine), SDL_SCANCODE_F3));
    assert_false(engine_input(engine)->device_pressed);
    assert_false(engine_key_down(engine_input(engine), -1));
    assert_false(engine_key_down(engine_input(engine), 512));
    engine_destroy(engine);
}

static void unbinding_releases_and_bad_bindings_are_refused(void **state)
{
    struct virtual_time time = {.now = 0};
    struct edges edges;
    struct engine *engine = create_counting(&time, &edges);
    (void)state;
    push_key(SDL_SCANCODE_SPACE, true, 0);
    run_frame(engine, &time, 10);
    engine_input_unbind(engine, FIRE);
    run_frame(engine, &time, 10);
    assert_int_equal(edges.frame_released, 1);
    assert_false(engine_input_bind(engine, 32, ENGINE_SOURCE_KEY, SDL_SCANCODE_A));
    assert_false(engine_input_bind(engine, FIRE, ENGINE_SOURCE_KEY, 0));
    assert_false(engine_input_bind(engine, FIRE, ENGINE_SOURCE_PAD_AXIS_POSITIVE, 6));
    assert_false(engine_input_bind(engine, FIRE, ENGINE_SOURCE_NONE, 1));
    assert_string_equal(engine_error(engine), "cannot bind action 0 to code 1 of source 0");
    engine_destroy(engine);
}

static void four_keys_make_a_stick_of_length_one(void **state)
{
    struct engine *engine = create_plain_engine();
    struct engine_vec2 stick;
    (void)state;
    assert_true(engine_input_bind(engine, RIGHT, ENGINE_SOURCE_KEY, SDL_SCANCODE_D));
    assert_true(engine_input_bind(engine, DOWN, ENGINE_SOURCE_KEY, SDL_SCANCODE_S));
    push_key(SDL_SCANCODE_D, true, 0);
    engine_iterate(engine);
    stick = engine_stick(engine_input(engine), LEFT, RIGHT, UP, DOWN);
    assert_true(stick.x == 1.0f && stick.y == 0.0f);
    push_key(SDL_SCANCODE_S, true, 0);
    engine_iterate(engine);
    stick = engine_stick(engine_input(engine), LEFT, RIGHT, UP, DOWN);
    assert_true(stick.x > 0.7071f && stick.x < 0.7072f && stick.x == stick.y);
    engine_destroy(engine);
}

static void the_mouse_is_in_logical_pixels(void **state)
{
    struct engine_desc desc = {.no_audio = true, .window_width = 1400, .window_height = 800};
    struct engine *engine = create_engine(&desc);
    (void)state;
    push_motion(60, 40); /* the picture is 1280x720, with bars of 60 and 40 */
    engine_iterate(engine);
    assert_true(engine_input(engine)->mouse.x == 0.0f && engine_input(engine)->mouse.y == 0.0f);
    push_motion(260, 240);
    engine_iterate(engine);
    assert_true(engine_input(engine)->mouse.x == 100.0f && engine_input(engine)->mouse.y == 100.0f);
    assert_true(engine_input(engine)->mouse_motion.x == 100.0f);
    engine_iterate(engine);
    assert_true(engine_input(engine)->mouse_motion.x == 0.0f);
    engine_destroy(engine);
}

/* What a listener heard. */
struct heard {
    int events;
    int motions;
    int keys;
    int keys_at_motion; /* keys heard before the last motion */
    int xrel;
};

static void hear(struct engine *engine, void *user, const SDL_Event *event)
{
    struct heard *heard = user;
    (void)engine;
    heard->events++;
    if (event->type == SDL_MOUSEMOTION) {
        heard->motions++;
        heard->keys_at_motion = heard->keys;
        heard->xrel += event->motion.xrel;
    } else if (event->type == SDL_KEYDOWN) {
        heard->keys++;
    }
}

static void fifty_thousand_motions_are_coalesced_and_keep_their_place(void **state)
{
    struct engine *engine = create_plain_engine();
    struct heard heard = {.events = 0};
    (void)state;
    engine_iterate(engine);
    SDL_FlushEvents(SDL_FIRSTEVENT, SDL_LASTEVENT);
    engine_input_listen(engine, hear, &heard);
    for (int i = 0; i < 25000; i++) {
        push_motion(i % 600, 7);
    }
    push_key(SDL_SCANCODE_A, true, 0);
    for (int i = 0; i < 25000; i++) {
        push_motion(320, 180);
    }
    push_key(SDL_SCANCODE_B, true, 0);
    SDL_PushEvent(&(SDL_Event){.type = SDL_QUIT});
    assert_false(engine_iterate(engine));
    assert_int_equal(heard.motions, 2);
    assert_int_equal(heard.xrel, 50000);
    assert_int_equal(heard.keys, 2);
    assert_int_equal(heard.keys_at_motion, 1);
    assert_true(engine_input(engine)->mouse.x == 320.0f);
    assert_true(engine_key_pressed(engine_input(engine), SDL_SCANCODE_A));
    assert_true(engine_key_pressed(engine_input(engine), SDL_SCANCODE_B));
    assert_false(SDL_HasEvents(SDL_FIRSTEVENT, SDL_LASTEVENT));
    engine_destroy(engine);
}

static void flood(struct engine *engine, void *user, const SDL_Event *event)
{
    (void)engine;
    (void)event;
    ++*(int *)user;
    SDL_PushEvent(&(SDL_Event){.type = SDL_USEREVENT});
}

static void a_listener_that_always_pushes_does_not_hold_the_frame(void **state)
{
    struct engine *engine = create_plain_engine();
    int events = 0;
    (void)state;
    engine_input_listen(engine, flood, &events);
    SDL_PushEvent(&(SDL_Event){.type = SDL_USEREVENT});
    pumps = pumps < 0 ? pumps : 0;
    assert_true(engine_iterate(engine));
    assert_in_range(events, 65536, 80000);
    assert_true(pumps == 1 || pumps == -1); /* once, however much is pushed */
    engine_input_listen(engine, NULL, NULL);
    engine_destroy(engine);
}

static void injected_input_acts_as_devices_do(void **state)
{
    struct virtual_time time = {.now = 0};
    struct edges edges;
    struct engine *engine = create_counting(&time, &edges);
    (void)state;
    assert_true(engine_input_inject_key(engine, SDL_SCANCODE_SPACE, true));
    assert_true(engine_input_inject_mouse(engine, (struct engine_vec2){12.0f, 34.0f}));
    run_frame(engine, &time, 10);
    assert_int_equal(edges.frame_pressed, 1);
    assert_int_equal(edges.fixed_pressed, 1);
    assert_true(engine_input(engine)->mouse.x == 12.0f && engine_input(engine)->mouse.y == 34.0f);
    assert_int_equal(engine_input(engine)->last_device, ENGINE_DEVICE_SCRIPT);
    assert_false(engine_input(engine)->device_pressed);
    assert_true(engine_input_inject_key(engine, SDL_SCANCODE_SPACE, false));
    assert_true(engine_input_inject_action(engine, FIRE, 1.0f));
    run_frame(engine, &time, 10);
    /* Let go and taken up again in one frame: both show, and it is held. */
    assert_int_equal(edges.frame_pressed, 2);
    assert_int_equal(edges.frame_released, 1);
    assert_true(engine_down(engine_input(engine), FIRE));
    assert_true(engine_input_inject_action(engine, FIRE, 0.0f));
    run_frame(engine, &time, 10);
    assert_int_equal(edges.frame_released, 2);
    assert_true(engine_input_inject_quit(engine));
    assert_false(run_frame(engine, &time, 10));
    engine_destroy(engine);
}

static void inject_in_begin(struct engine *engine, void *user, const struct engine_frame *frame)
{
    (void)user;
    if (frame->number == 5) {
        assert_true(engine_input_inject_action(engine, DASH, 0.75f));
    }
}

static void input_injected_in_begin_shows_in_the_same_frame(void **state)
{
    struct engine *engine = create_plain_engine();
    (void)state;
    assert_true(engine_on(engine, ENGINE_PHASE_BEGIN, inject_in_begin, NULL, "script"));
    for (int i = 1; i <= 5; i++) {
        assert_false(engine_down(engine_input(engine), DASH));
        engine_iterate(engine);
    }
    assert_true(engine_pressed(engine_input(engine), DASH));
    assert_true(engine_axis(engine_input(engine), LEFT, DASH) == 0.75f);
    assert_int_equal(engine_input(engine)->frame, 5);
    engine_destroy(engine);
}

static void bad_injections_and_too_many_are_refused(void **state)
{
    struct engine *engine = create_plain_engine();
    (void)state;
    assert_false(engine_input_inject_action(engine, 32, 1.0f));
    assert_false(engine_input_inject_action(engine, FIRE, 1.5f));
    assert_false(engine_input_inject_key(engine, 0, true));
    assert_false(engine_input_inject_mouse_button(engine, 0, true));
    for (int i = 0; i < ENGINE_INJECT_MAX; i++) {
        assert_true(engine_input_inject_mouse_button(engine, 1, i % 2 == 0));
    }
    assert_false(engine_input_inject_mouse_button(engine, 1, true));
    assert_string_equal(engine_error(engine), "cannot inject: 1024 events wait already");
    engine_iterate(engine);
    assert_true(engine_input_inject_mouse_button(engine, 1, true));
    engine_destroy(engine);
}

static void without_devices_only_injected_input_counts(void **state)
{
    struct virtual_time time = {.now = 0};
    struct edges edges;
    struct engine *engine = create_counting(&time, &edges);
    (void)state;
    push_key(SDL_SCANCODE_SPACE, true, 0);
    run_frame(engine, &time, 10);
    engine_input_set_devices(engine, false);
    push_key(SDL_SCANCODE_A, true, 0);
    run_frame(engine, &time, 10);
    assert_int_equal(edges.frame_released, 1);
    assert_false(engine_key_down(engine_input(engine), SDL_SCANCODE_A));
    assert_true(engine_input(engine)->device_pressed);
    assert_true(engine_input_inject_action(engine, FIRE, 1.0f));
    run_frame(engine, &time, 10);
    assert_int_equal(edges.frame_pressed, 2);
    engine_input_set_devices(engine, true);
    push_key(SDL_SCANCODE_A, true, 0);
    run_frame(engine, &time, 10);
    assert_int_equal(edges.frame_released, 2);
    assert_true(engine_key_down(engine_input(engine), SDL_SCANCODE_A));
    engine_destroy(engine);
}

static void ten_thousand_paused_frames_leave_no_events_behind(void **state)
{
    struct virtual_time time = {.now = 0};
    struct edges edges;
    struct engine *engine = create_counting(&time, &edges);
    (void)state;
    assert_true(engine_set_time_scale(engine, 0.0));
    for (int i = 0; i < 10000; i++) {
        push_key(SDL_SCANCODE_SPACE, i % 2 == 0, 0);
        run_frame(engine, &time, 16);
    }
    assert_int_equal(edges.steps, 0);
    assert_int_equal(edges.frame_pressed, 5000);
    assert_false(SDL_HasEvents(SDL_FIRSTEVENT, SDL_LASTEVENT));
    engine_destroy(engine);
}

static void assert_parsed(const char *text, enum engine_source source, int code)
{
    enum engine_source found = ENGINE_SOURCE_NONE;
    int number = -1;
    if (!engine_input_parse(text, &found, &number) || found != source || number != code) {
        fail_msg("%s is %d of source %d", text, number, (int)found);
    }
}

static void sources_have_names_for_text_files(void **state)
{
    enum engine_source source;
    int code;
    (void)state;
    assert_parsed("key:Space", ENGINE_SOURCE_KEY, SDL_SCANCODE_SPACE);
    assert_parsed("key:w", ENGINE_SOURCE_KEY, SDL_SCANCODE_W);
    assert_parsed("mouse:right", ENGINE_SOURCE_MOUSE_BUTTON, SDL_BUTTON_RIGHT);
    assert_parsed("pad:a", ENGINE_SOURCE_PAD_BUTTON, SDL_CONTROLLER_BUTTON_A);
    assert_parsed("pad:leftx-", ENGINE_SOURCE_PAD_AXIS_NEGATIVE, SDL_CONTROLLER_AXIS_LEFTX);
    assert_parsed("pad:lefty+", ENGINE_SOURCE_PAD_AXIS_POSITIVE, SDL_CONTROLLER_AXIS_LEFTY);
    assert_parsed("pad:righttrigger", ENGINE_SOURCE_PAD_AXIS_POSITIVE,
                  SDL_CONTROLLER_AXIS_TRIGGERRIGHT);
    const char *const wrong[] = {"", "space", "key:", "key:any", "mouse:fourth", "pad:", "pad:-"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(engine_input_parse(wrong[i], &source, &code));
    }
}

static void focus_can_be_taken_and_given_back(void **state)
{
    struct engine *engine = create_plain_engine();
    (void)state;
    assert_true(engine_window_focused(engine));
    assert_true(engine_input_inject_focus(engine, false));
    engine_iterate(engine);
    engine_iterate(engine);
    assert_false(engine_window_focused(engine));
    assert_true(engine_input_inject_focus(engine, true));
    engine_iterate(engine);
    assert_true(engine_window_focused(engine));
    engine_destroy(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sources_have_names_for_text_files),
        cmocka_unit_test(focus_can_be_taken_and_given_back),
        cmocka_unit_test(a_tap_in_a_frame_without_steps_shows_once_in_the_next_step),
        cmocka_unit_test(a_press_shows_in_the_first_of_three_steps_only),
        cmocka_unit_test(key_repeats_are_no_presses),
        cmocka_unit_test(what_a_pause_saw_can_be_kept_from_the_steps),
        cmocka_unit_test(an_action_held_by_two_sources_is_pressed_and_released_once),
        cmocka_unit_test(raw_keys_show_levels_and_edges),
        cmocka_unit_test(unbinding_releases_and_bad_bindings_are_refused),
        cmocka_unit_test(four_keys_make_a_stick_of_length_one),
        cmocka_unit_test(the_mouse_is_in_logical_pixels),
        cmocka_unit_test(fifty_thousand_motions_are_coalesced_and_keep_their_place),
        cmocka_unit_test(a_listener_that_always_pushes_does_not_hold_the_frame),
        cmocka_unit_test(injected_input_acts_as_devices_do),
        cmocka_unit_test(input_injected_in_begin_shows_in_the_same_frame),
        cmocka_unit_test(bad_injections_and_too_many_are_refused),
        cmocka_unit_test(without_devices_only_injected_input_counts),
        cmocka_unit_test(ten_thousand_paused_frames_leave_no_events_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
