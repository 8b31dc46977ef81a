/* SPDX-License-Identifier: MIT */
/*
 * Creation: bad descs, no display, and engines one after the other.
 */
#define _POSIX_C_SOURCE 200809L /* unsetenv */

#include <SDL.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "test_fixture.h"

static void assert_refused(const struct engine_desc *desc, const char *reason)
{
    char error[ENGINE_ERROR_SIZE] = "";
    assert_null(engine_create(desc, error));
    assert_string_equal(error, reason);
    assert_null(engine_create(desc, NULL));
}

static void bad_descs_are_refused_with_a_reason(void **state)
{
    (void)state;
    assert_refused(&(struct engine_desc){.headless = true, .fixed_dt = -0.01},
                   "fixed_dt must be from 1 us to 10 s, not -0.01 s");
    assert_refused(&(struct engine_desc){.headless = true, .max_dt = 11.0},
                   "max_dt must be from 1 us to 10 s, not 11 s");
    assert_refused(&(struct engine_desc){.headless = true, .frame_dt = 1e-9},
                   "frame_dt must be from 1 us to 10 s, not 1e-09 s");
    assert_refused(&(struct engine_desc){.headless = true, .max_steps = -1},
                   "max_steps must be 1 or more, not -1");
    assert_refused(&(struct engine_desc){.headless = true, .frame_cap = 1e6},
                   "frame_cap must be at most 10000, not 1e+06");
    assert_refused(&(struct engine_desc){.headless = true, .window_width = -5},
                   "the window cannot be -5x0");
    assert_null(
        engine_create(&(struct engine_desc){.headless = true, .fixed_dt = (double)NAN}, NULL));
}

static void no_display_is_one_line_that_names_the_way_out(void **state)
{
    struct engine_desc desc = {.no_display_hint = "use --headless"};
    char error[ENGINE_ERROR_SIZE] = "";
    (void)state;
    SDL_setenv("SDL_VIDEODRIVER", "nonesuch", 1);
    assert_null(engine_create(&desc, error));
    assert_string_equal(error, "no display: nonesuch not available; use --headless");
    SDL_setenv("SDL_VIDEODRIVER", "dummy", 1);
}

static void drivers_that_show_nothing_are_no_display(void **state)
{
    const char *const displays[] = {"DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR"};
    char error[ENGINE_ERROR_SIZE] = "";
    (void)state;
    unsetenv("SDL_VIDEODRIVER");
    for (int i = 0; i < 3; i++) {
        unsetenv(displays[i]);
    }
    if (access("/dev/dri", F_OK) == 0) {
        skip(); /* SDL may draw to a console here */
    }
    assert_null(engine_create(NULL, error));
    assert_int_equal(strncmp(error, "no display: ", 12), 0);
    SDL_setenv("SDL_VIDEODRIVER", "dummy", 1);
}

static void headless_wins_over_the_environment(void **state)
{
    struct engine *engine;
    (void)state;
    SDL_setenv("SDL_VIDEODRIVER", "nonesuch", 1);
    SDL_setenv("SDL_AUDIODRIVER", "nonesuch", 1);
    engine = create_engine(&(struct engine_desc){.no_audio = false});
    assert_string_equal(SDL_GetCurrentVideoDriver(), "dummy");
    assert_string_equal(engine_window_renderer(engine), "software");
    assert_true(engine_audio_available(engine));
    engine_destroy(engine);
    SDL_setenv("SDL_VIDEODRIVER", "dummy", 1);
    SDL_setenv("SDL_AUDIODRIVER", "dummy", 1);
}

static void a_window_falls_back_to_the_software_renderer(void **state)
{
    char error[ENGINE_ERROR_SIZE] = "";
    struct engine *engine;
    (void)state;
    SDL_setenv("SDL_VIDEODRIVER", "dummy", 1);
    engine = engine_create(&(struct engine_desc){.no_audio = true, .frame_cap = -1.0}, error);
    assert_non_null(engine);
    assert_string_equal(engine_window_renderer(engine), "software");
    assert_true(engine_iterate(engine));
    engine_destroy(engine);
}

static void missing_audio_is_no_failure(void **state)
{
    char error[ENGINE_ERROR_SIZE] = "";
    struct engine *engine;
    (void)state;
    SDL_setenv("SDL_VIDEODRIVER", "dummy", 1);
    SDL_setenv("SDL_AUDIODRIVER", "nonesuch", 1);
    engine = engine_create(&(struct engine_desc){.frame_cap = -1.0}, error);
    assert_non_null(engine);
    assert_false(engine_audio_available(engine));
    assert_true(engine_iterate(engine));
    engine_destroy(engine);
    SDL_setenv("SDL_AUDIODRIVER", "dummy", 1);
}

static void engines_can_follow_one_another(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        struct engine *engine = create_plain_engine();
        assert_true(engine_iterate(engine));
        assert_string_equal(engine_error(engine), "");
        engine_destroy(engine);
    }
    engine_destroy(NULL);
}

static void try_to_destroy(struct engine *engine, void *user, const struct engine_frame *frame)
{
    (void)user;
    (void)frame;
    engine_destroy(engine);
}

static void destroying_from_inside_a_callback_is_ignored(void **state)
{
    struct engine *engine = create_plain_engine();
    (void)state;
    assert_true(engine_on(engine, ENGINE_PHASE_UPDATE, try_to_destroy, NULL, "destroy"));
    assert_true(engine_iterate(engine));
    assert_true(engine_iterate(engine));
    engine_destroy(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_descs_are_refused_with_a_reason),
        cmocka_unit_test(no_display_is_one_line_that_names_the_way_out),
        cmocka_unit_test(drivers_that_show_nothing_are_no_display),
        cmocka_unit_test(headless_wins_over_the_environment),
        cmocka_unit_test(a_window_falls_back_to_the_software_renderer),
        cmocka_unit_test(missing_audio_is_no_failure),
        cmocka_unit_test(engines_can_follow_one_another),
        cmocka_unit_test(destroying_from_inside_a_callback_is_ignored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
