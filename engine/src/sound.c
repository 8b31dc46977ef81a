/* SPDX-License-Identifier: MIT */
/*
 * Sounds: WAV files, converted once to what the mixer walks through.
 */
#include <limits.h>

#include "file.h"
#include "internal.h"

enum { PAIR_BYTES = 2 * sizeof(float), PAD_FRAMES = 256 };

struct engine_sound *engine_sound_create(const float *samples, int frames)
{
    struct engine_sound *sound;
    if (frames < 1 || !samples) {
        return NULL;
    }
    sound = SDL_malloc(sizeof *sound + (size_t)frames * PAIR_BYTES);
    if (sound) {
        sound->frames = frames;
        SDL_memcpy(sound->samples, samples, (size_t)frames * PAIR_BYTES);
    }
    return sound;
}

/* What a sound's samples are while they are converted. */
struct conversion {
    SDL_AudioCVT cvt;
    int frame_bytes; /* of the file */
    int frames;      /* of the file, and how many are put before and behind them */
    int pad;
};

/* The sound in the middle of itself: what SDL's resampler does not know, before the first and
 * behind the last frame, it takes for silence, and a loop would click there. What begins and ends
 * in silence stays as it is. */
static void fill(const struct conversion *c, const Uint8 *bytes)
{
    for (int i = 0; i < c->frames + 2 * c->pad; i++) {
        int from = (i - c->pad) % c->frames;
        from = from < 0 ? from + c->frames : from;
        SDL_memcpy(c->cvt.buf + (size_t)i * (size_t)c->frame_bytes,
                   bytes + (size_t)from * (size_t)c->frame_bytes, (size_t)c->frame_bytes);
    }
}

/* The frames that belong to the sound itself, of what came out. */
static struct engine_sound *cut(const struct conversion *c, int rate)
{
    int made = c->cvt.len_cvt / PAIR_BYTES;
    int before = (int)((int64_t)c->pad * ENGINE_AUDIO_RATE / rate);
    int own = (int)((int64_t)c->frames * ENGINE_AUDIO_RATE / rate);
    own = own < made - before ? own : made - before;
    SDL_SetError("no samples");
    return engine_sound_create((const float *)(void *)c->cvt.buf + 2 * before, own);
}

/* Converts `length` bytes in the format of `spec`. Null where SDL cannot; then SDL_GetError says
 * why. */
static struct engine_sound *convert(const SDL_AudioSpec *spec, const Uint8 *bytes, Uint32 length)
{
    struct conversion c = {.frame_bytes = spec->channels * SDL_AUDIO_BITSIZE(spec->format) / 8};
    struct engine_sound *sound = NULL;
    int needed = SDL_BuildAudioCVT(&c.cvt, spec->format, spec->channels, spec->freq, AUDIO_F32SYS,
                                   2, ENGINE_AUDIO_RATE);
    if (needed < 0 || length > (Uint32)(INT_MAX / c.cvt.len_mult) / 2) {
        return NULL;
    }
    c.frames = (int)length / c.frame_bytes;
    if (c.frames == 0) {
        SDL_SetError("no samples");
        return NULL;
    }
    c.pad = spec->freq != ENGINE_AUDIO_RATE ? PAD_FRAMES : 0;
    c.cvt.len = (c.frames + 2 * c.pad) * c.frame_bytes;
    c.cvt.len_cvt = c.cvt.len;
    c.cvt.buf = SDL_malloc((size_t)c.cvt.len * (size_t)c.cvt.len_mult);
    if (!c.cvt.buf) {
        SDL_OutOfMemory();
        return NULL;
    }
    fill(&c, bytes);
    if (needed == 0 || SDL_ConvertAudio(&c.cvt) == 0) {
        sound = cut(&c, spec->freq);
    }
    SDL_free(c.cvt.buf);
    return sound;
}

struct engine_sound *engine_sound_load(const struct engine *engine, const char *name,
                                       char error[ENGINE_ERROR_SIZE])
{
    size_t size;
    SDL_AudioSpec spec;
    Uint8 *samples = NULL;
    Uint32 length = 0;
    struct engine_sound *sound = NULL;
    void *bytes = engine__read_asset(engine, name, &size, error);
    if (!bytes) {
        return NULL;
    }
    if (SDL_LoadWAV_RW(SDL_RWFromConstMem(bytes, (int)size), 1, &spec, &samples, &length)) {
        sound = convert(&spec, samples, length);
        SDL_FreeWAV(samples);
    }
    SDL_free(bytes);
    if (!sound) {
        engine__fail(error, "%s: is no sound: %s", name, SDL_GetError());
    }
    return sound;
}

double engine_sound_seconds(const struct engine_sound *sound)
{
    return sound ? (double)sound->frames / ENGINE_AUDIO_RATE : 0.0;
}

void engine_sound_destroy(struct engine *engine, struct engine_sound *sound)
{
    if (sound) {
        engine__audio_forget(engine, sound);
        SDL_free(sound);
    }
}
