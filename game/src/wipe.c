/* SPDX-License-Identifier: MIT */
/*
 * The wipe: hexagons that grow over the screen from the left, and shrink away the same way.
 */
#include "game.h"

enum { TILE = 40 };

FLOW_DEFINE(wipe_close)
{
    FLOW_BEGIN;
    self->game->screens.wipe_leaving = false;
    FLOW_AWAIT(FLOW_CALL(tween, .value = &self->game->screens.wipe, .to = 1.0F, .seconds = 0.45));
    FLOW_AWAIT(flow_frames(2));
    FLOW_END;
}

FLOW_DEFINE(wipe_open)
{
    FLOW_BEGIN;
    self->game->screens.wipe_leaving = true;
    FLOW_AWAIT(FLOW_CALL(tween, .value = &self->game->screens.wipe, .to = 0.0F, .seconds = 0.45));
    FLOW_END;
}

/* How large the tiles of a column are, 0 to 1. */
static float growth(const struct screens *screens, float x)
{
    float order = x / (float)ENGINE_WIDTH;
    if (screens->wipe_leaving) {
        order = 1.0F - order;
    }
    return clampf(screens->wipe * 2.0F - order, 0.0F, 1.0F);
}

static void draw_tiles(struct game *game, float radius, struct engine_color color)
{
    for (int y = 0; y <= ENGINE_HEIGHT; y += TILE) {
        for (int x = 0; x <= ENGINE_WIDTH; x += TILE) {
            float t = growth(&game->screens, (float)x);
            if (t > 0.0F) {
                engine_draw_ngon(game->engine, vec((float)x, (float)y),
                                 radius * engine_ease_out_cubic(t), 6, t * 0.8F, color);
            }
        }
    }
}

void wipe_draw(struct game *game)
{
    if (game->screens.wipe > 0.0F) {
        draw_tiles(game, 38.0F, color(COLOR_VIOLET));
        draw_tiles(game, 35.0F, color(COLOR_NAVY));
    }
}
