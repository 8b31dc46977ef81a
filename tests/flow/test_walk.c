/* SPDX-License-Identifier: MIT */
/* The live tree as data: the walk, its filters, what is known of one flow, and ages. */
#include "actor.h"
#include "flows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef FLOW_SIGNAL(int) int_signal;

/* ---- a tree to look at ---- */

struct aims {
    flow_frame base;
};

static int aim_line, enemy_line, fire_line;

FLOW_STATIC(aims)
{
    FLOW_BEGIN;
    aim_line = __LINE__ + 1;
    FLOW_AWAIT(flow_seconds(1.5));
    FLOW_END;
}

struct fires {
    flow_frame base;
};

FLOW_STATIC(fires)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    FLOW_AWAIT(flow_next_tick());
    FLOW_END;
}

struct enemy {
    flow_frame base;
    int number;
};

FLOW_STATIC(enemy)
{
    FLOW_BEGIN;
    (void)flow_set_name(flow, "enemy", self->number);
    fire_line = __LINE__ + 1;
    (void)FLOW_SPAWN(fires);
    enemy_line = __LINE__ + 1;
    FLOW_AWAIT(FLOW_CALL(aims));
    FLOW_END;
}

struct tree {
    struct story story;
    flow_handle room, first, second;
    int run_line;
};

static void tree_begin(struct tree *tree)
{
    story_begin(&tree->story, NULL);
    flow_world *w = tree->story.world;
    flow_handle room = flow_group_create(w, &(flow_group_desc){.name = "room"});
    tree->room = room;
    tree->run_line = __LINE__ + 1;
    tree->first = FLOW_RUN_WITH(w, FLOW_OPTIONS(.owner = room), enemy, .number = 1);
    tree->second = FLOW_RUN_WITH(w, FLOW_OPTIONS(.phase = FLOW_LATE), enemy, .number = 12);
    tree->story.expect_warnings = 1; /* its end cuts what closes slowly */
}

/* Writes "depth:name" of each flow to the story's log; stops at the name in `stop`. */
struct visit {
    struct story *story;
    const char *stop;
};

static int write_name(void *user, const flow_info *info)
{
    const struct visit *visit = user;
    if (info->number >= 0) {
        story_log(visit->story, "%d:%s#%d", info->depth, info->name, info->number);
    } else {
        story_log(visit->story, "%d:%s", info->depth, info->name);
    }
    return visit->stop == NULL || strcmp(visit->stop, info->name) != 0;
}

static void the_walk_tells_of_owners_before_what_they_own_the_oldest_first(void **state)
{
    struct tree t;
    struct visit visit = {&t.story, NULL};
    (void)state;
    tree_begin(&t);
    assert_int_equal(flow_world_walk(t.story.world, NULL, write_name, &visit), 5);
    story_expect(&t.story, "1:room 2:enemy#1 3:fires 1:enemy#12 2:fires");
    assert_int_equal(
        flow_world_walk(t.story.world, &(flow_filter){{0, 0}, NULL, 0}, write_name, &visit), 5);
    t.story.log[0] = '\0';
    story_end(&t.story);
}

static void a_visitor_stops_the_walk(void **state)
{
    struct tree t;
    struct visit visit = {&t.story, "enemy"};
    (void)state;
    tree_begin(&t);
    assert_int_equal(flow_world_walk(t.story.world, NULL, write_name, &visit), 2);
    story_expect(&t.story, "1:room 2:enemy#1");
    story_end(&t.story);
}

