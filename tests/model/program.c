/* SPDX-License-Identifier: MIT */
/* Random programs: the same from the same seed everywhere. */
#include "model.h"

#include <string.h>

struct maker {
    struct program *program;
    uint64_t random;
    int block; /* whose instructions are being made; what it names has a greater number */
    int places, places_end;
    int add_places; /* of what the block has added to its set: each has places of its own */
    bool adds;      /* what is made is to be added to the set */
    bool beats;     /* the await has a beat: an interval has one wait at a time */
    bool sets;      /* the same of the set */
};

static int below(struct maker *maker, int n)
{
    uint64_t x = maker->random += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (int)((x ^ (x >> 31)) % (uint64_t)n);
}

static bool once_in(struct maker *maker, int n)
{
    return below(maker, n) == 0;
}

/* Room for a list; fewer where there is none left. */
static struct list list_take(struct maker *maker, int count)
{
    struct program *p = maker->program;
    count = count <= INSTRUCTIONS - p->ins_count ? count : INSTRUCTIONS - p->ins_count;
    struct list list = {p->ins_count, count};
    p->ins_count += count;
    return list;
}

static int a_clock(struct maker *maker)
{
    return once_in(maker, 3) ? 2 : below(maker, CLOCKS);
}

static int an_own_clock(struct maker *maker)
{
    return once_in(maker, 3) ? 2 : OWN_CLOCKS + below(maker, CLOCKS - OWN_CLOCKS);
}

static int a_phase(struct maker *maker)
{
    return once_in(maker, 2) ? FLOW_UPDATE : 1 + below(maker, 4);
}

static int a_block(struct maker *maker)
{
    return maker->block + 1 + below(maker, BLOCKS - 1 - maker->block);
}

static bool is_last_block(const struct maker *maker)
{
    return maker->block >= BLOCKS - 1;
}

static int a_group(struct maker *maker)
{
    return FLOW_SLOTS + below(maker, GROUP_SLOTS + OWNERS);
}

static int an_owner_of_flows(struct maker *maker)
{
    return once_in(maker, 2) ? NOBODY : once_in(maker, 3) ? below(maker, WHOM) : a_group(maker);
}

static struct list some_acts(struct maker *maker);

/* What a start names besides: the slot of its handle, its block, its owner, its phase and clock. */
static void make_start(struct maker *maker, struct ins *ins)
{
    ins->a = below(maker, FLOW_SLOTS);
    ins->b = a_block(maker);
    ins->c = an_owner_of_flows(maker);
    ins->d = once_in(maker, 2) ? 0 : a_phase(maker) + 8 * (1 + a_clock(maker)) * below(maker, 2);
}

static void make_group(struct maker *maker, struct ins *ins)
{
    ins->a = FLOW_SLOTS + below(maker, GROUP_SLOTS);
    ins->c = once_in(maker, 2) ? NOBODY : below(maker, WHOM);
    ins->d = below(maker, 2);
}

