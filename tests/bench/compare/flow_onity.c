/* SPDX-License-Identifier: MIT */
/* flow: OnityTask's rows, but for its combinators (flow_sets.c) and threads (threads.c). */
#include "flow_bench_world.h"

#include <stdlib.h>

/* ---- scheduling and resumption, apart ---- */

struct two_frames {
    flow_frame base;
    uint64_t *ended;
};

FLOW_STATIC(two_frames)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next_frame());
    ++*self->ended;
    FLOW_END;
}

static void frame(flow_world *world)
{
    bench_require(flow_world_begin_frame(world, 0.01) == FLOW_OK, "a failure");
    tick(world);
}

static void schedule(bench_run *run, int scheduling, int resuming)
{
    flow_world *world = run->state;
    uint32_t rounds = bench_rounds(run->n);
    uint64_t ended = 0;
    for (uint32_t round = 0; round < rounds; round++) {
        if (scheduling) {
            bench_start(run);
        }
        for (uint32_t i = 0; i < run->n; i++) {
            (void)FLOW_RUN(world, two_frames, .ended = &ended);
        }
        if (scheduling && !resuming) {
            bench_stop(run);
        }
        if (resuming && !scheduling) {
            bench_start(run);
        }
        frame(world);
        if (resuming) {
            bench_stop(run);
        }
    }
    run->items = run->n * rounds;
    bench_require(ended == run->items, "a flow did not end");
}

static void schedule_batch(bench_run *run)
{
    schedule(run, 1, 0);
}

static void resume_batch(bench_run *run)
{
    schedule(run, 0, 1);
}

static void schedule_resume_batch(bench_run *run)
{
    schedule(run, 1, 1);
}

struct loops_16 {
    flow_frame base;
    uint64_t *ended;
    int i;
};

FLOW_STATIC(loops_16)
{
    FLOW_BEGIN;
    for (self->i = 0; self->i < 16; self->i++) {
        FLOW_AWAIT(flow_next_tick());
    }
    ++*self->ended;
    FLOW_END;
}

static void loops_batch(bench_run *run)
{
    flow_world *world = run->state;
    uint64_t ended = 0;
    bench_start(run);
    for (uint32_t i = 0; i < run->n; i++) {
        (void)FLOW_RUN(world, loops_16, .ended = &ended);
    }
    for (int i = 0; i < 16; i++) {
        tick(world);
    }
    bench_stop(run);
    run->items = run->n * 16;
    bench_require(ended == run->n, "a flow did not end");
}

/* ---- reading how flows stand, and late: after they have ended ---- */

static void status_batch(bench_run *run)
{
    flow_world *world = run->state;
    uint64_t ended = 0, waiting = 0;
    flow_handle h = FLOW_RUN(world, two_frames, .ended = &ended);
    run->items = BENCH_CALLS;
    bench_start(run);
    for (uint32_t i = 0; i < run->items; i++) {
        waiting += flow_state_of(world, h) == FLOW_STATE_LIVE;
    }
    bench_stop(run);
    bench_require(waiting == run->items, "a flow does not live");
    (void)flow_cancel(world, h);
}

static void late_read_batch(bench_run *run)
{
    flow_world *world = run->state;
    uint64_t ended = 0, sum = 0;
    flow_handle h = FLOW_RUN(world, two_frames, .ended = &ended);
    frame(world);
    run->items = BENCH_CALLS;
    bench_start(run);
    for (uint32_t i = 0; i < run->items; i++) {
        flow_outcome outcome;
        sum += flow_outcome_of(world, h, &outcome) == FLOW_OK;
    }
    bench_stop(run);
    bench_require(sum == run->items, "an outcome is not known");
}

/* One result that n flows share. */
struct joins {
    flow_frame base;
    flow_handle worker;
    flow_outcome outcome;
    uint64_t *done;
};

FLOW_STATIC(joins)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_join(self->worker, &self->outcome));
    *self->done += self->outcome.state == FLOW_STATE_DONE;
    FLOW_END;
}

static void share_batch(bench_run *run)
{
    flow_world *world = run->state;
    uint32_t rounds = bench_rounds(run->n);
    uint64_t ended = 0, done = 0;
    bench_start(run);
    for (uint32_t round = 0; round < rounds; round++) {
        flow_handle worker = FLOW_RUN(world, two_frames, .ended = &ended);
        for (uint32_t i = 0; i < run->n; i++) {
            (void)FLOW_RUN(world, joins, .worker = worker, .done = &done);
        }
        frame(world);
    }
    bench_stop(run);
    run->items = rounds * run->n;
    bench_require(done == run->items, "a join was not met");
}

/* ---- completion sources: made, waited for, set and received, each apart ---- */

enum { SOURCES = 1024 };

typedef struct sources {
    flow_world *world;
    FLOW_COMPLETION(uint64_t) source[SOURCES];
    uint64_t received;
} sources;

struct registers {
    flow_frame base;
    sources *of;
    uint64_t value;
    uint32_t which;
};

FLOW_STATIC(registers)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(flow_next_tick());
        FLOW_AWAIT(flow_completion_wait(&self->of->source[self->which], &self->value));
        self->of->received += self->value;
    }
    FLOW_END;
}

static void sources_begin(bench_run *run)
{
    sources *s = calloc(1, sizeof *s);
    bench_require(s != NULL, "no memory for sources");
    s->world = world_begin(run);
    for (uint32_t i = 0; i < SOURCES * run->n; i++) {
        (void)FLOW_RUN(s->world, registers, .of = s, .which = i / run->n);
    }
    run->state = s;
}

