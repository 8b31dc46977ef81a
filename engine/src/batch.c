/* SPDX-License-Identifier: MIT */
/*
 * The batch: one buffer of triangles in the order of drawing, handed to SDL_RenderGeometry when
 * texture or blending change, when it is full, and at the end of RENDER.
 *
 * The buffers have their full size from the start, so that drawing never allocates here. Points go
 * through the camera's matrix when they are added.
 */
#include <cglm/affine2d.h>
#include <cglm/cglm.h>

#include "internal.h"

static SDL_BlendMode sdl_blend(enum engine_blend blend)
{
    switch (blend) {
    case ENGINE_BLEND_ADD:
        return SDL_BLENDMODE_ADD;
    case ENGINE_BLEND_MULTIPLY:
        return SDL_BLENDMODE_MOD;
    case ENGINE_BLEND_ALPHA:
        break;
    }
    return SDL_BLENDMODE_BLEND;
}

bool engine__draw_open(struct engine *engine, char *error)
{
    struct engine__batch *batch = &engine->batch;
    batch->vertices = SDL_calloc(ENGINE__BATCH_VERTICES, sizeof *batch->vertices);
    batch->indices = SDL_calloc(ENGINE__BATCH_INDICES, sizeof *batch->indices);
    if (!batch->vertices || !batch->indices) {
        return engine__fail(error, "out of memory");
    }
    engine->window.target =
        SDL_CreateTexture(engine->window.renderer, SDL_PIXELFORMAT_ARGB8888,
                          SDL_TEXTUREACCESS_TARGET, ENGINE_WIDTH, ENGINE_HEIGHT);
    if (!engine->window.target) {
        return engine__fail(error, "no picture to draw to: %s", SDL_GetError());
    }
    SDL_SetTextureScaleMode(engine->window.target, SDL_ScaleModeNearest);
    SDL_SetTextureBlendMode(engine->window.target, SDL_BLENDMODE_NONE);
    glm_mat3_identity(batch->view);
    batch->view_scale = 1.0f;
    engine__draw_begin(engine); /* so that the picture is black before the first frame */
    engine__draw_end(engine);
    return true;
}

void engine__draw_close(struct engine *engine)
{
    if (engine->window.target) {
        SDL_DestroyTexture(engine->window.target);
    }
    SDL_free(engine->batch.vertices);
    SDL_free(engine->batch.indices);
}

void engine__draw_begin(struct engine *engine)
{
    struct engine__batch *batch = &engine->batch;
    batch->draw_calls = 0;
    batch->vertices_drawn = 0;
    batch->vertex_count = 0;
    batch->index_count = 0;
    batch->open = true;
    batch->next_blend = ENGINE_BLEND_ALPHA;
    engine_draw_camera(engine, NULL);
    SDL_SetRenderTarget(engine->window.renderer, engine->window.target);
    engine_draw_clear(engine, (struct engine_color){0, 0, 0, 255});
}

void engine__draw_end(struct engine *engine)
{
    SDL_Renderer *renderer = engine->window.renderer;
    const struct engine_viewport *fit = &engine->window.viewport;
    SDL_Rect to = {fit->x, fit->y, fit->w, fit->h};
    engine__draw_flush(engine);
    engine->batch.open = false;
    SDL_SetRenderTarget(renderer, NULL);
    SDL_SetRenderDrawColor(renderer, 0, 0, 0, 255);
    SDL_RenderClear(renderer);
    SDL_RenderCopy(renderer, engine->window.target, NULL, &to);
    SDL_RenderFlush(
        renderer); /* the software renderer works here: count it as work, not as waiting */
}

void engine__draw_flush(struct engine *engine)
{
    struct engine__batch *batch = &engine->batch;
    SDL_Renderer *renderer = engine->window.renderer;
    if (batch->index_count > 0) {
        if (batch->texture) {
            SDL_SetTextureBlendMode(batch->texture, sdl_blend(batch->blend));
        } else {
            SDL_SetRenderDrawBlendMode(renderer, sdl_blend(batch->blend));
        }
        SDL_RenderGeometry(renderer, batch->texture, batch->vertices, batch->vertex_count,
                           batch->indices, batch->index_count);
        batch->draw_calls++;
        batch->vertices_drawn += batch->vertex_count;
    }
    batch->vertex_count = 0;
    batch->index_count = 0;
}

void engine_draw_flush(struct engine *engine)
{
    engine__draw_flush(engine);
    SDL_RenderFlush(engine->window.renderer);
}

SDL_Vertex *engine__batch_add(struct engine *engine, SDL_Texture *texture, int vertices,
                              int indices, int *base, int **index)
{
    struct engine__batch *batch = &engine->batch;
    if (!batch->open) {
        return NULL;
    }
    if (batch->texture != texture || batch->blend != batch->next_blend ||
        batch->vertex_count + vertices > ENGINE__BATCH_VERTICES ||
        batch->index_count + indices > ENGINE__BATCH_INDICES) {
        engine__draw_flush(engine);
    }
    batch->texture = texture;
    batch->blend = batch->next_blend;
    *base = batch->vertex_count;
    *index = batch->indices + batch->index_count;
    batch->vertex_count += vertices;
    batch->index_count += indices;
    return batch->vertices + *base;
}

