/* SPDX-License-Identifier: MIT */
/*
 * The chaser: wanders until it sees the moth, then hunts it, then needs a breath.
 */
#include "enemies.h"

#include "game.h"

static void wander(struct enemy *enemy)
{
    angle way = (angle)engine_random_below(&enemy->game->arena.enemy_random, 65536);
    enemy_steer(enemy, way, 65535, 0.7F);
}

FLOW_DEFINE(chaser)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_ticks(self->enemy->arriving));
    while (!flow_stop_requested(flow)) {
        wander(self->enemy);
        FLOW_RACE(self->winner, flow_until(enemy_sees_player, self->enemy), flow_seconds(1.5));
        if (self->winner != 0) {
            continue;
        }
        for (self->steps = 150; self->steps > 0; self->steps--) {
            enemy_steer(self->enemy, enemy_to_player(self->enemy), 560, 2.05F);
            FLOW_AWAIT(flow_next_tick());
        }
        self->enemy->velocity = vec_scale(self->enemy->velocity, 0.3F);
        FLOW_AWAIT(flow_seconds(0.5));
    }
    FLOW_AWAIT(FLOW_CALL(retreat, .enemy = self->enemy));
    FLOW_FINALLY;
    enemy_end(self->enemy);
    FLOW_END;
}
