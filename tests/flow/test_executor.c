/* SPDX-License-Identifier: MIT */
/* Functions on workers: where their results go, in whatever order work, cancel and teardown come.
 */
#include "executors.h"
#include "flows.h"

#include <string.h>

/* What a job works on; owned says that its result is something to be given back. */
struct load {
    int wanted;  /* in */
    int result;  /* out: wanted + 1 */
    int code;    /* what the function returns */
    int *owned;  /* what is held by results that nobody has given back */
    int stopped; /* it was asked to stop when it ran */
    atomic_int *running;
    pthread_t home;
};

static int discards, discard_code, discard_result;

static int load_it(flow_job *job, void *data)
{
    struct load *load = data;
    assert_false(pthread_equal(pthread_self(), load->home));
    load->stopped = flow_job_stopped(job);
    load->result = load->wanted + 1;
    if (load->owned != NULL) {
        ++*load->owned;
    }
    return load->code == 0 ? 0 : flow_job_fail(job, load->code, "it could not be loaded");
}

static void discard(void *data, int code)
{
    struct load *load = data;
    assert_true(pthread_equal(pthread_self(), load->home));
    discards++;
    discard_code = code;
    discard_result = load->result;
    if (load->owned != NULL && load->result != 0) {
        --*load->owned;
    }
}

struct loader {
    flow_frame base;
    flow_executor *on;
    struct load load;
    flow_outcome outcome;
    double limit; /* seconds; 0: none */
    int timed_out, over;
    flow_property *progress;
};

FLOW_STATIC(loader)
{
    FLOW_BEGIN;
    self->load.home = pthread_self();
    if (self->limit > 0.0) {
        FLOW_TIMEOUT(&self->timed_out,
                     flow_run_with(self->on,
                                   FLOW_JOB(.run = load_it, .name = "load", .on_discard = discard),
                                   &self->load),
                     self->limit);
        story_log(story_of(flow), self->timed_out ? "late" : "in time");
        FLOW_RETURN;
    }
    FLOW_TRY(&self->outcome,
             flow_run_with(self->on,
                           FLOW_JOB(.run = load_it, .name = "load", .on_discard = discard,
                                    .progress = self->progress),
                           &self->load));
    self->over = 1;
    if (self->outcome.state == FLOW_STATE_DONE) {
        story_log(story_of(flow), "%d", self->load.result);
    } else {
        story_log(story_of(flow), "!%d %s", self->outcome.code, self->outcome.message);
    }
    FLOW_FINALLY;
    story_log(story_of(flow), self->over || self->limit > 0.0 ? "end" : "~");
    FLOW_END;
}

static void begin(struct story *s, struct hand *hand)
{
    discards = discard_code = discard_result = 0;
    story_begin(s, NULL);
    hand_begin(hand, 1);
}

/* ---- one job ---- */

