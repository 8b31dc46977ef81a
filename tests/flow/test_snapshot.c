/* SPDX-License-Identifier: MIT */
/*
 * The memory promise: a world's state is in the memory that it took, and that of the host in the
 * host's; copied back together they go on as they did. A story with everything alive at once
 * (timers, races, signals, subscriptions, groups, finally sections that wait, pauses, failures on
 * their way) is run twice from the same moment, and its traces are equal.
 */
#include "flows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define EXPECTED_TRACE UINT64_C(0xb7542c3411118d9c)

enum { ARENA = 8 << 20, PAGE = 32768, GUARDS = 24, WARM_UP = 150, TICKS = 100 };

/* Memory in one piece, so that a copy of it is a copy of the world; what it hands out is never
 * taken back, so that it is known by how far it is used. */
struct arena {
    unsigned char *memory;
    size_t used;
};

static void *arena_alloc(void *user, size_t size, size_t alignment)
{
    struct arena *arena = user;
    size_t at = (arena->used + alignment - 1) & ~(alignment - 1);
    if (at + size > ARENA) {
        return NULL;
    }
    arena->used = at + size;
    return arena->memory + at;
}

static void arena_free(void *user, void *memory, size_t size)
{
    (void)user;
    (void)memory;
    (void)size;
}

/* All that the host has. */
struct host {
    struct arena arena;
    flow_world *world;
    struct story_random random;
    FLOW_SIGNAL(int) shot;
    FLOW_SUBSCRIPTION(int) shots;
    FLOW_PROPERTY(int) health;
    FLOW_ONCE(int) ending;
    flow_handle room, guards[GUARDS];
    flow_clock slow;
    flow_owner owner;
    int door_open;
    uint64_t sum; /* of what the flows saw */
    int failures, paused;
};

static struct host host;

static uint32_t below(uint32_t n)
{
    return story_random_below(&host.random, n);
}

static void saw(int what)
{
    host.sum = host.sum * 31 + (uint64_t)what;
}

static void on_failure(void *user, const flow_failure *failure)
{
    struct host *h = user;
    h->failures++;
    saw(failure->code);
}

static int door_is_open(void *arg)
{
    return *(int *)arg;
}

static int is_low(const void *value, void *arg)
{
    (void)arg;
    return value != NULL && *(const int *)value < 10;
}

static void count_cleanup(void *arg)
{
    saw(*(int *)arg);
}

/* ---- the flows ---- */

/* Waits, and closes for a while in its finally section. */
struct closes {
    flow_frame base;
    double seconds;
    int code;
    int number;
};

FLOW_STATIC(closes)
{
    FLOW_BEGIN;
    self->number = (int)(self->seconds * 1000);
    FLOW_DEFER(count_cleanup, &self->number);
    FLOW_AWAIT(flow_seconds(self->seconds));
    if (self->code != 0) {
        FLOW_FAIL(self->code, "it was to fail");
    }
    FLOW_FINALLY;
    FLOW_AWAIT(flow_seconds(0.05));
    saw((int)flow_cause_of(flow));
    FLOW_END;
}

struct guard {
    flow_frame base;
    int number;
    int value, which, out;
    flow_outcome outcome;
    flow_outcome outcomes[2];
    FLOW_SUBSCRIPTION(int) heard;
};

FLOW_STATIC(guard)
{
    FLOW_BEGIN;
    (void)flow_set_name(flow, "guard", self->number);
    (void)flow_subscribe(flow, &self->heard, &host.shot, FLOW_DROP_OLDEST, 4);
    for (;;) {
        FLOW_RACE(self->which, flow_next(&self->heard, &self->value),
                  flow_all(FLOW_CALL(closes, .seconds = 0.04 * (double)(1 + self->number % 7)),
                           flow_ticks(self->number % 5)),
                  flow_until(door_is_open, &host.door_open),
                  flow_property_until(&host.health, is_low, NULL, &self->value));
        saw(self->which * 100 + self->value);
        FLOW_TRY(&self->outcome,
                 flow_timeout(&self->out,
                              FLOW_CALL(closes, .seconds = 0.06 + 0.01 * (double)(self->number % 7),
                                        .code = 7),
                              0.09));
        saw((int)self->outcome.state + self->out);
        (void)FLOW_SPAWN_WITH(FLOW_OPTIONS(.clock = host.slow, .phase = FLOW_LATE), closes,
                              .seconds = 0.02 * (double)(1 + below(5)));
        FLOW_ALL_SETTLED(self->outcomes, FLOW_CALL(closes, .seconds = 0.01), flow_next_frame());
        FLOW_SHIELD(flow_frames(1));
    }
    FLOW_FINALLY;
    FLOW_AWAIT(flow_seconds(0.03));
    saw(self->number);
    FLOW_END;
}

struct pauser {
    flow_frame base;
};

