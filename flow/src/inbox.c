/* SPDX-License-Identifier: MIT */
/*
 * The inbox. A sender claims places at the tail by one compare-and-swap, writes its message there,
 * and publishes it; the world takes messages at the head, in order, up to the first that is claimed
 * and not published yet. Positions count up for ever; a message lies in one piece, so that one that
 * would not fit before the ring's end is preceded by a filler.
 *
 * Arrivals are a list that senders push onto and the world takes whole. Each knows the tail at its
 * push, so that what one thread sent by either way is taken in the order in which it was sent.
 */
#include "tape.h"

#include <limits.h>

FLOW_THREAD_LOCAL char flow__thread_mark;

typedef enum message_kind {
    MESSAGE_FILLER,
    MESSAGE_POST,
    MESSAGE_CANCEL,
    MESSAGE_EMIT,
    MESSAGE_SET,
    MESSAGE_CLOSE,
    MESSAGE_CANCEL_SOURCE,
    MESSAGE_SEND
} message_kind;

enum { MESSAGE_OWN = 0x100, MESSAGE_KIND = 0xff }; /* of `kind`: a flow of the world's sent it */

/* 32 bytes, of which 16 for what it carries; a longer value runs on into the next places. */
typedef struct flow_message {
    uint32_t kind;
    uint32_t size; /* of the value, bytes */
    union {
        struct {
            flow_post_fn fn;
            void *arg;
            void (*dropped)(void *arg);
        } post;
        struct {
            uint32_t id, generation;
            unsigned char value[16];
        } to; /* a record */
        flow_handle flow;
        char fill_[24];
    } u;
} flow_message;
_Static_assert(sizeof(flow_message) == 32, "a place is 32 bytes");
_Static_assert(offsetof(flow_message, u.to.value) == 16, "values are aligned to 16");

enum { DEFAULT_CAPACITY = 1024, LEAST_CAPACITY = 16 };

static const size_t position_mask = SIZE_MAX >> 1;

/* ---- memory: behind the world, in the same piece ---- */

static size_t capacity_of(const flow_world_desc *desc)
{
    size_t wanted = desc->inbox_capacity ? desc->inbox_capacity : DEFAULT_CAPACITY;
    size_t capacity = LEAST_CAPACITY;
    while (capacity < wanted && capacity < (size_t)1 << 24) {
        capacity *= 2;
    }
    return capacity;
}

size_t flow__inbox_size(const flow_world_desc *desc)
{
    return capacity_of(desc) * (sizeof(flow_message) + sizeof(FLOW_ATOMIC(uint32_t)));
}

void flow__inbox_init(flow_world *world, void *memory)
{
    flow_inbox *inbox = &world->inbox;
    inbox->capacity = capacity_of(&world->desc);
    inbox->messages = memory;
    inbox->published = (void *)(inbox->messages + inbox->capacity);
    for (size_t i = 0; i < inbox->capacity; i++) {
        flow__store_relaxed(&inbox->published[i], 0u);
    }
    flow_world_adopt(world);
}

void flow_world_adopt(flow_world *world)
{
    flow__store(&world->thread, flow__thread());
}

/* Says so, on whatever thread it is; touches nothing of the world's. */
bool flow__wrong_thread(const char *rule)
{
#ifdef FLOW_NO_ASSERT
    (void)rule;
#else
    flow__assert_failed(rule, __FILE__, __LINE__);
#endif
    return true;
}

/* ---- sending: any thread ---- */

static void count_refused(flow_inbox *inbox)
{
    (void)flow__add(&inbox->refused, 1u);
}

/* Claims a message of that many places; null with *status when there is none. *at is its place. */
static flow_message *claim(flow_inbox *inbox, size_t places, size_t *at, flow_status *status)
{
    size_t tail = flow__load_relaxed(&inbox->tail);
    for (;;) {
        if (tail & 1) {
            *status = FLOW_CLOSED;
            return NULL;
        }
        size_t first = (tail >> 1) & (inbox->capacity - 1);
        size_t to_end = inbox->capacity - first;
        size_t filler = places > to_end ? to_end : 0;
        size_t used = ((tail >> 1) - flow__load(&inbox->head)) & position_mask;
        if (used + filler + places > inbox->capacity) {
            size_t now = flow__load(&inbox->tail);
            if (now == tail) {
                count_refused(inbox);
                *status = FLOW_FULL;
                return NULL;
            }
            tail = now; /* the head was newer than the tail */
            continue;
        }
        if (flow__cas(&inbox->tail, &tail, tail + 2 * (filler + places))) {
            if (filler != 0) {
                inbox->messages[first].kind = MESSAGE_FILLER;
                flow__store(&inbox->published[first], (uint32_t)filler);
            }
            *at = (first + filler) & (inbox->capacity - 1);
            *status = FLOW_OK;
            return &inbox->messages[*at];
        }
    }
}

