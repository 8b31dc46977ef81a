/* SPDX-License-Identifier: MIT */
/*
 * The loop: order of phases and callbacks, time as callbacks see it, quitting.
 */
#include <SDL.h>
#include <signal.h>

#include "test_fixture.h"

/* What the callbacks of a test wrote. */
static char trace[1024];

static void write_trace(struct engine *engine, void *user, const struct engine_frame *frame)
{
    size_t used = strlen(trace);
    (void)engine;
    (void)frame;
    (void)snprintf(trace + used, sizeof trace - used, "%s ", (const char *)user);
}

static void on(struct engine *engine, enum engine_phase phase, const char *name)
{
    assert_true(engine_on(engine, phase, write_trace, (void *)(uintptr_t)name, name));
}

static void on_last(struct engine *engine, enum engine_phase phase, const char *name)
{
    assert_true(engine_on_last(engine, phase, write_trace, (void *)(uintptr_t)name, name));
}

static void phases_run_in_their_order(void **state)
{
    struct engine *engine = create_plain_engine();
    (void)state;
    for (int phase = ENGINE_PHASE_COUNT - 1; phase >= 0; phase--) {
        on(engine, (enum engine_phase)phase, engine_phase_name((enum engine_phase)phase));
    }
    trace[0] = '\0';
    assert_true(engine_iterate(engine));
    assert_string_equal(trace, "begin early fixed update late render present end pace ");
    assert_string_equal(engine_phase_name(ENGINE_PHASE_COUNT), "?");
    engine_destroy(engine);
}

static void callbacks_run_in_order_of_registration_and_last_ones_last(void **state)
{
    struct engine *engine = create_plain_engine();
    (void)state;
    on(engine, ENGINE_PHASE_UPDATE, "a");
    on_last(engine, ENGINE_PHASE_UPDATE, "y");
    on(engine, ENGINE_PHASE_UPDATE, "b");
    on_last(engine, ENGINE_PHASE_UPDATE, "z");
    on(engine, ENGINE_PHASE_UPDATE, "c");
    trace[0] = '\0';
    engine_iterate(engine);
    assert_string_equal(trace, "a b c y z ");
    engine_destroy(engine);
}

static void callbacks_are_listed_with_name_phase_and_calls(void **state)
{
    struct engine *engine = create_plain_engine();
    struct engine_callback_stats stats;
    (void)state;
    on(engine, ENGINE_PHASE_LATE, "late one");
    on(engine, ENGINE_PHASE_BEGIN, "begin one");
    engine_iterate(engine);
    engine_iterate(engine);
    assert_true(engine_get_callback_stats(engine, 0, &stats));
    assert_string_equal(stats.name, "begin one");
    assert_int_equal(stats.phase, ENGINE_PHASE_BEGIN);
    assert_int_equal(stats.calls, 2);
    assert_true(engine_get_callback_stats(engine, 1, &stats));
    assert_string_equal(stats.name, "late one");
    assert_false(engine_get_callback_stats(engine, 2, &stats));
    assert_false(engine_get_callback_stats(engine, -1, &stats));
    engine_destroy(engine);
}

static void tell_begin(void *user, const char *name, bool waits)
{
    size_t used = strlen(trace);
    (void)user;
    (void)snprintf(trace + used, sizeof trace - used, "%s%s( ", name, waits ? "~" : "");
}

static void tell_end(void *user)
{
    (void)user;
    (void)strncat(trace, ") ", sizeof trace - strlen(trace) - 1);
}

static void watch_inside(struct engine *engine, void *user, const struct engine_frame *frame)
{
    (void)user;
    (void)frame;
    assert_false(engine_set_watch(engine, NULL));
}

