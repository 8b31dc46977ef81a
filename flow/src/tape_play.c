/* SPDX-License-Identifier: MIT */
/*
 * The replayer. It reads one item ahead. An input is given to the world by the function that it was
 * recorded from; each event that comes of it must be the next item, and when it is over the next
 * item must be an input. What begin_frame takes in is decided here: in the order recorded, what the
 * flows have sent to the inbox themselves is taken from it, the rest comes from the recording.
 */
#include "tape.h"

#include <stdio.h>

typedef struct player {
    flow_tape tape;
    flow_tape_item next;
    flow_input last; /* the input that is being given, or was */
    flow_phase phase;
    bool gives; /* an input, by itself */
    flow_verdict verdict;
    char *room; /* for a value, aligned to 64 */
    void *block;
    size_t room_size;
    char text[FLOW_REPLAY_TEXT];
    flow_tape_reader reader;
} player;

enum { SAID = 300, ALIGN = 64 };

/* ---- verdicts ---- */

static void over(player *p, flow_verdict verdict)
{
    p->verdict = verdict;
    p->tape.listens = false;
    flow__trace_attend(p->tape.world);
}

/* "frame 3, tick 7 (update)" */
static void put_place(const player *p, char *text, size_t capacity)
{
    unsigned long long frame = p->tape.world->frame;
    if (p->tape.inputs == 0) {
        (void)snprintf(text, capacity, "frame %llu, at the start", frame);
    } else if (p->last.kind == FLOW_INPUT_TICK) {
        (void)snprintf(text, capacity, "frame %llu, tick %llu (%s)", frame,
                       (unsigned long long)p->tape.ticks,
                       flow_world_phase_name(p->tape.world, p->last.phase));
    } else if (p->last.kind == FLOW_INPUT_FRAME) {
        (void)snprintf(text, capacity, "frame %llu, begin_frame", frame);
    } else {
        char what[96];
        flow__tape_input_text(what, sizeof what, &p->last);
        (void)snprintf(text, capacity, "frame %llu, %s", frame, what);
    }
}

static void part_ways(player *p, const char *recorded, const char *now)
{
    char place[160];
    put_place(p, place, sizeof place);
    (void)snprintf(p->text, sizeof p->text, "%s, event %llu: recorded: %s; now: %s%s", place,
                   (unsigned long long)p->tape.events + 1, recorded, now,
                   p->reader.whole ? "" : " (the recording has no end, and may be damaged)");
    over(p, FLOW_VERDICT_DIFFERS);
}

/* The recording ends here, or is no recording any more, or not this program's. */
static void stops(player *p, flow_verdict verdict, const char *why)
{
    char place[160];
    put_place(p, place, sizeof place);
    (void)snprintf(p->text, sizeof p->text, "%s, byte %llu of %llu: %s", place,
                   (unsigned long long)p->next.at, (unsigned long long)p->reader.size, why);
    over(p, verdict);
}

/* At its end: is all the same? */
static void ends(player *p)
{
    const flow_tape_item *end = &p->next;
    uint64_t tree = flow_world_hash(p->tape.world);
    if (end->cut) {
        (void)snprintf(p->text, sizeof p->text,
                       "equal as far as it was recorded, which was cut for want of room: %llu "
                       "frames, %llu ticks, %llu events",
                       (unsigned long long)p->tape.frames, (unsigned long long)p->tape.ticks,
                       (unsigned long long)p->tape.events);
        over(p, FLOW_VERDICT_CUT);
    } else if (end->hash != p->tape.hash || end->events != p->tape.events) {
        stops(p, FLOW_VERDICT_BAD, "the end does not fit what comes before it");
    } else if (end->tree != tree) {
        part_ways(p, "no more events", "the same, but the flows that live wait for something else");
    } else {
        (void)snprintf(p->text, sizeof p->text,
                       "equal to its end: %llu frames, %llu ticks, %llu events, hash 0x%016llx",
                       (unsigned long long)p->tape.frames, (unsigned long long)p->tape.ticks,
                       (unsigned long long)p->tape.events, (unsigned long long)p->tape.hash);
        over(p, FLOW_VERDICT_EQUAL);
    }
}

static void advance(player *p)
{
    flow__tape_next(&p->reader, &p->next);
}

/* What is next is no input and no event: true, and there is a verdict. */
static bool meets_end(player *p)
{
    switch (p->next.kind) {
    case FLOW_ITEM_END:
        ends(p);
        return true;
    case FLOW_ITEM_MISSING:
        stops(p, FLOW_VERDICT_TRUNCATED, p->next.why);
        return true;
    case FLOW_ITEM_BAD:
        stops(p, FLOW_VERDICT_BAD, p->next.why);
        return true;
    case FLOW_ITEM_INPUT:
    case FLOW_ITEM_EVENT:
        break;
    }
    return false;
}

