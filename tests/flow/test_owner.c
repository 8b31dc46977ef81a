/* SPDX-License-Identifier: MIT */
/* Owners: structs of the host that flows live no longer than (lessons A01, A02, A07, A16, D01). */
#include "actor.h"
#include "flows.h"

#include <stdlib.h>
#include <string.h>

/* A host's struct. */
struct enemy {
    flow_owner owner;
    FLOW_SIGNAL(int) damaged;
    int cleanups; /* what its flows write while it is valid */
    int alive;
};

static flow_handle live_on(struct story *s, struct enemy *e, const char *name, int ticks,
                           int closing)
{
    return FLOW_RUN_WITH(s->world, FLOW_OPTIONS(.owner = flow_owner_handle(&e->owner)), actor,
                         .name = name, .ticks = ticks, .closing = closing);
}

/* Uses its enemy to the last moment. */
struct brain {
    flow_frame base;
    struct enemy *enemy;
};

FLOW_STATIC(brain)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next_tick());
    story_log(story_of(flow), "never");
    FLOW_FINALLY;
    self->enemy->cleanups++;
    FLOW_END;
}

static void finishing_ends_its_flows_while_the_struct_is_valid(void **state)
{
    struct story s;
    struct enemy *e = calloc(1, sizeof *e);
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_owner_init(s.world, &e->owner, "enemy"), FLOW_OK);
    flow_handle a = live_on(&s, e, "a", -1, 0);
    (void)live_on(&s, e, "b", -1, 0);
    (void)FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.owner = flow_owner_handle(&e->owner)), brain,
                        .enemy = e);
    assert_int_equal(flow_child_count(s.world, flow_owner_handle(&e->owner)), 3);
    assert_int_equal(flow_owner_is_over(&e->owner), 0);
    assert_int_equal(flow_owner_fini(&e->owner), FLOW_OK);
    assert_int_equal(e->cleanups, 1);
    assert_int_equal(flow_owner_is_over(&e->owner), 1);
    assert_int_equal(flow_owner_fini(&e->owner), FLOW_STALE);
    free(e);
    story_expect(&s, "a+ b+ b-o a-o");
    assert_outcome(s.world, a, FLOW_STATE_CANCELLED, FLOW_CAUSE_OWNER_ENDED, 0);
    story_update(&s, 16); /* what was due does not run */
    story_expect(&s, "");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

static void an_owner_that_is_gone_or_was_never_begun_takes_no_flow(void **state)
{
    struct story s;
    struct enemy e = {0};
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_owner_is_over(&e.owner), 1);
    assert_int_equal(flow_owner_fini(&e.owner), FLOW_STALE);
    assert_int_equal(live_on(&s, &e, "a", -1, 0).generation, 0);
    assert_int_equal(flow_owner_init(s.world, &e.owner, NULL), FLOW_OK);
    assert_int_equal(flow_owner_fini(&e.owner), FLOW_OK);
    assert_int_equal(live_on(&s, &e, "b", -1, 0).generation, 0);
    assert_int_equal(flow_owner_init(s.world, &e.owner, "again"), FLOW_OK);
    assert_int_not_equal(live_on(&s, &e, "c", 0, 0).generation, 0);
    assert_int_equal(flow_owner_fini(&e.owner), FLOW_OK);
    story_expect(&s, "c+ c= c-");
    story_end(&s);
}

static void a_struct_may_be_moved(void **state)
{
    struct story s;
    struct enemy first = {0}, second;
    (void)state;
    story_begin(&s, NULL);
    (void)flow_owner_init(s.world, &first.owner, "enemy");
    (void)live_on(&s, &first, "a", -1, 0);
    memcpy(&second, &first, sizeof second);
    memset(&first, 0xaa, sizeof first);
    (void)live_on(&s, &second, "b", -1, 0);
    assert_int_equal(flow_owner_fini(&second.owner), FLOW_OK);
    story_expect(&s, "a+ b+ b-o a-o");
    story_end(&s);
}

static void a_closing_flow_makes_it_pending_until_it_is_over(void **state)
{
    struct story s;
    struct enemy e = {0};
    (void)state;
    story_begin(&s, NULL);
    (void)flow_owner_init(s.world, &e.owner, "enemy");
    (void)live_on(&s, &e, "a", -1, 1);
    assert_int_equal(flow_owner_fini(&e.owner), FLOW_PENDING);
    assert_int_equal(flow_owner_is_over(&e.owner), 0);
    assert_int_equal(live_on(&s, &e, "late", 0, 0).generation, 0);
    story_update(&s, 16);
    story_update(&s, 16);
    assert_int_equal(flow_owner_is_over(&e.owner), 1);
    story_expect(&s, "a+ a-o a.");
    story_end(&s);
}

/* ---- from inside ---- */

