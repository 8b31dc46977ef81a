/* SPDX-License-Identifier: MIT */
/* Semaphores, mutexes, events and barriers: who is served, in which order, and what becomes of what
 * a flow holds or was granted. */
#include "flows.h"
#include "story.h"

#include <stdbool.h>
#include <string.h>

static flow_semaphore sem;
static flow_mutex door;
static flow_event gong;
static flow_barrier fence;

static void updates(struct story *s, int count)
{
    for (int i = 0; i < count; i++) {
        story_update(s, 10);
        story_log(s, "|");
    }
}

/* ---- semaphores ---- */

/* Acquires, works some ticks, and releases or lets the end do it. */
struct worker {
    flow_frame base;
    const char *name;
    int ticks, releases, rounds;
    flow_outcome outcome;
};

FLOW_STATIC(worker)
{
    FLOW_BEGIN;
    do {
        FLOW_TRY(&self->outcome, flow_acquire(&sem));
        if (self->outcome.state != FLOW_STATE_DONE) {
            story_log(story_of(flow), "%s!%d", self->name, self->outcome.code);
            FLOW_RETURN;
        }
        story_log(story_of(flow), "%s+", self->name);
        FLOW_AWAIT(flow_ticks(self->ticks));
        story_log(story_of(flow), "%s-", self->name);
        if (self->releases) {
            flow_release(flow, &sem);
        }
    } while (--self->rounds > 0);
    FLOW_FINALLY;
    story_log(story_of(flow), "%s.", self->name);
    FLOW_END;
}

static void begin_sem(struct story *s, uint32_t permits)
{
    story_begin(s, NULL);
    assert_int_equal(flow_semaphore_init(&sem, s->world, permits), FLOW_OK);
}

static void end_sem(struct story *s)
{
    flow_semaphore_fini(&sem);
    story_end(s);
}

static void permits_go_round_in_the_order_of_the_waits(void **state)
{
    (void)state;
    struct story s;
    begin_sem(&s, 2);
    (void)FLOW_RUN(s.world, worker, .name = "a", .ticks = 2, .releases = 1, .rounds = 2);
    (void)FLOW_RUN(s.world, worker, .name = "b", .ticks = 1);
    (void)FLOW_RUN(s.world, worker, .name = "c", .ticks = 1);
    (void)FLOW_RUN(s.world, worker, .name = "d", .ticks = 1);
    assert_int_equal(flow_semaphore_permits(&sem), 0);
    updates(&s, 5);
    story_expect(&s, "a+ b+ b- b. c+ | a- c- c. d+ a+ | d- d. | a- a. | |");
    assert_int_equal(flow_semaphore_permits(&sem), 2);
    story_alive(&s, 0, 0, 0);
    end_sem(&s);
}

struct taker {
    flow_frame base;
    const char *name;
    int count;
};

FLOW_STATIC(taker)
{
    FLOW_BEGIN;
    for (; self->count > 0; self->count--) {
        FLOW_AWAIT(flow_take(&sem));
        story_log(story_of(flow), "%s", self->name);
    }
    FLOW_END;
}

static void what_is_provided_is_consumed(void **state)
{
    (void)state;
    struct story s;
    begin_sem(&s, 0);
    (void)FLOW_RUN(s.world, taker, .name = "a", .count = 2);
    flow_handle b = FLOW_RUN(s.world, taker, .name = "b", .count = 2);
    flow_semaphore_add(&sem, 1);
    assert_int_equal(flow_semaphore_permits(&sem), 0); /* it is a's */
    updates(&s, 1);
    flow_semaphore_add(&sem, 4);
    assert_int_equal(flow_semaphore_permits(&sem), 2);
    updates(&s, 1);
    story_expect(&s, "a | b b a |");
    assert_int_equal(flow_semaphore_permits(&sem), 1);
    assert_int_equal(flow_cancel(s.world, b), FLOW_STALE);
    flow_semaphore_add(&sem, UINT32_MAX); /* as many as there can be */
    assert_int_equal(flow_semaphore_permits(&sem), UINT32_MAX);
    end_sem(&s);
}

