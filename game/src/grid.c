/* SPDX-License-Identifier: MIT */
/*
 * The faint grid of the field. Each ripple is a ring that runs outwards and pushes the grid's
 * points away from its middle as it passes them.
 */
#include "game.h"

enum { SPACING = 26, COLUMNS = 25, ROWS = 13 };

static const float ripple_speed = 300.0F;
static const float ripple_width = 46.0F;

/* The push of one ripple at a point. */
static struct engine_vec2 push_of(const struct ripple *ripple, struct engine_vec2 at)
{
    struct engine_vec2 way = vec_sub(at, ripple->at);
    float distance = vec_length(way);
    float behind = distance - ripple->age * ripple_speed;
    if (behind < -ripple_width || behind > ripple_width || distance < 1.0F) {
        return vec(0.0F, 0.0F);
    }
    float shape = 1.0F - (behind * behind) / (ripple_width * ripple_width);
    float fading = clampf(1.0F - ripple->age / 1.6F, 0.0F, 1.0F);
    return vec_scale(way, ripple->strength * shape * fading / distance);
}

static struct engine_vec2 grid_point(const struct fx *fx, int column, int row)
{
    struct engine_vec2 at = {FIELD_LEFT + (float)(column * SPACING),
                             FIELD_TOP - 2.0F + (float)(row * SPACING)};
    struct engine_vec2 moved = at;
    for (int i = 0; i < RIPPLES_MAX; i++) {
        if (fx->ripples[i].strength > 0.0F) {
            moved = vec_add(moved, push_of(&fx->ripples[i], at));
        }
    }
    return vec(clampf(moved.x, FIELD_LEFT, FIELD_RIGHT), clampf(moved.y, FIELD_TOP, FIELD_BOTTOM));
}

/* Lines that are pushed glow. */
static void draw_edge(struct game *game, struct engine_vec2 from, struct engine_vec2 to)
{
    float stretch = vec_length(vec_sub(to, from)) - (float)SPACING;
    float alpha = clampf(0.30F + (stretch < 0.0F ? -stretch : stretch) * 0.09F, 0.0F, 0.95F);
    engine_draw_line(game->engine, from, to, 1.0F, color_faded(COLOR_INDIGO, alpha));
}

void fx_draw_grid(struct game *game)
{
    static struct engine_vec2 points[ROWS][COLUMNS];
    for (int row = 0; row < ROWS; row++) {
        for (int column = 0; column < COLUMNS; column++) {
            points[row][column] = grid_point(&game->fx, column, row);
        }
    }
    for (int row = 0; row < ROWS; row++) {
        for (int column = 0; column < COLUMNS; column++) {
            if (column + 1 < COLUMNS) {
                draw_edge(game, points[row][column], points[row][column + 1]);
            }
            if (row + 1 < ROWS) {
                draw_edge(game, points[row][column], points[row + 1][column]);
            }
        }
    }
}
