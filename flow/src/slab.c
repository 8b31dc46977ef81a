/* SPDX-License-Identifier: MIT */
/*
 * Memory of a world: pages of 32 KiB, taken from the allocator in spans of up to eight, and given
 * back when the world ends or is trimmed. A page becomes a pool page (tasks, nodes, chunks), a page
 * of heap entries, or a page of equal blocks of one size class; what is larger than a class is a
 * big block, a span of its own. Freed blocks are kept by class, newest first.
 */
#include "private.h"

static const uint16_t class_size[FLOW_CLASS_COUNT] = {
    64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 5440, 8128, 10880, 16320};

static int class_of(size_t size)
{
    int c = 0;
    while (class_size[c] < size) {
        c++;
    }
    return c;
}

static flow_page *span_take(flow_world *world, uint32_t pages)
{
    flow_slab *slab = &world->slab;
    size_t size = (size_t)pages * FLOW_PAGE_SIZE;
    size_t budget = world->desc.byte_budget;
    if (budget != 0 && (size > budget || slab->bytes > budget - size)) {
        return NULL;
    }
    flow_page *span = world->desc.allocator.alloc(world->desc.allocator.user, size, FLOW_PAGE_SIZE);
    if (span == NULL) {
        return NULL;
    }
    slab->bytes += size;
    for (uint32_t i = 0; i < pages; i++) {
        flow_page *page = (flow_page *)(void *)((char *)span + (size_t)i * FLOW_PAGE_SIZE);
        memset(page, 0, sizeof *page);
        page->world = world;
    }
    span->span_size = size;
    span->next_span = slab->spans;
    slab->spans = span;
    return span;
}

/* Grows by an eighth, so that a small world stays small and a large one calls its allocator seldom.
 */
static bool pages_grow(flow_world *world)
{
    uint32_t pages = (uint32_t)(world->slab.bytes / FLOW_PAGE_SIZE / 8);
    flow_page *span = NULL;
    pages = pages < 1 ? 1 : pages > 8 ? 8 : pages;
    while (span == NULL && pages > 0) {
        span = span_take(world, pages);
        pages = span ? pages : pages / 2;
    }
    for (uint32_t i = pages; span != NULL && i-- > 0;) {
        flow_page *page = (flow_page *)(void *)((char *)span + (size_t)i * FLOW_PAGE_SIZE);
        page->next_free = world->slab.free_pages;
        world->slab.free_pages = page;
    }
    return span != NULL;
}

/* The page keeps its head: spans are found through it. */
static flow_page *page_take(flow_world *world)
{
    flow_slab *slab = &world->slab;
    if (slab->free_pages == NULL && !pages_grow(world)) {
        return NULL;
    }
    flow_page *page = slab->free_pages;
    slab->free_pages = page->next_free;
    page->next_free = NULL;
    return page;
}

/* 2,044 heap entries behind the page's head. */
void *flow__page_take(flow_world *world)
{
    flow_page *page = page_take(world);
    return page ? (char *)page + FLOW_PAGE_HEAD : NULL;
}

/* A pool's table of pages doubles. */
static bool dir_grow(flow_world *world, flow_pool *pool)
{
    uint32_t capacity = pool->capacity ? pool->capacity * 2 : 8;
    flow_page **dir =
        capacity <= FLOW_POOL_PAGES ? flow__block_take(world, capacity * sizeof(*dir)) : NULL;
    if (dir == NULL) {
        return false;
    }
    if (pool->dir != NULL) {
        memcpy(dir, pool->dir, pool->pages * sizeof(*dir));
        flow__block_give(pool->dir);
    }
    pool->dir = dir;
    pool->capacity = capacity;
    return true;
}

bool flow__pool_grow(flow_world *world, flow_pool *pool, flow_page **result)
{
    if (pool->pages == pool->capacity && !dir_grow(world, pool)) {
        return false;
    }
    flow_page *page = page_take(world);
    if (page == NULL) {
        return false;
    }
    page->index = pool->pages;
    pool->dir[pool->pages++] = page;
    *result = page;
    return true;
}

static bool class_grow(flow_world *world, int c)
{
    flow_page *page = page_take(world);
    if (page == NULL) {
        return false;
    }
    size_t size = class_size[c];
    size_t first = size == 256 ? 256 : FLOW_PAGE_HEAD; /* segments are found by their alignment */
    page->block_size = (uint32_t)size;
    for (size_t at = first + (FLOW_PAGE_SIZE - first) / size * size; at > first; at -= size) {
        flow_free_block *block = (flow_free_block *)(void *)((char *)page + at - size);
        block->next = world->slab.free_blocks[c];
        world->slab.free_blocks[c] = block;
    }
    return true;
}

