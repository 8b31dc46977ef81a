/* SPDX-License-Identifier: MIT */
/*
 * The field and everything on it, between the last two steps. Drawn in groups of one texture and
 * one blending, so that five thousand enemies are two draw calls.
 */
#include "game.h"

#include "enemies.h"

enum { BANDS = 14 };

/* A crowd is drawn small, upright and without light: pixels are what it costs. */
static bool is_crowd(const struct arena *arena)
{
    return arena->enemy_count > 1200;
}

/* Bands rather than a gradient: plain rectangles are what a software renderer is fast at. */
static void draw_backdrop(struct game *game)
{
    struct engine_rect field = {FIELD_LEFT, FIELD_TOP, FIELD_RIGHT - FIELD_LEFT,
                                FIELD_BOTTOM - FIELD_TOP};
    engine_draw_clear(game->engine, color(COLOR_NAVY));
    for (int i = 1; i < BANDS; i++) {
        float height = field.h / (float)BANDS;
        struct engine_rect band = {field.x, field.y + height * (float)i, field.w, height};
        engine_draw_rect(game->engine, band, color_faded(COLOR_INK, (float)i / (float)BANDS));
    }
    fx_draw_grid(game);
    engine_draw_frame(game->engine, field, 1.0F, color_faded(COLOR_VIOLET, 0.7F));
}

static void draw_motes(struct game *game, float alpha)
{
    const struct arena *arena = &game->arena;
    for (int i = 0; i < MOTES_MAX; i++) {
        const struct mote *mote = &arena->motes[i];
        /* About to go, it flickers. */
        if (mote->used && (mote->age < 480 || mote->age / 4 % 2 == 0)) {
            art_draw(&game->art, game->engine, mote->age / 10 % 2 ? CELL_MOTE_1 : CELL_MOTE_0,
                     vec_mix(mote->before, mote->at, alpha), 1.0F, 0.0F, color_plain(1.0F));
        }
    }
}

static void draw_enemy_lights(struct game *game, float alpha)
{
    const struct arena *arena = &game->arena;
    bool crowd = is_crowd(arena);
    for (int i = 0; i < arena->enemy_high; i++) {
        const struct enemy *enemy = &arena->pool[i];
        if (!enemy->used) {
            continue;
        }
        const struct enemy_look *look = enemy_look(enemy->kind);
        float size = crowd ? look->glow * 0.5F : look->glow;
        struct engine_vec2 at = vec_mix(enemy->before, enemy->at, alpha);
        if (enemy->arriving > 0) {
            float t = (float)enemy->arriving / (float)look->arriving;
            art_stamp(&game->art, game->engine, CELL_RING32, at,
                      vec(size * (0.4F + t), size * (0.4F + t)), 0.0F,
                      color_faded(look->color, 1.0F - t));
            continue;
        }
        if (!crowd) {
            art_stamp(&game->art, game->engine, CELL_GLOW32, at, vec(size, size), 0.0F,
                      color_faded(look->color, 0.6F));
        }
    }
}

static void draw_enemy_bodies(struct game *game, float alpha)
{
    const struct arena *arena = &game->arena;
    bool crowd = is_crowd(arena);
    float size = crowd ? 0.6F : 1.0F;
    for (int i = 0; i < arena->enemy_high; i++) {
        const struct enemy *enemy = &arena->pool[i];
        if (!enemy->used || enemy->arriving > 8) {
            continue;
        }
        const struct enemy_look *look = enemy_look(enemy->kind);
        angle turn = (angle)(enemy->heading + ANGLE_QUARTER);
        art_draw(&game->art, game->engine, enemy->flash > 0 ? look->flash : look->cell,
                 vec_mix(enemy->before, enemy->at, alpha), size - (float)enemy->arriving / 10.0F,
                 crowd ? 0.0F : angle_radians(turn), color_plain(1.0F));
    }
}

/* How far it is from inside the field to its edge. */
static float distance_to_edge(struct engine_vec2 from, struct engine_vec2 way)
{
    float x = way.x > 0.0F ? (FIELD_RIGHT - from.x) / way.x : (FIELD_LEFT - from.x) / way.x;
    float y = way.y > 0.0F ? (FIELD_BOTTOM - from.y) / way.y : (FIELD_TOP - from.y) / way.y;
    return clampf(x < y ? x : y, 0.0F, 700.0F);
}

/* Where a sniper aims, one sees: thin, then bright. */
static void draw_aims(struct game *game, float alpha)
{
    const struct arena *arena = &game->arena;
    for (int i = 0; i < arena->enemy_high; i++) {
        const struct enemy *enemy = &arena->pool[i];
        if (enemy->used && enemy->aiming > 0) {
            struct engine_vec2 from = vec_mix(enemy->before, enemy->at, alpha);
            struct engine_vec2 way = angle_vector(enemy->heading, 1.0F);
            float t = (float)enemy->aiming / (float)SNIPER_AIM_STEPS;
            engine_draw_beam(game->engine, from,
                             vec_add(from, vec_scale(way, distance_to_edge(from, way))),
                             0.6F + 1.2F * t, color_faded(COLOR_MINT, 0.2F + 0.7F * t),
                             color_faded(COLOR_MINT, 0.05F));
        }
    }
}

