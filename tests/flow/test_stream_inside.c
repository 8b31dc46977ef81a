/* SPDX-License-Identifier: MIT */
/* Streams whose ends are brought about from inside a move, and moves at odd places: in finally
 * sections, shields and sets, on another clock; what a trace and a stuck report say. */
#include "profiled.h"
#include "reading.h"

static flow_handle consumer, owner, producer;
static ints *moved;

/* A digit is yielded; C cancels the consumer, O its owner, S itself, E ends the stream, t awaits a
 * tick. */
struct meddler {
    flow_frame base;
    FLOW_YIELDS(int) yields;
    const char *steps;
    int digit;
};

FLOW_STATIC(meddler)
{
    FLOW_BEGIN;
    producer = flow_self(flow);
    for (; *self->steps != '\0'; self->steps++) {
        if (*self->steps == 't') {
            FLOW_AWAIT(flow_next_tick());
        } else if (*self->steps == 'E') {
            flow_stream_end(moved);
        } else if (*self->steps >= '0' && *self->steps <= '9') {
            self->digit = *self->steps - '0';
            FLOW_YIELD(&self->digit);
        } else {
            flow_handle whom = *self->steps == 'C'   ? consumer
                               : *self->steps == 'O' ? owner
                                                     : flow_self(flow);
            (void)flow_cancel(flow_world_of(flow), whom);
        }
    }
    FLOW_FINALLY;
    story_log(story_of(flow), "m%d.", (int)flow_cause_of(flow));
    FLOW_END;
}

struct user {
    flow_frame base;
    ints stream;
    const char *steps;
    int n, more, races, which;
    flow_phase moves_to; /* before it moves the stream, or 0 */
    flow_outcome outcome;
};

FLOW_STATIC(user)
{
    FLOW_BEGIN;
    consumer = flow_self(flow);
    moved = &self->stream;
    FLOW_GENERATE(&self->stream, meddler, .steps = self->steps);
    if (self->moves_to != FLOW_INHERIT) {
        FLOW_AWAIT(flow_switch_phase(self->moves_to));
    }
    for (self->more = 1; self->more && self->outcome.code == 0;) {
        self->n = -1;
        if (self->races) {
            FLOW_TRY(&self->outcome,
                     flow_race(&self->which, flow_stream_next(&self->stream, &self->n, &self->more),
                               flow_never()));
        } else {
            FLOW_TRY(&self->outcome, flow_stream_next(&self->stream, &self->n, &self->more));
        }
        if (self->outcome.code != 0) {
            story_log(story_of(flow), "!%d", self->outcome.code);
        } else {
            story_log(story_of(flow), "%d/%d", self->n, self->more);
        }
    }
    FLOW_FINALLY;
    story_log(story_of(flow), "u%d.", (int)flow_cause_of(flow));
    FLOW_END;
}

struct holder {
    flow_frame base;
    const char *steps;
    int races;
};

FLOW_STATIC(holder)
{
    FLOW_BEGIN;
    owner = flow_self(flow);
    FLOW_SPAWN(user, .steps = self->steps, .races = self->races);
    FLOW_AWAIT(flow_never());
    FLOW_END;
}

static void expect_inside(const char *steps, const char *text)
{
    for (int races = 0; races < 2; races++) {
        struct story s;
        story_begin(&s, NULL);
        flow_handle h = FLOW_RUN(s.world, holder, .steps = steps, .races = races);
        for (int i = 0; i < 3; i++) {
            story_update(&s, 10);
        }
        story_expect(&s, text);
        flow_cancel(s.world, h);
        story_expect(&s, "");
        story_alive(&s, 0, 0, 0);
        flow_counters count = flow_world_counters(s.world);
        assert_int_equal(count.started, count.ended);
        story_end(&s);
    }
}

