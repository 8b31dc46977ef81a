/* SPDX-License-Identifier: MIT */
/*
 * What the game keeps of its player: settings and high scores, in two text files.
 *
 * Nothing is lost: a file is written beside its old self and then renamed over it, and one that
 * cannot be read is reported in a line, kept aside under another name, and defaults are used.
 */
#ifndef EMBERLINE_SAVE_H
#define EMBERLINE_SAVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Every setting: constant, name in the file, default, least, most. */
#define SETTINGS(X)                                                                                \
    X(SOUND, "sound", 8, 0, 10)                                                                    \
    X(MUSIC, "music", 6, 0, 10)                                                                    \
    X(FLASH, "flash", 10, 0, 10)                                                                   \
    X(SHAKE, "shake", 10, 0, 10)                                                                   \
    X(RUMBLE, "rumble", 10, 0, 10)                                                                 \
    X(FULLSCREEN, "fullscreen", 0, 0, 1)                                                           \
    X(TAUGHT, "taught", 0, 0, 1)

enum setting {
#define SETTING_ENUM(name, text, value, low, high) SETTING_##name,
    SETTINGS(SETTING_ENUM)
#undef SETTING_ENUM
        SETTING_COUNT
};

enum { SCORES_KEPT = 5, SAVE_FOLDER_SIZE = 960, SAVE_LINE_SIZE = 1400 };

/* A high score. */
struct save_score {
    int64_t score;
    int64_t wave;
};

struct save {
    char folder[SAVE_FOLDER_SIZE]; /* "": nothing is kept */
    int64_t settings[SETTING_COUNT];
    struct save_score scores[SCORES_KEPT]; /* best first */
};

/* What may be set to what. */
int64_t setting_least(enum setting setting);
int64_t setting_most(enum setting setting);

/* Sets the defaults, and reads both files of `folder` ("" for none). What is wrong with a file is
 * printed to `errors`, one line each. Returns how many were wrong. */
int save_open(struct save *save, const char *folder, FILE *errors);

/* Write one of the files. False with one line in `error`. */
bool save_settings(const struct save *save, char error[SAVE_LINE_SIZE]);
bool save_scores(const struct save *save, char error[SAVE_LINE_SIZE]);

/* Puts a score in its place. Returns it from 0, or -1 where it is too low. */
int save_add_score(struct save *save, int64_t score, int64_t wave);

#endif
