/* SPDX-License-Identifier: MIT */
/*
 * Jobs: what executors do for flows. A job is one block of the world's that holds a copy of its
 * data and comes home as an arrival of the inbox, whatever has become of its flow meanwhile.
 */
#include "job.h"
#include "tape.h"

#include <stdio.h>

enum { FRACTION_ONE = 1 << 30 };

/* ---- memory, and the list of those under way ---- */

static char *job_data(flow_job *job)
{
    return (char *)job + (sizeof *job + 15) / 16 * 16;
}

flow_job *flow__job_make(flow_world *world, flow_executor *executor, flow_node *node, size_t size)
{
    flow_job *job =
        size < UINT32_MAX / 2 ? flow__block_take(world, (sizeof *job + 15) / 16 * 16 + size) : NULL;
    if (job == NULL) {
        return NULL;
    }
    memset(job, 0, sizeof *job);
    job->world = world;
    job->executor = executor;
    job->node = node;
    job->size = (uint32_t)size;
    job->shielded = true; /* where a cancel does not reach the wait, it does not reach the job */
    job->arrival.kind = FLOW_ARRIVAL_JOB;
    job->arrival.job = ++world->jobs_made;
    if (world->profile != NULL) {
        flow__profile_clock(world, &job->now_ns, &job->now_user);
    }
    node->kind = FLOW_NODE_JOB;
    node->on.object = job;
    return job;
}

void flow__job_link(flow_world *world, flow_job *job)
{
    job->older = world->jobs;
    if (job->older != NULL) {
        job->older->newer = job;
    }
    world->jobs = job;
}

void flow__job_unlink(flow_world *world, const flow_job *job)
{
    *(job->newer ? &job->newer->older : &world->jobs) = job->older;
    if (job->older != NULL) {
        job->older->newer = job->newer;
    }
}

bool flow__job_submit(flow_job *job, flow_job_work *work, void (*run)(flow_work *work, int dropped))
{
    work->job = job;
    work->began = work->ended = 0;
    work->work = (flow_work){NULL, run, job->desc.name};
    return job->executor->submit(job->executor->user, &work->work) == 0;
}

/* It is home: a profiler that is on is told what each worker did, and when. */
void flow__job_told(flow_world *world, const flow_job *job, const flow_job_work *work,
                    uint32_t count)
{
    for (uint32_t i = 0; i < count && job->now_ns != NULL && flow__profiled(world); i++) {
        if (work[i].ended != 0) {
            flow__profile_job(world, job->desc.name, job->now_ns, work[i].began, work[i].ended);
        }
    }
}

/* ---- what a job may do: on its worker ---- */

int flow_job_stopped(const flow_job *job)
{
    return flow__load_relaxed(&job->stop) != 0;
}

flow_world *flow_job_world(const flow_job *job)
{
    return job->world;
}

int flow_job_fail(flow_job *job, int code, const char *message)
{
    job->message = message;
    return code;
}

void flow_job_progress(flow_job *job, double fraction)
{
    fraction = fraction > 0.0 ? fraction : 0.0;
    fraction = fraction < 1.0 ? fraction : 1.0;
    flow__store_relaxed(&job->fraction, (uint32_t)(fraction * FRACTION_ONE));
    uint32_t quiet = 0;
    if (job->progress.world_ != NULL && flow__cas(&job->telling, &quiet, 1u)) {
        flow__arrive_home(job->world, &job->news);
    }
}

void flow_job_progress_to(flow_job *job, const flow_property *progress)
{
    job->progress = *progress;
}

/* At home: the latest of what it said. */
static void news_arrive(flow_world *world, flow_arrival *arrival)
{
    flow_job *job = (flow_job *)(void *)((char *)arrival - offsetof(flow_job, news));
    uint32_t telling = 1;
    (void)flow__cas(&job->telling, &telling, 0u);
    double fraction = (double)flow__load_relaxed(&job->fraction) / FRACTION_ONE;
    if (flow__record(&job->progress) == NULL || (world->tape != NULL && flow__replays(world))) {
        return;
    }
    if (world->tape != NULL) {
        flow_input input = {.kind = FLOW_INPUT_PROPERTY,
                            .taken = true,
                            .id = job->progress.id_,
                            .generation = job->progress.generation_,
                            .size = sizeof fraction,
                            .value = &fraction};
        flow__tape_taken(world, &input);
    }
    (void)flow_property_set_(&job->progress, &fraction);
}

/* ---- a function ---- */

static void run_work(flow_work *work, int dropped)
{
    flow_job_work *own = (flow_job_work *)(void *)work;
    flow_job *job = own->job;
    if (dropped) {
        job->code = FLOW_CLOSED;
    } else if (flow_job_stopped(job)) {
        job->code = FLOW_CANCELLED;
    } else {
        flow__job_begins(own);
        job->code = job->desc.run(job, job->size ? job_data(job) : NULL);
        flow__job_ends(own);
    }
    flow__arrive_home(job->world, &job->arrival);
}

