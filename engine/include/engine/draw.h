/* SPDX-License-Identifier: MIT */
/*
 * Drawing: triangles, batched, into a 640x360 picture.
 *
 * What is drawn later covers what was drawn before: order is never changed. Calls with the same
 * texture and blending after another form one draw call, so draw in groups. Draw in RENDER;
 * elsewhere drawing is ignored. After warm-up nothing allocates: vertices go to one buffer that
 * keeps its size (up to 65,536 a batch).
 *
 * Every shape goes through the camera that is set; RENDER begins without one (logical pixels, top
 * left is 0,0) and with ENGINE_BLEND_ALPHA. Angles are radians, growing clockwise (x right, y
 * down). Shapes with a width or radius of 0 or less or with alpha 0 draw nothing. Everything here
 * belongs to the engine's own thread.
 */
#ifndef ENGINE_DRAW_H
#define ENGINE_DRAW_H

#include "engine/assets.h"
#include "engine/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How new colour meets old colour. */
enum engine_blend {
    ENGINE_BLEND_ALPHA,   /* new * alpha + old * (1 - alpha) */
    ENGINE_BLEND_ADD,     /* new * alpha + old: light */
    ENGINE_BLEND_MULTIPLY /* new * old: shade */
};

/* A view of the world. */
struct engine_camera {
    struct engine_vec2 position; /* the world's point in the middle of the picture */
    float zoom;                  /* logical pixels per unit of the world; 0 counts as 1 */
    float rotation;              /* of the view, radians: the world turns the other way */
    struct engine_vec2 shake;    /* added after all else, logical pixels */
};

/* A textured rectangle. Start from {0} and set at least texture and color. */
struct engine_sprite {
    const struct engine_texture *texture; /* borrowed during the call */
    struct engine_rect source;   /* part of the texture, in its pixels; w or h 0: all of it */
    struct engine_vec2 position; /* where its middle goes */
    struct engine_vec2
        size;       /* size on the picture; x or y 0: that of the source; negative: mirrored */
    float rotation; /* around its middle, radians */
    struct engine_color
        color; /* multiplied with the texture; zero is invisible, white is as drawn */
};

/* Fills the whole picture with a colour, and forgets what was drawn before in this frame. */
void engine_draw_clear(struct engine *engine, struct engine_color color);

/* Fills a part of the picture with a colour, whatever was there, without camera and blending: a
 * tenth of what a blended rectangle costs in software. A draw call of its own. */
void engine_draw_clear_part(struct engine *engine, struct engine_rect rect,
                            struct engine_color color);

/* Sets the camera for what follows in this frame; null: none. Copied. */
void engine_draw_camera(struct engine *engine, const struct engine_camera *camera);

/* Sets the blending for what follows in this frame. */
void engine_draw_blend(struct engine *engine, enum engine_blend blend);

/* A filled rectangle. */
void engine_draw_rect(struct engine *engine, struct engine_rect rect, struct engine_color color);

/* A filled rectangle whose colour runs from `top` to `bottom`. */
void engine_draw_gradient(struct engine *engine, struct engine_rect rect, struct engine_color top,
                          struct engine_color bottom);

/* The inner edge of a rectangle, `thickness` wide. */
void engine_draw_frame(struct engine *engine, struct engine_rect rect, float thickness,
                       struct engine_color color);

/* A filled rectangle around `center`, turned by `rotation`. */
void engine_draw_quad(struct engine *engine, struct engine_vec2 center, struct engine_vec2 size,
                      float rotation, struct engine_color color);

/* A filled convex polygon of 3 to 64 points, in order around it. */
void engine_draw_polygon(struct engine *engine, const struct engine_vec2 *points, int count,
                         struct engine_color color);

/* A filled regular polygon with `sides` corners (3 to 64) on `radius`; the first corner lies at
 * `rotation`. */
void engine_draw_ngon(struct engine *engine, struct engine_vec2 center, float radius, int sides,
                      float rotation, struct engine_color color);

/* The outline of the same, `thickness` wide, centred on `radius`. */
void engine_draw_ngon_line(struct engine *engine, struct engine_vec2 center, float radius,
                           int sides, float rotation, float thickness, struct engine_color color);

/* A straight line with flat ends. */
void engine_draw_line(struct engine *engine, struct engine_vec2 from, struct engine_vec2 to,
                      float thickness, struct engine_color color);

/* A line whose colour runs from `color_from` to `color_to`: trails, beams. */
void engine_draw_beam(struct engine *engine, struct engine_vec2 from, struct engine_vec2 to,
                      float thickness, struct engine_color color_from,
                      struct engine_color color_to);

/* A line with round ends: every point within `radius` of the way from one to the other. */
void engine_draw_capsule(struct engine *engine, struct engine_vec2 from, struct engine_vec2 to,
                         float radius, struct engine_color color);

/* A filled circle. */
void engine_draw_circle(struct engine *engine, struct engine_vec2 center, float radius,
                        struct engine_color color);

/* A circle whose colour runs from `inner` in the middle to `outer` at the edge: glows without a
 * texture. */
void engine_draw_glow(struct engine *engine, struct engine_vec2 center, float radius,
                      struct engine_color inner, struct engine_color outer);

/* A ring, `thickness` wide, centred on `radius`. */
void engine_draw_ring(struct engine *engine, struct engine_vec2 center, float radius,
                      float thickness, struct engine_color color);

/* A part of a ring, from angle `from` to angle `to`. */
void engine_draw_arc(struct engine *engine, struct engine_vec2 center, float radius,
                     float thickness, float from, float to, struct engine_color color);

/* A sprite. Null, or a sprite without texture, draws nothing. */
void engine_draw_sprite(struct engine *engine, const struct engine_sprite *sprite);

/* Where a point of the world is on the picture, with the given camera (null: none). Any thread. */
struct engine_vec2 engine_camera_to_screen(const struct engine_camera *camera,
                                           struct engine_vec2 world);

/* The other way: the world's point under a point of the picture, such as the mouse. Any thread. */
struct engine_vec2 engine_camera_to_world(const struct engine_camera *camera,
                                          struct engine_vec2 screen);

/* Has what is drawn so far done now rather than at the end of RENDER, so that its time is told from
 * that of what follows: the software renderer has done it when this returns, others have been told
 * to. Costs a draw call. */
void engine_draw_flush(struct engine *engine);

/* Writes the picture as it is now to `path`, a BMP of 640x360 with 24 bits a pixel. In END that is
 * this frame's picture. Returns false with an error that names the file and the reason. Slow (some
 * ms). */
bool engine_screenshot(struct engine *engine, const char *path);

/* Copies the picture as it is now to `pixels`, ENGINE_WIDTH * ENGINE_HEIGHT of them by rows; alpha
 * is 255. Returns false with an error. Slow (some ms). */
bool engine_read_pixels(struct engine *engine, struct engine_color *pixels);

#ifdef __cplusplus
}
#endif

#endif
