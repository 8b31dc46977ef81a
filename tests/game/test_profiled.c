/* SPDX-License-Identifier: MIT */
/* The game under its profiler, from the command line: what it writes, and how it ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "trace_rules.h"

static const char culprit[] = "injected_hitch";

/* Runs the game for some frames and gives its exit code; stderr goes to profiled.txt. */
static int play(const char *frames, const char *options)
{
    char command[1024];
    (void)snprintf(command, sizeof command,
                   "\"%s\" --headless --scene play --seed 3 --no-draw --mute --frames %s %s "
                   ">profiled.out 2>profiled.txt",
                   EMBERLINE_PROGRAM, frames, options);
    int status = system(command);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* The line of a text that begins so; cut off from what follows. Null: there is none. */
static char *line_of(char *text, const char *beginning)
{
    for (char *line = text; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, beginning, strlen(beginning)) == 0) {
            line[strcspn(line, "\n")] = '\0';
            return line;
        }
    }
    return NULL;
}

static bool line_names(const char *path, const char *beginning, const char *words)
{
    long length = 0;
    char *text = read_file(path, &length);
    assert_non_null(text);
    char *line = line_of(text, beginning);
    bool names = line != NULL && strstr(line, words) != NULL;
    free(text);
    return names;
}

/* The row of frame 300 has the culprit as the flow with the most time, and as what made it a hitch.
 */
static bool csv_names(void)
{
    long length = 0;
    char *text = read_file("profiled.csv", &length);
    assert_non_null(text);
    char *row = strstr(text, ",0,Other,300,");
    bool names = row != NULL;
    if (names) {
        row[strcspn(row, "\n")] = '\0';
        names = strstr(row, ",injected_hitch,#") != NULL &&
                strstr(row, ",hitch flow:injected_hitch") != NULL;
    }
    free(text);
    return names;
}

static bool summary_names(void)
{
    cJSON *root = parse_file("profiled_summary.json");
    assert_non_null(root);
    const cJSON *frame, *row;
    bool names = false;
    cJSON_ArrayForEach(frame, cJSON_GetObjectItemCaseSensitive(root, "worst_frames"))
    {
        names = names || (number_of(frame, "frame") == 300.0 &&
                          strstr(text_of(frame, "line"), "| 1 injected_hitch +") != NULL);
    }
    cJSON_ArrayForEach(row, cJSON_GetObjectItemCaseSensitive(root, "rows"))
    {
        if (strcmp(text_of(row, "name"), culprit) == 0) {
            assert_true(number_of(row, "max_frame") == 300.0);
            assert_true(number_of(row, "max_ms") >= 40.0);
        }
    }
    cJSON_Delete(root);
    return names;
}

/* The trace keeps its rules; frame 300 has a slice of the culprit, and a hitch at its end. */
static bool trace_names(void)
{
    struct trace_facts facts;
    double begin = -1.0, end = -1.0;
    bool slice = false, hitch = false;
    long length = 0;
    char *text = read_file("profiled.json", &length);
    assert_non_null(text);
    cJSON *root = cJSON_Parse(text);
    if (!trace_keeps_rules(root, text, &facts)) {
        fail_msg("%s", facts.broken);
    }
    assert_int_equal(facts.frames, 420);
    const cJSON *event;
    cJSON_ArrayForEach(event, cJSON_GetObjectItemCaseSensitive(root, "traceEvents"))
    {
        const cJSON *args = cJSON_GetObjectItemCaseSensitive(event, "args");
        double ts = number_of(event, "ts");
        if (strcmp(text_of(event, "cat"), "frame") == 0 && number_of(args, "number") == 300.0) {
            begin = ts;
            end = ts + number_of(event, "dur");
        }
        slice = slice || (strcmp(text_of(event, "name"), culprit) == 0 && ts >= begin && ts < end &&
                          number_of(event, "dur") >= 40000.0);
        hitch = hitch || strstr(text_of(args, "line"), "HITCH f=300 ") != NULL;
    }
    cJSON_Delete(root);
    free(text);
    return slice && hitch;
}

/* The machine may stall a frame for longer than that, or the same one: then another run tells. */
static void an_injected_hitch_is_named_wherever_its_frame_is_told_of(void **state)
{
    (void)state;
    bool line = false, csv = false, summary = false, trace = false, all = false;
    for (int run = 0; run < 8 && !all; run++) {
        assert_int_equal(play("420", "--profile profiled.json --profile-csv profiled.csv "
                                     "--profile-summary profiled_summary.json "
                                     "--inject-hitch 300:40"),
                         0);
        line = line_names("profiled.txt", "HITCH f=300 ", "| 1 injected_hitch +4");
        csv = csv_names();
        summary = summary_names();
        trace = trace_names();
        all = line && csv && summary && trace &&
              line_names("profiled.txt", "  f=300 ", "hitch: injected_hitch +");
    }
    if (!all) {
        fail_msg("line %d, CSV %d, summary %d, trace %d", line, csv, summary, trace);
    }
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
    FILE *file = fopen("profiled_script.txt", "wb");
    assert_non_null(file);
    assert_true(fputs(script, file) >= 0);
    assert_int_equal(fclose(file), 0);
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
        cmocka_unit_test(an_injected_hitch_is_named_wherever_its_frame_is_told_of),
        cmocka_unit_test(a_broken_assertion_ends_with_code_3_and_one_line),
        cmocka_unit_test(a_trace_of_all_that_happens_keeps_its_rules_too),
        cmocka_unit_test(the_profiler_changes_nothing_in_the_game),
        cmocka_unit_test(the_overlay_writes_the_frames_that_it_shows),
        cmocka_unit_test(a_file_that_cannot_be_written_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
