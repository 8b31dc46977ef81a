/* SPDX-License-Identifier: MIT */
/*
 * Menus: a column of words, one of which is chosen.
 */
#ifndef EMBERLINE_MENU_H
#define EMBERLINE_MENU_H

#include "flow/flow.h"

struct game;

/* What a menu looks like; static. */
struct menu_desc {
    const char *const *words;
    int count;
    float top;  /* of the first word, pixels */
    float step; /* from one word to the next */
};

enum { MENU_BACK = -1 };

/* Ends when a word is picked, by key, pad or mouse: *picked is its number, or MENU_BACK. */
struct menu {
    flow_frame base;
    struct game *game;
    const struct menu_desc *desc;
    int *at;     /* the word the cursor is on */
    int *picked; /* may be null */
    int winner;
};
FLOW_DECLARE(menu);

/* In RENDER. */
void menu_draw(struct game *game, const struct menu_desc *desc, int at, float alpha);

#endif
