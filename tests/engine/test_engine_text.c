/* SPDX-License-Identifier: MIT */
/*
 * Text: a made-up font in which every glyph is a solid block of a width of its own.
 */
#include "test_fixture.h"

enum { FONT_WIDTH = 128, FONT_HEIGHT = 48 };

static struct engine_color pixels[ENGINE_WIDTH * ENGINE_HEIGHT];

/* How wide the block of a character is: 1 to 8. */
static int width_of(char c)
{
    return 1 + (c - 32) % 8;
}

static struct engine_texture *create_font(struct engine *engine)
{
    static struct engine_color font[FONT_WIDTH * FONT_HEIGHT];
    struct engine_image *image;
    struct engine_texture *texture;
    for (int y = 0; y < FONT_HEIGHT; y++) {
        for (int x = 0; x < FONT_WIDTH; x++) {
            char c = (char)(32 + y / 8 * 16 + x / 8);
            font[y * FONT_WIDTH + x] = x % 8 < width_of(c)
                                           ? (struct engine_color){255, 255, 255, 255}
                                           : (struct engine_color){0};
        }
    }
    image = engine_image_create(FONT_WIDTH, FONT_HEIGHT, font);
    texture = engine_texture_create(engine, image);
    assert_non_null(texture);
    engine_image_destroy(image);
    engine_text_font(engine, texture);
    return texture;
}

/* A text to draw. */
struct text {
    struct engine_text style;
    const char *text;
};

static void draw(struct engine *engine, void *user, const struct engine_frame *frame)
{
    struct text *text = user;
    (void)frame;
    engine_draw_text(engine, &text->style, text->text);
}

static void draw_text(const struct engine_text *style, const char *text)
{
    struct engine *engine = create_plain_engine();
    struct text both = {*style, text};
    create_font(engine);
    assert_true(engine_on(engine, ENGINE_PHASE_RENDER, draw, &both, "text"));
    assert_true(engine_iterate(engine));
    assert_true(engine_read_pixels(engine, pixels));
    engine_destroy(engine);
}

/* The length of the lit run that begins at a pixel. */
static int run_at(int x, int y)
{
    int length = 0;
    if (x > 0 && pixels[y * ENGINE_WIDTH + x - 1].g > 0) {
        return -1;
    }
    while (pixels[y * ENGINE_WIDTH + x + length].g > 0) {
        length++;
    }
    return length;
}

static void characters_stand_in_their_cells_in_their_colour(void **state)
{
    struct engine_text style = {.position = {10, 20}, .color = {40, 80, 120, 255}};
    (void)state;
    draw_text(&style, "!A~ b");
    assert_int_equal(run_at(10, 20), width_of('!'));
    assert_int_equal(run_at(18, 20), width_of('A'));
    assert_int_equal(run_at(26, 27), width_of('~'));
    assert_int_equal(run_at(34, 20), 0);
    assert_int_equal(run_at(42, 20), width_of('b'));
    assert_int_equal(run_at(10, 19), 0);
    assert_int_equal(run_at(10, 28), 0);
    assert_int_equal(pixels[20 * ENGINE_WIDTH + 10].r, 40);
    assert_int_equal(pixels[20 * ENGINE_WIDTH + 10].g, 80);
    assert_int_equal(pixels[20 * ENGINE_WIDTH + 10].b, 120);
}

static void other_bytes_show_as_question_marks(void **state)
{
    struct engine_text style = {.position = {0, 0}, .color = {255, 255, 255, 255}};
    (void)state;
    draw_text(&style, "\x01\xff\t?");
    for (int i = 0; i < 4; i++) {
        /* '?' is 8 wide, so the four touch. */
        assert_int_equal(pixels[8 * i].g, 255);
        assert_int_equal(pixels[8 * i + 7].g, 255);
    }
    assert_int_equal(run_at(0, 0), 32);
}

static void scale_lines_and_alignment_place_the_text(void **state)
{
    struct engine_text style = {.position = {320, 100},
                                .scale = 2,
                                .color = {255, 255, 255, 255},
                                .align = ENGINE_ALIGN_CENTER};
    (void)state;
    draw_text(&style, "!!!\n!");
    assert_int_equal(run_at(296, 100), 2 * width_of('!'));
    assert_int_equal(run_at(312, 115), 2 * width_of('!'));
    assert_int_equal(run_at(312, 116), 2 * width_of('!'));
    assert_int_equal(run_at(296, 116), 0);
    style.align = ENGINE_ALIGN_RIGHT;
    style.scale = 1;
    draw_text(&style, "!!");
    assert_int_equal(run_at(304, 100), width_of('!'));
    assert_int_equal(run_at(312, 100), width_of('!'));
    assert_int_equal(run_at(320, 100), 0);
}

static void sizes_are_those_of_the_longest_line(void **state)
{
    struct engine_text style = {.scale = 3, .spacing = 1};
    struct engine_vec2 size = engine_text_size(NULL, "abc");
    (void)state;
    assert_true(size.x == 24.0f && size.y == 8.0f);
    size = engine_text_size(&style, "a\nabc\n");
    assert_true(size.x == 78.0f && size.y == 72.0f); /* 3 * (3 * 8 + 2), 3 lines */
    size = engine_text_size(&style, "");
    assert_true(size.x == 0.0f && size.y == 24.0f);
    size = engine_text_size(&style, NULL);
    assert_true(size.x == 0.0f);
}

static void draw_formatted(struct engine *engine, void *user, const struct engine_frame *frame)
{
    (void)user;
    engine_draw_textf(engine, &(struct engine_text){.color = {255, 255, 255, 255}}, "%s%d", "!",
                      (int)frame->number);
}

static void formatted_text_is_drawn_in_one_draw_call(void **state)
{
    struct engine *engine = create_plain_engine();
    const struct engine_frame_stats *stats;
    (void)state;
    create_font(engine);
    assert_true(engine_on(engine, ENGINE_PHASE_RENDER, draw_formatted, NULL, "text"));
    engine_iterate(engine);
    assert_true(engine_read_pixels(engine, pixels));
    assert_int_equal(run_at(0, 0), width_of('!'));
    assert_int_equal(run_at(8, 0), width_of('1'));
    stats = engine_stats_recent(engine_get_stats(engine), 0);
    assert_int_equal(stats->draw_calls, 1);
    assert_int_equal(stats->vertices, 8);
    engine_destroy(engine);
}

static void a_font_that_was_destroyed_draws_nothing(void **state)
{
    struct engine *engine = create_plain_engine();
    (void)state;
    engine_texture_destroy(engine, create_font(engine));
    assert_true(engine_on(engine, ENGINE_PHASE_RENDER, draw_formatted, NULL, "text"));
    engine_iterate(engine);
    assert_int_equal(engine_stats_recent(engine_get_stats(engine), 0)->draw_calls, 0);
    engine_destroy(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters_stand_in_their_cells_in_their_colour),
        cmocka_unit_test(other_bytes_show_as_question_marks),
        cmocka_unit_test(scale_lines_and_alignment_place_the_text),
        cmocka_unit_test(sizes_are_those_of_the_longest_line),
        cmocka_unit_test(formatted_text_is_drawn_in_one_draw_call),
        cmocka_unit_test(a_font_that_was_destroyed_draws_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
