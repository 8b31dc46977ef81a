/* SPDX-License-Identifier: MIT */
/* Paints the text grids and the wordmark into one atlas. */
#ifndef TOOLS_SPRITES_H
#define TOOLS_SPRITES_H

#include "atlas.h"

/* Makes and fills the atlas; on failure prints one line and returns false. Call atlas_fini. */
bool sprites_draw(struct atlas *atlas);

#endif
