/* SPDX-License-Identifier: MIT */
/* Names, failures, and finally sections that are watched. A part of private.h, which includes it in
 * its place. */
#ifndef FLOW_FAILURE_H
#define FLOW_FAILURE_H

/* ---- names (name.c) ---- */

/* How a flow or group is called; a negative number is none. */
typedef struct flow_name {
    const char *text;
    int32_t number;
} flow_name;

flow_name flow__name_of(const flow_task *task);
flow_name flow__frame_name(const flow_task *task, const flow_frame *frame);

/* ---- failures (fault.c) ---- */

enum { FLOW_PATH_NAMES = 12, FLOW_FAULT_RESERVE = 16 };

typedef struct flow_fault {
    struct flow_fault *outer; /* the next older one; the free list */
    struct flow_fault *inner;
    flow_task *task;   /* whom it belongs to: a climbing or kept failure */
    flow_node *node;   /* or the completed wait that holds it */
    flow_frame *under; /* the frame whose finally section it waits for */
    flow_frame *scope; /* of a spawned child's failure: the frame that ends with it, not yet left */
    const char *message;
    const char *file;
    flow_handle flow; /* who failed */
    int32_t code;
    int32_t line;
    uint32_t names;
    bool counted;                      /* in its task's marks_ */
    uint32_t budget;                   /* of the body, while a finally section runs */
    const char *path[FLOW_PATH_NAMES]; /* innermost first */
    int32_t number[FLOW_PATH_NAMES];   /* of a flow with a name of its own; negative: none */
} flow_fault;

/* ---- finally sections that wait (stuck.c) ---- */

enum { FLOW_CLEANUPS_WATCHED = 8 };

typedef struct flow_cleanup {
    flow_task *task;
    flow_frame *frame;
    int64_t since; /* ns of `unscaled` in its phase */
    uint32_t generation;
    uint8_t phase;
} flow_cleanup;

#endif
