/* SPDX-License-Identifier: MIT */
/*
 * A crowd that does everything to itself at random: starts, cancels, composes, fails, shields,
 * pauses, closes slowly. Whatever happens, for every flow that began
 *   - its finally section runs exactly once, when no child of its scope is left;
 *   - no code of its body runs after an unshielded await that a cancel has overtaken;
 *   - its outcome is told once, and a cancelled flow is told CANCELLED.
 */
#include <stdlib.h>
#include <string.h>

#include "actor.h"

enum { CROWD = 64, LIVES = 20000 };

struct life {
    unsigned char begun, finals, defers, cancelled; /* cancelled: by name, while its body ran */
    unsigned char over;                             /* its body has come to its end */
    flow_outcome outcome;
};

struct crowd {
    struct story *story;
    uint32_t random;
    flow_handle handle[CROWD]; /* some of the last ones */
    flow_handle group[4];
    FLOW_SIGNAL(int) bell;
    struct life *life;
    int lives;
    int bad;
    int quiet; /* nobody starts anything any more */
};

static uint32_t dice(struct crowd *crowd, uint32_t sides)
{
    crowd->random = crowd->random * 1664525u + 1013904223u;
    return (crowd->random >> 9) % sides;
}

struct soul {
    flow_frame base;
    struct crowd *crowd;
    struct life *life;
    int left;
    int generation;
    int sheltered; /* called under a shield or a finally section: a cancel of the flow does not stop
                      it */
    int act;
    int i;
    uint32_t children;
    flow_outcome outcome;
    char ballast[40];
};
FLOW_FORWARD(soul);

static struct life *new_life(struct crowd *crowd)
{
    return &crowd->life[crowd->lives < LIVES ? crowd->lives++ : LIVES];
}

static void bad(struct crowd *crowd, const char *what)
{
    if (crowd->bad++ < 5) {
        print_error("%s\n", what);
    }
}

/* Only so many at a time. */
static int has_room(const struct crowd *crowd)
{
    return !crowd->quiet && flow_world_counters(crowd->story->world).live < 300;
}

static void deed(struct crowd *crowd)
{
    flow_world *world = crowd->story->world;
    flow_handle other = crowd->handle[dice(crowd, CROWD)];
    switch (dice(crowd, 8)) {
    case 0:
    case 1:
        (void)flow_cancel(world, other);
        break;
    case 2:
        (void)flow_emit(&crowd->bell, NULL);
        break;
    case 3:
        if (has_room(crowd)) {
            struct life *life = new_life(crowd);
            flow_handle owner = dice(crowd, 2)   ? crowd->group[dice(crowd, 4)]
                                : dice(crowd, 2) ? other
                                                 : (flow_handle){0, 0};
            crowd->handle[dice(crowd, CROWD)] =
                FLOW_RUN_WITH(world, (&(flow_options){.owner = owner, .outcome = &life->outcome}),
                              soul, .crowd = crowd, .life = life);
        }
        break;
    case 4:
        if (dice(crowd, 8) == 0) {
            (void)flow_group_clear(world, crowd->group[dice(crowd, 4)]);
        }
        break;
    case 5:
        if (dice(crowd, 16) == 0) {
            uint32_t g = dice(crowd, 4);
            (void)flow_cancel(world, crowd->group[g]);
            crowd->group[g] =
                flow_group_create(world, &(flow_group_desc){.fail_fast = (int)dice(crowd, 2)});
        }
        break;
    case 6:
        if (flow_clock_pauses(world, FLOW_CLOCK_GAME) == 0 && !crowd->quiet) {
            (void)flow_clock_pause(world, FLOW_CLOCK_GAME);
        } else if (flow_clock_pauses(world, FLOW_CLOCK_GAME) != 0) {
            (void)flow_clock_release(world, FLOW_CLOCK_GAME);
        }
        break;
    default:
        break;
    }
}

static void defer_run(void *arg)
{
    struct life *life = arg;
    life->defers++;
}

static int sometimes(void *arg)
{
    struct crowd *crowd = arg;
    if (dice(crowd, 8) == 0) {
        deed(crowd);
    }
    return dice(crowd, 3) == 0;
}

