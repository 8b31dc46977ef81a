/* SPDX-License-Identifier: MIT */
/*
 * What a wave is made of.
 */
#ifndef EMBERLINE_WAVES_H
#define EMBERLINE_WAVES_H

#include "arena.h"

enum { WAVE_GROUPS = 6, BOSS_WAVE = 4 };

/* Some enemies of a kind, one after another. */
struct wave_group {
    enum enemy_kind kind;
    int count;
    double delay;    /* seconds before the first */
    double interval; /* seconds between two */
};

struct wave_plan {
    const char *words;
    struct wave_group groups[WAVE_GROUPS];
};

#endif
