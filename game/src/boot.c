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
    struct engine *engine;
    struct engine_asset asset;
    int slow_ms; /* that a thread takes at least; a slow disk waits by itself */
};

static int load_job(flow_job *job, void *data)
{
    const struct boot_job *file = data;
    if (file->slow_ms > 0) {
        engine_sleep((int64_t)file->slow_ms * 1000000);
    }
    return flow_job_stopped(job) || engine_asset_read(file->engine, file->asset, NULL)
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
        flow_set_add(
            &self->parts, i,
            FLOW_CALL(load_part, .game = self->game,
                      .job = {self->game->engine, art_asset(&self->game->art, (enum art_part)i),
                              self->game->boot.pool != NULL ? self->game->options->slow_io : 0}));
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

/* The first error that there is, of a file or of the flows that loaded them. */
static void explain(struct game *game, const flow_outcome *outcome)
{
    const char *reason = outcome->message;
    for (int i = ART_PARTS - 1; i >= 0; i--) {
        const char *error =
            engine_asset_error(game->engine, art_asset(&game->art, (enum art_part)i));
        reason = error[0] != '\0' ? error : reason;
    }
    (void)snprintf(game->boot.error, ENGINE_ERROR_SIZE, "%s", reason);
}

static bool take_all(struct boot *boot)
{
    struct game *game = boot->game;
    game->boot.ns = glue_now_ns() - boot->since;
    if (boot->outcome.state == FLOW_STATE_FAILED) {
        explain(game, &boot->outcome);
        return false;
    }
    return art_finish(&game->art, game->engine, game->boot.error);
}

FLOW_DEFINE(boot)
{
    FLOW_BEGIN;
    self->game->screens.now = SCREEN_BOOT;
    self->since = glue_now_ns();
    FLOW_SPAWN(boot_bar, .game = self->game);
    if (art_add(&self->game->art, self->game->engine, self->game->boot.error)) {
        FLOW_TRY(&self->outcome, FLOW_CALL(load_all, .game = self->game));
    }
    if (self->game->boot.error[0] != '\0' || !take_all(self)) {
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
    struct engine_vec2 tip = {bar.x + bar.w, ENGINE_HEIGHT / 2.0F};
    engine_draw_clear(game->engine, color(COLOR_NAVY));
    fx_draw_grid(game);
    engine_draw_rect(game->engine, back, color(COLOR_INK));
    engine_draw_gradient(game->engine, bar, color(COLOR_GOLD), color(COLOR_EMBER));
    engine_draw_frame(game->engine, back, 1.0F, color(COLOR_VIOLET));
    engine_draw_blend(game->engine, ENGINE_BLEND_ADD); /* without a picture: none is there yet */
    engine_draw_glow(game->engine, tip, 26.0F, color_faded(COLOR_EMBER, 0.5F),
                     color_faded(COLOR_EMBER, 0.0F));
    engine_draw_circle(game->engine, tip, 2.5F, color_faded(COLOR_WHITE, 0.9F));
    engine_draw_blend(game->engine, ENGINE_BLEND_ALPHA);
}
