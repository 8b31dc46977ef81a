/* SPDX-License-Identifier: MIT */
/* The reference's properties. */
#include "naive.h"

nproperty *property_new(int value)
{
    nproperty *p = make(sizeof *p);
    p->value = value;
    p->version = 1;
    return p;
}

static void stand_out(nwait *wait)
{
    wait->on = false;
    vec_remove(wait->stands_in, wait);
}

static bool holds(nwait *wait, int value)
{
    return match_run(&value, &model.side->asked[wait->spec - model.side->program->wait]) != 0;
}

static void value_given(nwait *wait, int value)
{
    wait->run->value[wait->spec->place] = value;
}

static void version_given(nwait *wait, const nproperty *p)
{
    value_given(wait, p->value);
    wait->run->seen[wait->a] = (uint64_t)p->version;
}

/* ---- setting ---- */

static void tell(nproperty *p, ntelling *telling)
{
    while (telling->next < telling->to.count) {
        nwait *wait = telling->to.item[telling->next++];
        if (!vec_has(&p->waits, wait)) {
            continue; /* it has gone meanwhile */
        }
        if (wait->kind == W_CHANGED) {
            stand_out(wait);
            version_given(wait, p);
            wait->changed = true;
            wait_end(wait, 0, false);
        } else if (holds(wait, telling->value) && wait->on) {
            value_given(wait, telling->value);
            stand_out(wait);
            wait_end(wait, 0, false);
        }
    }
}

static bool telling_begins(nproperty *p, ntelling *telling)
{
    *telling = (ntelling){.value = p->value, .outer = p->telling};
    telling->depth = p->telling != NULL ? p->telling->depth + 1 : 1;
    p->telling = telling;
    return telling->depth <= FLOW_PROPERTY_DEPTH;
}

/* Who is to see an earlier value sees it first. */
static int property_set(nproperty *p, int value)
{
    if (!p->ended && p->telling != NULL) {
        tell(p, p->telling);
    }
    if (p->ended || p->value == value) {
        return 0;
    }
    if (p->telling != NULL && p->telling->depth >= FLOW_PROPERTY_DEPTH) {
        model.side->outside = true; /* flow refuses what nests too deep: test_property.c */
        return 0;
    }
    ntelling telling;
    p->value = value;
    p->version++;
    (void)telling_begins(p, &telling);
    telling.to = vec_copy(&p->waits);
    tell(p, &telling);
    p->telling = telling.outer;
    return 1;
}

static void property_end(nproperty *p)
{
    p->ended = true;
    while (p->waits.count > 0) {
        nwait *wait = p->waits.item[0];
        stand_out(wait);
        wait_end(wait, FLOW_CLOSED, false);
    }
}

/* ---- waiting ---- */

/* The first test, which may set the property or end it: then it is repeated. */
static begun first_test(nwait *wait, nproperty *p)
{
    for (int tries = 0; tries < FLOW_PROPERTY_DEPTH; tries++) {
        long version = p->version;
        ntelling telling;
        if (!telling_begins(p, &telling)) {
            model.side->outside = true;
        }
        bool held = holds(wait, telling.value);
        p->telling = telling.outer;
        if (p->ended) {
            return failed(wait, FLOW_CLOSED);
        }
        if (held) {
            value_given(wait, telling.value);
            return BEGUN_DONE;
        }
        if (p->version == version) {
            return BEGUN_WAITS;
        }
    }
    return failed(wait, FLOW_MISUSE); /* the condition sets again and again */
}

begun property_wait(nwait *wait, nproperty *p)
{
    begun how = BEGUN_WAITS;
    if (wait->kind == W_HOLDS) {
        how = first_test(wait, p);
    } else if (wait->run->seen[wait->a] != (uint64_t)p->version) {
        version_given(wait, p);
        how = BEGUN_DONE;
    }
    if (how == BEGUN_WAITS) {
        wait->property = p;
        wait->stands_in = &p->waits;
        wait->on = true;
        vec_push(&p->waits, wait);
    }
    return how;
}

/* The flow goes on, with the latest value. */
void property_seen(nwait *wait)
{
    wait->changed = false;
    if (!wait->property->ended) {
        version_given(wait, wait->property);
    }
}

/* ---- what the host and bodies do with them ---- */

int naive_set(struct side *side, int property, int value)
{
    (void)side;
    return property_set(model.property[property], value);
}

int naive_read(struct side *side, int property, int *value)
{
    (void)side;
    *value = model.property[property]->value;
    return (int)model.property[property]->version;
}

void naive_property(struct side *side, int property, int value)
{
    (void)side;
    property_end(model.property[property]);
    model.property[property] = property_new(value);
}
