/* SPDX-License-Identifier: MIT */
/* Writes a clip as 16-bit PCM, one channel. */
#ifndef TOOLS_WAV_H
#define TOOLS_WAV_H

#include "synth.h"

/* Writes folder/name; on failure prints one line and returns false. */
bool wav_write(const struct clip *clip, const char *folder, const char *name);

#endif
