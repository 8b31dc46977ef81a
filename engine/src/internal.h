/* SPDX-License-Identifier: MIT */
/*
 * What the engine's sources share: the engine's own struct, and functions between files
 * (engine__x).
 *
 * One struct per concept, each touched by its own source alone, but for reading. Everything here
 * belongs to the engine's own thread, except the audio mixer's state, which is guarded by SDL's
 * device lock.
 */
#ifndef ENGINE_INTERNAL_H
#define ENGINE_INTERNAL_H

#include <SDL.h>
#include <cglm/types.h>
#include <stdatomic.h>

#include "engine/engine.h"

#define ENGINE__SECOND 1000000000LL

enum {
    ENGINE__CALLBACKS_MAX = 32,
    ENGINE__PATH_MAX = 1024,
    ENGINE__BATCH_VERTICES = 65536,
    ENGINE__BATCH_INDICES = 3 * ENGINE__BATCH_VERTICES,
    ENGINE__CORNERS_MAX = 64
};

/* A host's callback with what it has cost. */
struct engine__callback {
    engine_callback *fn;
    void *user;
    const char *name;
    int64_t frame_ns;
    int64_t total_ns;
    int64_t calls;
};

/* The callbacks of a phase: `first` of engine_on, then those of engine_on_last. */
struct engine__callbacks {
    struct engine__callback items[ENGINE__CALLBACKS_MAX];
    int count;
    int first;
};

/* The window and what is between it and the picture. */
struct engine__window {
    SDL_Window *window;
    SDL_Renderer *renderer;
    SDL_Texture *target;
    const char *renderer_name;
    struct engine_viewport viewport; /* where the picture is in the output */
    float output_scale;              /* output pixels per window unit */
    bool hidden;
    bool focused;
    bool looked_away; /* someone said so */
    bool claims_vsync;
};

/* Triangles that wait for their draw call. */
struct engine__batch {
    SDL_Vertex *vertices;
    int *indices;
    int vertex_count;
    int index_count;
    SDL_Texture *texture;    /* of what waits */
    enum engine_blend blend; /* of what waits */
    enum engine_blend next_blend;
    mat3 view;
    float view_scale; /* pixels per unit: how fine circles must be */
    bool open;        /* RENDER is running */
    int draw_calls;
    int vertices_drawn;
    const struct engine_texture *font;
};

/* Waiting for absolute deadlines, where the present does not wait by itself. */
struct engine__pacer {
    int64_t period_ns; /* 0: no pacing */
    int64_t deadline_ns;
    int64_t last_end_ns; /* when the last frame ended */
    int64_t probe_interval_ns;
    int64_t probe_present_ns;
    int probe_left; /* frames still to be measured without pacing */
    int fast_frames;
    bool present_waits; /* measured, not believed */
};

struct engine__binding {
    int action;
    enum engine_source source;
    int code;
};

/* Something injected that waits for EARLY. */
struct engine__injected {
    enum {
        INJECT_ACTION,
        INJECT_KEY,
        INJECT_MOUSE,
        INJECT_MOUSE_BUTTON,
        INJECT_PAD,
        INJECT_PAD_BUTTON,
        INJECT_PAD_AXIS,
        INJECT_FOCUS,
        INJECT_QUIT
    } kind;
    int code;
    int place; /* of a pad */
    bool down;
    float x;
    float y;
};

/* What happened since the last snapshot of one kind (frames, or fixed steps). */
struct engine__edges {
    uint32_t pressed;
    uint32_t released;
    uint32_t keys_pressed[ENGINE_KEYS_MAX / 32];
    struct engine_vec2 motion;
    float wheel;
    bool device_pressed;
};

/* The state of all devices, and the two snapshots made of it. */
struct engine__input {
    struct engine_input_state state; /* as it is now; edges in it are unused */
    struct engine_input_state frame_view;
    struct engine_input_state fixed_view;
    struct engine__edges edges;
    struct engine__edges fixed_edges;
    struct engine__binding bindings[ENGINE_BINDINGS_MAX];
    int binding_count;
    float injected_value[ENGINE_ACTIONS_MAX];
    struct engine__injected queue[ENGINE_INJECT_MAX];
    int queue_count;
    SDL_GameController *controllers[ENGINE_PADS_MAX];
    SDL_Event motion; /* coalesced, not yet handed on */
    bool motion_waits;
    bool devices;
    bool release_all; /* at the next EARLY */
    bool rebound;     /* bindings changed: every action must be looked at again */
    bool in_fixed;
    engine_event_callback *listener;
    void *listener_user;
};

struct engine__voice {
    const struct engine_sound *sound;
    uint32_t id;
    int position; /* frames played */
    int group;
    float left;
    float right;
    float level;      /* of a fade, 0 to 1: times its volume */
    float level_end;  /* where the fade ends */
    float level_step; /* in each frame; 0: no fade */
    bool loop;
};

struct engine__audio {
    SDL_AudioDeviceID device;
    struct engine__voice voices[ENGINE_VOICES_MAX];
    uint32_t last_id;
    float group_volume[ENGINE_GROUPS_MAX];
    float volume;
    bool mute;
};

struct engine_image {
    SDL_Surface *surface;
};

struct engine_texture {
    SDL_Texture *texture;
    int width;
    int height;
    struct engine_texture *next;
};

struct engine_sound {
    int frames;
    float samples[]; /* left, right */
};

/* What was read of an asset: one of three. */
struct engine__content {
    struct engine_image *image;
    struct engine_sound *sound;
    char *bytes;
    size_t size;
};

