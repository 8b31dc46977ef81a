/* SPDX-License-Identifier: MIT */
/*
 * A model test. A random program, made from a seed, is run twice: by flow, and by a naive reference
 * that spells out design and documentation with plain lists. Both sides write what happens, step by
 * step, and the two traces must be equal.
 *
 * A program is a script for the host and some blocks. A block is what a flow function does: a list
 * of instructions, perhaps a finally section, and what it calls and starts are blocks with greater
 * numbers, so that every program comes to its end. Slots hold the handles, clocks and so on that
 * instructions name. Everything that is not flow's business, what an instruction is and how its
 * result is written down, is shared by both sides (act.c).
 */
#ifndef TESTS_MODEL_H
#define TESTS_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "flow/flow.h"

enum {
    BLOCKS = 8,
    FLOW_SLOTS = 6, /* handles of flows, then of groups, then owners */
    GROUP_SLOTS = 3,
    OWNERS = 2,
    WHOM = FLOW_SLOTS + GROUP_SLOTS + OWNERS,
    NOBODY = WHOM,
    CLOCKS = 7, /* real, unscaled, game, then those of the program */
    OWN_CLOCKS = 3,
    SIGNALS = 3,
    SUBSCRIPTIONS = 3,
    PROPERTIES = 2,
    CHANNELS = 2,
    BRANCHES = 3,      /* of a composition */
    PLACES = 56,       /* of waits in a block that need to be told apart */
    AWAIT_PLACES = 24, /* of them, of one await */
    OF_SET = 24,       /* branches of a set */
    INSTRUCTIONS = 800,
    WAITS = 600
};

/* ---- programs ---- */

/* $Wa prints the member a as whom it names; B: a block, K: a clock, P: a phase, O: options, #: a
 * number. */
#define OPS(X)                                                                                     \
    X(NONE, "")                                                                                    \
    /* what a body does */                                                                         \
    X(AWAIT, "await")                                                                              \
    X(TRY, "try")                                                                                  \
    X(SHIELD, "shield")                                                                            \
    X(FAIL, "fail with $#a")                                                                       \
    X(RETURN, "return")                                                                            \
    X(SPAWN, "spawn $Bb as $Wa")                                                                   \
    X(SELF, "call oneself $Wa")                                                                    \
    X(DEFER, "defer")                                                                              \
    X(HOLD, "pause clock $#a for the scope")                                                       \
    X(SCOPE_CLOCK, "make a scope's clock $#a under clock $Kb")                                     \
    X(SUBSCRIBE, "subscribe $#a to signal $#b, policy and capacity $#c")                           \
    X(ASKED, "is one asked to stop?")                                                              \
    X(INTERVAL, "begin an interval of $#a ms on clock $Kb")                                        \
    X(SET_BEGIN, "begin the set")                                                                  \
    X(SET_ADD, "add with the tag $#a")                                                             \
    X(SET_CLEAR, "clear the set")                                                                  \
    X(SET_LEFT, "count the set")                                                                   \
    /* what anybody does with flows */                                                             \
    X(START, "start $Bb as $Wa, owned by $Wc$Od")                                                  \
    X(GROUP, "make $Wa a group, owned by $Wc, fails fast: $#d")                                    \
    X(CANCEL, "cancel $Wa")                                                                        \
    X(GRADUAL, "cancel $Wa gradually, $#b a tick")                                                 \
    X(CLEAR, "clear $Wa")                                                                          \
    X(STOP, "ask $Wa to stop")                                                                     \
    X(STATE, "state of $Wa")                                                                       \
    X(OWNER_END, "end owner $#a")                                                                  \
    X(OWNER_BEGIN, "begin owner $#a")                                                              \
    /* with clocks */                                                                              \
    X(PAUSE, "pause clock $#a")                                                                    \
    X(RELEASE, "release clock $#a")                                                                \
    X(SCALE, "scale clock $#a by the scale $#b")                                                   \
    X(CLOCK_MAKE, "make clock $#a under clock $#b")                                                \
    X(CLOCK_END, "end clock $#a")                                                                  \
    /* with signals and subscriptions */                                                           \
    X(EMIT, "emit $#b through signal $#a")                                                         \
    X(CLOSE, "close signal $#a")                                                                   \
    X(BREAK, "fail signal $#a with $#b")                                                           \
    X(RENEW, "renew signal $#a")                                                                   \
    X(TAKE, "take from subscription $#a")                                                          \
    X(COUNT, "count subscription $#a")                                                             \
    X(UNSUBSCRIBE, "end subscription $#a")                                                         \
    /* with properties and channels */                                                             \
    X(SET, "set property $#a to $#b")                                                              \
    X(READ, "read property $#a")                                                                   \
    X(PROPERTY, "renew property $#a with $#b")                                                     \
    X(SEND, "send $#b into channel $#a")                                                           \
    X(RECEIVE, "receive from channel $#a")                                                         \
    X(KEPT, "count channel $#a")                                                                   \
    X(CHANNEL_CLOSE, "close channel $#a")                                                          \
    X(CHANNEL_BREAK, "fail channel $#a with $#b")                                                  \
    X(CHANNEL, "renew channel $#a with room for $#b")                                              \
    /* from any thread, in the next frame */                                                       \
    X(POST, "post")                                                                                \
    X(CANCEL_ANY, "cancel $Wa in the next frame")                                                  \
    X(EMIT_ANY, "emit $#b through signal $#a in the next frame")                                   \
    /* what the host does */                                                                       \
    X(FRAME, "frame of $#b ms")                                                                    \
    X(TICK, "tick of $Pa, $#b ms")                                                                 \
    X(FLUSH, "flush of $Pa")