static void a_granted_permit_whose_flow_is_cancelled_goes_to_the_next(void **state)
{
    (void)state;
    struct story s;
    begin_sem(&s, 1);
    flow_handle a = FLOW_RUN(s.world, worker, .name = "a", .ticks = 9);
    flow_handle b = FLOW_RUN(s.world, worker, .name = "b", .ticks = 9);
    flow_handle c = FLOW_RUN(s.world, worker, .name = "c", .ticks = 9);
    (void)FLOW_RUN(s.world, worker, .name = "d", .ticks = 1);
    assert_int_equal(flow_cancel(s.world, c), FLOW_OK); /* while it waits */
    assert_int_equal(flow_cancel(s.world, a), FLOW_OK); /* its end gives its permit to b ... */
    assert_int_equal(flow_cancel(s.world, b), FLOW_OK); /* ... which does not live to use it */
    updates(&s, 2);
    story_expect(&s, "a+ c. a. b. d+ | d- d. |");
    assert_int_equal(flow_semaphore_permits(&sem), 1);
    story_alive(&s, 0, 0, 0);
    end_sem(&s);
}

/* Acquires in compositions. */
struct racer {
    flow_frame base;
    int index;
    flow_status status;
};

FLOW_STATIC(racer)
{
    FLOW_BEGIN;
    FLOW_RACE(self->index, flow_all(flow_acquire(&sem), flow_never()), flow_ticks(1));
    story_log(story_of(flow), "lost:%u", flow_semaphore_permits(&sem));
    FLOW_RACE(self->index, flow_never(), flow_acquire(&sem));
    story_log(story_of(flow), "won%d:%u", self->index, flow_semaphore_permits(&sem));
    FLOW_ALL(flow_acquire(&sem), flow_acquire(&sem), flow_take(&sem));
    story_log(story_of(flow), "all:%u", flow_semaphore_permits(&sem));
    self->status = flow_try_acquire(flow, &sem);
    story_log(story_of(flow), "%d", (int)self->status);
    flow_release(flow, &sem);
    self->status = flow_try_acquire(flow, &sem);
    story_log(story_of(flow), "%d", (int)self->status);
    FLOW_END;
}

static void a_wait_that_loses_gives_its_permit_back(void **state)
{
    (void)state;
    struct story s;
    begin_sem(&s, 4);
    (void)FLOW_RUN(s.world, racer);
    assert_int_equal(flow_semaphore_permits(&sem), 3);
    updates(&s, 1);
    story_expect(&s, "lost:4 won1:3 all:0 -13 0 |");
    assert_int_equal(flow_semaphore_permits(&sem), 3); /* one was consumed */
    story_alive(&s, 0, 0, 0);
    end_sem(&s);
}

static void its_end_ends_the_waits_and_what_is_held_is_held_no_more(void **state)
{
    (void)state;
    struct story s;
    begin_sem(&s, 1);
    (void)FLOW_RUN(s.world, worker, .name = "a", .ticks = 2, .releases = 1);
    flow_handle b = FLOW_RUN(s.world, worker, .name = "b", .ticks = 1);
    flow_semaphore_add(&sem, 1); /* b's */
    (void)FLOW_RUN(s.world, worker, .name = "c", .ticks = 1);
    flow_semaphore_fini(&sem);
    (void)FLOW_RUN(s.world, worker, .name = "d", .ticks = 1);
    assert_int_equal(flow_cancel(s.world, b), FLOW_OK);
    updates(&s, 3);
    story_expect(&s, "a+ d!-4 d. b. c!-4 c. | a- a. | |");
    story_alive(&s, 0, 0, 0);
    end_sem(&s);
    begin_sem(&s, 1); /* and the end of the world ends everything */
    (void)FLOW_RUN(s.world, worker, .name = "a", .ticks = 2);
    (void)FLOW_RUN(s.world, worker, .name = "b", .ticks = 2);
    assert_int_equal(story_destroy(&s), FLOW_OK);
    story_expect(&s, "a+ b. a.");
    story_end(&s);
}

