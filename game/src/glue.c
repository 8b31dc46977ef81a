/* SPDX-License-Identifier: MIT */
/*
 * flow needs four calls: a world, begin_frame, tick and destroy. Here are the middle two, as
 * callbacks that come last in their phase, after the host's own work.
 *
 * FIXED runs as many steps as the game's clock calls for: its effective scale drives the engine's
 * steps, and is read anew after each, so that a flow that pauses or slows the game in one step is
 * heeded before the next.
 */
#include "glue.h"

#include "flow_sdl.h"
#include "game.h"

static const double wind_down_seconds = 2.0;
static const double frame_budget = 0.006; /* seconds that flows may take of a frame */

static void report_failure(void *user, const flow_failure *failure)
{
    struct game *game = user;
    game->failures++;
    (void)fprintf(stderr, "emberline: a flow failed: %s: %s (%d) at %s:%d\n", failure->path,
                  failure->message != NULL ? failure->message : "no message", failure->code,
                  failure->file, failure->line);
}

/* Who quits while files are read drops them: that is as it should be, and nobody is told. */
static void report_warning(void *user, const flow_warning *warning)
{
    (void)user;
    if (warning->id != FLOW_WARNING_DROPPED_AT_DESTROY) {
        (void)fprintf(stderr, "emberline: flow warns: %s\n", warning->text);
    }
}

/* Threads and clocks make no two runs the same: where inputs are to be replayed, they are left out.
 */
static bool may_differ(const struct options *options)
{
    return !options->headless && options->script == NULL && options->record == NULL &&
           options->replay == NULL;
}

static uint64_t budget_clock(void *user)
{
    const struct game *game = user;
    return (uint64_t)engine_now(game->engine);
}

/* Without a clock what yields over budget yields every time. */
flow_world *glue_create_world(struct game *game)
{
    const struct options *options = game->options;
    bool timed = may_differ(options) || options->profile.counted;
    const flow_world_desc desc = {.name = "emberline",
                                  .on_failure = report_failure,
                                  .on_warning = report_warning,
                                  .now_ns = timed ? budget_clock : NULL,
                                  .frame_budget = frame_budget,
                                  .user = game};
    return flow_world_create(&desc);
}

void glue_open_workers(struct game *game)
{
    const struct options *options = game->options;
    struct boot_state *boot = &game->boot;
    slow_disk_init(&boot->disk, options->slow_io / 1000.0);
    boot->executor = &boot->disk.executor;
    bool wants = may_differ(options) || options->bench == BENCH_LOAD;
    boot->pool = wants ? flow_sdl_pool_create(NULL) : NULL;
    if (boot->pool != NULL) {
        boot->executor = flow_sdl_pool_executor(boot->pool);
    }
}

void glue_close_workers(struct game *game)
{
    (void)flow_sdl_pool_destroy(game->boot.pool);
    game->boot.pool = NULL;
}

uint64_t glue_now_ns(void)
{
    return flow_sdl_now_ns(NULL);
}

static void follow_game_clock(struct game *game)
{
    (void)engine_set_time_scale(game->engine,
                                flow_clock_effective_scale(game->world, FLOW_CLOCK_GAME));
}

static flow_phase flow_phase_for(enum engine_phase phase)
{
    switch (phase) {
    case ENGINE_PHASE_EARLY:
        return FLOW_EARLY;
    case ENGINE_PHASE_FIXED:
        return FLOW_FIXED;
    case ENGINE_PHASE_UPDATE:
        return FLOW_UPDATE;
    case ENGINE_PHASE_LATE:
        return FLOW_LATE;
    case ENGINE_PHASE_BEGIN:
    case ENGINE_PHASE_RENDER:
    case ENGINE_PHASE_PRESENT:
    case ENGINE_PHASE_END:
    case ENGINE_PHASE_PACE:
    case ENGINE_PHASE_COUNT:
        break;
    }
    return FLOW_END_OF_FRAME;
}

static void begin_frame(struct engine *engine, void *user, const struct engine_frame *frame)
{
    struct game *game = user;
    (void)engine;
    slow_disk_advance(&game->boot.disk, frame->real_dt);
    (void)flow_world_begin_frame(game->world, frame->real_dt);
    follow_game_clock(game);
}

static void tick(struct engine *engine, void *user, const struct engine_frame *frame)
{
    struct game *game = user;
    (void)engine;
    (void)flow_world_tick(game->world, flow_phase_for(frame->phase), frame->dt);
    follow_game_clock(game);
}

static void work(struct engine *engine, void *user, const struct engine_frame *frame)
{
    struct game *game = user;
    (void)engine;
    switch (frame->phase) {
    case ENGINE_PHASE_EARLY:
        game_on_early(game);
        break;
    case ENGINE_PHASE_FIXED:
        game_on_fixed(game);
        break;
    case ENGINE_PHASE_UPDATE:
        game_on_update(game, frame->dt);
        break;
    case ENGINE_PHASE_RENDER:
        game_on_render(game, frame->alpha);
        break;
    case ENGINE_PHASE_END:
        game_on_end(game);
        break;
    case ENGINE_PHASE_BEGIN:
    case ENGINE_PHASE_LATE:
    case ENGINE_PHASE_PRESENT:
    case ENGINE_PHASE_PACE:
    case ENGINE_PHASE_COUNT:
        break;
    }
}

bool glue_register(struct game *game)
{
    struct engine *engine = game->engine;
    return engine_on(engine, ENGINE_PHASE_EARLY, work, game, "game early") &&
           engine_on(engine, ENGINE_PHASE_FIXED, work, game, "game fixed") &&
           engine_on(engine, ENGINE_PHASE_UPDATE, work, game, "game update") &&
           engine_on(engine, ENGINE_PHASE_RENDER, work, game, "game render") &&
           engine_on(engine, ENGINE_PHASE_END, work, game, "game end") &&
           engine_on_last(engine, ENGINE_PHASE_BEGIN, begin_frame, game, "flow begin") &&
           engine_on_last(engine, ENGINE_PHASE_EARLY, tick, game, "flow early") &&
           engine_on_last(engine, ENGINE_PHASE_FIXED, tick, game, "flow fixed") &&
           engine_on_last(engine, ENGINE_PHASE_UPDATE, tick, game, "flow update") &&
           engine_on_last(engine, ENGINE_PHASE_LATE, tick, game, "flow late") &&
           engine_on_last(engine, ENGINE_PHASE_END, tick, game, "flow end");
}

static double real_now(const struct game *game)
{
    return flow_clock_now(game->world, FLOW_CLOCK_REAL, FLOW_UPDATE);
}

static bool iterate(struct game *game)
{
    profiling_next_frame(game);
    return engine_iterate(game->engine);
}

int glue_run(struct game *game)
{
    while (iterate(game)) {
    }
    game->over = true;
    profiling_end(game);
    (void)flow_cancel(game->world, game->root);
    if (game->options->stress > 0) {
        stress_end(game);
    }
    double since = real_now(game);
    while (flow_world_counters(game->world).live > 0 &&
           real_now(game) - since < wind_down_seconds) {
        (void)engine_iterate(game->engine);
    }
    return (int)flow_world_counters(game->world).live;
}
