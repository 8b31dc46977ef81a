/* SPDX-License-Identifier: MIT */
/*
 * What the macros of flow/async.h make of a body: program order, state in frames, resume points,
 * paths. That misuse is diagnosed, and that the forms compile cleanly with both compilers, is
 * tested in tests/build.
 */
#include "story.h"

#include <stdlib.h>
#include <string.h>

#define LOG(...) story_log(story_of(flow), __VA_ARGS__)
#define TICK FLOW_AWAIT(flow_next_tick())
#define LOG_TICK_TWICE(a, b)                                                                       \
    do {                                                                                           \
        LOG(a);                                                                                    \
        TICK;                                                                                      \
        LOG(b);                                                                                    \
        TICK;                                                                                      \
    } while (0)

static void ticks(struct story *story, int count)
{
    while (count-- > 0) {
        story_update(story, 10);
    }
}

/* ---- program order (scenario 12 of the lessons) ---- */

struct ordered {
    flow_frame base;
    int i;
    int kept[3];
};

FLOW_STATIC(ordered)
{
    FLOW_BEGIN;
    /* clang-format off */
    LOG("a"); TICK; LOG("b"); TICK; LOG("c"); FLOW_AWAIT(flow_ready()); LOG("d"); TICK;
    LOG_TICK_TWICE("e", "f"); LOG_TICK_TWICE("g", "h");
    /* clang-format on */
    LOG_TICK_TWICE("i", "j");
    LOG_TICK_TWICE("k", "l");
    if (self->i == 0) {
        LOG("if");
        TICK;
    } else {
        LOG("never");
        TICK;
    }
    if (self->i != 0)
        TICK;
    else
        LOG("else");
    for (self->i = 0; self->i < 2; self->i++) {
        self->kept[self->i] = 10 + self->i;
        LOG("for%d", self->i);
        TICK;
    }
    while (self->i-- > 0) {
        LOG("while%d", self->kept[self->i]);
        TICK;
    }
    do {
        LOG("do%d", self->i);
        TICK;
    } while (++self->i < 1);
    LOG("end");
    FLOW_FINALLY;
    LOG("finally");
    TICK;
    LOG("cleaned");
    FLOW_END;
}

static void the_trace_is_the_order_of_the_program(void **state)
{
    struct story story;
    (void)state;
    story_begin(&story, NULL);
    (void)FLOW_RUN(story.world, ordered);
    ticks(&story, 40);
    story_expect(&story, "a b c d e f g h i j k l if else for0 for1 while11 while10 do-1 do0 end "
                         "finally cleaned");
    story_alive(&story, 0, 0, 0);
    story_end(&story);
}

/* Each TICK of it is one tick: none is skipped, none waits twice. */
static void every_await_of_a_tick_takes_one(void **state)
{
    struct story story;
    int count = 0;
    (void)state;
    story_begin(&story, NULL);
    flow_handle flow = FLOW_RUN(story.world, ordered);
    while (flow_state_of(story.world, flow) == FLOW_STATE_LIVE) {
        ticks(&story, 1);
        count++;
    }
    assert_int_equal(count, 3 + 8 + 1 + 2 + 2 + 2 + 1);
    story_end(&story);
}

/* ---- many awaits ---- */

#define STEP                                                                                       \
    self->done++;                                                                                  \
    TICK;
#define TEN_STEPS STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP
#define HUNDRED_STEPS                                                                              \
    TEN_STEPS TEN_STEPS TEN_STEPS TEN_STEPS TEN_STEPS TEN_STEPS TEN_STEPS TEN_STEPS TEN_STEPS      \
        TEN_STEPS

struct many {
    flow_frame base;
    int *seen;
    int done;
};

FLOW_STATIC(many)
{
    FLOW_BEGIN;
    HUNDRED_STEPS HUNDRED_STEPS HUNDRED_STEPS;
    LOG("end");
    FLOW_FINALLY;
    *self->seen = self->done;
    FLOW_END;
}

static void a_body_may_hold_hundreds_of_awaits(void **state)
{
    struct story story;
    int seen = 0;
    (void)state;
    story_begin(&story, NULL);
    (void)FLOW_RUN(story.world, many, .seen = &seen);
    ticks(&story, 299);
    assert_int_equal(seen, 0);
    ticks(&story, 1);
    assert_int_equal(seen, 300);
    story_expect(&story, "end");
    story_end(&story);
}

/* ---- state in frames ---- */

struct pair {
    int a, b;
};

struct callee {
    flow_frame base;
    int ticks;
    struct pair in;
    int numbers[4];
    int *out;
};

