/* SPDX-License-Identifier: MIT */
/* Once: a record that is closed when it is set, with success, and keeps the value in a block. */
#include "completion.h"
#include "tape.h"

flow_status flow_once_init_(flow_once *once, flow_world *world, uint32_t size)
{
    void *value = flow__block_take(world, size);
    flow_status status =
        value ? flow__record_make(once, world, size, FLOW_RECORD_ONCE) : FLOW_NOMEM;
    if (status != FLOW_OK) {
        *once = (flow_once){NULL, 0, 0, 0};
        if (value != NULL) {
            flow__block_give(value);
        }
        return status;
    }
    flow__record(once)->to.value = value;
    return FLOW_OK;
}

void flow_once_fini_(flow_once *once)
{
    flow_node *record = flow__record(once);
    if (record != NULL) {
        flow__record_close(once->world_, record, FLOW_CLOSED, NULL);
        flow__block_give(record->to.value);
        flow__record_free(once->world_, record);
    }
    *once = (flow_once){once->world_, 0, 0, 0};
}

/* The record of one that is still to be set, or null. */
static flow_node *unset(const flow_once *once)
{
    if (once->world_ != NULL &&
        flow__elsewhere(once->world_,
                        "flow_once_set, flow_once_fail: called on another thread than "
                        "the world's; there, a flow_completion does it")) {
        return NULL;
    }
    flow_node *record = flow__record(once);
    return record != NULL && !(record->flags & FLOW_NODE_CLOSED) ? record : NULL;
}

/* The result goes to all who wait, and to those who will. */
void flow__once_give(flow_world *world, flow_node *record, int code, const char *message,
                     const void *value, uint32_t size)
{
    for (const flow_node *node = record->prev; node != NULL && code == FLOW_OK; node = node->next) {
        if (node->to.out != NULL) {
            memcpy(node->to.out, value, size);
        }
    }
    flow__record_close(world, record, code, message);
}

int flow_once_set_(flow_once *once, const void *value)
{
    flow_node *record = unset(once);
    if (record == NULL) {
        return 0;
    }
    if (flow__listened(once->world_)) {
        flow__tape_source(FLOW_INPUT_ONCE, once, value, FLOW_OK, NULL);
    }
    if (value != NULL) {
        memcpy(record->to.value, value, once->size_);
    } else {
        memset(record->to.value, 0, once->size_);
    }
    flow__once_give(once->world_, record, FLOW_OK, NULL, record->to.value, once->size_);
    return 1;
}

int flow_once_fail_(flow_once *once, int code, const char *message)
{
    flow_node *record = unset(once);
    if (record == NULL) {
        return 0;
    }
    if (code == FLOW_OK) {
        (void)flow__misuse(once->world_, NULL, "flow_once_fail with the code 0, which is success");
        code = FLOW_MISUSE;
    }
    if (flow__listened(once->world_)) {
        flow__tape_source(FLOW_INPUT_ONCE, once, NULL, code, message);
    }
    flow__record_close(once->world_, record, code, message);
    return 1;
}

/* True: it is set, and *out has the value. */
bool flow__once_read(const flow_node *record, uint32_t size, void *out)
{
    bool completion = record->branch == FLOW_RECORD_COMPLETION;
    bool set = (record->branch == FLOW_RECORD_ONCE || completion ||
                record->branch == FLOW_RECORD_CANCEL) &&
               (record->flags & FLOW_NODE_CLOSED) && record->code == FLOW_OK;
    if (set && out != NULL) {
        flow__value_copy(out, completion ? flow__cell_of(record)->value : record->to.value, size);
    }
    return set;
}

int flow_once_read_(const flow_once *once, void *out)
{
    const flow_node *record = flow__record(once);
    if (record == NULL) {
        return FLOW_CLOSED;
    }
    if (!(record->flags & FLOW_NODE_CLOSED)) {
        return FLOW_PENDING;
    }
    (void)flow__once_read(record, once->size_, out);
    return record->code;
}
