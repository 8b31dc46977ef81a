/* SPDX-License-Identifier: MIT */
/* The text grids of the sprites. A letter is a colour of the palette, '.' is clear. */
#ifndef TOOLS_ART_H
#define TOOLS_ART_H

enum art_flags {
    ART_PLAIN = 0,
    ART_MIRROR_X = 1, /* the grid is the left half and the middle column */
    ART_MIRROR_Y = 2, /* the grid is the upper half and the middle row */
    ART_QUARTER = ART_MIRROR_X | ART_MIRROR_Y,
    ART_HALO = 4, /* neon light around it */
    ART_FLASH = 8 /* a white copy under the name with _flash */
};

struct art {
    const char *name;
    const char *rows; /* all of one length, each ended by a line feed */
    unsigned flags;
    const char *swap; /* pairs of letters, from and to; null for none */
};

struct art_list {
    const struct art *items;
    int count;
};

struct art_list art_actors(void); /* the moth and the embers */
struct art_list art_boss(void);
struct art_list art_items(void); /* bullets, motes, crosshair, icons */

#endif
