/* SPDX-License-Identifier: MIT */
/*
 * Completions. A record for the waits, and a cell that other threads may touch: one word holds the
 * cell's key and how it stands, and whoever changes it from OPEN has it alone. A setter then writes
 * the value and sends the cell home; the end of the completion leaves a cell that is on its way to
 * its arrival. A key counts the uses of a cell; a cell that has had them all is not used again.
 */
#include "completion.h"
#include "tape.h"

enum { CELL_OPEN, CELL_SET, CELL_ENDED, CELL_STATES = 4 };

/* ---- cells ---- */

static void cell_comes_home(flow_world *world, flow_arrival *arrival);

static flow_cell *cell_take(flow_world *world, uint32_t size)
{
    flow_cell *cell = world->free_cells;
    if (cell != NULL) {
        world->free_cells = cell->next;
    } else if ((cell = flow__block_take(world, sizeof *cell)) != NULL) {
        flow__store_relaxed(&cell->state, (uint32_t)CELL_ENDED);
    } else {
        return NULL;
    }
    cell->value = flow__block_take(world, size);
    if (cell->value == NULL) {
        cell->next = world->free_cells;
        world->free_cells = cell;
        return NULL;
    }
    return cell;
}

static void cell_give(flow_world *world, flow_cell *cell)
{
    flow__block_give(cell->value);
    if (flow__load_relaxed(&cell->state) < UINT32_MAX - 2 * CELL_STATES) {
        cell->next = world->free_cells;
        world->free_cells = cell;
    }
}

/* A completion's key is the state of its cell while that is OPEN. */
static void cell_open(flow_cell *cell, uint32_t *key)
{
    *key = (flow__load_relaxed(&cell->state) / CELL_STATES + 1) * CELL_STATES;
    flow__store(&cell->state, *key);
}

/* Who may go on has the cell alone. */
static bool cell_claim(flow_cell *cell, uint32_t key, uint32_t as)
{
    uint32_t open = key;
    return flow__cas(&cell->state, &open, key + as);
}

/* ---- making and ending ---- */

flow_status flow_completion_init_(flow_completion *completion, uint32_t size, flow_world *world,
                                  int single, flow_post_fn start, void *arg)
{
    flow_cell *cell = cell_take(world, size);
    *completion = (flow_completion){{NULL, 0, 0, 0}, NULL, 0};
    if (cell == NULL ||
        flow__record_make(&completion->source_, world, size, FLOW_RECORD_COMPLETION) != FLOW_OK) {
        if (cell != NULL) {
            cell_give(world, cell);
        }
        return FLOW_NOMEM;
    }
    flow__record(&completion->source_)->to.value = cell;
    cell->arrival.take = cell_comes_home;
    cell->arrival.kind = FLOW_ARRIVAL_COMPLETION;
    cell->record = completion->source_;
    cell->start = start;
    cell->start_arg = arg;
    cell->size = size;
    cell->single = single != 0;
    cell->gone = cell->arrived = false;
    completion->cell_ = cell;
    cell_open(cell, &completion->key_);
    return FLOW_OK;
}

/* The record goes, and the cell with it unless a set is on its way. */
static void end(flow_world *world, flow_node *record)
{
    flow_cell *cell = flow__cell_of(record);
    uint32_t key = flow__load_relaxed(&cell->state) / CELL_STATES * CELL_STATES;
    flow__record_close(world, record, FLOW_CLOSED, NULL);
    flow__record_free(world, record);
    if (cell->arrived || cell_claim(cell, key, CELL_ENDED)) {
        cell_give(world, cell);
    } else {
        cell->gone = true;
    }
}

void flow_completion_fini_(flow_completion *completion)
{
    flow_node *record = flow__record(&completion->source_);
    flow_world *world = completion->source_.world_;
    if (record != NULL) {
        end(world, record);
    }
    *completion = (flow_completion){{world, 0, 0, 0}, NULL, 0};
}

/* ---- setting: any thread ---- */

static void cell_arrives(flow_world *world, flow_cell *cell);

