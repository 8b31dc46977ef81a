/* SPDX-License-Identifier: MIT */
/*
 * Textures. The engine keeps a list, so that what the host forgets goes with the renderer.
 */
#include "internal.h"

struct engine_texture *engine_texture_create(struct engine *engine,
                                             const struct engine_image *image)
{
    struct engine_texture *texture = SDL_calloc(1, sizeof *texture);
    SDL_Texture *made = image && texture
                            ? SDL_CreateTextureFromSurface(engine->window.renderer, image->surface)
                            : NULL;
    if (!made) {
        engine__fail(engine->error, "no texture: %s", image ? SDL_GetError() : "no image");
        SDL_free(texture);
        return NULL;
    }
    texture->texture = made;
    texture->width = image->surface->w;
    texture->height = image->surface->h;
    texture->next = engine->textures;
    engine->textures = texture;
    SDL_SetTextureScaleMode(made, SDL_ScaleModeNearest);
    return texture;
}

struct engine_texture *engine_texture_load(struct engine *engine, const char *name,
                                           enum engine_key key)
{
    struct engine_image *image = engine_image_load(engine, name, key, engine->error);
    struct engine_texture *texture;
    if (!image) {
        return NULL;
    }
    texture = engine_texture_create(engine, image);
    engine_image_destroy(image);
    if (!texture) {
        engine__fail(engine->error, "%s: no texture: %s", name, SDL_GetError());
    }
    return texture;
}

struct engine_vec2 engine_texture_size(const struct engine_texture *texture)
{
    struct engine_vec2 size = {0.0f, 0.0f};
    if (texture) {
        size = (struct engine_vec2){(float)texture->width, (float)texture->height};
    }
    return size;
}

void engine_texture_set_smooth(struct engine *engine, struct engine_texture *texture, bool smooth)
{
    if (texture) {
        engine__draw_flush(engine); /* what waits was drawn with the old setting */
        SDL_SetTextureScaleMode(texture->texture,
                                smooth ? SDL_ScaleModeLinear : SDL_ScaleModeNearest);
    }
}

void engine_texture_destroy(struct engine *engine, struct engine_texture *texture)
{
    struct engine_texture **link = &engine->textures;
    while (*link && *link != texture) {
        link = &(*link)->next;
    }
    if (!texture || !*link) {
        return;
    }
    *link = texture->next;
    engine__draw_flush(engine);
    if (engine->batch.font == texture) {
        engine->batch.font = NULL;
    }
    if (engine->batch.texture == texture->texture) {
        engine->batch.texture = NULL;
    }
    SDL_DestroyTexture(texture->texture);
    SDL_free(texture);
}

void engine__texture_swap(struct engine_texture *a, struct engine_texture *b)
{
    struct engine_texture former = *a;
    a->texture = b->texture;
    a->width = b->width;
    a->height = b->height;
    b->texture = former.texture;
    b->width = former.width;
    b->height = former.height;
}

void engine__textures_close(struct engine *engine)
{
    while (engine->textures) {
        engine_texture_destroy(engine, engine->textures);
    }
}
