/* SPDX-License-Identifier: MIT */
/*
 * Starting and ending an engine.
 *
 * A desc is resolved once (no default is looked up later), then SDL, window, drawing, input and
 * audio come up in this order and go down in the opposite one. Everything that can fail comes
 * before anything that cannot.
 */
#include <stdarg.h>

#include "internal.h"

bool engine__fail(char *error, const char *format, ...)
{
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        SDL_vsnprintf(error, ENGINE_ERROR_SIZE, format, arguments);
        va_end(arguments);
        for (char *c = error; *c; c++) {
            if (*c == '\n' || *c == '\r') {
                *c = ' ';
            }
        }
    }
    return false;
}

const char *engine_error(const struct engine *engine)
{
    return engine->error;
}

/* A span in seconds as ns. Returns false for NaN, negative, less than 1 us and more than 10 s. */
static bool resolve_span(double seconds, double fallback, int64_t *ns)
{
    double value = seconds == 0.0 ? fallback : seconds;
    if (!(value >= 1e-6 && value <= 10.0)) {
        return false;
    }
    *ns = (int64_t)(value * 1e9 + 0.5);
    return true;
}

static bool resolve_time(struct engine *engine, char *error)
{
    struct engine_desc *desc = &engine->desc;
    struct engine_clock_desc clock = {.max_steps = desc->max_steps ? desc->max_steps : 5};
    int64_t frame_ns;
    if (!resolve_span(desc->fixed_dt, 1.0 / 60.0, &clock.fixed_ns)) {
        return engine__fail(error, "fixed_dt must be from 1 us to 10 s, not %g s", desc->fixed_dt);
    }
    if (!resolve_span(desc->max_dt, 0.1, &clock.clamp_ns)) {
        return engine__fail(error, "max_dt must be from 1 us to 10 s, not %g s", desc->max_dt);
    }
    if (!resolve_span(desc->frame_dt, (double)clock.fixed_ns / 1e9, &frame_ns)) {
        return engine__fail(error, "frame_dt must be from 1 us to 10 s, not %g s", desc->frame_dt);
    }
    if (clock.max_steps < 1) {
        return engine__fail(error, "max_steps must be 1 or more, not %d", desc->max_steps);
    }
    if (desc->frame_cap != desc->frame_cap || desc->frame_cap > 10000.0) {
        return engine__fail(error, "frame_cap must be at most 10000, not %g", desc->frame_cap);
    }
    if (desc->dt_mode == ENGINE_DT_DEFAULT) {
        desc->dt_mode = desc->headless && !desc->time.now ? ENGINE_DT_FIXED : ENGINE_DT_REAL;
    }
    desc->frame_dt = (double)frame_ns / 1e9;
    engine->frame_dt_ns = frame_ns;
    engine->frame.fixed_dt_ns = clock.fixed_ns;
    engine->frame.fixed_dt = (double)clock.fixed_ns / 1e9;
    engine->virtual_ns = 0;
    return engine_clock_init(&engine->clock, 0, &clock);
}

static bool resolve_window(struct engine *engine, char *error)
{
    struct engine_desc *desc = &engine->desc;
    int factor = desc->headless ? 1 : 2; /* nobody sees a headless window: keep its copy cheap */
    if (desc->window_width < 0 || desc->window_height < 0) {
        return engine__fail(error, "the window cannot be %dx%d", desc->window_width,
                            desc->window_height);
    }
    desc->title = desc->title ? desc->title : "engine";
    desc->window_width = desc->window_width ? desc->window_width : factor * ENGINE_WIDTH;
    desc->window_height = desc->window_height ? desc->window_height : factor * ENGINE_HEIGHT;
    return true;
}

/* A hint that wins over the environment. SDL before 2.0.22 reads these two from the environment
 * alone. */
static void force_driver(const char *name)
{
#if !SDL_VERSION_ATLEAST(2, 0, 22)
    SDL_setenv(name, "dummy", 1);
#endif
    SDL_SetHintWithPriority(name, "dummy", SDL_HINT_OVERRIDE);
}

/* Whether SDL found a display, and not just one of its drivers that draw to nowhere, which it falls
 * back to by itself (offscreen was seen). Whoever names such a driver gets it. */
