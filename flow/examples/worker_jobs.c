/* SPDX-License-Identifier: MIT */
/* Files that are loaded on the workers of an executor, with a bar. This one does the work where it
 * is given; a real one hands it to threads (flow/sdl). */
#include "flow/flow.h"
#include "flow/test.h"
#include <stdio.h>

static int submit(void *user, flow_work *work)
{
    (void)user;
    work->run(work, 0);
    return 0;
}

static flow_executor pool = {.submit = submit, .parallelism = 2};
typedef FLOW_PROPERTY(double) bar;
static bar shown, shown_large; /* a large file has a bar of its own */

static int load(flow_job *job, void *data)
{
    int *bytes = data;
    if (*bytes > 1000)
        flow_job_progress_to(job, &shown_large.property);
    for (int i = 1; i <= 4; i++)
        flow_job_progress(job, i / 4.0);
    printf("       %d bytes for %s\n", *bytes, (char *)flow_world_user(flow_job_world(job)));
    return *bytes == 0 ? flow_job_fail(job, 7, "the file is empty") : 0;
}

struct level {
    flow_frame base;
    int bytes;
    double part, large;
};

FLOW_STATIC(level)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_run_with(
        &pool, FLOW_JOB(.run = load, .name = "load", .progress = &shown.property), &self->bytes));
    flow_property_get(&shown, &self->part);
    flow_property_get(&shown_large, &self->large);
    printf("       bars at %.0f and %.0f %%\n", 100 * self->part, 100 * self->large);
    FLOW_END;
}

int main(void)
{
    flow_test test;
    flow_test_begin(&test, &(flow_test_desc){.world = &(flow_world_desc){.user = "the level"}});
    flow_property_init(&shown, test.world, NULL);
    flow_property_init(&shown_large, test.world, NULL);
    for (int bytes = 0; bytes <= 2000; bytes += 1000)
        FLOW_RUN(test.world, level, .bytes = bytes);
    flow_test_tick_for(test.world, 0.1, 0.1);
    printf("failure %d\n", flow_test_accept_failure(&test, 7)->id);
    return !flow_test_end(&test);
}

/* output:
       0 bytes for the level
       1000 bytes for the level
       2000 bytes for the level
       bars at 100 and 100 %
       bars at 100 and 100 %
failure 7
*/
