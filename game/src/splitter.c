/* SPDX-License-Identifier: MIT */
/*
 * The splitter: slain, it leaves two shards in the scope it lived in. NOVA, which cancels it, gets
 * none.
 */
#include "enemies.h"

#include "game.h"

static void leave_shards(struct enemy *enemy)
{
    for (int side = -1; side <= 1; side += 2) {
        angle way = (angle)(enemy->heading + side * ANGLE_QUARTER);
        struct engine_vec2 at = vec_add(enemy->at, angle_vector(way, 9.0F));
        (void)enemy_spawn(enemy->game, ENEMY_SHARD, arena_clamp(at, 6.0F));
    }
}

/* Turns towards the moth, slowly, until it is asked to leave. */
struct splitter_roam {
    flow_frame base;
    struct enemy *enemy;
};

FLOW_STATIC(splitter_roam)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_ticks(self->enemy->arriving));
    while (!flow_stop_requested(flow)) {
        enemy_steer(self->enemy, enemy_to_player(self->enemy), 110, 0.95F);
        FLOW_AWAIT(flow_next_tick());
    }
    FLOW_AWAIT(FLOW_CALL(retreat, .enemy = self->enemy));
    FLOW_END;
}

FLOW_DEFINE(splitter)
{
    FLOW_BEGIN;
    FLOW_RACE(self->winner, flow_next(&self->enemy->slain, NULL),
              FLOW_CALL(splitter_roam, .enemy = self->enemy));
    if (self->winner == 0) {
        leave_shards(self->enemy);
    }
    FLOW_FINALLY;
    enemy_end(self->enemy);
    FLOW_END;
}
