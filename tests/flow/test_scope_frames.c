/* SPDX-License-Identifier: MIT */
/* Frames: every size and alignment, as a first frame, as a call at any depth, as a branch; they
 * never move and never overlap. */
#include <string.h>

#include "actor.h"

/* What each of these functions does: writes a pattern over its bytes, waits, calls the next one,
 * and finds its bytes unchanged. */
enum { DEPTH = 40 };

struct plan {
    int depth;
    int seed;
    int ticks; /* awaited at every level */
    int ended; /* levels that were left */
    int bad;   /* bytes found changed, frames found misaligned */
};

static void paint(struct plan *plan, unsigned char *byte, size_t size, int level)
{
    memset(byte, 17 * level + plan->seed, size);
}

static void check(struct plan *plan, const unsigned char *byte, size_t size, int level)
{
    for (size_t i = 0; i < size; i++) {
        plan->bad += byte[i] != (unsigned char)(17 * level + plan->seed);
    }
    plan->ended++;
}

static unsigned pick(const struct plan *plan, int level)
{
    return ((unsigned)level * 2654435761u + (unsigned)plan->seed * 40503u) >> 7;
}

#define KINDS(X)                                                                                   \
    X(f8, 8, 16)                                                                                   \
    X(f40, 40, 16)                                                                                 \
    X(f100, 100, 16)                                                                               \
    X(f199, 199, 16)                                                                               \
    X(f200, 200, 16)                                                                               \
    X(f201, 201, 16)                                                                               \
    X(f500, 500, 16)                                                                               \
    X(f3000, 3000, 16)                                                                             \
    X(f8100, 8100, 16)                                                                             \
    X(f20k, 20480, 16)                                                                             \
    X(a32, 60, 32)                                                                                 \
    X(a64, 130, 64)                                                                                \
    X(a64k, 5000, 64)

#define DECLARE(name, size, align_)                                                                \
    struct name {                                                                                  \
        flow_frame base;                                                                           \
        struct plan *plan;                                                                         \
        int level;                                                                                 \
        int choice;                                                                                \
        _Alignas(align_) unsigned char byte[size];                                                 \
    };                                                                                             \
    FLOW_FORWARD(name);
KINDS(DECLARE)

/* The call of the next level; an await cannot stand in a switch, so the wait is chosen first. */
#define ARGS .plan = self->plan, .level = self->level + 1
#define NEXT_CALL                                                                                  \
    self->choice == 0    ? FLOW_CALL(f8, ARGS)                                                     \
    : self->choice == 1  ? FLOW_CALL(f40, ARGS)                                                    \
    : self->choice == 2  ? FLOW_CALL(f100, ARGS)                                                   \
    : self->choice == 3  ? FLOW_CALL(f199, ARGS)                                                   \
    : self->choice == 4  ? FLOW_CALL(f200, ARGS)                                                   \
    : self->choice == 5  ? FLOW_CALL(f201, ARGS)                                                   \
    : self->choice == 6  ? FLOW_CALL(f500, ARGS)                                                   \
    : self->choice == 7  ? FLOW_CALL(f3000, ARGS)                                                  \
    : self->choice == 8  ? FLOW_CALL(f8100, ARGS)                                                  \
    : self->choice == 9  ? FLOW_CALL(f20k, ARGS)                                                   \
    : self->choice == 10 ? FLOW_CALL(a32, ARGS)                                                    \
    : self->choice == 11 ? FLOW_CALL(a64, ARGS)                                                    \
                         : FLOW_CALL(a64k, ARGS)
#define COUNT(name, size, align_) +1
enum { KIND_COUNT = 0 KINDS(COUNT) };

#define DEFINE(name, size, align_)                                                                 \
    FLOW_STATIC(name)                                                                              \
    {                                                                                              \
        FLOW_BEGIN;                                                                                \
        self->plan->bad += ((uintptr_t)self & (align_ - 1)) != 0;                                  \
        paint(self->plan, self->byte, size, self->level);                                          \
        FLOW_AWAIT(flow_ticks(self->plan->ticks));                                                 \
        if (self->level < self->plan->depth) {                                                     \
            self->choice = (int)(pick(self->plan, self->level) % KIND_COUNT);                      \
            FLOW_AWAIT(NEXT_CALL);                                                                 \
        }                                                                                          \
        FLOW_AWAIT(flow_ticks(self->plan->ticks));                                                 \
        FLOW_FINALLY;                                                                              \
        check(self->plan, self->byte, size, self->level);                                          \
        FLOW_END;                                                                                  \
    }
KINDS(DEFINE)

#define START(name, size, align_) (void)FLOW_RUN(world, name, .plan = plan);

static int start_each(flow_world *world, struct plan *plan)
{
    KINDS(START)
    return KIND_COUNT;
}

static void frames_of_every_size_and_alignment_keep_their_bytes_at_every_depth(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    for (int seed = 0; seed < 50; seed++) {
        struct plan plan = {.depth = seed % DEPTH, .seed = seed, .ticks = seed % 2};
        int roots = start_each(s.world, &plan);
        for (int i = 0; i < 2 * DEPTH + 2; i++) {
            story_update(&s, 1);
        }
        assert_int_equal(plan.ended, roots * (plan.depth + 1));
        assert_int_equal(plan.bad, 0);
        story_alive(&s, 0, 0, 0);
    }
    story_end(&s);
}

