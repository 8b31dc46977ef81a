/* SPDX-License-Identifier: MIT */
/*
 * Lockstep: a world that is pumped by hand. Each peer has two worlds: the simulation, which is
 * ticked only when the commands of everybody for the next turn have arrived, with the same dt
 * everywhere; and the view, which goes on with every rendered frame.
 */
#include "flows.h"

enum { PEERS = 2, TURNS = 40, UNITS = 3 };

/* A turn's commands: one of each peer. */
struct command {
    int peer, unit, target;
};

/* The simulation of one peer: what its flows work on is its own. */
struct sim {
    flow_world *world;
    FLOW_SIGNAL(struct command) commands;
    int place[UNITS];
    int turn;
    uint64_t hash[TURNS]; /* of the trace and of where everybody is, after each turn */
};

/* A unit walks to where it is sent, a step in each tick, and rests half a second there. */
struct unit {
    flow_frame base;
    struct sim *sim;
    int self_is, index;
    struct command command;
};

static int for_unit(const void *value, void *arg)
{
    return ((const struct command *)value)->unit == ((const struct unit *)arg)->self_is;
}

struct walk {
    flow_frame base;
    struct sim *sim;
    int unit, target;
};

FLOW_STATIC(walk)
{
    int *place;
    FLOW_BEGIN;
    for (;;) {
        place = &self->sim->place[self->unit];
        if (*place == self->target) {
            break;
        }
        *place += *place < self->target ? 1 : -1;
        FLOW_AWAIT(flow_next_tick());
    }
    FLOW_AWAIT(flow_seconds(0.5));
    FLOW_END;
}

FLOW_STATIC(unit)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_RACE(self->index, flow_next_if(&self->sim->commands, &self->command, for_unit, self),
                  FLOW_CALL(walk, .sim = self->sim, .unit = self->self_is,
                            .target = self->command.target));
    }
    FLOW_END;
}

static void sim_begin(struct sim *sim)
{
    *sim = (struct sim){.world = flow_world_create(&(flow_world_desc){.name = "simulation"})};
    assert_non_null(sim->world);
    flow_world_trace(sim->world, NULL, NULL);
    assert_int_equal(flow_signal_init(&sim->commands, sim->world), FLOW_OK);
    for (int i = 0; i < UNITS; i++) {
        (void)FLOW_RUN(sim->world, unit, .sim = sim, .self_is = i);
    }
}

/* The pump: one turn is one frame of the simulation, whatever frames are rendered. */
static void sim_turn(struct sim *sim, const struct command commands[PEERS])
{
    for (int peer = 0; peer < PEERS; peer++) { /* in the order of peers, on every peer */
        (void)flow_emit(&sim->commands, &commands[peer]);
    }
    assert_int_equal(flow_world_begin_frame(sim->world, 0.1), FLOW_OK);
    assert_int_equal(flow_world_tick(sim->world, FLOW_UPDATE, 0.1), FLOW_OK);
    uint64_t hash = flow_world_trace_hash(sim->world);
    for (int i = 0; i < UNITS; i++) {
        hash = hash * 1099511628211u + (uint64_t)sim->place[i];
    }
    sim->hash[sim->turn++] = hash;
}

/* What peer `peer` commands in a turn. */
static struct command command_of(int peer, int turn)
{
    struct story_random random = {(uint64_t)(turn * PEERS + peer) * 7919u + 1u};
    (void)story_random_next(&random);
    struct command command = {.peer = peer};
    command.unit = (int)story_random_below(&random, UNITS);
    command.target = (int)story_random_below(&random, 20) - 10;
    return command;
}

/* By which frame the commands of a turn have arrived at a peer: the network delays them. */
static int arrives(int peer, int turn)
{
    static const int delays[PEERS][5] = {{0, 4, 1, 0, 2}, {3, 0, 0, 6, 1}};
    return turn * 2 + delays[peer][turn % 5];
}

static void turns(struct sim *sim, struct story *view, int peer, int frame_ms)
{
    int frames = 0, waited = 0;
    while (sim->turn < TURNS) {
        story_frame(view, frame_ms); /* the view never waits */
        frames++;
        if (arrives(peer, sim->turn) > frames) {
            waited++;
            continue; /* nothing in the simulation moves, not even its time */
        }
        struct command commands[PEERS];
        for (int i = 0; i < PEERS; i++) {
            commands[i] = command_of(i, sim->turn);
        }
        sim_turn(sim, commands);
    }
    assert_true(waited > 0);
    assert_int_equal(flow_world_frame(sim->world), TURNS);
    assert_int_equal(flow_clock_now_ns(sim->world, FLOW_CLOCK_GAME, FLOW_UPDATE), 4000000000);
    assert_int_equal(flow_world_frame(view->world), frames);
}

static void peers_that_pump_their_worlds_in_lockstep_stay_equal(void **state)
{
    struct sim sims[PEERS];
    (void)state;
    for (int peer = 0; peer < PEERS; peer++) {
        struct story view;
        story_begin(&view, NULL);
        sim_begin(&sims[peer]);
        turns(&sims[peer], &view, peer, peer == 0 ? 16 : 33);
        story_end(&view);
    }
    for (int turn = 0; turn < TURNS; turn++) {
        assert_int_equal(sims[0].hash[turn], sims[1].hash[turn]);
    }
    assert_memory_equal(sims[0].place, sims[1].place, sizeof sims[0].place);
    assert_int_not_equal(sims[0].hash[TURNS - 1], sims[0].hash[TURNS - 2]);
    for (int peer = 0; peer < PEERS; peer++) {
        flow_signal_fini(&sims[peer].commands);
        assert_int_equal(flow_world_destroy(sims[peer].world), FLOW_OK);
    }
}

static void a_command_that_differs_shows_in_the_hash_of_its_turn(void **state)
{
    struct sim sims[PEERS];
    int differs = -1;
    (void)state;
    for (int peer = 0; peer < PEERS; peer++) {
        sim_begin(&sims[peer]);
        for (int turn = 0; turn < TURNS; turn++) {
            struct command commands[PEERS] = {command_of(0, turn), command_of(1, turn)};
            if (turn == 17) { /* one of them hears left for right */
                commands[0] = commands[1] = (struct command){.unit = 1, .target = peer ? -99 : 99};
            }
            sim_turn(&sims[peer], commands);
        }
    }
    for (int turn = TURNS - 1; turn >= 0; turn--) {
        differs = sims[0].hash[turn] != sims[1].hash[turn] ? turn : differs;
    }
    assert_int_equal(differs, 17);
    for (int peer = 0; peer < PEERS; peer++) {
        flow_signal_fini(&sims[peer].commands);
        assert_int_equal(flow_world_destroy(sims[peer].world), FLOW_OK);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(peers_that_pump_their_worlds_in_lockstep_stay_equal),
        cmocka_unit_test(a_command_that_differs_shows_in_the_hash_of_its_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
