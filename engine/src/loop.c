/* SPDX-License-Identifier: MIT */
/*
 * The frame: phases in their order, callbacks in theirs, and time accounted for without gaps.
 *
 * mark_ns is the moment up to which time has been booked to a phase; every phase books up to its
 * end, so the phases of a frame always add up to its total.
 */
#include "internal.h"

int64_t engine__now(const struct engine *engine)
{
    if (engine->desc.time.now) {
        return engine->desc.time.now(engine->desc.time.user);
    }
    /* Split, since counter * 1e9 does not fit for long. */
    Uint64 rate = SDL_GetPerformanceFrequency();
    Uint64 counter = SDL_GetPerformanceCounter();
    return (int64_t)(counter / rate * ENGINE__SECOND + counter % rate * ENGINE__SECOND / rate);
}

int64_t engine_now(const struct engine *engine)
{
    return engine__now(engine);
}

static bool add_callback(struct engine *engine, enum engine_phase phase,
                         const struct engine__callback *callback, bool last)
{
    struct engine__callbacks *list;
    int at;
    if ((int)phase < 0 || phase >= ENGINE_PHASE_COUNT || !callback->fn) {
        return engine__fail(engine->error, "a callback needs a phase and a function");
    }
    list = &engine->callbacks[phase];
    if (engine->running) {
        return engine__fail(engine->error, "callback %s: cannot be added during a frame",
                            callback->name);
    }
    if (list->count == ENGINE__CALLBACKS_MAX) {
        return engine__fail(engine->error, "callback %s: the phase %s has %d already",
                            callback->name, engine_phase_name(phase), ENGINE__CALLBACKS_MAX);
    }
    at = last ? list->count : list->first++;
    SDL_memmove(&list->items[at + 1], &list->items[at],
                (size_t)(list->count - at) * sizeof list->items[0]);
    list->items[at] = *callback;
    list->count++;
    return true;
}

bool engine_on(struct engine *engine, enum engine_phase phase, engine_callback *fn, void *user,
               const char *name)
{
    struct engine__callback callback = {.fn = fn, .user = user, .name = name ? name : "?"};
    return add_callback(engine, phase, &callback, false);
}

bool engine_on_last(struct engine *engine, enum engine_phase phase, engine_callback *fn, void *user,
                    const char *name)
{
    struct engine__callback callback = {.fn = fn, .user = user, .name = name ? name : "?"};
    return add_callback(engine, phase, &callback, true);
}

bool engine_get_callback_stats(const struct engine *engine, int index,
                               struct engine_callback_stats *out)
{
    for (int phase = 0; phase < ENGINE_PHASE_COUNT && index >= 0; phase++) {
        const struct engine__callbacks *list = &engine->callbacks[phase];
        if (index < list->count) {
            const struct engine__callback *item = &list->items[index];
            *out = (struct engine_callback_stats){.name = item->name,
                                                  .phase = (enum engine_phase)phase,
                                                  .frame_ns = item->frame_ns,
                                                  .total_ns = item->total_ns,
                                                  .calls = item->calls};
            return true;
        }
        index -= list->count;
    }
    return false;
}

/* Books the time since the last mark to a phase. */
static void book(struct engine *engine, enum engine_phase phase)
{
    int64_t now = engine__now(engine);
    engine->frame_stats.phase_ns[phase] += now > engine->mark_ns ? now - engine->mark_ns : 0;
    engine->mark_ns = now;
}

bool engine_set_watch(struct engine *engine, const struct engine_watch *watch)
{
    if (engine->running) {
        return engine__fail(engine->error, "engine_set_watch: called from inside a frame");
    }
    engine->watch = watch ? *watch : (struct engine_watch){0};
    return true;
}

static void part_begin(const struct engine *engine, const char *name, bool waits)
{
    if (engine->watch.begin) {
        engine->watch.begin(engine->watch.user, name, waits);
    }
}

static void part_end(const struct engine *engine)
{
    if (engine->watch.begin) {
        engine->watch.end(engine->watch.user);
    }
}

static void phase_begin(const struct engine *engine, enum engine_phase phase)
{
    bool waits = phase == ENGINE_PHASE_PRESENT || phase == ENGINE_PHASE_PACE;
    part_begin(engine, engine_phase_name(phase), waits);
}

