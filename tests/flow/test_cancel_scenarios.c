/* SPDX-License-Identifier: MIT */
/* Stories of lessons.md about lifetimes: scenarios 7 and 8, and rows A01, A06, A07, A10, C03, D05
 * and D07. */
#include <string.h>

#include "actor.h"

static void increments(void *arg)
{
    ++*(int *)arg;
}

/* ---- scenario 7: the awaited thing goes away ---- */

struct stage {
    FLOW_SIGNAL(int) first;
    FLOW_SIGNAL(int) second;
    int c;
};

struct child {
    flow_frame base;
    struct stage *stage;
};

FLOW_STATIC(child)
{
    FLOW_BEGIN;
    FLOW_DEFER(increments, &self->stage->c);
    FLOW_AWAIT(flow_next(&self->stage->first, NULL));
    story_log(story_of(flow), "never");
    FLOW_END;
}

struct p {
    flow_frame base;
    flow_handle child;
    flow_outcome outcome;
};

FLOW_STATIC(p)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_join(self->child, &self->outcome));
    story_log(story_of(flow), "join:%d", (int)self->outcome.state);
    FLOW_AWAIT(flow_never());
    FLOW_END;
}

struct q {
    flow_frame base;
    struct stage *stage;
};

FLOW_STATIC(q)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next(&self->stage->second, NULL));
    story_log(story_of(flow), "never");
    FLOW_END;
}

static void the_awaited_thing_goes_away(void **state)
{
    struct story s;
    struct stage stage;
    (void)state;
    memset(&stage, 0, sizeof stage);
    story_begin(&s, NULL);
    assert_int_equal(flow_signal_init(&stage.first, s.world), FLOW_OK);
    assert_int_equal(flow_signal_init(&stage.second, s.world), FLOW_OK);
    flow_handle g = flow_group_create(s.world, &(flow_group_desc){.name = "G"});
    flow_handle c = FLOW_RUN_WITH(s.world, &(flow_options){.owner = g}, child, .stage = &stage);
    flow_handle hp = FLOW_RUN(s.world, p, .child = c);
    flow_handle hq = FLOW_RUN(s.world, q, .stage = &stage);
    assert_int_equal(flow_cancel(s.world, g), FLOW_OK);
    assert_int_equal(stage.c, 1);
    flow_signal_fini(&stage.second);
    story_frame(&s, 10);
    story_expect(&s, "join:4");
    assert_int_equal(flow_state_of(s.world, hp), FLOW_STATE_LIVE);
    assert_outcome(s.world, hq, FLOW_STATE_FAILED, FLOW_CAUSE_NONE, FLOW_CLOSED);
    assert_int_equal(flow_emit(&stage.first, &(int){1}), 0);
    assert_int_equal(flow_emit(&stage.second, &(int){1}), 0);
    story_frame(&s, 10);
    story_expect(&s, "");
    assert_int_equal(stage.c, 1);
    s.expect_failures = 1;
    flow_signal_fini(&stage.first);
    story_end(&s);
}

/* ---- scenario 8: already cancelled ---- */

static void already_cancelled(void **state)
{
    struct story s;
    flow_outcome outcome = {0};
    (void)state;
    story_begin(&s, NULL);
    flow_handle g = flow_group_create(s.world, NULL);
    assert_int_equal(flow_cancel(s.world, g), FLOW_OK);
    flow_handle h = FLOW_RUN_WITH(s.world, (&(flow_options){.owner = g, .outcome = &outcome}),
                                  actor, .name = "a");
    story_expect(&s, "");
    assert_int_equal(h.generation, 0);
    assert_int_equal(outcome.state, FLOW_STATE_CANCELLED);

    flow_handle b = FLOW_RUN(s.world, actor, .name = "b", .ticks = -1);
    assert_int_equal(flow_cancel(s.world, b), FLOW_OK);
    story_expect(&s, "b+ b-x");
    flow_handle joins = FLOW_RUN(s.world, p, .child = b);
    assert_int_equal(strncmp(s.log, "join:", 5),
                     0); /* at once; how b ended is known only until its slot is used again */
    s.log[0] = '\0';
    assert_int_equal(flow_cancel(s.world, joins), FLOW_OK);
    story_frame(&s, 10);
    story_expect(&s, "");
    story_end(&s);
}

/* ---- A06, A07: leaving a scene ---- */

struct counter {
    flow_frame base;
    int *resumes;
    flow_handle leave; /* cancels this at its third tick, if anything */
    int n;
};

FLOW_STATIC(counter)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(flow_seconds(0.01));
        ++*self->resumes;
        if (++self->n == 3 && self->leave.generation != 0) {
            (void)flow_cancel(flow_world_of(flow), self->leave);
        }
    }
    FLOW_END;
}

static void once_a_scene_is_left_none_of_its_flows_resumes_not_even_in_that_frame(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    int before = 0, inside = 0, after = 0;
    flow_handle scene = flow_group_create(s.world, NULL);
    (void)FLOW_RUN_WITH(s.world, &(flow_options){.owner = scene}, counter, .resumes = &before);
    (void)FLOW_RUN(s.world, counter, .resumes = &inside, .leave = scene);
    (void)FLOW_RUN_WITH(s.world, &(flow_options){.owner = scene}, counter, .resumes = &after);
    for (int i = 0; i < 6; i++) {
        story_frame(&s, 10);
    }
    assert_int_equal(before, 3);
    assert_int_equal(inside, 6);
    assert_int_equal(after,
                     2); /* its third timer was due in the frame in which the scene was left */
    story_alive(&s, 1, 0, 1);
    story_end(&s);
}

/* ---- A10: queued starts, cancelled before they began ---- */

