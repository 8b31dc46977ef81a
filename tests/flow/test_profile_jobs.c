/* SPDX-License-Identifier: MIT */
/*
 * What flows have done by executors is in the trace without a word from the host: when it ran on
 * its worker, by the profiler's clock, in lanes in which no two overlap.
 */
#include "executors.h"
#include "profiled.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "trace_rules.h"

static const char path[] = "profile_jobs.json";

/* ---- work ---- */

struct piece {
    struct profiled *p;
    double ms;
};

static int dig(flow_job *job, void *data)
{
    const struct piece *piece = data;
    (void)job;
    profiled_spend(piece->p, piece->ms);
    return 0;
}

struct digger {
    flow_frame base;
    flow_executor *executor;
    struct piece piece;
};

FLOW_STATIC(digger)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_run_on(self->executor, dig, &self->piece));
    FLOW_END;
}

struct wanderer {
    flow_frame base;
    flow_executor *executor;
    struct piece piece;
};

FLOW_STATIC(wanderer)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_switch_to(self->executor));
    profiled_spend(self->piece.p, self->piece.ms);
    FLOW_AWAIT(flow_switch_home());
    FLOW_END;
}

static void plough_some(void *arg, size_t begin, size_t end)
{
    profiled_spend(arg, (double)(end - begin));
}

struct farmer {
    flow_frame base;
    flow_executor *executor;
    struct profiled *p;
};

FLOW_STATIC(farmer)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_parallel_for(self->executor, 6, 3, plough_some, self->p));
    FLOW_END;
}

/* ---- the trace ---- */

struct job_slice {
    char name[32];
    double ts, ms;
    int lane;
};

/* The jobs of a trace that keeps its rules, as they stand in it. */
static int jobs_of(struct job_slice *out, int most)
{
    struct trace_facts facts;
    long length = 0;
    int count = 0;
    const cJSON *event;
    char *text = read_file(path, &length);
    assert_non_null(text);
    cJSON *root = cJSON_Parse(text);
    if (!trace_keeps_rules(root, text, &facts)) {
        fail_msg("%s", facts.broken);
    }
    cJSON_ArrayForEach(event, cJSON_GetObjectItemCaseSensitive(root, "traceEvents"))
    {
        if (strcmp(text_of(event, "cat"), "job") == 0) {
            assert_true(count < most);
            (void)snprintf(out[count].name, sizeof out[count].name, "%s", text_of(event, "name"));
            out[count].ts = number_of(event, "ts") / 1000.0;
            out[count].ms = number_of(event, "dur") / 1000.0;
            out[count].lane = (int)number_of(event, "tid") - 200;
            count++;
        }
    }
    cJSON_Delete(root);
    free(text);
    return count;
}

static void assert_job(const struct job_slice *job, const char *name, double ts, double ms,
                       int lane)
{
    assert_string_equal(job->name, name);
    assert_true(job->ts > ts - 0.0005 && job->ts < ts + 0.0005);
    assert_true(job->ms > ms - 0.0005 && job->ms < ms + 0.0005);
    assert_int_equal(job->lane, lane);
}

static struct profiled p;

/* The trace begins at 0, and one frame of 16 ms has been. */
static void open_trace(void)
{
    profiled_begin(&p, NULL);
    assert_int_equal(flow_profile_trace(p.profile, path, FLOW_TRACE_ALL), FLOW_OK);
    profiled_frame(&p);
}

static int close_trace(struct job_slice *out, int most)
{
    profiled_frames(&p, 2);
    assert_int_equal(flow_profile_finish(p.profile), FLOW_OK);
    assert_int_equal(flow_world_counters(p.story.world).live, 0);
    profiled_end(&p);
    return jobs_of(out, most);
}

/* ---- tests ---- */

static void each_kind_of_work_on_a_worker_is_in_the_trace(void **state)
{
    struct hand hand;
    struct job_slice jobs[8];
    (void)state;
    hand_begin(&hand, 2);
    open_trace();
    flow_world *world = p.story.world;
    (void)FLOW_RUN(world, digger, .executor = &hand.executor, .piece = {&p, 5.0});
    (void)FLOW_RUN(world, wanderer, .executor = &hand.executor, .piece = {&p, 2.0});
    (void)FLOW_RUN(world, farmer, .executor = &hand.executor, .p = &p);
    assert_int_equal(hand.count, 4); /* the loop has two parts, for two workers */
    hand_do_all(&hand);
    assert_int_equal(close_trace(jobs, 8), 3); /* by hand, the first worker did both parts */
    assert_job(&jobs[0], "dig", 16.0, 5.0, 0);
    assert_job(&jobs[1], "wanderer", 21.0, 2.0, 0);
    assert_job(&jobs[2], "flow_parallel_for", 23.0, 6.0, 0);
}

static void what_loads_before_the_first_frame_is_in_the_trace_too(void **state)
{
    struct hand hand;
    struct job_slice jobs[4];
    (void)state;
    hand_begin(&hand, 1);
    profiled_begin(&p, NULL);
    assert_int_equal(flow_profile_trace(p.profile, path, FLOW_TRACE_ALL), FLOW_OK);
    (void)FLOW_RUN(p.story.world, digger, .executor = &hand.executor, .piece = {&p, 5.0});
    hand_do(&hand);
    profiled_frame(&p);
    assert_int_equal(close_trace(jobs, 4), 1);
    assert_job(&jobs[0], "dig", 0.0, 5.0, 0);
}

