/* SPDX-License-Identifier: MIT */
/* Completions: results that other threads deliver, once, to any number of flows. */
#include "flows.h"
#include "threads.h"

#include <string.h>

struct reply {
    int number;
    char text[60];
};

typedef FLOW_COMPLETION(struct reply) reply_completion;

struct setter {
    reply_completion reply; /* a copy of the flow's */
    struct reply value;
    int first, second;
};

static void set_twice(void *arg)
{
    struct setter *setter = arg;
    struct reply other = {99, "late"};
    setter->first = flow_completion_set(&setter->reply, &setter->value);
    setter->second = flow_completion_set(&setter->reply, &other);
}

static void fail_it(void *arg)
{
    struct setter *setter = arg;
    setter->first = flow_completion_fail(&setter->reply, 7, "no route");
    setter->second = flow_completion_set(&setter->reply, &setter->value);
}

/* Scenario 5: a completion set twice. */
static void all_who_wait_share_the_first_value_and_a_second_set_is_told_so(void **state)
{
    struct story s;
    struct setter setter = {.value = {42, "hello"}};
    struct reply got[4] = {{0, ""}};
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_completion_init(&setter.reply, s.world), FLOW_OK);
    for (int i = 0; i < 3; i++) {
        (void)FLOW_RUN(s.world, waiter, .name = "w",
                       .wait = flow_completion_wait(&setter.reply, &got[i]));
    }
    story_frame(&s, 10);
    assert_int_equal(flow_completion_read(&setter.reply, NULL), FLOW_PENDING);
    test_on_thread(set_twice, &setter);
    assert_int_equal(setter.first, 1);
    assert_int_equal(setter.second, 0);
    story_expect(&s, "");
    assert_int_equal(flow_completion_read(&setter.reply, NULL), FLOW_PENDING); /* on its way */
    story_frame(&s, 10);
    story_expect(&s, "w w w");
    (void)FLOW_RUN(s.world, waiter, .name = "late",
                   .wait = flow_completion_wait(&setter.reply, &got[3]));
    story_expect(&s, "late"); /* at once */
    for (int i = 0; i < 4; i++) {
        assert_memory_equal(&got[i], &setter.value, sizeof got[i]);
    }
    assert_int_equal(flow_completion_read(&setter.reply, &got[0]), FLOW_OK);
    flow_completion_fini(&setter.reply);
    assert_int_equal(flow_completion_read(&setter.reply, NULL), FLOW_CLOSED);
    story_end(&s);
}

static void on_the_worlds_thread_a_set_is_there_at_once(void **state)
{
    struct story s;
    reply_completion reply;
    struct reply value = {1, "one"}, got = {0, ""};
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_completion_init(&reply, s.world), FLOW_OK);
    (void)FLOW_RUN(s.world, waiter, .name = "w", .wait = flow_completion_wait(&reply, &got));
    assert_int_equal(flow_completion_set(&reply, &value), 1);
    assert_int_equal(got.number, 1);
    assert_int_equal(flow_completion_read(&reply, NULL), FLOW_OK);
    assert_int_equal(flow_world_flush(s.world, FLOW_UPDATE), FLOW_OK);
    story_expect(&s, "w");
    assert_int_equal(flow_completion_set(&reply, &value), 0);
    story_end(&s);
}

static void a_failure_reaches_present_and_later_waits(void **state)
{
    struct story s;
    struct setter setter = {.value = {42, "hello"}};
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_completion_init(&setter.reply, s.world), FLOW_OK);
    (void)FLOW_RUN(s.world, waiter, .name = "w", .wait = flow_completion_wait(&setter.reply, NULL));
    test_on_thread(fail_it, &setter);
    assert_int_equal(setter.first, 1);
    assert_int_equal(setter.second, 0);
    story_frame(&s, 10);
    (void)FLOW_RUN(s.world, waiter, .name = "late",
                   .wait = flow_completion_wait(&setter.reply, NULL));
    story_expect(&s, "w!7 late!7");
    assert_int_equal(flow_completion_read(&setter.reply, NULL), 7);
    story_end(&s);
}

/* ---- the end of a completion ---- */

static void one_that_ends_closes_its_waits_and_a_set_on_its_way_is_forgotten(void **state)
{
    struct story s;
    struct setter setter = {.value = {42, "hello"}};
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_completion_init(&setter.reply, s.world), FLOW_OK);
    reply_completion copy = setter.reply;
    (void)FLOW_RUN(s.world, waiter, .name = "w", .wait = flow_completion_wait(&copy, NULL));
    test_on_thread(set_twice, &setter);
    assert_int_equal(setter.first, 1);
    flow_completion_fini(&copy);
    story_frame(&s, 10);
    story_expect(&s, "w!-4");
    story_frame(&s, 10);
    story_end(&s);
}