/* ---- mutexes ---- */

/* Two steps in a room that admits one flow at a time. */
struct guest {
    flow_frame base;
    const char *name;
    int again, closing;
    flow_outcome outcome;
};

FLOW_STATIC(guest)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_lock(&door));
    assert_int_equal(flow_mutex_holder(&door).slot, flow_self(flow).slot);
    story_log(story_of(flow), "%s1", self->name);
    FLOW_AWAIT(flow_next_tick());
    story_log(story_of(flow), "%s2", self->name);
    if (self->again) {
        FLOW_TRY(&self->outcome, flow_lock(&door));
        story_log(story_of(flow), "again:%d,%d", self->outcome.code,
                  (int)flow_try_lock(flow, &door));
        flow_unlock(flow, &door);
        flow_unlock(flow, &door);
    }
    FLOW_FINALLY;
    FLOW_AWAIT(flow_ticks(self->closing));
    FLOW_END;
}

static void begin_door(struct story *s)
{
    story_begin(s, NULL);
    assert_int_equal(flow_mutex_init(&door, s->world), FLOW_OK);
}

static void one_flow_at_a_time_is_behind_a_mutex_and_its_end_unlocks(void **state)
{
    (void)state;
    struct story s;
    begin_door(&s);
    assert_int_equal(flow_mutex_holder(&door).generation, 0);
    (void)FLOW_RUN(s.world, guest, .name = "a");
    flow_handle b = FLOW_RUN(s.world, guest, .name = "b", .closing = 2);
    (void)FLOW_RUN(s.world, guest, .name = "c");
    updates(&s, 1);
    story_expect(&s, "a1 a2 b1 |");
    assert_int_equal(flow_cancel(s.world, b), FLOW_PENDING); /* holds it while it closes */
    updates(&s, 3);
    story_expect(&s, "| c1 | c2 |");
    assert_int_equal(flow_mutex_holder(&door).generation, 0);
    flow_mutex_fini(&door);
    story_end(&s);
}

static void locking_twice_and_unlocking_what_one_has_not_is_misuse(void **state)
{
    (void)state;
    struct story s;
    begin_door(&s);
    (void)FLOW_RUN(s.world, guest, .name = "a", .again = 1);
    (void)FLOW_RUN(s.world, guest, .name = "b");
    s.expect_misuses = 2;
    updates(&s, 2);
    story_expect(&s, "a1 a2 again:-10,-13 b1 | b2 |");
    assert_int_equal(s.misuses, 2);
    flow_mutex_fini(&door);
    story_end(&s);
}

/* ---- events ---- */

struct listener {
    flow_frame base;
    const char *name;
    int rounds;
    flow_outcome outcome;
};

FLOW_STATIC(listener)
{
    FLOW_BEGIN;
    for (; self->rounds > 0; self->rounds--) {
        FLOW_TRY(&self->outcome, flow_event_wait(&gong));
        story_log(story_of(flow), "%s%s", self->name, self->outcome.code == 0 ? "" : "!");
        FLOW_AWAIT(flow_next_tick());
    }
    FLOW_END;
}

static void an_event_of_manual_reset_stays_set(void **state)
{
    (void)state;
    struct story s;
    story_begin(&s, NULL);
    assert_int_equal(flow_event_init(&gong, s.world, FLOW_RESET_MANUAL), FLOW_OK);
    (void)FLOW_RUN(s.world, listener, .name = "a", .rounds = 3);
    (void)FLOW_RUN(s.world, listener, .name = "b", .rounds = 1);
    updates(&s, 1);
    assert_false(flow_event_is_set(&gong));
    flow_event_set(&gong);
    flow_event_set(&gong);
    assert_true(flow_event_is_set(&gong));
    updates(&s, 2);
    flow_event_reset(&gong);
    updates(&s, 2);
    story_expect(&s, "| a b | a | | |");
    flow_event_fini(&gong);
    (void)FLOW_RUN(s.world, listener, .name = "c", .rounds = 1);
    updates(&s, 2);
    story_expect(&s, "c! a! | |");
    story_end(&s);
}