/* One that is under way while others come and go. */
static int dig_around(flow_job *job, void *data)
{
    struct hand *hand;
    (void)job;
    memcpy(&hand, data, sizeof hand);
    profiled_spend(&p, 1.0);
    hand_do(hand);
    profiled_spend(&p, 1.0);
    return 0;
}

struct overseer {
    flow_frame base;
    flow_executor *executor;
    struct hand *hand;
};

FLOW_STATIC(overseer)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_run_on(self->executor, dig_around, &self->hand));
    FLOW_END;
}

static void jobs_at_the_same_time_are_in_lanes_of_their_own(void **state)
{
    struct hand around, inner;
    struct job_slice jobs[4];
    (void)state;
    hand_begin(&around, 1);
    hand_begin(&inner, 1);
    open_trace();
    (void)FLOW_RUN(p.story.world, digger, .executor = &inner.executor, .piece = {&p, 3.0});
    (void)FLOW_RUN(p.story.world, overseer, .executor = &around.executor, .hand = &inner);
    hand_do(&around);
    assert_int_equal(close_trace(jobs, 4), 2); /* in the order in which they came home */
    assert_job(&jobs[0], "dig", 17.0, 3.0, 0);
    assert_job(&jobs[1], "dig_around", 16.0, 5.0, 1);
}

static void a_job_that_did_not_run_or_began_while_nothing_was_recorded_is_none(void **state)
{
    struct hand hand;
    struct job_slice jobs[4];
    (void)state;
    hand_begin(&hand, 1);
    open_trace();
    flow_world *world = p.story.world;
    (void)FLOW_RUN(world, wanderer, .executor = &hand.executor, .piece = {&p, 2.0});
    flow_handle left = FLOW_RUN(world, digger, .executor = &hand.executor, .piece = {&p, 2.0});
    assert_int_equal(flow_profile_switch(p.profile, 0), FLOW_OK);
    (void)FLOW_RUN(world, digger, .executor = &hand.executor, .piece = {&p, 4.0});
    assert_int_equal(flow_profile_switch(p.profile, 1), FLOW_OK);
    profiled_frame(&p);
    assert_int_equal(flow_cancel(world, left), FLOW_OK); /* it is asked to stop before it begins */
    hand_do_all(&hand);
    profiled_frame(&p);
    assert_int_equal(close_trace(jobs, 4), 1);
    assert_job(&jobs[0], "wanderer", 32.0, 2.0, 0);
}

/* ---- threads ---- */

static uint64_t real_clock(void *user)
{
    struct timespec now;
    (void)user;
    (void)timespec_get(&now, TIME_UTC);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void add_some(void *arg, size_t begin, size_t end)
{
    atomic_size_t *sum = arg;
    atomic_fetch_add(sum, end - begin);
}

struct adder {
    flow_frame base;
    flow_executor *executor;
    atomic_size_t *sum;
    int round;
};

FLOW_STATIC(adder)
{
    FLOW_BEGIN;
    for (self->round = 0; self->round < 50; self->round++) {
        FLOW_AWAIT(flow_parallel_for(self->executor, 64, 4, add_some, self->sum));
    }
    FLOW_END;
}

/* Workers read the clock while the world's thread does. */
static void workers_time_themselves_while_the_world_goes_on(void **state)
{
    struct pool pool;
    struct story story;
    struct job_slice jobs[512];
    atomic_size_t sum = 0;
    (void)state;
    story_begin(&story, NULL);
    flow_profile *profile = flow_profile_create(&(flow_profile_desc){.now_ns = real_clock});
    assert_non_null(profile);
    assert_int_equal(flow_profile_watch(profile, story.world), FLOW_OK);
    assert_int_equal(flow_profile_switch(profile, 1), FLOW_OK);
    assert_int_equal(flow_profile_trace(profile, path, FLOW_TRACE_ALL), FLOW_OK);
    pool_begin(&pool, 2);
    flow_profile_next_frame(profile, NULL);
    (void)FLOW_RUN(story.world, adder, .executor = &pool.executor, .sum = &sum);
    while (flow_world_counters(story.world).live > 0) {
        flow_profile_next_frame(profile, NULL);
        (void)flow_world_begin_frame(story.world, 0.016);
        (void)flow_world_tick(story.world, FLOW_UPDATE, 0.016);
        (void)sched_yield();
    }
    flow_profile_next_frame(profile, NULL);
    pool_end(&pool);
    assert_int_equal(flow_profile_destroy(profile), FLOW_OK);
    story_end(&story);
    assert_int_equal(sum, 50 * 64);
    assert_in_range(jobs_of(jobs, 512), 50, 100); /* each loop by one worker, or by both */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_of_work_on_a_worker_is_in_the_trace),
        cmocka_unit_test(what_loads_before_the_first_frame_is_in_the_trace_too),
        cmocka_unit_test(jobs_at_the_same_time_are_in_lanes_of_their_own),
        cmocka_unit_test(a_job_that_did_not_run_or_began_while_nothing_was_recorded_is_none),
        cmocka_unit_test(workers_time_themselves_while_the_world_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
