/* SPDX-License-Identifier: MIT */
/* flow_each: the branches of a set one by one, in order of completion. */
#include "actor.h"
#include "flows.h"

#include <stdio.h>
#include <string.h>

typedef FLOW_SIGNAL(int) int_signal;
typedef FLOW_SUBSCRIPTION(int) int_subscription;

static void log_item(flow_task *flow, const flow_each_item *item)
{
    static const char *const states[] = {"none", "live", "done", "failed", "cancelled"};
    story_log(story_of(flow), "%d:%s", item->tag, states[item->outcome.state]);
    if (item->outcome.state == FLOW_STATE_FAILED) {
        story_log(story_of(flow), "%d", item->outcome.code);
    }
}

/* Takes up to `take` items of a set of actors, then clears it or just ends. */
struct taker {
    flow_frame base;
    const struct actor *actors;
    int count, take, clear, linger;
    flow_set set;
    flow_each_item item;
    int i;
};

FLOW_STATIC(taker)
{
    FLOW_BEGIN;
    assert_int_equal(flow_set_begin(flow, &self->set), FLOW_OK);
    for (self->i = 0; self->i < self->count; self->i++) {
        const struct actor *a = &self->actors[self->i];
        flow_set_add(&self->set, self->i + 1,
                     FLOW_CALL(actor, .name = a->name, .ticks = a->ticks, .fail = a->fail,
                               .closing = a->closing));
    }
    while (self->take-- > 0 && flow_set_left(&self->set) > 0) {
        FLOW_AWAIT(flow_each(&self->set, &self->item));
        log_item(flow, &self->item);
        assert_int_equal(self->item.index, self->item.tag - 1);
    }
    if (self->clear) {
        flow_set_clear(flow, &self->set);
        assert_int_equal(flow_set_left(&self->set), 0);
        story_log(story_of(flow), "cleared");
    }
    if (self->linger > 0) {
        FLOW_AWAIT(flow_ticks(self->linger));
    }
    story_log(story_of(flow), "on");
    FLOW_END;
}

static const struct actor five[] = {{.name = "a", .ticks = 3},
                                    {.name = "b"},
                                    {.name = "c", .ticks = 1, .closing = 1},
                                    {.name = "d", .ticks = 1, .fail = 7},
                                    {.name = "e", .ticks = 2}};

static void branches_are_told_in_order_of_completion_however_they_end(void **state)
{
    (void)state;
    struct story s;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, taker, .actors = five, .count = 5, .take = 99);
    story_expect(&s, "a+ b+ b= b- c+ d+ e+ 2:done");
    story_update(&s, 1);
    story_expect(&s, "c= c- d-f 4:failed 7");
    story_update(&s, 1);
    story_expect(&s, "e= e- c. 5:done 3:done");
    story_update(&s, 1);
    story_expect(&s, "a= a- 1:done on");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

static void leaving_the_loop_early_unwinds_the_rest(void **state)
{
    (void)state;
    struct story s;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, taker, .actors = five, .count = 5, .take = 1, .clear = 1, .linger = 3);
    story_expect(&s, "a+ b+ b= b- c+ d+ e+ 2:done e-x d-x c-x a-x cleared");
    story_update(&s, 1);
    story_expect(&s, "c.");
    story_alive(&s, 1, 1, 0);
    story_update(&s, 1);
    story_update(&s, 1);
    story_expect(&s, "on");
    (void)FLOW_RUN(s.world, taker, .actors = five, .count = 5, .take = 1); /* the function's end */
    story_expect(&s, "a+ b+ b= b- c+ d+ e+ 2:done on e-p d-p c-p a-p");
    story_update(&s, 1);
    story_expect(&s, "c.");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

static void a_failure_that_nobody_took_is_undelivered(void **state)
{
    (void)state;
    struct story s;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, taker, .actors = five, .count = 5, .take = 1, .linger = 9);
    story_update(&s, 1);
    assert_int_equal(s.failure_count, 0);
    assert_int_equal(flow_cancel(s.world, h), FLOW_PENDING); /* c is closing */
    story_update(&s, 1);
    assert_int_equal(s.failure_count, 1);
    assert_int_equal(s.failures[0].failure.kind, FLOW_FAILURE_UNDELIVERED);
    assert_int_equal(s.failures[0].failure.code, 7);
    s.expect_failures = 1;
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

