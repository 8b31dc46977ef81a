/* SPDX-License-Identifier: MIT */
/* The reference's world: its memory, its lists, and what a program begins with. */
#include "naive.h"

#include <stdlib.h>
#include <string.h>

naive model;

static void **made; /* all memory of the reference */
static int made_count, made_room;

/* ---- lists ---- */

/* Zeroed, and kept until the program is over. */
void *make(size_t size)
{
    if (made_count == made_room) {
        made_room = made_room ? made_room * 2 : 1024;
        made = realloc(made, (size_t)made_room * sizeof *made);
    }
    if (made == NULL || (made[made_count] = calloc(1, size)) == NULL) {
        abort();
    }
    return made[made_count++];
}

static void all_free(void)
{
    while (made_count > 0) {
        free(made[--made_count]);
    }
    free(made);
    made = NULL;
    made_room = 0;
}

/* What it grows out of stays behind until then, too. */
void vec_push(vec *v, void *item)
{
    if (v->count == v->room) {
        v->room = v->room ? v->room * 2 : 4;
        void **grown = make((size_t)v->room * sizeof *grown);
        for (int i = 0; i < v->count; i++) {
            grown[i] = v->item[i];
        }
        v->item = grown;
    }
    v->item[v->count++] = item;
}

void vec_remove(vec *v, const void *item)
{
    int kept = 0;
    for (int i = 0; i < v->count; i++) {
        v->item[kept] = v->item[i];
        kept += v->item[i] != item;
    }
    v->count = kept;
}

bool vec_has(const vec *v, const void *item)
{
    for (int i = 0; i < v->count; i++) {
        if (v->item[i] == item) {
            return true;
        }
    }
    return false;
}

vec vec_copy(const vec *v)
{
    vec copy = {0};
    for (int i = 0; i < v->count; i++) {
        vec_push(&copy, v->item[i]);
    }
    return copy;
}

/* ---- the program ---- */

static const struct side_calls naive_calls = {
#define CALL(type, name, parameters) .name = naive_##name,
    SIDE_CALLS(CALL)
#undef CALL
};

static void furnish(void)
{
    static const int parents[CLOCKS] = {-1, -1, 1, 2, 3, 1, 2};
    for (int i = 0; i < CLOCKS; i++) {
        model.clock[i] = clock_new(parents[i] < 0 ? NULL : model.clock[parents[i]]);
    }
    model.root = group_new(NULL, NULL);
    model.root->phase = FLOW_UPDATE;
    model.root->clock = model.clock[2];
    for (int i = 0; i < SIGNALS; i++) {
        model.signal[i] = source_new();
    }
    for (int i = 0; i < PROPERTIES; i++) {
        model.property[i] = property_new(i);
    }
    for (int i = 0; i < CHANNELS; i++) {
        model.channel[i] = channel_new(i);
    }
    for (int i = 0; i < GROUP_SLOTS; i++) {
        model.slot[FLOW_SLOTS + i] = group_new(model.root, NULL);
    }
    for (int i = 0; i < OWNERS; i++) {
        model.owner[i] = (nowner){group_new(model.root, NULL), source_new()};
    }
}

void naive_play(struct side *side, const struct program *program)
{
    memset(&model, 0, sizeof model);
    model.side = side;
    side_begin(side, program, &naive_calls);
    furnish();
    side_play(side);
    note(&side->trace, EV_END, (int)model.count.live, 0, 0, 0);
    all_free();
}
