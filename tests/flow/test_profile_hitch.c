/* SPDX-License-Identifier: MIT */
/* Hitches: the rule, the line, and that whatever made a frame long is named. */
#include "flows.h"
#include "profiled.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* What may burn, and how long in its next turn; then it is 0 again. */
struct plan {
    double resume, start, finally, predicate, called;
};

static struct plan plan;

static double take(double *ms)
{
    double taken = *ms;
    *ms = 0.0;
    return taken;
}

/* Costly and steady: it must never hide anyone. */
struct costly {
    flow_frame base;
};

FLOW_STATIC(costly)
{
    FLOW_BEGIN;
    for (;;) {
        profiled_burn(flow, 5.0);
        FLOW_AWAIT(flow_next_tick());
    }
    FLOW_END;
}

struct patient {
    flow_frame base;
};

FLOW_STATIC(patient)
{
    FLOW_BEGIN;
    for (;;) {
        profiled_burn(flow, 0.002 + take(&plan.resume));
        FLOW_AWAIT(flow_next_tick());
    }
    FLOW_END;
}
enum { PATIENT_LINE = __LINE__ - 4 }; /* of its await */

struct newborn {
    flow_frame base;
};

FLOW_STATIC(newborn)
{
    FLOW_BEGIN;
    profiled_burn(flow, take(&plan.start));
    FLOW_AWAIT(flow_ticks(3));
    FLOW_FINALLY;
    profiled_burn(flow, take(&plan.finally));
    FLOW_END;
}

/* Starts a newborn every fourth tick. */
struct mother {
    flow_frame base;
};

FLOW_STATIC(mother)
{
    FLOW_BEGIN;
    for (;;) {
        (void)FLOW_SPAWN(newborn);
        FLOW_AWAIT(flow_ticks(4));
    }
    FLOW_END;
}

struct called {
    flow_frame base;
};

FLOW_STATIC(called)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next_tick());
    profiled_burn(flow, take(&plan.called));
    FLOW_END;
}

struct caller {
    flow_frame base;
};

FLOW_STATIC(caller)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(FLOW_CALL(called));
    }
    FLOW_END;
}

static int ask(void *arg)
{
    profiled_spend(arg, 0.001 + take(&plan.predicate));
    return 0;
}

struct asker {
    flow_frame base;
    void *arg;
};

FLOW_STATIC(asker)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_until(ask, self->arg));
    FLOW_END;
}

/* A crowd that waits for a signal and burns a little whenever it comes. */
typedef FLOW_SIGNAL(int) alarm_signal;

struct sleeper {
    flow_frame base;
    alarm_signal *alarm;
};

FLOW_STATIC(sleeper)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(flow_next(self->alarm, NULL));
        profiled_burn(flow, 0.008);
    }
    FLOW_FINALLY;
    profiled_burn(flow, 0.004);
    FLOW_END;
}

/* ---- the scene ---- */

enum { CROWD = 5000 };

struct scene {
    struct profiled p;
    alarm_signal alarm;
    flow_handle crowd;
};

static void crowd_begin(struct scene *s, int count)
{
    s->crowd = flow_group_create(s->p.story.world, &(flow_group_desc){.name = "crowd"});
    while (count-- > 0) {
        (void)FLOW_RUN_WITH(s->p.story.world, FLOW_OPTIONS(.owner = s->crowd), sleeper,
                            .alarm = &s->alarm);
    }
}

static void scene_begin(struct scene *s, int crowd)
{
    plan = (struct plan){0};
    profiled_begin(&s->p, NULL);
    flow_world *world = s->p.story.world;
    assert_int_equal(flow_signal_init(&s->alarm, world), FLOW_OK);
    crowd_begin(s, crowd);
    (void)FLOW_RUN(world, costly);
    (void)FLOW_RUN(world, patient);
    (void)FLOW_RUN(world, mother);
    (void)FLOW_RUN(world, caller);
    (void)FLOW_RUN(world, asker, .arg = &s->p);
    profiled_frames(&s->p, 130);
    assert_int_equal(s->p.hitches, 0);
}

static void scene_end(struct scene *s)
{
    assert_int_equal(flow_profile_finish(s->p.profile), FLOW_OK);
    flow_signal_fini(&s->alarm);
    profiled_end(&s->p);
}