/* An act that everybody may do. */
static void make_act(struct maker *maker, struct ins *ins)
{
    static const uint8_t often[] = {
        OP_START,         OP_START,     OP_START,       OP_START,      OP_CANCEL,
        OP_CANCEL,        OP_CANCEL,    OP_CANCEL,      OP_CANCEL,     OP_EMIT,
        OP_EMIT,          OP_EMIT,      OP_EMIT,        OP_EMIT,       OP_GROUP,
        OP_CLEAR,         OP_GRADUAL,   OP_GRADUAL,     OP_STOP,       OP_STATE,
        OP_CLOSE,         OP_BREAK,     OP_RENEW,       OP_RENEW,      OP_PAUSE,
        OP_RELEASE,       OP_RELEASE,   OP_RELEASE,     OP_SCALE,      OP_SCALE,
        OP_TAKE,          OP_COUNT,     OP_UNSUBSCRIBE, OP_OWNER_END,  OP_OWNER_BEGIN,
        OP_CLOCK_MAKE,    OP_CLOCK_END, OP_SET,         OP_SET,        OP_SET,
        OP_SET,           OP_READ,      OP_PROPERTY,    OP_SEND,       OP_SEND,
        OP_SEND,          OP_RECEIVE,   OP_RECEIVE,     OP_KEPT,       OP_CHANNEL_CLOSE,
        OP_CHANNEL_BREAK, OP_CHANNEL,   OP_POST,        OP_CANCEL_ANY, OP_EMIT_ANY};
    op kind = (op)often[below(maker, (int)sizeof often)];
    kind = kind == OP_START && is_last_block(maker) ? OP_EMIT : kind;
    *ins = (struct ins){.op = kind};
    switch (kind) {
    case OP_START:
        make_start(maker, ins);
        break;
    case OP_GROUP:
        make_group(maker, ins);
        break;
    case OP_POST:
        ins->acts = some_acts(maker);
        break;
    case OP_CANCEL:
    case OP_CANCEL_ANY:
    case OP_STATE:
        ins->a = once_in(maker, 4) ? a_group(maker) : below(maker, FLOW_SLOTS);
        break;
    case OP_CLEAR:
    case OP_STOP:
    case OP_GRADUAL:
        ins->a = a_group(maker);
        ins->b = 1 + below(maker, 2);
        break;
    case OP_EMIT:
    case OP_EMIT_ANY:
    case OP_BREAK:
        ins->a = below(maker, SIGNALS);
        ins->b = 1 + below(maker, 20);
        break;
    case OP_CLOSE:
    case OP_RENEW:
        ins->a = below(maker, SIGNALS);
        break;
    case OP_PAUSE:
    case OP_RELEASE:
    case OP_CLOCK_END:
        ins->a = an_own_clock(maker);
        ins->a = kind == OP_CLOCK_END && ins->a == 2 ? OWN_CLOCKS : ins->a;
        break;
    case OP_SCALE:
        ins->a = an_own_clock(maker);
        ins->b = below(maker, 6);
        break;
    case OP_CLOCK_MAKE:
        ins->a = OWN_CLOCKS + below(maker, CLOCKS - OWN_CLOCKS);
        ins->b = a_clock(maker);
        break;
    case OP_OWNER_END:
    case OP_OWNER_BEGIN:
        ins->a = below(maker, OWNERS);
        break;
    case OP_SET:
    case OP_READ:
    case OP_PROPERTY:
        ins->a = below(maker, PROPERTIES);
        ins->b = below(maker, 7);
        break;
    case OP_SEND:
    case OP_RECEIVE:
    case OP_KEPT:
    case OP_CHANNEL_CLOSE:
    case OP_CHANNEL_BREAK:
        ins->a = below(maker, CHANNELS);
        ins->b = 1 + below(maker, 20);
        break;
    case OP_CHANNEL:
        ins->a = below(maker, CHANNELS);
        ins->b = below(maker, 4) - 1;
        break;
    default:
        ins->a = below(maker, SUBSCRIPTIONS);
        break;
    }
}

static struct list some_acts(struct maker *maker)
{
    struct list list = list_take(maker, once_in(maker, 3) ? 1 + below(maker, 2) : 0);
    for (int i = 0; i < list.count; i++) {
        make_act(maker, &maker->program->ins[list.first + i]);
    }
    return list;
}

/* ---- waits ---- */

static int make_wait(struct maker *maker, int depth);

