/* SPDX-License-Identifier: MIT */
/* The loop: four bars in A minor at 120 beats a minute (Am9, Fmaj9, Dm9, Em7), eight seconds.
 * Bass in eighths, an arpeggio in sixteenths, a held chord that opens and closes, a soft drum. All
 * voices and the echo wrap around the end, so the loop has no seam. */
#include "sounds.h"

#include "output.h"
#include "wav.h"

#include <stddef.h>

enum {
    BARS = 4,
    STEPS = 16, /* sixteenths in a bar */
    STEP_MS = 125,
    SAMPLES = BARS * STEPS * STEP_MS * SYNTH_RATE / 1000,
    ECHO_STEPS = 3,
    ECHO_PERCENT = 38,
    PEAK_PERCENT = 46
};

struct bar {
    int root;     /* the note of the bass */
    int tones[5]; /* the chord, from below */
};

static const struct bar bars[BARS] = {
    {33, {57, 60, 64, 67, 71}}, /* Am9: A C E G B */
    {29, {57, 60, 64, 65, 67}}, /* Fmaj9: A C E F G */
    {38, {57, 60, 62, 64, 65}}, /* Dm9: A C D E F */
    {28, {55, 59, 62, 64, 67}}, /* Em7: G B D E G */
};

/* Which tone of the chord each sixteenth plays; 5 is the lowest an octave up, -1 a rest. */
static const int arpeggio[STEPS] = {0, 2, 4, 5, 3, 4, 2, 1, 0, 2, 4, 5, 6, 4, 3, 2};

/* The bass: 0 the root, 12 its octave, 7 its fifth, -1 a rest. */
static const int bass[STEPS] = {0, -1, 0, -1, 12, -1, 0, -1, 0, -1, 0, 7, 12, -1, 7, -1};

static int step_sample(int bar, int step)
{
    return (bar * STEPS + step) * (SAMPLES / BARS) / STEPS;
}

static int chord_tone(const struct bar *bar, int index)
{
    return bar->tones[index % 5] + index / 5 * 12;
}

static void add_arpeggio(struct clip *clip, int bar)
{
    for (int step = 0; step < STEPS; step++) {
        bool accent = step % 4 == 0;
        struct synth_voice voice = {.wave = SYNTH_SQUARE,
                                    .length_ms = 210,
                                    .attack_ms = 3,
                                    .decay = 2,
                                    .level = accent ? 22 : 16,
                                    .low_from_hz = accent ? 3400 : 2500,
                                    .low_to_hz = 500,
                                    .resonance = 35};
        voice.pitch = synth_note(chord_tone(&bars[bar], arpeggio[step]) + 12);
        clip_add(clip, &voice, step_sample(bar, step));
    }
}

static void add_bass(struct clip *clip, int bar)
{
    for (int step = 0; step < STEPS; step++) {
        if (bass[step] < 0) {
            continue;
        }
        struct synth_voice voice = {.wave = SYNTH_SAW,
                                    .length_ms = 230,
                                    .attack_ms = 4,
                                    .decay = 1,
                                    .level = 46,
                                    .low_from_hz = 1100,
                                    .low_to_hz = 140,
                                    .resonance = 55};
        voice.pitch = synth_note(bars[bar].root + bass[step]);
        clip_add(clip, &voice, step_sample(bar, step));
        voice.wave = SYNTH_SINE;
        voice.low_from_hz = 0;
        voice.level = 40;
        clip_add(clip, &voice, step_sample(bar, step));
    }
}

/* The held chord: two saws a tone, one a shade higher, beating slowly. */
static void add_chord(struct clip *clip, int bar)
{
    for (int i = 0; i < 5; i++) {
        struct synth_voice voice = {.wave = SYNTH_SAW,
                                    .length_ms = 2600,
                                    .attack_ms = 700,
                                    .decay = 1,
                                    .level = 9,
                                    .low_from_hz = 1500,
                                    .low_to_hz = 420,
                                    .resonance = 20};
        voice.pitch = synth_note(chord_tone(&bars[bar], i));
        clip_add(clip, &voice, step_sample(bar, 0));
        voice.pitch += voice.pitch / 240;
        clip_add(clip, &voice, step_sample(bar, 0));
    }
}

static void add_drums(struct clip *clip, int bar)
{
    static const struct synth_voice kick = {.wave = SYNTH_SINE,
                                            .length_ms = 190,
                                            .from_hz = 170,
                                            .to_hz = 42,
                                            .attack_ms = 1,
                                            .decay = 2,
                                            .level = 70};
    static const struct synth_voice hat = {.wave = SYNTH_NOISE,
                                           .length_ms = 45,
                                           .from_hz = 22000,
                                           .to_hz = 22000,
                                           .attack_ms = 1,
                                           .decay = 3,
                                           .level = 9};
    for (int step = 0; step < STEPS; step += 2) {
        if (step % 4 == 0) {
            clip_add(clip, &kick, step_sample(bar, step));
            continue;
        }
        struct synth_voice voice = hat;
        voice.noise_seed = (uint32_t)(bar * STEPS + step);
        clip_add(clip, &voice, step_sample(bar, step));
    }
}

bool music_write(const char *folder)
{
    struct clip clip;
    if (!clip_init(&clip, SAMPLES, true)) {
        return output_no_memory();
    }
    for (int bar = 0; bar < BARS; bar++) {
        add_arpeggio(&clip, bar);
        add_chord(&clip, bar);
    }
    bool echoed = clip_echo(&clip, step_sample(0, ECHO_STEPS), ECHO_PERCENT);
    for (int bar = 0; bar < BARS; bar++) {
        add_bass(&clip, bar);
        add_drums(&clip, bar);
    }
    clip_finish(&clip, PEAK_PERCENT);
    bool written = echoed ? wav_write(&clip, folder, "sounds/loop.wav") : output_no_memory();
    clip_fini(&clip);
    return written;
}
