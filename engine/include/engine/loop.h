/* SPDX-License-Identifier: MIT */
/*
 * The player loop: creation, phases, callbacks, quitting.
 *
 * Order of a frame, always:
 *
 *     BEGIN    the clock is sampled once; callbacks (begin the frames of timelines here, inject
 * input here) EARLY    injected and SDL events become the frame's input; callbacks FIXED    0 to
 * max_steps times: callbacks, with the step's own input edges UPDATE   callbacks LATE callbacks;
 * alpha is known RENDER   the picture is cleared; callbacks draw; left out while the window is
 * hidden PRESENT  the picture goes to the window; may block, counts as waiting; callbacks run
 * before it END      callbacks (screenshots) PACE     callbacks, then waiting until the frame's
 * deadline where the present did not wait
 *
 * Within a phase callbacks run in order of registration: first those of engine_on, then those of
 * engine_on_last. Everything here belongs to the engine's own thread.
 */
#ifndef ENGINE_LOOP_H
#define ENGINE_LOOP_H

#include "engine/clock.h"
#include "engine/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The phases of a frame, in their order. */
enum engine_phase {
    ENGINE_PHASE_BEGIN,   /* a frame begins; input is still that of the last frame */
    ENGINE_PHASE_EARLY,   /* the frame's input is there */
    ENGINE_PHASE_FIXED,   /* one fixed step of the simulation */
    ENGINE_PHASE_UPDATE,  /* once a frame */
    ENGINE_PHASE_LATE,    /* once a frame, after UPDATE; interpolation is known */
    ENGINE_PHASE_RENDER,  /* drawing */
    ENGINE_PHASE_PRESENT, /* the picture goes out */
    ENGINE_PHASE_END,     /* the picture is complete and may be read */
    ENGINE_PHASE_PACE,    /* waiting for the next frame */
    ENGINE_PHASE_COUNT    /* the number of phases; no phase */
};

/* Where a frame's dt comes from. */
enum engine_dt {
    ENGINE_DT_DEFAULT, /* FIXED when headless without a time source, else REAL */
    ENGINE_DT_FIXED,   /* every frame takes frame_dt, whatever a clock says: same input, same run */
    ENGINE_DT_REAL     /* the clock */
};

/* A frame, as callbacks see it. Valid during the call. */
struct engine_frame {
    uint64_t number;         /* 1 for the first frame */
    enum engine_phase phase; /* the phase that is running */
    double real_dt;          /* seconds since the last frame, 0 or more, not clamped */
    double dt;               /* the same clamped to max_dt, and 0 while hidden; in FIXED the step */
    double fixed_dt;         /* the length of a fixed step, seconds */
    double
        alpha; /* from the last step (0) towards the next (below 1); set from UPDATE on, 0 before */
    int64_t real_dt_ns;  /* real_dt in ns */
    int64_t dt_ns;       /* dt in ns */
    int64_t fixed_dt_ns; /* fixed_dt in ns */
    int step; /* in FIXED: the index of the step in this frame, from 0; later: the steps run */
    int64_t total_steps; /* fixed steps run since creation, the running one not counted */
    bool hidden; /* the window is minimised or hidden: nothing is drawn, game time stands still */
};

/* A time source for tests and for hosts with their own clock. Leave `now` null for SDL's
 * performance counter. */
struct engine_time_source {
    /* The time in ns from any origin. Called for the frame's sample, and around phases and
     * callbacks for statistics. */
    int64_t (*now)(void *user);
    /* Sleeps about `ns` nanoseconds, so that `now` has moved on by it. May be null: SDL_Delay. */
    void (*sleep)(void *user, int64_t ns);
    void *user; /* given to both; borrowed until engine_destroy */
};