static void finish_inside(flow_task *flow, void *arg)
{
    struct enemy *e = arg;
    story_log(story_of(flow), "fini:%d", (int)flow_owner_fini(&e->owner));
    story_log(story_of(flow), "over:%d", flow_owner_is_over(&e->owner));
}

struct suicide {
    flow_frame base;
    struct enemy *enemy;
};

FLOW_STATIC(suicide)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next_tick());
    finish_inside(flow, self->enemy);
    FLOW_AWAIT(flow_ready()); /* done: goes on */
    story_log(story_of(flow), "on");
    FLOW_AWAIT(flow_next_tick());
    story_log(story_of(flow), "never");
    FLOW_FINALLY;
    self->enemy->cleanups++;
    story_log(story_of(flow), "s-%s", actor_cause(flow_cause_of(flow)));
    FLOW_END;
}

static void finishing_it_from_one_of_its_own_flows_is_safe(void **state)
{
    struct story s;
    struct enemy e = {0};
    (void)state;
    story_begin(&s, NULL);
    (void)flow_owner_init(s.world, &e.owner, "enemy");
    (void)live_on(&s, &e, "a", -1, 0);
    (void)FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.owner = flow_owner_handle(&e.owner)), suicide,
                        .enemy = &e);
    (void)live_on(&s, &e, "b", 1, 0); /* due in the same tick, after it */
    story_update(&s, 16);
    story_expect(&s, "a+ b+ fini:-1 over:0 b-o s-o a-o");
    assert_int_equal(flow_owner_is_over(&e.owner), 1);
    assert_int_equal(e.cleanups, 1);
    story_end(&s);
}

/* Finishes with its enemy in its own cleanup, as the enemy is being finished with. */
struct twice {
    flow_frame base;
    struct enemy *enemy;
};

FLOW_STATIC(twice)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    story_log(story_of(flow), "again:%d", (int)flow_owner_fini(&self->enemy->owner));
    FLOW_END;
}

static void finishing_it_again_from_a_cleanup_changes_nothing(void **state)
{
    struct story s;
    struct enemy e = {0};
    (void)state;
    story_begin(&s, NULL);
    (void)flow_owner_init(s.world, &e.owner, "enemy");
    (void)live_on(&s, &e, "a", -1, 0);
    (void)FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.owner = flow_owner_handle(&e.owner)), twice,
                        .enemy = &e);
    assert_int_equal(flow_owner_fini(&e.owner), FLOW_OK);
    story_expect(&s, "a+ again:-2 a-o");
    story_end(&s);
}

/* ---- those that wait from outside ---- */

static void a_join_of_its_flow_learns_of_the_owners_end(void **state)
{
    struct story s;
    struct enemy e = {0};
    flow_outcome outcome = {0};
    (void)state;
    story_begin(&s, NULL);
    (void)flow_owner_init(s.world, &e.owner, "enemy");
    assert_int_equal(flow_signal_init(&e.damaged, s.world), FLOW_OK);
    flow_handle a = live_on(&s, &e, "a", -1, 0);
    (void)FLOW_RUN(s.world, waiter, .name = "join", .wait = flow_join(a, &outcome));
    (void)FLOW_RUN(s.world, waiter, .name = "hit", .wait = flow_next(&e.damaged, NULL));
    assert_int_equal(flow_owner_fini(&e.owner), FLOW_OK);
    flow_signal_fini(&e.damaged);
    story_update(&s, 16);
    story_expect(&s, "a+ a-o join hit!-4");
    assert_int_equal(outcome.state, FLOW_STATE_CANCELLED);
    assert_int_equal(outcome.cause, FLOW_CAUSE_OWNER_ENDED);
    story_end(&s);
}

/* Watches an enemy: a leaf, or a call whose end shows. */
struct watcher {
    flow_frame base;
    struct enemy *enemy;
    int ticks;
};

FLOW_STATIC(watcher)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_while(&self->enemy->owner, &self->enemy->alive,
                          FLOW_CALL(actor, .name = "w", .ticks = self->ticks)));
    story_log(story_of(flow), "alive:%d", self->enemy->alive);
    FLOW_END;
}

