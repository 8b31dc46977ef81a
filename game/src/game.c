/* SPDX-License-Identifier: MIT */
/*
 * The parts put together, and what the host does in each phase before the flows do theirs.
 */
#include "game.h"

/* Where the player's files are: in the folder that was named, else in the user's own, but for runs
 * that shall be the same everywhere. */
static bool find_saves(const struct options *options, char folder[SAVE_FOLDER_SIZE],
                       char error[ENGINE_ERROR_SIZE])
{
    char path[1024] = "";
    bool own = !options->headless && options->script == NULL && options->replay == NULL;
    if (options->saves == NULL && own && !engine_user_path("emberline", "", path, error)) {
        return false;
    }
    (void)snprintf(folder, SAVE_FOLDER_SIZE, "%.900s",
                   options->saves != NULL ? options->saves : path);
    return true;
}

/* Reads settings and high scores. A folder that cannot be had is no reason not to play. */
static void open_save(struct game *game)
{
    char folder[SAVE_FOLDER_SIZE] = "";
    char error[ENGINE_ERROR_SIZE];
    if (!find_saves(game->options, folder, error)) {
        (void)fprintf(stderr, "emberline: nothing will be saved: %s\n", error);
    }
    (void)save_open(&game->save, folder, stderr);
    if (game->options->replay != NULL) {
        game->save.settings[SETTING_TAUGHT] = game->options->taught;
    }
    game->screens.best = game->save.scores[0].score;
    settings_apply(game);
}

/* The player's own bindings: those that were named must be right; others are reported, and the
 * defaults stay. */
static bool open_bindings(struct game *game, char error[ENGINE_ERROR_SIZE])
{
    char path[SAVE_FOLDER_SIZE + 32];
    const char *named = game->options->controls;
    if (named != NULL) {
        return controls_load(game->engine, named, error);
    }
    (void)snprintf(path, sizeof path, "%s/controls.txt", game->save.folder);
    if (game->save.folder[0] != '\0' && controls_exist(path) &&
        !controls_load(game->engine, path, error)) {
        (void)fprintf(stderr, "emberline: %s; defaults are used\n", error);
    }
    return true;
}

static bool make_signals(struct game *game)
{
    return flow_signal_init(&game->screens.leave, game->world) == FLOW_OK &&
           flow_signal_init(&game->screens.entered, game->world) == FLOW_OK &&
           flow_signal_init(&game->speech.said, game->world) == FLOW_OK;
}

bool game_init(struct game *game, char error[ENGINE_ERROR_SIZE], enum exit_code *code)
{
    const struct options *options = game->options;
    *code = EXIT_CODE_USAGE;
    open_save(game);
    if (!controls_bind(game->engine) || !open_bindings(game, error) ||
        !recorder_open(game, error)) {
        return false;
    }
    *code = EXIT_CODE_NO_START;
    game->next_hash = 60;
    (void)snprintf(error, ENGINE_ERROR_SIZE, "out of memory");
    engine_random_seed(&game->fx.random, options->seed, 100);
    engine_random_seed(&game->pilot_random, options->seed, 101);
    return controls_init(&game->controls, game->world) && make_signals(game) &&
           flow_world_reserve(game->world, ENEMIES_MAX + 256) == FLOW_OK &&
           arena_init(game, options->seed);
}

void game_start_music(struct game *game)
{
    game->music = engine_audio_loop(game->engine, art_sound(&game->art, game->engine, SOUND_LOOP),
                                    MUSIC_VOLUME, 0.0F);
    (void)engine_audio_set_group(game->engine, game->music, GROUP_MUSIC);
}

bool game_start(struct game *game, char error[ENGINE_ERROR_SIZE], enum exit_code *code)
{
    engine_window_show_cursor(game->engine, false);
    if (game->options->replay != NULL) {
        engine_input_set_devices(game->engine, false);
    }
    script_play(&game->input, game->engine, &game->script, 1);
    if (game->options->stress > 0) {
        *code = EXIT_CODE_USAGE;
        if (!art_load(&game->art, game->engine, error)) {
            return false;
        }
        stress_begin(game);
        return true;
    }
    *code = EXIT_CODE_NO_START;
    (void)snprintf(error, ENGINE_ERROR_SIZE, "the first flow did not start: out of memory");
    game->root = FLOW_RUN_WITH(game->world, &in_menus, emberline, .game = game,
                               .next = game->options->scene);
    return game->root.generation != 0;
}