typedef enum op {
#define OP_ENUM(name, text) OP_##name,
    OPS(OP_ENUM)
#undef OP_ENUM
        OP_LAST
} op;

#define WAIT_KINDS(X)                                                                              \
    X(READY, "ready")                                                                              \
    X(FAILED, "failed $#a")                                                                        \
    X(NEVER, "never")                                                                              \
    X(NEXT_TICK, "next tick")                                                                      \
    X(TICKS, "ticks $#a")                                                                          \
    X(NEXT_FRAME, "next frame")                                                                    \
    X(FRAMES, "frames $#a")                                                                        \
    X(SECONDS, "$#a ms on clock $Kb")                                                              \
    X(UNTIL, "until asked $#b times")                                                              \
    X(SIGNAL, "signal $#a")                                                                        \
    X(SIGNAL_OR_CLOSED, "signal $#a or closed")                                                    \
    X(SIGNAL_IF, "signal $#a if divided by $#b")                                                   \
    X(SUBSCRIPTION, "subscription $#a")                                                            \
    X(CHANGED, "property $#a changed")                                                             \
    X(HOLDS, "property $#a until divided by $#b")                                                  \
    X(SEND, "send $#b into channel $#a")                                                           \
    X(RECEIVE, "receive from channel $#a, or closed: $#b")                                         \
    X(READABLE, "channel $#a readable, or closed: $#b")                                            \
    X(DRAINED, "channel $#a drained")                                                              \
    X(BEAT, "next beat")                                                                           \
    X(EACH, "each of the set")                                                                     \
    X(JOIN, "join $Wa")                                                                            \
    X(PHASE, "phase $Pa")                                                                          \
    X(GONE, "owner $#a gone")                                                                      \
    X(CALL, "call $Ba")                                                                            \
    X(RACE, "race")                                                                                \
    X(ALL, "all")                                                                                  \
    X(SETTLED, "all settled")                                                                      \
    X(ANY, "any")                                                                                  \
    X(TIMEOUT, "timeout of $#a ms on clock $Kb")                                                   \
    X(ON_CLOCK, "on clock $Ka")                                                                    \
    X(OF_SET, "race, all, all settled or any of the set: $#a")

typedef enum wait_kind {
#define WAIT_ENUM(name, text) W_##name,
    WAIT_KINDS(WAIT_ENUM)
#undef WAIT_ENUM
        W_LAST
} wait_kind;

struct list {
    int first, count; /* in program.ins */
};

struct wait {
    wait_kind kind;
    int a, b;
    int place; /* where its result goes: in run.value and so on */
    int branches;
    int branch[BRANCHES]; /* in program.wait */
    struct list acts;
};

struct ins {
    op op;
    int a, b, c, d;
    int wait; /* in program.wait */
    struct list acts;
};

enum frame_size { FRAME_SMALL, FRAME_PLAIN, FRAME_LARGE };

struct block {
    struct list body, last; /* last: its finally section */
    bool has_finally;
    enum frame_size size; /* PLAIN has none */
};

struct program {
    uint64_t seed;
    struct list host, report; /* report: what on_failure does */
    struct block block[BLOCKS];
    struct ins ins[INSTRUCTIONS];
    struct wait wait[WAITS];
    int ins_count, wait_count;
};

void program_make(struct program *program, uint64_t seed);
void program_print(const struct program *program);

