/* SPDX-License-Identifier: MIT */
/* What a world shows of itself: the dump's exact text, paths, and the hash of the tree. */
#include "flows.h"

#include <stdio.h>
#include <string.h>

enum { TEXT = 4096 };

typedef FLOW_SIGNAL(int) int_signal;

static int game_line, level_line, wave_line, spawn_line;

struct wave {
    flow_frame base;
};

FLOW_STATIC(wave)
{
    FLOW_BEGIN;
    wave_line = __LINE__ + 1;
    FLOW_AWAIT(flow_seconds(1.5));
    FLOW_END;
}

struct level {
    flow_frame base;
};

FLOW_STATIC(level)
{
    FLOW_BEGIN;
    spawn_line = __LINE__ + 1;
    (void)FLOW_SPAWN_WITH(&(flow_options){.phase = FLOW_FIXED}, wave);
    level_line = __LINE__ + 1;
    FLOW_AWAIT(flow_next_tick());
    FLOW_END;
}

struct game {
    flow_frame base;
};

FLOW_STATIC(game)
{
    FLOW_BEGIN;
    game_line = __LINE__ + 1;
    FLOW_AWAIT(FLOW_CALL(level));
    FLOW_END;
}

static void expect_dump(struct story *story, const char *expected)
{
    char text[TEXT];
    size_t length = flow_world_dump_text(story->world, text, sizeof text);
    assert_string_equal(text, expected);
    assert_int_equal(length, strlen(expected));
}

static void the_dump_draws_the_tree_with_waits_places_and_paused_clocks(void **state)
{
    (void)state;
    struct story story;
    char expected[TEXT];
    story_begin(&story, &(flow_world_desc){.name = "my game"});
    (void)snprintf(expected, sizeof expected, "my game: frame 0, 0 flows, 0 timers, %zu bytes\n",
                   story.bytes);
    expect_dump(&story, expected);
    flow_handle group = flow_group_create(story.world, &(flow_group_desc){.name = "menu"});
    int run_line = __LINE__ + 1, late_line = run_line + 5;
    (void)FLOW_RUN_WITH(story.world, &(flow_options){.owner = group}, game);
    flow_clock slow = flow_clock_create(story.world, FLOW_CLOCK_GAME, "slow");
    assert_int_equal(flow_clock_set_scale(story.world, slow, 0.5), FLOW_OK);
    assert_int_equal(flow_clock_pause(story.world, FLOW_CLOCK_GAME), FLOW_OK);
    assert_int_equal(flow_clock_pause(story.world, FLOW_CLOCK_GAME), FLOW_OK);
    (void)FLOW_RUN_WITH(story.world, (&(flow_options){.clock = slow, .phase = FLOW_LATE}), wave);
    story_update(&story, 10);
    (void)snprintf(
        expected, sizeof expected,
        "my game: frame 1, 3 flows, 2 timers, %zu bytes\n"
        "  menu #1.1 group\n"
        "    game #2.1 [update, game] waits for next tick, for 1 frame at level %s:%d < game "
        "%s:%d, started at %s:%d\n"
        "      wave #3.1 [fixed, game] waits for timer 1.500 s, for 1 frame at wave %s:%d, started "
        "at %s:%d\n"
        "  wave #4.1 [late, slow] waits for timer 1.500 s, for 1 frame at wave %s:%d, started at "
        "%s:%d\n"
        "clock game: scale 1, paused, 2 pauses of its own\n"
        "clock slow: scale 0.5, paused, 0 pauses of its own\n",
        story.bytes, __FILE__, level_line, __FILE__, game_line, __FILE__, run_line, __FILE__,
        wave_line, __FILE__, spawn_line, __FILE__, wave_line, __FILE__, late_line);
    expect_dump(&story, expected);
    story_end(&story);
}

/* ---- what each waits for ---- */

/* The line of the newest flow, without its place. */
static void expect_wait(struct story *story, const char *expected)
{
    char text[TEXT];
    (void)flow_world_dump_text(story->world, text, sizeof text);
    char *line = strstr(text, "  waiter #");
    assert_non_null(line);
    char *wait = strchr(line, ']');
    assert_non_null(wait);
    char *end = strstr(wait, " at waiter");
    assert_non_null(end);
    *end = '\0';
    assert_string_equal(wait + 2, expected);
}

