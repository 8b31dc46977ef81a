/* SPDX-License-Identifier: MIT */
/* The 8x8 font: ASCII 32..126, sixteen glyphs a row, white on clear. */
#ifndef TOOLS_FONT_H
#define TOOLS_FONT_H

#include <stdbool.h>

/* Writes folder/fonts/font8x8.bmp; on failure prints one line and returns false. */
bool font_write(const char *folder);

#endif
