/* SPDX-License-Identifier: MIT */
#if defined(__linux__)
#define _GNU_SOURCE /* RTLD_NEXT */
#endif
#include "sweep.h"

#include <stdio.h>
#include <stdlib.h>

#if defined(__linux__)
#include <dlfcn.h>

static struct story *swept; /* that runs now, if this is a sweep */
static int (*give_up)(struct story *story);
static long most; /* allocations of a story, its world's aside */

static void say_most(void)
{
    fprintf(stderr, "sweep: at most %ld allocations\n", most);
}

void sweep_begins(struct story *story, int (*abandon)(struct story *story))
{
    const char *text = getenv("EMBERLINE_FAIL_ALLOCATION");
    if (text == NULL) {
        return;
    }
    if (most == 0) {
        (void)atexit(say_most);
        most = 1;
    }
    swept = story;
    give_up = abandon;
    story->swept_from = story->calls;
    story->fail_at = story->calls + strtol(text, NULL, 0);
}

static void judge(const struct story *story)
{
    long calls = story->calls - story->swept_from;
    most = calls > most ? calls : most;
    if (story->bytes != 0 || story->allocations != story->frees) {
        fprintf(stderr, "sweep: %zu bytes, %ld blocks are left\n", story->bytes,
                story->allocations - story->frees);
        exit(SWEEP_LEAK);
    }
}

void sweep_ends(const struct story *story)
{
    if (swept == story) {
        swept = NULL;
        judge(story);
    }
}

/* One that fails inside its world, or on another thread, cannot be ended there, and is left alone.
 */
static void abandon_swept(void)
{
    struct story *story = swept;
    swept = NULL;
    if (give_up(story)) {
        judge(story);
    }
}

/* cmocka calls it for each assertion that fails; this one comes before cmocka's own. */
void _fail(const char *const file, const int line)
{
    union {
        void *object;
        void (*call)(const char *file, int line);
    } real = {dlsym(RTLD_NEXT, "_fail")};
    if (swept != NULL) {
        abandon_swept();
    }
    real.call(file, line);
    abort();
}

#else

void sweep_begins(struct story *story, int (*abandon)(struct story *story))
{
    (void)story;
    (void)abandon;
}

void sweep_ends(const struct story *story)
{
    (void)story;
}

#endif