/* ---- traces ---- */

#define EVENTS(X)                                                                                  \
    X(FRAME, "frame %d")                                                                           \
    X(TICK, "tick of phase %d, %d ms")                                                             \
    X(FLUSH, "flush of phase %d")                                                                  \
    X(COUNTS, "  live %d, timers %d, predicates %d, stale %d")                                     \
    X(TOTALS, "  started %d, done %d, cancelled %d, failed %d")                                    \
    X(FINALS, "  finally sections %d")                                                             \
    X(TIME, "  clock %d in phase %d: %d ns, counted in all %d")                                    \
    X(ENTER, "run %d begins: block %d, phase %d, cause %d")                                        \
    X(NOW, "  run %d: %d ns, tick %d, step %d")                                                    \
    X(AWAITS, "run %d awaits at %d")                                                               \
    X(GOES_ON, "run %d goes on after %d, phase %d, cause %d")                                      \
    X(RESULT, "  run %d: wait of kind %d gave %d, %d")                                             \
    X(TRIED, "  run %d: state %d, code %d")                                                        \
    X(ITEM, "  run %d: branch %d with tag %d has ended")                                           \
    X(OVER, "run %d comes to the end of its body")                                                 \
    X(FINALLY, "run %d: finally, cause %d")                                                        \
    X(CLEANED, "run %d: end of finally")                                                           \
    X(CLEANUP, "run %d: deferred cleanup")                                                         \
    X(POSTED, "a posted call")                                                                     \
    X(ACT, "act %d on %d by run %d: %d")                                                           \
    X(KNOWN, "  state %d, cause %d, code %d")                                                      \
    X(READ, "  value %d, version %d")                                                              \
    X(TEST, "a predicate is asked: %d")                                                            \
    X(MATCH, "a condition is asked of %d: %d")                                                     \
    X(REPORT, "a failure is reported: kind %d, code %d")                                           \
    X(END, "the world ends: %d flows lived; %d, %d blocks are left")

typedef enum event_kind {
#define EVENT_ENUM(name, text) EV_##name,
    EVENTS(EVENT_ENUM)
#undef EVENT_ENUM
} event_kind;

struct event {
    event_kind kind;
    int value[4];
};

struct trace {
    struct event *event;
    int count, room;
};

void note(struct trace *trace, event_kind kind, int a, int b, int c, int d);
void event_print(const struct event *event);
struct run;
void results(struct run *run, const struct wait *wait);

/* ---- sides ---- */

/* What one run of a block needs beside what flow keeps for it. */
struct run {
    struct side *side;
    const struct block *block;
    const struct ins *ins; /* that it awaits */
    void *flow;            /* the side's own flow */
    int number;            /* in the order in which they begin */
    int next;              /* instruction in its list */
    bool closing;          /* in its finally section */
    flow_outcome outcome;  /* of a TRY */
    /* of waits, by place */
    int value[PLACES], index[PLACES];
    uint64_t seen[PROPERTIES]; /* the version, of a change */
    flow_interval interval;    /* flow's */
    uint64_t beats[PLACES];
    flow_set set; /* flow's */
    flow_each_item item;
    flow_outcome of_set[OF_SET];
    flow_outcome joined[PLACES], settled[PLACES][BRANCHES];
};

/* A callback's argument. */
struct asked {
    struct side *side;
    const struct wait *wait;
};

struct cleanup {
    struct side *side;
    const struct ins *ins;
    int number;
};

enum { RUNS = 4000, CLEANUPS = 4000 };

struct side {
    const struct program *program;
    struct trace trace;
    const struct side_calls *call;
    int fuel;  /* acts that may still start or emit something */
    int tests; /* of predicates and conditions */
    int begun; /* runs */
    int runs, cleanups;
    long ops[OP_LAST], waits[W_LAST]; /* how many were carried out, in all programs */
    long gave[W_LAST];                /* of the waits, those whose results were looked at */
    bool outside;                     /* the program leaves what the model covers */
    struct run run[RUNS];
    struct cleanup cleanup[CLEANUPS];
    struct asked asked[WAITS];
};