static void a_filter_means_subtrees_by_owner_and_by_name(void **state)
{
    struct tree t;
    struct visit visit = {&t.story, NULL};
    (void)state;
    tree_begin(&t);
    flow_world *w = t.story.world;
    assert_int_equal(flow_world_walk(w, &(flow_filter){.under = t.room}, write_name, &visit), 3);
    story_expect(&t.story, "1:room 2:enemy#1 3:fires");
    assert_int_equal(flow_world_walk(w, &(flow_filter){.under = t.second}, write_name, &visit), 2);
    story_expect(&t.story, "1:enemy#12 2:fires");
    assert_int_equal(flow_world_walk(w, &(flow_filter){.name = "enemy"}, write_name, &visit), 4);
    story_expect(&t.story, "2:enemy#1 3:fires 1:enemy#12 2:fires");
    assert_int_equal(flow_world_walk(w, &(flow_filter){.name = "enemy#1"}, write_name, &visit), 2);
    story_expect(&t.story, "2:enemy#1 3:fires");
    assert_int_equal(
        flow_world_walk(w, &(flow_filter){.under = t.room, .name = "enemy"}, write_name, &visit),
        0);
    assert_int_equal(flow_world_walk(w, &(flow_filter){.name = "nobody"}, write_name, &visit), 0);
    assert_int_equal(flow_cancel(w, t.first), FLOW_PENDING);
    story_frame(&t.story, 1);
    assert_int_equal(flow_world_walk(w, &(flow_filter){.under = t.first}, write_name, &visit), 0);
    story_expect(&t.story, "");
    story_end(&t.story);
}

static void append(void *user, const char *text, size_t length)
{
    char *whole = user;
    size_t at = strlen(whole);
    assert_true(at + length < 4096);
    memcpy(whole + at, text, length);
    whole[at + length] = '\0';
}

static void a_dump_is_filtered_in_the_same_way(void **state)
{
    struct tree t;
    char text[4096] = "", expected[4096];
    (void)state;
    tree_begin(&t);
    flow_world_dump_if(t.story.world, &(flow_filter){.name = "enemy#12"}, append, text);
    (void)snprintf(expected, sizeof expected,
                   "world: frame 0, 4 flows, 2 timers, %zu bytes\n"
                   "  enemy#12 #4.1 [late, game] waits for timer 1.500 s, for 0 frames at aims "
                   "%s:%d < enemy %s:%d, started at %s:%d\n"
                   "    fires #5.1 [late, game] waits for never, for 0 frames at fires ",
                   t.story.bytes, __FILE__, aim_line, __FILE__, enemy_line, __FILE__,
                   t.run_line + 1);
    assert_memory_equal(text, expected, strlen(expected));
    assert_null(strstr(text, "room"));
    story_end(&t.story);
}

/* ---- one flow ---- */

static void all_that_is_known_of_a_flow_is_told(void **state)
{
    struct tree t;
    flow_info info;
    (void)state;
    tree_begin(&t);
    story_frame(&t.story, 250);
    assert_int_equal(flow_info_of(t.story.world, t.first, &info), FLOW_OK);
    assert_int_equal(info.flow.slot, t.first.slot);
    assert_int_equal(info.owner.slot, t.room.slot);
    assert_int_equal(info.owner.generation, t.room.generation);
    assert_int_equal(info.activity, FLOW_ACTIVITY_WAITING);
    assert_string_equal(info.name, "enemy");
    assert_int_equal(info.number, 1);
    assert_int_equal(info.depth, 2);
    assert_int_equal(info.children, 1);
    assert_int_equal(info.phase, FLOW_UPDATE);
    assert_string_equal(info.clock, "game");
    assert_string_equal(info.function, "aims");
    assert_string_equal(info.file, __FILE__);
    assert_int_equal(info.line, aim_line);
    assert_non_null(strstr(info.started, "test_walk.c:"));
    assert_int_equal(atoi(strrchr(info.started, ':') + 1), t.run_line);
    assert_true(info.remaining > 1.2499 && info.remaining < 1.2501);
    assert_true(info.waited > 0.2499 && info.waited < 0.2501);
    assert_int_equal(info.waited_frames, 1);
    assert_int_equal(info.cancelling, 0);
    assert_int_equal(info.cause, FLOW_CAUSE_NONE);
    assert_int_equal(info.stopping, 0);
    assert_string_equal(info.waits_for, "waits for timer 1.250 s, for 1 frame");
    assert_string_equal(info.path, "room > enemy#1 > aims");
    assert_int_equal(flow_info_of(t.story.world, t.room, &info), FLOW_OK);
    assert_int_equal(info.activity, FLOW_ACTIVITY_GROUP);
    assert_int_equal(info.owner.generation, 0);
    assert_null(info.file);
    assert_null(info.started);
    assert_true(info.remaining < 0);
    story_end(&t.story);
}

