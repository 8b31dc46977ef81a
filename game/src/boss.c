/* SPDX-License-Identifier: MIT */
/*
 * The boss, the Kindler. It comes down, fights in three phases, and burns out.
 *
 * All that it does lives on a clock of its own, below the game's: each phase runs it faster, and a
 * NOVA stops it for a moment, while the fight's own time goes on. A phase is a race of its wounds,
 * thirty seconds, and the moth's being struck; whatever settles it, the attacks end with their
 * scope.
 */
#include "boss.h"

#include "enemies.h"
#include "game.h"

enum { SPOKES = 3, RING_SHOTS = 26, SUMMONED_AT_MOST = 60 };

static const struct engine_vec2 home = {320.0F, 108.0F};

/* ---- Its body ---- */

static void boss_sparks(struct boss_body *boss, struct game *game, enum palette color, int count)
{
    fx_burst(&game->fx, boss->at, color, count, 300.0F);
    fx_ring(&game->fx, boss->at, 90.0F, 8.0F, 0.7F, color);
    fx_ripple(&game->fx, boss->at, 16.0F);
    fx_shake(&game->fx, 0.5F);
    game_sound(game, SOUND_EXPLODE, boss->at.x);
}

int boss_health(const struct boss_body *boss)
{
    int health = 0;
    (void)flow_property_get(&boss->health, &health);
    return health;
}

void boss_hurt(struct game *game, int damage)
{
    struct boss_body *boss = &game->arena.boss;
    int health = boss_health(boss) - damage;
    if (boss->used && boss->open) {
        boss->flash = 2;
        health = health > 0 ? health : 0;
        (void)flow_property_set(&boss->health, &health);
        motes_drop(game, boss->at, health % 12 == 0 ? 1 : 0);
        game_sound(game, SOUND_HIT, boss->at.x);
    }
}

/* Its flows move it; a step only notes where it was, and lets a hit fade. */
void boss_step(struct boss_body *boss)
{
    boss->before = boss->at;
    boss->flash -= boss->flash > 0;
}

static bool take_body(struct game *game)
{
    struct boss_body *boss = &game->arena.boss;
    *boss = (struct boss_body){.used = true, .at = {home.x, -40.0F}, .before = {home.x, -40.0F}};
    return flow_owner_init(game->world, &boss->owner, "boss") == FLOW_OK &&
           flow_property_init(&boss->health, game->world, &(int){BOSS_HEALTH}) == FLOW_OK;
}

static void leave_body(struct game *game)
{
    struct boss_body *boss = &game->arena.boss;
    (void)flow_owner_fini(&boss->owner);
    flow_property_fini(&boss->health);
    boss->used = false;
}

/* ---- It arrives ---- */

struct boss_arrival {
    flow_frame base;
    struct game *game;
    int steps;
};

static void come_down(struct boss_body *boss)
{
    boss->at = vec_mix(boss->at, home, 0.035F);
    boss->heading = (angle)(boss->heading + 90);
}

FLOW_STATIC(boss_arrival)
{
    FLOW_BEGIN;
    speech_say(self->game, "THE KINDLER", "SO MANY OF MINE, PUT OUT BY ONE MOTH.");
    for (self->steps = 0; self->steps < 150; self->steps++) {
        come_down(&self->game->arena.boss);
        FLOW_AWAIT(flow_next_tick());
    }
    boss_sparks(&self->game->arena.boss, self->game, COLOR_EMBER, 60);
    self->game->arena.boss.open = true;
    FLOW_END;
}

/* From then on it sways over the field: an eight, on its own clock. */
struct boss_sway {
    flow_frame base;
    struct game *game;
    angle way;
};

static void sway(struct boss_body *boss, angle way)
{
    boss->at = vec(home.x + 170.0F * angle_sin(way), home.y + 34.0F * angle_sin((angle)(2 * way)));
    boss->heading = (angle)(boss->heading + 160);
}

FLOW_STATIC(boss_sway)
{
    FLOW_BEGIN;
    for (;;) {
        self->way = (angle)(self->way + 130);
        sway(&self->game->arena.boss, self->way);
        FLOW_AWAIT(flow_next_tick());
    }
    FLOW_END;
}