static void publish(flow_inbox *inbox, size_t at, size_t places)
{
    flow__store(&inbox->published[at], (uint32_t)places);
}

/* Who sends again in a replay, because it is in the world itself. */
static uint32_t own_mark(const flow_world *world)
{
    bool own = flow__is_here(world) && (world->inside || world->current != NULL);
    return own ? MESSAGE_OWN : 0;
}

flow_status flow_post_or(flow_world *world, flow_post_fn fn, void *arg, void (*dropped)(void *arg))
{
    size_t at;
    flow_status status;
    flow_message *message = claim(&world->inbox, 1, &at, &status);
    if (message != NULL) {
        message->kind = MESSAGE_POST | own_mark(world);
        message->u.post.fn = fn;
        message->u.post.arg = arg;
        message->u.post.dropped = dropped;
        publish(&world->inbox, at, 1);
    }
    return status;
}

flow_status flow_post(flow_world *world, flow_post_fn fn, void *arg)
{
    return flow_post_or(world, fn, arg, NULL);
}

flow_status flow_cancel_any_thread(flow_world *world, flow_handle flow)
{
    size_t at;
    flow_status status;
    flow_message *message = claim(&world->inbox, 1, &at, &status);
    if (message != NULL) {
        message->kind = MESSAGE_CANCEL | own_mark(world);
        message->u.flow = flow;
        publish(&world->inbox, at, 1);
    }
    return status;
}

flow_status flow_send_(const flow_source *source, flow_send_kind_ kind, const void *value)
{
    static const uint8_t kinds[] = {MESSAGE_EMIT, MESSAGE_CLOSE, MESSAGE_SET, MESSAGE_CANCEL_SOURCE,
                                    MESSAGE_SEND};
    flow_world *world = source->world_;
    if (world == NULL) {
        return FLOW_CLOSED; /* never made */
    }
    flow_inbox *inbox = &world->inbox;
    size_t size = value != NULL ? source->size_ : 0;
    size_t rest = size > 16 ? size - 16 : 0;
    size_t places = 1 + (rest + sizeof(flow_message) - 1) / sizeof(flow_message);
    if (places > inbox->capacity / 4) {
        (void)flow__wrong_thread("a value is too large to be sent to a world from another thread");
        return FLOW_MISUSE;
    }
    size_t at;
    flow_status status;
    flow_message *message = claim(inbox, places, &at, &status);
    if (message != NULL) {
        message->kind = kinds[kind] | own_mark(world);
        message->size = (uint32_t)size;
        message->u.to.id = source->id_;
        message->u.to.generation = source->generation_;
        if (size != 0) {
            memcpy((unsigned char *)message + offsetof(flow_message, u.to.value), value, size);
        }
        publish(inbox, at, places);
    }
    return status;
}

/* Never refused: whoever arrives brings its own place, and is waited for. */
void flow__arrive_home(flow_world *world, flow_arrival *arrival)
{
    flow_inbox *inbox = &world->inbox;
    flow_arrival *newest = flow__load_relaxed(&inbox->arrivals);
    arrival->after = flow__load_relaxed(&inbox->tail) >> 1;
    do {
        arrival->next = newest;
    } while (!flow__cas(&inbox->arrivals, &newest, arrival));
}

/* ---- taking: the world's thread ---- */

static void arrivals_collect(flow_inbox *inbox)
{
    flow_arrival *newest = flow__load_relaxed(&inbox->arrivals), *oldest = NULL;
    while (newest != NULL && !flow__cas(&inbox->arrivals, &newest, NULL)) {
    }
    flow_arrival *last = newest;
    while (newest != NULL) {
        flow_arrival *next = newest->next;
        newest->next = oldest;
        oldest = newest;
        newest = next;
    }
    if (oldest != NULL) {
        *(inbox->last ? &inbox->last->next : &inbox->first) = oldest;
        inbox->last = last;
    }
}