static void cancelled_at_any_depth_each_frame_is_left_once(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    for (int seed = 0; seed < 50; seed++) {
        struct plan plan = {.depth = DEPTH, .seed = seed, .ticks = 1};
        flow_handle group = flow_group_create(s.world, NULL);
        for (int i = 0; i < 10; i++) {
            (void)FLOW_RUN_WITH(s.world, &(flow_options){.owner = group}, f20k, .plan = &plan);
            (void)FLOW_RUN_WITH(s.world, &(flow_options){.owner = group}, a64, .plan = &plan);
        }
        for (int i = 0; i < seed; i++) {
            story_update(&s, 1);
        }
        int begun = 20 * (seed < DEPTH ? seed + 1 : DEPTH + 1);
        int left = 20 * (seed > DEPTH ? seed - DEPTH - 1 : 0);
        assert_int_equal(plan.ended, left);
        assert_int_equal(flow_cancel(s.world, group), FLOW_OK);
        assert_int_equal(plan.ended, begun);
        assert_int_equal(plan.bad, 0);
        story_alive(&s, 0, 0, 0);
    }
    story_end(&s);
}

/* The second time round takes no more memory than the first: what frames gave back is found again.
 */
static void memory_of_frames_is_used_again(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    long calls = 0;
    for (int round = 0; round < 20; round++) {
        struct plan plan = {.depth = DEPTH, .seed = 5, .ticks = 1};
        (void)start_each(s.world, &plan);
        for (int i = 0; i < 2 * DEPTH + 2; i++) {
            story_update(&s, 1);
        }
        assert_int_equal(plan.bad, 0);
        calls = round == 0 ? s.calls : calls;
    }
    assert_int_equal(s.calls, calls);
    story_end(&s);
}

/* ---- as branches ---- */

struct racer {
    flow_frame base;
    struct plan *plan;
    int winner;
};

FLOW_STATIC(racer)
{
    FLOW_BEGIN;
    FLOW_RACE(self->winner, FLOW_CALL(f20k, .plan = self->plan),
              FLOW_CALL(a64k, .plan = self->plan), FLOW_CALL(f200, .plan = self->plan),
              flow_ticks(4));
    FLOW_ALL(FLOW_CALL(a32, .plan = self->plan), FLOW_CALL(f8100, .plan = self->plan));
    FLOW_END;
}

static void branches_have_frames_of_every_size_too(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    struct plan plan = {.depth = 3, .seed = 9, .ticks = 1};
    flow_handle h = FLOW_RUN(s.world, racer, .plan = &plan);
    for (int i = 0; i < 16; i++) {
        story_update(&s, 1);
    }
    assert_outcome(s.world, h, FLOW_STATE_DONE, FLOW_CAUSE_NONE, 0);
    assert_int_equal(plan.ended, 5 * 4);
    assert_int_equal(plan.bad, 0);
    story_end(&s);
}

/* ---- results, recursion, order ---- */

struct sum {
    flow_frame base;
    int n;
    int suspend; /* wait a tick at the bottom */
    int below;
    int *out;
};
FLOW_FORWARD(sum);

FLOW_STATIC(sum)
{
    FLOW_BEGIN;
    if (self->n == 0) {
        FLOW_AWAIT(flow_ticks(self->suspend));
        *self->out = 0;
        FLOW_RETURN;
    }
    FLOW_AWAIT(FLOW_CALL(sum, .n = self->n - 1, .suspend = self->suspend, .out = &self->below));
    *self->out = self->n + self->below;
    FLOW_END;
}

static void a_function_may_call_itself_and_write_into_its_callers_frame(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    for (int n = 0; n < 200; n++) {
        int out = -1;
        (void)FLOW_RUN(s.world, sum, .n = n, .out = &out);
        assert_int_equal(out, n * (n + 1) / 2);
        (void)FLOW_RUN(s.world, sum, .n = n, .suspend = 1, .out = &out);
        story_update(&s, 1);
        assert_int_equal(out, n * (n + 1) / 2);
    }
    story_end(&s);
}

struct fibonacci {
    flow_frame base;
    int n;
    int a, b;
    int *out;
};
FLOW_FORWARD(fibonacci);

FLOW_STATIC(fibonacci)
{
    FLOW_BEGIN;
    if (self->n < 2) {
        *self->out = self->n;
        FLOW_RETURN;
    }
    FLOW_AWAIT(FLOW_CALL(fibonacci, .n = self->n - 1, .out = &self->a));
    FLOW_ALL(FLOW_CALL(fibonacci, .n = self->n - 2, .out = &self->b), flow_ticks(self->n % 3));
    *self->out = self->a + self->b;
    FLOW_END;
}

static void recursion_through_calls_and_branches_gives_its_result(void **state)
{
    struct story s;
    int out = -1;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, fibonacci, .n = 15, .out = &out);
    for (int i = 0; i < 3000 && flow_state_of(s.world, h) == FLOW_STATE_LIVE; i++) {
        story_update(&s, 1);
    }
    assert_int_equal(out, 610);
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_of_every_size_and_alignment_keep_their_bytes_at_every_depth),
        cmocka_unit_test(cancelled_at_any_depth_each_frame_is_left_once),
        cmocka_unit_test(memory_of_frames_is_used_again),
        cmocka_unit_test(branches_have_frames_of_every_size_too),
        cmocka_unit_test(a_function_may_call_itself_and_write_into_its_callers_frame),
        cmocka_unit_test(recursion_through_calls_and_branches_gives_its_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
