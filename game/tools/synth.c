/* SPDX-License-Identifier: MIT */
/* Everything is whole numbers: a phase of 32 bits a turn, samples and gains of 15 bits, filter
 * states of 64. Divisions, not shifts, where a value may be negative. Saw and square are rounded
 * at their jumps (PolyBLEP), so that high notes do not fold back as noise. */
#include "synth.h"

#include "fixed.h"

#include <stdlib.h>

enum { UNIT = 32768, FADE_MS = 6 };

struct oscillator {
    uint32_t phase;
    struct random_stream random;
    int32_t held; /* the noise value of this period */
};

struct filter {
    int64_t low, band;
};

int synth_samples(int milliseconds)
{
    return milliseconds * SYNTH_RATE / 1000;
}

static uint32_t phase_step(int64_t millihertz)
{
    return (uint32_t)(((uint64_t)millihertz << 32) / ((uint64_t)SYNTH_RATE * 1000u));
}

uint32_t synth_note(int note)
{
    static const int64_t top_octave[12] = {8372018,  8869844,  9397273,  9956063,
                                           10548082, 11175303, 11839822, 12543854,
                                           13289750, 14080000, 14917240, 15804266};
    int octave = note / 12; /* the table is octave 10: notes 120 to 131 */
    return phase_step(top_octave[note % 12]) >> (10 - octave);
}

bool clip_init(struct clip *clip, int count, bool loop)
{
    *clip = (struct clip){.count = count, .loop = loop};
    clip->samples = calloc((size_t)count, sizeof *clip->samples);
    return clip->samples != NULL;
}

void clip_fini(struct clip *clip)
{
    free(clip->samples);
    clip->samples = NULL;
}

/* What to add at a jump of one unit down at phase 0, within one sample of it. */
static int32_t round_jump(uint32_t phase, uint32_t step)
{
    int64_t before = (int64_t)step - 1;
    if (phase < step) {
        int64_t t = (int64_t)phase * UNIT / step;
        return (int32_t)(2 * t - t * t / UNIT - UNIT);
    }
    if (phase > UINT32_MAX - before) {
        int64_t t = -(int64_t)(UINT32_MAX - phase) * UNIT / step;
        return (int32_t)(2 * t + t * t / UNIT + UNIT);
    }
    return 0;
}

static int32_t saw(uint32_t phase, uint32_t step)
{
    return (int32_t)(phase >> 16) - UNIT - round_jump(phase, step);
}

static int32_t noise(struct oscillator *oscillator, uint32_t step)
{
    if (oscillator->phase < step) {
        oscillator->held = (int32_t)(random_next(&oscillator->random) >> 16) - UNIT;
    }
    return oscillator->held;
}

static int32_t triangle(uint32_t phase)
{
    int32_t ramp = (int32_t)(phase >> 15); /* 0 .. 4 * UNIT - 1 */
    int32_t folded = ramp < 2 * UNIT ? ramp : 4 * UNIT - ramp;
    return folded - UNIT;
}

static int32_t wave_at(enum synth_wave wave, struct oscillator *oscillator, uint32_t step)
{
    uint32_t phase = oscillator->phase;
    switch (wave) {
    case SYNTH_SINE:
        return fixed_sine(phase);
    case SYNTH_TRIANGLE:
        return triangle(phase);
    case SYNTH_SAW:
        return saw(phase, step);
    case SYNTH_SQUARE:
        return (saw(phase, step) - saw(phase + 0x80000000u, step)) * 3 / 4;
    case SYNTH_NOISE:
        return noise(oscillator, step);
    }
    return 0;
}

/* From `from` to `to`: half of the way in the first three tenths of the time. */
static int64_t bend(int64_t from, int64_t to, int at, int length)
{
    int64_t left = (int64_t)(length - at) * UNIT / length;
    return to + (from - to) * (left * left / UNIT) / UNIT;
}

static int64_t envelope(const struct synth_voice *voice, int at, int length)
{
    int attack = synth_samples(voice->attack_ms);
    int release = synth_samples(FADE_MS);
    int64_t gain = UNIT;
    if (at < attack) {
        return (int64_t)UNIT * at / attack;
    }
    int64_t left = (int64_t)(length - at) * UNIT / (length - attack);
    for (int i = 0; i < voice->decay; i++) {
        gain = gain * left / UNIT;
    }
    if (at > length - release) {
        gain = gain * (length - at) / release;
    }
    return gain;
}

