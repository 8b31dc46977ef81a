/* SPDX-License-Identifier: MIT */
/*
 * The twelve colours of EMBERLINE, as in assets/palette.txt: nothing on the screen has another one,
 * but for light that adds up.
 */
#ifndef EMBERLINE_PALETTE_H
#define EMBERLINE_PALETTE_H

#include "engine/types.h"

/* Name, red, green, blue. */
#define PALETTE(X)                                                                                 \
    X(NAVY, navy, 7, 9, 28)                                                                        \
    X(INK, ink, 22, 22, 58)                                                                        \
    X(INDIGO, indigo, 66, 50, 144)                                                                 \
    X(TEAL, teal, 18, 118, 150)                                                                    \
    X(CYAN, cyan, 72, 228, 255)                                                                    \
    X(MINT, mint, 118, 255, 172)                                                                   \
    X(CRIMSON, crimson, 164, 22, 66)                                                               \
    X(MAGENTA, magenta, 255, 56, 158)                                                              \
    X(EMBER, ember, 255, 98, 44)                                                                   \
    X(GOLD, gold, 255, 206, 84)                                                                    \
    X(VIOLET, violet, 158, 92, 255)                                                                \
    X(WHITE, white, 246, 250, 255)

enum palette {
#define PALETTE_ENUM(name, text, r, g, b) COLOR_##name,
    PALETTE(PALETTE_ENUM)
#undef PALETTE_ENUM
        COLOR_COUNT
};

/* A colour, opaque. */
struct engine_color color(enum palette name);

/* A colour at a strength from 0 (invisible) to 1, clamped. */
struct engine_color color_faded(enum palette name, float alpha);

/* Untinted: what sprites are multiplied with. */
struct engine_color color_plain(float alpha);

/* The name in palette.txt. */
const char *palette_name(enum palette name);

#endif
