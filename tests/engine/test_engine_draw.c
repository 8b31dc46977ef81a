/* SPDX-License-Identifier: MIT */
/*
 * Drawing: single pixels of the picture, order, blending, the camera, batches, screenshots.
 */
#include <SDL.h>

#include "test_fixture.h"

static const struct engine_color red = {255, 0, 0, 255};
static const struct engine_color green = {0, 255, 0, 255};
static const struct engine_color blue = {0, 0, 255, 255};
static const struct engine_color white = {255, 255, 255, 255};

static struct engine_color pixels[ENGINE_WIDTH * ENGINE_HEIGHT];

/* Runs a frame whose picture `draw` draws, and reads it. */
static void draw_frame(struct engine *engine, engine_callback *draw, void *user)
{
    assert_true(engine_on(engine, ENGINE_PHASE_RENDER, draw, user, "draw"));
    assert_true(engine_iterate(engine));
    assert_true(engine_read_pixels(engine, pixels));
}

/* The same with an engine of its own. */
static void draw_once(engine_callback *draw)
{
    struct engine *engine = create_plain_engine();
    draw_frame(engine, draw, NULL);
    engine_destroy(engine);
}

static void assert_pixel(int x, int y, int r, int g, int b)
{
    struct engine_color at = pixels[y * ENGINE_WIDTH + x];
    if (at.r != r || at.g != g || at.b != b || at.a != 255) {
        fail_msg("pixel %d,%d is %d,%d,%d and not %d,%d,%d", x, y, at.r, at.g, at.b, r, g, b);
    }
}

static int count_lit(void)
{
    int lit = 0;
    for (int i = 0; i < ENGINE_WIDTH * ENGINE_HEIGHT; i++) {
        lit += pixels[i].r > 0 || pixels[i].g > 0 || pixels[i].b > 0;
    }
    return lit;
}

static void draw_rects(struct engine *engine, void *user, const struct engine_frame *frame)
{
    (void)user;
    (void)frame;
    engine_draw_clear(engine, (struct engine_color){10, 20, 30, 255});
    engine_draw_rect(engine, (struct engine_rect){100, 50, 20, 10}, red);
    engine_draw_rect(engine, (struct engine_rect){110, 55, 20, 10}, green);
    engine_draw_frame(engine, (struct engine_rect){200, 50, 20, 10}, 2, blue);
}

static void rects_cover_their_pixels_and_later_ones_cover_earlier_ones(void **state)
{
    (void)state;
    draw_once(draw_rects);
    assert_pixel(0, 0, 10, 20, 30);
    assert_pixel(639, 359, 10, 20, 30);
    assert_pixel(100, 50, 255, 0, 0);
    assert_pixel(99, 50, 10, 20, 30);
    assert_pixel(100, 49, 10, 20, 30);
    assert_pixel(109, 59, 255, 0, 0);
    assert_pixel(110, 55, 0, 255, 0);
    assert_pixel(119, 59, 0, 255, 0);
    assert_pixel(129, 64, 0, 255, 0);
    assert_pixel(130, 64, 10, 20, 30);
    assert_pixel(200, 50, 0, 0, 255);
    assert_pixel(219, 59, 0, 0, 255);
    assert_pixel(202, 52, 10, 20, 30);
    assert_pixel(201, 55, 0, 0, 255);
}

static void draw_blends(struct engine *engine, void *user, const struct engine_frame *frame)
{
    (void)user;
    (void)frame;
    engine_draw_clear(engine, (struct engine_color){100, 100, 200, 255});
    engine_draw_blend(engine, ENGINE_BLEND_ADD);
    engine_draw_rect(engine, (struct engine_rect){0, 0, 10, 10},
                     (struct engine_color){50, 100, 100, 255});
    engine_draw_quad(engine, (struct engine_vec2){45, 45}, (struct engine_vec2){30, 30}, 0.5f,
                     (struct engine_color){50, 100, 100, 255});
    engine_draw_blend(engine, ENGINE_BLEND_ALPHA);
    engine_draw_rect(engine, (struct engine_rect){100, 0, 10, 10},
                     (struct engine_color){200, 0, 0, 128});
    engine_draw_blend(engine, ENGINE_BLEND_MULTIPLY);
    engine_draw_rect(engine, (struct engine_rect){200, 0, 10, 10},
                     (struct engine_color){255, 0, 128, 255});
}

