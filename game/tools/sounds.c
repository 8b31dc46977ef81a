/* SPDX-License-Identifier: MIT */
/* The effects: a row per voice. Tuned to the music, which is in A minor: the tones of pickup,
 * confirm and nova are notes of its chords (A 440, C 523, E 659, A 880, E 1319). */
#include "sounds.h"

#include "output.h"
#include "wav.h"

enum { VOICES_MAX = 8 };

struct effect {
    const char *name;
    int length_ms;
    int peak; /* percent of full scale: the balance between the effects */
    int echo_ms, echo;
    struct synth_voice voices[VOICES_MAX]; /* a voice of no length ends the list */
};

static const struct effect effects[] = {
    {"shot",
     130,
     42,
     0,
     0,
     {{SYNTH_SQUARE, 0, 120, 1500, 330, 1, 3, 60, 5200, 1200, 20, 0, 0, 0},
      {SYNTH_SINE, 0, 90, 900, 180, 1, 2, 50, 0, 0, 0, 0, 0, 0},
      {SYNTH_NOISE, 0, 28, 20000, 9000, 1, 2, 26, 0, 0, 0, 0, 0, 11}}},
    {"hit",
     150,
     55,
     0,
     0,
     {{SYNTH_TRIANGLE, 0, 140, 520, 150, 1, 3, 70, 0, 0, 0, 0, 0, 0},
      {SYNTH_NOISE, 0, 70, 14000, 4000, 1, 3, 55, 6000, 1500, 30, 0, 0, 23},
      {SYNTH_SQUARE, 0, 50, 1175, 880, 1, 3, 22, 5000, 2500, 0, 0, 0, 0}}},
    {"hurt",
     420,
     75,
     0,
     0,
     {{SYNTH_SAW, 0, 400, 330, 62, 2, 2, 60, 3800, 300, 50, 0, 0, 0},
      {SYNTH_SAW, 0, 400, 349, 66, 2, 2, 50, 3800, 300, 50, 0, 0, 0},
      {SYNTH_NOISE, 0, 200, 9000, 1200, 1, 3, 45, 0, 0, 0, 0, 0, 31}}},
    {"explode",
     640,
     80,
     0,
     0,
     {{SYNTH_NOISE, 0, 620, 20000, 2600, 1, 3, 95, 5600, 160, 25, 0, 0, 41},
      {SYNTH_SINE, 0, 420, 190, 34, 1, 2, 90, 0, 0, 0, 0, 0, 0},
      {SYNTH_NOISE, 0, 45, 22000, 9000, 1, 2, 55, 0, 0, 0, 0, 0, 43},
      {SYNTH_SAW, 20, 300, 220, 45, 4, 3, 30, 1800, 200, 40, 0, 0, 0}}},
    {"dash",
     280,
     50,
     0,
     0,
     {{SYNTH_NOISE, 0, 260, 21000, 21000, 45, 2, 80, 900, 6200, 55, 0, 0, 53},
      {SYNTH_SINE, 0, 200, 260, 880, 20, 2, 34, 0, 0, 0, 0, 0, 0}}},
    {"nova_charge",
     1500,
     55,
     0,
     0,
     {{SYNTH_SAW, 0, 1490, 55, 440, 300, 0, 34, 260, 5200, 50, 15, 0, 0},
      {SYNTH_SAW, 0, 1490, 56, 443, 300, 0, 34, 260, 5200, 50, 0, 0, 0},
      {SYNTH_SINE, 300, 1190, 220, 1760, 700, 0, 26, 0, 0, 0, 22, 0, 0},
      {SYNTH_NOISE, 400, 1090, 21000, 21000, 900, 0, 18, 1200, 6800, 40, 22, 0, 61}}},
    {"nova",
     2200,
     92,
     190,
     34,
     {{SYNTH_SINE, 0, 1500, 240, 27, 1, 2, 100, 0, 0, 0, 0, 0, 0},
      {SYNTH_NOISE, 0, 1300, 22000, 3000, 1, 3, 80, 6800, 120, 35, 0, 0, 71},
      {SYNTH_NOISE, 0, 60, 22000, 12000, 1, 1, 55, 0, 0, 0, 0, 0, 73},
      {SYNTH_SAW, 0, 1200, 446, 110, 2, 2, 34, 6000, 240, 55, 0, 0, 0},
      {SYNTH_SAW, 0, 1200, 659, 165, 2, 2, 28, 6000, 240, 55, 0, 0, 0},
      {SYNTH_TRIANGLE, 90, 1300, 880, 880, 30, 3, 24, 0, 0, 0, 9, 0, 0},
      {SYNTH_TRIANGLE, 90, 1300, 1319, 1319, 30, 3, 18, 0, 0, 0, 11, 0, 0}}},
    {"pickup",
     190,
     40,
     0,
     0,
     {{SYNTH_SINE, 0, 90, 880, 880, 2, 2, 60, 0, 0, 0, 0, 0, 0},
      {SYNTH_SINE, 45, 140, 1319, 1319, 2, 2, 70, 0, 0, 0, 0, 0, 0},
      {SYNTH_SINE, 45, 110, 2637, 2637, 2, 3, 18, 0, 0, 0, 0, 0, 0}}},
    {"confirm",
     420,
     50,
     95,
     28,
     {{SYNTH_SQUARE, 0, 90, 440, 440, 2, 2, 40, 3200, 1200, 10, 0, 0, 0},
      {SYNTH_SQUARE, 70, 90, 659, 659, 2, 2, 40, 3200, 1200, 10, 0, 0, 0},
      {SYNTH_SQUARE, 140, 200, 880, 880, 2, 2, 44, 3600, 900, 10, 0, 0, 0},
      {SYNTH_SINE, 140, 220, 1760, 1760, 2, 3, 22, 0, 0, 0, 0, 0, 0}}},
    {"select",
     70,
     32,
     0,
     0,
     {{SYNTH_TRIANGLE, 0, 60, 659, 659, 2, 2, 70, 0, 0, 0, 0, 0, 0},
      {SYNTH_SINE, 0, 40, 1319, 1319, 1, 3, 24, 0, 0, 0, 0, 0, 0}}},
    {"pause",
     300,
     45,
     0,
     0,
     {{SYNTH_TRIANGLE, 0, 110, 659, 659, 2, 2, 60, 0, 0, 0, 0, 0, 0},
      {SYNTH_TRIANGLE, 90, 200, 440, 440, 2, 2, 64, 0, 0, 0, 0, 0, 0},
      {SYNTH_SINE, 90, 200, 220, 220, 2, 2, 40, 0, 0, 0, 0, 0, 0}}},
};

static bool write_effect(const struct effect *effect, const char *folder)
{
    struct clip clip;
    char name[64];
    if (!clip_init(&clip, synth_samples(effect->length_ms), false)) {
        return output_no_memory();
    }
    for (int i = 0; i < VOICES_MAX && effect->voices[i].length_ms != 0; i++) {
        clip_add(&clip, &effect->voices[i], 0);
    }
    if (effect->echo != 0 && !clip_echo(&clip, synth_samples(effect->echo_ms), effect->echo)) {
        clip_fini(&clip);
        return output_no_memory();
    }
    clip_finish(&clip, effect->peak);
    (void)snprintf(name, sizeof name, "sounds/%s.wav", effect->name);
    bool written = wav_write(&clip, folder, name);
    clip_fini(&clip);
    return written;
}

bool sounds_write(const char *folder)
{
    for (size_t i = 0; i < sizeof effects / sizeof effects[0]; i++) {
        if (!write_effect(&effects[i], folder)) {
            return false;
        }
    }
    return true;
}
