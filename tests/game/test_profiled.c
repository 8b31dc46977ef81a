/* SPDX-License-Identifier: MIT */
/* The game under its profiler, from the command line: what it writes, and how it ends. */
#include "program.h"

/* Runs the game for some frames and gives its exit code. */
static int play(const char *frames, const char *options)
{
    char whole[512];
    (void)snprintf(whole, sizeof whole, "--scene play --seed 3 --no-draw --frames %s %s", frames,
                   options);
    return run_game("profiled", whole);
}

static void a_broken_assertion_ends_with_code_3_and_one_line(void **state)
{
    (void)state;
    assert_int_equal(play("120", "--assert-no-hitch --inject-hitch 100:60"), 3);
    assert_true(line_names("profiled.txt", "emberline: --assert-no-hitch: ", "there were "));
    assert_int_equal(play("120", "--assert-p99 0.0001"), 3);
    assert_true(line_names("profiled.txt", "emberline: --assert-p99: ", "above 0.000"));
    assert_int_equal(play("120", "--assert-p99 100000"), 0);
    assert_int_equal(play("20", "--assert-no-hitch"), 0); /* the first thirty do not count */
}

/* The frames of the CSV from one to another that are tagged as loading. */
static int loading_frames(long from, long to)
{
    long length = 0;
    int count = 0;
    char *text = read_file("profiled.csv", &length);
    assert_non_null(text);
    for (const char *row = strchr(text, '\n') + 1; *row != '\0'; row = strchr(row, '\n') + 1) {
        long frame = atol(csv_field(row, CSV_FRAME));
        count +=
            frame >= from && frame <= to && strncmp(csv_field(row, CSV_TAGS), "loading\n", 8) == 0;
    }
    free(text);
    return count;
}

/* Twenty files of 100 ms: they load for more than the thirty frames that are left out anyway. Then
 * one screen gives way to another, under cover. */
static void frames_that_load_are_no_hitches(void **state)
{
    (void)state;
    write_text("profiled_script.txt", "300 press lab\n302 release lab\n");
    const char *options = "--scene title --clock counted --no-draw --seed 3 --slow-io 100 --frames "
                          "360 --script profiled_script.txt --profile-csv profiled.csv "
                          "--inject-hitch ";
    char whole[512];
    (void)snprintf(whole, sizeof whole, "%s40:90", options);
    assert_int_equal(run_game("profiled", whole), 0);
    assert_false(line_names("profiled.txt", "HITCH ", ""));
    int loads = loading_frames(1, 299);
    assert_in_range(loads, 41, 250);
    assert_int_equal(loading_frames(1, loads), loads);
    assert_int_equal(loading_frames(300, 360), 1);
    (void)snprintf(whole, sizeof whole, "%s299:90", options);
    assert_int_equal(run_game("profiled", whole), 0);
    assert_true(line_names("profiled.txt", "HITCH f=299 ", "| 1 injected_hitch +90"));
}

static void a_trace_of_all_that_happens_keeps_its_rules_too(void **state)
{
    struct trace_facts facts;
    long length = 0;
    (void)state;
    assert_int_equal(play("240", "--profile profiled.json --profile-mode all"), 0);
    char *text = read_file("profiled.json", &length);
    cJSON *root = cJSON_Parse(text);
    if (!trace_keeps_rules(root, text, &facts)) {
        fail_msg("%s", facts.broken);
    }
    assert_int_equal(facts.frames, 240);
    assert_true(facts.lives >= 10);
    assert_true(facts.links > 240);
    cJSON_Delete(root);
    free(text);
}

static void the_profiler_changes_nothing_in_the_game(void **state)
{
    long length = 0;
    (void)state;
    assert_int_equal(play("420", "--hash"), 0);
    char *plain = read_file("profiled.out", &length);
    assert_int_equal(play("420", "--hash --profile profiled.json --profile-mode all"), 0);
    char *profiled = read_file("profiled.out", &length);
    assert_true(length > 100);
    assert_string_equal(plain, profiled);
    free(plain);
    free(profiled);
}

/* Opens the overlay, goes through its levels, freezes it, and writes what is frozen. */
static void write_script(void)
{
    static const char script[] = "10 press overlay\n11 release overlay\n"
                                 "30 press overlay\n31 release overlay\n"
                                 "50 press overlay\n51 release overlay\n"
                                 "70 press freeze\n71 release freeze\n"
                                 "72 press frame_back\n90 release frame_back\n"
                                 "91 press frame_on\n92 release frame_on\n"
                                 "95 press trace\n96 release trace\n"
                                 "97 press freeze\n98 release freeze\n"
                                 "110 press overlay\n111 release overlay\n";
    write_text("profiled_script.txt", script);
}

static void the_overlay_writes_the_frames_that_it_shows(void **state)
{
    struct trace_facts facts;
    long length = 0;
    (void)state;
    write_script();
    (void)remove("emberline_trace.json");
    assert_int_equal(play("120", "--script profiled_script.txt --screenshot 20:profiled_1.bmp "
                                 "--screenshot 40:profiled_2.bmp --screenshot 80:profiled_3.bmp"),
                     0);
    char *text = read_file("emberline_trace.json", &length);
    assert_non_null(text);
    cJSON *root = cJSON_Parse(text);
    if (!trace_keeps_rules(root, text, &facts)) {
        fail_msg("%s", facts.broken);
    }
    assert_int_equal(facts.frames, 60); /* from 11, the first after F3, to 70, the last before F4 */
    cJSON_Delete(root);
    free(text);
}

static void a_file_that_cannot_be_written_is_named(void **state)
{
    static const char *const options[] = {"--profile", "--profile-csv", "--profile-summary"};
    char option[64];
    (void)state;
    for (int i = 0; i < 3; i++) {
        (void)snprintf(option, sizeof option, "%s no/such/file", options[i]);
        assert_int_equal(play("20", option), 2);
        assert_true(line_names("profiled.txt", "emberline: no/such/file: ", "No such file"));
    }
    FILE *full = fopen("/dev/full", "wb");
    if (full != NULL) {
        (void)fclose(full);
        assert_int_equal(play("60", "--profile /dev/full"), 2);
        assert_true(line_names("profiled.txt", "emberline: /dev/full: ", "not be written whole"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_broken_assertion_ends_with_code_3_and_one_line),
        cmocka_unit_test(frames_that_load_are_no_hitches),
        cmocka_unit_test(a_trace_of_all_that_happens_keeps_its_rules_too),
        cmocka_unit_test(the_profiler_changes_nothing_in_the_game),
        cmocka_unit_test(the_overlay_writes_the_frames_that_it_shows),
        cmocka_unit_test(a_file_that_cannot_be_written_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
