/* SPDX-License-Identifier: MIT */
/* Failing, trying, deferring and starting with options, under if and else without braces, in loops,
 * unused results. */
/* output:
0 ends with 0
1 ends with 7 one
2 ends with 8 two
body
deferred
tick 1
beside
tick 2
end
 */
#include <stdio.h>

#include "flow/flow.h"

enum { TICKS = 2 };

static void say(void *text)
{
    puts(text);
}

struct may_fail {
    flow_frame base;
    int how;
};
FLOW_STATIC(may_fail)
{
    FLOW_BEGIN;
    if (self->how == 1)
        FLOW_FAIL(7, "one");
    else if (self->how == 2)
        FLOW_AWAIT(flow_failed(8, "two"));
    else
        FLOW_RETURN;
    puts("not here");
    FLOW_END;
}

struct defers {
    flow_frame base;
    char text[16];
};
FLOW_STATIC(defers)
{
    FLOW_BEGIN;
    if (self->text[0] != '\0')
        FLOW_DEFER(say, self->text);
    else
        FLOW_FAIL(9, "nothing to say");
    puts("body");
    FLOW_END;
}

struct beside {
    flow_frame base;
};
FLOW_STATIC(beside)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next_tick());
    puts("beside");
    FLOW_END;
}

struct story {
    flow_frame base;
    flow_outcome outcome;
    int i;
};

FLOW_STATIC(story)
{
    FLOW_BEGIN;
    for (self->i = 0; self->i < 3; self->i++) {
        FLOW_TRY(&self->outcome, FLOW_CALL(may_fail, .how = self->i));
        printf("%d ends with %d%s%s\n", self->i, self->outcome.code, self->i ? " " : "",
               self->outcome.message ? self->outcome.message : "");
    }
    FLOW_AWAIT(FLOW_CALL(defers, .text = "deferred"));
    if (self->i == 3)
        FLOW_SPAWN_WITH(&(flow_options){.clock = FLOW_CLOCK_REAL}, beside);
    else
        FLOW_SPAWN(beside);
    FLOW_AWAIT(flow_ticks(2));
    puts("end");
    FLOW_END;
}

int main(void)
{
    flow_world *world = flow_world_create(NULL);
    if (world == NULL) {
        return 1;
    }
    FLOW_RUN(world, story);
    for (int tick = 1; tick <= TICKS; tick++) {
        printf("tick %d\n", tick);
        (void)flow_world_begin_frame(world, 0.1);
        if (flow_world_tick(world, FLOW_UPDATE, 0.1) != FLOW_OK) {
            return 1;
        }
    }
    return flow_world_destroy(world) == FLOW_OK ? 0 : 1;
}