/* Ends the frames of a hitch, and looks who was named first. */
static const flow_profile_row *assert_culprit(struct scene *s, flow_profile_kind kind,
                                              const char *name)
{
    int before = s->p.hitches;
    profiled_frames(&s->p, 20);
    assert_int_equal(s->p.hitches, before + 1);
    const flow_profile_row *row = &s->p.frame.rows[0];
    assert_int_equal(row->kind, kind);
    assert_string_equal(row->name, name);
    return row;
}

/* ---- each kind ---- */

static void a_resume_that_burns_is_named(void **state)
{
    static struct scene s;
    (void)state;
    scene_begin(&s, 0);
    plan.resume = 40.0;
    const flow_profile_row *row = assert_culprit(&s, FLOW_PROFILE_FLOW, "patient");
    assert_int_equal(row->excess_ns, 40000000);
    assert_int_equal(row->count, 1);
    assert_non_null(strstr(row->file, "test_profile_hitch.c"));
    plan.called = 35.0;
    assert_int_equal(assert_culprit(&s, FLOW_PROFILE_FLOW, "called")->excess_ns, 35000000);
    scene_end(&s);
}

static void an_eager_start_is_named(void **state)
{
    static struct scene s;
    (void)state;
    scene_begin(&s, 0);
    plan.start = 30.0;
    const flow_profile_row *row = assert_culprit(&s, FLOW_PROFILE_FLOW, "newborn");
    assert_int_equal(row->excess_ns, 30000000);
    assert_int_equal(row->starts, 1);
    scene_end(&s);
}

static void a_finally_section_is_named(void **state)
{
    static struct scene s;
    (void)state;
    scene_begin(&s, 0);
    plan.finally = 30.0;
    assert_int_equal(assert_culprit(&s, FLOW_PROFILE_FLOW, "newborn")->excess_ns, 30000000);
    scene_end(&s);
}

static void a_predicate_is_named(void **state)
{
    static struct scene s;
    (void)state;
    scene_begin(&s, 0);
    plan.predicate = 30.0;
    assert_int_equal(assert_culprit(&s, FLOW_PROFILE_PREDICATE, "asker")->excess_ns, 30000000);
    scene_end(&s);
}

static void a_callback_of_the_host_is_named_in_whatever_zone(void **state)
{
    static const char *const names[] = {"input", "physics", "ai", "camera", "audio"};
    static struct scene s;
    (void)state;
    scene_begin(&s, 0);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        flow_profile_begin(s.p.profile, "update");
        flow_profile_begin(s.p.profile, names[i]);
        profiled_spend(&s.p, 25.0);
        flow_profile_end(s.p.profile);
        flow_profile_end(s.p.profile);
        assert_int_equal(assert_culprit(&s, FLOW_PROFILE_ZONE, names[i])->self_ns, 25000000);
    }
    scene_end(&s);
}

static void drawing_and_presenting_are_named(void **state)
{
    static struct scene s;
    (void)state;
    scene_begin(&s, 0);
    s.p.render_ms = 41.0;
    profiled_frame(&s.p);
    s.p.render_ms = 1.0;
    assert_int_equal(assert_culprit(&s, FLOW_PROFILE_ZONE, "render")->excess_ns, 40000000);
    flow_profile_begin_wait(s.p.profile, "present");
    profiled_spend(&s.p, 150.0);
    flow_profile_end(s.p.profile);
    (void)assert_culprit(&s, FLOW_PROFILE_WAIT, "present");
    scene_end(&s);
}

static void five_thousand_wakes_in_a_tick_are_named(void **state)
{
    static struct scene s;
    (void)state;
    scene_begin(&s, CROWD);
    assert_int_equal(flow_emit(&s.alarm, NULL), CROWD);
    const flow_profile_row *row = assert_culprit(&s, FLOW_PROFILE_FLOW, "sleeper");
    assert_int_equal(row->count, CROWD);
    assert_int_equal(row->excess_ns, 40000000);
    assert_int_equal(row->max_ns, 8000);
    scene_end(&s);
}

static void a_cancel_of_five_thousand_flows_is_named_with_its_worst(void **state)
{
    static struct scene s;
    (void)state;
    scene_begin(&s, CROWD);
    assert_int_equal(flow_cancel(s.p.story.world, s.crowd), FLOW_OK);
    const flow_profile_row *row = assert_culprit(&s, FLOW_PROFILE_CANCEL, "crowd");
    assert_int_equal(row->count, CROWD);
    assert_int_equal(row->excess_ns, 20000000);
    assert_int_equal(row->max_ns, 4000);
    assert_string_equal(row->worst_name, "sleeper");
    scene_end(&s);
}