/* An input is over, so that the next item must be another. */
static void look(player *p)
{
    char recorded[SAID];
    if (p->verdict != FLOW_VERDICT_NONE || meets_end(p)) {
        return;
    }
    if (p->next.kind == FLOW_ITEM_EVENT) {
        flow__tape_event_text(recorded, sizeof recorded, &p->next.event, NULL);
        part_ways(p, recorded,
                  p->next.outside ? "nothing; the host had started it outside of every call"
                                  : "nothing");
    } else if (p->next.input.kind == FLOW_INPUT_LEFT) {
        part_ways(p, "a look at the frame's budget", "nothing");
    } else if (p->next.input.taken) {
        stops(p, FLOW_VERDICT_BAD, "an input stands where it cannot be");
    }
}

/* ---- events ---- */

static bool same_event(const flow_trace_event *a, const flow_trace_event *b)
{
    return a->kind == b->kind && a->state == b->state && a->phase == b->phase &&
           a->flow.slot == b->flow.slot && a->flow.generation == b->flow.generation &&
           a->number == b->number && a->point == b->point && strcmp(a->name, b->name) == 0 &&
           strcmp(a->function, b->function) == 0;
}

static void differs_by(player *p, const flow_trace_event *event)
{
    char recorded[SAID], now[SAID], path[96] = "", input[96];
    const flow_task *task = flow__task_of(p->tape.world, event->flow);
    if (task != NULL && task->top_ != NULL) {
        (void)flow_path(task, path, sizeof path);
    }
    flow__tape_event_text(now, sizeof now, event, path[0] != '\0' ? path : NULL);
    if (p->next.kind == FLOW_ITEM_EVENT) {
        flow__tape_event_text(recorded, sizeof recorded, &p->next.event, NULL);
    } else if (p->next.kind == FLOW_ITEM_INPUT) {
        flow__tape_input_text(input, sizeof input, &p->next.input);
        (void)snprintf(recorded, sizeof recorded, "nothing before the next input, %s", input);
    } else {
        (void)snprintf(recorded, sizeof recorded, "no more events");
    }
    part_ways(p, recorded, now);
}

static void play_event(flow_tape *tape, const flow_trace_event *event, bool outside)
{
    player *p = (player *)(void *)tape;
    (void)outside;
    if (p->next.kind == FLOW_ITEM_EVENT && same_event(&p->next.event, event)) {
        tape->events++;
        tape->hash = flow__trace_mix(tape->hash, event);
        advance(p);
    } else if (p->next.kind == FLOW_ITEM_EVENT || p->next.kind == FLOW_ITEM_INPUT ||
               (p->next.kind == FLOW_ITEM_END && !p->next.cut)) {
        differs_by(p, event);
    } else {
        (void)meets_end(p);
    }
}

static bool play_answer(flow_tape *tape, bool left)
{
    player *p = (player *)(void *)tape;
    if (p->next.kind == FLOW_ITEM_INPUT && p->next.input.kind == FLOW_INPUT_LEFT) {
        left = p->next.input.code != 0;
        flow__tape_count(tape, &p->next.input);
        advance(p);
    } else if (p->next.kind == FLOW_ITEM_INPUT || p->next.kind == FLOW_ITEM_EVENT) {
        part_ways(p, "no such look", "a look at the frame's budget");
    } else {
        (void)meets_end(p);
    }
    return left;
}

/* ---- giving an input ---- */

/* A copy of the value where it may be used as one; false: no memory. */
static bool room_copy(player *p, flow_input *input)
{
    if (input->value == NULL) {
        return true;
    }
    if (input->size > p->room_size || p->block == NULL) {
        if (p->block != NULL) {
            flow__block_give(p->block);
        }
        p->block = flow__block_take(p->tape.world, (size_t)input->size + ALIGN);
        p->room_size = p->block != NULL ? input->size : 0;
        if (p->block == NULL) {
            return false;
        }
        uintptr_t past = (uintptr_t)p->block & (ALIGN - 1);
        p->room = (char *)p->block + (past ? ALIGN - past : 0);
    }
    memcpy(p->room, input->value, input->size);
    input->value = p->room;
    return true;
}

