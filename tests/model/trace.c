/* SPDX-License-Identifier: MIT */
/* Traces: what happened, and what a wait has given. */
#include "model.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- traces ---- */

void note(struct trace *trace, event_kind kind, int a, int b, int c, int d)
{
    if (trace->count == trace->room) {
        trace->room = trace->room ? trace->room * 2 : 1024;
        trace->event = realloc(trace->event, (size_t)trace->room * sizeof *trace->event);
        if (trace->event == NULL) {
            abort();
        }
    }
    trace->event[trace->count++] = (struct event){kind, {a, b, c, d}};
}

void event_print(const struct event *event)
{
    static const char *const texts[] = {
#define EVENT_TEXT(name, text) text,
        EVENTS(EVENT_TEXT)
#undef EVENT_TEXT
    };
    int next = 0;
    for (const char *c = texts[event->kind]; *c != '\0'; c++) {
        if (c[0] == '%' && c[1] == 'd') {
            printf("%d", event->value[next++]);
            c++;
        } else {
            putchar(*c);
        }
    }
    putchar('\n');
}

/* ---- what is written of a wait ---- */

static void branch_results(struct run *run, const struct wait *wait, int branch)
{
    if (branch >= 0 && branch < wait->branches) {
        results(run, &run->side->program->wait[wait->branch[branch]]);
    }
}

static void set_results(struct run *run, const struct wait *wait)
{
    for (int i = 0; i < OF_SET && wait->a == W_SETTLED - W_RACE; i++) {
        const flow_outcome *outcome = &run->of_set[i];
        if (outcome->state != FLOW_STATE_NONE) {
            note(&run->side->trace, EV_TRIED, run->number, (int)outcome->state, outcome->code, 0);
        }
    }
}

static void item_result(struct run *run)
{
    const flow_each_item *item = &run->item;
    note(&run->side->trace, EV_ITEM, run->number, item->index, item->tag, 0);
    note(&run->side->trace, EV_TRIED, run->number, (int)item->outcome.state, item->outcome.code, 0);
}

static void settled_results(struct run *run, const struct wait *wait)
{
    for (int i = 0; i < wait->branches; i++) {
        const flow_outcome *outcome = &run->settled[wait->place][i];
        note(&run->side->trace, EV_TRIED, run->number, (int)outcome->state, outcome->code, 0);
    }
}

/* Only what the wait has promised is looked at: of a race, the winner's. */
void results(struct run *run, const struct wait *wait)
{
    int place = wait->place, a = 0, b = 0;
    run->side->gave[wait->kind]++;
    switch (wait->kind) {
    case W_SIGNAL:
    case W_SIGNAL_IF:
    case W_SUBSCRIPTION:
        a = run->value[place];
        break;
    case W_CHANGED:
        b = (int)run->seen[wait->a];
        a = run->value[place];
        break;
    case W_HOLDS:
        a = run->value[place];
        break;
    case W_BEAT:
        a = (int)run->beats[place];
        break;
    case W_READABLE:
        b = wait->b ? run->index[place] : 0;
        break;
    case W_RECEIVE:
    case W_SIGNAL_OR_CLOSED:
        b = wait->kind == W_RECEIVE && !wait->b ? 0 : run->index[place];
        a = b ? 0 : run->value[place];
        break;
    case W_JOIN:
        a = (int)run->joined[place].state;
        b = run->joined[place].code;
        break;
    case W_RACE:
    case W_ANY:
    case W_TIMEOUT:
    case W_OF_SET:
        a = run->index[place];
        break;
    default:
        break;
    }
    note(&run->side->trace, EV_RESULT, run->number, (int)wait->kind, a, b);
    if (wait->kind == W_RACE || wait->kind == W_ANY || wait->kind == W_TIMEOUT) {
        branch_results(run, wait, a);
    } else if (wait->kind == W_ALL || wait->kind == W_ON_CLOCK) {
        for (int i = 0; i < wait->branches; i++) {
            branch_results(run, wait, i);
        }
    } else if (wait->kind == W_SETTLED) {
        settled_results(run, wait);
    } else if (wait->kind == W_OF_SET) {
        set_results(run, wait);
    } else if (wait->kind == W_EACH) {
        item_result(run);
    }
}
