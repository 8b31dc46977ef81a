/* SPDX-License-Identifier: MIT */
/*
 * A table of options, each with a function that takes its value. Numbers are read whole: what
 * follows them, a sign or a value out of range is an error, never ignored.
 */
#include "options.h"

#include "engine/loop.h"
#include "waves.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct option {
    const char *name;
    const char *value; /* how help calls it; null: takes none */
    const char *help;
    const char *(*take)(struct options *options, char *value); /* null, or what was expected */
};

static bool read_number(const char *text, char end, uint64_t max, uint64_t *out)
{
    char *rest = NULL;
    if (text[0] < '0' || text[0] > '9') {
        return false;
    }
    errno = 0;
    unsigned long long number = strtoull(text, &rest, 10);
    if (errno != 0 || *rest != end || number > max) {
        return false;
    }
    *out = number;
    return true;
}

static const char *take_help(struct options *options, char *value)
{
    (void)value;
    options->help = true;
    return NULL;
}

static const char *take_version(struct options *options, char *value)
{
    (void)value;
    options->version = true;
    return NULL;
}

static const char *take_headless(struct options *options, char *value)
{
    (void)value;
    options->headless = true;
    return NULL;
}

static const char *take_attract(struct options *options, char *value)
{
    (void)value;
    options->attract = true;
    return NULL;
}

static const char *take_hash(struct options *options, char *value)
{
    (void)value;
    options->hash = true;
    return NULL;
}

static const char *take_report(struct options *options, char *value)
{
    (void)value;
    options->report = true;
    return NULL;
}

static const char *take_mute(struct options *options, char *value)
{
    (void)value;
    options->mute = true;
    return NULL;
}

static const char *take_no_draw(struct options *options, char *value)
{
    (void)value;
    options->no_draw = true;
    return NULL;
}

static const char *take_frames(struct options *options, char *value)
{
    uint64_t number = 0;
    if (!read_number(value, '\0', 100000000, &number) || number == 0) {
        return "a number of frames from 1 to 100000000";
    }
    options->frames = (long)number;
    return NULL;
}

static const char *take_seed(struct options *options, char *value)
{
    return read_number(value, '\0', UINT64_MAX, &options->seed) ? NULL : "a whole number";
}

static const char *take_name(const char **name, const char *value)
{
    *name = value;
    return value[0] != '\0' ? NULL : "the name of a file";
}

static const char *take_script(struct options *options, char *value)
{
    return take_name(&options->script, value);
}

static const char *take_record(struct options *options, char *value)
{
    return take_name(&options->record, value);
}

static const char *take_replay(struct options *options, char *value)
{
    return take_name(&options->replay, value);
}

static const char *take_saves(struct options *options, char *value)
{
    return take_name(&options->saves, value);
}

static const char *take_controls(struct options *options, char *value)
{
    return take_name(&options->controls, value);
}

static const char *take_scale(struct options *options, char *value)
{
    uint64_t number = 0;
    if (!read_number(value, '\0', 16, &number) || number == 0) {
        return "a number from 1 to 16";
    }
    options->scale = (int)number;
    return NULL;
}

static const char *take_dt(struct options *options, char *value)
{
    if (strcmp(value, "fixed") != 0 && strcmp(value, "real") != 0) {
        return "fixed or real";
    }
    options->dt = strcmp(value, "fixed") == 0 ? ENGINE_DT_FIXED : ENGINE_DT_REAL;
    return NULL;
}

static const char *take_slow_io(struct options *options, char *value)
{
    uint64_t number = 0;
    if (!read_number(value, '\0', 10000, &number)) {
        return "a number of ms up to 10000";
    }
    options->slow_io = (int)number;
    return NULL;
}

static const char *take_bench(struct options *options, char *value)
{
    return bench_choose(options, value) ? NULL
                                        : "idle, wave, nova500, nova5000, transition or load";
}

