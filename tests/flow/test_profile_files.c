/* SPDX-License-Identifier: MIT */
/* What the profiler writes, parsed back: traces, CSV and summaries, and files that cannot be. */
#include "profiled.h"
#include "trace_rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a scene with something of everything ---- */

typedef FLOW_SIGNAL(int) bell_signal;

struct ringer {
    flow_frame base;
    bell_signal *bell;
    int index;
};

/* Waits in several ways, a call and a race among them, and burns 0.05 ms a turn. */
struct toller {
    flow_frame base;
};

FLOW_STATIC(toller)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_ticks(2));
    profiled_burn(flow, 0.05);
    FLOW_END;
}

FLOW_STATIC(ringer)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_RACE(self->index, flow_next(self->bell, NULL), FLOW_CALL(toller));
        profiled_burn(flow, 0.05);
        (void)FLOW_SPAWN(toller);
        FLOW_AWAIT(flow_seconds(0.05));
    }
    FLOW_FINALLY;
    profiled_burn(flow, 0.1);
    FLOW_END;
}

static double burn_ms;

struct culprit {
    flow_frame base;
};

FLOW_STATIC(culprit)
{
    FLOW_BEGIN;
    for (;;) {
        profiled_burn(flow, 0.001 + burn_ms);
        burn_ms = 0.0;
        FLOW_AWAIT(flow_next_tick());
    }
    FLOW_END;
}

/* Names as nobody should give: quotes, a backslash, control characters, bytes that are no UTF-8. */
static const char strange[] = "say \"hi\", \\ \n\t\x01\x7f \xff\xc3( \xc3\xbc";
static const char as_json[] = "say \"hi\", \\ \n\t\x01\x7f \xef\xbf\xbd\xef\xbf\xbd( \xc3\xbc";

struct files {
    struct profiled p;
    bell_signal bell;
    flow_handle group;
};

static void files_begin(struct files *s)
{
    burn_ms = 0.0;
    profiled_begin(&s->p, NULL);
    assert_int_equal(flow_signal_init(&s->bell, s->p.story.world), FLOW_OK);
    s->group = flow_group_create(s->p.story.world, &(flow_group_desc){.name = strange});
    (void)FLOW_RUN(s->p.story.world, culprit);
}

static void files_end(struct files *s)
{
    flow_signal_fini(&s->bell);
    profiled_end(&s->p);
}

static void files_frame(struct files *s, int number)
{
    flow_profile *profile = s->p.profile;
    if (number % 10 == 0) {
        (void)FLOW_RUN_WITH(s->p.story.world, FLOW_OPTIONS(.owner = s->group), ringer,
                            .bell = &s->bell);
    }
    if (number % 7 == 0) {
        (void)flow_emit(&s->bell, NULL);
    }
    if (number % 90 == 89) {
        (void)flow_group_clear(s->p.story.world, s->group);
    }
    burn_ms = number == 300 ? 40.0 : 0.0;
    profiled_frame(&s->p);
    flow_profile_begin(profile, strange);
    flow_profile_count(profile, strange, 0.5 * number);
    profiled_spend(&s->p, 0.2);
    flow_profile_end(profile);
    flow_profile_job(profile, strange, (uint32_t)number % 3, s->p.now - 9000, s->p.now - 1000);
}

static void files_play(struct files *s, int frames)
{
    for (int i = 1; i <= frames; i++) {
        files_frame(s, i);
    }
}

/* ---- the trace ---- */

/* Parses a trace and looks whether it keeps the rules. For cJSON_Delete. */
static cJSON *assert_trace(const char *path, struct trace_facts *facts)
{
    long length = 0;
    char *text = read_file(path, &length);
    assert_non_null(text);
    cJSON *root = cJSON_ParseWithOpts(text, NULL, 1);
    if (root == NULL) {
        fail_msg("%s is no JSON", path);
    }
    if (!trace_keeps_rules(root, text, facts)) {
        fail_msg("%s: %s", path, facts->broken);
    }
    free(text);
    return root;
}

