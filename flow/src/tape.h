/* SPDX-License-Identifier: MIT */
/*
 * Tapes: what a recorder and a replayer see of a world, and how a recording is written.
 *
 * A recording is a head, items, and an end. Numbers are little-endian; `v` is a number of 7 bits a
 * byte, the lowest first, the highest bit set in all but the last. It holds, in this order:
 *
 *     head    "FLOWTAPE", u16 version, u16 0, u32 fixed phases (bits), u64 frame, u64 hash of the
 *             tree of live flows
 *     input   u8 kind, + 0x20 when the world took it in itself, + 0x80 for "dt as the last one";
 *             then, where flow__tape_fields of the kind says so: u8 phase; f64 dt; v id, v
 *             generation; text name; v size, u8 1 and that many bytes or u8 0; v code (its two
 *             lowest bits changed: zigzag), text message; f64 number
 *     event   u8 0x40 + kind, + 4 when it began outside of every input; u8 state * 32 + phase;
 *             v slot, v generation; text name; v number (zigzag); text function; v point;
 *             text file; v line
 *     text    v 0: none; 1: a new one, kept as the next; 2: a new one, not kept; 3 + n: the n-th
 *             that is kept. A new one: v length, its bytes, and 0. At most FLOW_TAPE_TEXTS are kept
 *     end     0x7f "END", u8 1 when it was cut, u64 events, u64 hash of the events, u64 hash of the
 *             tree (0 when cut), u64 hash (FNV-1a) of all bytes before this number
 *
 * Begin_frame lasts until the next input that the world did not take in itself, a tick too.
 */
#ifndef FLOW_TAPE_H
#define FLOW_TAPE_H

#include "hash.h"
#include "private.h"

enum {
    FLOW_TAPE_VERSION = 1,
    FLOW_TAPE_HEAD = 32,
    FLOW_TAPE_END = 4 + 1 + 4 * 8,
    FLOW_TAPE_TEXTS = 512,
    FLOW_TAPE_TAKEN = 0x20, /* of an input's first byte */
    FLOW_TAPE_SAME_DT = 0x80,
    FLOW_TAPE_EVENT = 0x40, /* of an event's */
    FLOW_TAPE_OUTSIDE = 4,
    FLOW_TAPE_LAST = 0x7f
};

/* What comes to a world from outside of its flows. */
typedef enum flow_input_kind {
    FLOW_INPUT_FRAME,
    FLOW_INPUT_TICK,
    FLOW_INPUT_FLUSH,
    FLOW_INPUT_CALL,
    FLOW_INPUT_EMIT,
    FLOW_INPUT_PROPERTY,
    FLOW_INPUT_ONCE,       /* set, or failed with code and message */
    FLOW_INPUT_COMPLETION, /* the same */
    FLOW_INPUT_SEND,       /* to a channel */
    FLOW_INPUT_ARRIVE,     /* the same from another thread, which overtakes nobody */
    FLOW_INPUT_CLOSE,      /* of a signal or a channel, with code and message */
    FLOW_INPUT_SOURCE_CANCEL,
    FLOW_INPUT_SOURCE_RESET,
    FLOW_INPUT_EVENT_SET,
    FLOW_INPUT_EVENT_RESET,
    FLOW_INPUT_ADD, /* code permits to a semaphore */
    FLOW_INPUT_CANCEL,
    FLOW_INPUT_CLEAR,
    FLOW_INPUT_GRADUALLY, /* code flows a tick */
    FLOW_INPUT_STOP,
    FLOW_INPUT_PAUSE,
    FLOW_INPUT_RELEASE,
    FLOW_INPUT_SCALE,
    FLOW_INPUT_OWN,  /* the next of what the flows themselves have sent to the inbox */
    FLOW_INPUT_JOB,  /* the job of that number has come home */
    FLOW_INPUT_LEFT, /* of a tick: a flow asked whether the frame's budget is left; code 1: it is */
    FLOW_INPUT_COUNT
} flow_input_kind;

enum {
    FLOW_FIELD_PHASE = 1,
    FLOW_FIELD_DT = 2,
    FLOW_FIELD_ID = 4,
    FLOW_FIELD_NAME = 8,
    FLOW_FIELD_VALUE = 16,
    FLOW_FIELD_CODE = 32,
    FLOW_FIELD_NUMBER = 64
};

typedef struct flow_input {
    flow_input_kind kind;
    bool taken;       /* by begin_frame, from the inbox */
    flow_phase phase; /* of FRAME: 0 */
    double number;    /* dt, scale */
    uint32_t id;      /* of a record, a flow or a clock; the number of a job */
    uint32_t generation;
    const char *name;  /* of a call; null: no table has it */
    uint32_t size;     /* of the value */
    const void *value; /* or null */
    int code;
    const char *message; /* or null */
} flow_input;

