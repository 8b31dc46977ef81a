/* SPDX-License-Identifier: MIT */
/* The game's flows in a real engine without a window: what ends an enemy, and what is left of it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "enemies.h"
#include "game.h"
#include "glue.h"
#include "play.h"

static struct options options;
static const flow_handle nobody;

/* A game whose field is empty and whose root flow has not begun. */
static int open_game(void **state)
{
    char assets[1024];
    char error[ENGINE_ERROR_SIZE] = "";
    enum exit_code code = EXIT_CODE_FINE;
    const char *end = strstr(__FILE__, "tests/game/");
    int length = end != NULL ? (int)(end - __FILE__) : 0;
    (void)snprintf(assets, sizeof assets, "%.*sassets", length, __FILE__);
    struct game *game = calloc(1, sizeof *game);
    assert_non_null(game);
    options = (struct options){.headless = true, .seed = 1, .scene = SCREEN_TITLE};
    game->options = &options;
    const struct engine_desc desc = {.headless = true, .no_audio = true, .assets_fallback = assets};
    game->engine = engine_create(&desc, error);
    if (game->engine == NULL) {
        fail_msg("%s", error);
    }
    game->world = glue_create_world(game);
    assert_non_null(game->world);
    if (!game_init(game, error, &code)) {
        fail_msg("%s", error);
    }
    assert_true(glue_register(game));
    arena_begin(game, nobody);
    *state = game;
    return 0;
}

/* No flow may outlive its test. */
static int close_game(void **state)
{
    struct game *game = *state;
    (void)flow_cancel(game->world, game->root);
    (void)flow_cancel(game->world, game->arena.enemies);
    assert_int_equal(flow_world_counters(game->world).live, 0);
    assert_int_equal(game->failures, 0);
    assert_int_equal(flow_world_destroy(game->world), FLOW_OK);
    art_free(&game->art, game->engine);
    engine_destroy(game->engine);
    free(game);
    return 0;
}

static void frames(struct game *game, int count)
{
    for (int i = 0; i < count; i++) {
        (void)engine_iterate(game->engine);
    }
}

static uint32_t live(const struct game *game)
{
    return flow_world_counters(game->world).live;
}

static void spawn(struct game *game, enum enemy_kind kind, float x, float y)
{
    assert_true(enemy_spawn(game, kind, vec(x, y)));
}

static int count_kind(const struct game *game, enum enemy_kind kind)
{
    int count = 0;
    for (int i = 0; i < game->arena.enemy_high; i++) {
        count += game->arena.pool[i].used && game->arena.pool[i].kind == kind;
    }
    return count;
}

static void nova_ends_every_enemy_and_gives_its_slot_back(void **state)
{
    struct game *game = *state;
    for (int i = 0; i < 500; i++) {
        spawn(game, (enum enemy_kind)(i % ENEMY_KIND_COUNT), 20.0F + (float)i, 100.0F);
    }
    frames(game, 90);
    assert_int_equal(game->arena.enemy_count, 500);
    uint64_t before = flow_world_counters(game->world).finally_runs;
    nova_fire(game);
    assert_int_equal(game->arena.enemy_count, 0);
    assert_int_equal(live(game), 0);
    assert_true(flow_world_counters(game->world).finally_runs - before >= 500);
    assert_int_equal(game->arena.score, 500 * 500 * 5);
    for (int i = 0; i < 500; i++) {
        spawn(game, ENEMY_DRIFTER, 100.0F, 100.0F);
    }
    assert_int_equal(game->arena.enemy_high, 500);
}

static void nova_may_fire_at_any_age_of_an_enemy(void **state)
{
    struct game *game = *state;
    for (int age = 0; age < 150; age += 7) {
        for (int kind = 0; kind < ENEMY_KIND_COUNT; kind++) {
            spawn(game, (enum enemy_kind)kind, 100.0F, 100.0F);
        }
        frames(game, age);
        nova_fire(game);
        assert_int_equal(game->arena.enemy_count, 0);
        assert_int_equal(live(game), 0);
    }
}

static void a_slain_splitter_leaves_two_shards(void **state)
{
    struct game *game = *state;
    spawn(game, ENEMY_SPLITTER, 300.0F, 200.0F);
    frames(game, 60);
    enemy_hurt(&game->arena.pool[0], 100);
    frames(game, 1);
    assert_int_equal(count_kind(game, ENEMY_SPLITTER), 0);
    assert_int_equal(count_kind(game, ENEMY_SHARD), 2);
    assert_int_equal(live(game), 2);
}

static void a_cancelled_splitter_leaves_none(void **state)
{
    struct game *game = *state;
    spawn(game, ENEMY_SPLITTER, 300.0F, 200.0F);
    frames(game, 60);
    nova_fire(game);
    frames(game, 1);
    assert_int_equal(game->arena.enemy_count, 0);
    assert_int_equal(live(game), 0);
}

static void a_splitter_slain_in_the_step_of_a_nova_leaves_none(void **state)
{
    struct game *game = *state;
    spawn(game, ENEMY_SPLITTER, 300.0F, 200.0F);
    frames(game, 60);
    enemy_hurt(&game->arena.pool[0], 100);
    nova_fire(game);
    frames(game, 2);
    assert_int_equal(game->arena.enemy_count, 0);
    assert_int_equal(live(game), 0);
}