static void arrival_take(flow_world *world)
{
    flow_inbox *inbox = &world->inbox;
    flow_arrival *arrival = inbox->first;
    inbox->first = arrival->next;
    inbox->last = inbox->first ? inbox->last : NULL;
    inbox->arrived++;
    if (world->tape != NULL && arrival->kind == FLOW_ARRIVAL_JOB) {
        flow__tape_taken(world,
                         &(flow_input){.kind = FLOW_INPUT_JOB, .taken = true, .id = arrival->job});
    }
    arrival->take(world, arrival);
}

/* Those that were sent before the message at `at_head`. */
static void arrivals_take(flow_world *world, size_t at_head)
{
    const flow_inbox *inbox = &world->inbox;
    while (inbox->first != NULL &&
           ((at_head - inbox->first->after) & position_mask) <= position_mask / 2) {
        arrival_take(world);
    }
}

/* The places of a message are free again. */
static void release(flow_inbox *inbox, size_t at_head, size_t places)
{
    flow__store_relaxed(&inbox->published[at_head & (inbox->capacity - 1)], 0u);
    flow__store(&inbox->head, (at_head + places) & position_mask);
}

static flow_source source_of(flow_world *world, const flow_message *message)
{
    flow_source source = {world, message->u.to.id, message->u.to.generation, message->size};
    return source;
}

static void message_do(flow_world *world, flow_message *message)
{
    flow_source source;
    const void *value = message->size ? message->u.to.value : NULL;
    switch ((message_kind)(message->kind & MESSAGE_KIND)) {
    case MESSAGE_EMIT:
        source = source_of(world, message);
        (void)flow_emit_(&source, value);
        break;
    case MESSAGE_SET:
        source = source_of(world, message);
        (void)flow_property_set_(&source, value);
        break;
    case MESSAGE_CLOSE:
        source = source_of(world, message);
        flow_signal_close_(&source);
        flow_channel_close_(&source, FLOW_CLOSED, NULL);
        break;
    case MESSAGE_SEND:
        source = source_of(world, message);
        flow__channel_arrives(&source, value);
        break;
    case MESSAGE_CANCEL_SOURCE:
        source = source_of(world, message);
        (void)flow_cancel_source_cancel_(&source);
        break;
    case MESSAGE_CANCEL:
        (void)flow_cancel(world, message->u.flow);
        break;
    case MESSAGE_FILLER:
    case MESSAGE_POST:
        break;
    }
}

/* A tape is to know of the message that is about to take effect. */
FLOW_COLD_ static void message_tell(flow_world *world, const flow_message *message)
{
    static const uint8_t inputs[] = {[MESSAGE_CANCEL] = FLOW_INPUT_CANCEL,
                                     [MESSAGE_EMIT] = FLOW_INPUT_EMIT,
                                     [MESSAGE_SET] = FLOW_INPUT_PROPERTY,
                                     [MESSAGE_CLOSE] = FLOW_INPUT_CLOSE,
                                     [MESSAGE_CANCEL_SOURCE] = FLOW_INPUT_SOURCE_CANCEL,
                                     [MESSAGE_SEND] = FLOW_INPUT_ARRIVE};
    message_kind kind = (message_kind)(message->kind & MESSAGE_KIND);
    flow_input input = {.kind = FLOW_INPUT_OWN, .taken = true};
    if (kind == MESSAGE_FILLER) {
        return;
    }
    if (message->kind & MESSAGE_OWN) {
        flow__tape_taken(world, &input);
    } else if (kind == MESSAGE_POST) {
        flow__tape_called(world, message->u.post.fn, message->u.post.arg, true);
    } else {
        bool flow = kind == MESSAGE_CANCEL;
        input.kind = (flow_input_kind)inputs[kind];
        input.id = flow ? message->u.flow.slot : message->u.to.id;
        input.generation = flow ? message->u.flow.generation : message->u.to.generation;
        input.size = flow ? 0 : message->size;
        input.value = input.size ? message->u.to.value : NULL;
        input.code = kind == MESSAGE_CLOSE ? FLOW_CLOSED : FLOW_OK;
        flow_source source = {world, input.id, input.generation, input.size};
        if (flow ? flow__task_of(world, message->u.flow) != NULL : flow__record(&source) != NULL) {
            flow__tape_taken(world, &input);
        }
    }
}

