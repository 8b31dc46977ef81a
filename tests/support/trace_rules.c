/* SPDX-License-Identifier: MIT */
#include "trace_rules.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIVES = 1 << 17, THREADS = 80, DEPTH = 128 };

struct life {
    const char *id, *name, *cat;
    double pid;
    int64_t begin, end; /* ns; end below begin: it is open */
    bool linked;        /* a slice of it has flow_out */
};

struct thread {
    double tid;
    bool named;
    int depth;
    int64_t begun, ends[DEPTH];
};

struct rules {
    struct trace_facts *facts;
    struct life *lives;
    struct thread threads[THREADS];
};

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static bool
broken(struct rules *r, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(r->facts->broken, sizeof r->facts->broken, format, args);
    va_end(args);
    return false;
}

char *read_file(const char *path, long *length)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    *length = 0;
    if (file == NULL) {
        return NULL;
    }
    if (fseek(file, 0, SEEK_END) == 0 && (*length = ftell(file)) >= 0 &&
        fseek(file, 0, SEEK_SET) == 0 && (text = malloc((size_t)*length + 1)) != NULL) {
        *length = (long)fread(text, 1, (size_t)*length, file);
        text[*length] = '\0';
    }
    (void)fclose(file);
    return text;
}

cJSON *parse_file(const char *path)
{
    long length = 0;
    char *text = read_file(path, &length);
    cJSON *root = text != NULL ? cJSON_ParseWithOpts(text, NULL, 1) : NULL;
    free(text);
    return root;
}

const char *text_of(const cJSON *object, const char *key)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
    return text != NULL ? text : "";
}

double number_of(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsNumber(item) ? item->valuedouble : -1.0;
}

static int64_t ns_of(const cJSON *event, const char *key)
{
    return (int64_t)llround(number_of(event, key) * 1000.0);
}

static struct thread *thread_of(struct rules *r, const cJSON *event)
{
    double tid = number_of(event, "tid");
    for (int i = 0; i < THREADS; i++) {
        struct thread *thread = &r->threads[i];
        if (thread->tid == 0.0) {
            thread->tid = tid;
            thread->begun = INT64_MIN;
        }
        if (thread->tid == tid) {
            return thread;
        }
    }
    return &r->threads[THREADS - 1];
}

/* The place of a life, or the free one where it belongs. */
static struct life *life_of(struct rules *r, const char *id)
{
    uint32_t at = 2166136261u;
    for (const char *c = id; *c != '\0'; c++) {
        at = (at ^ (uint8_t)*c) * 16777619u;
    }
    for (at %= LIVES; r->lives[at].id != NULL && strcmp(r->lives[at].id, id) != 0;) {
        at = (at + 1) % LIVES;
    }
    return &r->lives[at];
}

/* ---- kinds of events ---- */

static bool check_nesting(struct rules *r, const cJSON *event, int64_t ts, int64_t end)
{
    struct thread *thread = thread_of(r, event);
    if (ts < thread->begun) {
        return broken(r, "%s at %lld ns begins before the slice above it in the file",
                      text_of(event, "name"), (long long)ts);
    }
    thread->begun = ts;
    while (thread->depth > 0 && thread->ends[thread->depth - 1] <= ts &&
           (thread->ends[thread->depth - 1] < end || thread->ends[thread->depth - 1] < ts)) {
        thread->depth--;
    }
    if (thread->depth > 0 && thread->ends[thread->depth - 1] < end) {
        return broken(r, "%s at %lld ns reaches beyond the slice around it", text_of(event, "name"),
                      (long long)ts);
    }
    if (thread->depth == DEPTH) {
        return broken(r, "slices are nested too deep");
    }
    thread->ends[thread->depth++] = end;
    return true;
}

static bool check_link(struct rules *r, const cJSON *event, int64_t ts)
{
    const char *id = text_of(event, "bind_id");
    bool in = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(event, "flow_in"));
    bool out = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(event, "flow_out"));
    if (id[0] == '\0') {
        return !in && !out ? true : broken(r, "a link without an id");
    }
    struct life *life = life_of(r, id);
    r->facts->links += in;
    if (life->id == NULL || life->end >= life->begin || ts < life->begin) {
        return broken(r, "a slice of %s at %lld ns is linked outside of its life", id,
                      (long long)ts);
    }
    if (!out || in != life->linked) {
        return broken(r, "a slice of %s at %lld ns is linked wrongly", id, (long long)ts);
    }
    life->linked = true;
    return true;
}

static bool check_slice(struct rules *r, const cJSON *event, int64_t ts)
{
    int64_t ns = ns_of(event, "dur");
    r->facts->slices++;
    r->facts->frames += strcmp(text_of(event, "cat"), "frame") == 0;
    r->facts->jobs += strcmp(text_of(event, "cat"), "job") == 0;
    if (number_of(event, "dur") < 0.0) {
        return broken(r, "%s at %lld ns has no duration", text_of(event, "name"), (long long)ts);
    }
    return check_nesting(r, event, ts, ts + ns) && check_link(r, event, ts);
}

