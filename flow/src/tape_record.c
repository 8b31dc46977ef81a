/* SPDX-License-Identifier: MIT */
/*
 * The recorder. Items are put into the host's buffer, or into a chunk that is written when it is
 * full. An item that finds no room is taken back: the buffer ends with a whole one, and there is
 * always room for the end behind it.
 */
#include "profiler.h"
#include "tape.h"

enum { CHUNK = 4096, NAMES = 1024 };

/* A text that is kept: found by its hash, known by its index. */
typedef struct name_place {
    uint64_t hash;
    uint32_t index; /* + 1; 0: free */
} name_place;

typedef struct recorder {
    flow_tape tape;
    flow_record_desc desc;
    unsigned char *bytes;
    size_t capacity;       /* of bytes, the end's room not counted */
    size_t used, start;    /* start: of the item that is being put */
    size_t written;        /* handed to desc.write */
    uint64_t hash, before; /* of all bytes; up to the item */
    uint64_t unnamed;
    flow_status status;
    bool told; /* of a status other than OK */
    uint32_t texts;
    name_place places[NAMES];
    unsigned char chunk[];
} recorder;

/* ---- bytes ---- */

static void chunk_write(recorder *r)
{
    bool wanted = r->status == FLOW_OK && r->used != 0 && r->desc.write != NULL;
    if (wanted && r->desc.write(r->desc.user, r->bytes, r->used)) {
        r->written += r->used;
    } else if (wanted) {
        r->status = FLOW_IO;
    }
    r->used = 0;
}

static void tape_put(recorder *r, const void *data, size_t size)
{
    const unsigned char *from = data;
    if (r->desc.write == NULL && size > r->capacity - r->used) {
        r->status = FLOW_FULL;
    }
    while (size-- > 0 && r->status == FLOW_OK) {
        if (r->used == r->capacity) {
            chunk_write(r);
        }
        r->hash = (r->hash ^ *from) * FLOW_HASH_PRIME;
        r->bytes[r->used++] = *from++;
    }
}

static void tape_put_byte(recorder *r, unsigned byte)
{
    unsigned char one = (unsigned char)byte;
    tape_put(r, &one, 1);
}

static void tape_put_fixed(recorder *r, uint64_t number, size_t size)
{
    unsigned char bytes[8];
    for (size_t i = 0; i < size; i++, number >>= 8) {
        bytes[i] = (unsigned char)number;
    }
    tape_put(r, bytes, size);
}

static void tape_put_double(recorder *r, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    tape_put_fixed(r, bits, sizeof bits);
}

static void tape_put_number(recorder *r, uint64_t number)
{
    unsigned char bytes[10];
    size_t count = 0;
    for (; number >= 0x80; number >>= 7) {
        bytes[count++] = (unsigned char)(number | 0x80);
    }
    bytes[count++] = (unsigned char)number;
    tape_put(r, bytes, count);
}

static void tape_put_signed(recorder *r, int64_t number)
{
    uint64_t twice = (uint64_t)number << 1;
    tape_put_number(r, number < 0 ? ~twice : twice);
}

/* ---- texts ---- */

/* Where a text of that hash is kept, or will be. */
static name_place *place_of(recorder *r, uint64_t hash)
{
    size_t at = (size_t)(hash ^ hash >> 32) % NAMES;
    while (r->places[at].index != 0 && r->places[at].hash != hash) {
        at = (at + 1) % NAMES;
    }
    return &r->places[at];
}

static void tape_put_text(recorder *r, const char *text)
{
    if (text == NULL) {
        tape_put_number(r, 0);
        return;
    }
    uint64_t hash = flow__mix_text(FLOW_HASH_START, text);
    name_place *place = place_of(r, hash);
    if (place->index != 0) {
        tape_put_number(r, 2 + place->index);
        return;
    }
    size_t length = strlen(text);
    bool kept = r->texts < FLOW_TAPE_TEXTS;
    tape_put_number(r, kept ? 1 : 2);
    tape_put_number(r, length);
    tape_put(r, text, length + 1);
    if (kept) {
        *place = (name_place){hash, ++r->texts};
    }
}

