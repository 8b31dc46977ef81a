/* SPDX-License-Identifier: MIT */
/* Sets: compositions of as many branches as a loop makes. */
#include "actor.h"
#include "flows.h"

#include <string.h>

typedef FLOW_SIGNAL(int) int_signal;
typedef FLOW_SUBSCRIPTION(int) int_subscription;

/* How the branches of a set are awaited. */
enum how { RACE, ALL, SETTLED, ANY };

enum { BRANCHES = 6 };

/* Awaits actors that end after ticks[i], or fail, in a set; logs what the await gave. */
struct gather {
    flow_frame base;
    enum how how;
    int count;
    const struct actor *actors;
    flow_set set;
    int i, tag;
    flow_outcome outcome, outcomes[BRANCHES];
};

static flow_wait of(enum how how, flow_set *set, int *tag, flow_outcome *outcomes)
{
    return how == RACE  ? flow_race_of(set, tag)
           : how == ALL ? flow_all_of(set)
           : how == ANY ? flow_any_of(set, tag)
                        : flow_all_settled_of(set, outcomes);
}

FLOW_STATIC(gather)
{
    FLOW_BEGIN;
    self->tag = -7;
    assert_int_equal(flow_set_begin(flow, &self->set), FLOW_OK);
    for (self->i = 0; self->i < self->count; self->i++) {
        const struct actor *a = &self->actors[self->i];
        flow_set_add(&self->set, 10 * self->i,
                     FLOW_CALL(actor, .name = a->name, .ticks = a->ticks, .fail = a->fail,
                               .closing = a->closing));
    }
    assert_int_equal(flow_set_left(&self->set), self->count);
    FLOW_TRY(&self->outcome, of(self->how, &self->set, &self->tag, self->outcomes));
    assert_int_equal(flow_set_left(&self->set), 0);
    story_log(story_of(flow), "=%d:%d", self->outcome.code, self->tag);
    for (self->i = 0; self->how == SETTLED && self->i < self->count; self->i++) {
        story_log(story_of(flow), "%d/%d", (int)self->outcomes[self->i].state,
                  self->outcomes[self->i].code);
    }
    FLOW_END;
}

static void expect_gather(enum how how, const struct actor *actors, int count, const char *log)
{
    struct story s;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, gather, .how = how, .actors = actors, .count = count);
    for (int i = 0; i < 5; i++) {
        story_update(&s, 10);
    }
    story_expect(&s, log);
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

static void a_set_is_awaited_as_the_written_list_is(void **state)
{
    (void)state;
    static const struct actor three[] = {
        {.name = "a", .ticks = 3}, {.name = "b", .ticks = 1}, {.name = "c", .ticks = 2}};
    static const struct actor failing[] = {
        {.name = "a", .ticks = 3}, {.name = "b", .ticks = 1, .fail = 7}, {.name = "c", .ticks = 2}};
    expect_gather(RACE, three, 3, "a+ b+ c+ b= b- c-l a-l =0:10");
    expect_gather(ALL, three, 3, "a+ b+ c+ b= b- c= c- a= a- =0:-7");
    expect_gather(SETTLED, three, 3, "a+ b+ c+ b= b- c= c- a= a- =0:-7 2/0 2/0 2/0");
    expect_gather(RACE, failing, 3, "a+ b+ c+ b-f c-l a-l =7:10");
    expect_gather(ALL, failing, 3, "a+ b+ c+ b-f c-f a-f =7:-7");
    expect_gather(SETTLED, failing, 3, "a+ b+ c+ b-f c= c- a= a- =0:-7 2/0 3/7 2/0");
    expect_gather(ANY, three, 3, "a+ b+ c+ b= b- =0:10 c-p a-p");
}

static void a_branch_that_is_done_at_once_keeps_the_later_ones_from_starting(void **state)
{
    (void)state;
    static const struct actor three[] = {
        {.name = "a", .ticks = 3}, {.name = "b"}, {.name = "c", .ticks = 2}};
    static const struct actor failing[] = {
        {.name = "a", .ticks = 3}, {.name = "b", .fail = 7}, {.name = "c", .ticks = 2}};
    expect_gather(RACE, three, 3, "a+ b+ b= b- a-l =0:10");
    expect_gather(ALL, failing, 3, "a+ b+ b-f a-f =7:-7");
}

