/* SPDX-License-Identifier: MIT */
/*
 * Timers: a 4-ary heap of {due, sequence, who}. Equal deadlines come out in the order in which
 * their waits began. Leaving is lazy: a wait that ends otherwise leaves its entry, recognised by
 * its sequence number, and when such entries outnumber the others the heap is rebuilt without them.
 * Entries live in pages, so that growing moves nothing once the heap has its first.
 */
#include "private.h"

enum { FIRST_PLACES = 8, SMALL_PLACES = 508 };

static bool before(const flow_heap_entry *a, const flow_heap_entry *b)
{
    FLOW_FAULT_(1) return a->due < b->due;
    bool sooner = a->due < b->due;
    return sooner | ((a->due == b->due) & ((int32_t)(a->seq - b->seq) < 0));
}

bool flow__heap_entry_lives(const flow_world *world, const flow_heap_entry *entry)
{
    if (entry->ref & FLOW_REF_NODE) {
        const flow_node *node = flow__node(world, entry->ref & ~(uint32_t)FLOW_REF_NODE);
        return node->seq == entry->seq &&
               (node->kind == FLOW_NODE_TIMER || node->kind == FLOW_NODE_TICKS ||
                node->kind == FLOW_NODE_FRAMES);
    }
    const flow_task *task = flow__task(world, entry->ref);
    return task->budget_ == entry->seq && task->kind_ == FLOW_KIND_TIMER;
}

/* The directory grows by doubling; a heap's directories are small beside its pages. */
static bool heap_dir_grow(flow_world *world, flow_heap *heap)
{
    uint32_t capacity = heap->dir_capacity ? heap->dir_capacity * 2 : 8;
    flow_heap_entry **dir = flow__block_take(world, capacity * sizeof *dir);
    if (dir == NULL) {
        return false;
    }
    if (heap->dir != NULL) {
        memcpy(dir, heap->dir, heap->dir_capacity * sizeof *dir);
        flow__block_give(heap->dir);
    }
    heap->dir = dir;
    heap->dir_capacity = capacity;
    return true;
}

/* A small heap is one block that doubles; then come whole pages. */
static bool grow(flow_world *world, flow_heap *heap)
{
    uint32_t page = heap->places / FLOW_HEAP_PAGE_ENTRIES;
    if (heap->places >= FLOW_HEAP_PAGE_ENTRIES) {
        if (page == heap->dir_capacity && !heap_dir_grow(world, heap)) {
            return false;
        }
        heap->dir[page] = flow__page_take(world);
        heap->places += heap->dir[page] ? FLOW_HEAP_PAGE_ENTRIES : 0;
        return heap->dir[page] != NULL;
    }
    if (heap->dir == NULL && !heap_dir_grow(world, heap)) {
        return false;
    }
    uint32_t places = heap->places == 0 ? FIRST_PLACES : heap->places * 2;
    bool whole = places > SMALL_PLACES;
    flow_heap_entry *entries =
        whole ? flow__page_take(world) : flow__block_take(world, places * sizeof *entries);
    if (entries == NULL) {
        return false;
    }
    if (heap->places != 0) {
        memcpy(entries + FLOW_HEAP_FRONT, heap->dir[0] + FLOW_HEAP_FRONT,
               heap->count * sizeof *entries);
        flow__block_give(heap->dir[0]);
    }
    heap->dir[0] = entries;
    heap->places = whole ? FLOW_HEAP_PAGE_ENTRIES : places;
    return true;
}

static void sift_up(flow_heap *heap, uint32_t i, flow_heap_entry entry)
{
    while (i > 0) {
        uint32_t parent = (i - 1) / 4;
        flow_heap_entry *above = flow__heap_at(heap, parent);
        if (!before(&entry, above)) {
            break;
        }
        *flow__heap_at(heap, i) = *above;
        i = parent;
    }
    *flow__heap_at(heap, i) = entry;
}

/* Of the entries below another, which stand side by side, the place of the one that goes first.
 * Sums instead of branches, whose outcome none could foretell; pairs, so that no comparison waits
 * for three others. */
static uint32_t least_of(const flow_heap_entry *below, uint32_t count)
{
    if (FLOW_LIKELY_(count >= 4)) {
        uint32_t left = before(below + 1, below);
        uint32_t right = 2u + before(below + 3, below + 2);
        return left + (right - left) * before(below + right, below + left);
    }
    uint32_t least = 0;
    for (uint32_t i = 1; i < count; i++) {
        least += (i - least) * before(below + i, below + least);
    }
    return least;
}

static void sift_down(flow_heap *heap, uint32_t i, flow_heap_entry entry)
{
    flow_heap_entry *at = flow__heap_at(heap, i);
    for (uint32_t child = 4 * i + 1; child < heap->count; child = 4 * i + 1) {
        flow_heap_entry *below = flow__heap_at(heap, child);
        uint32_t least = least_of(below, heap->count - child);
        if (!before(below + least, &entry)) {
            break;
        }
        *at = below[least];
        at = below + least;
        i = child + least;
    }
    *at = entry;
}

bool flow__heap_push(flow_world *world, flow_heap *heap, flow_heap_entry entry)
{
    if (heap->count + FLOW_HEAP_FRONT >= heap->places && !grow(world, heap)) {
        return false;
    }
    heap->count++;
    sift_up(heap, heap->count - 1, entry);
    return true;
}

void flow__heap_pop(flow_heap *heap)
{
    flow_heap_entry last = *flow__heap_at(heap, heap->count - 1);
    heap->count--;
    if (heap->count > 0) {
        sift_down(heap, 0, last);
    }
}

/* The earliest entry whose wait still waits, or null. */
flow_heap_entry *flow__heap_top(flow_world *world, flow_heap *heap)
{
    while (heap->count > 0) {
        flow_heap_entry *top = flow__heap_at(heap, 0);
        if (flow__heap_entry_lives(world, top)) {
            return top;
        }
        flow__heap_pop(heap);
        heap->stale--;
    }
    return NULL;
}

/* The same as far as it is due by now. In a large heap what has left and is not due yet is not
 * looked at: it goes when the heap is rebuilt, which is cheaper than taking out each. */
flow_heap_entry *flow__heap_due(flow_world *world, flow_heap *heap, int64_t now)
{
    if (heap->count > FLOW_HEAP_STALE && flow__heap_at(heap, 0)->due > now) {
        return NULL;
    }
    flow_heap_entry *top = flow__heap_top(world, heap);
    return top != NULL && top->due <= now ? top : NULL;
}

void flow__heap_rebuild(flow_world *world, flow_heap *heap)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < heap->count; i++) {
        flow_heap_entry entry = *flow__heap_at(heap, i);
        if (flow__heap_entry_lives(world, &entry)) {
            *flow__heap_at(heap, kept++) = entry;
        }
    }
    heap->count = kept;
    heap->stale = 0;
    for (uint32_t i = kept / 4 + 1; i-- > 0;) {
        if (i < kept) {
            sift_down(heap, i, *flow__heap_at(heap, i));
        }
    }
}