/* A low-pass of two poles (Chamberlin), run twice a sample to stay stable up to 7 kHz. */
static int64_t low_pass(struct filter *filter, int64_t sample, int64_t hertz, int resonance)
{
    int64_t turn = (hertz << 32) / 4 / SYNTH_RATE;
    int64_t tune = 2 * (int64_t)fixed_sine((uint32_t)turn);
    int64_t damping = (int64_t)UNIT * (140 - resonance * 130 / 100) / 100;
    for (int i = 0; i < 2; i++) {
        filter->low += tune * filter->band / UNIT;
        int64_t high = sample - filter->low - damping * filter->band / UNIT;
        filter->band += tune * high / UNIT;
    }
    return filter->low;
}

/* The phase step of a voice after `at` of `length` samples. */
static uint32_t pitch_at(const struct synth_voice *voice, int at, int length)
{
    if (voice->pitch != 0) {
        return voice->pitch;
    }
    return phase_step(
        bend((int64_t)voice->from_hz * 1000, (int64_t)voice->to_hz * 1000, at, length));
}

/* The next sample of a voice, which has played `at` of its `length` samples. */
static int64_t next_sample(const struct synth_voice *voice, struct oscillator *oscillator,
                           struct filter *filter, int at, int length)
{
    uint32_t step = pitch_at(voice, at, length);
    int64_t sample = wave_at(voice->wave, oscillator, step);
    oscillator->phase += step;
    if (voice->low_from_hz != 0) {
        int64_t hertz = bend(voice->low_from_hz, voice->low_to_hz, at, length);
        sample = low_pass(filter, sample, hertz, voice->resonance);
    }
    sample = sample * envelope(voice, at, length) / UNIT * voice->level / 100;
    if (voice->shake_hz != 0) {
        uint32_t turn = phase_step((int64_t)voice->shake_hz * 1000) * (uint32_t)at;
        int64_t gain = (UNIT * (int64_t)5 + fixed_sine(turn) * (int64_t)3) / 8;
        sample = sample * gain / UNIT;
    }
    return sample;
}

void clip_add(struct clip *clip, const struct synth_voice *voice, int offset)
{
    int length = synth_samples(voice->length_ms);
    int start = offset + synth_samples(voice->start_ms);
    struct filter filter = {0, 0};
    struct oscillator oscillator = {.random = random_seeded(voice->noise_seed)};
    for (int i = 0; i < length; i++) {
        int64_t sample = next_sample(voice, &oscillator, &filter, i, length);
        int place = clip->loop ? (start + i) % clip->count : start + i;
        if (place < clip->count) {
            clip->samples[place] += (int32_t)sample;
        }
    }
}

bool clip_echo(struct clip *clip, int delay, int percent)
{
    int32_t *line = calloc((size_t)delay, sizeof *line);
    if (!line) {
        return false;
    }
    /* A loop is played into the delay line twice before any echo is written, so that its beginning
     * already carries the echoes of its end. */
    int total = clip->loop ? 3 * clip->count : clip->count;
    int first_written = total - clip->count;
    for (int i = 0; i < total; i++) {
        int32_t *sample = &clip->samples[i % clip->count];
        int32_t echo = line[i % delay];
        line[i % delay] = (*sample + echo) * percent / 100;
        if (i >= first_written) {
            *sample += echo;
        }
    }
    free(line);
    return true;
}

/* Takes out the mean of a loop, or what is below some 20 Hz of an effect. */
static void remove_offset(struct clip *clip)
{
    int64_t mean = 0;
    for (int i = 0; i < clip->count && clip->loop; i++) {
        mean += clip->samples[i];
    }
    mean /= clip->count;
    int64_t low = 0;
    for (int i = 0; i < clip->count; i++) {
        if (!clip->loop) {
            low += ((int64_t)clip->samples[i] * 256 - low) / 176;
            mean = low / 256;
        }
        clip->samples[i] -= (int32_t)mean;
    }
}

static void fade_edges(struct clip *clip)
{
    int fade = synth_samples(FADE_MS);
    for (int i = 0; i < fade; i++) {
        int32_t *last = &clip->samples[clip->count - 1 - i];
        *last = (int32_t)((int64_t)*last * i / fade);
    }
    clip->samples[0] = 0;
}

void clip_finish(struct clip *clip, int percent)
{
    remove_offset(clip);
    if (!clip->loop) {
        fade_edges(clip);
    }
    int64_t peak = 1;
    for (int i = 0; i < clip->count; i++) {
        int64_t size = llabs(clip->samples[i]);
        peak = size > peak ? size : peak;
    }
    for (int i = 0; i < clip->count; i++) {
        int64_t scaled = (int64_t)clip->samples[i] * 32767 * percent / (peak * 100);
        clip->samples[i] = (int32_t)scaled;
    }
}
