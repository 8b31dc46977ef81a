/* SPDX-License-Identifier: MIT */
/* What the guards against endless loops say: whom they found, on what path and in what place. */
#include <stdio.h>

#include "story.h"

static int spins_at, waits_at; /* lines */

/* ---- one slice that does not end ---- */

struct spins {
    flow_frame base;
};

FLOW_STATIC(spins)
{
    FLOW_BEGIN;
    for (;;) {
        spins_at = __LINE__ + 1;
        FLOW_AWAIT(flow_ready());
    }
    FLOW_END;
}

struct calls_spins {
    flow_frame base;
};

FLOW_STATIC(calls_spins)
{
    FLOW_BEGIN;
    FLOW_AWAIT(FLOW_CALL(spins));
    FLOW_END;
}

struct level {
    flow_frame base;
};

FLOW_STATIC(level)
{
    FLOW_BEGIN;
    (void)FLOW_SPAWN(calls_spins);
    FLOW_AWAIT(flow_never());
    FLOW_END;
}

static void an_endless_loop_is_told_with_the_path_down_to_it_and_its_line(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle group = flow_group_create(s.world, &(flow_group_desc){.name = "game"});
    (void)FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.owner = group), level);
    assert_int_equal(s.failure_count, 1);
    assert_int_equal(s.failures[0].failure.code, FLOW_ENDLESS);
    assert_int_equal(s.failures[0].failure.kind, FLOW_FAILURE_UNHANDLED);
    assert_string_equal(s.failures[0].path, "game > level > calls_spins > spins");
    assert_string_equal(s.failures[0].failure.file, __FILE__);
    assert_int_equal(s.failures[0].failure.line, spins_at);
    s.expect_failures = 1;
    story_end(&s);
}

/* ---- flows that wake each other ---- */

struct table {
    FLOW_SIGNAL(int) ball[2];
};

struct player {
    flow_frame base;
    struct table *table;
    int side;
};

FLOW_STATIC(player)
{
    FLOW_BEGIN;
    for (;;) {
        waits_at = __LINE__ + 1;
        FLOW_AWAIT(flow_next(&self->table->ball[self->side], NULL));
        (void)flow_emit(&self->table->ball[1 - self->side], NULL);
    }
    FLOW_END;
}

struct match {
    flow_frame base;
    struct table *table;
};

static int started_at;

FLOW_STATIC(match)
{
    FLOW_BEGIN;
    (void)FLOW_SPAWN(player, .table = self->table, .side = 0);
    started_at = __LINE__ + 1;
    (void)FLOW_SPAWN(player, .table = self->table, .side = 1);
    FLOW_AWAIT(flow_never());
    FLOW_END;
}

/* The cap is odd, so it is the second player's turn when it is reached. */
static void the_cap_on_resumes_names_who_would_be_next_its_path_and_place(void **state)
{
    char expected[1024];
    struct story s;
    struct table table;
    (void)state;
    story_begin(&s, &(flow_world_desc){.resume_cap = 101});
    for (int side = 0; side < 2; side++) {
        assert_int_equal(flow_signal_init(&table.ball[side], s.world), FLOW_OK);
    }
    (void)FLOW_RUN(s.world, match, .table = &table);
    assert_int_equal(flow_emit(&table.ball[0], NULL), 1);
    story_update(&s, 10);
    assert_int_equal(s.warning_count, 1);
    assert_int_equal(s.warned.id, FLOW_WARNING_RESUME_CAP);
    assert_int_equal(flow_state_of(s.world, s.warned.flow), FLOW_STATE_LIVE);
    (void)snprintf(expected, sizeof expected,
                   "more resumes in one tick than its cap; the rest waits for the next tick: flow "
                   "player #%u.%u in match > player, at %s:%d, started at %s:%d",
                   s.warned.flow.slot, s.warned.flow.generation, __FILE__, waits_at, __FILE__,
                   started_at);
    assert_string_equal(s.warned_text, expected);
    s.expect_warnings = 1;
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_endless_loop_is_told_with_the_path_down_to_it_and_its_line),
        cmocka_unit_test(the_cap_on_resumes_names_who_would_be_next_its_path_and_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
