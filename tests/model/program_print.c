/* SPDX-License-Identifier: MIT */
/* Programs in words. */
#include "model.h"

#include <stdio.h>

static const char *const op_texts[] = {
#define OP_TEXT(name, text) text,
    OPS(OP_TEXT)
#undef OP_TEXT
};

static const char *const wait_texts[] = {
#define WAIT_TEXT(name, text) text,
    WAIT_KINDS(WAIT_TEXT)
#undef WAIT_TEXT
};

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
        if ((ins->op >= OP_AWAIT && ins->op <= OP_SHIELD) || ins->op == OP_SET_ADD) {
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
