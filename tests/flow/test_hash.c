/* SPDX-License-Identifier: MIT */
/* The hash of a world's tree: equal for equal stories, wherever memory put them, and different when
 * anything of it differs. */
#include "flows.h"

static int no(void *arg)
{
    (void)arg;
    return 0;
}

struct other {
    flow_frame base;
};

FLOW_STATIC(other)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next_tick());
    FLOW_AWAIT(flow_next_tick());
    FLOW_END;
}

struct caller {
    flow_frame base;
};

FLOW_STATIC(caller)
{
    FLOW_BEGIN;
    FLOW_AWAIT(FLOW_CALL(other));
    FLOW_END;
}

struct racer {
    flow_frame base;
    flow_wait first, second;
};

FLOW_STATIC(racer)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_race(NULL, self->first, self->second));
    FLOW_END;
}

/* ---- one world that every variant changes in one thing ---- */

static uint64_t hash_and_end(struct story *story)
{
    uint64_t hash = flow_world_hash(story->world);
    assert_int_equal(flow_world_hash(story->world), hash);
    story_end(story);
    return hash;
}

static uint64_t hash_of_wait(flow_wait wait)
{
    struct story story;
    story_begin(&story, NULL);
    (void)FLOW_RUN(story.world, waiter, .name = "x", .wait = wait);
    return hash_and_end(&story);
}

static uint64_t hash_of_race(flow_wait first, flow_wait second)
{
    struct story story;
    story_begin(&story, NULL);
    (void)FLOW_RUN(story.world, racer, .first = first, .second = second);
    return hash_and_end(&story);
}

static uint64_t hash_with(flow_options options, int updates)
{
    struct story story;
    story_begin(&story, NULL);
    (void)FLOW_RUN_WITH(story.world, &options, other);
    for (int i = 0; i < updates; i++) {
        story_update(&story, 10);
    }
    return hash_and_end(&story);
}

static uint64_t hash_with_owner(int owner)
{
    struct story story;
    story_begin(&story, NULL);
    flow_handle group = flow_group_create(story.world, &(flow_group_desc){.name = "a"});
    flow_handle second =
        flow_group_create(story.world, &(flow_group_desc){.name = owner == 3 ? "c" : "b"});
    flow_options options = {.owner = owner == 1 ? group : second};
    (void)FLOW_RUN_WITH(story.world, owner == 0 ? NULL : &options, other);
    return hash_and_end(&story);
}

static uint64_t hash_of_call(void)
{
    struct story story;
    story_begin(&story, NULL);
    (void)FLOW_RUN(story.world, caller);
    return hash_and_end(&story);
}

static uint64_t hash_of_states(int ready, int held)
{
    struct story story;
    FLOW_SIGNAL(int) signal;
    story_begin(&story, NULL);
    assert_int_equal(flow_signal_init(&signal, story.world), FLOW_OK);
    (void)FLOW_RUN(story.world, waiter, .name = "x", .wait = flow_next(&signal, NULL));
    if (ready || held) {
        assert_int_equal(flow_emit(&signal, NULL), 1);
    }
    if (held) {
        assert_int_equal(flow_clock_pause(story.world, FLOW_CLOCK_GAME), FLOW_OK);
        assert_int_equal(flow_world_flush(story.world, FLOW_UPDATE), FLOW_OK);
    }
    return hash_and_end(&story);
}

