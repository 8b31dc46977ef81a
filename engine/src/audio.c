/* SPDX-License-Identifier: MIT */
/*
 * The mixer: sounds are float pairs at one rate, so that a voice is an index that walks through
 * one.
 *
 * The voices are shared with SDL's audio thread and guarded by the device's lock. Without a device
 * there is no other thread and the lock is nothing.
 */
#include "internal.h"

static float clamp(float value, float low, float high)
{
    if (!(value > low)) {
        return low; /* NaN as well */
    }
    return value < high ? value : high;
}

static void lock(struct engine *engine)
{
    if (engine->audio.device) {
        SDL_LockAudioDevice(engine->audio.device);
    }
}

static void unlock(struct engine *engine)
{
    if (engine->audio.device) {
        SDL_UnlockAudioDevice(engine->audio.device);
    }
}

/* One frame of a fade. False when the voice has faded out. */
static bool fade(struct engine__voice *voice)
{
    float left = voice->level_end - voice->level;
    if (voice->level_step == 0.0f) {
        return true;
    }
    if (SDL_fabsf(left) <= SDL_fabsf(voice->level_step)) {
        voice->level = voice->level_end;
        voice->level_step = 0.0f;
        return voice->level > 0.0f;
    }
    voice->level += voice->level_step;
    return true;
}

static void mix_voice(struct engine__voice *voice, float *out, int frames, float full)
{
    for (int i = 0; i < frames; i++) {
        float volume = full * voice->level;
        if (!fade(voice)) {
            voice->sound = NULL;
            return;
        }
        if (voice->position >= voice->sound->frames) {
            if (!voice->loop) {
                voice->sound = NULL;
                return;
            }
            voice->position = 0;
        }
        out[2 * i] += voice->sound->samples[2 * voice->position] * voice->left * volume;
        out[2 * i + 1] += voice->sound->samples[2 * voice->position + 1] * voice->right * volume;
        voice->position++;
    }
    if (!voice->loop && voice->position >= voice->sound->frames) {
        voice->sound = NULL;
    }
}

/* A sum of voices: as it is up to the knee, and above it bent so that it never reaches 1. What was
 * cut off instead would crackle. */
static float bend(float sum)
{
    const float knee = 0.75f;
    float over = (SDL_fabsf(sum) - knee) / (1.0f - knee);
    float bent = over > 0.0f ? knee + (1.0f - knee) * over / (1.0f + over) : SDL_fabsf(sum);
    return sum < 0.0f ? -bent : bent;
}

static void mix(struct engine__audio *audio, float *out, int frames)
{
    float volume = audio->mute ? 0.0f : audio->volume;
    SDL_memset(out, 0, (size_t)frames * 2 * sizeof *out);
    for (int i = 0; i < ENGINE_VOICES_MAX; i++) {
        if (audio->voices[i].sound) {
            float group = audio->group_volume[audio->voices[i].group];
            mix_voice(&audio->voices[i], out, frames, volume * group);
        }
    }
    for (int i = 0; i < 2 * frames; i++) {
        out[i] = bend(out[i]);
    }
}

static void SDLCALL callback(void *user, Uint8 *stream, int bytes)
{
    mix(user, (float *)(void *)stream, bytes / (int)(2 * sizeof(float)));
}

void engine__audio_open(struct engine *engine)
{
    SDL_AudioSpec wanted = {
        .freq = ENGINE_AUDIO_RATE, .format = AUDIO_F32SYS, .channels = 2, .samples = 1024};
    engine->audio.volume = 1.0f;
    for (int i = 0; i < ENGINE_GROUPS_MAX; i++) {
        engine->audio.group_volume[i] = 1.0f;
    }
    if (engine->desc.no_audio || SDL_InitSubSystem(SDL_INIT_AUDIO) != 0) {
        return;
    }
    wanted.callback = callback;
    wanted.userdata = &engine->audio;
    engine->audio.device = SDL_OpenAudioDevice(NULL, 0, &wanted, NULL, 0);
    if (engine->audio.device) {
        SDL_PauseAudioDevice(engine->audio.device, 0);
    }
}

void engine__audio_close(struct engine *engine)
{
    if (engine->audio.device) {
        SDL_CloseAudioDevice(engine->audio.device);
        engine->audio.device = 0;
    }
}

void engine__audio_forget(struct engine *engine, const struct engine_sound *sound)
{
    lock(engine);
    for (int i = 0; i < ENGINE_VOICES_MAX; i++) {
        if (engine->audio.voices[i].sound == sound) {
            engine->audio.voices[i].sound = NULL;
        }
    }
    unlock(engine);
}

bool engine_audio_available(const struct engine *engine)
{
    return engine->audio.device != 0;
}

static void set_gains(struct engine__voice *voice, float volume, float pan)
{
    float side = clamp(pan, -1.0f, 1.0f);
    float gain = clamp(volume, 0.0f, 1.0f);
    voice->left = side > 0.0f ? gain * (1.0f - side) : gain;
    voice->right = side < 0.0f ? gain * (1.0f + side) : gain;
}

