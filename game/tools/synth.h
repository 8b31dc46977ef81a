/* SPDX-License-Identifier: MIT */
/* A small synthesiser: voices are described by a table row each and added into a clip. */
#ifndef TOOLS_SYNTH_H
#define TOOLS_SYNTH_H

#include <stdbool.h>
#include <stdint.h>

enum { SYNTH_RATE = 22050 }; /* samples a second, one channel */

enum synth_wave { SYNTH_SINE, SYNTH_TRIANGLE, SYNTH_SAW, SYNTH_SQUARE, SYNTH_NOISE };

struct synth_voice {
    enum synth_wave wave;
    int start_ms, length_ms;
    int from_hz, to_hz; /* the pitch bends fast at first, then slowly; noise: new values a second */
    int attack_ms;
    int decay;       /* the power of the fall after the attack: 1 straight .. 4 sudden, 0 none */
    int level;       /* percent */
    int low_from_hz; /* low-pass filter at the start, 0 for none, at most 7000 */
    int low_to_hz;   /* and at the end */
    int resonance;   /* percent: 0 flat .. 90 ringing */
    int shake_hz;    /* amplitude tremolo, 0 for none */
    uint32_t pitch;  /* phase step per sample; set, it replaces from_hz and to_hz */
    uint32_t noise_seed;
};

/* The sound being made. A loop wraps what runs over its end to its beginning. */
struct clip {
    int32_t *samples; /* owned; 16 bits are full scale, more is brought down at the end */
    int count;
    bool loop;
};

/* Makes a silent clip; false when memory ran out. */
bool clip_init(struct clip *clip, int count, bool loop);
void clip_fini(struct clip *clip);

/* Adds a voice; `offset` is the sample at which its start_ms counts from. */
void clip_add(struct clip *clip, const struct synth_voice *voice, int offset);

/* Adds repeats of the clip to itself, each `percent` as loud as the one before, `delay` samples
 * apart; false when memory ran out. */
bool clip_echo(struct clip *clip, int delay, int percent);

/* Brings the loudest sample to `percent` of full scale and takes out what is below hearing; a clip
 * that is no loop starts and ends in silence. */
void clip_finish(struct clip *clip, int percent);

/* Samples in a time. */
int synth_samples(int milliseconds);

/* The phase step of a note: 69 is the A of 440 Hz. */
uint32_t synth_note(int note);

#endif
