/* SPDX-License-Identifier: MIT */
/* Out of memory: an ordinary failure of what needed it, wherever it strikes, and never one of emit,
 * cancel and end. */
#include <string.h>

#include "actor.h"

/* ---- a byte budget ---- */

struct sleeper {
    flow_frame base;
    int *ended;
};

FLOW_STATIC(sleeper)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    ++*self->ended;
    FLOW_END;
}

struct caller {
    flow_frame base;
    flow_outcome outcome;
};

struct huge {
    flow_frame base;
    char bytes[100000];
};

FLOW_STATIC(huge)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next_tick());
    FLOW_END;
}

FLOW_STATIC(caller)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next_tick());
    FLOW_TRY(&self->outcome, FLOW_CALL(huge));
    story_log(story_of(flow), "call:%d", self->outcome.code);
    FLOW_TRY(&self->outcome, flow_race(NULL, flow_never(), FLOW_CALL(huge)));
    story_log(story_of(flow), "race:%d", self->outcome.code);
    FLOW_TRY(&self->outcome, flow_all(flow_never(), FLOW_CALL(huge)));
    story_log(story_of(flow), "all:%d", self->outcome.code);
    story_log(story_of(flow), "spawn:%d", FLOW_SPAWN(huge).generation != 0);
    FLOW_AWAIT(flow_next_tick());
    story_log(story_of(flow), "on");
    FLOW_AWAIT(FLOW_CALL(huge));
    story_log(story_of(flow), "never");
    FLOW_END;
}

static void
starting_and_awaiting_beyond_the_budget_fails_and_leaves_everything_consistent(void **state)
{
    struct story s;
    flow_outcome outcome = {0};
    int ended = 0, begun = 0;
    (void)state;
    story_begin(&s, &(flow_world_desc){.byte_budget = 1 << 20});
    flow_handle group = flow_group_create(s.world, NULL);
    flow_handle c = FLOW_RUN(s.world, caller);
    for (;;) { /* until one finds no room, to start or to wait */
        flow_handle h =
            FLOW_RUN_WITH(s.world, (&(flow_options){.owner = group, .outcome = &outcome}), sleeper,
                          .ended = &ended);
        if (outcome.state != FLOW_STATE_LIVE) {
            begun += h.generation != 0;
            break;
        }
        begun++;
    }
    assert_true(begun > 1000);
    assert_true(s.bytes <= 1 << 20);
    assert_int_equal(outcome.state, FLOW_STATE_FAILED);
    assert_int_equal(outcome.code, FLOW_NOMEM);
    flow_counters count = flow_world_counters(s.world);
    assert_int_equal(ended, (int)count.failed);
    assert_int_equal(count.live, (uint32_t)(begun - ended + 1));
    size_t full = s.bytes;
    story_update(&s, 1);
    story_expect(&s, "call:-6 race:-6 all:-6 spawn:0");
    story_update(&s, 1);
    story_expect(&s, "on");
    assert_outcome(s.world, c, FLOW_STATE_FAILED, FLOW_CAUSE_NONE, FLOW_NOMEM);
    assert_int_equal(flow_group_clear(s.world, group), FLOW_OK);
    assert_int_equal(ended, begun);
    story_alive(&s, 0, 0, 0);
    ended = 0; /* what ended left room: as many again, without a byte more */
    for (int i = 0; i < begun - 1; i++) {
        flow_handle h =
            FLOW_RUN_WITH(s.world, (&(flow_options){.owner = group, .outcome = &outcome}), sleeper,
                          .ended = &ended);
        assert_int_equal(flow_state_of(s.world, h), FLOW_STATE_LIVE);
    }
    assert_int_equal(s.bytes, full);
    assert_int_equal(flow_cancel(s.world, group), FLOW_OK);
    s.expect_failures = s.failure_count;
    for (int i = 0; i < s.failure_count && i < STORY_REPORTS; i++) {
        assert_int_equal(s.failures[i].failure.code, FLOW_NOMEM);
    }
    story_end(&s);
}

