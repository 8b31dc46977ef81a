/* SPDX-License-Identifier: MIT */
/* The reference's intervals: the k-th beat is due k periods after the begin. */
#include "naive.h"

static int64_t period_of(const nbeat *beat)
{
    return (int64_t)beat->period * 1000000;
}

/* Those that have passed come as one. */
void beat_given(nwait *wait)
{
    nbeat *beat = wait->beat;
    int64_t passed = (clock_now(beat->clock, wait->phase) - beat->origin) / period_of(beat);
    wait->run->beats[wait->spec->place] = (uint64_t)(passed - beat->beats);
    beat->beats = passed;
}

/* In another phase the flow has as far to go as it had. */
static void phase_follow(nbeat *beat, int phase)
{
    if (beat->phase != phase) {
        beat->origin += clock_now(beat->clock, phase) - clock_now(beat->clock, beat->phase);
        beat->phase = phase;
    }
}

begun beat_wait(nwait *wait)
{
    nbeat *beat = wait->beat;
    int phase = wait->phase = wait->flow->phase; /* which the flow may leave meanwhile */
    if (beat->period == 0) {
        return failed(wait, FLOW_MISUSE);
    }
    if (beat->clock->ended) {
        return failed(wait, FLOW_CLOSED);
    }
    phase_follow(beat, phase);
    wait->due = beat->origin + (beat->beats + 1) * period_of(beat);
    if (wait->due > clock_now(beat->clock, phase)) {
        return BEGUN_WAITS;
    }
    beat_given(wait);
    return BEGUN_DONE;
}

int naive_interval(struct run *run, int ms, int clock)
{
    nflow *flow = run->flow;
    bool own = clock == CLOCKS || model.clock[clock] == NULL;
    nclock *c = own ? flow->clock : model.clock[clock];
    int64_t now = c->ended ? 0 : clock_now(c, flow->phase);
    flow->top->beat = (nbeat){.period = ms, .origin = now, .clock = c, .phase = flow->phase};
    return FLOW_OK;
}
