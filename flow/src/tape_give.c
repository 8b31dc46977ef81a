/* SPDX-License-Identifier: MIT */
/*
 * Giving recorded inputs to a world: each by the function that it was recorded from. The program
 * may have changed, and the recording be anybody's, so that nothing is done to what is not there or
 * is of another kind.
 */
#include "completion.h"
#include "tape.h"

#include <math.h>

static const char lacks_flow[] = "there is no such flow";
static const char lacks_group[] = "there is no such group";
static const char lacks_clock[] = "there is no such clock";
static const char no_object[] = "there is no such object";
static const char other_object[] = "there is another object in its place";
static const char nothing_like_it[] = "that cannot be done";

/* ---- frames and ticks ---- */

static const char *give_frame(flow_world *world, const flow_input *input)
{
    (void)flow_world_begin_frame(world, input->number);
    return NULL;
}

static const char *give_tick(flow_world *world, const flow_input *input)
{
    (void)flow_world_tick(world, input->phase, input->number);
    return NULL;
}

static const char *give_flush(flow_world *world, const flow_input *input)
{
    (void)flow_world_flush(world, input->phase);
    return NULL;
}

/* ---- flows and groups ---- */

static flow_task *named_task(const flow_world *world, const flow_input *input)
{
    flow_task *task = flow__task_of(world, (flow_handle){input->id, input->generation});
    return task != world->root ? task : NULL;
}

static const char *give_cancel(flow_world *world, const flow_input *input)
{
    const flow_task *task = named_task(world, input);
    if (task != NULL) {
        (void)flow_cancel(world, flow__handle_of(task));
    }
    return task != NULL ? NULL : lacks_flow;
}

static const char *give_stop(flow_world *world, const flow_input *input)
{
    const flow_task *task = named_task(world, input);
    if (task != NULL) {
        (void)flow_request_stop(world, flow__handle_of(task));
    }
    return task != NULL ? NULL : lacks_flow;
}

static const char *give_clear(flow_world *world, const flow_input *input)
{
    const flow_task *task = named_task(world, input);
    if (task == NULL || task->top_ != NULL) {
        return lacks_group;
    }
    (void)flow_group_clear(world, flow__handle_of(task));
    return NULL;
}

static const char *give_gradually(flow_world *world, const flow_input *input)
{
    const flow_task *task = named_task(world, input);
    if (task == NULL || task->top_ != NULL || input->code == 0) {
        return lacks_group;
    }
    (void)flow_cancel_gradually(world, flow__handle_of(task), (uint32_t)input->code);
    return NULL;
}

/* ---- clocks ---- */

static const flow_clock_state *named_clock(const flow_world *world, const flow_input *input)
{
    const flow_clock_state *clock = flow__clock(world, input->id);
    return clock != NULL && clock->index > FLOW_CLOCK_UNSCALED ? clock : NULL;
}

static const char *give_pause(flow_world *world, const flow_input *input)
{
    if (named_clock(world, input) == NULL) {
        return lacks_clock;
    }
    (void)flow_clock_pause(world, input->id);
    return NULL;
}

static const char *give_release(flow_world *world, const flow_input *input)
{
    const flow_clock_state *clock = named_clock(world, input);
    if (clock == NULL || clock->pauses == 0) {
        return clock == NULL ? lacks_clock : "that clock is not paused";
    }
    (void)flow_clock_release(world, input->id);
    return NULL;
}

static const char *give_scale(flow_world *world, const flow_input *input)
{
    if (named_clock(world, input) == NULL) {
        return lacks_clock;
    }
    if (!(input->number >= 0.0) || isinf(input->number)) {
        return nothing_like_it;
    }
    (void)flow_clock_set_scale(world, input->id, input->number);
    return NULL;
}

/* ---- what has a record ---- */

static flow_source named_source(flow_world *world, const flow_input *input)
{
    flow_source source = {world, input->id, input->generation, input->size};
    return source;
}

/* The record of what the input is for, if that takes such a value; else null, and why. */
static flow_node *named_record(flow_world *world, const flow_input *input, uint32_t types,
                               const char **why)
{
    flow_source source = named_source(world, input);
    bool exists = input->id >> FLOW_ID_SHIFT < world->nodes.pages &&
                  (input->id & ((1u << FLOW_ID_SHIFT) - 1)) < FLOW_NODES_PER_PAGE;
    flow_node *record = exists ? flow__record(&source) : NULL;
    *why = record != NULL ? other_object : no_object;
    if (record == NULL || (types >> record->branch & 1) == 0) {
        return NULL;
    }
    bool has_value = (flow__tape_fields(input->kind) & FLOW_FIELD_VALUE) != 0;
    bool open = !(record->flags & FLOW_NODE_CLOSED);
    if (has_value && open && (uint32_t)record->code != input->size) {
        return NULL;
    }
    *why = NULL;
    return record;
}

static uint32_t bit(flow_record_type type)
{
    return 1u << type;
}

static const char *give_emit(flow_world *world, const flow_input *input)
{
    const char *why;
    flow_source source = named_source(world, input);
    if (named_record(world, input, bit(FLOW_RECORD_SIGNAL), &why) != NULL) {
        (void)flow_emit_(&source, input->value);
    }
    return why;
}

static const char *give_property(flow_world *world, const flow_input *input)
{
    const char *why;
    flow_source source = named_source(world, input);
    if (input->value == NULL) {
        return nothing_like_it;
    }
    if (named_record(world, input, bit(FLOW_RECORD_PROPERTY), &why) != NULL) {
        (void)flow_property_set_(&source, input->value);
    }
    return why;
}