static int no(void *arg)
{
    (void)arg;
    return 0;
}

static void each_kind_of_wait_has_its_words(void **state)
{
    (void)state;
    const struct {
        flow_wait wait;
        const char *words;
    } kinds[] = {
        {flow_never(), "waits for never, for 0 frames"},
        {flow_next_tick(), "waits for next tick, for 0 frames"},
        {flow_ticks(1), "waits for next tick, for 0 frames"},
        {flow_ticks(5), "waits for ticks 5, for 0 frames"},
        {flow_frames(7), "waits for frames 7, for 0 frames"},
        {flow_next_frame(), "waits for next frame, for 0 frames"},
        {flow_seconds(0.25), "waits for timer 0.250 s, for 0 frames"},
        {flow_seconds_on(FLOW_CLOCK_REAL, 0.25), "waits for timer 0.250 s, for 0 frames"},
        {flow_until(no, NULL), "waits for predicate no, for 0 frames"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct story story;
        story_begin(&story, NULL);
        (void)FLOW_RUN(story.world, waiter, .name = "x", .wait = kinds[i].wait);
        expect_wait(&story, kinds[i].words);
        story_end(&story);
    }
}

static void a_wait_tells_what_is_left_and_for_how_many_frames_it_lasts(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    (void)FLOW_RUN(story.world, waiter, .name = "x", .wait = flow_seconds(100));
    story_update(&story, 250);
    expect_wait(&story, "waits for timer 99.750 s, for 1 frame");
    for (int i = 0; i < 254; i++) {
        story_update(&story, 0);
    }
    expect_wait(&story, "waits for timer 99.750 s, for 255 frames");
    story_update(&story, 0);
    expect_wait(&story, "waits for timer 99.750 s, for more than 255 frames (0.0 s)");
    story_end(&story);
}

static void a_timer_of_thirty_days_shows_what_is_left(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    (void)FLOW_RUN(story.world, waiter, .name = "x", .wait = flow_seconds(30.0 * 86400.0));
    expect_wait(&story, "waits for timer 2592000.000 s, for 0 frames");
    story_update(&story, 86400e3);
    expect_wait(&story, "waits for timer 2505600.000 s, for 1 frame");
    story_end(&story);
}

struct racer {
    flow_frame base;
    int_signal *signal;
};

FLOW_STATIC(racer)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_race(NULL, flow_next(self->signal, NULL),
                         flow_all(flow_next_tick(), FLOW_CALL(wave)),
                         flow_timeout(NULL, flow_never(), 2)));
    FLOW_END;
}

static void a_composition_shows_its_branches_as_written(void **state)
{
    (void)state;
    struct story story;
    char text[TEXT];
    int_signal signal;
    story_begin(&story, NULL);
    assert_int_equal(flow_signal_init(&signal, story.world), FLOW_OK);
    (void)FLOW_RUN(story.world, racer, .signal = &signal);
    (void)flow_world_dump_text(story.world, text, sizeof text);
    const char *signal_at = strstr(text, "waits for race(signal "),
               *all = strstr(text, ", all(next tick, end of wave#2.1) 2/2 branches, ");
    const char *timeout = strstr(
        text, "timeout(never, timer 2.000 s) 2/2 branches) 3/3 branches, for 0 frames at racer ");
    assert_non_null(signal_at);
    assert_non_null(all);
    assert_non_null(timeout);
    assert_true(signal_at < all && all < timeout);
    story_end(&story);
}

static void ready_and_held_flows_say_so(void **state)
{
    (void)state;
    struct story story;
    int_signal signal;
    story_begin(&story, NULL);
    assert_int_equal(flow_signal_init(&signal, story.world), FLOW_OK);
    (void)FLOW_RUN(story.world, waiter, .name = "x", .wait = flow_next(&signal, NULL));
    assert_int_equal(flow_emit(&signal, NULL), 1);
    expect_wait(&story, "ready");
    assert_int_equal(flow_clock_pause(story.world, FLOW_CLOCK_GAME), FLOW_OK);
    story_update(&story, 10);
    expect_wait(&story, "held by a pause");
    story_end(&story);
}