/* The flow goes on after an await: may it? */
static void goes_on(flow_task *flow, struct soul *self)
{
    if (flow_cause_of(flow) != FLOW_CAUSE_NONE && !self->sheltered) {
        bad(self->crowd, "a body went on with a cause to end");
    }
    deed(self->crowd);
}

#define CHILD                                                                                      \
    .crowd = self->crowd, .life = new_life(self->crowd), .generation = self->generation + 1

FLOW_STATIC(soul)
{
    FLOW_BEGIN;
    self->life->begun++;
    if (dice(self->crowd, 2)) {
        FLOW_DEFER(defer_run, self->life);
        self->life->defers = 100;
    }
    if (dice(self->crowd, 3) == 0) {
        self->crowd->handle[dice(self->crowd, CROWD)] = flow_self(flow);
    }
    deed(self->crowd);
    for (self->left = (int)dice(self->crowd, 4); self->left > 0 && !self->crowd->quiet;
         self->left--) {
        self->act = (int)dice(self->crowd, self->generation < 6 && has_room(self->crowd) ? 16 : 8);
        if (self->act == 0) {
            FLOW_AWAIT(flow_next_tick());
        } else if (self->act == 1) {
            FLOW_AWAIT(flow_seconds(0.001 * dice(self->crowd, 50)));
        } else if (self->act == 2) {
            FLOW_AWAIT(flow_frames(dice(self->crowd, 3)));
        } else if (self->act == 3) {
            FLOW_TRY(NULL, flow_timeout(&self->i, flow_next(&self->crowd->bell, &self->i), 0.03));
        } else if (self->act == 4) {
            FLOW_AWAIT(flow_timeout(&self->i, flow_until(sometimes, self->crowd), 0.1));
        } else if (self->act == 5) {
            if (dice(self->crowd, 4) == 0) {
                FLOW_FAIL(1, "by chance");
            }
            continue; /* no await */
        } else if (self->act == 6) {
            FLOW_SHIELD(flow_ticks(dice(self->crowd, 3)));
            deed(self->crowd);
            continue; /* a cancelled flow may be here */
        } else if (self->act == 7) {
            FLOW_RACE(self->i, flow_ticks(dice(self->crowd, 4)),
                      flow_join(self->crowd->handle[dice(self->crowd, CROWD)], NULL), flow_never());
        } else if (self->act < 10) {
            FLOW_TRY(&self->outcome, FLOW_CALL(soul, CHILD, .sheltered = self->sheltered));
        } else if (self->act < 12) {
            (void)FLOW_SPAWN(soul, CHILD);
            continue;
        } else if (self->act == 12) {
            FLOW_TRY(&self->outcome, flow_race(&self->i, FLOW_CALL(soul, CHILD), flow_seconds(0.02),
                                               FLOW_CALL(soul, CHILD)));
        } else if (self->act == 13) {
            FLOW_TRY(&self->outcome,
                     flow_all(FLOW_CALL(soul, CHILD), flow_next_tick(), FLOW_CALL(soul, CHILD)));
        } else if (self->act == 14) {
            FLOW_TRY(&self->outcome,
                     flow_race(NULL,
                               flow_all(FLOW_CALL(soul, CHILD),
                                        flow_timeout(&self->i, FLOW_CALL(soul, CHILD), 0.01)),
                               flow_until(sometimes, self->crowd)));
        } else {
            FLOW_SHIELD(FLOW_CALL(soul, CHILD, .sheltered = 1));
            continue;
        }
        goes_on(flow, self);
    }
    self->life->over++;
    FLOW_FINALLY;
    self->life->finals++;
    deed(self->crowd);
    self->act = (int)dice(self->crowd, self->generation < 6 && has_room(self->crowd) ? 7 : 4);
    if (self->act == 1) {
        FLOW_TRY(NULL, flow_ticks(dice(self->crowd, 3)));
    } else if (self->act == 2) {
        FLOW_TRY(NULL, flow_timeout(NULL, flow_until(sometimes, self->crowd), 0.02));
    } else if (self->act == 4) {
        FLOW_TRY(&self->outcome, FLOW_CALL(soul, CHILD, .sheltered = 1));
    } else if (self->act == 5) {
        FLOW_TRY(&self->outcome, flow_race(&self->i, FLOW_CALL(soul, CHILD), flow_ticks(2)));
    } else if (self->act == 6) {
        (void)FLOW_SPAWN(soul, CHILD);
        FLOW_TRY(NULL, flow_next_tick());
    }
    deed(self->crowd);
    FLOW_END;
}

