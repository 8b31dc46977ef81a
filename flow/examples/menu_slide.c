/* SPDX-License-Identifier: MIT */
/* A menu that slides in, in as many ways as there are easings: where each is after a quarter, a
 * half and three quarters of its second. */
#include "flow/flow.h"
#include "flow/test.h"
#include <stdio.h>

struct slide {
    const char *name;
    flow_easing ease;
    double at;
};

static void move(void *arg, double t)
{
    ((struct slide *)arg)->at = t;
}

int main(void)
{
    struct slide slides[] = {
        {"in_quad", flow_ease_in_quad, 0},         {"out_quad", flow_ease_out_quad, 0},
        {"in_out_quad", flow_ease_in_out_quad, 0}, {"in_cubic", flow_ease_in_cubic, 0},
        {"out_cubic", flow_ease_out_cubic, 0},     {"in_out_cubic", flow_ease_in_out_cubic, 0},
        {"smooth", flow_ease_smooth, 0},           {"in_back", flow_ease_in_back, 0},
        {"out_back", flow_ease_out_back, 0},       {"out_bounce", flow_ease_out_bounce, 0}};
    flow_test test;
    flow_test_begin(&test, NULL);
    for (size_t i = 0; i < sizeof slides / sizeof slides[0]; i++) {
        FLOW_RUN(test.world, flow_tween, .seconds = 1, .ease = slides[i].ease, .apply = move,
                 .arg = &slides[i]);
        printf("%-12s", slides[i].name);
        for (int quarter = 1; quarter <= 4; quarter++) {
            flow_test_tick_for(test.world, 0.25, 0.125);
            printf(" %6.3f", slides[i].at);
        }
        printf("\n");
    }
    return !flow_test_end(&test);
}

/* output:
in_quad       0.062  0.250  0.562  1.000
out_quad      0.438  0.750  0.938  1.000
in_out_quad   0.125  0.500  0.875  1.000
in_cubic      0.016  0.125  0.422  1.000
out_cubic     0.578  0.875  0.984  1.000
in_out_cubic  0.062  0.500  0.938  1.000
smooth        0.156  0.500  0.844  1.000
in_back      -0.064 -0.088  0.183  1.000
out_back      0.817  1.088  1.064  1.000
out_bounce    0.473  0.766  0.973  1.000
*/
