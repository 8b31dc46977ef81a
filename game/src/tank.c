/* SPDX-License-Identifier: MIT */
/*
 * The tank: marches on, and charges when it has been hit or has waited often enough. What hits it
 * during a charge is kept, and counts towards the next. It takes its time to die: its slot is given
 * back only when it has blown up, whatever ended it.
 */
#include "enemies.h"

#include "game.h"

enum { HITS_TO_CHARGE = 7, CHARGE_STEPS = 70, HITS_KEPT = 16 };

/* Slowly towards the moth, for ever. */
struct tank_march {
    flow_frame base;
    struct enemy *enemy;
};

FLOW_STATIC(tank_march)
{
    FLOW_BEGIN;
    for (;;) {
        enemy_steer(self->enemy, enemy_to_player(self->enemy), 160, 0.55F);
        FLOW_AWAIT(flow_next_tick());
    }
    FLOW_END;
}

/* A breath to aim, then straight on. */
struct tank_charge {
    flow_frame base;
    struct enemy *enemy;
    int steps;
};

FLOW_STATIC(tank_charge)
{
    FLOW_BEGIN;
    self->enemy->velocity = vec(0.0F, 0.0F);
    fx_ring(&self->enemy->game->fx, self->enemy->at, 34.0F, 3.0F, 0.5F, COLOR_EMBER);
    FLOW_AWAIT(flow_seconds(0.5));
    self->enemy->heading = enemy_to_player(self->enemy);
    for (self->steps = CHARGE_STEPS; self->steps > 0; self->steps--) {
        enemy_steer(self->enemy, self->enemy->heading, 0, 3.2F);
        FLOW_AWAIT(flow_next_tick());
    }
    FLOW_END;
}

static void begin_to_burn(struct enemy *enemy)
{
    enemy->dying = true;
    enemy->velocity = vec(0.0F, 0.0F);
}

static void burn(struct enemy *enemy)
{
    struct fx *fx = &enemy->game->fx;
    enemy->flash = 1 + enemy->flash % 3;
    fx_burst(fx, enemy->at, COLOR_EMBER, 2, 120.0F);
}

static void blow_up(struct enemy *enemy)
{
    struct fx *fx = &enemy->game->fx;
    fx_ring(fx, enemy->at, 60.0F, 6.0F, 0.5F, COLOR_GOLD);
    fx_ripple(fx, enemy->at, 10.0F);
    fx_burst(fx, enemy->at, COLOR_GOLD, 26, 260.0F);
    fx_shake(fx, 0.25F);
    game_sound(enemy->game, SOUND_EXPLODE, enemy->at.x);
}

FLOW_DEFINE(tank)
{
    FLOW_BEGIN;
    (void)flow_subscribe(flow, &self->hits, &self->enemy->hit, FLOW_DROP_OLDEST, HITS_KEPT);
    FLOW_AWAIT(flow_ticks(self->enemy->arriving));
    while (!flow_stop_requested(flow)) {
        FLOW_RACE(self->winner, flow_next(&self->hits, NULL),
                  FLOW_CALL(tank_march, .enemy = self->enemy), flow_seconds(4.0));
        if (++self->count >= HITS_TO_CHARGE) {
            self->count = 0;
            FLOW_AWAIT(FLOW_CALL(tank_charge, .enemy = self->enemy));
        }
    }
    FLOW_AWAIT(FLOW_CALL(retreat, .enemy = self->enemy));
    FLOW_FINALLY;
    begin_to_burn(self->enemy);
    for (self->count = 0; self->count < TANK_BURN_STEPS; self->count++) {
        burn(self->enemy);
        FLOW_AWAIT(flow_next_tick());
    }
    blow_up(self->enemy);
    enemy_end(self->enemy);
    FLOW_END;
}
