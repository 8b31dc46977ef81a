/* SPDX-License-Identifier: MIT */
/*
 * Random programs on flow and on the naive reference: equal traces. See model.h.
 *
 *     test_model [SEED [COUNT]]
 *
 * On a difference it prints the seed, the program with everything left out that does not matter,
 * and both traces around the first difference.
 */
#define _POSIX_C_SOURCE 200809L
#include "model.h"

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ENOUGH = 2000 }; /* programs to do everything that there is */

static struct side on_flow, on_naive;
static long events, skipped, crashes;
static sigjmp_buf before_crash;
static volatile sig_atomic_t on_flow_now; /* not in the reference, which has to be right */

static int first_difference(void)
{
    const struct trace *a = &on_flow.trace, *b = &on_naive.trace;
    int i = 0;
    while (i < a->count && i < b->count &&
           memcmp(&a->event[i], &b->event[i], sizeof *a->event) == 0) {
        i++;
    }
    return i == a->count && i == b->count ? -1 : i;
}

/* Where the traces differ, or -1; also where the program leaves what the model covers. */
static int differs(const struct program *program)
{
    naive_play(&on_naive, program);
    if (on_naive.outside) {
        skipped++;
        return -1;
    }
    if (sigsetjmp(before_crash, 1) != 0) {
        crashes++;
        return on_flow.trace.count - 1;
    }
    on_flow_now = 1;
    flow_play(&on_flow, program);
    on_flow_now = 0;
    events += on_flow.trace.count;
    return first_difference();
}

/* A program that makes flow crash differs, too, and is shrunk like others. What it held is lost. */
static void crashed(int signal)
{
    if (!on_flow_now) {
        static const char text[] = "the reference crashes\n";
        (void)!write(STDERR_FILENO, text, sizeof text - 1);
        _exit(2);
    }
    on_flow_now = 0;
    (void)signal;
    siglongjmp(before_crash, 1);
}

static bool still_differs_without(struct program *program, int first, int count)
{
    static struct ins kept[INSTRUCTIONS];
    memcpy(kept, program->ins, sizeof kept);
    bool any = false;
    for (int i = first; i < first + count && i < program->ins_count; i++) {
        any = any || program->ins[i].op != OP_NONE;
        program->ins[i].op = OP_NONE;
    }
    if (any && differs(program) >= 0) {
        return true;
    }
    memcpy(program->ins, kept, sizeof kept);
    return false;
}

/* A composition becomes one of its branches, or what it asks and does becomes nothing. */
static bool wait_simpler(struct program *program, int at)
{
    struct wait kept = program->wait[at];
    for (int i = 0; i < kept.branches; i++) {
        program->wait[at] = program->wait[kept.branch[i]];
        if (differs(program) >= 0) {
            return true;
        }
        program->wait[at] = kept;
        for (int k = i + 1; k < kept.branches; k++) { /* one branch less */
            program->wait[at].branch[k - 1] = kept.branch[k];
        }
        program->wait[at].branches--;
        if (kept.kind != W_TIMEOUT && kept.kind != W_ON_CLOCK && differs(program) >= 0) {
            return true;
        }
        program->wait[at] = kept;
    }
    return false;
}

static void shrink(struct program *program)
{
    bool better = true;
    while (better) {
        better = false;
        for (int size = 64; size > 0; size /= 2) {
            for (int i = 0; i < program->ins_count; i += size) {
                better = still_differs_without(program, i, size) || better;
            }
        }
        for (int i = 1; i < program->wait_count; i++) {
            better = wait_simpler(program, i) || better;
        }
    }
}

static void print_around(const char *name, const struct trace *trace, int at)
{
    printf("---- %s\n", name);
    for (int i = at > 25 ? at - 25 : 0; i < at + 6 && i < trace->count; i++) {
        printf("%c ", i == at ? '>' : ' ');
        event_print(&trace->event[i]);
    }
}

static int examine(uint64_t seed)
{
    static struct program program;
    program_make(&program, seed);
    if (differs(&program) < 0) {
        return 0;
    }
    shrink(&program);
    int at = differs(&program);
    program_print(&program);
    print_around("flow", &on_flow.trace, at);
    print_around("reference", &on_naive.trace, at);
    printf("seed %llu %s\n", (unsigned long long)seed, crashes > 0 ? "crashes" : "differs");
    return 1;
}

/* What the programs did: none may be left out by mistake. */
static int print_counts(void)
{
    static const char *const names[] = {
#define OP_NAME(name, text) #name,
        OPS(OP_NAME)
#undef OP_NAME
#define WAIT_NAME(name, text) "wait " #name,
            WAIT_KINDS(WAIT_NAME)
#undef WAIT_NAME
    };
    int never = 0;
    for (int i = OP_NONE + 1; i < OP_LAST; i++) {
        never += on_flow.ops[i] == 0;
        printf("%s %ld%s", names[i], on_flow.ops[i], i % 8 == 0 ? "\n" : ", ");
    }
    for (int i = 0; i < W_LAST; i++) { /* how often it began, and ended well */
        bool ends = i != W_NEVER && i != W_FAILED;
        never += on_flow.waits[i] == 0 || (ends && on_flow.gave[i] == 0);
        printf("%s%s %ld/%ld", i % 8 == 0 ? "\n" : ", ", names[OP_LAST + i], on_flow.waits[i],
               on_flow.gave[i]);
    }
    printf("\n%d of them never\n", never);
    return never;
}

int main(int argc, char **argv)
{
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    long count = argc > 2 ? strtol(argv[2], NULL, 0) : argc > 1 ? 1 : 2000;
    int wrong = 0;
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    struct sigaction action = {.sa_handler = crashed, .sa_flags = SA_NODEFER};
    (void)sigaction(SIGSEGV, &action, NULL);
    (void)sigaction(SIGABRT, &action, NULL);
    printf("seeds %llu to %llu (test_model SEED replays one)\n", (unsigned long long)seed,
           (unsigned long long)(seed + (uint64_t)count - 1));
    for (long i = 0; i < count && wrong < 1; i++) {
        wrong += examine(seed + (uint64_t)i);
    }
    int never = print_counts();
    printf("%ld events, %ld programs left out\n", events, skipped);
    return wrong != 0 || (count >= ENOUGH && never != 0);
}
