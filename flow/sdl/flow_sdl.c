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

static int take_work(void *user, flow_work *work)
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

static void sleep_for(void *user, double seconds)
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

static int SDLCALL worker_main(void *user)
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
        SDL_Thread *thread = SDL_CreateThread(worker_main, full, pool);
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
    pool->executor = (flow_executor){take_work, sleep_for, pool, (uint32_t)threads};
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

/* ---- files ---- */

enum { CHUNK = 65536 }; /* what is read between two looks at the stop */

flow_sdl_file flow_sdl_file_at(const char *path, size_t limit)
{
    flow_sdl_file file = {.limit = limit};
    if (SDL_strlcpy(file.path, path, sizeof file.path) >= sizeof file.path) {
        (void)SDL_strlcpy(file.error, "the path is too long", sizeof file.error);
        file.path[0] = '\0';
    }
    return file;
}

void flow_sdl_file_free(flow_sdl_file *file)
{
    SDL_free(file->data);
    file->data = NULL;
    file->size = 0;
}

static int file_fails(flow_job *job, flow_sdl_file *file, int code, const char *why)
{
    flow_sdl_file_free(file);
    (void)SDL_snprintf(file->error, sizeof file->error, "%s: %s", file->path, why);
    return flow_job_fail(job, code, flow_status_text(code));
}

/* Room for a chunk more, and the byte behind it: for all of it, once it has been seen to be a file
 * that can be read, for what a folder says of its size is not to be believed. */
static int file_grow(flow_sdl_file *file, size_t *room, Sint64 whole)
{
    size_t wanted = file->size + CHUNK;
    if (*room >= wanted) {
        return 1;
    }
    wanted = wanted < 2 * *room ? 2 * *room : wanted;
    wanted = file->size != 0 && whole > 0 && wanted < (size_t)whole + CHUNK ? (size_t)whole + CHUNK
                                                                            : wanted;
    void *data = SDL_realloc(file->data, wanted + 1);
    if (data == NULL) {
        return 0;
    }
    file->data = data;
    *room = wanted;
    return 1;
}

static int file_read(flow_job *job, flow_sdl_file *file, SDL_RWops *from)
{
    Sint64 whole = SDL_RWsize(from);
    size_t room = 0, got = 1;
    if (file->limit != 0 && whole > 0 && (size_t)whole > file->limit) {
        return file_fails(job, file, FLOW_FULL, "it is larger than its limit");
    }
    while (got != 0) {
        if (flow_job_stopped(job)) {
            flow_sdl_file_free(file);
            return FLOW_CANCELLED;
        }
        if (!file_grow(file, &room, whole)) {
            return file_fails(job, file, FLOW_NOMEM, "no memory for it");
        }
        got = SDL_RWread(from, (char *)file->data + file->size, 1, CHUNK);
        file->size += got;
        if (file->limit != 0 && file->size > file->limit) {
            return file_fails(job, file, FLOW_FULL, "it is larger than its limit");
        }
        if (whole > 0) {
            flow_job_progress(job, (double)file->size / (double)whole);
        }
    }
    if (whole >= 0 && file->size < (size_t)whole) {
        return file_fails(job, file, FLOW_IO, "it ends too early");
    }
    ((char *)file->data)[file->size] = '\0';
    flow_job_progress(job, 1.0);
    return 0;
}

static int load_file(flow_job *job, void *data)
{
    flow_sdl_file *file = data;
    file->data = NULL;
    file->size = 0;
    flow_job_progress_to(job, &file->progress);
    if (file->path[0] == '\0') { /* flow_sdl_file_at says why */
        return flow_job_fail(job, FLOW_IO, flow_status_text(FLOW_IO));
    }
    SDL_RWops *from = SDL_RWFromFile(file->path, "rb");
    if (from == NULL) {
        return file_fails(job, file, FLOW_IO, SDL_GetError());
    }
    int code = file_read(job, file, from);
    (void)SDL_RWclose(from);
    return code;
}

static void discard_file(void *data, int code)
{
    (void)code;
    flow_sdl_file_free(data);
}

flow_wait flow_sdl_load_file(flow_executor *executor, flow_sdl_file *file)
{
    static const flow_job_desc desc = {load_file, "load file", discard_file, NULL};
    return flow_run_with(executor, &desc, file);
}

/* ---- events ---- */

flow_status flow_sdl_events_init(flow_sdl_events *events, flow_world *world)
{
    *events = (flow_sdl_events){.removed_count = 0};
    return flow_signal_init(&events->all, world);
}

void flow_sdl_events_fini(flow_sdl_events *events)
{
    flow_signal_fini(&events->all);
    for (int i = 0; i < FLOW_SDL_PADS; i++) {
        flow_signal_fini(&events->pads[i].events);
    }
}

