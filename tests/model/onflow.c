/* SPDX-License-Identifier: MIT */
/* A program on flow: one flow function for each size of frame, which does what its block says. */
#include "onflow.h"

#include <stdlib.h>
#include <string.h>

struct onflow on;

/* ---- flows ---- */

struct any { /* how the three begin */
    flow_frame base;
    struct run *run;
};

struct small {
    flow_frame base;
    struct run *run;
};

struct plain {
    flow_frame base;
    struct run *run;
};

struct large {
    flow_frame base;
    struct run *run;
    char ballast[400];
};

FLOW_FORWARD(small);
FLOW_FORWARD(plain);
FLOW_FORWARD(large);

/* A list of branches lives until the await has begun: in the frame's run there is no place for it
 * that does not move, so each nested start has its own here. */
enum { LISTS = 512, LIST_ROOM = BRANCHES + 2 };
static flow_wait lists[LISTS][LIST_ROOM];
static int lists_next;

static flow_wait call_of(flow_task *flow, struct any *self, int block)
{
    flow_frame *flow_new_ = NULL;
    enum frame_size size = on.side->program->block[block].size;
    if (size == FRAME_SMALL) {
        return FLOW_CALL(small, .run = run_make(on.side, block));
    }
    if (size == FRAME_PLAIN) {
        return FLOW_CALL(plain, .run = run_make(on.side, block));
    }
    return FLOW_CALL(large, .run = run_make(on.side, block));
}

static flow_wait leaf_of(struct run *run, const struct wait *wait)
{
    int *value = &run->value[wait->place];
    struct asked *asked = &on.side->asked[wait - on.side->program->wait];
    switch (wait->kind) {
    case W_FAILED:
        return flow_failed(wait->a, "told to");
    case W_NEVER:
        return flow_never();
    case W_NEXT_TICK:
        return flow_next_tick();
    case W_TICKS:
        return flow_ticks(wait->a);
    case W_NEXT_FRAME:
        return flow_next_frame();
    case W_FRAMES:
        return flow_frames(wait->a);
    case W_SECONDS:
        return wait->b == CLOCKS ? flow_seconds(wait->a / 1000.0)
                                 : flow_seconds_on(on.clock[wait->b], wait->a / 1000.0);
    case W_UNTIL:
        return flow_until(predicate_run, asked);
    case W_SIGNAL:
        return flow_next(&on.signal[wait->a], value);
    case W_SIGNAL_OR_CLOSED:
        return flow_next_or_closed(&on.signal[wait->a], value, &run->index[wait->place]);
    case W_SIGNAL_IF:
        return flow_next_if(&on.signal[wait->a], value, match_run, asked);
    case W_SUBSCRIPTION:
        return flow_next(&on.subscription[wait->a], value);
    case W_CHANGED:
        return flow_property_changed(&on.property[wait->a], &run->seen[wait->a], value);
    case W_HOLDS:
        return flow_property_until(&on.property[wait->a], match_run, asked, value);
    case W_SEND:
        return flow_send(&on.channel[wait->a], &wait->b);
    case W_RECEIVE:
        return wait->b ? flow_next_or_closed(&on.channel[wait->a], value, &run->index[wait->place])
                       : flow_next(&on.channel[wait->a], value);
    case W_BEAT:
        return flow_interval_next(&run->interval, &run->beats[wait->place]);
    case W_EACH:
        return flow_each(&run->set, &run->item);
    case W_READABLE:
        return flow_readable(&on.channel[wait->a], wait->b ? &run->index[wait->place] : NULL);
    case W_DRAINED:
        return flow_drained(&on.channel[wait->a]);
    case W_PHASE:
        return flow_switch_phase((flow_phase)wait->a);
    case W_GONE:
        return flow_owner_gone(&on.owner[wait->a]);
    default:
        return flow_ready();
    }
}

flow_handle handle_of(int whom)
{
    return whom < FLOW_SLOTS + GROUP_SLOTS
               ? on.slot[whom]
               : flow_owner_handle(&on.owner[whom - FLOW_SLOTS - GROUP_SLOTS]);
}

static flow_wait wait_of(flow_task *flow, struct any *self, const struct wait *wait);