static void be_posted(flow_world *world, void *arg)
{
    (void)world;
    profiled_spend(arg, 0.025);
}

static void a_flood_of_the_inbox_is_named(void **state)
{
    static struct scene s;
    (void)state;
    scene_begin(&s, 0);
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(flow_post(s.p.story.world, be_posted, &s.p), FLOW_OK);
    }
    const flow_profile_row *row = assert_culprit(&s, FLOW_PROFILE_TICK, "flow inbox");
    assert_int_equal(row->excess_ns, 25000000);
    assert_int_equal(row->count, 1000);
    scene_end(&s);
}

static void time_stolen_outside_of_every_zone_is_unaccounted(void **state)
{
    static struct scene s;
    (void)state;
    scene_begin(&s, 0);
    s.p.outside_ms = 30.0;
    profiled_frame(&s.p);
    assert_int_equal(assert_culprit(&s, FLOW_PROFILE_UNACCOUNTED, "unaccounted")->self_ns,
                     30000000);
    scene_end(&s);
}

/* ---- the rule and the line ---- */

static void a_hitch_is_told_in_one_line(void **state)
{
    static struct scene s;
    char expected[400];
    (void)state;
    scene_begin(&s, 512);
    plan.resume = 6.1;
    s.p.render_ms = 5.0;
    profiled_frame(&s.p);
    s.p.render_ms = 1.0;
    (void)flow_cancel(s.p.story.world, s.crowd);
    profiled_spend(&s.p, 0.4);
    profiled_frames(&s.p, 20);
    assert_int_equal(s.p.hitches, 1);
    const flow_profile_row *rows = s.p.frame.rows;
    (void)snprintf(expected, sizeof expected,
                   "HITCH f=131 total 18.6 work 18.6 (budget 16.7)"
                   " | 1 patient +6.1 (x1, worst #%u.%u test_profile_hitch.c:%d)"
                   " | 2 render +4.0"
                   " | 3 cancel crowd +2.0 (512 flows, worst sleeper#%u.%u 0.00)"
                   " | unaccounted 0.4\n",
                   (unsigned)rows[0].worst.slot, (unsigned)rows[0].worst.generation, PATIENT_LINE,
                   (unsigned)rows[2].worst.slot, (unsigned)rows[2].worst.generation);
    assert_string_equal(s.p.lines, expected);
    assert_int_equal(rows[2].max_ns, 4000);
    char cut[24];
    assert_int_equal(flow_profile_line(s.p.profile, &s.p.frame, cut, sizeof cut),
                     strlen(expected) - 1);
    assert_string_equal(cut, "HITCH f=131 total 18.6 ");
    scene_end(&s);
}

/* What a frame of so much work and waiting is, after 130 frames of 6 ms. */
static int hitches_of(double hz, double hitch_ms, double work, double wait, uint32_t marks)
{
    struct profiled p;
    profiled_begin(&p, &(flow_profile_desc){.target_hz = hz, .hitch_ms = hitch_ms});
    for (int i = 0; i < 130; i++) {
        bool it = i == 100;
        flow_profile_next_frame(p.profile, i == 101 ? &(flow_profile_info){.marks = marks} : NULL);
        profiled_spend(&p, it ? work : 6.0);
        flow_profile_begin_wait(p.profile, "sleep");
        profiled_spend(&p, it ? wait : 10.0);
        flow_profile_end(p.profile);
    }
    assert_int_equal(flow_profile_finish(p.profile), FLOW_OK);
    int hitches = p.hitches;
    profiled_end(&p);
    return hitches;
}

static void a_hitch_is_work_over_budget_and_over_what_is_usual_or_a_long_frame(void **state)
{
    (void)state;
    assert_int_equal(hitches_of(0, 0, 16.6, 0, 0), 0);
    assert_int_equal(hitches_of(0, 0, 16.7, 0, 0), 1);
    assert_int_equal(hitches_of(0, 0, 16.6, 60, 0), 0);
    assert_int_equal(hitches_of(250, 0, 9.0, 0, 0), 0); /* always over budget: 1.5 x the median */
    assert_int_equal(hitches_of(250, 0, 9.1, 0, 0), 1);
    assert_int_equal(hitches_of(0, 0, 6.0, 93.9, 0), 0);
    assert_int_equal(hitches_of(0, 0, 6.0, 94.1, 0), 1);
    assert_int_equal(hitches_of(0, 30, 6.0, 24.1, 0), 1);
    assert_int_equal(hitches_of(0, 0, 500.0, 0, FLOW_PROFILE_LOADING), 0);
    assert_int_equal(hitches_of(0, 0, 500.0, 0, FLOW_PROFILE_HIDDEN), 0);
}

