/* SPDX-License-Identifier: MIT */
/*
 * Jobs: what executors do for flows. A job is one block of the world's that holds a copy of its
 * data and comes home as an arrival of the inbox, whatever has become of its flow meanwhile.
 *
 * A body that goes away runs on the worker with a shadow in the place of its task. The shadow's
 * flags send every await out of the common path, where all but flow_switch_home is refused. The
 * task itself waits on a node meanwhile and is protected, so that nothing of it is unwound.
 */
#include "job.h"

#include <stdio.h>

enum { FRACTION_ONE = 1 << 30 };

/* ---- memory, and the list of those under way ---- */

static char *job_data(flow_job *job)
{
    return (char *)job + (sizeof *job + 15) / 16 * 16;
}

static flow_job *job_make(flow_world *world, flow_executor *executor, flow_node *node, size_t size)
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
    node->kind = FLOW_NODE_JOB;
    node->on.object = job;
    return job;
}

static void job_link(flow_world *world, flow_job *job)
{
    job->older = world->jobs;
    if (job->older != NULL) {
        job->older->newer = job;
    }
    world->jobs = job;
}

static void job_unlink(flow_world *world, const flow_job *job)
{
    *(job->newer ? &job->newer->older : &world->jobs) = job->older;
    if (job->older != NULL) {
        job->older->newer = job->newer;
    }
}

static bool job_submit(flow_job *job, flow_job_work *work,
                       void (*run)(flow_work *work, int dropped))
{
    work->job = job;
    work->work = (flow_work){NULL, run, job->desc.name};
    return job->executor->submit(job->executor->user, &work->work) == 0;
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
    if (flow__record(&job->progress) != NULL) {
        (void)flow_property_set_(&job->progress, &fraction);
    }
    (void)world;
}

/* ---- a function ---- */

static void run_work(flow_work *work, int dropped)
{
    flow_job *job = ((flow_job_work *)(void *)work)->job;
    if (dropped) {
        job->code = FLOW_CLOSED;
    } else if (flow_job_stopped(job)) {
        job->code = FLOW_CANCELLED;
    } else {
        job->code = job->desc.run(job, job->size ? job_data(job) : NULL);
    }
    flow__arrive_home(job->world, &job->arrival);
}

/* The wait gets the result; the message stays with the node. */
static void node_gets(flow_world *world, const flow_job *job, int code)
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
    job_unlink(world, job);
    if (job->node != NULL) {
        if (job->out != NULL) {
            memcpy(job->out, job_data(job), job->size);
        }
        node_gets(world, job, job->code);
    } else if (job->desc.on_discard != NULL) {
        job->desc.on_discard(job->size ? job_data(job) : NULL, job->code);
    } else {
        world->inbox.dropped += world->destroying && job->code == FLOW_OK; /* nobody is told */
    }
    flow__block_give(job);
}

static const char no_work[] = "the executor takes no work";
static const char no_room_text[] = "no memory for a job";

static flow_begun closed(flow_job *job, flow_result *result)
{
    job_unlink(job->world, job);
    flow__block_give(job);
    return flow__begun_failed(result, FLOW_CLOSED, no_work);
}

