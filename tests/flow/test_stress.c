/* SPDX-License-Identifier: MIT */
/*
 * Four workers complete, cancel and post while the world cancels and is torn down, pool first or
 * world first. What comes when is chance, what comes out is not: every result goes to exactly one
 * place, every cleanup runs once, at home. FLOW_STRESS_SECONDS says for how long; else it is short.
 */
#include "executors.h"
#include "flows.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WORKERS = 4, FLOWS = 240, ROUNDS = 12, FRAMES = 12, LOOP = 64 };

typedef enum kind { QUICK, AWAY, LOOPS, PROMISED, KINDS, STUBBORN } kind;

/* What became of one flow and of what it had done elsewhere. */
typedef struct fate {
    struct round *round;
    kind kind;
    flow_handle flow;
    atomic_int ran;  /* on a worker; 2: to its end */
    atomic_int told; /* it was asked to stop while it ran */
    atomic_int parts;
    int begun, taken, discarded, discard_code, refused, cleaned, home;
} fate;

struct round {
    struct story story;
    struct pool pool;
    pthread_t home;
    struct story_random random;
    FLOW_SIGNAL(int) rumour;
    atomic_int posted, sent, promised;
    int posts_run, posts_dropped;
    fate fates[FLOWS];
};

/* All rounds together. */
static struct totals {
    int taken, before, during, late, refused, cleaned, away_home, loops, promises;
} totals;

static void at_home(const struct round *round)
{
    assert_true(pthread_equal(pthread_self(), round->home));
}

/* ---- on the workers ---- */

static void post_run(flow_world *world, void *arg)
{
    struct round *round = arg;
    (void)world;
    at_home(round);
    round->posts_run++;
}

static void post_dropped(void *arg)
{
    struct round *round = arg;
    at_home(round);
    round->posts_dropped++;
}

/* What a worker does to others beside its work. */
static void meddle(fate *f)
{
    struct round *round = f->round;
    flow_world *world = round->story.world;
    int sent = 0;
    if (flow_post_or(world, post_run, round, post_dropped) == FLOW_OK) {
        atomic_fetch_add(&round->posted, 1);
    }
    if ((f - round->fates) % 4 == 0) {
        sent += flow_cancel_any_thread(world, f->flow) == FLOW_OK;
    }
    sent += flow_emit_any_thread(&round->rumour, &(int){1}) == FLOW_OK;
    atomic_fetch_add(&round->sent, sent);
}

struct task {
    fate *fate;
    int result;
    FLOW_COMPLETION(int) promise; /* a copy */
};

static int work(flow_job *job, void *data)
{
    struct task *task = data;
    fate *f = task->fate;
    assert_int_equal(atomic_fetch_add(&f->ran, 1), 0);
    for (int i = 0; i < 200 || f->kind == STUBBORN; i++) { /* a stubborn one waits for the stop */
        if (flow_job_stopped(job)) {
            atomic_store(&f->told, 1);
            break;
        }
        if (i % 16 == 0) {
            sched_yield();
        }
    }
    if (f->kind == PROMISED) {
        atomic_fetch_add(&f->round->promised, flow_completion_set(&task->promise, &(int){7}));
    }
    task->result = 1;
    atomic_store(&f->ran, 2);
    return 0;
}

static void discard(void *data, int code)
{
    const struct task *task = data;
    at_home(task->fate->round);
    task->fate->discarded++;
    task->fate->discard_code = code;
}

static void count_parts(void *arg, size_t begin, size_t end)
{
    fate *f = arg;
    atomic_fetch_add(&f->parts, (int)(end - begin));
}

/* ---- the flows ---- */

struct stressed {
    flow_frame base;
    fate *fate;
    struct task task;
    FLOW_COMPLETION(int) promise;
    int value, which;
    flow_outcome outcome;
};

static const flow_job_desc job_desc = {work, "stress", discard, NULL};

FLOW_STATIC(stressed)
{
    FLOW_BEGIN;
    self->fate->begun = 1;
    self->task.fate = self->fate;
    self->fate->flow = flow_self(flow);
    if (self->fate->kind == PROMISED &&
        flow_completion_init(&self->promise, flow_world_of(flow)) == FLOW_OK) {
        memcpy(&self->task.promise, &self->promise, sizeof self->promise);
    }
    if (self->fate->kind == AWAY) {
        FLOW_TRY(&self->outcome, flow_switch_to(&self->fate->round->pool.executor));
        if (self->outcome.state == FLOW_STATE_DONE) {
            atomic_fetch_add(&self->fate->ran, 2);
            meddle(self->fate);
            FLOW_AWAIT(flow_switch_home());
            self->fate->home++;
        }
    } else if (self->fate->kind == LOOPS) {
        FLOW_TRY(&self->outcome, flow_parallel_for(&self->fate->round->pool.executor, LOOP, 4,
                                                   count_parts, self->fate));
        self->fate->home += self->outcome.state == FLOW_STATE_DONE;
    } else if (self->fate->kind == PROMISED) {
        FLOW_TRY(&self->outcome, flow_all(flow_completion_wait(&self->promise, &self->value),
                                          flow_run_with(&self->fate->round->pool.executor,
                                                        &job_desc, &self->task)));
    } else {
        FLOW_TRY(&self->outcome,
                 flow_race(&self->which,
                           flow_run_with(&self->fate->round->pool.executor, &job_desc, &self->task),
                           flow_frames(9)));
    }
    self->fate->refused += self->outcome.state != FLOW_STATE_DONE;
    FLOW_FINALLY;
    at_home(self->fate->round);
    self->fate->cleaned++;
    self->fate->taken += self->task.result;
    flow_completion_fini(&self->promise);
    FLOW_END;
}

