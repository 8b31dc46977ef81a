/* SPDX-License-Identifier: MIT */
/*
 * Reading a whole asset into memory. Any thread.
 */
#ifndef ENGINE_FILE_H
#define ENGINE_FILE_H

#include "engine/types.h"

/* Reads an asset whole. Returns its bytes and a zero behind them, to be freed with SDL_free, or
 * null with one line in `error` (may be null). */
void *engine__read_asset(const struct engine *engine, const char *name, size_t *size, char *error);

#endif