/* Who is told of a world's inputs and events, in the order in which they happen. */
struct flow_tape {
    void (*input)(flow_tape *tape, const flow_input *input);
    void (*event)(flow_tape *tape, const flow_trace_event *event, bool outside);
    void (*take)(flow_tape *tape); /* of a replayer, in the place of the inbox; else null */
    bool (*answer)(flow_tape *tape, bool left); /* is the frame's budget left? */
    void (*end)(flow_tape *tape);               /* the world is about to be destroyed */
    flow_world *world;
    const flow_replay_call *calls;
    size_t call_count;
    bool listens;  /* it wants to be told of events, and to have its say */
    uint64_t hash; /* of the events */
    uint64_t frames, ticks, inputs, events;
    double dt[FLOW_PHASE_LIMIT]; /* the last of each phase; of begin_frame in 0 */
};

/* ---- hooks (tape.c): called where flow__listened, before what they tell of ---- */

FLOW_COLD_ void flow__tape_source(flow_input_kind kind, const flow_source *source,
                                  const void *value, int code, const char *message);
FLOW_COLD_ void flow__tape_flow(flow_world *world, flow_input_kind kind, flow_handle flow,
                                uint32_t count);
FLOW_COLD_ void flow__tape_time(flow_world *world, flow_input_kind kind, flow_phase phase,
                                double dt);
FLOW_COLD_ void flow__tape_clock(flow_world *world, flow_input_kind kind, flow_clock clock,
                                 double scale);
void flow__tape_called(flow_world *world, flow_post_fn fn, const void *arg, bool taken);
void flow__tape_taken(flow_world *world, const flow_input *input);
bool flow__tape_answer(flow_world *world, bool left);

/* Is it a replayer that decides what comes in? */
static inline bool flow__replays(const flow_world *world)
{
    return world->tape->listens && world->tape->take != NULL;
}

/* ---- a tape's own ---- */

static inline bool flow__same_bits(double a, double b)
{
    uint64_t of_a, of_b;
    memcpy(&of_a, &a, sizeof a);
    memcpy(&of_b, &b, sizeof b);
    return of_a == of_b;
}

flow_tape *flow__tape_take(flow_world *world, size_t size, const flow_replay_call *calls,
                           size_t count);
void flow__tape_give(flow_tape *tape);
void flow__tape_count(flow_tape *tape, const flow_input *input);
uint8_t flow__tape_fields(flow_input_kind kind);
const char *flow__tape_word(flow_input_kind kind);
const flow_replay_call *flow__tape_call(const flow_tape *tape, flow_post_fn fn, const void *arg);

/* ---- reading (tape_read.c) ---- */

typedef enum flow_tape_item_kind {
    FLOW_ITEM_INPUT,
    FLOW_ITEM_EVENT,
    FLOW_ITEM_END,
    FLOW_ITEM_MISSING, /* the bytes end in it */
    FLOW_ITEM_BAD      /* they are none: `why` */
} flow_tape_item_kind;

typedef struct flow_tape_item {
    flow_tape_item_kind kind;
    size_t at;        /* its first byte */
    flow_input input; /* its value lies in the recording, wherever */
    flow_trace_event event;
    bool outside;
    bool cut; /* the end */
    uint64_t events, hash, tree;
    const char *why;
} flow_tape_item;

typedef struct flow_tape_reader {
    const unsigned char *bytes;
    size_t size, at;
    bool whole; /* it has its end, and the bytes' hash is right */
    flow_tape_item_kind trouble;
    const char *why;
    uint32_t texts;
    const char *text[FLOW_TAPE_TEXTS];
    double dt[FLOW_PHASE_LIMIT];
} flow_tape_reader;

typedef struct flow_tape_head {
    uint32_t fixed_phases;
    uint64_t frame, tree;
} flow_tape_head;

const char *flow__tape_open(flow_tape_reader *reader, const void *bytes, size_t size,
                            flow_tape_head *head, char *text, size_t capacity);
void flow__tape_next(flow_tape_reader *reader, flow_tape_item *item);

/* ---- giving (tape_give.c) ---- */

const char *flow__tape_give_input(flow_world *world, const flow_input *input);

/* ---- in words (tape_text.c) ---- */

void flow__tape_event_text(char *text, size_t capacity, const flow_trace_event *event,
                           const char *path);
void flow__tape_input_text(char *text, size_t capacity, const flow_input *input);

#endif