static const char *take_screenshot(struct options *options, char *value)
{
    uint64_t frame = 0;
    const char *colon = strchr(value, ':');
    if (colon == NULL || colon[1] == '\0' || !read_number(value, ':', 100000000, &frame) ||
        frame == 0) {
        return "FRAME:FILE, with a frame from 1 on";
    }
    if (options->screenshot_count == OPTIONS_SCREENSHOTS_MAX) {
        return "at most 64 of them";
    }
    struct options_screenshot shot = {(long)frame, colon + 1};
    options->screenshots[options->screenshot_count++] = shot;
    return NULL;
}

static const char *take_scene(struct options *options, char *value)
{
    if (strcmp(value, "title") == 0) {
        options->scene = SCREEN_TITLE;
    } else if (strcmp(value, "play") == 0) {
        options->scene = SCREEN_PLAY;
    } else if (strcmp(value, "boss") == 0) {
        options->scene = SCREEN_PLAY;
        options->first_wave = BOSS_WAVE;
    } else if (strcmp(value, "lab") == 0) {
        options->scene = SCREEN_LAB;
    } else {
        return "title, play, boss or lab";
    }
    return NULL;
}

static const char *take_stress(struct options *options, char *value)
{
    uint64_t number = 0;
    if (!read_number(value, '\0', OPTIONS_STRESS_MAX, &number) || number == 0) {
        return "a number of enemies from 1 to 6000";
    }
    options->stress = (int)number;
    return NULL;
}

static const struct option table[] = {
    {"--headless", NULL, "no window and no sound; every frame takes 1/60 s", take_headless},
    {"--frames", "N", "end after N frames", take_frames},
    {"--seed", "S", "the seed of all random streams (default 1)", take_seed},
    {"--script", "FILE", "play the inputs of a file (see game/README.md)", take_script},
    {"--record", "FILE", "write the inputs of this run, and its hashes, to a file", take_record},
    {"--replay", "FILE", "play a recorded run again and compare its hashes", take_replay},
    {"--screenshot", "FRAME:FILE", "write a BMP of a frame; may be repeated", take_screenshot},
    {"--attract", NULL, "the game plays itself", take_attract},
    {"--scene", "NAME", "begin with title, play, boss or lab", take_scene},
    {"--stress", "N", "keep N enemies alive, NOVA every 300 frames; prints JSON", take_stress},
    {"--hash", NULL, "print a hash of the state every 60 steps", take_hash},
    {"--no-draw", NULL, "draw only the frames of --screenshot, which is much faster", take_no_draw},
    {"--bench", "NAME",
     "measure a scene; prints JSON (idle, wave, nova500, nova5000, transition, load)", take_bench},
    {"--slow-io", "MS", "every file takes so long to load", take_slow_io},
    {"--dt", "fixed|real", "frames of 1/60 s, or as long as they are", take_dt},
    {"--clock", "real|counted", "counted: time is how often it was read; figures are equal then",
     profile_take_clock},
    {"--scale", "K", "a window of K times 640x360", take_scale},
    {"--saves", "DIR", "keep settings and high scores in this folder", take_saves},
    {"--controls", "FILE", "bindings (see game/README.md)", take_controls},
    {"--profile", "FILE", "write a trace for ui.perfetto.dev", profile_take_trace},
    {"--profile-csv", "FILE", "write a row per frame", profile_take_csv},
    {"--profile-summary", "FILE", "write the run's figures as JSON", profile_take_summary},
    {"--profile-mode", "hitch|all", "trace what is around hitches (default), or all",
     profile_take_mode},
    {"--hitch-ms", "MS", "a frame longer than this is a hitch (default 100)",
     profile_take_hitch_ms},
    {"--inject-hitch", "FRAME:MS[:KIND]", "let a flow take MS in a frame; KIND: see game/README.md",
     profile_take_inject},
    {"--assert-p99", "MS", "exit code 3 if the p99 of work is above", profile_take_assert_p99},
    {"--assert-no-hitch", NULL, "exit code 3 if there was a hitch", profile_take_assert_no_hitch},
    {"--report", NULL, "report frames, screens and flows at the end, as headless runs do",
     take_report},
    {"--mute", NULL, "no sound", take_mute},
    {"--version", NULL, "print the version", take_version},
    {"--help", NULL, "print this", take_help},
};

enum { TABLE_SIZE = sizeof table / sizeof table[0] };

