/* SPDX-License-Identifier: MIT */
/*
 * Pools whose oldest entry makes room. Everything here is drawn as light, so that a crowd of it
 * gets brighter, not darker.
 */
#include "fx.h"

#include <math.h>
#include <string.h>

#include "game.h"

void fx_reset(struct fx *fx)
{
    struct engine_random random = fx->random;
    float shake_scale = fx->shake_scale;
    float flash_scale = fx->flash_scale;
    memset(fx, 0, sizeof *fx);
    fx->random = random;
    fx->shake_scale = shake_scale;
    fx->flash_scale = flash_scale;
}

static void update_particles(struct fx *fx, float dt)
{
    float drag = 1.0F - 2.6F * dt;
    for (int i = 0; i < PARTICLES_MAX; i++) {
        struct particle *p = &fx->particles[i];
        if (p->size <= 0.0F) {
            continue;
        }
        p->age += dt;
        if (p->age >= p->life) {
            p->size = 0.0F;
            continue;
        }
        p->at = vec_add(p->at, vec_scale(p->velocity, dt));
        p->velocity = vec_scale(p->velocity, drag);
    }
}

static void update_shapes(struct fx *fx, float dt)
{
    for (int i = 0; i < RINGS_MAX; i++) {
        fx->rings[i].age += dt;
        if (fx->rings[i].age >= fx->rings[i].life) {
            fx->rings[i].life = 0.0F;
        }
    }
    for (int i = 0; i < RIPPLES_MAX; i++) {
        fx->ripples[i].age += dt;
        if (fx->ripples[i].age > 1.6F) {
            fx->ripples[i].strength = 0.0F;
        }
    }
    for (int i = 0; i < NUMBERS_MAX; i++) {
        fx->numbers[i].age += dt;
        if (fx->numbers[i].age > 0.7F) {
            fx->numbers[i].value = 0;
        }
    }
}

void fx_update(struct fx *fx, float dt)
{
    float strength = 9.0F * fx->trauma * fx->trauma * fx->shake_scale;
    fx->time += dt;
    update_particles(fx, dt);
    update_shapes(fx, dt);
    fx->shake.x = engine_random_range(&fx->random, -strength, strength);
    fx->shake.y = engine_random_range(&fx->random, -strength, strength);
    fx->trauma = clampf(fx->trauma - 1.4F * dt, 0.0F, 1.0F);
}

void fx_spark(struct fx *fx, struct engine_vec2 at, struct engine_vec2 velocity, enum palette color,
              float life, float size)
{
    struct particle *p = &fx->particles[fx->next_particle];
    fx->next_particle = (fx->next_particle + 1) % PARTICLES_MAX;
    p->at = at;
    p->velocity = velocity;
    p->age = 0.0F;
    p->life = life;
    p->size = size;
    p->color = (uint8_t)color;
}

void fx_burst(struct fx *fx, struct engine_vec2 at, enum palette color, int count, float speed)
{
    for (int i = 0; i < count; i++) {
        angle way = (angle)(engine_random_bits(&fx->random) & 65535u);
        float fast = engine_random_range(&fx->random, 0.15F, 1.0F) * speed;
        float life = engine_random_range(&fx->random, 0.25F, 0.8F); /* one after the other: */
        float size = engine_random_range(&fx->random, 4.0F, 10.0F); /* arguments have no order */
        fx_spark(fx, at, angle_vector(way, fast), color, life, size);
    }
}

void fx_ring(struct fx *fx, struct engine_vec2 at, float radius, float width, float life,
             enum palette color)
{
    struct ring ring = {at, 0.0F, life, radius, width, color};
    fx->rings[fx->next_ring] = ring;
    fx->next_ring = (fx->next_ring + 1) % RINGS_MAX;
}

void fx_ripple(struct fx *fx, struct engine_vec2 at, float strength)
{
    struct ripple ripple = {at, 0.0F, strength};
    fx->ripples[fx->next_ripple] = ripple;
    fx->next_ripple = (fx->next_ripple + 1) % RIPPLES_MAX;
}

void fx_number(struct fx *fx, struct engine_vec2 at, int value)
{
    struct number number = {at, 0.0F, value};
    fx->numbers[fx->next_number] = number;
    fx->next_number = (fx->next_number + 1) % NUMBERS_MAX;
}

void fx_shake(struct fx *fx, float trauma)
{
    fx->trauma = clampf(fx->trauma + trauma, 0.0F, 1.0F);
}

static void draw_particle(struct game *game, const struct particle *p)
{
    float left = clampf(1.7F * (1.0F - p->age / p->life), 0.0F, 1.0F);
    float speed = vec_length(p->velocity);
    if (speed > 30.0F) {
        struct engine_vec2 size = {clampf(speed * 0.16F, 6.0F, 26.0F), p->size * 0.8F};
        art_stamp(&game->art, game->engine, CELL_STREAK16, p->at, size,
                  angle_radians(angle_of(p->velocity)), color_faded((enum palette)p->color, left));
        return;
    }
    struct engine_vec2 size = {p->size * (0.6F + left), p->size * (0.6F + left)};
    art_stamp(&game->art, game->engine, CELL_GLOW8, p->at, size, 0.0F,
              color_faded((enum palette)p->color, left * 0.9F));
}

void fx_draw_light(struct game *game)
{
    const struct fx *fx = &game->fx;
    engine_draw_blend(game->engine, ENGINE_BLEND_ADD);
    for (int i = 0; i < PARTICLES_MAX; i++) {
        if (fx->particles[i].size > 0.0F) {
            draw_particle(game, &fx->particles[i]);
        }
    }
    for (int i = 0; i < RINGS_MAX; i++) {
        const struct ring *r = &fx->rings[i];
        if (r->life > 0.0F) {
            float t = engine_ease_out_cubic(r->age / r->life);
            engine_draw_ring(game->engine, r->at, r->radius * t, r->width * (1.0F - t) + 0.5F,
                             color_faded(r->color, 0.9F * (1.0F - t)));
        }
    }
    engine_draw_blend(game->engine, ENGINE_BLEND_ALPHA);
}

void fx_draw_numbers(struct game *game)
{
    char text[16];
    for (int i = 0; i < NUMBERS_MAX; i++) {
        const struct number *n = &game->fx.numbers[i];
        if (n->value > 0) {
            float t = n->age / 0.7F;
            (void)snprintf(text, sizeof text, "%d", n->value);
            game_text(game, floorf(n->at.x),
                      floorf(n->at.y - 12.0F - 14.0F * engine_ease_out_cubic(t)), 1.0F,
                      color_faded(COLOR_WHITE, 1.0F - t * t), ENGINE_ALIGN_CENTER, text);
        }
    }
}
