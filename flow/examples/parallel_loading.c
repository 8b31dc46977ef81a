/* SPDX-License-Identifier: MIT */
/* Loading in parallel, with a bar and a key that cancels. All three must arrive; on cancel each
 * loader puts away what it has, and the level begins only when everything is there. */
#include "flow/flow.h"
#include "flow/test.h"
#include <stdio.h>

static FLOW_SIGNAL(flow_nothing) cancel_key;

struct load {
    flow_frame base;
    const char *name;
    double seconds;
    int *loaded, done;
};

FLOW_STATIC(load)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_seconds(self->seconds)); /* a read on another thread, say */
    self->done = 1;
    printf("%.1f s: %s, %d of 3\n", flow_now(flow), self->name, ++*self->loaded);
    FLOW_FINALLY;
    if (!self->done)
        printf("%.1f s: %s is put away\n", flow_now(flow), self->name);
    FLOW_END;
}

struct load_level {
    flow_frame base;
    int winner, loaded;
};

FLOW_STATIC(load_level)
{
    FLOW_BEGIN;
    FLOW_RACE(self->winner, flow_next(&cancel_key, NULL),
              flow_all(FLOW_CALL(load, .name = "map", .seconds = 1.0, .loaded = &self->loaded),
                       FLOW_CALL(load, .name = "music", .seconds = 0.5, .loaded = &self->loaded),
                       FLOW_CALL(load, .name = "art", .seconds = 2.0, .loaded = &self->loaded)));
    printf("%.1f s: %s\n", flow_now(flow), self->winner == 0 ? "back to the menu" : "go!");
    FLOW_END;
}

int main(void)
{
    flow_test test;
    flow_test_begin(&test, NULL);
    flow_signal_init(&cancel_key, test.world);
    flow_handle level = FLOW_RUN(test.world, load_level);
    flow_test_tick_for(test.world, 0.7, 0.1);
    flow_emit(&cancel_key, NULL);
    flow_test_run_until_done(test.world, level, 1.0);
    level = FLOW_RUN(test.world, load_level);
    flow_test_tick_for(test.world, 2.1, 0.1);
    return !flow_test_end(&test);
}

/* output:
0.5 s: music, 1 of 3
0.7 s: art is put away
0.7 s: map is put away
0.7 s: back to the menu
1.2 s: music, 1 of 3
1.7 s: map, 2 of 3
2.7 s: art, 3 of 3
2.7 s: go!
*/
