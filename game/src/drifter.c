/* SPDX-License-Identifier: MIT */
/*
 * The drifter, and the shard of a splitter: meanders, and never looks where it goes, until it is
 * asked to leave.
 */
#include "enemies.h"

#include "game.h"

/* A bend to the left or right, and for how long. */
static void choose_bend(struct drifter *drifter)
{
    struct engine_random *random = &drifter->enemy->game->arena.enemy_random;
    drifter->turn = (int16_t)engine_random_between(random, -420, 420);
    drifter->steps = (int16_t)engine_random_between(random, 40, 130);
}

FLOW_DEFINE(drifter)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_ticks(self->enemy->arriving));
    while (!flow_stop_requested(flow)) {
        choose_bend(self);
        while (self->steps-- > 0) {
            self->enemy->heading = (angle)(self->enemy->heading + self->turn);
            enemy_steer(self->enemy, self->enemy->heading, 0,
                        self->enemy->kind == ENEMY_SHARD ? 1.9F : 1.05F);
            FLOW_AWAIT(flow_next_tick());
        }
    }
    FLOW_AWAIT(FLOW_CALL(retreat, .enemy = self->enemy));
    FLOW_FINALLY;
    enemy_end(self->enemy);
    FLOW_END;
}