/* ---- items ---- */

static void item_begin(recorder *r)
{
    r->start = r->used;
    r->before = r->hash;
}

/* What found no room is taken back; nothing more comes. */
static void item_end(recorder *r)
{
    if (r->status == FLOW_OK) {
        return;
    }
    if (r->status == FLOW_FULL) {
        r->used = r->start;
        r->hash = r->before;
    }
    r->tape.listens = false;
    flow__trace_attend(r->tape.world);
}

static void tape_put_input(recorder *r, const flow_input *input)
{
    uint8_t fields = flow__tape_fields(input->kind);
    double *dt = &r->tape.dt[input->phase];
    bool same = (fields & FLOW_FIELD_DT) && flow__same_bits(*dt, input->number);
    tape_put_byte(r, (unsigned)input->kind | (input->taken ? FLOW_TAPE_TAKEN : 0u) |
                         (same ? FLOW_TAPE_SAME_DT : 0u));
    if (fields & FLOW_FIELD_PHASE) {
        tape_put_byte(r, (unsigned)input->phase);
    }
    if ((fields & FLOW_FIELD_DT) && !same) {
        tape_put_double(r, input->number);
        *dt = input->number;
    }
    if (fields & FLOW_FIELD_ID) {
        tape_put_number(r, input->id);
        tape_put_number(r, input->generation);
    }
    if (fields & FLOW_FIELD_NAME) {
        tape_put_text(r, input->name);
    }
    if (fields & FLOW_FIELD_VALUE) {
        tape_put_number(r, input->size);
        tape_put_byte(r, input->value != NULL);
        tape_put(r, input->value != NULL ? input->value : "",
                 input->value != NULL ? input->size : 0);
    }
    if (fields & FLOW_FIELD_CODE) {
        tape_put_signed(r, input->code);
        tape_put_text(r, input->message);
    }
    if (fields & FLOW_FIELD_NUMBER) {
        tape_put_double(r, input->number);
    }
}

/* Told outside of everything that runs, where the host may do what it likes. */
static void tell_cut(recorder *r)
{
    if (r->status != FLOW_OK && !r->told) {
        r->told = true;
        flow__warn(r->tape.world, FLOW_WARNING_RECORDING_CUT, NULL, NULL);
    }
}

static void record_input(flow_tape *tape, const flow_input *input)
{
    recorder *r = (recorder *)(void *)tape;
    if (r->status != FLOW_OK) {
        if (!input->taken) {
            tell_cut(r);
        }
        return;
    }
    item_begin(r);
    tape_put_input(r, input);
    item_end(r);
    if (r->status == FLOW_OK) {
        flow__tape_count(tape, input);
        r->unnamed += input->kind == FLOW_INPUT_CALL && input->name == NULL;
    }
}

static bool record_answer(flow_tape *tape, bool left)
{
    flow_input input = {.kind = FLOW_INPUT_LEFT, .taken = true, .code = left};
    record_input(tape, &input);
    return left;
}

static void record_event(flow_tape *tape, const flow_trace_event *event, bool outside)
{
    recorder *r = (recorder *)(void *)tape;
    item_begin(r);
    tape_put_byte(r, FLOW_TAPE_EVENT | (unsigned)event->kind | (outside ? FLOW_TAPE_OUTSIDE : 0u));
    tape_put_byte(r, (unsigned)event->state << 5 | (unsigned)event->phase);
    tape_put_number(r, event->flow.slot);
    tape_put_number(r, event->flow.generation);
    tape_put_text(r, event->name);
    tape_put_signed(r, event->number);
    tape_put_text(r, event->function);
    tape_put_number(r, event->point);
    tape_put_text(r, event->file != NULL ? flow__base_name(event->file) : NULL);
    tape_put_number(r, (uint64_t)event->line);
    item_end(r);
    if (tape->listens) {
        tape->events++;
        tape->hash = flow__trace_mix(tape->hash, event);
        r->unnamed += outside;
    }
}

