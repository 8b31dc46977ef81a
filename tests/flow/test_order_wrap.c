/* SPDX-License-Identifier: MIT */
/*
 * Waits are numbered in 32 bits: a busy world counts through them in hours. Nothing may depend on
 * it. The counter is moved by hand here, as if that many waits had begun and ended meanwhile.
 */
#include "../../flow/src/private.h"
#include "flows.h"

static const uint32_t jumps[] = {1000,       0x40000000, 0x7ffffff0, 0x7fffffff,
                                 0x80000000, 0x80000001, 0xc0000000, 0xfffffff0};
enum { JUMPS = sizeof jumps / sizeof *jumps };

static int is_set(void *arg)
{
    return *(const int *)arg;
}

static void as_if_many_had_waited(struct story *story, uint32_t waits)
{
    story->world->seq += waits;
}

static void start(struct story *story, const char *name, flow_wait wait)
{
    (void)FLOW_RUN(story->world, waiter, .name = name, .wait = wait);
}

static void a_wait_ends_in_time_however_many_have_begun_since(void **state)
{
    (void)state;
    for (int i = 0; i < JUMPS; i++) {
        struct story story;
        int open = 0;
        FLOW_SIGNAL(flow_nothing) signal;
        story_begin(&story, NULL);
        assert_int_equal(flow_signal_init(&signal, story.world), FLOW_OK);
        start(&story, "timer", flow_seconds(0.020));
        start(&story, "elsewhere", flow_seconds_on(FLOW_CLOCK_REAL, 0.020));
        start(&story, "ticks", flow_ticks(2));
        start(&story, "frames", flow_frames(2));
        start(&story, "until", flow_until(is_set, &open));
        start(&story, "signal", flow_next(&signal, NULL));
        as_if_many_had_waited(&story, jumps[i] / 2);
        story_update(&story, 10);
        story_expect(&story, "");
        as_if_many_had_waited(&story, jumps[i] - jumps[i] / 2);
        start(&story, "younger", flow_seconds(0.010));
        start(&story, "tick", flow_next_tick());
        open = 1;
        assert_int_equal(flow_emit(&signal, NULL), 1);
        story_update(&story, 10);
        if (jumps[i] <= 0x7ffffff0) {
            story_expect(&story, "elsewhere timer younger ticks frames tick until signal");
        } else { /* how equal deadlines go is promised for 2^31 waits */
            assert_int_equal(flow_world_counters(story.world).live, 0);
            story.log[0] = '\0';
        }
        story_alive(&story, 0, 0, 0);
        story_end(&story);
    }
}

static void a_queue_of_next_ticks_ends_in_time_too(void **state)
{
    (void)state;
    for (int i = 0; i < JUMPS; i++) {
        struct story story;
        story_begin(&story, NULL);
        start(&story, "a", flow_next_tick());
        start(&story, "b", flow_next_frame());
        as_if_many_had_waited(&story, jumps[i]);
        story_update(&story, 10);
        story_expect(&story, "a b");
        story_end(&story);
    }
}

static void order_holds_where_the_numbers_begin_anew(void **state)
{
    (void)state;
    static const char *const names[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
    for (int before = 0; before <= 10; before++) {
        struct story story;
        int open = 0;
        story_begin(&story, NULL);
        story.world->seq = UINT32_MAX - (uint32_t)before;
        for (int i = 0; i < 10; i++) {
            flow_wait waits[] = {flow_next_tick(), flow_ticks(2), flow_next_frame(),
                                 flow_frames(2)};
            if (i % 4 == 1 ||
                i % 4 == 3) { /* due in the second update, as the others, which begin later */
                start(&story, names[i], waits[i % 4]);
            }
        }
        story_update(&story, 10);
        for (int i = 0; i < 10; i++) {
            flow_wait waits[] = {flow_next_tick(), flow_never(), flow_next_frame(), flow_never()};
            if (i % 4 == 0 || i % 4 == 2) {
                start(&story, names[i], waits[i % 4]);
            }
        }
        for (int i = 0; i < 5; i++) {
            start(&story, "t", flow_seconds(0.010));
            start(&story, "u", flow_until(is_set, &open));
        }
        open = 1;
        story_update(&story, 10);
        story_expect(&story, "t t t t t 1 3 5 7 9 0 2 4 6 8 u u u u u");
        story_end(&story);
    }
}

static void what_begins_in_a_tick_is_left_to_the_next_where_the_numbers_begin_anew(void **state)
{
    (void)state;
    for (uint32_t before = 0; before <= 4; before++) {
        struct story story;
        story_begin(&story, NULL);
        for (int i = 0; i < 3; i++) {
            (void)FLOW_RUN(story.world, waiter, .name = "x", .wait = flow_seconds(0));
        }
        story.world->seq = UINT32_MAX - before;
        start(&story, "y", flow_seconds(0));
        story_update(&story, 10);
        assert_int_equal(flow_world_counters(story.world).live, 0);
        story.log[0] = '\0';
        story_end(&story);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wait_ends_in_time_however_many_have_begun_since),
        cmocka_unit_test(a_queue_of_next_ticks_ends_in_time_too),
        cmocka_unit_test(order_holds_where_the_numbers_begin_anew),
        cmocka_unit_test(what_begins_in_a_tick_is_left_to_the_next_where_the_numbers_begin_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