static void call_all(struct engine *engine, enum engine_phase phase)
{
    struct engine__callbacks *list = &engine->callbacks[phase];
    int64_t before = list->count > 0 ? engine__now(engine) : 0;
    engine->frame.phase = phase;
    for (int i = 0; i < list->count; i++) {
        struct engine__callback *item = &list->items[i];
        struct engine_frame frame =
            engine->frame; /* a callback cannot change what the next one sees */
        int64_t after;
        part_begin(engine, item->name, false);
        item->fn(engine, item->user, &frame);
        part_end(engine);
        after = engine__now(engine);
        item->frame_ns += after > before ? after - before : 0;
        item->total_ns += after > before ? after - before : 0;
        item->calls++;
        before = after;
    }
}

static void run_phase(struct engine *engine, enum engine_phase phase)
{
    phase_begin(engine, phase);
    call_all(engine, phase);
    part_end(engine);
    book(engine, phase);
}

static void forget_last_frame(struct engine *engine)
{
    engine->frame_stats = (struct engine_frame_stats){0};
    for (int phase = 0; phase < ENGINE_PHASE_COUNT; phase++) {
        for (int i = 0; i < engine->callbacks[phase].count; i++) {
            engine->callbacks[phase].items[i].frame_ns = 0;
        }
    }
}

/* Once quitting was requested, a hidden window no longer stops time: cleanups may be waiting for
 * it. */
static bool time_stands_still(const struct engine *engine)
{
    return (engine->window.hidden || engine->still) && !engine->quit;
}

static int64_t sample(struct engine *engine)
{
    if (engine->desc.dt_mode == ENGINE_DT_FIXED) {
        engine->virtual_ns += engine->frame_dt_ns;
        return engine->virtual_ns;
    }
    return engine__now(engine);
}

static void begin_frame(struct engine *engine)
{
    struct engine_frame *frame = &engine->frame;
    forget_last_frame(engine);
    engine__window_refresh(engine);
    if (engine->window.hidden && !engine->quit) {
        part_begin(engine, "hidden", true);
        engine__wait_hidden(engine);
        part_end(engine);
        book(engine, ENGINE_PHASE_PACE);
    }
    engine_clock_begin_frame(&engine->clock, sample(engine), time_stands_still(engine));
    frame->number++;
    frame->real_dt_ns = engine->clock.real_dt_ns;
    frame->dt_ns = engine->clock.dt_ns;
    frame->real_dt = (double)frame->real_dt_ns / 1e9;
    frame->dt = (double)frame->dt_ns / 1e9;
    frame->alpha = 0.0;
    frame->step = 0;
    frame->total_steps = engine->clock.steps;
    frame->hidden = engine->window.hidden;
}

static void run_early(struct engine *engine)
{
    if (!engine->desc.no_signals && engine__signals_taken()) {
        engine->quit = true;
    }
    engine->frame.phase = ENGINE_PHASE_EARLY;
    phase_begin(engine, ENGINE_PHASE_EARLY);
    engine__input_update(engine);
    call_all(engine, ENGINE_PHASE_EARLY);
    part_end(engine);
    book(engine, ENGINE_PHASE_EARLY);
}

static void run_fixed(struct engine *engine)
{
    struct engine_frame *frame = &engine->frame;
    frame->dt_ns = frame->fixed_dt_ns;
    frame->dt = frame->fixed_dt;
    phase_begin(engine, ENGINE_PHASE_FIXED);
    while (engine_clock_step(&engine->clock)) {
        frame->step = engine->clock.frame_steps - 1;
        frame->total_steps = engine->clock.steps - 1;
        engine__input_begin_step(engine);
        call_all(engine, ENGINE_PHASE_FIXED);
    }
    engine__input_end_steps(engine);
    part_end(engine);
    book(engine, ENGINE_PHASE_FIXED);
    frame->dt_ns = engine->clock.dt_ns;
    frame->dt = (double)frame->dt_ns / 1e9;
    frame->step = engine->clock.frame_steps;
    frame->total_steps = engine->clock.steps;
    frame->alpha = engine_clock_alpha(&engine->clock);
}