static void it_is_cancelled_while_it_waits_with_everything_it_started(void **state)
{
    (void)state;
    struct story s;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, taker, .actors = five, .count = 3, .take = 99);
    story_expect(&s, "a+ b+ b= b- c+ 2:done");
    assert_int_equal(flow_cancel(s.world, h), FLOW_PENDING);
    story_expect(&s, "c-x a-x");
    story_update(&s, 1);
    story_expect(&s, "c.");
    story_alive(&s, 0, 0, 0);
    (void)FLOW_RUN(s.world, taker, .actors = five, .count = 1, .take = 99);
    assert_int_equal(story_destroy(&s), FLOW_OK);
    story_expect(&s, "a+ a-d");
    story_end(&s);
}

static void a_branch_cancelled_from_outside_is_told_as_cancelled(void **state)
{
    (void)state;
    struct story s;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, taker, .actors = five, .count = 1, .take = 99);
    flow_handle a = {h.slot + 1, 1};
    assert_int_equal(flow_cancel(s.world, a), FLOW_OK);
    story_update(&s, 1);
    story_expect(&s, "a+ a-x 1:cancelled on");
    story_end(&s);
}

/* ---- a loop that goes on adding ---- */

struct crawler {
    flow_frame base;
    int limit, added;
    flow_set set;
    flow_each_item item;
};

FLOW_STATIC(crawler)
{
    FLOW_BEGIN;
    assert_int_equal(flow_set_begin(flow, &self->set), FLOW_OK);
    flow_set_add(&self->set, self->added++, flow_ticks(1));
    while (flow_set_left(&self->set) > 0) {
        FLOW_AWAIT(flow_each(&self->set, &self->item));
        for (int n = 0; n < 2 && self->added < self->limit; n++) {
            flow_set_add(&self->set, self->added, flow_ticks(self->added % 3));
            self->added++;
        }
    }
    FLOW_AWAIT(flow_each(&self->set, &self->item));
    assert_int_equal(self->item.outcome.state, FLOW_STATE_NONE);
    assert_int_equal(self->item.tag, -1);
    story_log(story_of(flow), "%d", self->added);
    FLOW_END;
}

static void branches_may_be_added_while_others_run(void **state)
{
    (void)state;
    struct story s;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, crawler, .limit = 1000);
    assert_int_equal(flow_world_stuck(s.world, NULL, NULL), 0);
    for (int i = 0; i < 1000 && s.log[0] == '\0'; i++) {
        story_update(&s, 1);
    }
    story_expect(&s, "1000");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

/* ---- as a branch itself ---- */

struct patient {
    flow_frame base;
    int_signal *signals;
    int_subscription *sub;
    flow_set set;
    flow_each_item item;
    flow_outcome outcome;
    int i, late, value[4];
};

FLOW_STATIC(patient)
{
    FLOW_BEGIN;
    assert_int_equal(flow_set_begin(flow, &self->set), FLOW_OK);
    for (self->i = 0; self->i < 3; self->i++) {
        flow_set_add(&self->set, self->i,
                     flow_next(&self->signals[self->i], &self->value[self->i]));
    }
    flow_set_add(&self->set, 3, flow_next(self->sub, &self->value[3]));
    FLOW_AWAIT(flow_timeout(&self->late, flow_each(&self->set, &self->item), 0.01));
    story_log(story_of(flow), "late:%d", self->late);
    FLOW_TRY(&self->outcome, flow_all(flow_each(&self->set, &self->item), flow_failed(9, "no")));
    story_log(story_of(flow), "%d", self->outcome.code);
    FLOW_TRY(&self->outcome,
             flow_all(flow_each(&self->set, &self->item), flow_each(&self->set, &self->item)));
    story_log(story_of(flow), "%d", self->outcome.code);
    FLOW_AWAIT(flow_next_tick());
    for (self->i = 0; self->i < 5; self->i++) {
        FLOW_AWAIT(flow_all(flow_each(&self->set, &self->item), flow_ready()));
        log_item(flow, &self->item);
    }
    FLOW_END;
}

