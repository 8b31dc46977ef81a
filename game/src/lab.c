/* SPDX-License-Identifier: MIT */
/*
 * A keeper brings the crowd to the number wanted, some in each step; a slide changes the number as
 * long as its key is held; the button clears the group of all enemies in one call, or hands it over
 * to be cancelled a few in each step.
 */
#include "lab.h"

#include "enemies.h"
#include "game.h"

enum { STARTS_A_STEP = 60, FIRST_WANTED = 500 };

static const struct engine_rect track = {220.0F, 343.0F, 200.0F, 9.0F};
static const struct engine_rect button = {440.0F, 339.0F, 104.0F, 17.0F};

/* ---- The crowd ---- */

struct lab_keeper {
    flow_frame base;
    struct game *game;
};

static void start_one(struct game *game)
{
    struct engine_random *random = &game->arena.wave_random;
    struct engine_vec2 at = {engine_random_range(random, FIELD_LEFT + 8.0F, FIELD_RIGHT - 8.0F),
                             engine_random_range(random, FIELD_TOP + 8.0F, FIELD_BOTTOM - 8.0F)};
    enum enemy_kind kind = engine_random_below(random, 4) == 0 ? ENEMY_CHASER : ENEMY_DRIFTER;
    (void)enemy_spawn(game, kind, at);
}

static void end_some(struct game *game, int count)
{
    for (int i = game->arena.enemy_high - 1; i >= 0 && count > 0; i--) {
        if (game->arena.pool[i].used) {
            (void)flow_cancel(game->world, game->arena.pool[i].flow);
            count--;
        }
    }
}

/* Takes a cost into a mean that forgets; the first is taken as it is. */
static void learn(double *mean, double cost)
{
    *mean += (cost - *mean) * (*mean > 0.0 ? 0.05 : 1.0);
}

static void start_some(struct game *game, int count)
{
    int64_t since = engine_now(game->engine);
    for (int i = 0; i < count; i++) {
        start_one(game);
    }
    learn(&game->lab.start_ns, (double)(engine_now(game->engine) - since) / count);
}

static int at_most(int count)
{
    return count < STARTS_A_STEP ? count : STARTS_A_STEP;
}

static void keep(struct game *game)
{
    int missing = game->lab.wanted - game->arena.enemy_count;
    stress_move_phantom(game);
    if (missing > 0) {
        start_some(game, at_most(missing));
    } else {
        end_some(game, at_most(-missing));
    }
}

FLOW_STATIC(lab_keeper)
{
    FLOW_BEGIN;
    for (;;) {
        keep(self->game);
        FLOW_AWAIT(flow_next_tick());
    }
    FLOW_END;
}

/* ---- The slider ---- */

static void want(struct game *game, int wanted)
{
    game->lab.wanted = wanted < 0 ? 0 : wanted < LAB_MOST ? wanted : LAB_MOST;
}

/* A press is a step; held for a while it goes on by itself. */
struct lab_slide {
    flow_frame base;
    struct game *game;
    int winner;
};

static bool slides_on(const struct lab_slide *slide)
{
    return engine_down(engine_input(slide->game->engine),
                       slide->winner == 0 ? ACTION_LEFT : ACTION_RIGHT);
}

static void slide_on(const struct lab_slide *slide)
{
    want(slide->game, slide->game->lab.wanted + (slide->winner == 0 ? -LAB_STEP : LAB_STEP));
    game_sound(slide->game, SOUND_SELECT, ENGINE_WIDTH / 2.0F);
}

FLOW_STATIC(lab_slide)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_RACE(self->winner, next_press(self->game, ACTION_LEFT),
                  next_press(self->game, ACTION_RIGHT));
        slide_on(self);
        FLOW_AWAIT(flow_seconds(0.35));
        while (slides_on(self)) {
            slide_on(self);
            FLOW_AWAIT(flow_seconds(0.07));
        }
    }
    FLOW_END;
}

static bool is_over(const struct engine_rect *rect, struct engine_vec2 at, float margin)
{
    return at.x >= rect->x - margin && at.x < rect->x + rect->w + margin &&
           at.y >= rect->y - margin && at.y < rect->y + rect->h + margin;
}

/* The slider by mouse. */
struct lab_drag {
    flow_frame base;
    struct game *game;
};

