/* SPDX-License-Identifier: MIT */
/*
 * Memory: frames allocate nothing once the engine is warm, and what it took comes back.
 *
 * SDL and the engine share SDL's allocator, which is counted here. (SDL's software renderer
 * allocates for each blended triangle; upright rectangles and sprites, which it fills and copies,
 * show that nothing else does.)
 */
#include <SDL.h>
#include <stdlib.h>

#include "test_fixture.h"

static SDL_atomic_t made;
static SDL_atomic_t live;

static void *count_malloc(size_t size)
{
    SDL_AtomicIncRef(&made);
    SDL_AtomicIncRef(&live);
    return malloc(size);
}

static void *count_calloc(size_t count, size_t size)
{
    SDL_AtomicIncRef(&made);
    SDL_AtomicIncRef(&live);
    return calloc(count, size);
}

static void *count_realloc(void *memory, size_t size)
{
    SDL_AtomicIncRef(&made);
    if (!memory) {
        SDL_AtomicIncRef(&live);
    }
    return realloc(memory, size);
}

static void count_free(void *memory)
{
    if (memory) {
        SDL_AtomicAdd(&live, -1);
    }
    free(memory);
}

static void draw_many(struct engine *engine, void *user, const struct engine_frame *frame)
{
    struct engine_sprite sprite = {.texture = user, .color = {255, 255, 255, 200}};
    (void)frame;
    for (int i = 0; i < 5000; i++) {
        struct engine_rect rect = {(float)(i % 640), (float)(i % 360), 8, 8};
        engine_draw_rect(engine, rect, (struct engine_color){255, 0, 0, 100});
    }
    engine_draw_blend(engine, ENGINE_BLEND_ADD);
    for (int i = 0; i < 5000; i++) {
        sprite.position = (struct engine_vec2){(float)(i % 640), (float)(i % 360)};
        sprite.rotation = (float)(i % 2);
        engine_draw_sprite(engine, &sprite);
    }
}

static void play_and_inject(struct engine *engine, void *user, const struct engine_frame *frame)
{
    engine_audio_play(engine, user, 0.5f, 0.0f);
    assert_true(engine_input_inject_action(engine, 3, (float)(frame->number % 2)));
}

static void warm_frames_allocate_nothing_and_destroying_gives_all_back(void **state)
{
    const struct engine_color white = {255, 255, 255, 255};
    const float silence[4] = {0, 0, 0, 0};
    struct engine *engine;
    struct engine_image *image = engine_image_create(1, 1, &white);
    struct engine_sound *sound = engine_sound_create(silence, 2);
    int before;
    (void)state;
    engine = create_plain_engine();
    assert_true(engine_on(engine, ENGINE_PHASE_RENDER, draw_many,
                          engine_texture_create(engine, image), "draw"));
    assert_true(engine_on(engine, ENGINE_PHASE_UPDATE, play_and_inject, sound, "play"));
    for (int i = 0; i < 10; i++) {
        engine_iterate(engine);
    }
    before = SDL_AtomicGet(&made);
    assert_true(before > 10); /* the counter counts */
    for (int i = 0; i < 100; i++) {
        engine_iterate(engine);
    }
    assert_int_equal(SDL_AtomicGet(&made), before);
    engine_sound_destroy(engine, sound);
    engine_image_destroy(image);
    engine_destroy(engine);
}

static void engines_leave_no_memory_behind(void **state)
{
    int after_one = 0;
    (void)state;
    for (int i = 0; i < 4; i++) {
        engine_destroy(create_plain_engine());
        if (i == 0) {
            after_one = SDL_AtomicGet(&live); /* SDL keeps a little for the thread */
        }
    }
    assert_int_equal(SDL_AtomicGet(&live), after_one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warm_frames_allocate_nothing_and_destroying_gives_all_back),
        cmocka_unit_test(engines_leave_no_memory_behind),
    };
    if (SDL_SetMemoryFunctions(count_malloc, count_calloc, count_realloc, count_free) != 0) {
        return 1;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
