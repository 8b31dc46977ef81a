/* SPDX-License-Identifier: MIT */
/* Streams: generators, moves, loops, and what becomes of producers. */
#include <string.h>

#include "actor.h"

struct numbers {
    flow_frame base;
    FLOW_YIELDS(int) yields;
    const char *name;
    int from, to;
    double pause; /* between two, seconds; 0: none, negative: a tick */
};

/* From `from` up to `to`, which is left out. */
FLOW_STATIC(numbers)
{
    FLOW_BEGIN;
    story_log(story_of(flow), "%s", self->name);
    for (; self->from < self->to; self->from++) {
        if (self->pause < 0) {
            FLOW_AWAIT(flow_next_tick());
        } else if (self->pause > 0) {
            FLOW_AWAIT(flow_seconds(self->pause));
        }
        FLOW_YIELD(&self->from);
    }
    FLOW_FINALLY;
    story_log(story_of(flow), "%s.", self->name);
    FLOW_END;
}

struct reader {
    flow_frame base;
    FLOW_STREAM(int) numbers;
    int from, to;
    double pause;
    int leave_at;
    int n;
};

FLOW_STATIC(reader)
{
    FLOW_BEGIN;
    FLOW_GENERATE(&self->numbers, numbers, .name = "g", .from = self->from, .to = self->to,
                  .pause = self->pause);
    story_log(story_of(flow), "open");
    FLOW_FOREACH(&self->numbers, &self->n) {
        if (self->n == 2) {
            continue;
        }
        story_log(story_of(flow), "%d", self->n);
        if (self->n == self->leave_at) {
            break;
        }
    }
    story_log(story_of(flow), "out");
    FLOW_FINALLY;
    story_log(story_of(flow), "r.");
    FLOW_END;
}

static void a_loop_runs_over_what_a_generator_yields_without_suspending(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    FLOW_RUN(s.world, reader, .to = 5, .leave_at = -1);
    story_expect(&s, "open g 0 1 3 4 g. out r.");
    FLOW_RUN(s.world, reader, .to = 5, .leave_at = 3);
    story_expect(&s, "open g 0 1 3 g. out r.");
    FLOW_RUN(s.world, reader, .to = 0, .leave_at = -1);
    story_expect(&s, "open g g. out r.");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

static void a_producer_that_waits_suspends_its_consumer(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, reader, .to = 4, .pause = 0.010, .leave_at = -1);
    story_expect(&s, "open g");
    story_update(&s, 10);
    story_expect(&s, "0");
    story_update(&s, 5);
    story_expect(&s, "");
    story_update(&s, 5);
    story_expect(&s, "1");
    story_update(&s, 10);
    story_expect(&s, "");
    flow_cancel(s.world, h);
    story_expect(&s, "g. r.");
    story_alive(&s, 0, 0, 0);
    FLOW_RUN(s.world, reader, .to = 2, .pause = -1, .leave_at = -1);
    story_update(&s, 10);
    story_update(&s, 10);
    story_expect(&s, "open g 0 1 g. out r.");
    story_end(&s);
}

/* ---- loops ---- */

struct nested {
    flow_frame base;
    FLOW_STREAM(int) outer, inner;
    int a, b;
};

FLOW_STATIC(nested)
{
    FLOW_BEGIN;
    FLOW_GENERATE(&self->outer, numbers, .name = "a", .to = 3, .pause = -1);
    FLOW_FOREACH(&self->outer, &self->a) {
        FLOW_GENERATE(&self->inner, numbers, .name = "b", .from = 10, .to = 14);
        FLOW_FOREACH(&self->inner, &self->b) {
            if (self->b == 11) {
                continue;
            }
            if (self->b == 13) {
                break;
            }
            FLOW_AWAIT(flow_next_tick());
            story_log(story_of(flow), "%d%d", self->a, self->b);
        }
        if (self->a == 1) {
            FLOW_RETURN;
        }
    }
    FLOW_END;
}

