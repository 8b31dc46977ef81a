/* SPDX-License-Identifier: MIT */
/*
 * Clocks. All clocks advance in order of creation, parents before children, so that one pass
 * composes the scales. A lane is what waits in one phase on one clock; it is made when the first
 * flow makes its home there and stays with the clock's slot.
 */
#include "tape.h"

#include <math.h>

enum { CLOCKS_MAX = 65535 };

flow_clock_state *flow__clock(const flow_world *world, flow_clock clock)
{
    uint32_t index = clock & 0xffff;
    if (index == 0 || index >= world->clock_count) {
        return NULL;
    }
    flow_clock_state *c = world->clocks[index];
    return c->used && !c->ended && c->generation == clock >> 16 ? c : NULL;
}

static flow_lane *lane_new(flow_world *world)
{
    flow_lane *lane = flow__block_take(world, sizeof *lane);
    if (lane == NULL) {
        return NULL;
    }
    if (!flow__reserve_for_queue(world)) {
        flow__block_give(lane);
        return NULL;
    }
    *lane = (flow_lane){0};
    lane->held.reserved = true;
    return lane;
}

/* The lane, made if it is not there yet; null when there is no memory. Its clock's parent has one
 * too, so that the clock can end without taking memory: those that are missing are made first. */
flow_lane *flow__lane_made(flow_world *world, uint32_t clock, uint32_t phase)
{
    while (flow__lane(world, clock, phase) == NULL) {
        uint32_t highest = clock;
        while (highest > FLOW_CLOCK_GAME &&
               flow__lane(world, world->clocks[highest]->parent, phase) == NULL) {
            highest = world->clocks[highest]->parent;
        }
        flow_lane *lane = lane_new(world);
        if (lane == NULL) {
            return NULL;
        }
        world->lanes[flow__lane_index(highest, phase)] = lane;
    }
    return flow__lane(world, clock, phase);
}

/* A slot that a clock had before keeps its lanes: the new parent is to have them too. */
static bool parent_lanes_made(flow_world *world, const flow_clock_state *c)
{
    for (uint32_t phase = 1; phase < FLOW_PHASE_LIMIT; phase++) {
        if (flow__lane(world, c->index, phase) != NULL &&
            flow__lane_made(world, c->parent, phase) == NULL) {
            return false;
        }
    }
    return true;
}

/* One block for all tables: lanes, clocks by index, clocks by age. */
static bool clocks_grow(flow_world *world)
{
    uint32_t capacity = world->clock_capacity ? world->clock_capacity * 2 : 8;
    size_t lanes_size = capacity * FLOW_LANES * sizeof(flow_lane *);
    char *block = flow__block_take(world, lanes_size + 2 * capacity * sizeof(flow_clock_state *));
    if (block == NULL) {
        return false;
    }
    flow_lane **lanes = (flow_lane **)(void *)block;
    flow_clock_state **clocks = (flow_clock_state **)(void *)(block + lanes_size);
    memset(lanes, 0, lanes_size);
    if (world->clocks != NULL) {
        memcpy(lanes, world->lanes, world->clock_count * FLOW_LANES * sizeof(flow_lane *));
        memcpy(clocks, world->clocks, world->clock_count * sizeof(*clocks));
        memcpy(clocks + capacity, world->clock_order, world->clocks_used * sizeof(*clocks));
        flow__block_give(world->lanes);
    }
    world->lanes = lanes;
    world->clocks = clocks;
    world->clock_order = clocks + capacity;
    world->clock_capacity = capacity;
    return true;
}

/* A slot for a clock: a freed one, or a new one. */
static flow_clock_state *clock_slot_take(flow_world *world)
{
    for (uint32_t i = FLOW_CLOCK_GAME + 1; i < world->clock_count; i++) {
        if (!world->clocks[i]->used) { /* its lanes are empty */
            return world->clocks[i];
        }
    }
    if (world->clock_count > CLOCKS_MAX ||
        (world->clock_count >= world->clock_capacity && !clocks_grow(world))) {
        return NULL;
    }
    flow_clock_state *c = flow__block_take(world, sizeof *c);
    if (c != NULL) {
        *c = (flow_clock_state){.index = (uint16_t)world->clock_count};
        world->clocks[world->clock_count++] = c;
    }
    return c;
}

