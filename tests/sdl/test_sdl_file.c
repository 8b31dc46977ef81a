/* SPDX-License-Identifier: MIT */
/* Files that workers load: what a flow gets, what it is told when that fails, and that nothing is
 * left of what nobody wants any more. */
#include "executors.h"
#include "flows.h"

#include <SDL.h>
#include <stdio.h>
#include <string.h>

/* What the loader holds, and which of its allocations fails, from 1; 0: none. */
static atomic_long held, calls, fail_at;
static int stop_after = -1; /* looks at the stop before it is asked to; -1: never */

static void *counted_realloc(void *old, size_t size)
{
    if (++calls == fail_at) {
        return NULL;
    }
    held += old == NULL;
    return SDL_realloc(old, size);
}

static void *counted_calloc(size_t count, size_t size)
{
    held++;
    return SDL_calloc(count, size);
}

static void counted_free(void *memory)
{
    held -= memory != NULL;
    SDL_free(memory);
}

static int stopped(const flow_job *job)
{
    return stop_after == 0 || (stop_after > 0 && stop_after-- == 0) || flow_job_stopped(job);
}

#define SDL_calloc counted_calloc
#define SDL_realloc counted_realloc
#define SDL_free counted_free
#define flow_job_stopped stopped
#include "flow_sdl.c"
#undef SDL_calloc
#undef SDL_realloc
#undef SDL_free
#undef flow_job_stopped

enum { SIZE = 200000 };
static const char here[] = "test_sdl_file.tmp";

static unsigned char byte_at(size_t i)
{
    return (unsigned char)(i * 31 >> 3);
}

static int write_file(void **state)
{
    FILE *file = fopen(here, "wb");
    (void)state;
    assert_non_null(file);
    for (size_t i = 0; i < SIZE; i++) {
        assert_int_equal(fputc(byte_at(i), file), byte_at(i));
    }
    return fclose(file);
}

static int remove_file(void **state)
{
    (void)state;
    return remove(here);
}

static void begin(struct story *s, struct hand *hand)
{
    held = calls = fail_at = 0;
    stop_after = -1;
    story_begin(s, NULL);
    hand_begin(hand, 1);
}

struct loader {
    flow_frame base;
    flow_executor *on;
    const char *path;
    size_t limit;
    flow_property progress;
    flow_sdl_file file;
    flow_outcome outcome;
};

static void check_file(const flow_sdl_file *file)
{
    assert_int_equal(file->size, SIZE);
    for (size_t i = 0; i < SIZE; i++) {
        assert_int_equal(((unsigned char *)file->data)[i], byte_at(i));
    }
    assert_int_equal(((char *)file->data)[SIZE], 0);
}

FLOW_STATIC(loader)
{
    FLOW_BEGIN;
    self->file = flow_sdl_file_at(self->path, self->limit);
    self->file.progress = self->progress;
    FLOW_TRY(&self->outcome, flow_sdl_load_file(self->on, &self->file));
    if (self->outcome.state == FLOW_STATE_DONE) {
        check_file(&self->file);
        story_log(story_of(flow), "loaded");
    } else {
        assert_null(self->file.data);
        story_log(story_of(flow), "!%d (%s)", self->outcome.code, self->file.error);
    }
    FLOW_FINALLY;
    flow_sdl_file_free(&self->file);
    FLOW_END;
}

static void run_until_done(struct story *s)
{
    while (flow_world_counters(s->world).live != 0) {
        story_update(s, 1);
        SDL_Delay(1);
    }
}

static void a_file_is_loaded_whole_and_its_progress_told(void **state)
{
    struct story s;
    struct hand hand;
    FLOW_PROPERTY(double) progress;
    double value = 0.0;
    (void)state;
    begin(&s, &hand);
    assert_int_equal(flow_property_init(&progress, s.world, &(double){0.0}), FLOW_OK);
    (void)FLOW_RUN(s.world, loader, .on = &hand.executor, .path = here, .limit = SIZE,
                   .progress = progress.property);
    hand_do(&hand);
    story_frame(&s, 10);
    story_expect(&s, "loaded");
    assert_int_equal(flow_property_get(&progress, &value), 1);
    assert_true(value > 0.999);
    assert_int_equal(held, 0);
    story_end(&s);
}