static void a_watch_is_told_of_phases_and_callbacks_as_they_nest(void **state)
{
    struct engine *engine = create_plain_engine();
    const struct engine_watch watch = {tell_begin, tell_end, NULL};
    (void)state;
    assert_true(engine_on(engine, ENGINE_PHASE_UPDATE, watch_inside, NULL, "one"));
    assert_true(engine_on(engine, ENGINE_PHASE_UPDATE, watch_inside, NULL, "two"));
    trace[0] = '\0';
    assert_true(engine_set_watch(engine, &watch));
    engine_iterate(engine);
    assert_string_equal(trace, "begin( ) early( ) fixed( ) update( one( ) two( ) ) late( ) "
                               "render( ) present~( ) end( ) pace~( ) ");
    int64_t now = engine_now(engine);
    assert_true(engine_set_watch(engine, NULL));
    trace[0] = '\0';
    engine_iterate(engine);
    assert_string_equal(trace, "");
    assert_true(engine_now(engine) >= now);
    engine_destroy(engine);
}

static void register_another(struct engine *engine, void *user, const struct engine_frame *frame)
{
    (void)frame;
    *(bool *)user = engine_on(engine, ENGINE_PHASE_LATE, register_another, user, "another") ||
                    engine_iterate(engine);
}

static void registering_and_iterating_inside_a_frame_are_refused(void **state)
{
    struct engine *engine = create_plain_engine();
    bool accepted = true;
    (void)state;
    assert_true(engine_on(engine, ENGINE_PHASE_UPDATE, register_another, &accepted, "one"));
    assert_true(engine_iterate(engine));
    assert_false(accepted);
    assert_string_equal(engine_error(engine), "engine_iterate: called from inside a frame");
    assert_int_equal(engine_frame_number(engine), 1);
    engine_destroy(engine);
}

static void a_phase_takes_32_callbacks_and_refuses_the_next(void **state)
{
    struct engine *engine = create_plain_engine();
    (void)state;
    for (int i = 0; i < 32; i++) {
        on(engine, ENGINE_PHASE_END, "x");
    }
    assert_false(engine_on(engine, ENGINE_PHASE_END, write_trace, NULL, "one too many"));
    assert_string_equal(engine_error(engine),
                        "callback one too many: the phase end has 32 already");
    assert_false(engine_on(engine, ENGINE_PHASE_COUNT, write_trace, NULL, "bad"));
    assert_false(engine_on(engine, ENGINE_PHASE_END, NULL, NULL, "bad"));
    engine_destroy(engine);
}

/* Remembers the frame as the last callback saw it, and counts. */
struct seen {
    struct engine_frame frame;
    int calls;
};

static void see(struct engine *engine, void *user, const struct engine_frame *frame)
{
    struct seen *seen = user;
    (void)engine;
    seen->frame = *frame;
    seen->calls++;
}

static void frames_carry_real_and_clamped_time_steps_and_alpha(void **state)
{
    struct virtual_time time = {.now = 5 * SECOND};
    struct engine *engine = create_virtual_engine(&time);
    struct seen fixed = {.calls = 0};
    struct seen late = {.calls = 0};
    (void)state;
    assert_true(engine_on(engine, ENGINE_PHASE_FIXED, see, &fixed, "fixed"));
    assert_true(engine_on(engine, ENGINE_PHASE_LATE, see, &late, "late"));
    run_frame(engine, &time, 35);
    assert_int_equal(late.frame.number, 1);
    assert_int_equal(late.frame.real_dt_ns, 35 * MS);
    assert_int_equal(late.frame.dt_ns, 35 * MS);
    assert_true(late.frame.alpha == 0.5);
    assert_int_equal(late.frame.step, 3);
    assert_int_equal(late.frame.total_steps, 3);
    assert_int_equal(fixed.calls, 3);
    assert_int_equal(fixed.frame.step, 2);
    assert_int_equal(fixed.frame.total_steps, 2);
    assert_int_equal(fixed.frame.dt_ns, 10 * MS);
    run_frame(engine, &time, 3000);
    assert_int_equal(late.frame.number, 2);
    assert_int_equal(late.frame.real_dt_ns, 3000 * MS);
    assert_int_equal(late.frame.dt_ns, 100 * MS);
    assert_int_equal(fixed.calls, 8);
    engine_destroy(engine);
}

