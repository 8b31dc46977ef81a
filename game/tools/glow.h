/* SPDX-License-Identifier: MIT */
/* The stamps for additive drawing: white with alpha, to be tinted. */
#ifndef TOOLS_GLOW_H
#define TOOLS_GLOW_H

#include "atlas.h"

/* Makes and fills the atlas; on failure prints one line and returns false. Call atlas_fini. */
bool glow_draw(struct atlas *atlas);

#endif