static flow_wait composition_of(flow_task *flow, struct any *self, const struct wait *wait)
{
    static const flow_wait_kind_ kinds[] = {FLOW_WAIT_RACE_, FLOW_WAIT_ALL_, FLOW_WAIT_ALL_SETTLED_,
                                            FLOW_WAIT_ANY_, FLOW_WAIT_TIMEOUT_};
    struct run *run = self->run;
    flow_wait *list = lists[lists_next++ % LISTS];
    int count = 0;
    flow_compose_begin_(flow);
    while (count < wait->branches) {
        list[count] = wait_of(flow, self, &on.side->program->wait[wait->branch[count]]);
        count++;
    }
    if (wait->kind == W_TIMEOUT) {
        flow_clock clock = wait->b == CLOCKS ? FLOW_CLOCK_INHERIT : on.clock[wait->b];
        list[count++] = flow_seconds_on(clock, wait->a / 1000.0);
    }
    list[count] = FLOW_NOTHING;
    if (wait->kind == W_ON_CLOCK) {
        return flow_compose_on_clock_(flow, on.clock[wait->a], list);
    }
    run->index[wait->place] = -1;
    void *out = &run->index[wait->place];
    out = wait->kind == W_ALL ? NULL : wait->kind == W_SETTLED ? run->settled[wait->place] : out;
    return flow_compose_(flow, kinds[wait->kind - W_RACE], list, out);
}

static flow_wait set_of(struct run *run, const struct wait *wait)
{
    int *tag = &run->index[wait->place];
    *tag = -1;
    memset(run->of_set, 0, sizeof run->of_set);
    switch (W_RACE + wait->a) {
    case W_RACE:
        return flow_race_of(&run->set, tag);
    case W_ALL:
        return flow_all_of(&run->set);
    case W_SETTLED:
        return flow_all_settled_of(&run->set, wait->b ? NULL : run->of_set);
    default:
        return flow_any_of(&run->set, tag);
    }
}

static flow_wait wait_of(flow_task *flow, struct any *self, const struct wait *wait)
{
    struct run *run = self->run;
    if (wait->kind == W_CALL) {
        return call_of(flow, self, wait->a);
    }
    if (wait->kind == W_JOIN) {
        run->joined[wait->place] = (flow_outcome){0};
        return flow_join(handle_of(wait->a), &run->joined[wait->place]);
    }
    if (wait->kind == W_OF_SET) {
        return set_of(run, wait);
    }
    return wait->kind >= W_RACE ? composition_of(flow, self, wait) : leaf_of(run, wait);
}

#define WAIT_OF_INS                                                                                \
    wait_of(flow, (struct any *)(void *)self, &on.side->program->wait[self->run->ins->wait])

/* What a list of instructions says. */
#define DO_LIST                                                                                    \
    while (run_next(self->run) != NULL) {                                                          \
        if (self->run->ins->op == OP_AWAIT) {                                                      \
            FLOW_AWAIT(WAIT_OF_INS);                                                               \
            run_goes_on(self->run);                                                                \
        } else if (self->run->ins->op == OP_TRY) {                                                 \
            FLOW_TRY(&self->run->outcome, WAIT_OF_INS);                                            \
            run_tried(self->run);                                                                  \
        } else if (self->run->ins->op == OP_SHIELD) {                                              \
            FLOW_SHIELD(WAIT_OF_INS);                                                              \
            run_goes_on(self->run);                                                                \
        } else if (self->run->ins->op == OP_FAIL) {                                                \
            FLOW_FAIL(self->run->ins->a, "told to");                                               \
        } else {                                                                                   \
            FLOW_RETURN;                                                                           \
        }                                                                                          \
    }

FLOW_STATIC(small)
{
    FLOW_BEGIN;
    run_enters(self->run, flow);
    DO_LIST
    run_over(self->run);
    FLOW_FINALLY;
    run_closes(self->run);
    DO_LIST
    run_closed(self->run);
    FLOW_END;
}

FLOW_STATIC(plain)
{
    FLOW_BEGIN;
    run_enters(self->run, flow);
    DO_LIST
    run_over(self->run);
    FLOW_END;
}

FLOW_STATIC(large)
{
    FLOW_BEGIN;
    memset(self->ballast, (int)sizeof self->ballast & 0x7f, sizeof self->ballast);
    run_enters(self->run, flow);
    DO_LIST
    run_over(self->run);
    FLOW_FINALLY;
    run_closes(self->run);
    DO_LIST
    run_closed(self->run);
    FLOW_END;
}

int handle_put(int slot, flow_handle handle)
{
    on.slot[slot] = handle;
    return handle.generation != 0;
}

static flow_handle start(int block, const flow_options *options)
{
    enum frame_size size = on.side->program->block[block].size;
    if (size == FRAME_SMALL) {
        return FLOW_RUN_WITH(on.world, options, small, .run = run_make(on.side, block));
    }
    if (size == FRAME_PLAIN) {
        return FLOW_RUN_WITH(on.world, options, plain, .run = run_make(on.side, block));
    }
    return FLOW_RUN_WITH(on.world, options, large, .run = run_make(on.side, block));
}

