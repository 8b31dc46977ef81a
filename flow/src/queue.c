/* SPDX-License-Identifier: MIT */
/*
 * Queues: first in, first out, in chunks of 63 entries. An entry is found again by a 32-bit position (chunk and place), so
 * that leaving is one store that puts 0 there; order never changes. When what left outnumbers what stays, the queue is
 * packed in place, in order.
 *
 * Queues that a resume goes through (ready, held) must never fail to take an entry, since emitting, cancelling and ending
 * cannot fail. They draw on chunks set aside while starting a flow could still fail: every live flow stands in at most one
 * of them, so one chunk for 63 flows and two for each such queue are always enough once a queue is packed.
 */
#include "private.h"

static flow_chunk *chunk_of(const flow_world *world, uint32_t pos)
{
    uint32_t chunk = pos >> 6;
    char    *page = flow__pool_page(&world->chunks.pool, chunk / 64);
    return (flow_chunk *)(void *)(page + FLOW_PAGE_HEAD) + chunk % 64;
}

static uint32_t chunk_id(const flow_chunk *chunk)
{
    const flow_page *page = flow__page_of(chunk);
    uintptr_t        offset = (uintptr_t)chunk - (uintptr_t)page - FLOW_PAGE_HEAD;
    return page->index * 64 + (uint32_t)(offset / sizeof(flow_chunk));
}

static bool chunks_grow(flow_world *world)
{
    flow_page *page;
    if (!flow__pool_grow(world, &world->chunks.pool, &page)) {
        return false;
    }
    flow_chunk *chunk = (flow_chunk *)(void *)((char *)page + FLOW_PAGE_HEAD);
    for (uint32_t i = FLOW_CHUNKS_PER_PAGE; i-- > 0;) {
        chunk[i].next = world->chunks.free;
        world->chunks.free = &chunk[i];
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
    store->reserved_need = need;
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
    uint32_t chunks = live / FLOW_CHUNK_ENTRIES + 1;
    if (!reserve(world, chunks + 2 * world->chunks.reserved_queues)) {
        return false;
    }
    world->chunks.task_limit = chunks * FLOW_CHUNK_ENTRIES;
    return true;
}

static void chunk_give(flow_world *world, const flow_queue *queue, flow_chunk *chunk)
{
    chunk->next = world->chunks.free;
    world->chunks.free = chunk;
    world->chunks.free_count++;
    world->chunks.reserved_used -= queue->reserved;
}

static flow_chunk *chunk_take(flow_world *world, const flow_queue *queue)
{
    flow_chunk_store *store = &world->chunks;
    if (!queue->reserved && store->free_count + store->reserved_used <= store->reserved_need && !chunks_grow(world)) {
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

static void renumber(uintptr_t entry, uint32_t pos)
{
    if (entry & 1) {
        ((flow_node *)(entry - 1))->pos = pos;
    } else {
        ((flow_task *)entry)->pos_ = pos;
    }
}

/* The queue ends with this chunk; those behind it are free. */
static void chunks_give_from(flow_world *world, flow_queue *queue, flow_chunk *last)
{
    flow_chunk *rest = last->next;
    last->next = NULL;
    queue->tail = last;
    queue->tail_pos = chunk_id(last) << 6;
    while (rest != NULL) {
        flow_chunk *next = rest->next;
        chunk_give(world, queue, rest);
        rest = next;
    }
}

/* Packs the queue: what left goes, the rest keeps its order. Needs no memory. */
static void pack(flow_world *world, flow_queue *queue)
{
    flow_chunk *from = queue->head;
    flow_chunk *to = queue->head;
    uint32_t    count = flow__queue_count(queue), due = flow__queue_due(queue), old = queue->old - queue->popped;
    uint32_t    read = queue->first, write = 0, kept = 0, kept_due = 0, kept_old = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (read == FLOW_CHUNK_ENTRIES) {
            from = from->next;
            read = 0;
        }
        uintptr_t entry = from->entry[read++];
        if (entry == 0) {
            continue;
        }
        if (write == FLOW_CHUNK_ENTRIES) {
            to = to->next;
            write = 0;
        }
        to->entry[write] = entry;
        renumber(entry, (chunk_id(to) << 6) | write);
        write++;
        kept++;
        kept_due += i < due;
        kept_old += (int32_t)(old - i) > 0;
    }
    chunks_give_from(world, queue, to);
    queue->first = 0;
    queue->end = write;
    queue->pushed = queue->popped + kept;
    queue->due = queue->popped + kept_due;
    queue->old = queue->popped + kept_old;
    queue->dead = 0;
}

/* The queue needs room at its end. */
bool flow__queue_next_chunk(flow_world *world, flow_queue *queue)
{
    flow_chunk *chunk = chunk_take(world, queue);
    if (chunk == NULL && queue->reserved) {
        pack(world, queue); /* a reserved queue that has used up its share is full of what left */
        if (queue->end < FLOW_CHUNK_ENTRIES) {
            return true;
        }
        chunk = chunk_take(world, queue);
    }
    if (chunk == NULL) {
        return false;
    }
    chunk->next = NULL;
    if (queue->tail == NULL) {
        queue->head = chunk;
        queue->first = 0;
    } else {
        queue->tail->next = chunk;
    }
    queue->tail = chunk;
    queue->tail_pos = chunk_id(chunk) << 6;
    queue->end = 0;
    return true;
}

/* The head chunk has been read to its end, or the queue is empty. */
void flow__queue_head_done(flow_world *world, flow_queue *queue)
{
    if (queue->head == queue->tail) {
        if (queue->popped == queue->pushed) {
            queue->first = queue->end = 0;
            queue->dead = 0;
        }
        return;
    }
    if (queue->first == FLOW_CHUNK_ENTRIES) {
        flow_chunk *done = queue->head;
        queue->head = done->next;
        queue->first = 0;
        chunk_give(world, queue, done);
    }
    if (queue->popped == queue->pushed) {
        queue->dead = 0;
    }
}

/* Takes out the entry at a position: at the end of the queue it goes, elsewhere it leaves a hole. */
void flow__queue_remove(flow_world *world, flow_queue *queue, uint32_t pos)
{
    flow_chunk *chunk = chunk_of(world, pos);
    chunk->entry[pos & 63] = 0;
    queue->dead++;
    uint32_t first = queue->head == queue->tail ? queue->first : 0;
    while (chunk == queue->tail && queue->end > first && chunk->entry[queue->end - 1] == 0) {
        queue->end--;
        queue->pushed--;
        queue->dead -= queue->dead > 0;
    }
    if ((int32_t)(queue->due - queue->pushed) > 0) {
        queue->due = queue->pushed;
    }
    if ((int32_t)(queue->old - queue->pushed) > 0) {
        queue->old = queue->pushed;
    }
    if (queue->dead > 1024 && queue->dead > flow__queue_count(queue) / 2) {
        pack(world, queue);
    }
}

