/* SPDX-License-Identifier: MIT */
/*
 * The screens: each is a flow and what it draws. Their common parent, the director, lets one follow
 * another under a wipe.
 */
#ifndef EMBERLINE_SCREENS_H
#define EMBERLINE_SCREENS_H

#include "engine/engine.h"
#include "flow/flow.h"
#include "menu.h"
#include "options.h"

struct game;

enum { SCREENS_LOG_MAX = 64 };

typedef FLOW_SIGNAL(enum screen) screen_signal;

struct screens {
    screen_signal leave;   /* a screen has had enough: what comes next */
    screen_signal entered; /* a screen has begun */
    enum screen now;
    enum screen log[SCREENS_LOG_MAX]; /* those entered, in order */
    int log_count;
    bool loading;      /* files or a screen: what the player waits for, under cover */
    bool loaded;       /* it did in this frame, to its end or not */
    bool demo;         /* this play is a demonstration, until someone touches a key */
    float wipe;        /* 0: open, 1: covered */
    bool wipe_leaving; /* which way it goes */
    float title_in;    /* the title's logo has come this far, 0 to 1 */
    float over_in;
    float pause_in;
    float victory_in;
    float help_in;
    int title_choice;
    int choice;         /* of the menu over the play */
    int row;            /* of the settings */
    bool won;           /* this play beat the boss */
    int64_t last_score; /* of the last play */
    int last_wave;
    int64_t best; /* of this session */
};

/* The whole game: everything else is a child of this flow. */
struct emberline {
    flow_frame base;
    struct game *game;
    flow_handle screen;
    flow_handle opening;
    enum screen next;
};
FLOW_DECLARE(emberline);

struct title {
    flow_frame base;
    struct game *game;
    int winner;
    int picked;
};
FLOW_DECLARE(title);

struct play {
    flow_frame base;
    struct game *game;
    flow_handle player;
};
FLOW_DECLARE(play);

struct game_over {
    flow_frame base;
    struct game *game;
    int winner;
};
FLOW_DECLARE(game_over);

/* The boss is beaten: one goes on, or rests. */
struct victory {
    flow_frame base;
    struct game *game;
    int picked;
};
FLOW_DECLARE(victory);

/* Waits for the help key, shows the sheet, and again. */
struct help {
    flow_frame base;
    struct game *game;
};
FLOW_DECLARE(help);

/* Waits for the pause key, shows the menu, and again. */
struct pausing {
    flow_frame base;
    struct game *game;
};
FLOW_DECLARE(pausing);

struct wipe_close {
    flow_frame base;
    struct game *game;
};
FLOW_DECLARE(wipe_close);

struct wipe_open {
    flow_frame base;
    struct game *game;
};
FLOW_DECLARE(wipe_open);

/* Presses the buttons of every screen by itself. */
struct attract {
    flow_frame base;
    struct game *game;
    enum screen screen;
    int winner;
};
FLOW_DECLARE(attract);

/* Plays until it is cancelled. */
struct pilot {
    flow_frame base;
    struct game *game;
    int hold;
};
FLOW_DECLARE(pilot);

/* Plays until someone touches a key, then goes back to the title. */
struct demo {
    flow_frame base;
    struct game *game;
    int winner;
};
FLOW_DECLARE(demo);

/* Moves a value: the ease may be null for an even pace. On the flow's own clock. */
struct tween {
    flow_frame base;
    float *value;
    float to;
    double seconds;
    engine_ease *ease;
    float from;
};
FLOW_DECLARE(tween);

/* Notes that a screen has begun, and tells who waits for it. */
void screen_enter(struct game *game, enum screen screen);

/* Asks the director for another screen. */
void screen_leave(struct game *game, enum screen next);

/* In RENDER. */
void title_draw(struct game *game);
void over_draw(struct game *game);
void pause_draw(struct game *game);
void victory_draw(struct game *game);
void help_draw(struct game *game);
void wipe_draw(struct game *game);

#endif