/* G03. */
static void a_late_set_does_not_reach_the_next_user_of_the_same_place(void **state)
{
    struct story s;
    struct setter late = {.value = {42, "hello"}};
    reply_completion next;
    (void)state;
    story_begin(&s, NULL);
    for (int round = 0; round < 100; round++) {
        assert_int_equal(flow_completion_init(&late.reply, s.world), FLOW_OK);
        reply_completion own = late.reply;
        flow_completion_fini(&own);
        assert_int_equal(flow_completion_init(&next, s.world), FLOW_OK);
        assert_ptr_equal(next.completion.cell_, late.reply.completion.cell_);
        set_twice(&late);
        assert_int_equal(late.first + late.second, 0);
        assert_int_equal(flow_completion_read(&next, NULL), FLOW_PENDING);
        flow_completion_fini(&next);
    }
    reply_completion never = {{{NULL, 0, 0, 0}, NULL, 0}};
    assert_int_equal(flow_completion_set(&never, &late.value), 0);
    flow_completion_fini(&never);
    story_end(&s);
}

static void a_single_one_ends_when_it_has_been_received_and_takes_no_more_memory(void **state)
{
    struct story s;
    struct setter setter = {.value = {42, "hello"}};
    struct reply got = {0, ""};
    (void)state;
    story_begin(&s, NULL);
    size_t bytes = 0;
    for (int round = 0; round < 1000; round++) {
        assert_int_equal(flow_completion_init_single(&setter.reply, s.world), FLOW_OK);
        reply_completion mine = setter.reply;
        if (round % 2 == 0) { /* somebody waits already */
            (void)FLOW_RUN(s.world, waiter, .name = "w", .wait = flow_completion_wait(&mine, &got));
        }
        set_twice(&setter);
        if (round % 2 == 1) { /* the first who comes */
            (void)FLOW_RUN(s.world, waiter, .name = "w", .wait = flow_completion_wait(&mine, &got));
        }
        story_update(&s, 1);
        story_expect(&s, "w");
        assert_int_equal(got.number, 42);
        assert_int_equal(flow_completion_read(&mine, NULL), FLOW_CLOSED);
        bytes = round == 9 ? s.bytes : bytes;
    }
    assert_int_equal(s.bytes, bytes);
    story_end(&s);
}

/* ---- lazy ---- */

struct work {
    reply_completion reply;
    int starts;
    int at_once;
};

static void start_work(flow_world *world, void *arg)
{
    struct work *work = arg;
    struct reply value = {5, "five"};
    (void)world;
    work->starts++;
    if (work->at_once) {
        assert_int_equal(flow_completion_set(&work->reply, &value), 1);
    }
}

static void a_lazy_one_is_started_by_its_first_wait_alone(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    for (int at_once = 0; at_once < 2; at_once++) {
        struct work work = {.at_once = at_once};
        struct reply value = {5, "five"}, got[2] = {{0, ""}};
        assert_int_equal(flow_completion_init_lazy(&work.reply, s.world, start_work, &work),
                         FLOW_OK);
        story_frame(&s, 10);
        assert_int_equal(work.starts, 0);
        for (int i = 0; i < 2; i++) {
            (void)FLOW_RUN(s.world, waiter, .name = "w",
                           .wait = flow_completion_wait(&work.reply, &got[i]));
            assert_int_equal(work.starts, 1);
        }
        assert_int_equal(flow_completion_set(&work.reply, &value), !at_once);
        story_frame(&s, 10);
        story_expect(&s, "w w");
        assert_int_equal(got[0].number + got[1].number, 10);
        flow_completion_fini(&work.reply);
    }
    story_end(&s);
}

/* ---- order ---- */

struct seen {
    struct story *story;
    reply_completion *reply;
};

static void look(flow_world *world, void *arg)
{
    struct seen *seen = arg;
    (void)world;
    story_log(seen->story, "look %d", flow_completion_read(seen->reply, NULL));
}

static void look_set_look(void *arg)
{
    struct seen *seen = arg;
    struct reply value = {1, "one"};
    assert_int_equal(flow_post(seen->story->world, look, seen), FLOW_OK);
    assert_int_equal(flow_completion_set(seen->reply, &value), 1);
    assert_int_equal(flow_post(seen->story->world, look, seen), FLOW_OK);
}

