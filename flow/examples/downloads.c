/* SPDX-License-Identifier: MIT */
/* A shop's page: leaving it ends its downloads, one switch for all but those that it keeps. */
#include "flow/flow.h"
#include "flow/test.h"
#include <stdio.h>

static flow_cancel_source page, shop;
struct download {
    flow_frame base;
    const char *what;
};

FLOW_STATIC(download)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_seconds(1));
    FLOW_FINALLY;
    printf("%.1f s: %s: %s\n", flow_now(flow), self->what, flow_cause_text(flow_cause_of(flow)));
    FLOW_END;
}

struct show {
    flow_frame base;
    int goes_on, done;
};

FLOW_STATIC(show)
{
    FLOW_BEGIN;
    if (self->goes_on)
        FLOW_AWAIT(flow_unless_keep(&page, &self->done, FLOW_CALL(download, .what = "receipt")));
    else
        FLOW_AWAIT(flow_unless(&page, &self->done, FLOW_CALL(download, .what = "picture")));
    if (!flow_cancel_source_is_cancelled(&page))
        FLOW_AWAIT(flow_cancelled(&page));
    printf("%.1f s: done: %d\n", flow_now(flow), self->done);
    FLOW_AWAIT(flow_seconds(1));
    FLOW_END;
}

int main(void)
{
    flow_test test;
    flow_test_begin(&test, NULL);
    flow_cancel_source_init(&page, test.world);
    flow_cancel_source_init(&shop, test.world);
    (void)!flow_cancel_link_source(&shop, &page); /* the shop's end is the page's */
    (void)!flow_cancel_link(&page, FLOW_RUN(test.world, download, .what = "film"));
    FLOW_RUN(test.world, show, .goes_on = 0);
    FLOW_RUN(test.world, show, .goes_on = 1);
    (void)!flow_cancel_source_cancel_after(&shop, FLOW_CLOCK_GAME, 0.5);
    flow_test_tick_for(test.world, 2.0, 0.1);
    flow_cancel_source_reset(&page); /* opened again, and left */
    FLOW_RUN(test.world, show, .goes_on = 0);
    flow_cancel_source_cancel(&page);
    flow_test_tick_for(test.world, 2.0, 0.1);
    flow_cancel_source_fini(&page);
    return !flow_test_end(&test);
}

/* output:
0.5 s: film: cancelled
0.5 s: picture: race lost
0.5 s: done: 0
0.5 s: done: 0
1.0 s: receipt: none
2.1 s: picture: race lost
2.1 s: done: 0
*/