FLOW_STATIC(callee)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_ticks(self->ticks));
    *self->out = self->in.a + self->in.b + self->numbers[0] + self->numbers[3];
    FLOW_END;
}

struct keeps_state {
    flow_frame base;
    struct pair pair;
    int early, late, i;
};

FLOW_STATIC(keeps_state)
{
    FLOW_BEGIN;
    self->pair = (struct pair){3, 4};
    FLOW_AWAIT(FLOW_CALL(callee, .in = self->pair, .numbers = {1, 0, 0, 2}, .out = &self->early));
    FLOW_AWAIT(
        FLOW_CALL(callee, .numbers = {[3] = 5}, .ticks = 3, .in = {.b = 6}, .out = &self->late));
    LOG("%d %d %d %d", self->pair.a, self->pair.b, self->early, self->late);
    FLOW_END;
}

static void what_is_in_the_frame_lives_over_awaits_and_calls(void **state)
{
    struct story story;
    (void)state;
    story_begin(&story, NULL);
    (void)FLOW_RUN(story.world, keeps_state);
    ticks(&story, 3);
    story_expect(&story, "3 4 10 11");
    story_end(&story);
}

struct wide {
    flow_frame base;
    int depth;
    int *good;
    _Alignas(32) unsigned char bytes[700];
};

/* Frames larger than a segment and aligned beyond 16, one in another, keep their bytes and their
 * places. */
FLOW_STATIC(wide)
{
    FLOW_BEGIN;
    memset(self->bytes, self->depth, sizeof self->bytes);
    *self->good += (uintptr_t)self->bytes % 32 == 0;
    if (self->depth > 0) {
        FLOW_AWAIT(FLOW_CALL(wide, .depth = self->depth - 1, .good = self->good));
    }
    TICK;
    for (size_t i = 0; i < sizeof self->bytes; i++) {
        *self->good += self->bytes[i] == self->depth;
    }
    FLOW_END;
}

static void large_and_aligned_frames_keep_their_bytes(void **state)
{
    struct story story;
    int good = 0;
    (void)state;
    story_begin(&story, NULL);
    (void)FLOW_RUN(story.world, wide, .depth = 4, .good = &good);
    ticks(&story, 5);
    assert_int_equal(good, 5 * (1 + 700));
    story_end(&story);
}

struct zeroed {
    flow_frame base;
    int number;
    double real;
    void *pointer;
    int *good;
};

FLOW_STATIC(zeroed)
{
    FLOW_BEGIN;
    *self->good += self->number == 0 && self->real == 0.0 && self->pointer == NULL;
    self->number = 1;
    self->real = 2.0;
    self->pointer = self;
    TICK;
    FLOW_END;
}

struct calls_zeroed {
    flow_frame base;
    int *good;
    int i;
};

FLOW_STATIC(calls_zeroed)
{
    FLOW_BEGIN;
    for (self->i = 0; self->i < 3; self->i++) {
        FLOW_AWAIT(FLOW_CALL(zeroed, .good = self->good));
    }
    FLOW_END;
}

static void what_is_not_named_in_a_call_is_zero(void **state)
{
    struct story story;
    int good = 0;
    (void)state;
    story_begin(&story, NULL);
    (void)FLOW_RUN(story.world, zeroed, .good = &good);
    (void)FLOW_RUN(story.world, calls_zeroed, .good = &good);
    ticks(&story, 4);
    assert_int_equal(good, 4);
    story_end(&story);
}

/* ---- waits as values ---- */

static flow_wait a_wait_of(int ticks_or_none)
{
    return ticks_or_none > 0 ? flow_ticks(ticks_or_none) : flow_ready();
}

struct from_values {
    flow_frame base;
};

FLOW_STATIC(from_values)
{
    flow_wait wait;
    FLOW_BEGIN;
    wait = flow_ticks(2);
    FLOW_AWAIT(wait);
    LOG("two");
    {
        flow_wait inner;
        inner = a_wait_of(1);
        FLOW_AWAIT(inner);
    }
    LOG("one");
    FLOW_AWAIT(a_wait_of(0));
    LOG("none");
    FLOW_END;
}

static void a_wait_may_be_kept_in_a_local_until_it_is_awaited(void **state)
{
    struct story story;
    (void)state;
    story_begin(&story, NULL);
    (void)FLOW_RUN(story.world, from_values);
    ticks(&story, 2);
    story_expect(&story, "two");
    ticks(&story, 1);
    story_expect(&story, "one none");
    story_end(&story);
}

static int evaluations;

static flow_wait counted_wait(void)
{
    evaluations++;
    return flow_next_tick();
}

