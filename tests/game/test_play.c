/* SPDX-License-Identifier: MIT */
/* The game's flows in a real engine without a window: what ends an enemy, and what is left of it.
 */
#include "test_fixture.h"

static void nova_ends_every_enemy_and_gives_its_slot_back(void **state)
{
    struct game *game = *state;
    for (int i = 0; i < 500; i++) {
        spawn(game, (enum enemy_kind)(i % ENEMY_KIND_COUNT), 20.0F + (float)i, 100.0F);
    }
    frames(game, 90);
    assert_int_equal(game->arena.enemy_count, 500);
    uint64_t before = flow_world_counters(game->world).finally_runs;
    int tanks = count_kind(game, ENEMY_TANK);
    nova_fire(game);
    assert_int_equal(game->arena.enemy_count, tanks);
    assert_int_equal(live(game), tanks);
    assert_true(flow_world_counters(game->world).finally_runs - before >= 500);
    assert_int_equal(game->arena.score, 500 * 500 * 5);
    frames(game, TANK_BURN_STEPS + 1);
    assert_int_equal(game->arena.enemy_count, 0);
    assert_int_equal(live(game), 0);
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
        frames(game, TANK_BURN_STEPS + 1);
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
    start(game);
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
    start(game);
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
    start(game);
    for (int life = 0; life < LIVES; life++) {
        frames(game, 130);
        flow_votes_fini(&game->arena.player.safe);
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