static void expect_all_different(const uint64_t *hashes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (hashes[i] == hashes[j]) {
                fail_msg("variants %zu and %zu have the same hash", j, i);
            }
        }
    }
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void
a_tree_that_differs_in_a_name_owner_phase_clock_place_or_state_has_another_hash(void **state)
{
    (void)state;
    const uint64_t hashes[] = {
        hash_with((flow_options){.phase = FLOW_UPDATE}, 0),
        hash_with((flow_options){.phase = FLOW_LATE}, 0),
        hash_with((flow_options){.clock = FLOW_CLOCK_UNSCALED}, 0),
        hash_with((flow_options){.phase = FLOW_UPDATE}, 1), /* its second await */
        hash_with((flow_options){.phase = FLOW_UPDATE}, 2), /* nobody */
        hash_with_owner(0),
        hash_with_owner(1),
        hash_with_owner(2),
        hash_with_owner(3),
        hash_of_call(),
        hash_of_wait(flow_next_tick()),
        hash_of_states(0, 0),
        hash_of_states(1, 0),
        hash_of_states(0, 1),
    };
    expect_all_different(hashes, COUNT(hashes));
}

static void a_wait_of_another_kind_or_with_another_time_left_has_another_hash(void **state)
{
    (void)state;
    const uint64_t hashes[] = {
        hash_of_wait(flow_never()),
        hash_of_wait(flow_next_tick()),
        hash_of_wait(flow_next_frame()),
        hash_of_wait(flow_ticks(3)),
        hash_of_wait(flow_ticks(4)),
        hash_of_wait(flow_frames(3)),
        hash_of_wait(flow_frames(4)),
        hash_of_wait(flow_until(no, NULL)),
        hash_of_wait(flow_seconds(1)),
        hash_of_wait(flow_seconds(2)),
        hash_of_wait(flow_seconds(1.0001)),
        hash_of_wait(flow_seconds_on(FLOW_CLOCK_REAL, 1)),
        hash_of_wait(flow_seconds_on(FLOW_CLOCK_REAL, 2)),
        hash_of_wait(flow_seconds_on(FLOW_CLOCK_UNSCALED, 1)),
    };
    expect_all_different(hashes, COUNT(hashes));
}

static void a_race_with_another_branch_has_another_hash(void **state)
{
    (void)state;
    const uint64_t hashes[] = {
        hash_of_race(flow_never(), flow_seconds(1)), hash_of_race(flow_seconds(1), flow_never()),
        hash_of_race(flow_never(), flow_seconds(2)), hash_of_race(flow_never(), flow_ticks(2)),
        hash_of_race(flow_never(), flow_ticks(3)),   hash_of_race(flow_never(), flow_never()),
    };
    expect_all_different(hashes, COUNT(hashes));
}

/* ---- equal stories ---- */

static uint64_t hash_after(int flows_before, double ms)
{
    struct story story;
    story_begin(&story, NULL);
    for (int i = 0; i < flows_before;
         i++) { /* so that later ones live elsewhere, and waits have other numbers */
        (void)FLOW_RUN(story.world, waiter, .name = "x",
                       .wait = flow_seconds_on(FLOW_CLOCK_REAL, 0.001));
    }
    story_update(&story, ms);
    story_update(&story, 10);
    (void)FLOW_RUN(story.world, caller);
    (void)FLOW_RUN(story.world, racer, .first = flow_seconds(1), .second = flow_ticks(5));
    (void)FLOW_RUN(story.world, waiter, .name = "y", .wait = flow_seconds(0.5));
    (void)FLOW_RUN(story.world, waiter, .name = "y", .wait = flow_seconds_on(FLOW_CLOCK_REAL, 0.5));
    story_update(&story, 10);
    return hash_and_end(&story);
}

static void equal_trees_have_equal_hashes_wherever_and_whenever_they_were_made(void **state)
{
    (void)state;
    uint64_t hash = hash_after(0, 10);
    assert_true(hash == hash_after(0, 10));
    assert_true(hash == hash_after(1000, 10));
    assert_true(hash == hash_after(0, 12345)); /* remaining times, not deadlines */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            a_tree_that_differs_in_a_name_owner_phase_clock_place_or_state_has_another_hash),
        cmocka_unit_test(a_wait_of_another_kind_or_with_another_time_left_has_another_hash),
        cmocka_unit_test(a_race_with_another_branch_has_another_hash),
        cmocka_unit_test(equal_trees_have_equal_hashes_wherever_and_whenever_they_were_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