/* Pause counts of a clock and of all above it; one pass, parents come first. */
static void pauses_recount(flow_world *world)
{
    world->paused_clocks = 0;
    for (uint32_t i = 0; i < world->clocks_used; i++) {
        flow_clock_state *c = world->clock_order[i];
        c->paused = (c->pauses != 0) + (c->parent ? world->clocks[c->parent]->paused : 0);
        world->paused_clocks += c->paused != 0;
    }
    world->attention &= (uint8_t)~FLOW_ATTENTION_PAUSED;
    world->attention |= world->paused_clocks ? FLOW_ATTENTION_PAUSED : 0;
}

static flow_clock clock_make(flow_world *world, uint16_t parent, const char *name)
{
    flow_clock_state *c = clock_slot_take(world);
    if (c == NULL) {
        return FLOW_CLOCK_INHERIT;
    }
    c->parent = parent;
    if (!parent_lanes_made(world, c)) {
        return FLOW_CLOCK_INHERIT;
    }
    memset(c->time, 0, sizeof c->time);
    c->name = name ? name : "clock";
    c->scale = 1.0;
    c->used = true;
    c->ended = false;
    c->counts = c->closes = false;
    c->pauses = 0;
    world->clock_order[world->clocks_used++] = c;
    pauses_recount(world);
    return ((flow_clock)c->generation << 16) | c->index;
}

bool flow__clocks_init(flow_world *world)
{
    if (!clocks_grow(world)) {
        return false;
    }
    world->clocks[0] = NULL;
    world->clock_count = 1;
    return clock_make(world, 0, "real") == FLOW_CLOCK_REAL &&
           clock_make(world, 0, "unscaled") == FLOW_CLOCK_UNSCALED &&
           clock_make(world, (uint16_t)FLOW_CLOCK_UNSCALED, "game") == FLOW_CLOCK_GAME;
}

flow_clock flow_clock_create(flow_world *world, flow_clock parent, const char *name)
{
    flow_clock_state *p = flow__clock(world, parent ? parent : FLOW_CLOCK_GAME);
    if (p == NULL) {
        (void)flow__misuse(world, NULL, "flow_clock_create: the parent is no clock of this world");
        return FLOW_CLOCK_INHERIT;
    }
    return clock_make(world, p->index, name);
}

/* ---- waits on another clock than the flow's ---- */

/* A change of phase moves the flow, which stays on its own clock: that one is to have its lane
 * there. */
bool flow__phase_lane_made(flow_world *world, uint16_t own, const flow_wait *wait)
{
    return wait->kind_ != FLOW_WAIT_PHASE_ || wait->code_ <= FLOW_INHERIT ||
           wait->code_ >= FLOW_PHASE_LIMIT ||
           flow__lane_made(world, own, (uint32_t)wait->code_) != NULL;
}

/* Makes the clock that `wait` names the flow's own until it is taken back, before anything else
 * happens to the flow. False: result says why not. */
bool flow__clock_lend(flow_world *world, flow_task *flow, const flow_wait *wait,
                      flow_result *result)
{
    flow_clock clock = (flow_clock)wait->code_;
    const flow_clock_state *c =
        clock != FLOW_CLOCK_INHERIT ? flow__clock(world, clock) : world->clocks[flow->clock_];
    if (c == NULL) {
        (void)flow__begun_failed(result, FLOW_CLOSED, "a wait on a clock that has ended");
        return false;
    }
    if (flow__lane_made(world, c->index, flow->phase_) == NULL) {
        (void)flow__begun_failed(result, FLOW_NOMEM, "no memory for a wait");
        return false;
    }
    flow->clock_ = c->index;
    return true;
}

