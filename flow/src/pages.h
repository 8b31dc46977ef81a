/* SPDX-License-Identifier: MIT */
/* Memory, queues and timers: the pages of a world, and what stands in them in order. A part of
 * private.h, which includes it in its place. */
#ifndef FLOW_PAGES_H
#define FLOW_PAGES_H

/* ---- pages and blocks (slab.c) ---- */

enum {
    FLOW_PAGE_SIZE = 32768,
    FLOW_PAGE_HEAD = 64,
    FLOW_PAGE_USABLE = FLOW_PAGE_SIZE - FLOW_PAGE_HEAD,
    FLOW_CLASS_COUNT = 17,
    FLOW_POOL_PAGES = 65536 /* most pages of a pool: 2 GiB */
};

typedef struct flow_page {
    flow_world *world;
    uint32_t index;              /* among its pool's pages */
    uint32_t block_size;         /* of a block page; 0: one big block */
    struct flow_page *next_span; /* first page of a span: the span taken before it */
    size_t span_size;            /* bytes of the span, in its first page */
    struct flow_page *next_free; /* free pages, free big blocks */
    size_t big_size;             /* usable bytes of a big block */
    char fill_[8];
} flow_page;
_Static_assert(sizeof(flow_page) <= FLOW_PAGE_HEAD, "a page's head fits its place");

typedef struct flow_free_block {
    struct flow_free_block *next;
} flow_free_block;

typedef struct flow_slab {
    flow_page *spans; /* everything taken from the allocator but the world itself */
    flow_page *free_pages;
    flow_page *free_big;
    flow_free_block *free_blocks[FLOW_CLASS_COUNT];
    size_t bytes; /* taken from the allocator */
} flow_slab;

typedef struct flow_pool {
    flow_page **dir;
    uint32_t pages, capacity;
} flow_pool;

static inline flow_page *flow__page_of(const void *address)
{
    return (flow_page *)((uintptr_t)address & ~(uintptr_t)(FLOW_PAGE_SIZE - 1));
}

static inline flow_world *flow__world_of(const void *address)
{
    return flow__page_of(address)->world;
}

static inline char *flow__pool_page(const flow_pool *pool, uint32_t index)
{
    return (char *)pool->dir[index];
}

bool flow__pool_grow(flow_world *world, flow_pool *pool, flow_page **page);
void *flow__page_take(flow_world *world);
void *flow__block_take(flow_world *world, size_t size);
void flow__block_give(void *block);
void flow__slab_free_all(flow_world *world);

/* ---- queues (queue.c) ---- */

enum {
    FLOW_CHUNK_SIZE = 64 * sizeof(uintptr_t),
    FLOW_CHUNK_ENTRIES = 62,
    FLOW_CHUNKS_PER_PAGE = 63
};

/* 64 words aligned to their size, so that an entry's address tells its chunk and where the chunk
 * ends. */
typedef struct flow_chunk {
    struct flow_chunk *next, *prev;
    uintptr_t
        entry[FLOW_CHUNK_ENTRIES]; /* a task, a node with the low bit set, 0 for one that left */
} flow_chunk;
_Static_assert(sizeof(flow_chunk) == FLOW_CHUNK_SIZE, "an entry's address tells its chunk");

/* Places in a queue are addresses of entries; the place behind a chunk's last entry is the end of
 * the chunk. */
typedef struct flow_queue {
    uintptr_t *first; /* next to pop */
    uintptr_t *end;   /* next to write */
    uintptr_t *due;   /* the running drain goes on to here */
    uintptr_t *fresh; /* where the entries of the frame `stamp` begin */
    flow_chunk *head, *tail;
    uint32_t bias;   /* an entry's position is its address / 8 + bias, in the tail chunk */
    uint32_t chunks; /* from head to tail */
    uint32_t dead;   /* entries that left */
    bool reserved;   /* draws on chunks set aside, so that a push never fails */
    uint64_t stamp;
} flow_queue;

