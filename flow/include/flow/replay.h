/* SPDX-License-Identifier: MIT */
/*
 * Recording a session of a world, and replaying it to find where a changed program parts from it.
 *
 *     static const flow_replay_call calls[] = {{"spawn", spawn, sizeof(struct spawn), NULL, NULL}};
 *
 *     flow_world_record(world, &(flow_record_desc){.write = to_file, .user = file,
 *                                                  .calls = calls, .call_count = 1});
 *     ...                                         the session: frames, ticks, emits, calls
 *     flow_world_record_end(world, NULL);
 *
 *     flow_replay_report report;                  in a fresh world of the same beginning
 *     flow_world_replay_all(world, &(flow_replay_desc){bytes, size, calls, 1}, &report);
 *     puts(report.text);
 *
 * "frame 3, tick 7 (update), event 31: recorded: hero (#4.1) went on in walk at await 1, hero.c:31;
 * now: hero (#4.1, game > hero > walk) went on in walk at await 2, hero.c:33"
 *
 * What is recorded is, in its order, all that comes to the world from outside of its flows:
 *   - frames and ticks with their dt, and flushes;
 *   - what the host does outside of every flow and callback: emits, sets and fails (a signal, a
 *     property, a completion and their like), sends, closes, cancels (flows, groups, sources),
 *     clears, requests of a stop, events set and reset, permits added, clocks paused, released and
 *     scaled;
 *   - what begin_frame takes in from the inbox, as it is taken, whichever thread sent it;
 *   - the calls of flow_world_call.
 * And what the flows make of it: each start, turn and end, as a trace tells of them (trace.h).
 *
 * NOT recorded, and so the program's to do again or to leave alone:
 *   - what was made before recording began: bring the world of the replay to the same state first,
 *     made from a like desc;
 *   - starts, groups, timers, and whatever else is made, begun or ended by the host outside of
 *     flows, and its direct writes to memory that flows read: do this in functions, through
 *     flow_world_call or flow_post, which are recorded by name and argument;
 *   - what the argument of a call points to further, unless its `load` brings it back;
 *   - what jobs compute (executor.h): they run again, and only when they came home is recorded;
 *   - what flows read from elsewhere: random numbers without a seed, files, the time of day (what
 *     desc.now_ns told them of the frame's budget is recorded);
 *   - want of memory, and the end of the world, which ends the recording.
 *
 * Flows, signals and clocks are named by slot and generation, which equal calls make equal; texts
 * and functions by their names; no address and no path is in a recording. The format (src/tape.h
 * has it) is compact, little-endian and versioned: about 12 bytes an event, 2 a tick of the usual
 * dt. Bad bytes are refused with their place and do no harm; only what the functions of the table
 * make of their arguments is the program's to see to. World's thread alone. One world records or
 * replays one thing at a time; while it does neither, a turn of a flow costs nothing for it.
 */
#ifndef FLOW_REPLAY_H
#define FLOW_REPLAY_H

#include "flow/inbox.h"
#include "flow/trace.h"

FLOW_EXTERN_C_BEGIN_

/* A function that the host calls or posts, as a recording knows it. */
typedef struct flow_replay_call {
    const char *name; /* the same in every version of the program; static */
    flow_post_fn fn;
    size_t size; /* bytes at the call's argument, which are recorded; 0: `arg` is its argument, and
                    nothing is. Two lines may have the same function for different arguments */
    void *arg;
    void *(*load)(const void *bytes, size_t size); /* makes the argument for a call in a replay,
                                                      for a function that keeps or frees it; null:
                                                      it gets a copy, aligned to 64, that is gone
                                                      after the call */
} flow_replay_call;

/* ---- recording ---- */

/* How to record. One of buffer and write. */
typedef struct flow_record_desc {
    void *buffer; /* the host's, until the end of recording; at least 128 bytes */
    size_t capacity;
    /* Or takes what was recorded, a few KiB at a time, on the world's thread, perhaps inside a
     * tick; it must not touch the world. 0: it could not, and recording ends. */
    int (*write)(void *user, const void *bytes, size_t size);
    void *user;
    const flow_replay_call *calls; /* borrowed until the end of recording */
    size_t call_count;
} flow_record_desc;

/* What has been recorded. */
typedef struct flow_recording {
    flow_status status; /* OK; FULL: the buffer was, and what is in it is valid up to there; IO:
                           write failed */
    size_t bytes;       /* its whole size once it has ended */
    uint64_t frames, ticks, inputs, events;
    uint64_t unnamed; /* calls that no line of the table names, and starts by the host outside of
                         every call: the first of them is as far as a replay gets */
    uint64_t hash;    /* of the events */
} flow_recording;

