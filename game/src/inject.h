/* SPDX-License-Identifier: MIT */
/*
 * --inject-hitch: one frame takes too long, in one of the ways in which a game's frame may. Nobody
 * is told: whoever is to find out has what any mistake would leave.
 */
#ifndef EMBERLINE_INJECT_H
#define EMBERLINE_INJECT_H

#include "engine/engine.h"
#include "flow/flow.h"

struct game;

/* Every way: constant, name. Those of a callback are in the order of the engine's phases. */
#define INJECT_KINDS(X)                                                                            \
    X(RESUME, "resume")       /* a flow that goes on */                                            \
    X(START, "start")         /* one that another starts, up to its first await */                 \
    X(FINALLY, "finally")     /* a finally section */                                              \
    X(PREDICATE, "predicate") /* what a flow_until asks */                                         \
    X(WAKES, "wakes")         /* 5,000 flows that one signal wakes */                              \
    X(CANCEL, "cancel")       /* 5,000 flows that end with their group */                          \
    X(INBOX, "inbox")         /* 1,000 calls that were posted */                                   \
    X(RENDER, "render")       /* the engine's drawing */                                           \
    X(PRESENT, "present")     /* and its waiting for the display: no work */                       \
    X(OUTSIDE, "outside")     /* something that is no part of the program */                       \
    X(IN_BEGIN, "in-begin")   /* a callback of the host in a phase */                              \
    X(IN_EARLY, "in-early")                                                                        \
    X(IN_FIXED, "in-fixed")                                                                        \
    X(IN_UPDATE, "in-update")                                                                      \
    X(IN_LATE, "in-late")                                                                          \
    X(IN_RENDER, "in-render")                                                                      \
    X(IN_PRESENT, "in-present")                                                                    \
    X(IN_END, "in-end")                                                                            \
    X(IN_PACE, "in-pace")

enum inject_kind {
#define INJECT_ENUM(name, text) INJECT_##name,
    INJECT_KINDS(INJECT_ENUM)
#undef INJECT_ENUM
        INJECT_COUNT
};

/* What --inject-hitch says. */
struct inject_options {
    long frame; /* 0: in none */
    double ms;
    enum inject_kind kind;
};

struct injector {
    flow_handle flow; /* ends all of it */
    struct engine_watch watch;
    FLOW_SIGNAL(flow_nothing) alarm;
    flow_handle crowd;
    bool done;
};

/* Reads FRAME:MS or FRAME:MS:KIND. */
bool inject_read(const char *text, struct inject_options *out);

/* Begins what the command line asks for; `watch` is the one that the engine has. Before the first
 * frame. False for want of memory, or with an error in the engine. */
bool inject_begin(struct game *game, const struct engine_watch *watch);

/* Ends what is left of it. */
void inject_end(struct game *game);

/* Takes so many ms of time, and does nothing with them. */
void spend(const struct engine *engine, double ms);

#endif