static void drag(struct game *game)
{
    const struct engine_input_state *input = engine_input(game->engine);
    if (engine_down(input, ACTION_FIRE) && is_over(&track, input->mouse, 6.0F)) {
        float t = clampf((input->mouse.x - track.x) / track.w, 0.0F, 1.0F);
        want(game, (int)(t * (float)LAB_MOST + 25.0F) / 50 * 50);
    }
}

FLOW_STATIC(lab_drag)
{
    FLOW_BEGIN;
    for (;;) {
        drag(self->game);
        FLOW_AWAIT(flow_next_frame());
    }
    FLOW_END;
}

/* ---- Much to do ---- */

/* A plan of 60 ms, made in pieces. Spread, it pauses where the frame's budget is spent. */
struct lab_plan {
    flow_frame base;
    struct game *game;
    int piece;
};

FLOW_STATIC(lab_plan)
{
    FLOW_BEGIN;
    self->game->lab.planning = true;
    for (self->piece = 0; self->piece < LAB_PIECES; self->piece++) {
        spend(self->game->engine, 0.5);
        if (self->game->lab.spread) {
            FLOW_AWAIT(flow_yield_over_budget());
        }
    }
    FLOW_FINALLY;
    self->game->lab.planning = false;
    FLOW_END;
}

/* ---- The buttons ---- */

static void cancel_all(struct game *game)
{
    if (game->lab.spread) {
        (void)flow_cancel_gradually(game->world, arena_part(game), LAB_ENDS_A_STEP);
    } else {
        int64_t since = engine_now(game->engine);
        int count = game->arena.enemy_count;
        (void)flow_group_clear(game->world, game->arena.enemies);
        game->lab.cancelled = count;
        game->lab.cancel_ns = count > 0 ? (double)(engine_now(game->engine) - since) / count : 0.0;
    }
    game->fx.flash = 1.0F;
    fx_shake(&game->fx, 0.8F);
    fx_ripple(&game->fx, vec(ENGINE_WIDTH / 2.0F, ENGINE_HEIGHT / 2.0F), 30.0F);
    game_sound(game, SOUND_NOVA, ENGINE_WIDTH / 2.0F);
}

/* What ends the lab's race. */
enum { PRESSED_CONFIRM, CLICKED, PRESSED_PLAN, PRESSED_SPREAD, PRESSED_PAUSE };

static bool is_pressed(const struct lab *lab)
{
    const struct engine_input_state *input = engine_input(lab->game->engine);
    return lab->winner == PRESSED_CONFIRM ||
           (lab->winner == CLICKED && is_over(&button, input->mouse, 0.0F));
}

static void build(struct game *game, flow_handle screen)
{
    arena_begin(game, screen);
    game->lab = (struct lab_state){.wanted = FIRST_WANTED,
                                   .resumed = flow_world_counters(game->world).resumed};
    screen_enter(game, SCREEN_LAB);
}

FLOW_DEFINE(lab)
{
    FLOW_BEGIN;
    build(self->game, flow_self(flow));
    FLOW_SPAWN_WITH(&in_simulation, lab_keeper, .game = self->game);
    FLOW_SPAWN(lab_slide, .game = self->game);
    FLOW_SPAWN(lab_drag, .game = self->game);
    do {
        FLOW_RACE(self->winner, next_press(self->game, ACTION_CONFIRM),
                  next_press(self->game, ACTION_FIRE), next_press(self->game, ACTION_NOVA),
                  next_press(self->game, ACTION_DASH), next_press(self->game, ACTION_PAUSE));
        if (is_pressed(self)) {
            cancel_all(self->game);
        } else if (self->winner == PRESSED_PLAN && !self->game->lab.planning) {
            FLOW_SPAWN(lab_plan, .game = self->game);
        } else if (self->winner == PRESSED_SPREAD) {
            self->game->lab.spread = !self->game->lab.spread;
        }
    } while (self->winner != PRESSED_PAUSE);
    screen_leave(self->game, SCREEN_TITLE);
    FLOW_AWAIT(flow_never());
    FLOW_END;
}

/* ---- What it shows ---- */

