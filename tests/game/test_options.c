/* SPDX-License-Identifier: MIT */
/* The command line: what it gives, and one line where it is wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "options.h"

enum { WORDS_MAX = 16, BUFFER_SIZE = 4096 };

static struct options options;
static char error[OPTIONS_ERROR_SIZE];

/* Parses a line of words. The words stay until the next call. */
static bool parse(const char *line)
{
    static char buffer[BUFFER_SIZE];
    char *argv[WORDS_MAX] = {0};
    int argc = 1;
    static char name[] = "emberline";
    argv[0] = name;
    assert_true(strlen(line) < sizeof buffer);
    memcpy(buffer, line, strlen(line) + 1);
    for (char *word = strtok(buffer, " "); word != NULL; word = strtok(NULL, " ")) {
        argv[argc++] = word;
    }
    return options_parse(&options, argc, argv, error);
}

static void assert_refused(const char *line, const char *words)
{
    assert_false(parse(line));
    if (strstr(error, words) == NULL) {
        fail_msg("\"%s\" was refused with \"%s\", without \"%s\"", line, error, words);
    }
    assert_null(strchr(error, '\n'));
}

static void no_options_give_the_title_with_seed_1(void **state)
{
    (void)state;
    assert_true(parse(""));
    assert_int_equal(options.scene, SCREEN_TITLE);
    assert_int_equal(options.seed, 1);
    assert_int_equal(options.frames, 0);
    assert_false(options.headless);
}

static void all_options_are_read(void **state)
{
    (void)state;
    assert_true(parse("--headless --frames 900 --seed 18446744073709551615 --scene play --hash "
                      "--mute --attract --screenshot 450:out.bmp --screenshot 451:a:b.bmp"));
    assert_true(options.headless && options.hash && options.mute && options.attract);
    assert_int_equal(options.frames, 900);
    assert_true(options.seed == UINT64_MAX);
    assert_int_equal(options.scene, SCREEN_PLAY);
    assert_int_equal(options.screenshot_count, 2);
    assert_int_equal(options.screenshots[0].frame, 450);
    assert_string_equal(options.screenshots[0].path, "out.bmp");
    assert_string_equal(options.screenshots[1].path, "a:b.bmp");
    assert_true(parse("--script a.txt --help --version"));
    assert_string_equal(options.script, "a.txt");
    assert_true(options.help && options.version);
    assert_true(parse("--stress 6000"));
    assert_int_equal(options.stress, 6000);
}

static void unknown_options_are_named(void **state)
{
    (void)state;
    assert_refused("--fast", "--fast");
    assert_refused("game", "game");
    assert_refused("-h", "-h");
}

static void missing_values_are_named(void **state)
{
    (void)state;
    assert_refused("--frames", "--frames: needs N");
    assert_refused("--seed", "--seed: needs S");
    assert_refused("--script", "--script: needs FILE");
    assert_refused("--screenshot", "--screenshot: needs FRAME:FILE");
    assert_refused("--scene", "--scene: needs NAME");
    assert_refused("--stress", "--stress: needs N");
}

static void bad_numbers_are_refused(void **state)
{
    (void)state;
    static const char *const lines[] = {"--frames 0",
                                        "--frames -1",
                                        "--frames 10x",
                                        "--frames 1e3",
                                        "--frames +5",
                                        "--frames 99999999999999999999",
                                        "--frames 0x10",
                                        "--seed -1",
                                        "--seed 18446744073709551616",
                                        "--seed one",
                                        "--stress 0",
                                        "--stress 6001",
                                        "--screenshot 450",
                                        "--screenshot 450:",
                                        "--screenshot :a.bmp",
                                        "--screenshot 0:a.bmp",
                                        "--screenshot 4x:a.bmp",
                                        "--screenshot -4:a.bmp"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        assert_refused(lines[i], "expected");
    }
}

static void bad_scenes_are_refused(void **state)
{
    (void)state;
    assert_refused("--scene bosses", "title, play, boss or lab");
}

static void what_does_not_go_together_is_refused(void **state)
{
    (void)state;
    assert_refused("--stress 10 --attract", "--stress");
    assert_refused("--stress 10 --script a.txt", "--stress");
    assert_refused("--attract --script a.txt", "--attract");
}

static void a_65th_screenshot_is_refused(void **state)
{
    (void)state;
    static char name[] = "emberline";
    static char option[] = "--screenshot";
    static char value[] = "1:a.bmp";
    char *argv[1 + 2 * 65];
    argv[0] = name;
    for (int i = 0; i < 65; i++) {
        argv[1 + 2 * i] = option;
        argv[2 + 2 * i] = value;
    }
    assert_true(options_parse(&options, 1 + 2 * 64, argv, error));
    assert_false(options_parse(&options, 1 + 2 * 65, argv, error));
    assert_non_null(strstr(error, "64"));
}

static void very_long_words_are_cut_in_the_error(void **state)
{
    (void)state;
    static char line[2000];
    memset(line, 'x', sizeof line - 1);
    assert_refused(line, "no such option");
    memcpy(line, "--frames ", 9);
    assert_refused(line, "expected");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_options_give_the_title_with_seed_1),
        cmocka_unit_test(all_options_are_read),
        cmocka_unit_test(unknown_options_are_named),
        cmocka_unit_test(missing_values_are_named),
        cmocka_unit_test(bad_numbers_are_refused),
        cmocka_unit_test(bad_scenes_are_refused),
        cmocka_unit_test(what_does_not_go_together_is_refused),
        cmocka_unit_test(a_65th_screenshot_is_refused),
        cmocka_unit_test(very_long_words_are_cut_in_the_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
