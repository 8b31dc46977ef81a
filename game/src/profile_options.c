/* SPDX-License-Identifier: MIT */
#include "options.h"

#include <stdlib.h>
#include <string.h>

bool profile_read_ms(const char *text, double *out)
{
    char *rest = NULL;
    if (strspn(text, "0123456789.") != strlen(text) || text[0] == '\0') {
        return false;
    }
    double ms = strtod(text, &rest);
    if (*rest != '\0' || !(ms > 0.0 && ms <= 100000.0)) {
        return false;
    }
    *out = ms;
    return true;
}

static const char *take_name(const char **name, const char *value)
{
    *name = value;
    return value[0] != '\0' ? NULL : "the name of a file";
}

bool profile_options_ask(const struct profile_options *options)
{
    return options->trace != NULL || options->csv != NULL || options->summary != NULL ||
           options->assert_p99_ms > 0.0 || options->assert_no_hitch || options->inject.frame > 0;
}

const char *profile_take_trace(struct options *options, char *value)
{
    return take_name(&options->profile.trace, value);
}

const char *profile_take_csv(struct options *options, char *value)
{
    return take_name(&options->profile.csv, value);
}

const char *profile_take_summary(struct options *options, char *value)
{
    return take_name(&options->profile.summary, value);
}

const char *profile_take_mode(struct options *options, char *value)
{
    options->profile.all = strcmp(value, "all") == 0;
    return options->profile.all || strcmp(value, "hitch") == 0 ? NULL : "hitch or all";
}

const char *profile_take_hitch_ms(struct options *options, char *value)
{
    return profile_read_ms(value, &options->profile.hitch_ms) ? NULL : "a number of ms";
}

const char *profile_take_inject(struct options *options, char *value)
{
#define INJECT_WORD(constant, name) " " name
    return inject_read(value, &options->profile.inject)
               ? NULL
               : "FRAME:MS or FRAME:MS:KIND, one of" INJECT_KINDS(INJECT_WORD);
#undef INJECT_WORD
}

const char *profile_take_clock(struct options *options, char *value)
{
    options->profile.counted = strcmp(value, "counted") == 0;
    return options->profile.counted || strcmp(value, "real") == 0 ? NULL : "real or counted";
}

const char *profile_take_assert_p99(struct options *options, char *value)
{
    return profile_read_ms(value, &options->profile.assert_p99_ms) ? NULL : "a number of ms";
}

const char *profile_take_assert_no_hitch(struct options *options, char *value)
{
    (void)value;
    options->profile.assert_no_hitch = true;
    return NULL;
}
