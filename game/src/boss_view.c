/* SPDX-License-Identifier: MIT */
/*
 * What one sees of the boss: its body, and its name and health over the field.
 */
#include "boss.h"
#include "game.h"

FLOW_DEFINE(boss_bar)
{
    FLOW_BEGIN;
    self->health = BOSS_HEALTH;
    self->game->hud.boss_health = 0.0F;
    do {
        FLOW_AWAIT(FLOW_CALL(tween, .value = &self->game->hud.boss_health,
                             .to = (float)self->health / (float)BOSS_HEALTH, .seconds = 0.2,
                             .ease = engine_ease_out_cubic));
        FLOW_AWAIT(flow_while(
            &self->game->arena.boss.owner, &self->present,
            flow_property_changed(&self->game->arena.boss.health, &self->seen, &self->health)));
    } while (self->present);
    FLOW_END;
}

void boss_draw(struct game *game, float alpha)
{
    static const enum cell cells[] = {CELL_BOSS_0, CELL_BOSS_1, CELL_BOSS_2};
    static const enum palette lights[] = {COLOR_EMBER, COLOR_MAGENTA, COLOR_VIOLET};
    const struct boss_body *boss = &game->arena.boss;
    if (!boss->used) {
        return;
    }
    struct engine_vec2 at = vec_mix(boss->before, boss->at, alpha);
    engine_draw_blend(game->engine, ENGINE_BLEND_ADD);
    art_draw(&game->art, game->engine, CELL_GLOW64, at, 2.6F, 0.0F,
             color_faded(lights[boss->phase], 0.55F));
    engine_draw_blend(game->engine, ENGINE_BLEND_ALPHA);
    art_draw(&game->art, game->engine, boss->flash > 1 ? CELL_BOSS_FLASH : cells[boss->phase], at,
             1.0F, angle_radians(boss->heading), color_plain(1.0F));
}