/* ---- What it does to the moth ---- */

static angle to_moth(const struct game *game, struct engine_vec2 from)
{
    return angle_of(vec_sub(game->arena.player.at, from));
}

/* Spokes that turn. */
struct boss_spiral {
    flow_frame base;
    struct game *game;
    int spokes;
    angle turn;
    int16_t by;
};

static void fire_spokes(struct game *game, int spokes, angle turn)
{
    for (int i = 0; i < spokes; i++) {
        angle way = (angle)(turn + i * 65536 / spokes);
        shot_fire(game, SHOT_ORB, game->arena.boss.at, way, 1.7F);
    }
}

FLOW_STATIC(boss_spiral)
{
    FLOW_BEGIN;
    for (;;) {
        fire_spokes(self->game, self->spokes, self->turn);
        self->turn = (angle)(self->turn + self->by);
        FLOW_AWAIT(flow_ticks(11));
    }
    FLOW_END;
}

/* Five shots at the moth, like a hand. */
struct boss_fan {
    flow_frame base;
    struct game *game;
};

static void fire_fan(struct game *game)
{
    struct engine_vec2 from = game->arena.boss.at;
    for (int finger = -2; finger <= 2; finger++) {
        angle way = (angle)(to_moth(game, from) + finger * 1900);
        shot_fire(game, SHOT_ORB, from, way, 2.6F);
    }
    game_sound(game, SOUND_SHOT, from.x);
}

FLOW_STATIC(boss_fan)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(flow_seconds(1.5));
        fire_fan(self->game);
    }
    FLOW_END;
}

/* A ring with a gap, for who sees it. */
struct boss_ring {
    flow_frame base;
    struct game *game;
};

static void fire_ring(struct game *game)
{
    int gap = engine_random_between(&game->arena.wave_random, 0, RING_SHOTS - 1);
    struct engine_vec2 from = game->arena.boss.at;
    for (int i = 4; i < RING_SHOTS; i++) {
        angle way = (angle)((gap + i) * 65536 / RING_SHOTS);
        shot_fire(game, SHOT_ORB, from, way, 2.1F);
    }
    fx_ring(&game->fx, from, 60.0F, 4.0F, 0.4F, COLOR_MAGENTA);
    game_sound(game, SOUND_DASH, from.x);
}

FLOW_STATIC(boss_ring)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(flow_seconds(2.4));
        fire_ring(self->game);
    }
    FLOW_END;
}

/* Embers out of its rays, up to a crowd: fuel for a NOVA. */
struct boss_summon {
    flow_frame base;
    struct game *game;
    enum enemy_kind kind;
    int count;
    double every; /* seconds */
};

static void summon(struct game *game, enum enemy_kind kind, int count)
{
    for (int i = 0; i < count && game->arena.enemy_count < SUMMONED_AT_MOST; i++) {
        angle way = (angle)(game->arena.boss.heading + i * 65536 / count);
        struct engine_vec2 at = vec_add(game->arena.boss.at, angle_vector(way, 64.0F));
        (void)enemy_spawn(game, kind, arena_clamp(at, 14.0F));
    }
}

FLOW_STATIC(boss_summon)
{
    FLOW_BEGIN;
    for (;;) {
        summon(self->game, self->kind, self->count);
        FLOW_AWAIT(flow_seconds(self->every));
    }
    FLOW_END;
}

/* Two guns that it carries through all phases: they are its owner's, and go when its body goes. */
struct boss_gun {
    flow_frame base;
    struct game *game;
    int side;
    flow_interval beat;
};

static void fire_needle(struct game *game, float beside)
{
    struct engine_vec2 at = vec_add(game->arena.boss.at, vec(beside, 0.0F));
    shot_fire(game, SHOT_NEEDLE, at, to_moth(game, at), 4.2F);
    game_sound(game, SOUND_SHOT, at.x);
}

