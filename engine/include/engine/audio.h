/* SPDX-License-Identifier: MIT */
/*
 * Audio: a small mixer of 32 voices over SDL's audio device.
 *
 * Voices add up; where the sum is louder than 0.75 it is bent so that it stays below 1, since what
 * is cut off crackles. Audio is optional: without a device everything here still works and plays
 * into silence. Playing allocates nothing. All functions belong to the engine's own thread; the
 * mixer runs on SDL's, behind a lock that is held for some microseconds.
 */
#ifndef ENGINE_AUDIO_H
#define ENGINE_AUDIO_H

#include "engine/assets.h"
#include "engine/types.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    /* The number of sounds that play at a time. When all are taken, the oldest that does not loop
       makes room. */
    ENGINE_VOICES_MAX = 32,
    /* Frames (pairs of samples) a second in the mixer. */
    ENGINE_AUDIO_RATE = 44100,
    /* The number of groups, each with a volume of its own; every voice begins in group 0. */
    ENGINE_GROUPS_MAX = 8
};

/* Whether a device is open (SDL's dummy device counts). */
bool engine_audio_available(const struct engine *engine);

/* Plays a sound once. `volume` 0 to 1; `pan` -1 (left) to 1 (right), both clamped. Returns the
 * voice, to be stopped or changed, or 0 when it cannot play (null sound, no device, all voices
 * loop). The sound is borrowed while it plays. */
uint32_t engine_audio_play(struct engine *engine, const struct engine_sound *sound, float volume,
                           float pan);

/* The same, over and over until it is stopped. */
uint32_t engine_audio_loop(struct engine *engine, const struct engine_sound *sound, float volume,
                           float pan);

/* Stops a voice at once. A voice that has ended, or 0, is fine. */
void engine_audio_stop(struct engine *engine, uint32_t voice);

/* Stops all voices. */
void engine_audio_stop_all(struct engine *engine);

/* Changes a playing voice. Returns false when it has ended. */
bool engine_audio_change(struct engine *engine, uint32_t voice, float volume, float pan);

/* Puts a playing voice into a group, 0 to ENGINE_GROUPS_MAX - 1. Returns false when it has ended or
 * there is no such group. */
bool engine_audio_set_group(struct engine *engine, uint32_t voice, int group);

/* Sets the volume of a group, 0 to 1 (clamped); 1 at first. No such group: nothing happens. */
void engine_audio_set_group_volume(struct engine *engine, int group, float volume);

/* Lets a playing voice come to `level` times its volume (0 to 1, clamped) within `seconds`, evenly;
 * 0 s or less: with the next sample. A voice that has come to 0 ends. A later fade replaces an
 * earlier one. Returns false when the voice has ended. */
bool engine_audio_fade(struct engine *engine, uint32_t voice, float level, double seconds);

/* Sets the volume of everything, 0 to 1 (clamped); 1 at first. */
void engine_audio_set_volume(struct engine *engine, float volume);

/* Silences everything, or not; voices go on. */
void engine_audio_mute(struct engine *engine, bool mute);

/* How many voices play. */
int engine_audio_voices(struct engine *engine);

/* Mixes the next `frames` pairs of samples (left, right; -1 to 1) to `out`, as the device would get
 * them. For tests and hosts that write sound to a file: only with desc.no_audio, else it returns
 * false with an error. */
bool engine_audio_mix(struct engine *engine, float *out, int frames);

#ifdef __cplusplus
}
#endif

#endif
