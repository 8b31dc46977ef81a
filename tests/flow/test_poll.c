/* SPDX-License-Identifier: MIT */
/* Conditions asked at an interval, and values watched for a change. */
#include "flows.h"

/* A condition that counts how often it is asked. */
struct question {
    int asked;
    int yes_from; /* the call that says yes */
};

static int ask(void *arg)
{
    struct question *question = arg;
    return ++question->asked >= question->yes_from;
}

struct asker {
    flow_frame base;
    struct question *question;
    double seconds;
    double limit; /* races it with a timer, if not 0 */
    int timed_out;
};

FLOW_STATIC(asker)
{
    FLOW_BEGIN;
    if (self->limit > 0.0) {
        FLOW_TIMEOUT(&self->timed_out,
                     FLOW_CALL(flow_until_every, .test = ask, .arg = self->question,
                               .seconds = self->seconds),
                     self->limit);
    } else {
        FLOW_AWAIT(FLOW_CALL(flow_until_every, .test = ask, .arg = self->question,
                             .seconds = self->seconds));
    }
    story_log(story_of(flow), "%s@%.0f", self->timed_out ? "timed out" : "yes",
              flow_now(flow) * 1000.0);
    FLOW_END;
}

static void a_condition_is_asked_at_once_and_then_at_its_interval(void **state)
{
    struct story s;
    struct question question = {.yes_from = 5};
    static const int asked[] = {1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 4, 5};
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, asker, .question = &question, .seconds = 0.1);
    for (int i = 0; i < 14; i++) { /* 30 ms each: the grid is at 100, 200, 300, 400 */
        assert_int_equal(question.asked, asked[i]);
        story_update(&s, 30);
    }
    assert_int_equal(question.asked, 5);
    story_expect(&s, "yes@420");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

static void a_condition_that_holds_is_done_at_once(void **state)
{
    struct story s;
    struct question question = {.yes_from = 1};
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, asker, .question = &question, .seconds = 0.1);
    story_expect(&s, "yes@0");
    story_end(&s);
}

static void after_a_hitch_it_is_asked_once(void **state)
{
    struct story s;
    struct question question = {.yes_from = 100};
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, asker, .question = &question, .seconds = 0.1);
    story_update(&s, 1050);
    assert_int_equal(question.asked, 2);
    story_update(&s, 50);
    assert_int_equal(question.asked, 3);
    story_end(&s);
}

static void one_that_loses_is_asked_no_more(void **state)
{
    struct story s;
    struct question question = {.yes_from = 100};
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, asker, .question = &question, .seconds = 0.02, .limit = 0.05);
    for (int i = 0; i < 10; i++) {
        story_update(&s, 10);
    }
    story_expect(&s, "timed out@50");
    assert_int_equal(question.asked, 3);
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

static void an_interval_that_is_none_is_misuse(void **state)
{
    struct story s;
    struct question question = {.yes_from = 1};
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, asker, .question = &question, .seconds = 0);
    assert_int_equal(s.failures[0].failure.code, FLOW_MISUSE);
    assert_int_equal(question.asked, 0);
    s.expect_failures = 1;
    s.expect_misuses = 1;
    story_end(&s);
}

/* ---- values ---- */

struct spot {
    int x, y;
};

struct watcher {
    flow_frame base;
    const struct spot *spot;
    struct spot seen;
};

FLOW_STATIC(watcher)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(FLOW_VALUE_CHANGED(self->spot, &self->seen));
        story_log(story_of(flow), "%d,%d", self->seen.x, self->seen.y);
    }
    FLOW_END;
}

static void a_watched_value_is_seen_in_the_tick_after_each_change(void **state)
{
    struct story s;
    struct spot spot = {1, 2};
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, watcher, .spot = &spot);
    story_expect(&s, "1,2"); /* differs from what was seen, none: at once */
    story_frames(&s, 2, 10);
    story_expect(&s, "");
    spot.y = 7;
    story_frame(&s, 10);
    story_expect(&s, "1,7");
    spot.x = 3; /* there and back between two ticks is no change */
    spot.x = 1;
    story_frame(&s, 10);
    story_expect(&s, "");
    spot = (struct spot){4, 4};
    assert_int_equal(flow_clock_pause(s.world, FLOW_CLOCK_GAME), FLOW_OK);
    story_frame(&s, 10);
    story_expect(&s, "");
    assert_int_equal(flow_clock_release(s.world, FLOW_CLOCK_GAME), FLOW_OK);
    story_frame(&s, 10);
    story_expect(&s, "4,4");
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_condition_is_asked_at_once_and_then_at_its_interval),
        cmocka_unit_test(a_condition_that_holds_is_done_at_once),
        cmocka_unit_test(after_a_hitch_it_is_asked_once),
        cmocka_unit_test(one_that_loses_is_asked_no_more),
        cmocka_unit_test(an_interval_that_is_none_is_misuse),
        cmocka_unit_test(a_watched_value_is_seen_in_the_tick_after_each_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