FLOW_STATIC(boss_gun)
{
    FLOW_BEGIN;
    (void)flow_set_name(flow, "boss gun", (self->side + 1) / 2);
    FLOW_AWAIT(flow_seconds(self->side > 0 ? 1.0 : 2.2));
    (void)flow_interval_begin(flow, &self->beat, 2.4, FLOW_CLOCK_INHERIT);
    for (;;) {
        fire_needle(self->game, 26.0F * (float)self->side);
        FLOW_AWAIT(flow_interval_next(&self->beat, NULL));
    }
    FLOW_END;
}

static void mount_guns(struct game *game, flow_clock clock)
{
    const flow_options carried = {
        .owner = flow_owner_handle(&game->arena.boss.owner), .phase = FLOW_FIXED, .clock = clock};
    FLOW_RUN_WITH(game->world, &carried, boss_gun, .game = game, .side = -1);
    FLOW_RUN_WITH(game->world, &carried, boss_gun, .game = game, .side = 1);
}

/* ---- A phase ---- */

/* The attacks of a phase, until they are cancelled with it. */
struct boss_attack {
    flow_frame base;
    struct game *game;
    flow_clock clock;
    int phase;
};

static void start_attacks(flow_task *flow, struct game *game, flow_clock clock, int phase)
{
    const flow_options own_time = {.clock = clock};
    if (phase == 0) {
        FLOW_SPAWN_WITH(&own_time, boss_spiral, .game = game, .spokes = SPOKES, .by = 1400);
        FLOW_SPAWN_WITH(&own_time, boss_fan, .game = game);
    } else if (phase == 1) {
        FLOW_SPAWN_WITH(&own_time, boss_ring, .game = game);
        FLOW_SPAWN_WITH(&own_time, boss_summon, .game = game, .kind = ENEMY_DRIFTER, .count = 8,
                        .every = 3.5);
        FLOW_SPAWN_WITH(&own_time, boss_summon, .game = game, .kind = ENEMY_ORBITER, .count = 2,
                        .every = 9.0);
    } else {
        FLOW_SPAWN_WITH(&own_time, boss_spiral, .game = game, .spokes = 2, .by = 2600);
        FLOW_SPAWN_WITH(&own_time, boss_spiral, .game = game, .spokes = 2, .by = -1700);
        FLOW_SPAWN_WITH(&own_time, boss_fan, .game = game);
        FLOW_SPAWN_WITH(&own_time, boss_summon, .game = game, .kind = ENEMY_CHASER, .count = 5,
                        .every = 5.0);
    }
}

FLOW_STATIC(boss_attack)
{
    FLOW_BEGIN;
    start_attacks(flow, self->game, self->clock, self->phase);
    FLOW_AWAIT(flow_never());
    FLOW_END;
}

/* What a phase leaves behind, and a breath before the next. */
struct boss_turn {
    flow_frame base;
    struct game *game;
    const char *words;
};

FLOW_STATIC(boss_turn)
{
    FLOW_BEGIN;
    boss_sparks(&self->game->arena.boss, self->game, COLOR_VIOLET, 80);
    shots_clear(self->game);
    speech_say(self->game, "THE KINDLER", self->words);
    FLOW_AWAIT(flow_seconds(1.6));
    FLOW_END;
}

/* ---- NOVA hurts it, and stuns it: its clock stands still as long as this lives ---- */

struct boss_stun {
    flow_frame base;
    flow_clock clock;
};

FLOW_STATIC(boss_stun)
{
    FLOW_BEGIN;
    if (flow_pause_clock(flow, self->clock) != FLOW_OK) {
        FLOW_FAIL(FLOW_NOMEM, "no memory to stun the boss");
    }
    FLOW_AWAIT(flow_seconds(2.5));
    FLOW_END;
}

struct boss_nerve {
    flow_frame base;
    struct game *game;
    flow_clock clock;
    int count;
};

FLOW_STATIC(boss_nerve)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(flow_next(&self->game->arena.nova, &self->count));
        boss_hurt(self->game, 40 + self->count);
        FLOW_AWAIT(FLOW_CALL(boss_stun, .clock = self->clock));
    }
    FLOW_END;
}