static void draw_parts(struct engine *engine, void *user, const struct engine_frame *frame)
{
    const struct engine_camera camera = {.position = {1000.0F, 1000.0F}, .zoom = 2.0F};
    (void)user;
    (void)frame;
    engine_draw_rect(engine, (struct engine_rect){0, 0, 40, 40}, red);
    engine_draw_camera(engine, &camera);
    engine_draw_blend(engine, ENGINE_BLEND_ADD);
    engine_draw_clear_part(engine, (struct engine_rect){10, 10, 20, 20},
                           (struct engine_color){0, 0, 90, 20});
    engine_draw_camera(engine, NULL);
    engine_draw_flush(engine);
    engine_draw_rect(engine, (struct engine_rect){20, 20, 20, 20},
                     (struct engine_color){0, 50, 0, 255});
}

static void a_part_is_cleared_where_it_is_said_whatever_camera_and_blending(void **state)
{
    (void)state;
    draw_once(draw_parts);
    assert_pixel(5, 5, 255, 0, 0);
    assert_pixel(10, 10, 0, 0, 90);
    assert_pixel(20, 20, 0, 50, 90);
    assert_pixel(30, 30, 255, 50, 0);
}

static void assert_near(int x, int y, int r, int g, int b)
{
    struct engine_color at = pixels[y * ENGINE_WIDTH + x];
    if (abs(at.r - r) > 1 || abs(at.g - g) > 1 || abs(at.b - b) > 1) {
        fail_msg("pixel %d,%d is %d,%d,%d and not about %d,%d,%d", x, y, at.r, at.g, at.b, r, g, b);
    }
}

static void blending_adds_mixes_and_multiplies(void **state)
{
    (void)state;
    draw_once(draw_blends);
    assert_pixel(5, 5, 150, 200, 255);
    assert_pixel(45, 45, 150, 200, 255);
    assert_near(105, 5, 150, 50, 100);
    assert_near(205, 5, 100, 0, 100);
}

static void draw_shapes(struct engine *engine, void *user, const struct engine_frame *frame)
{
    (void)user;
    (void)frame;
    engine_draw_circle(engine, (struct engine_vec2){50, 50}, 20, red);
    engine_draw_ring(engine, (struct engine_vec2){150, 50}, 20, 4, green);
    engine_draw_line(engine, (struct engine_vec2){200, 50}, (struct engine_vec2){240, 50}, 4, blue);
    engine_draw_capsule(engine, (struct engine_vec2){300, 50}, (struct engine_vec2){340, 50}, 10,
                        white);
    engine_draw_ngon(engine, (struct engine_vec2){400, 50}, 20, 3, 0, red);
    engine_draw_ngon_line(engine, (struct engine_vec2){460, 50}, 20, 6, 0, 3, red);
    engine_draw_arc(engine, (struct engine_vec2){550, 50}, 20, 4, 0, 1.5708f, green);
    engine_draw_glow(engine, (struct engine_vec2){50, 150}, 20, white,
                     (struct engine_color){255, 255, 255, 0});
    engine_draw_gradient(engine, (struct engine_rect){100, 100, 10, 100}, white,
                         (struct engine_color){0, 0, 0, 255});
    engine_draw_beam(engine, (struct engine_vec2){200, 150}, (struct engine_vec2){300, 150}, 6,
                     white, (struct engine_color){255, 255, 255, 0});
}

static void shapes_cover_what_they_should(void **state)
{
    (void)state;
    draw_once(draw_shapes);
    assert_pixel(50, 50, 255, 0, 0);
    assert_pixel(68, 50, 255, 0, 0);
    assert_pixel(65, 65, 0, 0, 0);
    assert_pixel(150, 50, 0, 0, 0);
    assert_pixel(170, 50, 0, 255, 0);
    assert_pixel(150, 30, 0, 255, 0);
    assert_pixel(220, 50, 0, 0, 255);
    assert_pixel(220, 53, 0, 0, 0);
    assert_pixel(198, 50, 0, 0, 0);
    assert_pixel(320, 58, 255, 255, 255);
    assert_pixel(293, 50, 255, 255, 255);
    assert_pixel(347, 50, 255, 255, 255);
    assert_pixel(291, 41, 0, 0, 0);
    assert_pixel(400, 50, 255, 0, 0);
    assert_pixel(417, 50, 255, 0, 0);
    assert_pixel(415, 60, 0, 0, 0);
    assert_pixel(460, 50, 0, 0, 0);
    assert_pixel(479, 50, 255, 0, 0);
    assert_pixel(564, 64, 0, 255, 0); /* the lower right quarter */
    assert_pixel(535, 35, 0, 0, 0);
    assert_true(pixels[150 * ENGINE_WIDTH + 50].r > 240);
    assert_true(pixels[150 * ENGINE_WIDTH + 60].r > 90 && pixels[150 * ENGINE_WIDTH + 60].r < 160);
    assert_true(pixels[101 * ENGINE_WIDTH + 105].r > 240);
    assert_true(pixels[198 * ENGINE_WIDTH + 105].r < 15);
    assert_true(pixels[150 * ENGINE_WIDTH + 210].r > pixels[150 * ENGINE_WIDTH + 290].r);
}

