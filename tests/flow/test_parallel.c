/* SPDX-License-Identifier: MIT */
/* Loops on workers: each index once, whatever the grain and whoever does the work. */
#include "executors.h"
#include "flows.h"

#include <string.h>

enum { MOST = 1000 };

struct counts {
    atomic_int of[MOST];
    atomic_int parts, longest;
};

static void count(void *arg, size_t begin, size_t end)
{
    struct counts *counts = arg;
    int length = (int)(end - begin), longest = atomic_load(&counts->longest);
    assert_true(begin < end);
    for (size_t i = begin; i < end; i++) {
        atomic_fetch_add(&counts->of[i], 1);
    }
    atomic_fetch_add(&counts->parts, 1);
    while (longest < length && !atomic_compare_exchange_weak(&counts->longest, &longest, length)) {
    }
}

struct counter {
    flow_frame base;
    flow_executor *on;
    struct counts *counts;
    size_t n, grain;
    flow_outcome outcome;
};

FLOW_STATIC(counter)
{
    FLOW_BEGIN;
    FLOW_TRY(&self->outcome,
             flow_parallel_for(self->on, self->n, self->grain, count, self->counts));
    story_log(story_of(flow), "%d", self->outcome.code);
    FLOW_FINALLY;
    story_log(story_of(flow), "end");
    FLOW_END;
}

/* How many indices were done once; none was done twice, and none beyond n. */
static int done_once(struct counts *counts, size_t n)
{
    int done = 0;
    for (size_t i = 0; i < MOST; i++) {
        int times = atomic_load(&counts->of[i]);
        assert_true(times == 0 || (times == 1 && i < n));
        done += times;
    }
    return done;
}

static void clear(struct counts *counts)
{
    for (size_t i = 0; i < MOST; i++) {
        atomic_store(&counts->of[i], 0);
    }
    atomic_store(&counts->parts, 0);
    atomic_store(&counts->longest, 0);
}

static void every_index_is_done_once_in_parts_of_the_grain(void **state)
{
    static const struct {
        size_t n, grain;
        uint32_t workers;
        int parts, longest, works; /* pieces of work that the executor gets */
    } cases[] = {{1000, 64, 4, 16, 64, 4}, {1000, 1000, 4, 1, 1000, 1}, {7, 1, 4, 7, 1, 4},
                 {3, 2, 4, 2, 2, 2},       {1000, 0, 4, 17, 62, 4},     {2, 0, 4, 2, 1, 2},
                 {1, 5000, 1, 1, 1, 1},    {1000, 10, 0, 100, 10, 1},   {0, 1, 4, 0, 0, 0}};
    static struct counts counts;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct story s;
        struct hand hand;
        clear(&counts);
        story_begin(&s, NULL);
        hand_begin(&hand, cases[i].workers);
        (void)FLOW_RUN(s.world, counter, .on = &hand.executor, .counts = &counts, .n = cases[i].n,
                       .grain = cases[i].grain);
        assert_int_equal(hand.count, cases[i].works);
        hand_do_all(&hand);
        story_frame(&s, 10);
        story_expect(&s, "0 end");
        assert_int_equal(done_once(&counts, cases[i].n), cases[i].n);
        assert_int_equal(counts.parts, cases[i].parts);
        assert_int_equal(counts.longest, cases[i].longest);
        story_end(&s);
    }
}

static void workers_that_never_come_are_not_needed(void **state)
{
    struct story s;
    struct hand hand;
    static struct counts counts;
    (void)state;
    clear(&counts);
    story_begin(&s, NULL);
    hand_begin(&hand, 4);
    (void)FLOW_RUN(s.world, counter, .on = &hand.executor, .counts = &counts, .n = 100, .grain = 8);
    hand_do(&hand); /* one does it all */
    assert_int_equal(done_once(&counts, 100), 100);
    for (int i = 0; i < 3; i++) {
        hand_drop(&hand);
    }
    story_frame(&s, 10);
    story_expect(&s, "0 end");
    clear(&counts);
    (void)FLOW_RUN(s.world, counter, .on = &hand.executor, .counts = &counts, .n = 100, .grain = 8);
    for (int i = 0; i < 4; i++) {
        hand_drop(&hand);
    }
    hand.closed = 1;
    (void)FLOW_RUN(s.world, counter, .on = &hand.executor, .counts = &counts, .n = 100, .grain = 8);
    story_frame(&s, 10);
    story_expect(&s, "-4 end -4 end");
    assert_int_equal(done_once(&counts, 100), 0);
    story_end(&s);
}