static bool check_life_begin(struct rules *r, const cJSON *event, int64_t ts)
{
    struct life *life = life_of(r, text_of(event, "id"));
    r->facts->lives++;
    if (life->id != NULL && life->end < life->begin) {
        return broken(r, "%s begins twice", life->id);
    }
    *life = (struct life){text_of(event, "id"),
                          text_of(event, "name"),
                          text_of(event, "cat"),
                          number_of(event, "pid"),
                          ts,
                          ts - 1,
                          false};
    return life->id[0] != '\0' && life->cat[0] != '\0' ? true : broken(r, "a life without id, cat");
}

static bool check_life_end(struct rules *r, const cJSON *event, int64_t ts)
{
    struct life *life = life_of(r, text_of(event, "id"));
    if (life->id == NULL || life->end >= life->begin || ts < life->begin) {
        return broken(r, "%s ends and has not begun", text_of(event, "id"));
    }
    life->end = ts;
    return strcmp(life->name, text_of(event, "name")) == 0 &&
                   strcmp(life->cat, text_of(event, "cat")) == 0 &&
                   life->pid == number_of(event, "pid")
               ? true
               : broken(r, "the end of %s is not called as its beginning", life->id);
}

static bool check_counter(struct rules *r, const cJSON *event)
{
    const cJSON *args = cJSON_GetObjectItemCaseSensitive(event, "args");
    const cJSON *value = args != NULL ? args->child : NULL;
    r->facts->counters++;
    return value != NULL && value->next == NULL && cJSON_IsNumber(value) &&
                   strcmp(value->string, text_of(event, "name")) == 0
               ? true
               : broken(r, "counter %s has other arguments than itself", text_of(event, "name"));
}

static bool check_instant(struct rules *r, const cJSON *event)
{
    const char *name = text_of(event, "name");
    r->facts->hitches += strcmp(name, "hitch") == 0;
    return strstr(name, "frame") == NULL ? true : broken(r, "an instant is called %s", name);
}

static bool check_meta(struct rules *r, const cJSON *event)
{
    const cJSON *args = cJSON_GetObjectItemCaseSensitive(event, "args");
    if (strcmp(text_of(event, "name"), "thread_name") == 0) {
        thread_of(r, event)->named = true;
    }
    return text_of(args, "name")[0] != '\0' ? true : broken(r, "a name is missing");
}

static bool check_event(struct rules *r, const cJSON *event)
{
    static const char *const keys[] = {"ts", "pid", "tid"};
    char ph = text_of(event, "ph")[0];
    int64_t ts = ns_of(event, "ts");
    r->facts->events++;
    for (int i = 0; i < 3; i++) {
        if (number_of(event, keys[i]) < 0.0) {
            return broken(r, "event %ld has no %s", r->facts->events, keys[i]);
        }
    }
    if (text_of(event, "name")[0] == '\0') {
        return broken(r, "event %ld has no name", r->facts->events);
    }
    switch (ph) {
    case 'X':
        return check_slice(r, event, ts);
    case 'b':
        return check_life_begin(r, event, ts);
    case 'e':
        return check_life_end(r, event, ts);
    case 'C':
        return check_counter(r, event);
    case 'i':
        return check_instant(r, event);
    case 'M':
        return check_meta(r, event);
    default:
        return broken(r, "event %ld is of kind '%c'", r->facts->events, ph);
    }
}

/* ---- the whole ---- */

/* Microseconds with three decimals, in the file's own text. */
static bool check_decimals(struct rules *r, const char *text, const char *key)
{
    size_t length = strlen(key);
    for (const char *at = text; *at != '\0'; at++) { /* a checked strstr would measure the rest */
        if (*at != key[0] || strncmp(at, key, length) != 0) {
            continue;
        }
        at += length;
        size_t whole = strspn(at, "0123456789");
        if (whole == 0 || at[whole] != '.' || strspn(at + whole + 1, "0123456789") != 3) {
            return broken(r, "a time has not three decimals: %.20s", at);
        }
    }
    return true;
}

static bool check_events(struct rules *r, const cJSON *root)
{
    const cJSON *events = cJSON_GetObjectItemCaseSensitive(root, "traceEvents");
    const cJSON *event;
    if (!cJSON_IsArray(events) || strcmp(text_of(root, "displayTimeUnit"), "ms") != 0) {
        return broken(r, "there are no events");
    }
    cJSON_ArrayForEach(event, events)
    {
        if (!check_event(r, event)) {
            return false;
        }
    }
    return true;
}

static bool check_end(struct rules *r)
{
    for (int i = 0; i < LIVES; i++) {
        if (r->lives[i].id != NULL && r->lives[i].end < r->lives[i].begin) {
            return broken(r, "%s does not end", r->lives[i].id);
        }
    }
    for (int i = 0; i < THREADS && r->threads[i].tid != 0.0; i++) {
        if (!r->threads[i].named) {
            return broken(r, "thread %g has no name", r->threads[i].tid);
        }
    }
    return true;
}

bool trace_keeps_rules(const cJSON *root, const char *text, struct trace_facts *facts)
{
    struct rules *r = calloc(1, sizeof *r);
    memset(facts, 0, sizeof *facts);
    if (r == NULL || (r->lives = calloc(LIVES, sizeof *r->lives)) == NULL) {
        (void)snprintf(facts->broken, sizeof facts->broken, "out of memory");
        free(r);
        return false;
    }
    r->facts = facts;
    bool kept = check_decimals(r, text, "\"ts\":") && check_decimals(r, text, "\"dur\":") &&
                check_events(r, root) && check_end(r);
    free(r->lives);
    free(r);
    return kept;
}
