/* SPDX-License-Identifier: MIT */
/*
 * A game in a real engine without a window: set up, driven frame by frame, and taken down with the
 * demand that no flow is left.
 */
#ifndef GAME_TEST_FIXTURE_H
#define GAME_TEST_FIXTURE_H

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
static inline int open_game(void **state)
{
    char assets[1024];
    char error[ENGINE_ERROR_SIZE] = "";
    enum exit_code code = EXIT_CODE_FINE;
    const char *end = strstr(__FILE__, "tests/game/");
    int length = end != NULL ? (int)(end - __FILE__) : 0;
    (void)snprintf(assets, sizeof assets, "%.*sassets", length, __FILE__);
    struct game *game = calloc(1, sizeof *game);
    assert_non_null(game);
    options = (struct options){.headless = true, .seed = 1, .scene = SCREEN_TITLE, .first_wave = 1};
    game->options = &options;
    const struct engine_desc desc = {.headless = true, .no_audio = true, .assets_fallback = assets};
    game->engine = engine_create(&desc, error);
    if (game->engine == NULL) {
        fail_msg("%s", error);
    }
    game->world = glue_create_world(game);
    assert_non_null(game->world);
    if (!game_init(game, error, &code) || !art_load(&game->art, game->engine, error)) {
        fail_msg("%s", error);
    }
    glue_open_workers(game);
    assert_true(glue_register(game));
    arena_begin(game, nobody);
    *state = game;
    return 0;
}

/* No flow may outlive its test. */
static inline int close_game(void **state)
{
    struct game *game = *state;
    (void)flow_cancel(game->world, game->root);
    (void)flow_cancel(game->world, game->arena.enemies);
    (void)flow_cancel(game->world, game->arena.leaving);
    for (int i = 0; i <= TANK_BURN_STEPS; i++) {
        (void)engine_iterate(game->engine);
    }
    assert_int_equal(flow_world_counters(game->world).live, 0);
    assert_int_equal(game->failures, 0);
    assert_int_equal(flow_world_destroy(game->world), FLOW_OK);
    engine_destroy(game->engine);
    free(game);
    return 0;
}

/* Starts the root flow at options.scene. */
static inline void start(struct game *game)
{
    char error[ENGINE_ERROR_SIZE] = "";
    enum exit_code code = EXIT_CODE_FINE;
    if (!game_start(game, error, &code)) {
        fail_msg("%s", error);
    }
}

static inline void frames(struct game *game, int count)
{
    for (int i = 0; i < count; i++) {
        (void)engine_iterate(game->engine);
    }
}

static inline uint32_t live(const struct game *game)
{
    return flow_world_counters(game->world).live;
}

static inline void spawn(struct game *game, enum enemy_kind kind, float x, float y)
{
    assert_true(enemy_spawn(game, kind, vec(x, y)));
}

static inline int count_kind(const struct game *game, enum enemy_kind kind)
{
    int count = 0;
    for (int i = 0; i < game->arena.enemy_high; i++) {
        count += game->arena.pool[i].used && game->arena.pool[i].kind == kind;
    }
    return count;
}

#endif
