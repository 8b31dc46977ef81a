/* SPDX-License-Identifier: MIT */
/*
 * The rules of a Chrome trace as Perfetto's importer reads it, for a file that is parsed back.
 */
#ifndef TESTS_TRACE_RULES_H
#define TESTS_TRACE_RULES_H

#include <stdbool.h>

#include <cjson/cJSON.h>

/* What a trace holds. */
struct trace_facts {
    long events, slices, lives, links, counters, frames, hitches, jobs;
    char broken[256]; /* the first rule that does not hold; "" */
};

/* A whole file, and its length; null: it cannot be read. The caller frees it. */
char *read_file(const char *path, long *length);

/* Parses a file of JSON; null: it is none. For cJSON_Delete. */
cJSON *parse_file(const char *path);

/* Are the rules kept? Every event has name, ph, ts, pid and tid; times have three decimals; slices
 * nest per thread and come in the order in which they begin; each life has one b and one e, alike
 * in pid, cat, id and name, around all slices that are linked by its id; a counter has one number,
 * called as it is; every thread has a name; no instant speaks of a frame. `text` is the same file
 * as it was read. */
bool trace_keeps_rules(const cJSON *root, const char *text, struct trace_facts *facts);

/* The text of a member that is a string; "" where there is none. */
const char *text_of(const cJSON *object, const char *key);

/* The number of a member; -1 where there is none. */
double number_of(const cJSON *object, const char *key);

#endif
