/* SPDX-License-Identifier: MIT */
/*
 * Both files are a title, a line `name value` for each field, and `end`: so a file that was cut is
 * noticed. Reading goes to a copy, which is taken over only when all of it was right.
 */
#include "save.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum { FIELDS_MAX = 16 };

/* A number in a file. */
struct field {
    const char *name;
    int64_t *value;
    int64_t low;
    int64_t high;
};

/* A file and what is in it. */
struct sheet {
    const char *file;
    const char *title;
    struct field fields[FIELDS_MAX];
    int count;
};

static const struct {
    const char *name;
    int64_t value;
    int64_t low;
    int64_t high;
} ranges[SETTING_COUNT] = {
#define SETTING_ROW(name, text, value, low, high) {text, value, low, high},
    SETTINGS(SETTING_ROW)
#undef SETTING_ROW
};

int64_t setting_least(enum setting setting)
{
    return ranges[setting].low;
}

int64_t setting_most(enum setting setting)
{
    return ranges[setting].high;
}

static struct sheet settings_sheet(int64_t settings[SETTING_COUNT])
{
    struct sheet sheet = {
        .file = "settings.txt", .title = "emberline settings 1", .count = SETTING_COUNT};
    for (int i = 0; i < SETTING_COUNT; i++) {
        sheet.fields[i] =
            (struct field){ranges[i].name, &settings[i], ranges[i].low, ranges[i].high};
    }
    return sheet;
}

static struct sheet scores_sheet(struct save_score scores[SCORES_KEPT])
{
    static const char *const names[SCORES_KEPT][2] = {{"score_1", "wave_1"},
                                                      {"score_2", "wave_2"},
                                                      {"score_3", "wave_3"},
                                                      {"score_4", "wave_4"},
                                                      {"score_5", "wave_5"}};
    struct sheet sheet = {
        .file = "scores.txt", .title = "emberline scores 1", .count = 2 * SCORES_KEPT};
    for (int i = 0; i < SCORES_KEPT; i++) {
        sheet.fields[2 * i] =
            (struct field){names[i][0], &scores[i].score, 0, INT64_C(1000000000000)};
        sheet.fields[2 * i + 1] = (struct field){names[i][1], &scores[i].wave, 0, 1000000};
    }
    return sheet;
}

/* ---- Reading ---- */

static const char *read_field(const struct sheet *sheet, const char *text)
{
    char name[32];
    char more = 0;
    int64_t value = 0;
    if (sscanf(text, "%31s %" SCNd64 " %c", name, &value, &more) != 2) {
        return "expected a name and a number";
    }
    for (int i = 0; i < sheet->count; i++) {
        const struct field *field = &sheet->fields[i];
        if (strcmp(field->name, name) == 0) {
            *field->value = value;
            return value < field->low || value > field->high ? "the number is out of range" : NULL;
        }
    }
    return "nothing has this name";
}

/* Null, or what is wrong, in line *number. */
static const char *read_sheet(const struct sheet *sheet, FILE *file, int *number)
{
    char text[128];
    for (*number = 1; fgets(text, sizeof text, file) != NULL; (*number)++) {
        size_t length = strcspn(text, "\r\n");
        bool whole = text[length] != '\0';
        text[length] = '\0';
        if (*number > 1 && strcmp(text, "end") == 0) {
            return NULL;
        }
        const char *problem =
            !whole         ? "the line is cut"
            : *number == 1 ? strcmp(text, sheet->title) != 0 ? "this is another kind of file" : NULL
                           : read_field(sheet, text);
        if (problem != NULL) {
            return problem;
        }
    }
    return "the end is missing";
}

/* Renames a bad file to the first free of nine names. */
static void keep_aside(const char *path, char kept[SAVE_LINE_SIZE])
{
    for (int i = 1; i <= 9; i++) {
        (void)snprintf(kept, SAVE_LINE_SIZE, "%.1100s.corrupt%d", path, i);
        FILE *taken = fopen(kept, "r");
        if (taken == NULL) {
            break;
        }
        (void)fclose(taken);
    }
    if (rename(path, kept) != 0) {
        (void)snprintf(kept, SAVE_LINE_SIZE, "%.1100s", path);
    }
}

