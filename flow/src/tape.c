/* SPDX-License-Identifier: MIT */
/*
 * What recorders and replayers share: how they are told of what happens, and the input_kinds of
 * inputs.
 *
 * An input is what somebody does to the world who is not inside of it. So nothing that flows,
 * callbacks and posted calls do is one, whatever it leads to.
 */
#include "tape.h"

/* ---- the input_kinds ---- */

static const struct {
    const char *word;
    uint8_t fields;
} input_kinds[] = {
    [FLOW_INPUT_FRAME] = {"frame", FLOW_FIELD_DT},
    [FLOW_INPUT_TICK] = {"tick", FLOW_FIELD_PHASE | FLOW_FIELD_DT},
    [FLOW_INPUT_FLUSH] = {"flush", FLOW_FIELD_PHASE},
    [FLOW_INPUT_CALL] = {"call", FLOW_FIELD_NAME | FLOW_FIELD_VALUE},
    [FLOW_INPUT_EMIT] = {"emit", FLOW_FIELD_ID | FLOW_FIELD_VALUE},
    [FLOW_INPUT_PROPERTY] = {"set of a property", FLOW_FIELD_ID | FLOW_FIELD_VALUE},
    [FLOW_INPUT_ONCE] = {"set of a once", FLOW_FIELD_ID | FLOW_FIELD_VALUE | FLOW_FIELD_CODE},
    [FLOW_INPUT_COMPLETION] = {"set of a completion",
                               FLOW_FIELD_ID | FLOW_FIELD_VALUE | FLOW_FIELD_CODE},
    [FLOW_INPUT_SEND] = {"send", FLOW_FIELD_ID | FLOW_FIELD_VALUE},
    [FLOW_INPUT_ARRIVE] = {"send from another thread", FLOW_FIELD_ID | FLOW_FIELD_VALUE},
    [FLOW_INPUT_CLOSE] = {"close", FLOW_FIELD_ID | FLOW_FIELD_CODE},
    [FLOW_INPUT_SOURCE_CANCEL] = {"cancel of a source", FLOW_FIELD_ID},
    [FLOW_INPUT_SOURCE_RESET] = {"reset of a source", FLOW_FIELD_ID},
    [FLOW_INPUT_EVENT_SET] = {"set of an event", FLOW_FIELD_ID},
    [FLOW_INPUT_EVENT_RESET] = {"reset of an event", FLOW_FIELD_ID},
    [FLOW_INPUT_ADD] = {"new permits", FLOW_FIELD_ID | FLOW_FIELD_CODE},
    [FLOW_INPUT_CANCEL] = {"cancel", FLOW_FIELD_ID},
    [FLOW_INPUT_CLEAR] = {"clear of a group", FLOW_FIELD_ID},
    [FLOW_INPUT_GRADUALLY] = {"gradual cancel", FLOW_FIELD_ID | FLOW_FIELD_CODE},
    [FLOW_INPUT_STOP] = {"request to stop", FLOW_FIELD_ID},
    [FLOW_INPUT_PAUSE] = {"pause of a clock", FLOW_FIELD_ID},
    [FLOW_INPUT_RELEASE] = {"release of a clock", FLOW_FIELD_ID},
    [FLOW_INPUT_SCALE] = {"scale of a clock", FLOW_FIELD_ID | FLOW_FIELD_NUMBER},
    [FLOW_INPUT_OWN] = {"message of the flows' own", 0},
    [FLOW_INPUT_JOB] = {"end of a job", FLOW_FIELD_ID},
    [FLOW_INPUT_LEFT] = {"look at the budget", FLOW_FIELD_CODE},
};
_Static_assert(sizeof input_kinds / sizeof input_kinds[0] == FLOW_INPUT_COUNT,
               "a line for each kind");
_Static_assert((int)FLOW_INPUT_COUNT <= (int)FLOW_TAPE_TAKEN, "input_kinds fit below the marks");

uint8_t flow__tape_fields(flow_input_kind kind)
{
    return input_kinds[kind].fields;
}

const char *flow__tape_word(flow_input_kind kind)
{
    return input_kinds[kind].word;
}

