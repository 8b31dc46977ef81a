/* SPDX-License-Identifier: MIT */
/*
 * The pool is one list of work behind one lock. Work is linked through itself, so that submitting
 * takes no memory and cannot fail while the pool runs.
 */
#include "flow_sdl.h"

/* ---- time ---- */

uint64_t flow_sdl_now_ns(void *user)
{
    const uint64_t second = 1000000000;
    uint64_t count = SDL_GetPerformanceCounter(), frequency = SDL_GetPerformanceFrequency();
    (void)user;
    return count / frequency * second + count % frequency * second / frequency;
}

/* ---- threads ---- */

struct flow_sdl_pool {
    flow_executor executor;
    SDL_mutex *lock;
    SDL_cond *more; /* there is work, or the end has come */
    flow_work *first, *last;
    int stopping;
    int count;              /* threads that were started and not joined */
    SDL_Thread *threads[1]; /* as many as there is memory for */
};

enum { POOL_THREADS_MOST = 256, POOL_NAME = 32 };

static int pool_submit(void *user, flow_work *work)
{
    flow_sdl_pool *pool = user;
    SDL_LockMutex(pool->lock);
    int stopping = pool->stopping;
    if (!stopping) {
        work->next = NULL;
        *(pool->last ? &pool->last->next : &pool->first) = work;
        pool->last = work;
        SDL_CondSignal(pool->more);
    }
    SDL_UnlockMutex(pool->lock);
    return stopping;
}

static void pool_sleep(void *user, double seconds)
{
    (void)user;
    SDL_Delay((Uint32)(seconds * 1000.0 + 0.5));
}

/* The oldest piece of work, waited for; null: the end has come. Behind the lock. */
static flow_work *pool_next(flow_sdl_pool *pool)
{
    while (pool->first == NULL && !pool->stopping) {
        SDL_CondWait(pool->more, pool->lock);
    }
    flow_work *work = pool->first;
    if (work != NULL) {
        pool->first = work->next;
        pool->last = pool->first ? pool->last : NULL;
    }
    return work;
}

static int SDLCALL pool_main(void *user)
{
    flow_sdl_pool *pool = user;
    flow_work *work;
    SDL_LockMutex(pool->lock);
    while ((work = pool_next(pool)) != NULL) {
        int dropped = pool->stopping;
        SDL_UnlockMutex(pool->lock);
        work->run(work, dropped);
        SDL_LockMutex(pool->lock);
    }
    SDL_UnlockMutex(pool->lock);
    return 0;
}

static int pool_threads_start(flow_sdl_pool *pool, const char *name, int threads)
{
    while (pool->count < threads) {
        char full[POOL_NAME];
        (void)SDL_snprintf(full, sizeof full, "%s %d", name, pool->count + 1);
        SDL_Thread *thread = SDL_CreateThread(pool_main, full, pool);
        if (thread == NULL) {
            return -1;
        }
        pool->threads[pool->count++] = thread;
    }
    return 0;
}

flow_sdl_pool *flow_sdl_pool_create(const flow_sdl_pool_desc *desc)
{
    int threads = desc ? desc->threads : 0;
    const char *name = desc && desc->name ? desc->name : "flow";
    threads = threads > 0 ? threads : SDL_GetCPUCount() - 1;
    threads = threads > 1 ? threads : 1;
    threads = threads < POOL_THREADS_MOST ? threads : POOL_THREADS_MOST;
    flow_sdl_pool *pool =
        SDL_calloc(1, sizeof *pool + (size_t)(threads - 1) * sizeof pool->threads[0]);
    if (pool == NULL) {
        (void)SDL_OutOfMemory();
        return NULL;
    }
    pool->executor = (flow_executor){pool_submit, pool_sleep, pool, (uint32_t)threads};
    pool->lock = SDL_CreateMutex();
    pool->more = pool->lock ? SDL_CreateCond() : NULL;
    if (pool->more == NULL || pool_threads_start(pool, name, threads) != 0) {
        char why[128]; /* what follows may fail too, but this is the reason */
        (void)SDL_strlcpy(why, SDL_GetError(), sizeof why);
        (void)flow_sdl_pool_destroy(pool);
        (void)SDL_SetError("%s", why);
        return NULL;
    }
    return pool;
}

flow_executor *flow_sdl_pool_executor(flow_sdl_pool *pool)
{
    return &pool->executor;
}

static int is_own_thread(const flow_sdl_pool *pool)
{
    for (int i = 0; i < pool->count; i++) {
        if (SDL_GetThreadID(pool->threads[i]) == SDL_ThreadID()) {
            return 1;
        }
    }
    return 0;
}

int flow_sdl_pool_stop(flow_sdl_pool *pool)
{
    if (is_own_thread(pool)) {
        return SDL_SetError("a pool cannot be stopped on one of its own threads");
    }
    if (pool->count != 0) {
        SDL_LockMutex(pool->lock);
        pool->stopping = 1;
        SDL_CondBroadcast(pool->more);
        SDL_UnlockMutex(pool->lock);
    }
    while (pool->count != 0) {
        SDL_WaitThread(pool->threads[--pool->count], NULL);
    }
    return 0;
}

int flow_sdl_pool_destroy(flow_sdl_pool *pool)
{
    if (pool == NULL) {
        return 0;
    }
    if (flow_sdl_pool_stop(pool) != 0) {
        return -1;
    }
    SDL_DestroyCond(pool->more);
    SDL_DestroyMutex(pool->lock);
    SDL_free(pool);
    return 0;
}
