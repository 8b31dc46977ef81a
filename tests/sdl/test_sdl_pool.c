/* SPDX-License-Identifier: MIT */
/* The pool on SDL's threads: how it begins, works and ends, in every order. */
#include "story.h"

#include <SDL.h>
#include <string.h>

/* SDL fails to start the thread with this number, from 1; 0: none. */
static int fail_at, started, joined;
static char names[16][32];

static SDL_Thread *start_or_fail(SDL_ThreadFunction run, const char *name, void *data)
{
    if (started + 1 == fail_at) {
        SDL_SetError("no more threads");
        return NULL;
    }
    SDL_Thread *thread = SDL_CreateThread(run, name, data);
    (void)SDL_strlcpy(names[started % 16], SDL_GetThreadName(thread), sizeof names[0]);
    started++;
    return thread;
}

static void join(SDL_Thread *thread, int *status)
{
    joined++;
    SDL_WaitThread(thread, status);
}

#define SDL_CreateThread start_or_fail
#define SDL_WaitThread join
#include "flow_sdl.c"
#undef SDL_CreateThread
#undef SDL_WaitThread

static void begin(struct story *s)
{
    fail_at = started = joined = 0;
    story_begin(s, NULL);
}

/* ---- the beginning ---- */

static void a_pool_has_as_many_threads_as_are_asked_for_each_with_its_name(void **state)
{
    (void)state;
    fail_at = started = joined = 0;
    flow_sdl_pool *pool =
        flow_sdl_pool_create(&(flow_sdl_pool_desc){.threads = 3, .name = "loader"});
    assert_non_null(pool);
    assert_int_equal(started, 3);
    assert_int_equal(flow_sdl_pool_executor(pool)->parallelism, 3);
    assert_string_equal(names[0], "loader 1");
    assert_string_equal(names[2], "loader 3");
    assert_int_equal(flow_sdl_pool_destroy(pool), 0);
    assert_int_equal(joined, 3);
    started = joined = 0;
    pool = flow_sdl_pool_create(NULL);
    int wanted = SDL_GetCPUCount() > 2 ? SDL_GetCPUCount() - 1 : 1;
    assert_int_equal(started, wanted);
    assert_string_equal(names[0], "flow 1");
    assert_int_equal(flow_sdl_pool_destroy(pool), 0);
    assert_int_equal(flow_sdl_pool_destroy(NULL), 0);
}

/* F13 */
static void a_thread_that_cannot_be_started_is_one_clean_error(void **state)
{
    (void)state;
    for (fail_at = 1; fail_at <= 4; fail_at++) {
        started = joined = 0;
        flow_sdl_pool *pool = flow_sdl_pool_create(&(flow_sdl_pool_desc){.threads = 4});
        assert_null(pool);
        assert_string_equal(SDL_GetError(), "no more threads");
        assert_int_equal(started, fail_at - 1);
        assert_int_equal(joined, fail_at - 1);
    }
    fail_at = 0;
}

/* ---- work ---- */

struct sum {
    int begin, end, sum;
};

static int add_up(flow_job *job, void *data)
{
    struct sum *sum = data;
    (void)job;
    for (int i = sum->begin; i < sum->end; i++) {
        sum->sum += i;
    }
    return 0;
}

struct summer {
    flow_frame base;
    flow_executor *on;
    struct sum sum;
    int *total;
    flow_outcome outcome;
};

FLOW_STATIC(summer)
{
    FLOW_BEGIN;
    FLOW_TRY(&self->outcome, flow_run_on(self->on, add_up, &self->sum));
    if (self->outcome.state != FLOW_STATE_DONE) {
        story_log(story_of(flow), "!%d", self->outcome.code);
        FLOW_RETURN;
    }
    FLOW_AWAIT(flow_switch_to(self->on));
    self->sum.sum *= 2;
    FLOW_AWAIT(flow_switch_home());
    *self->total += self->sum.sum;
    FLOW_END;
}

static void run_until_done(struct story *s)
{
    while (flow_world_counters(s->world).live != 0) {
        story_update(s, 1);
        SDL_Delay(0);
    }
}

