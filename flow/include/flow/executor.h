/* SPDX-License-Identifier: MIT */
/*
 * Executors: work on other threads, awaited by flows.
 *
 *     struct mesh { flow_frame base; struct load load; ... };
 *
 *     self->load = (struct load){.path = "tree.obj"};
 *     FLOW_AWAIT(flow_run_on(pool, load_mesh, &self->load));      a function on a worker
 *
 *     FLOW_AWAIT(flow_switch_to(pool));                           or the body itself goes there,
 *     self->path = find_path(self->grid, self->from, self->to);
 *     FLOW_AWAIT(flow_switch_home());                             and comes back
 *
 *     FLOW_AWAIT(flow_parallel_for(pool, count, 64, move_some, particles));
 *
 * flow starts no thread: an executor is the host's, such as the pool of flow/sdl. Whatever happens
 * on its workers, flows go on at home: a job's end is taken in by begin_frame, and its flow resumes
 * in step 6 of its phase; cancellation, cleanups and on_discard are seen on the world's thread
 * alone. Each job has exactly one outcome: its waiting flow gets it, or on_discard does.
 *
 * flow_world_destroy waits for the jobs that are under way; see there.
 */
#ifndef FLOW_EXECUTOR_H
#define FLOW_EXECUTOR_H

#include "flow/compose.h"
#include "flow/property.h"

FLOW_EXTERN_C_BEGIN_

/* A piece of work that an executor has been given. Until it is run it is the executor's, which may
 * link it through `next`; run(work, 0) does it, on a worker, and run(work, 1) says that it will
 * never be done, because the executor is going away. Exactly one of these, once; the work is gone
 * when run returns. */
typedef struct flow_work {
    struct flow_work *next;
    void (*run)(struct flow_work *work, int dropped);
    const char *name; /* for logs */
} flow_work;

/* Who does work. The host fills it in, and it lives longer than the worlds that use it. */
typedef struct flow_executor {
    /* Takes a piece of work; 0, or nonzero: it takes none any more. Called from any thread. It may
     * also run it there and then. */
    int (*submit)(void *user, flow_work *work);
    /* Sleeps for about so many seconds, or less; null: flow_world_destroy does not wait. Called on
     * a world's thread. */
    void (*sleep)(void *user, double seconds);
    void *user;
    uint32_t parallelism; /* workers that run at the same time; 0 counts as 1 */
} flow_executor;

/* A job that runs, as its function sees it on the worker. */
typedef struct flow_job flow_job;

/* What a job does. data is the job's own copy of what was given to flow_run_on. Returns 0, or a
 * code (positive, or a negative flow_status) with which the wait fails. */
typedef int (*flow_job_fn)(flow_job *job, void *data);

/* Was the job asked to stop, because nobody waits for it any more? Ask now and then, and return
 * early. On the worker. */
int flow_job_stopped(const flow_job *job);

/* Says how far the job is, 0 to 1: the property that was given for it gets the latest in the next
 * begin_frame. On the worker; O(1), and as often as one likes. */
void flow_job_progress(flow_job *job, double fraction);

/* Has it told to another property of a FLOW_PROPERTY(double) than the desc's, which is copied: for
 * jobs that are given one in their data. On the worker, before the first flow_job_progress. */
void flow_job_progress_to(flow_job *job, const flow_property *progress);

/* Fails with a message, static text: return flow_job_fail(job, 7, "no such file"). */
int flow_job_fail(flow_job *job, int code, const char *message);

/* The world that waits, for flow_post and its like. */
flow_world *flow_job_world(const flow_job *job);

/* More about a job; start from {0}. */
typedef struct flow_job_desc {
    flow_job_fn run;
    const char *name; /* for dumps and reports: static text */
    /* Gets a result that nobody waits for any more, to give back what data owns; code is what the
     * function returned, CANCELLED when it never began, CLOSED when its executor dropped it. On the
     * world's thread, inside the world. May be null. */
    void (*on_discard)(void *data, int code);
    flow_property *progress; /* of a FLOW_PROPERTY(double), 0 to 1; copied. May be null */
} flow_job_desc;

