/* SPDX-License-Identifier: MIT */
/*
 * Votes: a value that several flows want at once, each as long as it lives.
 *
 *     flow_votes slow;                                 a member of the host's struct, all zero
 *     struct bog { flow_frame base; flow_vote vote; Enemy *enemy; };
 *     (void)flow_vote_cast(flow, &self->vote, &enemy->slow, 0.5);    ends with this scope
 *     speed *= flow_votes_min(&enemy->slow, 1.0);      the strongest of them, 1 without any
 *
 * For slows, stuns, volumes, camera priorities: nobody has to know who else votes, and nobody
 * forgets to take a vote back. Nothing is allocated for a vote itself: it is a link in the voter's
 * own memory, and stays where it is while it is cast, as its flow_votes does. World's thread only.
 */
#ifndef FLOW_VOTE_H
#define FLOW_VOTE_H

#include "flow/scope.h"

FLOW_EXTERN_C_BEGIN_

typedef struct flow_vote flow_vote;
typedef struct flow_votes flow_votes;

/* A vote. All zero: not cast. Read it, and change it through the functions alone. */
struct flow_vote {
    double value;
    flow_vote *next; /* the one that was cast after it */
    flow_vote *prev_;
    flow_votes *votes; /* null: not cast */
    int scoped_;       /* a scope will take it back */
};

/* What is voted on. All zero: no votes, nobody to be told. */
struct flow_votes {
    flow_vote *first; /* in the order in which they were cast */
    flow_vote *last_;
    uint32_t count;
    void (*changed)(void *arg, flow_votes *votes); /* told of each change; may cast and take back */
    void *arg;
};

/* Casts a vote until the running scope (the function that calls) ends, however it does, or until it
 * is taken back. One that is cast on these votes already gets the new value and keeps its place;
 * one that was taken back may be cast again, and belongs to the scope that cast it first as long as
 * that lives. OK; NOMEM: not cast; MISUSE: not a number, or cast elsewhere. */
FLOW_NODISCARD_ flow_status flow_vote_cast(flow_task *flow, flow_vote *vote, flow_votes *votes,
                                           double value);

/* The same by hand, for code that is no flow: it ends when it is taken back. Needs no memory; OK or
 * MISUSE. */
flow_status flow_vote_cast_open(flow_vote *vote, flow_votes *votes, double value);

/* Takes a vote back. One that is not cast is left alone. O(1). */
void flow_vote_take_back(flow_vote *vote);

/* Takes all votes back, without telling `changed`: where the struct that embeds the votes is
 * finished with before the voters are. O(votes). */
void flow_votes_fini(flow_votes *votes);

/* The least and the greatest value, and their sum; `otherwise` where there is no vote. O(votes). */
double flow_votes_min(const flow_votes *votes, double otherwise);
double flow_votes_max(const flow_votes *votes, double otherwise);
double flow_votes_sum(const flow_votes *votes);

/* For flow_until: is there any vote, is there none? arg is a flow_votes. */
int flow_votes_some(void *votes);
int flow_votes_none(void *votes);

FLOW_EXTERN_C_END_

#endif
