/* SPDX-License-Identifier: MIT */
/*
 * Who touches whom. Enemies stand in a grid of cells a little larger than they are, so each bullet
 * looks at nine cells, in a fixed order.
 */
#include "game.h"

#include "enemies.h"
#include "play.h"

static const float bullet_radius = 5.0F;
static const float player_radius = 5.0F;

static bool can_be_hit(const struct enemy *enemy)
{
    return enemy->used && !enemy->dying && enemy->arriving == 0;
}

static struct enemy *find_in_cell(struct arena *arena, int cell, struct engine_vec2 at,
                                  float radius)
{
    for (int i = arena->cells[cell]; i >= 0; i = arena->pool[i].next_in_cell) {
        struct enemy *enemy = &arena->pool[i];
        float reach = enemy->radius + radius;
        if (can_be_hit(enemy) && vec_apart2(enemy->at, at) < reach * reach) {
            return enemy;
        }
    }
    return NULL;
}

/* The first enemy within `radius` of a point, or null. */
static struct enemy *find_enemy(struct arena *arena, struct engine_vec2 at, float radius)
{
    int x = (int)at.x / CELL_SIZE;
    int y = (int)at.y / CELL_SIZE;
    for (int row = y - 1; row <= y + 1; row++) {
        for (int column = x - 1; column <= x + 1; column++) {
            if (row < 0 || row >= CELLS_DOWN || column < 0 || column >= CELLS_ACROSS) {
                continue;
            }
            struct enemy *enemy = find_in_cell(arena, row * CELLS_ACROSS + column, at, radius);
            if (enemy != NULL) {
                return enemy;
            }
        }
    }
    return NULL;
}

static bool touches_boss(const struct game *game, struct engine_vec2 at, float radius)
{
    const struct boss_body *boss = &game->arena.boss;
    float reach = BOSS_RADIUS + radius;
    return boss->used && boss->open && vec_apart2(boss->at, at) < reach * reach;
}

static void collide_bullets(struct game *game)
{
    for (int i = 0; i < BULLETS_MAX; i++) {
        struct bullet *bullet = &game->arena.bullets[i];
        if (!bullet->used) {
            continue;
        }
        struct enemy *enemy = find_enemy(&game->arena, bullet->at, bullet_radius);
        bool boss = touches_boss(game, bullet->at, bullet_radius);
        if (enemy != NULL || boss) {
            bullet->used = false;
            fx_burst(&game->fx, bullet->at, COLOR_CYAN, 4, 110.0F);
            boss ? boss_hurt(game, 1) : enemy_hurt(enemy, 1);
        }
    }
}

static void collide_player(struct game *game)
{
    struct player *player = &game->arena.player;
    struct enemy *enemy = find_enemy(&game->arena, player->at, player_radius);
    if (enemy != NULL) {
        enemy_hurt(enemy, 6);
    }
    if (enemy != NULL || touches_boss(game, player->at, player_radius)) {
        player_struck(game);
        return;
    }
    for (int i = 0; i < SHOTS_MAX; i++) {
        struct bullet *shot = &game->arena.shots[i];
        if (shot->used && vec_apart2(shot->at, player->at) < 9.0F * 9.0F) {
            shot->used = false;
            player_struck(game);
            return;
        }
    }
}

/* A comet burns who it touches. */
static void collide_comet(struct game *game)
{
    const struct player *player = &game->arena.player;
    struct enemy *enemy = find_enemy(&game->arena, player->at, COMET_RADIUS);
    if (enemy != NULL) {
        enemy_hurt(enemy, 6);
    }
    if (touches_boss(game, player->at, COMET_RADIUS)) {
        boss_hurt(game, 1);
    }
}

void collide_step(struct game *game)
{
    const struct player *player = &game->arena.player;
    collide_bullets(game);
    if (player->alive && player->safe.count == 0) {
        collide_player(game);
    }
    if (player->alive && player->comet) {
        collide_comet(game);
    }
}
