/* SPDX-License-Identifier: MIT */
/*
 * flow on SDL2: threads for executors, and SDL's clock.
 *
 *     flow_sdl_pool *pool = flow_sdl_pool_create(NULL);
 *     flow_world_desc desc = {.now_ns = flow_sdl_now_ns};
 *     ...
 *     FLOW_AWAIT(flow_run_on(flow_sdl_pool_executor(pool), load_mesh, &self->load));
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

FLOW_EXTERN_C_END_

#endif
