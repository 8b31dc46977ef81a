/* SPDX-License-Identifier: MIT */
/*
 * Pacing: each frame ends at its own absolute deadline.
 *
 * Deadlines lie on a grid of one period; a late frame leaves the grid where it is, and one that is
 * late by whole periods skips those. Whether the present waits for the display is measured: after
 * opening, and whenever the window moved or came back, some frames run unpaced, and only if they
 * come at the display's pace with the present taking its share is the waiting left to it. It loses
 * that trust when frames come much too fast.
 */
#include "internal.h"

enum { PROBE_FRAMES = 6, FAST_FRAMES = 8 };

/* SDL_Delay(1) was measured to take about 1.1 ms: this much of the end of a wait is spun. */
#define SPIN_NS 1300000
#define MILLISECOND_NS 1000000

static double display_rate(const struct engine *engine)
{
    SDL_DisplayMode mode = {0};
    int display = SDL_GetWindowDisplayIndex(engine->window.window);
    if (display >= 0 && SDL_GetCurrentDisplayMode(display, &mode) == 0 && mode.refresh_rate > 0) {
        return mode.refresh_rate;
    }
    return 60.0; /* the rate is 0 where SDL does not know it */
}

static int64_t wanted_period(const struct engine *engine)
{
    double rate = engine->desc.frame_cap;
    if (rate == 0.0 && !engine->desc.headless) {
        rate = display_rate(engine);
    }
    return rate > 0.0 ? (int64_t)((double)ENGINE__SECOND / rate + 0.5) : 0;
}

void engine__pace_probe(struct engine *engine)
{
    struct engine__pacer *pacer = &engine->pacer;
    pacer->period_ns = wanted_period(engine);
    pacer->probe_left = engine->window.claims_vsync && !engine->desc.headless ? PROBE_FRAMES : 0;
    pacer->probe_interval_ns = 0;
    pacer->probe_present_ns = 0;
    pacer->fast_frames = 0;
    pacer->present_waits = false;
}

void engine__pace_start(struct engine *engine)
{
    engine__pace_probe(engine);
    engine->pacer.last_end_ns = engine__now(engine);
    engine->pacer.deadline_ns = engine->pacer.last_end_ns;
}

/* Takes a frame that was not held up by us into the measurement. */
static void probe(struct engine *engine, int64_t interval)
{
    struct engine__pacer *pacer = &engine->pacer;
    pacer->probe_interval_ns += interval;
    pacer->probe_present_ns += engine->frame_stats.phase_ns[ENGINE_PHASE_PRESENT];
    pacer->probe_left--;
    pacer->present_waits = pacer->probe_left == 0 &&
                           pacer->probe_interval_ns >= PROBE_FRAMES * pacer->period_ns * 4 / 5 &&
                           pacer->probe_present_ns >= pacer->probe_interval_ns / 4;
}

/* Takes trust back from a present that stopped waiting, as for a minimised window. */
static void watch(struct engine__pacer *pacer, int64_t interval)
{
    pacer->fast_frames = interval < pacer->period_ns / 2 ? pacer->fast_frames + 1 : 0;
    if (pacer->fast_frames >= FAST_FRAMES) {
        pacer->present_waits = false;
        pacer->fast_frames = 0;
    }
}

static void wait_until(const struct engine *engine, int64_t deadline)
{
    int64_t left = deadline - engine__now(engine);
    if (engine->desc.time.sleep) {
        engine->desc.time.sleep(engine->desc.time.user, left);
        return;
    }
    if (engine->desc.time.now) {
        SDL_Delay((Uint32)(left /
                           MILLISECOND_NS)); /* a foreign clock may stand still: never spin on it */
        return;
    }
    while ((left = deadline - engine__now(engine)) > 0) {
        if (left > SPIN_NS) {
            int64_t ms = (left - SPIN_NS) / MILLISECOND_NS;
            SDL_Delay((Uint32)(ms > 1 ? ms : 1));
        }
    }
}

void engine__pace(struct engine *engine)
{
    struct engine__pacer *pacer = &engine->pacer;
    int64_t now = engine__now(engine);
    int64_t interval = now - pacer->last_end_ns;
    if (pacer->period_ns > 0) {
        pacer->deadline_ns += pacer->period_ns;
        if (now > pacer->deadline_ns) {
            pacer->deadline_ns += (now - pacer->deadline_ns) / pacer->period_ns * pacer->period_ns;
        }
        if (pacer->probe_left > 0) {
            probe(engine, interval);
            pacer->deadline_ns = now;
        } else if (pacer->present_waits) {
            watch(pacer, interval);
            pacer->deadline_ns = now;
        } else if (now < pacer->deadline_ns) {
            wait_until(engine, pacer->deadline_ns);
        }
    }
    pacer->last_end_ns = engine__now(engine);
}

void engine__wait_hidden(struct engine *engine)
{
    const int64_t span = ENGINE__SECOND / 10;
    if (engine->desc.time.sleep) {
        engine->desc.time.sleep(engine->desc.time.user, span);
    } else {
        SDL_WaitEventTimeout(NULL, (int)(span / MILLISECOND_NS));
    }
    engine->pacer.deadline_ns = engine__now(engine);
}
