/* SPDX-License-Identifier: MIT */
/*
 * The attract mode, for as many minutes as EMBERLINE_SOAK_MINUTES says (6, and 20 in ./test.sh
 * --all): after the first minute nothing is allocated any more, though the boss is still to come,
 * since all that a run needs was reserved; no time is lost; and a second run is the same.
 */
#include <SDL.h>

#include "test_fixture.h"

static SDL_atomic_t made;

static void *count_malloc(size_t size)
{
    SDL_AtomicIncRef(&made);
    return malloc(size);
}

static void *count_calloc(size_t count, size_t size)
{
    SDL_AtomicIncRef(&made);
    return calloc(count, size);
}

static void *count_realloc(void *memory, size_t size)
{
    SDL_AtomicIncRef(&made);
    return realloc(memory, size);
}

enum { SECOND = 60, MINUTE = 60 * SECOND };

static int minutes(void)
{
    const char *text = getenv("EMBERLINE_SOAK_MINUTES");
    int count = text != NULL ? atoi(text) : 0;
    return count > 1 ? count : 6;
}

static void begin_attract(struct game *game)
{
    options.attract = options.piloted = true;
    engine_set_drawn(game->engine, false);
    start(game);
    options.no_draw = true;
}

/* Looks once a second. */
static uint64_t soak(struct game *game)
{
    int with_boss = 0;
    begin_attract(game);
    frames(game, MINUTE);
    size_t bytes = flow_world_counters(game->world).bytes;
    int allocations = SDL_AtomicGet(&made);
    assert_true(allocations > 0); /* the counter counts */
    for (int frame = MINUTE; frame < minutes() * MINUTE; frame += SECOND) {
        frames(game, SECOND);
        assert_int_equal(flow_world_counters(game->world).bytes, bytes);
        assert_int_equal(SDL_AtomicGet(&made), allocations);
        with_boss += boss_health(&game->arena.boss) > 0;
    }
    print_message("%d seconds with the boss\n", with_boss);
    assert_true(with_boss >= 20);
    return game_hash(game);
}

static void nothing_grows_drifts_or_differs_in_the_attract_mode(void **state)
{
    struct game *game = *state;
    uint64_t hash = soak(game);
    double seconds = 60.0 * minutes();
    double now = flow_clock_now(game->world, FLOW_CLOCK_UNSCALED, FLOW_UPDATE);
    assert_true(now > seconds - 1e-3 && now < seconds + 1e-3);
    assert_true(game->screens.log_count > 2);
    assert_int_equal(close_game(state), 0);
    assert_int_equal(open_game(state), 0);
    assert_true(soak(*state) == hash);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nothing_grows_drifts_or_differs_in_the_attract_mode,
                                        open_game, close_game),
    };
    if (SDL_SetMemoryFunctions(count_malloc, count_calloc, count_realloc, free) != 0) {
        return 1;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
