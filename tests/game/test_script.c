/* SPDX-License-Identifier: MIT */
/* Scripts: what lines mean, and one reason where they mean nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "controls.h"
#include "keys.h"
#include "script.h"

static struct script script;
static const char *reason;

static int begin_script(void **state)
{
    (void)state;
    script_free(&script);
    return 0;
}

static void assert_refused(const char *line, const char *words)
{
    size_t before = script.count;
    assert_false(script_add(&script, line, &reason));
    assert_non_null(reason);
    if (strstr(reason, words) == NULL) {
        fail_msg("\"%s\" was refused with \"%s\", without \"%s\"", line, reason, words);
    }
    assert_int_equal(script.count, before);
}

static void assert_line(const char *text, long frame, enum script_kind kind, int code, float value)
{
    assert_true(script_add(&script, text, &reason));
    const struct script_line *line = &script.lines[script.count - 1];
    assert_int_equal(line->frame, frame);
    assert_int_equal(line->kind, kind);
    assert_int_equal(line->code, code);
    assert_true(line->value == value);
}

static void every_kind_of_line_is_read(void **state)
{
    (void)state;
    assert_line("1 press confirm\n", 1, SCRIPT_ACTION, ACTION_CONFIRM, 1.0F);
    assert_line("  4\trelease  confirm # done\r\n", 4, SCRIPT_ACTION, ACTION_CONFIRM, 0.0F);
    assert_line("5 press key:escape", 5, SCRIPT_KEY, KEY_ESCAPE, 1.0F);
    assert_line("5 release key:w", 5, SCRIPT_KEY, KEY_W, 0.0F);
    assert_line("6 axis move_x -0.5", 6, SCRIPT_AXIS, SCRIPT_MOVE_X, -0.5F);
    assert_line("6 axis mouse_y 240", 6, SCRIPT_AXIS, SCRIPT_MOUSE_Y, 240.0F);
    assert_line("700 quit", 700, SCRIPT_QUIT, 0, 0.0F);
}

static void comments_and_blank_lines_add_nothing(void **state)
{
    (void)state;
    static const char *const lines[] = {"", "\n", "  \t\r\n", "# 1 press fire\n", "   # x"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        assert_true(script_add(&script, lines[i], &reason));
    }
    assert_int_equal(script.count, 0);
}

static void bad_lines_are_refused_with_a_reason(void **state)
{
    (void)state;
    assert_refused("press fire", "begins with the number of a frame");
    assert_refused("1x press fire", "begins with the number of a frame");
    assert_refused("0 press fire", "from 1");
    assert_refused("-3 press fire", "from 1");
    assert_refused("99999999999999999999 quit", "from 1");
    assert_refused("1", "press, release, axis, pad, focus, resize or quit");
    assert_refused("1 jump", "press, release, axis, pad, focus, resize or quit");
    assert_refused("1 press", "take the name");
    assert_refused("1 press fire now", "take the name");
    assert_refused("1 press fly", "no action");
    assert_refused("1 press key:", "no key");
    assert_refused("1 press key:hyper", "no key");
    assert_refused("1 axis move_x", "axis takes");
    assert_refused("1 axis move_z 1", "no axis");
    assert_refused("1 axis move_x 1.5", "range");
    assert_refused("1 axis move_x nan", "range");
    assert_refused("1 axis move_x 0.5x", "range");
    assert_refused("1 axis mouse_x inf", "range");
    assert_refused("1 quit now", "quit takes nothing");
}

static void frames_never_go_back(void **state)
{
    (void)state;
    assert_true(script_add(&script, "10 press fire", &reason));
    assert_true(script_add(&script, "10 release fire", &reason));
    assert_refused("9 press fire", "before");
}

static void long_lines_are_refused(void **state)
{
    (void)state;
    char line[1000];
    memset(line, ' ', sizeof line);
    line[sizeof line - 1] = '\0';
    assert_refused(line, "255");
}

static void long_scripts_keep_every_line(void **state)
{
    (void)state;
    char line[64];
    for (int i = 1; i <= 1000; i++) {
        (void)snprintf(line, sizeof line, "%d press fire", i);
        assert_true(script_add(&script, line, &reason));
    }
    assert_int_equal(script.count, 1000);
    assert_int_equal(script.lines[999].frame, 1000);
}

static void a_missing_file_is_one_line(void **state)
{
    (void)state;
    char error[SCRIPT_ERROR_SIZE];
    assert_false(script_load(&script, "no/such/file.txt", error));
    assert_non_null(strstr(error, "no/such/file.txt: "));
    assert_null(strchr(error, '\n'));
    assert_false(script_load(&script, ".", error));
    assert_null(script.lines);
}

static void every_action_has_a_name(void **state)
{
    (void)state;
    assert_int_equal(action_find("left"), ACTION_LEFT);
    assert_int_equal(action_find("snapshot"), ACTION_SNAPSHOT);
    assert_int_equal(action_find("Left"), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(every_kind_of_line_is_read, begin_script),
        cmocka_unit_test_setup(comments_and_blank_lines_add_nothing, begin_script),
        cmocka_unit_test_setup(bad_lines_are_refused_with_a_reason, begin_script),
        cmocka_unit_test_setup(frames_never_go_back, begin_script),
        cmocka_unit_test_setup(long_lines_are_refused, begin_script),
        cmocka_unit_test_setup(long_scripts_keep_every_line, begin_script),
        cmocka_unit_test_setup(a_missing_file_is_one_line, begin_script),
        cmocka_unit_test(every_action_has_a_name),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    script_free(&script);
    return failed;
}
