/* SPDX-License-Identifier: MIT */
/*
 * A row per frame. The first twelve columns are those that CapFrameX reads of a presentation log;
 * what flow has no notion of (swap chain, sync interval) is constant.
 */
#include "profiler.h"

static const char csv_header[] =
    "Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,PresentFlags,Dropped,"
    "TimeInSeconds,msInPresentAPI,msBetweenPresents,AllowsTearing,PresentMode,"
    "frame,workMs,waitMs,earlyMs,fixedMs,updateMs,lateMs,renderMs,steps,stepsDropped,"
    "flowsLive,flowsResumed,flowsSpawned,flowsCancelled,topFlow,topFlowId,topFlowMs,"
    "topExcessMs,tags\n";

flow_status flow_profile_csv(flow_profile *profile, const char *path, const char *application)
{
    if (profile->csv_open || !flow__file_open(&profile->csv, path)) {
        return FLOW_IO;
    }
    profile->csv_open = true;
    profile->csv_origin = -1;
    (void)snprintf(profile->application, sizeof profile->application, "%s",
                   application != NULL ? application : "flow");
    flow__put(&profile->csv, csv_header);
    return FLOW_OK;
}

static void csv_ms(flow_file *out, int64_t ns)
{
    flow__put(out, ",");
    flow__put_fixed(out, flow__ms(ns, 3), 3);
}

static void csv_count(flow_file *out, uint64_t number)
{
    flow__put(out, ",");
    flow__put_number(out, number);
}

/* The flow function with the most time: its name, whose its longest span was, time, excess. */
static void csv_top(flow_file *out, const flow_profile_row *top)
{
    flow__put(out, ",");
    if (top->name == NULL) {
        flow__put(out, ",,0.000,0.000");
        return;
    }
    flow__put_csv(out, top->name);
    flow__put(out, ",#");
    flow__put_number(out, top->worst.slot);
    flow__put(out, ".");
    flow__put_number(out, top->worst.generation);
    csv_ms(out, top->self_ns);
    csv_ms(out, top->excess_ns);
}

/* Marks, and for a hitch the culprit, which need not be a flow. */
static void csv_tags(flow_file *out, const flow_profile_frame *frame)
{
    static const char *const names[] = {"loading", "hidden", "hitch", "lost"};
    char tags[128] = "";
    size_t length = 0;
    for (uint32_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (frame->marks & (1u << i)) {
            length += (size_t)snprintf(tags + length, sizeof tags - length, "%s%s",
                                       length > 0 ? " " : "", names[i]);
        }
    }
    if ((frame->marks & FLOW_PROFILE_HITCH) && frame->row_count > 0) {
        const flow_profile_row *culprit = &frame->rows[0];
        bool nobody = culprit->kind == FLOW_PROFILE_UNACCOUNTED;
        (void)snprintf(tags + length, sizeof tags - length, " %s%s%s",
                       nobody ? "" : flow_profile_kind_text(culprit->kind), nobody ? "" : ":",
                       culprit->name);
    }
    flow__put(out, ",");
    flow__put_csv(out, tags);
}

void flow__csv_frame(flow_profile *profile, const flow_profile_frame *frame)
{
    flow_file *out = &profile->csv;
    if (profile->csv_origin < 0) {
        profile->csv_origin = frame->begin_ns;
    }
    flow__put_csv(out, profile->application);
    flow__put(out, ",0,0x0,flow,0,0,0,");
    flow__put_fixed(out, (frame->begin_ns + frame->total_ns - profile->csv_origin) / 1000, 6);
    csv_ms(out, frame->present_ns);
    csv_ms(out, frame->total_ns);
    flow__put(out, ",0,Other");
    csv_count(out, frame->number);
    csv_ms(out, frame->work_ns);
    csv_ms(out, frame->wait_ns);
    for (int i = 0; i < FLOW_PROFILE_COLUMNS; i++) {
        csv_ms(out, frame->column_ns[i]);
    }
    csv_count(out, frame->steps);
    csv_count(out, frame->steps_dropped);
    csv_count(out, frame->live);
    csv_count(out, frame->resumed);
    csv_count(out, frame->started);
    csv_count(out, frame->cancelled);
    csv_top(out, &frame->top);
    csv_tags(out, frame);
    flow__put(out, "\n");
}
