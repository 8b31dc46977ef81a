/* SPDX-License-Identifier: MIT */
#include "story.h"

#include "sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *story_alloc(void *user, size_t size, size_t alignment)
{
    struct story *story = user;
    story->calls++;
    if (story->fail_at != 0 && story->calls >= story->fail_at) {
        return NULL;
    }
    void *memory = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    assert_non_null(memory);
    memset(memory, 0xcd, size); /* nothing may rely on fresh memory */
    story->allocations++;
    story->bytes += size;
    return memory;
}

static void story_free(void *user, void *memory, size_t size)
{
    struct story *story = user;
    story->frees++;
    story->bytes -= size;
    free(memory);
}

static void on_failure(void *user, const flow_failure *failure)
{
    struct story *story = user;
    if (story->failure_count < STORY_REPORTS) {
        struct story_failure *kept = &story->failures[story->failure_count];
        kept->failure = *failure;
        (void)snprintf(kept->path, sizeof kept->path, "%s", failure->path);
        kept->failure.path = kept->path;
    }
    story->failure_count++;
    if (story->on_report != NULL) {
        story->on_report(story);
    }
}

static void on_warning(void *user, const flow_warning *warning)
{
    struct story *story = user;
    if (warning->id == FLOW_WARNING_MISUSE) {
        return; /* the assert handler counts it */
    }
    if (story->warning_count < STORY_REPORTS) {
        story->warnings[story->warning_count] = warning->id;
    }
    story->warning_count++;
    (void)snprintf(story->warned_text, sizeof story->warned_text, "%s", warning->text);
    story->warned = *warning;
    story->warned.text = story->warned_text;
    if (story->on_report != NULL) {
        story->on_report(story);
    }
}

static struct story *current; /* whom a misuse is told: the handler has no user */

static void on_misuse(const char *rule, const char *file, int line)
{
    (void)file;
    (void)line;
    if (current == NULL) {
        fail_msg("misuse outside a story: %s", rule);
    }
    current->misuses++;
    (void)snprintf(current->misuse, sizeof current->misuse, "%s", rule);
}

int story_try_begin(struct story *story, const flow_world_desc *desc)
{
    flow_world_desc from = {0};
    long fail_at = story->fail_at;
    if (desc != NULL) {
        from = *desc;
    }
    memset(story, 0, sizeof *story);
    story->fail_at = fail_at;
    story->fixed_dt = 0.010;
    story->max_steps = 5;
    from.allocator = (flow_allocator){story_alloc, story_free, story};
    from.on_failure = on_failure;
    from.on_warning = on_warning;
    from.user = story;
    current = story;
    (void)flow_set_assert_handler(on_misuse);
    story->world = flow_world_create(&from);
    if (story->world == NULL) {
        assert_int_equal(story->bytes, 0);
        current = NULL;
        return 0;
    }
    return 1;
}

/* For the allocation sweep: ends a story in the middle. */
static int abandon(struct story *story)
{
    if (story->world != NULL) {
        flow_status status = flow_world_destroy(story->world);
        if (status == FLOW_REENTRANT || status == FLOW_MISUSE ||
            status == FLOW_PENDING) { /* with jobs that the test does not do any more */
            return 0;
        }
    }
    story->world = NULL;
    (void)flow_set_assert_handler(NULL);
    return 1;
}

void story_begin(struct story *story, const flow_world_desc *desc)
{
    story->fail_at = 0;
    assert_true(story_try_begin(story, desc));
    sweep_begins(story, abandon);
}

flow_status story_destroy(struct story *story)
{
    flow_status status = flow_world_destroy(story->world);
    story->world = NULL;
    return status;
}

void story_end(struct story *story)
{
    if (story->world != NULL) {
        assert_int_equal(story_destroy(story), FLOW_OK);
    }
    sweep_ends(story);
    assert_int_equal(story->bytes, 0);
    assert_int_equal(story->allocations, story->frees);
    assert_int_equal(story->failure_count, story->expect_failures);
    assert_int_equal(story->warning_count, story->expect_warnings);
    assert_int_equal(story->misuses, story->expect_misuses);
    (void)flow_set_assert_handler(NULL);
    current = NULL;
}

void story_frame(struct story *story, double ms)
{
    double dt = ms / 1000.0;
    (void)flow_world_begin_frame(story->world, dt);
    (void)flow_world_tick(story->world, FLOW_EARLY, dt);
    story->accumulator += dt * flow_clock_effective_scale(story->world, FLOW_CLOCK_GAME);
    for (int step = 0; step < story->max_steps && story->accumulator >= story->fixed_dt - 1e-9;
         step++) {
        story->accumulator -= story->fixed_dt;
        (void)flow_world_tick(story->world, FLOW_FIXED, story->fixed_dt);
    }
    (void)flow_world_tick(story->world, FLOW_UPDATE, dt);
    (void)flow_world_tick(story->world, FLOW_LATE, dt);
    (void)flow_world_tick(story->world, FLOW_END_OF_FRAME, dt);
}

void story_frames(struct story *story, int count, double ms)
{
    while (count-- > 0) {
        story_frame(story, ms);
    }
}

void story_update(struct story *story, double ms)
{
    (void)flow_world_begin_frame(story->world, ms / 1000.0);
    (void)flow_world_tick(story->world, FLOW_UPDATE, ms / 1000.0);
}

void story_log(struct story *story, const char *format, ...)
{
    size_t length = strlen(story->log);
    va_list args;
    if (length > 0 && length + 1 < STORY_LOG) {
        story->log[length++] = ' ';
        story->log[length] = '\0';
    }
    va_start(args, format);
    (void)vsnprintf(story->log + length, STORY_LOG - length, format, args);
    va_end(args);
}

struct story *story_of(const flow_task *flow)
{
    return flow_world_user(flow_world_of(flow));
}

uint64_t story_hash(const struct story *story)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (const char *c = story->log; *c != '\0'; c++) {
        hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
    }
    return hash;
}

void story_alive(const struct story *story, uint32_t live, uint32_t waits, uint32_t timers)
{
    flow_counters count = flow_world_counters(story->world);
    assert_int_equal(count.live, live);
    assert_int_equal(count.waits, waits);
    assert_int_equal(count.timers, timers);
}

uint64_t story_seed(uint64_t otherwise)
{
    const char *text = getenv("EMBERLINE_TEST_SEED");
    uint64_t seed = text != NULL ? strtoull(text, NULL, 0) : otherwise;
    print_message("seed %llu (EMBERLINE_TEST_SEED replays one)\n", (unsigned long long)seed);
    return seed;
}
