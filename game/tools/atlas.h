/* SPDX-License-Identifier: MIT */
/* An atlas: named rectangles in one picture, placed from left to right on shelves. */
#ifndef TOOLS_ATLAS_H
#define TOOLS_ATLAS_H

#include "image.h"
#include "output.h"

enum { ATLAS_CELLS_MAX = 96, ATLAS_GAP = 2 };

struct atlas_cell {
    char name[32];
    int x, y, width, height;
};

struct atlas {
    const char *file; /* borrowed: the name in the layout list */
    struct image image;
    struct atlas_cell cells[ATLAS_CELLS_MAX];
    int count;
    int pen_x, pen_y, shelf_height;
};

/* Makes an empty atlas; false when memory ran out. */
bool atlas_init(struct atlas *atlas, const char *file, int width, int height, struct color fill);
void atlas_fini(struct atlas *atlas);

/* Copies the picture in under the name. Prints one line and returns false when it is full. */
bool atlas_add(struct atlas *atlas, const char *name, const struct image *picture);

/* Begins a new shelf below what was placed so far. */
void atlas_new_shelf(struct atlas *atlas);

/* Writes one line per cell: name file x y w h. */
void atlas_list(const struct atlas *atlas, struct output *output);

#endif
