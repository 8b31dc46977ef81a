/* SPDX-License-Identifier: MIT */
/*
 * The sounds by numbers, as the mixer gives them to a device: none is cut off, none begins or ends
 * with a click, the music's end meets its beginning, and none is lost or sticks out in the mix.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "art.h"

enum { LONGEST = 9 * ENGINE_AUDIO_RATE, WINDOW = ENGINE_AUDIO_RATE / 20 };

static const struct {
    const char *file;
    float volume;
} sounds[SOUND_COUNT] = {
#define SOUND_ROW(name, file, volume) {file, volume},
    SOUNDS(SOUND_ROW)
#undef SOUND_ROW
};

static float pairs[2 * LONGEST];
static struct engine *engine;

static int open_engine(void **state)
{
    char error[ENGINE_ERROR_SIZE] = "";
    char assets[1024];
    const char *end = strstr(__FILE__, "tests/game/");
    int length = end != NULL ? (int)(end - __FILE__) : 0;
    (void)state;
    (void)snprintf(assets, sizeof assets, "%.*sassets", length, __FILE__);
    engine = engine_create(
        &(struct engine_desc){.headless = true, .no_audio = true, .assets_fallback = assets},
        error);
    return engine != NULL ? 0 : -1;
}

static int close_engine(void **state)
{
    (void)state;
    engine_destroy(engine);
    return 0;
}

/* Mixes one sound to `pairs`, its left side at full volume. Returns its length in samples. */
static int play(const char *file)
{
    char error[ENGINE_ERROR_SIZE] = "";
    struct engine_sound *sound = engine_sound_load(engine, file, error);
    if (sound == NULL) {
        fail_msg("%s", error);
    }
    int length = (int)(engine_sound_seconds(sound) * ENGINE_AUDIO_RATE + 0.5);
    assert_true(length > 0 && length < LONGEST);
    assert_true(engine_audio_play(engine, sound, 1.0F, 0.0F) != 0);
    assert_true(engine_audio_mix(engine, pairs, length));
    engine_sound_destroy(engine, sound);
    return length;
}

static float at(int sample)
{
    return pairs[2 * sample];
}

static float peak_of(int length)
{
    float peak = 0.0F;
    for (int i = 0; i < length; i++) {
        peak = fmaxf(peak, fabsf(at(i)));
    }
    return peak;
}

/* The loudest twentieth of a second, in dB below full scale. */
static double loudness(int length)
{
    double most = 0.0;
    for (int from = 0; from < length; from += WINDOW / 2) {
        double sum = 0.0;
        for (int i = from; i < from + WINDOW && i < length; i++) {
            sum += (double)at(i) * (double)at(i);
        }
        most = fmax(most, sum / WINDOW);
    }
    return 10.0 * log10(most + 1e-12);
}

static void sounds_have_room_above_them_and_no_offset(void **state)
{
    (void)state;
    for (int i = 0; i < SOUND_COUNT; i++) {
        int length = play(sounds[i].file);
        double sum = 0.0;
        for (int j = 0; j < length; j++) {
            sum += (double)at(j);
        }
        float peak = peak_of(length);
        if (peak < 0.25F || peak > 0.93F || fabs(sum / length) > 0.002) {
            fail_msg("%s: peak %.3f, offset %.4f", sounds[i].file, (double)peak, sum / length);
        }
    }
}

static void effects_begin_and_end_in_silence_and_are_short(void **state)
{
    (void)state;
    for (int i = 0; i < SOUND_LOOP; i++) {
        int length = play(sounds[i].file);
        double seconds = (double)length / ENGINE_AUDIO_RATE;
        if (fabsf(at(0)) > 0.005F || fabsf(at(length - 1)) > 0.005F) { /* -46 dB */
            fail_msg("%s begins at %.4f and ends at %.4f", sounds[i].file, (double)at(0),
                     (double)at(length - 1));
        }
        if (seconds < 0.05 || seconds > 2.5) {
            fail_msg("%s lasts %.3f s", sounds[i].file, seconds);
        }
    }
}

static void the_music_ends_where_it_begins(void **state)
{
    (void)state;
    int length = play(sounds[SOUND_LOOP].file);
    float largest = 0.0F; /* step between neighbours */
    for (int i = 1; i < length; i++) {
        largest = fmaxf(largest, fabsf(at(i) - at(i - 1)));
    }
    assert_true(fabsf(at(0) - at(length - 1)) < largest / 4.0F);
    assert_int_equal(length, 8 * ENGINE_AUDIO_RATE); /* whole bars */
}

static double played_level(enum sound sound)
{
    return loudness(play(sounds[sound].file)) + 20.0 * log10((double)sounds[sound].volume);
}

/* As they are played: what comes often is quiet, what matters is loud, and nothing is lost. */
static void played_levels_lie_within_a_range_and_nova_above_all(void **state)
{
    (void)state;
    double nova = played_level(SOUND_NOVA);
    for (int i = 0; i < SOUND_LOOP; i++) {
        double level = played_level((enum sound)i);
        if (level < -40.0 || level > nova) {
            fail_msg("%s is played at %.1f dB, NOVA at %.1f", sounds[i].file, level, nova);
        }
    }
    assert_true(nova > -14.0 && nova < -6.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sounds_have_room_above_them_and_no_offset),
        cmocka_unit_test(effects_begin_and_end_in_silence_and_are_short),
        cmocka_unit_test(the_music_ends_where_it_begins),
        cmocka_unit_test(played_levels_lie_within_a_range_and_nova_above_all),
    };
    return cmocka_run_group_tests(tests, open_engine, close_engine);
}