static void draw_orb(struct game *game, struct engine_vec2 at)
{
    art_draw(&game->art, game->engine, CELL_GLOW16, at, 1.4F, 0.0F,
             color_faded(COLOR_MAGENTA, 0.5F));
    art_draw(&game->art, game->engine, CELL_BULLET_ENEMY, at, 1.0F, 0.0F, color_plain(1.0F));
}

static void draw_bullets(struct game *game, const struct bullet *bullets, int count, float alpha,
                         enum cell cell, enum palette light)
{
    for (int i = 0; i < count; i++) {
        bool orb = bullets[i].look == SHOT_ORB;
        if (bullets[i].used && orb) {
            draw_orb(game, vec_mix(bullets[i].before, bullets[i].at, alpha));
        } else if (bullets[i].used) {
            struct engine_vec2 at = vec_mix(bullets[i].before, bullets[i].at, alpha);
            float turn = angle_radians((angle)(bullets[i].heading + ANGLE_QUARTER));
            art_draw(&game->art, game->engine, CELL_GLOW16, at, 1.3F, 0.0F,
                     color_faded(light, 0.5F));
            art_draw(&game->art, game->engine, cell, at, 1.0F, turn, color_plain(1.0F));
        }
    }
}

static void draw_charge(struct game *game, struct engine_vec2 at)
{
    const struct player *player = &game->arena.player;
    float top = -1.5707963F;
    engine_draw_ring(game->engine, at, 30.0F, 1.0F, color_faded(COLOR_WHITE, 0.4F));
    engine_draw_arc(game->engine, at, 30.0F, 4.0F, top, top + 6.2831853F * player->charge,
                    color_faded(COLOR_WHITE, 0.9F));
    engine_draw_glow(game->engine, at, 20.0F + 60.0F * player->charge,
                     color_faded(COLOR_CYAN, 0.6F * player->charge), color_faded(COLOR_CYAN, 0.0F));
}

/* Where the mouse is, or a little ahead. */
static void draw_crosshair(struct game *game, struct engine_vec2 from)
{
    const struct player *player = &game->arena.player;
    struct engine_vec2 at = player->mouse_aims ? engine_input(game->engine)->mouse
                                               : vec_add(from, angle_vector(player->aim, 46.0F));
    art_draw(&game->art, game->engine, CELL_CROSSHAIR, at, 1.0F, 0.0F,
             color_faded(COLOR_WHITE, 0.6F));
}

static void draw_player(struct game *game, float alpha)
{
    const struct player *player = &game->arena.player;
    if (!player->alive) {
        return;
    }
    struct engine_vec2 at = vec_mix(player->before, player->at, alpha);
    bool blink =
        player->safe.count > 0 && !player->dashing && (int)(game->fx.time * 12.0F) % 2 == 0;
    bool flap = (int)(game->fx.time * 9.0F) % 2 == 0;
    engine_draw_blend(game->engine, ENGINE_BLEND_ADD);
    art_draw(&game->art, game->engine, CELL_GLOW64, at, 1.25F, 0.0F, color_faded(COLOR_CYAN, 0.5F));
    if (player->charge > 0.0F) {
        draw_charge(game, at);
    }
    engine_draw_blend(game->engine, ENGINE_BLEND_ALPHA);
    art_draw(&game->art, game->engine,
             player->dashing ? CELL_MOTH_FLASH
             : flap          ? CELL_MOTH_0
                             : CELL_MOTH_1,
             at, 1.0F, angle_radians((angle)(player->aim + ANGLE_QUARTER)),
             color_plain(blink ? 0.35F : 1.0F));
    draw_crosshair(game, at);
}

void game_draw_arena(struct game *game, float alpha)
{
    const struct arena *arena = &game->arena;
    struct engine_camera camera = {.position = {ENGINE_WIDTH / 2.0F, ENGINE_HEIGHT / 2.0F},
                                   .shake = game->fx.shake};
    engine_draw_camera(game->engine, &camera);
    draw_backdrop(game);
    engine_draw_blend(game->engine, ENGINE_BLEND_ADD);
    draw_enemy_lights(game, alpha);
    draw_aims(game, alpha);
    engine_draw_blend(game->engine, ENGINE_BLEND_ALPHA);
    draw_motes(game, alpha);
    draw_enemy_bodies(game, alpha);
    boss_draw(game, alpha);
    draw_bullets(game, arena->shots, SHOTS_MAX, alpha, CELL_BULLET_SNIPER, COLOR_MINT);
    draw_bullets(game, arena->bullets, BULLETS_MAX, alpha, CELL_BULLET, COLOR_CYAN);
    draw_player(game, alpha);
    fx_draw_light(game);
    fx_draw_numbers(game);
    engine_draw_camera(game->engine, NULL);
}

void game_text(struct game *game, float x, float y, float scale, struct engine_color color,
               enum engine_align align, const char *text)
{
    struct engine_text style = {.position = {x, y}, .scale = scale, .color = color, .align = align};
    engine_draw_text(game->engine, &style, text);
}
