/* SPDX-License-Identifier: MIT */
#include "reading.h"

struct script {
    flow_frame base;
    FLOW_YIELDS(int) yields;
    const char *name, *steps;
    int digit;
};

FLOW_STATIC(script)
{
    FLOW_BEGIN;
    for (; *self->steps != '\0'; self->steps++) {
        if (*self->steps == 't') {
            FLOW_AWAIT(flow_next_tick());
        } else if (*self->steps == 'f') {
            FLOW_FAIL(7, "as the script says");
        } else {
            self->digit = *self->steps - '0';
            FLOW_YIELD(&self->digit);
        }
    }
    FLOW_FINALLY;
    story_log(story_of(flow), "%s.", self->name);
    FLOW_END;
}

void script_open(flow_task *flow, ints *stream, const char *name, const char *steps)
{
    FLOW_GENERATE(stream, script, .name = name, .steps = steps);
}

void reading_open_a(flow_task *flow, struct reading *self)
{
    script_open(flow, &self->stream, "a", self->a);
}

void reading_open_both(flow_task *flow, struct reading *self)
{
    reading_open_a(flow, self);
    script_open(flow, &self->other, "b", self->b);
}

FLOW_DEFINE(reading)
{
    FLOW_BEGIN;
    self->open(flow, self);
    for (;;) {
        FLOW_TRY(&self->outcome, flow_stream_next(&self->stream, &self->n, &self->more));
        if (self->outcome.code != 0 || !self->more) {
            break;
        }
        story_log(story_of(flow), "%d", self->n);
        FLOW_AWAIT(flow_ticks(self->busy));
    }
    if (self->outcome.code != 0) {
        story_log(story_of(flow), "!%d", self->outcome.code);
    } else {
        story_log(story_of(flow), "|");
    }
    FLOW_FINALLY;
    story_log(story_of(flow), "~");
    FLOW_END;
}

void reading_run(struct story *story, opener open, const char *a, const char *b, int ticks)
{
    flow_handle handle = FLOW_RUN(story->world, reading, .open = open, .a = a, .b = b);
    for (int i = 0; i < ticks; i++) {
        story_log(story, "/");
        story_update(story, 10);
    }
    (void)flow_cancel(story->world, handle);
}

void reading_expect(opener open, const char *a, const char *b, int ticks, const char *text)
{
    struct story story;
    story_begin(&story, NULL);
    reading_run(&story, open, a, b, ticks);
    story_expect(&story, text);
    story_alive(&story, 0, 0, 0);
    story_end(&story);
}