/* A voice to use: a free one, else the oldest that does not loop, else null. Locked. */
static struct engine__voice *choose(struct engine__audio *audio)
{
    struct engine__voice *oldest = NULL;
    for (int i = 0; i < ENGINE_VOICES_MAX; i++) {
        struct engine__voice *voice = &audio->voices[i];
        if (!voice->sound) {
            return voice;
        }
        if (!voice->loop && (!oldest || voice->id < oldest->id)) {
            oldest = voice;
        }
    }
    return oldest;
}

static uint32_t play(struct engine *engine, const struct engine_sound *sound, float volume,
                     float pan, bool loop)
{
    struct engine__voice *voice;
    uint32_t id = 0;
    if (!sound) {
        return 0;
    }
    lock(engine);
    voice = choose(&engine->audio);
    if (voice) {
        engine->audio.last_id = engine->audio.last_id == UINT32_MAX ? 1 : engine->audio.last_id + 1;
        id = engine->audio.last_id;
        *voice = (struct engine__voice){.sound = sound, .id = id, .level = 1.0f, .loop = loop};
        set_gains(voice, volume, pan);
    }
    unlock(engine);
    return id;
}

uint32_t engine_audio_play(struct engine *engine, const struct engine_sound *sound, float volume,
                           float pan)
{
    return play(engine, sound, volume, pan, false);
}

uint32_t engine_audio_loop(struct engine *engine, const struct engine_sound *sound, float volume,
                           float pan)
{
    return play(engine, sound, volume, pan, true);
}

/* The playing voice with an id, or null. Locked. */
static struct engine__voice *find(struct engine__audio *audio, uint32_t id)
{
    for (int i = 0; i < ENGINE_VOICES_MAX; i++) {
        if (id != 0 && audio->voices[i].sound && audio->voices[i].id == id) {
            return &audio->voices[i];
        }
    }
    return NULL;
}

void engine_audio_stop(struct engine *engine, uint32_t voice)
{
    struct engine__voice *found;
    lock(engine);
    found = find(&engine->audio, voice);
    if (found) {
        found->sound = NULL;
    }
    unlock(engine);
}

void engine_audio_stop_all(struct engine *engine)
{
    lock(engine);
    SDL_memset(engine->audio.voices, 0, sizeof engine->audio.voices);
    unlock(engine);
}

bool engine_audio_change(struct engine *engine, uint32_t voice, float volume, float pan)
{
    struct engine__voice *found;
    lock(engine);
    found = find(&engine->audio, voice);
    if (found) {
        set_gains(found, volume, pan);
    }
    unlock(engine);
    return found != NULL;
}

static bool is_group(int group)
{
    return group >= 0 && group < ENGINE_GROUPS_MAX;
}

bool engine_audio_set_group(struct engine *engine, uint32_t voice, int group)
{
    struct engine__voice *found;
    lock(engine);
    found = is_group(group) ? find(&engine->audio, voice) : NULL;
    if (found) {
        found->group = group;
    }
    unlock(engine);
    return found != NULL;
}

void engine_audio_set_group_volume(struct engine *engine, int group, float volume)
{
    if (is_group(group)) {
        lock(engine);
        engine->audio.group_volume[group] = clamp(volume, 0.0f, 1.0f);
        unlock(engine);
    }
}

bool engine_audio_fade(struct engine *engine, uint32_t voice, float level, double seconds)
{
    struct engine__voice *found;
    float frames = seconds > 0.0 ? (float)(seconds * ENGINE_AUDIO_RATE) : 0.0f;
    lock(engine);
    found = find(&engine->audio, voice);
    if (found) {
        found->level_end = clamp(level, 0.0f, 1.0f);
        found->level_step = (found->level_end - found->level) / (frames > 1.0f ? frames : 1.0f);
        if (found->level_step == 0.0f && found->level == 0.0f) {
            found->sound = NULL;
        }
    }
    unlock(engine);
    return found != NULL;
}

void engine_audio_set_volume(struct engine *engine, float volume)
{
    lock(engine);
    engine->audio.volume = clamp(volume, 0.0f, 1.0f);
    unlock(engine);
}

void engine_audio_mute(struct engine *engine, bool mute)
{
    lock(engine);
    engine->audio.mute = mute;
    unlock(engine);
}

int engine_audio_voices(struct engine *engine)
{
    int count = 0;
    lock(engine);
    for (int i = 0; i < ENGINE_VOICES_MAX; i++) {
        count += engine->audio.voices[i].sound != NULL;
    }
    unlock(engine);
    return count;
}

bool engine_audio_mix(struct engine *engine, float *out, int frames)
{
    if (engine->audio.device) {
        return engine__fail(engine->error,
                            "engine_audio_mix: the audio device takes the sound already");
    }
    mix(&engine->audio, out, frames);
    return true;
}
