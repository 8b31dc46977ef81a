/* SPDX-License-Identifier: MIT */
/* Votes: lists through the voters' own memory. */
#include "private.h"

#include <math.h>

static void told(flow_votes *votes)
{
    if (votes->changed != NULL) {
        votes->changed(votes->arg, votes);
    }
}

static void link_last(flow_vote *vote, flow_votes *votes)
{
    vote->votes = votes;
    vote->next = NULL;
    vote->prev_ = votes->last_;
    *(votes->last_ != NULL ? &votes->last_->next : &votes->first) = vote;
    votes->last_ = vote;
    votes->count++;
}

static flow_status misuse(flow_world *world, const flow_task *flow)
{
    static const char rule[] = "flow_vote_cast: not a number, or a vote that is cast elsewhere";
    if (world != NULL) {
        return flow__misuse(world, flow, rule);
    }
#ifndef FLOW_NO_ASSERT
    flow__assert_failed(rule, __FILE__, __LINE__);
#endif
    return FLOW_MISUSE;
}

static bool may_cast(const flow_vote *vote, const flow_votes *votes, double value)
{
    return !isnan(value) && (vote->votes == NULL || vote->votes == votes);
}

static void cast(flow_vote *vote, flow_votes *votes, double value)
{
    vote->value = value;
    if (vote->votes == NULL) {
        link_last(vote, votes);
    }
    told(votes);
}

static void scope_ended(void *arg)
{
    flow_vote *vote = arg;
    vote->scoped_ = 0;
    flow_vote_take_back(vote);
}

flow_status flow_vote_cast(flow_task *flow, flow_vote *vote, flow_votes *votes, double value)
{
    if (!may_cast(vote, votes, value)) {
        return misuse(flow__world_of(flow), flow);
    }
    bool scoped = vote->votes != NULL || vote->scoped_;
    flow_status status = scoped ? FLOW_OK : flow_defer(flow, scope_ended, vote);
    if (status == FLOW_OK) {
        vote->scoped_ |= !scoped;
        cast(vote, votes, value);
    }
    return status;
}

flow_status flow_vote_cast_open(flow_vote *vote, flow_votes *votes, double value)
{
    if (!may_cast(vote, votes, value)) {
        return misuse(NULL, NULL);
    }
    cast(vote, votes, value);
    return FLOW_OK;
}

void flow_vote_take_back(flow_vote *vote)
{
    flow_votes *votes = vote->votes;
    if (votes == NULL) {
        return;
    }
    *(vote->prev_ != NULL ? &vote->prev_->next : &votes->first) = vote->next;
    *(vote->next != NULL ? &vote->next->prev_ : &votes->last_) = vote->prev_;
    vote->votes = NULL;
    vote->next = vote->prev_ = NULL;
    votes->count--;
    told(votes);
}

void flow_votes_fini(flow_votes *votes)
{
    for (flow_vote *vote = votes->first, *next; vote != NULL; vote = next) {
        next = vote->next;
        vote->votes = NULL;
        vote->next = vote->prev_ = NULL;
    }
    votes->first = votes->last_ = NULL;
    votes->count = 0;
}

double flow_votes_min(const flow_votes *votes, double otherwise)
{
    double least = votes->first != NULL ? votes->first->value : otherwise;
    for (const flow_vote *vote = votes->first; vote != NULL; vote = vote->next) {
        least = vote->value < least ? vote->value : least;
    }
    return least;
}

double flow_votes_max(const flow_votes *votes, double otherwise)
{
    double most = votes->first != NULL ? votes->first->value : otherwise;
    for (const flow_vote *vote = votes->first; vote != NULL; vote = vote->next) {
        most = vote->value > most ? vote->value : most;
    }
    return most;
}

double flow_votes_sum(const flow_votes *votes)
{
    double sum = 0.0;
    for (const flow_vote *vote = votes->first; vote != NULL; vote = vote->next) {
        sum += vote->value;
    }
    return sum;
}

int flow_votes_some(void *votes)
{
    return ((const flow_votes *)votes)->count != 0;
}

int flow_votes_none(void *votes)
{
    return ((const flow_votes *)votes)->count == 0;
}