static flow_begun no_room(flow_result *result)
{
    return flow__begun_failed(result, FLOW_NOMEM, no_room_text);
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
    flow_job *job = job_make(world, wait->object_, node, size);
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
    if (size != 0) {
        memcpy(job_data(job), wait->out_, size);
    }
    job_link(world, job);
    if (!job_submit(job, &job->work, run_work)) {
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
    flow_job *job = ((flow_job_work *)(void *)work)->job;
    while (!dropped && !flow_job_stopped(job)) {
        size_t begin = flow__add(&job->next, job->grain);
        if (begin >= job->count) {
            break;
        }
        size_t end = job->count - begin > job->grain ? begin + job->grain : job->count;
        job->range(job->range_arg, begin, end);
    }
    part_over(job);
}

/* Parts may be left when every worker that was to do them was dropped. */
static void parts_arrive(flow_world *world, flow_arrival *arrival)
{
    flow_job *job = (flow_job *)(void *)arrival;
    bool whole = flow__load_relaxed(&job->next) >= job->count;
    job_unlink(world, job);
    node_gets(world, job, whole || flow_job_stopped(job) ? FLOW_OK : FLOW_CLOSED);
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
    flow_job *job = job_make(world, loop->on_, node, workers * sizeof(flow_job_work));
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
    job_link(world, job);
    uint32_t taken = 0;
    while (taken < workers && job_submit(job, part(job, taken), part_work)) {
        taken++;
    }
    if (taken == 0) {
        return closed(job, result);
    }
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

/* ---- a body ---- */

static flow_job *job_of_shadow(const flow_task *shadow)
{
    return (flow_job *)(void *)((char *)(uintptr_t)shadow - offsetof(flow_job, shadow));
}

/* The first failure counts, and is its flow's at home. */
flow_step flow__away_fails(flow_task *shadow, int code, const char *message)
{
    flow_job *job = job_of_shadow(shadow);
    if (job->back != FLOW_AWAY_FAILED) {
        job->back = FLOW_AWAY_FAILED;
        job->code = code;
        job->message = message;
    }
    return flow_step_of_(FLOW_STEP_STOPPED_);
}

/* What a body does wrong while it is away is one. */
int flow__away_misused(flow_task *shadow, const char *rule)
{
    (void)flow__wrong_thread(rule);
    (void)flow__away_fails(shadow, FLOW_MISUSE, rule);
    return 1;
}

int flow__away_stop_requested(const flow_task *shadow)
{
    return flow_job_stopped(job_of_shadow(shadow));
}

/* The body's slice on the worker. */
static void away_work(flow_work *work, int dropped)
{
    flow_job *job = ((flow_job_work *)(void *)work)->job;
    job->back = FLOW_AWAY_DROPPED;
    if (!dropped) {
        flow_frame *top = job->shadow.top_;
        job->back = FLOW_AWAY_HOME;
        flow_step step = top->fn_->run_(&job->shadow, top);
        if (step.kind_ != FLOW_STEP_STOPPED_ && job->back == FLOW_AWAY_HOME) {
            job->back = step.kind_ == FLOW_STEP_ENDED_ ? FLOW_AWAY_ENDED : FLOW_AWAY_LEFT;
        }
    }
    flow__arrive_home(job->world, &job->arrival);
}

/* At home the task is what its shadow was: protected or not. Where the body ended, its next slice
 * says so again. */
static void away_arrives(flow_world *world, flow_arrival *arrival)
{
    flow_job *job = (flow_job *)(void *)arrival;
    flow_task *task = job->node->up.task;
    flow_frame *top = task->top_;
    flow_away back = (flow_away)job->back;
    int code = back == FLOW_AWAY_FAILED ? job->code : FLOW_OK;
    job_unlink(world, job);
    task->flags_ = (uint16_t)((task->flags_ & ~FLOW_TASK_PROTECTED) |
                              (job->shadow.flags_ & FLOW_TASK_PROTECTED));
    if (back == FLOW_AWAY_ENDED || back == FLOW_AWAY_LEFT) {
        top->at_ = (top->at_ & 0xffff0000u) |
                   (back == FLOW_AWAY_ENDED ? FLOW_POINT_ENDED : FLOW_POINT_LEFT);
    } else if (back == FLOW_AWAY_DROPPED) {
        top->flags_ |= job->tried;
        code = FLOW_CLOSED;
        job->message = "the executor dropped the work";
    }
    if (flow__must_leave(task)) { /* to unwind, it needs no turn */
        job->node->kind = FLOW_NODE_DONE;
        flow__stop(world, task);
        flow__outermost(world);
    } else {
        node_gets(world, job, code);
    }
    flow__block_give(job);
}

/* The flow waits for its own body, protected: nothing of it is unwound meanwhile. */
static void leave_for(flow_job *job, flow_task *flow, flow_frame *self)
{
    flow_node *node = job->node;
    node->up.task = flow;
    node->seq = ++job->world->seq;
    node->branch = FLOW_NODE_JOB; /* why it resumes */
    job->kind = FLOW_JOB_AWAY_;
    job->desc.name = self->fn_->name;
    job->arrival.take = away_arrives;
    job->tried = self->flags_ & FLOW_FRAME_TRY_;
    job->shielded = flow->flags_ & FLOW_TASK_PROTECTED;
    job->shadow.top_ = self;
    job->shadow.kind_ = FLOW_KIND_AWAY;
    job->shadow.flags_ = (uint16_t)(FLOW_TASK_CLEARING | (flow->flags_ & FLOW_TASK_PROTECTED));
    job->shadow.budget_ = 1;
    job->shadow.clock_ = flow->clock_;
    job->shadow.phase_ = flow->phase_;
    flow__store_relaxed(&job->stop, (uint32_t)flow_stop_requested(flow));
    flow->pos_ = flow__node_id(node);
    flow->budget_ = node->seq;
    flow->kind_ = FLOW_KIND_NODE;
    flow->flags_ |= FLOW_TASK_PROTECTED;
    flow__segment_trim(flow);
    self->flags_ &= (uint8_t)~FLOW_FRAME_TRY_; /* from here on the frame is the worker's */
    job_link(job->world, job);
}

int flow__away_begin(flow_task *flow, flow_frame *self, const flow_wait *wait)
{
    flow_world *world = flow__world_of(flow);
    uint16_t flags = flow->flags_;
    if (self->flags_ & FLOW_FRAME_SHIELD_) {
        return flow__fault_raise(flow, self, FLOW_MISUSE,
                                 "flow_switch_to in a FLOW_SHIELD: the code after it is no wait");
    }
    flow_node *node = flow__node_take(world);
    flow_job *job = node ? job_make(world, wait->object_, node, 0) : NULL;
    if (job != NULL) {
        leave_for(job, flow, self);
        if (job_submit(job, &job->work, away_work)) {
            return 1;
        }
        self->flags_ |= job->tried;
        flow->flags_ = flags;
        flow->kind_ = FLOW_KIND_RUNNING;
        flow->budget_ = FLOW_AWAIT_CAP;
        job_unlink(world, job);
        flow__block_give(job);
    }
    if (node != NULL) {
        flow__node_give(world, node);
    }
    return job != NULL ? flow__fault_raise(flow, self, FLOW_CLOSED, no_work)
                       : flow__fault_raise(flow, self, FLOW_NOMEM, no_room_text);
}

/* An await on a worker: all but one are refused. */
int flow__away_awaits(flow_task *shadow, flow_frame *self, const flow_wait *wait)
{
    if (wait->kind_ != FLOW_WAIT_JOB_ || wait->code_ != FLOW_JOB_HOME_) {
        return flow__away_misused(shadow, "an await on a worker: flow_switch_home comes first");
    }
    if (self->flags_ & (FLOW_FRAME_TRY_ | FLOW_FRAME_SHIELD_)) {
        return flow__away_misused(shadow, "flow_switch_home cannot fail, and needs no shield");
    }
    return 1;
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

static flow_job *job_of(const flow_world *world, const flow_task *task)
{
    const flow_node *node = task->kind_ == FLOW_KIND_NODE ? flow__node(world, task->pos_) : NULL;
    return node != NULL && node->kind == FLOW_NODE_JOB ? node->on.object : NULL;
}

/* A protected flow is cancelled. One whose own code is on workers should come to an end; what a
 * shield or a finally section further out protects goes on. */
void flow__away_told(const flow_task *task)
{
    flow_job *job = job_of(flow__world_of(task), task);
    if (job != NULL && !job->shielded) {
        flow__store_relaxed(&job->stop, 1u);
    }
}

/* A flow or group was asked to stop: so are the bodies of its that are away. */
void flow__away_stop(const flow_world *world)
{
    for (flow_job *job = world->jobs; job != NULL; job = job->older) {
        if (job->kind == FLOW_JOB_AWAY_ && flow_stop_requested(job->node->up.task)) {
            flow__store_relaxed(&job->stop, 1u);
        }
    }
}

const char *flow__job_name(const flow_node *node)
{
    const flow_job *job = node->on.object;
    return job->desc.name;
}

/* Where a frame is, as its at_ says; of one whose code is on a worker, where its function begins.
 */
uint32_t flow__point(const flow_world *world, const flow_task *task, const flow_frame *frame)
{
    const flow_job *job = frame == task->top_ ? job_of(world, task) : NULL;
    return job != NULL && job->kind == FLOW_JOB_AWAY_ ? frame->fn_->line << 16 : frame->at_;
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
