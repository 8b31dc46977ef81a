/* SPDX-License-Identifier: MIT */
/*
 * Tracing. While it is on, `attention` sends every turn the careful way, where flow__trace is
 * called; so the quick ways know nothing of it.
 */
#include "hash.h"
#include "tape.h"

/* Somebody wants to be told, or nobody does any more. */
void flow__trace_attend(flow_world *world)
{
    if (world->traced || (world->tape != NULL && world->tape->listens)) {
        world->attention |= FLOW_ATTENTION_TRACED;
    } else {
        world->attention &= (uint8_t)~FLOW_ATTENTION_TRACED;
    }
}

void flow_world_trace(flow_world *world, flow_trace_sink sink, void *user)
{
    world->trace_sink = sink;
    world->trace_user = user;
    world->trace_hash = FLOW_HASH_START;
    world->traced = true;
    flow__trace_attend(world);
}

void flow_world_trace_end(flow_world *world)
{
    world->traced = false;
    flow__trace_attend(world);
}

uint64_t flow_world_trace_hash(const flow_world *world)
{
    return world->trace_hash;
}

uint64_t flow__trace_mix(uint64_t hash, const flow_trace_event *event)
{
    hash = flow__mix(hash, (uint64_t)event->kind << 32 | (uint64_t)event->state << 16 |
                               (uint64_t)event->phase);
    hash = flow__mix(hash, event->frame);
    hash = flow__mix(hash, (uint64_t)event->flow.generation << 32 | event->flow.slot);
    hash = flow__mix(flow__mix_text(hash, event->name), (uint64_t)(int64_t)event->number);
    return flow__mix(flow__mix_text(hash, event->function), event->point);
}

static void sink_tell(flow_world *world, const flow_trace_event *event)
{
    if (world->trace_sink != NULL) {
        bool inside = world->inside;
        world->inside = true;
        world->trace_sink(world->trace_user, event);
        world->inside = inside;
    }
}

/* The task starts, goes on or has ended; it still has its frame or, a group, its name. */
void flow__trace(flow_world *world, int kind, const flow_task *task, flow_state state)
{
    const flow_frame *top = task->top_;
    flow_name name = flow__name_of(task);
    flow_trace_event event = {.kind = (flow_trace_kind)kind,
                              .state = state,
                              .frame = world->frame,
                              .phase = (flow_phase)task->phase_,
                              .flow = flow__handle_of(task),
                              .name = name.text,
                              .number = name.number,
                              .function = top ? top->fn_->name : name.text,
                              .point = top ? top->at_ & 0xffffu : 0,
                              .file = top ? top->fn_->file : NULL,
                              .line = top ? (int)(top->at_ >> 16) : 0};
    event.line = top && event.line == 0 ? (int)top->fn_->line : event.line;
    if (world->traced) {
        event.hash = flow__trace_mix(world->trace_hash, &event);
        world->trace_hash = event.hash;
        sink_tell(world, &event);
    }
    if (world->tape != NULL && world->tape->listens) {
        bool outside = kind == FLOW_TRACE_START && !world->inside && world->nesting == 0 &&
                       world->current == NULL;
        world->tape->event(world->tape, &event, outside);
    }
}
