/* SPDX-License-Identifier: MIT */
/*
 * Reading and decoding is the workers'; what the renderer has to do with it is done here when all
 * of it has arrived. A file that is missing or corrupt fails its part, and so the whole.
 */
#include "boot.h"

#include "game.h"
#include "glue.h"

/* One file, on a worker. */
struct boot_job {
    struct art_loading *loading;
    enum art_part part;
};

static int load_job(flow_job *job, void *data)
{
    const struct boot_job *file = data;
    return flow_job_stopped(job) || art_load_part(file->loading, file->part)
               ? 0
               : flow_job_fail(job, 1, "a file did not load");
}

struct load_part {
    flow_frame base;
    struct game *game;
    struct boot_job job;
};

FLOW_STATIC(load_part)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_run_on(self->game->boot.executor, load_job, &self->job));
    self->game->boot.loaded++;
    FLOW_END;
}

struct load_all {
    flow_frame base;
    struct game *game;
    flow_set parts;
};

FLOW_STATIC(load_all)
{
    FLOW_BEGIN;
    (void)flow_set_begin(flow, &self->parts);
    for (int i = 0; i < ART_PARTS; i++) {
        flow_set_add(&self->parts, i,
                     FLOW_CALL(load_part, .game = self->game,
                               .job = {&self->game->loading, (enum art_part)i}));
    }
    FLOW_AWAIT(flow_all_of(&self->parts));
    FLOW_END;
}

/* The bar runs after the truth, on the clock that no pause stops. */
struct boot_bar {
    flow_frame base;
    struct game *game;
};

static void run_after(struct boot_state *boot, double dt)
{
    float truth = (float)boot->loaded / (float)ART_PARTS;
    boot->bar += (truth - boot->bar) * clampf(9.0F * (float)dt, 0.0F, 1.0F);
}

FLOW_STATIC(boot_bar)
{
    FLOW_BEGIN;
    for (;;) {
        run_after(&self->game->boot, flow_dt(flow));
        FLOW_AWAIT(flow_next_frame());
    }
    FLOW_END;
}

static bool take_all(struct boot *boot)
{
    struct game *game = boot->game;
    bool loaded = boot->outcome.state != FLOW_STATE_FAILED;
    game->boot.ns = glue_now_ns() - boot->since;
    if (loaded) {
        return art_finish(&game->art, game->engine, &game->loading, game->boot.error);
    }
    const char *reason = art_loading_error(&game->loading);
    (void)snprintf(game->boot.error, ENGINE_ERROR_SIZE, "%s",
                   reason != NULL ? reason : boot->outcome.message);
    return false;
}

FLOW_DEFINE(boot)
{
    FLOW_BEGIN;
    self->game->screens.now = SCREEN_BOOT;
    self->since = glue_now_ns();
    art_loading_begin(&self->game->loading, self->game->engine, self->game->options->slow_io);
    FLOW_SPAWN(boot_bar, .game = self->game);
    FLOW_TRY(&self->outcome, FLOW_CALL(load_all, .game = self->game));
    if (!take_all(self)) {
        engine_request_quit(self->game->engine);
        FLOW_AWAIT(flow_never());
    }
    game_start_music(self->game);
    self->game->screens.wipe = 1.0F;
    FLOW_END;
}

void boot_draw(struct game *game)
{
    struct engine_rect back = {ENGINE_WIDTH / 2.0F - 101.0F, ENGINE_HEIGHT / 2.0F - 5.0F, 202.0F,
                               10.0F};
    struct engine_rect bar = {back.x + 2.0F, back.y + 2.0F,
                              198.0F * clampf(game->boot.bar, 0.0F, 1.0F), 6.0F};
    engine_draw_clear(game->engine, color(COLOR_NAVY));
    engine_draw_rect(game->engine, back, color(COLOR_INK));
    engine_draw_gradient(game->engine, bar, color(COLOR_GOLD), color(COLOR_EMBER));
    engine_draw_frame(game->engine, back, 1.0F, color(COLOR_VIOLET));
}
