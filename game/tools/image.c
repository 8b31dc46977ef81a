/* SPDX-License-Identifier: MIT */
/* Pictures and the halo. The halo is a weighted mean over the painted pixels of a disc; weights
 * fall with the squared distance, so everything is exact in integers. */
#include "image.h"

#include <stdlib.h>
#include <string.h>

bool image_init(struct image *image, int width, int height, struct color fill)
{
    size_t count = (size_t)width * (size_t)height;
    *image = (struct image){.width = width, .height = height};
    image->pixels = malloc(count * sizeof *image->pixels);
    if (!image->pixels) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        image->pixels[i] = fill;
    }
    return true;
}

void image_fini(struct image *image)
{
    free(image->pixels);
    image->pixels = NULL;
}

struct color *image_at(const struct image *image, int x, int y)
{
    return &image->pixels[(size_t)y * (size_t)image->width + (size_t)x];
}

void image_copy(struct image *target, int x, int y, const struct image *source)
{
    size_t bytes = (size_t)source->width * sizeof *source->pixels;
    for (int row = 0; row < source->height; row++) {
        memcpy(image_at(target, x, y + row), image_at(source, 0, row), bytes);
    }
}

static int max_int(int a, int b)
{
    return a > b ? a : b;
}

static int min_int(int a, int b)
{
    return a < b ? a : b;
}

/* How much a colour tints the light around it: pure colours much, greys little, none nothing. */
static int vividness(const struct color *color)
{
    int high = max_int(max_int(color->r, color->g), color->b);
    int low = min_int(min_int(color->r, color->g), color->b);
    return high - low + 4;
}

/* The halo colour of one clear pixel, from what `source` has painted around it. */
static struct color halo_at(const struct image *source, int x, int y, int radius, int strength)
{
    int64_t sum = 0, r = 0, g = 0, b = 0;
    int reach = radius * radius;
    int nearest = reach;
    for (int v = max_int(0, y - radius); v <= min_int(source->height - 1, y + radius); v++) {
        for (int u = max_int(0, x - radius); u <= min_int(source->width - 1, x + radius); u++) {
            const struct color *near = image_at(source, u, v);
            int distance = (u - x) * (u - x) + (v - y) * (v - y);
            if (near->a == 0 || distance >= reach) {
                continue;
            }
            int64_t weight = (int64_t)(reach - distance) * (reach - distance) * vividness(near);
            nearest = min_int(nearest, distance);
            sum += weight;
            r += weight * near->r;
            g += weight * near->g;
            b += weight * near->b;
        }
    }
    if (sum == 0) {
        return (struct color){0, 0, 0, 0};
    }
    int64_t fade = reach - nearest;
    int64_t alpha = strength * fade * fade / ((int64_t)reach * reach);
    return (struct color){(uint8_t)(r / sum), (uint8_t)(g / sum), (uint8_t)(b / sum),
                          (uint8_t)alpha};
}

bool image_add_halo(struct image *image, int radius, int strength)
{
    struct image source;
    if (!image_init(&source, image->width, image->height, (struct color){0, 0, 0, 0})) {
        return false;
    }
    image_copy(&source, 0, 0, image);
    for (int y = 0; y < image->height; y++) {
        for (int x = 0; x < image->width; x++) {
            if (image_at(&source, x, y)->a == 0) {
                *image_at(image, x, y) = halo_at(&source, x, y, radius, strength);
            }
        }
    }
    image_fini(&source);
    return true;
}

void image_whiten(struct image *image)
{
    size_t count = (size_t)image->width * (size_t)image->height;
    for (size_t i = 0; i < count; i++) {
        image->pixels[i] = (struct color){255, 255, 255, image->pixels[i].a};
    }
}