static void make_leaf(struct maker *maker, struct wait *wait)
{
    static const uint8_t often[] = {W_READY,        W_FAILED,
                                    W_NEVER,        W_NEXT_TICK,
                                    W_NEXT_TICK,    W_NEXT_TICK,
                                    W_TICKS,        W_TICKS,
                                    W_TICKS,        W_NEXT_FRAME,
                                    W_NEXT_FRAME,   W_FRAMES,
                                    W_SECONDS,      W_SECONDS,
                                    W_SECONDS,      W_UNTIL,
                                    W_UNTIL,        W_SIGNAL,
                                    W_SIGNAL,       W_SIGNAL,
                                    W_SIGNAL_IF,    W_SIGNAL_OR_CLOSED,
                                    W_JOIN,         W_JOIN,
                                    W_PHASE,        W_PHASE,
                                    W_GONE,         W_SUBSCRIPTION,
                                    W_SUBSCRIPTION, W_SUBSCRIPTION,
                                    W_CHANGED,      W_CHANGED,
                                    W_CHANGED,      W_HOLDS,
                                    W_HOLDS,        W_SEND,
                                    W_SEND,         W_RECEIVE,
                                    W_RECEIVE,      W_RECEIVE,
                                    W_READABLE,     W_DRAINED,
                                    W_BEAT,         W_BEAT,
                                    W_BEAT,         W_EACH};
    wait->kind = (wait_kind)often[below(maker, (int)sizeof often)];
    if ((wait->kind == W_BEAT && (maker->beats || maker->adds)) ||
        (wait->kind == W_EACH && (maker->sets || maker->adds))) {
        wait->kind = W_NEXT_TICK;
    }
    maker->beats = maker->beats || wait->kind == W_BEAT;
    maker->sets = maker->sets || wait->kind == W_EACH;
    switch (wait->kind) {
    case W_FAILED:
        wait->a = 1 + below(maker, 9);
        break;
    case W_TICKS:
    case W_FRAMES:
        wait->a = below(maker, 4);
        break;
    case W_SECONDS:
        wait->a = below(maker, 4) * 10 + below(maker, 2) * 5;
        wait->b = once_in(maker, 2) ? CLOCKS : a_clock(maker);
        break;
    case W_UNTIL:
        wait->b = 2 + below(maker, 3);
        wait->acts = some_acts(maker);
        break;
    case W_SIGNAL_IF:
        wait->a = below(maker, SIGNALS);
        wait->b = 1 + below(maker, 3);
        wait->acts = some_acts(maker);
        break;
    case W_SIGNAL:
    case W_SIGNAL_OR_CLOSED:
        wait->a = below(maker, SIGNALS);
        break;
    case W_SUBSCRIPTION:
        wait->a = below(maker, SUBSCRIPTIONS);
        break;
    case W_JOIN:
        wait->a = once_in(maker, 4) ? a_group(maker) : below(maker, FLOW_SLOTS);
        break;
    case W_CHANGED:
        wait->a = below(maker, PROPERTIES);
        break;
    case W_HOLDS:
        wait->a = below(maker, PROPERTIES);
        wait->b = 2 + below(maker, 3);
        wait->acts = some_acts(maker);
        break;
    case W_SEND:
        wait->a = below(maker, CHANNELS);
        wait->b = 1 + below(maker, 20);
        break;
    case W_RECEIVE:
    case W_READABLE:
    case W_DRAINED:
        wait->a = below(maker, CHANNELS);
        wait->b = below(maker, 2);
        break;
    case W_PHASE:
        wait->a = a_phase(maker);
        break;
    case W_GONE:
        wait->a = below(maker, OWNERS);
        break;
    default:
        break;
    }
}

static void make_composition(struct maker *maker, struct wait *wait, int depth)
{
    bool one;
    wait->kind = (wait_kind)(W_RACE + below(maker, 6));
    one = wait->kind == W_TIMEOUT || wait->kind == W_ON_CLOCK;
    wait->branches = one ? 1 : once_in(maker, 12) ? below(maker, 2) : 2 + below(maker, 2);
    wait->a = wait->kind == W_ON_CLOCK ? a_clock(maker) : below(maker, 5) * 10;
    wait->b = once_in(maker, 3) ? a_clock(maker) : CLOCKS;
    for (int i = 0; i < wait->branches; i++) {
        wait->branch[i] = make_wait(maker, depth + 1);
    }
}

/* b: its outcomes are not asked for, since others may be written there. */
static void make_of_set(struct maker *maker, struct wait *wait)
{
    *wait = (struct wait){
        .kind = W_OF_SET, .a = below(maker, 4), .b = maker->adds, .place = wait->place};
    maker->sets = true;
}

enum { FLAT = 2, DEEP = 7 }; /* compositions in each other */

/* A wait's place in the program. */
static int make_wait(struct maker *maker, int depth)
{
    struct program *p = maker->program;
    struct wait wait = {.place = maker->places++};
    int at = p->wait_count;
    if (at >= WAITS || maker->places > maker->places_end) {
        maker->places--;
        return 0;
    }
    p->wait_count++;
    int sort = below(maker, 10);
    if (sort < 3 && !is_last_block(maker)) {
        wait.kind = W_CALL;
        wait.a = a_block(maker);
    } else if (sort == 3 && !maker->sets && once_in(maker, 6)) {
        make_of_set(maker, &wait);
    } else if (sort < 5 && depth < FLAT) {
        make_composition(maker, &wait, depth);
    } else {
        make_leaf(maker, &wait);
    }
    p->wait[at] = wait;
    return at;
}

