/* SPDX-License-Identifier: MIT */
/*
 * Queues: first in, first out, in chunks of 62 entries. An entry is found again by a 32-bit
 * position (chunk and word), so that leaving is one store that puts 0 there; order never changes.
 * When what left outnumbers what stays, the queue is packed in place, in order.
 *
 * Queues that a resume goes through (ready, held) must never fail to take an entry, since emitting,
 * cancelling and ending cannot fail. They draw on chunks set aside while starting a flow could
 * still fail: every live flow stands in at most one of them, so one chunk for 62 flows and two for
 * each such queue are always enough once a queue is packed.
 */
#include "private.h"

/* ---- chunks ---- */

static flow_chunk *chunk_of(const flow_world *world, uint32_t pos)
{
    uint32_t chunk = pos / 64;
    char *page = flow__pool_page(&world->chunks.pool, chunk / 64);
    return (flow_chunk *)(void *)(page + (size_t)(chunk % 64) * FLOW_CHUNK_SIZE);
}

/* The number of a chunk: of its page, and of its place there, from 1 on since a page's head takes
 * the first place. */
static uint32_t chunk_id(const flow_chunk *chunk)
{
    const flow_page *page = flow__page_of(chunk);
    return page->index * 64 + (uint32_t)(((uintptr_t)chunk - (uintptr_t)page) / FLOW_CHUNK_SIZE);
}

static bool chunks_grow(flow_world *world)
{
    flow_page *page;
    if (!flow__pool_grow(world, &world->chunks.pool, &page)) {
        return false;
    }
    for (uint32_t i = FLOW_CHUNKS_PER_PAGE; i > 0; i--) {
        flow_chunk *chunk = (flow_chunk *)(void *)((char *)page + (size_t)i * FLOW_CHUNK_SIZE);
        chunk->next = world->chunks.free;
        world->chunks.free = chunk;
    }
    world->chunks.free_count += FLOW_CHUNKS_PER_PAGE;
    return true;
}

static bool reserve(flow_world *world, uint32_t need)
{
    flow_chunk_store *store = &world->chunks;
    while (store->free_count + store->reserved_used < need) {
        if (!chunks_grow(world)) {
            return false;
        }
    }
    store->reserved_need = need > store->reserved_need ? need : store->reserved_need;
    return true;
}

/* Sets chunks aside for one more queue that may not fail. */
bool flow__reserve_for_queue(flow_world *world)
{
    if (!reserve(world, world->chunks.reserved_need + 2)) {
        return false;
    }
    world->chunks.reserved_queues++;
    return true;
}

/* Sets chunks aside for this many live flows. */
bool flow__reserve_for_tasks(flow_world *world, uint32_t live)
{
    uint32_t chunks = (live + world->groups) / FLOW_CHUNK_ENTRIES + 1;
    if (!reserve(world, chunks + 2 * world->chunks.reserved_queues)) {
        return false;
    }
    uint32_t limit = chunks * FLOW_CHUNK_ENTRIES - world->groups; /* groups stand in queues too */
    world->chunks.task_limit = limit > world->chunks.task_limit ? limit : world->chunks.task_limit;
    return true;
}

/* Makes room for this many live flows, each in a tick queue as well. */
bool flow__reserve_for_waits(flow_world *world, uint32_t flows)
{
    flow_chunk_store *store = &world->chunks;
    if (!flow__reserve_for_tasks(world, flows)) {
        return false;
    }
    uint32_t need = store->reserved_need + flows / FLOW_CHUNK_ENTRIES + 2;
    while (store->free_count + store->reserved_used < need) {
        if (!chunks_grow(world)) {
            return false;
        }
    }
    return true;
}

static void chunk_give(flow_world *world, flow_queue *queue, flow_chunk *chunk)
{
    chunk->next = world->chunks.free;
    world->chunks.free = chunk;
    world->chunks.free_count++;
    world->chunks.reserved_used -= queue->reserved;
    queue->chunks--;
}

static flow_chunk *chunk_take(flow_world *world, const flow_queue *queue)
{
    flow_chunk_store *store = &world->chunks;
    if (!queue->reserved && store->free_count + store->reserved_used <= store->reserved_need &&
        !chunks_grow(world)) {
        return NULL;
    }
    flow_chunk *chunk = store->free;
    if (chunk != NULL) {
        store->free = chunk->next;
        store->free_count--;
        store->reserved_used += queue->reserved;
    }
    return chunk;
}

static void tail_set(flow_queue *queue, flow_chunk *chunk)
{
    queue->tail = chunk;
    queue->bias = chunk_id(chunk) * 64 - (uint32_t)((uintptr_t)chunk / sizeof(uintptr_t));
}

/* ---- packing ---- */

static void renumber(const flow_queue *queue, uintptr_t *place)
{
    uint32_t pos = (uint32_t)((uintptr_t)place / sizeof *place) + queue->bias;
    if (*place & 1) {
        ((flow_node *)(*place - 1))->pos = pos;
    } else {
        ((flow_task *)*place)->pos_ = pos;
    }
}

