/* SPDX-License-Identifier: MIT */
/*
 * State machines whose states are flows.
 *
 *     enum { PATROL, CHASE, DEAD, STATES };
 *     static const flow_transition moves[] = {
 *         {"sees the player", PATROL, CHASE, .when = enemy_sees_player},
 *         {"lost him", CHASE, PATROL, .on_end = 1},
 *         {"killed", FLOW_ANY_STATE, DEAD},
 *     };
 *     static const flow_machine_desc guard_desc = {.states = STATES, .moves = moves, .count = 3};
 *
 *     FLOW_STATIC(guard)
 *     {
 *         FLOW_BEGIN;
 *         if (flow_machine_begin(flow, &self->machine, &guard_desc, self->enemy) != FLOW_OK) {
 *             FLOW_RETURN;
 *         }
 *         while (flow_machine_runs(&self->machine)) {
 *             FLOW_IN_STATE(&self->machine, PATROL, FLOW_CALL(patrol, .enemy = self->enemy));
 *             FLOW_IN_STATE(&self->machine, CHASE, FLOW_CALL(chase, .enemy = self->enemy));
 *             FLOW_IN_STATE(&self->machine, DEAD, FLOW_CALL(die, .enemy = self->enemy));
 *         }
 *         FLOW_END;
 *     }
 *
 * A state is whatever is awaited in it, with its own arguments; leaving it unwinds that, the awaits
 * of its finally sections included, before the next one is entered. A transition is taken because
 * its condition holds, because somebody fires it by its name, or because the state has ended by
 * itself; the first of these wins. What is fired stops the state at that moment: it does not resume
 * any more. World's thread only.
 */
#ifndef FLOW_MACHINE_H
#define FLOW_MACHINE_H

#include "flow/compose.h"
#include "flow/signal.h"

FLOW_EXTERN_C_BEGIN_

enum {
    FLOW_MACHINE_OVER = -1, /* to leave for: the machine ends; the state of one that has ended */
    FLOW_ANY_STATE = -2     /* to leave from */
};

/* One way out of a state. Where several are open at once, the first of the table is taken. */
typedef struct flow_transition {
    const char *name; /* to fire it by, and for logs */
    int from;         /* a state, or FLOW_ANY_STATE */
    int to;           /* a state, the same one too (it begins anew), or FLOW_MACHINE_OVER */
    int on_end;       /* taken when the state ends by itself; without one the machine ends then */
    flow_predicate when; /* asked with the machine's arg in each tick of the flow, from the first
                            after the one in which the state was entered; null: by name alone */
} flow_transition;

typedef struct flow_machine flow_machine;

/* What a machine is; borrowed as long as one runs by it, and usually static. Start from {0}. */
typedef struct flow_machine_desc {
    int states; /* they are 0 .. states - 1 */
    int first;
    const flow_transition *moves;
    int count; /* of moves */
    /* Told of each state that is entered, the first one too, before it runs, and of the machine's
     * end by a transition; machine->last is what led there. It may fire. Null: nobody. */
    void (*changed)(void *arg, flow_machine *machine);
} flow_machine_desc;

/* A machine, in the frame of the flow that runs it. */
struct flow_machine {
    int state;                   /* the present one, or FLOW_MACHINE_OVER */
    const flow_transition *last; /* what led to it; null: nothing yet, or an end without one */
    void *arg;
    const flow_machine_desc *desc_;
    const flow_transition *next_; /* under way */
    FLOW_SIGNAL(flow_nothing) fired_;
    uint8_t fresh_, missed_;
};

/* Begins a machine in its first state, once in a scope (the function that calls), with which it
 * ends; arg is handed to conditions and `changed`. OK; NOMEM; MISUSE for a table that names states
 * which are not there: then the machine is over. */
FLOW_NODISCARD_ flow_status flow_machine_begin(flow_task *flow, flow_machine *machine,
                                               const flow_machine_desc *desc, void *arg);

/* Is it in a state? For the loop around its states. One that was in none of them since it was last
 * asked is misuse, and over: else that loop would have no end. */
int flow_machine_runs(flow_machine *machine);

/* Takes the first transition of that name that leaves the present state, from anywhere: the host,
 * other flows, the state itself (which ends at its next await). OK: it will be entered in step 6 of
 * the next tick of the machine's flow, or this one's; PENDING: refused, one is under way already;
 * EMPTY: none of that name leaves this state; CLOSED: the machine is over. O(moves). */
flow_status flow_machine_fire(flow_machine *machine, const char *name);

int flow_machine_enter_(flow_machine *machine, int state);
int flow_machine_asks_(void *machine);
void flow_machine_left_(flow_machine *machine);

FLOW_EXTERN_C_END_

#ifndef __cplusplus

/* If the machine is in that state: awaits `wait` until it ends or a transition is taken. Fails as
 * the wait fails, which ends the machine with its scope. Once for each state, in the loop. */
#define FLOW_IN_STATE(machine, state, wait)                                                        \
    do {                                                                                           \
        if (flow_machine_enter_((machine), (state))) {                                             \
            FLOW_AWAIT(                                                                            \
                flow_race(NULL, flow_next(&(machine)->fired_, NULL), wait,                         \
                          flow_until_(flow_machine_asks_, (machine), "a move of the machine")));   \
            flow_machine_left_(machine);                                                           \
        }                                                                                          \
    } while (0)

#endif /* !__cplusplus */

#endif