/* Compositions in each other, each with some leaf or call beside the next. */
static int make_deep_wait(struct maker *maker, int depth)
{
    struct program *p = maker->program;
    struct wait wait = {.place = maker->places++};
    int at = p->wait_count;
    if (depth == DEEP || at >= WAITS || maker->places > maker->places_end) {
        maker->places--;
        return make_wait(maker, FLAT);
    }
    p->wait_count++;
    make_composition(maker, &wait, FLAT - 1);
    wait.branch[below(maker, wait.branches > 0 ? wait.branches : 1)] =
        make_deep_wait(maker, depth + 1);
    wait.branches = wait.branches > 0 ? wait.branches : 1;
    p->wait[at] = wait;
    return at;
}

/* ---- blocks ---- */

static void make_interval(struct maker *maker, struct ins *ins)
{
    *ins = (struct ins){.op = OP_INTERVAL, .a = 5 + 5 * below(maker, 5)};
    ins->b = once_in(maker, 2) ? CLOCKS : a_clock(maker);
}

static void make_subscribe(struct maker *maker, struct ins *ins)
{
    *ins = (struct ins){.op = OP_SUBSCRIBE, .a = below(maker, SUBSCRIPTIONS)};
    ins->b = below(maker, SIGNALS);
    ins->c = below(maker, 4) + 4 * (1 + below(maker, 2));
}

static void wait_opens(struct maker *maker, bool adds)
{
    maker->places = adds ? maker->add_places : 0;
    maker->places_end = adds ? PLACES : AWAIT_PLACES;
    maker->adds = adds;
    maker->beats = maker->sets = false;
}

static void make_add(struct maker *maker, struct ins *ins)
{
    *ins = (struct ins){.op = OP_SET_ADD, .a = below(maker, 9)};
    wait_opens(maker, true);
    ins->wait = make_wait(maker, FLAT - 1);
    maker->add_places = maker->places;
}

static void make_inside(struct maker *maker, struct ins *ins)
{
    static const uint8_t often[] = {OP_SPAWN,       OP_SPAWN,     OP_SPAWN,     OP_SELF,
                                    OP_SELF,        OP_DEFER,     OP_DEFER,     OP_HOLD,
                                    OP_SCOPE_CLOCK, OP_SUBSCRIBE, OP_SUBSCRIBE, OP_SUBSCRIBE,
                                    OP_ASKED,       OP_INTERVAL,  OP_SET_BEGIN, OP_SET_ADD,
                                    OP_SET_ADD,     OP_SET_CLEAR, OP_SET_LEFT};
    *ins = (struct ins){.op = (op)often[below(maker, (int)sizeof often)]};
    if (ins->op == OP_SPAWN && is_last_block(maker)) {
        ins->op = OP_SELF;
    }
    switch (ins->op) {
    case OP_SPAWN:
        ins->a = below(maker, FLOW_SLOTS);
        ins->b = a_block(maker);
        break;
    case OP_SELF:
        ins->a = below(maker, FLOW_SLOTS);
        break;
    case OP_DEFER:
        ins->acts = some_acts(maker);
        break;
    case OP_INTERVAL:
        make_interval(maker, ins);
        break;
    case OP_HOLD:
        ins->a = an_own_clock(maker);
        break;
    case OP_SCOPE_CLOCK:
        ins->a = OWN_CLOCKS + below(maker, CLOCKS - OWN_CLOCKS);
        ins->b = once_in(maker, 2) ? CLOCKS : a_clock(maker);
        break;
    case OP_SUBSCRIBE:
        make_subscribe(maker, ins);
        break;
    case OP_SET_ADD:
        make_add(maker, ins);
        break;
    default:
        break;
    }
}

/* Awaits the set, or one of it. */
static void make_set_await(struct maker *maker, struct ins *ins)
{
    struct program *p = maker->program;
    *ins = (struct ins){.op = once_in(maker, 3) ? OP_TRY : OP_AWAIT};
    if (p->wait_count >= WAITS) {
        return;
    }
    wait_opens(maker, false);
    struct wait wait = {.kind = W_EACH, .place = maker->places++};
    if (once_in(maker, 3)) {
        make_of_set(maker, &wait);
    }
    p->wait[p->wait_count] = wait;
    ins->wait = p->wait_count++;
}

static void make_instruction(struct maker *maker, struct ins *ins)
{
    int sort = below(maker, 20);
    if (sort < 4) {
        make_act(maker, ins);
    } else if (sort < 8) {
        make_inside(maker, ins);
    } else if (sort < 19) {
        *ins = (struct ins){.op = sort < 14 ? OP_AWAIT : sort < 17 ? OP_TRY : OP_SHIELD};
        wait_opens(maker, false);
        ins->wait = once_in(maker, 12) ? make_deep_wait(maker, 0) : make_wait(maker, 0);
    } else {
        *ins = (struct ins){.op = once_in(maker, 3) ? OP_RETURN : OP_FAIL};
        ins->a = 1 + below(maker, 9);
    }
}