static void an_event_of_auto_reset_ends_one_wait_each_time(void **state)
{
    (void)state;
    struct story s;
    story_begin(&s, NULL);
    assert_int_equal(flow_event_init(&gong, s.world, FLOW_RESET_AUTO), FLOW_OK);
    flow_handle a = FLOW_RUN(s.world, listener, .name = "a", .rounds = 1);
    (void)FLOW_RUN(s.world, listener, .name = "b", .rounds = 1);
    (void)FLOW_RUN(s.world, listener, .name = "c", .rounds = 1);
    flow_event_set(&gong);
    assert_false(flow_event_is_set(&gong));
    assert_int_equal(flow_cancel(s.world, a), FLOW_OK); /* then it is b's */
    updates(&s, 1);
    story_expect(&s, "b |");
    flow_event_set(&gong);
    flow_event_set(&gong); /* for the next to come */
    flow_event_set(&gong);
    assert_true(flow_event_is_set(&gong));
    updates(&s, 1);
    (void)FLOW_RUN(s.world, listener, .name = "d", .rounds = 1);
    assert_false(flow_event_is_set(&gong));
    (void)FLOW_RUN(s.world, listener, .name = "e", .rounds = 1);
    flow_event_set(&gong);
    updates(&s, 1);
    story_expect(&s, "c | d e |");
    flow_event_set(&gong);
    flow_event_reset(&gong);
    assert_false(flow_event_is_set(&gong));
    flow_event_fini(&gong);
    story_end(&s);
}

/* ---- barriers ---- */

struct walker {
    flow_frame base;
    const char *name;
    int ticks, rounds, place;
    flow_outcome outcome;
};

FLOW_STATIC(walker)
{
    FLOW_BEGIN;
    for (; self->rounds > 0; self->rounds--) {
        FLOW_AWAIT(flow_ticks(self->ticks));
        self->place = -1;
        FLOW_TRY(&self->outcome, flow_arrive(&fence, &self->place));
        story_log(story_of(flow), "%s%d", self->name, self->place);
    }
    FLOW_END;
}

static void a_barrier_lets_go_when_all_have_come_and_begins_anew(void **state)
{
    (void)state;
    struct story s;
    story_begin(&s, NULL);
    assert_int_equal(flow_barrier_init(&fence, s.world, 3), FLOW_OK);
    (void)FLOW_RUN(s.world, walker, .name = "a", .ticks = 1, .rounds = 2);
    (void)FLOW_RUN(s.world, walker, .name = "b", .ticks = 3, .rounds = 2);
    (void)FLOW_RUN(s.world, walker, .name = "c", .ticks = 2, .rounds = 2);
    updates(&s, 6);
    story_expect(&s, "| | b2 a0 c1 | | | b2 a0 c1 |");
    story_alive(&s, 0, 0, 0);
    /* one that is cancelled counts no more, and parties may change */
    flow_handle a = FLOW_RUN(s.world, walker, .name = "a", .rounds = 1);
    (void)FLOW_RUN(s.world, walker, .name = "b", .rounds = 1);
    assert_int_equal(flow_cancel(s.world, a), FLOW_OK);
    (void)FLOW_RUN(s.world, walker, .name = "c", .rounds = 1);
    updates(&s, 1);
    story_expect(&s, "|");
    flow_barrier_set_parties(&fence, 2);
    updates(&s, 1);
    story_expect(&s, "b0 c1 |");
    flow_barrier_set_parties(&fence, 1);
    (void)FLOW_RUN(s.world, walker, .name = "d", .rounds = 1);
    story_expect(&s, "d0");
    flow_barrier_set_parties(&fence, 2);
    (void)FLOW_RUN(s.world, walker, .name = "e", .rounds = 1);
    s.expect_misuses = 1;
    flow_barrier_set_parties(&fence, 0); /* counts as 1 */
    updates(&s, 1);
    flow_barrier_set_parties(&fence, 2);
    (void)FLOW_RUN(s.world, walker, .name = "f", .rounds = 1);
    flow_barrier_fini(&fence);
    updates(&s, 1);
    story_expect(&s, "e0 | f-1 |");
    story_end(&s);
}