static void failed(void *user, const flow_failure *failure)
{
    struct crowd *crowd = user;
    if (failure->code != 1 && failure->code != FLOW_CANCELLED && failure->code != FLOW_MISUSE) {
        bad(crowd, failure->message);
    }
    deed(crowd);
}

static void misused(const char *rule, const char *file, int line)
{
    (void)rule; /* joining an owner, by chance */
    (void)file;
    (void)line;
}

static void *count_alloc(void *user, size_t size, size_t alignment)
{
    ++*(long *)user;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void count_free(void *user, void *memory, size_t size)
{
    (void)size;
    --*(long *)user;
    free(memory);
}

static void run(uint32_t seed, int destroy_early)
{
    struct story story = {0}; /* only to carry the world */
    long blocks = 0;
    struct crowd crowd = {.story = &story, .random = seed};
    crowd.life = calloc(LIVES + 1, sizeof *crowd.life);
    assert_non_null(crowd.life);
    (void)flow_set_assert_handler(misused);
    story.world = flow_world_create(&(flow_world_desc){
        .allocator = {count_alloc, count_free, &blocks}, .on_failure = failed, .user = &crowd});
    assert_int_equal(flow_signal_init(&crowd.bell, story.world), FLOW_OK);
    for (int i = 0; i < 4; i++) {
        crowd.group[i] = flow_group_create(story.world, NULL);
    }
    story.fixed_dt = 0.01;
    story.max_steps = 5;
    for (int i = 0; i < 60; i++) {
        crowd.quiet = i >= 45 && !destroy_early;
        if (!crowd.quiet) {
            for (int k = 0; k < 3; k++) {
                struct life *life = new_life(&crowd);
                crowd.handle[dice(&crowd, CROWD)] =
                    FLOW_RUN_WITH(story.world, &(flow_options){.outcome = &life->outcome}, soul,
                                  .crowd = &crowd, .life = life);
            }
        }
        deed(&crowd);
        story_frame(&story, 10);
        if (crowd.quiet && flow_clock_pauses(story.world, FLOW_CLOCK_GAME) != 0) {
            (void)flow_clock_release(story.world, FLOW_CLOCK_GAME);
        }
    }
    uint32_t live = flow_world_counters(story.world).live;
    crowd.quiet = 1;
    assert_int_equal(flow_world_destroy(story.world), FLOW_OK);
    assert_int_equal(blocks, 0);
    for (int i = 0; i < crowd.lives && i < LIVES; i++) {
        const struct life *life = &crowd.life[i];
        int told = (int)life->outcome.state;
        int right = life->begun <= 1 && life->finals == life->begun &&
                    (life->defers == 0 || life->defers == 101);
        right = right && (told != FLOW_STATE_DONE || (life->begun && life->over)) &&
                (told != FLOW_STATE_LIVE);
        if (!right) {
            bad(&crowd, "a life went wrong");
            print_error("seed %u life %d: began %d, over %d, finally %d, defers %d, state %d\n",
                        (unsigned)seed, i, life->begun, life->over, life->finals, life->defers,
                        told);
        }
    }
    if (crowd.bad || (!destroy_early && live > 40)) {
        fail_msg("seed %u: %d wrong, %u left", (unsigned)seed, crowd.bad, live);
    }
    free(crowd.life);
    (void)flow_set_assert_handler(NULL);
}

static void whatever_a_crowd_does_to_itself_every_flow_ends_once_and_in_order(void **state)
{
    (void)state;
    const char *more = getenv("FLOW_TEST_SEEDS");
    uint32_t seeds = more ? (uint32_t)atoi(more) : 150;
    for (uint32_t seed = 0; seed < seeds; seed++) {
        run(seed, (int)(seed % 2));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_a_crowd_does_to_itself_every_flow_ends_once_and_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