/* The n-th event (from 0) of a kind with that name. */
static const cJSON *event_named(const cJSON *root, const char *ph, const char *name, int n)
{
    const cJSON *event;
    cJSON_ArrayForEach(event, cJSON_GetObjectItemCaseSensitive(root, "traceEvents"))
    {
        if (strcmp(text_of(event, "ph"), ph) == 0 && strcmp(text_of(event, "name"), name) == 0 &&
            n-- == 0) {
            return event;
        }
    }
    return NULL;
}

static const cJSON *args_of(const cJSON *event)
{
    return cJSON_GetObjectItemCaseSensitive(event, "args");
}

/* The longest slice of that name. */
static const cJSON *longest_named(const cJSON *root, const char *name)
{
    const cJSON *longest = NULL, *event;
    for (int n = 0; (event = event_named(root, "X", name, n)) != NULL; n++) {
        if (longest == NULL || number_of(event, "dur") > number_of(longest, "dur")) {
            longest = event;
        }
    }
    return longest;
}

static void a_trace_keeps_the_rules_of_its_format(void **state)
{
    static struct files s;
    struct trace_facts facts;
    (void)state;
    files_begin(&s);
    assert_int_equal(flow_profile_trace(s.p.profile, "profile_all.json", FLOW_TRACE_ALL), FLOW_OK);
    files_play(&s, 400);
    assert_int_equal(flow_profile_finish(s.p.profile), FLOW_OK);
    cJSON *root = assert_trace("profile_all.json", &facts);
    assert_int_equal(facts.frames, 399);
    assert_int_equal(facts.jobs, 399);
    assert_int_equal(facts.hitches, 1);
    assert_true(facts.lives > 100 && facts.links > 100);
    const cJSON *counter = event_named(root, "C", as_json, 9);
    assert_non_null(counter);
    assert_true(number_of(args_of(counter), as_json) == 5.0);
    assert_non_null(event_named(root, "X", as_json, 0));
    assert_non_null(event_named(root, "M", "process_name", 0));
    cJSON_Delete(root);
    files_end(&s);
}

static void a_trace_of_hitches_has_the_frames_around_them_in_full(void **state)
{
    static struct files s;
    struct trace_facts facts;
    char number[32];
    (void)state;
    files_begin(&s);
    assert_int_equal(flow_profile_trace(s.p.profile, "profile_hitch.json", FLOW_TRACE_HITCH),
                     FLOW_OK);
    files_play(&s, 400);
    assert_int_equal(flow_profile_finish(s.p.profile), FLOW_OK);
    cJSON *root = assert_trace("profile_hitch.json", &facts);
    assert_int_equal(facts.frames, 399);
    assert_int_equal(facts.hitches, 1);
    const cJSON *hitch = event_named(root, "i", "hitch", 0);
    const cJSON *frame = event_named(root, "X", "frame", 299);
    const cJSON *slice = longest_named(root, "culprit");
    const char *line = text_of(args_of(hitch), "line");
    assert_ptr_equal(strstr(line, "HITCH f=300 "), line);
    assert_non_null(strstr(line, " | 1 culprit +40.0 (x1, worst #"));
    assert_true(number_of(args_of(frame), "number") == 300.0);
    assert_true(number_of(slice, "dur") == 40001.0);
    (void)snprintf(number, sizeof number, "\"%s\"", text_of(args_of(slice), "id"));
    assert_true(number[1] == '#');
    assert_string_equal(text_of(args_of(slice), "why"), "tick");
    assert_ptr_equal(strstr(text_of(args_of(slice), "at"), "test_profile_files.c:"),
                     text_of(args_of(slice), "at"));
    assert_true(number_of(slice, "ts") >= number_of(frame, "ts"));
    /* flows have slices in the window alone: eight frames before to two after */
    double from = number_of(event_named(root, "X", "frame", 291), "ts");
    double to = number_of(event_named(root, "X", "frame", 302), "ts");
    int count = 0;
    for (const cJSON *event; (event = event_named(root, "X", "toller", count)) != NULL; count++) {
        assert_true(number_of(event, "ts") >= from && number_of(event, "ts") < to);
    }
    assert_true(count > 10);
    assert_true(count < facts.frames / 4);
    cJSON_Delete(root);
    files_end(&s);
}

