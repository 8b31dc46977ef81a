/* SPDX-License-Identifier: MIT */
/*
 * The allocation sweep: with EMBERLINE_FAIL_ALLOCATION=n every story's nth allocation after its
 * world was made fails, and all after it. A story is not what it tells then, so its first assertion
 * that fails ends it: its world is destroyed there, and must leave no byte behind. The program
 * exits with SWEEP_LEAK where one does; which tests fail says nothing. tests/support/sweep.sh runs
 * programs so, with each n in turn.
 */
#ifndef TESTS_SWEEP_H
#define TESTS_SWEEP_H

#include "story.h"

enum { SWEEP_LEAK = 98 };

/* A story's world was made; abandon ends it in the middle, and returns 0 where that cannot be.
 * (Given by the story, so that tests without flow link without it.) The story has ended well. */
void sweep_begins(struct story *story, int (*abandon)(struct story *story));
void sweep_ends(const struct story *story);

#endif
