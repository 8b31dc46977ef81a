/* SPDX-License-Identifier: MIT */
/* The reference's clocks: time is a sum, kept with more digits than any program can use up. */
#include "naive.h"

bool clock_paused(const nclock *clock)
{
    for (; clock != NULL; clock = clock->parent) {
        if (clock->pauses > 0) {
            return true;
        }
    }
    return false;
}

int64_t clock_now(const nclock *clock, int phase)
{
    return (int64_t)(clock->time[phase] + 0.5L);
}

nclock *clock_new(nclock *parent)
{
    nclock *clock = make(sizeof *clock);
    clock->parent = parent;
    clock->scale = 1.0;
    vec_push(&model.clocks, clock);
    return clock;
}

/* Its clocks and flows are its parent's from now on; waits on it fail in their phase's next tick.
 */
void clock_end(nclock *clock)
{
    clock->ended = true;
    clock->pauses = 0;
    clock->counts = clock->closes = false;
    for (int i = 0; i < model.clocks.count; i++) {
        nclock *other = model.clocks.item[i];
        other->parent = other->parent == clock ? clock->parent : other->parent;
    }
    for (int i = 0; i < model.flows.count; i++) {
        nflow *flow = model.flows.item[i];
        flow->clock = flow->clock == clock ? clock->parent : flow->clock;
    }
}

static void time_add(nclock *clock, int phase, double seconds)
{
    int64_t before = clock_now(clock, phase);
    clock->time[phase] += (long double)seconds * 1e9L;
    clock->step[phase] = clock_now(clock, phase) - before;
}

/* In FIXED the step is game time: what game's own scale has made of it, the host has seen to. */
static double scale_in(const nclock *clock, int phase)
{
    double scale = 1.0;
    for (; clock->parent != NULL; clock = clock->parent) {
        scale *= clock == model.clock[2] && phase == FLOW_FIXED ? 1.0 : clock->scale;
    }
    return scale;
}

void clocks_advance(int phase, double dt)
{
    for (int i = 0; i < model.clocks.count; i++) {
        nclock *clock = model.clocks.item[i];
        clock->counts = !clock->ended && !clock_paused(clock);
        clock->closes = clock->ended;
        if (!clock->counts) {
            clock->step[phase] = 0;
            continue;
        }
        clock->ticks[phase]++;
        if (clock != model.clock[0] || phase == FLOW_FIXED) {
            time_add(clock, phase, dt * scale_in(clock, phase));
        }
    }
}

/* The clock real moves with the frame, but for FIXED. */
void real_advance(double dt)
{
    for (int phase = 1; phase < FLOW_PHASE_LIMIT; phase++) {
        if (phase != FLOW_FIXED) {
            time_add(model.clock[0], phase, dt);
        }
    }
}
