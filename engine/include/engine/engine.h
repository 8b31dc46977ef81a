/* SPDX-License-Identifier: MIT */
/*
 * The engine: a window, a player loop with phases, input, 2D drawing, audio, assets and frame
 * statistics over SDL2.
 *
 * This is the umbrella header: include it alone. One frame (engine_iterate, loop.h) runs
 *
 *     BEGIN EARLY FIXED UPDATE LATE RENDER PRESENT END PACE
 *
 * in this order, always. The host does everything in callbacks of these phases; see loop.h.
 *
 * Threads: the engine belongs to the thread that created it (SDL wants that to be the main thread).
 * The few functions that may be called from others say so.
 *
 * Errors: engine_create writes one line to a buffer of the caller. Later, functions of the engine's
 * own thread return false or null and leave one line in engine_error(engine); functions for any
 * thread take a buffer of the caller. The engine never prints, but for engine_stats_report, whose
 * purpose it is.
 */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include "engine/asset_table.h"
#include "engine/assets.h"
#include "engine/audio.h"
#include "engine/clock.h"
#include "engine/draw.h"
#include "engine/ease.h"
#include "engine/input.h"
#include "engine/loop.h"
#include "engine/random.h"
#include "engine/stats.h"
#include "engine/text.h"
#include "engine/types.h"
#include "engine/window.h"

#endif
