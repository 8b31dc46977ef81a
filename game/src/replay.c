/* SPDX-License-Identifier: MIT */
/*
 * The recorder looks at each frame's snapshot as the game does, behind devices, scripts and pilots,
 * and writes what changed: so a replay needs none of them.
 */
#include "replay.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "game.h"

static const char head[] = "emberline-recording 1";

/* ---- Reading ---- */

static bool read_head(struct options *options, const char *text)
{
    char scene[16] = "";
    int wave = 0;
    int piloted = 0;
    int taught = 0;
    char more = 0;
    int count = sscanf(
        text, "emberline-recording 1 seed %" SCNu64 " scene %15s wave %d piloted %d taught %d %c",
        &options->seed, scene, &wave, &piloted, &taught, &more);
    for (int i = SCREEN_TITLE; i <= SCREEN_LAST; i++) {
        if (strcmp(screen_name((enum screen)i), scene) == 0) {
            options->scene = (enum screen)i;
        }
    }
    options->first_wave = wave;
    options->piloted = piloted > 0;
    options->attract = piloted == 2;
    options->taught = taught == 1;
    return count == 5 && wave >= 1 && wave <= 1000;
}

bool replay_load(struct script *script, struct options *options, char error[SCRIPT_ERROR_SIZE])
{
    char text[256] = "";
    FILE *file = fopen(options->replay, "r");
    if (file == NULL) {
        (void)snprintf(error, SCRIPT_ERROR_SIZE, "%.300s: %s", options->replay, strerror(errno));
        return false;
    }
    bool fine = fgets(text, sizeof text, file) != NULL && read_head(options, text);
    if (!fine) {
        (void)snprintf(error, SCRIPT_ERROR_SIZE, "%.300s:1: this is no recording of this version",
                       options->replay);
    } else {
        fine = script_read(script, file, options->replay, 2, error);
    }
    (void)fclose(file);
    return fine;
}

/* ---- Writing ---- */

bool recorder_open(struct game *game, char error[ENGINE_ERROR_SIZE])
{
    const struct options *options = game->options;
    if (options->record == NULL) {
        return true;
    }
    game->recorder.time_ns = -1;
    game->recorder.file = fopen(options->record, "w");
    if (game->recorder.file == NULL) {
        (void)snprintf(error, ENGINE_ERROR_SIZE, "%.160s: %s", options->record, strerror(errno));
        return false;
    }
    game->recorder.unwritten =
        fprintf(game->recorder.file, "%s seed %" PRIu64 " scene %s wave %d piloted %d taught %d\n",
                head, options->seed, screen_name(options->scene), options->first_wave,
                options->piloted + options->attract, game->save.settings[SETTING_TAUGHT] != 0) < 0;
    return true;
}

static long frame_of(const struct game *game)
{
    return (long)engine_frame_number(game->engine);
}

static void take_time(struct game *game)
{
    struct recorder *recorder = &game->recorder;
    int64_t time_ns = engine_time(game->engine)->real_dt_ns;
    bool still = engine_window_hidden(game->engine);
    if (time_ns != recorder->time_ns || still != recorder->still) {
        (void)fprintf(recorder->file, "%ld %s %" PRId64 "\n", frame_of(game),
                      still ? "still" : "time", time_ns);
        recorder->time_ns = time_ns;
        recorder->still = still;
    }
}

static void hold(const struct game *game, enum action action, float value)
{
    (void)fprintf(game->recorder.file, "%ld hold %s %.9g\n", frame_of(game), action_name(action),
                  (double)value);
}

/* A press between two snapshots that shows in neither is written as one. */
static void take_action(struct game *game, const struct engine_input_state *input,
                        enum action action)
{
    struct recorder *recorder = &game->recorder;
    bool was = (recorder->down >> action & 1u) != 0;
    bool pressed = engine_pressed(input, (int)action);
    float value = input->value[action];
    bool tapped = pressed && (was || !engine_down(input, (int)action));
    if (tapped) {
        hold(game, action, was ? 0.0F : 1.0F);
    }
    if (tapped || value != recorder->value[action]) {
        hold(game, action, value);
        recorder->value[action] = value;
    }
}

static void take_mouse(struct game *game, const struct engine_input_state *input)
{
    struct recorder *recorder = &game->recorder;
    if (input->mouse.x != recorder->mouse.x || input->mouse.y != recorder->mouse.y) {
        (void)fprintf(recorder->file, "%ld axis mouse_x %.9g\n%ld axis mouse_y %.9g\n",
                      frame_of(game), (double)input->mouse.x, frame_of(game),
                      (double)input->mouse.y);
        recorder->mouse = input->mouse;
    }
}

static void take_rest(struct game *game, const struct engine_input_state *input)
{
    struct recorder *recorder = &game->recorder;
    bool away = !engine_window_focused(game->engine);
    if (away != recorder->away) {
        (void)fprintf(recorder->file, "%ld focus %s\n", frame_of(game), away ? "lose" : "gain");
        recorder->away = away;
    }
    if (input->pads_removed != 0) {
        (void)fprintf(recorder->file, "%ld pad out\n", frame_of(game));
    }
    if (input->device_pressed) {
        (void)fprintf(recorder->file, "%ld touch\n", frame_of(game));
    }
}

void recorder_take(struct game *game)
{
    const struct engine_input_state *input = engine_input(game->engine);
    if (game->recorder.file == NULL) {
        return;
    }
    take_time(game);
    for (int i = 0; i < ACTION_COUNT; i++) {
        take_action(game, input, (enum action)i);
    }
    game->recorder.down = input->down;
    take_mouse(game, input);
    take_rest(game, input);
}

void recorder_hash(struct game *game, uint64_t hash)
{
    if (game->recorder.file != NULL) {
        (void)fprintf(game->recorder.file, "%ld hash %016" PRIx64 "\n", frame_of(game), hash);
    }
}

void recorder_close(struct game *game)
{
    struct recorder *recorder = &game->recorder;
    if (recorder->file == NULL) {
        return;
    }
    (void)fprintf(recorder->file, "%ld quit\n", frame_of(game));
    bool fine = !ferror(recorder->file) && !recorder->unwritten;
    fine = fclose(recorder->file) == 0 && fine;
    recorder->file = NULL;
    if (!fine) {
        (void)fprintf(stderr, "emberline: %s: cannot be written\n", game->options->record);
        game->unwritten++;
    }
}

/* ---- Comparing ---- */

void replay_check(struct game *game)
{
    const struct script *script = &game->script;
    long frame = frame_of(game);
    while (game->replay_at < script->count && script->lines[game->replay_at].frame <= frame) {
        const struct script_line *line = &script->lines[game->replay_at++];
        uint64_t hash = line->kind == SCRIPT_HASH ? game_hash(game) : 0;
        if (line->kind == SCRIPT_HASH && hash != line->number && !game->replay_differs) {
            (void)fprintf(stderr,
                          "emberline: %s: frame %ld has the hash %016" PRIx64
                          ", and had %016" PRIx64 " when it was recorded\n",
                          game->options->replay, frame, hash, line->number);
            game->replay_differs = true;
        }
    }
    if (game->replay_at == script->count || game->replay_differs) {
        engine_request_quit(game->engine);
    }
}
