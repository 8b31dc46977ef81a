/* SPDX-License-Identifier: MIT */
/* What the profiler makes of a frame: spans, rows, sums, and what it leaves as it was. */
#include "actor.h"
#include "flows.h"
#include "profiled.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Burns so many ms in every tick. */
struct steady {
    flow_frame base;
    double ms;
};

FLOW_STATIC(steady)
{
    FLOW_BEGIN;
    for (;;) {
        profiled_burn(flow, self->ms);
        FLOW_AWAIT(flow_next_tick());
    }
    FLOW_END;
}

/* Starts a steady one between two burns of its own. */
struct breeder {
    flow_frame base;
    flow_handle child;
};

FLOW_STATIC(breeder)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next_tick());
    profiled_burn(flow, 1.0);
    self->child = FLOW_SPAWN(steady, .ms = 4.0);
    profiled_burn(flow, 2.0);
    FLOW_AWAIT(flow_never());
    FLOW_END;
}

static int64_t ms(double value)
{
    return (int64_t)(value * 1e6 + 0.5);
}

static void assert_row(const flow_profile_frame *frame, flow_profile_kind kind, const char *name,
                       double self, uint32_t count)
{
    const flow_profile_row *row = profiled_row(frame, kind, name);
    assert_non_null(row);
    assert_int_equal(row->self_ns, ms(self));
    assert_int_equal(row->count, count);
}

static void an_eager_start_is_nested_and_each_is_counted_by_its_own_time(void **state)
{
    struct profiled p;
    (void)state;
    profiled_begin(&p, NULL);
    (void)FLOW_RUN(p.story.world, breeder);
    profiled_frames(&p, 2);
    const flow_profile_frame *frame = profiled_last(&p);
    assert_row(frame, FLOW_PROFILE_FLOW, "breeder", 3.0, 1);
    assert_row(frame, FLOW_PROFILE_FLOW, "steady", 4.0, 1);
    assert_row(frame, FLOW_PROFILE_ZONE, "render", 1.0, 1);
    assert_row(frame, FLOW_PROFILE_WAIT, "present", 8.0, 1);
    assert_int_equal(profiled_row(frame, FLOW_PROFILE_FLOW, "steady")->starts, 1);
    assert_int_equal(profiled_row(frame, FLOW_PROFILE_FLOW, "breeder")->max_ns, ms(3.0));
    assert_int_equal(frame->total_ns, ms(16.0));
    assert_int_equal(frame->work_ns, ms(8.0));
    assert_int_equal(frame->wait_ns, ms(8.0));
    assert_int_equal(frame->present_ns, ms(8.0));
    assert_int_equal(frame->column_ns[3 - 1], ms(7.0)); /* update */
    assert_int_equal(frame->column_ns[4], ms(1.0));     /* render */
    assert_int_equal(frame->unaccounted_ns, 0);
    profiled_end(&p);
}

/* What a frame's rows hold and what is in no span make up the frame, whatever happens in it. */
struct mixed {
    flow_frame base;
    int index;
    flow_outcome outcome;
};

struct failing {
    flow_frame base;
};

FLOW_STATIC(failing)
{
    FLOW_BEGIN;
    profiled_burn(flow, 0.25);
    FLOW_AWAIT(flow_next_tick());
    profiled_burn(flow, 0.125);
    FLOW_FAIL(7, "on purpose");
    FLOW_FINALLY;
    profiled_burn(flow, 0.5);
    FLOW_END;
}

FLOW_STATIC(mixed)
{
    FLOW_BEGIN;
    for (;;) {
        profiled_burn(flow, 0.0625);
        FLOW_TRY(&self->outcome, FLOW_CALL(failing));
        FLOW_RACE(self->index, flow_ticks(2), FLOW_CALL(steady, .ms = 0.25));
        (void)FLOW_SPAWN(steady, .ms = 0.125);
        FLOW_AWAIT(flow_seconds(0.02));
    }
    FLOW_FINALLY;
    profiled_burn(flow, 1.0);
    FLOW_END;
}