static const struct option *find_option(const char *name)
{
    for (size_t i = 0; i < TABLE_SIZE; i++) {
        if (strcmp(table[i].name, name) == 0) {
            return &table[i];
        }
    }
    return NULL;
}

static bool refuse(char error[OPTIONS_ERROR_SIZE], const char *name, const char *reason,
                   const char *detail)
{
    (void)snprintf(error, OPTIONS_ERROR_SIZE, "%.80s: %s%.80s", name, reason, detail);
    return false;
}

/* Takes argv[*at], and argv[*at + 1] where it needs a value. */
static bool take_one(struct options *options, int argc, char **argv, int *at,
                     char error[OPTIONS_ERROR_SIZE])
{
    const char *name = argv[*at];
    const struct option *option = find_option(name);
    if (option == NULL) {
        return refuse(error, name, "no such option; --help lists them", "");
    }
    if (option->value != NULL && *at + 1 >= argc) {
        return refuse(error, name, "needs ", option->value);
    }
    char *value = option->value != NULL ? argv[++*at] : NULL;
    const char *expected = option->take(options, value);
    if (expected != NULL) {
        (void)snprintf(error, OPTIONS_ERROR_SIZE, "%s: expected %s, not \"%.80s\"", name, expected,
                       value);
        return false;
    }
    return true;
}

/* What does not go together. */
static bool check_options(const struct options *options, char error[OPTIONS_ERROR_SIZE])
{
    if (options->stress > 0 && (options->attract || options->script != NULL)) {
        return refuse(error, "--stress", "plays alone: without --attract and --script", "");
    }
    if (options->bench != BENCH_NONE && (options->attract || options->script != NULL ||
                                         options->replay != NULL || options->record != NULL)) {
        return refuse(error, "--bench",
                      "plays alone: without --attract, --script, --record and --replay", "");
    }
    if (options->attract && options->script != NULL) {
        return refuse(error, "--attract", "does not go with --script", "");
    }
    if (options->replay != NULL && (options->attract || options->script != NULL ||
                                    options->record != NULL || options->stress > 0)) {
        return refuse(error, "--replay",
                      "plays alone: without --attract, --script, --record and --stress", "");
    }
    if (options->profile.counted &&
        (!options->headless || options->record != NULL || options->dt == ENGINE_DT_REAL ||
         options->bench != BENCH_NONE)) {
        return refuse(error, "--clock",
                      "counted is for --headless, without --record, --bench and --dt real", "");
    }
    if (options->record != NULL && options->stress > 0) {
        return refuse(error, "--record", "does not go with --stress", "");
    }
    return true;
}

bool options_parse(struct options *options, int argc, char **argv, char error[OPTIONS_ERROR_SIZE])
{
    memset(options, 0, sizeof *options);
    options->seed = 1;
    options->scene = SCREEN_TITLE;
    options->first_wave = 1;
    error[0] = '\0';
    for (int at = 1; at < argc; at++) {
        if (!take_one(options, argc, argv, &at, error)) {
            return false;
        }
    }
    options->piloted = options->attract || (options->headless && options->script == NULL &&
                                            options->scene == SCREEN_PLAY);
    return check_options(options, error);
}

void options_help(FILE *file)
{
    (void)fputs("Usage: emberline [OPTION]...\n\n", file);
    for (size_t i = 0; i < TABLE_SIZE; i++) {
        (void)fprintf(file, "  %-17s %-15s %s\n", table[i].name,
                      table[i].value != NULL ? table[i].value : "", table[i].help);
    }
    (void)fputs(
        "\nKeys: WASD or arrows move, mouse aims, left button or space fires, shift dashes,\n"
        "      hold E for NOVA, enter confirms, escape or P pauses, F3 profiler,\n"
        "      F11 full screen.\n"
        "Without a mouse the moth aims at the nearest ember by itself. A headless run that\n"
        "begins at the play screen without a script is played by the attract mode's pilot.\n",
        file);
}

const char *screen_name(enum screen screen)
{
    static const char *const names[] = {"none", "title",  "play",     "pause", "victory",
                                        "over", "stress", "settings", "lab",   "boot"};
    return names[screen];
}