/* What engine_create makes. Start from {0}; zero is the default everywhere. */
struct engine_desc {
    const char *title; /* the window's title; null: "engine"; copied */
    int window_width;  /* window size in screen units; 0: twice ENGINE_WIDTH */
    int window_height; /* 0: twice ENGINE_HEIGHT */
    bool fullscreen;   /* begin as a full-screen desktop window */
    bool headless;   /* dummy video and audio drivers, fixed dt, no pacing unless frame_cap asks for
                        it */
    bool no_audio;   /* open no audio device; sounds can still be loaded and played into silence */
    bool no_signals; /* leave SIGINT and SIGTERM alone; else the first one requests to quit */
    const char *no_display_hint; /* appended to the error when there is no display, such as "use
                                    --headless"; borrowed during the call */
    double fixed_dt;  /* seconds of a fixed step; 0: 1/60; negative, NaN or below 1 us is refused */
    int max_steps;    /* the most fixed steps a frame; 0: 5 */
    double max_dt;    /* the longest dt of a frame in seconds; 0: 0.1 */
    double frame_cap; /* frames a second at most; 0: the display's rate (none when headless);
                         negative: none */
    enum engine_dt dt_mode;         /* where dt comes from */
    double frame_dt;                /* seconds of a frame with ENGINE_DT_FIXED; 0: fixed_dt */
    struct engine_time_source time; /* replaces the clock and the sleep */
    const char *assets; /* the folder of the assets; null: "assets" beside the executable; copied */
    const char *assets_fallback; /* the folder to try after that, such as one compiled in; may be
                                    null; copied */
};

/* A host's callback. May call every function of the engine but engine_iterate, engine_run and
 * engine_destroy. */
typedef void engine_callback(struct engine *engine, void *user, const struct engine_frame *frame);

/* Starts SDL, opens the window and audio, and returns the engine, or null with one line in `error`
 * (which may be null). `desc` may be null. Audio is optional: a device that does not open is no
 * failure. Owned by the caller until engine_destroy. One engine per process at a time. */
struct engine *engine_create(const struct engine_desc *desc, char error[ENGINE_ERROR_SIZE]);

/* Ends the engine, its window, audio and remaining textures, and SDL. Null is fine. Not from inside
 * a callback. */
void engine_destroy(struct engine *engine);

/* The text of the last failure on the engine's own thread, one line, "" when there was none. Valid
 * until the next. */
const char *engine_error(const struct engine *engine);

/* Adds a callback to the end of a phase's list, before those of engine_on_last. `name` is borrowed
 * until engine_destroy and shows in statistics. Returns false with an error when the phase has 32
 * callbacks, or a frame is running. */
bool engine_on(struct engine *engine, enum engine_phase phase, engine_callback *fn, void *user,
               const char *name);

/* The same, for callbacks that come after all of engine_on's, whenever those are registered. */
bool engine_on_last(struct engine *engine, enum engine_phase phase, engine_callback *fn, void *user,
                    const char *name);

/* Runs one frame. Returns false once quitting was requested: the host may then clean up and iterate
 * as long as it likes. Calling it from a callback does nothing and returns false with an error. */
bool engine_iterate(struct engine *engine);

/* Runs frames until quitting is requested. Then go on with engine_iterate if cleanups need frames.
 */
void engine_run(struct engine *engine);

/* Sleeps about `ns` nanoseconds. For workers; any thread. */
void engine_sleep(int64_t ns);

/* Asks the loop to end, after the running frame. May be called any number of times. */
void engine_request_quit(struct engine *engine);

/* Whether quitting was requested: by engine_request_quit, SDL_QUIT, an injected quit, SIGINT or
 * SIGTERM (a second signal kills the process as usual). What arrived before a frame's EARLY shows
 * in that EARLY. */
bool engine_quit_requested(const struct engine *engine);

/* Sets what a second of dt is worth in fixed steps, read anew before each step: 0 stops further
 * steps. Returns false with an error for a negative, NaN or too large scale
 * (engine_clock_set_scale). */
bool engine_set_time_scale(struct engine *engine, double scale);

/* Whether frames are drawn; true at first. While false RENDER and PRESENT are left out, as for a
 * hidden window, but time goes on: for headless runs of which nobody sees the pictures. Takes
 * effect from the next RENDER on. */
void engine_set_drawn(struct engine *engine, bool drawn);

/* With ENGINE_DT_FIXED: what the next frames take, in ns, 0 or more, instead of frame_dt; and
 * whether game time stands still in them, as it does while the window is hidden. For replays of
 * runs that took their time from a clock. False with an error for a negative time, or with another
 * dt_mode. */
bool engine_set_frame_time(struct engine *engine, int64_t real_ns, bool still);

/* The engine's clock: time sums, dropped time and steps. Valid until engine_destroy. */
const struct engine_clock *engine_time(const struct engine *engine);

/* The number of the running or last frame; 0 before the first. */
uint64_t engine_frame_number(const struct engine *engine);

/* "begin", "early" and so on; "?" for anything else. Any thread. */
const char *engine_phase_name(enum engine_phase phase);

#ifdef __cplusplus
}
#endif

#endif