static void the_rows_of_a_frame_add_up_to_the_frame(void **state)
{
    struct profiled p;
    (void)state;
    profiled_begin(&p, NULL);
    flow_handle group = flow_group_create(p.story.world, &(flow_group_desc){.name = "crowd"});
    for (int i = 0; i < 60; i++) {
        (void)FLOW_RUN_WITH(p.story.world, FLOW_OPTIONS(.owner = group), mixed);
        if (i % 20 == 19) {
            assert_int_equal(flow_group_clear(p.story.world, group), FLOW_OK);
        }
        p.outside_ms = 0.5;
        profiled_frame(&p);
        const flow_profile_frame *frame = profiled_last(&p);
        int64_t sum = 0;
        for (uint32_t row = 0; i > 0 && row < frame->row_count; row++) {
            sum += frame->rows[row].self_ns;
        }
        assert_true(i == 0 || frame->row_count < FLOW_PROFILE_CULPRITS || sum <= frame->total_ns);
        if (i > 0 && frame->row_count < FLOW_PROFILE_CULPRITS) {
            assert_int_equal(sum, frame->total_ns);
        }
        assert_true(i == 0 || frame->unaccounted_ns >= ms(0.5));
    }
    const flow_profile_row *cancel = profiled_row(profiled_last(&p), FLOW_PROFILE_CANCEL, "crowd");
    assert_non_null(cancel);
    assert_int_equal(cancel->max_ns, ms(1.0));
    assert_string_equal(cancel->worst_name, "mixed");
    profiled_end(&p);
}

static void a_frame_that_began_before_recording_is_dropped(void **state)
{
    struct profiled p;
    (void)state;
    profiled_begin(&p, NULL);
    assert_int_equal(flow_profile_switch(p.profile, 0), FLOW_OK);
    (void)FLOW_RUN(p.story.world, steady, .ms = 2.0);
    profiled_frames(&p, 3);
    assert_null(profiled_last(&p));
    flow_profile_begin(p.profile, "half");
    assert_int_equal(flow_profile_switch(p.profile, 1), FLOW_OK);
    profiled_spend(&p, 5.0);
    (void)flow_world_tick(p.story.world, FLOW_UPDATE, 0.016);
    flow_profile_end(p.profile);
    assert_null(profiled_last(&p));
    profiled_frames(&p, 2);
    assert_null(flow_profile_recent(p.profile, 1));
    assert_row(profiled_last(&p), FLOW_PROFILE_FLOW, "steady", 2.0, 1);
    assert_int_equal(profiled_last(&p)->total_ns, ms(16.0));
    assert_int_equal(profiled_last(&p)->unaccounted_ns, 0);
    /* and off again: the frame under way is dropped too */
    flow_profile_begin(p.profile, "left open");
    assert_int_equal(flow_profile_switch(p.profile, 0), FLOW_OK);
    assert_int_equal(flow_profile_switch(p.profile, 1), FLOW_OK);
    profiled_frames(&p, 2);
    assert_int_equal(flow_profile_frames(p.profile), 2);
    assert_null(profiled_row(profiled_last(&p), FLOW_PROFILE_ZONE, "left open"));
    profiled_end(&p);
}

/* Why each resume came, as the trace tells: read back from the ring by the words of the window. */
struct waiters {
    flow_frame base;
    flow_wait wait;
};

FLOW_STATIC(waiters)
{
    FLOW_BEGIN;
    FLOW_AWAIT(self->wait);
    FLOW_END;
}

static int always(void *arg)
{
    int *asked = arg;
    return ++*asked > 1;
}

struct racer {
    flow_frame base;
    int index;
};

FLOW_STATIC(racer)
{
    FLOW_BEGIN;
    FLOW_RACE(self->index, flow_next_tick(), flow_never());
    FLOW_ALL(flow_next_tick(), flow_next_frame());
    FLOW_END;
}

static void read_text(const char *path, char *text, size_t capacity)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t length = fread(text, 1, capacity - 1, file);
    (void)fclose(file);
    text[length] = '\0';
}

static int occurrences(const char *text, const char *part)
{
    int count = 0;
    while ((text = strstr(text, part)) != NULL) {
        count++;
        text++;
    }
    return count;
}