static void give_call(player *p, const flow_input *input)
{
    char why[SAID];
    const flow_replay_call *call = NULL;
    for (size_t i = 0; i < p->tape.call_count && input->name != NULL && call == NULL; i++) {
        call = strcmp(p->tape.calls[i].name, input->name) == 0 ? &p->tape.calls[i] : NULL;
    }
    if (call == NULL || call->size != input->size || (call->size != 0 && input->value == NULL)) {
        if (input->name == NULL) {
            (void)snprintf(why, sizeof why, "a call that no table named when it was recorded");
        } else if (call == NULL) {
            (void)snprintf(why, sizeof why,
                           "a call of \"%.100s\", which this program's table has not", input->name);
        } else {
            (void)snprintf(why, sizeof why,
                           "a call of \"%.100s\" with %u bytes, which has %llu in this program",
                           input->name, (unsigned)input->size, (unsigned long long)call->size);
        }
        stops(p, FLOW_VERDICT_BAD, why);
        return;
    }
    void *arg = call->size == 0      ? call->arg
                : call->load != NULL ? call->load(input->value, input->size)
                                     : p->room;
    flow_world_call(p->tape.world, call->fn, arg);
}

static void give(player *p, const flow_input *input)
{
    if (input->kind == FLOW_INPUT_CALL) {
        give_call(p, input);
        return;
    }
    const char *why = flow__tape_give_input(p->tape.world, input);
    if (why != NULL) {
        part_ways(p, "that it was done", why);
    }
}

/* The next item is an input: gives it to the world. */
static void give_next(player *p)
{
    flow_input input = p->next.input;
    p->last = input;
    p->phase = input.kind == FLOW_INPUT_TICK ? input.phase : p->phase;
    flow__tape_count(&p->tape, &input);
    if (!room_copy(p, &input)) {
        stops(p, FLOW_VERDICT_BAD, "no memory for its value");
        return;
    }
    advance(p);
    bool gives = p->gives;
    p->gives = true;
    give(p, &input);
    p->gives = gives;
}

/* Of begin_frame, in the place of what is in the inbox. */
static void play_take(flow_tape *tape)
{
    player *p = (player *)(void *)tape;
    while (p->verdict == FLOW_VERDICT_NONE && p->next.kind == FLOW_ITEM_INPUT &&
           p->next.input.taken && p->next.input.kind != FLOW_INPUT_LEFT) {
        give_next(p);
        flow__outermost(tape->world);
    }
    (void)flow__inbox_own(tape->world, false);
    (void)flow__inbox_job(tape->world, 0);
}

/* ---- what the host does itself ---- */

static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool same_input(const flow_input *a, const flow_input *b)
{
    bool values = (a->value != NULL) == (b->value != NULL) && a->size == b->size &&
                  (a->value == NULL || memcmp(a->value, b->value, a->size) == 0);
    return a->kind == b->kind && a->phase == b->phase && a->id == b->id &&
           a->generation == b->generation && a->code == b->code && values &&
           flow__same_bits(a->number, b->number) && same_text(a->name, b->name) &&
           same_text(a->message, b->message);
}

static void play_input(flow_tape *tape, const flow_input *input)
{
    player *p = (player *)(void *)tape;
    char recorded[SAID], now[SAID];
    if (p->gives || input->taken) {
        return;
    }
    look(p);
    if (p->verdict != FLOW_VERDICT_NONE) {
        return;
    }
    if (!same_input(&p->next.input, input)) {
        flow__tape_input_text(recorded, sizeof recorded, &p->next.input);
        flow__tape_input_text(now, sizeof now, input);
        part_ways(p, recorded, now);
        return;
    }
    p->last = p->next.input;
    p->phase = input->kind == FLOW_INPUT_TICK ? input->phase : p->phase;
    flow__tape_count(tape, input);
    advance(p);
}

/* ---- the whole ---- */

static void play_end(flow_tape *tape)
{
    (void)flow_world_replay_end(tape->world, NULL);
}

static player *player_of(const flow_world *world)
{
    bool plays = world->tape != NULL && world->tape->end == play_end;
    return plays ? (player *)(void *)world->tape : NULL;
}

static void report_fill(const player *p, flow_replay_report *report)
{
    if (report == NULL) {
        return;
    }
    memset(report, 0, sizeof *report);
    report->verdict = p->verdict;
    report->frame = p->tape.world->frame;
    report->tick = p->tape.ticks;
    report->phase = p->phase;
    report->input = p->tape.inputs;
    report->event = p->tape.events + (p->verdict == FLOW_VERDICT_DIFFERS);
    report->hash = p->tape.hash;
    memcpy(report->text, p->text, sizeof report->text);
}

