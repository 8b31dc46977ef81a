/* SPDX-License-Identifier: MIT */
/* The twelve colours of the game, and the letter that stands for each in a text grid. */
#ifndef TOOLS_PALETTE_H
#define TOOLS_PALETTE_H

#include "image.h"

enum palette_index {
    PALETTE_NAVY,
    PALETTE_INK,
    PALETTE_INDIGO,
    PALETTE_TEAL,
    PALETTE_CYAN,
    PALETTE_MINT,
    PALETTE_CRIMSON,
    PALETTE_MAGENTA,
    PALETTE_EMBER,
    PALETTE_GOLD,
    PALETTE_VIOLET,
    PALETTE_WHITE,
    PALETTE_COUNT
};

struct palette_entry {
    const char *name;
    char letter;
    struct color color;
};

extern const struct palette_entry palette[PALETTE_COUNT];

/* The colour of a letter; '.' and unknown letters are clear. */
struct color palette_letter(char letter);

/* `part` of `whole` of the way from one colour to another. */
struct color palette_mix(struct color from, struct color to, int part, int whole);

/* Writes folder/palette.txt, a line per colour: name red green blue. */
bool palette_write(const char *folder);

#endif
