/* SPDX-License-Identifier: MIT */
/*
 * Whatever makes a frame of the game long is named as its culprit, and in the same words, in the
 * line, the summary, the trace, the CSV and the overlay. The profiler knows of no injection. The
 * clock is counted, so that the figures are the same in every run.
 */
#include "program.h"

/* Who is to be named for a kind of --inject-hitch, and where. */
struct culprit {
    const char *kind;
    const char *row;   /* as the line and the overlay have it, up to its place in the source */
    const char *tag;   /* as the CSV has it */
    const char *slice; /* of the trace, in full or without how many more; null: there is none */
    const char *name;  /* its row of the summary */
    double ms;         /* 0: 40 */
};

/* Opens the overlay, freezes it in frame 85, goes back to frame 60 and has it written. */
static const char to_frame_60[] = "10 press overlay\n12 release overlay\n"
                                  "14 press overlay\n16 release overlay\n"
                                  "85 press freeze\n86 release freeze\n"
                                  "87 hold frame_back 1.0\n112 release frame_back\n"
                                  "115 press trace\n116 release trace\n";

static void run_with(const char *inject, const char *options)
{
    char whole[512];
    (void)snprintf(whole, sizeof whole,
                   "--scene play --seed 3 --clock counted --no-draw --inject-hitch %s --profile "
                   "inject.json --profile-csv inject.csv --profile-summary inject_summary.json %s",
                   inject, options);
    (void)remove("emberline_overlay.txt");
    assert_int_equal(run_game("inject", whole), 0);
}

/* Of a file of text, what stands in the place of a line's beginning. */
static bool says(const char *path, const char *words)
{
    long length = 0;
    char *text = read_file(path, &length);
    assert_non_null(text);
    bool said = strstr(text, words) != NULL;
    free(text);
    return said;
}

static bool csv_names(long frame, const char *tag)
{
    char tags[96];
    bool named = false;
    long length = 0;
    char *text = read_file("inject.csv", &length);
    assert_non_null(text);
    (void)snprintf(tags, sizeof tags, "hitch %s\n", tag);
    for (const char *row = strchr(text, '\n') + 1; *row != '\0'; row = strchr(row, '\n') + 1) {
        bool own = atol(csv_field(row, CSV_FRAME)) == frame;
        bool tagged = strncmp(csv_field(row, CSV_TAGS), tags, strlen(tags)) == 0;
        assert_true(own || !tagged);
        named = named || tagged;
    }
    free(text);
    return named;
}

/* The frame's line among the worst, and the row, whose worst frame it was. */
static bool summary_names(long number, const struct culprit *culprit)
{
    char words[96];
    bool line = false, row = false;
    const cJSON *item;
    cJSON *root = parse_file("inject_summary.json");
    assert_non_null(root);
    (void)snprintf(words, sizeof words, "| 1 %s", culprit->row);
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(root, "worst_frames"))
    {
        line = line || (number_of(item, "frame") == (double)number &&
                        strstr(text_of(item, "line"), words) != NULL);
    }
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(root, "rows"))
    {
        row = row || (strcmp(text_of(item, "name"), culprit->name) == 0 &&
                      number_of(item, "max_frame") == (double)number);
    }
    cJSON_Delete(root);
    return line && row;
}

/* The trace keeps its rules; a slice in the frame with the culprit's name has the time, and the
 * hitch at the frame's end has the line. */
static bool trace_names(long number, const struct culprit *culprit)
{
    struct trace_facts facts;
    char words[96];
    double begin = -1.0, end = -1.0, ms = culprit->ms > 0.0 ? culprit->ms : 40.0;
    bool slice = culprit->slice == NULL, line = false;
    long length = 0;
    const cJSON *event;
    char *text = read_file("inject.json", &length);
    assert_non_null(text);
    cJSON *root = cJSON_Parse(text);
    if (!trace_keeps_rules(root, text, &facts)) {
        fail_msg("%s", facts.broken);
    }
    assert_int_equal(facts.hitches, 1);
    (void)snprintf(words, sizeof words, "HITCH f=%ld ", number);
    cJSON_ArrayForEach(event, cJSON_GetObjectItemCaseSensitive(root, "traceEvents"))
    {
        const cJSON *args = cJSON_GetObjectItemCaseSensitive(event, "args");
        double ts = number_of(event, "ts");
        if (strcmp(text_of(event, "cat"), "frame") == 0 &&
            number_of(args, "number") == (double)number) {
            begin = ts;
            end = ts + number_of(event, "dur");
        }
        slice = slice ||
                (strncmp(text_of(event, "name"), culprit->slice, strlen(culprit->slice)) == 0 &&
                 ts >= begin && ts < end && number_of(event, "dur") >= ms * 1000.0);
        line = line || (strstr(text_of(args, "line"), words) != NULL &&
                        strstr(text_of(args, "line"), culprit->row) != NULL);
    }
    cJSON_Delete(root);
    free(text);
    return slice && line;
}

