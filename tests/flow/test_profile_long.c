/* SPDX-License-Identifier: MIT */
/* Ten minutes of play with 5,000 flows, and a trace of their hitches that stays small. */
#include "profiled.h"
#include "trace_rules.h"

#include <stdlib.h>
#include <string.h>

enum { FLOWS = 5000, FRAMES = 36000, LIMIT = 20000000 };

static double burn_ms;

struct ember {
    flow_frame base;
    double seconds;
};

FLOW_STATIC(ember)
{
    FLOW_BEGIN;
    for (;;) {
        profiled_burn(flow, 0.001);
        FLOW_AWAIT(flow_seconds(self->seconds));
    }
    FLOW_END;
}

struct stall {
    flow_frame base;
};

FLOW_STATIC(stall)
{
    FLOW_BEGIN;
    for (;;) {
        profiled_burn(flow, burn_ms);
        burn_ms = 0.0;
        FLOW_AWAIT(flow_next_tick());
    }
    FLOW_END;
}

static void assert_trace_below_limit(const char *path, struct trace_facts *facts)
{
    long length = 0;
    char *text = read_file(path, &length);
    assert_non_null(text);
    assert_true(length < LIMIT);
    cJSON *root = cJSON_Parse(text);
    assert_non_null(root);
    if (!trace_keeps_rules(root, text, facts)) {
        fail_msg("%s: %s", path, facts->broken);
    }
    print_message("%ld bytes, %ld events, %ld hitches\n", length, facts->events, facts->hitches);
    cJSON_Delete(root);
    free(text);
}

static void ten_minutes_with_five_thousand_flows_stay_under_twenty_megabytes(void **state)
{
    static struct profiled p;
    struct trace_facts facts;
    (void)state;
    profiled_begin(&p, NULL);
    assert_int_equal(flow_profile_trace(p.profile, "profile_long.json", FLOW_TRACE_HITCH), FLOW_OK);
    for (int i = 0; i < FLOWS; i++) {
        (void)FLOW_RUN(p.story.world, ember, .seconds = 0.2 + 0.05 * (i % 40));
    }
    (void)FLOW_RUN(p.story.world, stall);
    for (int i = 0; i < FRAMES; i++) {
        burn_ms = i % 600 == 300 ? 40.0 : 0.0; /* a hitch every ten seconds */
        p.lines[0] = '\0';
        profiled_frame(&p);
    }
    assert_int_equal(flow_profile_finish(p.profile), FLOW_OK);
    assert_int_equal(p.hitches, 60);
    assert_trace_below_limit("profile_long.json", &facts);
    assert_int_equal(facts.frames, FRAMES - 1);
    assert_int_equal(facts.hitches, 60);
    profiled_end(&p);
}

/* Numbers of the host's are in every frame, and fill it. */
static void a_trace_that_reaches_its_limit_says_so_and_is_whole(void **state)
{
    static struct profiled p;
    struct trace_facts facts;
    long length = 0;
    (void)state;
    profiled_begin(&p, NULL);
    assert_int_equal(flow_profile_trace(p.profile, "profile_full.json", FLOW_TRACE_HITCH), FLOW_OK);
    for (int i = 0; i < FLOWS; i++) {
        (void)FLOW_RUN(p.story.world, ember, .seconds = 0.02);
    }
    for (int i = 0; i < 400; i++) {
        p.lines[0] = '\0';
        p.outside_ms = i % 10 == 0 ? 50.0 : 0.0;
        profiled_frame(&p);
        for (int j = 0; j < 500; j++) {
            flow_profile_count(p.profile, "a number of the host's", j);
        }
    }
    assert_int_equal(flow_profile_finish(p.profile), FLOW_OK);
    assert_trace_below_limit("profile_full.json", &facts);
    assert_true(facts.frames < 399);
    char *text = read_file("profile_full.json", &length);
    assert_non_null(strstr(text + length - 200, "the trace has reached its size limit"));
    assert_true(length > LIMIT - 100000);
    free(text);
    profiled_end(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_minutes_with_five_thousand_flows_stay_under_twenty_megabytes),
        cmocka_unit_test(a_trace_that_reaches_its_limit_says_so_and_is_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