static void a_hit_ends_a_snipers_aim(void **state)
{
    struct game *game = *state;
    struct enemy *sniper = &game->arena.pool[0];
    spawn(game, ENEMY_SNIPER, 100.0F, 100.0F);
    for (int i = 0; i < 300 && sniper->aiming < 20; i++) {
        frames(game, 1);
    }
    assert_true(sniper->aiming >= 20);
    enemy_hurt(sniper, 1);
    frames(game, 1);
    assert_int_equal(sniper->aiming, 0);
    for (int i = 0; i < SHOTS_MAX; i++) {
        assert_false(game->arena.shots[i].used);
    }
    frames(game, 300);
    assert_int_equal(game->arena.next_shot > 0, true);
}

static void a_full_pool_refuses_and_stays_whole(void **state)
{
    struct game *game = *state;
    for (int i = 0; i < ENEMIES_MAX; i++) {
        spawn(game, i % 2 ? ENEMY_CHASER : ENEMY_DRIFTER, 300.0F, 200.0F);
    }
    assert_false(enemy_spawn(game, ENEMY_DRIFTER, vec(100.0F, 100.0F)));
    assert_int_equal(game->arena.enemy_count, ENEMIES_MAX);
    frames(game, 2);
    nova_fire(game);
    assert_int_equal(game->arena.enemy_count, 0);
    assert_true(enemy_spawn(game, ENEMY_DRIFTER, vec(100.0F, 100.0F)));
}

static void the_pause_holds_the_simulation_and_goes_with_its_menu(void **state)
{
    struct game *game = *state;
    options.scene = SCREEN_PLAY;
    assert_true(game_start(game));
    frames(game, 60);
    (void)flow_emit(&game->controls.pressed[ACTION_PAUSE], NULL);
    frames(game, 2);
    int64_t steps = game->arena.steps;
    assert_int_equal(game->screens.now, SCREEN_PAUSE);
    frames(game, 60);
    assert_int_equal(game->arena.steps, steps);
    (void)flow_emit(&game->controls.pressed[ACTION_PAUSE], NULL);
    frames(game, 30);
    assert_int_equal(game->screens.now, SCREEN_PLAY);
    assert_in_range(game->arena.steps, steps + 27, steps + 30);
    (void)flow_emit(&game->controls.pressed[ACTION_PAUSE], NULL);
    frames(game, 2);
    (void)flow_cancel(game->world, game->root);
    assert_int_equal(flow_clock_pauses(game->world, FLOW_CLOCK_GAME), 0);
    assert_int_equal(live(game), 0);
}

static void leaving_a_screen_ends_all_that_lived_in_it(void **state)
{
    struct game *game = *state;
    options.scene = SCREEN_TITLE;
    assert_true(game_start(game));
    frames(game, 300);
    flow_handle enemies = game->arena.enemies;
    assert_true(flow_child_count(game->world, enemies) > 20);
    screen_leave(game, SCREEN_OVER);
    frames(game, 60);
    assert_int_equal(game->screens.now, SCREEN_OVER);
    assert_int_equal(flow_child_count(game->world, enemies), 0);
    assert_int_equal(game->arena.enemy_count, 0);
}

static void the_moth_has_three_lives(void **state)
{
    struct game *game = *state;
    options.scene = SCREEN_PLAY;
    assert_true(game_start(game));
    for (int life = 0; life < LIVES; life++) {
        frames(game, 130);
        game->arena.player.safe = 0;
        (void)flow_emit(&game->arena.player.struck, NULL);
        frames(game, 1);
        assert_int_equal(game->arena.player.lives, LIVES - life - 1);
    }
    assert_false(game->arena.player.alive);
    frames(game, 180);
    assert_int_equal(game->screens.now, SCREEN_OVER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nova_ends_every_enemy_and_gives_its_slot_back, open_game,
                                        close_game),
        cmocka_unit_test_setup_teardown(nova_may_fire_at_any_age_of_an_enemy, open_game,
                                        close_game),
        cmocka_unit_test_setup_teardown(a_slain_splitter_leaves_two_shards, open_game, close_game),
        cmocka_unit_test_setup_teardown(a_cancelled_splitter_leaves_none, open_game, close_game),
        cmocka_unit_test_setup_teardown(a_splitter_slain_in_the_step_of_a_nova_leaves_none,
                                        open_game, close_game),
        cmocka_unit_test_setup_teardown(a_hit_ends_a_snipers_aim, open_game, close_game),
        cmocka_unit_test_setup_teardown(a_full_pool_refuses_and_stays_whole, open_game, close_game),
        cmocka_unit_test_setup_teardown(the_pause_holds_the_simulation_and_goes_with_its_menu,
                                        open_game, close_game),
        cmocka_unit_test_setup_teardown(leaving_a_screen_ends_all_that_lived_in_it, open_game,
                                        close_game),
        cmocka_unit_test_setup_teardown(the_moth_has_three_lives, open_game, close_game),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