static void a_long_frame_does_not_spiral_and_dropped_time_shows_in_its_statistics(void **state)
{
    struct virtual_time time = {.now = 0};
    struct engine *engine = create_virtual_engine(&time);
    struct seen fixed = {.calls = 0};
    const struct engine_frame_stats *stats;
    (void)state;
    assert_true(engine_on(engine, ENGINE_PHASE_FIXED, see, &fixed, "fixed"));
    run_frame(engine, &time, 5000);
    stats = engine_stats_recent(engine_get_stats(engine), 0);
    assert_int_equal(fixed.calls, 5);
    assert_int_equal(stats->steps, 5);
    assert_int_equal(stats->steps_skipped, 5);
    assert_int_equal(stats->real_ns, 5000 * MS);
    assert_int_equal(stats->used_ns, 100 * MS);
    assert_int_equal(stats->dropped_ns, 4950 * MS);
    run_frame(engine, &time, 10);
    assert_int_equal(fixed.calls, 6);
    run_frame(engine, &time, 0);
    assert_int_equal(fixed.calls, 6);
    run_frame(engine, &time, -20);
    assert_int_equal(fixed.calls, 6);
    assert_int_equal(engine_time(engine)->anomalies, 1);
    assert_int_equal(engine_frame_number(engine), 4);
    assert_int_equal(fixed.calls * 10 * MS + engine_time(engine)->accumulator_ns +
                         engine_clock_dropped(engine_time(engine)),
                     engine_time(engine)->real_ns);
    engine_destroy(engine);
}

static void stop_time(struct engine *engine, void *user, const struct engine_frame *frame)
{
    (void)user;
    if (frame->step == 1) {
        assert_true(engine_set_time_scale(engine, 0.0));
    }
}

static void a_time_scale_of_0_set_in_a_step_stops_the_steps_after_it(void **state)
{
    struct virtual_time time = {.now = 0};
    struct engine *engine = create_virtual_engine(&time);
    struct seen fixed = {.calls = 0};
    struct seen update = {.calls = 0};
    (void)state;
    assert_true(engine_on(engine, ENGINE_PHASE_FIXED, see, &fixed, "fixed"));
    assert_true(engine_on(engine, ENGINE_PHASE_FIXED, stop_time, NULL, "stop"));
    assert_true(engine_on(engine, ENGINE_PHASE_UPDATE, see, &update, "update"));
    run_frame(engine, &time, 40);
    run_frame(engine, &time, 40);
    assert_int_equal(fixed.calls, 2);
    assert_int_equal(update.calls, 2);
    assert_int_equal(update.frame.dt_ns, 40 * MS);
    assert_true(engine_set_time_scale(engine, 1.0));
    run_frame(engine, &time, 10);
    assert_int_equal(fixed.calls, 3);
    assert_false(engine_set_time_scale(engine, -1.0));
    engine_destroy(engine);
}

static void headless_frames_take_one_fixed_step_each(void **state)
{
    struct engine *engine = create_plain_engine();
    struct seen fixed = {.calls = 0};
    (void)state;
    assert_true(engine_on(engine, ENGINE_PHASE_FIXED, see, &fixed, "fixed"));
    for (int i = 1; i <= 120; i++) {
        assert_true(engine_iterate(engine));
        assert_int_equal(fixed.calls, i);
    }
    assert_int_equal(fixed.frame.dt_ns, 16666667);
    assert_int_equal(engine_time(engine)->real_ns, 120 * INT64_C(16666667));
    engine_destroy(engine);
}

static void a_chosen_frame_dt_gives_0_to_n_steps(void **state)
{
    struct engine_desc desc = {
        .no_audio = true, .fixed_dt = 0.010, .frame_dt = 0.025, .dt_mode = ENGINE_DT_FIXED};
    struct engine *engine = create_engine(&desc);
    struct seen fixed = {.calls = 0};
    (void)state;
    assert_true(engine_on(engine, ENGINE_PHASE_FIXED, see, &fixed, "fixed"));
    engine_iterate(engine);
    assert_int_equal(fixed.calls, 2);
    engine_iterate(engine);
    assert_int_equal(fixed.calls, 5);
    engine_destroy(engine);
}