/* Begins to record. Takes memory of the world now and none later: about 9 KiB, and 4 more with
 * `write`. OK, NOMEM, BUSY (it records or replays already), REENTRANT from inside the world, MISUSE
 * for a desc that says neither or both. About 0.15 us an event. */
FLOW_NODISCARD_ flow_status flow_world_record(flow_world *world, const flow_record_desc *desc);

/* What is recorded so far. All zero while nothing is. */
flow_recording flow_world_recording(const flow_world *world);

/* Ends it; what was recorded is told in *recording, which may be null. OK, FULL or IO, as there;
 * STALE when the world does not record; REENTRANT from inside the world. flow_world_destroy does it
 * too. A recording that was cut short warns once (FLOW_WARNING_RECORDING_CUT), before the next
 * input. */
flow_status flow_world_record_end(flow_world *world, flow_recording *recording);

/* Calls fn(world, arg) now, as an input of the world: with a recording by name and argument, as a
 * line of its table has them. From outside of flows, on the world's thread; fn may do what a posted
 * call may. From inside of the world it is a call and no more. */
void flow_world_call(flow_world *world, flow_post_fn fn, void *arg);

/* ---- replaying ---- */

/* What to replay. */
typedef struct flow_replay_desc {
    const void *bytes; /* the recording; it stays where it is until the world is destroyed */
    size_t size;
    const flow_replay_call *calls; /* borrowed until the end of the replay */
    size_t call_count;
} flow_replay_desc;

typedef enum flow_verdict {
    FLOW_VERDICT_NONE,      /* under way */
    FLOW_VERDICT_EQUAL,     /* to its end, and so are the hashes of events and tree */
    FLOW_VERDICT_CUT,       /* equal as far as the recording goes, which was cut for want of room */
    FLOW_VERDICT_TRUNCATED, /* equal as far as it goes, which is in the middle of something */
    FLOW_VERDICT_DIFFERS,   /* `text` tells of the first difference */
    FLOW_VERDICT_BAD /* it cannot be read, or not in this program: `text` says where and why */
} flow_verdict;

enum { FLOW_REPLAY_TEXT = 768 };

/* How a replay stands: where it is, or where it ended. */
typedef struct flow_replay_report {
    flow_verdict verdict;
    uint64_t frame;   /* of the world */
    uint64_t tick;    /* ticks since recording began, this one included */
    flow_phase phase; /* of that tick; FLOW_INHERIT before the first */
    uint64_t input;   /* inputs since then, this one included */
    uint64_t event;   /* of a difference: the number of the event that differs, from 1; else events
                         so far */
    uint64_t hash;    /* of the events so far */
    char text[FLOW_REPLAY_TEXT]; /* one sentence, once there is a verdict */
} flow_replay_report;

/* Begins a replay in a world that is as the recorded one was when recording began. OK: then
 * flow_replay_step goes on. IO: the bytes are no recording, or not of this version, or the world is
 * in another frame or has other flows; then nothing is begun, and *report, which may be null, says
 * why. NOMEM, BUSY, REENTRANT and MISUSE as flow_world_record. Takes about 6 KiB of the world's
 * memory, and room for the largest value; both are given back at the end. */
FLOW_NODISCARD_ flow_status flow_world_replay(flow_world *world, const flow_replay_desc *desc,
                                              flow_replay_report *report);

/* What the next step will do. */
typedef struct flow_replay_input {
    const char *what; /* "frame", "tick", "flush", "call", "emit", ...; static */
    flow_phase phase; /* of a tick or flush */
    double dt;        /* of a frame or tick */
} flow_replay_input;

/* 1 and *next, or 0 when there is a verdict. For a host that does something of its own before a
 * tick: what it does to the world itself is compared with the recording as well, in its place. */
int flow_replay_next(const flow_world *world, flow_replay_input *next);

/* Gives the world the next input. 1; or 0 when there is a verdict. */
int flow_replay_step(flow_world *world);

/* Ends the replay, with what was found in *report, and the verdict. NONE when the world does not
 * replay. Not from inside the world. */
flow_verdict flow_world_replay_end(flow_world *world, flow_replay_report *report);

/* All of it: begins, steps to the verdict, and ends. */
flow_verdict flow_world_replay_all(flow_world *world, const flow_replay_desc *desc,
                                   flow_replay_report *report);

FLOW_EXTERN_C_END_

#endif
