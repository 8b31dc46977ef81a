/* SPDX-License-Identifier: MIT */
/*
 * The game's program, run from a test: what it is asked, its exit code, and what it wrote.
 */
#ifndef GAME_TEST_PROGRAM_H
#define GAME_TEST_PROGRAM_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "trace_rules.h"

/* Runs it headless and silent, and gives its exit code; what it writes goes to NAME.out and
 * NAME.txt (stderr) here. */
static inline int run_game(const char *name, const char *options)
{
    char command[1024];
    int length = snprintf(command, sizeof command, "\"%s\" --headless --mute %s >%s.out 2>%s.txt",
                          EMBERLINE_PROGRAM, options, name, name);
    assert_in_range(length, 1, sizeof command - 1);
    int status = system(command);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static inline void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* Has a file a line that begins so and has these words? */
static inline bool line_names(const char *path, const char *beginning, const char *words)
{
    long length = 0;
    bool names = false;
    char *text = read_file(path, &length);
    assert_non_null(text);
    for (char *line = strtok(text, "\n"); line != NULL && !names; line = strtok(NULL, "\n")) {
        names = strncmp(line, beginning, strlen(beginning)) == 0 && strstr(line, words) != NULL;
    }
    free(text);
    return names;
}

/* A field of a line of CSV, by its number from 0. */
static inline const char *csv_field(const char *row, int number)
{
    while (number-- > 0) {
        row = strchr(row, ',');
        assert_non_null(row);
        row++;
    }
    return row;
}

/* The columns of --profile-csv that tests ask for. */
enum { CSV_FRAME = 12, CSV_WORK = 13, CSV_CANCELLED = 25, CSV_TAGS = 30 };

#endif