static void dump_into_log(flow_task *flow, void *arg)
{
    char text[TEXT];
    (void)arg;
    (void)flow_world_dump_text(flow_world_of(flow), text, sizeof text);
    assert_non_null(strstr(text, "doer #1.1 [update, game] running"));
    assert_non_null(strstr(text, "waiter #2.1 [update, game] waits for never"));
}

static void a_flow_may_dump_its_own_world(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    (void)FLOW_RUN(story.world, doer, .wait = flow_next_tick(), .act = dump_into_log);
    (void)FLOW_RUN(story.world, waiter, .name = "x", .wait = flow_never());
    story_update(&story, 10);
    story_end(&story);
}

/* ---- sinks and buffers ---- */

struct sink {
    char text[TEXT];
    size_t length;
};

static void sink_text(void *user, const char *text, size_t length)
{
    struct sink *sink = user;
    assert_true(sink->length + length < TEXT);
    memcpy(sink->text + sink->length, text, length);
    sink->length += length;
}

static void the_text_is_the_same_through_a_sink_and_cut_to_a_buffer(void **state)
{
    (void)state;
    static struct sink sink;
    struct story story;
    char whole[TEXT], cut[64];
    story_begin(&story, NULL);
    for (int i = 0; i < 10; i++) {
        (void)FLOW_RUN(story.world, game);
    }
    long calls = story.calls;
    size_t length = flow_world_dump_text(story.world, whole, sizeof whole);
    memset(&sink, 0, sizeof sink);
    flow_world_dump(story.world, sink_text, &sink);
    assert_string_equal(sink.text, whole);
    assert_int_equal(sink.length, length);
    for (size_t capacity = 1; capacity <= sizeof cut; capacity++) {
        memset(cut, '#', sizeof cut);
        assert_int_equal(flow_world_dump_text(story.world, cut, capacity), length);
        assert_int_equal(strlen(cut), capacity - 1);
        assert_memory_equal(cut, whole, capacity - 1);
    }
    assert_int_equal(flow_world_dump_text(story.world, NULL, 0), length);
    assert_int_equal(story.calls, calls); /* it takes no memory */
    story_end(&story);
}

/* ---- paths ---- */

struct tell_path {
    flow_frame base;
};

FLOW_STATIC(tell_path)
{
    char path[128], cut[12];
    size_t length;
    FLOW_BEGIN;
    length = flow_path(flow, path, sizeof path);
    assert_int_equal(length, strlen(path));
    story_log(story_of(flow), "%s", path);
    assert_int_equal(flow_path(flow, cut, sizeof cut), length);
    assert_int_equal(strlen(cut), sizeof cut - 1);
    assert_memory_equal(cut, path, sizeof cut - 1);
    assert_int_equal(flow_path(flow, NULL, 0), length);
    FLOW_AWAIT(flow_ready());
    FLOW_END;
}

struct battle {
    flow_frame base;
};

FLOW_STATIC(battle)
{
    FLOW_BEGIN;
    FLOW_AWAIT(FLOW_CALL(tell_path));
    (void)FLOW_SPAWN(tell_path);
    FLOW_END;
}

struct in_game {
    flow_frame base;
};

FLOW_STATIC(in_game)
{
    FLOW_BEGIN;
    (void)FLOW_SPAWN(battle);
    FLOW_END;
}

static void a_path_names_calls_owners_and_groups_from_the_root(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    flow_handle group = flow_group_create(story.world, &(flow_group_desc){.name = "screens"});
    (void)FLOW_RUN_WITH(story.world, &(flow_options){.owner = group}, in_game);
    story_expect(&story,
                 "screens > in_game > battle > tell_path screens > in_game > battle > tell_path");
    story_end(&story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_dump_draws_the_tree_with_waits_places_and_paused_clocks),
        cmocka_unit_test(each_kind_of_wait_has_its_words),
        cmocka_unit_test(a_wait_tells_what_is_left_and_for_how_many_frames_it_lasts),
        cmocka_unit_test(a_timer_of_thirty_days_shows_what_is_left),
        cmocka_unit_test(a_composition_shows_its_branches_as_written),
        cmocka_unit_test(ready_and_held_flows_say_so),
        cmocka_unit_test(a_flow_may_dump_its_own_world),
        cmocka_unit_test(the_text_is_the_same_through_a_sink_and_cut_to_a_buffer),
        cmocka_unit_test(a_path_names_calls_owners_and_groups_from_the_root),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