static void the_first_thirty_frames_are_left_out(void **state)
{
    struct profiled p;
    (void)state;
    profiled_begin(&p, NULL);
    for (int i = 0; i < 40; i++) {
        flow_profile_next_frame(p.profile, NULL);
        profiled_spend(&p, i == 29 ? 300.0 : 5.0);
    }
    assert_int_equal(flow_profile_hitches(p.profile), 0);
    profiled_end(&p);
    profiled_begin(&p, NULL);
    for (int i = 0; i < 40; i++) {
        flow_profile_next_frame(p.profile, NULL);
        profiled_spend(&p, i == 30 ? 300.0 : 5.0);
    }
    assert_int_equal(flow_profile_hitches(p.profile), 1);
    profiled_end(&p);
}

static void hitches_within_a_fifth_of_a_second_are_told_as_one(void **state)
{
    struct profiled p;
    (void)state;
    profiled_begin(&p, NULL);
    for (int i = 0; i < 200; i++) {
        flow_profile_next_frame(p.profile, NULL);
        bool it = i == 60 || i == 65 || i == 75 || i == 130;
        profiled_spend(&p, it ? i == 65 ? 90.0 : 50.0 : 10.0);
        assert_int_equal(p.hitches, i < 97 ? 0 : i < 152 ? 1 : 2);
        if (i == 97) {
            assert_int_equal(p.merged, 3);
            assert_int_equal(p.frame.total_ns, 90000000);
            assert_non_null(strstr(p.lines, " | 3 frames within 0.2 s\n"));
        }
    }
    assert_int_equal(p.merged, 1);
    assert_int_equal(flow_profile_hitches(p.profile), 2);
    profiled_end(&p);
}

/* 299 frames of 16 ms and one of 120 (lesson J06): an average would hide it. */
static void one_long_frame_among_three_hundred_is_seen(void **state)
{
    struct profiled p;
    (void)state;
    profiled_begin(&p, NULL);
    (void)FLOW_RUN(p.story.world, patient);
    for (int i = 0; i < 300; i++) {
        plan.resume = i == 200 ? 119.0 : 0.0;
        profiled_frame(&p);
    }
    flow_profile_next_frame(p.profile, NULL);
    assert_int_equal(flow_profile_frames(p.profile), 300);
    assert_int_equal(flow_profile_max(p.profile, 1), 120002000);
    assert_true(flow_profile_percentile(p.profile, 1, 0.5) / 100000 == 160);
    assert_true(flow_profile_percentile(p.profile, 1, 0.997) == 120002000);
    assert_int_equal(flow_profile_hitches(p.profile), 1);
    assert_string_equal(p.frame.rows[0].name, "patient");
    profiled_end(&p);
}

/* ---- many ---- */

typedef enum spike_kind {
    SPIKE_RESUME,
    SPIKE_CALLED,
    SPIKE_START,
    SPIKE_FINALLY,
    SPIKE_PREDICATE,
    SPIKE_ZONE,
    SPIKE_RENDER,
    SPIKE_OUTSIDE,
    SPIKE_CANCEL,
    SPIKE_WAKES,
    SPIKE_KINDS
} spike_kind;

static const struct {
    flow_profile_kind kind;
    const char *name;
} expected_of[SPIKE_KINDS] = {
    {FLOW_PROFILE_FLOW, "patient"},    {FLOW_PROFILE_FLOW, "called"},
    {FLOW_PROFILE_FLOW, "newborn"},    {FLOW_PROFILE_FLOW, "newborn"},
    {FLOW_PROFILE_PREDICATE, "asker"}, {FLOW_PROFILE_ZONE, "ai"},
    {FLOW_PROFILE_ZONE, "render"},     {FLOW_PROFILE_UNACCOUNTED, "unaccounted"},
    {FLOW_PROFILE_CANCEL, "crowd"},    {FLOW_PROFILE_FLOW, "sleeper"}};