static void a_world_that_cannot_have_its_first_pages_is_not_created(void **state)
{
    (void)state;
    int created = 0;
    for (long at = 1; !created && at < 100; at++) {
        struct story s = {.fail_at = at};
        if (story_try_begin(&s, NULL)) {
            created = 1;
            assert_true(at > 2);
            s.fail_at = 0;
            story_end(&s);
        }
    }
    assert_true(created);
    for (size_t budget = 1; budget < 400000; budget = budget * 2 + 777) {
        struct story s = {0};
        if (story_try_begin(&s, &(flow_world_desc){.byte_budget = budget})) {
            assert_true(s.bytes <= budget);
            story_end(&s);
        }
    }
}

/* ---- stories with allocation n failing, and all after it ---- */

struct plot {
    FLOW_SIGNAL(int) signal;
    int ends; /* finally sections and cleanups run */
    int begins;
};

struct part {
    flow_frame base;
    struct plot *plot;
    int kind;
    int depth;
    int i;
    flow_handle h;
    flow_outcome outcome;
    char ballast[300];
};
FLOW_FORWARD(part);

static void count_end(void *arg)
{
    ++*(int *)arg;
}

static int no(void *arg)
{
    (void)arg;
    return 0;
}

FLOW_STATIC(part)
{
    FLOW_BEGIN;
    self->plot->begins++;
    if (self->kind == 0) { /* calls */
        if (self->depth > 0) {
            FLOW_AWAIT(
                FLOW_CALL(part, .plot = self->plot, .kind = self->kind, .depth = self->depth - 1));
        }
        FLOW_AWAIT(flow_next_tick());
    } else if (self->kind == 1) { /* compositions */
        FLOW_RACE(self->i, flow_next(&self->plot->signal, &self->i), flow_ticks(4),
                  FLOW_CALL(actor, .name = "x", .ticks = 2, .closing = 1),
                  flow_all(flow_frames(2), flow_seconds_on(FLOW_CLOCK_REAL, 9),
                           FLOW_CALL(actor, .name = "y", .ticks = -1)));
        FLOW_TIMEOUT(&self->i, flow_until(no, NULL), 0.02);
    } else if (self->kind == 2) { /* children and cleanups */
        FLOW_DEFER(count_end, &self->i);
        if (self->depth > 0) {
            self->h =
                FLOW_SPAWN(part, .plot = self->plot, .kind = self->kind, .depth = self->depth - 1);
            FLOW_AWAIT(flow_join(self->h, &self->outcome));
        }
        FLOW_AWAIT(flow_frames(2));
    } else if (self->kind == 3) { /* waits of every kind */
        FLOW_AWAIT(flow_seconds(0.01));
        FLOW_AWAIT(flow_seconds_on(FLOW_CLOCK_UNSCALED, 0.01));
        FLOW_AWAIT(flow_switch_phase(FLOW_LATE));
        FLOW_AWAIT(flow_ticks(2));
        FLOW_AWAIT(flow_next(&self->plot->signal, &self->i));
    } else { /* failures and cleanup awaits */
        FLOW_TRY(&self->outcome,
                 flow_all(FLOW_CALL(actor, .name = "z", .ticks = 1, .fail = 5, .closing = 1),
                          flow_never()));
        FLOW_SHIELD(flow_ticks(2));
        FLOW_AWAIT(FLOW_CALL(actor, .name = "z", .ticks = 1, .fail = 6));
    }
    FLOW_FINALLY;
    if (self->kind == 4) {
        FLOW_TRY(NULL, flow_ticks(2));
    }
    self->plot->ends++;
    FLOW_END;
}

enum { KINDS = 5, FLOWS = 150 };

static void play(struct story *s, struct plot *plot, int kind)
{
    flow_handle handle[FLOWS];
    flow_handle group = flow_group_create(s->world, NULL);
    for (int i = 0; i < FLOWS; i++) {
        handle[i] =
            FLOW_RUN_WITH(s->world, (&(flow_options){.owner = i % 3 ? group : (flow_handle){0, 0}}),
                          part, .plot = plot, .kind = kind, .depth = i % 7);
    }
    for (int i = 0; i < 6; i++) {
        story_frame(s, 10);
        if (i % 2) {
            (void)flow_emit(&plot->signal, &i);
        }
        (void)flow_cancel(s->world, handle[i * 5]);
        s->log[0] = '\0';
    }
    (void)flow_cancel(s->world, group);
    for (int i = 0; i < 16; i++) {
        story_frame(s, 10);
        (void)flow_emit(&plot->signal, &i);
        s->log[0] = '\0';
    }
}