static void what_a_thread_posts_and_sets_takes_effect_in_its_order(void **state)
{
    struct story s;
    reply_completion reply;
    struct seen seen = {&s, &reply};
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_completion_init(&reply, s.world), FLOW_OK);
    test_on_thread(look_set_look, &seen);
    story_frame(&s, 10);
    story_expect(&s, "look -1 look 0");
    story_end(&s);
}

/* ---- many at once ---- */

enum { ROUNDS = 10000 };

struct duel {
    struct setter *setters;
    atomic_int round; /* the completions up to this one are made */
    int won;
};

static void set_each(void *arg)
{
    struct duel *duel = arg;
    struct reply value = {0, "worker"};
    for (int i = 0; i < ROUNDS; i++) {
        while (atomic_load(&duel->round) <= i) {
        }
        value.number = i;
        duel->won += flow_completion_set(&duel->setters[i].reply, &value);
    }
}

/* F04. */
static void completing_on_a_worker_while_the_world_cancels_gives_each_one_outcome(void **state)
{
    struct story s;
    static struct setter setters[ROUNDS];
    static struct reply got[ROUNDS];
    struct duel duel[2] = {{setters, 0, 0}, {setters, 0, 0}};
    test_thread threads[2];
    int ended = 0;
    (void)state;
    story_begin(&s, NULL);
    memset(setters, 0, sizeof setters);
    memset(got, 0, sizeof got);
    test_thread_start(&threads[0], set_each, &duel[0]);
    test_thread_start(&threads[1], set_each, &duel[1]);
    for (int i = 0; i < ROUNDS; i++) {
        assert_int_equal(flow_completion_init(&setters[i].reply, s.world), FLOW_OK);
        reply_completion mine = setters[i].reply;
        flow_handle h =
            FLOW_RUN(s.world, waiter, .name = "", .wait = flow_completion_wait(&mine, &got[i]));
        atomic_store(&duel[0].round, i + 1);
        atomic_store(&duel[1].round, i + 1);
        for (volatile int spin = 0; spin < i % 64; spin++) {
        }
        if (i % 8 == 0) {
            story_update(&s, 1);
        }
        flow_state before = flow_state_of(s.world, h);
        (void)flow_cancel(s.world, h);
        ended += before != FLOW_STATE_LIVE;
        flow_completion_fini(&mine);
        s.log[0] = '\0';
    }
    test_thread_join(&threads[0]);
    test_thread_join(&threads[1]);
    story_update(&s, 1);
    story_alive(&s, 0, 0, 0);
    int received = 0;
    for (int i = 0; i < ROUNDS; i++) {
        received += got[i].text[0] != '\0';
        assert_true(got[i].text[0] == '\0' || got[i].number == i);
    }
    assert_in_range(ended, 0, received); /* a value that came while its flow was cancelled */
    assert_in_range(duel[0].won + duel[1].won, received, ROUNDS);
    story_end(&s);
}

static void without_memory_it_is_an_ended_one(void **state)
{
    struct story s;
    reply_completion reply;
    struct reply value = {1, ""};
    (void)state;
    story_begin(&s, NULL);
    s.fail_at = s.calls + 1;
    flow_status status;
    reply_completion kept[2000];
    int made = 0;
    do {
        status = flow_completion_init(&reply, s.world);
        kept[made] = reply;
        made += status == FLOW_OK;
    } while (status == FLOW_OK && made < 2000);
    assert_int_equal(status, FLOW_NOMEM);
    assert_int_equal(flow_completion_set(&reply, &value), 0);
    assert_int_equal(flow_completion_read(&reply, NULL), FLOW_CLOSED);
    for (int i = 0; i < made; i++) {
        assert_int_equal(flow_completion_set(&kept[i], &value), 1);
    }
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_who_wait_share_the_first_value_and_a_second_set_is_told_so),
        cmocka_unit_test(on_the_worlds_thread_a_set_is_there_at_once),
        cmocka_unit_test(a_failure_reaches_present_and_later_waits),
        cmocka_unit_test(one_that_ends_closes_its_waits_and_a_set_on_its_way_is_forgotten),
        cmocka_unit_test(a_late_set_does_not_reach_the_next_user_of_the_same_place),
        cmocka_unit_test(a_single_one_ends_when_it_has_been_received_and_takes_no_more_memory),
        cmocka_unit_test(a_lazy_one_is_started_by_its_first_wait_alone),
        cmocka_unit_test(what_a_thread_posts_and_sets_takes_effect_in_its_order),
        cmocka_unit_test(completing_on_a_worker_while_the_world_cancels_gives_each_one_outcome),
        cmocka_unit_test(without_memory_it_is_an_ended_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