/* Until fn(job, data) has returned on a worker. *data, of any type, is copied to the job when the
 * wait begins, and back when it ends well or not; so what it points to must live until the job
 * ends, but the frame it stands in need not. A wait that ends early (cancelled, or losing a race)
 * asks the job to stop, and its result is dropped: see flow_run_with. Fails as fn fails; with
 * CLOSED when the executor takes no work or drops it; with NOMEM. Takes a block for the job. */
#define flow_run_on(executor, fn, data) flow_run_((executor), (fn), #fn, 0, (data), sizeof *(data))

/* The same with a flow_job_desc, which is read when the wait begins: flow_run_with(pool,
 * FLOW_JOB(.run = load, .name = "load", .on_discard = drop), &self->load). */
#define flow_run_with(executor, desc, data)                                                        \
    flow_run_((executor), 0, 0, (desc), (data), sizeof *(data))

#ifndef __cplusplus
/* A desc for a wait that is awaited at once, or in a composition as it is written. */
#define FLOW_JOB(...) (&(flow_job_desc){__VA_ARGS__})
#endif

/* The body goes on on a worker of the executor. There it is plain C on its own frame: until
 * flow_switch_home nothing may be awaited, and nothing of the world's used but what is said to be
 * for any thread; any other await is misuse, and fails the flow when it is home. A flow that is
 * away cannot be unwound: flow_cancel returns PENDING, flow_stop_requested(flow) tells the body,
 * and it unwinds where it comes home. A function that ends or fails while away does so at home.
 * Await it alone, not in a composition or a shield. Fails with CLOSED when the executor takes no
 * work, with NOMEM, and at home with CLOSED when the executor dropped it. */
FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_switch_to(flow_executor *executor)
{
    return flow_wait_of_(FLOW_WAIT_JOB_, FLOW_JOB_AWAY_, executor, 0);
}

/* Back to the world's thread: the flow resumes in its phase, as after any job. At home it is done
 * at once. */
FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_switch_home(void)
{
    return flow_wait_of_(FLOW_WAIT_JOB_, FLOW_JOB_HOME_, 0, 0);
}

/* A part of a loop: the indices from begin to end, end not included. */
typedef void (*flow_range_fn)(void *arg, size_t begin, size_t end);

/* The frame of flow_parallel_for. */
struct flow_parallel_for {
    flow_frame base;
    flow_executor *on_;
    size_t count_, grain_;
    flow_range_fn fn_;
    void *arg_;
};
FLOW_DECLARE(flow_parallel_for);

/* Calls fn(arg, begin, end) for parts of 0 .. n - 1, each index once, on as many workers as the
 * executor has, in parts of `grain` (0: about four for each worker). A call like FLOW_CALL: what
 * arg names is not touched any more when it has ended, in whatever way; cancelled, it hands out no
 * more parts and ends when those under way have. One worker does it all. Fails with CLOSED when the
 * executor takes no work, with NOMEM. Bodies only. */
#define flow_parallel_for(executor, n, grain, fn, arg)                                             \
    FLOW_CALL(flow_parallel_for, .on_ = (executor), .count_ = (n), .grain_ = (grain), .fn_ = (fn), \
              .arg_ = (arg))

FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_run_(flow_executor *executor, flow_job_fn run,
                                                 const char *name, const flow_job_desc *desc,
                                                 void *data, size_t size)
{
    flow_wait w =
        flow_wait_of_(FLOW_WAIT_JOB_, desc ? FLOW_JOB_RUN_WITH_ : FLOW_JOB_RUN_, executor, data);
    union {
        const flow_job_desc *desc;
        const char *name;
        void *arg;
    } carried;
    if (desc) {
        carried.desc = desc;
    } else {
        carried.name = name;
    }
    w.arg_ = carried.arg;
    w.run_ = run;
    w.size_ = size;
    return w;
}

FLOW_EXTERN_C_END_

#endif