static void a_function_runs_on_a_worker_and_its_flow_goes_on_at_home_with_the_result(void **state)
{
    struct story s;
    struct hand hand;
    (void)state;
    begin(&s, &hand);
    (void)FLOW_RUN(s.world, loader, .on = &hand.executor, .load.wanted = 41);
    assert_int_equal(hand.count, 1);
    story_frames(&s, 2, 10);
    story_expect(&s, "");
    hand_do(&hand);
    story_expect(&s, "");
    story_frame(&s, 10);
    story_expect(&s, "42 end");
    assert_int_equal(discards, 0);
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

static void a_job_that_fails_fails_its_wait_with_code_and_message(void **state)
{
    struct story s;
    struct hand hand;
    (void)state;
    begin(&s, &hand);
    (void)FLOW_RUN(s.world, loader, .on = &hand.executor, .load.code = 7);
    hand_do(&hand);
    story_frame(&s, 10);
    story_expect(&s, "!7 it could not be loaded end");
    story_end(&s);
}

static void an_executor_that_takes_nothing_or_drops_it_fails_the_wait_as_closed(void **state)
{
    struct story s;
    struct hand hand;
    (void)state;
    begin(&s, &hand);
    (void)FLOW_RUN(s.world, loader, .on = &hand.executor);
    hand_drop(&hand);
    hand.closed = 1;
    (void)FLOW_RUN(s.world, loader, .on = &hand.executor);
    story_expect(&s, "!-4 the executor takes no work end");
    story_frame(&s, 10);
    story_expect(&s, "!-4 closed: what was awaited has gone away end");
    assert_int_equal(discards, 0);
    story_end(&s);
}

static void a_job_that_nobody_waits_for_is_asked_to_stop_and_its_result_discarded_once(void **state)
{
    struct story s;
    struct hand hand;
    int owned = 0;
    (void)state;
    begin(&s, &hand);
    flow_handle before =
        FLOW_RUN(s.world, loader, .on = &hand.executor, .load = {.wanted = 1, .owned = &owned});
    flow_handle late =
        FLOW_RUN(s.world, loader, .on = &hand.executor, .load = {.wanted = 2, .owned = &owned});
    flow_handle done =
        FLOW_RUN(s.world, loader, .on = &hand.executor, .load = {.wanted = 3, .owned = &owned});
    assert_int_equal(flow_cancel(s.world, before), FLOW_OK); /* not begun: it never runs */
    hand_do(&hand);
    assert_int_equal(owned, 0);
    hand_do(&hand); /* done, but its flow goes before it has the result */
    assert_int_equal(owned, 1);
    assert_int_equal(flow_cancel(s.world, late), FLOW_OK);
    hand_do(&hand);
    story_expect(&s, "~ ~");
    assert_int_equal(discards, 0);
    assert_int_equal(flow_world_begin_frame(s.world, 0.01), FLOW_OK);
    assert_int_equal(discards, 2);
    assert_int_equal(discard_code, FLOW_OK);
    assert_int_equal(discard_result, 3);
    assert_int_equal(owned, 1);
    assert_int_equal(flow_cancel(s.world, done), FLOW_OK); /* it has its result, and cleans up */
    story_expect(&s, "~");
    assert_int_equal(discards, 2);
    story_end(&s);
}

static int wait_for_stop(flow_job *job, void *data)
{
    struct load *load = data;
    load->result = 1;
    atomic_store(load->running, 1);
    while (!flow_job_stopped(job)) {
        sched_yield();
    }
    atomic_store(load->running, 2);
    return FLOW_CANCELLED;
}

struct stopper {
    flow_frame base;
    flow_executor *on;
    struct load load;
};

FLOW_STATIC(stopper)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_run_with(self->on, FLOW_JOB(.run = wait_for_stop, .on_discard = discard),
                             &self->load));
    FLOW_END;
}

static void a_running_job_sees_that_its_flow_was_cancelled(void **state)
{
    struct story s;
    struct hand hand;
    struct pool pool;
    atomic_int running = 0;
    (void)state;
    begin(&s, &hand);
    pool_begin(&pool, 1);
    flow_handle h = FLOW_RUN(s.world, stopper, .on = &pool.executor,
                             .load = {.running = &running, .home = pthread_self()});
    while (atomic_load(&running) == 0) {
        sched_yield();
    }
    assert_int_equal(flow_cancel(s.world, h), FLOW_OK);
    while (discards == 0) {
        story_frame(&s, 10);
        sched_yield();
    }
    assert_int_equal(atomic_load(&running), 2);
    assert_int_equal(discard_code, FLOW_CANCELLED);
    story_end(&s);
    pool_end(&pool);
}

static void a_timeout_leaves_the_job_to_itself(void **state)
{
    struct story s;
    struct hand hand;
    (void)state;
    begin(&s, &hand);
    (void)FLOW_RUN(s.world, loader, .on = &hand.executor, .limit = 0.015);
    (void)FLOW_RUN(s.world, loader, .on = &hand.executor, .limit = 0.015);
    hand_do(&hand);
    story_frames(&s, 2, 10);
    story_expect(&s, "in time end late end");
    hand_do(&hand);
    story_frame(&s, 10);
    assert_int_equal(discards, 1);
    assert_int_equal(discard_code, FLOW_CANCELLED);
    story_end(&s);
}

