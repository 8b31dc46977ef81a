/* SPDX-License-Identifier: MIT */
/* The effects and the music. */
#ifndef TOOLS_SOUNDS_H
#define TOOLS_SOUNDS_H

#include <stdbool.h>

/* Writes every effect into folder/sounds; on failure prints one line and returns false. */
bool sounds_write(const char *folder);

/* Writes folder/sounds/loop.wav; on failure prints one line and returns false. */
bool music_write(const char *folder);

#endif
