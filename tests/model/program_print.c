/* SPDX-License-Identifier: MIT */
/* Programs in words. */
#include "model.h"

#include <stdio.h>

/* $Wa prints the member a as whom it names; B: a block, K: a clock, P: a phase, O: options, #: a
 * number. */
static const char *const op_texts[] = {"",
                                       "await",
                                       "try",
                                       "shield",
                                       "fail with $#a",
                                       "return",
                                       "spawn $Bb as $Wa",
                                       "call oneself $Wa",
                                       "defer",
                                       "pause clock $#a for the scope",
                                       "make a scope's clock $#a under clock $Kb",
                                       "subscribe $#a to signal $#b, policy and capacity $#c",
                                       "is one asked to stop?",
                                       "start $Bb as $Wa, owned by $Wc$Od",
                                       "make $Wa a group, owned by $Wc, fails fast: $#d",
                                       "cancel $Wa",
                                       "clear $Wa",
                                       "ask $Wa to stop",
                                       "state of $Wa",
                                       "emit $#b through signal $#a",
                                       "close signal $#a",
                                       "fail signal $#a with $#b",
                                       "renew signal $#a",
                                       "pause clock $#a",
                                       "release clock $#a",
                                       "scale clock $#a by the scale $#b",
                                       "make clock $#a under clock $#b",
                                       "end clock $#a",
                                       "end owner $#a",
                                       "begin owner $#a",
                                       "take from subscription $#a",
                                       "count subscription $#a",
                                       "end subscription $#a",
                                       "frame of $#b ms",
                                       "tick of $Pa, $#b ms",
                                       "flush of $Pa"};
static const char *const wait_texts[] = {"ready",
                                         "failed $#a",
                                         "never",
                                         "next tick",
                                         "ticks $#a",
                                         "next frame",
                                         "frames $#a",
                                         "$#a ms on clock $Kb",
                                         "until asked $#b times",
                                         "signal $#a",
                                         "signal $#a or closed",
                                         "signal $#a if divided by $#b",
                                         "subscription $#a",
                                         "join $Wa",
                                         "phase $Pa",
                                         "owner $#a gone",
                                         "call $Ba",
                                         "race",
                                         "all",
                                         "all settled",
                                         "any",
                                         "timeout of $#a ms on clock $Kb"};

static unsigned named_blocks; /* bits: what is left of the others does not matter */

static void print_whom(int whom)
{
    if (whom == NOBODY) {
        printf("nobody");
    } else if (whom < FLOW_SLOTS) {
        printf("flow %d", whom);
    } else if (whom < FLOW_SLOTS + GROUP_SLOTS) {
        printf("group %d", whom - FLOW_SLOTS);
    } else {
        printf("owner %d", whom - FLOW_SLOTS - GROUP_SLOTS);
    }
}

static void print_options(int options)
{
    if (options % 8 != 0) {
        printf(", in phase %d", options % 8);
    }
    if (options / 8 != 0) {
        printf(", on clock %d", options / 8 - 1);
    }
}

static void print_value(char how, int value)
{
    switch (how) {
    case 'W':
        print_whom(value);
        break;
    case 'O':
        print_options(value);
        break;
    case 'B':
        named_blocks |= 1u << value;
        printf("block %d", value);
        break;
    case 'K':
        if (value == CLOCKS) {
            printf("of its own");
            break;
        }
        printf("%d", value);
        break;
    case 'P':
        printf("phase %d", value);
        break;
    default:
        printf("%d", value);
        break;
    }
}

static void print_text(const char *text, const int *values)
{
    for (; *text != '\0'; text++) {
        if (*text != '$') {
            putchar(*text);
            continue;
        }
        print_value(text[1], values[text[2] - 'a']);
        text += 2;
    }
}

static void print_list(const struct program *p, struct list list, int indent);

static void print_wait(const struct program *p, const struct wait *wait, int indent)
{
    print_text(wait_texts[wait->kind], (const int[]){wait->a, wait->b});
    for (int i = 0; i < wait->branches; i++) {
        printf(i == 0 ? " (" : ", ");
        print_wait(p, &p->wait[wait->branch[i]], indent);
    }
    printf(wait->branches > 0 ? ")" : wait->kind >= W_RACE ? " ()" : "");
    if (wait->acts.count != 0) {
        printf(", and when asked:\n");
        print_list(p, wait->acts, indent + 4);
        printf("%*s", indent, "");
    }
}

static void print_list(const struct program *p, struct list list, int indent)
{
    for (int i = 0; i < list.count; i++) {
        const struct ins *ins = &p->ins[list.first + i];
        if (ins->op == OP_NONE) {
            continue;
        }
        printf("%*s%d: ", indent, "", i);
        print_text(op_texts[ins->op], (const int[]){ins->a, ins->b, ins->c, ins->d});
        if (ins->op >= OP_AWAIT && ins->op <= OP_SHIELD) {
            printf(" ");
            print_wait(p, &p->wait[ins->wait], indent);
        }
        printf("\n");
        print_list(p, ins->acts, indent + 4);
    }
}

void program_print(const struct program *p)
{
    named_blocks = 0;
    printf("the program of seed %llu, as far as it matters\nhost:\n", (unsigned long long)p->seed);
    print_list(p, p->host, 4);
    printf("on each failure that is reported:\n");
    print_list(p, p->report, 4);
    for (int i = 0; i < BLOCKS; i++) { /* what a block names has a greater number */
        if (!(named_blocks & (1u << i))) {
            continue;
        }
        printf("block %d:\n", i);
        print_list(p, p->block[i].body, 4);
        if (p->block[i].has_finally) {
            printf("  finally:\n");
            print_list(p, p->block[i].last, 4);
        }
    }
}