static void a_resume_says_what_it_had_waited_for(void **state)
{
    static char text[65536];
    static const char *const words[] = {"tick", "frame", "ticks",    "frames", "timer", "until",
                                        "join", "race",  "property", "signal", "all",   "once"};
    FLOW_SIGNAL(int) signal = {0};
    FLOW_PROPERTY(int) property = {0};
    FLOW_ONCE(int) once = {0};
    struct profiled p;
    int asked = 0, seen = 0, value = 1;
    uint64_t version = 0;
    (void)state;
    profiled_begin(&p, NULL);
    flow_world *world = p.story.world;
    assert_int_equal(flow_signal_init(&signal, world), FLOW_OK);
    assert_int_equal(flow_once_init(&once, world), FLOW_OK);
    assert_int_equal(flow_property_init(&property, world, &value), FLOW_OK);
    version = flow_property_version(&property);
    flow_handle first = FLOW_RUN(world, waiters, .wait = flow_next_tick());
    (void)FLOW_RUN(world, waiters, .wait = flow_next_frame());
    (void)FLOW_RUN(world, waiters, .wait = flow_ticks(2));
    (void)FLOW_RUN(world, waiters, .wait = flow_frames(2));
    (void)FLOW_RUN(world, waiters, .wait = flow_seconds(0.01));
    (void)FLOW_RUN(world, waiters, .wait = flow_until(always, &asked));
    (void)FLOW_RUN(world, waiters, .wait = flow_join(first, NULL));
    (void)FLOW_RUN(world, waiters, .wait = flow_next(&signal, &seen));
    (void)FLOW_RUN(world, waiters, .wait = flow_once_wait(&once, &seen));
    (void)FLOW_RUN(world, waiters, .wait = flow_property_changed(&property, &version, &seen));
    (void)FLOW_RUN(world, racer);
    profiled_frame(&p);
    (void)flow_emit(&signal, &(int){3});
    assert_true(flow_once_set(&once, &(int){4}));
    (void)flow_property_set(&property, &(int){5});
    profiled_frames(&p, 4);
    story_alive(&p.story, 0, 0, 0);
    assert_int_equal(flow_profile_write_window(p.profile, "profile_why.json"), FLOW_OK);
    read_text("profile_why.json", text, sizeof text);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        char part[40];
        (void)snprintf(part, sizeof part, "\"why\":\"%s\"", words[i]);
        if (occurrences(text, part) != 1) {
            fail_msg("%s: %d times", part, occurrences(text, part));
        }
    }
    flow_signal_fini(&signal);
    flow_once_fini(&once);
    flow_property_fini(&property);
    profiled_end(&p);
}

/* The same story with the profiler on and off writes the same log. */
static void tell_story(struct story *s, flow_profile *profile)
{
    flow_world *world = s->world;
    flow_handle group = flow_group_create(world, &(flow_group_desc){.name = "group"});
    const flow_options in = {.owner = group};
    for (int i = 0; i < 40; i++) {
        flow_profile_next_frame(profile, NULL);
        (void)FLOW_RUN_WITH(world, &in, actor, .name = "a", .ticks = 1 + i % 3);
        (void)FLOW_RUN_WITH(world, &in, parent, .name = "p", .child = {.name = "p1", .ticks = 2},
                            .second = {.name = "p2", .ticks = 1}, .ticks = 2);
        (void)FLOW_RUN(world, waiter, .name = "w", .wait = flow_seconds(0.01 * (i % 5)));
        story_frame(s, 16);
        if (i % 7 == 6) {
            (void)flow_group_clear(world, group);
        }
        if (i == 30) {
            (void)flow_cancel_gradually(world, group, 2);
        }
    }
    (void)flow_cancel(world, group);
    story_frames(s, 5, 16);
}

static void the_order_is_the_same_with_the_profiler_on(void **state)
{
    static struct profiled p;
    static struct story plain;
    (void)state;
    story_begin(&plain, NULL);
    tell_story(&plain, NULL);
    flow_counters without = flow_world_counters(plain.world);
    story_end(&plain);
    profiled_begin(&p, NULL);
    tell_story(&p.story, p.profile);
    flow_counters with = flow_world_counters(p.story.world);
    assert_string_equal(p.story.log, plain.log);
    assert_int_equal(with.resumed, without.resumed);
    assert_int_equal(with.cancelled, without.cancelled);
    assert_int_equal(with.finally_runs, without.finally_runs);
    profiled_end(&p);
}

/* ---- its life ---- */

static flow_profile *swallowed;

static void swallow(flow_task *flow, void *arg)
{
    struct profiled *p = arg;
    (void)flow;
    assert_int_equal(flow_profile_switch(p->profile, 0), FLOW_REENTRANT);
    assert_int_equal(flow_profile_watch(p->profile, NULL), FLOW_REENTRANT);
    assert_int_equal(flow_profile_finish(p->profile), FLOW_REENTRANT);
    assert_int_equal(flow_profile_destroy(p->profile), FLOW_REENTRANT);
    flow_profile_next_frame(p->profile, NULL);
    swallowed = p->profile;
}

static void it_is_not_switched_or_ended_from_inside_the_world(void **state)
{
    struct profiled p;
    (void)state;
    profiled_begin(&p, NULL);
    p.story.expect_misuses = 1;
    (void)FLOW_RUN(p.story.world, doer, .wait = flow_next_tick(), .act = swallow, .arg = &p);
    profiled_frames(&p, 3);
    assert_ptr_equal(swallowed, p.profile);
    assert_int_equal(flow_profile_frames(p.profile), 2);
    profiled_end(&p);
}

static uint64_t no_time(void *user)
{
    (void)user;
    return 0;
}

