/* SPDX-License-Identifier: MIT */
/*
 * Shapes as triangles.
 *
 * Two patterns make all of them: a fan around its first vertex (filled convex shapes), and a strip
 * between two borders (lines, rings, outlines). Round shapes get as many corners as their size on
 * the picture asks for.
 */
#include <math.h>

#include "internal.h"

#define TURN 6.28318530717958648f

static bool is_visible(struct engine_color a, struct engine_color b)
{
    return a.a > 0 || b.a > 0;
}

/* Adds a fan of `count` vertices, its indices included; null while nothing may be drawn.
 *
 * SDL's software renderer looks for two triangles in a row that form an upright rectangle and fills
 * that instead, with alpha blending whatever was asked for (seen in 2.26.5). An empty triangle
 * between the two keeps it from seeing them as a pair. */
static SDL_Vertex *add_fan(struct engine *engine, int count)
{
    bool apart = count == 4 && engine->batch.next_blend != ENGINE_BLEND_ALPHA;
    int base;
    int *index;
    SDL_Vertex *out =
        engine__batch_add(engine, NULL, count, 3 * (count - 2) + (apart ? 3 : 0), &base, &index);
    for (int i = 0; out && i < count - 2; i++) {
        *index++ = base;
        *index++ = base + i + 1;
        *index++ = base + i + 2;
        for (int j = 0; apart && i == 0 && j < 3; j++) {
            *index++ = base;
        }
    }
    return out;
}

/* Adds a strip of `pairs` pairs of vertices, closed to a loop if asked; null while nothing may be
 * drawn. */
static SDL_Vertex *add_strip(struct engine *engine, int pairs, bool closed)
{
    int base;
    int *index;
    int quads = closed ? pairs : pairs - 1;
    SDL_Vertex *out = engine__batch_add(engine, NULL, 2 * pairs, 6 * quads, &base, &index);
    for (int i = 0; out && i < quads; i++) {
        int a = base + 2 * i;
        int b = base + 2 * ((i + 1) % pairs);
        const int corners[6] = {a, a + 1, b + 1, a, b + 1, b};
        SDL_memcpy(index + 6 * i, corners, sizeof corners);
    }
    return out;
}

/* The number of corners of a circle: a multiple of 4, so that it looks the same on all sides. */
static int corners_of(const struct engine *engine, float radius)
{
    int corners = 4 * (int)(1.0f + 1.2f * sqrtf(radius * engine->batch.view_scale));
    if (corners < 8) {
        return 8;
    }
    return corners < ENGINE__CORNERS_MAX ? corners : ENGINE__CORNERS_MAX;
}

static struct engine_vec2 on_circle(struct engine_vec2 center, float radius, float angle)
{
    return (struct engine_vec2){center.x + radius * cosf(angle), center.y + radius * sinf(angle)};
}

void engine_draw_gradient(struct engine *engine, struct engine_rect rect, struct engine_color top,
                          struct engine_color bottom)
{
    const struct engine_vec2 corners[4] = {{rect.x, rect.y},
                                           {rect.x + rect.w, rect.y},
                                           {rect.x + rect.w, rect.y + rect.h},
                                           {rect.x, rect.y + rect.h}};
    SDL_Vertex *out;
    if (!(rect.w > 0.0f && rect.h > 0.0f) || !is_visible(top, bottom)) {
        return;
    }
    out = add_fan(engine, 4);
    for (int i = 0; out && i < 4; i++) {
        engine__vertex(engine, &out[i], corners[i], i < 2 ? top : bottom);
    }
}

void engine_draw_rect(struct engine *engine, struct engine_rect rect, struct engine_color color)
{
    engine_draw_gradient(engine, rect, color, color);
}

void engine_draw_frame(struct engine *engine, struct engine_rect rect, float thickness,
                       struct engine_color color)
{
    float t = fminf(thickness, fminf(rect.w, rect.h) / 2.0f);
    engine_draw_rect(engine, (struct engine_rect){rect.x, rect.y, rect.w, t}, color);
    engine_draw_rect(engine, (struct engine_rect){rect.x, rect.y + rect.h - t, rect.w, t}, color);
    engine_draw_rect(engine, (struct engine_rect){rect.x, rect.y + t, t, rect.h - 2.0f * t}, color);
    engine_draw_rect(
        engine, (struct engine_rect){rect.x + rect.w - t, rect.y + t, t, rect.h - 2.0f * t}, color);
}

