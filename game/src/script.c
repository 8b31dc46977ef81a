/* SPDX-License-Identifier: MIT */
/*
 * The flow below is the whole player; the rest reads text. A line is split into words first, so
 * that each word has one meaning and what is left over is an error.
 */
#include "script.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "controls.h"
#include "keys.h"

enum { WORDS_MAX = 5, LINE_MAX_SIZE = 256 };

static void script_act(struct script_player *player, const struct script_line *line);

FLOW_DEFINE(script_player)
{
    FLOW_BEGIN;
    for (self->at = 0; self->at < self->script->count; self->at++) {
        while (self->script->lines[self->at].frame > (long)flow_frame_count(flow) + 1) {
            FLOW_AWAIT(flow_next_frame()); /* not frames(n): what is still to come is no state of
                                              the game */
        }
        script_act(self, &self->script->lines[self->at]);
    }
    FLOW_END;
}

/* An axis as the two actions that make it up. */
static void act_axis(struct script_player *player, enum script_axis axis, float value)
{
    static const enum action halves[][2] = {{ACTION_LEFT, ACTION_RIGHT},
                                            {ACTION_UP, ACTION_DOWN},
                                            {ACTION_AIM_LEFT, ACTION_AIM_RIGHT},
                                            {ACTION_AIM_UP, ACTION_AIM_DOWN}};
    if (axis < SCRIPT_MOUSE_X) {
        (void)engine_input_inject_action(player->engine, (int)halves[axis][0],
                                         value < 0.0F ? -value : 0.0F);
        (void)engine_input_inject_action(player->engine, (int)halves[axis][1],
                                         value > 0.0F ? value : 0.0F);
        return;
    }
    if (axis == SCRIPT_MOUSE_X) {
        player->mouse.x = value;
    } else {
        player->mouse.y = value;
    }
    (void)engine_input_inject_mouse(player->engine, player->mouse);
}

static void script_act(struct script_player *player, const struct script_line *line)
{
    switch (line->kind) {
    case SCRIPT_ACTION:
        (void)engine_input_inject_action(player->engine, line->code, line->value);
        break;
    case SCRIPT_KEY:
        (void)engine_input_inject_key(player->engine, line->code, line->value > 0.0F);
        break;
    case SCRIPT_AXIS:
        act_axis(player, (enum script_axis)line->code, line->value);
        break;
    case SCRIPT_QUIT:
        (void)engine_input_inject_quit(player->engine);
        break;
    }
}

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

/* Each reader below gives null, or what is wrong. */
static const char *read_button(struct script_line *line, const char *name, bool down)
{
    line->value = down ? 1.0F : 0.0F;
    if (strncmp(name, "key:", 4) == 0) {
        line->kind = SCRIPT_KEY;
        line->code = find_key(name + 4);
        return line->code < 0 ? "no key has this name" : NULL;
    }
    line->kind = SCRIPT_ACTION;
    line->code = action_find(name);
    return line->code < 0 ? "no action has this name" : NULL;
}

static const char *read_axis(struct script_line *line, const char *name, const char *number)
{
    char *rest = NULL;
    line->kind = SCRIPT_AXIS;
    line->code = find_axis(name);
    if (line->code < 0) {
        return "no axis has this name";
    }
    line->value = strtof(number, &rest);
    float limit = line->code >= SCRIPT_MOUSE_X ? 10000.0F : 1.0F;
    if (rest == number || *rest != '\0' || !(line->value >= -limit && line->value <= limit)) {
        return "the value of the axis is no number in its range";
    }
    return NULL;
}

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
    const char *verb = count > 1 ? words[1] : "";
    if (strcmp(verb, "press") == 0 || strcmp(verb, "release") == 0) {
        return count == 3 ? read_button(line, words[2], verb[0] == 'p')
                          : "press and release take the name of an action or key";
    }
    if (strcmp(verb, "axis") == 0) {
        return count == 4 ? read_axis(line, words[2], words[3])
                          : "axis takes the name of an axis and a value";
    }
    if (strcmp(verb, "quit") == 0) {
        line->kind = SCRIPT_QUIT;
        return count == 2 ? NULL : "quit takes nothing";
    }
    return "after the frame comes press, release, axis or quit";
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

static bool load_lines(struct script *script, FILE *file, const char *path,
                       char error[SCRIPT_ERROR_SIZE])
{
    char text[LINE_MAX_SIZE + 2];
    const char *reason = NULL;
    for (int number = 1; fgets(text, sizeof text, file) != NULL; number++) {
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
    bool fine = load_lines(script, file, path, error);
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
