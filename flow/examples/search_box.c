/* SPDX-License-Identifier: MIT */
/* A search box: who types is left alone; when he rests, and the text is another one, the server is
 * asked, one question at a time. */
#include "flow/flow.h"
#include "flow/test.h"
#include <stdio.h>

static FLOW_PROPERTY(int) typed; /* the text, as a number here */

struct ask {
    flow_frame base;
    FLOW_MAPS(int, int) maps;
};

FLOW_STATIC(ask)
{
    FLOW_BEGIN;
    printf("%.1f s: searches %d\n", flow_now(flow), *self->maps.value);
    FLOW_AWAIT(flow_seconds(0.4)); /* the server */
    *self->maps.out = *self->maps.value * 100;
    FLOW_END;
}

struct search {
    flow_frame base;
    FLOW_STREAM(int) text;
    int answer;
};

FLOW_STATIC(search)
{
    FLOW_BEGIN;
    flow_stream_property(flow, &self->text, &typed);
    flow_stream_debounce(flow, &self->text, &self->text, 0.3);
    flow_stream_distinct_until_changed(flow, &self->text, &self->text);
    flow_stream_map_await(flow, &self->text, &self->text, ask, NULL);
    FLOW_FOREACH(&self->text, &self->answer)
        printf("%.1f s: found %d\n", flow_now(flow), self->answer);
    FLOW_END;
}

int main(void)
{
    flow_test test;
    flow_test_begin(&test, NULL);
    flow_property_init(&typed, test.world, NULL);
    flow_handle search = FLOW_RUN(test.world, search);
    for (int text = 11; text < 15; text++) {
        (void)!flow_property_set_any_thread(&typed, &text); /* by the thread that reads keys */
        flow_test_tick_for(test.world, text == 12 ? 1.5 : 0.2, 0.1);
    }
    flow_test_tick_for(test.world, 2.0, 0.1);
    printf("       typed %d times\n", (int)flow_property_version(&typed) - 1);
    flow_cancel(test.world, search);
    return !flow_test_end(&test);
}

/* output:
0.6 s: searches 12
1.0 s: found 1200
2.3 s: searches 14
2.7 s: found 1400
       typed 4 times
*/