static void flows_share_the_threads_and_get_what_is_theirs(void **state)
{
    struct story s;
    int total = 0;
    (void)state;
    begin(&s);
    flow_sdl_pool *pool = flow_sdl_pool_create(&(flow_sdl_pool_desc){.threads = 3});
    for (int i = 0; i < 100; i++) {
        (void)FLOW_RUN(s.world, summer, .on = flow_sdl_pool_executor(pool), .total = &total,
                       .sum = {.begin = i * 10, .end = i * 10 + 10});
    }
    run_until_done(&s);
    assert_int_equal(total, 999 * 1000);
    story_end(&s);
    assert_int_equal(flow_sdl_pool_destroy(pool), 0);
}

/* F14 */
static void jobs_that_nobody_waits_for_leave_no_memory(void **state)
{
    struct story s;
    int total = 0;
    long allocations = 0;
    (void)state;
    begin(&s);
    flow_sdl_pool *pool = flow_sdl_pool_create(&(flow_sdl_pool_desc){.threads = 1});
    for (int round = 0; round < 1000; round++) {
        for (int i = 0; i < 100; i++) {
            flow_handle h = FLOW_RUN(s.world, summer, .on = flow_sdl_pool_executor(pool),
                                     .total = &total, .sum = {.begin = 0, .end = 2});
            (void)flow_cancel(s.world, h);
        }
        /* the last in, the last home */
        (void)FLOW_RUN(s.world, summer, .on = flow_sdl_pool_executor(pool), .total = &total);
        run_until_done(&s);
        allocations = round == 10 ? s.allocations : allocations;
    }
    assert_int_equal(s.allocations, allocations);
    assert_int_equal(total, 0);
    story_end(&s);
    assert_int_equal(flow_sdl_pool_destroy(pool), 0);
}

/* ---- the end ---- */

/* Runs until its pool is told to stop, so that what stands behind it never begins. */
static int wait_for_the_end(flow_job *job, void *data)
{
    flow_sdl_pool *pool = *(flow_sdl_pool **)data;
    int stopping = 0;
    (void)job;
    while (!stopping) {
        SDL_LockMutex(pool->lock);
        stopping = pool->stopping;
        SDL_UnlockMutex(pool->lock);
    }
    return 0;
}

struct gate {
    flow_frame base;
    flow_sdl_pool *pool;
};

FLOW_STATIC(gate)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_run_on(flow_sdl_pool_executor(self->pool), wait_for_the_end, &self->pool));
    story_log(story_of(flow), "done");
    FLOW_END;
}

static void a_pool_that_stops_before_its_world_drops_work_and_takes_none(void **state)
{
    struct story s;
    int total = 0;
    (void)state;
    begin(&s);
    flow_sdl_pool *pool = flow_sdl_pool_create(&(flow_sdl_pool_desc){.threads = 1});
    flow_executor *on = flow_sdl_pool_executor(pool);
    (void)FLOW_RUN(s.world, gate, .pool = pool);
    for (int begun = 0; !begun;) {
        SDL_LockMutex(pool->lock);
        begun = pool->first == NULL;
        SDL_UnlockMutex(pool->lock);
    }
    (void)FLOW_RUN(s.world, summer, .on = on, .total = &total);
    (void)FLOW_RUN(s.world, summer, .on = on, .total = &total);
    assert_int_equal(flow_sdl_pool_stop(pool), 0);
    story_expect(&s, "");
    (void)FLOW_RUN(s.world, summer, .on = on, .total = &total);
    story_expect(&s, "!-4");
    story_update(&s, 10);
    story_expect(&s, "done !-4 !-4");
    assert_int_equal(flow_sdl_pool_stop(pool), 0); /* once more changes nothing */
    story_end(&s);
    assert_int_equal(flow_sdl_pool_destroy(pool), 0);
}

