/* SPDX-License-Identifier: MIT */
/*
 * Ages. A wait has no room for when it began, but waits are numbered: so a wait is as old as the
 * newest frame that began before it did. Rings of frames, each sixteen times coarser than the one
 * before, reach back for hours.
 *
 * Numbers wrap after 2^32 waits; one that is older than that looks younger.
 */
#include "private.h"

enum { COARSER = 4 /* bits */ };

void flow__age_frame(flow_world *world)
{
    world->seq_total += (uint32_t)(world->seq - (uint32_t)world->seq_total);
    flow_age_mark mark = {world->seq_total, world->clocks[FLOW_CLOCK_REAL]->time[FLOW_UPDATE].now};
    for (uint32_t level = 0; level < FLOW_AGE_LEVELS; level++) {
        uint64_t place = world->frame >> (COARSER * level);
        if (place << (COARSER * level) != world->frame) {
            return;
        }
        world->ages[level][place % FLOW_AGE_RING] = mark;
    }
}

/* How many marks of a level, going back from the newest one, are younger than the wait that began
 * `since` waits ago. */
static uint32_t marks_since(const flow_world *world, uint32_t level, uint32_t known, uint64_t total,
                            uint32_t since)
{
    uint64_t newest = world->frame >> (COARSER * level);
    uint32_t low = 0, high = known;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        uint64_t began = world->ages[level][(newest - middle) % FLOW_AGE_RING].seq;
        if (since < total - began) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

flow_age flow__age_of(const flow_world *world, uint32_t seq)
{
    uint64_t total = world->seq_total + (uint32_t)(world->seq - (uint32_t)world->seq_total);
    uint32_t since = world->seq - seq;
    int64_t now = world->ages[0][world->frame % FLOW_AGE_RING].real;
    flow_age age = {0, 0.0, true};
    for (uint32_t level = 0; level < FLOW_AGE_LEVELS; level++) {
        uint64_t newest = world->frame >> (COARSER * level);
        uint32_t known = newest < FLOW_AGE_RING ? (uint32_t)newest + 1 : FLOW_AGE_RING;
        uint32_t back = marks_since(world, level, known, total, since);
        age.exact = level == 0 && back < known;
        uint32_t mark = age.exact ? back : back - (back != 0); /* the oldest that is younger */
        uint64_t frame = (newest - mark) << (COARSER * level);
        if (back != 0 && world->frame - frame >= age.frames) {
            age.frames = world->frame - frame;
            age.seconds =
                (double)(now - world->ages[level][(newest - mark) % FLOW_AGE_RING].real) * 1e-9;
        }
        if (back < known) {
            return age;
        }
    }
    return age;
}