static void sources_end(bench_run *run)
{
    sources *s = run->state;
    bench_require(flow_world_destroy(s->world) == FLOW_OK, "a flow has failed");
    free(s);
}

static void sources_make(sources *s)
{
    for (uint32_t i = 0; i < SOURCES; i++) {
        bench_require(flow_completion_init(&s->source[i], s->world) == FLOW_OK, "no memory");
    }
}

static void sources_set(sources *s)
{
    for (uint32_t i = 0; i < SOURCES; i++) {
        (void)flow_completion_set(&s->source[i], &(uint64_t){1});
    }
    flush(s->world);
}

static void sources_unmake(sources *s)
{
    for (uint32_t i = 0; i < SOURCES; i++) {
        flow_completion_fini(&s->source[i]);
    }
}

static void construct_batch(bench_run *run)
{
    sources *s = run->state;
    run->items = SOURCES;
    bench_start(run);
    sources_make(s);
    sources_unmake(s);
    bench_stop(run);
}

static void received_all(bench_run *run, uint64_t before)
{
    sources *s = run->state;
    run->items = SOURCES * run->n;
    bench_require(s->received - before == run->items, "a completion was not received");
    sources_unmake(s);
}

static void register_batch(bench_run *run)
{
    sources *s = run->state;
    uint64_t before = s->received;
    sources_make(s);
    bench_start(run);
    tick(s->world);
    bench_stop(run);
    sources_set(s);
    received_all(run, before);
}

static void completion_dispatch_batch(bench_run *run)
{
    sources *s = run->state;
    uint64_t before = s->received;
    sources_make(s);
    tick(s->world);
    bench_start(run);
    sources_set(s);
    bench_stop(run);
    received_all(run, before);
}

/* ---- the result of what has ended, awaited ---- */

struct awaits_ended {
    flow_frame base;
    flow_handle ended;
    flow_outcome outcome;
    uint64_t *done;
    uint32_t i;
};

FLOW_STATIC(awaits_ended)
{
    FLOW_BEGIN;
    for (self->i = 0; self->i < BENCH_CALLS; self->i++) {
        FLOW_AWAIT(flow_join(self->ended, &self->outcome));
        *self->done += self->outcome.state == FLOW_STATE_DONE;
    }
    FLOW_END;
}

static void completed_result_batch(bench_run *run)
{
    flow_world *world = run->state;
    uint64_t ended = 0, done = 0;
    flow_handle h = FLOW_RUN(world, two_frames, .ended = &ended);
    frame(world);
    run->items = BENCH_CALLS;
    bench_start(run);
    (void)FLOW_RUN(world, awaits_ended, .ended = h, .done = &done);
    bench_stop(run);
    bench_require(done == run->items, "a result was not there");
}

/* ---- the inbox: what another thread would send, taken in by the next frame ---- */

static void posted(flow_world *world, void *arg)
{
    (void)world;
    ++*(uint64_t *)arg;
}

static void post_batch(bench_run *run)
{
    flow_world *world = run->state;
    uint32_t rounds = bench_rounds(run->n);
    uint64_t count = 0;
    bench_start(run);
    for (uint32_t round = 0; round < rounds; round++) {
        for (uint32_t i = 0; i < run->n; i++) {
            bench_require(flow_post(world, posted, &count) == FLOW_OK, "the inbox is full");
        }
        bench_require(flow_world_begin_frame(world, 0.01) == FLOW_OK, "a failure");
    }
    bench_stop(run);
    run->items = rounds * run->n;
    bench_require(count == run->items, "a post was lost");
}

static void inbox_begin(bench_run *run)
{
    run->state = flow_world_create(&(flow_world_desc){.inbox_capacity = 8192});
    bench_require(run->state != NULL, "no memory for a world");
}

#define IN(suite, scenario, n, begin, batch, end)                                                  \
    {                                                                                              \
        suite, scenario, "flow", n, begin, batch, end                                              \
    }
#define WORLD(suite, scenario, n, batch) IN(suite, scenario, n, empty_world_begin, batch, world_end)
#define SOURCE(scenario, n, batch) IN("onity", scenario, n, sources_begin, batch, sources_end)
static const bench_case cases[] = {
    WORLD("onity", "schedule", 128, schedule_batch),
    WORLD("onity", "schedule", 4096, schedule_batch),
    WORLD("onity", "resume", 128, resume_batch),
    WORLD("onity", "resume", 4096, resume_batch),
    WORLD("onity", "schedule_resume", 128, schedule_resume_batch),
    WORLD("onity", "schedule_resume", 4096, schedule_resume_batch),
    WORLD("onity", "loops_16", 1024, loops_batch),
    WORLD("onity", "loops_16", 4096, loops_batch),
    WORLD("onity", "status", 1, status_batch),
    WORLD("onity", "late_read", 1, late_read_batch),
    WORLD("onity", "share", 32, share_batch),
    IN("onity", "inbox", 128, inbox_begin, post_batch, world_end),
    IN("onity", "inbox", 4096, inbox_begin, post_batch, world_end),
    WORLD("onity", "completed_result", 1, completed_result_batch),
    SOURCE("completion_construct", 1, construct_batch),
    SOURCE("completion_register", 1, register_batch),
    SOURCE("completion_register", 4, register_batch),
    SOURCE("completion_dispatch", 1, completion_dispatch_batch),
    SOURCE("completion_dispatch", 4, completion_dispatch_batch),
};
const bench_cases bench_flow_onity = BENCH_CASES(cases);
