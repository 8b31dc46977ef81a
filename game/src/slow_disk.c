/* SPDX-License-Identifier: MIT */
/*
 * Work waits in a list. A world that goes away while some does has the executor sleep; what waits
 * is dropped then.
 */
#include "slow_disk.h"

static flow_work *take_first(struct slow_disk *disk)
{
    flow_work *work = disk->first;
    disk->first = work->next;
    return work;
}

static int submit(void *user, flow_work *work)
{
    struct slow_disk *disk = user;
    if (disk->seconds <= 0.0) {
        work->run(work, 0);
        return 0;
    }
    work->next = NULL;
    if (disk->first == NULL) {
        disk->first = work;
        disk->spent = 0.0;
    } else {
        disk->last->next = work;
    }
    disk->last = work;
    return 0;
}

static void drop_all(void *user, double seconds)
{
    struct slow_disk *disk = user;
    (void)seconds;
    while (disk->first != NULL) {
        flow_work *work = take_first(disk);
        work->run(work, 1);
    }
}

void slow_disk_init(struct slow_disk *disk, double seconds)
{
    *disk = (struct slow_disk){.seconds = seconds};
    disk->executor = (flow_executor){.submit = submit, .sleep = drop_all, .user = disk};
}

void slow_disk_advance(struct slow_disk *disk, double dt)
{
    disk->spent += dt;
    while (disk->first != NULL && disk->spent >= disk->seconds) {
        flow_work *work = take_first(disk);
        disk->spent -= disk->seconds;
        work->run(work, 0);
    }
}
