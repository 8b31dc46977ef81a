/* SPDX-License-Identifier: MIT */
/* Tasks and wait nodes: their bytes, their kinds, their flags. A part of private.h, which includes
 * it in its place. */
#ifndef FLOW_NODE_H
#define FLOW_NODE_H

/* ---- tasks ---- */

enum {
    FLOW_TASKS_PER_PAGE = 292,
    FLOW_COLD_OFFSET = FLOW_PAGE_HEAD + 64 * FLOW_TASKS_PER_PAGE,
    FLOW_ID_SHIFT = 9
};

/* What a task is doing (flow_task.kind_). */
typedef enum flow_kind {
    FLOW_KIND_FREE,
    FLOW_KIND_EMBRYO,    /* made for a composition, not started */
    FLOW_KIND_PREPARING, /* its arguments are being evaluated */
    FLOW_KIND_QUEUED,    /* a start nested too deep, to be done at the outermost level */
    FLOW_KIND_RUNNING,   /* has code on the C stack */
    FLOW_KIND_MARKED,    /* cancelled, stopped, to be unwound shortly */
    FLOW_KIND_READY,     /* in its phase's ready queue */
    FLOW_KIND_HELD,      /* in a lane's held queue */
    FLOW_KIND_TICK,      /* in a lane's tick queue */
    FLOW_KIND_FRAME,     /* in a lane's frame queue */
    FLOW_KIND_TIMER,     /* in a lane's timer heap; pos_: the deadline in ms, for dumps */
    FLOW_KIND_PARKED,    /* a producer that nobody moves */
    FLOW_KIND_NODE,      /* waits on the node pos_ */
    FLOW_KIND_CLOSING,   /* waits for children that are cleaning up */
    FLOW_KIND_GROUP,
    FLOW_KIND_AWAY /* no task: what a body on a worker has for one (job.c) */
} flow_kind;

/* Resume points that no body has: on a worker it ended, or is being left. */
enum { FLOW_POINT_ENDED = 0xfffd, FLOW_POINT_LEFT = 0xfffe };

/* flow_task.flags_: 0 in the common case. */
enum {
    FLOW_TASK_CANCELLED = 1,     /* to be unwound at the first chance */
    FLOW_TASK_UNWIND = 2,        /* every frame is being left, by cancellation */
    FLOW_TASK_FAULT = 4,         /* a failure is climbing; cold.fault */
    FLOW_TASK_PROTECTED = 8,     /* in a finally section or a shield */
    FLOW_TASK_FIXED = 16,        /* the body has ended: the outcome is settled */
    FLOW_TASK_RESULT = 32,       /* ready with a node that holds the result; budget_ */
    FLOW_TASK_TRIED = 64,        /* FLOW_TRY has a failure to take; cold.fault */
    FLOW_TASK_PENDING = 128,     /* on a list of marked flows, or covered by an ancestor on it */
    FLOW_TASK_CHILD_FAULT = 256, /* a spawned child failed; cold.fault, whose frame is to be left */
    FLOW_TASK_OUTCOME = 512,     /* the first resource node points to a caller's flow_outcome */
    FLOW_TASK_FAIL_FAST = 1024,  /* of a group */
    FLOW_TASK_LEAVING = 2048,    /* its next turn goes on leaving its top frame */
    FLOW_TASK_CLEARING = 4096,   /* a group whose members are being cancelled, that lives on */
    FLOW_TASK_CLEARS_MARKED = 8192, /* of those, only members that are marked */
    FLOW_TASK_LOST = 16384,         /* its failure has no record any more; cold.late is the code */
    FLOW_TASK_STOP = 32768          /* asked to stop; a group so asked ends with its last member */
};

/* flow_task.marks_. */
enum {
    FLOW_MARK_LATE = 1,  /* its last timer wait ended late: see flow_lateness */
    FLOW_MARK_NAMED = 2, /* has a name of its own */
    FLOW_MARK_GROUP = 4, /* is a group: it has no code */
    FLOW_MARK_FAULT = 8  /* times the failures that belong to it */
};

