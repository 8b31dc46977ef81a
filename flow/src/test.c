/* SPDX-License-Identifier: MIT */
/*
 * The test kit: frames of virtual time, recorded reports, and questions to the live tree. A world
 * knows its test by `reports_to`, beside its callbacks: so the host's own user pointer stays the
 * host's, and no state of the process is needed but the assert handler.
 */
#include "private.h"

#include "flow/test.h"

#include <stdio.h>
#include <stdlib.h>

enum { MESSAGE = 640, PATH = 1024, WORDS = 512 };

/* ---- failing ---- */

static void print_and_abort(void *user, const char *message, const char *file, int line)
{
    (void)user;
    (void)fprintf(stderr, "%s:%d: %s\n", file, line, message);
    abort();
}

static void print(void *user, const char *text, size_t length)
{
    (void)user;
    (void)fwrite(text, 1, length, stderr);
}

/* How the test of a world fails; the defaults for a world without one. */
static flow_test_desc desc_of(const flow_world *world)
{
    flow_test_desc desc = {0};
    if (world != NULL && world->reports_to != NULL) {
        const flow_test *test = world->reports_to;
        desc = test->desc_;
    }
    desc.on_error = desc.on_error ? desc.on_error : print_and_abort;
    desc.sink = desc.sink ? desc.sink : print;
    return desc;
}

/* Dumps the world, then tells the handler; 0, for those who come back. */
static int fail_with_dump(const flow_world *world, const char *message, const char *file, int line)
{
    flow_test_desc desc = desc_of(world);
    flow_world_dump(world, desc.sink, desc.user);
    desc.on_error(desc.user, message, file, line);
    return 0;
}

/* ---- reports ---- */

/* Beyond the sixteenth only the newest is kept, in a place of its own. */
static flow_test_report *report_add(flow_test *test, flow_test_kind kind, int id, flow_handle flow)
{
    int place = test->report_count < FLOW_TEST_REPORTS ? test->report_count : FLOW_TEST_REPORTS;
    flow_test_report *report = &test->reports[place];
    test->report_count++;
    *report = (flow_test_report){.kind = kind, .id = id, .flow = flow};
    return report;
}

static void record_failure(void *user, const flow_failure *failure)
{
    static const char *const kinds[] = {"unhandled", "cleanup", "undelivered"};
    flow_test *test = user;
    flow_test_report *report = report_add(test, FLOW_TEST_FAILURE, failure->code, failure->flow);
    report->failure = failure->kind;
    (void)snprintf(report->text, sizeof report->text, "%s failed with %d: %s, at %s:%d (%s)",
                   failure->path, failure->code,
                   failure->message ? failure->message : flow_status_text(failure->code),
                   failure->file, failure->line, kinds[failure->kind]);
    if (test->host_.on_failure != NULL) {
        test->host_.on_failure(test->host_.user, failure);
    }
}

static void record_warning(void *user, const flow_warning *warning)
{
    flow_test *test = user;
    bool misuse = warning->id == FLOW_WARNING_MISUSE;
    flow_test_report *report = report_add(test, misuse ? FLOW_TEST_MISUSE : FLOW_TEST_WARNING,
                                          (int)warning->id, warning->flow);
    (void)snprintf(report->text, sizeof report->text, "%s: %s", misuse ? "misuse" : "warning",
                   warning->text);
    if (test->host_.on_warning != NULL) {
        test->host_.on_warning(test->host_.user, warning);
    }
}

/* A test fails at its misuse report, not inside the call that broke the rule. */
static void misuse_is_recorded(const char *rule, const char *file, int line)
{
    (void)rule;
    (void)file;
    (void)line;
}

const flow_test_report *flow_test_accept_(flow_test *test, flow_test_kind kind, int id,
                                          const char *part, const char *file, int line)
{
    static const char *const kinds[] = {"failure with code", "warning with id", "misuse: id"};
    char message[MESSAGE];
    for (int i = 0; i < test->report_count && i < FLOW_TEST_REPORTS; i++) {
        flow_test_report *report = &test->reports[i];
        if (!report->accepted && report->kind == kind && report->id == id &&
            strstr(report->text, part) != NULL) {
            report->accepted = 1;
            return report;
        }
    }
    (void)snprintf(message, sizeof message, "there was no %s %d%s%s", kinds[kind], id,
                   *part ? ", " : "", part);
    (void)fail_with_dump(test->world, message, file, line);
    return NULL;
}

/* How many are left, and the oldest of them. */
static int reports_left(const flow_test *test, const flow_test_report **oldest)
{
    int left = test->report_count > FLOW_TEST_REPORTS ? test->report_count - FLOW_TEST_REPORTS : 0;
    *oldest = &test->reports[FLOW_TEST_REPORTS];
    for (int i = FLOW_TEST_REPORTS - 1; i >= 0; i--) {
        if (i < test->report_count && !test->reports[i].accepted) {
            *oldest = &test->reports[i];
            left++;
        }
    }
    return left;
}

/* ---- begin and end ---- */

int flow_test_begin_(flow_test *test, const flow_test_desc *desc, const char *file, int line)
{
    flow_world_desc world = {0};
    memset(test, 0, sizeof *test);
    if (desc != NULL) {
        test->desc_ = *desc;
    }
    if (test->desc_.world != NULL) {
        world = *test->desc_.world;
        test->desc_.world = NULL; /* borrowed no longer than this call */
    }
    test->host_ = world;
    world.on_failure = record_failure;
    world.on_warning = record_warning;
    test->world = flow_world_create(&world);
    if (test->world == NULL) {
        flow_test_handler on_error = test->desc_.on_error ? test->desc_.on_error : print_and_abort;
        on_error(test->desc_.user, "flow_test_begin: no memory for a world", file, line);
        return 0;
    }
    test->world->reports_to = test;
    test->former_ = flow_set_assert_handler(misuse_is_recorded);
    return 1;
}

