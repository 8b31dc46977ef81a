/* SPDX-License-Identifier: MIT */
/*
 * The window and its renderer.
 *
 * The picture is a texture of 640x360 that all drawing goes to; where it lies in the window is
 * computed here and not by SDL_RenderSetLogicalSize, which makes SDL_RenderReadPixels return a cut
 * picture when there are bars.
 */
#include "internal.h"

struct engine_viewport engine_viewport_fit(int width, int height)
{
    struct engine_viewport fit = {0, 0, 0, 0};
    int scale = width / ENGINE_WIDTH < height / ENGINE_HEIGHT ? width / ENGINE_WIDTH
                                                              : height / ENGINE_HEIGHT;
    if (width <= 0 || height <= 0) {
        return fit;
    }
    if (scale >= 1) {
        fit.w = scale * ENGINE_WIDTH;
        fit.h = scale * ENGINE_HEIGHT;
    } else if (width * ENGINE_HEIGHT < height * ENGINE_WIDTH) {
        fit.w = width;
        fit.h = width * ENGINE_HEIGHT / ENGINE_WIDTH;
    } else {
        fit.w = height * ENGINE_WIDTH / ENGINE_HEIGHT;
        fit.h = height;
    }
    fit.x = (width - fit.w) / 2;
    fit.y = (height - fit.h) / 2;
    return fit;
}

/* Accelerated where that works, else software. The accelerated flag fails under the dummy driver.
 */
static SDL_Renderer *open_renderer(const struct engine *engine)
{
    Uint32 vsync =
        engine->desc.headless || engine->desc.frame_cap < 0.0 ? 0 : SDL_RENDERER_PRESENTVSYNC;
    const Uint32 tries[] = {SDL_RENDERER_ACCELERATED | vsync, SDL_RENDERER_ACCELERATED,
                            SDL_RENDERER_SOFTWARE | vsync, SDL_RENDERER_SOFTWARE};
    for (size_t i = engine->desc.headless ? 3 : 0; i < SDL_arraysize(tries); i++) {
        SDL_Renderer *renderer =
            SDL_CreateRenderer(engine->window.window, -1, tries[i] | SDL_RENDERER_TARGETTEXTURE);
        if (renderer) {
            return renderer;
        }
    }
    return NULL;
}

bool engine__window_open(struct engine *engine, char *error)
{
    struct engine__window *window = &engine->window;
    const struct engine_desc *desc = &engine->desc;
    Uint32 flags = SDL_WINDOW_RESIZABLE | (desc->fullscreen ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0);
    SDL_RendererInfo info = {0};
    window->window = SDL_CreateWindow(desc->title, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED,
                                      desc->window_width, desc->window_height, flags);
    if (!window->window) {
        return engine__fail(error, "the window does not open: %s", SDL_GetError());
    }
    window->renderer = open_renderer(engine);
    if (!window->renderer) {
        return engine__fail(error, "no renderer: %s", SDL_GetError());
    }
    SDL_GetRendererInfo(window->renderer, &info);
    window->renderer_name = info.name ? info.name : "?";
    window->claims_vsync = (info.flags & SDL_RENDERER_PRESENTVSYNC) != 0;
    window->focused = true;
    engine__window_refresh(engine);
    return true;
}

void engine__window_close(struct engine *engine)
{
    if (engine->window.renderer) {
        SDL_DestroyRenderer(engine->window.renderer);
    }
    if (engine->window.window) {
        SDL_DestroyWindow(engine->window.window);
    }
}

void engine__window_refresh(struct engine *engine)
{
    struct engine__window *window = &engine->window;
    Uint32 flags = SDL_GetWindowFlags(window->window);
    int output_width = 0;
    int output_height = 0;
    int width = 0;
    SDL_GetRendererOutputSize(window->renderer, &output_width, &output_height);
    SDL_GetWindowSize(window->window, &width, NULL);
    window->viewport = engine_viewport_fit(output_width, output_height);
    window->output_scale = width > 0 ? (float)output_width / (float)width : 1.0f;
    window->hidden = (flags & (SDL_WINDOW_HIDDEN | SDL_WINDOW_MINIMIZED)) != 0;
    window->focused =
        !window->looked_away && (engine->desc.headless || (flags & SDL_WINDOW_INPUT_FOCUS) != 0);
}

struct engine_vec2 engine__window_to_picture(const struct engine *engine, int x, int y)
{
    const struct engine__window *window = &engine->window;
    const struct engine_viewport *fit = &window->viewport;
    struct engine_vec2 at = {0.0f, 0.0f};
    if (fit->w > 0 && fit->h > 0) {
        at.x =
            ((float)x * window->output_scale - (float)fit->x) * (float)ENGINE_WIDTH / (float)fit->w;
        at.y = ((float)y * window->output_scale - (float)fit->y) * (float)ENGINE_HEIGHT /
               (float)fit->h;
    }
    return at;
}

void engine__window_event(struct engine *engine, const SDL_WindowEvent *event)
{
    switch (event->event) {
    case SDL_WINDOWEVENT_SHOWN:
    case SDL_WINDOWEVENT_RESTORED:
    case SDL_WINDOWEVENT_MAXIMIZED:
#if SDL_VERSION_ATLEAST(2, 0, 18)
    case SDL_WINDOWEVENT_DISPLAY_CHANGED:
#endif
        engine__pace_probe(engine); /* the present may wait differently now */
        break;
    case SDL_WINDOWEVENT_SIZE_CHANGED:
        engine__window_refresh(engine);
        break;
    default:
        break;
    }
}

bool engine_window_set_size(struct engine *engine, int width, int height)
{
    if (width < 1 || height < 1 || width > 16384 || height > 16384) {
        return engine__fail(engine->error, "the window cannot be %dx%d", width, height);
    }
    SDL_SetWindowSize(engine->window.window, width, height);
    engine__window_refresh(engine);
    return true;
}

bool engine_window_set_fullscreen(struct engine *engine, bool fullscreen)
{
    if (SDL_SetWindowFullscreen(engine->window.window,
                                fullscreen ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0) != 0) {
        return engine__fail(engine->error, "full screen: %s", SDL_GetError());
    }
    engine__window_refresh(engine);
    return true;
}

bool engine_window_fullscreen(const struct engine *engine)
{
    return (SDL_GetWindowFlags(engine->window.window) & SDL_WINDOW_FULLSCREEN) != 0;
}

bool engine_window_hidden(const struct engine *engine)
{
    return engine->window.hidden;
}

bool engine_window_focused(const struct engine *engine)
{
    return engine->window.focused;
}

void engine_window_show_cursor(struct engine *engine, bool show)
{
    (void)engine; /* SDL's cursor belongs to the process */
    SDL_ShowCursor(show ? SDL_ENABLE : SDL_DISABLE);
}

void engine_window_set_title(struct engine *engine, const char *title)
{
    SDL_SetWindowTitle(engine->window.window, title ? title : "");
}

const char *engine_window_renderer(const struct engine *engine)
{
    return engine->window.renderer_name;
}