static void loops_nest_and_their_bodies_await_break_continue_and_return(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    FLOW_RUN(s.world, nested);
    for (int i = 0; i < 8; i++) {
        story_update(&s, 10);
    }
    story_expect(&s, "a b 010 012 b. b 110 112 b. a.");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

struct counter {
    flow_frame base;
    FLOW_STREAM(int) numbers;
    int n, more, turns;
};

FLOW_STATIC(counter)
{
    FLOW_BEGIN;
    FLOW_GENERATE(&self->numbers, numbers, .name = "g", .to = 2);
    for (self->turns = 0; self->turns < 4; self->turns++) {
        self->n = -1;
        FLOW_AWAIT(flow_stream_next(&self->numbers, &self->n, &self->more));
        story_log(story_of(flow), "%d/%d", self->n, self->more);
    }
    FLOW_FOREACH(&self->numbers, NULL) {
        story_log(story_of(flow), "never");
    }
    FLOW_AWAIT(flow_stream_next(&self->numbers, &self->n, &self->more));
    story_log(story_of(flow), "%d/%d", self->n, self->more);
    FLOW_END;
}

static void a_stream_that_is_over_or_ended_stays_so(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    FLOW_RUN(s.world, counter);
    story_expect(&s, "g 0/1 1/1 g. -1/0 -1/0 -1/0");
    story_end(&s);
}

/* ---- moves in compositions ---- */

struct racer {
    flow_frame base;
    FLOW_STREAM(int) numbers;
    int n, more, which, turns;
};

FLOW_STATIC(racer)
{
    FLOW_BEGIN;
    FLOW_GENERATE(&self->numbers, numbers, .name = "g", .to = 4, .pause = 0.025);
    for (self->turns = 0; self->turns < 100; self->turns++) {
        FLOW_RACE(self->which, flow_seconds(0.010),
                  flow_stream_next(&self->numbers, &self->n, &self->more));
        if (self->which == 0) {
            story_log(story_of(flow), "-");
        } else if (self->more) {
            story_log(story_of(flow), "%d", self->n);
        } else {
            break;
        }
    }
    story_log(story_of(flow), "%d", self->turns);
    FLOW_END;
}

static void a_move_that_loses_its_race_loses_no_element(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    FLOW_RUN(s.world, racer);
    for (int i = 0; i < 25; i++) {
        story_update(&s, 5);
    }
    story_expect(&s, "g - - 0 - - 1 - - 2 - - 3 g. 12");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

struct pair {
    flow_frame base;
    FLOW_STREAM(int) a, b;
    int na, nb, more_a, more_b;
    flow_outcome outcome;
    int turns;
};

/* Both arrive in the tick in which the third branch fails: nothing is taken by that. */
FLOW_STATIC(pair)
{
    FLOW_BEGIN;
    FLOW_GENERATE(&self->a, numbers, .name = "a", .to = 2);
    FLOW_GENERATE(&self->b, numbers, .name = "b", .from = 7, .to = 9, .pause = -1);
    FLOW_TRY(&self->outcome, flow_all(flow_stream_next(&self->a, &self->na, &self->more_a),
                                      flow_stream_next(&self->b, &self->nb, &self->more_b),
                                      FLOW_CALL(actor, .name = "x", .ticks = 1, .fail = 5)));
    story_log(story_of(flow), "%d %d%d", self->outcome.code, self->na, self->nb);
    for (self->turns = 0; self->turns < 3; self->turns++) {
        FLOW_ALL(flow_stream_next(&self->a, &self->na, &self->more_a),
                 flow_stream_next(&self->b, &self->nb, &self->more_b));
        story_log(story_of(flow), "%d%d%d%d", self->na, self->more_a, self->nb, self->more_b);
    }
    FLOW_END;
}

static void elements_that_a_failed_composition_had_received_come_with_the_next_move(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    FLOW_RUN(s.world, pair);
    for (int i = 0; i < 5; i++) {
        story_update(&s, 5);
    }
    story_expect(&s, "a b x+ x-f 5 00 0171 1181 a. b. 1080");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

/* Lessons, C17: the same three streams, raced again and again. */
struct tally {
    flow_frame base;
    FLOW_STREAM(int) stream[3];
    int n[3], more[3], seen[3], which, total;
};

FLOW_STATIC(tally)
{
    FLOW_BEGIN;
    FLOW_GENERATE(&self->stream[0], numbers, .name = "a", .to = 1000, .pause = -1);
    FLOW_GENERATE(&self->stream[1], numbers, .name = "b", .to = 1000, .pause = 0.003);
    FLOW_GENERATE(&self->stream[2], numbers, .name = "c", .to = 1000, .pause = 0.002);
    for (self->total = 0; self->total < 100; self->total++) {
        FLOW_RACE(self->which, flow_stream_next(&self->stream[0], &self->n[0], &self->more[0]),
                  flow_stream_next(&self->stream[1], &self->n[1], &self->more[1]),
                  flow_stream_next(&self->stream[2], &self->n[2], &self->more[2]));
        assert_int_equal(self->more[self->which], 1);
        assert_int_equal(self->n[self->which], self->seen[self->which]);
        self->seen[self->which]++;
    }
    FLOW_END;
}

static void racing_the_same_streams_again_and_again_loses_and_doubles_nothing(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, tally);
    for (int i = 0; i < 60; i++) {
        story_update(&s, 1);
    }
    assert_int_equal(flow_state_of(s.world, h), FLOW_STATE_DONE);
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

/* ---- yields from further down ---- */

typedef FLOW_YIELDS(int) int_yields;

struct tree {
    flow_frame base;
    int_yields yields;
    int depth, name;
};

/* In order: left, itself, right. */
FLOW_STATIC(tree)
{
    FLOW_BEGIN;
    if (self->depth > 0) {
        FLOW_AWAIT(FLOW_CALL(tree, .yields = self->yields, .depth = self->depth - 1,
                             .name = self->name * 2));
    }
    FLOW_YIELD(&self->name);
    if (self->depth > 0) {
        FLOW_AWAIT(FLOW_CALL(tree, .yields = self->yields, .depth = self->depth - 1,
                             .name = self->name * 2 + 1));
    }
    FLOW_END;
}

struct walker {
    flow_frame base;
    FLOW_STREAM(int) names;
    int name, leave_at;
};

FLOW_STATIC(walker)
{
    FLOW_BEGIN;
    FLOW_GENERATE(&self->names, tree, .depth = 2, .name = 1);
    FLOW_FOREACH(&self->names, &self->name) {
        story_log(story_of(flow), "%d", self->name);
        if (self->name == self->leave_at) {
            break;
        }
    }
    FLOW_END;
}

static void a_generator_yields_from_the_functions_that_it_calls(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    FLOW_RUN(s.world, walker);
    story_expect(&s, "4 2 5 1 6 3 7");
    FLOW_RUN(s.world, walker, .leave_at = 5);
    story_expect(&s, "4 2 5");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

/* ---- where a producer runs ---- */

struct mover {
    flow_frame base;
    FLOW_STREAM(int) numbers;
    int n;
};

FLOW_STATIC(mover)
{
    FLOW_BEGIN;
    FLOW_GENERATE(&self->numbers, numbers, .name = "g", .to = 3);
    FLOW_AWAIT(flow_stream_next(&self->numbers, &self->n, &self->numbers.stream.more_));
    story_log(story_of(flow), "%d", self->n);
    FLOW_AWAIT(flow_switch_phase(FLOW_LATE));
    FLOW_FOREACH(&self->numbers, &self->n) {
        story_log(story_of(flow), "%d:%d", self->n, (int)flow_phase_of(flow));
    }
    FLOW_END;
}

static void a_producer_whose_home_is_another_phase_runs_in_that(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    FLOW_RUN(s.world, mover);
    story_expect(&s, "g 0");
    flow_world_begin_frame(s.world, 0.01);
    flow_world_tick(s.world, FLOW_LATE, 0.01);
    story_expect(&s, "");
    flow_world_tick(s.world, FLOW_UPDATE, 0.01);
    story_expect(&s, "");
    flow_world_tick(s.world, FLOW_LATE, 0.01);
    story_expect(&s, "1:4");
    flow_world_tick(s.world, FLOW_UPDATE, 0.01);
    flow_world_tick(s.world, FLOW_LATE, 0.01);
    story_expect(&s, "2:4");
    flow_world_tick(s.world, FLOW_UPDATE, 0.01);
    story_expect(&s, "g.");
    flow_world_tick(s.world, FLOW_LATE, 0.01);
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

/* A chain of generators, each on the one before. */
struct chain {
    flow_frame base;
    int_yields yields;
    FLOW_STREAM(int) source;
    int depth, n;
};

FLOW_STATIC(chain)
{
    FLOW_BEGIN;
    if (self->depth == 0) {
        for (self->n = 0; self->n < 3; self->n++) {
            FLOW_YIELD(&self->n);
        }
        FLOW_RETURN;
    }
    FLOW_GENERATE(&self->source, chain, .depth = self->depth - 1);
    FLOW_FOREACH(&self->source, &self->n) {
        self->n++;
        FLOW_YIELD(&self->n);
    }
    FLOW_END;
}

struct chained {
    flow_frame base;
    FLOW_STREAM(int) source;
    int depth, n;
};

FLOW_STATIC(chained)
{
    FLOW_BEGIN;
    FLOW_GENERATE(&self->source, chain, .depth = self->depth);
    FLOW_FOREACH(&self->source, &self->n) {
        story_log(story_of(flow), "%d", self->n);
    }
    story_log(story_of(flow), "out");
    FLOW_END;
}

static void a_chain_deeper_than_the_nesting_limit_goes_through_the_ready_queue(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    FLOW_RUN(s.world, chained, .depth = 10);
    story_expect(&s, "10 11 12 out");
    FLOW_RUN(s.world, chained, .depth = 1000);
    story_expect(&s, "");
    story_update(&s, 1);
    story_expect(&s, "1000 1001 1002 out");
    story_alive(&s, 0, 0, 0);
    flow_handle h = FLOW_RUN(s.world, chained, .depth = 1000);
    flow_cancel(s.world, h);
    story_alive(&s, 0, 0, 0);
    story_expect(&s, "");
    story_end(&s);
}

/* ---- what one sees ---- */

static void a_dump_shows_producers_and_who_waits_for_them(void **state)
{
    struct story s;
    char text[2048];
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, chained, .depth = 0);
    assert_int_equal(flow_state_of(s.world, h), FLOW_STATE_DONE);
    FLOW_RUN(s.world, nested);
    story_update(&s, 1);
    flow_world_dump_text(s.world, text, sizeof text);
    assert_non_null(strstr(text, "nested #"));
    assert_non_null(strstr(text, "    numbers #"));
    assert_non_null(strstr(text, "waits to be moved, for 0 frames at numbers "));
    assert_int_equal(flow_world_stuck(s.world, NULL, NULL), 0);
    story_destroy(&s);
    s.log[0] = '\0';
    story_end(&s);
    story_begin(&s, NULL);
    FLOW_RUN(s.world, reader, .to = 4, .pause = 1e9);
    flow_world_dump_text(s.world, text, sizeof text);
    assert_non_null(strstr(text, "waits for element of numbers#"));
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loop_runs_over_what_a_generator_yields_without_suspending),
        cmocka_unit_test(a_producer_that_waits_suspends_its_consumer),
        cmocka_unit_test(loops_nest_and_their_bodies_await_break_continue_and_return),
        cmocka_unit_test(a_stream_that_is_over_or_ended_stays_so),
        cmocka_unit_test(a_move_that_loses_its_race_loses_no_element),
        cmocka_unit_test(elements_that_a_failed_composition_had_received_come_with_the_next_move),
        cmocka_unit_test(racing_the_same_streams_again_and_again_loses_and_doubles_nothing),
        cmocka_unit_test(a_generator_yields_from_the_functions_that_it_calls),
        cmocka_unit_test(a_producer_whose_home_is_another_phase_runs_in_that),
        cmocka_unit_test(a_chain_deeper_than_the_nesting_limit_goes_through_the_ready_queue),
        cmocka_unit_test(a_dump_shows_producers_and_who_waits_for_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
