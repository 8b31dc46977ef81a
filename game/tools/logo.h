/* SPDX-License-Identifier: MIT */
/* The wordmark EMBERLINE. */
#ifndef TOOLS_LOGO_H
#define TOOLS_LOGO_H

#include "image.h"

/* Makes the picture of the wordmark; false when memory ran out. */
bool logo_draw(struct image *image);

#endif