static int is_in_use(const flow_sdl_events *events, int place)
{
    return events->pads[place].events.signal.id_ != 0;
}

/* Where a pad has its signal; -1: nobody has waited for it. */
static int pad_place(const flow_sdl_events *events, SDL_JoystickID id)
{
    for (int i = 0; i < FLOW_SDL_PADS; i++) {
        if (is_in_use(events, i) && events->pads[i].id == id) {
            return i;
        }
    }
    return -1;
}

static int was_removed(const flow_sdl_events *events, SDL_JoystickID id)
{
    for (uint32_t i = 0; i < FLOW_SDL_PADS && i < events->removed_count; i++) {
        if (events->removed[i] == id) {
            return 1;
        }
    }
    return 0;
}

static void pad_removed(flow_sdl_events *events, SDL_JoystickID id)
{
    int place = pad_place(events, id);
    if (!was_removed(events, id)) { /* SDL says it twice, as a joystick and as a controller */
        events->removed[events->removed_count++ % FLOW_SDL_PADS] = id;
    }
    if (place >= 0) {
        flow_signal_fini(&events->pads[place].events);
    }
}

uint32_t flow_sdl_events_emit(flow_sdl_events *events, const SDL_Event *event)
{
    uint32_t reached = flow_emit(&events->all, event);
    if (event->type == SDL_CONTROLLERBUTTONDOWN) {
        int place = pad_place(events, event->cbutton.which);
        reached += place >= 0 ? flow_emit(&events->pads[place].events, event) : 0;
    } else if (event->type == SDL_CONTROLLERDEVICEREMOVED) {
        pad_removed(events, event->cdevice.which);
    } else if (event->type == SDL_JOYDEVICEREMOVED) {
        pad_removed(events, event->jdevice.which);
    }
    return reached;
}

/* What a wait looks for stands in the pointer that its condition gets; 0: anything. */
static void *wanted(Uint32 what)
{
    return (void *)(uintptr_t)what;
}

static int is_or_any(Uint32 value, void *what)
{
    return what == NULL || (uintptr_t)what == value;
}

static int match_type(const void *value, void *type)
{
    const SDL_Event *event = value;
    return is_or_any(event->type, type);
}

static int match_key(const void *value, void *key)
{
    const SDL_Event *event = value;
    return event->type == SDL_KEYDOWN && event->key.repeat == 0 &&
           is_or_any((Uint32)event->key.keysym.scancode, key);
}

static int match_click(const void *value, void *button)
{
    const SDL_Event *event = value;
    return event->type == SDL_MOUSEBUTTONDOWN && is_or_any(event->button.button, button);
}

/* Buttons count from 0, and what is wanted from 1. */
static int match_button(const void *value, void *button)
{
    const SDL_Event *event = value;
    return event->type == SDL_CONTROLLERBUTTONDOWN && is_or_any(event->cbutton.button + 1u, button);
}

flow_wait flow_sdl_next_event(flow_sdl_events *events, Uint32 type, SDL_Event *out)
{
    return flow_next_if(&events->all, out, match_type, wanted(type));
}

flow_wait flow_sdl_next_key(flow_sdl_events *events, SDL_Scancode key, SDL_Event *out)
{
    return flow_next_if(&events->all, out, match_key, wanted((Uint32)key));
}

flow_wait flow_sdl_next_click(flow_sdl_events *events, Uint8 button, SDL_Event *out)
{
    return flow_next_if(&events->all, out, match_click, wanted(button));
}

/* A place for a pad, with its signal; a status where there is none. */
static int pad_watch(flow_sdl_events *events, SDL_JoystickID pad, int *place)
{
    *place = pad_place(events, pad);
    if (was_removed(events, pad)) {
        return FLOW_CLOSED;
    }
    for (int i = 0; *place < 0 && i < FLOW_SDL_PADS; i++) {
        if (!is_in_use(events, i)) {
            *place = i;
            events->pads[i].id = pad;
            return flow_signal_init(&events->pads[i].events, events->all.signal.world_);
        }
    }
    return *place < 0 ? FLOW_FULL : FLOW_OK;
}

flow_wait flow_sdl_next_button(flow_sdl_events *events, SDL_JoystickID pad,
                               SDL_GameControllerButton button, SDL_Event *out)
{
    int place;
    void *what = wanted((Uint32)(button + 1));
    if (pad == FLOW_SDL_ANY) {
        return flow_next_if(&events->all, out, match_button, what);
    }
    if (events->all.signal.id_ == 0) {
        return flow_failed(FLOW_CLOSED, "the events have ended");
    }
    int status = pad_watch(events, pad, &place);
    if (status != FLOW_OK) {
        return flow_failed(status, status == FLOW_CLOSED ? "the pad was removed"
                                                         : flow_status_text(status));
    }
    return flow_next_if(&events->pads[place].events, out, match_button, what);
}