static void a_flow_that_is_cancelled_and_one_that_is_asked_say_so(void **state)
{
    struct tree t;
    flow_info info;
    char text[512];
    (void)state;
    tree_begin(&t);
    flow_world *w = t.story.world;
    assert_int_equal(flow_request_stop(w, t.room), FLOW_OK);
    assert_int_equal(flow_cancel(w, t.first), FLOW_PENDING);
    assert_int_equal(flow_info_of(w, t.first, &info), FLOW_OK);
    assert_int_equal(info.activity, FLOW_ACTIVITY_CLOSING);
    assert_int_equal(info.cancelling, 1);
    assert_int_equal(info.cause, FLOW_CAUSE_EXPLICIT);
    (void)flow_describe(w, t.first, text, sizeof text);
    assert_non_null(strstr(text, "waits for children to finish their cleanup"));
    assert_non_null(strstr(text, " <cancelling: cancelled>"));
    assert_int_equal(flow_info_of(w, t.room, &info), FLOW_OK);
    assert_int_equal(info.stopping, 1);
    story_frame(&t.story, 1);
    assert_int_equal(flow_info_of(w, t.first, &info), FLOW_STALE);
    assert_null(info.name);
    story_end(&t.story);
}

static void a_started_child_tells_its_line_also_when_its_owner_has_gone_on(void **state)
{
    struct tree t;
    struct story *s = &t.story;
    flow_info info;
    (void)state;
    tree_begin(&t);
    assert_int_equal(flow_info_of(s->world, (flow_handle){t.first.slot + 1, 1}, &info), FLOW_OK);
    assert_string_equal(info.name, "fires");
    assert_int_equal(atoi(strrchr(info.started, ':') + 1), fire_line);
    assert_string_equal(info.path, "room > enemy#1 > fires");
    story_end(s);
}

/* ---- from inside ---- */

static void walk_inside(flow_task *flow, void *arg)
{
    assert_int_equal(flow_world_walk(flow_world_of(flow), NULL, write_name, arg), 6);
}

struct looks {
    flow_frame base;
    int live;
};

static int dump_all(flow_world *world)
{
    char text[4096];
    (void)flow_world_dump_text(world, text, sizeof text);
    assert_non_null(strstr(text, "looks #1.1 [update, game] about to start or to end"));
    struct visit visit = {flow_world_user(world), NULL};
    return (int)flow_world_walk(world, NULL, write_name, &visit);
}

FLOW_STATIC(looks)
{
    FLOW_BEGIN;
    story_log(story_of(flow), "%d", self->live);
    FLOW_AWAIT(flow_ready());
    FLOW_END;
}

static void a_flow_may_walk_its_own_world(void **state)
{
    struct tree t;
    struct visit visit = {&t.story, NULL};
    (void)state;
    tree_begin(&t);
    (void)FLOW_RUN(t.story.world, doer, .wait = flow_next_tick(), .act = walk_inside,
                   .arg = &visit);
    story_frame(&t.story, 1);
    story_expect(&t.story, "1:room 2:enemy#1 3:fires 1:enemy#12 2:fires 1:doer");
    story_end(&t.story);
}

static void a_flow_whose_arguments_are_being_written_can_be_looked_at(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, looks, .live = dump_all(s.world));
    story_expect(&s, "1:looks 1");
    story_end(&s);
}