static void a_producer_ends_itself_its_stream_or_those_who_move_it(void **state)
{
    (void)state;
    expect_inside("1", "1/1 m0. -1/0 u0.");
    expect_inside("1S2", "1/1 m1. !-3 u0.");
    expect_inside("1E2", "1/1 m1. -1/0 u0.");
    expect_inside("1Et2", "1/1 m1. -1/0 u0.");
    expect_inside("1tE2", "1/1 m1. -1/0 u0.");
    expect_inside("E", "m1. -1/0 u0.");
    expect_inside("1C2", "1/1 m1. u1.");
    expect_inside("1Ct2", "1/1 m1. u1.");
    expect_inside("1tC2", "1/1 m1. u1.");
    expect_inside("C", "m1. u1.");
    expect_inside("1O2", "1/1 m1. u1.");
    expect_inside("1Ot2", "1/1 m1. u1.");
    expect_inside("1tO2", "1/1 m1. u1.");
}

static void an_element_that_has_come_is_delivered_when_its_producer_is_cancelled(void **state)
{
    (void)state;
    for (int races = 0; races < 2; races++) {
        struct story s;
        story_begin(&s, NULL);
        FLOW_RUN(s.world, user, .steps = "t2t3", .moves_to = FLOW_LATE, .races = races);
        flow_world_tick(s.world, FLOW_LATE, 0.01);
        story_update(&s, 10); /* the element comes */
        (void)flow_cancel(s.world, producer);
        story_expect(&s, "m1.");
        flow_world_tick(s.world, FLOW_LATE, 0.01);
        story_expect(&s, "2/1 !-3 u0.");
        story_alive(&s, 0, 0, 0);
        story_end(&s);
    }
}

/* ---- moves at odd places ---- */

struct odd {
    flow_frame base;
    ints early, late;
    const char *steps;
    int n, more;
    flow_outcome outcome;
};

/* Moves what its body opened, and what it opens itself, in its finally section. */
FLOW_STATIC(odd)
{
    FLOW_BEGIN;
    script_open(flow, &self->early, "e", "123");
    FLOW_AWAIT(flow_stream_next(&self->early, &self->n, &self->more));
    FLOW_SHIELD(flow_stream_next(&self->early, &self->n, &self->more));
    story_log(story_of(flow), "%d", self->n);
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    FLOW_TRY(&self->outcome, flow_stream_next(&self->early, &self->n, &self->more));
    story_log(story_of(flow), "!%d", self->outcome.code);
    script_open(flow, &self->late, "l", "4t5");
    FLOW_FOREACH(&self->late, &self->n) {
        story_log(story_of(flow), "%d", self->n);
    }
    story_log(story_of(flow), "o.");
    FLOW_END;
}

static void a_finally_section_moves_what_it_opens_and_finds_the_bodys_streams_ended(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, odd);
    story_expect(&s, "2");
    flow_cancel(s.world, h);
    story_expect(&s, "e. !-3 4");
    story_update(&s, 10);
    story_expect(&s, "5 l. o.");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

/* Moves of two streams in a set, and one on another clock. */
struct collector {
    flow_frame base;
    ints a, b;
    flow_set set;
    flow_each_item item;
    int n[2], more[2];
};

FLOW_STATIC(collector)
{
    FLOW_BEGIN;
    script_open(flow, &self->a, "a", "1t2");
    script_open(flow, &self->b, "b", "t3");
    flow_set_begin(flow, &self->set);
    flow_set_add(&self->set, 0, flow_stream_next(&self->a, &self->n[0], &self->more[0]));
    flow_set_add(&self->set, 1, flow_stream_next(&self->b, &self->n[1], &self->more[1]));
    while (flow_set_left(&self->set) > 0) {
        FLOW_AWAIT(flow_each(&self->set, &self->item));
        if (!self->more[self->item.tag]) {
            story_log(story_of(flow), "|%d", self->item.tag);
            continue;
        }
        story_log(story_of(flow), "%d:%d", self->item.tag, self->n[self->item.tag]);
        if (self->item.tag == 0) {
            flow_set_add(&self->set, 0, flow_stream_next(&self->a, &self->n[0], &self->more[0]));
        }
    }
    FLOW_ON_CLOCK(FLOW_CLOCK_UNSCALED, flow_stream_next(&self->b, &self->n[1], &self->more[1]));
    story_log(story_of(flow), "%d", self->more[1]);
    FLOW_END;
}

