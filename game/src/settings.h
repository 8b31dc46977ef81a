/* SPDX-License-Identifier: MIT */
/*
 * The settings: a panel of sliders over the title or the pause.
 */
#ifndef EMBERLINE_SETTINGS_H
#define EMBERLINE_SETTINGS_H

#include "flow/flow.h"
#include "options.h"

struct game;

/* Shows the panel until it is left; what was set is saved however it ends. */
struct settings_panel {
    flow_frame base;
    struct game *game;
    enum screen before;
    int winner;
};
FLOW_DECLARE(settings_panel);

/* Lets what is set take effect. */
void settings_apply(struct game *game);

/* Writes the settings; what goes wrong is printed. */
void settings_save(struct game *game);

/* In RENDER. */
void settings_draw(struct game *game);

#endif