/* ---- a round ---- */

static uint32_t below(struct round *round, uint32_t n)
{
    return story_random_below(&round->random, n);
}

static void start_some(struct round *round, int *started)
{
    for (uint32_t n = below(round, 60); n > 0 && *started < FLOWS; n--) {
        fate *f = &round->fates[(*started)++];
        f->round = round;
        f->kind = below(round, 12) == 0 ? STUBBORN : (kind)below(round, KINDS);
        (void)FLOW_RUN(round->story.world, stressed, .fate = f);
    }
}

/* Some where they stand, and some whose work is done and not home yet. */
static void cancel_some(struct round *round, int started)
{
    for (int i = 0; i < started; i++) {
        fate *f = &round->fates[i];
        uint32_t chance = atomic_load(&f->ran) == 2 ? 4 : atomic_load(&f->ran) == 1 ? 2 : 12;
        if (below(round, chance) == 0) {
            (void)flow_cancel(round->story.world, f->flow);
        }
    }
}

static void judge(const fate *f)
{
    int ran = atomic_load(&f->ran);
    assert_int_equal(f->cleaned, f->begun);
    assert_in_range(f->taken + f->discarded, 0, 1);
    if (f->kind == AWAY) {
        assert_int_equal(f->taken + f->discarded, 0);
        assert_true(f->home == 0 || ran == 2);
        totals.away_home += f->home;
    } else if (f->kind == LOOPS) {
        assert_in_range(atomic_load(&f->parts), 0, LOOP);
        assert_true(f->home == 0 || atomic_load(&f->parts) == LOOP);
        totals.loops += f->home;
    } else if (ran != 0) {
        assert_int_equal(ran, 2);
        assert_int_equal(f->taken + f->discarded, 1); /* the result went to one place */
        totals.during += f->discarded && atomic_load(&f->told);
        totals.late += f->discarded && !atomic_load(&f->told);
    } else {
        assert_int_equal(f->taken, 0);
        totals.before += f->discarded && f->discard_code == FLOW_CANCELLED;
    }
    totals.taken += f->taken;
    totals.refused += f->refused;
    totals.cleaned += f->cleaned;
}

static void one_round(struct round *round, uint64_t seed)
{
    int started = 0;
    memset(round, 0, sizeof *round);
    round->home = pthread_self();
    round->random.state = seed * UINT64_C(0x9e3779b97f4a7c15); /* else rounds are alike at first */
    story_begin(&round->story, &(flow_world_desc){.inbox_capacity = 256});
    assert_int_equal(flow_signal_init(&round->rumour, round->story.world), FLOW_OK);
    pool_begin(&round->pool, WORKERS);
    int frames = 2 + (int)below(round, FRAMES);
    for (int i = 0; i < frames; i++) {
        start_some(round, &started);
        cancel_some(round, started);
        story_frame(&round->story, 10);
        pool_sleep(NULL, 0.001 * below(round, 3));
    }
    start_some(round, &started);
    int pool_first = below(round, 2) == 0;
    if (pool_first) {
        for (int i = 0; i < started; i++) { /* who waits for a stop would keep it for ever */
            if (round->fates[i].kind == STUBBORN) {
                (void)flow_cancel(round->story.world, round->fates[i].flow);
            }
        }
        pool_close(&round->pool);
    }
    assert_int_equal(story_destroy(&round->story), FLOW_OK);
    if (!pool_first) {
        pool_close(&round->pool);
    }
    pool_free(&round->pool);
    for (int i = 0; i < started; i++) {
        judge(&round->fates[i]);
    }
    assert_int_equal(round->posts_run + round->posts_dropped, atomic_load(&round->posted));
    totals.promises += atomic_load(&round->promised);
    round->story.expect_warnings = round->story.warning_count; /* dropped, full: as it happens */
    story_end(&round->story);
}

static int have_all(void)
{
    return totals.taken > 0 && totals.before > 0 && totals.during > 0 && totals.late > 0 &&
           totals.away_home > 0 && totals.loops > 0 && totals.promises > 0;
}

static void every_result_goes_to_one_place_and_every_cleanup_runs_once_at_home(void **state)
{
    static struct round round;
    const char *seconds = getenv("FLOW_STRESS_SECONDS");
    time_t end = time(NULL) + (seconds ? atoi(seconds) : 0);
    uint64_t seed = story_seed(20240607);
    int rounds = 0;
    (void)state;
    memset(&totals, 0, sizeof totals);
    while (rounds < ROUNDS || (rounds < 100 * ROUNDS && !have_all()) || time(NULL) < end) {
        one_round(&round, seed + (uint64_t)rounds++);
    }
    print_message("%d rounds: %d taken, cancelled %d before, %d during, %d late, %d refused, %d "
                  "came home, %d loops, %d promises\n",
                  rounds, totals.taken, totals.before, totals.during, totals.late, totals.refused,
                  totals.away_home, totals.loops, totals.promises);
    assert_true(have_all());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_result_goes_to_one_place_and_every_cleanup_runs_once_at_home),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
