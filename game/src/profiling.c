/* SPDX-License-Identifier: MIT */
#include "profiling.h"

#include <errno.h>
#include <string.h>

#include "game.h"

int64_t profiling_count(void *user)
{
    struct game *game = user;
    return game->profiling.counted += 100;
}

/* ---- what the engine tells ---- */

static uint64_t read_clock(void *user)
{
    const struct game *game = user;
    return (uint64_t)engine_now(game->engine);
}

/* The ticks that glue.c makes tell of themselves. */
static void part_begin(void *user, const char *name, bool waits)
{
    struct profiling *profiling = user;
    bool tick = strncmp(name, "flow ", 5) == 0;
    profiling->passed = profiling->passed << 1 | tick;
    if (waits) {
        flow_profile_begin_wait(profiling->profile, name);
    } else if (!tick) {
        flow_profile_begin(profiling->profile, name);
    }
}

static void part_end(void *user)
{
    struct profiling *profiling = user;
    if ((profiling->passed & 1) == 0) {
        flow_profile_end(profiling->profile);
    }
    profiling->passed >>= 1;
}

static void tell_hitch(void *user, const flow_profile_hitch *hitch)
{
    struct game *game = user;
    struct profiling *profiling = &game->profiling;
    (void)snprintf(profiling->last_hitch, sizeof profiling->last_hitch, "%s", hitch->line);
    if (profile_options_ask(&game->options->profile)) {
        (void)fprintf(stderr, "%s\n", hitch->line);
    }
}

/* ---- from beginning to end ---- */

static struct engine_watch watch_of(struct game *game)
{
    return (struct engine_watch){part_begin, part_end, &game->profiling};
}

static bool profile_open(struct game *game)
{
    struct profiling *profiling = &game->profiling;
    const struct engine_watch watch = watch_of(game);
    profiling->profile = flow_profile_create(&(flow_profile_desc){
        .now_ns = read_clock,
        .user = game,
        .hitch_ms = game->options->profile.hitch_ms,
        .on_hitch = tell_hitch,
    });
    return profiling->profile != NULL &&
           flow_profile_watch(profiling->profile, game->world) == FLOW_OK &&
           engine_set_watch(game->engine, &watch);
}

/* Is to be recorded what is not, or the other way? For want of memory the overlay stays empty. */
static void switch_over(struct game *game)
{
    struct profiling *profiling = &game->profiling;
    const struct overlay *overlay = &game->overlay;
    bool asked = profile_options_ask(&game->options->profile) || overlay->level > 0;
    bool on = asked && !(overlay->level > 0 && overlay->frozen);
    if (on == profiling->on) {
        return;
    }
    if (on && profiling->profile == NULL && !profile_open(game)) {
        profiling_free(game);
        return;
    }
    profiling->on = flow_profile_switch(profiling->profile, on) == FLOW_OK && on;
}

static bool refuse(char error[ENGINE_ERROR_SIZE], const char *path)
{
    (void)snprintf(error, ENGINE_ERROR_SIZE, "%s: %s", path,
                   errno != 0 ? strerror(errno) : "cannot be written");
    return false;
}

static bool open_files(flow_profile *profile, const struct profile_options *options,
                       char error[ENGINE_ERROR_SIZE])
{
    flow_trace_mode mode = options->all ? FLOW_TRACE_ALL : FLOW_TRACE_HITCH;
    errno = 0;
    if (options->trace != NULL && flow_profile_trace(profile, options->trace, mode) != FLOW_OK) {
        return refuse(error, options->trace);
    }
    if (options->csv != NULL && flow_profile_csv(profile, options->csv, "emberline") != FLOW_OK) {
        return refuse(error, options->csv);
    }
    /* the summary is written at the end; that it can be is seen now */
    if (options->summary != NULL &&
        flow_profile_summary_json(profile, options->summary) != FLOW_OK) {
        return refuse(error, options->summary);
    }
    return true;
}

bool profiling_init(struct game *game, char error[ENGINE_ERROR_SIZE])
{
    const struct profile_options *options = &game->options->profile;
    if (!overlay_register(game)) {
        (void)snprintf(error, ENGINE_ERROR_SIZE, "%s", engine_error(game->engine));
        return false;
    }
    if (!profile_options_ask(options)) {
        return true;
    }
    switch_over(game);
    if (!game->profiling.on) {
        (void)snprintf(error, ENGINE_ERROR_SIZE, "out of memory for the profiler");
        return false;
    }
    const struct engine_watch watch = watch_of(game);
    if (options->inject.frame > 0 && !inject_begin(game, &watch)) {
        (void)snprintf(error, ENGINE_ERROR_SIZE, "out of memory for --inject-hitch");
        return false;
    }
    return open_files(game->profiling.profile, options, error);
}

void profiling_next_frame(struct game *game)
{
    const struct engine_frame_stats *last = engine_stats_recent(engine_get_stats(game->engine), 0);
    struct screens *screens = &game->screens;
    bool was_on = game->profiling.on;
    flow_profile_info info = {.number = engine_frame_number(game->engine)};
    if (last != NULL) {
        info.marks = last->hidden ? FLOW_PROFILE_HIDDEN : 0;
        info.steps = (uint32_t)last->steps;
        info.steps_dropped = (uint32_t)last->steps_skipped;
    }
    info.marks |= screens->loading || screens->loaded ? FLOW_PROFILE_LOADING : 0;
    screens->loaded = false;
    game->profiling.passed = 0;
    flow_profile_next_frame(game->profiling.profile, &info);
    switch_over(game);
    if (game->profiling.on && !was_on) {
        flow_profile_next_frame(game->profiling.profile, NULL);
    }
}

static void to_stderr(void *user, const char *text, size_t length)
{
    (void)user;
    (void)fwrite(text, 1, length, stderr);
}

static void unwritten(struct game *game, const char *what)
{
    (void)fprintf(stderr, "emberline: %s: could not be written whole\n", what);
    game->unwritten++;
}

static void check_assertions(struct game *game)
{
    const struct profile_options *options = &game->options->profile;
    const flow_profile *profile = game->profiling.profile;
    double p99 = (double)flow_profile_percentile(profile, 0, 0.99) / 1e6;
    unsigned long long hitches = flow_profile_hitches(profile);
    if (options->assert_p99_ms > 0.0 && p99 > options->assert_p99_ms) {
        (void)fprintf(stderr, "emberline: --assert-p99: p99 of work is %.3f ms, above %.3f\n", p99,
                      options->assert_p99_ms);
        game->profiling.slow = true;
    }
    if (options->assert_no_hitch && hitches > 0) {
        (void)fprintf(stderr, "emberline: --assert-no-hitch: there were %llu\n", hitches);
        game->profiling.slow = true;
    }
}

void profiling_end(struct game *game)
{
    const struct profile_options *options = &game->options->profile;
    flow_profile *profile = game->profiling.profile;
    if (profile == NULL) {
        return;
    }
    profiling_next_frame(game);
    (void)engine_set_watch(game->engine, NULL);
    if (flow_profile_finish(profile) != FLOW_OK) {
        unwritten(game, options->trace != NULL ? options->trace : options->csv);
    }
    if (options->summary != NULL &&
        flow_profile_summary_json(profile, options->summary) != FLOW_OK) {
        unwritten(game, options->summary);
    }
    if (profile_options_ask(options)) {
        flow_profile_summary(profile, to_stderr, NULL);
        check_assertions(game);
    }
    inject_end(game);
}

void profiling_free(struct game *game)
{
    (void)flow_profile_destroy(game->profiling.profile);
    game->profiling.profile = NULL;
}