/* Is the world as the recorded one was? */
static void compare_start(player *p, const flow_tape_head *begun)
{
    flow_world *world = p->tape.world;
    char recorded[64], now[64];
    if (begun->fixed_phases != world->fixed_phases) {
        part_ways(p, "other phases are fixed", "see flow_world_desc.host_phases");
    } else if (begun->frame != world->frame) {
        (void)snprintf(recorded, sizeof recorded, "frame %llu", (unsigned long long)begun->frame);
        (void)snprintf(now, sizeof now, "frame %llu", (unsigned long long)world->frame);
        part_ways(p, recorded, now);
    } else if (begun->tree != flow_world_hash(world)) {
        part_ways(p, "another tree of live flows", "the world is not as it was: begin alike");
    }
}

static void player_open(player *p, const flow_replay_desc *desc)
{
    flow_tape_head begun = {0, 0, 0};
    char text[96];
    const char *why =
        flow__tape_open(&p->reader, desc->bytes, desc->size, &begun, text, sizeof text);
    if (why != NULL) {
        (void)snprintf(p->text, sizeof p->text, "the recording cannot be replayed: %s", why);
        over(p, FLOW_VERDICT_BAD);
        return;
    }
    compare_start(p, &begun);
    if (p->verdict == FLOW_VERDICT_NONE) {
        advance(p);
        look(p);
    }
}

flow_status flow_world_replay(flow_world *world, const flow_replay_desc *desc,
                              flow_replay_report *report)
{
    if (report != NULL) {
        memset(report, 0, sizeof *report);
    }
    if (flow__elsewhere(world, "flow_world_replay: called on another thread than the world's")) {
        return FLOW_MISUSE;
    }
    if (world->inside || world->current != NULL || world->tape != NULL) {
        return world->tape != NULL ? FLOW_BUSY : FLOW_REENTRANT;
    }
    player *p = (player *)(void *)flow__tape_take(world, sizeof *p, desc->calls, desc->call_count);
    if (p == NULL) {
        return FLOW_NOMEM;
    }
    p->tape.input = play_input;
    p->tape.event = play_event;
    p->tape.answer = play_answer;
    p->tape.take = play_take;
    p->tape.end = play_end;
    player_open(p, desc);
    report_fill(p, report);
    if (p->verdict == FLOW_VERDICT_NONE || p->verdict == FLOW_VERDICT_EQUAL ||
        p->verdict == FLOW_VERDICT_CUT) {
        return FLOW_OK;
    }
    flow__tape_give(&p->tape);
    return FLOW_IO;
}

int flow_replay_next(const flow_world *world, flow_replay_input *next)
{
    player *p = player_of(world);
    if (p == NULL) {
        return 0;
    }
    look(p);
    if (p->verdict != FLOW_VERDICT_NONE) {
        return 0;
    }
    const flow_input *input = &p->next.input;
    *next = (flow_replay_input){flow__tape_word(input->kind), input->phase, input->number};
    return 1;
}

int flow_replay_step(flow_world *world)
{
    flow_replay_input next;
    if (flow__elsewhere(world, "flow_replay_step: called on another thread than the world's") ||
        world->inside || world->current != NULL || !flow_replay_next(world, &next)) {
        return 0;
    }
    player *p = player_of(world);
    give_next(p);
    look(p);
    return 1;
}

flow_verdict flow_world_replay_end(flow_world *world, flow_replay_report *report)
{
    player *p = player_of(world);
    if (report != NULL) {
        memset(report, 0, sizeof *report);
    }
    if (p == NULL || world->inside || world->current != NULL) {
        return FLOW_VERDICT_NONE;
    }
    report_fill(p, report);
    flow_verdict verdict = p->verdict;
    if (p->block != NULL) {
        flow__block_give(p->block);
    }
    flow__tape_give(&p->tape);
    return verdict;
}

flow_verdict flow_world_replay_all(flow_world *world, const flow_replay_desc *desc,
                                   flow_replay_report *report)
{
    flow_replay_report own = {.verdict = FLOW_VERDICT_NONE};
    report = report != NULL ? report : &own;
    flow_status status = flow_world_replay(world, desc, report);
    if (status != FLOW_OK) {
        if (report->verdict == FLOW_VERDICT_NONE) {
            report->verdict = FLOW_VERDICT_BAD;
            (void)snprintf(report->text, sizeof report->text, "the replay cannot begin: %s",
                           flow_status_text(status));
        }
        return report->verdict;
    }
    while (flow_replay_step(world)) {
    }
    return flow_world_replay_end(world, report);
}
