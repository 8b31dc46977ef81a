/* SPDX-License-Identifier: MIT */
/*
 * Text as one textured quad per visible character, in the batch of its font.
 */
#include "engine/text.h"

#include <stdarg.h>

#include "internal.h"

enum { FIRST_GLYPH = 32, LAST_GLYPH = 126, GLYPH_COLUMNS = 16 };

static float scale_of(const struct engine_text *style)
{
    return style->scale != 0.0f ? style->scale : 1.0f;
}

/* From one character to the next. */
static float advance_of(const struct engine_text *style)
{
    return ((float)ENGINE_GLYPH_SIZE + style->spacing) * scale_of(style);
}

static int line_length(const char *text)
{
    int length = 0;
    while (text[length] && text[length] != '\n') {
        length++;
    }
    return length;
}

static float line_width(const struct engine_text *style, int length)
{
    return length > 0 ? advance_of(style) * (float)length - style->spacing * scale_of(style) : 0.0f;
}

static void draw_glyph(struct engine *engine, const struct engine_text *style,
                       struct engine_vec2 at, char c)
{
    float size = (float)ENGINE_GLYPH_SIZE * scale_of(style);
    int glyph = (c < FIRST_GLYPH || c > LAST_GLYPH ? '?' : c) - FIRST_GLYPH;
    int column = glyph % GLYPH_COLUMNS;
    int row = glyph / GLYPH_COLUMNS;
    struct engine_rect source = {(float)(column * ENGINE_GLYPH_SIZE),
                                 (float)(row * ENGINE_GLYPH_SIZE), (float)ENGINE_GLYPH_SIZE,
                                 (float)ENGINE_GLYPH_SIZE};
    const struct engine_vec2 corners[4] = {
        {at.x, at.y}, {at.x + size, at.y}, {at.x + size, at.y + size}, {at.x, at.y + size}};
    engine__textured_quad(engine, engine->batch.font, source, corners, style->color);
}

static void draw_line(struct engine *engine, const struct engine_text *style, float y,
                      const char *text, int length)
{
    struct engine_vec2 at = {style->position.x, y};
    if (style->align == ENGINE_ALIGN_CENTER) {
        at.x -= SDL_floorf(line_width(style, length) / 2.0f); /* whole pixels stay whole */
    } else if (style->align == ENGINE_ALIGN_RIGHT) {
        at.x -= line_width(style, length);
    }
    for (int i = 0; i < length; i++, at.x += advance_of(style)) {
        if (text[i] != ' ') {
            draw_glyph(engine, style, at, text[i]);
        }
    }
}

void engine_text_font(struct engine *engine, const struct engine_texture *font)
{
    engine->batch.font = font;
}

void engine_draw_text(struct engine *engine, const struct engine_text *style, const char *text)
{
    if (!engine->batch.font || !style || !text || style->color.a == 0) {
        return;
    }
    for (float y = style->position.y;; y += (float)ENGINE_GLYPH_SIZE * scale_of(style)) {
        int length = line_length(text);
        draw_line(engine, style, y, text, length);
        if (text[length] == '\0') {
            return;
        }
        text += length + 1;
    }
}

void engine_draw_textf(struct engine *engine, const struct engine_text *style, const char *format,
                       ...)
{
    char text[ENGINE_TEXT_MAX + 1];
    va_list arguments;
    va_start(arguments, format);
    SDL_vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    engine_draw_text(engine, style, text);
}

struct engine_vec2 engine_text_size(const struct engine_text *style, const char *text)
{
    static const struct engine_text plain;
    struct engine_vec2 size = {0.0f, 0.0f};
    style = style ? style : &plain;
    for (text = text ? text : "";; text++) {
        int length = line_length(text);
        float width = line_width(style, length);
        size.x = width > size.x ? width : size.x;
        size.y += (float)ENGINE_GLYPH_SIZE * scale_of(style);
        text += length;
        if (*text == '\0') {
            return size;
        }
    }
}
