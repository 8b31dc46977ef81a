/* SPDX-License-Identifier: MIT */
/* Bytes into files, always little endian and never translated, so that the result is the same
 * everywhere. ISO C has no folders: they must exist, and the message says so. */
#include "output.h"

#include <errno.h>
#include <string.h>

void output_open(struct output *output, const char *folder, const char *name)
{
    output->file = NULL;
    errno = 0;
    int length = snprintf(output->path, sizeof output->path, "%s/%s", folder, name);
    if (length > 0 && (size_t)length < sizeof output->path) {
        output->file = fopen(output->path, "wb");
    }
}

void output_u8(struct output *output, unsigned value)
{
    if (output->file) {
        (void)fputc((int)(value & 255u), output->file); /* ferror is asked in output_close */
    }
}

void output_u16(struct output *output, unsigned value)
{
    output_u8(output, value);
    output_u8(output, value >> 8);
}

void output_u32(struct output *output, uint32_t value)
{
    output_u16(output, value & 0xffffu);
    output_u16(output, value >> 16);
}

void output_text(struct output *output, const char *text)
{
    if (output->file) {
        (void)fputs(text, output->file); /* ferror is asked in output_close */
    }
}

static bool output_failed(const struct output *output)
{
    const char *reason = errno ? strerror(errno) : "the path is too long";
    const char *hint = errno == ENOENT ? " (it needs the folders images, sounds and fonts)" : "";
    (void)fprintf(stderr, "make_assets: cannot write %s: %s%s\n", output->path, reason, hint);
    return false;
}

bool output_close(struct output *output)
{
    if (!output->file) {
        return output_failed(output);
    }
    bool failed = ferror(output->file) != 0;
    if (fclose(output->file) != 0 || failed) {
        return output_failed(output);
    }
    return true;
}

bool output_no_memory(void)
{
    (void)fprintf(stderr, "make_assets: out of memory\n");
    return false;
}
