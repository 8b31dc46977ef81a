/* SPDX-License-Identifier: MIT */
/*
 * The asset table.
 *
 * A slot's state and generation are one atomic word, so that whoever claims a slot to read it also
 * knows that it is still the asset that was meant. Between WANTED and READ the slot belongs to the
 * reading thread, else to the engine's. A slot released while it is read becomes ABANDONED, and is
 * emptied by its reader.
 */
#include <inttypes.h>

#include "file.h"
#include "internal.h"

enum {
    EMPTY = ENGINE_ASSET_GONE,
    ABANDONED = ENGINE_ASSET_FAILED + 1,
    STATE_BITS = 3,
    STATE_MASK = (1 << STATE_BITS) - 1
};

static uint32_t word_of(uint32_t generation, int state)
{
    return generation << STATE_BITS | (uint32_t)state;
}

static int state_in(uint32_t word)
{
    return (int)(word & STATE_MASK);
}

static uint32_t load(const struct engine__asset *slot)
{
    return atomic_load_explicit(&slot->word, memory_order_acquire);
}

static void set_state(struct engine__asset *slot, int state)
{
    uint32_t generation = load(slot) >> STATE_BITS;
    atomic_store_explicit(&slot->word, word_of(generation, state), memory_order_release);
}

/* From one state to another, if it is in that. */
static bool move(struct engine__asset *slot, uint32_t generation, int from, int to)
{
    uint32_t expected = word_of(generation, from);
    return atomic_compare_exchange_strong(&slot->word, &expected, word_of(generation, to));
}

/* Is a slot what an asset was added to? */
static bool has(const struct engine *engine, struct engine_asset asset)
{
    uint32_t word = load(&engine->assets[asset.slot % ENGINE_ASSETS_MAX]);
    return asset.slot < ENGINE_ASSETS_MAX && asset.generation == word >> STATE_BITS &&
           state_in(word) != EMPTY && state_in(word) != ABANDONED;
}

/* Where an asset is, or null: a stale handle is counted and reported, one that names nothing is
 * not. */
static struct engine__asset *look_up(struct engine *engine, struct engine_asset asset)
{
    if (has(engine, asset)) {
        return &engine->assets[asset.slot];
    }
    if (asset.generation != 0) {
        engine->assets_stale++;
        engine__fail(engine->error, "stale asset: slot %" PRIu32 ", generation %" PRIu32,
                     asset.slot, asset.generation);
    }
    return NULL;
}

static void drop_content(struct engine__content *content)
{
    engine_image_destroy(content->image);
    SDL_free(content->sound); /* nobody has played it */
    SDL_free(content->bytes);
    *content = (struct engine__content){0};
}

static struct engine__asset *empty_slot(struct engine *engine)
{
    for (int i = 0; i < ENGINE_ASSETS_MAX; i++) {
        if (state_in(load(&engine->assets[i])) == EMPTY) {
            return &engine->assets[i];
        }
    }
    return NULL;
}

static struct engine_asset add(struct engine *engine, enum engine__asset_kind kind,
                               const char *name, enum engine_key key)
{
    struct engine__asset *slot = empty_slot(engine);
    struct engine_asset none = {0};
    if (!slot) {
        engine__fail(engine->error, "%s: all %d assets are in use", name ? name : "",
                     ENGINE_ASSETS_MAX);
        return none;
    }
    if (!name || !*name || SDL_strlen(name) >= ENGINE_ASSET_NAME_SIZE) {
        engine__fail(engine->error, "an asset needs a name of 1 to %d bytes",
                     ENGINE_ASSET_NAME_SIZE - 1);
        return none;
    }
    uint32_t generation = (load(slot) >> STATE_BITS) + 1;
    generation = generation >> (32 - STATE_BITS) ? 1 : generation;
    slot->kind = kind;
    slot->key = key;
    SDL_strlcpy(slot->name, name, sizeof slot->name);
    atomic_store_explicit(&slot->word, word_of(generation, ENGINE_ASSET_WANTED),
                          memory_order_release);
    engine->assets_used++;
    engine->assets_peak = SDL_max(engine->assets_peak, engine->assets_used);
    return (struct engine_asset){(uint32_t)(slot - engine->assets), generation};
}