static void *big_take(flow_world *world, size_t size)
{
    size_t pages = (size + FLOW_PAGE_HEAD + FLOW_PAGE_SIZE - 1) / FLOW_PAGE_SIZE;
    size_t most = 2 * pages * FLOW_PAGE_SIZE; /* larger ones are kept for larger needs */
    for (flow_page **link = &world->slab.free_big; *link != NULL; link = &(*link)->next_free) {
        flow_page *page = *link;
        if (page->big_size >= size && page->big_size <= most) {
            *link = page->next_free;
            return (char *)page + FLOW_PAGE_HEAD;
        }
    }
    if (pages > UINT32_MAX) {
        return NULL;
    }
    flow_page *page = span_take(world, (uint32_t)pages);
    if (page == NULL) {
        return NULL;
    }
    page->big_size = pages * FLOW_PAGE_SIZE - FLOW_PAGE_HEAD;
    return (char *)page + FLOW_PAGE_HEAD;
}

void *flow__block_take(flow_world *world, size_t size)
{
    if (size > class_size[FLOW_CLASS_COUNT - 1]) {
        return big_take(world, size);
    }
    int c = class_of(size);
    if (world->slab.free_blocks[c] == NULL && !class_grow(world, c)) {
        return NULL;
    }
    flow_free_block *block = world->slab.free_blocks[c];
    world->slab.free_blocks[c] = block->next;
    return block;
}

void flow__block_give(void *memory)
{
    flow_page *page = flow__page_of(memory);
    flow_slab *slab = &page->world->slab;
    if (page->block_size == 0) {
        page->next_free = slab->free_big;
        slab->free_big = page;
        return;
    }
    int c = class_of(page->block_size);
    flow_free_block *block = memory;
    block->next = slab->free_blocks[c];
    slab->free_blocks[c] = block;
}

/* ---- giving back ---- */

enum { PAGE_IS_FREE = UINT32_MAX >> 1, PAGE_GOES = PAGE_IS_FREE - 1 }; /* flow_page.index */

/* Pages of blocks that are all free become free pages. `index` counts a page's free blocks, and
 * big_size those that have left the list. */
static void class_trim(flow_slab *slab, int c)
{
    size_t size = class_size[c];
    size_t first = size == 256 ? 256 : FLOW_PAGE_HEAD;
    uint32_t all = (uint32_t)((FLOW_PAGE_SIZE - first) / size);
    for (flow_free_block *b = slab->free_blocks[c]; b != NULL; b = b->next) {
        flow__page_of(b)->index++;
    }
    for (flow_free_block **link = &slab->free_blocks[c]; *link != NULL;) {
        flow_page *page = flow__page_of(*link);
        if (page->index != all) {
            link = &(*link)->next;
            continue;
        }
        *link = (*link)->next;
        if (++page->big_size == all) {
            page->block_size = 0;
            page->big_size = 0;
            page->next_free = slab->free_pages;
            slab->free_pages = page;
        }
    }
    for (flow_free_block *b = slab->free_blocks[c]; b != NULL; b = b->next) {
        flow__page_of(b)->index = 0;
    }
}

/* Marks the spans of which every page is free. */
static void spans_mark(const flow_slab *slab)
{
    for (flow_page *page = slab->free_pages; page != NULL; page = page->next_free) {
        page->index = PAGE_IS_FREE;
    }
    for (flow_page *span = slab->spans; span != NULL; span = span->next_span) {
        size_t pages = span->span_size / FLOW_PAGE_SIZE, free = 0;
        while (free < pages &&
               ((flow_page *)(void *)((char *)span + free * FLOW_PAGE_SIZE))->index ==
                   PAGE_IS_FREE) {
            free++;
        }
        for (size_t i = 0; free == pages && i < pages; i++) {
            ((flow_page *)(void *)((char *)span + i * FLOW_PAGE_SIZE))->index = PAGE_GOES;
        }
    }
}

/* The marked spans go back to the allocator. */
static size_t spans_give(flow_world *world)
{
    flow_slab *slab = &world->slab;
    size_t given = 0;
    for (flow_page **link = &slab->free_pages; *link != NULL;) {
        flow_page *page = *link;
        if (page->index == PAGE_GOES) {
            *link = page->next_free;
        } else {
            page->index = 0;
            link = &page->next_free;
        }
    }
    for (flow_page **link = &slab->spans; *link != NULL;) {
        flow_page *span = *link;
        if (span->index != PAGE_GOES) {
            link = &span->next_span;
            continue;
        }
        *link = span->next_span;
        given += span->span_size;
        world->desc.allocator.free(world->desc.allocator.user, span, span->span_size);
    }
    slab->bytes -= given;
    return given;
}

size_t flow_world_trim(flow_world *world)
{
    flow_slab *slab = &world->slab;
    for (int c = 0; c < FLOW_CLASS_COUNT; c++) {
        class_trim(slab, c);
    }
    spans_mark(slab);
    for (flow_page *page = slab->free_big; page != NULL; page = page->next_free) {
        page->index = PAGE_GOES; /* a span of its own */
    }
    slab->free_big = NULL;
    return spans_give(world);
}

void flow__slab_free_all(flow_world *world)
{
    flow_allocator allocator = world->desc.allocator;
    flow_page *span = world->slab.spans;
    while (span != NULL) {
        flow_page *next = span->next_span;
        allocator.free(allocator.user, span, span->span_size);
        span = next;
    }
}
