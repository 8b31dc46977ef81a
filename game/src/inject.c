/* SPDX-License-Identifier: MIT */
/*
 * Flows, callbacks and a watch that take time in one frame. The frame is the engine's; what a crowd
 * of flows or calls takes is shared among them.
 */
#include "inject.h"

#include <stdlib.h>
#include <string.h>

#include "game.h"

enum { CROWD = 5000, POSTS = 1000 };

bool inject_read(const char *text, struct inject_options *out)
{
    static const char *const names[INJECT_COUNT] = {
#define INJECT_NAME(constant, name) name,
        INJECT_KINDS(INJECT_NAME)
#undef INJECT_NAME
    };
    char *colon = NULL;
    char ms[16] = "";
    out->frame = text[0] >= '0' && text[0] <= '9' ? strtol(text, &colon, 10) : 0;
    if (out->frame < 1 || out->frame > 100000000 || *colon != ':') {
        return false;
    }
    size_t length = strcspn(colon + 1, ":");
    const char *kind = colon + 1 + length;
    if (length >= sizeof ms) {
        return false;
    }
    memcpy(ms, colon + 1, length);
    out->kind = INJECT_RESUME;
    while (*kind == ':' && out->kind < INJECT_COUNT && strcmp(kind + 1, names[out->kind]) != 0) {
        out->kind++;
    }
    return out->kind < INJECT_COUNT && profile_read_ms(ms, &out->ms);
}

/* ---- taking time ---- */

void spend(const struct engine *engine, double ms)
{
    int64_t until = engine_now(engine) + (int64_t)(ms * 1e6);
    while (engine_now(engine) < until) {
    }
}

static const struct inject_options *asked(const struct game *game)
{
    return &game->options->profile.inject;
}

static bool is_now(const struct game *game)
{
    return engine_frame_number(game->engine) == (uint64_t)asked(game)->frame;
}

/* In its frame, a part of the whole. */
static void spend_part(const struct game *game, int parts)
{
    if (is_now(game)) {
        spend(game->engine, asked(game)->ms / parts);
    }
}

/* In its frame, once. */
static void spend_once(struct game *game)
{
    if (!game->injector.done && is_now(game)) {
        game->injector.done = true;
        spend(game->engine, asked(game)->ms);
    }
}

/* ---- flows ---- */

/* A turn that takes too long, as a mistake in any flow might. */
struct injected_hitch {
    flow_frame base;
    struct game *game;
};

FLOW_STATIC(injected_hitch)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_frames((int)asked(self->game)->frame));
    spend_once(self->game);
    FLOW_END;
}

struct injected_start {
    flow_frame base;
    struct game *game;
};

FLOW_STATIC(injected_start)
{
    FLOW_BEGIN;
    spend_once(self->game);
    FLOW_AWAIT(flow_never());
    FLOW_END;
}

struct injected_starter {
    flow_frame base;
    struct game *game;
};

FLOW_STATIC(injected_starter)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_frames((int)asked(self->game)->frame));
    FLOW_SPAWN(injected_start, .game = self->game);
    FLOW_AWAIT(flow_never());
    FLOW_END;
}

struct injected_finally {
    flow_frame base;
    struct game *game;
};

FLOW_STATIC(injected_finally)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_frames((int)asked(self->game)->frame));
    FLOW_FINALLY;
    spend_once(self->game);
    FLOW_END;
}

static int ask(void *arg)
{
    spend_once(arg);
    return 0;
}

struct injected_predicate {
    flow_frame base;
    struct game *game;
};

FLOW_STATIC(injected_predicate)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_until(ask, self->game));
    FLOW_END;
}

/* ---- crowds ---- */

struct injected_sleeper {
    flow_frame base;
    struct game *game;
};

FLOW_STATIC(injected_sleeper)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next(&self->game->injector.alarm, NULL));
    spend_part(self->game, CROWD);
    FLOW_END;
}

struct injected_keeper {
    flow_frame base;
    struct game *game;
};

FLOW_STATIC(injected_keeper)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    spend_part(self->game, CROWD);
    FLOW_END;
}

static void be_posted(flow_world *world, void *game)
{
    (void)world;
    spend_part(game, POSTS);
}

/* Gathers the crowd, and lets loose what its kind is. */
struct injected_crowd {
    flow_frame base;
    struct game *game;
};