struct engine_texture_handle engine_texture_add(struct engine *engine, const char *name,
                                                enum engine_key key)
{
    return (struct engine_texture_handle){add(engine, ENGINE__ASSET_TEXTURE, name, key)};
}

struct engine_sound_handle engine_sound_add(struct engine *engine, const char *name)
{
    return (struct engine_sound_handle){add(engine, ENGINE__ASSET_SOUND, name, ENGINE_KEY_NONE)};
}

struct engine_file_handle engine_file_add(struct engine *engine, const char *name)
{
    return (struct engine_file_handle){add(engine, ENGINE__ASSET_FILE, name, ENGINE_KEY_NONE)};
}

/* On the thread that has claimed the slot. */
static bool decode(const struct engine *engine, struct engine__asset *slot, char *error)
{
    struct engine__content *content = &slot->fresh;
    if (slot->kind == ENGINE__ASSET_TEXTURE) {
        content->image = engine_image_load(engine, slot->name, slot->key, error);
    } else if (slot->kind == ENGINE__ASSET_SOUND) {
        content->sound = engine_sound_load(engine, slot->name, error);
    } else {
        content->bytes = engine__read_asset(engine, slot->name, &content->size, error);
    }
    return content->image || content->sound || content->bytes;
}

/* Ends the reading of a slot that is still wanted, or empties it. */
static bool settle(struct engine__asset *slot, uint32_t generation, bool fine)
{
    int next = fine ? ENGINE_ASSET_READ : ENGINE_ASSET_FAILED;
    if (move(slot, generation, ENGINE_ASSET_READING, next)) {
        return true;
    }
    drop_content(&slot->fresh);
    (void)move(slot, generation, ABANDONED, EMPTY);
    return false;
}

bool engine_asset_read(struct engine *engine, struct engine_asset asset,
                       char error[ENGINE_ERROR_SIZE])
{
    char reason[ENGINE_ERROR_SIZE] = "";
    struct engine__asset *slot = &engine->assets[asset.slot % ENGINE_ASSETS_MAX];
    if (asset.slot >= ENGINE_ASSETS_MAX ||
        !move(slot, asset.generation, ENGINE_ASSET_WANTED, ENGINE_ASSET_READING)) {
        return engine__fail(error, "asset %" PRIu32 " is not to be read", asset.slot);
    }
    bool fine = decode(engine, slot, reason);
    SDL_memcpy(slot->error, reason, sizeof reason);
    if (!settle(slot, asset.generation, fine)) {
        return engine__fail(error, "asset %" PRIu32 " was released while it was read", asset.slot);
    }
    return fine || engine__fail(error, "%s", reason);
}

/* A texture that is there already keeps its address: only what is in it changes. */
static bool use_image(struct engine *engine, struct engine__asset *slot)
{
    struct engine_texture *fresh = engine_texture_create(engine, slot->fresh.image);
    struct engine_texture *kept = slot->texture;
    if (!fresh) {
        return false;
    }
    if (!kept) {
        slot->texture = fresh;
        return true;
    }
    SDL_ScaleMode filter = SDL_ScaleModeNearest;
    (void)SDL_GetTextureScaleMode(kept->texture, &filter);
    (void)SDL_SetTextureScaleMode(fresh->texture, filter);
    engine__texture_swap(kept, fresh);
    engine_texture_destroy(engine, fresh);
    return true;
}

/* Takes over what was read. */
static bool use(struct engine *engine, struct engine__asset *slot)
{
    struct engine__content *fresh = &slot->fresh;
    if (slot->kind == ENGINE__ASSET_TEXTURE) {
        return use_image(engine, slot);
    }
    engine_sound_destroy(engine, slot->sound);
    SDL_free(slot->bytes);
    slot->sound = fresh->sound;
    slot->bytes = fresh->bytes;
    slot->size = fresh->size;
    *fresh = (struct engine__content){0};
    return true;
}

