/* SPDX-License-Identifier: MIT */
/*
 * What the engine's tests share: cmocka, and an engine that is headless and lives in virtual time.
 */
#ifndef TEST_FIXTURE_H
#define TEST_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "engine/engine.h"

#define MS INT64_C(1000000)
#define SECOND INT64_C(1000000000)

/* A clock that only moves when a test or a sleep moves it. */
struct virtual_time {
    int64_t now;
    int64_t slept;
    int sleeps;
};

static inline int64_t virtual_now(void *user)
{
    return ((struct virtual_time *)user)->now;
}

static inline void virtual_sleep(void *user, int64_t ns)
{
    struct virtual_time *time = user;
    time->now += ns;
    time->slept += ns;
    time->sleeps++;
}

/* Creates a headless engine, or fails the test with the engine's reason. */
static inline struct engine *create_engine(const struct engine_desc *desc)
{
    char error[ENGINE_ERROR_SIZE] = "";
    struct engine_desc headless = *desc;
    struct engine *engine;
    headless.headless = true;
    engine = engine_create(&headless, error);
    if (!engine) {
        fail_msg("%s", error);
    }
    return engine;
}

/* A headless engine with fixed dt and without audio. */
static inline struct engine *create_plain_engine(void)
{
    struct engine_desc desc = {.no_audio = true};
    return create_engine(&desc);
}

/* The same on a virtual clock, with fixed steps of 10 ms. */
static inline struct engine *create_virtual_engine(struct virtual_time *time)
{
    struct engine_desc desc = {.no_audio = true,
                               .fixed_dt = 0.010,
                               .time = {.now = virtual_now, .sleep = virtual_sleep, .user = time}};
    return create_engine(&desc);
}

/* One frame that begins `ms` milliseconds after the last one. */
static inline bool run_frame(struct engine *engine, struct virtual_time *time, int64_t ms)
{
    time->now += ms * MS;
    return engine_iterate(engine);
}

#endif
