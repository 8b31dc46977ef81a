/* SPDX-License-Identifier: MIT */
/* Work that is spread over frames: a spike of the CSV becomes a plateau below the budget. */
#include "profiled.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace_rules.h"

enum { CROWD = 2000, A_TICK = 100, PIECES = 60, WARM_UP = 130, FRAMES = 200 };

/* Leaves something to do behind: 0.02 ms each. */
struct ember {
    flow_frame base;
};

FLOW_STATIC(ember)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    profiled_burn(flow, 0.02);
    FLOW_END;
}

/* Plans in pieces of 1 ms, and pauses where it is asked to. */
struct planner {
    flow_frame base;
    int spread;
    int piece;
};

FLOW_STATIC(planner)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_ticks(WARM_UP + 1));
    for (self->piece = 0; self->piece < PIECES; self->piece++) {
        profiled_burn(flow, 1.0);
        if (self->spread) {
            FLOW_AWAIT(flow_yield_over_budget());
        }
    }
    FLOW_END;
}

/* What the CSV says of a run: the most work of a frame, and how many frames had more than 1.5 ms,
 * their work, and hitches. */
struct shape {
    double most;
    int busy, hitches;
};

static const char *field(const char *row, int number)
{
    while (number-- > 0) {
        row = strchr(row, ',') + 1;
    }
    return row;
}

static struct shape shape_of(const char *path)
{
    struct shape shape = {0};
    long length = 0;
    char *text = read_file(path, &length);
    assert_non_null(text);
    for (const char *row = strchr(text, '\n') + 1; *row != '\0'; row = strchr(row, '\n') + 1) {
        double work = atof(field(row, 13));
        shape.most = work > shape.most ? work : shape.most;
        shape.busy += work > 1.5;
        shape.hitches += strncmp(field(row, 30), "hitch", 5) == 0;
    }
    free(text);
    return shape;
}

static void play_on(struct profiled *p)
{
    profiled_frames(p, FRAMES - WARM_UP);
    assert_int_equal(flow_profile_finish(p->profile), FLOW_OK);
}

static struct shape cancel_shape(uint32_t a_tick)
{
    static struct profiled p;
    static const char path[] = "profile_spread.csv";
    profiled_begin(&p, NULL);
    flow_world *world = p.story.world;
    flow_handle crowd = flow_group_create(world, &(flow_group_desc){.name = "crowd"});
    for (int i = 0; i < CROWD; i++) {
        (void)FLOW_RUN_WITH(world, FLOW_OPTIONS(.owner = crowd), ember);
    }
    assert_int_equal(flow_profile_csv(p.profile, path, "spread"), FLOW_OK);
    profiled_frames(&p, WARM_UP);
    assert_int_equal(a_tick > 0 ? flow_cancel_gradually(world, crowd, a_tick)
                                : flow_cancel(world, crowd),
                     a_tick > 0 ? FLOW_PENDING : FLOW_OK);
    play_on(&p);
    assert_int_equal(flow_world_counters(world).live, 0);
    profiled_end(&p);
    return shape_of(path);
}

static void a_cancel_that_is_spread_turns_its_spike_into_a_plateau(void **state)
{
    (void)state;
    struct shape spike = cancel_shape(0);
    assert_true(spike.most == 41.0); /* 1 ms of drawing in each frame */
    assert_int_equal(spike.busy, 1);
    assert_int_equal(spike.hitches, 1);
    struct shape plateau = cancel_shape(A_TICK);
    assert_true(plateau.most == 3.0);
    assert_int_equal(plateau.busy, CROWD / A_TICK);
    assert_int_equal(plateau.hitches, 0);
}

static struct shape planner_shape(int spread)
{
    static struct profiled p;
    static const char path[] = "profile_spread.csv";
    profiled_begin_in(&p, NULL, 0.005);
    (void)FLOW_RUN(p.story.world, planner, .spread = spread);
    assert_int_equal(flow_profile_csv(p.profile, path, "spread"), FLOW_OK);
    profiled_frames(&p, WARM_UP);
    play_on(&p);
    assert_int_equal(flow_world_counters(p.story.world).live, 0);
    profiled_end(&p);
    return shape_of(path);
}

static void work_that_yields_over_budget_turns_its_spike_into_a_plateau(void **state)
{
    (void)state;
    struct shape spike = planner_shape(0);
    assert_true(spike.most == 61.0);
    assert_int_equal(spike.busy, 1);
    assert_int_equal(spike.hitches, 1);
    struct shape plateau = planner_shape(1);
    assert_true(plateau.most == 6.0); /* the budget of 5 ms, and drawing */
    assert_int_equal(plateau.busy, PIECES / 5);
    assert_int_equal(plateau.hitches, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cancel_that_is_spread_turns_its_spike_into_a_plateau),
        cmocka_unit_test(work_that_yields_over_budget_turns_its_spike_into_a_plateau),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