/* The wait gets the result; the message stays with the node. */
void flow__job_node_gets(flow_world *world, const flow_job *job, int code)
{
    flow_node *node = job->node;
    if (code != FLOW_OK && job->message != NULL) {
        node->flags |= FLOW_NODE_SAYS;
        node->on.message = job->message;
    }
    flow__node_end(world, node, code, world->destroying);
    flow__outermost(world);
}

static void run_arrives(flow_world *world, flow_arrival *arrival)
{
    flow_job *job = (flow_job *)(void *)arrival;
    flow__job_unlink(world, job);
    flow__job_told(world, job, &job->work, 1);
    if (job->node != NULL) {
        if (job->out != NULL) {
            memcpy(job->out, job_data(job), job->size);
        }
        flow__job_node_gets(world, job, job->code);
    } else if (job->desc.on_discard != NULL) {
        job->desc.on_discard(job->size ? job_data(job) : NULL, job->code);
    } else {
        world->inbox.dropped += world->destroying && job->code == FLOW_OK; /* nobody is told */
    }
    flow__block_give(job);
}

const char flow__job_no_work[] = "the executor takes no work";
const char flow__job_no_room[] = "no memory for a job";

static flow_begun closed(flow_job *job, flow_result *result)
{
    flow__job_unlink(job->world, job);
    flow__block_give(job);
    return flow__begun_failed(result, FLOW_CLOSED, flow__job_no_work);
}

static flow_begun no_room(flow_result *result)
{
    return flow__begun_failed(result, FLOW_NOMEM, flow__job_no_room);
}

static flow_begun run_begin(flow_world *world, const flow_wait *wait, flow_node *node,
                            flow_result *result)
{
    flow_job_desc desc = {wait->run_, NULL, NULL, NULL};
    if (wait->code_ == FLOW_JOB_RUN_WITH_) {
        desc = *(const flow_job_desc *)wait->arg_;
    } else {
        desc.name = wait->arg_;
    }
    size_t size = wait->out_ != NULL ? wait->size_ : 0;
    flow_job *job = flow__job_make(world, wait->object_, node, size);
    if (job == NULL) {
        return no_room(result);
    }
    job->kind = FLOW_JOB_RUN_;
    job->desc = desc;
    job->desc.name = desc.name ? desc.name : "job";
    job->progress = desc.progress ? *desc.progress : (flow_property){NULL, 0, 0, 0};
    job->out = wait->out_;
    job->arrival.take = run_arrives;
    job->news.take = news_arrive;
    job->news.kind = FLOW_ARRIVAL_NEWS;
    if (size != 0) {
        memcpy(job_data(job), wait->out_, size);
    }
    flow__job_link(world, job);
    if (!flow__job_submit(job, &job->work, run_work)) {
        return closed(job, result);
    }
    return FLOW_BEGUN_WAITS;
}

/* ---- a loop ---- */

static flow_job_work *part(flow_job *job, uint32_t i)
{
    return (flow_job_work *)(void *)job_data(job) + i;
}

/* One worker is done; the last sends the job home. */
static void part_over(flow_job *job)
{
    if (flow__add(&job->left, UINT32_MAX) == 1) {
        flow__arrive_home(job->world, &job->arrival);
    }
}

static void part_work(flow_work *work, int dropped)
{
    flow_job_work *own = (flow_job_work *)(void *)work;
    flow_job *job = own->job;
    bool works = false;
    while (!dropped && !flow_job_stopped(job)) {
        size_t begin = flow__add(&job->next, job->grain);
        if (begin >= job->count) {
            break;
        }
        if (!works) {
            flow__job_begins(own);
            works = true;
        }
        size_t end = job->count - begin > job->grain ? begin + job->grain : job->count;
        job->range(job->range_arg, begin, end);
    }
    if (works) {
        flow__job_ends(own);
    }
    part_over(job);
}

/* Parts may be left when every worker that was to do them was dropped. */
static void parts_arrive(flow_world *world, flow_arrival *arrival)
{
    flow_job *job = (flow_job *)(void *)arrival;
    bool whole = flow__load_relaxed(&job->next) >= job->count;
    flow__job_unlink(world, job);
    flow__job_told(world, job, part(job, 0), job->parts);
    flow__job_node_gets(world, job, whole || flow_job_stopped(job) ? FLOW_OK : FLOW_CLOSED);
    flow__block_give(job);
}

