/* SPDX-License-Identifier: MIT */
/*
 * The orbiter: circles the moth at a distance, while a flow of its own, which it spawns and which
 * ends with it, keeps time and shoots.
 */
#include "enemies.h"

#include "game.h"

static const float distance = 120.0F;

/* A shot at the moth, again and again. */
struct orbiter_gun {
    flow_frame base;
    struct enemy *enemy;
};

FLOW_STATIC(orbiter_gun)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(flow_seconds(1.6));
        shot_fire(self->enemy->game, SHOT_ORB, self->enemy->at, enemy_to_player(self->enemy), 2.3F);
        game_sound(self->enemy->game, SOUND_SHOT, self->enemy->at.x);
    }
    FLOW_END;
}

/* Across the direction of the moth, and a little towards it or away. */
static void orbit(struct enemy *enemy)
{
    float apart = vec_length(vec_sub(enemy->game->arena.player.at, enemy->at));
    int inwards = (int)clampf((apart - distance) * 160.0F, -9000.0F, 12000.0F);
    angle way = (angle)(enemy_to_player(enemy) + ANGLE_QUARTER - inwards);
    enemy_steer(enemy, way, 700, 1.55F);
}

FLOW_DEFINE(orbiter)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_ticks(self->enemy->arriving));
    self->gun = FLOW_SPAWN(orbiter_gun, .enemy = self->enemy);
    while (!flow_stop_requested(flow)) {
        orbit(self->enemy);
        FLOW_AWAIT(flow_next_tick());
    }
    (void)flow_cancel(flow_world_of(flow), self->gun);
    FLOW_AWAIT(FLOW_CALL(retreat, .enemy = self->enemy));
    FLOW_FINALLY;
    enemy_end(self->enemy);
    FLOW_END;
}