/* ---- ages ---- */

static uint64_t frames_of(const struct story *s, flow_handle h, double *seconds)
{
    flow_info info;
    assert_int_equal(flow_info_of(s->world, h, &info), FLOW_OK);
    *seconds = info.waited;
    return info.waited_frames;
}

static void an_age_is_exact_at_first_and_then_a_close_lower_bound(void **state)
{
    struct story s;
    double seconds;
    (void)state;
    story_begin(&s, NULL);
    for (int i = 0; i < 77; i++) {
        story_update(&s, 16);
    }
    flow_handle h = FLOW_RUN(s.world, waiter, .name = "x", .wait = flow_never());
    flow_handle other = FLOW_RUN(s.world, waiter, .name = "y", .wait = flow_never());
    for (uint64_t frame = 1; frame <= 20000; frame++) {
        flow_handle busy = FLOW_RUN(s.world, waiter, .name = "", .wait = flow_next_tick());
        story_update(&s, 16);
        assert_int_equal(flow_state_of(s.world, busy), FLOW_STATE_DONE);
        uint64_t said = frames_of(&s, h, &seconds);
        assert_true(frame < 256 ? said == frame : said <= frame && said >= 255);
        assert_true(said + frame / 15 >= frame);
        assert_true(seconds > 0.016 * (double)said - 0.001 &&
                    seconds < 0.016 * (double)frame + 0.001);
        assert_true(said == frames_of(&s, other, &seconds));
        s.log[0] = '\0';
    }
    story_end(&s);
}

static int collect_handle(void *user, const flow_info *info)
{
    flow_handle **next = user;
    *(*next)++ = info->flow;
    return 1;
}

static void what_hangs_is_found_by_how_long_it_waits(void **state)
{
    struct story s;
    flow_handle found[8], *next = found;
    (void)state;
    story_begin(&s, NULL);
    flow_handle old = FLOW_RUN(s.world, waiter, .name = "old", .wait = flow_never());
    for (int i = 0; i < 600; i++) {
        story_update(&s, 100);
    }
    (void)FLOW_RUN(s.world, waiter, .name = "new", .wait = flow_never());
    (void)FLOW_RUN(s.world, waiter, .name = "busy", .wait = flow_next_tick());
    for (int i = 0; i < 50; i++) {
        story_update(&s, 100);
    }
    assert_int_equal(flow_world_walk(s.world, &(flow_filter){.waited = 30}, collect_handle, &next),
                     1);
    assert_int_equal(found[0].slot, old.slot);
    assert_int_equal(flow_cancel(s.world, found[0]), FLOW_OK);
    assert_int_equal(flow_world_walk(s.world, &(flow_filter){.waited = 30}, collect_handle, &next),
                     0);
    assert_int_equal(flow_world_walk(s.world, &(flow_filter){.waited = 4.5}, collect_handle, &next),
                     1);
    s.log[0] = '\0';
    assert_int_equal(story_destroy(&s), FLOW_OK);
    story_end(&s);
}

/* ---- compositions ---- */

struct slow_end {
    flow_frame base;
};

FLOW_STATIC(slow_end)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    FLOW_AWAIT(flow_ticks(3));
    FLOW_END;
}

static int gate_is_open(void *arg)
{
    return *(int *)arg;
}

struct chooses {
    flow_frame base;
    int open, which;
};

FLOW_STATIC(chooses)
{
    FLOW_BEGIN;
    FLOW_RACE(self->which, flow_all(flow_ticks(1), flow_ticks(9)), flow_ticks(2),
              FLOW_CALL(slow_end), flow_until(gate_is_open, &self->open));
    FLOW_END;
}