/* A slot of the asset table. */
struct engine__asset {
    _Atomic uint32_t word; /* generation and state: see asset_table.c */
    enum engine__asset_kind { ENGINE__ASSET_TEXTURE, ENGINE__ASSET_SOUND, ENGINE__ASSET_FILE } kind;
    enum engine_key key;
    char name[ENGINE_ASSET_NAME_SIZE];
    struct engine__content fresh;   /* not in use yet */
    struct engine_texture *texture; /* in use: one of three */
    struct engine_sound *sound;
    char *bytes;
    size_t size;
    char error[ENGINE_ERROR_SIZE];
};

struct engine {
    struct engine_desc desc; /* resolved: no defaults left */
    struct engine_clock clock;
    struct engine_frame frame;
    struct engine__callbacks callbacks[ENGINE_PHASE_COUNT];
    struct engine__window window;
    struct engine__batch batch;
    struct engine__pacer pacer;
    struct engine__input input;
    struct engine__audio audio;
    struct engine_stats *stats;
    struct engine_frame_stats frame_stats;
    struct engine_watch watch; /* begin is null where nobody watches */
    struct engine_texture *textures;
    struct engine__asset assets[ENGINE_ASSETS_MAX];
    int assets_used;
    int assets_peak;
    uint64_t assets_stale; /* uses of stale handles */
    int64_t mark_ns;       /* until when time is accounted for */
    int64_t virtual_ns;    /* the time of ENGINE_DT_FIXED */
    int64_t frame_dt_ns;   /* what it grows by each frame */
    bool still;            /* the next frames count as hidden */
    bool running;
    bool quit;
    bool undrawn; /* the host wants no picture */
    bool started_sdl;
    char folders[2][ENGINE__PATH_MAX]; /* of assets; "" for none */
    char error[ENGINE_ERROR_SIZE];
};

/* Writes a line to `error` (may be null), cut to its size. Returns false, so that callers can
 * return it. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
bool engine__fail(char *error, const char *format, ...);

/* The time for statistics and pacing, ns. */
int64_t engine__now(const struct engine *engine);

/* Installs or removes the handlers of SIGINT and SIGTERM. */
void engine__signals_install(void);
void engine__signals_restore(void);
bool engine__signals_taken(void);

bool engine__window_open(struct engine *engine, char *error);
void engine__window_close(struct engine *engine);
/* Reads size and state of the window. */
void engine__window_refresh(struct engine *engine);
struct engine_vec2 engine__window_to_picture(const struct engine *engine, int x, int y);
void engine__window_event(struct engine *engine, const SDL_WindowEvent *event);

bool engine__draw_open(struct engine *engine, char *error);
void engine__draw_close(struct engine *engine);
void engine__draw_begin(struct engine *engine);
/* Hands what waits to the renderer and copies the picture to the window. */
void engine__draw_end(struct engine *engine);
void engine__draw_flush(struct engine *engine);

/* Makes room for a shape: flushes where texture or blending differ from what waits, or the batch is
 * full. Returns its vertices and the index of the first, and its indices; null while nothing may be
 * drawn. */
SDL_Vertex *engine__batch_add(struct engine *engine, SDL_Texture *texture, int vertices,
                              int indices, int *base, int **index);
/* Writes a vertex: `at` goes through the camera. */
void engine__vertex(struct engine *engine, SDL_Vertex *out, struct engine_vec2 at,
                    struct engine_color color);
/* A textured quad with corners in order around it. */
void engine__textured_quad(struct engine *engine, const struct engine_texture *texture,
                           struct engine_rect source, const struct engine_vec2 corners[4],
                           struct engine_color color);

void engine__pace_start(struct engine *engine);
void engine__pace_probe(struct engine *engine);
void engine__pace(struct engine *engine);
/* While hidden: waits for an event, some 100 ms at most. */
void engine__wait_hidden(struct engine *engine);

void engine__input_open(struct engine *engine);
void engine__input_close(struct engine *engine);
void engine__input_update(struct engine *engine);
void engine__input_begin_step(struct engine *engine);
void engine__input_end_steps(struct engine *engine);
void engine__input_key(struct engine *engine, int scancode, bool down, enum engine_device device);
void engine__input_mouse_button(struct engine *engine, int button, bool down,
                                enum engine_device device);
/* Looks again at every action that `source` and `code` are bound to. */
void engine__input_changed(struct engine *engine, enum engine_source source, int code);
void engine__input_events(struct engine *engine);
void engine__input_listen_to(struct engine *engine, const SDL_Event *event);

void engine__pad_added(struct engine *engine, int device_index);
/* A pad that is no device: its id, and its coming and going. */
SDL_JoystickID engine__injected_id(int place);
void engine__pad_injected(struct engine *engine, int place, bool connected);
void engine__pad_removed(struct engine *engine, SDL_JoystickID id);
void engine__pad_button(struct engine *engine, SDL_JoystickID id, int button, bool down);
void engine__pad_axis(struct engine *engine, SDL_JoystickID id, int axis, int value);
void engine__pads_release(struct engine *engine);
void engine__pads_close(struct engine *engine);
/* The value of one half of an axis, 0 to 1, dead zone removed. */
float engine__pad_half_axis(const struct engine_pad *pad, int axis, bool positive);

void engine__audio_open(struct engine *engine);
void engine__audio_close(struct engine *engine);
void engine__audio_forget(struct engine *engine, const struct engine_sound *sound);

void engine__assets_open(struct engine *engine, const struct engine_desc *desc);
void engine__assets_close(struct engine *engine);
/* Each becomes what the other was, for whoever draws them. */
void engine__texture_swap(struct engine_texture *a, struct engine_texture *b);
void engine__textures_close(struct engine *engine);

#endif