/* One message; a call frees its place before it runs, so that it can always post itself again. */
static void message_take(flow_world *world, size_t at_head, size_t places)
{
    flow_inbox *inbox = &world->inbox;
    flow_message *message = &inbox->messages[at_head & (inbox->capacity - 1)];
    inbox->taken += message->kind != MESSAGE_FILLER;
    if (world->tape != NULL) {
        message_tell(world, message);
    }
    if ((message->kind & MESSAGE_KIND) == MESSAGE_POST) {
        flow_post_fn fn = message->u.post.fn;
        void *arg = message->u.post.arg;
        release(inbox, at_head, places);
        fn(world, arg);
    } else {
        message_do(world, message);
        release(inbox, at_head, places);
    }
    flow__outermost(world);
}

static uint64_t now(const flow_world *world)
{
    return world->desc.now_ns(world->desc.user);
}

/* When the time for the inbox is over; 0: never. */
static uint64_t deadline_of(const flow_world *world)
{
    double budget = world->desc.inbox_budget * 1e9;
    return world->desc.now_ns != NULL && budget > 0.0 ? now(world) + (uint64_t)budget : 0;
}

static void refusals_tell(flow_world *world)
{
    uint32_t refused = flow__load_relaxed(&world->inbox.refused);
    if (refused != world->inbox.refused_seen) {
        world->inbox.refused_before += refused - world->inbox.refused_seen;
        world->inbox.refused_seen = refused;
        flow__warn(world, FLOW_WARNING_INBOX_FULL, NULL, NULL);
    }
}

/* What was sent until now. */
static void inbox_take(flow_world *world)
{
    flow_inbox *inbox = &world->inbox;
    if (world->tape != NULL && flow__replays(world)) {
        world->inside = true;
        world->tape->take(world->tape);
        world->inside = false;
        return;
    }
    uint64_t deadline = deadline_of(world);
    size_t at_head = flow__load_relaxed(&inbox->head);
    arrivals_collect(inbox);
    size_t end = flow__load(&inbox->tail) >> 1;
    world->inside = true;
    refusals_tell(world);
    for (;;) {
        arrivals_take(world, at_head);
        uint32_t places = flow__load(&inbox->published[at_head & (inbox->capacity - 1)]);
        if (at_head == end || places == 0) {
            break;
        }
        message_take(world, at_head, places);
        at_head = (at_head + places) & position_mask;
        if (deadline != 0 && now(world) >= deadline) {
            break;
        }
    }
    world->inside = false;
}

/* Of begin_frame, and only when there is something. */
void flow__inbox_take(flow_world *world)
{
    if (!flow__profiled(world)) {
        inbox_take(world);
        return;
    }
    uint64_t before = world->inbox.taken + world->inbox.arrived;
    flow__profile_inbox(world);
    inbox_take(world);
    flow__profile_inbox_end(world, world->inbox.taken + world->inbox.arrived - before);
}

/* A message that takes no effect; one whose sender is in the middle of it is about to be there.
 * Counts it, and returns its places. */
static size_t message_discard(flow_world *world, size_t at_head, uint64_t *count)
{
    flow_inbox *inbox = &world->inbox;
    const flow_message *message = &inbox->messages[at_head & (inbox->capacity - 1)];
    uint32_t places;
    while ((places = flow__load(&inbox->published[at_head & (inbox->capacity - 1)])) == 0) {
    }
    *count += message->kind != MESSAGE_FILLER;
    if ((message->kind & MESSAGE_KIND) == MESSAGE_POST && message->u.post.dropped != NULL) {
        message->u.post.dropped(message->u.post.arg);
    }
    release(inbox, at_head, places);
    return places;
}

/* ---- for a replay, which decides what is taken in ---- */

/* Is there something that the world's flows have sent themselves? It is taken in, if asked to; what
 * others sent before it takes no effect. */
