/* SPDX-License-Identifier: MIT */
/* A recording in memory: made, and replayed. */
#ifndef TESTS_REPLAYED_H
#define TESTS_REPLAYED_H

#include "story.h"

#include <string.h>

struct tape {
    unsigned char bytes[65536];
    size_t size;
    flow_recording recording; /* what was told at its end */
};

static inline void tape_record(struct tape *tape, flow_world *world, const flow_replay_call *calls,
                               size_t count)
{
    flow_record_desc desc = {
        .buffer = tape->bytes, .capacity = sizeof tape->bytes, .calls = calls, .call_count = count};
    assert_int_equal(flow_world_record(world, &desc), FLOW_OK);
}

/* Ends one that was recorded whole. */
static inline void tape_end(struct tape *tape, flow_world *world)
{
    assert_int_equal(flow_world_record_end(world, &tape->recording), FLOW_OK);
    tape->size = tape->recording.bytes;
}

static inline flow_verdict tape_replay(const struct tape *tape, flow_world *world,
                                       const flow_replay_call *calls, size_t count,
                                       flow_replay_report *report)
{
    return flow_world_replay_all(world, &(flow_replay_desc){tape->bytes, tape->size, calls, count},
                                 report);
}

/* Keeps what is written; fails when there is no room. */
struct sink {
    unsigned char bytes[1 << 20];
    size_t size, room; /* room 0: all of it */
    int calls;
};

static inline int sink_write(void *user, const void *bytes, size_t size)
{
    struct sink *sink = user;
    size_t room = sink->room ? sink->room : sizeof sink->bytes;
    sink->calls++;
    if (size > room - sink->size) {
        return 0;
    }
    memcpy(sink->bytes + sink->size, bytes, size);
    sink->size += size;
    return 1;
}

#endif