/* flow_frame.flags_, after FLOW_FRAME_TRY_ and FLOW_FRAME_SHIELD_. */
enum {
    FLOW_FRAME_CHILDREN = 4, /* may own flows */
    FLOW_FRAME_CLEANUPS = 8, /* may have deferred cleanups */
    FLOW_FRAME_LEAVING = 16, /* its body is over */
    FLOW_FRAME_FINALLY = 32, /* its finally section is running */
    FLOW_FRAME_CLEANED = 64, /* its finally section has begun */
    FLOW_FRAME_MEMORY = 128  /* owns a block, or the open segment was opened under it */
};

/* What flow_prepare_ has made. */
/* flow_wait.code_ of a call that is a child flow. */
enum { FLOW_CALL_CHILD = 1 };

typedef enum flow_prepared {
    FLOW_PREPARED_NOTHING,
    FLOW_PREPARED_BLOCK,
    FLOW_PREPARED_CHILD
} flow_prepared;

typedef struct flow_cold {
    uint32_t generation;
    uint32_t owner;          /* task id; 0: the world */
    flow_frame *owner_frame; /* the scope in it; null: a group */
    uint32_t older, younger; /* siblings */
    uint32_t last_child;     /* the youngest */
    uint32_t resources;      /* node: deferred cleanups, the newest first */
    uint32_t joiners;        /* node: who waits for its end */
    uint32_t late; /* by how much its last timer was missed, ns; valid with FLOW_MARK_LATE; see
                      also LOST */
    union {
        const char *site; /* where it was started, "enemy.c:31", or null */
        const char *name; /* of a group */
        const char
            *file; /* ended: where it failed; then owner_frame is unused, see remember in task.c */
    } what;
} flow_cold;
_Static_assert(sizeof(void *) != 8 || sizeof(flow_cold) == 48, "a task's cold half is 48 bytes");
_Static_assert(sizeof(void *) != 8 || sizeof(flow_task) == 64, "a task's hot half is one line");

static inline uint32_t flow__task_id(const flow_task *task)
{
    const flow_page *page = flow__page_of(task);
    uintptr_t offset = (uintptr_t)task - (uintptr_t)page - FLOW_PAGE_HEAD;
    return (page->index << FLOW_ID_SHIFT) | (uint32_t)(offset / sizeof(flow_task));
}

static inline flow_cold *flow__cold(const flow_task *task)
{
    char *page = (char *)flow__page_of(task);
    uintptr_t slot = ((uintptr_t)task - (uintptr_t)page - FLOW_PAGE_HEAD) / sizeof(flow_task);
    return (flow_cold *)(void *)(page + FLOW_COLD_OFFSET) + slot;
}

/* ---- wait nodes ---- */

enum { FLOW_NODES_PER_PAGE = FLOW_PAGE_USABLE / 64 };

typedef enum flow_node_kind {
    FLOW_NODE_FREE,
    FLOW_NODE_NEVER,
    FLOW_NODE_TICK,
    FLOW_NODE_FRAME,
    FLOW_NODE_TICKS,
    FLOW_NODE_FRAMES,
    FLOW_NODE_TIMER,
    FLOW_NODE_UNTIL,
    FLOW_NODE_SIGNAL,
    FLOW_NODE_JOIN,
    FLOW_NODE_DONE, /* completed: code and fault say how */
    FLOW_NODE_RACE,
    FLOW_NODE_ALL,
    FLOW_NODE_ALL_SETTLED,
    FLOW_NODE_ANY,      /* a race whose losers live on */
    FLOW_NODE_TIMEOUT,  /* a race of a wait and a timer */
    FLOW_NODE_EACH,     /* of a set whose branches are told one by one: it never settles */
    FLOW_NODE_RECORD,   /* a signal, or another of flow_record_type */
    FLOW_NODE_DEFER,    /* a deferred cleanup */
    FLOW_NODE_PAUSE,    /* a pause of the clock `code` that a scope holds */
    FLOW_NODE_CLOCK,    /* the clock `code`, which ends with a scope */
    FLOW_NODE_OUTCOME,  /* where a caller wants the outcome */
    FLOW_NODE_ASIDE,    /* what a wait on a record needs beside its own node */
    FLOW_NODE_CHANGED,  /* a change of a property that its flow has yet to see */
    FLOW_NODE_HELD,     /* a value of a subscription that its flow has yet to take */
    FLOW_NODE_FEED,     /* a subscription, among the waiters of its signal */
    FLOW_NODE_NAME,     /* a flow's own name: the text and `code`, its number */
    FLOW_NODE_TO_START, /* a branch of a set that is not started yet; pos is the next one */
    FLOW_NODE_STREAM,   /* a stream, among those who wait for its producer's end: see stream.h */
    FLOW_NODE_MOVE,     /* a move that waits for an element */
    FLOW_NODE_MOVED,    /* one whose element has come, which its flow has yet to take */
    FLOW_NODE_JOB       /* a job: on.object */
} flow_node_kind;