static void a_race_shows_how_far_it_is(void **state)
{
    struct story s;
    flow_info info;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, chooses);
    (void)flow_info_of(s.world, h, &info);
    assert_string_equal(info.waits_for,
                        "waits for race(all(next tick, ticks 9) 2/2 branches, ticks 2, end of "
                        "slow_end#2.1, predicate gate_is_open) 4/4 branches, for 0 frames");
    story_update(&s, 16);
    (void)flow_info_of(s.world, h, &info);
    assert_string_equal(info.waits_for,
                        "waits for race(all(done, ticks 8) 1/2 branches, ticks 1, end of "
                        "slow_end#2.1, predicate gate_is_open) 4/4 branches, for 1 frame");
    story_update(&s, 16);
    (void)flow_info_of(s.world, h, &info);
    assert_string_equal(info.waits_for,
                        "waits for race(all(done, done) decided, 0 branches still ending, done, "
                        "end of slow_end#2.1, done) decided, 1 branch still ending, for 2 frames");
    for (int i = 0; i < 3; i++) {
        story_update(&s, 16);
    }
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

/* ---- nobody who has ended ---- */

struct ends_somehow {
    flow_frame base;
    int how;
};

FLOW_STATIC(ends_somehow)
{
    FLOW_BEGIN;
    if (self->how == 0) {
        FLOW_AWAIT(flow_next_tick());
    } else if (self->how == 1) {
        FLOW_AWAIT(flow_ticks(2));
        FLOW_FAIL(7, "as told");
    } else {
        FLOW_AWAIT(flow_timeout(NULL, FLOW_CALL(slow_end), 0.020));
    }
    FLOW_END;
}

static int count_one(void *user, const flow_info *info)
{
    (void)info;
    ++*(uint32_t *)user;
    return 1;
}

static void the_walk_tells_of_all_who_live_and_of_nobody_else(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle group = flow_group_create(s.world, &(flow_group_desc){.name = "all"});
    for (int frame = 0; frame < 60; frame++) {
        flow_handle h = {0, 0};
        for (int how = 0; how < 4; how++) {
            h = FLOW_RUN_WITH(s.world, &(flow_options){.owner = group}, ends_somehow,
                              .how = how & 3);
        }
        if (frame % 3 == 0) {
            (void)flow_cancel(s.world, h);
        }
        if (frame % 20 == 19) {
            (void)flow_group_clear(s.world, group);
        }
        story_update(&s, 16);
        uint32_t told = 0;
        uint32_t groups = 1;
        assert_int_equal(flow_world_walk(s.world, NULL, count_one, &told),
                         flow_world_counters(s.world).live + groups);
        assert_int_equal(told, flow_world_counters(s.world).live + groups);
    }
    assert_int_equal(flow_cancel(s.world, group), FLOW_PENDING);
    for (int i = 0; i < 4; i++) {
        story_update(&s, 16);
    }
    uint32_t told = 0;
    assert_int_equal(flow_world_walk(s.world, NULL, count_one, &told), 0);
    s.expect_failures = s.failure_count;
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_walk_tells_of_owners_before_what_they_own_the_oldest_first),
        cmocka_unit_test(a_visitor_stops_the_walk),
        cmocka_unit_test(a_filter_means_subtrees_by_owner_and_by_name),
        cmocka_unit_test(a_dump_is_filtered_in_the_same_way),
        cmocka_unit_test(all_that_is_known_of_a_flow_is_told),
        cmocka_unit_test(a_flow_that_is_cancelled_and_one_that_is_asked_say_so),
        cmocka_unit_test(a_started_child_tells_its_line_also_when_its_owner_has_gone_on),
        cmocka_unit_test(a_flow_may_walk_its_own_world),
        cmocka_unit_test(a_flow_whose_arguments_are_being_written_can_be_looked_at),
        cmocka_unit_test(an_age_is_exact_at_first_and_then_a_close_lower_bound),
        cmocka_unit_test(what_hangs_is_found_by_how_long_it_waits),
        cmocka_unit_test(a_race_shows_how_far_it_is),
        cmocka_unit_test(the_walk_tells_of_all_who_live_and_of_nobody_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
