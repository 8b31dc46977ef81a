/* SPDX-License-Identifier: MIT */
/*
 * Flows that many tests need. They write to the story's log, and take what varies as arguments.
 *
 * Logs "a" when the wait is done:
 *     FLOW_RUN(world, waiter, .name = "a", .wait = flow_ticks(2));
 *
 * Calls f(flow, x) then:
 *     FLOW_RUN(world, doer, .wait = flow_next_tick(), .act = f, .arg = x);
 *
 * A leaf wait is a value, so it can be an argument; it is awaited once, first thing.
 */
#ifndef TESTS_FLOWS_H
#define TESTS_FLOWS_H

#include "story.h"

/* Logs its name when its wait has ended: the name alone when done, "name!-4" when it failed with
 * that code, and "name~" when it was cancelled instead. */
struct waiter {
    flow_frame base;
    const char *name;
    flow_wait wait;
    flow_outcome outcome;
    int over;
};

FLOW_STATIC(waiter)
{
    FLOW_BEGIN;
    FLOW_TRY(&self->outcome, self->wait);
    self->over = 1;
    if (self->outcome.state == FLOW_STATE_DONE) {
        story_log(story_of(flow), "%s", self->name);
    } else {
        story_log(story_of(flow), "%s!%d", self->name, self->outcome.code);
    }
    FLOW_FINALLY;
    if (!self->over) {
        story_log(story_of(flow), "%s~", self->name);
    }
    FLOW_END;
}

/* Calls act(flow, arg) inside a flow, when its wait is done. */
struct doer {
    flow_frame base;
    flow_wait wait;
    void (*act)(flow_task *flow, void *arg);
    void *arg;
};

FLOW_STATIC(doer)
{
    FLOW_BEGIN;
    FLOW_AWAIT(self->wait);
    self->act(flow, self->arg);
    FLOW_END;
}

/* A random sequence that is the same everywhere: PCG32. */
struct story_random {
    uint64_t state;
};

static inline uint32_t story_random_next(struct story_random *random)
{
    uint64_t old = random->state;
    random->state = old * 6364136223846793005u + 1442695040888963407u;
    uint32_t mixed = (uint32_t)(((old >> 18) ^ old) >> 27);
    uint32_t turn = (uint32_t)(old >> 59);
    return (mixed >> turn) | (mixed << ((32 - turn) & 31));
}

/* 0 .. below - 1 */
static inline uint32_t story_random_below(struct story_random *random, uint32_t below)
{
    return (uint32_t)(((uint64_t)story_random_next(random) * below) >> 32);
}

#endif