enum {
    FLOW_NODE_HAS_PARENT = 1,
    FLOW_NODE_OWNS = 2,      /* a JOIN that is a called branch */
    FLOW_NODE_STARTING = 4,  /* a composition whose branches are being started */
    FLOW_NODE_SETTLED = 8,   /* a composition that has its result */
    FLOW_NODE_CLOSED = 16,   /* a record; a composition whose losers are being unwound */
    FLOW_NODE_MOVES = 32,    /* a TICK that takes its flow to the phase `code` */
    FLOW_NODE_STASH = 32,    /* a wait on a subscription: `out` is a block of its own */
    FLOW_NODE_DELIVERS = 32, /* a record: of a signal that was emitted and waited for */
    FLOW_NODE_FROM_SET = 32, /* a composition that has the branches and tags of a set */
    FLOW_NODE_SAYS = 64,     /* it ended with a code, and on.message says why */
    FLOW_NODE_FAULT = 128    /* `on` is its failure */
};

struct flow_node {
    union {
        struct {
            union {
                flow_task *task;
                flow_node *parent;
                flow_frame *frame;   /* of a resource: its scope; null for what is the task's own */
                const char *message; /* of a closed record: why */
                int *closed;         /* ASIDE: told of a close, which is no failure then */
                uint64_t *seen;      /* ASIDE: the version of a property that its flow has seen */
            } up;
            union {
                flow_node
                    *sibling; /* the branch before it; the next older resource; the free list */
                flow_node
                    *last_alive; /* the root of a composition that is ending: a call that has not */
            };
            union {
                flow_node *prev;  /* in what it waits for; of a composition its last branch, of a
                                     record its first waiter */
                const char *text; /* UNTIL: its condition as written; the one before is named by
                                     `code` */
            };
            union {
                flow_node *next; /* in what it waits for; of a record its last waiter; of a set's
                                    branch the one that ended after it */
                flow_interval *interval; /* TIMER: whose beat it is, or null */
                union {
                    const flow_wait *list; /* as they were written, up to LAST */
                    struct flow_branches *branches;
                } to_start; /* a composition: what it still has to start */
            };
            union {
                void *object; /* SIGNAL: the record, of whatever type; JOIN: the task; JOB */
                int64_t due;
                flow_predicate test;
                void (*cleanup)(void *arg);
                flow_match match; /* ASIDE: what a value must fulfil, or null */
                struct flow_visit
                    *visit; /* of a record: visits to its waiters, the innermost first */
                const char *message;
            } on;
            union {
                void *out;
                void *arg;
                uint16_t own_clock; /* ALL, being started: the flow's own clock, if one was lent */
                flow_lane *lane;
                void *value; /* of a record: the block with its value */
            } to;
        };
        flow_wait wait; /* TO_START */
    };
    uint32_t seq; /* when it began; of a record its generation */
    uint32_t pos; /* in a queue; of a composition the branches left; of a record its waiters; of a
                     wait on a record the node beside it, or 0 */
    int32_t code; /* the result; of a composition before it settled: the winner; of a record
                     its value's size, and once it is closed as what its waits end */
    uint8_t kind;
    uint8_t flags;
    uint16_t branch; /* its place in the composition; of a record its flow_record_type */
};
_Static_assert(sizeof(void *) != 8 || sizeof(flow_node) == 64, "a node is one line");

/* Race, all and their kin: nodes with branches. */
static inline bool flow__is_composition(const flow_node *node)
{
    return node->kind >= FLOW_NODE_RACE && node->kind <= FLOW_NODE_EACH;
}

static inline uint32_t flow__node_id(const flow_node *node)
{
    const flow_page *page = flow__page_of(node);
    uintptr_t offset = (uintptr_t)node - (uintptr_t)page - FLOW_PAGE_HEAD;
    return (page->index << FLOW_ID_SHIFT) | (uint32_t)(offset / sizeof(flow_node));
}

#endif
