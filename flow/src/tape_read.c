/* SPDX-License-Identifier: MIT */
/*
 * Reading a recording, whatever it is: every length is checked against what is left, every number
 * against its range. Trouble sticks: who meets it gets it again.
 */
#include "tape.h"

#include <stdio.h>

/* ---- bytes ---- */

static void trouble(flow_tape_reader *reader, flow_tape_item_kind kind, const char *why)
{
    if (reader->why == NULL) {
        reader->trouble = kind;
        reader->why = why;
    }
}

/* The next bytes, or null. */
static const unsigned char *take(flow_tape_reader *reader, size_t size)
{
    if (reader->why != NULL || size > reader->size - reader->at) {
        trouble(reader, FLOW_ITEM_MISSING, "the recording ends in the middle of something");
        return NULL;
    }
    const unsigned char *bytes = reader->bytes + reader->at;
    reader->at += size;
    return bytes;
}

static unsigned take_byte(flow_tape_reader *reader)
{
    const unsigned char *byte = take(reader, 1);
    return byte != NULL ? *byte : 0;
}

static uint64_t take_fixed(flow_tape_reader *reader, size_t size)
{
    const unsigned char *bytes = take(reader, size);
    uint64_t number = 0;
    while (bytes != NULL && size-- > 0) {
        number = number << 8 | bytes[size];
    }
    return number;
}

static double take_double(flow_tape_reader *reader)
{
    uint64_t bits = take_fixed(reader, 8);
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static uint64_t take_number(flow_tape_reader *reader, uint64_t most)
{
    uint64_t number = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        unsigned byte = take_byte(reader);
        number |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            if (number > most) {
                break;
            }
            return number;
        }
    }
    trouble(reader, FLOW_ITEM_BAD, "a number is out of its range");
    return 0;
}

static int take_signed(flow_tape_reader *reader)
{
    uint32_t twice = (uint32_t)take_number(reader, UINT32_MAX);
    int64_t half = (int64_t)(twice >> 1);
    return (int)(twice & 1 ? -half - 1 : half);
}

static const char *take_text(flow_tape_reader *reader)
{
    uint64_t how = take_number(reader, 2 + (uint64_t)reader->texts);
    if (how == 0) {
        return NULL;
    }
    if (how > 2) {
        return reader->text[how - 3];
    }
    size_t length = (size_t)take_number(reader, UINT32_MAX - 1);
    const char *text = (const char *)take(reader, length + 1);
    if (text != NULL && memchr(text, 0, length + 1) != text + length) {
        trouble(reader, FLOW_ITEM_BAD, "a text does not end where it should");
    } else if (text != NULL && how == 1 && reader->texts == FLOW_TAPE_TEXTS) {
        trouble(reader, FLOW_ITEM_BAD, "too many texts");
    }
    if (reader->why != NULL) {
        return NULL;
    }
    if (how == 1) {
        reader->text[reader->texts++] = text;
    }
    return text;
}

static flow_phase take_phase(flow_tape_reader *reader, unsigned phase)
{
    if (phase == 0 || phase >= FLOW_PHASE_LIMIT) {
        trouble(reader, FLOW_ITEM_BAD, "there is no such phase");
        phase = FLOW_UPDATE;
    }
    return (flow_phase)phase;
}

/* ---- items ---- */

static void read_dt(flow_tape_reader *reader, flow_input *input, bool same)
{
    double *dt = &reader->dt[input->phase];
    *dt = same ? *dt : take_double(reader);
    input->number = *dt;
}

static void read_input(flow_tape_reader *reader, flow_input *input, unsigned tag)
{
    unsigned kind = tag & (FLOW_TAPE_TAKEN - 1);
    if (kind >= FLOW_INPUT_COUNT) {
        trouble(reader, FLOW_ITEM_BAD, "there is no such input");
        return;
    }
    uint8_t fields = flow__tape_fields((flow_input_kind)kind);
    input->kind = (flow_input_kind)kind;
    input->taken = (tag & FLOW_TAPE_TAKEN) != 0;
    if (input->taken ? kind <= FLOW_INPUT_FLUSH : kind >= FLOW_INPUT_OWN) {
        trouble(reader, FLOW_ITEM_BAD, "an input stands where it cannot be");
    }
    if (fields & FLOW_FIELD_PHASE) {
        input->phase = take_phase(reader, take_byte(reader));
    }
    if (fields & FLOW_FIELD_DT) {
        read_dt(reader, input, (tag & FLOW_TAPE_SAME_DT) != 0);
    }
    if (fields & FLOW_FIELD_ID) {
        input->id = (uint32_t)take_number(reader, UINT32_MAX);
        input->generation = (uint32_t)take_number(reader, UINT32_MAX);
    }
    if (fields & FLOW_FIELD_NAME) {
        input->name = take_text(reader);
    }
    if (fields & FLOW_FIELD_VALUE) {
        input->size = (uint32_t)take_number(reader, UINT32_MAX);
        input->value = take_byte(reader) != 0 ? take(reader, input->size) : NULL;
    }
    if (fields & FLOW_FIELD_CODE) {
        input->code = take_signed(reader);
        input->message = take_text(reader);
    }
    if (fields & FLOW_FIELD_NUMBER) {
        input->number = take_double(reader);
    }
}

