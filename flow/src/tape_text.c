/* SPDX-License-Identifier: MIT */
/* Events and inputs in words. */
#include "profiler.h"
#include "tape.h"

#include <stdio.h>

static const char *event_word(const flow_trace_event *event)
{
    static const char *const ends[] = {"ended", "ended", "ended (done)", "ended (failed)",
                                       "ended (cancelled)"};
    return event->kind == FLOW_TRACE_START    ? "started"
           : event->kind == FLOW_TRACE_RESUME ? "went on"
                                              : ends[event->state];
}

/* "hero#2 (#1.1, game > hero) went on in hero_walk at await 3, hero.c:31"; path may be null. */
void flow__tape_event_text(char *text, size_t capacity, const flow_trace_event *event,
                           const char *path)
{
    char number[16] = "", point[32] = "", place[160] = "";
    if (event->number >= 0) {
        (void)snprintf(number, sizeof number, "#%d", event->number);
    }
    if (event->point > 1) {
        (void)snprintf(point, sizeof point, " at await %u", (unsigned)event->point - 1);
    } else if (event->file != NULL) {
        (void)snprintf(point, sizeof point, " at its %s", event->point ? "end" : "beginning");
    }
    if (event->file != NULL) {
        (void)snprintf(place, sizeof place, ", %s:%d", flow__base_name(event->file), event->line);
    }
    (void)snprintf(text, capacity, "%s%s (#%u.%u%s%s) %s in %s%s%s", event->name, number,
                   (unsigned)event->flow.slot, (unsigned)event->flow.generation,
                   path != NULL ? ", " : "", path != NULL ? path : "", event_word(event),
                   event->function, point, place);
}

/* "tick of update, dt 0.016667 s", "call of spawn, 8 bytes", "emit of 4 bytes on #3.1". */
void flow__tape_input_text(char *text, size_t capacity, const flow_input *input)
{
    const char *word = flow__tape_word(input->kind);
    uint8_t fields = flow__tape_fields(input->kind);
    if (fields & FLOW_FIELD_PHASE) {
        (void)snprintf(text, capacity, "%s of %s", word, flow_phase_name(input->phase));
    } else if (fields & FLOW_FIELD_NAME) {
        (void)snprintf(text, capacity, "%s of %s", word, input->name ? input->name : "?");
    } else if (fields & FLOW_FIELD_ID) {
        char generation[16] = ""; /* a clock and a job have none */
        if (input->generation != 0) {
            (void)snprintf(generation, sizeof generation, ".%u", (unsigned)input->generation);
        }
        (void)snprintf(text, capacity, "%s on #%u%s", word, (unsigned)input->id, generation);
    } else {
        (void)snprintf(text, capacity, "%s", word);
    }
    size_t length = strlen(text);
    if (fields & FLOW_FIELD_DT) {
        (void)snprintf(text + length, capacity - length, ", dt %.9g s", input->number);
    } else if (input->code != FLOW_OK) {
        (void)snprintf(text + length, capacity - length, " with code %d", input->code);
    } else if (fields & FLOW_FIELD_VALUE) {
        (void)snprintf(text + length, capacity - length, ", %u bytes", (unsigned)input->size);
    }
}