struct evaluates {
    flow_frame base;
    flow_outcome outcome;
    int i;
};

FLOW_STATIC(evaluates)
{
    FLOW_BEGIN;
    FLOW_AWAIT(counted_wait());
    FLOW_TRY(&self->outcome, counted_wait());
    FLOW_SHIELD(counted_wait());
    FLOW_RACE(self->i, counted_wait(), flow_never());
    FLOW_ALL(counted_wait(), counted_wait());
    FLOW_TIMEOUT(&self->i, counted_wait(), 9.0);
    LOG("end");
    FLOW_END;
}

static void a_wait_is_evaluated_once(void **state)
{
    struct story story;
    (void)state;
    story_begin(&story, NULL);
    evaluations = 0;
    (void)FLOW_RUN(story.world, evaluates);
    ticks(&story, 20);
    story_expect(&story, "end");
    assert_int_equal(evaluations, 7);
    story_end(&story);
}

/* ---- paths ---- */

#define LOG_PATH(capacity)                                                                         \
    do {                                                                                           \
        char path[64];                                                                             \
        size_t length = flow_path(flow, path, (capacity));                                         \
        LOG("[%s]%zu", path, length);                                                              \
    } while (0)

struct inner {
    flow_frame base;
};
FLOW_STATIC(inner)
{
    FLOW_BEGIN;
    LOG_PATH(64);
    TICK;
    LOG_PATH(64);
    LOG_PATH(10);
    FLOW_END;
}

struct middle {
    flow_frame base;
};
FLOW_STATIC(middle)
{
    FLOW_BEGIN;
    FLOW_AWAIT(FLOW_CALL(inner));
    LOG_PATH(64);
    FLOW_END;
}

struct outer {
    flow_frame base;
};
FLOW_STATIC(outer)
{
    FLOW_BEGIN;
    LOG_PATH(64);
    FLOW_AWAIT(FLOW_CALL(middle));
    (void)FLOW_SPAWN(inner);
    TICK;
    FLOW_END;
}

static void a_path_names_the_functions_from_the_root_to_the_running_one(void **state)
{
    struct story story;
    (void)state;
    story_begin(&story, NULL);
    (void)FLOW_RUN(story.world, outer);
    story_expect(&story, "[outer]5 [outer > middle > inner]22");
    ticks(&story, 1);
    story_expect(&story,
                 "[outer > middle > inner]22 [outer > m]22 [outer > middle]14 [outer > inner]13");
    ticks(&story, 1);
    story_expect(&story, "[outer > inner]13 [outer > i]13");
    story_end(&story);
}

/* ---- a resume point that is none ---- */

struct corrupt {
    flow_frame base;
    flow_frame **at;
    int *cleaned;
};

FLOW_STATIC(corrupt)
{
    FLOW_BEGIN;
    *self->at = &self->base;
    TICK;
    LOG("not here");
    FLOW_FINALLY;
    ++*self->cleaned;
    FLOW_END;
}

static void resuming_at_a_place_that_is_none_fails_the_flow_as_misuse(void **state)
{
    struct story story;
    flow_frame *at = NULL;
    int cleaned = 0;
    (void)state;
    story_begin(&story, NULL);
    story.expect_failures = 1;
    flow_handle flow = FLOW_RUN(story.world, corrupt, .at = &at, .cleaned = &cleaned);
    at->at_ |= 0xffffu;
    ticks(&story, 1);
    assert_int_equal(flow_state_of(story.world, flow), FLOW_STATE_FAILED);
    assert_int_equal(story.failures[0].failure.code, FLOW_MISUSE);
    assert_int_equal(cleaned, 1);
    story_expect(&story, "");
#ifndef FLOW_NO_ASSERT
    assert_int_equal(story.misuses, 1);
    assert_non_null(strstr(story.misuse, "place"));
    story.expect_misuses = 1;
#endif
    story_end(&story);
}

/* ---- a call among the arguments of another ---- */

struct walk {
    flow_frame base;
};
FLOW_STATIC(walk)
{
    FLOW_BEGIN;
    LOG("walk");
    FLOW_END;
}

struct takes_a_wait {
    flow_frame base;
    flow_wait wait;
};
FLOW_STATIC(takes_a_wait)
{
    FLOW_BEGIN;
    LOG("takes");
    FLOW_AWAIT(self->wait);
    FLOW_END;
}

struct calls_in_a_call {
    flow_frame base;
    flow_outcome outcome;
};

