/* SPDX-License-Identifier: MIT */
#include "palette.h"

#include "angle.h"

static const struct {
    struct engine_color color;
    const char *name;
} colors[COLOR_COUNT] = {
#define PALETTE_ROW(name, text, r, g, b) {{r, g, b, 255}, #text},
    PALETTE(PALETTE_ROW)
#undef PALETTE_ROW
};

static uint8_t level(float alpha)
{
    return (uint8_t)(clampf(alpha, 0.0F, 1.0F) * 255.0F + 0.5F);
}

struct engine_color color(enum palette name)
{
    return colors[name].color;
}

struct engine_color color_faded(enum palette name, float alpha)
{
    struct engine_color c = colors[name].color;
    c.a = level(alpha);
    return c;
}

struct engine_color color_plain(float alpha)
{
    struct engine_color c = {255, 255, 255, level(alpha)};
    return c;
}

const char *palette_name(enum palette name)
{
    return colors[name].name;
}
