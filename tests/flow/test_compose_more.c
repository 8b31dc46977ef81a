/* SPDX-License-Identifier: MIT */
/* all_settled and any: branches whose ends are values, losers that live on. */
#include "actor.h"

struct host {
    FLOW_SIGNAL(int) bell;
};

static struct host host;

/* ---- all_settled ---- */

struct settles {
    flow_frame base;
    flow_outcome outcome[5];
    int value;
    int keep;
};

FLOW_STATIC(settles)
{
    FLOW_BEGIN;
    FLOW_ALL_SETTLED(self->keep ? self->outcome : NULL,
                     FLOW_CALL(actor, .name = "a", .ticks = 1, .fail = 7, .closing = 1),
                     FLOW_CALL(actor, .name = "b", .ticks = 5), flow_next(&host.bell, &self->value),
                     flow_failed(9, "leaf"), FLOW_CALL(actor, .name = "c", .ticks = -1));
    story_log(story_of(flow), "settled");
    for (int i = 0; i < 5 && self->keep; i++) {
        story_log(story_of(flow), "%d:%d", (int)self->outcome[i].state, self->outcome[i].code);
    }
    FLOW_END;
}

static void all_settled_lets_each_end_and_gives_every_outcome(void **state)
{
    struct story s;
    (void)state;
    for (int keep = 0; keep < 2; keep++) {
        story_begin(&s, NULL);
        assert_int_equal(flow_signal_init(&host.bell, s.world), FLOW_OK);
        flow_handle h = FLOW_RUN(s.world, settles, .keep = keep);
        story_expect(&s, "a+ b+ c+");
        story_update(&s, 1);
        story_expect(&s, "a-f");
        flow_signal_close(&host.bell);
        story_update(&s, 1);
        story_expect(&s, "a.");
        for (int i = 0; i < 3; i++) {
            story_update(&s, 1);
        }
        story_expect(&s, "b= b-");
        assert_int_equal(flow_state_of(s.world, h), FLOW_STATE_LIVE); /* c still is */
        assert_int_equal(flow_cancel(s.world, (flow_handle){h.slot + 3, 1}), FLOW_OK);
        story_update(&s, 1);
        story_expect(&s, keep ? "c-x settled 3:7 2:0 3:-4 3:9 4:0" : "c-x settled");
        assert_outcome(s.world, h, FLOW_STATE_DONE, FLOW_CAUSE_NONE, 0);
        story_alive(&s, 0, 0, 0);
        flow_signal_fini(&host.bell);
        story_end(&s);
    }
}

struct settles_nothing {
    flow_frame base;
};

FLOW_STATIC(settles_nothing)
{
    FLOW_BEGIN;
    FLOW_ALL_SETTLED(NULL, FLOW_NOTHING);
    story_log(story_of(flow), "done");
    FLOW_END;
}

/* C14 */
static void all_settled_of_nothing_is_done_at_once(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, settles_nothing);
    story_expect(&s, "done");
    story_end(&s);
}

static void all_settled_that_is_cancelled_takes_its_branches_along(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_signal_init(&host.bell, s.world), FLOW_OK);
    flow_handle h = FLOW_RUN(s.world, settles, .keep = 1);
    assert_int_equal(flow_cancel(s.world, h), FLOW_PENDING); /* a awaits in its finally section */
    story_expect(&s, "a+ b+ c+ c-x b-x a-x");
    story_update(&s, 1);
    story_expect(&s, "a.");
    story_update(&s, 1);
    assert_outcome(s.world, h, FLOW_STATE_CANCELLED, FLOW_CAUSE_EXPLICIT, 0);
    story_alive(&s, 0, 0, 0);
    flow_signal_fini(&host.bell);
    story_end(&s);
}

/* lessons.md, scenario 6, its second half: B awaits 500 ms, C 30 ms, A fails after a frame. */
struct sleeper {
    flow_frame base;
    double seconds;
    int fail;
};

FLOW_STATIC(sleeper)
{
    FLOW_BEGIN;
    if (self->fail) {
        FLOW_AWAIT(flow_next_frame());
        FLOW_FAIL(self->fail, "A");
    }
    FLOW_AWAIT(flow_seconds(self->seconds));
    FLOW_END;
}

struct group_of_three {
    flow_frame base;
    flow_outcome outcome[3];
};

FLOW_STATIC(group_of_three)
{
    FLOW_BEGIN;
    FLOW_ALL_SETTLED(self->outcome, FLOW_CALL(sleeper, .fail = 7),
                     FLOW_CALL(sleeper, .seconds = 0.5), FLOW_CALL(sleeper, .seconds = 0.03));
    story_log(story_of(flow), "%d:%d %d %d at %.0f ms", (int)self->outcome[0].state,
              self->outcome[0].code, (int)self->outcome[1].state, (int)self->outcome[2].state,
              flow_now(flow) * 1000);
    FLOW_END;
}