/* What began may have ended the flow's own clock. */
void flow__clock_take_back(const flow_world *world, flow_task *flow, uint16_t own)
{
    flow->clock_ = world->clocks[own]->ended ? world->clocks[own]->parent : own;
}

/* ---- the end of a clock ---- */

/* Flows at home on the clock go home to its parent; those whose wait stands in its lanes stay until
 * that has failed. */
static void rehome(flow_world *world, const flow_clock_state *from)
{
    for (uint32_t page = 0; page < world->tasks.pages; page++) {
        for (uint32_t slot = 0; slot < FLOW_TASKS_PER_PAGE; slot++) {
            flow_task *task = flow__task(world, (page << FLOW_ID_SHIFT) | slot);
            bool in_lane = task->kind_ >= FLOW_KIND_HELD && task->kind_ <= FLOW_KIND_TIMER;
            if (task->kind_ != FLOW_KIND_FREE && task->clock_ == from->index && !in_lane) {
                task->clock_ = from->parent;
            }
        }
    }
}

static bool lane_empty(const flow_world *world, const flow_clock_state *c, uint32_t phase)
{
    const flow_lane *lane = flow__lane(world, c->index, phase);
    return lane == NULL ||
           (lane->held.first == lane->held.end && lane->ticks.first == lane->ticks.end &&
            lane->frames.first == lane->frames.end && lane->timers.count == lane->timers.stale &&
            lane->later_ticks.count == lane->later_ticks.stale &&
            lane->later_frames.count == lane->later_frames.stale && lane->until_first == NULL);
}

/* Ended clocks on which nothing waits any more leave the order of clocks; their slots are free. */
void flow__clocks_reap(flow_world *world)
{
    uint32_t kept = 0;
    bool ended = false;
    if (!(world->attention & FLOW_ATTENTION_ENDED)) {
        return;
    }
    for (uint32_t i = 0; i < world->clocks_used; i++) {
        flow_clock_state *c = world->clock_order[i];
        bool idle = c->ended;
        for (uint32_t phase = 1; phase < FLOW_PHASE_LIMIT && idle; phase++) {
            idle = lane_empty(world, c, phase);
        }
        c->used = !idle;
        ended = ended || (c->ended && !idle);
        world->clock_order[kept] = c;
        kept += !idle;
    }
    world->clocks_used = kept;
    if (!ended) {
        world->attention &= (uint8_t)~FLOW_ATTENTION_ENDED;
    }
}

flow_status flow_clock_destroy(flow_world *world, flow_clock clock)
{
    flow_clock_state *c = flow__clock(world, clock);
    if (c == NULL) {
        return FLOW_STALE;
    }
    if (c->index <= FLOW_CLOCK_GAME) {
        return flow__misuse(
            world, NULL, "flow_clock_destroy: real, unscaled and game last as long as the world");
    }
    for (uint32_t i = 0; i < world->clocks_used; i++) {
        flow_clock_state *other = world->clock_order[i];
        other->parent = other->parent == c->index ? c->parent : other->parent;
    }
    rehome(world, c);
    c->ended = true;
    world->attention |= FLOW_ATTENTION_ENDED;
    c->counts = c->closes = false;
    c->generation++;
    c->pauses = 0;
    pauses_recount(world);
    world->released = UINT32_MAX;
    return FLOW_OK;
}

static bool is_above(const flow_world *world, uint32_t clock, uint32_t of)
{
    while (of != 0 && of != clock) {
        of = world->clocks[of]->parent;
    }
    return of == clock;
}