static void moves_are_branches_of_sets_and_wait_on_other_clocks(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    FLOW_RUN(s.world, collector);
    story_expect(&s, "0:1");
    story_update(&s, 10);
    story_expect(&s, "1:3 0:2 a. |0 b. 0");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

/* ---- what one sees ---- */

static void write_event(void *user, const flow_trace_event *event)
{
    story_log(user, "%c:%s", "srd"[event->kind], event -> function);
}

static void a_trace_tells_of_moves_as_turns_of_the_producer(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_world_trace(s.world, write_event, &s);
    FLOW_RUN(s.world, reading, .open = reading_open_a, .a = "1t2");
    story_expect(&s, "s:reading s:script 1 r:script");
    uint64_t resumed = flow_world_counters(s.world).resumed;
    assert_int_equal(resumed, 1);
    story_update(&s, 10);
    story_expect(&s, "r:script r:reading 2 r:script a. d:script | ~ d:reading");
    assert_int_equal(flow_world_counters(s.world).resumed, resumed + 3);
    story_end(&s);
}

struct burner {
    flow_frame base;
    FLOW_YIELDS(int) yields;
};

FLOW_STATIC(burner)
{
    FLOW_BEGIN;
    for (;;) {
        profiled_burn(flow, 3.0);
        FLOW_YIELD(NULL);
    }
    FLOW_END;
}

/* Moves a burner twice a tick. */
struct eater {
    flow_frame base;
    ints stream;
    int more;
};

FLOW_STATIC(eater)
{
    FLOW_BEGIN;
    FLOW_GENERATE(&self->stream, burner);
    for (;;) {
        FLOW_AWAIT(flow_next_tick());
        profiled_burn(flow, 1.0);
        FLOW_AWAIT(flow_stream_next(&self->stream, NULL, &self->more));
        FLOW_AWAIT(flow_stream_next(&self->stream, NULL, &self->more));
        profiled_burn(flow, 0.5);
    }
    FLOW_END;
}

static void a_profile_counts_the_time_of_a_producer_as_its_own(void **state)
{
    struct profiled p;
    (void)state;
    profiled_begin(&p, NULL);
    FLOW_RUN(p.story.world, eater);
    profiled_frames(&p, 3);
    const flow_profile_frame *frame = profiled_last(&p);
    const flow_profile_row *eats = profiled_row(frame, FLOW_PROFILE_FLOW, "eater");
    const flow_profile_row *burns = profiled_row(frame, FLOW_PROFILE_FLOW, "burner");
    assert_int_equal(eats->self_ns, 1500000);
    assert_int_equal(eats->count, 1);
    assert_int_equal(burns->self_ns, 6000000);
    assert_int_equal(burns->count, 2);
    profiled_end(&p);
}

static void open_never(flow_task *flow, struct reading *self)
{
    flow_stream_never(flow, &self->stream);
    flow_stream_filter(flow, &self->stream, &self->stream, NULL, NULL);
}

static void who_moves_a_stream_that_nothing_can_make_go_on_is_stuck(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    FLOW_RUN(s.world, reading, .open = open_never);
    assert_int_equal(flow_world_stuck(s.world, NULL, NULL), 3);
    FLOW_RUN(s.world, reading, .open = reading_open_a, .a = "t");
    assert_int_equal(flow_world_stuck(s.world, NULL, NULL), 0);
    story_destroy(&s);
    s.log[0] = '\0';
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_producer_ends_itself_its_stream_or_those_who_move_it),
        cmocka_unit_test(an_element_that_has_come_is_delivered_when_its_producer_is_cancelled),
        cmocka_unit_test(a_finally_section_moves_what_it_opens_and_finds_the_bodys_streams_ended),
        cmocka_unit_test(moves_are_branches_of_sets_and_wait_on_other_clocks),
        cmocka_unit_test(a_trace_tells_of_moves_as_turns_of_the_producer),
        cmocka_unit_test(a_profile_counts_the_time_of_a_producer_as_its_own),
        cmocka_unit_test(who_moves_a_stream_that_nothing_can_make_go_on_is_stuck),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