static void spike(struct scene *s, spike_kind kind, double ms)
{
    double *const burns[] = {&plan.resume, &plan.called, &plan.start, &plan.finally,
                             &plan.predicate};
    if (kind <= SPIKE_PREDICATE) {
        *burns[kind] = ms;
        profiled_frames(&s->p, 5); /* the mother starts one, or one of hers ends */
    } else if (kind == SPIKE_ZONE) {
        flow_profile_begin(s->p.profile, "ai");
        profiled_spend(&s->p, ms);
        flow_profile_end(s->p.profile);
    } else if (kind == SPIKE_RENDER) {
        s->p.render_ms = ms;
        profiled_frame(&s->p);
    } else if (kind == SPIKE_OUTSIDE) {
        s->p.outside_ms = ms;
        profiled_frame(&s->p);
    } else {
        int count = (int)(ms / (kind == SPIKE_CANCEL ? 0.004 : 0.008));
        (void)flow_profile_switch(s->p.profile, 0); /* the last crowd's end is no spike */
        (void)flow_cancel(s->p.story.world, s->crowd);
        crowd_begin(s, count);
        (void)flow_profile_switch(s->p.profile, 1);
        profiled_frames(&s->p, 40);
        if (kind == SPIKE_CANCEL) {
            (void)flow_cancel(s->p.story.world, s->crowd);
        } else {
            (void)flow_emit(&s->alarm, NULL);
        }
    }
    s->p.render_ms = 1.0;
}

static void two_hundred_random_spikes_are_all_named_right(void **state)
{
    static struct scene s;
    struct story_random random = {story_seed(20261130)};
    (void)state;
    scene_begin(&s, 0);
    for (int i = 0; i < 200; i++) {
        spike_kind kind = (spike_kind)story_random_below(&random, SPIKE_KINDS);
        s.p.lines[0] = '\0';
        profiled_frames(&s.p, 20 + (int)story_random_below(&random, 30));
        int before = s.p.hitches;
        spike(&s, kind, 14.0 + (double)story_random_below(&random, 6000) / 100.0);
        profiled_frames(&s.p, 20);
        const flow_profile_row *row = &s.p.frame.rows[0];
        if (s.p.hitches != before + 1 || row->kind != expected_of[kind].kind ||
            strcmp(row->name, expected_of[kind].name) != 0) {
            fail_msg("spike %d of kind %d: %d hitches, %s", i, (int)kind, s.p.hitches - before,
                     s.p.lines);
        }
    }
    scene_end(&s);
}

static void ten_thousand_quiet_frames_raise_none(void **state)
{
    static struct scene s;
    struct story_random random = {story_seed(20261130)};
    (void)state;
    scene_begin(&s, 100);
    for (int i = 0; i < 10000; i++) {
        plan.resume = (double)story_random_below(&random, 300) / 100.0;
        plan.predicate = (double)story_random_below(&random, 200) / 100.0;
        s.p.render_ms = 0.5 + (double)story_random_below(&random, 300) / 100.0;
        s.p.outside_ms = (double)story_random_below(&random, 100) / 100.0;
        if (story_random_below(&random, 50) == 0) {
            (void)flow_emit(&s.alarm, NULL);
        }
        profiled_frame(&s.p);
    }
    assert_int_equal(s.p.hitches, 0);
    assert_int_equal(flow_profile_hitches(s.p.profile), 0);
    scene_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_resume_that_burns_is_named),
        cmocka_unit_test(an_eager_start_is_named),
        cmocka_unit_test(a_finally_section_is_named),
        cmocka_unit_test(a_predicate_is_named),
        cmocka_unit_test(a_callback_of_the_host_is_named_in_whatever_zone),
        cmocka_unit_test(drawing_and_presenting_are_named),
        cmocka_unit_test(five_thousand_wakes_in_a_tick_are_named),
        cmocka_unit_test(a_cancel_of_five_thousand_flows_is_named_with_its_worst),
        cmocka_unit_test(a_flood_of_the_inbox_is_named),
        cmocka_unit_test(time_stolen_outside_of_every_zone_is_unaccounted),
        cmocka_unit_test(a_hitch_is_told_in_one_line),
        cmocka_unit_test(a_hitch_is_work_over_budget_and_over_what_is_usual_or_a_long_frame),
        cmocka_unit_test(the_first_thirty_frames_are_left_out),
        cmocka_unit_test(hitches_within_a_fifth_of_a_second_are_told_as_one),
        cmocka_unit_test(one_long_frame_among_three_hundred_is_seen),
        cmocka_unit_test(two_hundred_random_spikes_are_all_named_right),
        cmocka_unit_test(ten_thousand_quiet_frames_raise_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
