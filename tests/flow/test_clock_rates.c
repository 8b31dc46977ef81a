/* SPDX-License-Identifier: MIT */
/* The same durations at every rate of frames, in every phase, on every clock; and loops that keep
 * or lose their pace. */
#include "flows.h"

struct timed {
    flow_frame base;
    double seconds;
    int64_t *us;
};

FLOW_STATIC(timed)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_seconds(self->seconds));
    *self->us =
        flow_clock_now_ns(flow_world_of(flow), flow_clock_of(flow), flow_phase_of(flow)) / 1000;
    FLOW_END;
}

static void a_second_is_a_second_in_every_phase_on_every_clock_at_every_rate(void **state)
{
    (void)state;
    static const flow_phase phases[] = {FLOW_EARLY, FLOW_FIXED, FLOW_UPDATE, /* B09 */
                                        FLOW_LATE, FLOW_END_OF_FRAME};
    static const int rates[] = {30, 60, 240};
    for (int i = 0; i < 5 * 5 * 3; i++) {
        struct story story;
        int64_t us = 0;
        int rate = rates[i % 3];
        story_begin(&story, NULL);
        const flow_clock clocks[] = {FLOW_CLOCK_GAME, FLOW_CLOCK_UNSCALED, FLOW_CLOCK_REAL,
                                     flow_clock_create(story.world, FLOW_CLOCK_GAME, "own"),
                                     flow_clock_create(story.world, FLOW_CLOCK_UNSCALED, "menu")};
        flow_options options = {.phase = phases[i / 3 % 5], .clock = clocks[i / 15]};
        (void)FLOW_RUN_WITH(story.world, &options, timed, .seconds = 1.0, .us = &us);
        story_frames(&story, rate - 1, 1000.0 / rate);
        int64_t tick = options.phase == FLOW_FIXED ? 10000 : 1000000 / rate;
        if (options.phase != FLOW_FIXED) {
            assert_int_equal(us, 0); /* not before its time */
        }
        story_frames(&story, 2, 1000.0 / rate);
        assert_in_range(us, 1000000 - 1, 1000000 + tick);
        story_end(&story);
    }
}

/* ---- slow motion ---- */

/* An enemy lives on a clock of its own, in whatever phase. */
struct enemy {
    flow_frame base;
    const char *name;
    double scale;
    flow_clock clock;
};

FLOW_STATIC(enemy)
{
    FLOW_BEGIN;
    self->clock = flow_scope_clock(flow, FLOW_CLOCK_GAME, self->name);
    assert_int_equal(flow_clock_set_scale(flow_world_of(flow), self->clock, self->scale), FLOW_OK);
    for (;;) {
        FLOW_AWAIT(flow_seconds_on(self->clock, 0.04));
        story_log(story_of(flow), "%s@%.0f", self->name, flow_now(flow) * 1000.0);
    }
    FLOW_END;
}

static void each_enemy_may_have_its_own_slow_motion(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    flow_options fixed = {.phase = FLOW_FIXED};
    flow_handle frozen = FLOW_RUN(story.world, enemy, .name = "slow", .scale = 0.5);
    (void)FLOW_RUN(story.world, enemy, .name = "fast", .scale = 2);
    (void)FLOW_RUN_WITH(story.world, &fixed, enemy, .name = "body", .scale = 0.5);
    story_frames(&story, 4, 20);
    story_expect(&story, "fast@20 fast@40 fast@60 body@80 slow@80 fast@80");
    assert_int_equal(flow_clock_set_scale(story.world, FLOW_CLOCK_GAME, 0.5), FLOW_OK);
    story_frames(&story, 4, 20); /* all of them at half the speed; FIXED by half the steps */
    story_expect(&story, "fast@100 fast@120");
    assert_int_equal(flow_clock_pause(story.world, FLOW_CLOCK_GAME), FLOW_OK);
    story_frames(&story, 4, 20);
    story_expect(&story, "");
    assert_int_equal(flow_clock_release(story.world, FLOW_CLOCK_GAME), FLOW_OK);
    assert_int_equal(flow_cancel(story.world, frozen), FLOW_OK); /* its clock ends with it */
    story_frames(&story, 4, 20);
    story_expect(&story, "fast@140 body@160 fast@160");
    story_end(&story);
}

struct beat {
    flow_frame base;
    int *count;
    double late;
};

FLOW_STATIC(beat)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(flow_seconds(0.1 - self->late));
        self->late = flow_lateness(flow);
        ++*self->count;
    }
    FLOW_END;
}

static void a_beat_that_carries_its_lateness_never_drifts(void **state)
{
    (void)state;
    struct story story; /* B12 */
    int count = 0;
    story_begin(&story, NULL);
    (void)FLOW_RUN(story.world, beat, .count = &count);
    for (int ms = 17; ms <= 60000; ms += 17) {
        story_update(&story, 17);
        assert_int_equal(count, ms / 100);
    }
    story_end(&story);
}

static void the_host_steps_as_the_effective_scale_calls_for(void **state)
{
    (void)state;
    static const double scales[] = {1, 0.5, 2, 0, 0.1};
    for (int i = 0; i < 5; i++) {
        struct story story;
        int64_t us = 0;
        story_begin(&story, NULL);
        assert_int_equal(flow_clock_set_scale(story.world, FLOW_CLOCK_GAME, scales[i]), FLOW_OK);
        (void)FLOW_RUN_WITH(story.world, &(flow_options){.phase = FLOW_FIXED}, timed,
                            .seconds = 100, .us = &us);
        story_frames(&story, 100, 20);
        int64_t stepped = flow_clock_now_ns(story.world, FLOW_CLOCK_GAME, FLOW_FIXED);
        assert_int_equal(stepped, (int64_t)(2e9 * scales[i] + 0.5));
        assert_int_equal(flow_clock_now_ns(story.world, FLOW_CLOCK_REAL, FLOW_FIXED), stepped);
        assert_int_equal(flow_clock_now_ns(story.world, FLOW_CLOCK_REAL, FLOW_UPDATE), 2000000000);
        story_end(&story);
    }
}

static void one_frame_of_three_hours_is_just_a_long_frame(void **state)
{
    (void)state;
    struct story story; /* B18: real sees it all, what the host clamps the others do not */
    int64_t real = 0, game = 0;
    story_begin(&story, NULL);
    (void)FLOW_RUN_WITH(story.world, &(flow_options){.clock = FLOW_CLOCK_REAL}, timed,
                        .seconds = 10800, .us = &real);
    (void)FLOW_RUN(story.world, timed, .seconds = 0.26, .us = &game);
    assert_int_equal(flow_world_begin_frame(story.world, 10800), FLOW_OK);
    assert_int_equal(flow_world_tick(story.world, FLOW_UPDATE, 0.25), FLOW_OK);
    assert_int_equal(real, 10800000000);
    assert_int_equal(game, 0);
    story_update(&story, 10);
    assert_int_equal(game, 260000);
    story_end(&story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_second_is_a_second_in_every_phase_on_every_clock_at_every_rate),
        cmocka_unit_test(each_enemy_may_have_its_own_slow_motion),
        cmocka_unit_test(a_beat_that_carries_its_lateness_never_drifts),
        cmocka_unit_test(the_host_steps_as_the_effective_scale_calls_for),
        cmocka_unit_test(one_frame_of_three_hours_is_just_a_long_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
