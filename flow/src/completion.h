/* SPDX-License-Identifier: MIT */
/* Completions, as the record they are waited on by sees them. */
#ifndef FLOW_COMPLETION_PRIVATE_H
#define FLOW_COMPLETION_PRIVATE_H

#include "private.h"

/* What other threads see of a completion. Its memory is never used for anything else while the
 * world lives, so that a late set finds a key that is not its own. */
typedef struct flow_cell {
    flow_arrival arrival;
    FLOW_ATOMIC(uint32_t) state; /* the key, and in the two lowest bits how it stands */
    int32_t code;
    const char *message;
    void *value;
    flow_source record;
    flow_post_fn start; /* lazy, and not wanted yet */
    void *start_arg;
    struct flow_cell *next; /* free */
    uint32_t size;
    bool single;
    bool gone;    /* ended while a set was on its way */
    bool arrived; /* set, and its waits know */
} flow_cell;

static inline flow_cell *flow__cell_of(const flow_node *record)
{
    return record->to.value;
}

bool flow__completion_give(flow_world *world, flow_node *record, const void *value, int code,
                           const char *message);
bool flow__completion_wanted(flow_world *world, flow_node *record);
void flow__completion_received(flow_world *world, flow_node *record);

#endif