void lab_book(struct game *game)
{
    struct lab_state *lab = &game->lab;
    uint64_t resumed = flow_world_counters(game->world).resumed;
    if (resumed > lab->resumed) {
        learn(&lab->resume_ns, (double)stress_cost_of(game->engine, "flow fixed") /
                                   (double)(resumed - lab->resumed));
    }
    lab->resumed = resumed;
}

static const struct engine_rect costs = {440.0F, 30.0F, 188.0F, 46.0F};

/* A line of the costs. Figures are left out where pictures shall be the same everywhere. */
static void draw_cost(struct game *game, int line, const char *what, double figure,
                      const char *unit)
{
    char text[64];
    float y = costs.y + 4.0F + 10.0F * (float)line;
    enum palette tone = line < 2 ? COLOR_MINT : line == 2 ? COLOR_GOLD : COLOR_CYAN;
    game_text(game, costs.x + 5.0F, y, 1.0F, color(tone), ENGINE_ALIGN_LEFT, what);
    (void)snprintf(text, sizeof text, "%.0f %s", game->options->headless ? 0.0 : figure, unit);
    game_text(game, costs.x + costs.w - 5.0F, y, 1.0F, color(tone), ENGINE_ALIGN_RIGHT, text);
}

static void draw_costs(struct game *game)
{
    char text[32];
    const struct lab_state *lab = &game->lab;
    engine_draw_rect(game->engine, costs, color_faded(COLOR_NAVY, 0.8F));
    engine_draw_frame(game->engine, costs, 1.0F, color_faded(COLOR_VIOLET, 0.8F));
    (void)snprintf(text, sizeof text, "%d CANCELLED", lab->cancelled);
    draw_cost(game, 0, "A START", lab->start_ns, "NS");
    draw_cost(game, 1, "A RESUME", lab->resume_ns, "NS");
    draw_cost(game, 2, lab->cancelled > 0 ? text : "A CANCEL", lab->cancel_ns, "NS");
    draw_cost(game, 3, "ALL FLOWS", (double)flow_world_counters(game->world).bytes / 1024.0, "KB");
}

static void draw_slider(struct game *game)
{
    char text[32];
    float t = (float)game->lab.wanted / (float)LAB_MOST;
    struct engine_rect filled = {track.x, track.y, track.w * t, track.h};
    (void)snprintf(text, sizeof text, "%d", game->lab.wanted);
    engine_draw_rect(game->engine, track, color(COLOR_INK));
    engine_draw_gradient(game->engine, filled, color(COLOR_GOLD), color(COLOR_EMBER));
    engine_draw_frame(game->engine, track, 1.0F, color(COLOR_VIOLET));
    game_text(game, track.x - 8.0F, 343.0F, 1.0F, color(COLOR_GOLD), ENGINE_ALIGN_RIGHT, text);
    engine_draw_rect(game->engine, button, color(COLOR_CRIMSON));
    engine_draw_frame(game->engine, button, 1.0F, color(COLOR_MAGENTA));
    game_text(game, button.x + button.w / 2.0F, 344.0F, 1.0F, color(COLOR_WHITE),
              ENGINE_ALIGN_CENTER, "CANCEL ALL");
}

/* Where the mouse is, once it has been anywhere. */
static void draw_pointer(struct game *game)
{
    struct engine_vec2 at = engine_input(game->engine)->mouse;
    if (at.x > 0.0F || at.y > 0.0F) {
        art_draw(&game->art, game->engine, CELL_CROSSHAIR, at, 1.0F, 0.0F,
                 color_faded(COLOR_WHITE, 0.6F));
    }
}

void lab_draw(struct game *game)
{
    game_text(game, 10.0F, 6.0F, 2.0F, color(COLOR_WHITE), ENGINE_ALIGN_LEFT, "STRESS LAB");
    game_text(game, 182.0F, 5.0F, 1.0F, color_faded(COLOR_WHITE, 0.8F), ENGINE_ALIGN_LEFT,
              "<> COUNT  ENTER CANCEL  ESC BACK");
    game_text(game, 182.0F, 15.0F, 1.0F, color_faded(COLOR_WHITE, 0.8F), ENGINE_ALIGN_LEFT,
              game->lab.spread ? "E 60 MS OF WORK  SHIFT: SPREAD"
                               : "E 60 MS OF WORK  SHIFT: AT ONCE");
    draw_costs(game);
    draw_slider(game);
    hud_draw_meters(game);
    draw_pointer(game);
}
