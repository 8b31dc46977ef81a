/* SPDX-License-Identifier: MIT */
/*
 * The pool. A slot is taken in enemy_spawn and given back in enemy_end, which only the finally
 * section of the enemy's flow calls: as many slots are in use as enemies' flows live.
 *
 * The cells' lists are those of enemies_step and serve collide_step right after it: an enemy that
 * ends meanwhile stays in its list, unused, and none is spawned before the lists are made anew.
 */
#include "enemies.h"

#include "game.h"

static const struct enemy_look looks[ENEMY_KIND_COUNT] = {
    [ENEMY_DRIFTER] = {CELL_DRIFTER, CELL_DRIFTER_FLASH, COLOR_EMBER, 7.0F, 46.0F, 3, 50, 1, 40},
    [ENEMY_CHASER] = {CELL_CHASER, CELL_CHASER_FLASH, COLOR_MAGENTA, 7.0F, 48.0F, 4, 100, 2, 40},
    [ENEMY_SPLITTER] = {CELL_SPLITTER, CELL_SPLITTER_FLASH, COLOR_GOLD, 9.0F, 56.0F, 6, 150, 1, 50},
    [ENEMY_SHARD] = {CELL_SHARD, CELL_SHARD_FLASH, COLOR_GOLD, 5.0F, 34.0F, 2, 40, 1, 8},
    [ENEMY_SNIPER] = {CELL_SNIPER, CELL_SNIPER_FLASH, COLOR_MINT, 8.0F, 52.0F, 5, 250, 3, 60},
    [ENEMY_ORBITER] = {CELL_ORBITER, CELL_ORBITER_FLASH, COLOR_VIOLET, 8.0F, 50.0F, 6, 200, 2, 50},
    [ENEMY_TANK] = {CELL_TANK, CELL_TANK_FLASH, COLOR_EMBER, 13.0F, 76.0F, 26, 600, 8, 70},
};

const struct enemy_look *enemy_look(enum enemy_kind kind)
{
    return &looks[kind];
}

void enemies_reset(struct arena *arena)
{
    arena->enemy_count = 0;
    arena->enemy_high = 0;
    arena->enemy_free = -1;
    for (int i = 0; i < CELLS_ACROSS * CELLS_DOWN; i++) {
        arena->cells[i] = -1;
    }
}

static struct enemy *take_slot(struct arena *arena)
{
    struct enemy *enemy;
    if (arena->enemy_free >= 0) {
        enemy = &arena->pool[arena->enemy_free];
        arena->enemy_free = enemy->next;
    } else if (arena->enemy_high < ENEMIES_MAX) {
        enemy = &arena->pool[arena->enemy_high++];
    } else {
        return NULL;
    }
    arena->enemy_count++;
    return enemy;
}

static int cell_of(struct engine_vec2 at)
{
    int x = (int)at.x / CELL_SIZE;
    int y = (int)at.y / CELL_SIZE;
    x = x < 0 ? 0 : x >= CELLS_ACROSS ? CELLS_ACROSS - 1 : x;
    y = y < 0 ? 0 : y >= CELLS_DOWN ? CELLS_DOWN - 1 : y;
    return y * CELLS_ACROSS + x;
}

static void give_slot(struct arena *arena, struct enemy *enemy)
{
    enemy->used = false;
    enemy->next = arena->enemy_free;
    arena->enemy_free = (int)(enemy - arena->pool);
    arena->enemy_count--;
}

/* A kind that reacts to hits, or has something to do when slain, gets the signal for it. */
static bool make_signals(struct enemy *enemy)
{
    flow_world *world = enemy->game->world;
    if (enemy->kind == ENEMY_SNIPER || enemy->kind == ENEMY_TANK) {
        return flow_signal_init(&enemy->hit, world) == FLOW_OK;
    }
    if (enemy->kind == ENEMY_SPLITTER) {
        return flow_signal_init(&enemy->slain, world) == FLOW_OK;
    }
    return true;
}

static flow_handle start_mind(struct enemy *enemy)
{
    const flow_options options = {.owner = enemy->game->arena.enemies};
    flow_world *world = enemy->game->world;
    switch (enemy->kind) {
    case ENEMY_CHASER:
        return FLOW_RUN_WITH(world, &options, chaser, .enemy = enemy);
    case ENEMY_SPLITTER:
        return FLOW_RUN_WITH(world, &options, splitter, .enemy = enemy);
    case ENEMY_SNIPER:
        return FLOW_RUN_WITH(world, &options, sniper, .enemy = enemy);
    case ENEMY_ORBITER:
        return FLOW_RUN_WITH(world, &options, orbiter, .enemy = enemy);
    case ENEMY_TANK:
        return FLOW_RUN_WITH(world, &options, tank, .enemy = enemy);
    case ENEMY_DRIFTER:
    case ENEMY_SHARD:
    case ENEMY_KIND_COUNT:
        break;
    }
    return FLOW_RUN_WITH(world, &options, drifter, .enemy = enemy);
}

bool enemy_spawn(struct game *game, enum enemy_kind kind, struct engine_vec2 at)
{
    struct arena *arena = &game->arena;
    struct enemy *enemy = take_slot(arena);
    if (enemy == NULL) {
        return false;
    }
    *enemy = (struct enemy){.game = game,
                            .at = at,
                            .before = at,
                            .radius = looks[kind].radius,
                            .heading = (angle)engine_random_below(&arena->enemy_random, 65536),
                            .kind = kind,
                            .health = looks[kind].health,
                            .arriving = looks[kind].arriving,
                            .used = true,
                            .next = -1};
    if (make_signals(enemy)) {
        enemy->flow = start_mind(enemy);
    }
    if (enemy->flow.generation == 0) {
        flow_signal_fini(&enemy->hit);
        flow_signal_fini(&enemy->slain);
        give_slot(arena, enemy);
        return false;
    }
    return true;
}