static void scenario_6_all_settled_ends_with_b(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, group_of_three);
    story_frames(&s, 60, 10);
    story_expect(&s, "3:7 2 2 at 500 ms");
    story_end(&s);
}

/* ---- any ---- */

struct takes_any {
    flow_frame base;
    int winner;
    int value;
};

FLOW_STATIC(takes_any)
{
    FLOW_BEGIN;
    FLOW_ANY(self->winner, FLOW_CALL(actor, .name = "a", .ticks = 4),
             flow_next(&host.bell, &self->value), FLOW_CALL(actor, .name = "b", .ticks = 1),
             FLOW_CALL(actor, .name = "c", .ticks = -1));
    story_log(story_of(flow), "any:%d", self->winner);
    FLOW_AWAIT(flow_ticks(5));
    story_log(story_of(flow), "end");
    FLOW_END;
}

static void any_takes_the_first_and_leaves_the_losing_calls_running(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_signal_init(&host.bell, s.world), FLOW_OK);
    flow_handle h = FLOW_RUN(s.world, takes_any);
    story_expect(&s, "a+ b+ c+");
    assert_int_equal(flow_signal_waiters(&host.bell), 1);
    story_update(&s, 1);
    story_expect(&s, "b= b- any:2");
    assert_int_equal(flow_signal_waiters(&host.bell), 0); /* the losing leaf is gone */
    assert_int_equal(flow_child_count(s.world, h), 2);
    for (int i = 0; i < 3; i++) {
        story_update(&s, 1);
    }
    story_expect(&s, "a= a-");
    for (int i = 0; i < 2; i++) {
        story_update(&s, 1);
    }
    story_expect(&s, "end c-p"); /* what still runs ends with its scope */
    story_alive(&s, 0, 0, 0);
    flow_signal_fini(&host.bell);
    story_end(&s);
}

struct any_then_fails {
    flow_frame base;
    int winner;
};

FLOW_STATIC(any_then_fails)
{
    FLOW_BEGIN;
    FLOW_ANY(self->winner, flow_next_tick(), FLOW_CALL(actor, .name = "a", .ticks = 2, .fail = 5));
    story_log(story_of(flow), "any:%d", self->winner);
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    story_log(story_of(flow), "finally:%s", actor_cause(flow_cause_of(flow)));
    FLOW_END;
}

static void a_loser_of_any_that_fails_later_fails_its_scope(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, any_then_fails);
    story_update(&s, 1);
    story_update(&s, 1);
    story_expect(&s, "a+ any:0 a-f finally:f");
    assert_outcome(s.world, h, FLOW_STATE_FAILED, FLOW_CAUSE_NONE, 5);
    s.expect_failures = 1;
    story_end(&s);
}

struct any_at_once {
    flow_frame base;
    int winner;
    flow_outcome outcome;
};

FLOW_STATIC(any_at_once)
{
    FLOW_BEGIN;
    FLOW_ANY(self->winner, FLOW_CALL(actor, .name = "a", .ticks = -1), flow_ready(),
             FLOW_CALL(actor, .name = "never"));
    story_log(story_of(flow), "any:%d", self->winner);
    FLOW_TRY(&self->outcome, flow_any(&self->winner, FLOW_NOTHING));
    story_log(story_of(flow), "empty:%d", self->outcome.code);
    FLOW_END;
}

static void any_with_a_branch_done_at_once_starts_no_later_one(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, any_at_once);
    story_expect(&s, "a+ any:1 empty:-5 a-p");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

struct nests {
    flow_frame base;
    int winner, inner;
    flow_outcome outcome[2];
};

FLOW_STATIC(nests)
{
    FLOW_BEGIN;
    FLOW_RACE(self->winner,
              flow_all_settled(
                  self->outcome, flow_failed(3, "at once"),
                  flow_any(&self->inner, FLOW_CALL(actor, .name = "a", .ticks = 9), flow_ticks(2))),
              flow_never());
    story_log(story_of(flow), "%d %d:%d %d inner:%d", self->winner, (int)self->outcome[0].state,
              self->outcome[0].code, (int)self->outcome[1].state, self->inner);
    FLOW_END;
}

static void they_nest_in_each_other(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, nests);
    story_update(&s, 1);
    story_expect(&s, "a+");
    story_update(&s, 1);
    story_expect(&s, "0 3:3 2 inner:1 a-p");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_settled_lets_each_end_and_gives_every_outcome),
        cmocka_unit_test(all_settled_of_nothing_is_done_at_once),
        cmocka_unit_test(all_settled_that_is_cancelled_takes_its_branches_along),
        cmocka_unit_test(scenario_6_all_settled_ends_with_b),
        cmocka_unit_test(any_takes_the_first_and_leaves_the_losing_calls_running),
        cmocka_unit_test(a_loser_of_any_that_fails_later_fails_its_scope),
        cmocka_unit_test(any_with_a_branch_done_at_once_starts_no_later_one),
        cmocka_unit_test(they_nest_in_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