static void cell_fill(flow_cell *cell, const void *value, int code, const char *message)
{
    cell->code = code;
    cell->message = message;
    if (value != NULL) {
        memcpy(cell->value, value, cell->size);
    } else {
        memset(cell->value, 0, cell->size);
    }
}

static int set(const flow_completion *completion, const void *value, int code, const char *message)
{
    flow_cell *cell = completion->cell_;
    flow_world *world = completion->source_.world_;
    if (cell == NULL || !cell_claim(cell, completion->key_, CELL_SET)) {
        return 0;
    }
    cell_fill(cell, value, code, message);
    if (flow__is_here(world)) {
        if (flow__listened(world)) {
            flow__tape_source(FLOW_INPUT_COMPLETION, &cell->record, value, code, message);
        }
        cell_arrives(world, cell);
        flow__outermost(world);
    } else {
        flow__arrive_home(world, &cell->arrival);
    }
    return 1;
}

int flow_completion_set_(const flow_completion *completion, const void *value)
{
    return set(completion, value, FLOW_OK, NULL);
}

int flow_completion_fail_(const flow_completion *completion, int code, const char *message)
{
    if (code == FLOW_OK) {
        (void)flow__wrong_thread("flow_completion_fail with the code 0, which is success");
        code = FLOW_MISUSE;
    }
    return set(completion, NULL, code, message);
}

/* ---- at home ---- */

static void cell_arrives(flow_world *world, flow_cell *cell)
{
    flow_node *record = flow__record(&cell->record);
    if (cell->gone) {
        cell_give(world, cell);
        return;
    }
    bool received = record->pos != 0;
    cell->arrived = true;
    flow__once_give(world, record, cell->code, cell->message, cell->value, cell->size);
    if (received) {
        flow__completion_received(world, record);
    }
}

/* Set by another thread; when the world ends meanwhile, too late for everybody. */
static void cell_comes_home(flow_world *world, flow_arrival *arrival)
{
    flow_cell *cell = (flow_cell *)(void *)arrival;
    world->inbox.dropped += world->destroying && !cell->gone;
    if (world->tape != NULL && !cell->gone) {
        flow_input input = {FLOW_INPUT_COMPLETION,
                            true,
                            FLOW_INHERIT,
                            0.0,
                            cell->record.id_,
                            cell->record.generation_,
                            NULL,
                            cell->size,
                            cell->value,
                            cell->code,
                            cell->message};
        flow__tape_taken(world, &input);
    }
    cell_arrives(world, cell);
}

/* Of a replay: set as it was recorded, whoever is about to set it. False: it is set already. */
bool flow__completion_give(flow_world *world, flow_node *record, const void *value, int code,
                           const char *message)
{
    flow_cell *cell = flow__cell_of(record);
    uint32_t key = flow__load_relaxed(&cell->state) / CELL_STATES * CELL_STATES;
    if (cell->arrived) {
        return false;
    }
    if (!cell_claim(cell, key, CELL_SET)) {
        flow__inbox_fetch(world, &cell->arrival);
    }
    cell_fill(cell, value, code, message);
    cell_arrives(world, cell);
    flow__outermost(world);
    return true;
}

/* A wait begins. False: whoever was to start the work has ended the completion. */
bool flow__completion_wanted(flow_world *world, flow_node *record)
{
    flow_cell *cell = flow__cell_of(record);
    flow_post_fn start = cell->start;
    uint32_t generation = record->seq;
    if (start != NULL && !(record->flags & FLOW_NODE_CLOSED)) {
        bool inside = world->inside;
        cell->start = NULL;
        world->inside = true;
        start(world, cell->start_arg);
        world->inside = inside;
    }
    return record->kind == FLOW_NODE_RECORD && record->seq == generation;
}

/* Those who waited have its result, or one who came later. */
void flow__completion_received(flow_world *world, flow_node *record)
{
    if (record->branch == FLOW_RECORD_COMPLETION && flow__cell_of(record)->single) {
        end(world, record);
    }
}

int flow_completion_read_(flow_completion *completion, void *out)
{
    return flow_once_read_(&completion->source_, out);
}
