/* SPDX-License-Identifier: MIT */
/* Callbacks as awaitables: who is called, with what, and who undoes the registration. */
#include "flows.h"

#include <string.h>

/* Somebody else's interface. */
struct button {
    void (*on_click)(void *user, int x, int y);
    void *user;
    struct story *story;
    int forgotten;
};

static void button_click(const struct button *button, int x, int y)
{
    if (button->on_click != NULL) {
        button->on_click(button->user, x, y);
    }
}

static void button_forget(void *arg)
{
    struct button *button = arg;
    button->on_click = NULL;
    button->forgotten++;
    story_log(button->story, "forgotten");
}

struct point {
    int x, y;
};

struct ask {
    flow_frame base;
    struct button *button;
    FLOW_SIGNAL(struct point) clicked;
    struct point at;
};

static void on_click(void *user, int x, int y)
{
    struct ask *self = user;
    flow_emit(&self->clicked, &(struct point){x, y});
}

FLOW_STATIC(ask)
{
    FLOW_BEGIN;
    if (flow_bridge(flow, &self->clicked, button_forget, self->button) != FLOW_OK) {
        FLOW_FAIL(FLOW_NOMEM, "no bridge");
    }
    self->button->on_click = on_click;
    self->button->user = self;
    for (;;) {
        FLOW_AWAIT(flow_next(&self->clicked, &self->at));
        story_log(story_of(flow), "%d,%d", self->at.x, self->at.y);
        if (self->at.x < 0) {
            break;
        }
    }
    FLOW_FINALLY;
    story_log(story_of(flow), "end");
    FLOW_END;
}

struct caller {
    flow_frame base;
    struct button *button;
};

FLOW_STATIC(caller)
{
    FLOW_BEGIN;
    FLOW_AWAIT(FLOW_CALL(ask, .button = self->button));
    story_log(story_of(flow), "asked");
    FLOW_AWAIT(flow_never());
    FLOW_END;
}

static void a_callback_is_awaited_and_its_registration_ends_with_the_scope(void **state)
{
    struct story s;
    struct button button = {.story = &s};
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, caller, .button = &button);
    button_click(&button, 3, 4);
    story_frame(&s, 10);
    button_click(&button, 5, 6);
    story_frame(&s, 10);
    story_expect(&s, "3,4 5,6");
    button_click(&button, -1, 0);
    story_frame(&s, 10);
    story_expect(&s, "-1,0 end forgotten asked"); /* the call is the scope, not the flow */
    button_click(&button, 7, 8);
    flow_handle h = FLOW_RUN(s.world, ask, .button = &button);
    assert_int_equal(flow_cancel(s.world, h), FLOW_OK);
    story_expect(&s, "end forgotten");
    assert_null(button.on_click);
    story_end(&s);
}

static void without_memory_nothing_is_registered(void **state)
{
    (void)state;
    for (long fail_at = 1;; fail_at++) {
        struct story s = {.fail_at = fail_at};
        struct button button = {.story = &s};
        if (!story_try_begin(&s, NULL)) {
            continue;
        }
        (void)FLOW_RUN(s.world, ask, .button = &button);
        int whole = button.on_click != NULL;
        s.expect_failures = s.failure_count;
        story_end(&s);
        assert_int_equal(button.forgotten, whole);
        if (whole) {
            break;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_callback_is_awaited_and_its_registration_ends_with_the_scope),
        cmocka_unit_test(without_memory_nothing_is_registered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