static void note_quit(struct engine *engine, void *user, const struct engine_frame *frame)
{
    uint64_t *told = user;
    if (engine_quit_requested(engine) && *told == 0) {
        *told = frame->number;
    }
}

static void push_quit(struct engine *engine, void *user, const struct engine_frame *frame)
{
    (void)engine;
    if (frame->number == 10) {
        SDL_Event event = {.type = SDL_QUIT};
        assert_int_equal(SDL_PushEvent(&event), 1);
    }
    (void)user;
}

static void a_quit_event_is_told_in_its_frame_and_the_host_may_go_on(void **state)
{
    struct engine *engine = create_plain_engine();
    uint64_t told = 0;
    (void)state;
    assert_true(engine_on(engine, ENGINE_PHASE_BEGIN, push_quit, NULL, "push"));
    assert_true(engine_on(engine, ENGINE_PHASE_EARLY, note_quit, &told, "note"));
    engine_run(engine);
    assert_int_equal(engine_frame_number(engine), 10);
    assert_int_equal(told, 10);
    assert_false(engine_iterate(engine));
    assert_false(engine_iterate(engine));
    assert_int_equal(engine_frame_number(engine), 12);
    engine_destroy(engine);
}

static void send(int number)
{
    assert_int_equal(raise(number), 0);
}

static void interrupt(struct engine *engine, void *user, const struct engine_frame *frame)
{
    (void)engine;
    if (frame->number == 3) {
        send(*(int *)user);
    }
}

static void signals_end_the_loop_within_a_frame(void **state)
{
    int signals[] = {SIGINT, SIGTERM};
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct engine *engine = create_plain_engine();
        uint64_t told = 0;
        assert_true(engine_on(engine, ENGINE_PHASE_UPDATE, interrupt, &signals[i], "interrupt"));
        assert_true(engine_on(engine, ENGINE_PHASE_EARLY, note_quit, &told, "note"));
        engine_run(engine);
        assert_int_equal(told, 4);
        engine_destroy(engine);
    }
}

static volatile sig_atomic_t own_signals;

static void own_handler(int number)
{
    (void)number;
    own_signals++;
}

static void signal_handlers_are_given_back_and_can_be_left_alone(void **state)
{
    struct engine_desc desc = {.no_audio = true, .no_signals = true};
    struct engine *engine;
    (void)state;
    (void)signal(SIGINT, own_handler);
    engine_destroy(create_plain_engine());
    send(SIGINT);
    assert_int_equal(own_signals, 1);
    (void)signal(SIGINT, own_handler);
    engine = create_engine(&desc);
    send(SIGINT);
    assert_int_equal(own_signals, 2);
    assert_true(engine_iterate(engine));
    engine_destroy(engine);
    (void)signal(SIGINT, SIG_DFL);
}

static void request_quit_ends_the_run_after_the_frame(void **state)
{
    struct engine *engine = create_plain_engine();
    (void)state;
    engine_request_quit(engine);
    engine_run(engine);
    assert_int_equal(engine_frame_number(engine), 1);
    engine_destroy(engine);
}

static void a_hidden_window_is_not_drawn_and_game_time_stands_still(void **state)
{
    struct virtual_time time = {.now = 0};
    struct engine *engine = create_virtual_engine(&time);
    struct seen fixed = {.calls = 0};
    struct seen update = {.calls = 0};
    struct seen render = {.calls = 0};
    (void)state;
    assert_true(engine_on(engine, ENGINE_PHASE_FIXED, see, &fixed, "fixed"));
    assert_true(engine_on(engine, ENGINE_PHASE_UPDATE, see, &update, "update"));
    assert_true(engine_on(engine, ENGINE_PHASE_RENDER, see, &render, "render"));
    run_frame(engine, &time, 10);
    SDL_HideWindow(SDL_GetWindowFromID(1));
    run_frame(engine, &time, 10);
    assert_true(engine_window_hidden(engine));
    assert_int_equal(fixed.calls, 1);
    assert_int_equal(render.calls, 1);
    assert_int_equal(update.calls, 2);
    assert_true(update.frame.hidden);
    assert_int_equal(update.frame.dt_ns, 0);
    assert_int_equal(update.frame.real_dt_ns, 110 * MS); /* it waited 100 ms for an event */
    assert_int_equal(engine_time(engine)->hidden_ns, 110 * MS);
    assert_int_equal(engine_stats_recent(engine_get_stats(engine), 0)->wait_ns, 100 * MS);
    SDL_ShowWindow(SDL_GetWindowFromID(1));
    run_frame(engine, &time, 10);
    assert_int_equal(render.calls, 2);
    assert_int_equal(fixed.calls, 2);
    engine_destroy(engine);
}