flow_status flow_clock_pause(flow_world *world, flow_clock clock)
{
    flow_clock_state *c = flow__clock(world, clock);
    if (c == NULL) {
        return FLOW_STALE;
    }
    if (c->index <= FLOW_CLOCK_UNSCALED) {
        return flow__misuse(world, world->current,
                            "flow_clock_pause: real and unscaled are never paused");
    }
    if (flow__listened(world)) {
        flow__tape_clock(world, FLOW_INPUT_PAUSE, clock, 0.0);
    }
    c->pauses++;
    pauses_recount(world);
    if (world->current != NULL && c->pauses == 1 &&
        is_above(world, c->index, world->current->clock_)) {
        flow__warn(world, FLOW_WARNING_OWN_CLOCK_PAUSED, world->current, NULL);
    }
    return FLOW_OK;
}

flow_status flow_clock_release(flow_world *world, flow_clock clock)
{
    flow_clock_state *c = flow__clock(world, clock);
    if (c == NULL) {
        return FLOW_STALE;
    }
    if (c->pauses == 0) {
        return flow__misuse(world, world->current, "flow_clock_release: the clock is not paused");
    }
    if (flow__listened(world)) {
        flow__tape_clock(world, FLOW_INPUT_RELEASE, clock, 0.0);
    }
    c->pauses--;
    pauses_recount(world);
    world->released = UINT32_MAX;
    return FLOW_OK;
}

uint32_t flow_clock_pauses(const flow_world *world, flow_clock clock)
{
    const flow_clock_state *c = flow__clock(world, clock);
    return c ? c->pauses : 0;
}

int flow_clock_is_paused(const flow_world *world, flow_clock clock)
{
    const flow_clock_state *c = flow__clock(world, clock);
    return c != NULL && c->paused != 0;
}

flow_status flow_clock_set_scale(flow_world *world, flow_clock clock, double scale)
{
    flow_clock_state *c = flow__clock(world, clock);
    if (c == NULL) {
        return FLOW_STALE;
    }
    if (!(scale >= 0.0) || isinf(scale)) {
        flow__warn(world, FLOW_WARNING_BAD_SCALE, world->current, NULL);
        return FLOW_MISUSE;
    }
    if (c->index <= FLOW_CLOCK_UNSCALED) {
        return flow__misuse(world, world->current,
                            "flow_clock_set_scale: real and unscaled are never scaled");
    }
    if (flow__listened(world)) {
        flow__tape_clock(world, FLOW_INPUT_SCALE, clock, scale);
    }
    c->scale = scale;
    return FLOW_OK;
}

double flow_clock_scale(const flow_world *world, flow_clock clock)
{
    const flow_clock_state *c = flow__clock(world, clock);
    return c ? c->scale : 0.0;
}

/* A product of scales, each finite, may not be. */
static double scale_capped(double scale)
{
    return scale < 1e300 ? scale : 1e300;
}

double flow_clock_effective_scale(const flow_world *world, flow_clock clock)
{
    const flow_clock_state *c = flow__clock(world, clock);
    if (c == NULL || c->paused) {
        return 0.0;
    }
    double scale = c->scale;
    for (uint32_t parent = c->parent; parent != 0; parent = world->clocks[parent]->parent) {
        scale *= world->clocks[parent]->scale;
    }
    return scale_capped(scale);
}

/* Rounds to the nearest nanosecond and carries what is left: nothing is lost, and 0.3 s is
 * 300,000,000. */
static void time_add(flow_time *time, double seconds)
{
    double exact = seconds * 1e9 + time->remainder;
    exact = exact < 4e18 ? exact : 4e18;
    time->step = (int64_t)(exact + 0.5);
    time->remainder = exact - (double)time->step;
    FLOW_FAULT_(7) time->remainder = 0.0;
    time->now = time->now < INT64_MAX - time->step ? time->now + time->step : INT64_MAX;
}

/* Is it FIXED, or a phase of the host's that goes with it? */
static bool is_fixed(const flow_world *world, uint32_t phase)
{
    return (world->fixed_phases >> phase & 1) != 0;
}

/* Step 1 of a tick. In FIXED real, unscaled and game all take the host's step; real's other phases
 * move in begin_frame. */