static void a_window_of_the_last_frames_can_be_written_at_any_time(void **state)
{
    static struct files s;
    struct trace_facts facts;
    (void)state;
    files_begin(&s);
    assert_int_equal(flow_profile_write_window(s.p.profile, "profile_window.json"), FLOW_OK);
    cJSON_Delete(assert_trace("profile_window.json", &facts));
    assert_int_equal(facts.frames, 0);
    assert_int_equal(flow_profile_trace(s.p.profile, "profile_other.json", FLOW_TRACE_ALL),
                     FLOW_OK);
    files_play(&s, 310);
    assert_int_equal(flow_profile_write_window(s.p.profile, "profile_window.json"), FLOW_OK);
    cJSON_Delete(assert_trace("profile_window.json", &facts));
    assert_int_equal(facts.frames, FLOW_PROFILE_FRAMES);
    assert_int_equal(facts.hitches, 1);
    assert_int_equal(flow_profile_trace(s.p.profile, "profile_third.json", FLOW_TRACE_ALL),
                     FLOW_IO); /* one at a time */
    files_frame(&s, 311);
    assert_int_equal(flow_profile_finish(s.p.profile), FLOW_OK);
    cJSON_Delete(assert_trace("profile_other.json", &facts));
    assert_int_equal(facts.frames, 310);
    files_end(&s);
}

/* More flows at once than a trace links, more events in a frame than the ring holds. */
static void what_a_trace_cannot_hold_is_said_in_it(void **state)
{
    static struct profiled p;
    struct trace_facts facts;
    (void)state;
    profiled_begin(&p, &(flow_profile_desc){.events = 1024});
    assert_int_equal(flow_profile_trace(p.profile, "profile_lost.json", FLOW_TRACE_ALL), FLOW_OK);
    for (int i = 0; i < 1500; i++) {
        (void)FLOW_RUN(p.story.world, toller);
    }
    profiled_frames(&p, 6);
    assert_int_equal(flow_profile_finish(p.profile), FLOW_OK);
    cJSON *root = assert_trace("profile_lost.json", &facts);
    assert_int_equal(facts.frames, 5);
    assert_non_null(event_named(root, "i", "events lost: more than the ring holds", 0));
    cJSON_Delete(root);
    profiled_end(&p);
}

/* ---- the CSV ---- */

enum { COLUMNS = 31 };

/* Splits a line, whose end it overwrites, into its fields; returns how many there are. */
static int csv_split(char *line, char *fields[COLUMNS + 1])
{
    int count = 0;
    char *from = line, *to = line;
    while (count <= COLUMNS) {
        bool quoted = *from == '"';
        fields[count++] = to;
        for (from += quoted; *from != '\0' && (quoted || *from != ','); from++) {
            if (quoted && *from == '"' && *++from != '"') {
                break;
            }
            *to++ = *from;
        }
        bool last = *from == '\0';
        from += !last;
        *to++ = '\0';
        if (last) {
            break;
        }
    }
    return count;
}

static void assert_csv_row(char *line, int number, double *since)
{
    char *f[COLUMNS + 1];
    assert_int_equal(csv_split(line, f), COLUMNS);
    assert_string_equal(f[0], "the \"game\", 1");
    assert_int_equal(atoi(f[12]), number);
    assert_true(atof(f[7]) > *since);
    *since = atof(f[7]);
    double total = atof(f[9]), work = atof(f[13]), wait = atof(f[14]);
    assert_true(total - work - wait < 0.0015 && work + wait - total < 0.0015);
    assert_int_equal(atoi(f[20]), 1);
    if (number == 300) {
        assert_string_equal(f[26], "culprit");
        assert_true(f[27][0] == '#');
        assert_string_equal(f[28], "40.001");
        assert_string_equal(f[29], "40.000");
        assert_string_equal(f[30], "hitch flow:culprit");
    } else {
        assert_string_equal(f[30], "");
    }
}