static void the_item_of_a_wait_that_loses_goes_to_the_next(void **state)
{
    (void)state;
    struct story s;
    int_signal signals[4];
    int_subscription sub;
    int value = 5;
    story_begin(&s, NULL);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(flow_signal_init(&signals[i], s.world), FLOW_OK);
    }
    assert_int_equal(flow_subscribe_in(s.world, &sub, &signals[3], FLOW_DROP_OLDEST, 4), FLOW_OK);
    flow_handle h = FLOW_RUN(s.world, patient, .signals = signals, .sub = &sub);
    assert_int_equal(flow_world_stuck(s.world, NULL, NULL), 0); /* the timeout */
    story_update(&s, 10);
    story_expect(&s, "late:1 9 -10");
    s.expect_misuses = 2; /* the second time below */
    assert_int_equal(flow_emit(&signals[2], &value), 1);
    assert_int_equal(flow_emit(&signals[0], &value), 1);
    story_update(&s, 10);
    story_expect(&s, "2:done 0:done");
    assert_int_equal(flow_emit(&signals[3], &value), 1); /* held by the branch */
    assert_int_equal(flow_subscription_count(&sub), 0);
    flow_signal_fail(&signals[1], 8, "broken");
    story_update(&s, 10);
    story_expect(&s, "3:done 1:failed 8 -1:none");
    story_alive(&s, 0, 0, 0);
    assert_int_equal(flow_subscription_count(&sub), 0);
    h = FLOW_RUN(s.world, patient, .signals = signals, .sub = &sub);
    assert_int_equal(flow_emit(&signals[3], &value), 1);
    assert_int_equal(flow_subscription_count(&sub), 0);
    assert_int_equal(flow_cancel(s.world, h), FLOW_OK); /* before it was told */
    assert_int_equal(flow_subscription_count(&sub), 1);
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

/* ---- compositions as branches ---- */

struct rounds {
    flow_frame base;
    flow_set set, inner;
    flow_each_item item;
    int first[2];
};

FLOW_STATIC(rounds)
{
    FLOW_BEGIN;
    assert_int_equal(flow_set_begin(flow, &self->set), FLOW_OK);
    assert_int_equal(flow_set_begin(flow, &self->inner), FLOW_OK);
    flow_set_add(&self->inner, 70, FLOW_CALL(actor, .name = "a", .ticks = -1, .closing = 2));
    flow_set_add(&self->inner, 71, flow_ticks(1));
    flow_set_add(&self->set, 1, flow_race_of(&self->inner, &self->first[0]));
    flow_set_add(&self->set, 2,
                 flow_race(&self->first[1], flow_never(), flow_all(flow_ticks(2)),
                           FLOW_CALL(actor, .name = "b", .ticks = -1)));
    flow_set_add(&self->set, 3,
                 flow_all(FLOW_CALL(actor, .name = "c", .ticks = 1, .fail = 4),
                          FLOW_CALL(actor, .name = "d", .ticks = -1)));
    flow_set_add(&self->set, 4, flow_race(NULL, FLOW_NOTHING));
    flow_set_add(&self->set, 5, flow_race(NULL, FLOW_CALL(actor, .name = "e"), flow_never()));
    while (flow_set_left(&self->set) > 0) {
        FLOW_AWAIT(flow_each(&self->set, &self->item));
        log_item(flow, &self->item);
    }
    story_log(story_of(flow), "%d %d", self->first[0], self->first[1]);
    FLOW_END;
}

static void a_composition_is_told_when_its_losers_have_been_unwound(void **state)
{
    (void)state;
    struct story s;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, rounds);
    story_expect(&s, "a+ b+ c+ d+ e+ e= e- 4:failed -5 5:done");
    story_update(&s, 1);
    story_expect(&s, "a-l c-f d-f 3:failed 4");
    story_update(&s, 1);
    story_expect(&s, "b-l 2:done");
    story_update(&s, 1);
    story_expect(&s, "a. 1:done 71 1");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

/* ---- repeats ---- */

struct repeater {
    flow_frame base;
    int rounds, taken;
    flow_set set;
    flow_each_item item;
    int i;
};

FLOW_STATIC(repeater)
{
    FLOW_BEGIN;
    assert_int_equal(flow_set_begin(flow, &self->set), FLOW_OK);
    for (; self->rounds > 0; self->rounds--) {
        for (self->i = 0; self->i < 4; self->i++) {
            flow_set_add(&self->set, self->i,
                         self->i % 2 ? flow_ticks(self->i)
                                     : flow_race(NULL, FLOW_CALL(actor, .name = "", .ticks = 1),
                                                 flow_seconds(self->i)));
        }
        while (flow_set_left(&self->set) > (unsigned)(self->rounds % 3)) {
            FLOW_AWAIT(flow_each(&self->set, &self->item));
            self->taken++;
        }
        flow_set_clear(flow, &self->set);
        story_of(flow)->log[0] = '\0';
    }
    story_log(story_of(flow), "%d", self->taken);
    FLOW_END;
}

