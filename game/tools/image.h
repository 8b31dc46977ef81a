/* SPDX-License-Identifier: MIT */
/* A picture in memory: straight (not premultiplied) alpha, rows from the top. */
#ifndef TOOLS_IMAGE_H
#define TOOLS_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

struct color {
    uint8_t r, g, b, a;
};

struct image {
    int width, height;
    struct color *pixels; /* width * height, owned */
};

/* Makes a picture filled with one colour; false when memory ran out. */
bool image_init(struct image *image, int width, int height, struct color fill);
void image_fini(struct image *image);

/* The pixel at x, y, which must be inside the picture. */
struct color *image_at(const struct image *image, int x, int y);

/* Copies all of source into target with its top left corner at x, y; it must fit. */
void image_copy(struct image *target, int x, int y, const struct image *source);

/* Gives clear pixels near painted ones their colour, fading with distance: the neon halo.
 * `radius` is in pixels, `strength` 0..255 is the alpha right beside a painted edge. */
bool image_add_halo(struct image *image, int radius, int strength);

/* Turns every pixel white and leaves its alpha. */
void image_whiten(struct image *image);

#endif