typedef struct flow_chunk_store {
    flow_pool pool;
    flow_chunk *free;
    uint32_t free_count;
    uint32_t reserved_used; /* chunks in queues that may not fail */
    uint32_t reserved_need; /* chunks that those queues could need, all in all */
    uint32_t reserved_queues;
    uint32_t task_limit; /* live tasks up to which reserved_need is enough */
} flow_chunk_store;

bool flow__queue_next_chunk(flow_world *world, flow_queue *queue);
void flow__queue_head_done(flow_world *world, flow_queue *queue);
void flow__queue_remove(flow_world *world, flow_queue *queue, uint32_t pos);
void flow__queue_rewind(flow_queue *queue);
bool flow__reserve_for_tasks(flow_world *world, uint32_t live);
bool flow__reserve_for_queue(flow_world *world);
bool flow__reserve_for_waits(flow_world *world, uint32_t flows);

static inline bool flow__chunk_ends(const uintptr_t *place)
{
    return ((uintptr_t)place & (FLOW_CHUNK_SIZE - 1)) == 0;
}

/* Fails, for want of memory, only where the queue is not reserved. */
static inline bool flow__queue_push(flow_world *world, flow_queue *queue, uintptr_t entry,
                                    uint32_t *pos)
{
    if (FLOW_UNLIKELY_(flow__chunk_ends(queue->end)) && !flow__queue_next_chunk(world, queue)) {
        return false;
    }
    *queue->end = entry;
    *pos = (uint32_t)((uintptr_t)queue->end / sizeof entry) + queue->bias;
    queue->end++;
    return true;
}

/* ---- timers (heap.c) ---- */

enum {
    FLOW_REF_NODE = 1 << 30,
    FLOW_HEAP_PAGE_ENTRIES = FLOW_PAGE_USABLE / 16,
    FLOW_HEAP_STALE = 64, /* entries whose waits have ended, in a small heap */
    FLOW_HEAP_FRONT = 3   /* places left out, so that the four below an entry share a cache line */
};
_Static_assert(FLOW_HEAP_PAGE_ENTRIES % 4 == 0, "the four below an entry share a page");

typedef struct flow_heap_entry {
    int64_t due;
    uint32_t seq;
    uint32_t ref; /* a task's id, or a node's with FLOW_REF_NODE */
} flow_heap_entry;

typedef struct flow_heap {
    flow_heap_entry **dir; /* pages of entries; the only one is smaller while it is small */
    uint32_t count;        /* entries, stale ones included */
    uint32_t stale;
    uint32_t places; /* that there is memory for, those in front included */
    uint32_t dir_capacity;
} flow_heap;

static inline flow_heap_entry *flow__heap_at(const flow_heap *heap, uint32_t i)
{
    uint32_t place = i + FLOW_HEAP_FRONT;
    return heap->dir[place / FLOW_HEAP_PAGE_ENTRIES] + place % FLOW_HEAP_PAGE_ENTRIES;
}

bool flow__heap_push(flow_world *world, flow_heap *heap, flow_heap_entry entry);
flow_heap_entry *flow__heap_top(flow_world *world, flow_heap *heap);
flow_heap_entry *flow__heap_due(flow_world *world, flow_heap *heap, int64_t now);
void flow__heap_pop(flow_heap *heap);
void flow__heap_rebuild(flow_world *world, flow_heap *heap);
bool flow__heap_entry_lives(const flow_world *world, const flow_heap_entry *entry);

/* Tells that one entry's wait has ended: its kind or sequence has changed already. */
static inline void flow__heap_stale(flow_world *world, flow_heap *heap)
{
    heap->stale++;
    if (FLOW_UNLIKELY_(heap->stale > FLOW_HEAP_STALE && heap->stale > heap->count / 2)) {
        flow__heap_rebuild(world, heap);
    }
}

#endif