static void ten_thousand_loops_leave_nothing(void **state)
{
    (void)state;
    struct story s;
    long allocations = 0;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, repeater, .rounds = 10000);
    for (int i = 0; flow_world_counters(s.world).live > 0; i++) {
        assert_true(i < 40000);
        assert_true(flow_world_counters(s.world).waits < 16);
        story_update(&s, 1);
        allocations = i == 20 ? s.allocations : allocations;
    }
    assert_int_equal(s.allocations, allocations);
    story_expect(&s, "30000");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

/* ---- against a naive reference ---- */

enum { LEAVES = 40, DEPTH = 5, BRANCHES = 5, FRAMES = 8, NEVER = 1000 };
enum kind { RACE, ANY, ALL, SETTLED, EACH };

/* When and how something ends: the frame; then signals, which are emitted before the tick, before
 * ticks; then the number of the leaf. */
struct end {
    int frame, place, code;
};

static const struct end never = {NEVER, NEVER, 0};

struct model {
    struct story_random random;
    int_signal signals[LEAVES];
    int signal_frame[LEAVES], signal_code[LEAVES];
    flow_set sets[DEPTH];
    int leaves, frame;
    /* of the outermost */
    enum kind kind;
    struct end end, ends[BRANCHES];
    int count, winner;
};

static int is_later(struct end a, struct end b)
{
    return a.frame != b.frame ? a.frame > b.frame : a.place > b.place;
}

static struct end leaf(struct model *m, flow_wait *wait)
{
    int i = m->leaves++, frame = (int)story_random_below(&m->random, FRAMES);
    switch (story_random_below(&m->random, 8)) {
    case 0:
        *wait = flow_never();
        return never;
    case 1:
        *wait = story_random_below(&m->random, 3) ? flow_ready() : flow_failed(i + 1, "at once");
        return (struct end){0, i, wait->code_};
    case 2:
    case 3:
    case 4:
        *wait = flow_ticks(frame);
        return (struct end){frame, frame ? LEAVES + i : i, 0};
    default:
        m->signal_frame[i] = frame + 1;
        m->signal_code[i] = story_random_below(&m->random, 4) ? 0 : i + 1;
        *wait = flow_next(&m->signals[i], NULL);
        return (struct end){frame + 1, i, m->signal_code[i]};
    }
}

static struct end settles(enum kind kind, const struct end *ends, int count, int *winner)
{
    struct end first = never, last = {0, -1, 0}, failed = never;
    for (int i = 0; i < count; i++) {
        *winner = is_later(first, ends[i]) ? 10 + i : *winner;
        first = is_later(first, ends[i]) ? ends[i] : first;
        last = is_later(ends[i], last) ? ends[i] : last;
        failed = ends[i].code != 0 && is_later(failed, ends[i]) ? ends[i] : failed;
    }
    last.code = 0;
    return kind == RACE || kind == ANY ? first : kind == ALL && failed.code ? failed : last;
}

/* Fills the set of that depth at random; says when its await will end. */
static struct end compose(flow_task *flow, struct model *m, int depth, enum kind *kind)
{
    struct end ends[BRANCHES];
    int winner = -7, count = 1 + (int)story_random_below(&m->random, BRANCHES);
    *kind = (enum kind)story_random_below(&m->random, depth == 0 ? 5 : 4);
    for (int i = 0; i < count; i++) {
        flow_wait wait;
        if (depth + 1 < DEPTH && story_random_below(&m->random, 3) == 0 && m->leaves < 12) {
            enum kind inner;
            flow_set *set = &m->sets[depth + 1];
            ends[i] = compose(flow, m, depth + 1, &inner);
            wait = inner == RACE  ? flow_race_of(set, NULL)
                   : inner == ANY ? flow_any_of(set, NULL)
                   : inner == ALL ? flow_all_of(set)
                                  : flow_all_settled_of(set, NULL);
        } else {
            ends[i] = leaf(m, &wait);
        }
        flow_set_add(&m->sets[depth], 10 + i, wait);
    }
    if (depth == 0) {
        memcpy(m->ends, ends, sizeof ends);
        m->count = count;
    }
    struct end end = settles(*kind, ends, count, &winner);
    m->winner = *kind == RACE || *kind == ANY ? winner : -7;
    return end;
}

