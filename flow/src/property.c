/* SPDX-License-Identifier: MIT */
/*
 * Properties. The record's block holds the value in one of a few slots: while conditions are being
 * asked about a value, it stays where it is, and a set nested in a condition takes another slot.
 * Before such a set takes place, the earlier value reaches all who are still to see it.
 */
#include "tape.h"

typedef struct property_cell {
    uint64_t version;
    char *value; /* one of the slots */
    char *slots; /* FLOW_PROPERTY_DEPTH of them */
    size_t stride;
    uint32_t size;
} property_cell;

/* A type's alignment divides its size; more than 64 is nobody's. */
static size_t slot_alignment(uint32_t size)
{
    return size >= 64 ? 64 : size >= 32 ? 32 : 16;
}

static property_cell *cell_make(flow_world *world, uint32_t size, const void *initial)
{
    size_t align = slot_alignment(size);
    size_t stride = (size + align - 1) / align * align;
    property_cell *cell =
        flow__block_take(world, sizeof *cell + align - 1 + FLOW_PROPERTY_DEPTH * stride);
    if (cell == NULL) {
        return NULL;
    }
    size_t past = (uintptr_t)(cell + 1) & (align - 1);
    char *slots = (char *)(cell + 1) + (past ? align - past : 0);
    *cell = (property_cell){1, slots, slots, stride, size};
    if (initial != NULL) {
        memcpy(slots, initial, size);
    } else {
        memset(slots, 0, size);
    }
    return cell;
}

flow_status flow_property_init_(flow_property *property, flow_world *world, uint32_t size,
                                const void *initial)
{
    property_cell *cell = cell_make(world, size, initial);
    flow_status status =
        cell ? flow__record_make(property, world, size, FLOW_RECORD_PROPERTY) : FLOW_NOMEM;
    if (status != FLOW_OK) {
        *property = (flow_property){NULL, 0, 0, 0};
        if (cell != NULL) {
            flow__block_give(cell);
        }
        return status;
    }
    flow__record(property)->to.value = cell;
    return FLOW_OK;
}

void flow_property_fini_(flow_property *property)
{
    flow_node *record = flow__record(property);
    if (record != NULL) {
        flow_world *world = property->world_;
        flow__record_close(world, record, FLOW_CLOSED, NULL);
        flow__block_give(record->to.value);
        flow__record_free(world, record);
    }
    *property = (flow_property){property->world_, 0, 0, 0};
}

static void copy_out(const property_cell *cell, const void *value, void *out)
{
    if (out != NULL) {
        memcpy(out, value, cell->size);
    }
}

/* ---- setting ---- */

/* A waiter for changes learns of one; flow__property_seen brings it up to date when it goes on. */
static void tell_change(flow_world *world, const flow_visit *visit, flow_node *node)
{
    const property_cell *cell = visit->record->to.value;
    flow_node *aside = flow__node(world, node->pos);
    flow__record_leave(node);
    copy_out(cell, cell->value, node->to.out);
    *aside->up.seen = cell->version;
    aside->pos = visit->generation;
    flow__node_end_kept(world, node, FLOW_NODE_CHANGED);
}

static void tell(flow_world *world, flow_visit *visit)
{
    for (flow_node *node; (node = flow__visit_next(visit)) != NULL;) {
        if (flow__node(world, node->pos)->branch == FLOW_NEXT_CHANGED_) {
            tell_change(world, visit, node);
        } else if (flow__matches(world, node, visit->value)) {
            copy_out(visit->record->to.value, visit->value, node->to.out);
            flow__leaf_unlink(world, node);
            flow__node_end(world, node, 0, false);
        }
    }
}

/* A slot that no condition is being asked about, or null. */
static char *free_slot(const flow_node *record, const property_cell *cell)
{
    for (size_t i = 0; i < FLOW_PROPERTY_DEPTH; i++) {
        char *slot = cell->slots + i * cell->stride;
        const flow_visit *visit = record->on.visit;
        while (visit != NULL && visit->value != slot) {
            visit = visit->outer;
        }
        if (visit == NULL) {
            return slot;
        }
    }
    return NULL;
}