static void a_world_that_is_destroyed_waits_for_its_work_on_the_pool(void **state)
{
    struct story s;
    int total = 0;
    (void)state;
    begin(&s);
    flow_sdl_pool *pool = flow_sdl_pool_create(&(flow_sdl_pool_desc){.threads = 2});
    for (int i = 0; i < 50; i++) {
        (void)FLOW_RUN(s.world, summer, .on = flow_sdl_pool_executor(pool), .total = &total,
                       .sum = {.begin = 0, .end = 10000});
    }
    assert_int_equal(story_destroy(&s), FLOW_OK);
    assert_int_equal(total, 0);
    assert_null(pool->first);
    s.expect_warnings = s.warning_count; /* results that nobody was told of, if any was there */
    story_end(&s);
    assert_int_equal(flow_sdl_pool_destroy(pool), 0);
}

static int stop_own_pool(flow_job *job, void *data)
{
    flow_sdl_pool **pool = data;
    (void)job;
    return flow_sdl_pool_stop(*pool) == -1 && flow_sdl_pool_destroy(*pool) == -1 ? 0 : 1;
}

struct self_joiner {
    flow_frame base;
    flow_sdl_pool *pool;
};

FLOW_STATIC(self_joiner)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_run_on(flow_sdl_pool_executor(self->pool), stop_own_pool, &self->pool));
    story_log(story_of(flow), "refused");
    FLOW_END;
}

/* F02 */
static void a_pool_is_not_stopped_on_its_own_thread(void **state)
{
    struct story s;
    (void)state;
    begin(&s);
    flow_sdl_pool *pool = flow_sdl_pool_create(&(flow_sdl_pool_desc){.threads = 1});
    (void)FLOW_RUN(s.world, self_joiner, .pool = pool);
    run_until_done(&s);
    story_expect(&s, "refused");
    story_end(&s);
    assert_int_equal(flow_sdl_pool_destroy(pool), 0);
}

/* F09 */
static void beginning_and_ending_ten_thousand_times_never_hangs(void **state)
{
    struct story s;
    uint64_t ended = 0;
    int total = 0;
    (void)state;
    begin(&s);
    for (int round = 0; round < 10000; round++) {
        flow_sdl_pool *pool = flow_sdl_pool_create(&(flow_sdl_pool_desc){.threads = 1 + round % 2});
        for (int i = 0; i < round % 9; i++) {
            (void)FLOW_RUN(s.world, summer, .on = flow_sdl_pool_executor(pool), .total = &total);
        }
        ended += (uint64_t)(round % 9);
        assert_int_equal(flow_sdl_pool_stop(pool), 0);
        run_until_done(&s); /* those that ran go on to a pool that takes nothing */
        assert_int_equal(flow_sdl_pool_destroy(pool), 0);
        s.log[0] = '\0';
    }
    flow_counters counters = flow_world_counters(s.world);
    assert_int_equal(counters.ended, ended);
    assert_int_equal(started, joined);
    s.expect_failures = (int)counters.failed; /* of those that wanted to go there a second time */
    story_end(&s);
}

static void the_clock_goes_on(void **state)
{
    (void)state;
    uint64_t before = flow_sdl_now_ns(NULL);
    SDL_Delay(2);
    uint64_t after = flow_sdl_now_ns(NULL);
    assert_true(after - before >= 1000000);
    assert_true(after - before < 60000000000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pool_has_as_many_threads_as_are_asked_for_each_with_its_name),
        cmocka_unit_test(a_thread_that_cannot_be_started_is_one_clean_error),
        cmocka_unit_test(flows_share_the_threads_and_get_what_is_theirs),
        cmocka_unit_test(jobs_that_nobody_waits_for_leave_no_memory),
        cmocka_unit_test(a_pool_that_stops_before_its_world_drops_work_and_takes_none),
        cmocka_unit_test(a_world_that_is_destroyed_waits_for_its_work_on_the_pool),
        cmocka_unit_test(a_pool_is_not_stopped_on_its_own_thread),
        cmocka_unit_test(beginning_and_ending_ten_thousand_times_never_hangs),
        cmocka_unit_test(the_clock_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