static void an_empty_set_is_done_or_fails_as_empty(void **state)
{
    (void)state;
    expect_gather(RACE, NULL, 0, "=-5:-7");
    expect_gather(ANY, NULL, 0, "=-5:-7");
    expect_gather(ALL, NULL, 0, "=0:-7");
    expect_gather(SETTLED, NULL, 0, "=0:-7");
}

/* ---- leaves ---- */

struct leaves {
    flow_frame base;
    int_signal *signals;
    int count, rounds;
    flow_set set;
    int i, tag, value[BRANCHES];
};

FLOW_STATIC(leaves)
{
    FLOW_BEGIN;
    assert_int_equal(flow_set_begin(flow, &self->set), FLOW_OK);
    for (; self->rounds > 0; self->rounds--) {
        for (self->i = 0; self->i < self->count; self->i++) {
            flow_set_add(&self->set, self->i,
                         flow_next(&self->signals[self->i], &self->value[self->i]));
        }
        FLOW_AWAIT(flow_race_of(&self->set, &self->tag));
        story_log(story_of(flow), "%d:%d", self->tag, self->value[self->tag]);
    }
    FLOW_END;
}

static void a_set_of_leaves_takes_no_flow_and_ten_thousand_rounds_leave_nothing(void **state)
{
    (void)state;
    struct story s;
    int_signal signals[BRANCHES];
    story_begin(&s, NULL);
    for (int i = 0; i < BRANCHES; i++) {
        assert_int_equal(flow_signal_init(&signals[i], s.world), FLOW_OK);
    }
    (void)FLOW_RUN(s.world, leaves, .signals = signals, .count = BRANCHES, .rounds = 10000);
    long allocations = 0;
    for (int i = 0; i < 10000; i++) {
        story_alive(&s, 1, BRANCHES + 1, 0);
        int at = i * 7 % BRANCHES;
        assert_int_equal(flow_emit(&signals[at], &i), 1);
        assert_int_equal(flow_signal_waiters(&signals[(at + 1) % BRANCHES]), 0);
        story_update(&s, 1);
        s.log[i < 9999 ? 0 : strlen(s.log)] = '\0';
        allocations = i == 10 ? s.allocations : allocations;
    }
    assert_int_equal(s.allocations, allocations);
    story_expect(&s, "3:9999");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

/* ---- nested ---- */

/* all(race(tick 1, never), race of a set, timeout of a set, a set of a set) */
struct nest {
    flow_frame base;
    flow_set outer, inner;
    int i, first, second, timed_out, deep, done;
};

FLOW_STATIC(nest)
{
    FLOW_BEGIN;
    assert_int_equal(flow_set_begin(flow, &self->outer), FLOW_OK);
    assert_int_equal(flow_set_begin(flow, &self->inner), FLOW_OK);
    flow_set_add(&self->outer, 1,
                 flow_race(&self->first, flow_never(), flow_all(flow_ticks(2), flow_next_tick()),
                           FLOW_CALL(actor, .name = "x", .ticks = -1)));
    for (self->i = 0; self->i < 3; self->i++) {
        flow_set_add(&self->inner, 100 + self->i, flow_ticks(3 - self->i));
    }
    flow_set_add(&self->outer, 2, flow_race_of(&self->inner, &self->second));
    assert_int_equal(flow_set_left(&self->inner), 0);
    flow_set_add(&self->inner, 5, FLOW_CALL(actor, .name = "y", .ticks = -1));
    flow_set_add(&self->outer, 3, flow_timeout(&self->timed_out, flow_all_of(&self->inner), 0.02));
    flow_set_add(&self->inner, 6, flow_ticks(3));
    flow_set_add(&self->inner, 7, flow_ticks(2));
    FLOW_AWAIT(flow_all(flow_all_of(&self->outer), flow_any_of(&self->inner, &self->deep)));
    story_log(story_of(flow), "%d %d %d %d", self->first, self->second, self->timed_out,
              self->deep);
    FLOW_END;
}

static void sets_and_written_lists_nest_in_each_other(void **state)
{
    (void)state;
    struct story s;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, nest);
    story_expect(&s, "x+ y+");
    story_update(&s, 10);
    story_update(&s, 10);
    story_expect(&s, "y-l x-l 1 102 1 7");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

/* all of (race of (all of ( ... (signal)))), of a given depth */
struct tower {
    flow_frame base;
    int depth;
    int_signal *signal;
    flow_set sets[2];
    int i, value;
};

FLOW_STATIC(tower)
{
    FLOW_BEGIN;
    assert_int_equal(flow_set_begin(flow, &self->sets[0]), FLOW_OK);
    assert_int_equal(flow_set_begin(flow, &self->sets[1]), FLOW_OK);
    flow_set_add(&self->sets[0], 0, flow_next(self->signal, &self->value));
    for (self->i = 0; self->i < self->depth; self->i++) {
        flow_set *inner = &self->sets[self->i % 2], *outer = &self->sets[1 - self->i % 2];
        flow_set_add(outer, 0, self->i % 3 ? flow_all_of(inner) : flow_race_of(inner, NULL));
    }
    FLOW_AWAIT(flow_all_of(&self->sets[self->depth % 2]));
    story_log(story_of(flow), "%d", self->value);
    FLOW_END;
}

static void a_hundred_thousand_nested_sets_need_no_deep_stack(void **state)
{
    (void)state;
    struct story s;
    int_signal signal;
    int value = 42;
    story_begin(&s, NULL);
    assert_int_equal(flow_signal_init(&signal, s.world), FLOW_OK);
    (void)FLOW_RUN(s.world, tower, .depth = 100000, .signal = &signal);
    story_alive(&s, 1, 100002, 0);
    assert_int_equal(flow_emit(&signal, &value), 1);
    story_update(&s, 1);
    story_expect(&s, "42");
    flow_handle cut = FLOW_RUN(s.world, tower, .depth = 100000, .signal = &signal);
    assert_int_equal(flow_world_stuck(s.world, NULL, NULL), 1);
    assert_int_equal(flow_cancel(s.world, cut), FLOW_OK);
    assert_int_equal(flow_signal_waiters(&signal), 0);
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

struct clocks {
    flow_frame base;
    flow_set set, inner;
    flow_clock slow;
    flow_each_item item;
};

FLOW_STATIC(clocks)
{
    FLOW_BEGIN;
    assert_int_equal(flow_set_begin(flow, &self->set), FLOW_OK);
    assert_int_equal(flow_set_begin(flow, &self->inner), FLOW_OK);
    flow_set_add(&self->inner, 0, flow_seconds(0.015));
    flow_set_add(&self->set, 1, flow_on_clock(self->slow, flow_seconds(0.02)));
    flow_set_add(&self->set, 2,
                 flow_on_clock(self->slow, FLOW_CALL(actor, .name = "a", .ticks = 3)));
    flow_set_add(
        &self->set, 3,
        flow_on_clock(self->slow, flow_all(flow_seconds(0.01), flow_race_of(&self->inner, NULL))));
    flow_set_add(&self->set, 4, flow_seconds(0.03));
    flow_set_add(&self->set, 5, flow_on_clock((flow_clock)0x7fff0001, flow_all(flow_never())));
    while (flow_set_left(&self->set) > 0) {
        FLOW_AWAIT(flow_each(&self->set, &self->item));
        story_log(story_of(flow), "%d:%d", self->item.tag, self->item.outcome.code);
    }
    FLOW_END;
}

static void branches_may_wait_on_clocks_of_their_own(void **state)
{
    (void)state;
    struct story s;
    story_begin(&s, NULL);
    flow_clock slow = flow_clock_create(s.world, FLOW_CLOCK_GAME, "slow");
    assert_int_equal(flow_clock_set_scale(s.world, slow, 0.5), FLOW_OK);
    (void)FLOW_RUN(s.world, clocks, .slow = slow);
    for (int i = 0; i < 5; i++) {
        story_update(&s, 10);
        story_log(&s, "|");
    }
    story_expect(&s, "a+ 5:-4 | | a= a- 4:0 3:0 2:0 | 1:0 | |");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

struct around {
    flow_frame base;
    flow_set set;
    int inner, outer;
};

FLOW_STATIC(around)
{
    FLOW_BEGIN;
    assert_int_equal(flow_set_begin(flow, &self->set), FLOW_OK);
    flow_set_add(&self->set, 1, FLOW_CALL(actor, .name = "a", .ticks = 3));
    flow_set_add(&self->set, 2, FLOW_CALL(actor, .name = "b", .ticks = 2));
    flow_set_add(&self->set, 7, flow_race_of(&self->set, &self->inner));
    flow_set_add(&self->set, 8, FLOW_CALL(actor, .name = "c", .ticks = -1));
    assert_int_equal(flow_set_left(&self->set), 2);
    FLOW_AWAIT(flow_race_of(&self->set, &self->outer));
    story_log(story_of(flow), "=%d:%d", self->outer, self->inner);
    FLOW_END;
}

static void a_set_added_to_itself_becomes_one_of_its_branches(void **state)
{
    (void)state;
    struct story s;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, around, .inner = -1);
    story_update(&s, 10);
    story_update(&s, 10);
    story_expect(&s, "a+ b+ c+ b= b- c-l a-l =7:2");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

/* ---- how many ---- */

struct many {
    flow_frame base;
    int count;
    flow_set set;
    int i, tag;
    flow_outcome outcome;
};

FLOW_STATIC(many)
{
    FLOW_BEGIN;
    assert_int_equal(flow_set_begin(flow, &self->set), FLOW_OK);
    for (self->i = 1; self->i <= self->count; self->i++) {
        flow_set_add(&self->set, -self->i, flow_ticks(self->i == self->count ? 1 : 2));
    }
    FLOW_TRY(&self->outcome, flow_race_of(&self->set, &self->tag));
    story_log(story_of(flow), "%d:%d", self->outcome.code, self->tag);
    FLOW_END;
}

static void a_set_takes_65535_branches_and_fails_as_full_with_more(void **state)
{
    (void)state;
    struct story s;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, many, .count = 65535);
    story_alive(&s, 1, 65536, 0);
    story_update(&s, 1);
    story_expect(&s, "0:-65535");
    (void)FLOW_RUN(s.world, many, .count = 65536);
    story_expect(&s, "-11:0");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

/* ---- what is not awaited ---- */

struct dropper {
    flow_frame base;
    int await, fail, calls;
    flow_set set;
    int i;
};

FLOW_STATIC(dropper)
{
    FLOW_BEGIN;
    assert_int_equal(flow_set_begin(flow, &self->set), FLOW_OK);
    for (self->i = 0; self->i < self->calls; self->i++) {
        flow_set_add(&self->set, self->i, FLOW_CALL(actor, .name = "never", .ticks = 1));
        flow_set_add(&self->set, self->i,
                     flow_race(NULL, FLOW_CALL(parent, .name = "nor"),
                               flow_all(FLOW_CALL(actor, .name = "this"))));
    }
    if (self->await) {
        FLOW_AWAIT(flow_next_tick());
    }
    if (self->fail != 0) {
        FLOW_FAIL(self->fail, "on the way");
    }
    FLOW_END;
}

struct drops_in_a_call {
    flow_frame base;
    flow_outcome outcome;
};

FLOW_STATIC(drops_in_a_call)
{
    FLOW_BEGIN;
    FLOW_TRY(&self->outcome, FLOW_CALL(dropper, .calls = 2, .fail = 7));
    FLOW_TRY(&self->outcome, FLOW_CALL(dropper, .calls = 2));
    FLOW_END;
}

static void what_was_never_awaited_ends_with_its_function(void **state)
{
    (void)state;
    struct story s;
    story_begin(&s, NULL);
    flow_handle cut = FLOW_RUN(s.world, dropper, .await = 1, .calls = 50);
    story_alive(&s, 1 + 150, 0, 0);
    assert_int_equal(flow_world_stuck(s.world, NULL, NULL), 0);
    assert_int_equal(flow_cancel(s.world, cut), FLOW_OK);
    story_alive(&s, 0, 0, 0);
    (void)FLOW_RUN(s.world, dropper, .await = 1, .fail = 3, .calls = 5);
    story_update(&s, 1);
    s.expect_failures = 1;
    assert_int_equal(s.misuses, 0);
    (void)FLOW_RUN(s.world, drops_in_a_call);
    assert_int_equal(s.misuses, 1); /* the one that returned */
    assert_non_null(strstr(s.misuse, "a flow_set was filled and never awaited"));
    s.expect_misuses = 1;
    (void)FLOW_RUN(s.world, dropper, .await = 1, .calls = 3); /* the world ends */
    story_expect(&s, "");
    story_end(&s);
}

struct borrower {
    flow_frame base;
    flow_set *set;
    flow_outcome outcome;
    flow_each_item item;
};

FLOW_STATIC(borrower)
{
    FLOW_BEGIN;
    flow_set_add(self->set, 1, FLOW_CALL(actor, .name = "never"));
    FLOW_TRY(&self->outcome, flow_all_of(self->set));
    story_log(story_of(flow), "%d", self->outcome.code);
    FLOW_TRY(&self->outcome, flow_each(self->set, &self->item));
    story_log(story_of(flow), "%d", self->outcome.code);
    FLOW_TRY(&self->outcome, flow_race(NULL, flow_ready(), flow_all_of(self->set)));
    story_log(story_of(flow), "%d", self->outcome.code);
    flow_set_clear(flow, self->set);
    FLOW_END;
}

struct lender {
    flow_frame base;
    flow_set set, none;
    flow_outcome outcome;
};

FLOW_STATIC(lender)
{
    FLOW_BEGIN;
    FLOW_TRY(&self->outcome, flow_all_of(&self->none));
    story_log(story_of(flow), "%d", self->outcome.code);
    assert_int_equal(flow_set_begin(flow, &self->set), FLOW_OK);
    flow_set_add(&self->set, 0, flow_ready());
    FLOW_AWAIT(FLOW_CALL(borrower, .set = &self->set));
    FLOW_AWAIT(flow_all_of(&self->set));
    story_log(story_of(flow), "on");
    FLOW_END;
}

static void a_set_belongs_to_the_function_that_began_it(void **state)
{
    (void)state;
    struct story s;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, lender);
    story_expect(&s, "-10 -10 -10 0 on");
    assert_int_equal(s.misuses, 5);
    s.expect_misuses = s.misuses;
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

/* ---- values and cancellation ---- */

struct taker {
    flow_frame base;
    int_subscription *subs;
    int_signal *signal;
    enum how how;
    flow_set outer, inner;
    int i, tag, got[4];
};

FLOW_STATIC(taker)
{
    FLOW_BEGIN;
    assert_int_equal(flow_set_begin(flow, &self->outer), FLOW_OK);
    assert_int_equal(flow_set_begin(flow, &self->inner), FLOW_OK);
    for (self->i = 0; self->i < 3; self->i++) {
        flow_set_add(&self->inner, self->i, flow_next(&self->subs[self->i], &self->got[self->i]));
    }
    flow_set_add(&self->outer, 0, flow_all_of(&self->inner));
    flow_set_add(&self->outer, 1, flow_next(self->signal, NULL));
    FLOW_AWAIT(flow_race_of(&self->outer, &self->tag));
    story_log(story_of(flow), "%d", self->tag);
    FLOW_END;
}

static void values_that_losing_branches_received_go_back_to_the_front(void **state)
{
    (void)state;
    struct story s;
    int_signal source, signal;
    int_subscription subs[3];
    int value = 0;
    story_begin(&s, NULL);
    assert_int_equal(flow_signal_init(&source, s.world), FLOW_OK);
    assert_int_equal(flow_signal_init(&signal, s.world), FLOW_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(flow_subscribe_in(s.world, &subs[i], &source, FLOW_DROP_OLDEST, 4),
                         FLOW_OK);
    }
    value = 1;
    (void)flow_emit(&source, &value);
    assert_int_equal(flow_try_next(&subs[2], &value), 1); /* the third has nothing yet */
    for (int round = 0; round < 3; round++) {
        flow_handle h = FLOW_RUN(s.world, taker, .subs = subs, .signal = &signal);
        assert_int_equal(flow_subscription_count(&subs[0]), 0); /* held */
        if (round == 0) {
            assert_int_equal(flow_cancel(s.world, h), FLOW_OK);
        } else if (round == 1) {
            assert_int_equal(flow_emit(&signal, NULL), 1);
            assert_int_equal(flow_subscription_count(&subs[0]), 1);
            story_update(&s, 1);
            story_expect(&s, "1");
        } else {
            value = 2;
            assert_int_equal(flow_emit(&source, &value), 3);
            assert_int_equal(flow_emit(&signal, NULL), 0); /* settled: it listens no more */
            story_update(&s, 1);
            story_expect(&s, "0");
        }
        assert_int_equal(flow_subscription_count(&subs[0]), 1);
        assert_int_equal(flow_subscription_count(&subs[1]), 1);
        assert_int_equal(flow_subscription_count(&subs[2]), 0);
        value = 0;
        for (int i = 0; i < 2 && round == 2; i++) {
            assert_int_equal(flow_try_next(&subs[i], &value), 1);
            assert_int_equal(value, 2);
        }
    }
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

struct closers {
    flow_frame base;
    enum how how;
    int await_it;
    flow_set set;
    int i, tag;
};

FLOW_STATIC(closers)
{
    FLOW_BEGIN;
    assert_int_equal(flow_set_begin(flow, &self->set), FLOW_OK);
    for (self->i = 0; self->i < 3; self->i++) {
        flow_set_add(&self->set, self->i,
                     FLOW_CALL(actor,
                               .name = self->i == 0   ? "a"
                                       : self->i == 1 ? "b"
                                                      : "c",
                               .ticks = self->i == 1 ? 1 : -1, .closing = 1));
    }
    FLOW_AWAIT(flow_race_of(&self->set, &self->tag));
    story_log(story_of(flow), "on");
    FLOW_END;
}

static void it_is_cancelled_in_every_state(void **state)
{
    (void)state;
    static const char *const logs[] = {"a+ b+ c+ c-x b-x a-x c. b. a.",   /* while all wait */
                                       "a+ b+ c+ b= b- c-x a-x b. c. a.", /* one is closing */
                                       "a+ b+ c+ b= b- b. c-l a-l c. a.",
                                       "a+ b+ c+ b= b- b. c-l a-l c. a. on"};
    for (int at = 0; at < 4; at++) {
        struct story s;
        story_begin(&s, NULL);
        flow_handle h = FLOW_RUN(s.world, closers, .how = RACE);
        for (int i = 0; i < 6; i++) {
            if (i == at) {
                (void)flow_cancel(s.world, h);
            }
            story_update(&s, 1);
        }
        story_expect(&s, logs[at]);
        story_alive(&s, 0, 0, 0);
        story_end(&s);
    }
}

static void a_branch_cancelled_from_outside_settles_it_as_in_a_written_list(void **state)
{
    (void)state;
    static const struct {
        enum how how;
        const char *log;
    } cases[] = {{RACE, "=0:10"}, {ALL, "=-3:-7"}, {SETTLED, "=0:-7 2/0 4/0 2/0"}};
    static const struct actor three[] = {
        {.name = "a", .ticks = 2}, {.name = "b", .ticks = -1}, {.name = "c", .ticks = 2}};
    for (size_t i = 0; i < 3; i++) {
        struct story s;
        story_begin(&s, NULL);
        flow_handle h = FLOW_RUN(s.world, gather, .how = cases[i].how, .actors = three, .count = 3);
        flow_handle b = {h.slot + 2, 1};
        story_expect(&s, "a+ b+ c+");
        assert_int_equal(flow_cancel(s.world, b), FLOW_OK);
        for (int n = 0; n < 3; n++) {
            story_update(&s, 1);
        }
        assert_non_null(strstr(s.log, cases[i].log));
        s.log[0] = '\0';
        story_alive(&s, 0, 0, 0);
        story_end(&s);
    }
}

/* ---- no memory ---- */

struct hungry {
    flow_frame base;
    flow_set set, inner;
    int i, tag;
    flow_outcome outcome;
    flow_each_item item;
};

FLOW_STATIC(hungry)
{
    FLOW_BEGIN;
    (void)flow_set_begin(flow, &self->set);
    (void)flow_set_begin(flow, &self->inner);
    for (self->i = 0; self->i < 1500; self->i++) {
        flow_set_add(&self->inner, self->i, flow_ticks(self->i % 3 + 1));
        flow_set_add(&self->set, self->i,
                     self->i % 3 == 0 ? flow_all(flow_next_tick(), flow_never())
                     : self->i % 3    ? FLOW_CALL(actor, .name = "", .ticks = 1)
                                      : flow_race_of(&self->inner, &self->tag));
    }
    FLOW_TRY(&self->outcome, flow_race_of(&self->set, &self->tag));
    if (self->outcome.state == FLOW_STATE_FAILED) {
        assert_int_equal(self->outcome.code, FLOW_NOMEM);
        story_log(story_of(flow), "nomem");
    }
    FLOW_TRY(&self->outcome, flow_each(&self->inner, &self->item));
    FLOW_END;
}

static void without_memory_for_a_branch_the_await_fails_and_nothing_of_it_is_left(void **state)
{
    (void)state;
    int failed = 0, passed = 0;
    for (long at = 1; !passed; at++) {
        struct story s = {.fail_at = at};
        if (!story_try_begin(&s, NULL)) {
            continue;
        }
        (void)FLOW_RUN(s.world, hungry);
        failed += strstr(s.log, "nomem") != NULL;
        s.fail_at = s.calls < at ? 0 : 1;
        passed = s.fail_at == 0;
        for (int i = 0; i < 4; i++) {
            story_update(&s, 1);
        }
        story_alive(&s, 0, 0, 0);
        s.expect_failures = s.failure_count; /* of what could not be started */
        story_end(&s);
    }
    assert_true(failed > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_set_is_awaited_as_the_written_list_is),
        cmocka_unit_test(a_branch_that_is_done_at_once_keeps_the_later_ones_from_starting),
        cmocka_unit_test(an_empty_set_is_done_or_fails_as_empty),
        cmocka_unit_test(a_set_of_leaves_takes_no_flow_and_ten_thousand_rounds_leave_nothing),
        cmocka_unit_test(sets_and_written_lists_nest_in_each_other),
        cmocka_unit_test(a_hundred_thousand_nested_sets_need_no_deep_stack),
        cmocka_unit_test(branches_may_wait_on_clocks_of_their_own),
        cmocka_unit_test(a_set_added_to_itself_becomes_one_of_its_branches),
        cmocka_unit_test(a_set_takes_65535_branches_and_fails_as_full_with_more),
        cmocka_unit_test(what_was_never_awaited_ends_with_its_function),
        cmocka_unit_test(a_set_belongs_to_the_function_that_began_it),
        cmocka_unit_test(values_that_losing_branches_received_go_back_to_the_front),
        cmocka_unit_test(it_is_cancelled_in_every_state),
        cmocka_unit_test(a_branch_cancelled_from_outside_settles_it_as_in_a_written_list),
        cmocka_unit_test(without_memory_for_a_branch_the_await_fails_and_nothing_of_it_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
