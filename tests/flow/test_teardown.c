/* SPDX-License-Identifier: MIT */
/* The end of a world in whatever moment: with every combination of what can be pending, and with
 * its executor gone before it or after it. */
#include "executors.h"
#include "flows.h"

#include <string.h>

enum {
    TIMER = 1,    /* a flow sleeps */
    WAITING = 2,  /* a job has not begun */
    DONE = 4,     /* a job is done and not home */
    AWAY = 8,     /* a body is away */
    POST = 16,    /* a posted call is on its way */
    PROMISE = 32, /* a completion was set, and its flow does not know yet */
    CLEANUP = 64, /* a finally section is waiting */
    MASKS = 128
};

struct scene {
    struct story story;
    struct hand hand;
    int cleanups, discards, posts, dropped;
    FLOW_COMPLETION(int) promise;
};

static int succeed(flow_job *job, void *data)
{
    (void)job;
    (void)data;
    return 0;
}

static void discard(void *data, int code)
{
    struct scene *scene = *(struct scene **)data;
    (void)code;
    scene->discards++;
}

struct pending {
    flow_frame base;
    struct scene *scene;
    int what;
    struct scene *data;
};

FLOW_STATIC(pending)
{
    FLOW_BEGIN;
    self->data = self->scene;
    if (self->what == TIMER) {
        FLOW_AWAIT(flow_seconds(1000));
    } else if (self->what == AWAY) {
        FLOW_AWAIT(flow_switch_to(&self->scene->hand.executor));
        FLOW_AWAIT(flow_switch_home());
    } else if (self->what == PROMISE) {
        FLOW_AWAIT(flow_completion_wait(&self->scene->promise, NULL));
    } else if (self->what == WAITING || self->what == DONE) {
        FLOW_AWAIT(flow_run_with(&self->scene->hand.executor,
                                 FLOW_JOB(succeed, "pending", discard, NULL), &self->data));
    }
    FLOW_FINALLY;
    self->scene->cleanups++;
    FLOW_END;
}

struct slow_cleanup {
    flow_frame base;
    struct scene *scene;
};

FLOW_STATIC(slow_cleanup)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    self->scene->cleanups++;
    FLOW_AWAIT(flow_seconds(1000));
    self->scene->cleanups += 100; /* never */
    FLOW_END;
}

static void posted(flow_world *world, void *arg)
{
    struct scene *scene = arg;
    (void)world;
    scene->posts++;
}

static void post_dropped(void *arg)
{
    struct scene *scene = arg;
    scene->dropped++;
}

static void set_promise(void *arg)
{
    struct scene *scene = arg;
    assert_int_equal(flow_completion_set(&scene->promise, &(int){1}), 1);
}

static int start(struct scene *scene, int mask)
{
    static const int flows[] = {DONE, TIMER, WAITING, AWAY, PROMISE};
    int count = 0;
    assert_int_equal(flow_completion_init(&scene->promise, scene->story.world), FLOW_OK);
    for (size_t i = 0; i < sizeof flows / sizeof *flows; i++) {
        if (mask & flows[i]) {
            (void)FLOW_RUN(scene->story.world, pending, .scene = scene, .what = flows[i]);
            count++;
        }
    }
    if (mask & CLEANUP) {
        flow_handle h = FLOW_RUN(scene->story.world, slow_cleanup, .scene = scene);
        assert_int_equal(flow_cancel(scene->story.world, h), FLOW_PENDING);
        count++;
    }
    story_frame(&scene->story, 10);
    if (mask & DONE) {
        hand_do(&scene->hand);
    }
    if (mask & POST) {
        assert_int_equal(flow_post_or(scene->story.world, posted, scene, post_dropped), FLOW_OK);
    }
    if (mask & PROMISE) {
        test_on_thread(set_promise, scene);
    }
    return count;
}

static void do_all(struct hand *hand)
{
    hand_do_all(hand);
}

static void end_and_check(int mask, int executor_first)
{
    static struct scene scene;
    memset(&scene, 0, sizeof scene);
    hand_begin(&scene.hand, 1);
    story_begin(&scene.story, NULL);
    int count = start(&scene, mask);
    if (executor_first) {
        scene.hand.closed = 1;
        while (scene.hand.count != 0) {
            hand_drop(&scene.hand);
        }
    }
    scene.hand.while_asleep = do_all;
    assert_int_equal(story_destroy(&scene.story), FLOW_OK);
    assert_int_equal(scene.cleanups, count);
    assert_int_equal(scene.discards, !!(mask & DONE) + !!(mask & WAITING));
    assert_int_equal(scene.posts, 0);
    assert_int_equal(scene.dropped, !!(mask & POST));
    scene.story.expect_warnings = scene.story.warning_count;
    assert_int_equal(scene.story.warning_count, !!(mask & CLEANUP) + !!(mask & (POST | PROMISE)));
    story_end(&scene.story);
}

static void whatever_is_pending_ends_with_the_world_and_nothing_is_left(void **state)
{
    (void)state;
    for (int mask = 0; mask < MASKS; mask++) {
        end_and_check(mask, 0);
        end_and_check(mask, 1);
    }
}

/* ---- a thread that goes on sending ---- */

struct sender {
    flow_world *world;
    test_thread thread;
    int taken, full; /* the sender's */
};

static void post_nothing(flow_world *world, void *arg)
{
    (void)world;
    (void)arg;
}

static void send_until_closed(void *arg)
{
    struct sender *sender = arg;
    flow_status status;
    while ((status = flow_post(sender->world, post_nothing, NULL)) != FLOW_CLOSED) {
        sender->taken += status == FLOW_OK;
        sender->full += status == FLOW_FULL;
        sched_yield();
    }
}

static void join_sender(void *arg)
{
    struct sender *sender = arg;
    test_thread_join(&sender->thread);
}

struct listener {
    flow_frame base;
    struct sender *sender;
};

FLOW_STATIC(listener)
{
    FLOW_BEGIN;
    FLOW_DEFER(join_sender, self->sender);
    FLOW_AWAIT(flow_never());
    FLOW_END;
}

static void threads_that_go_on_sending_are_refused_before_the_first_cleanup_runs(void **state)
{
    (void)state;
    for (int round = 0; round < 50; round++) {
        struct story s;
        struct sender senders[3] = {{0}};
        story_begin(&s, &(flow_world_desc){.inbox_capacity = 16});
        for (int i = 0; i < 3; i++) {
            senders[i].world = s.world;
            test_thread_start(&senders[i].thread, send_until_closed, &senders[i]);
            (void)FLOW_RUN(s.world, listener, .sender = &senders[i]);
        }
        for (int i = 0; i < round % 5; i++) {
            story_frame(&s, 10);
            sched_yield();
        }
        uint64_t before = flow_world_inbox(s.world).taken;
        assert_int_equal(story_destroy(&s), FLOW_OK); /* else it would hang in a cleanup */
        uint64_t sent = 0;
        for (int i = 0; i < 3; i++) {
            sent += (uint64_t)senders[i].taken;
        }
        assert_true(sent >= before && sent <= before + 16);
        s.expect_warnings = s.warning_count; /* full, dropped: as it happens */
        story_end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_is_pending_ends_with_the_world_and_nothing_is_left),
        cmocka_unit_test(threads_that_go_on_sending_are_refused_before_the_first_cleanup_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