/* ---- several at once ---- */

struct sums {
    flow_frame base;
    flow_executor *on;
    flow_set set;
    struct load loads[3];
};

FLOW_STATIC(sums)
{
    FLOW_BEGIN;
    if (flow_set_begin(flow, &self->set) != FLOW_OK) {
        FLOW_FAIL(FLOW_NOMEM, "no set");
    }
    for (int i = 0; i < 3; i++) {
        self->loads[i] = (struct load){.wanted = i, .home = pthread_self()};
        flow_set_add(&self->set, i, flow_run_on(self->on, load_it, &self->loads[i]));
    }
    FLOW_AWAIT(flow_all_of(&self->set));
    story_log(story_of(flow), "%d %d %d", self->loads[0].result, self->loads[1].result,
              self->loads[2].result);
    FLOW_END;
}

static void a_set_of_jobs_is_awaited_as_one(void **state)
{
    struct story s;
    struct hand hand;
    (void)state;
    begin(&s, &hand);
    (void)FLOW_RUN(s.world, sums, .on = &hand.executor);
    hand_do_all(&hand);
    story_frame(&s, 10);
    story_expect(&s, "1 2 3");
    story_end(&s);
}

/* ---- progress ---- */

struct steps {
    int count;
};

static int in_steps(flow_job *job, void *data)
{
    const struct steps *steps = data;
    for (int i = 1; i <= steps->count; i++) {
        flow_job_progress(job, (double)i / 4.0);
    }
    return 0;
}

struct stepper {
    flow_frame base;
    flow_executor *on;
    flow_property *progress;
    struct steps steps;
};

FLOW_STATIC(stepper)
{
    FLOW_BEGIN;
    FLOW_AWAIT(
        flow_run_with(self->on, FLOW_JOB(in_steps, .progress = self->progress), &self->steps));
    FLOW_END;
}

