/* SPDX-License-Identifier: MIT */
/* The reference's signals and subscriptions. */
#include "naive.h"

/* ---- signals ---- */

nsource *source_new(void)
{
    return make(sizeof(nsource));
}

static void sub_put(nsub *sub, int value);
static void sub_close(nsub *sub, int code);

static bool matches(nwait *wait, int value)
{
    if (wait->kind != W_SIGNAL_IF) {
        return true;
    }
    return match_run(&value, &model.side->asked[wait->spec - model.side->program->wait]) &&
           wait->on;
}

static void deliver(nsource *source, nvisit *visit)
{
    while (visit->next < visit->to.count) {
        nwait *wait = visit->to.item[visit->next++];
        if (!vec_has(&source->list, wait)) {
            continue; /* it has gone meanwhile */
        }
        if (wait->is_sub) {
            sub_put((nsub *)(void *)wait, visit->value);
            visit->reached++;
        } else if (matches(wait, visit->value)) {
            source_leave(wait);
            if (wait->kind != W_GONE) {
                wait->run->value[wait->spec->place] = visit->value;
            }
            visit->reached++;
            wait_end(wait, 0, false);
        }
    }
}

/* Who was to get an earlier value gets it first. */
int source_emit(nsource *source, int value)
{
    if (source->closed) {
        settle_marked();
        return 0;
    }
    if (source->visit != NULL) {
        deliver(source, source->visit);
    }
    nvisit visit = {.to = vec_copy(&source->list), .value = value};
    nvisit *outer = source->visit;
    visit.depth = outer != NULL ? outer->depth + 1 : 1;
    if (visit.depth > 8) {
        model.side->outside = true; /* flow refuses what nests too deep: test_signal_more.c */
        return 0;
    }
    source->visit = &visit;
    deliver(source, &visit);
    source->visit = outer;
    settle_marked();
    return visit.reached;
}

void source_close(nsource *source, int code)
{
    if (!source->closed) {
        source->closed = true;
        source->code = code;
    }
    while (source->list.count > 0) {
        nwait *wait = source->list.item[0];
        vec_remove(&source->list, wait);
        if (wait->is_sub) {
            sub_close((nsub *)(void *)wait, source->code);
            continue;
        }
        wait->on = false;
        bool fine = wait->kind == W_SIGNAL_OR_CLOSED && source->code == FLOW_CLOSED;
        if (fine) {
            wait->run->index[wait->spec->place] = 1;
        }
        wait_end(wait, fine ? 0 : source->code, false);
    }
}

begun source_wait(nwait *wait, nsource *source)
{
    if (wait->kind == W_SIGNAL_OR_CLOSED) {
        wait->run->index[wait->spec->place] = source->closed && source->code == FLOW_CLOSED;
    }
    if (source->closed) {
        wait->code =
            wait->kind == W_SIGNAL_OR_CLOSED && source->code == FLOW_CLOSED ? 0 : source->code;
        return wait->code == 0 ? BEGUN_DONE : BEGUN_FAILED;
    }
    wait->source = source;
    wait->on = true;
    vec_push(&source->list, wait);
    return BEGUN_WAITS;
}

void source_leave(nwait *wait)
{
    wait->on = false;
    vec_remove(&wait->source->list, wait);
}

/* ---- subscriptions ---- */

nsub *sub_new(nsource *source, int policy, int capacity)
{
    nsub *sub = make(sizeof *sub);
    sub->is_sub = true;
    sub->source = source;
    sub->policy = (flow_policy)policy;
    sub->capacity = policy == FLOW_KEEP_LATEST ? 1 : capacity;
    if (source->closed) {
        sub->closed = sub->gone = true;
        sub->code = FLOW_CLOSED;
    } else {
        vec_push(&source->list, sub);
    }
    return sub;
}

static void sub_close(nsub *sub, int code)
{
    vec_remove(&sub->source->list, sub);
    if (!sub->closed) {
        sub->closed = true;
        sub->code = code;
    }
    while (sub->waits.count > 0) {
        nwait *wait = sub->waits.item[0];
        vec_remove(&sub->waits, wait);
        wait->on = false;
        wait_end(wait, sub->code, false);
    }
}

/* What it keeps is dropped; what a wait has received and gives back later, too. */
void sub_end(nsub *sub)
{
    if (!sub->gone) {
        sub->gone = true;
        sub->values.count = 0;
        sub_close(sub, FLOW_CLOSED);
        sub->code = FLOW_CLOSED;
    }
}