int flow_property_set_(flow_property *property, const void *value)
{
    flow_property given = *property; /* a condition may free what holds it */
    flow_world *world = given.world_;
    if (world == NULL || /* it was never made */
        flow__elsewhere(world, "flow_property_set: called on another thread than the world's; "
                               "there, flow_property_set_any_thread does it")) {
        return 0;
    }
    flow_node *record = flow__record(&given);
    if (record != NULL && value == NULL) {
        (void)flow__misuse(world, NULL, "flow_property_set: null is no value");
        return 0;
    }
    if (flow__listened(world)) {
        flow__tape_source(FLOW_INPUT_PROPERTY, &given, value, FLOW_OK, NULL);
    }
    if (record != NULL && record->on.visit != NULL) {
        tell(world, record->on.visit);
        record = flow__record(&given);
    }
    property_cell *cell = record ? record->to.value : NULL;
    if (cell == NULL || memcmp(cell->value, value, cell->size) == 0) {
        return 0;
    }
    char *slot = free_slot(record, cell);
    if (slot == NULL) {
        (void)flow__misuse(world, NULL, "flow_property_set: nested too deep in conditions");
        return 0;
    }
    memmove(slot, value, cell->size);
    cell->value = slot;
    cell->version++;
    flow_visit visit;
    if (flow__visit_begin(&visit, record, slot)) {
        tell(world, &visit);
        flow__visit_end(&visit);
    }
    return 1;
}

/* ---- reading and waiting ---- */

int flow_property_get_(const flow_property *property, void *out)
{
    const flow_node *record = flow__record(property);
    if (record == NULL) {
        return 0;
    }
    const property_cell *cell = record->to.value;
    copy_out(cell, cell->value, out);
    return 1;
}

uint64_t flow_property_version_(const flow_property *property)
{
    const flow_node *record = flow__record(property);
    return record ? ((const property_cell *)record->to.value)->version : 0;
}

/* The first test of a condition, which may set the property or end it: then the test is repeated.
 */
static flow_begun begin_condition(flow_world *world, flow_node *record, const flow_wait *wait,
                                  flow_result *result)
{
    property_cell *cell = record->to.value;
    uint32_t generation = record->seq;
    for (int tries = 0; tries < FLOW_PROPERTY_DEPTH; tries++) {
        uint64_t version = cell->version;
        flow_visit visit;
        if (!flow__visit_begin(&visit, record, cell->value)) {
            break;
        }
        visit.next = NULL;
        bool inside = world->inside;
        world->inside = true;
        bool holds = wait->match_(visit.value, wait->arg_) != 0;
        world->inside = inside;
        flow__visit_end(&visit);
        if (record->kind != FLOW_NODE_RECORD || record->seq != generation) {
            return flow__begun_failed(result, FLOW_CLOSED, flow_status_text(FLOW_CLOSED));
        }
        if (holds) {
            copy_out(cell, visit.value, wait->out_);
            return FLOW_BEGUN_DONE;
        }
        if (cell->version == version) {
            return FLOW_BEGUN_WAITS;
        }
    }
    (void)flow__misuse(world, NULL, "flow_property_until: the condition sets again and again");
    return flow__begun_failed(result, FLOW_MISUSE,
                              "flow_property_until: the condition sets again and again");
}

/* Is the wait over before it begins? */
flow_begun flow__property_begin(flow_world *world, flow_node *record, const flow_wait *wait,
                                flow_result *result)
{
    if (wait->code_ != FLOW_NEXT_CHANGED_) {
        return begin_condition(world, record, wait, result);
    }
    const property_cell *cell = record->to.value;
    uint64_t *seen = wait->arg_;
    if (cell->version == *seen) {
        return FLOW_BEGUN_WAITS;
    }
    copy_out(cell, cell->value, wait->out_);
    *seen = cell->version;
    return FLOW_BEGUN_DONE;
}

/* A flow goes on that was told of a change: with the latest value, unless the property has ended
 * meanwhile. */
void flow__property_seen(flow_world *world, const flow_node *node)
{
    const flow_node *record = node->on.object, *aside = flow__node(world, node->pos);
    if (record->kind == FLOW_NODE_RECORD && record->seq == aside->pos) {
        const property_cell *cell = record->to.value;
        copy_out(cell, cell->value, node->to.out);
        *aside->up.seen = cell->version;
    }
}