static void draw_nothing(struct engine *engine, void *user, const struct engine_frame *frame)
{
    const struct engine_vec2 at = {50, 50};
    const struct engine_vec2 points[2] = {{0, 0}, {9, 9}};
    const struct engine_color clear = {255, 255, 255, 0};
    (void)user;
    (void)frame;
    engine_draw_rect(engine, (struct engine_rect){10, 10, 0, 10}, red);
    engine_draw_rect(engine, (struct engine_rect){10, 10, -5, 10}, red);
    engine_draw_rect(engine, (struct engine_rect){10, 10, 5, 10}, clear);
    engine_draw_frame(engine, (struct engine_rect){10, 10, 5, 5}, 0, red);
    engine_draw_quad(engine, at, (struct engine_vec2){0, 5}, 1, red);
    engine_draw_polygon(engine, points, 2, red);
    engine_draw_ngon(engine, at, 10, 2, 0, red);
    engine_draw_ngon_line(engine, at, 10, 65, 0, 1, red);
    engine_draw_line(engine, at, at, 4, red);
    engine_draw_line(engine, at, (struct engine_vec2){60, 60}, 0, red);
    engine_draw_capsule(engine, at, at, 0, red);
    engine_draw_circle(engine, at, -1, red);
    engine_draw_ring(engine, at, 0, 4, red);
    engine_draw_arc(engine, at, 10, 4, 1, 1, red);
    engine_draw_glow(engine, at, 10, clear, clear);
    engine_draw_sprite(engine, NULL);
    engine_draw_sprite(engine, &(struct engine_sprite){.color = red});
    engine_draw_text(engine, &(struct engine_text){.color = red}, "no font");
}

static void degenerate_shapes_draw_nothing(void **state)
{
    (void)state;
    draw_once(draw_nothing);
    assert_int_equal(count_lit(), 0);
}

static void draw_through_camera(struct engine *engine, void *user, const struct engine_frame *frame)
{
    struct engine_camera camera = {.position = {1000, 500}, .zoom = 2, .shake = {3, 0}};
    (void)user;
    (void)frame;
    engine_draw_camera(engine, &camera);
    engine_draw_rect(engine, (struct engine_rect){1000, 500, 10, 10}, red);
    camera = (struct engine_camera){.position = {0, 0}, .rotation = 1.5707963f};
    engine_draw_camera(engine, &camera);
    engine_draw_rect(engine, (struct engine_rect){98, -2, 4, 4}, green); /* right: now above */
    engine_draw_camera(engine, NULL);
    engine_draw_rect(engine, (struct engine_rect){0, 0, 1, 1}, blue);
}

static void the_camera_moves_zooms_turns_and_shakes(void **state)
{
    (void)state;
    draw_once(draw_through_camera);
    assert_pixel(323, 180, 255, 0, 0);
    assert_pixel(342, 199, 255, 0, 0);
    assert_pixel(343, 199, 0, 0, 0);
    assert_pixel(322, 180, 0, 0, 0);
    assert_pixel(320, 80, 0, 255, 0);
    assert_pixel(420, 180, 0, 0, 0);
    assert_pixel(0, 0, 0, 0, 255);
}

static void camera_points_go_there_and_back(void **state)
{
    struct engine_camera camera = {
        .position = {100, -50}, .zoom = 3, .rotation = 0.7f, .shake = {5, -2}};
    struct engine_vec2 screen = engine_camera_to_screen(&camera, (struct engine_vec2){123, 45});
    struct engine_vec2 world = engine_camera_to_world(&camera, screen);
    (void)state;
    assert_true(world.x > 122.99f && world.x < 123.01f && world.y > 44.99f && world.y < 45.01f);
    screen = engine_camera_to_screen(&camera, camera.position);
    assert_true(screen.x == 325.0f && screen.y == 178.0f);
    world = engine_camera_to_world(NULL, (struct engine_vec2){7, 8});
    assert_true(world.x == 7.0f && world.y == 8.0f);
}

/* A texture of 16x16 pixels whose quarters are red, green, blue and transparent. */
static struct engine_texture *create_texture(struct engine *engine)
{
    const struct engine_color four[4] = {red, green, blue, {255, 255, 255, 0}};
    struct engine_color texels[16 * 16];
    struct engine_image *image;
    struct engine_texture *texture;
    for (int i = 0; i < 16 * 16; i++) {
        texels[i] = four[i / 128 * 2 + i % 16 / 8];
    }
    image = engine_image_create(16, 16, texels);
    texture = engine_texture_create(engine, image);
    assert_non_null(texture);
    engine_image_destroy(image);
    return texture;
}