/* The corners of a rectangle around a point, turned. */
static void turned_corners(struct engine_vec2 center, struct engine_vec2 size, float rotation,
                           struct engine_vec2 corners[4])
{
    static const float sides[4][2] = {{-0.5f, -0.5f}, {0.5f, -0.5f}, {0.5f, 0.5f}, {-0.5f, 0.5f}};
    float c = rotation == 0.0f ? 1.0f : cosf(rotation);
    float s = rotation == 0.0f ? 0.0f : sinf(rotation);
    for (int i = 0; i < 4; i++) {
        float x = sides[i][0] * size.x;
        float y = sides[i][1] * size.y;
        corners[i] = (struct engine_vec2){center.x + x * c - y * s, center.y + x * s + y * c};
    }
}

void engine_draw_quad(struct engine *engine, struct engine_vec2 center, struct engine_vec2 size,
                      float rotation, struct engine_color color)
{
    if (size.x > 0.0f && size.y > 0.0f) {
        struct engine_vec2 corners[4];
        turned_corners(center, size, rotation, corners);
        engine_draw_polygon(engine, corners, 4, color);
    }
}

void engine_draw_polygon(struct engine *engine, const struct engine_vec2 *points, int count,
                         struct engine_color color)
{
    SDL_Vertex *out;
    if (count < 3 || count > ENGINE__CORNERS_MAX || color.a == 0) {
        return;
    }
    out = add_fan(engine, count);
    for (int i = 0; out && i < count; i++) {
        engine__vertex(engine, &out[i], points[i], color);
    }
}

void engine_draw_ngon(struct engine *engine, struct engine_vec2 center, float radius, int sides,
                      float rotation, struct engine_color color)
{
    struct engine_vec2 points[ENGINE__CORNERS_MAX];
    if (!(radius > 0.0f) || sides < 3 || sides > ENGINE__CORNERS_MAX) {
        return;
    }
    for (int i = 0; i < sides; i++) {
        points[i] = on_circle(center, radius, rotation + TURN * (float)i / (float)sides);
    }
    engine_draw_polygon(engine, points, sides, color);
}

/* A band between two radii, from one angle over `span`; the last pair of a closed one is its first.
 */
static void band(struct engine *engine, struct engine_vec2 center, float radius, float thickness,
                 float from, float span, int pairs, bool closed, struct engine_color color)
{
    float inner = fmaxf(radius - thickness / 2.0f, 0.0f);
    float outer = radius + thickness / 2.0f;
    int parts = closed ? pairs : pairs - 1;
    SDL_Vertex *out;
    if (!(radius > 0.0f && thickness > 0.0f) || color.a == 0) {
        return;
    }
    out = add_strip(engine, pairs, closed);
    for (int i = 0; out && i < pairs; i++) {
        float angle = from + span * (float)i / (float)parts;
        engine__vertex(engine, &out[2 * i], on_circle(center, inner, angle), color);
        engine__vertex(engine, &out[2 * i + 1], on_circle(center, outer, angle), color);
    }
}

void engine_draw_ngon_line(struct engine *engine, struct engine_vec2 center, float radius,
                           int sides, float rotation, float thickness, struct engine_color color)
{
    if (sides >= 3 && sides <= ENGINE__CORNERS_MAX) {
        band(engine, center, radius, thickness, rotation, TURN, sides, true, color);
    }
}

void engine_draw_ring(struct engine *engine, struct engine_vec2 center, float radius,
                      float thickness, struct engine_color color)
{
    if (radius > 0.0f) {
        band(engine, center, radius, thickness, 0.0f, TURN, corners_of(engine, radius), true,
             color);
    }
}

void engine_draw_arc(struct engine *engine, struct engine_vec2 center, float radius,
                     float thickness, float from, float to, struct engine_color color)
{
    float part = fminf(fabsf(to - from) / TURN, 1.0f);
    if (radius > 0.0f && part > 0.0f) {
        int pairs = 2 + (int)(part * (float)corners_of(engine, radius));
        band(engine, center, radius, thickness, from, to - from, pairs, false, color);
    }
}

