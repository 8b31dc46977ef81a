/* SPDX-License-Identifier: MIT */
/*
 * What the command line may ask of the profiler.
 */
#ifndef EMBERLINE_PROFILE_OPTIONS_H
#define EMBERLINE_PROFILE_OPTIONS_H

#include <stdbool.h>

#include "inject.h"

struct options;

struct profile_options {
    const char *trace;   /* a Chrome trace; null: none; part of argv, as all names are */
    const char *csv;     /* a row per frame */
    const char *summary; /* JSON */
    bool all;            /* the trace has every event, not those around hitches alone */
    double hitch_ms;     /* a frame longer than this is a hitch in any case; 0: the default */
    bool counted;        /* the clock is counted: 100 ns a reading, so that figures are equal */
    struct inject_options inject;
    double assert_p99_ms; /* the run fails when its work's p99 is above; 0: not asked */
    bool assert_no_hitch; /* the run fails when it had any */
};

/* Is anything asked that has to be measured from the first frame on? */
bool profile_options_ask(const struct profile_options *options);

/* Milliseconds, with decimals, above 0 and up to 100 s, and nothing else. */
bool profile_read_ms(const char *text, double *out);

/* Each takes the value of an option. Null, or what was expected. */
const char *profile_take_trace(struct options *options, char *value);
const char *profile_take_csv(struct options *options, char *value);
const char *profile_take_summary(struct options *options, char *value);
const char *profile_take_mode(struct options *options, char *value);
const char *profile_take_hitch_ms(struct options *options, char *value);
const char *profile_take_inject(struct options *options, char *value);
const char *profile_take_clock(struct options *options, char *value);
const char *profile_take_assert_p99(struct options *options, char *value);
const char *profile_take_assert_no_hitch(struct options *options, char *value);

#endif
