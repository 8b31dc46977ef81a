/* SPDX-License-Identifier: MIT */
/* Jobs: what an executor and a worker see of one. */
#ifndef FLOW_JOB_PRIVATE_H
#define FLOW_JOB_PRIVATE_H

#include "private.h"

/* How a body that went away comes back. */
typedef enum flow_away {
    FLOW_AWAY_HOME,   /* it awaits flow_switch_home */
    FLOW_AWAY_ENDED,  /* it ended */
    FLOW_AWAY_LEFT,   /* it is being left */
    FLOW_AWAY_FAILED, /* with the job's code and message; also what it did wrong */
    FLOW_AWAY_DROPPED /* it never ran */
} flow_away;

typedef struct flow_job_work {
    flow_work work;
    flow_job *job;
    int64_t began, ended; /* on the profiler's clock, written by the worker; ended 0: not known */
} flow_job_work;

/* One block: this, then the job's data, or its parts. The world's thread has it until it is
 * submitted and again when it has arrived; in between it looks at `node` alone and sets `stop`. */
struct flow_job {
    flow_arrival arrival;
    flow_arrival news; /* its progress */
    flow_world *world;
    flow_executor *executor;
    flow_node *node; /* who waits for it, or null */
    struct flow_job *older, *newer;
    flow_job_desc desc;
    flow_property progress;
    void *out; /* where its data goes in the end, or null */
    const char *message;
    int32_t code;
    uint32_t size;
    FLOW_ATOMIC(uint32_t) stop;
    FLOW_ATOMIC(uint32_t) fraction; /* in units of 2^-30 */
    FLOW_ATOMIC(uint32_t) telling;  /* the news are on their way */
    uint8_t kind;                   /* FLOW_JOB_RUN_ and its like */
    uint8_t back;                   /* flow_away */
    uint8_t tried;                  /* away: FLOW_FRAME_TRY_, if its await stands in a FLOW_TRY */
    bool shielded;                  /* a cancel that its flow is protected from asks nothing */
    FLOW_ATOMIC(uint32_t) left;     /* parallel: workers that are not done */
    FLOW_ATOMIC(size_t) next;       /* parallel: the first index that nobody has */
    size_t count, grain;
    flow_range_fn range;
    void *range_arg;
    uint32_t parts;                 /* parallel: workers that it was given to */
    uint64_t (*now_ns)(void *user); /* of the profiler that was on when it began; null: none was */
    void *now_user;
    flow_job_work work; /* the first of them */
    /* What the body has for its task while it is away: anything but coming home is refused by it.
     */
    flow_task shadow;
};

/* On the worker, around what it does. */
static inline void flow__job_begins(flow_job_work *work)
{
    const flow_job *job = work->job;
    work->began = job->now_ns != NULL ? (int64_t)job->now_ns(job->now_user) : 0;
}

static inline void flow__job_ends(flow_job_work *work)
{
    const flow_job *job = work->job;
    work->ended = job->now_ns != NULL ? (int64_t)job->now_ns(job->now_user) : 0;
}

extern const char flow__job_no_work[], flow__job_no_room[];

flow_job *flow__job_make(flow_world *world, flow_executor *executor, flow_node *node, size_t size);
void flow__job_link(flow_world *world, flow_job *job);
void flow__job_unlink(flow_world *world, const flow_job *job);
bool flow__job_submit(flow_job *job, flow_job_work *work,
                      void (*run)(flow_work *work, int dropped));
void flow__job_told(flow_world *world, const flow_job *job, const flow_job_work *work,
                    uint32_t count);
void flow__job_node_gets(flow_world *world, const flow_job *job, int code);

#endif