/* What flow and the reference each do in their way. Whom: a slot of flows, groups or owners. */
#define SIDE_CALLS(X)                                                                              \
    X(int, start, (struct side * side, const struct ins *ins))                                     \
    X(int, group, (struct side * side, const struct ins *ins))                                     \
    X(int, cancel, (struct side * side, int whom))                                                 \
    X(int, clear, (struct side * side, int whom))                                                  \
    X(int, stop, (struct side * side, int whom))                                                   \
    X(int, state, (struct side * side, int whom, flow_outcome *outcome))                           \
    X(int, emit, (struct side * side, int signal, int value))                                      \
    X(void, close, (struct side * side, int signal))                                               \
    X(void, fail, (struct side * side, int signal, int code))                                      \
    X(void, renew, (struct side * side, int signal))                                               \
    X(int, pause, (struct side * side, int clock))                                                 \
    X(int, release, (struct side * side, int clock))                                               \
    X(int, scale, (struct side * side, int clock, double scale))                                   \
    X(int, clock_make, (struct side * side, int slot, int parent))                                 \
    X(int, clock_end, (struct side * side, int clock))                                             \
    X(int, owner_end, (struct side * side, int owner))                                             \
    X(int, owner_begin, (struct side * side, int owner))                                           \
    X(int, take, (struct side * side, int subscription, int *value))                               \
    X(int, count, (struct side * side, int subscription))                                          \
    X(void, unsubscribe, (struct side * side, int subscription))                                   \
    X(int, spawn, (struct run * run, const struct ins *ins))                                       \
    X(void, self, (struct run * run, int slot))                                                    \
    X(int, defer, (struct run * run, struct cleanup * cleanup))                                    \
    X(int, hold, (struct run * run, int clock))                                                    \
    X(int, scope_clock, (struct run * run, int slot, int parent))                                  \
    X(int, subscribe, (struct run * run, const struct ins *ins))                                   \
    X(int, asked_to_stop, (struct run * run))                                                      \
    X(flow_cause, cause, (struct run * run))                                                       \
    X(int, phase, (struct run * run))                                                              \
    X(void, time, (struct run * run, int *now, int *ticks, int *step))                             \
    X(void, frame, (struct side * side, double dt))                                                \
    X(void, tick, (struct side * side, int phase, double dt))                                      \
    X(void, flush, (struct side * side, int phase))                                                \
    X(flow_counters, counters, (struct side * side))                                               \
    X(void, clock_now, (struct side * side, int clock, int phase, int *now))                       \
    X(int, gradual, (struct side * side, int whom, int budget))                                    \
    X(int, set, (struct side * side, int property, int value))                                     \
    X(int, read, (struct side * side, int property, int *value))                                   \
    X(void, property, (struct side * side, int property, int value))                               \
    X(int, send, (struct side * side, int channel, const int *value))                              \
    X(int, receive, (struct side * side, int channel, int *value))                                 \
    X(int, kept, (struct side * side, int channel))                                                \
    X(void, channel_close, (struct side * side, int channel))                                      \
    X(void, channel_fail, (struct side * side, int channel, int code))                             \
    X(void, channel, (struct side * side, int channel, int capacity))                              \
    X(int, post, (struct side * side, const struct ins *ins))                                      \
    X(int, cancel_any, (struct side * side, int whom))                                             \
    X(int, emit_any, (struct side * side, int signal, const int *value))                           \
    X(int, interval, (struct run * run, int ms, int clock))                                        \
    X(int, set_begin, (struct run * run))                                                          \
    X(void, set_add, (struct run * run, const struct ins *ins))                                    \
    X(void, set_clear, (struct run * run))                                                         \
    X(int, set_left, (struct run * run))

struct side_calls {
#define CALL(type, name, parameters) type(*name) parameters;
    SIDE_CALLS(CALL)
#undef CALL
};

void side_begin(struct side *side, const struct program *program, const struct side_calls *call);
void side_play(struct side *side); /* the host's script */
struct run *run_make(struct side *side, int block);
void run_enters(struct run *run, void *flow);
/* Does what comes until the next instruction that awaits, fails or returns; null: the list is
 * over. */
const struct ins *run_next(struct run *run);
void run_goes_on(struct run *run);
void run_tried(struct run *run);
void run_over(struct run *run);
void run_closes(struct run *run);
void run_closed(struct run *run);
void cleanup_run(void *cleanup);
void posted_run(struct side *side, const struct ins *ins);
int predicate_run(void *asked);
int match_run(const void *value, void *asked);
void report_run(struct side *side, int kind, int code);

/* A program on flow; on the reference. fail_at: the allocation that fails with all after it, or 0;
 * *calls: how many there were. */
void flow_play(struct side *side, const struct program *program);
void naive_play(struct side *side, const struct program *program);
long flow_play_failing(struct side *side, const struct program *program, long fail_at);

#endif