#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunsequenced" /* the very mistake that is made here */
#endif
FLOW_STATIC(calls_in_a_call)
{
    FLOW_BEGIN;
    FLOW_TRY(&self->outcome, FLOW_CALL(takes_a_wait, .wait = FLOW_CALL(walk)));
    LOG("%d", self->outcome.code);
    FLOW_AWAIT(FLOW_CALL(walk));
    FLOW_FINALLY;
    LOG("finally");
    FLOW_END;
}
#ifdef __clang__
#pragma clang diagnostic pop
#endif

static void a_call_among_the_arguments_of_another_is_misuse(void **state)
{
    struct story story;
    (void)state;
    story_begin(&story, NULL);
    (void)FLOW_RUN(story.world, calls_in_a_call);
    ticks(&story, 2);
    story_expect(&story, "-10 walk finally");
    story_alive(&story, 0, 0, 0);
#ifndef FLOW_NO_ASSERT
    assert_int_equal(story.misuses, 1);
    story.expect_misuses = 1;
#endif
    story_end(&story);
}

/* ---- locals ---- */

#ifdef FLOW_POISON_STACK
static void fill(int *values)
{
    for (int i = 0; i < 64; i++) {
        values[i] = i;
    }
}

/* Through pointers that no compiler looks behind: what is read may be the remains of something
 * else. */
static int count_kept(int *values)
{
    volatile int *seen = values;
    int same = 0;
    for (int i = 0; i < 64; i++) {
        same += seen[i] == i;
    }
    return same;
}
static int (*volatile still_there)(int *values) = count_kept;

struct uses_a_local {
    flow_frame base;
    int *same_before;
    int *same_after;
};

FLOW_STATIC(uses_a_local)
{
    int values[64];
    FLOW_BEGIN;
    fill(values);
    *self->same_before = still_there(values);
    TICK;
    *self->same_after = still_there(values);
    FLOW_END;
}

static void a_local_array_used_across_an_await_is_visibly_lost(void **state)
{
    struct story story;
    int before = -1;
    int after = -1;
    const char *preloaded = getenv("LD_PRELOAD");
    (void)state;
    if (preloaded != NULL && strstr(preloaded, "vgpreload") != NULL) {
        skip(); /* valgrind reports the very mistake that is made here */
    }
    story_begin(&story, NULL);
    (void)FLOW_RUN(story.world, uses_a_local, .same_before = &before, .same_after = &after);
    ticks(&story, 1);
    assert_int_equal(before, 64);
    assert_true(after >= 0 && after < 8);
    story_end(&story);
}
#endif

/* ---- lines beyond 65,535: the line of an await is kept in 16 bits, all else is not affected ----
 */

struct far_down {
    flow_frame base;
    int i;
};

#line 70000
FLOW_STATIC(far_down)
{
    FLOW_BEGIN;
    for (self->i = 0; self->i < 3; self->i++) {
        TICK; /* line 70004, which is 4468 in 16 bits */
        LOG("%d", self->i);
    }
    FLOW_FAIL(7, "far down"); /* line 70007 */
    FLOW_END;
}

static void a_body_may_lie_beyond_line_65535(void **state)
{
    struct story story;
    char text[1024];
    (void)state;
    story_begin(&story, NULL);
    story.expect_failures = 1;
    (void)FLOW_RUN(story.world, far_down);
    (void)flow_world_dump_text(story.world, text, sizeof text);
    assert_non_null(strstr(text, ":4468"));
    ticks(&story, 3);
    story_expect(&story, "0 1 2");
    assert_int_equal(story.failures[0].failure.line, 70007);
    story_end(&story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_trace_is_the_order_of_the_program),
        cmocka_unit_test(every_await_of_a_tick_takes_one),
        cmocka_unit_test(a_body_may_hold_hundreds_of_awaits),
        cmocka_unit_test(what_is_in_the_frame_lives_over_awaits_and_calls),
        cmocka_unit_test(large_and_aligned_frames_keep_their_bytes),
        cmocka_unit_test(what_is_not_named_in_a_call_is_zero),
        cmocka_unit_test(a_wait_may_be_kept_in_a_local_until_it_is_awaited),
        cmocka_unit_test(a_wait_is_evaluated_once),
        cmocka_unit_test(a_path_names_the_functions_from_the_root_to_the_running_one),
        cmocka_unit_test(a_call_among_the_arguments_of_another_is_misuse),
        cmocka_unit_test(resuming_at_a_place_that_is_none_fails_the_flow_as_misuse),
#ifdef FLOW_POISON_STACK
        cmocka_unit_test(a_local_array_used_across_an_await_is_visibly_lost),
#endif
        cmocka_unit_test(a_body_may_lie_beyond_line_65535),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
