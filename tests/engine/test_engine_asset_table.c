/* SPDX-License-Identifier: MIT */
/*
 * The asset table: handles that know when what they named has gone, and reading on a worker.
 */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */

#include <SDL.h>
#include <SDL_thread.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test_fixture.h"

static char folder[64];
static char path_buffer[128];
static SDL_atomic_t allocations;

static void *count_malloc(size_t size)
{
    SDL_AtomicIncRef(&allocations);
    return malloc(size);
}

static void *count_calloc(size_t count, size_t size)
{
    SDL_AtomicIncRef(&allocations);
    return calloc(count, size);
}

static void *count_realloc(void *memory, size_t size)
{
    SDL_AtomicIncRef(&allocations);
    return realloc(memory, size);
}

static const char *path_of(const char *name)
{
    (void)snprintf(path_buffer, sizeof path_buffer, "%s/%s", folder, name);
    return path_buffer;
}

static void write_text(const char *name, const char *text)
{
    FILE *file = fopen(path_of(name), "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* A BMP of one colour, `width` x 1. */
static void write_bmp(const char *name, int width, Uint8 red)
{
    SDL_Surface *surface =
        SDL_CreateRGBSurfaceWithFormat(0, width, 1, 32, SDL_PIXELFORMAT_XRGB8888);
    assert_non_null(surface);
    SDL_FillRect(surface, NULL, SDL_MapRGB(surface->format, red, 0, 0));
    assert_int_equal(SDL_SaveBMP(surface, path_of(name)), 0);
    SDL_FreeSurface(surface);
}

/* A WAV of one channel, 16 bits, every sample the same. */
static void write_wav(const char *name, int16_t sample, uint32_t count)
{
    const uint32_t fields[] = {36 + 2 * count,        16,         0x00010001, ENGINE_AUDIO_RATE,
                               2 * ENGINE_AUDIO_RATE, 0x00100002, 2 * count};
    const int offsets[] = {4, 16, 20, 24, 28, 32, 40};
    char bytes[44] = "RIFF    WAVEfmt                     data";
    FILE *file = fopen(path_of(name), "wb");
    assert_non_null(file);
    for (int i = 0; i < 7; i++) {
        memcpy(bytes + offsets[i], &fields[i], 4);
    }
    assert_int_equal(fwrite(bytes, 1, sizeof bytes, file), sizeof bytes);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(fwrite(&sample, 2, 1, file), 1);
    }
    assert_int_equal(fclose(file), 0);
}

static struct engine *create_with_folder(void)
{
    struct engine_desc desc = {.no_audio = true, .assets = folder};
    return create_engine(&desc);
}

static void an_asset_goes_from_wanted_to_ready_and_a_handle_from_before_is_caught(void **state)
{
    struct engine *engine = create_with_folder();
    (void)state;
    write_text("level.txt", "1 2 3\n");
    struct engine_file_handle level = engine_file_add(engine, "level.txt");
    assert_int_equal(engine_asset_state(engine, level.asset), ENGINE_ASSET_WANTED);
    assert_null(engine_file_get(engine, level, NULL)); /* not yet; no offence */
    assert_false(engine_asset_finish(engine, level.asset));
    assert_string_equal(engine_error(engine), "level.txt: was not read");
    assert_true(engine_asset_read(engine, level.asset, NULL));
    assert_int_equal(engine_asset_state(engine, level.asset), ENGINE_ASSET_READ);
    assert_null(engine_file_get(engine, level, NULL));
    assert_true(engine_asset_finish(engine, level.asset));
    assert_int_equal(engine_asset_state(engine, level.asset), ENGINE_ASSET_READY);
    size_t size = 0;
    assert_string_equal(engine_file_get(engine, level, &size), "1 2 3\n");
    assert_int_equal(size, 6);
    assert_int_equal(engine_asset_count(engine).stale, 0);

    assert_true(engine_asset_release(engine, level.asset));
    assert_null(engine_file_get(engine, level, &size));
    assert_int_equal(size, 0);
    assert_string_equal(engine_error(engine), "stale asset: slot 0, generation 1");
    struct engine_file_handle next = engine_file_add(engine, "level.txt");
    assert_int_equal(next.asset.slot, level.asset.slot);
    assert_int_equal(next.asset.generation, level.asset.generation + 1);
    assert_true(engine_asset_load(engine, next.asset));
    assert_null(engine_file_get(engine, level, NULL)); /* the slot's new asset is not its */
    assert_false(engine_asset_finish(engine, level.asset));
    assert_false(engine_asset_reload(engine, level.asset));
    assert_false(engine_asset_release(engine, level.asset));
    assert_int_equal(engine_asset_state(engine, level.asset), ENGINE_ASSET_GONE);
    assert_int_equal(engine_asset_count(engine).stale, 5);
    assert_string_equal(engine_file_get(engine, next, NULL), "1 2 3\n");
    engine_destroy(engine); /* with what is in the table */
}

static void nothing_and_nonsense_are_told_from_assets(void **state)
{
    struct engine *engine = create_with_folder();
    const struct engine_file_handle nothing = {{0, 0}};
    const struct engine_file_handle nonsense = {{ENGINE_ASSETS_MAX + 7, 1}};
    char error[ENGINE_ERROR_SIZE];
    (void)state;
    assert_null(engine_file_get(engine, nothing, NULL));
    assert_true(engine_asset_release(engine, nothing.asset));
    assert_false(engine_asset_read(engine, nothing.asset, NULL));
    assert_int_equal(engine_asset_count(engine).stale, 0);
    assert_null(engine_file_get(engine, nonsense, NULL));
    assert_false(engine_asset_read(engine, nonsense.asset, error));
    assert_string_equal(error, "asset 263 is not to be read");
    assert_int_equal(engine_asset_count(engine).stale, 1);
    assert_int_equal(engine_file_add(engine, "").asset.generation, 0);
    assert_int_equal(engine_file_add(engine, NULL).asset.generation, 0);
    assert_string_equal(engine_error(engine), "an asset needs a name of 1 to 127 bytes");
    engine_destroy(engine);
}

static void a_file_that_is_missing_or_broken_fails_its_asset_alone(void **state)
{
    struct engine *engine = create_with_folder();
    char expected[ENGINE_ERROR_SIZE];
    (void)state;
    write_text("ship.bmp", "no picture at all");
    struct engine_texture_handle ship = engine_texture_add(engine, "ship.bmp", ENGINE_KEY_NONE);
    struct engine_sound_handle horn = engine_sound_add(engine, "horn.wav");
    assert_false(engine_asset_load(engine, ship.asset));
    assert_int_equal(strncmp(engine_error(engine), "ship.bmp: is no picture: ", 25), 0);
    assert_int_equal(engine_asset_state(engine, ship.asset), ENGINE_ASSET_FAILED);
    assert_int_equal(strncmp(engine_asset_error(engine, ship.asset), "ship.bmp: is no", 15), 0);
    assert_false(engine_asset_load(engine, horn.asset));
    (void)snprintf(expected, sizeof expected, "horn.wav: not found in %s", folder);
    assert_string_equal(engine_error(engine), expected);
    assert_false(engine_asset_finish(engine, horn.asset));
    assert_string_equal(engine_error(engine), expected);
    assert_null(engine_sound_get(engine, horn));

    write_bmp("ship.bmp", 3, 200);                             /* mended */
    assert_false(engine_asset_read(engine, ship.asset, NULL)); /* nobody has asked for it */
    assert_true(engine_asset_reload(engine, ship.asset));
    assert_string_equal(engine_asset_error(engine, ship.asset), "");
    assert_true(engine_asset_load(engine, ship.asset));
    assert_true(engine_texture_size(engine_texture_get(engine, ship)).x == 3.0f);
    assert_int_equal(engine_asset_count(engine).ready, 1);
    engine_destroy(engine);
}

static struct engine_color picture[ENGINE_WIDTH * ENGINE_HEIGHT];

static void draw_corner(struct engine *engine, void *user, const struct engine_frame *frame)
{
    struct engine_sprite sprite = {
        .texture = user, .position = {1, 0.5f}, .color = {255, 255, 255, 255}};
    (void)frame;
    engine_draw_sprite(engine, &sprite);
}

/* The red of the first pixel of a frame. */
static int corner(struct engine *engine)
{
    assert_true(engine_iterate(engine));
    assert_true(engine_read_pixels(engine, picture));
    return picture[0].r;
}

static void a_reloaded_texture_is_the_same_one_with_other_pixels(void **state)
{
    struct engine *engine = create_with_folder();
    (void)state;
    write_bmp("ship.bmp", 2, 100);
    struct engine_texture_handle ship = engine_texture_add(engine, "ship.bmp", ENGINE_KEY_NONE);
    assert_true(engine_asset_load(engine, ship.asset));
    struct engine_texture *texture = engine_texture_get(engine, ship);
    engine_texture_set_smooth(engine, texture, false);
    assert_true(engine_on(engine, ENGINE_PHASE_RENDER, draw_corner, texture, "draw"));
    assert_int_equal(corner(engine), 100);

    write_bmp("ship.bmp", 2, 200);
    assert_true(engine_asset_reload(engine, ship.asset));
    assert_ptr_equal(engine_texture_get(engine, ship), texture); /* as it was, until it is read */
    assert_true(engine_asset_read(engine, ship.asset, NULL));
    assert_int_equal(corner(engine), 100);
    assert_true(engine_asset_finish(engine, ship.asset));
    assert_ptr_equal(engine_texture_get(engine, ship), texture);
    assert_int_equal(corner(engine), 200);

    write_text("ship.bmp", "spoiled");
    assert_true(engine_asset_reload(engine, ship.asset));
    assert_false(engine_asset_load(engine, ship.asset));
    assert_int_equal(corner(engine), 200);                /* what it was goes on */
    assert_true(engine_asset_reload(engine, ship.asset)); /* read, and then not wanted after all */
    write_bmp("ship.bmp", 2, 50);
    assert_true(engine_asset_read(engine, ship.asset, NULL));
    assert_true(engine_asset_reload(engine, ship.asset));
    assert_int_equal(engine_asset_state(engine, ship.asset), ENGINE_ASSET_WANTED);
    engine_destroy(engine);
}

static void a_sound_that_is_replaced_or_released_stops(void **state)
{
    struct engine *engine = create_with_folder();
    float out[2] = {0};
    (void)state;
    write_wav("horn.wav", 8192, 100);
    struct engine_sound_handle horn = engine_sound_add(engine, "horn.wav");
    assert_true(engine_asset_load(engine, horn.asset));
    assert_true(engine_audio_play(engine, engine_sound_get(engine, horn), 1.0f, 0.0f) > 0);
    assert_true(engine_audio_mix(engine, out, 1));
    assert_true(out[0] == 0.25f);
    write_wav("horn.wav", 16384, 100);
    assert_true(engine_asset_reload(engine, horn.asset));
    assert_int_equal(engine_audio_voices(engine), 1);
    assert_true(engine_asset_load(engine, horn.asset));
    assert_int_equal(engine_audio_voices(engine), 0);
    assert_true(engine_audio_play(engine, engine_sound_get(engine, horn), 1.0f, 0.0f) > 0);
    assert_true(engine_audio_mix(engine, out, 1));
    assert_true(out[0] == 0.5f);
    assert_true(engine_asset_release(engine, horn.asset));
    assert_int_equal(engine_audio_voices(engine), 0);
    engine_destroy(engine);
}

static void a_full_table_refuses_and_looking_up_takes_no_memory(void **state)
{
    struct engine *engine = create_with_folder();
    struct engine_file_handle files[ENGINE_ASSETS_MAX];
    (void)state;
    write_text("level.txt", "x");
    for (int i = 0; i < ENGINE_ASSETS_MAX; i++) {
        files[i] = engine_file_add(engine, "level.txt");
        assert_int_equal(files[i].asset.slot, i);
    }
    assert_int_equal(engine_sound_add(engine, "horn.wav").asset.generation, 0);
    assert_string_equal(engine_error(engine), "horn.wav: all 256 assets are in use");
    assert_true(engine_asset_load(engine, files[255].asset));
    int before = SDL_AtomicGet(&allocations);
    for (int i = 0; i < 1000; i++) {
        assert_non_null(engine_file_get(engine, files[255], NULL));
    }
    for (int i = 0; i < 100; i++) { /* nor does coming and going */
        assert_true(engine_asset_release(engine, files[7].asset));
        assert_null(engine_file_get(engine, files[7], NULL));
        files[7] = engine_file_add(engine, "level.txt");
    }
    assert_int_equal(SDL_AtomicGet(&allocations), before);
    assert_int_equal(files[7].asset.generation, 101);
    struct engine_asset_counts counts = engine_asset_count(engine);
    assert_int_equal(counts.used, ENGINE_ASSETS_MAX);
    assert_int_equal(counts.peak, ENGINE_ASSETS_MAX);
    assert_int_equal(counts.ready, 1);
    assert_int_equal(counts.stale, 100);
    engine_destroy(engine);
}

/* What a worker is to read, and what came of it. */
struct reading {
    struct engine *engine;
    struct engine_asset asset;
    SDL_atomic_t done;
    bool fine;
    char error[ENGINE_ERROR_SIZE];
};

static int read_one(void *user)
{
    struct reading *reading = user;
    reading->fine = engine_asset_read(reading->engine, reading->asset, reading->error);
    SDL_AtomicSet(&reading->done, 1);
    return 0;
}

/* Writes to a fifo whenever somebody waits there, until the worker is done. */
static void feed(const char *fifo, struct reading *reading)
{
    while (!SDL_AtomicGet(&reading->done)) {
        int file = open(path_of(fifo), O_WRONLY | O_NONBLOCK);
        if (file >= 0) {
            (void)!write(file, "at last", 7); /* who only looked whether it is there takes none */
            close(file);
        }
        SDL_Delay(1);
    }
}

static SDL_Thread *start_reading(struct reading *reading)
{
    SDL_Thread *thread = SDL_CreateThread(read_one, "reader", reading);
    assert_non_null(thread);
    while (engine_asset_state(reading->engine, reading->asset) == ENGINE_ASSET_WANTED) {
        SDL_Delay(1);
    }
    return thread;
}

static void what_is_released_while_a_worker_reads_it_is_dropped(void **state)
{
    struct engine *engine = create_with_folder();
    (void)state;
    assert_int_equal(mkfifo(path_of("slow.txt"), 0600), 0);
    struct reading reading = {.engine = engine, .asset = engine_file_add(engine, "slow.txt").asset};
    SDL_Thread *thread = start_reading(&reading);
    assert_int_equal(engine_asset_state(engine, reading.asset), ENGINE_ASSET_READING);
    assert_false(engine_asset_reload(engine, reading.asset));
    assert_string_equal(engine_error(engine), "slow.txt: is being read");
    assert_false(engine_asset_read(engine, reading.asset, NULL));
    assert_true(engine_asset_release(engine, reading.asset));
    assert_int_equal(engine_asset_state(engine, reading.asset), ENGINE_ASSET_GONE);
    assert_int_equal(engine_file_add(engine, "level.txt").asset.slot, 1); /* 0 is still taken */
    feed("slow.txt", &reading);
    SDL_WaitThread(thread, NULL);
    assert_false(reading.fine);
    assert_string_equal(reading.error, "asset 0 was released while it was read");
    struct engine_file_handle again = engine_file_add(engine, "level.txt");
    assert_int_equal(again.asset.slot, 0);
    assert_int_equal(again.asset.generation, reading.asset.generation + 1);
    engine_destroy(engine);
}

static void many_workers_read_side_by_side(void **state)
{
    enum { READERS = 16 };
    struct engine *engine = create_with_folder();
    struct reading readings[READERS];
    SDL_Thread *threads[READERS];
    (void)state;
    write_bmp("ship.bmp", 2, 100);
    write_wav("horn.wav", 8192, 100);
    for (int i = 0; i < READERS; i++) {
        struct engine_asset asset =
            i % 2 ? engine_texture_add(engine, "ship.bmp", ENGINE_KEY_NONE).asset
                  : engine_sound_add(engine, "horn.wav").asset;
        readings[i] = (struct reading){.engine = engine, .asset = asset};
        threads[i] = SDL_CreateThread(read_one, "reader", &readings[i]);
    }
    for (int i = 0; i < READERS; i++) {
        SDL_WaitThread(threads[i], NULL);
        assert_true(readings[i].fine);
        assert_true(engine_asset_finish(engine, readings[i].asset));
    }
    assert_int_equal(engine_asset_count(engine).ready, READERS);
    engine_destroy(engine);
}

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/engine_table_XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    static const char *const names[] = {"level.txt", "ship.bmp", "horn.wav", "slow.txt"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        unlink(path_of(names[i]));
    }
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_asset_goes_from_wanted_to_ready_and_a_handle_from_before_is_caught),
        cmocka_unit_test(nothing_and_nonsense_are_told_from_assets),
        cmocka_unit_test(a_file_that_is_missing_or_broken_fails_its_asset_alone),
        cmocka_unit_test(a_reloaded_texture_is_the_same_one_with_other_pixels),
        cmocka_unit_test(a_sound_that_is_replaced_or_released_stops),
        cmocka_unit_test(a_full_table_refuses_and_looking_up_takes_no_memory),
        cmocka_unit_test(what_is_released_while_a_worker_reads_it_is_dropped),
        cmocka_unit_test(many_workers_read_side_by_side),
    };
    (void)signal(SIGPIPE, SIG_IGN);
    if (SDL_SetMemoryFunctions(count_malloc, count_calloc, count_realloc, free) != 0) {
        return 1;
    }
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
