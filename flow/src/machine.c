/* SPDX-License-Identifier: MIT */
/*
 * State machines. A state is a race of three: what is fired, the state itself, and the conditions.
 * Whatever settles it, `next_` says where to go; nothing there means that the state has ended by
 * itself.
 */
#include "private.h"

static int leaves(const flow_machine *machine, const flow_transition *move)
{
    return move->from == machine->state || move->from == FLOW_ANY_STATE;
}

static void change_told(flow_machine *machine)
{
    if (machine->desc_->changed != NULL) {
        machine->desc_->changed(machine->arg, machine);
    }
}

static void move_take(flow_machine *machine, const flow_transition *move)
{
    machine->next_ = NULL;
    machine->last = move;
    machine->state = move != NULL ? move->to : FLOW_MACHINE_OVER;
    machine->missed_ = 0;
    change_told(machine);
}

static bool table_valid(const flow_machine_desc *desc)
{
    bool valid = desc->first >= 0 && desc->first < desc->states;
    for (int i = 0; i < desc->count; i++) {
        const flow_transition *move = &desc->moves[i];
        valid = valid && move->name != NULL && move->to < desc->states &&
                move->to >= FLOW_MACHINE_OVER && move->from < desc->states &&
                (move->from >= 0 || move->from == FLOW_ANY_STATE);
    }
    return valid;
}

/* Its scope has ended. */
static void machine_end(void *arg)
{
    flow_machine *machine = arg;
    machine->state = FLOW_MACHINE_OVER;
    flow_signal_fini(&machine->fired_);
}

flow_status flow_machine_begin(flow_task *flow, flow_machine *machine,
                               const flow_machine_desc *desc, void *arg)
{
    flow_world *world = flow__world_of(flow);
    *machine = (flow_machine){.state = FLOW_MACHINE_OVER, .arg = arg, .desc_ = desc};
    if (!table_valid(desc)) {
        return flow__misuse(world, flow,
                            "flow_machine_begin: a state that is not there, or a nameless move");
    }
    flow_status status = flow_signal_init(&machine->fired_, world);
    if (status == FLOW_OK) {
        status = flow_defer(flow, machine_end, machine);
        if (status != FLOW_OK) {
            machine_end(machine);
        }
    }
    if (status == FLOW_OK) {
        machine->state = desc->first;
        change_told(machine);
    }
    return status;
}

int flow_machine_runs(flow_machine *machine)
{
    if (machine->next_ != NULL) { /* fired between two states */
        move_take(machine, machine->next_);
    }
    if (machine->missed_ != 0) {
        flow_world *world = machine->fired_.source_.world_;
        machine->state = FLOW_MACHINE_OVER;
        (void)flow__misuse(world, world->current,
                           "flow_machine_runs: no FLOW_IN_STATE is for the machine's state");
    }
    machine->missed_ = machine->state != FLOW_MACHINE_OVER;
    return machine->missed_;
}

flow_status flow_machine_fire(flow_machine *machine, const char *name)
{
    if (machine->state == FLOW_MACHINE_OVER || machine->desc_ == NULL) {
        return FLOW_CLOSED;
    }
    if (machine->next_ != NULL) {
        return FLOW_PENDING;
    }
    for (int i = 0; i < machine->desc_->count; i++) {
        const flow_transition *move = &machine->desc_->moves[i];
        if (leaves(machine, move) && strcmp(move->name, name) == 0) {
            machine->next_ = move;
            (void)flow_emit(&machine->fired_, NULL);
            return FLOW_OK;
        }
    }
    return FLOW_EMPTY;
}

int flow_machine_enter_(flow_machine *machine, int state)
{
    if (machine->state != state || machine->next_ != NULL) {
        return 0;
    }
    machine->fresh_ = 1;
    machine->missed_ = 0;
    return 1;
}

/* Asks the conditions; not in the tick in which the state was entered, so that conditions that hold
 * one another's way make one move a tick. */
int flow_machine_asks_(void *arg)
{
    flow_machine *machine = arg;
    if (machine->fresh_) {
        machine->fresh_ = 0;
        return 0;
    }
    for (int i = 0; i < machine->desc_->count && machine->next_ == NULL; i++) {
        const flow_transition *move = &machine->desc_->moves[i];
        if (move->when != NULL && leaves(machine, move) && move->when(machine->arg) != 0 &&
            machine->next_ == NULL) { /* a condition may have fired one, which is told already */
            machine->next_ = move;
            return 1;
        }
    }
    return 0;
}

void flow_machine_left_(flow_machine *machine)
{
    const flow_transition *next = machine->next_;
    for (int i = 0; i < machine->desc_->count && next == NULL; i++) {
        const flow_transition *move = &machine->desc_->moves[i];
        next = move->on_end && leaves(machine, move) ? move : NULL;
    }
    move_take(machine, next);
}
