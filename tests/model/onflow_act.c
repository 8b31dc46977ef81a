/* SPDX-License-Identifier: MIT */
/* What the host and bodies do, on flow. */
#include "onflow.h"

int on_group(struct side *side, const struct ins *ins)
{
    flow_group_desc desc = {.fail_fast = ins->d};
    (void)side;
    if (ins->c != NOBODY) {
        desc.owner = handle_of(ins->c);
    }
    return handle_put(ins->a, flow_group_create(on.world, &desc));
}

int on_cancel(struct side *side, int whom)
{
    (void)side;
    return flow_cancel(on.world, handle_of(whom));
}

int on_clear(struct side *side, int whom)
{
    (void)side;
    return flow_group_clear(on.world, handle_of(whom));
}

int on_stop(struct side *side, int whom)
{
    (void)side;
    return flow_request_stop(on.world, handle_of(whom));
}

int on_state(struct side *side, int whom, flow_outcome *outcome)
{
    (void)side;
    return flow_outcome_of(on.world, handle_of(whom), outcome);
}

int on_emit(struct side *side, int signal, int value)
{
    (void)side;
    return (int)flow_emit(&on.signal[signal], &value);
}

void on_close(struct side *side, int signal)
{
    (void)side;
    flow_signal_close(&on.signal[signal]);
}

void on_fail(struct side *side, int signal, int code)
{
    (void)side;
    flow_signal_fail(&on.signal[signal], code, "broken");
}

void on_renew(struct side *side, int signal)
{
    (void)side;
    flow_signal_fini(&on.signal[signal]);
    (void)flow_signal_init(&on.signal[signal], on.world);
}

int on_pause(struct side *side, int clock)
{
    (void)side;
    return flow_clock_pause(on.world, on.clock[clock]);
}

int on_release(struct side *side, int clock)
{
    (void)side;
    return flow_clock_pauses(on.world, on.clock[clock]) != 0
               ? flow_clock_release(on.world, on.clock[clock])
               : 1;
}

int on_scale(struct side *side, int clock, double scale)
{
    (void)side;
    return flow_clock_set_scale(on.world, on.clock[clock], scale);
}

int on_clock_make(struct side *side, int slot, int parent)
{
    (void)side;
    on.clock[slot] = flow_clock_create(on.world, on.clock[parent], "made");
    return on.clock[slot] != FLOW_CLOCK_INHERIT;
}

int on_clock_end(struct side *side, int clock)
{
    (void)side;
    return flow_clock_destroy(on.world, on.clock[clock]);
}

int on_owner_end(struct side *side, int owner)
{
    (void)side;
    return flow_owner_fini(&on.owner[owner]);
}

/* One that is in use stays. */
int on_owner_begin(struct side *side, int owner)
{
    (void)side;
    if (!flow_owner_is_over(&on.owner[owner])) {
        return 1;
    }
    return flow_owner_init(on.world, &on.owner[owner], "owner");
}

int on_take(struct side *side, int subscription, int *value)
{
    (void)side;
    return flow_try_next(&on.subscription[subscription], value);
}

int on_count(struct side *side, int subscription)
{
    (void)side;
    return (int)flow_subscription_count(&on.subscription[subscription]);
}

void on_unsubscribe(struct side *side, int subscription)
{
    (void)side;
    flow_unsubscribe(&on.subscription[subscription]);
}

int on_gradual(struct side *side, int whom, int budget)
{
    (void)side;
    return flow_cancel_gradually(on.world, handle_of(whom), (uint32_t)budget);
}

int on_set(struct side *side, int property, int value)
{
    (void)side;
    return flow_property_set(&on.property[property], &value);
}

int on_read(struct side *side, int property, int *value)
{
    (void)side;
    (void)flow_property_get(&on.property[property], value);
    return (int)flow_property_version(&on.property[property]);
}

void on_property(struct side *side, int property, int value)
{
    (void)side;
    flow_property_fini(&on.property[property]);
    (void)flow_property_init(&on.property[property], on.world, &value);
}

int on_send(struct side *side, int channel, const int *value)
{
    (void)side;
    return flow_try_send(&on.channel[channel], value);
}

int on_receive(struct side *side, int channel, int *value)
{
    (void)side;
    return flow_try_next(&on.channel[channel], value);
}