FLOW_STATIC(pauser)
{
    FLOW_BEGIN;
    host.paused++;
    if (flow_pause_clock(flow, host.slow) == FLOW_OK) {
        FLOW_AWAIT(flow_seconds(0.06));
    }
    FLOW_FINALLY;
    host.paused--;
    FLOW_END;
}

struct watcher {
    flow_frame base;
    int value;
    flow_outcome outcome;
};

FLOW_STATIC(watcher)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(flow_join(host.guards[below(GUARDS)], &self->outcome));
        saw((int)self->outcome.cause);
        FLOW_AWAIT(flow_next_tick());
    }
    FLOW_END;
}

/* ---- the host ---- */

static void guard_start(int i)
{
    host.guards[i] = FLOW_RUN_WITH(
        host.world,
        (&(flow_options){.owner = host.room, .phase = i % 3 ? FLOW_UPDATE : FLOW_FIXED}), guard,
        .number = i);
}

/* What a host does by chance outside of the world. */
static void host_acts(void)
{
    uint32_t i = below(GUARDS);
    int value = (int)below(100);
    switch (below(8)) {
    case 0:
        (void)flow_emit(&host.shot, &value);
        break;
    case 1:
        (void)flow_cancel(host.world, host.guards[i]);
        break;
    case 2:
        host.door_open = below(4) == 0;
        break;
    case 3:
        (void)flow_property_set(&host.health, &value);
        break;
    case 4:
        if (host.paused < 2) {
            (void)FLOW_RUN(host.world, pauser);
        }
        break;
    case 5:
        (void)flow_clock_set_scale(host.world, FLOW_CLOCK_GAME, 0.25 * (double)(1 + below(8)));
        break;
    default:
        break;
    }
    if (flow_state_of(host.world, host.guards[i]) != FLOW_STATE_LIVE) {
        guard_start((int)i);
    }
    if (flow_try_next(&host.shots, &value)) {
        saw(value);
    }
}

static void host_frame(void)
{
    double dt = 0.010 + 0.001 * (double)below(10);
    host_acts();
    assert_int_equal(flow_world_begin_frame(host.world, dt), FLOW_OK);
    for (uint32_t steps = below(3); steps > 0; steps--) {
        assert_int_equal(flow_world_tick(host.world, FLOW_FIXED, 0.01), FLOW_OK);
    }
    assert_int_equal(flow_world_tick(host.world, FLOW_UPDATE, dt), FLOW_OK);
    assert_int_equal(flow_world_tick(host.world, FLOW_LATE, dt), FLOW_OK);
}

static void host_frames(int count)
{
    while (count-- > 0) {
        host_frame();
    }
}

static void host_begin(void)
{
    flow_world_desc desc = {.on_failure = on_failure, .user = &host};
    memset(&host, 0, sizeof host);
    host.random.state = 20240607;
    host.arena.memory = aligned_alloc(PAGE, ARENA);
    assert_non_null(host.arena.memory);
    memset(host.arena.memory, 0xcd, ARENA);
    desc.allocator = (flow_allocator){arena_alloc, arena_free, &host.arena};
    host.world = flow_world_create(&desc);
    assert_non_null(host.world);
    assert_int_equal(flow_signal_init(&host.shot, host.world), FLOW_OK);
    assert_int_equal(flow_subscribe_in(host.world, &host.shots, &host.shot, FLOW_DROP_NEWEST, 3),
                     FLOW_OK);
    assert_int_equal(flow_property_init(&host.health, host.world, &(int){100}), FLOW_OK);
    assert_int_equal(flow_once_init(&host.ending, host.world), FLOW_OK);
    assert_int_equal(flow_owner_init(host.world, &host.owner, "boss"), FLOW_OK);
    host.slow = flow_clock_create(host.world, FLOW_CLOCK_GAME, "slow");
    host.room = flow_group_create(host.world, &(flow_group_desc){.name = "room"});
    flow_world_trace(host.world, NULL, NULL);
    for (int i = 0; i < GUARDS; i++) {
        guard_start(i);
    }
    for (int i = 0; i < 3; i++) {
        (void)FLOW_RUN(host.world, watcher);
    }
    (void)FLOW_RUN_WITH(host.world, FLOW_OPTIONS(.owner = flow_owner_handle(&host.owner)), guard,
                        .number = 99);
}

static void host_end(void)
{
    assert_int_equal(flow_world_destroy(host.world), FLOW_OK);
    free(host.arena.memory);
}

/* ---- copies ---- */

struct copy {
    struct host host;
    unsigned char *memory;
};

static void copy_take(struct copy *copy)
{
    copy->host = host;
    copy->memory = malloc(host.arena.used);
    assert_non_null(copy->memory);
    memcpy(copy->memory, host.arena.memory, host.arena.used);
}

