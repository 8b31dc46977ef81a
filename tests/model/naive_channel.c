/* SPDX-License-Identifier: MIT */
/* The reference's channels. */
#include "naive.h"

#include <limits.h>

nchannel *channel_new(int capacity)
{
    nchannel *c = make(sizeof *c);
    c->capacity = capacity < 0 ? INT_MAX : capacity;
    return c;
}

static void stand_in(nwait *wait, vec *list)
{
    wait->stands_in = list;
    wait->on = true;
    vec_push(list, wait);
}

static nwait *first_out(vec *list)
{
    nwait *wait = list->item[0];
    vec_remove(list, wait);
    wait->on = false;
    return wait;
}

/* ---- what happens when something has changed ---- */

static void all_done(vec *list)
{
    while (list->count > 0) {
        wait_end(first_out(list), 0, false);
    }
}

/* What the end of the channel is to a wait that is told of it: its code. */
static int told_of_end(nwait *wait, int code)
{
    bool asks = wait->kind != W_SEND && wait->kind != W_DRAINED && wait->b != 0;
    if (code == FLOW_CLOSED && asks) {
        wait->run->index[wait->spec->place] = 1;
    }
    return code == FLOW_CLOSED && (asks || wait->kind == W_DRAINED) ? 0 : code;
}

static void all_closed(vec *list, int code)
{
    while (list->count > 0) {
        nwait *wait = first_out(list);
        wait_end(wait, told_of_end(wait, code), false);
    }
}

static void value_kept(nchannel *c, int value)
{
    keep(&c->values, (nvalue){value, c->number++});
}

/* The first waiting send: its value is kept. */
static void admit(nchannel *c)
{
    nwait *wait = first_out(&c->senders);
    value_kept(c, wait->b);
    wait_end(wait, 0, false);
}

static void end_told(nchannel *c)
{
    c->over = true;
    all_closed(&c->receivers, c->code);
    all_closed(&c->watchers, c->code);
    all_closed(&c->enders, c->code);
}

static void changed(nchannel *c)
{
    if (c->gone) {
        return;
    }
    while (c->senders.count > 0 && c->values.count < c->capacity) {
        admit(c);
    }
    if (c->values.count > 0) {
        all_done(&c->watchers);
    } else if (c->closed && c->handed == 0) {
        end_told(c);
    }
}

static void channel_close(nchannel *c, int code)
{
    if (!c->closed) {
        c->closed = true;
        c->code = code;
    }
    all_closed(&c->senders, c->code);
    changed(c);
}

/* ---- values ---- */

/* To a wait, which holds it until its flow goes on. */
static void hand_over(nchannel *c, nvalue value)
{
    nwait *wait = first_out(&c->receivers);
    wait->has_value = true;
    wait->value = value;
    wait->run->value[wait->spec->place] = value.value;
    c->handed++;
    wait_end(wait, 0, false);
}

void channel_taken(nwait *wait)
{
    wait->has_value = false;
    wait->channel->handed--;
    changed(wait->channel);
}

/* To the next who waits, else to its place, beyond the capacity if need be. */
void channel_give_back(nwait *wait)
{
    nchannel *c = wait->channel;
    wait->has_value = false;
    c->handed--;
    if (c->receivers.count > 0) {
        hand_over(c, wait->value);
    } else if (!c->gone) {
        keep(&c->values, wait->value);
    }
    changed(c);
}

/* Without waiting. */
static int send_now(nchannel *c, int value)
{
    if (c->closed) {
        return c->code;
    }
    if (c->receivers.count > 0) {
        hand_over(c, (nvalue){value, c->number++});
        return FLOW_OK;
    }
    if (c->senders.count > 0 || c->values.count >= c->capacity) {
        return FLOW_FULL;
    }
    value_kept(c, value);
    all_done(&c->watchers);
    return FLOW_OK;
}

/* Where there is no room, what is received is the first waiting send's. */
static bool has_value(nchannel *c)
{
    if (c->values.count == 0 && c->senders.count > 0) {
        admit(c);
    }
    return c->values.count > 0;
}

static nvalue front_out(nchannel *c)
{
    nvalue *front = c->values.item[0];
    vec_remove(&c->values, front);
    return *front;
}

/* ---- waiting ---- */

static begun begun_as(nwait *wait, int code)
{
    wait->code = code;
    return code == 0 ? BEGUN_DONE : BEGUN_FAILED;
}

static begun begin_send(nwait *wait, nchannel *c)
{
    bool closed = c->closed;
    int code = send_now(c, wait->b);
    if (closed || code != FLOW_FULL) {
        return begun_as(wait, code);
    }
    stand_in(wait, &c->senders);
    all_done(&c->watchers);
    return BEGUN_WAITS;
}

static begun begin_receive(nwait *wait, nchannel *c)
{
    if (!has_value(c)) {
        stand_in(wait, &c->receivers);
        return BEGUN_WAITS;
    }
    wait->value = front_out(c);
    wait->run->value[wait->spec->place] = wait->value.value;
    if (wait->parent != NULL) { /* others may settle it before its flow goes on */
        wait->has_value = true;
        c->handed++;
    }
    changed(c);
    return BEGUN_DONE;
}

begun channel_wait(nwait *wait, nchannel *c)
{
    wait->channel = c;
    if (wait->kind == W_SEND) {
        return begin_send(wait, c);
    }
    wait->run->index[wait->spec->place] = 0;
    if (c->over && c->values.count == 0) {
        return begun_as(wait, told_of_end(wait, c->code));
    }
    if (wait->kind == W_RECEIVE) {
        return begin_receive(wait, c);
    }
    if (wait->kind == W_READABLE && (c->values.count > 0 || c->senders.count > 0)) {
        return BEGUN_DONE;
    }
    stand_in(wait, wait->kind == W_DRAINED ? &c->enders : &c->watchers);
    return BEGUN_WAITS;
}

/* ---- what the host and bodies do with them ---- */

int naive_send(struct side *side, int channel, const int *value)
{
    (void)side;
    return send_now(model.channel[channel], *value);
}

int naive_receive(struct side *side, int channel, int *value)
{
    nchannel *c = model.channel[channel];
    (void)side;
    if (!has_value(c)) {
        return 0;
    }
    *value = front_out(c).value;
    changed(c);
    return 1;
}

int naive_kept(struct side *side, int channel)
{
    (void)side;
    return model.channel[channel]->values.count;
}

void naive_channel_close(struct side *side, int channel)
{
    (void)side;
    channel_close(model.channel[channel], FLOW_CLOSED);
}

void naive_channel_fail(struct side *side, int channel, int code)
{
    (void)side;
    channel_close(model.channel[channel], code);
}

/* What it keeps is dropped; so is what a wait gives back later. */
void naive_channel(struct side *side, int channel, int capacity)
{
    nchannel *c = model.channel[channel];
    (void)side;
    if (!c->closed) {
        c->closed = true;
        c->code = FLOW_CLOSED;
    }
    all_closed(&c->senders, c->code);
    c->values.count = 0;
    end_told(c);
    c->gone = true;
    model.channel[channel] = channel_new(capacity);
}