static void run_picture(struct engine *engine)
{
    if (engine->window.hidden || engine->undrawn) {
        return;
    }
    phase_begin(engine, ENGINE_PHASE_RENDER);
    engine__draw_begin(engine);
    call_all(engine, ENGINE_PHASE_RENDER);
    engine__draw_end(engine);
    part_end(engine);
    book(engine, ENGINE_PHASE_RENDER);
    phase_begin(engine, ENGINE_PHASE_PRESENT);
    call_all(engine, ENGINE_PHASE_PRESENT);
    SDL_RenderPresent(engine->window.renderer);
    part_end(engine);
    book(engine, ENGINE_PHASE_PRESENT);
}

/* Fills in what is known by END; called again at the very end. */
static void close_stats(struct engine *engine)
{
    struct engine_frame_stats *stats = &engine->frame_stats;
    stats->number = engine->frame.number;
    stats->real_ns = engine->clock.real_dt_ns;
    stats->used_ns = engine->clock.dt_ns;
    stats->dropped_ns = engine->clock.dropped_dt_ns;
    stats->steps = engine->clock.frame_steps;
    stats->steps_skipped = engine->clock.frame_skipped;
    stats->draw_calls = engine->batch.draw_calls;
    stats->vertices = engine->batch.vertices_drawn;
    stats->hidden = engine->window.hidden;
    stats->total_ns = 0;
    for (int phase = 0; phase < ENGINE_PHASE_COUNT; phase++) {
        stats->total_ns += stats->phase_ns[phase];
    }
    stats->wait_ns = stats->phase_ns[ENGINE_PHASE_PRESENT] + stats->phase_ns[ENGINE_PHASE_PACE];
    stats->work_ns = stats->total_ns - stats->wait_ns;
}

bool engine_iterate(struct engine *engine)
{
    if (engine->running) {
        return engine__fail(engine->error, "engine_iterate: called from inside a frame");
    }
    engine->running = true;
    engine->mark_ns = engine__now(engine);
    begin_frame(engine);
    run_phase(engine, ENGINE_PHASE_BEGIN);
    run_early(engine);
    run_fixed(engine);
    run_phase(engine, ENGINE_PHASE_UPDATE);
    run_phase(engine, ENGINE_PHASE_LATE);
    run_picture(engine);
    close_stats(engine);
    run_phase(engine, ENGINE_PHASE_END);
    phase_begin(engine, ENGINE_PHASE_PACE);
    call_all(engine, ENGINE_PHASE_PACE);
    engine__pace(engine);
    part_end(engine);
    book(engine, ENGINE_PHASE_PACE);
    close_stats(engine);
    engine_stats_add(engine->stats, &engine->frame_stats);
    engine->running = false;
    return !engine->quit;
}

void engine_run(struct engine *engine)
{
    while (engine_iterate(engine)) {
    }
}

void engine_sleep(int64_t ns)
{
    SDL_Delay(ns > 0 ? (Uint32)((ns + 999999) / 1000000) : 0);
}

void engine_request_quit(struct engine *engine)
{
    engine->quit = true;
}

bool engine_quit_requested(const struct engine *engine)
{
    return engine->quit;
}

bool engine_set_time_scale(struct engine *engine, double scale)
{
    if (!engine_clock_set_scale(&engine->clock, scale)) {
        return engine__fail(engine->error, "the time scale must be from 0 to %g, not %g",
                            ENGINE_TIME_SCALE_MAX, scale);
    }
    return true;
}

void engine_set_drawn(struct engine *engine, bool drawn)
{
    engine->undrawn = !drawn;
}

bool engine_set_frame_time(struct engine *engine, int64_t real_ns, bool still)
{
    if (engine->desc.dt_mode != ENGINE_DT_FIXED || real_ns < 0) {
        return engine__fail(engine->error, "frames take their time from a clock");
    }
    engine->frame_dt_ns = real_ns;
    engine->still = still;
    return true;
}

const struct engine_clock *engine_time(const struct engine *engine)
{
    return &engine->clock;
}

uint64_t engine_frame_number(const struct engine *engine)
{
    return engine->frame.number;
}

struct engine_stats *engine_get_stats(struct engine *engine)
{
    return engine->stats;
}

const struct engine_frame_stats *engine_current_frame_stats(const struct engine *engine)
{
    return &engine->frame_stats;
}

const char *engine_phase_name(enum engine_phase phase)
{
    static const char *const names[ENGINE_PHASE_COUNT] = {
        "begin", "early", "fixed", "update", "late", "render", "present", "end", "pace"};
    return (int)phase >= 0 && phase < ENGINE_PHASE_COUNT ? names[phase] : "?";
}
