/* SPDX-License-Identifier: MIT */
/*
 * The host fills the field before the flows' step and fires NOVA at the end of every 300 frames;
 * both are callbacks of their own, so that the engine's statistics tell their cost. Costs are
 * booked only for frames in which something was started, resumed or cancelled.
 */
#include "stress.h"

#include <string.h>

#include "enemies.h"
#include "game.h"
#include "play.h"

static const char fill_name[] = "stress fill";
static const char nova_name[] = "stress nova";

void stress_move_phantom(struct game *game)
{
    struct arena *arena = &game->arena;
    angle way = (angle)((uint64_t)arena->steps * 150u);
    struct player *player = &arena->player;
    player->alive = true;
    (void)flow_vote_cast_open(&game->stress.safe, &player->safe, 1.0);
    player->before = player->at;
    player->at = vec(ENGINE_WIDTH / 2.0F + 190.0F * angle_cos(way),
                     180.0F + 90.0F * angle_sin((angle)(2 * way)));
    player->aim = (angle)(way + ANGLE_QUARTER);
}

static void fill(struct engine *engine, void *user, const struct engine_frame *frame)
{
    struct game *game = user;
    struct engine_random *random = &game->arena.wave_random;
    (void)engine;
    (void)frame;
    stress_move_phantom(game);
    while (game->arena.enemy_count < game->options->stress) {
        struct engine_vec2 at = {
            engine_random_range(random, FIELD_LEFT + 8.0F, FIELD_RIGHT - 8.0F),
            engine_random_range(random, FIELD_TOP + 8.0F, FIELD_BOTTOM - 8.0F)};
        enum enemy_kind kind = engine_random_below(random, 4) == 0 ? ENEMY_CHASER : ENEMY_DRIFTER;
        if (!enemy_spawn(game, kind, at)) {
            break;
        }
        game->stress.started++;
    }
}

static void fire(struct engine *engine, void *user, const struct engine_frame *frame)
{
    struct game *game = user;
    (void)engine;
    if (frame->number % STRESS_NOVA_FRAMES == STRESS_NOVA_FRAMES - 1) {
        game->stress.cancelled += (uint64_t)game->arena.enemy_count;
        game->stress.novas++;
        nova_fire(game);
    }
}

bool stress_register(struct game *game)
{
    return engine_on(game->engine, ENGINE_PHASE_FIXED, fill, game, fill_name) &&
           engine_on(game->engine, ENGINE_PHASE_FIXED, fire, game, nova_name);
}

void stress_begin(struct game *game)
{
    const flow_handle nobody = {0};
    arena_begin(game, nobody);
    screen_enter(game, SCREEN_STRESS);
}

void stress_end(struct game *game)
{
    (void)flow_cancel(game->world, game->arena.enemies);
}

int64_t stress_cost_of(const struct engine *engine, const char *name)
{
    struct engine_callback_stats stats;
    for (int i = 0; engine_get_callback_stats(engine, i, &stats); i++) {
        if (strcmp(stats.name, name) == 0) {
            return stats.frame_ns;
        }
    }
    return 0;
}

static void book(const struct game *game, struct stress_cost *cost, uint64_t count,
                 const char *callback)
{
    if (count > 0) {
        cost->count += count;
        cost->ns += stress_cost_of(game->engine, callback);
    }
}

void stress_book(struct game *game)
{
    struct stress *stress = &game->stress;
    uint64_t resumed = flow_world_counters(game->world).resumed;
    book(game, &stress->start, stress->started, fill_name);
    book(game, &stress->cancel, stress->cancelled, nova_name);
    book(game, &stress->resume, resumed - stress->resumed, "flow fixed");
    stress->started = stress->cancelled = 0;
    stress->resumed = resumed;
}

static double ns_each(const struct stress_cost *cost)
{
    return cost->count > 0 ? (double)cost->ns / (double)cost->count : 0.0;
}

bool stress_print(const struct game *game, FILE *file)
{
    const struct engine_stats *stats = engine_get_stats(game->engine);
    const struct stress *stress = &game->stress;
    flow_counters counters = flow_world_counters(game->world);
    return fprintf(file,
                   "{\"stress\":%d,\"frames\":%lld,\"novas\":%d,\"live_peak\":%lu,"
                   "\"started\":%llu,\"cancelled\":%llu,\"finally_runs\":%llu,\"left\":%lu,"
                   "\"work_p50_ms\":%.3f,\"work_p99_ms\":%.3f,\"work_max_ms\":%.3f,"
                   "\"ns_per_start\":%.1f,\"ns_per_resume\":%.1f,\"ns_per_cancel\":%.1f}\n",
                   game->options->stress, (long long)engine_stats_count(stats), stress->novas,
                   (unsigned long)counters.live_peak, (unsigned long long)counters.started,
                   (unsigned long long)counters.cancelled,
                   (unsigned long long)counters.finally_runs, (unsigned long)counters.live,
                   (double)engine_stats_percentile(stats, ENGINE_SERIES_WORK, 0.5) / 1e6,
                   (double)engine_stats_percentile(stats, ENGINE_SERIES_WORK, 0.99) / 1e6,
                   (double)engine_stats_max(stats, ENGINE_SERIES_WORK) / 1e6,
                   ns_each(&stress->start), ns_each(&stress->resume), ns_each(&stress->cancel)) > 0;
}

void stress_draw(struct game *game)
{
    char text[64];
    flow_counters counters = flow_world_counters(game->world);
    (void)snprintf(text, sizeof text, "STRESS %d", game->options->stress);
    game_text(game, 10.0F, 6.0F, 2.0F, color(COLOR_WHITE), ENGINE_ALIGN_LEFT, text);
    (void)snprintf(text, sizeof text, "NOVAS %d", game->stress.novas);
    game_text(game, ENGINE_WIDTH / 2.0F, 10.0F, 1.0F, color(COLOR_GOLD), ENGINE_ALIGN_CENTER, text);
    (void)snprintf(text, sizeof text, "CANCELLED %llu", (unsigned long long)counters.cancelled);
    game_text(game, ENGINE_WIDTH - 10.0F, 10.0F, 1.0F, color_faded(COLOR_WHITE, 0.8F),
              ENGINE_ALIGN_RIGHT, text);
    hud_draw_meters(game);
}