/* A function with a set: fills it, and awaits it one way or the other. */
static struct list make_set_body(struct maker *maker)
{
    struct list list = list_take(maker, 5 + below(maker, 5));
    struct ins *ins = &maker->program->ins[list.first];
    int adds = 1 + below(maker, 4);
    for (int i = 0; i < list.count; i++) {
        struct ins made;
        if (i == 0) {
            made = (struct ins){.op = OP_SET_BEGIN};
        } else if (i <= adds || once_in(maker, 5)) {
            make_add(maker, &made);
        } else if (once_in(maker, 5)) {
            make_instruction(maker, &made);
        } else {
            make_set_await(maker, &made);
        }
        ins[i] = made;
    }
    return list;
}

static struct list make_body(struct maker *maker, int count)
{
    struct list list = list_take(maker, count);
    for (int i = 0; i < list.count; i++) {
        struct ins ins;
        make_instruction(maker, &ins);
        maker->program->ins[list.first + i] = ins;
    }
    return list;
}

static void make_blocks(struct maker *maker)
{
    for (int i = 0; i < BLOCKS; i++) {
        struct block *block = &maker->program->block[i];
        maker->block = i;
        maker->add_places = AWAIT_PLACES;
        bool set = once_in(maker, 5);
        block->body = set ? make_set_body(maker) : make_body(maker, 1 + below(maker, 6));
        struct ins *first = &maker->program->ins[block->body.first];
        if (!set && block->body.count > 0 &&
            once_in(maker, 4)) { /* what comes later waits for it */
            make_interval(maker, first);
        } else if (!set && block->body.count > 0 && once_in(maker, 3)) {
            make_subscribe(maker, first);
        }
        block->size = (enum frame_size)below(maker, 3);
        block->has_finally = block->size != FRAME_PLAIN;
        if (block->has_finally) {
            block->last = make_body(maker, once_in(maker, 2) ? below(maker, 4) : 0);
        }
    }
}

static void make_frame(struct maker *maker, struct ins **next)
{
    int ms = 5 * below(maker, 6);
    *(*next)++ = (struct ins){.op = OP_FRAME, .b = ms};
    *(*next)++ = (struct ins){.op = OP_TICK, .a = FLOW_EARLY, .b = ms};
    for (int steps = below(maker, 3); steps > 0; steps--) {
        *(*next)++ = (struct ins){.op = OP_TICK, .a = FLOW_FIXED, .b = 10};
    }
    *(*next)++ = (struct ins){.op = OP_TICK, .a = FLOW_UPDATE, .b = ms};
    if (once_in(maker, 3)) {
        *(*next)++ = (struct ins){.op = OP_FLUSH, .a = a_phase(maker)};
    }
    *(*next)++ = (struct ins){.op = OP_TICK, .a = FLOW_LATE, .b = ms};
}

static void make_host(struct maker *maker)
{
    enum { FRAMES = 7, FRAME_OPS = 8, ACTS = 5 };
    struct list list = list_take(maker, FRAMES * (FRAME_OPS + ACTS));
    struct ins *next = &maker->program->ins[list.first];
    maker->block = -1;
    for (int frame = 0; frame < FRAMES; frame++) {
        for (int acts = 1 + below(maker, ACTS); acts > 0; acts--) {
            make_act(maker, next++);
            if (frame < 2 && once_in(maker, 2)) {
                next[-1] = (struct ins){.op = OP_START,
                                        .a = below(maker, FLOW_SLOTS),
                                        .b = below(maker, BLOCKS),
                                        .c = NOBODY};
            }
        }
        make_frame(maker, &next);
    }
    list.count = (int)(next - &maker->program->ins[list.first]);
    maker->program->host = list;
}

void program_make(struct program *program, uint64_t seed)
{
    struct maker maker = {.program = program, .random = seed * 0xd1342543de82ef95u + 1};
    memset(program, 0, sizeof *program);
    program->seed = seed;
    program->wait_count = 1; /* the first is the one for which there was no room: ready */
    make_host(&maker);
    maker.block = BLOCKS - 3; /* what a report starts is small */
    program->report = some_acts(&maker);
    make_blocks(&maker);
}