static flow_begun parts_begin(flow_world *world, const struct flow_parallel_for *loop,
                              flow_node *node, flow_result *result)
{
    size_t workers = loop->on_->parallelism ? loop->on_->parallelism : 1;
    size_t grain = loop->grain_ ? loop->grain_ : loop->count_ / workers / 4;
    grain = grain ? grain : 1;
    size_t parts = loop->count_ / grain + (loop->count_ % grain != 0);
    if (loop->count_ == 0) {
        return FLOW_BEGUN_DONE;
    }
    workers = workers < parts ? workers : parts;
    workers = workers < UINT16_MAX ? workers : UINT16_MAX;
    flow_job *job = flow__job_make(world, loop->on_, node, workers * sizeof(flow_job_work));
    if (job == NULL) {
        return no_room(result);
    }
    job->kind = FLOW_JOB_PARTS_;
    job->desc.name = "flow_parallel_for";
    job->arrival.take = parts_arrive;
    job->count = loop->count_;
    job->grain = grain;
    job->shielded = !(loop->base.flags_ & FLOW_FRAME_SHIELD_); /* by another shield than its own */
    job->range = loop->fn_;
    job->range_arg = loop->arg_;
    flow__store_relaxed(&job->left, (uint32_t)workers + 1); /* and this function */
    flow__job_link(world, job);
    uint32_t taken = 0;
    while (taken < workers && flow__job_submit(job, part(job, taken), part_work)) {
        taken++;
    }
    if (taken == 0) {
        return closed(job, result);
    }
    job->parts = taken; /* it is this thread's until this function's share is over */
    (void)flow__add(&job->left, 0u - ((uint32_t)workers - taken));
    part_over(job);
    return FLOW_BEGUN_WAITS;
}

FLOW_DEFINE(flow_parallel_for)
{
    FLOW_BEGIN;
    FLOW_SHIELD(flow_wait_of_(FLOW_WAIT_JOB_, FLOW_JOB_PARTS_, self, NULL));
    FLOW_END;
}

/* ---- waits ---- */

flow_begun flow__job_begin(flow_world *world, const flow_task *task, const flow_wait *wait,
                           flow_node *node, flow_result *result)
{
    switch (wait->code_) {
    case FLOW_JOB_RUN_:
    case FLOW_JOB_RUN_WITH_:
        return run_begin(world, wait, node, result);
    case FLOW_JOB_PARTS_:
        return parts_begin(world, wait->object_, node, result);
    case FLOW_JOB_HOME_:
        return FLOW_BEGUN_DONE;
    default:
        break;
    }
    static const char rule[] = "flow_switch_to is awaited alone, in no composition";
    (void)flow__misuse(world, task, rule);
    return flow__begun_failed(result, FLOW_MISUSE, rule);
}

/* Nobody waits for it any more. */
void flow__job_leave(const flow_node *node)
{
    flow_job *job = node->on.object;
    job->node = NULL;
    flow__store_relaxed(&job->stop, 1u);
}

const char *flow__job_name(const flow_node *node)
{
    const flow_job *job = node->on.object;
    return job->desc.name;
}

/* ---- the end of the world ---- */

static void overdue_tell(flow_world *world)
{
    const flow_job *job = world->jobs;
    char text[160];
    while (job->older != NULL) {
        job = job->older;
    }
    (void)snprintf(
        text, sizeof text,
        "flow_world_destroy: the job \"%s\" is still on its executor; destroy again later",
        job->desc.name);
    world->warned &= (uint16_t) ~(1u << FLOW_WARNING_JOB_OVERDUE);
    flow__warn(world, FLOW_WARNING_JOB_OVERDUE, job->node ? flow__node_task(job->node) : NULL,
               text);
}

static uint64_t time_now(const flow_world *world)
{
    return world->desc.now_ns != NULL ? world->desc.now_ns(world->desc.user) : 0;
}

/* Takes the end of the job of that number, and waits for it. False: there is none, or no way to
 * wait, or it is overdue. */
bool flow__job_end(flow_world *world, uint32_t number)
{
    const double step = 0.001;
    double limit = world->desc.job_limit > 0.0 ? world->desc.job_limit : 5.0;
    double slept = 0.0;
    while (slept <= limit) {
        if (flow__inbox_job(world, number)) {
            return true;
        }
        const flow_job *job = world->jobs;
        while (job != NULL && job->arrival.job != number) {
            job = job->older;
        }
        if (job == NULL || job->executor->sleep == NULL) {
            return false;
        }
        job->executor->sleep(job->executor->user, step);
        slept += step;
    }
    return false;
}

/* Waits until every job has come home. False: one has not in time, or there is no way to wait. */
bool flow__jobs_wait(flow_world *world)
{
    const double step = 0.001;
    double limit = world->desc.job_limit > 0.0 ? world->desc.job_limit : 5.0, slept = 0.0;
    uint64_t begin = time_now(world);
    bool inside = world->inside;
    world->inside = true;
    for (flow_job *job = world->jobs; job != NULL; job = job->older) {
        if (job->node == NULL || job->kind != FLOW_JOB_RUN_) { /* else a shield protects it */
            flow__store_relaxed(&job->stop, 1u);
        }
    }
    for (;;) {
        flow__inbox_arrivals(world);
        double past = (double)(time_now(world) - begin) * 1e-9;
        if (world->jobs == NULL || world->jobs->executor->sleep == NULL ||
            (world->desc.now_ns != NULL ? past : slept) > limit) {
            break;
        }
        world->jobs->executor->sleep(world->jobs->executor->user, step);
        slept += step;
    }
    world->inside = inside;
    if (world->jobs != NULL) {
        overdue_tell(world);
    }
    return world->jobs == NULL;
}
