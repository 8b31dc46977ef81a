/* SPDX-License-Identifier: MIT */
/* What subscriptions and channels share: a ring of values, and the waits that are served from it.
 */
#ifndef FLOW_RING_PRIVATE_H
#define FLOW_RING_PRIVATE_H

#include "private.h"

typedef struct flow_ring {
    flow_node *record; /* heads the waits */
    char *slots;       /* each a number and a value */
    uint32_t size, stride;
    uint32_t capacity, room; /* room: slots that there are */
    uint32_t head, count;
    uint32_t held;      /* waits that have a value, or will, which they may give back */
    uint32_t handed;    /* of those, the ones that have it */
    uint32_t number;    /* of the next value */
    flow_policy policy; /* what one does that is given back to a full ring */
    bool gone;          /* ended; freed when nothing is held any more */
} flow_ring;

bool flow__ring_make(flow_world *world, flow_ring *r, uint32_t size, uint32_t capacity,
                     uint32_t room);
void flow__ring_free_if_over(flow_world *world, flow_ring *r);
bool flow__ring_room(flow_world *world, flow_ring *r, uint32_t need);
void flow__ring_add(flow_ring *r, const void *value);
uint32_t flow__ring_front(flow_ring *r, void *out);
void flow__ring_hand_over(flow_world *world, flow_node *node, uint32_t number, const void *value);

/* A channel's ring has changed, and so perhaps what else waits on the channel. */
void flow__channel_changed(flow_world *world, flow_ring *r);

static inline flow_ring *flow__ring_of(const flow_node *record)
{
    return record->to.value;
}

#endif