/* Packs the queue: what left goes, the rest keeps its order. Needs no memory. */
static void pack(flow_world *world, flow_queue *queue)
{
    uintptr_t *from = queue->first, *due = NULL, *fresh = NULL;
    flow_chunk *chunk = queue->head;
    tail_set(queue, queue->head);
    uintptr_t *to = queue->head->entry;
    for (;;) {
        due = from == queue->due ? to : due;
        fresh = from == queue->fresh ? to : fresh;
        if (from == queue->end) {
            break;
        }
        if (flow__chunk_ends(from)) {
            chunk = chunk->next;
            from = chunk->entry;
            continue;
        }
        uintptr_t entry = *from++;
        if (entry == 0) {
            continue;
        }
        if (flow__chunk_ends(to)) {
            tail_set(queue, queue->tail->next);
            to = queue->tail->entry;
        }
        *to = entry;
        renumber(queue, to);
        to++;
    }
    for (flow_chunk *rest = queue->tail->next; rest != NULL;) {
        flow_chunk *next = rest->next;
        chunk_give(world, queue, rest);
        rest = next;
    }
    queue->tail->next = NULL;
    queue->first = queue->head->entry;
    queue->end = to;
    queue->due = due ? due : queue->first;
    queue->fresh = fresh ? fresh : queue->first;
    queue->dead = 0;
}

static void pack_reserved(flow_world *world)
{
    for (int phase = 1; phase < FLOW_PHASE_LIMIT; phase++) {
        if (world->ready[phase].tail != NULL) {
            pack(world, &world->ready[phase]);
        }
    }
    for (uint32_t i = 0; i < world->clock_count * FLOW_LANES; i++) {
        if (world->lanes[i] != NULL && world->lanes[i]->held.tail != NULL) {
            pack(world, &world->lanes[i]->held);
        }
    }
}

/* ---- the two ends ---- */

/* The queue needs room at its end. */
bool flow__queue_next_chunk(flow_world *world, flow_queue *queue)
{
    flow_chunk *chunk = chunk_take(world, queue);
    if (chunk == NULL && queue->reserved) {
        pack_reserved(world); /* the share is used up because queues are full of what left */
        if (!flow__chunk_ends(queue->end)) {
            return true;
        }
        chunk = chunk_take(world, queue);
    }
    if (chunk == NULL) {
        return false;
    }
    chunk->next = NULL;
    chunk->prev = queue->tail;
    if (queue->tail == NULL) {
        queue->head = chunk;
        queue->first = queue->due = queue->fresh = chunk->entry;
    } else {
        queue->tail->next = chunk;
    }
    tail_set(queue, chunk);
    queue->end = chunk->entry;
    queue->chunks++;
    return true;
}

/* The head chunk has been read to its end, and there is more. */
void flow__queue_head_done(flow_world *world, flow_queue *queue)
{
    flow_chunk *done = queue->head;
    queue->head = done->next;
    queue->fresh = queue->fresh == queue->first ? queue->head->entry : queue->fresh;
    queue->head->prev = NULL;
    queue->first = queue->head->entry;
    chunk_give(world, queue, done);
}

/* Nothing is in the queue: it begins anew in the chunk it has. */
void flow__queue_rewind(flow_queue *queue)
{
    queue->first = queue->end = queue->due = queue->fresh = queue->tail->entry;
    queue->dead = 0;
}

/* The tail chunk is empty: the one before it, which is full, is the tail. */
static void tail_done(flow_world *world, flow_queue *queue)
{
    flow_chunk *done = queue->tail;
    uintptr_t *end = done->prev->entry + FLOW_CHUNK_ENTRIES;
    queue->due = queue->due == queue->end ? end : queue->due;
    queue->fresh = queue->fresh == queue->end ? end : queue->fresh;
    queue->end = end;
    done->prev->next = NULL;
    tail_set(queue, done->prev);
    chunk_give(world, queue, done);
}

/* What has left at the end of the queue goes. */
static void tail_trim(flow_world *world, flow_queue *queue)
{
    for (;;) {
        if (queue->end == queue->tail->entry && queue->head != queue->tail) {
            tail_done(world, queue);
        }
        if (queue->end == queue->first || queue->end[-1] != 0) {
            return;
        }
        uintptr_t *end = queue->end - 1;
        queue->due = queue->due == queue->end ? end : queue->due;
        queue->fresh = queue->fresh == queue->end ? end : queue->fresh;
        queue->end = end;
        queue->dead -= queue->dead > 0;
    }
}

/* Takes out the entry at a position: at the end of the queue it goes, elsewhere it leaves a hole.
 */
void flow__queue_remove(flow_world *world, flow_queue *queue, uint32_t pos)
{
    uintptr_t *place = (uintptr_t *)(void *)chunk_of(world, pos) + pos % 64;
    *place = 0;
    queue->dead++;
    if (place + 1 == queue->end) {
        tail_trim(world, queue);
    } else if (queue->dead > 1024 && queue->dead > queue->chunks * (FLOW_CHUNK_ENTRIES / 2)) {
        pack(world, queue);
    }
}