static void what_cannot_be_loaded_is_said_with_its_path_and_the_reason(void **state)
{
    struct story s;
    struct hand hand;
    char long_path[FLOW_SDL_PATH + 1];
    (void)state;
    begin(&s, &hand);
    memset(long_path, 'x', sizeof long_path - 1);
    long_path[sizeof long_path - 1] = '\0';
    (void)FLOW_RUN(s.world, loader, .on = &hand.executor, .path = here, .limit = SIZE - 1);
    (void)FLOW_RUN(s.world, loader, .on = &hand.executor, .path = long_path);
    hand_do_all(&hand);
    story_frame(&s, 10);
    story_expect(&s, "!-11 (test_sdl_file.tmp: it is larger than its limit) "
                     "!-12 (the path is too long)");
    flow_sdl_pool *pool = flow_sdl_pool_create(&(flow_sdl_pool_desc){.threads = 1});
    (void)FLOW_RUN(s.world, loader, .on = flow_sdl_pool_executor(pool), .path = "no/such.file");
    (void)FLOW_RUN(s.world, loader, .on = flow_sdl_pool_executor(pool), .path = ".");
    run_until_done(&s);
    assert_int_equal(flow_sdl_pool_destroy(pool), 0);
    assert_ptr_equal(strstr(s.log, "!-12 (no/such.file: "), s.log);
    assert_non_null(strstr(s.log, ") !-12 (.: "));
    assert_int_equal(held, 0);
    story_end(&s);
}

static void a_file_whose_memory_cannot_be_had_is_a_failure(void **state)
{
    struct story s;
    struct hand hand;
    (void)state;
    begin(&s, &hand);
    fail_at = 1;
    (void)FLOW_RUN(s.world, loader, .on = &hand.executor, .path = here);
    hand_do(&hand);
    story_frame(&s, 10);
    story_expect(&s, "!-6 (test_sdl_file.tmp: no memory for it)");
    assert_int_equal(held, 0);
    story_end(&s);
}

static void a_cancel_frees_what_was_read_before_while_and_after(void **state)
{
    struct story s;
    struct hand hand;
    (void)state;
    begin(&s, &hand);
    flow_handle h = FLOW_RUN(s.world, loader, .on = &hand.executor, .path = here);
    assert_int_equal(flow_cancel(s.world, h), FLOW_OK);
    hand_do(&hand); /* it never opened it */
    story_frame(&s, 10);
    assert_int_equal(calls, 0);
    h = FLOW_RUN(s.world, loader, .on = &hand.executor, .path = here);
    hand_do(&hand);
    assert_int_equal(held, 1); /* loaded, and nobody there to take it */
    assert_int_equal(flow_cancel(s.world, h), FLOW_OK);
    story_frame(&s, 10);
    assert_int_equal(held, 0);
    stop_after = 2; /* asked between the second and the third chunk */
    (void)FLOW_RUN(s.world, loader, .on = &hand.executor, .path = here);
    hand_do(&hand);
    assert_int_equal(held, 0);
    story_frame(&s, 10);
    story_expect(&s, "!-3 ()");
    story_end(&s);
}

static void many_files_are_loaded_at_once_on_a_pool(void **state)
{
    struct story s;
    struct hand hand;
    (void)state;
    begin(&s, &hand);
    flow_sdl_pool *pool = flow_sdl_pool_create(&(flow_sdl_pool_desc){.threads = 1});
    for (int i = 0; i < 5; i++) {
        (void)FLOW_RUN(s.world, loader, .on = flow_sdl_pool_executor(pool), .path = here);
    }
    run_until_done(&s);
    story_expect(&s, "loaded loaded loaded loaded loaded");
    story_end(&s);
    assert_int_equal(flow_sdl_pool_destroy(pool), 0);
    assert_int_equal(held, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_loaded_whole_and_its_progress_told),
        cmocka_unit_test(what_cannot_be_loaded_is_said_with_its_path_and_the_reason),
        cmocka_unit_test(a_file_whose_memory_cannot_be_had_is_a_failure),
        cmocka_unit_test(a_cancel_frees_what_was_read_before_while_and_after),
        cmocka_unit_test(many_files_are_loaded_at_once_on_a_pool),
    };
    return cmocka_run_group_tests(tests, write_file, remove_file);
}