int on_kept(struct side *side, int channel)
{
    (void)side;
    return (int)flow_channel_count(&on.channel[channel]);
}

void on_channel_close(struct side *side, int channel)
{
    (void)side;
    flow_channel_close(&on.channel[channel]);
}

void on_channel_fail(struct side *side, int channel, int code)
{
    (void)side;
    flow_channel_fail(&on.channel[channel], code, "broken");
}

void on_channel(struct side *side, int channel, int capacity)
{
    (void)side;
    flow_channel_fini(&on.channel[channel]);
    (void)flow_channel_init(&on.channel[channel], on.world,
                            capacity < 0 ? FLOW_UNBOUNDED : (uint32_t)capacity);
}

/* ---- in the next frame ---- */

static void posted(flow_world *world, void *ins)
{
    (void)world;
    posted_run(on.side, ins);
}

int on_post(struct side *side, const struct ins *ins)
{
    union {
        const struct ins *ins;
        void *arg;
    } given = {ins};
    (void)side;
    return flow_post(on.world, posted, given.arg);
}

int on_cancel_any(struct side *side, int whom)
{
    (void)side;
    return flow_cancel_any_thread(on.world, handle_of(whom));
}

int on_emit_any(struct side *side, int signal, const int *value)
{
    (void)side;
    return flow_emit_any_thread(&on.signal[signal], value);
}

/* ---- of the running flow ---- */

int on_interval(struct run *run, int ms, int clock)
{
    return flow_interval_begin(run->flow, &run->interval, ms / 1000.0,
                               clock == CLOCKS ? FLOW_CLOCK_INHERIT : on.clock[clock]);
}

int on_set_begin(struct run *run)
{
    return flow_set_begin(run->flow, &run->set);
}

void on_set_clear(struct run *run)
{
    flow_set_clear(run->flow, &run->set);
}

int on_set_left(struct run *run)
{
    return (int)flow_set_left(&run->set);
}

void on_self(struct run *run, int slot)
{
    on.slot[slot] = flow_self(run->flow);
}

int on_defer(struct run *run, struct cleanup *cleanup);

static void cleanup_called(void *cleanup)
{
    (void)cleanup_run(cleanup);
}

int on_defer(struct run *run, struct cleanup *cleanup)
{
    return flow_defer(run->flow, cleanup_called, cleanup);
}

int on_hold(struct run *run, int clock)
{
    return flow_pause_clock(run->flow, on.clock[clock]);
}

int on_scope_clock(struct run *run, int slot, int parent)
{
    on.clock[slot] = flow_scope_clock(
        run->flow, parent == CLOCKS ? FLOW_CLOCK_INHERIT : on.clock[parent], "scope");
    return on.clock[slot] != FLOW_CLOCK_INHERIT;
}

int on_subscribe(struct run *run, const struct ins *ins)
{
    flow_task *flow = run->flow;
    return flow_subscribe(flow, &on.subscription[ins->a], &on.signal[ins->b],
                          (flow_policy)(ins->c % 4), ins->c / 4);
}

int on_asked_to_stop(struct run *run)
{
    return flow_stop_requested(run->flow);
}

flow_cause on_cause(struct run *run)
{
    return flow_cause_of(run->flow);
}

int on_phase(struct run *run)
{
    return (int)flow_phase_of(run->flow);
}

void on_time(struct run *run, int *now, int *ticks, int *step)
{
    *now = (int)flow_now_ns(run->flow);
    *ticks = (int)flow_tick_count(run->flow);
    *step = (int)(flow_dt(run->flow) * 1e9 + 0.5);
}

/* ---- the host ---- */

void on_frame(struct side *side, double dt)
{
    side->outside |= flow_world_begin_frame(on.world, dt) != FLOW_OK;
}

void on_tick(struct side *side, int phase, double dt)
{
    side->outside |= flow_world_tick(on.world, (flow_phase)phase, dt) != FLOW_OK;
}

void on_flush(struct side *side, int phase)
{
    side->outside |= flow_world_flush(on.world, (flow_phase)phase) != FLOW_OK;
}

flow_counters on_counters(struct side *side)
{
    (void)side;
    return flow_world_counters(on.world);
}

void on_clock_now(struct side *side, int clock, int phase, int *now)
{
    (void)side;
    *now = (int)flow_clock_now_ns(on.world, on.clock[clock], (flow_phase)phase);
}