int on_start(struct side *side, const struct ins *ins)
{
    (void)side;
    if (ins->c == NOBODY && ins->d == 0) {
        return handle_put(ins->a, start(ins->b, NULL));
    }
    flow_options options = {.phase = (flow_phase)(ins->d % 8)};
    if (ins->c != NOBODY) {
        options.owner = handle_of(ins->c);
    }
    if (ins->d / 8 != 0) {
        options.clock = on.clock[ins->d / 8 - 1];
    }
    return handle_put(ins->a, start(ins->b, &options));
}

int on_spawn(struct run *run, const struct ins *ins)
{
    flow_task *flow = run->flow;
    enum frame_size size = on.side->program->block[ins->b].size;
    if (size == FRAME_SMALL) {
        return handle_put(ins->a, FLOW_SPAWN(small, .run = run_make(on.side, ins->b)));
    }
    if (size == FRAME_PLAIN) {
        return handle_put(ins->a, FLOW_SPAWN(plain, .run = run_make(on.side, ins->b)));
    }
    return handle_put(ins->a, FLOW_SPAWN(large, .run = run_make(on.side, ins->b)));
}

/* What is added is made as the function itself would make it. */
void on_set_add(struct run *run, const struct ins *ins)
{
    flow_task *flow = run->flow;
    struct any *self = (struct any *)(void *)flow->top_;
    flow_set_add(&run->set, ins->a, wait_of(flow, self, &on.side->program->wait[ins->wait]));
}

/* ---- the world ---- */

static void on_failure(void *user, const flow_failure *failure)
{
    report_run(user, (int)failure->kind, failure->code);
}

static void *on_alloc(void *user, size_t size, size_t alignment)
{
    (void)user;
    on.calls++;
    if (on.fail_at != 0 && on.calls >= on.fail_at) {
        return NULL;
    }
    on.blocks++;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void on_free(void *user, void *memory, size_t size)
{
    (void)user;
    (void)size;
    on.blocks--;
    free(memory);
}

static int misuses;

static void on_misuse(const char *rule, const char *file, int line)
{
    (void)rule; /* joining an owner, say: the model has it too */
    (void)file;
    (void)line;
    misuses++;
}

static const struct side_calls flow_calls = {
#define CALL(type, name, parameters) .name = on_##name,
    SIDE_CALLS(CALL)
#undef CALL
};

static void furnish(void)
{
    static const int parents[CLOCKS] = {0, 0, 0, 2, 3, 1, 2};
    for (int i = 0; i < OWN_CLOCKS; i++) {
        on.clock[i] = (flow_clock)(i + 1);
    }
    for (int i = OWN_CLOCKS; i < CLOCKS; i++) {
        on.clock[i] = flow_clock_create(on.world, on.clock[parents[i]], "own");
    }
    for (int i = 0; i < SIGNALS; i++) {
        (void)flow_signal_init(&on.signal[i], on.world);
    }
    for (int i = 0; i < PROPERTIES; i++) {
        (void)flow_property_init(&on.property[i], on.world, &(int){i});
    }
    for (int i = 0; i < CHANNELS; i++) {
        (void)flow_channel_init(&on.channel[i], on.world, (uint32_t)i);
    }
    for (int i = 0; i < GROUP_SLOTS; i++) {
        on.slot[FLOW_SLOTS + i] = flow_group_create(on.world, NULL);
    }
    for (int i = 0; i < OWNERS; i++) {
        (void)flow_owner_init(on.world, &on.owner[i], "owner");
    }
}

/* The world's end cuts what awaits in its finally sections: no longer compared. */
static void destroy(struct side *side)
{
    note(&side->trace, EV_END, (int)flow_world_counters(on.world).live, 0, 0, 0);
    int written = side->trace.count;
    for (int i = 0; i < OWNERS; i++) {
        (void)flow_owner_fini(&on.owner[i]);
    }
    flow_status status = flow_world_destroy(on.world);
    side->trace.count = written;
    side->trace.event[written - 1].value[1] = (int)status; /* with on_failure: always OK */
    side->trace.event[written - 1].value[2] = (int)on.blocks;
}

long flow_play_failing(struct side *side, const struct program *program, long fail_at)
{
    on = (struct onflow){.side = side};
    side_begin(side, program, &flow_calls);
    flow_assert_handler before = flow_set_assert_handler(on_misuse);
    on.world = flow_world_create(&(flow_world_desc){
        .allocator = {on_alloc, on_free, NULL}, .on_failure = on_failure, .user = side});
    if (on.world == NULL) {
        abort();
    }
    long first = on.calls;
    on.fail_at = fail_at ? first + fail_at : 0;
    furnish();
    side_play(side);
    long calls = on.calls - first;
    destroy(side);
    (void)flow_set_assert_handler(before);
    return calls;
}

void flow_play(struct side *side, const struct program *program)
{
    (void)flow_play_failing(side, program, 0);
}