static void a_row_of_the_csv_tells_of_each_frame_and_its_culprit(void **state)
{
    static const char header[] =
        "Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,PresentFlags,Dropped,"
        "TimeInSeconds,msInPresentAPI,msBetweenPresents,AllowsTearing,PresentMode,frame,workMs,"
        "waitMs,earlyMs,fixedMs,updateMs,lateMs,renderMs,steps,stepsDropped,flowsLive,"
        "flowsResumed,flowsSpawned,flowsCancelled,topFlow,topFlowId,topFlowMs,topExcessMs,tags";
    static struct files s;
    double since = -1.0;
    int number = 0;
    long length = 0;
    (void)state;
    files_begin(&s);
    assert_int_equal(flow_profile_csv(s.p.profile, "profile.csv", "the \"game\", 1"), FLOW_OK);
    files_play(&s, 400);
    assert_int_equal(flow_profile_finish(s.p.profile), FLOW_OK);
    char *text = read_file("profile.csv", &length);
    assert_non_null(text);
    for (char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = '\0';
        if (number == 0) {
            assert_string_equal(line, header);
        } else {
            assert_csv_row(line, number, &since);
        }
        number++;
    }
    assert_int_equal(number, 400); /* the header and 399 frames */
    free(text);
    files_end(&s);
}

/* ---- summaries ---- */

struct text {
    char at[16384];
    size_t length;
};

static void text_add(void *user, const char *part, size_t length)
{
    struct text *text = user;
    assert_true(text->length + length < sizeof text->at);
    memcpy(text->at + text->length, part, length);
    text->length += length;
    text->at[text->length] = '\0';
}

static const cJSON *row_named(const cJSON *root, const char *kind, const char *name)
{
    const cJSON *row;
    cJSON_ArrayForEach(row, cJSON_GetObjectItemCaseSensitive(root, "rows"))
    {
        if (strcmp(text_of(row, "kind"), kind) == 0 && strcmp(text_of(row, "name"), name) == 0) {
            return row;
        }
    }
    return NULL;
}

static void assert_histogram(const cJSON *root)
{
    const cJSON *bin;
    double frames = 0.0;
    cJSON_ArrayForEach(bin, cJSON_GetObjectItemCaseSensitive(root, "work_histogram"))
    {
        frames += number_of(bin, "frames");
        if (number_of(bin, "below_ms") == 50.0) {
            assert_true(number_of(bin, "frames") == 1.0);
        }
    }
    assert_true(frames == 399.0);
}