static void hand_over(nsub *sub, nvalue value)
{
    nwait *wait = sub->waits.item[0];
    vec_remove(&sub->waits, wait);
    wait->on = false;
    wait->has_value = true;
    wait->value = value;
    wait->run->value[wait->spec->place] = value.value;
    wait_end(wait, 0, false);
}

/* In its place: in the order in which they came. */
void keep(vec *values, nvalue value)
{
    nvalue *kept = make(sizeof *kept);
    *kept = value;
    vec_push(values, kept);
    for (int i = values->count - 1; i > 0; i--) {
        nvalue *before = values->item[i - 1];
        if (before->number < kept->number) {
            break;
        }
        values->item[i] = before;
        values->item[i - 1] = kept;
    }
}

static void sub_put(nsub *sub, int value)
{
    nvalue given = {value, sub->number};
    if (sub->waits.count > 0) {
        sub->number++;
        hand_over(sub, given);
        return;
    }
    if (sub->values.count >= sub->capacity) {
        if (sub->policy == FLOW_DROP_NEWEST) {
            return;
        }
        if (sub->policy == FLOW_FAIL_WHEN_FULL) {
            sub_close(sub, FLOW_FULL);
            if (sub->owner != NULL) {
                scope_fails(sub->owner, sub->scope, fault_new(FLOW_FULL));
            }
            return;
        }
        vec_remove(&sub->values, sub->values.item[0]);
    }
    sub->number++;
    keep(&sub->values, given);
}

begun sub_wait(nwait *wait, nsub *sub)
{
    if (sub == NULL || sub->gone) {
        wait->code = FLOW_CLOSED;
        return BEGUN_FAILED;
    }
    wait->sub = sub;
    if (sub->values.count > 0) {
        nvalue *front = sub->values.item[0];
        vec_remove(&sub->values, front);
        wait->run->value[wait->spec->place] = front->value;
        wait->value = *front;
        wait->has_value = wait->parent != NULL;
        return BEGUN_DONE;
    }
    if (sub->closed) {
        wait->code = sub->code;
        return BEGUN_FAILED;
    }
    wait->on = true;
    vec_push(&sub->waits, wait);
    return BEGUN_WAITS;
}

/* To the next who waits, else to its place; to a full one as its policy says. */
void sub_give_back(nwait *wait)
{
    nsub *sub = wait->sub;
    wait->has_value = false;
    if (sub->waits.count > 0) {
        hand_over(sub, wait->value);
        return;
    }
    if (sub->gone) {
        return;
    }
    if (sub->values.count >= sub->capacity && sub->policy != FLOW_FAIL_WHEN_FULL) {
        if (sub->policy != FLOW_DROP_NEWEST) {
            return;
        }
        sub->values.count--;
    }
    keep(&sub->values, wait->value);
}

/* ---- what the host and bodies do with them ---- */

int naive_emit(struct side *side, int signal, int value)
{
    (void)side;
    return source_emit(model.signal[signal], value);
}

void naive_close(struct side *side, int signal)
{
    (void)side;
    source_close(model.signal[signal], FLOW_CLOSED);
}

void naive_fail(struct side *side, int signal, int code)
{
    (void)side;
    source_close(model.signal[signal], code);
}

void naive_renew(struct side *side, int signal)
{
    (void)side;
    source_close(model.signal[signal], FLOW_CLOSED);
    model.signal[signal] = source_new();
}

int naive_take(struct side *side, int subscription, int *value)
{
    nsub *sub = model.sub[subscription];
    (void)side;
    if (sub == NULL || sub->values.count == 0) {
        return 0;
    }
    *value = ((nvalue *)sub->values.item[0])->value;
    vec_remove(&sub->values, sub->values.item[0]);
    return 1;
}

int naive_count(struct side *side, int subscription)
{
    (void)side;
    return model.sub[subscription] != NULL ? model.sub[subscription]->values.count : 0;
}

void naive_unsubscribe(struct side *side, int subscription)
{
    (void)side;
    if (model.sub[subscription] != NULL) {
        sub_end(model.sub[subscription]);
    }
    model.sub[subscription] = NULL;
}

int naive_subscribe(struct run *run, const struct ins *ins)
{
    nsource *source = model.signal[ins->b];
    model.sub[ins->a] = NULL;
    if (source->closed) {
        return FLOW_CLOSED;
    }
    nsub *sub = sub_new(source, ins->c % 4, ins->c / 4);
    sub->owner = run->flow;
    sub->scope = sub->owner->top;
    model.sub[ins->a] = sub;
    resource_add(run, R_SUBSCRIPTION, sub);
    return FLOW_OK;
}
