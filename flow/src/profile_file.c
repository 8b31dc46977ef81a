/* SPDX-License-Identifier: MIT */
/*
 * Text for files: a buffer, an error that sticks, and numbers that are written alike in every
 * locale.
 */
#include "profiler.h"

/* ---- files ---- */

bool flow__file_open(flow_file *out, const char *path)
{
    out->failed = false;
    out->bytes = 0;
    out->used = 0;
    out->file = fopen(path, "wb");
    if (out->file != NULL) {
        (void)setvbuf(out->file, NULL, _IONBF, 0); /* the buffer is here */
    }
    return out->file != NULL;
}

static void file_flush(flow_file *out)
{
    if (out->used != 0 && !out->failed) {
        out->failed = fwrite(out->text, 1, out->used, out->file) != out->used;
    }
    out->used = 0;
}

/* True: all that was put is in the file. */
bool flow__file_close(flow_file *out)
{
    file_flush(out);
    bool closed = fclose(out->file) == 0;
    out->file = NULL;
    return closed && !out->failed;
}

void flow__file_put(flow_file *out, const char *text, size_t length)
{
    out->bytes += length;
    while (length > 0) {
        size_t room = sizeof out->text - out->used;
        size_t part = length < room ? length : room;
        memcpy(out->text + out->used, text, part);
        out->used += part;
        text += part;
        length -= part;
        if (out->used == sizeof out->text) {
            file_flush(out);
        }
    }
}

void flow__put(flow_file *out, const char *text)
{
    flow__file_put(out, text, strlen(text));
}

/* ---- text that needs care ---- */

/* How many bytes of `text` are one character of UTF-8; 0: none that is valid. */
static size_t utf8_length(const unsigned char *text)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = text[0] < 0x80   ? 1
                    : text[0] < 0xc0 ? 0
                    : text[0] < 0xe0 ? 2
                    : text[0] < 0xf0 ? 3
                    : text[0] < 0xf8 ? 4
                                     : 0;
    uint32_t code = length < 2 ? text[0] : text[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80) {
            return 0;
        }
        code = code << 6 | (text[i] & 0x3f);
    }
    bool surrogate = code >= 0xd800 && code < 0xe000;
    return length != 0 && code >= least[length] && code < 0x110000 && !surrogate ? length : 0;
}

/* A JSON string with its quotes; bytes that are no UTF-8 become U+FFFD. */
void flow__put_json(flow_file *out, const char *text)
{
    static const char hex[] = "0123456789abcdef";
    const unsigned char *from = (const unsigned char *)text;
    flow__put(out, "\"");
    while (*from != '\0') {
        size_t length = utf8_length(from);
        if (length == 0) {
            flow__put(out, "\\ufffd");
            length = 1;
        } else if (*from == '"' || *from == '\\') {
            char pair[2] = {'\\', (char)*from};
            flow__file_put(out, pair, sizeof pair);
        } else if (*from < 0x20 || *from == 0x7f) {
            char code[6] = {'\\', 'u', '0', '0', hex[*from >> 4], hex[*from & 15]};
            flow__file_put(out, code, sizeof code);
        } else {
            flow__file_put(out, (const char *)from, length);
        }
        from += length;
    }
    flow__put(out, "\"");
}

/* A field of a CSV: quoted where it must be; control characters become spaces, so that a row is one
 * line. */
void flow__put_csv(flow_file *out, const char *text)
{
    bool quoted = strpbrk(text, ",\"\r\n") != NULL;
    flow__put(out, quoted ? "\"" : "");
    for (; *text != '\0'; text++) {
        char c = *text;
        if ((unsigned char)c < 0x20) {
            c = ' ';
        }
        flow__file_put(out, &c, 1);
        if (c == '"') {
            flow__file_put(out, &c, 1);
        }
    }
    flow__put(out, quoted ? "\"" : "");
}

/* ---- numbers ---- */

/* value / 10^decimals as text; returns its length. 24 bytes are enough. */
size_t flow__format_fixed(char *text, int64_t value, int decimals)
{
    char digits[24];
    size_t count = 0, length = 0;
    uint64_t left = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do {
        if ((int)count == decimals && decimals > 0) {
            digits[count++] = '.';
            decimals = -1; /* the point is there */
        }
        digits[count++] = (char)('0' + left % 10);
        left /= 10;
    } while (left != 0 || (int)count <= decimals);
    if (value < 0) {
        text[length++] = '-';
    }
    while (count > 0) {
        text[length++] = digits[--count];
    }
    text[length] = '\0';
    return length;
}

void flow__put_fixed(flow_file *out, int64_t value, int decimals)
{
    char text[28];
    flow__file_put(out, text, flow__format_fixed(text, value, decimals));
}

void flow__put_number(flow_file *out, uint64_t number)
{
    char text[24];
    size_t at = sizeof text;
    do {
        text[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    flow__file_put(out, text + at, sizeof text - at);
}

void flow__put_hex(flow_file *out, uint64_t number)
{
    char text[20];
    size_t at = sizeof text;
    do {
        text[--at] = "0123456789abcdef"[number & 15];
        number >>= 4;
    } while (number != 0);
    text[--at] = 'x';
    text[--at] = '0';
    flow__file_put(out, text + at, sizeof text - at);
}

/* The part of a path behind its last slash. */
const char *flow__base_name(const char *path)
{
    const char *name = path;
    for (; *path != '\0'; path++) {
        if (*path == '/' || *path == '\\') {
            name = path + 1;
        }
    }
    return name;
}