static void a_hidden_window_does_not_stop_time_once_quitting(void **state)
{
    struct virtual_time time = {.now = 0};
    struct engine *engine = create_virtual_engine(&time);
    struct seen update = {.calls = 0};
    (void)state;
    assert_true(engine_on(engine, ENGINE_PHASE_UPDATE, see, &update, "update"));
    SDL_HideWindow(SDL_GetWindowFromID(1));
    engine_request_quit(engine);
    run_frame(engine, &time, 10);
    assert_int_equal(update.frame.dt_ns, 10 * MS);
    assert_int_equal(time.sleeps, 0);
    engine_destroy(engine);
}

static void frames_take_the_time_that_a_replay_gives_them(void **state)
{
    struct virtual_time time = {0};
    struct engine *engine = create_plain_engine();
    (void)state;
    assert_true(engine_set_frame_time(engine, 50 * MS, false));
    engine_iterate(engine);
    assert_int_equal(engine_time(engine)->real_ns, 50 * MS);
    assert_int_equal(engine_time(engine)->frame_steps, 2); /* and 16.7 ms are left */
    assert_true(engine_set_frame_time(engine, 40 * MS, true));
    engine_iterate(engine);
    assert_int_equal(engine_time(engine)->hidden_ns, 40 * MS);
    assert_int_equal(engine_time(engine)->frame_steps, 0);
    assert_true(engine_set_frame_time(engine, 0, false));
    engine_iterate(engine);
    assert_int_equal(engine_time(engine)->real_ns, 90 * MS);
    assert_false(engine_set_frame_time(engine, -1, false));
    engine_destroy(engine);
    engine = create_virtual_engine(&time);
    assert_false(engine_set_frame_time(engine, MS, false));
    engine_destroy(engine);
}

static void a_window_can_be_resized(void **state)
{
    struct engine *engine = create_plain_engine();
    (void)state;
    assert_true(engine_window_set_size(engine, 1300, 800));
    engine_iterate(engine);
    assert_false(engine_window_set_size(engine, 0, 800));
    assert_string_equal(engine_error(engine), "the window cannot be 0x800");
    engine_destroy(engine);
}

static void a_frame_of_no_time_is_a_frame_without_steps(void **state)
{
    struct virtual_time time = {0};
    struct engine *engine = create_virtual_engine(&time);
    (void)state;
    run_frame(engine, &time, 10);
    assert_int_equal(engine_time(engine)->frame_steps, 1);
    for (int i = 0; i < 3; i++) {
        assert_true(run_frame(engine, &time, 0));
        assert_int_equal(engine_time(engine)->frame_steps, 0);
        assert_int_equal(engine_time(engine)->dt_ns, 0);
    }
    assert_int_equal(engine_frame_number(engine), 4);
    assert_int_equal(engine_time(engine)->anomalies, 0);
    engine_destroy(engine);
}

static void hang_in_present(struct engine *engine, void *user, const struct engine_frame *frame)
{
    (void)engine;
    if (frame->number == 2) {
        ((struct virtual_time *)user)->now += 1000 * MS;
    }
}