static void a_wait_while_an_owner_lives_ends_with_it(void **state)
{
    struct story s;
    struct enemy e = {.alive = 7};
    (void)state;
    story_begin(&s, NULL);
    (void)flow_owner_init(s.world, &e.owner, "enemy");
    (void)FLOW_RUN(s.world, watcher, .enemy = &e, .ticks = 1);
    story_update(&s, 16);
    story_expect(&s, "w+ w= w- alive:1");
    (void)FLOW_RUN(s.world, watcher, .enemy = &e, .ticks = 0);
    story_expect(&s, "w+ w= w- alive:1");
    (void)FLOW_RUN(s.world, watcher, .enemy = &e, .ticks = 1);
    assert_int_equal(flow_owner_fini(&e.owner), FLOW_OK);
    story_update(&s, 16); /* the call was due in this tick, and does not go on */
    story_expect(&s, "w+ w-l alive:0");
    e.alive = 7;
    (void)FLOW_RUN(s.world, watcher, .enemy = &e, .ticks = 1); /* gone: nothing starts */
    story_expect(&s, "alive:0");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

static void a_wait_while_an_owner_lives_fails_as_its_wait_fails(void **state)
{
    struct story s;
    struct enemy e = {0};
    (void)state;
    story_begin(&s, NULL);
    (void)flow_owner_init(s.world, &e.owner, "enemy");
    (void)FLOW_RUN(s.world, waiter, .name = "gone", .wait = flow_owner_gone(&e.owner));
    assert_int_equal(flow_cancel(s.world, flow_owner_handle(&e.owner)), FLOW_OK);
    (void)FLOW_RUN(s.world, waiter, .name = "over", .wait = flow_owner_gone(&e.owner));
    story_expect(&s, "over");
    assert_int_equal(flow_owner_fini(&e.owner), FLOW_OK);
    story_update(&s, 16);
    story_expect(&s, "gone");
    story_end(&s);
}

static void an_owner_asked_to_stop_ends_its_flows_by_themselves(void **state)
{
    struct story s;
    struct enemy e = {0};
    (void)state;
    story_begin(&s, NULL);
    (void)flow_owner_init(s.world, &e.owner, "enemy");
    (void)live_on(&s, &e, "a", 1, 0);
    assert_int_equal(flow_request_stop(s.world, flow_owner_handle(&e.owner)), FLOW_OK);
    story_update(&s, 16);
    assert_int_equal(flow_owner_is_over(&e.owner), 1);
    assert_int_equal(flow_owner_fini(&e.owner), FLOW_OK);
    story_expect(&s, "a+ a= a-");
    story_end(&s);
}

/* ---- memory ---- */

static void without_memory_an_owner_takes_no_flows(void **state)
{
    (void)state;
    for (long fail_at = 1;; fail_at++) {
        struct story s;
        struct enemy e[600];
        int begun = 0;
        story_begin(&s, NULL);
        s.fail_at = s.calls + fail_at;
        memset(e, 0, sizeof e);
        for (int i = 0; i < 600; i++) {
            flow_status status = flow_owner_init(s.world, &e[i].owner, "enemy");
            begun += status == FLOW_OK;
            assert_true(status == FLOW_OK || status == FLOW_NOMEM);
            if (status == FLOW_NOMEM) {
                assert_int_equal(live_on(&s, &e[i], "a", 0, 0).generation, 0);
            }
        }
        for (int i = 0; i < 600; i++) {
            flow_status status = flow_owner_fini(&e[i].owner);
            begun -= status == FLOW_OK;
            assert_true(status == FLOW_OK || status == FLOW_STALE);
        }
        assert_int_equal(begun, 0);
        long calls = s.calls;
        long failing = s.fail_at;
        story_end(&s);
        if (calls < failing) {
            break;
        }
    }
}

static void a_thousand_owners_leave_nothing(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    size_t bytes = 0;
    for (int i = 0; i < 1000; i++) {
        struct enemy e = {0};
        assert_int_equal(flow_owner_init(s.world, &e.owner, "enemy"), FLOW_OK);
        (void)FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.owner = flow_owner_handle(&e.owner)), brain,
                            .enemy = &e);
        assert_int_equal(flow_owner_fini(&e.owner), FLOW_OK);
        assert_int_equal(e.cleanups, 1);
        bytes = i == 100 ? s.bytes : bytes;
    }
    assert_int_equal(s.bytes, bytes);
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finishing_ends_its_flows_while_the_struct_is_valid),
        cmocka_unit_test(an_owner_that_is_gone_or_was_never_begun_takes_no_flow),
        cmocka_unit_test(a_struct_may_be_moved),
        cmocka_unit_test(a_closing_flow_makes_it_pending_until_it_is_over),
        cmocka_unit_test(finishing_it_from_one_of_its_own_flows_is_safe),
        cmocka_unit_test(finishing_it_again_from_a_cleanup_changes_nothing),
        cmocka_unit_test(a_join_of_its_flow_learns_of_the_owners_end),
        cmocka_unit_test(a_wait_while_an_owner_lives_ends_with_it),
        cmocka_unit_test(a_wait_while_an_owner_lives_fails_as_its_wait_fails),
        cmocka_unit_test(an_owner_asked_to_stop_ends_its_flows_by_themselves),
        cmocka_unit_test(without_memory_an_owner_takes_no_flows),
        cmocka_unit_test(a_thousand_owners_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