static const char *give_once(flow_world *world, const flow_input *input)
{
    const char *why;
    flow_source source = named_source(world, input);
    if (named_record(world, input, bit(FLOW_RECORD_ONCE), &why) == NULL) {
        return why;
    }
    (void)(input->code == FLOW_OK ? flow_once_set_(&source, input->value)
                                  : flow_once_fail_(&source, input->code, input->message));
    return NULL;
}

static const char *give_completion(flow_world *world, const flow_input *input)
{
    const char *why;
    flow_node *record = named_record(world, input, bit(FLOW_RECORD_COMPLETION), &why);
    if (record == NULL) {
        return why;
    }
    bool given = flow__completion_give(world, record, input->value, input->code, input->message);
    return given ? NULL : "it is set already";
}

static const char *give_send(flow_world *world, const flow_input *input)
{
    const char *why;
    flow_source source = named_source(world, input);
    if (input->value == NULL) {
        return nothing_like_it;
    }
    if (named_record(world, input, bit(FLOW_RECORD_CHANNEL), &why) == NULL) {
        return why;
    }
    if (input->kind == FLOW_INPUT_ARRIVE) {
        flow__channel_arrives(&source, input->value);
    } else {
        (void)flow_channel_try_send_(&source, input->value);
    }
    return NULL;
}

static const char *give_close(flow_world *world, const flow_input *input)
{
    const char *why;
    flow_source source = named_source(world, input);
    const flow_node *record =
        named_record(world, input, bit(FLOW_RECORD_SIGNAL) | bit(FLOW_RECORD_CHANNEL), &why);
    if (record == NULL || input->code == FLOW_OK) {
        return record == NULL ? why : nothing_like_it;
    }
    if (record->branch == FLOW_RECORD_CHANNEL) {
        flow_channel_close_(&source, input->code, input->message);
    } else if (input->code == FLOW_CLOSED && input->message == NULL) {
        flow_signal_close_(&source);
    } else {
        flow_signal_fail_(&source, input->code, input->message);
    }
    return NULL;
}

static const char *give_source(flow_world *world, const flow_input *input)
{
    const char *why;
    flow_cancel_source source = {named_source(world, input)};
    if (named_record(world, input, bit(FLOW_RECORD_CANCEL), &why) == NULL) {
        return why;
    }
    if (input->kind == FLOW_INPUT_SOURCE_CANCEL) {
        (void)flow_cancel_source_cancel(&source);
    } else {
        flow_cancel_source_reset(&source);
    }
    return NULL;
}

static const char *give_event(flow_world *world, const flow_input *input)
{
    const char *why;
    flow_event event = {named_source(world, input)};
    uint32_t types = bit(FLOW_RECORD_EVENT) | bit(FLOW_RECORD_AUTO_EVENT);
    if (named_record(world, input, types, &why) == NULL) {
        return why;
    }
    if (input->kind == FLOW_INPUT_EVENT_SET) {
        flow_event_set(&event);
    } else {
        flow_event_reset(&event);
    }
    return NULL;
}

static const char *give_permits(flow_world *world, const flow_input *input)
{
    const char *why;
    flow_semaphore semaphore = {named_source(world, input)};
    if (named_record(world, input, bit(FLOW_RECORD_SEMAPHORE), &why) != NULL) {
        flow_semaphore_add(&semaphore, (uint32_t)input->code);
    }
    return why;
}

/* ---- what is in the inbox ---- */

static const char *give_own(flow_world *world, const flow_input *input)
{
    (void)input;
    return flow__inbox_own(world, true) ? NULL : "the flows have sent none";
}

static const char *give_job(flow_world *world, const flow_input *input)
{
    return flow__job_end(world, input->id) ? NULL : "that job has not come home";
}

/* Null; or why it could not be done: nothing is then. */
const char *flow__tape_give_input(flow_world *world, const flow_input *input)
{
    static const char *(*const givers[FLOW_INPUT_COUNT])(flow_world *, const flow_input *) = {
        [FLOW_INPUT_FRAME] = give_frame,
        [FLOW_INPUT_TICK] = give_tick,
        [FLOW_INPUT_FLUSH] = give_flush,
        [FLOW_INPUT_EMIT] = give_emit,
        [FLOW_INPUT_PROPERTY] = give_property,
        [FLOW_INPUT_ONCE] = give_once,
        [FLOW_INPUT_COMPLETION] = give_completion,
        [FLOW_INPUT_SEND] = give_send,
        [FLOW_INPUT_ARRIVE] = give_send,
        [FLOW_INPUT_CLOSE] = give_close,
        [FLOW_INPUT_SOURCE_CANCEL] = give_source,
        [FLOW_INPUT_SOURCE_RESET] = give_source,
        [FLOW_INPUT_EVENT_SET] = give_event,
        [FLOW_INPUT_EVENT_RESET] = give_event,
        [FLOW_INPUT_ADD] = give_permits,
        [FLOW_INPUT_CANCEL] = give_cancel,
        [FLOW_INPUT_CLEAR] = give_clear,
        [FLOW_INPUT_GRADUALLY] = give_gradually,
        [FLOW_INPUT_STOP] = give_stop,
        [FLOW_INPUT_PAUSE] = give_pause,
        [FLOW_INPUT_RELEASE] = give_release,
        [FLOW_INPUT_SCALE] = give_scale,
        [FLOW_INPUT_OWN] = give_own,
        [FLOW_INPUT_JOB] = give_job,
    };
    return givers[input->kind] != NULL ? givers[input->kind](world, input) : nothing_like_it;
}