static void the_summary_tells_the_same_as_text_and_as_json(void **state)
{
    static struct files s;
    static struct text text;
    (void)state;
    files_begin(&s);
    files_play(&s, 400);
    assert_int_equal(flow_profile_summary_json(s.p.profile, "profile_summary.json"), FLOW_OK);
    text.length = 0;
    flow_profile_summary(s.p.profile, text_add, &text);
    assert_ptr_equal(strstr(text.at, "profile: 399 frames, 1 hitch\n"), text.at);
    assert_non_null(strstr(text.at, "  f=300     work "));
    assert_non_null(strstr(text.at, "hitch: culprit +40.0 (x1, worst #"));
    assert_null(strstr(text.at, "p99.9")); /* not of fewer than 1,000 frames */
    cJSON *root = parse_file("profile_summary.json");
    assert_non_null(root);
    assert_true(number_of(root, "frames") == 399.0);
    assert_true(number_of(root, "hitches") == 1.0);
    assert_true(number_of(cJSON_GetObjectItemCaseSensitive(root, "work_ms"), "max") > 40.0);
    assert_non_null(cJSON_GetObjectItemCaseSensitive(root, "total_ms"));
    const cJSON *worst = cJSON_GetObjectItemCaseSensitive(root, "worst_frames");
    assert_int_equal(cJSON_GetArraySize(worst), 10);
    assert_true(number_of(worst->child, "frame") == 300.0);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(worst->child, "hitch")));
    const cJSON *row = row_named(root, "flow", "culprit");
    assert_true(number_of(row, "max_frame") == 300.0);
    assert_true(number_of(row, "max_ms") == 40.001);
    assert_true(number_of(row, "count") == 399.0);
    assert_true(number_of(row, "hitch_percent") > 90.0);
    assert_non_null(row_named(root, "zone", as_json));
    assert_non_null(row_named(root, "cancel", as_json));
    assert_histogram(root);
    cJSON_Delete(root);
    files_end(&s);
}

/* ---- files that cannot be written ---- */

static void a_path_that_cannot_be_written_is_refused_and_nothing_else_suffers(void **state)
{
    static struct files s;
    static const char nowhere[] = "no/such/folder/file";
    (void)state;
    files_begin(&s);
    assert_int_equal(flow_profile_trace(s.p.profile, nowhere, FLOW_TRACE_ALL), FLOW_IO);
    assert_int_equal(flow_profile_csv(s.p.profile, nowhere, NULL), FLOW_IO);
    assert_int_equal(flow_profile_write_window(s.p.profile, nowhere), FLOW_IO);
    assert_int_equal(flow_profile_summary_json(s.p.profile, nowhere), FLOW_IO);
    files_play(&s, 330);
    assert_int_equal(flow_profile_frames(s.p.profile), 329);
    assert_int_equal(s.p.hitches, 1);
    assert_int_equal(flow_profile_csv(s.p.profile, "profile_late.csv", NULL), FLOW_OK);
    assert_int_equal(flow_profile_finish(s.p.profile), FLOW_OK);
    files_end(&s);
}

static void a_full_disk_is_told_at_the_end_and_stops_nothing(void **state)
{
    static struct files s;
    static const char full[] = "/dev/full";
    FILE *probe = fopen(full, "wb");
    (void)state;
    if (probe == NULL) {
        skip();
        return;
    }
    (void)fclose(probe);
    files_begin(&s);
    assert_int_equal(flow_profile_trace(s.p.profile, full, FLOW_TRACE_ALL), FLOW_OK);
    assert_int_equal(flow_profile_csv(s.p.profile, "profile_whole.csv", NULL), FLOW_OK);
    files_play(&s, 330);
    assert_int_equal(s.p.hitches, 1);
    assert_int_equal(flow_profile_write_window(s.p.profile, full), FLOW_IO);
    assert_int_equal(flow_profile_summary_json(s.p.profile, full), FLOW_IO);
    assert_int_equal(flow_profile_finish(s.p.profile), FLOW_IO);
    assert_int_equal(flow_profile_destroy(s.p.profile), FLOW_IO); /* and is not forgotten */
    flow_signal_fini(&s.bell);
    story_end(&s.p.story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_trace_keeps_the_rules_of_its_format),
        cmocka_unit_test(a_trace_of_hitches_has_the_frames_around_them_in_full),
        cmocka_unit_test(a_window_of_the_last_frames_can_be_written_at_any_time),
        cmocka_unit_test(what_a_trace_cannot_hold_is_said_in_it),
        cmocka_unit_test(a_row_of_the_csv_tells_of_each_frame_and_its_culprit),
        cmocka_unit_test(the_summary_tells_the_same_as_text_and_as_json),
        cmocka_unit_test(a_path_that_cannot_be_written_is_refused_and_nothing_else_suffers),
        cmocka_unit_test(a_full_disk_is_told_at_the_end_and_stops_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
