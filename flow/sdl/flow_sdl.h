/* SPDX-License-Identifier: MIT */
/*
 * flow on SDL2: threads for executors, files that they load, and SDL's clock.
 *
 *     flow_sdl_pool *pool = flow_sdl_pool_create(NULL);
 *     flow_world_desc desc = {.now_ns = flow_sdl_now_ns};
 *     ...
 *     FLOW_AWAIT(flow_run_on(flow_sdl_pool_executor(pool), load_mesh, &self->load));
 *
 *     self->file = flow_sdl_file_at("level.map", 1 << 20);
 *     FLOW_AWAIT(flow_sdl_load_file(flow_sdl_pool_executor(pool), &self->file));
 *     level_parse(self->file.data, self->file.size);
 *     flow_sdl_file_free(&self->file);
 *     ...
 *     flow_world_destroy(world);
 *     flow_sdl_pool_destroy(pool);
 *
 * Optional: flow itself knows nothing of SDL. Build flow_sdl.c beside flow, or link flow::sdl.
 */
#ifndef FLOW_SDL_H
#define FLOW_SDL_H

#include <SDL.h>

#include "flow/flow.h"

FLOW_EXTERN_C_BEGIN_

/* ---- time ---- */

/* SDL's performance counter in nanoseconds, for flow_world_desc.now_ns. Any thread. */
uint64_t flow_sdl_now_ns(void *user);

/* ---- threads ---- */

/* A few threads that do the work of flows, first come, first served. */
typedef struct flow_sdl_pool flow_sdl_pool;

/* How to make one; start from {0}. */
typedef struct flow_sdl_pool_desc {
    int threads; /* 0: as many as SDL_GetCPUCount says, less one for the game's own, at least 1 */
    const char *name; /* threads are called "name 1" and so on; null: "flow" */
} flow_sdl_pool_desc;

/* Starts the threads. desc may be null. Null, with SDL_GetError, when one of them or the memory for
 * them cannot be had: those that were started are gone again then. */
FLOW_NODISCARD_ flow_sdl_pool *flow_sdl_pool_create(const flow_sdl_pool_desc *desc);

/* For flow_run_on and its like, as long as the pool is there. */
flow_executor *flow_sdl_pool_executor(flow_sdl_pool *pool);

/* Ends the threads: waits for the work that is under way, and drops what has not begun, whose flows
 * fail as CLOSED at home. From now on the pool takes no work; flows that try fail as CLOSED. Call
 * it or flow_sdl_pool_destroy before or after the worlds that use it are destroyed, from one
 * thread. 0; or -1, and nothing happens, on one of its own threads. */
int flow_sdl_pool_stop(flow_sdl_pool *pool);

/* Stops it and gives its memory back; nothing may use its executor any more. 0; or -1, and nothing
 * happens, on one of its own threads. null is 0. */
int flow_sdl_pool_destroy(flow_sdl_pool *pool);

/* ---- files ---- */

enum { FLOW_SDL_PATH = 256, FLOW_SDL_ERROR = 128 };

/* A file to load, and what was loaded. */
typedef struct flow_sdl_file {
    char path[FLOW_SDL_PATH];
    size_t limit;               /* bytes; a larger file is refused; 0: no limit */
    flow_property progress;     /* of a FLOW_PROPERTY(double) that becomes 0 to 1; all zero: none */
    void *data;                 /* loaded, and one byte 0 after it; null while it is not */
    size_t size;                /* of data, without that byte */
    char error[FLOW_SDL_ERROR]; /* what went wrong, with SDL's words for it */
} flow_sdl_file;

/* One to load. path is copied, for SDL_RWFromFile; one that does not fit into FLOW_SDL_PATH bytes
 * cannot be read. */
FLOW_NODISCARD_ flow_sdl_file flow_sdl_file_at(const char *path, size_t limit);

/* Gives its data back. One without is left alone. */
void flow_sdl_file_free(flow_sdl_file *file);

/* What flow_sdl_load_file has done; flow's own business. */
extern const flow_job_desc flow_sdl_load_;

/* Until the whole file is in memory, read on a worker, which is the caller's then. Fails with
 * IO, FULL (larger than the limit) or NOMEM, and file->error says which file and why; or as
 * flow_run_on does. A wait that ends early stops the reading and frees what was read, so that *file
 * need not live on. file->data must be null, or it is lost. */
FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_sdl_load_file(flow_executor *executor,
                                                          flow_sdl_file *file)
{
    return flow_run_with(executor, &flow_sdl_load_, file);
}

FLOW_EXTERN_C_END_

#endif