static void read_event(flow_tape_reader *reader, flow_trace_event *event, unsigned tag)
{
    unsigned kind = tag & 3, home = take_byte(reader);
    if (kind > FLOW_TRACE_END || home >> 5 > FLOW_STATE_CANCELLED) {
        trouble(reader, FLOW_ITEM_BAD, "there is no such event");
        return;
    }
    event->kind = (flow_trace_kind)kind;
    event->state = (flow_state)(home >> 5);
    event->phase = take_phase(reader, home & 31);
    event->flow.slot = (uint32_t)take_number(reader, UINT32_MAX);
    event->flow.generation = (uint32_t)take_number(reader, UINT32_MAX);
    event->name = take_text(reader);
    event->number = take_signed(reader);
    event->function = take_text(reader);
    event->point = (uint32_t)take_number(reader, UINT32_MAX);
    event->file = take_text(reader);
    event->line = (int)take_number(reader, INT32_MAX);
    if (event->name == NULL || event->function == NULL) {
        trouble(reader, FLOW_ITEM_BAD, "an event has no name");
    }
}

static void read_end(flow_tape_reader *reader, flow_tape_item *item)
{
    const unsigned char *mark = take(reader, 3);
    if (mark != NULL && memcmp(mark, "END", 3) != 0) {
        trouble(reader, FLOW_ITEM_BAD, "there is no such item");
    }
    item->cut = take_byte(reader) != 0;
    item->events = take_fixed(reader, 8);
    item->hash = take_fixed(reader, 8);
    item->tree = take_fixed(reader, 8);
    (void)take_fixed(reader, 8);
    if (reader->why == NULL && reader->at != reader->size) {
        trouble(reader, FLOW_ITEM_BAD, "something comes after the end");
    }
}

void flow__tape_next(flow_tape_reader *reader, flow_tape_item *item)
{
    memset(item, 0, sizeof *item);
    item->at = reader->at;
    unsigned tag = take_byte(reader);
    if (tag == FLOW_TAPE_LAST) {
        item->kind = FLOW_ITEM_END;
        read_end(reader, item);
    } else if ((tag & ~7u) == FLOW_TAPE_EVENT) {
        item->kind = FLOW_ITEM_EVENT;
        item->outside = (tag & FLOW_TAPE_OUTSIDE) != 0;
        read_event(reader, &item->event, tag);
    } else if (tag & FLOW_TAPE_EVENT) {
        trouble(reader, FLOW_ITEM_BAD, "there is no such item");
    } else {
        item->kind = FLOW_ITEM_INPUT;
        read_input(reader, &item->input, tag);
    }
    if (reader->why != NULL) {
        item->kind = reader->trouble;
        item->why = reader->why;
    }
}

/* ---- the whole ---- */

/* Has it its end? Then its bytes are either as they were, or something is wrong with them. */
static const char *look_at_end(flow_tape_reader *reader)
{
    size_t size = reader->size;
    if (size < FLOW_TAPE_HEAD + FLOW_TAPE_END ||
        memcmp(reader->bytes + size - FLOW_TAPE_END, "\177END", 4) != 0) {
        return NULL;
    }
    uint64_t hash = FLOW_HASH_START, said = 0;
    for (size_t i = 0; i < size - 8; i++) {
        hash = (hash ^ reader->bytes[i]) * FLOW_HASH_PRIME;
    }
    for (size_t i = 0; i < 8; i++) {
        said = said << 8 | reader->bytes[size - 1 - i];
    }
    reader->whole = hash == said;
    return reader->whole ? NULL
                         : "its bytes are not those that were recorded: the checksum differs";
}

/* Reads the head. Null, or what is wrong, which may be written to `text`. */
const char *flow__tape_open(flow_tape_reader *reader, const void *bytes, size_t size,
                            flow_tape_head *begun, char *text, size_t capacity)
{
    memset(reader, 0, sizeof *reader);
    reader->bytes = bytes;
    reader->size = size;
    if (size < FLOW_TAPE_HEAD || memcmp(bytes, "FLOWTAPE", 8) != 0) {
        bool begins = memcmp(bytes, "FLOWTAPE", size < 8 ? size : 8) == 0;
        return begins ? "it is shorter than its head" : "it does not begin as a recording does";
    }
    reader->at = 8;
    unsigned version = (unsigned)take_fixed(reader, 2);
    (void)take_fixed(reader, 2);
    if (version != FLOW_TAPE_VERSION) {
        (void)snprintf(text, capacity, "it is of version %u, and this program reads version %d",
                       version, FLOW_TAPE_VERSION);
        return text;
    }
    begun->fixed_phases = (uint32_t)take_fixed(reader, 4);
    begun->frame = take_fixed(reader, 8);
    begun->tree = take_fixed(reader, 8);
    return look_at_end(reader);
}
