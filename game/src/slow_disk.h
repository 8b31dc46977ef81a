/* SPDX-License-Identifier: MIT */
/*
 * A disk that takes its time, for runs that shall be the same everywhere: an executor that does one
 * piece of work after another, each so long after the one before, in the time of the frames. With
 * no time at all it does each where it is given.
 */
#ifndef EMBERLINE_SLOW_DISK_H
#define EMBERLINE_SLOW_DISK_H

#include "flow/flow.h"

struct slow_disk {
    flow_executor executor;
    double seconds; /* that each piece takes */
    double spent;   /* on the first that waits */
    flow_work *first;
    flow_work *last;
};

/* Makes one; it stays where it is. */
void slow_disk_init(struct slow_disk *disk, double seconds);

/* Another frame has passed. Before the world's frame begins. */
void slow_disk_advance(struct slow_disk *disk, double dt);

#endif