static void draw_sprites(struct engine *engine, void *user, const struct engine_frame *frame)
{
    struct engine_sprite sprite = {.texture = user, .position = {100, 100}, .color = white};
    (void)frame;
    engine_draw_sprite(engine, &sprite);
    sprite.position.x = 200;
    sprite.size = (struct engine_vec2){32, 32};
    engine_draw_sprite(engine, &sprite);
    sprite.position.x = 300;
    sprite.source = (struct engine_rect){8, 0, 8, 8};
    sprite.color = (struct engine_color){255, 128, 255, 255};
    engine_draw_sprite(engine, &sprite);
    sprite.position.x = 400;
    sprite.source = (struct engine_rect){0, 0, 0, 0};
    sprite.color = white;
    sprite.rotation = 3.14159265f;
    engine_draw_sprite(engine, &sprite);
    sprite.position.x = 500;
    sprite.rotation = 0;
    sprite.size = (struct engine_vec2){-32, 32};
    engine_draw_sprite(engine, &sprite);
}

/* The four quarters around a middle, in reading order. */
static void assert_quarters(int x, int y, const char *quarters)
{
    for (int i = 0; i < 4; i++) {
        char c = quarters[i];
        assert_near(x - 6 + i % 2 * 12, y - 6 + i / 2 * 12, c == 'r' ? 255 : 0, c == 'g' ? 255 : 0,
                    c == 'b' ? 255 : 0);
    }
}

static void sprites_show_their_source_tinted_scaled_turned_and_mirrored(void **state)
{
    struct engine *engine = create_plain_engine();
    (void)state;
    draw_frame(engine, draw_sprites, create_texture(engine));
    assert_pixel(92, 92, 255, 0, 0);
    assert_pixel(99, 99, 255, 0, 0);
    assert_pixel(100, 99, 0, 255, 0);
    assert_pixel(99, 100, 0, 0, 255);
    assert_pixel(100, 100, 0, 0, 0);
    assert_pixel(91, 92, 0, 0, 0);
    assert_quarters(200, 100, "rgb.");
    assert_pixel(184, 84, 255, 0, 0);
    assert_pixel(215, 84, 0, 255, 0);
    assert_near(290, 100, 0, 128, 0);
    assert_near(310, 110, 0, 128, 0);
    assert_quarters(400, 100, ".bgr");
    assert_quarters(500, 100, "gr.b");
    engine_destroy(engine);
}

static void draw_groups(struct engine *engine, void *user, const struct engine_frame *frame)
{
    struct engine_sprite sprite = {.texture = user, .color = white};
    (void)frame;
    for (int i = 0; i < 100; i++) {
        engine_draw_rect(engine, (struct engine_rect){(float)i, 0, 1, 1}, red);
    }
    engine_draw_blend(engine, ENGINE_BLEND_ADD);
    for (int i = 0; i < 100; i++) {
        engine_draw_rect(engine, (struct engine_rect){(float)i, 0, 1, 1}, red);
    }
    for (int i = 0; i < 100; i++) {
        engine_draw_sprite(engine, &sprite);
    }
}

static void equal_textures_and_blending_form_one_draw_call(void **state)
{
    struct engine *engine = create_plain_engine();
    const struct engine_frame_stats *stats;
    (void)state;
    draw_frame(engine, draw_groups, create_texture(engine));
    stats = engine_stats_recent(engine_get_stats(engine), 0);
    assert_int_equal(stats->draw_calls, 3);
    assert_int_equal(stats->vertices, 1200);
    engine_destroy(engine);
}

static void draw_many(struct engine *engine, void *user, const struct engine_frame *frame)
{
    (void)user;
    (void)frame;
    for (int i = 0; i < 40000; i++) {
        int row = i / 640;
        engine_draw_rect(engine, (struct engine_rect){(float)(i % 640), (float)row, 1, 1}, red);
    }
}

static void a_batch_that_is_full_is_handed_on_and_nothing_is_lost(void **state)
{
    struct engine *engine = create_plain_engine();
    const struct engine_frame_stats *stats;
    (void)state;
    draw_frame(engine, draw_many, NULL);
    stats = engine_stats_recent(engine_get_stats(engine), 0);
    assert_int_equal(stats->draw_calls, 3);
    assert_int_equal(stats->vertices, 160000);
    assert_int_equal(count_lit(), 40000);
    engine_destroy(engine);
}