/* The failures that this story brings by itself, by code. */
static int expected_code(int kind, int code)
{
    return code == FLOW_NOMEM || (kind == 4 && (code == 5 || code == 6));
}

static void run_with_failing(int kind, long fail_at, long *calls)
{
    struct story s;
    struct plot plot;
    memset(&plot, 0, sizeof plot);
    story_begin(&s, NULL);
    long begun = s.calls;
    s.fail_at = fail_at ? begun + fail_at : 0;
    if (flow_signal_init(&plot.signal, s.world) == FLOW_OK || fail_at == 0) {
        play(&s, &plot, kind);
        assert_int_equal(s.misuses, 0);
        flow_counters count = flow_world_counters(s.world);
        if (plot.ends != plot.begins) {
            fail_msg("kind %d, allocation %ld: %d began, %d ended, %u live", kind, fail_at,
                     plot.begins, plot.ends, count.live);
        }
        assert_int_equal(count.live, 0);
        assert_int_equal(count.waits, 0);
        assert_int_equal(count.timers, 0);
        assert_int_equal(count.started, count.ended);
        for (int i = 0; i < s.failure_count && i < STORY_REPORTS; i++) {
            assert_true(expected_code(kind, s.failures[i].failure.code));
        }
        flow_signal_fini(&plot.signal);
    }
    *calls = s.calls - begun;
    s.fail_at = 0;
    s.expect_failures = s.failure_count;
    story_end(&s);
}

static void stories_survive_each_allocation_failing_with_all_after_it(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        long calls, unused;
        run_with_failing(kind, 0, &calls);
        assert_true(calls > 0);
        for (long at = 1; at <= calls + 1; at++) {
            run_with_failing(kind, at, &unused);
        }
    }
}

/* ---- what cannot fail ---- */

enum { MANY = 5000 };

struct listener {
    flow_frame base;
    struct plot *plot;
    int closing;
};

FLOW_STATIC(listener)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next(&self->plot->signal, NULL));
    self->plot->begins++;
    FLOW_FINALLY;
    self->plot->ends++;
    FLOW_END;
}

static void emit_cancel_and_end_need_no_memory(void **state)
{
    struct story s;
    struct plot plot;
    flow_handle handle[MANY];
    (void)state;
    memset(&plot, 0, sizeof plot);
    story_begin(&s, NULL);
    assert_int_equal(flow_signal_init(&plot.signal, s.world), FLOW_OK);
    for (int i = 0; i < MANY; i++) {
        handle[i] =
            FLOW_RUN_WITH(s.world, &(flow_options){.phase = i % 2 ? FLOW_LATE : FLOW_UPDATE},
                          listener, .plot = &plot);
    }
    long calls = s.calls;
    s.fail_at = s.calls + 1;
    assert_int_equal(flow_emit(&plot.signal, NULL), MANY);
    for (int i = 0; i < MANY; i += 5) {
        assert_int_equal(flow_cancel(s.world, handle[i]), FLOW_OK);
    }
    assert_int_equal(flow_clock_pause(s.world, FLOW_CLOCK_GAME), FLOW_OK);
    story_frame(&s, 10); /* all are held */
    assert_int_equal(flow_clock_release(s.world, FLOW_CLOCK_GAME), FLOW_OK);
    story_frame(&s, 10);
    assert_int_equal(plot.begins, MANY - MANY / 5);
    assert_int_equal(plot.ends, MANY);
    assert_int_equal(s.calls, calls);
    story_alive(&s, 0, 0, 0);
    flow_signal_fini(&plot.signal);
    story_end(&s);
}

/* Groups stand in queues too when they have waited for their members to close. */
struct closes_late {
    flow_frame base;
    struct plot *plot;
};

FLOW_STATIC(closes_late)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    FLOW_AWAIT(flow_next(&self->plot->signal, NULL));
    FLOW_END;
}

