/* SPDX-License-Identifier: MIT */
/*
 * The heads-up display: score, chain, lives, NOVA, banners, and what flow and the frame cost.
 */
#ifndef EMBERLINE_HUD_H
#define EMBERLINE_HUD_H

#include "flow/flow.h"

struct game;

struct hud_state {
    float score;      /* as shown: it runs after the real one */
    float energy;     /* as shown, 0 to 1 */
    float banner;     /* how far a banner has come, 0 to 1 to 2 when it has gone */
    char title[32];   /* of the banner */
    char detail[64];  /* its second line */
    float nova_count; /* how far the NOVA's number has come, 0 to 1; 0 shows none */
};

/* Keeps the shown numbers running after the real ones, while its screen lives. */
struct hud {
    flow_frame base;
    struct game *game;
};
FLOW_DECLARE(hud);

/* Shows a banner: in, a moment, out. */
struct banner {
    flow_frame base;
    struct game *game;
    const char *title;
    int number;
    const char *detail;
};
FLOW_DECLARE(banner);

/* Shows what a NOVA was worth. */
struct nova_tally {
    flow_frame base;
    struct game *game;
};
FLOW_DECLARE(nova_tally);

/* In RENDER. */
void hud_draw(struct game *game);
void hud_draw_meters(struct game *game);

#endif
