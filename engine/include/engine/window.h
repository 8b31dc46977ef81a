/* SPDX-License-Identifier: MIT */
/*
 * The window, and where the 640x360 picture lies in it.
 *
 * The picture is scaled by the largest whole number that fits, centred, with black around it; a
 * window smaller than the picture shrinks it to fit. The renderer is accelerated where that works
 * and SDL's software renderer otherwise; both draw the same picture. Everything here belongs to the
 * engine's own thread.
 */
#ifndef ENGINE_WINDOW_H
#define ENGINE_WINDOW_H

#include "engine/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A rectangle of whole output pixels. */
struct engine_viewport {
    int x; /* left edge */
    int y; /* top edge */
    int w; /* width */
    int h; /* height */
};

/* Where the picture goes in an output of `width` x `height` pixels. Arithmetic alone; any thread.
 */
struct engine_viewport engine_viewport_fit(int width, int height);

/* Resizes the window, in screen units, 1 to 16384. False with an error for other sizes. */
bool engine_window_set_size(struct engine *engine, int width, int height);

/* Goes to a full-screen desktop window, or back. Returns false with an error where SDL refuses. */
bool engine_window_set_fullscreen(struct engine *engine, bool fullscreen);

/* Whether the window covers the screen. */
bool engine_window_fullscreen(const struct engine *engine);

/* Whether the window is minimised or hidden. */
bool engine_window_hidden(const struct engine *engine);

/* Whether the window has the keyboard. A host usually pauses where it does not. When headless it
 * has, unless it was injected otherwise. */
bool engine_window_focused(const struct engine *engine);

/* Shows or hides the mouse pointer over the window. */
void engine_window_show_cursor(struct engine *engine, bool show);

/* Changes the window's title; copied. */
void engine_window_set_title(struct engine *engine, const char *title);

/* The renderer in use, such as "opengl" or "software"; valid until engine_destroy. */
const char *engine_window_renderer(const struct engine *engine);

#ifdef __cplusplus
}
#endif

#endif