void flow__clocks_advance(flow_world *world, flow_phase phase, double dt)
{
    bool fixed = is_fixed(world, (uint32_t)phase);
    for (uint32_t i = 0; i < world->clocks_used; i++) {
        flow_clock_state *c = world->clock_order[i];
        c->counts = c->paused == 0 && !c->ended;
        c->closes = c->ended;
        if (!c->counts) {
            c->time[phase].step = 0;
            continue;
        }
        c->time[phase].ticks++;
        if (c->index == FLOW_CLOCK_REAL && !fixed) {
            continue;
        }
        double scale = 1.0;
        for (uint32_t at = c->index; at > FLOW_CLOCK_UNSCALED; at = world->clocks[at]->parent) {
            scale *= at == FLOW_CLOCK_GAME && fixed ? 1.0 : world->clocks[at]->scale;
        }
        time_add(&c->time[phase], dt * scale_capped(scale));
    }
}

/* Of begin_frame: the clock real, in every phase but the fixed ones. */
static void real_advance(flow_world *world, double dt)
{
    for (uint32_t phase = 1; phase < FLOW_PHASE_LIMIT; phase++) {
        if (!is_fixed(world, phase)) {
            time_add(&world->clocks[FLOW_CLOCK_REAL]->time[phase], dt);
        }
    }
}

static double dt_checked(flow_world *world, double dt)
{
    if (dt >= 0.0 && dt <= 1e9) {
        return dt;
    }
    flow__warn(world, FLOW_WARNING_BAD_DT, NULL, NULL);
    return 0.0;
}

flow_status flow_world_begin_frame(flow_world *world, double real_dt)
{
    if (flow__elsewhere(world,
                        "flow_world_begin_frame: called on another thread than the world's")) {
        return FLOW_MISUSE;
    }
    if (world->inside || world->current != NULL) {
        (void)flow__misuse(world, world->current,
                           "flow_world_begin_frame: called from inside the world");
        return FLOW_REENTRANT;
    }
    if (flow__listened(world)) {
        flow__tape_time(world, FLOW_INPUT_FRAME, FLOW_INHERIT, real_dt);
    }
    bool profiled = flow__profiled(world);
    if (profiled) {
        flow__profile_tick(world, FLOW_INHERIT);
    }
    world->frame++;
    real_advance(world, dt_checked(world, real_dt));
    flow__age_frame(world);
    if (!flow__inbox_empty(&world->inbox) || (world->tape != NULL && flow__replays(world))) {
        flow__inbox_take(world);
    }
    if (profiled) {
        flow__profile_close(world);
    }
    return flow__met(world);
}

double flow__tick_dt(flow_world *world, double dt)
{
    return dt_checked(world, dt);
}

int64_t flow_clock_now_ns(const flow_world *world, flow_clock clock, flow_phase phase)
{
    const flow_clock_state *c = flow__clock(world, clock);
    return c != NULL && (unsigned)phase < FLOW_PHASE_LIMIT ? c->time[phase].now : 0;
}

double flow_clock_now(const flow_world *world, flow_clock clock, flow_phase phase)
{
    return (double)flow_clock_now_ns(world, clock, phase) * 1e-9;
}

static const flow_time *time_of(const flow_task *flow)
{
    return &flow__world_of(flow)->clocks[flow->clock_]->time[flow->phase_];
}

int64_t flow_now_ns(const flow_task *flow)
{
    return time_of(flow)->now;
}

double flow_now(const flow_task *flow)
{
    return (double)time_of(flow)->now * 1e-9;
}

double flow_dt(const flow_task *flow)
{
    return (double)time_of(flow)->step * 1e-9;
}

uint64_t flow_tick_count(const flow_task *flow)
{
    return time_of(flow)->ticks;
}

double flow_lateness(const flow_task *flow)
{
    return flow->marks_ & FLOW_MARK_LATE ? flow__cold(flow)->late * 1e-9 : 0.0;
}