void engine__vertex(struct engine *engine, SDL_Vertex *out, struct engine_vec2 at,
                    struct engine_color color)
{
    vec3 from = {at.x, at.y, 1.0f};
    vec3 to;
    glm_mat3_mulv(engine->batch.view, from, to);
    out->position = (SDL_FPoint){to[0], to[1]};
    out->color = (SDL_Color){color.r, color.g, color.b, color.a};
    out->tex_coord = (SDL_FPoint){0.0f, 0.0f};
}

void engine__textured_quad(struct engine *engine, const struct engine_texture *texture,
                           struct engine_rect source, const struct engine_vec2 corners[4],
                           struct engine_color color)
{
    static const int order[6] = {0, 1, 2, 0, 2, 3};
    float left = source.x / (float)texture->width;
    float right = (source.x + source.w) / (float)texture->width;
    float top = source.y / (float)texture->height;
    float bottom = (source.y + source.h) / (float)texture->height;
    const SDL_FPoint at[4] = {{left, top}, {right, top}, {right, bottom}, {left, bottom}};
    int base;
    int *index;
    SDL_Vertex *out = engine__batch_add(engine, texture->texture, 4, 6, &base, &index);
    for (int i = 0; out && i < 4; i++) {
        engine__vertex(engine, &out[i], corners[i], color);
        out[i].tex_coord = at[i];
    }
    for (int i = 0; out && i < 6; i++) {
        index[i] = base + order[i];
    }
}

/* The matrix from the world to the picture. */
static void view_of(const struct engine_camera *camera, mat3 view)
{
    float zoom = camera->zoom != 0.0f ? camera->zoom : 1.0f;
    vec2 middle = {ENGINE_WIDTH / 2.0f + camera->shake.x, ENGINE_HEIGHT / 2.0f + camera->shake.y};
    vec2 scale = {zoom, zoom};
    vec2 back = {-camera->position.x, -camera->position.y};
    glm_mat3_identity(view);
    glm_translate2d(view, middle);
    glm_scale2d(view, scale);
    glm_rotate2d(view, -camera->rotation);
    glm_translate2d(view, back);
}

void engine_draw_camera(struct engine *engine, const struct engine_camera *camera)
{
    if (camera) {
        view_of(camera, engine->batch.view);
        engine->batch.view_scale = camera->zoom != 0.0f ? fabsf(camera->zoom) : 1.0f;
    } else {
        glm_mat3_identity(engine->batch.view);
        engine->batch.view_scale = 1.0f;
    }
}

static struct engine_vec2 transform(mat3 view, struct engine_vec2 point)
{
    vec3 from = {point.x, point.y, 1.0f};
    vec3 to;
    glm_mat3_mulv(view, from, to);
    return (struct engine_vec2){to[0], to[1]};
}

struct engine_vec2 engine_camera_to_screen(const struct engine_camera *camera,
                                           struct engine_vec2 world)
{
    mat3 view = GLM_MAT3_IDENTITY_INIT;
    if (!camera) {
        return world;
    }
    view_of(camera, view);
    return transform(view, world);
}

struct engine_vec2 engine_camera_to_world(const struct engine_camera *camera,
                                          struct engine_vec2 screen)
{
    mat3 view = GLM_MAT3_IDENTITY_INIT;
    mat3 back;
    if (!camera) {
        return screen;
    }
    view_of(camera, view);
    glm_mat3_inv(view, back);
    return transform(back, screen);
}

void engine_draw_blend(struct engine *engine, enum engine_blend blend)
{
    engine->batch.next_blend = blend;
}

void engine_draw_clear(struct engine *engine, struct engine_color color)
{
    SDL_Renderer *renderer = engine->window.renderer;
    if (!engine->batch.open) {
        return;
    }
    engine->batch.vertex_count = 0; /* nobody would see it */
    engine->batch.index_count = 0;
    SDL_SetRenderDrawColor(renderer, color.r, color.g, color.b, 255);
    SDL_RenderClear(renderer);
}

void engine_draw_clear_part(struct engine *engine, struct engine_rect rect,
                            struct engine_color color)
{
    SDL_Renderer *renderer = engine->window.renderer;
    const SDL_FRect to = {rect.x, rect.y, rect.w, rect.h};
    if (!engine->batch.open) {
        return;
    }
    engine__draw_flush(engine);
    SDL_SetRenderDrawBlendMode(renderer, SDL_BLENDMODE_NONE);
    SDL_SetRenderDrawColor(renderer, color.r, color.g, color.b, 255);
    SDL_RenderFillRectF(renderer, &to);
}