/* ---- memory ---- */

static void ten_thousand_rounds_take_no_memory(void **state)
{
    (void)state;
    struct story s;
    begin_sem(&s, 1);
    long allocations = 0;
    for (int i = 0; i < 10000; i++) {
        (void)FLOW_RUN(s.world, worker, .name = "a", .ticks = 1, .releases = i % 2);
        flow_handle b = FLOW_RUN(s.world, worker, .name = "b", .ticks = 1);
        (void)FLOW_RUN(s.world, worker, .name = "c");
        assert_int_equal(flow_cancel(s.world, b), FLOW_OK);
        story_update(&s, 10);
        s.log[0] = '\0';
        allocations = i == 100 ? s.allocations : allocations;
    }
    assert_int_equal(s.allocations, allocations);
    assert_int_equal(flow_semaphore_permits(&sem), 1);
    story_alive(&s, 0, 0, 0);
    end_sem(&s);
}

static void without_memory_a_wait_fails_and_takes_no_permit(void **state)
{
    (void)state;
    struct story s;
    begin_sem(&s, 100000);
    int holders = 0;
    flow_outcome outcome = {0};
    do {
        s.fail_at = holders == 20 ? s.calls + 1 : s.fail_at;
        s.log[0] = '\0';
        (void)FLOW_RUN_WITH(s.world, (&(flow_options){.outcome = &outcome}), worker, .name = "a",
                            .ticks = 100000);
        holders += outcome.state == FLOW_STATE_LIVE;
    } while (outcome.state == FLOW_STATE_LIVE);
    assert_true(holders > 20);
    assert_int_equal(flow_semaphore_permits(&sem), 100000 - holders);
    s.expect_failures = s.failure_count; /* where the permit was had, and the next wait failed */
    s.fail_at = 0;
    assert_int_equal(story_destroy(&s), FLOW_OK);
    story_end(&s);
}

static void one_that_cannot_be_made_fails_its_waits(void **state)
{
    (void)state;
    flow_status status = FLOW_NOMEM;
    for (long n = 1; status == FLOW_NOMEM; n++) {
        struct story s;
        story_begin(&s, NULL);
        s.fail_at = s.calls + n;
        status = flow_semaphore_init(&sem, s.world, 1);
        s.fail_at = 0;
        if (status == FLOW_NOMEM) {
            (void)FLOW_RUN(s.world, worker, .name = "a");
            story_expect(&s, "a!-4 a.");
            flow_semaphore_add(&sem, 1);
            assert_int_equal(flow_semaphore_permits(&sem), 0);
        }
        assert_true(n < 10);
        end_sem(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(permits_go_round_in_the_order_of_the_waits),
        cmocka_unit_test(what_is_provided_is_consumed),
        cmocka_unit_test(a_granted_permit_whose_flow_is_cancelled_goes_to_the_next),
        cmocka_unit_test(a_wait_that_loses_gives_its_permit_back),
        cmocka_unit_test(its_end_ends_the_waits_and_what_is_held_is_held_no_more),
        cmocka_unit_test(one_flow_at_a_time_is_behind_a_mutex_and_its_end_unlocks),
        cmocka_unit_test(locking_twice_and_unlocking_what_one_has_not_is_misuse),
        cmocka_unit_test(an_event_of_manual_reset_stays_set),
        cmocka_unit_test(an_event_of_auto_reset_ends_one_wait_each_time),
        cmocka_unit_test(a_barrier_lets_go_when_all_have_come_and_begins_anew),
        cmocka_unit_test(ten_thousand_rounds_take_no_memory),
        cmocka_unit_test(without_memory_a_wait_fails_and_takes_no_permit),
        cmocka_unit_test(one_that_cannot_be_made_fails_its_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