static void thousands_of_groups_end_and_nobody_elses_resume_is_lost(void **state)
{
    enum { GROUPS = 20000 };
    static flow_handle group[GROUPS];
    struct story s;
    struct plot plot;
    (void)state;
    memset(&plot, 0, sizeof plot);
    story_begin(&s, NULL);
    assert_int_equal(flow_signal_init(&plot.signal, s.world), FLOW_OK);
    for (int i = 0; i < GROUPS; i++) {
        group[i] = flow_group_create(s.world, NULL);
        (void)FLOW_RUN_WITH(s.world, (&(flow_options){.owner = group[i], .phase = FLOW_EARLY}),
                            closes_late, .plot = &plot);
    }
    for (int i = 0; i < GROUPS; i++) {
        assert_int_equal(flow_cancel(s.world, group[i]), FLOW_PENDING);
    }
    assert_int_equal(flow_emit(&plot.signal, NULL), GROUPS);
    (void)flow_world_tick(s.world, FLOW_EARLY,
                          0.01); /* all members end; the groups' turn comes in UPDATE */
    assert_int_equal(flow_world_counters(s.world).live, 0);
    for (int i = 0; i < GROUPS; i++) {
        (void)FLOW_RUN(s.world, listener, .plot = &plot);
    }
    assert_int_equal(flow_emit(&plot.signal, NULL), GROUPS); /* now both stand in the same queue */
    story_update(&s, 10);
    assert_int_equal(plot.begins, GROUPS);
    assert_int_equal(plot.ends, GROUPS);
    for (int i = 0; i < GROUPS; i++) {
        assert_int_equal(flow_state_of(s.world, group[i]), FLOW_STATE_CANCELLED);
    }
    story_alive(&s, 0, 0, 0);
    flow_signal_fini(&plot.signal);
    story_end(&s);
}

/* A small reservation after a large one takes nothing back. */
static void reserving_less_than_lives_takes_nothing_away(void **state)
{
    struct story s;
    struct plot plot;
    (void)state;
    memset(&plot, 0, sizeof plot);
    story_begin(&s, NULL);
    assert_int_equal(flow_signal_init(&plot.signal, s.world), FLOW_OK);
    for (int i = 0; i < MANY; i++) {
        (void)FLOW_RUN(s.world, listener, .plot = &plot);
    }
    assert_int_equal(flow_world_reserve(s.world, 1), FLOW_OK);
    s.fail_at = s.calls + 1;
    assert_int_equal(flow_emit(&plot.signal, NULL), MANY);
    (void)flow_world_flush(s.world, FLOW_UPDATE);
    assert_int_equal(plot.begins, MANY);
    flow_signal_fini(&plot.signal);
    story_end(&s);
}

/* A failure needs no memory, however many are on their way at once. */
struct fails_slowly {
    flow_frame base;
    flow_outcome *outcome;
};

FLOW_STATIC(fails_slowly)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next_tick());
    FLOW_FAIL(77, "no memory needed");
    FLOW_FINALLY;
    FLOW_AWAIT(flow_next_tick());
    FLOW_END;
}

static void many_failures_at_once_need_no_memory_and_none_is_lost(void **state)
{
    enum { N = 1000 };
    struct story s;
    flow_outcome outcome[N];
    (void)state;
    story_begin(&s, NULL);
    for (int i = 0; i < N; i++) {
        (void)FLOW_RUN_WITH(s.world, &(flow_options){.outcome = &outcome[i]}, fails_slowly);
    }
    s.fail_at = s.calls + 1;
    story_update(&s, 1);
    story_update(&s, 1);
    int failed = 0;
    for (int i = 0; i < N; i++) {
        failed += outcome[i].state == FLOW_STATE_FAILED && outcome[i].code == 77;
    }
    assert_int_equal(failed, N);
    assert_int_equal(s.failure_count, N);
    s.expect_failures = N;
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            starting_and_awaiting_beyond_the_budget_fails_and_leaves_everything_consistent),
        cmocka_unit_test(a_world_that_cannot_have_its_first_pages_is_not_created),
        cmocka_unit_test(stories_survive_each_allocation_failing_with_all_after_it),
        cmocka_unit_test(emit_cancel_and_end_need_no_memory),
        cmocka_unit_test(thousands_of_groups_end_and_nobody_elses_resume_is_lost),
        cmocka_unit_test(reserving_less_than_lives_takes_nothing_away),
        cmocka_unit_test(many_failures_at_once_need_no_memory_and_none_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
