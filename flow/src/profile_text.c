/* SPDX-License-Identifier: MIT */
/* The line_words for a row and for a hitch. */
#include "profiler.h"

#include <stdarg.h>

typedef struct line_words {
    char *at;
    size_t room, length; /* length: of the whole, whether there was room or not */
} line_words;

#if defined(__GNUC__) || defined(__clang__)
__attribute__((format(printf, 2, 3)))
#endif
static void
words_add(line_words *to, const char *format, ...)
{
    bool room = to->length < to->room;
    va_list args;
    va_start(args, format);
    int length = vsnprintf(room ? to->at + to->length : NULL, room ? to->room - to->length : 0,
                           format, args);
    va_end(args);
    to->length += length > 0 ? (size_t)length : 0;
}

/* Milliseconds, rounded to that many decimals (1 to 3). */
int64_t flow__ms(int64_t ns, int decimals)
{
    int64_t unit = decimals == 1 ? 100000 : decimals == 2 ? 10000 : 1000;
    return ns >= 0 ? (ns + unit / 2) / unit : -((unit / 2 - ns) / unit);
}

static void words_ms(line_words *to, const char *before, int64_t ns, int decimals)
{
    char number[28];
    (void)flow__format_fixed(number, flow__ms(ns, decimals), decimals);
    words_add(to, "%s%s", before, number);
}

/* How often it ran, and whose longest span went on from where. Not counted is what goes on since
 * what it had called has ended. */
static void words_flow(line_words *to, const flow_profile_row *row)
{
    const char *between = " (";
    if (row->count > 0) {
        words_add(to, " (x%u", (unsigned)row->count);
        between = ", ";
    }
    if (row->file != NULL) {
        words_add(to, "%sworst #%u.%u %s:%u", between, (unsigned)row->worst.slot,
                  (unsigned)row->worst.generation, flow__base_name(row->file), (unsigned)row->line);
    }
    if (row->count > 0 || row->file != NULL) {
        words_add(to, ")");
    }
}

static void words_row(line_words *to, const flow_profile_row *row)
{
    bool flow = row->kind == FLOW_PROFILE_FLOW || row->kind == FLOW_PROFILE_PREDICATE;
    words_add(to, "%s%s",
              row->kind == FLOW_PROFILE_CANCEL      ? "cancel "
              : row->kind == FLOW_PROFILE_PREDICATE ? "predicate of "
                                                    : "",
              row->name);
    words_ms(to, row->excess_ns < 0 ? " " : " +", row->excess_ns, 1);
    if (flow) {
        words_flow(to, row);
    } else if (row->kind == FLOW_PROFILE_CANCEL) {
        words_add(to, " (%u flow%s", (unsigned)row->count, row->count == 1 ? "" : "s");
        if (row->worst_name != NULL) {
            words_add(to, ", worst %s#%u.%u", row->worst_name, (unsigned)row->worst.slot,
                      (unsigned)row->worst.generation);
            words_ms(to, " ", row->max_ns, 2);
        }
        words_add(to, ")");
    } else if (row->count > 1) {
        words_add(to, " (x%u)", (unsigned)row->count);
    }
}

static line_words words_in(char *buffer, size_t capacity)
{
    line_words to = {buffer, capacity, 0};
    if (capacity != 0) {
        buffer[0] = '\0';
    }
    return to;
}

size_t flow_profile_row_text(const flow_profile_row *row, char *buffer, size_t capacity)
{
    line_words to = words_in(buffer, capacity);
    words_row(&to, row);
    return to.length;
}

size_t flow_profile_line(const flow_profile *profile, const flow_profile_frame *frame, char *buffer,
                         size_t capacity)
{
    enum { SHOWN = 3, LEAST_NS = 50000 };
    line_words to = words_in(buffer, capacity);
    words_add(&to, "HITCH f=%llu", (unsigned long long)frame->number);
    words_ms(&to, " total ", frame->total_ns, 1);
    words_ms(&to, " work ", frame->work_ns, 1);
    words_ms(&to, " (budget ", (int64_t)(1e9 / profile->desc.target_hz), 1);
    words_add(&to, ")");
    for (uint32_t i = 0; i < frame->row_count && i < SHOWN; i++) {
        if (i == 0 || frame->rows[i].excess_ns >= LEAST_NS) {
            words_add(&to, " | %u ", (unsigned)i + 1);
            words_row(&to, &frame->rows[i]);
        }
    }
    words_ms(&to, " | unaccounted ", frame->unaccounted_ns, 1);
    return to.length;
}

const char *flow_profile_kind_text(flow_profile_kind kind)
{
    static const char *const texts[] = {"other",     "unaccounted", "flow", "cancel",
                                        "predicate", "tick",        "zone", "wait"};
    return (unsigned)kind < sizeof texts / sizeof texts[0] ? texts[kind] : "?";
}