static void gather(struct game *game)
{
    struct injector *injector = &game->injector;
    injector->crowd = flow_group_create(game->world, &(flow_group_desc){.name = "injected crowd"});
    const flow_options options = {.owner = injector->crowd};
    for (int i = 0; i < CROWD; i++) {
        if (asked(game)->kind == INJECT_WAKES) {
            (void)FLOW_RUN_WITH(game->world, &options, injected_sleeper, .game = game);
        } else {
            (void)FLOW_RUN_WITH(game->world, &options, injected_keeper, .game = game);
        }
    }
}

static void let_loose(struct game *game)
{
    struct injector *injector = &game->injector;
    if (asked(game)->kind == INJECT_WAKES) {
        (void)flow_emit(&injector->alarm, NULL);
    } else {
        (void)flow_cancel(game->world, injector->crowd);
    }
}

FLOW_STATIC(injected_crowd)
{
    FLOW_BEGIN;
    gather(self->game);
    FLOW_AWAIT(flow_frames((int)asked(self->game)->frame));
    let_loose(self->game);
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    (void)flow_cancel(self->game->world, self->game->injector.crowd);
    FLOW_END;
}

struct injected_flood {
    flow_frame base;
    struct game *game;
    int sent;
};

FLOW_STATIC(injected_flood)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_frames((int)asked(self->game)->frame - 1));
    while (self->sent < POSTS && flow_post(self->game->world, be_posted, self->game) == FLOW_OK) {
        self->sent++;
    }
    FLOW_END;
}

/* ---- the host ---- */

static void called(struct engine *engine, void *user, const struct engine_frame *frame)
{
    (void)engine;
    (void)frame;
    spend_once(user);
}

/* Between the engine and whoever watches it: time goes by before a frame's first part, or in the
 * part of that name. */
static void part_begin(void *user, const char *name, bool waits)
{
    struct game *game = user;
    const struct engine_watch *watch = &game->injector.watch;
    enum inject_kind kind = asked(game)->kind;
    if (kind == INJECT_OUTSIDE) {
        spend_once(game);
    }
    watch->begin(watch->user, name, waits);
    if (strcmp(name, kind == INJECT_RENDER    ? "render"
                     : kind == INJECT_PRESENT ? "present"
                                              : "") == 0) {
        spend_once(game);
    }
}

static void part_end(void *user)
{
    struct game *game = user;
    game->injector.watch.end(game->injector.watch.user);
}

static bool watch_begin(struct game *game)
{
    const struct engine_watch watch = {part_begin, part_end, game};
    return engine_set_watch(game->engine, &watch);
}

/* ---- from beginning to end ---- */

bool inject_begin(struct game *game, const struct engine_watch *watch)
{
    struct injector *injector = &game->injector;
    flow_world *world = game->world;
    enum inject_kind kind = asked(game)->kind;
    injector->watch = *watch;
    if (flow_signal_init(&injector->alarm, world) != FLOW_OK) {
        return false;
    }
    if (kind == INJECT_RENDER || kind == INJECT_PRESENT || kind == INJECT_OUTSIDE) {
        return watch_begin(game);
    }
    if (kind >= INJECT_IN_BEGIN) {
        return engine_on(game->engine, (enum engine_phase)(kind - INJECT_IN_BEGIN), called, game,
                         "injected callback");
    }
    injector->flow =
        kind == INJECT_START     ? FLOW_RUN_WITH(world, &in_menus, injected_starter, .game = game)
        : kind == INJECT_FINALLY ? FLOW_RUN_WITH(world, &in_menus, injected_finally, .game = game)
        : kind == INJECT_PREDICATE
            ? FLOW_RUN_WITH(world, &in_menus, injected_predicate, .game = game)
        : kind == INJECT_INBOX  ? FLOW_RUN_WITH(world, &in_menus, injected_flood, .game = game)
        : kind == INJECT_RESUME ? FLOW_RUN_WITH(world, &in_menus, injected_hitch, .game = game)
                                : FLOW_RUN_WITH(world, &in_menus, injected_crowd, .game = game);
    return true;
}

void inject_end(struct game *game)
{
    (void)flow_cancel(game->world, game->injector.flow);
    flow_signal_fini(&game->injector.alarm);
}