static void progress_is_a_property_that_gets_the_latest_once_a_frame(void **state)
{
    struct story s;
    struct hand hand;
    double value = -1.0;
    FLOW_PROPERTY(double) progress;
    (void)state;
    begin(&s, &hand);
    assert_int_equal(flow_property_init(&progress, s.world, &(double){0.0}), FLOW_OK);
    (void)FLOW_RUN(s.world, stepper, .on = &hand.executor, .progress = &progress.property,
                   .steps.count = 3);
    uint64_t version = flow_property_version(&progress);
    hand_do(&hand);
    story_frame(&s, 10);
    assert_int_equal(flow_property_version(&progress), version + 1);
    assert_int_equal(flow_property_get(&progress, &value), 1);
    assert_true(value > 0.74 && value < 0.76);
    (void)FLOW_RUN(s.world, stepper, .on = &hand.executor, .progress = &progress.property,
                   .steps.count = 9);
    flow_property_fini(&progress); /* gone before the news arrive */
    hand_do(&hand);
    story_frame(&s, 10);
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

/* ---- what is seen of one ---- */

static void the_dump_names_the_job_and_a_world_that_waits_for_one_is_not_stuck(void **state)
{
    struct story s;
    struct hand hand;
    char text[1024];
    (void)state;
    begin(&s, &hand);
    (void)FLOW_RUN(s.world, loader, .on = &hand.executor);
    (void)flow_world_dump_text(s.world, text, sizeof text);
    assert_non_null(strstr(text, "waits for job load, for 0 frames at loader"));
    assert_int_equal(flow_world_stuck(s.world, NULL, NULL), 0);
    hand_do(&hand);
    story_end(&s);
}

struct large {
    char bytes[40000];
};

static int fill(flow_job *job, void *data)
{
    struct large *large = data;
    (void)job;
    memset(large->bytes, 7, sizeof large->bytes);
    return 0;
}

struct filler {
    flow_frame base;
    flow_executor *on;
    struct large *large;
    flow_outcome outcome;
};

FLOW_STATIC(filler)
{
    FLOW_BEGIN;
    FLOW_TRY(&self->outcome, flow_run_on(self->on, fill, self->large));
    story_log(story_of(flow), "%d:%d", self->outcome.code, self->large->bytes[39999]);
    FLOW_END;
}

static void no_memory_for_a_job_fails_its_await(void **state)
{
    (void)state;
    int refused = 0;
    for (long fail_at = 1;; fail_at++) {
        struct story s = {.fail_at = fail_at};
        struct hand hand;
        struct large large = {{0}};
        hand_begin(&hand, 1);
        if (!story_try_begin(&s, NULL)) {
            continue;
        }
        flow_handle h = FLOW_RUN(s.world, filler, .on = &hand.executor, .large = &large);
        hand_do_all(&hand);
        story_frame(&s, 10);
        int calls = (int)(s.calls < fail_at);
        if (h.generation != 0) {
            refused += !calls;
            story_expect(&s, calls ? "0:7" : "-6:0");
        }
        story_end(&s);
        if (calls) {
            break;
        }
    }
    assert_true(refused != 0);
}

/* ---- the end of the world ---- */

static void do_one(struct hand *hand)
{
    hand_do(hand);
}

static void destroying_waits_for_jobs_and_discards_their_results(void **state)
{
    struct story s;
    struct hand hand;
    int owned = 0;
    (void)state;
    begin(&s, &hand);
    (void)FLOW_RUN(s.world, loader, .on = &hand.executor, .load.owned = &owned);
    (void)FLOW_RUN(s.world, loader, .on = &hand.executor, .load.owned = &owned);
    hand_do(&hand);
    hand.while_asleep = do_one;
    assert_int_equal(story_destroy(&s), FLOW_OK);
    assert_int_equal(hand.slept, 1);
    assert_int_equal(discards, 2);
    assert_int_equal(discard_code, FLOW_CANCELLED); /* the second had not begun */
    assert_int_equal(owned, 0);
    story_expect(&s, "~ ~");
    story_end(&s);
}

static void destroying_names_a_job_that_does_not_end_and_can_be_done_again(void **state)
{
    struct story s;
    struct hand hand;
    (void)state;
    begin(&s, &hand);
    story_end(&s);
    story_begin(&s, &(flow_world_desc){.job_limit = 0.0105});
    (void)FLOW_RUN(s.world, loader, .on = &hand.executor);
    assert_int_equal(flow_world_destroy(s.world), FLOW_PENDING);
    assert_int_equal(hand.slept, 11);
    assert_int_equal(s.warning_count, 1);
    assert_int_equal(s.warnings[0], FLOW_WARNING_JOB_OVERDUE);
    story_expect(&s, "~");
    hand.executor.sleep = NULL; /* then it does not wait */
    assert_int_equal(flow_world_destroy(s.world), FLOW_PENDING);
    assert_int_equal(hand.slept, 11);
    hand_do(&hand);
    assert_int_equal(story_destroy(&s), FLOW_OK);
    assert_int_equal(discards, 1);
    s.expect_warnings = 2;
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_function_runs_on_a_worker_and_its_flow_goes_on_at_home_with_the_result),
        cmocka_unit_test(a_job_that_fails_fails_its_wait_with_code_and_message),
        cmocka_unit_test(an_executor_that_takes_nothing_or_drops_it_fails_the_wait_as_closed),
        cmocka_unit_test(
            a_job_that_nobody_waits_for_is_asked_to_stop_and_its_result_discarded_once),
        cmocka_unit_test(a_running_job_sees_that_its_flow_was_cancelled),
        cmocka_unit_test(a_timeout_leaves_the_job_to_itself),
        cmocka_unit_test(a_set_of_jobs_is_awaited_as_one),
        cmocka_unit_test(progress_is_a_property_that_gets_the_latest_once_a_frame),
        cmocka_unit_test(the_dump_names_the_job_and_a_world_that_waits_for_one_is_not_stuck),
        cmocka_unit_test(no_memory_for_a_job_fails_its_await),
        cmocka_unit_test(destroying_waits_for_jobs_and_discards_their_results),
        cmocka_unit_test(destroying_names_a_job_that_does_not_end_and_can_be_done_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
