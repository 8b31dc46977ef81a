/* SPDX-License-Identifier: MIT */
/* Tracing: an event for each start, turn and end, and their running hash. */
#include "actor.h"
#include "flows.h"

#include <stdio.h>
#include <string.h>

/* Writes "s:name/function@point" for a start, r for a turn, and d, f or c for an end. */
static void write_event(void *user, const flow_trace_event *event)
{
    static const char ends[] = {'?', '?', 'd', 'f', 'c'};
    char kind = event->kind == FLOW_TRACE_START    ? 's'
                : event->kind == FLOW_TRACE_RESUME ? 'r'
                                                   : ends[event->state];
    story_log(user, "%c:%s", kind, event->name);
    if (strcmp(event->name, event->function) != 0) {
        (void)snprintf(strchr(((struct story *)user)->log, '\0'), 64, "/%s", event->function);
    }
    (void)snprintf(strchr(((struct story *)user)->log, '\0'), 64, "@%u", event->point);
}

struct inner {
    flow_frame base;
};

static int inner_line;

FLOW_STATIC(inner)
{
    FLOW_BEGIN;
    inner_line = __LINE__ + 1;
    FLOW_AWAIT(flow_next_tick());
    FLOW_END;
}

struct outer {
    flow_frame base;
    int which;
};

FLOW_STATIC(outer)
{
    FLOW_BEGIN;
    FLOW_AWAIT(FLOW_CALL(inner));
    FLOW_RACE(self->which, FLOW_CALL(inner), flow_never());
    FLOW_FINALLY;
    FLOW_AWAIT(flow_next_tick());
    FLOW_END;
}

static void each_start_turn_and_end_is_told_in_order(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_world_trace(s.world, write_event, &s);
    (void)FLOW_RUN(s.world, outer);
    story_expect(&s, "s:outer@0");
    story_update(&s, 10);
    story_expect(&s, "r:outer/inner@2 s:inner@0");
    story_update(&s, 10);
    story_expect(&s, "r:inner@2 d:inner@2 r:outer@3");
    story_update(&s, 10);
    story_expect(&s, "r:outer@4 d:outer@4");
    story_end(&s);
}

static void cancels_and_failures_show_as_ends(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_world_trace(s.world, write_event, &s);
    flow_handle plain = FLOW_RUN(s.world, inner);
    flow_handle group = flow_group_create(s.world, &(flow_group_desc){.name = "room"});
    (void)FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.owner = group), inner);
    assert_int_equal(flow_cancel(s.world, plain), FLOW_OK);
    assert_int_equal(flow_cancel(s.world, group), FLOW_OK);
    s.log[0] = '\0';
    flow_world_trace_end(s.world);
    (void)FLOW_RUN(s.world, actor, .name = "", .ticks = -1);
    s.log[0] = '\0';
    flow_world_trace(s.world, write_event, &s);
    (void)FLOW_RUN(s.world, inner);
    (void)FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.owner = flow_group_create(s.world, NULL)), inner);
    story_expect(&s, "s:inner@0 s:inner@0");
    assert_int_equal(story_destroy(&s), FLOW_OK);
    story_expect(&s, "c:inner@1 c:group@0 c:inner@1 -d c:actor@1 c:world@0");
    story_end(&s);
}

struct seen {
    flow_trace_event event;
    int count;
};

static void keep_event(void *user, const flow_trace_event *event)
{
    struct seen *seen = user;
    seen->event = *event;
    seen->count++;
}

static void an_event_names_flow_place_and_frame(void **state)
{
    struct story s;
    struct seen seen = {0};
    (void)state;
    story_begin(&s, NULL);
    flow_world_trace(s.world, keep_event, &seen);
    flow_handle h = FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.phase = FLOW_LATE), inner);
    story_frame(&s, 10);
    assert_int_equal(seen.count, 3);
    assert_int_equal(seen.event.kind, FLOW_TRACE_END);
    assert_int_equal(seen.event.state, FLOW_STATE_DONE);
    assert_int_equal(seen.event.frame, 1);
    assert_int_equal(seen.event.phase, FLOW_LATE);
    assert_int_equal(seen.event.flow.slot, h.slot);
    assert_int_equal(seen.event.flow.generation, h.generation);
    assert_string_equal(seen.event.file, __FILE__);
    assert_int_equal(seen.event.line, inner_line);
    assert_int_equal(seen.event.number, -1);
    assert_true(seen.event.hash == flow_world_trace_hash(s.world));
    story_end(&s);
}

/* The trace of a small story, with or without a sink. */
static uint64_t hash_of(int ticks, flow_trace_sink sink)
{
    struct story s;
    struct seen seen = {0};
    story_begin(&s, NULL);
    assert_true(flow_world_trace_hash(s.world) == 0);
    flow_world_trace(s.world, sink, &seen);
    (void)FLOW_RUN(s.world, outer);
    (void)FLOW_RUN(s.world, actor, .name = "a", .ticks = ticks);
    for (int i = 0; i < 4; i++) {
        story_update(&s, 10);
    }
    uint64_t hash = flow_world_trace_hash(s.world);
    story_end(&s);
    return hash;
}

static void equal_runs_have_equal_hashes_and_others_have_not(void **state)
{
    (void)state;
    uint64_t hash = hash_of(2, NULL);
    assert_true(hash == hash_of(2, NULL));
    assert_true(hash == hash_of(2, keep_event));
    assert_true(hash != hash_of(3, NULL));
}

static void trace_on(flow_task *flow, void *arg)
{
    flow_world_trace(flow_world_of(flow), write_event, arg);
}

static void it_can_be_switched_on_and_off_from_inside_a_flow(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, doer, .wait = flow_next_tick(), .act = trace_on, .arg = &s);
    (void)FLOW_RUN(s.world, inner);
    story_update(&s, 10);
    story_expect(&s, "d:doer@2 r:inner@2 d:inner@2");
    uint64_t hash = flow_world_trace_hash(s.world);
    flow_world_trace_end(s.world);
    (void)FLOW_RUN(s.world, inner);
    story_update(&s, 10);
    story_expect(&s, "");
    assert_true(hash == flow_world_trace_hash(s.world));
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_start_turn_and_end_is_told_in_order),
        cmocka_unit_test(cancels_and_failures_show_as_ends),
        cmocka_unit_test(an_event_names_flow_place_and_frame),
        cmocka_unit_test(equal_runs_have_equal_hashes_and_others_have_not),
        cmocka_unit_test(it_can_be_switched_on_and_off_from_inside_a_flow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
