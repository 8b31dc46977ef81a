/* SPDX-License-Identifier: MIT */
/*
 * Numbers run after the truth, banners slide in and out; each by a flow that ends with its screen.
 */
#include "hud.h"

#include <math.h>
#include <string.h>

#include "game.h"

static void chase_numbers(struct game *game)
{
    struct hud_state *hud = &game->hud;
    float score = (float)game->arena.score;
    float energy = (float)game->arena.player.energy / (float)NOVA_FULL;
    hud->score += (score - hud->score) * 0.18F;
    if (fabsf(score - hud->score) < 1.0F) {
        hud->score = score;
    }
    hud->energy += (energy - hud->energy) * 0.2F;
}

FLOW_DEFINE(hud)
{
    FLOW_BEGIN;
    memset(&self->game->hud, 0, sizeof self->game->hud);
    FLOW_SPAWN(hud_multiplier, .game = self->game);
    for (;;) {
        chase_numbers(self->game);
        FLOW_AWAIT(flow_next_frame());
    }
    FLOW_END;
}

FLOW_DEFINE(hud_multiplier)
{
    FLOW_BEGIN;
    for (;;) {
        self->before = self->value;
        FLOW_AWAIT(flow_property_changed(&self->game->arena.multiplier, &self->seen, &self->value));
        if (self->value > self->before) {
            self->game->hud.multiplier = 1.0F;
            FLOW_AWAIT(FLOW_CALL(tween, .value = &self->game->hud.multiplier, .seconds = 0.3,
                                 .ease = engine_ease_out_cubic));
        }
    }
    FLOW_END;
}

static void set_banner(const struct banner *banner)
{
    struct hud_state *hud = &banner->game->hud;
    (void)snprintf(hud->title, sizeof hud->title, "%s %d", banner->title, banner->number);
    (void)snprintf(hud->detail, sizeof hud->detail, "%s", banner->detail);
    hud->banner = 0.0F;
}

FLOW_DEFINE(banner)
{
    FLOW_BEGIN;
    set_banner(self);
    FLOW_AWAIT(FLOW_CALL(tween, .value = &self->game->hud.banner, .to = 1.0F, .seconds = 0.45,
                         .ease = engine_ease_out_cubic));
    FLOW_AWAIT(flow_seconds(1.1));
    FLOW_AWAIT(FLOW_CALL(tween, .value = &self->game->hud.banner, .to = 2.0F, .seconds = 0.35,
                         .ease = engine_ease_in_out));
    FLOW_FINALLY;
    self->game->hud.banner = 0.0F;
    FLOW_END;
}

FLOW_DEFINE(nova_tally)
{
    FLOW_BEGIN;
    FLOW_AWAIT(FLOW_CALL(tween, .value = &self->game->hud.nova_count, .to = 1.0F, .seconds = 0.35,
                         .ease = engine_ease_out_back));
    FLOW_AWAIT(flow_seconds(1.4));
    FLOW_AWAIT(FLOW_CALL(tween, .value = &self->game->hud.nova_count, .to = 0.0F, .seconds = 0.25,
                         .ease = engine_ease_in_out));
    FLOW_FINALLY;
    self->game->hud.nova_count = 0.0F;
    FLOW_END;
}

static void draw_boss_bar(struct game *game)
{
    struct engine_rect back = {ENGINE_WIDTH / 2.0F - 110.0F, 15.0F, 220.0F, 7.0F};
    struct engine_rect bar = {back.x + 1.0F, back.y + 1.0F,
                              218.0F * clampf(game->hud.boss_health, 0.0F, 1.0F), 5.0F};
    game_text(game, ENGINE_WIDTH / 2.0F, 4.0F, 1.0F, color(COLOR_EMBER), ENGINE_ALIGN_CENTER,
              "THE KINDLER");
    engine_draw_rect(game->engine, back, color(COLOR_INK));
    engine_draw_rect(game->engine, bar, color(COLOR_MAGENTA));
    engine_draw_frame(game->engine, back, 1.0F, color(COLOR_VIOLET));
    for (int i = 1; i < 3; i++) {
        struct engine_rect mark = {back.x + 220.0F * (float)i / 3.0F, back.y, 1.0F, back.h};
        engine_draw_rect(game->engine, mark, color(COLOR_WHITE));
    }
}

static void draw_score(struct game *game)
{
    char text[48];
    int multiplier = arena_multiplier(&game->arena);
    (void)snprintf(text, sizeof text, "%08ld", (long)game->hud.score);
    game_text(game, 10.0F, 6.0F, 2.0F, color(COLOR_WHITE), ENGINE_ALIGN_LEFT, text);
    if (multiplier > 1) {
        (void)snprintf(text, sizeof text, "x%d", multiplier);
        float swell = game->hud.multiplier;
        game_text(game, 146.0F, 6.0F - floorf(3.0F * swell), swell > 0.3F ? 3.0F : 2.0F,
                  color(COLOR_GOLD), ENGINE_ALIGN_LEFT, text);
    }
    (void)snprintf(text, sizeof text, "WAVE %d", game->arena.wave);
    if (game->arena.boss.used) {
        draw_boss_bar(game);
    } else if (game->arena.wave > 0) {
        game_text(game, ENGINE_WIDTH / 2.0F, 10.0F, 1.0F, color_faded(COLOR_WHITE, 0.7F),
                  ENGINE_ALIGN_CENTER, text);
    }
}