/* Who looks elsewhere, or whose pad has gone, wants to find the game as it was. In a replay that is
 * who was recorded, not who watches. */
static void pause_when_away(struct game *game, const struct engine_input_state *input)
{
    bool replay = game->options->replay != NULL;
    bool away = replay ? game->input.away : !engine_window_focused(game->engine);
    bool pad_gone = replay ? game->input.pad_gone : input->pads_removed != 0;
    if (((away && !game->away) || pad_gone) && game->screens.now == SCREEN_PLAY) {
        (void)flow_emit(&game->controls.pressed[ACTION_PAUSE], NULL);
    }
    game->away = away;
}

static bool has_screenshot(const struct options *options, uint64_t frame)
{
    for (int i = 0; i < options->screenshot_count; i++) {
        if ((uint64_t)options->screenshots[i].frame == frame) {
            return true;
        }
    }
    return false;
}

void game_on_early(struct game *game)
{
    if (game->options->no_draw) {
        engine_set_drawn(game->engine,
                         has_screenshot(game->options, engine_frame_number(game->engine)));
    }
    const struct engine_input_state *input = engine_input(game->engine);
    controls_emit(&game->controls, input, ENGINE_PHASE_EARLY);
    game->touched = game->options->replay != NULL ? game->input.touched : input->device_pressed;
    recorder_take(game);
    pause_when_away(game, input);
    if (engine_pressed(input, ACTION_MUTE)) {
        game->silent = !game->silent;
        engine_audio_mute(game->engine, game->silent);
    }
    if (engine_pressed(input, ACTION_FULLSCREEN)) {
        game->save.settings[SETTING_FULLSCREEN] = !game->save.settings[SETTING_FULLSCREEN];
        settings_apply(game);
    }
}

void game_on_fixed(struct game *game)
{
    controls_emit(&game->controls, engine_input(game->engine), ENGINE_PHASE_FIXED);
    arena_step(game);
}

void game_on_update(struct game *game, double dt)
{
    double scale = flow_clock_effective_scale(game->world, FLOW_CLOCK_GAME);
    fx_update(&game->fx, (float)(dt * scale));
    game->fx.flash = clampf(game->fx.flash - 0.5F, 0.0F, 1.0F);
}

static void draw_screen(struct game *game)
{
    switch (game->screens.now) {
    case SCREEN_PLAY:
        hud_draw(game);
        tutorial_draw(game);
        break;
    case SCREEN_PAUSE:
        hud_draw(game);
        pause_draw(game);
        break;
    case SCREEN_TITLE:
        title_draw(game);
        hud_draw_meters(game);
        break;
    case SCREEN_VICTORY:
        hud_draw(game);
        victory_draw(game);
        break;
    case SCREEN_OVER:
        over_draw(game);
        hud_draw_meters(game);
        break;
    case SCREEN_STRESS:
        stress_draw(game);
        break;
    case SCREEN_SETTINGS:
        settings_draw(game);
        break;
    case SCREEN_LAB:
        lab_draw(game);
        break;
    case SCREEN_BOOT:
        boot_draw(game);
        break;
    case SCREEN_NONE:
        break;
    }
}

void game_on_render(struct game *game, double alpha)
{
    struct engine_rect all = {0.0F, 0.0F, ENGINE_WIDTH, ENGINE_HEIGHT};
    game_draw_arena(game, (float)alpha);
    draw_screen(game);
    if (game->fx.flash > 0.0F) {
        engine_draw_rect(game->engine, all,
                         color_faded(COLOR_WHITE, game->fx.flash * game->fx.flash_scale * 0.9F));
    }
    help_draw(game);
    wipe_draw(game);
    if (game->overlay.level > 0) {
        engine_draw_flush(game->engine); /* the overlay's time is its own */
    }
}