int flow_test_end_(flow_test *test, const char *file, int line)
{
    char message[MESSAGE];
    const flow_test_report *oldest = NULL;
    flow_test_desc desc = desc_of(test->world);
    uint32_t live = flow_world_counters(test->world).live;
    int left = reports_left(test, &oldest);
    if (live != 0) {
        flow_world_dump(test->world, desc.sink, desc.user);
    }
    flow_status status = flow_world_destroy(test->world);
    if (left == 0) {
        left = reports_left(test, &oldest); /* what the end of the world brought to light */
    }
    test->world = NULL;
    (void)flow_set_assert_handler(test->former_);
    if (live == 0 && left == 0 && status == FLOW_OK) {
        return 1;
    }
    (void)snprintf(message, sizeof message,
                   "at its end: %u live flows, %d reports not accepted%s%s", live, left,
                   left ? ", first: " : "", left ? oldest->text : "");
    desc.on_error(desc.user, message, file, line);
    return 0;
}

/* ---- virtual time ---- */

flow_status flow_test_frame(flow_world *world, double dt)
{
    static const flow_phase phases[] = {FLOW_EARLY, FLOW_FIXED, FLOW_UPDATE, FLOW_LATE,
                                        FLOW_END_OF_FRAME};
    flow_status status = flow_world_begin_frame(world, dt);
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++) {
        flow_status met = FLOW_OK;
        if (phases[i] != FLOW_FIXED || flow_clock_effective_scale(world, FLOW_CLOCK_GAME) > 0.0) {
            met = flow_world_tick(world, phases[i], dt);
        }
        status = status == FLOW_OK ? met : status;
    }
    return status;
}

flow_status flow_test_tick_for(flow_world *world, double seconds, double dt)
{
    flow_status status = FLOW_OK;
    if (!(dt > 0.0)) {
        return FLOW_MISUSE;
    }
    for (int64_t frames = 0; (double)frames * dt < seconds - dt * 1e-6; frames++) {
        flow_status met = flow_test_frame(world, dt);
        status = status == FLOW_OK ? met : status;
    }
    return status;
}

int flow_test_tick_until_(flow_world *world, flow_predicate test, void *arg, double limit,
                          const char *file, int line)
{
    char message[MESSAGE];
    for (int64_t frames = 0; !test(arg); frames++) {
        if ((double)frames * FLOW_TEST_DT >= limit) {
            (void)snprintf(message, sizeof message, "it did not happen within %g s", limit);
            return fail_with_dump(world, message, file, line);
        }
        (void)flow_test_frame(world, FLOW_TEST_DT);
    }
    return 1;
}

typedef struct ending {
    const flow_world *world;
    flow_handle flow;
} ending;

static int has_ended(void *arg)
{
    const ending *of = arg;
    return flow_state_of(of->world, of->flow) != FLOW_STATE_LIVE;
}

int flow_test_run_until_done_(flow_world *world, flow_handle flow, double limit, const char *file,
                              int line)
{
    ending of = {world, flow};
    if (flow_state_of(world, flow) == FLOW_STATE_NONE) {
        return fail_with_dump(world, "nothing is known of the flow that was to end", file, line);
    }
    return flow_test_tick_until_(world, has_ended, &of, limit, file, line);
}

/* ---- the live tree ---- */

static bool begins_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* The next live flow or group whose path is this one or, unless `exactly`, goes on from it. */
static const flow_task *find_path(const flow_world *world, const flow_task *after, const char *path,
                                  bool exactly)
{
    char text[PATH];
    int depth = 0;
    size_t length = strlen(path);
    for (const flow_task *task = after; (task = flow__walk_next(world, task, &depth)) != NULL;) {
        (void)flow_path(task, text, sizeof text);
        bool same = begins_with(text, path);
        if (same && (text[length] == '\0' || (!exactly && begins_with(text + length, " > ")))) {
            return task;
        }
    }
    return NULL;
}

int flow_test_has_path(const flow_world *world, const char *path)
{
    return find_path(world, world->root, path, false) != NULL;
}

int flow_test_waits_on(const flow_world *world, const char *path, const char *words)
{
    static const char lead[] = "waits for ";
    char text[WORDS];
    for (const flow_task *task = world->root;
         (task = find_path(world, task, path, true)) != NULL;) {
        flow__wait_text(world, task, text, sizeof text);
        if (begins_with(begins_with(text, lead) ? text + sizeof lead - 1 : text, words)) {
            return 1;
        }
    }
    return 0;
}

int flow_test_assert_path_(const flow_world *world, const char *path, int wanted, const char *file,
                           int line)
{
    char message[MESSAGE];
    if (flow_test_has_path(world, path) == wanted) {
        return 1;
    }
    (void)snprintf(message, sizeof message, "%s live flow is \"%s\"", wanted ? "no" : "a", path);
    return fail_with_dump(world, message, file, line);
}

int flow_test_assert_waits_(const flow_world *world, const char *path, const char *words,
                            const char *file, int line)
{
    char message[MESSAGE];
    if (flow_test_waits_on(world, path, words)) {
        return 1;
    }
    (void)snprintf(message, sizeof message, "no \"%s\" waits for \"%s\"", path, words);
    return fail_with_dump(world, message, file, line);
}

int flow_test_assert_nothing_lives_(const flow_world *world, const char *file, int line)
{
    char message[MESSAGE];
    uint32_t live = flow_world_counters(world).live;
    if (live == 0) {
        return 1;
    }
    (void)snprintf(message, sizeof message, "%u flows live", live);
    return fail_with_dump(world, message, file, line);
}