int enemies_alive(const struct arena *arena)
{
    int count = 0;
    for (int i = 0; i < arena->enemy_high; i++) {
        count += arena->pool[i].used && !arena->pool[i].dying;
    }
    return count;
}

/* Walls turn it back. */
static void bounce(struct enemy *enemy)
{
    struct engine_vec2 inside = arena_clamp(enemy->at, enemy->radius);
    if (inside.x != enemy->at.x) {
        enemy->heading = (angle)(ANGLE_HALF - enemy->heading);
        enemy->velocity.x = -enemy->velocity.x;
    }
    if (inside.y != enemy->at.y) {
        enemy->heading = (angle)(0 - enemy->heading);
        enemy->velocity.y = -enemy->velocity.y;
    }
    enemy->at = inside;
}

void enemies_step(struct game *game)
{
    struct arena *arena = &game->arena;
    for (int i = 0; i < CELLS_ACROSS * CELLS_DOWN; i++) {
        arena->cells[i] = -1;
    }
    for (int i = 0; i < arena->enemy_high; i++) {
        struct enemy *enemy = &arena->pool[i];
        if (!enemy->used) {
            continue;
        }
        enemy->before = enemy->at;
        if (enemy->arriving > 0) {
            enemy->arriving--;
        } else {
            enemy->at = vec_add(enemy->at, enemy->velocity);
            bounce(enemy);
        }
        enemy->flash -= enemy->flash > 0;
        int cell = cell_of(enemy->at);
        enemy->next_in_cell = arena->cells[cell];
        arena->cells[cell] = i;
    }
}

/* Scores a kill, and ends the enemy: its flow is cancelled, unless it waits to hear of it. */
static void slay(struct enemy *enemy)
{
    struct game *game = enemy->game;
    const struct enemy_look *look = enemy_look(enemy->kind);
    int gain = look->score * arena_multiplier(&game->arena);
    enemy->dying = true;
    game->arena.score += gain;
    fx_number(&game->fx, enemy->at, gain);
    fx_ring(&game->fx, enemy->at, 26.0F, 3.0F, 0.35F, look->color);
    fx_ripple(&game->fx, enemy->at, 3.0F);
    fx_burst(&game->fx, enemy->at, look->color, 12, 190.0F);
    fx_shake(&game->fx, 0.12F);
    motes_drop(game, enemy->at, look->motes);
    game_sound(game, SOUND_EXPLODE, enemy->at.x);
    arena_set_chain(&game->arena, game->arena.chain + 1);
    (void)flow_emit(&game->arena.killed, NULL);
    if (flow_emit(&enemy->slain, NULL) == 0) {
        (void)flow_cancel(game->world, enemy->flow);
    }
}

void enemy_hurt(struct enemy *enemy, int damage)
{
    enemy->flash = 4;
    enemy->health -= damage;
    if (enemy->health <= 0) {
        slay(enemy);
        return;
    }
    game_sound(enemy->game, SOUND_HIT, enemy->at.x);
    (void)flow_emit(&enemy->hit, NULL);
}

void enemy_end(struct enemy *enemy)
{
    struct game *game = enemy->game;
    bool crowd = game->arena.enemy_count > 400;
    fx_burst(&game->fx, enemy->at, enemy_look(enemy->kind)->color, crowd ? 3 : 8, 150.0F);
    flow_signal_fini(&enemy->hit);
    flow_signal_fini(&enemy->slain);
    give_slot(&game->arena, enemy);
}

void enemy_steer(struct enemy *enemy, angle to, int turn, float speed)
{
    enemy->heading = angle_towards(enemy->heading, to, turn);
    enemy->velocity = angle_vector(enemy->heading, speed);
}

angle enemy_to_player(const struct enemy *enemy)
{
    return angle_of(vec_sub(enemy->game->arena.player.at, enemy->at));
}

int enemy_sees_player(void *enemy)
{
    const struct enemy *e = enemy;
    const struct player *player = &e->game->arena.player;
    return player->alive && vec_apart2(e->at, player->at) < 190.0F * 190.0F;
}

static angle way_out(const struct enemy *enemy)
{
    bool low = enemy->at.y > (FIELD_TOP + FIELD_BOTTOM) / 2;
    bool right = enemy->at.x > (FIELD_LEFT + FIELD_RIGHT) / 2;
    float x = right ? FIELD_RIGHT - enemy->at.x : enemy->at.x - FIELD_LEFT;
    float y = low ? FIELD_BOTTOM - enemy->at.y : enemy->at.y - FIELD_TOP;
    if (x < y) {
        return right ? (angle)0 : ANGLE_HALF;
    }
    return low ? ANGLE_QUARTER : (angle)(3 * ANGLE_QUARTER);
}

/* The walls hold it: there it goes out. */
static bool is_at_wall(const struct enemy *enemy)
{
    struct engine_vec2 inside = arena_clamp(enemy->at, enemy->radius + 3.0F);
    return inside.x != enemy->at.x || inside.y != enemy->at.y;
}

FLOW_DEFINE(retreat)
{
    FLOW_BEGIN;
    for (self->steps = 0; self->steps < 240 && !is_at_wall(self->enemy); self->steps++) {
        enemy_steer(self->enemy, way_out(self->enemy), 900, 2.6F);
        FLOW_AWAIT(flow_next_tick());
    }
    FLOW_END;
}