/* ---- being told ---- */

static void input_tell(flow_world *world, const flow_input *input)
{
    world->tape->input(world->tape, input);
}

/* Of one that has ended nothing is told: nothing comes of it. */
void flow__tape_source(flow_input_kind kind, const flow_source *source, const void *value, int code,
                       const char *message)
{
    flow_input input = {.kind = kind,
                        .id = source->id_,
                        .generation = source->generation_,
                        .size = (flow__tape_fields(kind) & FLOW_FIELD_VALUE) ? source->size_ : 0,
                        .value = value,
                        .code = code,
                        .message = message};
    if (flow__record(source) != NULL) {
        input_tell(source->world_, &input);
    }
}

void flow__tape_flow(flow_world *world, flow_input_kind kind, flow_handle flow, uint32_t count)
{
    flow_input input = {
        .kind = kind, .id = flow.slot, .generation = flow.generation, .code = (int)count};
    if (flow__task_of(world, flow) != NULL) {
        input_tell(world, &input);
    }
}

void flow__tape_time(flow_world *world, flow_input_kind kind, flow_phase phase, double dt)
{
    flow_input input = {.kind = kind, .phase = phase, .number = dt};
    input_tell(world, &input);
}

void flow__tape_clock(flow_world *world, flow_input_kind kind, flow_clock clock, double scale)
{
    flow_input input = {.kind = kind, .id = clock, .number = scale};
    input_tell(world, &input);
}

/* The table's line for a call, or null. */
const flow_replay_call *flow__tape_call(const flow_tape *tape, flow_post_fn fn, const void *arg)
{
    for (size_t i = 0; i < tape->call_count; i++) {
        const flow_replay_call *call = &tape->calls[i];
        if (call->fn == fn && (call->size != 0 ? arg != NULL : call->arg == arg)) {
            return call;
        }
    }
    return NULL;
}

void flow__tape_called(flow_world *world, flow_post_fn fn, const void *arg, bool taken)
{
    const flow_replay_call *call = flow__tape_call(world->tape, fn, arg);
    flow_input input = {.kind = FLOW_INPUT_CALL, .taken = taken};
    if (call != NULL) {
        input.name = call->name;
        input.size = (uint32_t)call->size;
        input.value = call->size != 0 ? arg : NULL;
    }
    input_tell(world, &input);
}

void flow__tape_taken(flow_world *world, const flow_input *input)
{
    input_tell(world, input);
}

/* What a clock says is nothing that happens again: a replay answers as it was recorded. */
bool flow__tape_answer(flow_world *world, bool left)
{
    return world->tape->listens ? world->tape->answer(world->tape, left) : left;
}

void flow_world_call(flow_world *world, flow_post_fn fn, void *arg)
{
    if (flow__elsewhere(world, "flow_world_call: called on another thread than the world's; there, "
                               "flow_post does it")) {
        return;
    }
    if (flow__listened(world)) {
        flow__tape_called(world, fn, arg, false);
    }
    bool inside = world->inside;
    world->inside = true;
    fn(world, arg);
    flow__outermost(world);
    world->inside = inside;
}

/* ---- beginning and ending ---- */

flow_tape *flow__tape_take(flow_world *world, size_t size, const flow_replay_call *calls,
                           size_t count)
{
    flow_tape *tape = flow__block_take(world, size);
    if (tape != NULL) {
        memset(tape, 0, size);
        tape->world = world;
        tape->calls = calls;
        tape->call_count = count;
        tape->listens = true;
        tape->hash = FLOW_HASH_START;
        world->tape = tape;
        flow__trace_attend(world);
    }
    return tape;
}

void flow__tape_give(flow_tape *tape)
{
    tape->world->tape = NULL;
    flow__trace_attend(tape->world);
    flow__block_give(tape);
}

/* An input begins. */
void flow__tape_count(flow_tape *tape, const flow_input *input)
{
    tape->inputs++;
    tape->frames += input->kind == FLOW_INPUT_FRAME;
    tape->ticks += input->kind == FLOW_INPUT_TICK;
}