/* What the world took since then is left to whatever is written there next. */
static void copy_put_back(const struct copy *copy)
{
    memset(host.arena.memory, 0xcd, host.arena.used);
    host = copy->host;
    memcpy(host.arena.memory, copy->memory, host.arena.used);
}

static void copy_free(struct copy *copy)
{
    free(copy->memory);
}

/* Where a story has come to. */
struct place {
    uint64_t trace, tree, sum, frame;
    flow_counters count;
    int failures;
};

static struct place place_of_host(void)
{
    struct place place;
    memset(&place, 0, sizeof place);
    place.trace = flow_world_trace_hash(host.world);
    place.tree = flow_world_hash(host.world);
    place.sum = host.sum;
    place.frame = flow_world_frame(host.world);
    place.count = flow_world_counters(host.world);
    place.failures = host.failures;
    return place;
}

static void assert_same_place(const struct place *a, const struct place *b)
{
    assert_true(a->trace == b->trace);
    assert_true(a->tree == b->tree);
    assert_true(a->sum == b->sum);
    assert_true(a->frame == b->frame);
    assert_int_equal(a->failures, b->failures);
    assert_int_equal(a->count.live, b->count.live);
    assert_int_equal(a->count.resumed, b->count.resumed);
    assert_int_equal(a->count.started, b->count.started);
    assert_int_equal(a->count.ended, b->count.ended);
    assert_int_equal(a->count.waits, b->count.waits);
    assert_int_equal(a->count.timers, b->count.timers);
    assert_int_equal(a->count.bytes, b->count.bytes);
}

/* ---- the tests ---- */

static void a_world_copied_back_with_its_host_runs_the_same_again(void **state)
{
    struct copy copy;
    struct place first, again;
    char text[16384];
    (void)state;
    host_begin();
    host_frames(WARM_UP);
    copy_take(&copy);
    struct place before = place_of_host();
    (void)flow_world_dump_text(host.world, text, sizeof text);
    assert_non_null(strstr(text, "race("));
    assert_non_null(strstr(text, "timer "));
    assert_non_null(strstr(text, "race lost>")); /* a finally section that waits */
    host_frames(TICKS);
    first = place_of_host();
    assert_true(first.trace != before.trace);
    assert_true(first.count.resumed > before.count.resumed + 500);
    for (int i = 0; i < 3; i++) {
        copy_put_back(&copy);
        again = place_of_host();
        assert_same_place(&again, &before);
        host_frames(TICKS);
        again = place_of_host();
        assert_same_place(&again, &first);
    }
    if (first.trace != EXPECTED_TRACE) {
        fail_msg("the trace is 0x%" PRIx64 ", 0x%" PRIx64 " was expected", first.trace,
                 EXPECTED_TRACE);
    }
    copy_free(&copy);
    host_end();
}

static void going_back_at_every_frame_changes_nothing(void **state)
{
    struct copy copy;
    struct place straight, back;
    (void)state;
    host_begin();
    host_frames(WARM_UP / 2 + 40);
    straight = place_of_host();
    host_end();
    host_begin();
    host_frames(WARM_UP / 2);
    for (int i = 0; i < 40; i++) { /* eight frames ahead, back, and one on */
        copy_take(&copy);
        host_frames(8);
        copy_put_back(&copy);
        copy_free(&copy);
        host_frames(1);
    }
    back = place_of_host();
    assert_same_place(&back, &straight);
    host_end();
}

static void a_world_that_was_destroyed_goes_on_from_its_copy(void **state)
{
    struct copy copy;
    struct place first, again;
    (void)state;
    host_begin();
    host_frames(WARM_UP);
    copy_take(&copy);
    host_frames(TICKS);
    first = place_of_host();
    assert_int_equal(flow_world_destroy(host.world), FLOW_OK);
    copy_put_back(&copy);
    host_frames(TICKS);
    again = place_of_host();
    assert_same_place(&again, &first);
    copy_free(&copy);
    host_end();
}

static void what_memory_the_world_takes_after_the_copy_is_forgotten_with_it(void **state)
{
    struct copy copy;
    struct place first, again;
    (void)state;
    host_begin();
    host_frames(WARM_UP);
    copy_take(&copy);
    host_frames(10);
    first = place_of_host();
    copy_put_back(&copy);
    size_t used = host.arena.used;
    for (int i = 0; i < 5000; i++) {
        (void)FLOW_RUN(host.world, guard, .number = i);
    }
    host_frames(10);
    assert_true(host.arena.used > used + 1000000);
    copy_put_back(&copy);
    host_frames(10);
    again = place_of_host();
    assert_same_place(&again, &first);
    copy_free(&copy);
    host_end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_world_copied_back_with_its_host_runs_the_same_again),
        cmocka_unit_test(going_back_at_every_frame_changes_nothing),
        cmocka_unit_test(a_world_that_was_destroyed_goes_on_from_its_copy),
        cmocka_unit_test(what_memory_the_world_takes_after_the_copy_is_forgotten_with_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