static void assert_all_name(long frame, const struct culprit *culprit)
{
    char beginning[48], words[96], row[96];
    (void)snprintf(beginning, sizeof beginning, "HITCH f=%ld ", frame);
    (void)snprintf(words, sizeof words, "| 1 %s", culprit->row);
    bool line = line_names("inject.txt", beginning, words);
    (void)snprintf(beginning, sizeof beginning, "  f=%ld ", frame);
    (void)snprintf(words, sizeof words, "hitch: %s", culprit->row);
    bool text = line_names("inject.txt", beginning, words);
    (void)snprintf(beginning, sizeof beginning, " frame f=%ld:", frame);
    (void)snprintf(row, sizeof row, "\n 1 %s", culprit->row);
    (void)snprintf(words, sizeof words, "\n HITCH f=%ld ", frame);
    bool overlay = says("emberline_overlay.txt", beginning) && says("emberline_overlay.txt", row) &&
                   says("emberline_overlay.txt", words);
    bool csv = csv_names(frame, culprit->tag), summary = summary_names(frame, culprit);
    bool trace = trace_names(frame, culprit);
    if (!line || !text || !csv || !summary || !trace || !overlay) {
        fail_msg("named in: line %d, text %d, CSV %d, summary %d, trace %d, overlay %d", line, text,
                 csv, summary, trace, overlay);
    }
}

static void assert_named(const struct culprit *culprit)
{
    char inject[48];
    write_text("inject_script.txt", to_frame_60);
    (void)snprintf(inject, sizeof inject, "60:%d:%s", culprit->ms > 0.0 ? (int)culprit->ms : 40,
                   culprit->kind);
    run_with(inject, "--frames 120 --script inject_script.txt --screenshot 60:inject.bmp "
                     "--screenshot 115:inject.bmp");
    assert_all_name(60, culprit);
}

/* ---- the issue's own ---- */

/* Opens the overlay, freezes it 20 frames later and goes back. */
static void a_hitch_of_40_ms_in_frame_300_is_named_wherever_it_is_told_of(void **state)
{
    (void)state;
    write_text("inject_script.txt", "110 press overlay\n112 release overlay\n"
                                    "114 press overlay\n116 release overlay\n"
                                    "320 press freeze\n321 release freeze\n"
                                    "322 hold frame_back 1.0\n342 release frame_back\n"
                                    "345 press trace\n346 release trace\n");
    run_with("300:40", "--frames 350 --script inject_script.txt --screenshot 345:inject.bmp");
    assert_all_name(300, &(struct culprit){.row = "injected_hitch +40.0 (x1, worst #",
                                           .tag = "flow:injected_hitch",
                                           .slice = "injected_hitch",
                                           .name = "injected_hitch"});
}

/* The same on the machine's clock, with whatever the machine does meanwhile: the frame is told. */
static void the_same_hitch_is_named_on_a_real_clock(void **state)
{
    bool named = false;
    (void)state;
    for (int run = 0; run < 8 && !named; run++) {
        assert_int_equal(run_game("inject", "--scene play --no-draw --frames 330 --assert-p99 "
                                            "100000 --inject-hitch 300:40"),
                         0);
        named = line_names("inject.txt", "HITCH f=300 ", "| 1 injected_hitch +4");
    }
    assert_true(named);
}

/* ---- each kind ---- */

static void a_resume_that_burns_is_named(void **state)
{
    (void)state;
    assert_named(&(struct culprit){.kind = "resume",
                                   .row = "injected_hitch +40.0 (x1, worst #",
                                   .tag = "flow:injected_hitch",
                                   .slice = "injected_hitch",
                                   .name = "injected_hitch"});
}

