/* SPDX-License-Identifier: MIT */
/*
 * The command line: what it may say, and one clear line where it says something else.
 */
#ifndef EMBERLINE_OPTIONS_H
#define EMBERLINE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "bench.h"
#include "profile_options.h"

enum { OPTIONS_SCREENSHOTS_MAX = 64, OPTIONS_ERROR_SIZE = 256, OPTIONS_STRESS_MAX = 6000 };

/* How a run of the program ends: its exit code. */
enum exit_code {
    EXIT_CODE_FINE = 0,
    EXIT_CODE_NO_START = 1,
    EXIT_CODE_USAGE = 2,     /* a bad option, script or asset */
    EXIT_CODE_SLOW = 3,      /* an assertion about speed broke */
    EXIT_CODE_DIFFERS = 4,   /* a replay had another hash than was recorded */
    EXIT_CODE_FLOWS_LEFT = 5 /* flows were alive when the world ended */
};

/* The screens of the game, in the order in which one meets them. */
enum screen {
    SCREEN_NONE,
    SCREEN_TITLE,
    SCREEN_PLAY,
    SCREEN_PAUSE,
    SCREEN_VICTORY,
    SCREEN_OVER,
    SCREEN_STRESS,
    SCREEN_SETTINGS,
    SCREEN_LAB,
    SCREEN_BOOT,
    SCREEN_LAST = SCREEN_LAB
};

/* "title", "play" and so on; static text. */
const char *screen_name(enum screen screen);

/* A picture to be taken of one frame. */
struct options_screenshot {
    long frame;
    const char *path; /* part of argv */
};

struct options {
    bool help;
    bool version;
    bool headless;
    bool attract;
    bool hash;
    bool mute;
    bool report;        /* also of a run that is not headless */
    bool no_draw;       /* draw only the frames of screenshots */
    long frames;        /* 0: until someone quits */
    uint64_t seed;      /* default 1 */
    const char *script; /* null: none; part of argv, as all names are */
    const char *record;
    const char *replay;
    const char *saves;    /* null: the user's own folder, or none */
    const char *controls; /* null: those of the folder, if any */
    int scale;            /* of the window; 0: the default */
    int dt;               /* an enum engine_dt */
    int slow_io;          /* ms that every file takes at least */
    enum bench bench;
    enum screen scene; /* the first screen */
    int first_wave;    /* of every play */
    bool piloted;      /* the attract mode plays, from the first screen on */
    bool taught;       /* of a replay: the tutorial is known */
    struct profile_options profile;
    int stress; /* enemies to keep alive; 0: no stress test */
    int screenshot_count;
    struct options_screenshot screenshots[OPTIONS_SCREENSHOTS_MAX];
};

/* Reads the command line. False with one line in `error` that names the option and the reason. */
bool options_parse(struct options *options, int argc, char **argv, char error[OPTIONS_ERROR_SIZE]);

/* Prints what --help prints. */
void options_help(FILE *file);

#endif
