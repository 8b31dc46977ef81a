/* SPDX-License-Identifier: MIT */
/* What beginning and settling a composition share. */
#ifndef FLOW_COMPOSE_PRIVATE_H
#define FLOW_COMPOSE_PRIVATE_H

#include "private.h"

/* Branches are numbered up to one less; the number of none of them. */
enum { FLOW_NO_BRANCH = UINT16_MAX };

static inline bool flow__is_all(const flow_node *node)
{
    return node->kind == FLOW_NODE_ALL || node->kind == FLOW_NODE_ALL_SETTLED;
}

/* Losing waits that hold a value, by next, in the order in which they lost. They give it back when
 * everything that is to settle has done so: whoever gets it then may settle, too, and end the very
 * flow whose composition this is. */
typedef struct flow_losers {
    flow_node *first, *last;
} flow_losers;

void flow__branch_lose(flow_world *world, flow_node *branch, flow_cause cause, flow_losers *held);
void flow__settle_by(flow_world *world, flow_node *node, flow_node *by, flow_losers *held);
bool flow__branch_counts(flow_world *world, flow_node *node, flow_node *branch, flow_fault **late,
                         flow_losers *held);
void flow__losers_return(flow_world *world, const flow_node *root, const flow_losers *held);
void flow__late_report(flow_world *world, flow_fault *late);
flow_task *flow__call_alive(flow_node *root);

#endif
