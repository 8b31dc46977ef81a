/* SPDX-License-Identifier: MIT */
/*
 * The frame that counts is the one in which the most flows were cancelled: its work is known a
 * frame later, from the engine's statistics; its cancels are counted by the world.
 */
#include "bench.h"

#include <string.h>

#include "enemies.h"
#include "game.h"

enum { CROWD = 600, CROWD_FRAME = 60, LEAVE_FRAME = 180 };

static const char *const names[] = {"none",     "idle",       "wave", "nova500",
                                    "nova5000", "transition", "load"};

bool bench_choose(struct options *options, const char *name)
{
    static const long frames[] = {0, 600, 1500, 620, 620, 300, 120};
    for (int i = BENCH_IDLE; i <= BENCH_LOAD; i++) {
        if (strcmp(names[i], name) == 0) {
            options->bench = (enum bench)i;
            options->frames = frames[i];
            options->headless = true;
            options->stress = i == BENCH_NOVA500 ? 500 : i == BENCH_NOVA5000 ? 5000 : 0;
            options->scene = i == BENCH_WAVE ? SCREEN_PLAY : SCREEN_TITLE;
            options->first_wave = i == BENCH_WAVE ? 3 : 1;
            return true;
        }
    }
    return false;
}

/* Fills the title with a crowd, and leaves it. */
static void stage_transition(struct game *game, uint64_t frame)
{
    if (frame == CROWD_FRAME) {
        for (int i = 0; i < CROWD; i++) {
            int row = i / 60;
            struct engine_vec2 at = {20.0F + 10.0F * (float)(i % 60), 40.0F + 28.0F * (float)row};
            game->bench.missing +=
                !enemy_spawn(game, i % 4 == 0 ? ENEMY_CHASER : ENEMY_DRIFTER, at);
        }
    } else if (frame == LEAVE_FRAME) {
        screen_leave(game, SCREEN_PLAY);
    }
}

/* What one of this frame's cancels took, its finally section included; 0 where nobody measured. */
static double cancel_ns(const struct game *game, uint64_t count)
{
    if (game->options->stress > 0) {
        return (double)stress_cost_of(game->engine, "stress nova") / (double)count;
    }
    return game->options->bench == BENCH_TRANSITION ? (double)game->bench.close_ns / (double)count
                                                    : 0.0;
}

void bench_book(struct game *game)
{
    struct bench_state *bench = &game->bench;
    uint64_t frame = engine_frame_number(game->engine);
    uint64_t cancelled = flow_world_counters(game->world).cancelled;
    uint64_t now = cancelled - bench->cancelled;
    const struct engine_frame_stats *last = engine_stats_recent(engine_get_stats(game->engine), 0);
    if (last != NULL && last->number == bench->event_frame) {
        bench->event_work_ns = last->work_ns;
    }
    if (now > bench->event_cancelled) {
        bench->event_cancelled = now;
        bench->event_frame = frame;
        bench->event_cancel_ns = cancel_ns(game, now);
    }
    bench->cancelled = cancelled;
    if (game->options->bench == BENCH_TRANSITION) {
        stage_transition(game, frame);
    }
}

bool bench_print(const struct game *game, FILE *file)
{
    const struct engine_stats *stats = engine_get_stats(game->engine);
    const struct bench_state *bench = &game->bench;
    flow_counters counters = flow_world_counters(game->world);
    return fprintf(file,
                   "{\"bench\":\"%s\",\"frames\":%lld,\"live_peak\":%lu,\"started\":%llu,"
                   "\"resumed\":%llu,\"cancelled\":%llu,\"finally_runs\":%llu,\"left\":%lu,"
                   "\"missing\":%d,\"work_p50_ms\":%.3f,\"work_p99_ms\":%.3f,\"work_max_ms\":%.3f,"
                   "\"load_ms\":%.3f,\"event_frame\":%llu,\"event_cancelled\":%llu,"
                   "\"event_work_ms\":%.3f,\"event_cancel_ns\":%.1f}\n",
                   names[game->options->bench], (long long)engine_stats_count(stats),
                   (unsigned long)counters.live_peak, (unsigned long long)counters.started,
                   (unsigned long long)counters.resumed, (unsigned long long)counters.cancelled,
                   (unsigned long long)counters.finally_runs, (unsigned long)counters.live,
                   bench->missing,
                   (double)engine_stats_percentile(stats, ENGINE_SERIES_WORK, 0.5) / 1e6,
                   (double)engine_stats_percentile(stats, ENGINE_SERIES_WORK, 0.99) / 1e6,
                   (double)engine_stats_max(stats, ENGINE_SERIES_WORK) / 1e6,
                   (double)game->boot.ns / 1e6, (unsigned long long)bench->event_frame,
                   (unsigned long long)bench->event_cancelled, (double)bench->event_work_ns / 1e6,
                   bench->event_cancel_ns) > 0;
}