static void real_threads_share_a_loop_and_many_loops_share_one_thread(void **state)
{
    static struct counts counts[3];
    (void)state;
    for (int threads = 1; threads <= 4; threads += 3) {
        struct story s;
        struct pool pool;
        story_begin(&s, NULL);
        pool_begin(&pool, threads);
        for (int i = 0; i < 3; i++) {
            clear(&counts[i]);
            (void)FLOW_RUN(s.world, counter, .on = &pool.executor, .counts = &counts[i], .n = MOST,
                           .grain = 3);
        }
        while (flow_world_counters(s.world).live != 0) {
            story_frame(&s, 10);
            sched_yield();
        }
        for (int i = 0; i < 3; i++) {
            assert_int_equal(done_once(&counts[i], MOST), MOST);
            assert_int_equal(counts[i].parts, 334);
        }
        story_expect(&s, "0 end 0 end 0 end");
        story_end(&s);
        pool_end(&pool);
    }
}

/* Cancels its flow from the first part, as it were: the other parts are not handed out. */
struct cutter {
    struct story *s;
    flow_handle flow;
    int parts;
};

static void cut(void *arg, size_t begin, size_t end)
{
    struct cutter *c = arg;
    (void)begin;
    (void)end;
    c->parts++;
    assert_int_equal(flow_cancel(c->s->world, c->flow), FLOW_PENDING); /* while it is under way */
}

static int run_here(void *user, flow_work *work)
{
    flow_work **kept = user;
    *kept = work;
    return 0;
}

struct cut_loop {
    flow_frame base;
    flow_executor *on;
    struct cutter *cutter;
};

FLOW_STATIC(cut_loop)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_parallel_for(self->on, 100, 1, cut, self->cutter));
    FLOW_FINALLY;
    story_log(story_of(flow), "end after %d", self->cutter->parts);
    FLOW_END;
}

static void a_cancelled_loop_hands_out_no_more_and_ends_when_what_is_under_way_has(void **state)
{
    struct story s;
    flow_work *work = NULL;
    flow_executor one = {.submit = run_here, .user = &work};
    struct cutter cutter = {.s = &s};
    (void)state;
    story_begin(&s, NULL);
    cutter.flow = FLOW_RUN(s.world, cut_loop, .on = &one, .cutter = &cutter);
    work->run(work, 0);
    story_expect(&s, ""); /* what the arguments name is still in use, for all that the flow knows */
    story_frame(&s, 10);
    story_expect(&s, "end after 1");
    assert_int_equal(flow_state_of(s.world, cutter.flow), FLOW_STATE_CANCELLED);
    story_end(&s);
}

struct racer {
    flow_frame base;
    flow_executor *on;
    struct counts *counts;
    int index;
};

FLOW_STATIC(racer)
{
    FLOW_BEGIN;
    FLOW_RACE(self->index, flow_next_frame(),
              flow_parallel_for(self->on, 100, 10, count, self->counts));
    story_log(story_of(flow), "%d", self->index);
    FLOW_END;
}

static void a_loop_that_loses_a_race_is_waited_for(void **state)
{
    struct story s;
    struct hand hand;
    static struct counts counts;
    (void)state;
    clear(&counts);
    story_begin(&s, NULL);
    hand_begin(&hand, 2);
    (void)FLOW_RUN(s.world, racer, .on = &hand.executor, .counts = &counts);
    story_frames(&s, 3, 10);
    story_expect(&s, "");
    hand_do_all(&hand);
    story_frame(&s, 10);
    story_expect(&s, "0");
    assert_int_equal(done_once(&counts, 100), 0); /* it had not begun */
    story_end(&s);
}

static void no_memory_for_a_loop_fails_its_await(void **state)
{
    static struct counts counts;
    int done = 0;
    (void)state;
    clear(&counts);
    for (long fail_at = 1; !done; fail_at++) {
        struct story s = {.fail_at = fail_at};
        struct hand hand;
        hand_begin(&hand, 2000); /* so many parts that the job needs memory of its own */
        if (!story_try_begin(&s, NULL)) {
            continue;
        }
        flow_handle h = FLOW_RUN(s.world, counter, .on = &hand.executor, .counts = &counts,
                                 .n = MOST, .grain = 1);
        done = hand.count == MOST;
        hand_do_all(&hand);
        story_frame(&s, 10);
        if (h.generation != 0) {
            story_expect(&s, done ? "0 end" : "-6 end");
        }
        story_end(&s);
    }
    assert_int_equal(done_once(&counts, MOST), MOST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_index_is_done_once_in_parts_of_the_grain),
        cmocka_unit_test(workers_that_never_come_are_not_needed),
        cmocka_unit_test(real_threads_share_a_loop_and_many_loops_share_one_thread),
        cmocka_unit_test(a_cancelled_loop_hands_out_no_more_and_ends_when_what_is_under_way_has),
        cmocka_unit_test(a_loop_that_loses_a_race_is_waited_for),
        cmocka_unit_test(no_memory_for_a_loop_fails_its_await),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
