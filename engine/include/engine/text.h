/* SPDX-License-Identifier: MIT */
/*
 * Text: an 8x8 bitmap font, drawn through the same batch as everything else.
 *
 * A font is a texture of 128x48 pixels: the ASCII characters 32 to 126 in 16 columns and 6 rows,
 * white on transparent. Other bytes show as '?', and '\n' begins a new line. Everything here
 * belongs to the engine's own thread.
 */
#ifndef ENGINE_TEXT_H
#define ENGINE_TEXT_H

#include "engine/assets.h"
#include "engine/types.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    /* Width and height of a character at scale 1, in logical pixels. */
    ENGINE_GLYPH_SIZE = 8,
    /* The longest text that engine_draw_textf makes, in bytes; the rest is cut. */
    ENGINE_TEXT_MAX = 1023
};

/* Which part of a line lies at the given position. */
enum engine_align {
    ENGINE_ALIGN_LEFT,   /* the left end */
    ENGINE_ALIGN_CENTER, /* the middle */
    ENGINE_ALIGN_RIGHT   /* the right end */
};

/* How a text looks. Start from {0} and set at least color. */
struct engine_text {
    struct engine_vec2 position; /* of the first line's top, at its left end, middle or right end */
    float scale;                 /* 1 is 8 pixels a character; 0 counts as 1 */
    struct engine_color color;   /* zero is invisible */
    enum engine_align align;     /* of each line */
    float spacing;               /* extra pixels between characters, at scale 1 */
};

/* Sets the font of all text; null: none, and text draws nothing. The texture is borrowed until
 * another is set. Kept over frames. */
void engine_text_font(struct engine *engine, const struct engine_texture *font);

/* Draws a text. Draws nothing without a font. */
void engine_draw_text(struct engine *engine, const struct engine_text *style, const char *text);

/* Draws a text made as by printf. Allocates nothing. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
void engine_draw_textf(struct engine *engine, const struct engine_text *style, const char *format, ...);

/* The size of a text in logical pixels: its longest line and all its lines. Null counts as "". Any
 * thread. */
struct engine_vec2 engine_text_size(const struct engine_text *style, const char *text);

#ifdef __cplusplus
}
#endif

#endif