static void draw_lives(struct game *game)
{
    const struct player *player = &game->arena.player;
    for (int i = 0; i < LIVES; i++) {
        struct engine_vec2 at = {ENGINE_WIDTH - 20.0F - 20.0F * (float)i, 13.0F};
        bool left = i < player->lives;
        art_draw(&game->art, game->engine, CELL_ICON_LIFE, at, left ? 1.6F : 1.2F, 0.0F,
                 left ? color(COLOR_CYAN) : color_faded(COLOR_INDIGO, 0.9F));
    }
    art_draw(&game->art, game->engine, CELL_ICON_DASH, vec(ENGINE_WIDTH - 90.0F, 13.0F), 1.2F, 0.0F,
             player->dash_ready ? color(COLOR_MINT) : color_faded(COLOR_INDIGO, 0.9F));
}

static void draw_nova_bar(struct game *game)
{
    float filled = clampf(game->hud.energy, 0.0F, 1.0F);
    bool full = game->arena.player.energy >= NOVA_FULL;
    struct engine_rect back = {ENGINE_WIDTH / 2.0F - 101.0F, 341.0F, 202.0F, 12.0F};
    struct engine_rect bar = {back.x + 2.0F, back.y + 2.0F, 198.0F * filled, 8.0F};
    bool lit = full && (int)(game->fx.time * 6.0F) % 2 == 0;
    engine_draw_rect(game->engine, back, color(COLOR_INK));
    engine_draw_gradient(game->engine, bar, color(lit ? COLOR_WHITE : COLOR_GOLD),
                         color(COLOR_EMBER));
    engine_draw_frame(game->engine, back, 1.0F, color(full ? COLOR_GOLD : COLOR_INDIGO));
    art_draw(&game->art, game->engine, CELL_ICON_NOVA, vec(back.x - 12.0F, 347.0F), 1.4F, 0.0F,
             full ? color(COLOR_GOLD) : color_faded(COLOR_VIOLET, 0.9F));
    if (full) {
        game_text(game, ENGINE_WIDTH / 2.0F, 343.0F, 1.0F, color(COLOR_NAVY), ENGINE_ALIGN_CENTER,
                  "HOLD E: NOVA");
    }
}

/* With a fixed dt the frame's own time is shown, so that a picture is the same on every machine. */
static double shown_frame_ms(struct game *game)
{
    const struct engine_frame_stats *last = engine_stats_recent(engine_get_stats(game->engine), 0);
    if (game->options->headless || last == NULL) {
        return 1000.0 / 60.0;
    }
    return (double)last->work_ns / 1e6;
}

void hud_draw_meters(struct game *game)
{
    char text[48];
    flow_counters counters = flow_world_counters(game->world);
    struct engine_color dim = color_faded(COLOR_CYAN, 0.85F);
    art_draw(&game->art, game->engine, CELL_ICON_FLOW, vec(15.0F, 347.0F), 1.0F, 0.0F, dim);
    (void)snprintf(text, sizeof text, "%u FLOWS", (unsigned)counters.live);
    game_text(game, 24.0F, 343.0F, 1.0F, dim, ENGINE_ALIGN_LEFT, text);
    (void)snprintf(text, sizeof text, "%.1f MS", shown_frame_ms(game));
    game_text(game, ENGINE_WIDTH - 10.0F, 343.0F, 1.0F, dim, ENGINE_ALIGN_RIGHT, text);
}

/* 0 to 1 slides in from the left, 1 to 2 out to the right. */
static void draw_banner(struct game *game)
{
    const struct hud_state *hud = &game->hud;
    float in = clampf(hud->banner, 0.0F, 1.0F);
    float out = clampf(hud->banner - 1.0F, 0.0F, 1.0F);
    float alpha = in - out;
    if (alpha <= 0.0F) {
        return;
    }
    float x = floorf(ENGINE_WIDTH / 2.0F - 120.0F * (1.0F - in) + 120.0F * out);
    struct engine_rect band = {FIELD_LEFT, 96.0F, FIELD_RIGHT - FIELD_LEFT, 52.0F};
    engine_draw_rect(game->engine, band, color_faded(COLOR_NAVY, 0.55F * alpha));
    game_text(game, x, 103.0F, 3.0F, color_faded(COLOR_GOLD, alpha), ENGINE_ALIGN_CENTER,
              hud->title);
    game_text(game, x, 133.0F, 1.0F, color_faded(COLOR_WHITE, alpha), ENGINE_ALIGN_CENTER,
              hud->detail);
}

static void draw_tally(struct game *game)
{
    char text[64];
    float t = game->hud.nova_count;
    if (t <= 0.0F) {
        return;
    }
    float alpha = clampf(t, 0.0F, 1.0F);
    (void)snprintf(text, sizeof text, "NOVA x%d", game->arena.nova_count);
    game_text(game, ENGINE_WIDTH / 2.0F, 28.0F + 20.0F * t, 3.0F, color_faded(COLOR_WHITE, alpha),
              ENGINE_ALIGN_CENTER, text);
    (void)snprintf(text, sizeof text, "+%lld", (long long)game->arena.nova_gain);
    game_text(game, ENGINE_WIDTH / 2.0F, 78.0F, 2.0F, color_faded(COLOR_GOLD, alpha),
              ENGINE_ALIGN_CENTER, text);
}

void hud_draw(struct game *game)
{
    draw_score(game);
    draw_lives(game);
    draw_nova_bar(game);
    hud_draw_meters(game);
    draw_banner(game);
    draw_tally(game);
    speech_draw(game);
}