static bool has_display(void)
{
    const char *driver = SDL_GetCurrentVideoDriver();
    return SDL_GetHint("SDL_VIDEODRIVER") || SDL_getenv("SDL_VIDEODRIVER") ||
           (SDL_strcmp(driver, "offscreen") != 0 && SDL_strcmp(driver, "dummy") != 0);
}

/* Where a desktop is told of in the environment and nothing is there, SDL need not look: libwayland
 * would print a line of its own. */
static bool is_worth_a_look(void)
{
#if defined(__linux__)
    return SDL_GetHint("SDL_VIDEODRIVER") || SDL_getenv("SDL_VIDEODRIVER") ||
           SDL_getenv("DISPLAY") || SDL_getenv("WAYLAND_DISPLAY") || SDL_getenv("XDG_RUNTIME_DIR");
#else
    return true;
#endif
}

static bool start_video(const struct engine_desc *desc, char *error)
{
    const char *hint = desc->no_display_hint;
    const char *reason = "none was found";
    if (!is_worth_a_look()) {
        return engine__fail(error, "no display: %s%s%s", reason, hint ? "; " : "",
                            hint ? hint : "");
    }
    if (SDL_Init(SDL_INIT_VIDEO | SDL_INIT_EVENTS) != 0) {
        reason = SDL_GetError();
    } else if (has_display()) {
        return true;
    }
    engine__fail(error, "no display: %s%s%s", reason, hint ? "; " : "", hint ? hint : "");
    SDL_Quit();
    return false;
}

static bool start_sdl(struct engine *engine, char *error)
{
    const struct engine_desc *desc = &engine->desc;
    SDL_SetMainReady();
    SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
    if (desc->headless) {
        force_driver("SDL_VIDEODRIVER");
        force_driver("SDL_AUDIODRIVER");
        /* a window that is not there has no focus */
        SDL_SetHint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1");
    }
    if (!start_video(desc, error)) {
        return false;
    }
    engine->started_sdl = true;
    SDL_InitSubSystem(SDL_INIT_GAMECONTROLLER); /* no pads are no failure */
    return true;
}

static bool start(struct engine *engine, const struct engine_desc *desc, char *error)
{
    engine->desc = *desc;
    if (!resolve_time(engine, error) || !resolve_window(engine, error)) {
        return false;
    }
    engine->stats = engine_stats_create();
    if (!engine->stats) {
        return engine__fail(error, "out of memory");
    }
    if (!start_sdl(engine, error) || !engine__window_open(engine, error) ||
        !engine__draw_open(engine, error)) {
        return false;
    }
    engine__assets_open(engine, desc);
    engine__input_open(engine);
    engine__audio_open(engine);
    if (!desc->no_signals) {
        engine__signals_install();
    }
    engine->mark_ns = engine__now(engine);
    engine->clock.last_ns = engine->desc.dt_mode == ENGINE_DT_FIXED ? 0 : engine->mark_ns;
    engine__pace_start(engine);
    return true;
}

static void stop(struct engine *engine)
{
    engine__assets_close(engine);
    engine__audio_close(engine);
    engine__input_close(engine);
    engine__textures_close(engine);
    engine__draw_close(engine);
    engine__window_close(engine);
    if (engine->started_sdl) {
        SDL_Quit();
    }
    engine_stats_destroy(engine->stats);
    SDL_free(engine);
}

struct engine *engine_create(const struct engine_desc *desc, char error[ENGINE_ERROR_SIZE])
{
    static const struct engine_desc defaults;
    struct engine *engine = SDL_calloc(1, sizeof *engine);
    if (!engine) {
        engine__fail(error, "out of memory");
        return NULL;
    }
    if (!start(engine, desc ? desc : &defaults, error)) {
        stop(engine);
        return NULL;
    }
    engine->desc.title = NULL; /* borrowed until here */
    engine->desc.assets = NULL;
    engine->desc.assets_fallback = NULL;
    engine->desc.no_display_hint = NULL;
    return engine;
}

void engine_destroy(struct engine *engine)
{
    if (!engine || engine->running) {
        return;
    }
    if (!engine->desc.no_signals) {
        engine__signals_restore();
    }
    stop(engine);
}
