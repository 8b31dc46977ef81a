/* SPDX-License-Identifier: MIT */
/* A pet that lives no longer than its owner, and learns of what nobody tells by looking. */
#include "flow/flow.h"
#include "flow/test.h"
#include <stdio.h>

struct person {
    flow_owner owner;
    int gold; /* a plain variable, which tells nobody */
};

struct pet {
    flow_frame base;
    struct person *person;
    int gold;
};

FLOW_STATIC(pet)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(FLOW_VALUE_CHANGED(&self->person->gold, &self->gold));
        printf("%.1f s: the pet smells %d gold\n", flow_now(flow), self->gold);
    }
    FLOW_FINALLY;
    FLOW_AWAIT(flow_seconds(0.3));
    printf("%.1f s: it curls up (%s)\n", flow_now(flow), flow_cause_text(flow_cause_of(flow)));
    FLOW_END;
}

struct mourner {
    flow_frame base;
    struct person *person;
};

FLOW_STATIC(mourner)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_owner_gone(&self->person->owner));
    printf("%.1f s: a bell tolls\n", flow_now(flow));
    FLOW_END;
}

int main(void)
{
    struct person ada = {.gold = 1};
    flow_test test;
    flow_test_begin(&test, NULL);
    flow_owner_init(test.world, &ada.owner, "Ada");
    flow_options owned = {.owner = flow_owner_handle(&ada.owner)};
    FLOW_RUN_WITH(test.world, &owned, pet, .person = &ada);
    FLOW_RUN(test.world, mourner, .person = &ada);
    for (ada.gold = 2; ada.gold < 4; ada.gold++)
        flow_test_tick_for(test.world, 0.2, 0.1);
    flow_owner_fini(&ada.owner);
    while (!flow_owner_is_over(&ada.owner)) /* her things are still needed */
        flow_test_tick_for(test.world, 0.1, 0.1);
    return !flow_test_end(&test);
}

/* output:
0.0 s: the pet smells 1 gold
0.1 s: the pet smells 2 gold
0.3 s: the pet smells 3 gold
0.5 s: a bell tolls
0.7 s: it curls up (owner ended)
*/
