/* SPDX-License-Identifier: MIT */
/* A file being written: remembers its first failure, so that writers need not look at each byte. */
#ifndef TOOLS_OUTPUT_H
#define TOOLS_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct output {
    FILE *file; /* null when it could not be opened */
    char path[1024];
};

/* Opens folder/name for writing; output_close reports a failure. */
void output_open(struct output *output, const char *folder, const char *name);
void output_u8(struct output *output, unsigned value);
void output_u16(struct output *output, unsigned value); /* little endian */
void output_u32(struct output *output, uint32_t value); /* little endian */
void output_text(struct output *output, const char *text);

/* Closes the file. When anything failed prints one line that names the file, returns false. */
bool output_close(struct output *output);

/* Prints that memory ran out; returns false. */
bool output_no_memory(void);

#endif