static void drawing_outside_render_is_ignored(void **state)
{
    struct engine *engine = create_plain_engine();
    (void)state;
    assert_true(engine_on(engine, ENGINE_PHASE_UPDATE, draw_rects, NULL, "update"));
    assert_true(engine_on(engine, ENGINE_PHASE_END, draw_rects, NULL, "end"));
    engine_iterate(engine);
    draw_rects(engine, NULL, NULL);
    assert_true(engine_read_pixels(engine, pixels));
    assert_int_equal(count_lit(), 0);
    engine_destroy(engine);
}

static void take_screenshot(struct engine *engine, void *user, const struct engine_frame *frame)
{
    (void)frame;
    assert_true(engine_screenshot(engine, user));
}

static void a_screenshot_in_end_holds_the_frames_picture(void **state)
{
    char path[] = "test_engine_draw_screenshot.bmp";
    struct engine_desc desc = {.no_audio = true, .window_width = 900, .window_height = 700};
    struct engine *engine = create_engine(&desc);
    SDL_Surface *bmp;
    Uint8 *first;
    (void)state;
    assert_true(engine_on(engine, ENGINE_PHASE_END, take_screenshot, path, "screenshot"));
    draw_frame(engine, draw_rects, NULL);
    bmp = SDL_LoadBMP(path);
    assert_non_null(bmp);
    assert_int_equal(bmp->w, ENGINE_WIDTH);
    assert_int_equal(bmp->h, ENGINE_HEIGHT);
    assert_int_equal(bmp->format->BitsPerPixel, 24);
    first = (Uint8 *)bmp->pixels;
    assert_int_equal(first[0], 30); /* blue, green, red */
    assert_int_equal(first[1], 20);
    assert_int_equal(first[2], 10);
    assert_int_equal(first[50 * bmp->pitch + 100 * 3 + 2], 255);
    SDL_FreeSurface(bmp);
    (void)remove(path);
    engine_destroy(engine);
}

static void a_screenshot_that_cannot_be_written_says_why(void **state)
{
    struct engine *engine = create_plain_engine();
    (void)state;
    assert_false(engine_screenshot(engine, "/nonesuch/shot.bmp"));
    assert_string_equal(engine_error(engine),
                        "/nonesuch/shot.bmp: cannot be written: No such file or directory");
    assert_false(engine_screenshot(engine, ""));
    assert_false(engine_screenshot(engine, NULL));
    engine_destroy(engine);
}

static void the_picture_fits_windows_by_whole_numbers(void **state)
{
    struct engine_viewport fit = engine_viewport_fit(1280, 720);
    (void)state;
    assert_true(fit.x == 0 && fit.y == 0 && fit.w == 1280 && fit.h == 720);
    fit = engine_viewport_fit(1920, 1200);
    assert_true(fit.x == 0 && fit.y == 60 && fit.w == 1920 && fit.h == 1080);
    fit = engine_viewport_fit(1919, 1080);
    assert_true(fit.w == 1280 && fit.h == 720 && fit.x == 319 && fit.y == 180);
    fit = engine_viewport_fit(320, 360);
    assert_true(fit.w == 320 && fit.h == 180 && fit.x == 0 && fit.y == 90);
    fit = engine_viewport_fit(640, 180);
    assert_true(fit.w == 320 && fit.h == 180 && fit.x == 160 && fit.y == 0);
    fit = engine_viewport_fit(0, 100);
    assert_true(fit.w == 0 && fit.h == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rects_cover_their_pixels_and_later_ones_cover_earlier_ones),
        cmocka_unit_test(blending_adds_mixes_and_multiplies),
        cmocka_unit_test(a_part_is_cleared_where_it_is_said_whatever_camera_and_blending),
        cmocka_unit_test(shapes_cover_what_they_should),
        cmocka_unit_test(degenerate_shapes_draw_nothing),
        cmocka_unit_test(the_camera_moves_zooms_turns_and_shakes),
        cmocka_unit_test(camera_points_go_there_and_back),
        cmocka_unit_test(sprites_show_their_source_tinted_scaled_turned_and_mirrored),
        cmocka_unit_test(equal_textures_and_blending_form_one_draw_call),
        cmocka_unit_test(a_batch_that_is_full_is_handed_on_and_nothing_is_lost),
        cmocka_unit_test(drawing_outside_render_is_ignored),
        cmocka_unit_test(a_screenshot_in_end_holds_the_frames_picture),
        cmocka_unit_test(a_screenshot_that_cannot_be_written_says_why),
        cmocka_unit_test(the_picture_fits_windows_by_whole_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