static void a_world_and_its_profile_end_in_either_order(void **state)
{
    struct profiled p;
    flow_profile *second;
    (void)state;
    profiled_begin(&p, NULL);
    second = flow_profile_create(&(flow_profile_desc){.now_ns = no_time});
    assert_non_null(second);
    assert_int_equal(flow_profile_watch(second, p.story.world), FLOW_FULL);
    assert_int_equal(flow_profile_watch(p.profile, NULL), FLOW_OK);
    assert_int_equal(flow_profile_watch(second, p.story.world), FLOW_OK);
    assert_int_equal(flow_profile_destroy(second), FLOW_OK);
    assert_int_equal(flow_profile_watch(p.profile, p.story.world), FLOW_OK);
    (void)FLOW_RUN(p.story.world, steady, .ms = 1.0);
    profiled_frames(&p, 3);
    assert_int_equal(story_destroy(&p.story), FLOW_OK);
    flow_profile_next_frame(p.profile, NULL);
    flow_profile_begin(p.profile, "nothing");
    flow_profile_end(p.profile);
    assert_int_equal(flow_profile_frames(p.profile), 2);
    profiled_end(&p);
}

struct spender {
    int64_t taken;
    int calls;
    int fail;
};

static void *spender_alloc(void *user, size_t size, size_t alignment)
{
    struct spender *spender = user;
    spender->calls++;
    if (spender->fail) {
        return NULL;
    }
    spender->taken += (int64_t)size;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void spender_free(void *user, void *memory, size_t size)
{
    struct spender *spender = user;
    spender->taken -= (int64_t)size;
    free(memory);
}

static void all_its_memory_is_one_block_taken_when_it_is_created(void **state)
{
    struct spender spender = {0, 0, 1};
    struct profiled p;
    const flow_profile_desc desc = {.now_ns = no_time,
                                    .events = 1000,
                                    .rows = 10,
                                    .allocator = {spender_alloc, spender_free, &spender}};
    (void)state;
    assert_null(flow_profile_create(&desc));
    spender.fail = 0;
    profiled_begin(&p, &desc);
    assert_int_equal(spender.calls, 2);
    assert_true(spender.taken < 3 << 20);
    long allocations = 0;
    (void)FLOW_RUN(p.story.world, steady, .ms = 0.5);
    for (int i = 0; i < 300; i++) {
        if (i == 10) {
            allocations = p.story.allocations;
        }
        profiled_frame(&p);
    }
    assert_int_equal(p.story.allocations, allocations);
    assert_int_equal(spender.calls, 2);
    profiled_end(&p);
    assert_int_equal(spender.taken, 0);
}

static void more_rows_and_events_than_there_is_room_for_lose_no_time(void **state)
{
    struct profiled p;
    (void)state;
    profiled_begin(&p, &(flow_profile_desc){.events = 1024, .rows = 8});
    flow_profile_next_frame(p.profile, NULL);
    for (int i = 0; i < 2000; i++) {
        char name[60];
        (void)snprintf(name, sizeof name, "zone %d of a host with a great many zones in it", i);
        flow_profile_begin(p.profile, name);
        profiled_spend(&p, 0.001);
        flow_profile_end(p.profile);
    }
    for (int i = 0; i < 200; i++) {
        flow_profile_begin(p.profile, "deep");
    }
    profiled_spend(&p, 1.0);
    for (int i = 0; i < 200; i++) {
        flow_profile_end(p.profile);
    }
    flow_profile_next_frame(p.profile, NULL);
    const flow_profile_frame *frame = profiled_last(&p);
    int64_t sum = 0;
    for (uint32_t i = 0; i < frame->row_count; i++) {
        sum += frame->rows[i].self_ns;
    }
    assert_int_equal(frame->total_ns, ms(3.0));
    assert_int_equal(sum, ms(3.0));
    assert_int_equal(frame->unaccounted_ns, 0);
    assert_true(frame->marks & FLOW_PROFILE_LOST);
    assert_non_null(profiled_row(frame, FLOW_PROFILE_OTHER, "other"));
    profiled_end(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_eager_start_is_nested_and_each_is_counted_by_its_own_time),
        cmocka_unit_test(the_rows_of_a_frame_add_up_to_the_frame),
        cmocka_unit_test(a_frame_that_began_before_recording_is_dropped),
        cmocka_unit_test(a_resume_says_what_it_had_waited_for),
        cmocka_unit_test(the_order_is_the_same_with_the_profiler_on),
        cmocka_unit_test(it_is_not_switched_or_ended_from_inside_the_world),
        cmocka_unit_test(a_world_and_its_profile_end_in_either_order),
        cmocka_unit_test(all_its_memory_is_one_block_taken_when_it_is_created),
        cmocka_unit_test(more_rows_and_events_than_there_is_room_for_lose_no_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
