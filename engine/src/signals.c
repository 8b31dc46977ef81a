/* SPDX-License-Identifier: MIT */
/*
 * SIGINT and SIGTERM as a request to quit.
 *
 * SDL's own handler is not used: it turns every signal into an event, so that a program that hangs
 * can no longer be interrupted. Here the first signal asks, and the second acts as usual. Signals
 * belong to the process, so this is the one piece of state that is not in an engine.
 */
#include <signal.h>

#include "internal.h"

static volatile sig_atomic_t taken;
static void (*old_interrupt)(int) = SIG_DFL;
static void (*old_terminate)(int) = SIG_DFL;

static void take(int number)
{
    taken = 1;
    (void)signal(number, SIG_DFL);
}

void engine__signals_install(void)
{
    taken = 0;
    old_interrupt = signal(SIGINT, take);
    old_terminate = signal(SIGTERM, take);
}

void engine__signals_restore(void)
{
    (void)signal(SIGINT, old_interrupt == SIG_ERR ? SIG_DFL : old_interrupt);
    (void)signal(SIGTERM, old_terminate == SIG_ERR ? SIG_DFL : old_terminate);
}

bool engine__signals_taken(void)
{
    return taken != 0;
}