static void an_eager_start_is_named(void **state)
{
    (void)state;
    assert_named(&(struct culprit){.kind = "start",
                                   .row = "injected_start +40.0 (x1, worst #",
                                   .tag = "flow:injected_start",
                                   .slice = "injected_start",
                                   .name = "injected_start"});
}

static void a_finally_section_is_named(void **state)
{
    (void)state;
    assert_named(&(struct culprit){.kind = "finally",
                                   .row = "injected_finally +40.0 (x1, worst #",
                                   .tag = "flow:injected_finally",
                                   .slice = "injected_finally",
                                   .name = "injected_finally"});
}

static void a_predicate_is_named_by_who_waits(void **state)
{
    (void)state;
    assert_named(&(struct culprit){.kind = "predicate",
                                   .row = "predicate of injected_predicate +40.0 (x1, worst #",
                                   .tag = "predicate:injected_predicate",
                                   .slice = "predicate of injected_predicate",
                                   .name = "injected_predicate"});
}

static void five_thousand_wakes_in_a_tick_are_named_as_one(void **state)
{
    (void)state;
    assert_named(&(struct culprit){.kind = "wakes",
                                   .row = "injected_sleeper +41.0 (x5000, worst #",
                                   .tag = "flow:injected_sleeper",
                                   .slice = "injected_sleeper x5000",
                                   .name = "injected_sleeper"});
}

static void a_cancel_of_five_thousand_flows_is_named_with_its_worst(void **state)
{
    (void)state;
    assert_named(
        &(struct culprit){.kind = "cancel",
                          .row = "cancel injected crowd +41.5 (5000 flows, worst injected_keeper#",
                          .tag = "cancel:injected crowd",
                          .slice = "cancel injected crowd",
                          .name = "injected crowd"});
}

static void a_flood_of_the_inbox_is_named(void **state)
{
    (void)state;
    assert_named(&(struct culprit){.kind = "inbox",
                                   .row = "flow inbox +40.1 (x1000)",
                                   .tag = "tick:flow inbox",
                                   .slice = "flow inbox",
                                   .name = "flow inbox"});
}

static void drawing_is_named(void **state)
{
    (void)state;
    assert_named(&(struct culprit){.kind = "render",
                                   .row = "render +40.0",
                                   .tag = "zone:render",
                                   .slice = "render",
                                   .name = "render"});
}

/* Waiting is no work: a hitch above --hitch-ms alone. */
static void presenting_is_named(void **state)
{
    (void)state;
    assert_named(&(struct culprit){.kind = "present",
                                   .row = "present +150.0",
                                   .tag = "wait:present",
                                   .slice = "present",
                                   .name = "present",
                                   .ms = 150.0});
}

static void a_callback_of_the_host_is_named_in_every_phase(void **state)
{
    static const char *const kinds[] = {"in-begin",   "in-early", "in-fixed",
                                        "in-update",  "in-late",  "in-render",
                                        "in-present", "in-end",   "in-pace"};
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        assert_named(&(struct culprit){.kind = kinds[i],
                                       .row = "injected callback +40.0",
                                       .tag = "zone:injected callback",
                                       .slice = "injected callback",
                                       .name = "injected callback"});
    }
}

static void time_stolen_outside_of_the_program_is_unaccounted(void **state)
{
    (void)state;
    assert_named(&(struct culprit){.kind = "outside",
                                   .row = "unaccounted +40.0",
                                   .tag = "unaccounted",
                                   .name = "unaccounted"});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hitch_of_40_ms_in_frame_300_is_named_wherever_it_is_told_of),
        cmocka_unit_test(the_same_hitch_is_named_on_a_real_clock),
        cmocka_unit_test(a_resume_that_burns_is_named),
        cmocka_unit_test(an_eager_start_is_named),
        cmocka_unit_test(a_finally_section_is_named),
        cmocka_unit_test(a_predicate_is_named_by_who_waits),
        cmocka_unit_test(five_thousand_wakes_in_a_tick_are_named_as_one),
        cmocka_unit_test(a_cancel_of_five_thousand_flows_is_named_with_its_worst),
        cmocka_unit_test(a_flood_of_the_inbox_is_named),
        cmocka_unit_test(drawing_is_named),
        cmocka_unit_test(presenting_is_named),
        cmocka_unit_test(a_callback_of_the_host_is_named_in_every_phase),
        cmocka_unit_test(time_stolen_outside_of_the_program_is_unaccounted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