/* ---- It burns out ---- */

struct boss_death {
    flow_frame base;
    struct game *game;
    int steps;
};

static void crack(struct game *game)
{
    struct boss_body *boss = &game->arena.boss;
    float x = engine_random_range(&game->arena.wave_random, -26.0F, 26.0F);
    float y = engine_random_range(&game->arena.wave_random, -26.0F, 26.0F);
    boss->flash = 3;
    fx_burst(&game->fx, vec_add(boss->at, vec(x, y)), COLOR_GOLD, 14, 200.0F);
    fx_shake(&game->fx, 0.2F);
    game_sound(game, SOUND_HIT, boss->at.x);
}

FLOW_STATIC(boss_death)
{
    FLOW_BEGIN;
    self->game->arena.boss.open = false;
    shots_clear(self->game);
    arena_dismiss(self->game);
    (void)flow_cancel_gradually(self->game->world, self->game->arena.leaving, 2);
    speech_say(self->game, "THE KINDLER", "THEN WHO... WILL KEEP... THE FIRE?");
    for (self->steps = 0; self->steps < 26; self->steps++) {
        crack(self->game);
        FLOW_AWAIT(flow_ticks(6));
    }
    boss_sparks(&self->game->arena.boss, self->game, COLOR_WHITE, 400);
    motes_drop(self->game, self->game->arena.boss.at, 40);
    self->game->fx.flash = 1.0F;
    game_sound(self->game, SOUND_NOVA, self->game->arena.boss.at.x);
    self->game->arena.score += BOSS_SCORE;
    FLOW_END;
}

/* ---- The boss ---- */

static int is_down_to(const void *health, void *limit)
{
    return *(const int *)health <= *(const int *)limit;
}

/* How a phase ends. */
enum { WOUNDED, TIME_OVER, MOTH_STRUCK };

static const char *last_words(int winner, int phase)
{
    if (winner == MOTH_STRUCK) {
        return "BURN.";
    }
    return phase == 0 ? "YOU ARE WARM. I WILL HAVE THAT WARMTH." : "ALL OF IT, THEN. ALL THE FIRE.";
}

static void begin_phase(struct boss *boss)
{
    boss->limit = BOSS_HEALTH * (2 - boss->phase) / 3;
    boss->body->phase = boss->phase;
    (void)flow_clock_set_scale(boss->game->world, boss->clock, 1.0 + 0.2 * boss->phase);
}

FLOW_DEFINE(boss)
{
    FLOW_BEGIN;
    self->body = &self->game->arena.boss;
    if (!take_body(self->game)) {
        FLOW_FAIL(FLOW_NOMEM, "no memory for the boss");
    }
    self->clock = flow_scope_clock(flow, FLOW_CLOCK_GAME, "boss");
    FLOW_SPAWN_WITH(&in_menus, boss_bar, .game = self->game);
    FLOW_AWAIT(FLOW_CALL(boss_arrival, .game = self->game));
    FLOW_SPAWN(boss_nerve, .game = self->game, .clock = self->clock);
    FLOW_SPAWN_WITH(FLOW_OPTIONS(.clock = self->clock), boss_sway, .game = self->game);
    mount_guns(self->game, self->clock);
    while (boss_health(self->body) > 0) {
        begin_phase(self);
        FLOW_RACE(
            self->winner, flow_property_until(&self->body->health, is_down_to, &self->limit, NULL),
            flow_seconds(30.0), flow_next(&self->game->arena.player.struck, NULL),
            FLOW_CALL(boss_attack, .game = self->game, .clock = self->clock, .phase = self->phase));
        if (boss_health(self->body) > 0) {
            FLOW_AWAIT(FLOW_CALL(boss_turn, .game = self->game,
                                 .words = last_words(self->winner, self->phase)));
        }
        if (self->winner != MOTH_STRUCK && self->phase < 2) {
            self->phase++;
        }
    }
    FLOW_AWAIT(FLOW_CALL(boss_death, .game = self->game));
    FLOW_FINALLY;
    leave_body(self->game);
    FLOW_END;
}
