/* SPDX-License-Identifier: MIT */
/*
 * Bindings of the player's own, from a text file. It is read whole before anything is bound.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "controls.h"

/* A line of the file. */
struct binding {
    int action;
    enum engine_source source;
    int code;
};

struct table {
    struct binding rows[ENGINE_BINDINGS_MAX];
    int count;
};

/* Null, or what is wrong with the line. SDL's names of keys may hold blanks: the rest is the
 * source. */
static const char *read_line(struct table *table, char *text)
{
    struct binding row = {0};
    text[strcspn(text, "#\r\n")] = '\0';
    char *name = text + strspn(text, " \t");
    size_t length = strcspn(name, " \t");
    if (*name == '\0') {
        return NULL;
    }
    if (name[length] == '\0') {
        return "expected an action and a source";
    }
    name[length] = '\0';
    char *source = name + length + 1;
    source += strspn(source, " \t");
    for (size_t end = strlen(source); end > 0 && strchr(" \t", source[end - 1]) != NULL; end--) {
        source[end - 1] = '\0';
    }
    row.action = action_find(name);
    if (row.action < 0) {
        return "no action has this name";
    }
    if (!engine_input_parse(source, &row.source, &row.code)) {
        return "no key, button or axis has this name";
    }
    if (table->count == ENGINE_BINDINGS_MAX) {
        return "these are too many";
    }
    table->rows[table->count++] = row;
    return NULL;
}

static bool read_table(struct table *table, FILE *file, const char *path,
                       char error[ENGINE_ERROR_SIZE])
{
    char text[256];
    int number = 1;
    const char *problem = NULL;
    for (; problem == NULL && fgets(text, sizeof text, file) != NULL; number++) {
        problem = strchr(text, '\n') == NULL && !feof(file) ? "the line is too long"
                                                            : read_line(table, text);
    }
    if (problem == NULL && ferror(file)) {
        problem = "cannot be read";
    }
    if (problem != NULL) {
        (void)snprintf(error, ENGINE_ERROR_SIZE, "%.160s:%d: %s", path, number - 1, problem);
    }
    return problem == NULL;
}

bool controls_load(struct engine *engine, const char *path, char error[ENGINE_ERROR_SIZE])
{
    struct table table = {.count = 0};
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        (void)snprintf(error, ENGINE_ERROR_SIZE, "%.160s: %s", path, strerror(errno));
        return false;
    }
    bool fine = read_table(&table, file, path, error);
    (void)fclose(file);
    for (int i = 0; fine && i < table.count; i++) {
        engine_input_unbind(engine, table.rows[i].action);
    }
    for (int i = 0; fine && i < table.count; i++) {
        fine = engine_input_bind(engine, table.rows[i].action, table.rows[i].source,
                                 table.rows[i].code);
        (void)snprintf(error, ENGINE_ERROR_SIZE, "%.200s", engine_error(engine));
    }
    return fine;
}

bool controls_exist(const char *path)
{
    FILE *file = fopen(path, "r");
    return file != NULL && fclose(file) == 0;
}
