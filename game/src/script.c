/* SPDX-License-Identifier: MIT */
/*
 * Reading scripts. A line is split into words first, so that each word has one meaning and what is
 * left over is an error. script_play.c plays them.
 */
#include "script.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "controls.h"
#include "keys.h"

enum { WORDS_MAX = 5, LINE_MAX_SIZE = 256 };

static int find_key(const char *name)
{
    static const struct {
        const char *name;
        enum key key;
    } keys[] = {{"space", KEY_SPACE},   {"enter", KEY_ENTER},
                {"escape", KEY_ESCAPE}, {"shift", KEY_LEFT_SHIFT},
                {"left", KEY_LEFT},     {"right", KEY_RIGHT},
                {"up", KEY_UP},         {"down", KEY_DOWN},
                {"f1", KEY_F1},         {"f3", KEY_F3},
                {"f4", KEY_F4},         {"f5", KEY_F5},
                {"f11", KEY_F11},       {"f12", KEY_F12}};
    if (name[0] >= 'a' && name[0] <= 'z' && name[1] == '\0') {
        return (int)KEY_A + (name[0] - 'a');
    }
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (strcmp(keys[i].name, name) == 0) {
            return (int)keys[i].key;
        }
    }
    return -1;
}

static int find_axis(const char *name)
{
    static const char *const names[SCRIPT_AXIS_COUNT] = {"move_x", "move_y",  "aim_x",
                                                         "aim_y",  "mouse_x", "mouse_y"};
    for (int i = 0; i < SCRIPT_AXIS_COUNT; i++) {
        if (strcmp(names[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

/* Each reader below takes the words after the verb, and gives null, or what is wrong. */
static const char *read_button(struct script_line *line, const char *name, bool down)
{
    enum engine_source source = ENGINE_SOURCE_NONE;
    line->value = down ? 1.0F : 0.0F;
    if (strncmp(name, "key:", 4) == 0) {
        line->kind = SCRIPT_KEY;
        line->code = find_key(name + 4);
        return line->code < 0 ? "no key has this name" : NULL;
    }
    if (strncmp(name, "pad:", 4) == 0) {
        line->kind = SCRIPT_PAD_BUTTON;
        return engine_input_parse(name, &source, &line->code) && source == ENGINE_SOURCE_PAD_BUTTON
                   ? NULL
                   : "no button of a pad has this name";
    }
    line->kind = SCRIPT_ACTION;
    line->code = action_find(name);
    return line->code < 0 ? "no action has this name" : NULL;
}

static const char *read_press(struct script_line *line, char *const *words)
{
    return read_button(line, words[0], true);
}

static const char *read_release(struct script_line *line, char *const *words)
{
    return read_button(line, words[0], false);
}

static const char *read_value(float *value, const char *word, float low, float high)
{
    char *rest = NULL;
    *value = strtof(word, &rest);
    return rest == word || *rest != '\0' || !(*value >= low && *value <= high)
               ? "the value is no number in its range"
               : NULL;
}

static const char *read_hold(struct script_line *line, char *const *words)
{
    line->code = action_find(words[0]);
    return line->code < 0 ? "no action has this name"
                          : read_value(&line->value, words[1], 0.0F, 1.0F);
}

static const char *read_axis(struct script_line *line, char *const *words)
{
    enum engine_source source = ENGINE_SOURCE_NONE;
    if (strncmp(words[0], "pad:", 4) == 0) {
        line->kind = SCRIPT_PAD_AXIS;
        if (!engine_input_parse(words[0], &source, &line->code) ||
            source != ENGINE_SOURCE_PAD_AXIS_POSITIVE) {
            return "no axis of a pad has this name";
        }
        return read_value(&line->value, words[1], -1.0F, 1.0F);
    }
    line->code = find_axis(words[0]);
    if (line->code < 0) {
        return "no axis has this name";
    }
    float limit = line->code >= SCRIPT_MOUSE_X ? 10000.0F : 1.0F;
    return read_value(&line->value, words[1], -limit, limit);
}

/* One of two words. */
static const char *read_either(struct script_line *line, const char *word, const char *no,
                               const char *yes)
{
    line->value = strcmp(word, yes) == 0 ? 1.0F : 0.0F;
    return strcmp(word, yes) != 0 && strcmp(word, no) != 0 ? "the word is neither of the two"
                                                           : NULL;
}

static const char *read_pad(struct script_line *line, char *const *words)
{
    return read_either(line, words[0], "out", "in");
}

static const char *read_focus(struct script_line *line, char *const *words)
{
    return read_either(line, words[0], "lose", "gain");
}

static const char *read_resize(struct script_line *line, char *const *words)
{
    float height = 0.0F;
    const char *problem = read_value(&line->value, words[0], 1.0F, 16384.0F);
    problem = problem != NULL ? problem : read_value(&height, words[1], 1.0F, 16384.0F);
    line->code = (int)height;
    return problem;
}

static const char *read_number(struct script_line *line, const char *word, int base)
{
    char *rest = NULL;
    errno = 0;
    line->number = strtoull(word, &rest, base);
    return rest == word || *rest != '\0' || word[0] == '-' || errno != 0 ? "this is no whole number"
                                                                         : NULL;
}

static const char *read_time(struct script_line *line, char *const *words)
{
    const char *problem = read_number(line, words[0], 10);
    return problem == NULL && line->number > INT64_MAX ? "a frame cannot take so long" : problem;
}

static const char *read_hash(struct script_line *line, char *const *words)
{
    return read_number(line, words[0], 16);
}

static const char *read_nothing(struct script_line *line, char *const *words)
{
    (void)line;
    (void)words;
    return NULL;
}

/* What may follow the frame: how many words, and what they are. */
static const struct verb {
    const char *name;
    int words;
    enum script_kind kind; /* the reader may choose another */
    const char *(*read)(struct script_line *line, char *const *words);
    const char *expected;
} verbs[] = {
    {"press", 1, SCRIPT_ACTION, read_press,
     "press and release take the name of an action, key or button"},
    {"release", 1, SCRIPT_ACTION, read_release,
     "press and release take the name of an action, key or button"},
    {"hold", 2, SCRIPT_ACTION, read_hold, "hold takes the name of an action and a value"},
    {"axis", 2, SCRIPT_AXIS, read_axis, "axis takes the name of an axis and a value"},
    {"pad", 1, SCRIPT_PAD, read_pad, "pad takes in or out"},
    {"focus", 1, SCRIPT_FOCUS, read_focus, "focus takes lose or gain"},
    {"resize", 2, SCRIPT_RESIZE, read_resize, "resize takes width and height"},
    {"quit", 0, SCRIPT_QUIT, read_nothing, "quit takes nothing"},
    {"time", 1, SCRIPT_TIME, read_time, "time takes a number of ns"},
    {"still", 1, SCRIPT_STILL, read_time, "still takes a number of ns"},
    {"touch", 0, SCRIPT_TOUCH, read_nothing, "touch takes nothing"},
    {"hash", 1, SCRIPT_HASH, read_hash, "hash takes a number"},
};

static const char *read_frame(struct script_line *line, const char *word)
{
    char *rest = NULL;
    errno = 0;
    line->frame = strtol(word, &rest, 10);
    if (*rest != '\0' || rest == word) {
        return "a line begins with the number of a frame";
    }
    return errno != 0 || line->frame < 1 || line->frame > 100000000
               ? "a frame is a number from 1 to 100000000"
               : NULL;
}

static const char *read_words(struct script_line *line, char *const *words, int count)
{
    const char *problem = read_frame(line, words[0]);
    if (problem != NULL) {
        return problem;
    }
    for (size_t i = 0; count > 1 && i < sizeof verbs / sizeof verbs[0]; i++) {
        if (strcmp(words[1], verbs[i].name) == 0) {
            line->kind = verbs[i].kind;
            return count == verbs[i].words + 2 ? verbs[i].read(line, words + 2) : verbs[i].expected;
        }
    }
    return "after the frame comes press, release, axis, pad, focus, resize or quit";
}

static int split(char *text, char *words[WORDS_MAX])
{
    int count = 0;
    text[strcspn(text, "#\r\n")] = '\0';
    for (char *at = text; count < WORDS_MAX; count++) {
        at += strspn(at, " \t");
        if (*at == '\0') {
            break;
        }
        words[count] = at;
        at += strcspn(at, " \t");
        if (*at != '\0') {
            *at++ = '\0';
        }
    }
    return count;
}

static bool append(struct script *script, const struct script_line *line)
{
    if (script->count == script->capacity) {
        size_t capacity = script->capacity != 0 ? script->capacity * 2 : 64;
        struct script_line *lines = realloc(script->lines, capacity * sizeof *lines);
        if (lines == NULL) {
            return false;
        }
        script->lines = lines;
        script->capacity = capacity;
    }
    script->lines[script->count++] = *line;
    return true;
}

bool script_add(struct script *script, const char *text, const char **error)
{
    char copy[LINE_MAX_SIZE];
    char *words[WORDS_MAX] = {0};
    struct script_line line = {0};
    *error = "the line is longer than 255 characters";
    if (strlen(text) >= sizeof copy) {
        return false;
    }
    (void)snprintf(copy, sizeof copy, "%s", text);
    int count = split(copy, words);
    if (count == 0) {
        return true;
    }
    *error = read_words(&line, words, count);
    if (*error == NULL && script->count > 0 &&
        line.frame < script->lines[script->count - 1].frame) {
        *error = "the frame lies before that of the line above";
    }
    if (*error == NULL && !append(script, &line)) {
        *error = "out of memory";
    }
    return *error == NULL;
}

bool script_read(struct script *script, FILE *file, const char *path, int first,
                 char error[SCRIPT_ERROR_SIZE])
{
    char text[LINE_MAX_SIZE + 2];
    const char *reason = NULL;
    for (int number = first; fgets(text, sizeof text, file) != NULL; number++) {
        if (!script_add(script, text, &reason)) {
            (void)snprintf(error, SCRIPT_ERROR_SIZE, "%.300s:%d: %s", path, number, reason);
            return false;
        }
    }
    if (ferror(file)) {
        (void)snprintf(error, SCRIPT_ERROR_SIZE, "%.300s: cannot be read", path);
        return false;
    }
    return true;
}

bool script_load(struct script *script, const char *path, char error[SCRIPT_ERROR_SIZE])
{
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        (void)snprintf(error, SCRIPT_ERROR_SIZE, "%.300s: %s", path, strerror(errno));
        return false;
    }
    bool fine = script_read(script, file, path, 1, error);
    (void)fclose(file);
    if (!fine) {
        script_free(script);
    }
    return fine;
}

void script_free(struct script *script)
{
    free(script->lines);
    memset(script, 0, sizeof *script);
}
