/* SPDX-License-Identifier: MIT */
/*
 * The mixer: exact sums, pan, looping, stealing, and playing on the dummy device.
 */
#include <SDL.h>

#include "test_fixture.h"

/* Three pairs: left is 0.25 0.5 0.75, right is the negative of it. */
static struct engine_sound *create_ramp(void)
{
    const float samples[6] = {0.25f, -0.25f, 0.5f, -0.5f, 0.75f, -0.75f};
    struct engine_sound *sound = engine_sound_create(samples, 3);
    assert_non_null(sound);
    return sound;
}

static void assert_mix(struct engine *engine, const float *left, const float *right, int frames)
{
    float out[64];
    assert_true(engine_audio_mix(engine, out, frames));
    for (int i = 0; i < frames; i++) {
        if (out[2 * i] != left[i] || out[2 * i + 1] != right[i]) {
            fail_msg("pair %d is %g %g and not %g %g", i, (double)out[2 * i],
                     (double)out[2 * i + 1], (double)left[i], (double)right[i]);
        }
    }
}

static void a_sound_plays_once_and_its_voice_ends(void **state)
{
    struct engine *engine = create_plain_engine();
    struct engine_sound *sound = create_ramp();
    uint32_t voice = engine_audio_play(engine, sound, 1.0f, 0.0f);
    (void)state;
    assert_int_not_equal(voice, 0);
    assert_int_equal(engine_audio_voices(engine), 1);
    assert_mix(engine, (float[]){0.25f, 0.5f, 0.75f, 0, 0}, (float[]){-0.25f, -0.5f, -0.75f, 0, 0},
               5);
    assert_int_equal(engine_audio_voices(engine), 0);
    assert_false(engine_audio_change(engine, voice, 1.0f, 0.0f));
    engine_audio_stop(engine, voice);
    engine_sound_destroy(engine, sound);
    engine_destroy(engine);
}

static void voices_add_up_and_are_bent_before_they_would_be_cut(void **state)
{
    struct engine *engine = create_plain_engine();
    struct engine_sound *sound = create_ramp();
    (void)state;
    engine_audio_play(engine, sound, 1.0f, 0.0f);
    engine_audio_play(engine, sound, 1.0f, 0.0f);
    assert_mix(engine, (float[]){0.5f, 0.875f, 0.9375f}, (float[]){-0.5f, -0.875f, -0.9375f}, 3);
    engine_sound_destroy(engine, sound);
    engine_destroy(engine);
}

static void volume_pan_and_mute_scale_the_sides(void **state)
{
    struct engine *engine = create_plain_engine();
    struct engine_sound *sound = create_ramp();
    uint32_t voice = engine_audio_loop(engine, sound, 0.5f, -1.0f);
    (void)state;
    assert_mix(engine, (float[]){0.125f, 0.25f, 0.375f}, (float[]){0, 0, 0}, 3);
    assert_true(engine_audio_change(engine, voice, 2.0f, 0.5f)); /* clamped to 1 */
    assert_mix(engine, (float[]){0.125f, 0.25f, 0.375f}, (float[]){-0.25f, -0.5f, -0.75f}, 3);
    engine_audio_set_volume(engine, 0.5f);
    assert_mix(engine, (float[]){0.0625f}, (float[]){-0.125f}, 1);
    engine_audio_mute(engine, true);
    assert_mix(engine, (float[]){0}, (float[]){0}, 1);
    engine_audio_mute(engine, false);
    engine_audio_set_volume(engine, 7.0f);
    assert_mix(engine, (float[]){0.375f}, (float[]){-0.75f}, 1); /* it went on while muted */
    engine_sound_destroy(engine, sound);
    engine_destroy(engine);
}

static void a_group_scales_its_voices_alone(void **state)
{
    struct engine *engine = create_plain_engine();
    struct engine_sound *sound = create_ramp();
    uint32_t voice = engine_audio_loop(engine, sound, 1.0f, -1.0f);
    (void)state;
    assert_true(engine_audio_set_group(engine, voice, 3));
    assert_false(engine_audio_set_group(engine, voice, ENGINE_GROUPS_MAX));
    assert_false(engine_audio_set_group(engine, 0, 3));
    engine_audio_set_group_volume(engine, 3, 0.5f);
    engine_audio_set_group_volume(engine, 0, 0.0f);
    engine_audio_set_group_volume(engine, -1, 0.0f);
    assert_mix(engine, (float[]){0.125f, 0.25f, 0.375f}, (float[]){0, 0, 0}, 3);
    engine_audio_loop(engine, sound, 1.0f, -1.0f); /* in group 0: silent */
    assert_mix(engine, (float[]){0.125f, 0.25f}, (float[]){0, 0}, 2);
    engine_sound_destroy(engine, sound);
    engine_destroy(engine);
}

static void a_fade_is_even_and_ends_the_voice_at_nothing(void **state)
{
    struct engine *engine = create_plain_engine();
    struct engine_sound *sound = engine_sound_create((const float[]){0.5f, 0.5f}, 1);
    uint32_t voice = engine_audio_loop(engine, sound, 1.0f, -1.0f);
    (void)state;
    assert_true(engine_audio_fade(engine, voice, 0.5f, 2.0 / ENGINE_AUDIO_RATE));
    assert_mix(engine, (float[]){0.5f, 0.375f, 0.25f, 0.25f}, (float[]){0, 0, 0, 0}, 4);
    assert_true(engine_audio_fade(engine, voice, 0.0f, 2.0 / ENGINE_AUDIO_RATE));
    assert_mix(engine, (float[]){0.25f, 0, 0}, (float[]){0, 0, 0}, 3);
    assert_int_equal(engine_audio_voices(engine), 0);
    assert_false(engine_audio_fade(engine, voice, 1.0f, 1.0));
    engine_sound_destroy(engine, sound);
    engine_destroy(engine);
}