static flow_wait outermost(struct model *m, int *tag)
{
    return m->kind == RACE  ? flow_race_of(&m->sets[0], tag)
           : m->kind == ANY ? flow_any_of(&m->sets[0], tag)
           : m->kind == ALL ? flow_all_of(&m->sets[0])
                            : flow_all_settled_of(&m->sets[0], NULL);
}

struct player {
    flow_frame base;
    struct model *m;
    flow_outcome outcome;
    flow_each_item item;
    int i, tag;
};

FLOW_STATIC(player)
{
    FLOW_BEGIN;
    for (self->i = 0; self->i < DEPTH; self->i++) {
        assert_int_equal(flow_set_begin(flow, &self->m->sets[self->i]), FLOW_OK);
    }
    self->m->end = compose(flow, self->m, 0, &self->m->kind);
    self->tag = -7;
    while (self->m->kind == EACH && flow_set_left(&self->m->sets[0]) > 0) {
        FLOW_AWAIT(flow_each(&self->m->sets[0], &self->item));
        story_log(story_of(flow), "%d:%d=%d", self->m->frame, self->item.outcome.code,
                  self->item.tag);
    }
    if (self->m->kind != EACH) {
        FLOW_TRY(&self->outcome, outermost(self->m, &self->tag));
        story_log(story_of(flow), "%d:%d=%d", self->m->frame, self->outcome.code, self->tag);
    }
    FLOW_END;
}

/* What the player will have logged before that frame. */
static void expect_model(struct story *s, struct model *m, int before)
{
    char text[STORY_LOG] = "";
    int count = m->kind == EACH ? m->count : 1, told = -1;
    struct end at = {-1, -1, 0};
    while (count-- > 0) {
        struct end next = m->kind == EACH ? never : m->end;
        for (int i = 0; i < m->count && m->kind == EACH; i++) {
            if (is_later(m->ends[i], at) && is_later(next, m->ends[i])) {
                next = m->ends[i];
                told = i;
            }
        }
        at = next;
        if (at.frame < before) {
            size_t length = strlen(text);
            (void)snprintf(text + length, sizeof text - length, "%s%d:%d=%d", length ? " " : "",
                           at.frame, at.code, m->kind == EACH ? 10 + told : m->winner);
        }
    }
    story_expect(s, text);
}

static void random_sets_end_as_a_naive_reference_says(void **state)
{
    (void)state;
    struct story s;
    static struct model m;
    story_begin(&s, NULL);
    m.random = (struct story_random){story_seed(20261130)};
    for (int program = 0; program < 20000; program++) {
        memset((char *)&m + sizeof m.random, 0, sizeof m - sizeof m.random);
        for (int i = 0; i < LEAVES; i++) {
            assert_int_equal(flow_signal_init(&m.signals[i], s.world), FLOW_OK);
        }
        int cut = (int)story_random_below(&m.random, 3 * FRAMES);
        flow_handle h = FLOW_RUN(s.world, player, .m = &m);
        for (m.frame = 1; m.frame <= FRAMES + 1 && m.frame != cut; m.frame++) {
            for (int i = 0; i < m.leaves; i++) {
                if (m.signal_frame[i] == m.frame && m.signal_code[i] == 0) {
                    (void)flow_emit(&m.signals[i], &i);
                } else if (m.signal_frame[i] == m.frame) {
                    flow_signal_fail(&m.signals[i], m.signal_code[i], "as planned");
                }
            }
            story_update(&s, 1);
        }
        (void)flow_cancel(s.world, h);
        expect_model(&s, &m, m.frame);
        story_alive(&s, 0, 0, 0);
        for (int i = 0; i < LEAVES; i++) {
            assert_int_equal(flow_signal_waiters(&m.signals[i]), 0);
            flow_signal_fini(&m.signals[i]);
        }
    }
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(branches_are_told_in_order_of_completion_however_they_end),
        cmocka_unit_test(leaving_the_loop_early_unwinds_the_rest),
        cmocka_unit_test(a_failure_that_nobody_took_is_undelivered),
        cmocka_unit_test(it_is_cancelled_while_it_waits_with_everything_it_started),
        cmocka_unit_test(a_branch_cancelled_from_outside_is_told_as_cancelled),
        cmocka_unit_test(branches_may_be_added_while_others_run),
        cmocka_unit_test(the_item_of_a_wait_that_loses_goes_to_the_next),
        cmocka_unit_test(a_composition_is_told_when_its_losers_have_been_unwound),
        cmocka_unit_test(ten_thousand_loops_leave_nothing),
        cmocka_unit_test(random_sets_end_as_a_naive_reference_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
