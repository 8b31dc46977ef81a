/* SPDX-License-Identifier: MIT */
/*
 * Assets: found, decoded, and refused with one line that names the file and the reason.
 */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */

#include <SDL.h>
#include <stdlib.h>
#include <unistd.h>

#include "test_fixture.h"

/* A folder of this run, with what the tests wrote to it. */
static char folder[64];
static char path_buffer[128];

static const char *path_of(const char *name)
{
    (void)snprintf(path_buffer, sizeof path_buffer, "%s/%s", folder, name);
    return path_buffer;
}

static void write_bytes(const char *name, const void *bytes, size_t size)
{
    FILE *file = fopen(path_of(name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* A BMP of 2x1 pixels: `first`, and magenta. */
static void write_bmp(const char *name, Uint32 format, Uint8 r, Uint8 g, Uint8 b, Uint8 a)
{
    SDL_Surface *surface = SDL_CreateRGBSurfaceWithFormat(0, 2, 1, 32, format);
    assert_non_null(surface);
    ((Uint32 *)surface->pixels)[0] = SDL_MapRGBA(surface->format, r, g, b, a);
    ((Uint32 *)surface->pixels)[1] = SDL_MapRGBA(surface->format, 255, 0, 255, 255);
    assert_int_equal(SDL_SaveBMP(surface, path_of(name)), 0);
    SDL_FreeSurface(surface);
}

/* A WAV of one channel, 16 bits, at `rate`. */
static void write_wav(const char *name, const int16_t *samples, uint32_t count, uint32_t rate)
{
    uint8_t bytes[44 + 2 * 64];
    const uint32_t fields[] = {36 + 2 * count, 16,         0x00010001, rate,
                               2 * rate,       0x00100002, 2 * count};
    const int offsets[] = {4, 16, 20, 24, 28, 32, 40};
    static const char head[] = "RIFF    WAVEfmt                     data";
    memcpy(bytes, head, sizeof head);
    for (int i = 0; i < 7; i++) {
        memcpy(bytes + offsets[i], &fields[i], 4);
    }
    memcpy(bytes + 44, samples, 2 * count);
    write_bytes(name, bytes, 44 + 2 * count);
}

static struct engine *create_with_folder(void)
{
    struct engine_desc desc = {.no_audio = true, .assets = "/nonesuch", .assets_fallback = folder};
    return create_engine(&desc);
}

static void draw_texture(struct engine *engine, void *user, const struct engine_frame *frame)
{
    struct engine_sprite sprite = {
        .texture = user, .position = {1, 0.5f}, .color = {255, 255, 255, 255}};
    (void)frame;
    engine_draw_clear(engine, (struct engine_color){0, 0, 100, 255});
    engine_draw_sprite(engine, &sprite);
}

/* Loads a picture and draws its two pixels over dark blue. */
static void load_and_draw(const char *name, enum engine_key key, struct engine_color two[2])
{
    static struct engine_color pixels[ENGINE_WIDTH * ENGINE_HEIGHT];
    struct engine *engine = create_with_folder();
    struct engine_texture *texture = engine_texture_load(engine, name, key);
    assert_string_equal(engine_error(engine), "");
    assert_non_null(texture);
    assert_true(engine_texture_size(texture).x == 2.0f && engine_texture_size(texture).y == 1.0f);
    assert_true(engine_on(engine, ENGINE_PHASE_RENDER, draw_texture, texture, "draw"));
    engine_iterate(engine);
    assert_true(engine_read_pixels(engine, pixels));
    two[0] = pixels[0];
    two[1] = pixels[1];
    engine_destroy(engine);
}

static void assert_color(struct engine_color color, int r, int g, int b)
{
    if (abs(color.r - r) > 1 || abs(color.g - g) > 1 || abs(color.b - b) > 1) {
        fail_msg("%d,%d,%d and not about %d,%d,%d", color.r, color.g, color.b, r, g, b);
    }
}

static void pictures_are_found_in_the_fallback_and_keyed(void **state)
{
    struct engine_color two[2];
    (void)state;
    write_bmp("plain.bmp", SDL_PIXELFORMAT_XRGB8888, 10, 20, 30, 255);
    load_and_draw("plain.bmp", ENGINE_KEY_NONE, two);
    assert_color(two[0], 10, 20, 30);
    assert_color(two[1], 255, 0, 255);
    load_and_draw("plain.bmp", ENGINE_KEY_MAGENTA, two);
    assert_color(two[0], 10, 20, 30);
    assert_color(two[1], 0, 0, 100);
    write_bmp("black.bmp", SDL_PIXELFORMAT_XRGB8888, 0, 0, 0, 255);
    load_and_draw("black.bmp", ENGINE_KEY_BLACK, two);
    assert_color(two[0], 0, 0, 100);
    assert_color(two[1], 255, 0, 255);
}

static void alpha_comes_from_the_file_or_from_its_light(void **state)
{
    struct engine_color two[2];
    (void)state;
    write_bmp("alpha.bmp", SDL_PIXELFORMAT_ARGB8888, 255, 255, 255, 128);
    load_and_draw("alpha.bmp", ENGINE_KEY_NONE, two);
    assert_color(two[0], 128, 128, 178);
    write_bmp("light.bmp", SDL_PIXELFORMAT_XRGB8888, 128, 128, 128, 255);
    load_and_draw("light.bmp", ENGINE_KEY_LIGHT, two);
    assert_color(two[0], 128, 128, 178);
    assert_color(two[1], 255, 255, 255);
}

static void assert_image_error(struct engine *engine, const char *name, const char *expected)
{
    char error[ENGINE_ERROR_SIZE] = "";
    assert_null(engine_image_load(engine, name, ENGINE_KEY_NONE, error));
    assert_string_equal(error, expected);
    assert_null(engine_image_load(engine, name, ENGINE_KEY_NONE, NULL));
    assert_null(engine_texture_load(engine, name, ENGINE_KEY_NONE));
    assert_string_equal(engine_error(engine), expected);
}

static void missing_broken_and_unreadable_files_are_named_with_the_reason(void **state)
{
    struct engine *engine = create_with_folder();
    char error[ENGINE_ERROR_SIZE];
    char expected[ENGINE_ERROR_SIZE];
    (void)state;
    (void)snprintf(expected, sizeof expected, "none.bmp: not found in /nonesuch or %s", folder);
    assert_image_error(engine, "none.bmp", expected);
    assert_image_error(engine, "/none/at all.bmp", "/none/at all.bmp: not found");
    assert_image_error(engine, "", "an asset needs a name");
    write_bytes("broken.bmp", "BMxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", 44);
    assert_null(engine_image_load(engine, "broken.bmp", ENGINE_KEY_NONE, error));
    assert_int_equal(strncmp(error, "broken.bmp: is no picture: ", 27), 0);
    write_bytes("empty.bmp", "", 0);
    (void)snprintf(expected, sizeof expected, "%s/empty.bmp: is empty", folder);
    assert_image_error(engine, "empty.bmp", expected);
    (void)snprintf(expected, sizeof expected, "%s/.: cannot be read: Is a directory", folder);
    assert_image_error(engine, ".", expected);
    engine_destroy(engine);
}

static void a_truncated_picture_is_refused(void **state)
{
    struct engine *engine = create_with_folder();
    char error[ENGINE_ERROR_SIZE] = "";
    char bytes[256];
    FILE *file;
    (void)state;
    write_bmp("whole.bmp", SDL_PIXELFORMAT_XRGB8888, 1, 2, 3, 255);
    file = fopen(path_of("whole.bmp"), "rb");
    assert_non_null(file);
    assert_true(fread(bytes, 1, sizeof bytes, file) > 40);
    (void)fclose(file);
    for (size_t length = 1; length < 40; length++) {
        write_bytes("cut.bmp", bytes, length);
        assert_null(engine_image_load(engine, "cut.bmp", ENGINE_KEY_NONE, error));
        assert_int_equal(strncmp(error, "cut.bmp: is no picture: ", 24), 0);
    }
    engine_destroy(engine);
}

static void sounds_are_converted_to_the_mixers_format(void **state)
{
    struct engine *engine = create_with_folder();
    const int16_t samples[4] = {0, 16384, -16384, 8192};
    const float expected[4] = {0.0f, 0.5f, -0.5f, 0.25f};
    char error[ENGINE_ERROR_SIZE] = "";
    struct engine_sound *sound;
    float out[8];
    (void)state;
    write_wav("beep.wav", samples, 4, ENGINE_AUDIO_RATE);
    sound = engine_sound_load(engine, "beep.wav", error);
    assert_string_equal(error, "");
    assert_non_null(sound);
    assert_true(engine_sound_seconds(sound) == 4.0 / ENGINE_AUDIO_RATE);
    engine_audio_play(engine, sound, 1.0f, 0.0f);
    assert_true(engine_audio_mix(engine, out, 4));
    for (int i = 0; i < 4; i++) {
        assert_true(out[2 * i] == expected[i] && out[2 * i + 1] == expected[i]);
    }
    engine_sound_destroy(engine, sound);
    write_wav("slow.wav", samples, 4, ENGINE_AUDIO_RATE / 2);
    sound = engine_sound_load(engine, "slow.wav", error);
    assert_non_null(sound);
    assert_true(engine_sound_seconds(sound) > 5.0 / ENGINE_AUDIO_RATE);
    engine_sound_destroy(engine, sound);
    engine_destroy(engine);
}

static void broken_sounds_are_named_with_the_reason(void **state)
{
    struct engine *engine = create_with_folder();
    char error[ENGINE_ERROR_SIZE] = "";
    char expected[ENGINE_ERROR_SIZE];
    (void)state;
    (void)snprintf(expected, sizeof expected, "none.wav: not found in /nonesuch or %s", folder);
    assert_null(engine_sound_load(engine, "none.wav", error));
    assert_string_equal(error, expected);
    write_bytes("broken.wav", "RIFFxxxxWAVEfmt ", 16);
    assert_null(engine_sound_load(engine, "broken.wav", error));
    assert_int_equal(strncmp(error, "broken.wav: is no sound: ", 25), 0);
    write_wav("silent.wav", (const int16_t[]){0}, 0, ENGINE_AUDIO_RATE);
    assert_null(engine_sound_load(engine, "silent.wav", error));
    assert_int_equal(strncmp(error, "silent.wav: is no sound: ", 25), 0);
    engine_destroy(engine);
}

static void images_of_bad_sizes_are_refused(void **state)
{
    const struct engine_color one = {1, 2, 3, 4};
    (void)state;
    assert_null(engine_image_create(0, 1, &one));
    assert_null(engine_image_create(1, -1, &one));
    assert_null(engine_image_create(5000, 1, &one));
    assert_null(engine_image_create(1, 1, NULL));
    engine_image_destroy(NULL);
}

static void forgotten_textures_go_with_the_engine(void **state)
{
    struct engine *engine = create_plain_engine();
    struct engine_color one = {1, 2, 3, 4};
    struct engine_image *image = engine_image_create(1, 1, &one);
    struct engine_texture *kept = engine_texture_create(engine, image);
    struct engine_texture *freed = engine_texture_create(engine, image);
    (void)state;
    assert_non_null(kept);
    engine_texture_set_smooth(engine, kept, true);
    engine_texture_destroy(engine, freed);
    engine_texture_destroy(engine, NULL);
    assert_null(engine_texture_create(engine, NULL));
    assert_string_equal(engine_error(engine), "no texture: no image");
    assert_true(engine_texture_size(NULL).x == 0.0f);
    engine_image_destroy(image);
    engine_destroy(engine);
}

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/engine_assets_XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    static const char *const names[] = {"plain.bmp", "black.bmp",  "alpha.bmp",  "light.bmp",
                                        "empty.bmp", "broken.bmp", "whole.bmp",  "cut.bmp",
                                        "beep.wav",  "slow.wav",   "broken.wav", "silent.wav"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        unlink(path_of(names[i]));
    }
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_are_found_in_the_fallback_and_keyed),
        cmocka_unit_test(alpha_comes_from_the_file_or_from_its_light),
        cmocka_unit_test(missing_broken_and_unreadable_files_are_named_with_the_reason),
        cmocka_unit_test(a_truncated_picture_is_refused),
        cmocka_unit_test(sounds_are_converted_to_the_mixers_format),
        cmocka_unit_test(broken_sounds_are_named_with_the_reason),
        cmocka_unit_test(images_of_bad_sizes_are_refused),
        cmocka_unit_test(forgotten_textures_go_with_the_engine),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
