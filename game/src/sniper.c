/* SPDX-License-Identifier: MIT */
/*
 * The sniper: keeps away, aims for a second along a line that one sees, and shoots. A hit makes it
 * lose its aim.
 */
#include "enemies.h"

#include "game.h"

/* Aims, and then shoots; whatever ends it takes the line away. */
struct sniper_aim {
    flow_frame base;
    struct enemy *enemy;
};

FLOW_STATIC(sniper_aim)
{
    FLOW_BEGIN;
    self->enemy->velocity = vec(0.0F, 0.0F);
    for (self->enemy->aiming = 1; self->enemy->aiming < SNIPER_AIM_STEPS; self->enemy->aiming++) {
        self->enemy->heading = angle_towards(self->enemy->heading, enemy_to_player(self->enemy),
                                             self->enemy->aiming < SNIPER_AIM_STEPS - 14 ? 900 : 0);
        FLOW_AWAIT(flow_next_tick());
    }
    shot_fire(self->enemy->game, SHOT_NEEDLE, self->enemy->at, self->enemy->heading, 4.6F);
    game_sound(self->enemy->game, SOUND_SHOT, self->enemy->at.x);
    FLOW_FINALLY;
    self->enemy->aiming = 0;
    FLOW_END;
}

/* Goes round the moth, and away from it when it is near. */
static void take_position(struct enemy *enemy)
{
    struct engine_random *random = &enemy->game->arena.enemy_random;
    bool left = engine_random_below(random, 2) == 0;
    int away = enemy_sees_player(enemy) ? 24000 : 12000;
    angle way = (angle)(enemy_to_player(enemy) + (left ? away : -away));
    enemy_steer(enemy, way, 65535, 1.1F);
}

FLOW_DEFINE(sniper)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_ticks(self->enemy->arriving));
    while (!flow_stop_requested(flow)) {
        take_position(self->enemy);
        FLOW_AWAIT(flow_seconds(0.9));
        FLOW_RACE(self->winner, flow_next(&self->enemy->hit, NULL),
                  FLOW_CALL(sniper_aim, .enemy = self->enemy));
        if (self->winner == 0) {
            take_position(self->enemy);
        }
        FLOW_AWAIT(flow_seconds(0.6));
    }
    FLOW_AWAIT(FLOW_CALL(retreat, .enemy = self->enemy));
    FLOW_FINALLY;
    enemy_end(self->enemy);
    FLOW_END;
}
