/* SPDX-License-Identifier: MIT */
/* Writes a picture as a 32-bit BMP that keeps its alpha. */
#ifndef TOOLS_BMP_H
#define TOOLS_BMP_H

#include "image.h"

/* Writes folder/name; on failure prints one line and returns false. */
bool bmp_write(const struct image *image, const char *folder, const char *name);

#endif
