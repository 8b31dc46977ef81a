/* SPDX-License-Identifier: MIT */
/*
 * Bodies that are away. One runs on the worker with a shadow in the place of its task. The shadow's
 * flags send every await out of the common path, where all but flow_switch_home is refused. The
 * task itself waits on a node meanwhile and is protected, so that nothing of it is unwound.
 */
#include "job.h"

/* ---- on the worker ---- */

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
    flow_job_work *own = (flow_job_work *)(void *)work;
    flow_job *job = own->job;
    job->back = FLOW_AWAY_DROPPED;
    if (!dropped) {
        flow_frame *top = job->shadow.top_;
        job->back = FLOW_AWAY_HOME;
        flow__job_begins(own);
        flow_step step = top->fn_->run_(&job->shadow, top);
        flow__job_ends(own);
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
    flow__job_unlink(world, job);
    flow__job_told(world, job, &job->work, 1);
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
        flow__job_node_gets(world, job, code);
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
    flow__job_link(job->world, job);
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
    flow_job *job = node ? flow__job_make(world, wait->object_, node, 0) : NULL;
    if (job != NULL) {
        leave_for(job, flow, self);
        if (flow__job_submit(job, &job->work, away_work)) {
            return 1;
        }
        self->flags_ |= job->tried;
        flow->flags_ = flags;
        flow->kind_ = FLOW_KIND_RUNNING;
        flow->budget_ = FLOW_AWAIT_CAP;
        flow__job_unlink(world, job);
        flow__block_give(job);
    }
    if (node != NULL) {
        flow__node_give(world, node);
    }
    return job != NULL ? flow__fault_raise(flow, self, FLOW_CLOSED, flow__job_no_work)
                       : flow__fault_raise(flow, self, FLOW_NOMEM, flow__job_no_room);
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

/* ---- what others see of it ---- */

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

/* Where a frame is, as its at_ says; of one whose code is on a worker, where its function begins.
 */
uint32_t flow__point(const flow_world *world, const flow_task *task, const flow_frame *frame)
{
    const flow_job *job = frame == task->top_ ? job_of(world, task) : NULL;
    return job != NULL && job->kind == FLOW_JOB_AWAY_ ? frame->fn_->line << 16 : frame->at_;
}