bool flow__inbox_own(flow_world *world, bool take)
{
    flow_inbox *inbox = &world->inbox;
    size_t at_head = flow__load_relaxed(&inbox->head), end = flow__load(&inbox->tail) >> 1;
    uint64_t unheeded = 0;
    while (at_head != end) {
        uint32_t places = flow__load(&inbox->published[at_head & (inbox->capacity - 1)]);
        const flow_message *message = &inbox->messages[at_head & (inbox->capacity - 1)];
        if (places != 0 && (message->kind & MESSAGE_OWN)) {
            if (take) {
                message_take(world, at_head, places);
            }
            return true;
        }
        at_head = (at_head + message_discard(world, at_head, &unheeded)) & position_mask;
    }
    return false;
}

/* Out of the list of those collected. */
static void arrival_unlink(flow_inbox *inbox, const flow_arrival *arrival)
{
    flow_arrival *before = NULL;
    for (flow_arrival **link = &inbox->first; *link != NULL; link = &before->next) {
        if (*link == arrival) {
            *link = arrival->next;
            inbox->last = inbox->last == arrival ? before : inbox->last;
            return;
        }
        before = *link;
    }
}

/* The first that has come home of a kind; of jobs the one of that number. */
static flow_arrival *arrival_of(const flow_inbox *inbox, flow_arrival_kind kind, uint32_t job)
{
    flow_arrival *arrival = inbox->first;
    while (arrival != NULL && !(arrival->kind == kind && arrival->job == job)) {
        arrival = arrival->next;
    }
    return arrival;
}

/* The end of the job of that number, if it has come home; news take no effect. */
bool flow__inbox_job(flow_world *world, uint32_t number)
{
    flow_inbox *inbox = &world->inbox;
    flow_arrival *arrival;
    arrivals_collect(inbox);
    while ((arrival = arrival_of(inbox, FLOW_ARRIVAL_NEWS, 0)) != NULL) {
        arrival_unlink(inbox, arrival);
        arrival->take(world, arrival);
    }
    arrival = number != 0 ? arrival_of(inbox, FLOW_ARRIVAL_JOB, number) : NULL;
    if (arrival != NULL) {
        arrival_unlink(inbox, arrival);
        arrival->take(world, arrival);
    }
    return arrival != NULL;
}

/* One that is on its way, and from now on is not. */
void flow__inbox_fetch(flow_world *world, const flow_arrival *arrival)
{
    flow_inbox *inbox = &world->inbox;
    const flow_arrival *at = NULL;
    while (at == NULL) {
        arrivals_collect(inbox);
        for (at = inbox->first; at != NULL && at != arrival; at = at->next) {
        }
    }
    arrival_unlink(inbox, arrival);
}

/* ---- the end ---- */

/* From now on senders are refused. */
void flow__inbox_close(flow_world *world)
{
    size_t tail = flow__load_relaxed(&world->inbox.tail);
    while (!flow__cas(&world->inbox.tail, &tail, tail | 1)) {
    }
}

/* Who has come home by now, whatever was sent before: of a world that is being destroyed. */
void flow__inbox_arrivals(flow_world *world)
{
    flow_inbox *inbox = &world->inbox;
    arrivals_collect(inbox);
    while (inbox->first != NULL) {
        arrival_take(world);
    }
}

/* What is left when the inbox is closed: nothing takes effect any more. A sender that was in the
 * middle of its message is about to be done. */
void flow__inbox_drop(flow_world *world)
{
    flow_inbox *inbox = &world->inbox;
    size_t at_head = flow__load_relaxed(&inbox->head), end = flow__load(&inbox->tail) >> 1;
    flow__inbox_arrivals(world);
    while (at_head != end) {
        at_head = (at_head + message_discard(world, at_head, &inbox->dropped)) & position_mask;
    }
    if (inbox->dropped != 0) {
        flow__warn(world, FLOW_WARNING_DROPPED_AT_DESTROY, NULL, NULL);
    }
}

flow_inbox_counters flow_world_inbox(const flow_world *world)
{
    const flow_inbox *inbox = &world->inbox;
    uint32_t refused = flow__load_relaxed(&inbox->refused);
    size_t waiting = ((flow__load_relaxed(&inbox->tail) >> 1) - flow__load_relaxed(&inbox->head)) &
                     position_mask;
    flow_inbox_counters counters = {(uint32_t)inbox->capacity, (uint32_t)waiting, inbox->taken,
                                    inbox->refused_before + (refused - inbox->refused_seen),
                                    inbox->dropped};
    return counters;
}
