/* SPDX-License-Identifier: MIT */
#include "game.h"

/* A turn that takes too long, as a mistake in any flow might. */
struct injected_hitch {
    flow_frame base;
    struct game *game;
    int frame;
    double ms;
};

void spend(const struct engine *engine, double ms)
{
    int64_t until = engine_now(engine) + (int64_t)(ms * 1e6);
    while (engine_now(engine) < until) {
    }
}

FLOW_STATIC(injected_hitch)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_frames(self->frame));
    spend(self->game->engine, self->ms);
    FLOW_END;
}

flow_handle inject_hitch(struct game *game, long frame, double ms)
{
    return FLOW_RUN_WITH(game->world, &in_menus, injected_hitch, .game = game, .frame = (int)frame,
                         .ms = ms);
}
