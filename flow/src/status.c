/* SPDX-License-Identifier: MIT */
/* Texts of statuses, causes and phases, and the assert handler. */
#include "private.h"

#include <stdio.h>
#include <stdlib.h>

const char *flow_status_text(int code)
{
    switch (code) {
#define TEXT(name, value, text)                                                                    \
    case value:                                                                                    \
        return text;
        FLOW_STATUSES(TEXT)
#undef TEXT
    default:
        return code > 0 ? "user code" : "unknown status";
    }
}

const char *flow_cause_text(flow_cause cause)
{
    static const char *const text[] = {"none",    "cancelled",   "parent ended",   "race lost",
                                       "failure", "owner ended", "world destroyed"};
    return (unsigned)cause < sizeof text / sizeof *text ? text[cause] : "unknown cause";
}

const char *flow_phase_name(flow_phase phase)
{
    static const char *const text[FLOW_PHASE_LIMIT] = {
        "inherit", "early",   "fixed",   "update",  "late",    "end",
        "host 6",  "host 7",  "host 8",  "host 9",  "host 10", "host 11",
        "host 12", "host 13", "host 14", "host 15", "host 16"};
    return (unsigned)phase < FLOW_PHASE_LIMIT ? text[phase] : "unknown phase";
}

static void assert_default(const char *rule, const char *file, int line)
{
    (void)fprintf(stderr, "%s:%d: flow: %s\n", file, line, rule);
    abort();
}

static flow_assert_handler assert_handler = assert_default;

flow_assert_handler flow_set_assert_handler(flow_assert_handler handler)
{
    flow_assert_handler former = assert_handler;
    assert_handler = handler ? handler : assert_default;
    return former == assert_default ? NULL : former;
}

void flow__assert_failed(const char *rule, const char *file, int line)
{
    assert_handler(rule, file, line);
}
