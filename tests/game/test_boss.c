/* SPDX-License-Identifier: MIT */
/* The boss and the heavier enemies: what settles a phase, what ends with what, and what is kept. */
#include "test_fixture.h"

static int shots(const struct game *game)
{
    int count = 0;
    for (int i = 0; i < SHOTS_MAX; i++) {
        count += game->arena.shots[i].used;
    }
    return count;
}

/* Starts the boss alone, and lets it arrive. */
static flow_handle meet_boss(struct game *game)
{
    flow_handle boss = FLOW_RUN_WITH(game->world, &in_simulation, boss, .game = game);
    game->arena.player.at = vec(20.0F, 320.0F);
    frames(game, 160);
    assert_true(game->arena.boss.open);
    return boss;
}

static void an_orbiters_gun_ends_with_it(void **state)
{
    struct game *game = *state;
    spawn(game, ENEMY_ORBITER, 200.0F, 100.0F);
    frames(game, 60);
    assert_int_equal(live(game), 2);
    frames(game, 100);
    assert_true(shots(game) > 0);
    enemy_hurt(&game->arena.pool[0], 100);
    assert_int_equal(live(game), 0);
}

static void a_tank_keeps_its_slot_until_it_has_burnt(void **state)
{
    struct game *game = *state;
    spawn(game, ENEMY_TANK, 300.0F, 200.0F);
    frames(game, 80);
    enemy_hurt(&game->arena.pool[0], 100);
    assert_true(game->arena.pool[0].dying);
    assert_int_equal(enemies_alive(&game->arena), 0);
    frames(game, TANK_BURN_STEPS - 1);
    assert_int_equal(game->arena.enemy_count, 1);
    frames(game, 2);
    assert_int_equal(game->arena.enemy_count, 0);
    assert_int_equal(live(game), 0);
}

static void hits_during_a_tanks_charge_count_towards_the_next(void **state)
{
    struct game *game = *state;
    struct enemy *tank = &game->arena.pool[0];
    int charges = 0;
    game->arena.player.at = vec(600.0F, 200.0F);
    spawn(game, ENEMY_TANK, 100.0F, 200.0F);
    frames(game, 80);
    for (int hit = 0; hit < 14; hit++) {
        enemy_hurt(tank, 1); /* all in one step: half of them while it already charges */
    }
    for (int i = 0; i < 260; i++) {
        float before = vec_length(tank->velocity);
        frames(game, 1);
        charges += before < 1.0F && vec_length(tank->velocity) > 3.0F;
    }
    assert_int_equal(charges, 2);
}

static void the_dismissed_leave_by_themselves_and_their_scope_ends(void **state)
{
    struct game *game = *state;
    for (int i = 0; i < 70; i++) {
        spawn(game, (enum enemy_kind)(i % ENEMY_KIND_COUNT), 60.0F + 7.0F * (float)i, 120.0F);
    }
    frames(game, 100);
    int64_t score = game->arena.score;
    arena_dismiss(game);
    frames(game, 600);
    assert_int_equal(game->arena.enemy_count, 0);
    assert_int_equal(game->arena.score, score);
    assert_int_equal(flow_state_of(game->world, game->arena.leaving), FLOW_STATE_DONE);
    spawn(game, ENEMY_DRIFTER, 300.0F, 200.0F);
    assert_int_equal(flow_child_count(game->world, game->arena.enemies), 1);
}

static void a_phase_ends_when_its_wounds_are_deep_enough(void **state)
{
    struct game *game = *state;
    flow_handle boss = meet_boss(game);
    frames(game, 120);
    assert_true(shots(game) > 0);
    boss_hurt(game, BOSS_HEALTH / 3 - 1);
    frames(game, 1);
    assert_int_equal(game->arena.boss.phase, 0);
    boss_hurt(game, 1);
    frames(game, 1);
    assert_int_equal(shots(game), 0); /* the attacks and what they shot are gone */
    frames(game, 110);
    assert_int_equal(game->arena.boss.phase, 1);
    assert_int_equal(flow_cancel(game->world, boss), FLOW_OK);
    assert_int_equal(flow_child_count(game->world, game->arena.enemies) > 0, true);
}