static void a_loop_goes_on_until_it_is_stopped(void **state)
{
    struct engine *engine = create_plain_engine();
    struct engine_sound *sound = create_ramp();
    uint32_t voice = engine_audio_loop(engine, sound, 1.0f, -1.0f);
    (void)state;
    assert_mix(engine, (float[]){0.25f, 0.5f, 0.75f, 0.25f, 0.5f}, (float[]){0, 0, 0, 0, 0}, 5);
    engine_audio_stop(engine, voice);
    assert_mix(engine, (float[]){0}, (float[]){0}, 1);
    assert_int_equal(engine_audio_voices(engine), 0);
    engine_sound_destroy(engine, sound);
    engine_destroy(engine);
}

static void the_oldest_voice_that_does_not_loop_makes_room(void **state)
{
    struct engine *engine = create_plain_engine();
    struct engine_sound *sound = create_ramp();
    uint32_t loop = engine_audio_loop(engine, sound, 0.0f, 0.0f);
    uint32_t first = engine_audio_play(engine, sound, 0.0f, 0.0f);
    (void)state;
    for (int i = 0; i < ENGINE_VOICES_MAX - 2; i++) {
        assert_int_not_equal(engine_audio_play(engine, sound, 0.0f, 0.0f), 0);
    }
    assert_true(engine_audio_change(engine, first, 0.0f, 0.0f));
    assert_int_not_equal(engine_audio_play(engine, sound, 0.0f, 0.0f), 0);
    assert_int_equal(engine_audio_voices(engine), ENGINE_VOICES_MAX);
    assert_false(engine_audio_change(engine, first, 0.0f, 0.0f));
    assert_true(engine_audio_change(engine, loop, 0.0f, 0.0f));
    engine_audio_stop_all(engine);
    assert_int_equal(engine_audio_voices(engine), 0);
    for (int i = 0; i < ENGINE_VOICES_MAX; i++) {
        engine_audio_loop(engine, sound, 0.0f, 0.0f);
    }
    assert_int_equal(engine_audio_play(engine, sound, 0.0f, 0.0f), 0);
    engine_sound_destroy(engine, sound);
    engine_destroy(engine);
}

static void destroying_a_sound_stops_its_voices(void **state)
{
    struct engine *engine = create_plain_engine();
    struct engine_sound *sound = create_ramp();
    (void)state;
    engine_audio_loop(engine, sound, 1.0f, 0.0f);
    engine_sound_destroy(engine, sound);
    assert_int_equal(engine_audio_voices(engine), 0);
    assert_mix(engine, (float[]){0}, (float[]){0}, 1);
    assert_int_equal(engine_audio_play(engine, NULL, 1.0f, 0.0f), 0);
    engine_sound_destroy(engine, NULL);
    engine_destroy(engine);
}

static void the_dummy_device_takes_sounds(void **state)
{
    struct engine_desc desc = {.title = NULL};
    struct engine *engine = create_engine(&desc);
    struct engine_sound *sound = create_ramp();
    float out[2];
    (void)state;
    assert_true(engine_audio_available(engine));
    assert_false(engine_audio_mix(engine, out, 1));
    engine_audio_loop(engine, sound, 0.5f, 0.0f);
    engine_audio_play(engine, sound, 0.5f, 0.0f);
    for (int i = 0; i < 50 && engine_audio_voices(engine) > 1; i++) {
        SDL_Delay(10); /* the device's thread takes its time; what it does is all that counts */
    }
    assert_in_range(engine_audio_voices(engine), 1, 2);
    engine_sound_destroy(engine, sound);
    assert_int_equal(engine_audio_voices(engine), 0);
    engine_destroy(engine);
}

static void sounds_need_samples_and_know_their_length(void **state)
{
    static float samples[2 * ENGINE_AUDIO_RATE];
    struct engine_sound *sound = engine_sound_create(samples, ENGINE_AUDIO_RATE);
    (void)state;
    assert_true(engine_sound_seconds(sound) == 1.0);
    assert_true(engine_sound_seconds(NULL) == 0.0);
    assert_null(engine_sound_create(samples, 0));
    assert_null(engine_sound_create(NULL, 1));
    SDL_free(sound);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sound_plays_once_and_its_voice_ends),
        cmocka_unit_test(voices_add_up_and_are_bent_before_they_would_be_cut),
        cmocka_unit_test(volume_pan_and_mute_scale_the_sides),
        cmocka_unit_test(a_group_scales_its_voices_alone),
        cmocka_unit_test(a_fade_is_even_and_ends_the_voice_at_nothing),
        cmocka_unit_test(a_loop_goes_on_until_it_is_stopped),
        cmocka_unit_test(the_oldest_voice_that_does_not_loop_makes_room),
        cmocka_unit_test(destroying_a_sound_stops_its_voices),
        cmocka_unit_test(the_dummy_device_takes_sounds),
        cmocka_unit_test(sounds_need_samples_and_know_their_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
