/* SPDX-License-Identifier: MIT */
/*
 * flow on SDL2: threads for executors, files that they load, events to await, and SDL's clock.
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

/* Until the whole file is in memory, read on a worker, which is the caller's then. Fails with
 * IO, FULL (larger than the limit) or NOMEM, and file->error says which file and why; or as
 * flow_run_on does. A wait that ends early stops the reading and frees what was read, so that *file
 * need not live on. file->data must be null, or it is lost. */
FLOW_NODISCARD_ flow_wait flow_sdl_load_file(flow_executor *executor, flow_sdl_file *file);

/* ---- events ---- */

enum { FLOW_SDL_PADS = 16, FLOW_SDL_ANY = -1 };

/* SDL's events as signals of a world. A member of the host's struct, which stays where it is while
 * there are waits; its members but `all` are flow's own business. */
typedef struct flow_sdl_events {
    FLOW_SIGNAL(SDL_Event) all; /* every event, to subscribe to or await */
    struct {
        SDL_JoystickID id;
        FLOW_SIGNAL(SDL_Event) events; /* of one pad; made by the first wait for it */
    } pads[FLOW_SDL_PADS];
    SDL_JoystickID removed[FLOW_SDL_PADS]; /* the last of them, a ring */
    uint32_t removed_count;
} flow_sdl_events;

/* Makes and ends them. Ended, their waits end as CLOSED. OK or NOMEM. World's thread, as all here.
 */
flow_status flow_sdl_events_init(flow_sdl_events *events, flow_world *world);
void flow_sdl_events_fini(flow_sdl_events *events);

/* Gives an event to the flows that wait for it: call it for each that SDL_PollEvent returns, before
 * the tick of the phase where it is to be seen (EARLY). A pad that is removed ends the waits for it
 * as CLOSED. Returns how many got it. O(waits). */
uint32_t flow_sdl_events_emit(flow_sdl_events *events, const SDL_Event *event);

/* The next event of a type (0: of any), copied to *out, which may be null and must live until the
 * wait ends. Fails as CLOSED when the events are ended. */
FLOW_NODISCARD_ flow_wait flow_sdl_next_event(flow_sdl_events *events, Uint32 type, SDL_Event *out);

/* The next press of a key (SDL_SCANCODE_UNKNOWN: of any); repeats are none. */
FLOW_NODISCARD_ flow_wait flow_sdl_next_key(flow_sdl_events *events, SDL_Scancode key,
                                            SDL_Event *out);

/* The next press of a mouse button, SDL_BUTTON_LEFT and so on (0: of any). */
FLOW_NODISCARD_ flow_wait flow_sdl_next_click(flow_sdl_events *events, Uint8 button,
                                              SDL_Event *out);

/* The next press of a pad's button (SDL_CONTROLLER_BUTTON_INVALID: of any). pad is SDL's instance
 * id, or FLOW_SDL_ANY. A wait for one pad fails as CLOSED when that is removed, and at once when it
 * is among the last 16 that were; as FULL for more than 16 pads at a time, as NOMEM. */
FLOW_NODISCARD_ flow_wait flow_sdl_next_button(flow_sdl_events *events, SDL_JoystickID pad,
                                               SDL_GameControllerButton button, SDL_Event *out);

FLOW_EXTERN_C_END_

#endif
