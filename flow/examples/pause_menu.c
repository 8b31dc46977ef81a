/* SPDX-License-Identifier: MIT */
/* A pause menu that saves. The game's clock stands still while it is open; whatever closes it, the
 * settings are written first, which takes time, and only then does the game go on. */
#include "flow/flow.h"
#include "flow/test.h"
#include <stdio.h>

static FLOW_SIGNAL(flow_nothing) pause_key;

struct pause_menu {
    flow_frame base;
};

FLOW_STATIC(pause_menu)
{
    FLOW_BEGIN;
    flow_clock_pause(flow_world_of(flow), FLOW_CLOCK_GAME);
    printf("%.1f s: the menu opens\n", flow_now(flow));
    FLOW_AWAIT(flow_next(&pause_key, NULL));
    FLOW_FINALLY;
    printf("%.1f s: saving\n", flow_now(flow));
    FLOW_AWAIT(flow_seconds(0.5)); /* runs to its end, even if the menu is cancelled */
    printf("%.1f s: saved\n", flow_now(flow));
    flow_clock_release(flow_world_of(flow), FLOW_CLOCK_GAME);
    FLOW_END;
}

struct enemy {
    flow_frame base;
};

FLOW_STATIC(enemy)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(flow_seconds(1.0));
        printf("       the enemy shoots at %.1f s of the game\n", flow_now(flow));
    }
    FLOW_END;
}

int main(void)
{
    flow_test test;
    flow_test_begin(&test, NULL);
    flow_signal_init(&pause_key, test.world);
    flow_handle shooting = FLOW_RUN(test.world, enemy);     /* on the game's clock, as by default */
    flow_options unscaled = {.clock = FLOW_CLOCK_UNSCALED}; /* which the pause does not stop */
    FLOW_RUN_WITH(test.world, &unscaled, pause_menu);
    flow_test_tick_for(test.world, 1.2, 0.1);
    flow_emit(&pause_key, NULL);
    flow_test_tick_for(test.world, 1.2, 0.1);
    flow_handle menu = FLOW_RUN_WITH(test.world, &unscaled, pause_menu);
    flow_test_tick_for(test.world, 0.3, 0.1);
    flow_cancel(test.world, menu); /* the player quits to the title */
    flow_test_tick_for(test.world, 2.0, 0.1);
    flow_cancel(test.world, shooting);
    return !flow_test_end(&test);
}

/* output:
0.0 s: the menu opens
1.3 s: saving
1.8 s: saved
2.4 s: the menu opens
2.7 s: saving
3.2 s: saved
       the enemy shoots at 1.0 s of the game
       the enemy shoots at 2.0 s of the game
*/
