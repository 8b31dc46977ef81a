/* SPDX-License-Identifier: MIT */
/* The reference's ticks, in their six steps. */
#include "naive.h"

static void held_released(int phase, bool counted)
{
    for (int i = 0; i < model.clocks.count; i++) {
        const nclock *clock = model.clocks.item[i];
        vec held = vec_copy(&model.held);
        for (int k = 0; k < held.count; k++) {
            nflow *flow = held.item[k];
            if (flow->doing == IS_HELD && flow->held_on == clock && flow->phase == phase &&
                !clock_paused(clock) && (!counted || clock->counts || clock->ended)) {
                vec_remove(&model.held, flow);
                wake(flow);
            }
        }
    }
}

/* What a tick takes of a clock, in its steps 3 to 5. */
typedef bool (*chooser)(const nwait *wait);

static bool is_count(const nwait *wait)
{
    return !is_timer(wait) && wait->kind != W_UNTIL;
}

static bool is_frames(const nwait *wait)
{
    return wait->kind == W_FRAMES || wait->kind == W_NEXT_FRAME;
}

static bool is_due(const nwait *wait)
{
    const nclock *clock = wait->clock;
    int64_t now = is_timer(wait)    ? clock_now(clock, wait->phase)
                  : is_frames(wait) ? model.frame
                                    : clock->ticks[wait->phase];
    return wait->due <= now;
}

static void wait_over(nwait *wait, int code)
{
    wait->on = false;
    vec_remove(&model.waits, wait);
    model.count.timers -= is_timer(wait);
    model.count.predicates -= wait->kind == W_UNTIL;
    if (wait->kind == W_BEAT && code == 0) {
        beat_given(wait);
    }
    wait_end(wait, code, true);
    settle_marked();
}

/* The next of those that waited when the tick began: the oldest; of timers the earliest. */
static nwait *next_due(const vec *then, const nclock *clock, int phase, chooser chosen)
{
    nwait *best = NULL;
    for (int i = 0; i < then->count; i++) {
        nwait *wait = then->item[i];
        if (wait->on && wait->clock == clock && wait->phase == phase && chosen(wait) &&
            is_due(wait) && (best == NULL || (is_timer(wait) && wait->due < best->due))) {
            best = wait;
        }
    }
    return best;
}

static bool takes_part(const nclock *clock)
{
    return clock->counts && !clock_paused(clock);
}

static void due_end(const vec *then, nclock *clock, int phase, chooser chosen)
{
    nwait *wait;
    while (!clock->ended && (wait = next_due(then, clock, phase, chosen)) != NULL) {
        wait_over(wait, 0);
    }
}

static bool is_ticks_1(const nwait *w)
{
    return w->kind == W_NEXT_TICK || w->kind == W_PHASE || (w->kind == W_TICKS && w->a == 1);
}

static bool is_frames_1(const nwait *w)
{
    return w->kind == W_NEXT_FRAME || (w->kind == W_FRAMES && w->a == 1);
}

static bool is_ticks_n(const nwait *w)
{
    return w->kind == W_TICKS && w->a > 1;
}

static bool is_frames_n(const nwait *w)
{
    return w->kind == W_FRAMES && w->a > 1;
}

static bool is_until(const nwait *w)
{
    return w->kind == W_UNTIL;
}

/* Waits on a clock that has ended fail: timers, ticks, frames, predicates. */
static void closed_end(const vec *then, const nclock *clock, int phase)
{
    static const chooser order[] = {is_timer,   is_ticks_1,  is_frames_1,
                                    is_ticks_n, is_frames_n, is_until};
    for (int k = 0; k < 6; k++) {
        for (;;) {
            nwait *best = NULL;
            for (int i = 0; i < then->count; i++) {
                nwait *wait = then->item[i];
                if (wait->on && wait->clock == clock && wait->phase == phase && order[k](wait) &&
                    (best == NULL || (order[k] != is_until && wait->due < best->due))) {
                    best = wait;
                }
            }
            if (best == NULL) {
                break;
            }
            wait_over(best, FLOW_CLOSED);
        }
    }
}

static void predicates_asked(const vec *then, const nclock *clock, int phase)
{
    for (int i = 0; i < then->count && !clock_paused(clock); i++) {
        nwait *wait = then->item[i];
        if (!wait->on || wait->kind != W_UNTIL || wait->clock != clock || wait->phase != phase) {
            continue;
        }
        if (predicate_run(&model.side->asked[wait->spec - model.side->program->wait]) && wait->on) {
            wait_over(wait, 0);
        }
        settle_marked();
    }
}

void ready_run(int phase)
{
    vec *ready = &model.ready[phase];
    for (;;) {
        held_released(phase, false);
        if (ready->count == 0) {
            return;
        }
        nflow *flow = ready->item[0];
        vec_remove(ready, flow);
        wake(flow);
    }
}

void tick(int phase, double dt)
{
    settle_marked();           /* what was put off between ticks */
    clocks_advance(phase, dt); /* 1 */
    vec then = vec_copy(&model.waits);
    gradual_pass(phase);
    held_released(phase, true);                    /* 2 */
    for (int i = 0; i < model.clocks.count; i++) { /* 3 */
        nclock *clock = model.clocks.item[i];
        if (clock->closes) {
            closed_end(&then, clock, phase);
        } else if (takes_part(clock)) {
            due_end(&then, clock, phase, is_timer);
        }
    }
    for (int i = 0; i < model.clocks.count; i++) { /* 4 */
        if (takes_part(model.clocks.item[i])) {
            due_end(&then, model.clocks.item[i], phase, is_count);
        }
    }
    for (int i = 0; i < model.clocks.count; i++) { /* 5 */
        if (takes_part(model.clocks.item[i])) {
            predicates_asked(&then, model.clocks.item[i], phase);
        }
    }
    ready_run(phase); /* 6 */
}
