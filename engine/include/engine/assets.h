/* SPDX-License-Identifier: MIT */
/*
 * Assets: pictures (BMP) and sounds (WAV), found by name, with one clear line when something is
 * wrong.
 *
 * A name is looked up in the folder of engine_desc.assets (or "assets" beside the executable) and
 * then in engine_desc.assets_fallback; a name that begins with '/' is taken as it is. Loading has
 * two halves, so that the slow one may run on a worker: engine_image_load and engine_sound_load
 * work on any thread and write their error to the caller's buffer; engine_texture_create and
 * engine_texture_load belong to the engine's own thread.
 */
#ifndef ENGINE_ASSETS_H
#define ENGINE_ASSETS_H

#include "engine/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A decoded picture in memory, 32 bits a pixel. Owned by the caller. */
struct engine_image;

/* A picture the renderer can draw. Owned by the caller, and by the engine where the caller does not
 * destroy it. */
struct engine_texture;

/* A decoded sound, in the mixer's format. Owned by the caller. */
struct engine_sound;

/* How a picture's pixels become transparent. */
enum engine_key {
    ENGINE_KEY_NONE,    /* as the file says: its alpha channel where it has one, else opaque */
    ENGINE_KEY_MAGENTA, /* pixels of exactly 255, 0, 255 are transparent */
    ENGINE_KEY_BLACK,   /* pixels of exactly 0, 0, 0 are transparent */
    ENGINE_KEY_LIGHT    /* alpha is the brightest channel and the colour is white: glow stamps from
                           grey pictures */
};

/* Writes where `name` is to `path` (1024 bytes). Returns false with one line in `error` (may be
 * null) that names the file and the reason. Any thread. */
bool engine_asset_path(const struct engine *engine, const char *name, char path[1024],
                       char error[ENGINE_ERROR_SIZE]);

/* Writes to `path` (1024 bytes) where an application keeps a file of its user's, such as settings;
 * the folder is made where it is missing. False with one line in `error` (may be null). */
bool engine_user_path(const char *application, const char *name, char path[1024],
                      char error[ENGINE_ERROR_SIZE]);

/* Reads a BMP. Returns null with one line in `error` (may be null). Any thread. */
struct engine_image *engine_image_load(const struct engine *engine, const char *name,
                                       enum engine_key key, char error[ENGINE_ERROR_SIZE]);

/* Makes a picture from memory: `width` x `height` pixels by rows, copied. Null when out of memory
 * or on a bad size (1 to 4096). Any thread. */
struct engine_image *engine_image_create(int width, int height, const struct engine_color *pixels);

/* Frees a picture. Null is fine. Any thread. */
void engine_image_destroy(struct engine_image *image);

/* Makes a texture of a picture, which stays the caller's. Null with an error. */
struct engine_texture *engine_texture_create(struct engine *engine,
                                             const struct engine_image *image);

/* Both steps in one. Null with an error that names the file and the reason. */
struct engine_texture *engine_texture_load(struct engine *engine, const char *name,
                                           enum engine_key key);

/* The size of a texture in pixels; 0, 0 for null. */
struct engine_vec2 engine_texture_size(const struct engine_texture *texture);

/* Whether a texture is filtered when scaled (glows) or keeps hard pixels (the default). */
void engine_texture_set_smooth(struct engine *engine, struct engine_texture *texture, bool smooth);

/* Frees a texture. Not between drawing it and the end of RENDER. Null is fine. */
void engine_texture_destroy(struct engine *engine, struct engine_texture *texture);

/* Reads a WAV and converts it to the mixer's format. Null with one line in `error` (may be null).
 * Any thread. */
struct engine_sound *engine_sound_load(const struct engine *engine, const char *name,
                                       char error[ENGINE_ERROR_SIZE]);

/* Makes a sound of `frames` pairs of samples (left, right; -1 to 1) at ENGINE_AUDIO_RATE, copied.
 * Null when out of memory or for less than one frame. Any thread. */
struct engine_sound *engine_sound_create(const float *samples, int frames);

/* The length of a sound in seconds; 0 for null. */
double engine_sound_seconds(const struct engine_sound *sound);

/* Stops the voices that play a sound, and frees it. Null is fine. The engine's own thread, before
 * engine_destroy. */
void engine_sound_destroy(struct engine *engine, struct engine_sound *sound);

#ifdef __cplusplus
}
#endif

#endif