void engine_draw_beam(struct engine *engine, struct engine_vec2 from, struct engine_vec2 to,
                      float thickness, struct engine_color color_from, struct engine_color color_to)
{
    float dx = to.x - from.x;
    float dy = to.y - from.y;
    float length = sqrtf(dx * dx + dy * dy);
    struct engine_vec2 side;
    SDL_Vertex *out;
    if (!(length > 0.0f && thickness > 0.0f) || !is_visible(color_from, color_to)) {
        return;
    }
    side = (struct engine_vec2){-dy / length * thickness / 2.0f, dx / length * thickness / 2.0f};
    out = add_fan(engine, 4);
    if (out) {
        engine__vertex(engine, &out[0], (struct engine_vec2){from.x - side.x, from.y - side.y},
                       color_from);
        engine__vertex(engine, &out[1], (struct engine_vec2){to.x - side.x, to.y - side.y},
                       color_to);
        engine__vertex(engine, &out[2], (struct engine_vec2){to.x + side.x, to.y + side.y},
                       color_to);
        engine__vertex(engine, &out[3], (struct engine_vec2){from.x + side.x, from.y + side.y},
                       color_from);
    }
}

void engine_draw_line(struct engine *engine, struct engine_vec2 from, struct engine_vec2 to,
                      float thickness, struct engine_color color)
{
    engine_draw_beam(engine, from, to, thickness, color, color);
}

void engine_draw_capsule(struct engine *engine, struct engine_vec2 from, struct engine_vec2 to,
                         float radius, struct engine_color color)
{
    float angle = atan2f(to.y - from.y, to.x - from.x);
    int half;
    SDL_Vertex *out;
    if (!(radius > 0.0f) || color.a == 0) {
        return;
    }
    half = corners_of(engine, radius) / 2;
    out = add_fan(engine, 2 * (half + 1));
    for (int i = 0; out && i <= half; i++) {
        float along = angle + TURN * (0.5f * (float)i / (float)half - 0.25f);
        engine__vertex(engine, &out[i], on_circle(to, radius, along), color);
        engine__vertex(engine, &out[half + 1 + i], on_circle(from, radius, along + TURN / 2.0f),
                       color);
    }
}

void engine_draw_glow(struct engine *engine, struct engine_vec2 center, float radius,
                      struct engine_color inner, struct engine_color outer)
{
    int corners;
    SDL_Vertex *out;
    if (!(radius > 0.0f) || !is_visible(inner, outer)) {
        return;
    }
    corners = corners_of(engine, radius);
    out = add_fan(engine, corners + 2);
    for (int i = 0; out && i <= corners; i++) {
        float angle = TURN * (float)(i % corners) / (float)corners;
        engine__vertex(engine, &out[i + 1], on_circle(center, radius, angle), outer);
    }
    if (out) {
        engine__vertex(engine, &out[0], center, inner);
    }
}

void engine_draw_circle(struct engine *engine, struct engine_vec2 center, float radius,
                        struct engine_color color)
{
    engine_draw_ngon(engine, center, radius, radius > 0.0f ? corners_of(engine, radius) : 0, 0.0f,
                     color);
}

void engine_draw_sprite(struct engine *engine, const struct engine_sprite *sprite)
{
    struct engine_vec2 corners[4];
    struct engine_rect source;
    struct engine_vec2 size;
    if (!sprite || !sprite->texture || sprite->color.a == 0) {
        return;
    }
    source = sprite->source;
    if (source.w == 0.0f || source.h == 0.0f) {
        source = (struct engine_rect){0.0f, 0.0f, (float)sprite->texture->width,
                                      (float)sprite->texture->height};
    }
    size = sprite->size;
    if (size.x == 0.0f || size.y == 0.0f) {
        size = (struct engine_vec2){source.w, source.h};
    }
    turned_corners(sprite->position, size, sprite->rotation, corners);
    engine__textured_quad(engine, sprite->texture, source, corners, sprite->color);
}