static void a_phase_ends_after_thirty_seconds_of_game_time(void **state)
{
    struct game *game = *state;
    flow_handle boss = meet_boss(game);
    engine_set_drawn(game->engine, false);
    frames(game, 30 * 60 - 30);
    assert_int_equal(game->arena.boss.phase, 0);
    frames(game, 130);
    assert_int_equal(game->arena.boss.phase, 1);
    assert_int_equal(boss_health(&game->arena.boss), BOSS_HEALTH);
    (void)flow_cancel(game->world, boss);
}

static void a_struck_moth_gets_a_breath_and_the_same_phase_again(void **state)
{
    struct game *game = *state;
    flow_handle boss = meet_boss(game);
    frames(game, 120);
    (void)flow_emit(&game->arena.player.struck, NULL);
    frames(game, 1);
    assert_int_equal(shots(game), 0);
    frames(game, 200);
    assert_int_equal(game->arena.boss.phase, 0);
    assert_true(shots(game) > 0);
    (void)flow_cancel(game->world, boss);
}

static void nova_hurts_the_boss_and_stops_its_clock_for_a_while(void **state)
{
    struct game *game = *state;
    flow_handle boss = meet_boss(game);
    frames(game, 60);
    nova_fire(game);
    frames(game, 2);
    struct engine_vec2 at = game->arena.boss.at;
    assert_int_equal(boss_health(&game->arena.boss), BOSS_HEALTH - 40);
    frames(game, 140);
    assert_true(at.x == game->arena.boss.at.x && at.y == game->arena.boss.at.y);
    frames(game, 20);
    assert_false(at.x == game->arena.boss.at.x && at.y == game->arena.boss.at.y);
    (void)flow_cancel(game->world, boss);
}

static void nothing_of_a_cancelled_boss_is_left(void **state)
{
    struct game *game = *state;
    for (int age = 0; age < 900; age += 90) {
        flow_handle boss = FLOW_RUN_WITH(game->world, &in_simulation, boss, .game = game);
        engine_set_drawn(game->engine, false);
        frames(game, age);
        assert_true(game->arena.boss.used);
        assert_int_equal(flow_cancel(game->world, boss), FLOW_OK);
        assert_false(game->arena.boss.used);
        assert_true(flow_owner_is_over(&game->arena.boss.owner));
        nova_fire(game);
        assert_int_equal(live(game), 0);
        assert_int_equal(flow_clock_pauses(game->world, FLOW_CLOCK_GAME), 0);
    }
}

static void a_beaten_boss_burns_out_and_its_crowd_with_it(void **state)
{
    struct game *game = *state;
    flow_handle boss = meet_boss(game);
    for (int i = 0; i < 3; i++) {
        boss_hurt(game, BOSS_HEALTH / 3 + 1);
        frames(game, 120);
    }
    assert_int_equal(boss_health(&game->arena.boss), 0);
    assert_false(game->arena.boss.open);
    frames(game, 120);
    assert_int_equal(flow_state_of(game->world, boss), FLOW_STATE_DONE);
    assert_int_equal(game->arena.enemy_count, 0);
    assert_true(game->arena.score >= BOSS_SCORE);
    assert_int_equal(live(game), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_game, close_game)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_orbiters_gun_ends_with_it),
        TEST(a_tank_keeps_its_slot_until_it_has_burnt),
        TEST(hits_during_a_tanks_charge_count_towards_the_next),
        TEST(the_dismissed_leave_by_themselves_and_their_scope_ends),
        TEST(a_phase_ends_when_its_wounds_are_deep_enough),
        TEST(a_phase_ends_after_thirty_seconds_of_game_time),
        TEST(a_struck_moth_gets_a_breath_and_the_same_phase_again),
        TEST(nova_hurts_the_boss_and_stops_its_clock_for_a_while),
        TEST(nothing_of_a_cancelled_boss_is_left),
        TEST(a_beaten_boss_burns_out_and_its_crowd_with_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
