/* SPDX-License-Identifier: MIT */
/*
 * Statuses, causes and outcomes: the words in which flow says how something ended.
 *
 * Codes of the library are negative and zero; every positive code is the user's own (FLOW_FAIL(7,
 * "...")). The texts come from the same list, so that a log line and a test never drift apart.
 * Usable from any thread.
 */
#ifndef FLOW_STATUS_H
#define FLOW_STATUS_H

#include <stddef.h>
#include <stdint.h>

/* Attributes where the compiler knows them; nothing elsewhere. */
#if defined(__GNUC__) || defined(__clang__)
#define FLOW_NODISCARD_ __attribute__((warn_unused_result))
#define FLOW_INLINE_ static inline __attribute__((always_inline))
#define FLOW_LIKELY_(x) __builtin_expect(!!(x), 1)
#define FLOW_UNLIKELY_(x) __builtin_expect(!!(x), 0)
#else
#define FLOW_NODISCARD_
#define FLOW_INLINE_ static inline
#define FLOW_LIKELY_(x) (x)
#define FLOW_UNLIKELY_(x) (x)
#endif

#ifdef __cplusplus
#define FLOW_EXTERN_C_ extern "C"
#define FLOW_EXTERN_C_BEGIN_ extern "C" {
#define FLOW_EXTERN_C_END_ }
#define FLOW_ALIGNAS_(n) alignas(n)
#define FLOW_ALIGNOF_(type) alignof(type)
#else
#define FLOW_EXTERN_C_ extern
#define FLOW_EXTERN_C_BEGIN_
#define FLOW_EXTERN_C_END_
#define FLOW_ALIGNAS_(n) _Alignas(n)
#define FLOW_ALIGNOF_(type) _Alignof(type)
#endif

/* This place in the source, "enemy.c:31", as static text. */
#define FLOW_SITE_ __FILE__ ":" FLOW_TEXT_OF_(__LINE__)
#define FLOW_TEXT_OF_(x) FLOW_TEXT_OF__(x)
#define FLOW_TEXT_OF__(x) #x

FLOW_EXTERN_C_BEGIN_

/* Every status: name, value, text. */
#define FLOW_STATUSES(X)                                                                           \
    X(OK, 0, "ok")                                                                                 \
    X(PENDING, -1, "pending: it will happen, but not before this call returns")                    \
    X(STALE, -2, "stale handle: the flow it named has ended")                                      \
    X(CANCELLED, -3, "cancelled")                                                                  \
    X(CLOSED, -4, "closed: what was awaited has gone away")                                        \
    X(EMPTY, -5, "empty: a race of nothing has no winner")                                         \
    X(NOMEM, -6, "out of memory: the world's byte budget or its allocator is exhausted")           \
    X(ENDLESS, -7, "endless loop: a million awaits completed at once in one slice")                \
    X(UNHANDLED, -8, "a failure that nobody handled")                                              \
    X(REENTRANT, -9, "refused: called from inside the world it works on")                          \
    X(MISUSE, -10, "misuse: a rule of the interface was broken")                                   \
    X(FULL, -11, "full: a fixed limit was reached")                                                \
    X(IO, -12, "a file could not be read or written")                                              \
    X(BUSY, -13, "busy: somebody else has it")

/* How a call or an awaited thing ended. Zero is success; user codes are positive. */
typedef enum flow_status {
#define FLOW_STATUS_ENUM_(name, value, text) FLOW_##name = (value),
    FLOW_STATUSES(FLOW_STATUS_ENUM_)
#undef FLOW_STATUS_ENUM_
} flow_status;

/* The text of a status, static, never null; user codes read "user code". O(number of statuses). */
const char *flow_status_text(int code);

/* Why a flow is being unwound. A finally section reads it with flow_cause_of(flow). */
typedef enum flow_cause {
    FLOW_CAUSE_NONE,           /* not cancelled: the body returned */
    FLOW_CAUSE_EXPLICIT,       /* flow_cancel named it or an ancestor */
    FLOW_CAUSE_PARENT_ENDED,   /* the scope that owns it ended */
    FLOW_CAUSE_RACE_LOST,      /* another branch settled the race */
    FLOW_CAUSE_FAULT,          /* it, or something it needs, failed */
    FLOW_CAUSE_OWNER_ENDED,    /* the host struct that owned it was finished with */
    FLOW_CAUSE_WORLD_DESTROYED /* its world is going away */
} flow_cause;

/* The text of a cause, static, never null. */
const char *flow_cause_text(flow_cause cause);

/* How a flow stands. */
typedef enum flow_state {
    FLOW_STATE_NONE,     /* not started, or no longer known */
    FLOW_STATE_LIVE,     /* started and not ended: running, waiting or cleaning up */
    FLOW_STATE_DONE,     /* the body returned */
    FLOW_STATE_FAILED,   /* code, message, file and line say how */
    FLOW_STATE_CANCELLED /* unwound; cause says why */
} flow_state;

/* How one flow ended. Plain data; message and file point to static text given by the flow that
 * failed. */
typedef struct flow_outcome {
    flow_state state; /* FLOW_STATE_DONE, FAILED or CANCELLED once it has ended */
    flow_cause cause; /* of a cancellation */
    int code;         /* 0 unless failed: a negative flow_status or a positive code of the user's */
    const char *message; /* of a failure, else null */
    const char *file;    /* where it failed, else null */
    int line;
} flow_outcome;

/* Names one flow or group of one world. All zero names nothing. A handle of an ended flow is
 * recognised for 2^32 reuses of its slot and never mistaken for its successor. */
typedef struct flow_handle {
    uint32_t slot;
    uint32_t generation;
} flow_handle;

/*
 * Assertions. A broken rule of the interface calls the handler with the rule, and the place in
 * flow's source; the default handler prints the line to stderr and aborts. A handler that returns
 * makes the call fail with an error instead. FLOW_NO_ASSERT leaves only the error.
 */
typedef void (*flow_assert_handler)(const char *rule, const char *file, int line);

/* Replaces the handler for the whole process, null restores the default. The one piece of global
 * state in flow: set it before threads start. Returns the former one. */
flow_assert_handler flow_set_assert_handler(flow_assert_handler handler);

FLOW_EXTERN_C_END_

#endif
