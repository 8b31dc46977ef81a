/* SPDX-License-Identifier: MIT */
/*
 * Sounds: WAV files, converted once to what the mixer walks through.
 */
#include <limits.h>

#include "file.h"
#include "internal.h"

enum { PAIR_BYTES = 2 * sizeof(float) };

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

/* Converts `length` bytes in the format of `spec`. Null where SDL cannot; then SDL_GetError says
 * why. */
static struct engine_sound *convert(const SDL_AudioSpec *spec, const Uint8 *bytes, Uint32 length)
{
    SDL_AudioCVT cvt;
    struct engine_sound *sound = NULL;
    int needed = SDL_BuildAudioCVT(&cvt, spec->format, spec->channels, spec->freq, AUDIO_F32SYS, 2,
                                   ENGINE_AUDIO_RATE);
    if (needed < 0 || length > (Uint32)(INT_MAX / cvt.len_mult)) {
        return NULL;
    }
    cvt.len = (int)length;
    cvt.len_cvt = cvt.len;
    cvt.buf = SDL_malloc((size_t)length * (size_t)cvt.len_mult + 1);
    if (!cvt.buf) {
        SDL_OutOfMemory();
        return NULL;
    }
    SDL_memcpy(cvt.buf, bytes, length);
    if (needed == 0 || SDL_ConvertAudio(&cvt) == 0) {
        SDL_SetError("no samples");
        sound = engine_sound_create((const float *)(void *)cvt.buf, cvt.len_cvt / PAIR_BYTES);
    }
    SDL_free(cvt.buf);
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
