/* SPDX-License-Identifier: MIT */
/*
 * The asset table: assets named by handles that know when what they named has gone.
 *
 *     struct engine_texture_handle ship = engine_texture_add(engine, "ship.bmp", ENGINE_KEY_NONE);
 *     engine_asset_read(engine, ship.asset, error);            on a worker: reads and decodes
 *     engine_asset_finish(engine, ship.asset);                 on the engine's own thread
 *     sprite.texture = engine_texture_get(engine, ship);       each frame; null once it has gone
 *
 * A handle is a slot and a generation, and has a type of its own for textures, sounds and files,
 * so that the compiler keeps them apart. A slot that was released is used again with another
 * generation: a handle from before then gets null, is counted, and leaves a line in engine_error.
 * The table has ENGINE_ASSETS_MAX slots; looking an asset up takes no memory and O(1).
 *
 * All functions belong to the engine's own thread, but for engine_asset_read. What is in the table
 * when the engine is destroyed goes with it; no engine_asset_read may run any more by then.
 */
#ifndef ENGINE_ASSET_TABLE_H
#define ENGINE_ASSET_TABLE_H

#include "engine/assets.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    /* The number of assets that the table holds at a time. */
    ENGINE_ASSETS_MAX = 256,
    /* The longest name of one in bytes, its terminating zero included. */
    ENGINE_ASSET_NAME_SIZE = 128
};

/* Names an asset of any kind. All zero names nothing. */
struct engine_asset {
    uint32_t slot;
    uint32_t generation;
};

/* Names a texture made of a BMP. */
struct engine_texture_handle {
    struct engine_asset asset;
};

/* Names a sound made of a WAV. */
struct engine_sound_handle {
    struct engine_asset asset;
};

/* Names a file of the host's own kind, such as a text: its bytes. */
struct engine_file_handle {
    struct engine_asset asset;
};

/* How an asset stands. One that is read anew goes through these again, while what it was before
 * remains in use. */
enum engine_asset_state {
    ENGINE_ASSET_GONE,    /* the handle is stale, or names nothing */
    ENGINE_ASSET_WANTED,  /* to be read */
    ENGINE_ASSET_READING, /* by some thread, now */
    ENGINE_ASSET_READ,    /* to be finished */
    ENGINE_ASSET_READY,   /* in use */
    ENGINE_ASSET_FAILED   /* engine_asset_error says why */
};

/* What the table has come to. */
struct engine_asset_counts {
    int used;        /* slots */
    int ready;       /* of those: have something that can be used */
    int peak;        /* the most slots that were used at a time */
    uint64_t stale;  /* times that a stale handle was used */
    uint64_t reads;  /* that have been finished */
    uint64_t failed; /* reads that came to nothing */
};

/* Adds an asset to be read; `name` as in assets.h, copied. All zero with an error when the table is
 * full or the name too long. */
struct engine_texture_handle engine_texture_add(struct engine *engine, const char *name,
                                                enum engine_key key);
struct engine_sound_handle engine_sound_add(struct engine *engine, const char *name);
struct engine_file_handle engine_file_add(struct engine *engine, const char *name);

/* Reads and decodes an asset that is WANTED; slow. Any thread, other assets at the same time. False
 * with one line in `error` (may be null) that names the file and the reason, which the table keeps
 * too; and when the handle is stale or the asset is not to be read (now). One that is released
 * meanwhile is dropped at the end of the reading. */
bool engine_asset_read(struct engine *engine, struct engine_asset asset,
                       char error[ENGINE_ERROR_SIZE]);

/* Takes what was read into use, in place of what there was: voices that play a sound that is
 * replaced stop, a texture keeps its address and its filter. False with an error when nothing was
 * read or no texture can be made of it; what there was remains in use then. */
bool engine_asset_finish(struct engine *engine, struct engine_asset asset);

/* Both in one. */
bool engine_asset_load(struct engine *engine, struct engine_asset asset);

/* Wants an asset read again, whatever came of it before; what it was remains in use until
 * engine_asset_finish. False with an error when the handle is stale or the asset is being read. */
bool engine_asset_reload(struct engine *engine, struct engine_asset asset);

/* Ends an asset, in every state, and frees it as engine_texture_destroy and engine_sound_destroy
 * do: its handles are stale from now on. All zero is fine; false with an error for a stale one. */
bool engine_asset_release(struct engine *engine, struct engine_asset asset);

/* Asks without counting stale handles. */
enum engine_asset_state engine_asset_state(const struct engine *engine, struct engine_asset asset);

/* Why an asset is FAILED, and "" in any other state. Valid until it is read again or released. */
const char *engine_asset_error(const struct engine *engine, struct engine_asset asset);

/* What can be used of an asset, or null: before it was READY for the first time, and for a handle
 * that is stale, which is counted and leaves an error. Owned by the table. */
struct engine_texture *engine_texture_get(struct engine *engine,
                                          struct engine_texture_handle handle);
const struct engine_sound *engine_sound_get(struct engine *engine,
                                            struct engine_sound_handle handle);

/* The same of a file: its bytes, and a zero behind them. *size (may be null) is their number. */
const char *engine_file_get(struct engine *engine, struct engine_file_handle handle, size_t *size);

/* O(ENGINE_ASSETS_MAX). */
struct engine_asset_counts engine_asset_count(const struct engine *engine);

#ifdef __cplusplus
}
#endif

#endif
