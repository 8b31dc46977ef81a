/* SPDX-License-Identifier: MIT */
#include "profiled.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t read_clock(void *user)
{
    const struct profiled *p = user;
    return (uint64_t)p->now;
}

static void keep_line(void *user, const flow_profile_hitch *hitch)
{
    struct profiled *p = user;
    size_t length = strlen(p->lines);
    (void)snprintf(p->lines + length, sizeof p->lines - length, "%s\n", hitch->line);
    p->hitches++;
    p->merged = hitch->frames;
    p->frame = *hitch->frame;
}

void profiled_begin(struct profiled *p, const flow_profile_desc *desc)
{
    profiled_begin_in(p, desc, 0.0);
}

void profiled_begin_in(struct profiled *p, const flow_profile_desc *desc, double frame_budget)
{
    /* the story is the world's user, and the first member */
    const flow_world_desc world = {.now_ns = read_clock, .frame_budget = frame_budget};
    flow_profile_desc from = desc != NULL ? *desc : (flow_profile_desc){0};
    memset(p, 0, sizeof *p);
    p->now = 1000000;
    p->render_ms = 1.0;
    story_begin(&p->story, frame_budget > 0.0 ? &world : NULL);
    from.now_ns = read_clock;
    from.on_hitch = keep_line;
    from.user = p;
    p->profile = flow_profile_create(&from);
    assert_non_null(p->profile);
    assert_int_equal(flow_profile_watch(p->profile, p->story.world), FLOW_OK);
    assert_int_equal(flow_profile_switch(p->profile, 1), FLOW_OK);
}

void profiled_end(struct profiled *p)
{
    assert_int_equal(flow_profile_destroy(p->profile), FLOW_OK);
    story_end(&p->story);
}

void profiled_spend(struct profiled *p, double ms)
{
    p->now += (int64_t)(ms * 1e6 + 0.5);
}

void profiled_burn(flow_task *flow, double ms)
{
    profiled_spend((struct profiled *)(void *)story_of(flow), ms);
}

void profiled_frame(struct profiled *p)
{
    int64_t begin = p->now;
    flow_profile_next_frame(p->profile, NULL);
    (void)flow_world_begin_frame(p->story.world, 0.016);
    (void)flow_world_tick(p->story.world, FLOW_FIXED, 0.016);
    (void)flow_world_tick(p->story.world, FLOW_UPDATE, 0.016);
    flow_profile_begin(p->profile, "render");
    profiled_spend(p, p->render_ms);
    flow_profile_end(p->profile);
    profiled_spend(p, p->outside_ms);
    p->outside_ms = 0.0;
    flow_profile_begin_wait(p->profile, "present");
    p->now = p->now < begin + 16000000 ? begin + 16000000 : p->now;
    flow_profile_end(p->profile);
}

void profiled_frames(struct profiled *p, int count)
{
    while (count-- > 0) {
        profiled_frame(p);
    }
}

const flow_profile_frame *profiled_last(const struct profiled *p)
{
    return flow_profile_recent(p->profile, 0);
}

const flow_profile_row *profiled_row(const flow_profile_frame *frame, flow_profile_kind kind,
                                     const char *name)
{
    for (uint32_t i = 0; i < frame->row_count; i++) {
        if (frame->rows[i].kind == kind && strcmp(frame->rows[i].name, name) == 0) {
            return &frame->rows[i];
        }
    }
    return NULL;
}