static void a_present_that_hangs_for_a_second_makes_no_burst_and_keeps_the_input(void **state)
{
    struct virtual_time time = {0};
    struct engine *engine = create_virtual_engine(&time);
    (void)state;
    assert_true(engine_on(engine, ENGINE_PHASE_PRESENT, hang_in_present, &time, "hang"));
    run_frame(engine, &time, 10);
    run_frame(engine, &time, 10);
    SDL_Event key = {.type = SDL_KEYDOWN};
    key.key.keysym.scancode = SDL_SCANCODE_A;
    assert_int_equal(SDL_PushEvent(&key), 1);
    run_frame(engine, &time, 0);
    assert_int_equal(engine_time(engine)->frame_steps, 5);
    assert_true(engine_key_pressed(engine_input(engine), SDL_SCANCODE_A));
    run_frame(engine, &time, 10);
    assert_int_equal(engine_time(engine)->frame_steps, 1);
    engine_destroy(engine);
}

static void a_loop_that_was_stopped_for_twenty_seconds_goes_on_from_where_it_was(void **state)
{
    struct virtual_time time = {0};
    struct engine *engine = create_virtual_engine(&time);
    (void)state;
    run_frame(engine, &time, 20000);
    assert_int_equal(engine_time(engine)->frame_steps, 5);
    assert_int_equal(engine_time(engine)->dt_ns, 100 * MS);
    assert_int_equal(engine_clock_dropped(engine_time(engine)), 19950 * MS);
    run_frame(engine, &time, 10);
    assert_int_equal(engine_time(engine)->frame_steps, 1);
    engine_destroy(engine);
}

static void a_full_event_queue_is_drained_and_stops_no_one_from_quitting(void **state)
{
    struct engine *engine = create_plain_engine();
    SDL_Event event = {.type = SDL_USEREVENT};
    int taken = 0;
    (void)state;
    while (taken < 100000 && SDL_PushEvent(&event) == 1) {
        taken++;
    }
    assert_true(taken < 100000); /* SDL's own limit */
    event.type = SDL_QUIT;
    assert_true(SDL_PushEvent(&event) != 1); /* it has no room for this one */
    assert_true(engine_input_inject_quit(engine));
    assert_false(engine_iterate(engine));
    assert_false(SDL_HasEvent(SDL_USEREVENT));
    engine_destroy(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_frame_of_no_time_is_a_frame_without_steps),
        cmocka_unit_test(a_present_that_hangs_for_a_second_makes_no_burst_and_keeps_the_input),
        cmocka_unit_test(a_loop_that_was_stopped_for_twenty_seconds_goes_on_from_where_it_was),
        cmocka_unit_test(a_full_event_queue_is_drained_and_stops_no_one_from_quitting),
        cmocka_unit_test(frames_take_the_time_that_a_replay_gives_them),
        cmocka_unit_test(a_window_can_be_resized),
        cmocka_unit_test(phases_run_in_their_order),
        cmocka_unit_test(callbacks_run_in_order_of_registration_and_last_ones_last),
        cmocka_unit_test(callbacks_are_listed_with_name_phase_and_calls),
        cmocka_unit_test(a_watch_is_told_of_phases_and_callbacks_as_they_nest),
        cmocka_unit_test(registering_and_iterating_inside_a_frame_are_refused),
        cmocka_unit_test(a_phase_takes_32_callbacks_and_refuses_the_next),
        cmocka_unit_test(frames_carry_real_and_clamped_time_steps_and_alpha),
        cmocka_unit_test(a_long_frame_does_not_spiral_and_dropped_time_shows_in_its_statistics),
        cmocka_unit_test(a_time_scale_of_0_set_in_a_step_stops_the_steps_after_it),
        cmocka_unit_test(headless_frames_take_one_fixed_step_each),
        cmocka_unit_test(a_chosen_frame_dt_gives_0_to_n_steps),
        cmocka_unit_test(a_quit_event_is_told_in_its_frame_and_the_host_may_go_on),
        cmocka_unit_test(signals_end_the_loop_within_a_frame),
        cmocka_unit_test(signal_handlers_are_given_back_and_can_be_left_alone),
        cmocka_unit_test(request_quit_ends_the_run_after_the_frame),
        cmocka_unit_test(a_hidden_window_is_not_drawn_and_game_time_stands_still),
        cmocka_unit_test(a_hidden_window_does_not_stop_time_once_quitting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