/* ---- the whole ---- */

static void tape_put_head(recorder *r)
{
    const flow_world *world = r->tape.world;
    tape_put(r, "FLOWTAPE", 8);
    tape_put_fixed(r, FLOW_TAPE_VERSION, 2);
    tape_put_fixed(r, 0, 2);
    tape_put_fixed(r, world->fixed_phases, 4);
    tape_put_fixed(r, world->frame, 8);
    tape_put_fixed(r, flow_world_hash(world), 8);
}

/* There is room: a full buffer takes it too. */
static void tape_put_end(recorder *r)
{
    bool cut = r->status == FLOW_FULL;
    r->capacity += r->desc.write == NULL ? FLOW_TAPE_END : 0;
    r->status = cut ? FLOW_OK : r->status;
    tape_put(r, "\177END", 4);
    tape_put_byte(r, cut);
    tape_put_fixed(r, r->tape.events, 8);
    tape_put_fixed(r, r->tape.hash, 8);
    tape_put_fixed(r, cut ? 0 : flow_world_hash(r->tape.world), 8);
    tape_put_fixed(r, r->hash, 8);
    if (r->desc.write != NULL) {
        chunk_write(r);
    }
    r->status = cut ? FLOW_FULL : r->status;
}

static void record_end(flow_tape *tape)
{
    (void)flow_world_record_end(tape->world, NULL);
}

static bool is_recorder(const flow_tape *tape)
{
    return tape != NULL && tape->end == record_end;
}

flow_status flow_world_record(flow_world *world, const flow_record_desc *desc)
{
    if (flow__elsewhere(world, "flow_world_record: called on another thread than the world's")) {
        return FLOW_MISUSE;
    }
    bool buffer = desc->buffer != NULL && desc->capacity >= 128;
    if (world->inside || world->current != NULL || world->tape != NULL) {
        return world->tape != NULL ? FLOW_BUSY : FLOW_REENTRANT;
    }
    if (buffer == (desc->write != NULL)) {
        return flow__misuse(world, NULL,
                            "flow_world_record: a buffer of 128 bytes or more, or write");
    }
    recorder *r = (recorder *)(void *)flow__tape_take(world, sizeof *r + (buffer ? 0 : CHUNK),
                                                      desc->calls, desc->call_count);
    if (r == NULL) {
        return FLOW_NOMEM;
    }
    r->desc = *desc;
    r->bytes = buffer ? desc->buffer : r->chunk;
    r->capacity = buffer ? desc->capacity - FLOW_TAPE_END : CHUNK;
    r->hash = FLOW_HASH_START;
    r->tape.input = record_input;
    r->tape.event = record_event;
    r->tape.answer = record_answer;
    r->tape.end = record_end;
    tape_put_head(r);
    return FLOW_OK;
}

flow_recording flow_world_recording(const flow_world *world)
{
    flow_recording none = {FLOW_OK, 0, 0, 0, 0, 0, 0, 0};
    if (!is_recorder(world->tape)) {
        return none;
    }
    const recorder *r = (const recorder *)(const void *)world->tape;
    flow_recording recording = {r->status,      r->written + r->used, r->tape.frames, r->tape.ticks,
                                r->tape.inputs, r->tape.events,       r->unnamed,     r->tape.hash};
    return recording;
}

flow_status flow_world_record_end(flow_world *world, flow_recording *recording)
{
    if (flow__elsewhere(world,
                        "flow_world_record_end: called on another thread than the world's")) {
        return FLOW_MISUSE;
    }
    if (!is_recorder(world->tape)) {
        return FLOW_STALE;
    }
    if (world->inside || world->current != NULL) {
        return FLOW_REENTRANT;
    }
    recorder *r = (recorder *)(void *)world->tape;
    tape_put_end(r);
    tell_cut(r);
    flow_recording last = flow_world_recording(world);
    if (recording != NULL) {
        *recording = last;
    }
    flow__tape_give(&r->tape);
    return last.status;
}
