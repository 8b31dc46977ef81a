/* SPDX-License-Identifier: MIT */
/*
 * The heads-up display: score, chain, lives, NOVA, banners, and what flow and the frame cost.
 */
#ifndef EMBERLINE_HUD_H
#define EMBERLINE_HUD_H

#include "flow/flow.h"

struct game;

struct hud_state {
    float score;       /* as shown: it runs after the real one */
    float energy;      /* as shown, 0 to 1 */
    float banner;      /* how far a banner has come, 0 to 1 to 2 when it has gone */
    char title[32];    /* of the banner */
    char detail[64];   /* its second line */
    float multiplier;  /* how much the multiplier swells, 0 to 1 */
    float boss_health; /* as shown, 0 to 1 */
    float nova_count;  /* how far the NOVA's number has come, 0 to 1; 0 shows none */
};

/* Keeps the shown numbers running after the real ones, while its screen lives. */
struct hud {
    flow_frame base;
    struct game *game;
};
FLOW_DECLARE(hud);

/* Lets the multiplier swell when it rises. */
struct hud_multiplier {
    flow_frame base;
    struct game *game;
    uint64_t seen;
    int before;
    int value;
};
FLOW_DECLARE(hud_multiplier);

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