struct nester {
    flow_frame base;
    int depth;
    flow_handle *queued;
    int n;
    int cancel;
    int *begun;
    flow_outcome *outcome;
};
FLOW_FORWARD(nester);

struct queued {
    flow_frame base;
    int *begun;
};

FLOW_STATIC(queued)
{
    FLOW_BEGIN;
    ++*self->begun;
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    story_log(story_of(flow), "q-%s", actor_cause(flow_cause_of(flow)));
    FLOW_END;
}

FLOW_STATIC(nester)
{
    FLOW_BEGIN;
    if (self->depth > 0) {
        (void)FLOW_RUN(flow_world_of(flow), nester, .depth = self->depth - 1,
                       .queued = self->queued, .cancel = self->cancel, .begun = self->begun,
                       .outcome = self->outcome);
    } else {
        for (self->n = 0; self->n < 3; self->n++) {
            flow_options options = {.outcome = &self->outcome[self->n]};
            self->queued[self->n] =
                FLOW_RUN_WITH(flow_world_of(flow), &options, queued, .begun = self->begun);
            assert_int_equal(flow_state_of(flow_world_of(flow), self->queued[self->n]),
                             FLOW_STATE_LIVE);
        }
        if (self->cancel) {
            assert_int_equal(flow_cancel(flow_world_of(flow), self->queued[1]), FLOW_PENDING);
        }
    }
    FLOW_END;
}

static void a_start_that_is_queued_has_a_handle_and_can_be_cancelled_before_it_begins(void **state)
{
    struct story s;
    flow_handle handle[3];
    flow_outcome outcome[3];
    (void)state;
    story_begin(&s, NULL);
    int begun = 0;
    (void)FLOW_RUN(s.world, nester, .depth = FLOW_NESTING_LIMIT - 1, .queued = handle, .cancel = 1,
                   .begun = &begun, .outcome = outcome);
    assert_int_equal(begun, 2);
    story_expect(&s, ""); /* what never began has nothing to clean up */
    assert_int_equal(outcome[1].state, FLOW_STATE_CANCELLED);
    assert_int_equal(outcome[1].cause, FLOW_CAUSE_EXPLICIT);
    assert_int_equal(flow_cancel(s.world, handle[0]), FLOW_OK);
    assert_int_equal(flow_cancel(s.world, handle[2]), FLOW_OK);
    story_expect(&s, "q-x q-x");
    assert_int_equal(flow_world_counters(s.world).finally_runs, 2);
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

/* ---- D07: cleanups that end others, which end others ---- */

struct domino {
    flow_frame base;
    const char *name;
    flow_handle *next;
};

FLOW_STATIC(domino)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    story_log(story_of(flow), "%s-", self->name);
    (void)flow_cancel(flow_world_of(flow), *self->next);
    story_log(story_of(flow), "%s.", self->name);
    FLOW_END;
}

static void cleanups_that_end_others_run_each_once_without_coming_back(void **state)
{
    struct story s;
    flow_handle handle[3];
    (void)state;
    story_begin(&s, NULL);
    handle[0] = FLOW_RUN(s.world, domino, .name = "a", .next = &handle[1]);
    handle[1] = FLOW_RUN(s.world, domino, .name = "b", .next = &handle[2]);
    handle[2] = FLOW_RUN(s.world, domino, .name = "c", .next = &handle[0]);
    assert_int_equal(flow_cancel(s.world, handle[0]), FLOW_OK);
    story_expect(&s, "a- b- c- c. b. a.");
    assert_int_equal(flow_world_counters(s.world).finally_runs, 3);
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

/* ---- C03 ---- */

struct walk {
    flow_frame base;
    int *walking;
};

FLOW_STATIC(walk)
{
    FLOW_BEGIN;
    *self->walking = 1;
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    *self->walking = 0;
    FLOW_END;
}

struct walker {
    flow_frame base;
    int walking;
    int winner;
};

FLOW_STATIC(walker)
{
    FLOW_BEGIN;
    FLOW_RACE(self->winner, FLOW_CALL(walk, .walking = &self->walking), flow_seconds(0.02));
    story_log(story_of(flow), "won:%d walking:%d", self->winner, self->walking);
    FLOW_END;
}

static void a_race_stops_what_its_losers_were_doing_before_it_returns(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, walker);
    story_frames(&s, 3, 10);
    story_expect(&s, "won:1 walking:0");
    story_end(&s);
}

/* ---- E07: the head of a list ---- */

static void ending_and_starting_the_first_waiter_again_and_again_keeps_the_order(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle first = FLOW_RUN(s.world, actor, .name = "0", .ticks = 5);
    (void)FLOW_RUN(s.world, actor, .name = "1", .ticks = 1);
    (void)FLOW_RUN(s.world, actor, .name = "2", .ticks = 1);
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(flow_cancel(s.world, first), FLOW_OK);
        first = FLOW_RUN(s.world, actor, .name = "0", .ticks = 1);
        s.log[0] = '\0';
    }
    story_update(&s, 1);
    story_expect(&s, "1= 1- 2= 2- 0= 0-");
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_awaited_thing_goes_away),
        cmocka_unit_test(already_cancelled),
        cmocka_unit_test(once_a_scene_is_left_none_of_its_flows_resumes_not_even_in_that_frame),
        cmocka_unit_test(a_start_that_is_queued_has_a_handle_and_can_be_cancelled_before_it_begins),
        cmocka_unit_test(cleanups_that_end_others_run_each_once_without_coming_back),
        cmocka_unit_test(a_race_stops_what_its_losers_were_doing_before_it_returns),
        cmocka_unit_test(ending_and_starting_the_first_waiter_again_and_again_keeps_the_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