bool engine_asset_finish(struct engine *engine, struct engine_asset asset)
{
    struct engine__asset *slot = look_up(engine, asset);
    if (!slot) {
        return false;
    }
    int state = state_in(load(slot));
    if (state == ENGINE_ASSET_FAILED) {
        return engine__fail(engine->error, "%s", slot->error);
    }
    if (state != ENGINE_ASSET_READ) {
        return engine__fail(engine->error, "%s: was not read", slot->name);
    }
    bool fine = use(engine, slot);
    if (!fine) {
        (void)SDL_snprintf(slot->error, sizeof slot->error, "%s: %.120s", slot->name,
                           engine->error);
        engine__fail(engine->error, "%s", slot->error);
    }
    drop_content(&slot->fresh);
    set_state(slot, fine ? ENGINE_ASSET_READY : ENGINE_ASSET_FAILED);
    return fine;
}

bool engine_asset_load(struct engine *engine, struct engine_asset asset)
{
    return engine_asset_read(engine, asset, engine->error) && engine_asset_finish(engine, asset);
}

bool engine_asset_reload(struct engine *engine, struct engine_asset asset)
{
    struct engine__asset *slot = look_up(engine, asset);
    if (!slot) {
        return false;
    }
    if (state_in(load(slot)) == ENGINE_ASSET_READING) {
        return engine__fail(engine->error, "%s: is being read", slot->name);
    }
    drop_content(&slot->fresh);
    set_state(slot, ENGINE_ASSET_WANTED);
    return true;
}

bool engine_asset_release(struct engine *engine, struct engine_asset asset)
{
    struct engine__asset *slot = look_up(engine, asset);
    if (!slot) {
        return asset.generation == 0;
    }
    engine_texture_destroy(engine, slot->texture);
    engine_sound_destroy(engine, slot->sound);
    SDL_free(slot->bytes);
    slot->texture = NULL;
    slot->sound = NULL;
    slot->bytes = NULL;
    engine->assets_used--;
    if (!move(slot, asset.generation, ENGINE_ASSET_WANTED, EMPTY) &&
        !move(slot, asset.generation, ENGINE_ASSET_READING, ABANDONED)) {
        drop_content(&slot->fresh);
        set_state(slot, EMPTY);
    }
    return true;
}

enum engine_asset_state engine_asset_state(const struct engine *engine, struct engine_asset asset)
{
    return has(engine, asset) ? (enum engine_asset_state)state_in(load(&engine->assets[asset.slot]))
                              : ENGINE_ASSET_GONE;
}

const char *engine_asset_error(const struct engine *engine, struct engine_asset asset)
{
    bool failed = engine_asset_state(engine, asset) == ENGINE_ASSET_FAILED;
    return failed ? engine->assets[asset.slot].error : "";
}

struct engine_texture *engine_texture_get(struct engine *engine,
                                          struct engine_texture_handle handle)
{
    const struct engine__asset *slot = look_up(engine, handle.asset);
    return slot ? slot->texture : NULL;
}

const struct engine_sound *engine_sound_get(struct engine *engine,
                                            struct engine_sound_handle handle)
{
    const struct engine__asset *slot = look_up(engine, handle.asset);
    return slot ? slot->sound : NULL;
}

const char *engine_file_get(struct engine *engine, struct engine_file_handle handle, size_t *size)
{
    const struct engine__asset *slot = look_up(engine, handle.asset);
    if (size) {
        *size = slot ? slot->size : 0;
    }
    return slot ? slot->bytes : NULL;
}

struct engine_asset_counts engine_asset_count(const struct engine *engine)
{
    struct engine_asset_counts counts = {
        .used = engine->assets_used, .peak = engine->assets_peak, .stale = engine->assets_stale};
    for (int i = 0; i < ENGINE_ASSETS_MAX; i++) {
        const struct engine__asset *slot = &engine->assets[i];
        counts.ready += slot->texture || slot->sound || slot->bytes;
    }
    return counts;
}

void engine__assets_close(struct engine *engine)
{
    for (uint32_t i = 0; i < ENGINE_ASSETS_MAX; i++) {
        struct engine_asset asset = {i, load(&engine->assets[i]) >> STATE_BITS};
        if (has(engine, asset)) {
            (void)engine_asset_release(engine, asset);
        }
    }
}
