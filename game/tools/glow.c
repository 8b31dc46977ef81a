/* SPDX-License-Identifier: MIT */
/* Every stamp is a function of the pixel centre that gives an alpha. Lengths are in half pixels,
 * measured from the middle of the stamp, so that centres of even pictures are whole numbers;
 * light is 0..ONE. */
#include "glow.h"

#include "fixed.h"

enum { ONE = 1 << 12, SUBPIXEL = 64 };

struct stamp {
    const char *name;
    int width, height;
    int (*light)(int x, int y, int width, int height);
};

static int clamp_light(int64_t light)
{
    return (int)(light < 0 ? 0 : light > ONE ? ONE : light);
}

static int multiply(int a, int b)
{
    return (int)((int64_t)a * b / ONE);
}

/* 1 at the middle and 0 from `reach` on, falling with the squared distance. */
static int inside(int64_t squared, int64_t reach)
{
    return clamp_light(ONE - squared * ONE / (reach * reach));
}

/* The fall of a soft light with a hot core: three bells, wide, middling and narrow. */
static int bell(int near)
{
    int second = multiply(near, near);
    int fourth = multiply(second, second);
    int core = multiply(multiply(fourth, fourth), fourth);
    return clamp_light(((int64_t)second * 2 + (int64_t)fourth * 3 + (int64_t)core * 3) / 8);
}

static int light_glow(int x, int y, int width, int height)
{
    (void)height;
    return bell(inside(x * x + y * y, width));
}

/* The distance from the middle, in SUBPIXELths of a half pixel. */
static int64_t distance_of(int x, int y)
{
    int64_t squared = (int64_t)x * x + (int64_t)y * y;
    return fixed_sqrt((uint64_t)squared * SUBPIXEL * SUBPIXEL);
}

/* A disc with an edge one pixel soft. */
static int light_disc(int x, int y, int width, int height)
{
    (void)height;
    int64_t distance = distance_of(x, y);
    return clamp_light(((int64_t)(width - 1) * SUBPIXEL - distance) * ONE / 2 / SUBPIXEL);
}

/* A ring with a thin bright line and a soft light on both sides of it, stronger inside. */
static int light_ring(int x, int y, int width, int height)
{
    (void)height;
    int64_t distance = distance_of(x, y);
    int64_t radius = (int64_t)width * SUBPIXEL * 13 / 16;
    int64_t off = distance - radius;
    const int64_t line = (int64_t)3 * SUBPIXEL;
    int64_t soft = (int64_t)width * SUBPIXEL * (off < 0 ? 6 : 3) / 16;
    int haze = inside(off * off, soft);
    haze = multiply(haze, haze);
    return clamp_light(inside(off * off, line) + (int64_t)haze * 2 / 5);
}

/* A soft stroke with round ends, to be stretched between two points. */
static int light_capsule(int x, int y, int width, int height)
{
    int straight = width - height;
    int along = x < 0 ? -x : x;
    int past = along > straight ? along - straight : 0;
    return bell(inside(past * past + y * y, height));
}

/* A comet: hot and round on the right, fading to a point on the left. */
static int light_streak(int x, int y, int width, int height)
{
    int head = width - height;
    int past = x > head ? x - head : 0;
    int length = x > head ? ONE : (x + width) * ONE / (head + width);
    int reach = height * (ONE + 3 * length) / (4 * ONE);
    int across = bell(inside(past * past + y * y, reach));
    return multiply(across, multiply(length, length));
}

/* One arm of a star: bright along one axis, thin across it. */
static int arm(int along, int across, int reach)
{
    int far = inside((int64_t)along * along, reach);
    int thick = 2 + reach * far / (12 * ONE);
    return multiply(multiply(far, far), inside((int64_t)across * across, thick));
}

static int light_spark(int x, int y, int width, int height)
{
    int64_t star = (int64_t)arm(x, y, width) + arm(y, x, height);
    return clamp_light(star + (int64_t)bell(inside(x * x + y * y, width)) * 3 / 4);
}

/* A bar that fades at both ends and softly across: lens flares, beams, telegraphs. */
static int light_beam(int x, int y, int width, int height)
{
    int along = inside((int64_t)x * x, width);
    return multiply(along, bell(inside((int64_t)y * y, height)));
}

static int light_solid(int x, int y, int width, int height)
{
    (void)x, (void)y, (void)width, (void)height;
    return ONE;
}

static const struct stamp stamps[] = {
    {"glow64", 64, 64, light_glow},      {"ring64", 64, 64, light_ring},
    {"glow32", 32, 32, light_glow},      {"ring32", 32, 32, light_ring},
    {"glow16", 16, 16, light_glow},      {"spark16", 16, 16, light_spark},
    {"disc8", 8, 8, light_disc},         {"capsule32", 32, 12, light_capsule},
    {"beam64", 64, 8, light_beam},       {"streak32", 32, 10, light_streak},
    {"spark32", 32, 32, light_spark},    {"disc16", 16, 16, light_disc},
    {"ring16", 16, 16, light_ring},      {"streak16", 16, 6, light_streak},
    {"capsule16", 16, 8, light_capsule}, {"glow8", 8, 8, light_glow},
    {"ring128", 128, 128, light_ring},   {"solid", 4, 4, light_solid},
};

static bool add_stamp(struct atlas *atlas, const struct stamp *stamp)
{
    struct image image;
    struct color clear = {255, 255, 255, 0};
    if (!image_init(&image, stamp->width, stamp->height, clear)) {
        return output_no_memory();
    }
    for (int y = 0; y < stamp->height; y++) {
        for (int x = 0; x < stamp->width; x++) {
            int light = stamp->light(2 * x + 1 - stamp->width, 2 * y + 1 - stamp->height,
                                     stamp->width, stamp->height);
            image_at(&image, x, y)->a = (uint8_t)((light * 255 + ONE / 2) / ONE);
        }
    }
    bool added = atlas_add(atlas, stamp->name, &image);
    image_fini(&image);
    return added;
}

bool glow_draw(struct atlas *atlas)
{
    struct color clear = {255, 255, 255, 0};
    if (!atlas_init(atlas, "glow.bmp", 256, 236, clear)) {
        return output_no_memory();
    }
    for (size_t i = 0; i < sizeof stamps / sizeof stamps[0]; i++) {
        if (!add_stamp(atlas, &stamps[i])) {
            return false;
        }
    }
    return true;
}
