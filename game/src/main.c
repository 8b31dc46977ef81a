/* SPDX-License-Identifier: MIT */
/*
 * EMBERLINE: from the command line to the exit code.
 */
#include <stdlib.h>
#include <string.h>

#include "game.h"
#include "glue.h"

static int fail(enum exit_code code, const char *message)
{
    (void)fprintf(stderr, "emberline: %s\n", message);
    return (int)code;
}

/* Headless frames wait for nothing, unless they take as long as they take, or workers need time. */
static bool wants_pace(const struct options *options)
{
    return options->headless && (options->dt == ENGINE_DT_REAL || options->bench == BENCH_LOAD);
}

/* Frames of a fixed length, whatever a clock says. */
static enum engine_dt dt_mode(const struct options *options)
{
    bool fixed = options->replay != NULL || options->profile.counted;
    return fixed ? ENGINE_DT_FIXED : (enum engine_dt)options->dt;
}

static struct engine *open_engine(struct game *game, char error[ENGINE_ERROR_SIZE])
{
    const struct options *options = game->options;
    const struct engine_desc desc = {
        .title = "EMBERLINE",
        .headless = options->headless,
        .no_audio = options->mute,
        .window_width = options->scale * ENGINE_WIDTH,
        .window_height = options->scale * ENGINE_HEIGHT,
        .dt_mode = dt_mode(options),
        .time = {.now = options->profile.counted ? profiling_count : NULL, .user = game},
        .frame_cap = wants_pace(options) ? 60.0 : 0.0,
        .no_display_hint = "--headless plays without one",
        .assets_fallback = EMBERLINE_ASSETS,
    };
    return engine_create(&desc, error);
}

/* The report of a headless run stays out of the way of what is to be parsed. */
static bool report(struct game *game)
{
    const struct options *options = game->options;
    bool parsed = options->hash || options->stress > 0 || options->bench != BENCH_NONE;
    bool fine = true;
    if (options->bench != BENCH_NONE) {
        fine = bench_print(game, stdout);
    } else if (options->stress > 0) {
        fine = stress_print(game, stdout);
    }
    if (options->headless || options->report) {
        fine = game_report(game, parsed ? stderr : stdout) && fine;
    }
    return fflush(stdout) == 0 && fine;
}

/* Plays in an engine that is open and a world that is empty. */
static int play_game(struct game *game)
{
    char error[ENGINE_ERROR_SIZE] = "";
    enum exit_code code = EXIT_CODE_FINE;
    if (!game_init(game, error, &code)) {
        return fail(code, error);
    }
    bool stress = game->options->stress > 0;
    if (!glue_register(game) || (stress && !stress_register(game))) {
        return fail(EXIT_CODE_NO_START, engine_error(game->engine));
    }
    if (!profiling_init(game, error)) {
        return fail(EXIT_CODE_USAGE, error);
    }
    glue_open_workers(game);
    if (!game_start(game, error, &code)) {
        return fail(code, error);
    }
    int left = glue_run(game);
    if (game->boot.error[0] != '\0') {
        return fail(EXIT_CODE_USAGE, game->boot.error);
    }
    if (!report(game)) {
        return fail(EXIT_CODE_NO_START, "the report could not be written");
    }
    if (game->replay_differs) {
        return (int)EXIT_CODE_DIFFERS;
    }
    if (engine_asset_count(game->engine).stale > 0) {
        return fail(EXIT_CODE_NO_START, "an asset was used that had gone");
    }
    if (left > 0) {
        return fail(EXIT_CODE_FLOWS_LEFT, "flows were left at exit");
    }
    if (game->unwritten > 0) {
        return (int)EXIT_CODE_USAGE;
    }
    if (game->profiling.slow) {
        return (int)EXIT_CODE_SLOW;
    }
    return game->failures > 0 ? (int)EXIT_CODE_NO_START : (int)EXIT_CODE_FINE;
}

static int open_world(struct game *game)
{
    char error[ENGINE_ERROR_SIZE] = "";
    game->engine = open_engine(game, error);
    if (game->engine == NULL) {
        return fail(EXIT_CODE_NO_START, error);
    }
    game->world = glue_create_world(game);
    int code = game->world != NULL ? play_game(game) : fail(EXIT_CODE_NO_START, "out of memory");
    profiling_free(game);
    (void)flow_world_destroy(game->world);
    glue_close_workers(game);
    engine_destroy(game->engine);
    return code;
}

/* The lines of --script or --replay. */
static bool load_inputs(struct game *game, struct options *options, char error[SCRIPT_ERROR_SIZE])
{
    if (options->replay != NULL) {
        return replay_load(&game->script, options, error);
    }
    return options->script == NULL || script_load(&game->script, options->script, error);
}

int main(int argc, char **argv)
{
    struct options options;
    char error[SCRIPT_ERROR_SIZE] = "";
    if (!options_parse(&options, argc, argv, error)) {
        return fail(EXIT_CODE_USAGE, error);
    }
    if (options.help || options.version) {
        options.help ? options_help(stdout) : (void)puts("emberline 0.1");
        return fflush(stdout) == 0 ? (int)EXIT_CODE_FINE : (int)EXIT_CODE_NO_START;
    }
    struct game *game = calloc(1, sizeof *game);
    if (game == NULL) {
        return fail(EXIT_CODE_NO_START, "out of memory");
    }
    game->options = &options;
    int code = (int)EXIT_CODE_USAGE;
    if (load_inputs(game, &options, error)) {
        code = open_world(game);
    } else {
        (void)fail(EXIT_CODE_USAGE, error);
    }
    script_free(&game->script);
    free(game);
    return code;
}