/* True where all is right or there is no such file. */
static bool load(const char *folder, const struct sheet *sheet, FILE *errors)
{
    char path[SAVE_FOLDER_SIZE + 64];
    char kept[SAVE_LINE_SIZE];
    int number = 0;
    (void)snprintf(path, sizeof path, "%s/%s", folder, sheet->file);
    errno = 0;
    FILE *file = fopen(path, "r");
    if (file == NULL && errno == ENOENT) {
        return true;
    }
    const char *problem = file != NULL ? read_sheet(sheet, file, &number) : strerror(errno);
    if (file != NULL) {
        (void)fclose(file);
    }
    if (problem != NULL) {
        keep_aside(path, kept);
        (void)fprintf(errors, "emberline: %s:%d: %s; defaults are used, the file is kept as %s\n",
                      path, number, problem, kept);
    }
    return problem == NULL;
}

int save_open(struct save *save, const char *folder, FILE *errors)
{
    struct save read;
    memset(save, 0, sizeof *save);
    (void)snprintf(save->folder, sizeof save->folder, "%s", folder);
    for (int i = 0; i < SETTING_COUNT; i++) {
        save->settings[i] = ranges[i].value;
    }
    if (folder[0] == '\0') {
        return 0;
    }
    read = *save;
    struct sheet settings = settings_sheet(read.settings);
    struct sheet scores = scores_sheet(read.scores);
    bool settings_fine = load(folder, &settings, errors);
    bool scores_fine = load(folder, &scores, errors);
    if (settings_fine) {
        memcpy(save->settings, read.settings, sizeof save->settings);
    }
    if (scores_fine) {
        memcpy(save->scores, read.scores, sizeof save->scores);
    }
    return !settings_fine + !scores_fine;
}

/* ---- Writing ---- */

static bool write_sheet(const struct sheet *sheet, const char *path)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        return false;
    }
    bool fine = fprintf(file, "%s\n", sheet->title) > 0;
    for (int i = 0; i < sheet->count; i++) {
        fine =
            fprintf(file, "%s %" PRId64 "\n", sheet->fields[i].name, *sheet->fields[i].value) > 0 &&
            fine;
    }
    fine = fputs("end\n", file) >= 0 && fine;
    return fclose(file) == 0 && fine;
}

/* Some systems do not rename over a file that is there. */
static bool replace(const char *from, const char *to)
{
    return rename(from, to) == 0 || (remove(to) == 0 && rename(from, to) == 0);
}

static bool store(const char *folder, const struct sheet *sheet, char error[SAVE_LINE_SIZE])
{
    char path[SAVE_FOLDER_SIZE + 64];
    char aside[SAVE_FOLDER_SIZE + 80];
    if (folder[0] == '\0') {
        return true;
    }
    (void)snprintf(path, sizeof path, "%s/%s", folder, sheet->file);
    (void)snprintf(aside, sizeof aside, "%s.new", path);
    errno = 0;
    if (write_sheet(sheet, aside) && replace(aside, path)) {
        return true;
    }
    (void)snprintf(error, SAVE_LINE_SIZE, "%.1100s: cannot be written: %s", path,
                   errno != 0 ? strerror(errno) : "no room");
    return false;
}

bool save_settings(const struct save *save, char error[SAVE_LINE_SIZE])
{
    int64_t values[SETTING_COUNT];
    memcpy(values, save->settings, sizeof values);
    struct sheet sheet = settings_sheet(values);
    return store(save->folder, &sheet, error);
}

bool save_scores(const struct save *save, char error[SAVE_LINE_SIZE])
{
    struct save_score scores[SCORES_KEPT];
    memcpy(scores, save->scores, sizeof scores);
    struct sheet sheet = scores_sheet(scores);
    return store(save->folder, &sheet, error);
}

int save_add_score(struct save *save, int64_t score, int64_t wave)
{
    int place = 0;
    while (place < SCORES_KEPT && save->scores[place].score >= score) {
        place++;
    }
    if (place == SCORES_KEPT) {
        return -1;
    }
    memmove(&save->scores[place + 1], &save->scores[place],
            (size_t)(SCORES_KEPT - 1 - place) * sizeof save->scores[0]);
    save->scores[place] = (struct save_score){score, wave};
    return place;
}
