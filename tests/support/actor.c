/* SPDX-License-Identifier: MIT */
#include "actor.h"

const char *actor_cause(flow_cause cause)
{
    static const char *const letters[] = {"", "x", "p", "l", "f", "o", "d"};
    return letters[cause];
}

FLOW_DEFINE(actor)
{
    FLOW_BEGIN;
    story_log(story_of(flow), "%s+", self->name);
    FLOW_AWAIT(self->ticks < 0 ? flow_never() : flow_ticks(self->ticks));
    if (self->fail != 0) {
        FLOW_FAIL(self->fail, "the actor was told to");
    }
    story_log(story_of(flow), "%s=", self->name);
    FLOW_FINALLY;
    story_log(story_of(flow), "%s-%s", self->name, actor_cause(flow_cause_of(flow)));
    if (self->closing != 0) {
        FLOW_AWAIT(flow_ticks(self->closing));
        story_log(story_of(flow), "%s.", self->name);
    }
    FLOW_END;
}

FLOW_DEFINE(parent)
{
    FLOW_BEGIN;
    story_log(story_of(flow), "%s+", self->name);
    (void)FLOW_SPAWN(actor, .name = self->child.name, .ticks = self->child.ticks,
                     .fail = self->child.fail, .closing = self->child.closing);
    if (self->second.name != NULL) {
        (void)FLOW_SPAWN(actor, .name = self->second.name, .ticks = self->second.ticks,
                         .fail = self->second.fail, .closing = self->second.closing);
    }
    FLOW_AWAIT(self->ticks < 0 ? flow_never() : flow_ticks(self->ticks));
    story_log(story_of(flow), "%s=", self->name);
    FLOW_FINALLY;
    story_log(story_of(flow), "%s-%s", self->name, actor_cause(flow_cause_of(flow)));
    if (self->closing != 0) {
        FLOW_AWAIT(flow_ticks(self->closing));
        story_log(story_of(flow), "%s.", self->name);
    }
    FLOW_END;
}

void assert_outcome(const flow_world *world, flow_handle flow, flow_state state, flow_cause cause,
                    int code)
{
    flow_outcome outcome = {0};
    assert_int_equal(flow_outcome_of(world, flow, &outcome), FLOW_OK);
    assert_int_equal(outcome.state, state);
    assert_int_equal(outcome.cause, cause);
    assert_int_equal(outcome.code, code);
    assert_int_equal(flow_state_of(world, flow), state);
}