static void take_picture(struct game *game, const char *path)
{
    if (!engine_screenshot(game->engine, path)) {
        (void)fprintf(stderr, "emberline: %s\n", engine_error(game->engine));
        game->unwritten++;
    }
}

static void take_pictures(struct game *game, uint64_t frame)
{
    const struct options *options = game->options;
    for (int i = 0; i < options->screenshot_count; i++) {
        if ((uint64_t)options->screenshots[i].frame == frame) {
            take_picture(game, options->screenshots[i].path);
        }
    }
    if (engine_pressed(engine_input(game->engine), ACTION_SNAPSHOT)) {
        take_picture(game, "emberline.bmp");
    }
}

void game_print_hash(const struct game *game, const char *label, uint64_t frame)
{
    (void)printf("%s %llu hash %016llx\n", label, (unsigned long long)frame,
                 (unsigned long long)game_hash(game));
}

/* Every 60 steps, for who wants it. */
static void take_hash(struct game *game, uint64_t frame)
{
    if (game->arena.steps < game->next_hash) {
        return;
    }
    game->next_hash += 60;
    if (game->options->hash) {
        game_print_hash(game, "frame", frame);
    }
    if (game->recorder.file != NULL) {
        recorder_hash(game, game_hash(game));
    }
}

/* Frames beyond the last that was asked for are those in which the flows end: they do not count. */
void game_on_end(struct game *game)
{
    uint64_t frame = engine_frame_number(game->engine);
    uint64_t last = (uint64_t)game->options->frames;
    if (game->over) {
        return;
    }
    take_pictures(game, frame);
    if (game->options->stress > 0) {
        stress_book(game);
    }
    if (game->options->bench != BENCH_NONE) {
        bench_book(game);
    }
    if (game->screens.now == SCREEN_LAB) {
        lab_book(game);
    }
    take_hash(game, frame);
    if (game->options->replay != NULL) {
        replay_check(game);
    }
    if (last != 0 && frame >= last) {
        engine_request_quit(game->engine);
    }
    if (engine_quit_requested(game->engine)) {
        game->over = true;
        if (game->options->hash) {
            game_print_hash(game, "final", frame);
        }
        recorder_close(game);
    }
    script_play(&game->input, game->engine, &game->script, (long)frame + 1);
}

bool game_report(struct game *game, FILE *file)
{
    const struct screens *screens = &game->screens;
    flow_counters counters = flow_world_counters(game->world);
    bool fine = engine_stats_report(engine_get_stats(game->engine), file);
    fine = fprintf(file, "screens") > 0 && fine;
    for (int i = 0; i < screens->log_count; i++) {
        fine = fprintf(file, " %s", screen_name(screens->log[i])) > 0 && fine;
    }
    return fprintf(file,
                   "\nscore %lld, best %lld, wave %d\n"
                   "flows: %llu started, %lu at a time, %llu resumes, %llu cancelled, %lu left\n",
                   (long long)game->arena.score, (long long)screens->best, game->arena.wave,
                   (unsigned long long)counters.started, (unsigned long)counters.live_peak,
                   (unsigned long long)counters.resumed, (unsigned long long)counters.cancelled,
                   (unsigned long)counters.live) > 0 &&
           fine;
}

flow_wait next_press(struct game *game, enum action action)
{
    return flow_next(&game->controls.pressed[action], NULL);
}

flow_wait next_step_press(struct game *game, enum action action)
{
    return flow_next(&game->controls.step_pressed[action], NULL);
}

void game_sound(struct game *game, enum sound sound, float x)
{
    art_play(&game->art, game->engine, sound, x);
}

void game_rumble(struct game *game, float strength, double seconds)
{
    float scale = (float)game->save.settings[SETTING_RUMBLE] / 10.0F;
    (void)engine_input_rumble(game->engine, strength * scale, 0.6F * strength * scale, seconds);
}
