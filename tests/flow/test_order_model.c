/* SPDX-License-Identifier: MIT */
/*
 * A random story against a naive reference. A few hundred flows on five clocks begin waits of every
 * polled, counted and timed kind, in and between ticks; clocks change their scale, flows are
 * cancelled and started. The reference keeps the waits in one array and sorts those that are due by
 * the rule of the tick; each resume must be the next one that it names.
 */
#include "flows.h"

enum { CLOCKS = 5, PENDING = 512, FLOWS = 300, TICKS_IN_ALL = 400 };

enum kind { TIMER, TICK, FRAME, UNTIL, KINDS };

/* One wait, as the reference sees it. */
struct pending {
    enum kind kind;
    int clock;   /* whose time, ticks or predicates count */
    int64_t due; /* ns, ticks or frames */
    uint64_t begun;
    int id;
};

struct model {
    struct story *story;
    struct story_random random;
    flow_clock clocks[CLOCKS];
    int percent[CLOCKS]; /* scale, of the clock's own */
    int64_t now[CLOCKS];
    int64_t ticks, frames;
    uint64_t begun;
    struct pending pending[PENDING];
    int count;
    struct pending due[PENDING]; /* of this tick, in order */
    int due_count, due_next;
    flow_handle handles[FLOWS];
    int64_t threshold; /* predicates hold when it has passed their due */
    uint64_t resumes;
};

struct actor {
    flow_frame base;
    struct model *model;
    int id;
    int clock;
    int64_t passes; /* of its predicate */
};

static int has_passed(void *arg)
{
    const struct actor *actor = arg;
    return actor->model->threshold >= actor->passes;
}

static void expect_wait(struct model *model, enum kind kind, int clock, int64_t due, int id)
{
    assert_true(model->count < PENDING);
    model->pending[model->count++] = (struct pending){kind, clock, due, model->begun++, id};
}

/* What this actor does next, told to the reference too. */
static flow_wait choose(struct model *model, struct actor *self)
{
    uint32_t how = story_random_below(&model->random, 8);
    int64_t n = 1 + story_random_below(&model->random, 5);
    if (how < 2) {
        expect_wait(model, TICK, self->clock, model->ticks + (how ? n : 1), self->id);
        return how ? flow_ticks(n) : flow_next_tick();
    }
    if (how < 4) {
        expect_wait(model, FRAME, self->clock, model->frames + (how == 3 ? n : 1), self->id);
        return how == 3 ? flow_frames(n) : flow_next_frame();
    }
    if (how < 7) {
        int clock = how == 6 ? (int)story_random_below(&model->random, CLOCKS) : self->clock;
        int64_t ms =
            (int64_t)story_random_below(&model->random, 60) - 5; /* few values: many ties */
        expect_wait(model, TIMER, clock, model->now[clock] + (ms > 0 ? ms : 0) * 1000000, self->id);
        return how == 6 ? flow_seconds_on(model->clocks[clock], (double)ms / 1000)
                        : flow_seconds((double)ms / 1000);
    }
    self->passes = model->threshold + n;
    expect_wait(model, UNTIL, self->clock, self->passes, self->id);
    return flow_until(has_passed, self);
}

static void forget(struct model *model, int id)
{
    int kept = 0;
    for (int i = 0; i < model->count; i++) {
        if (model->pending[i].id != id) {
            model->pending[kept++] = model->pending[i];
        }
    }
    model->count = kept;
    kept = model->due_next;
    for (int i = model->due_next; i < model->due_count; i++) {
        if (model->due[i].id != id) {
            model->due[kept++] = model->due[i];
        }
    }
    model->due_count = kept;
}

/* This one resumes: it must be the reference's next. */
static void resumed(struct model *model, const struct actor *self)
{
    assert_true(model->due_next < model->due_count);
    assert_int_equal(model->due[model->due_next].id, self->id);
    model->due_next++;
    model->resumes++;
    if (story_random_below(&model->random, 16) == 0) {
        int other = (int)story_random_below(&model->random, FLOWS);
        if (other != self->id) {
            forget(model, other);
            (void)flow_cancel(model->story->world, model->handles[other]);
        }
    }
}

FLOW_STATIC(actor)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(choose(self->model, self));
        resumed(self->model, self);
    }
    FLOW_END;
}

static int step_of(enum kind kind)
{
    return kind == TIMER ? 3 : kind == UNTIL ? 5 : 4;
}

/* The rule: step, clock, deadline for timers, begin. */
static int goes_before(const struct pending *a, const struct pending *b)
{
    if (step_of(a->kind) != step_of(b->kind)) {
        return step_of(a->kind) < step_of(b->kind);
    }
    if (a->clock != b->clock) {
        return a->clock < b->clock;
    }
    if (a->kind == TIMER && a->due != b->due) {
        return a->due < b->due;
    }
    return a->begun < b->begun;
}

static int is_due(const struct model *model, const struct pending *p)
{
    int64_t at[KINDS];
    at[TIMER] = model->now[p->clock];
    at[TICK] = model->ticks;
    at[FRAME] = model->frames;
    at[UNTIL] = model->threshold;
    return at[p->kind] >= p->due;
}

static void sort_due(struct model *model)
{
    int kept = 0;
    model->due_count = model->due_next = 0;
    for (int i = 0; i < model->count; i++) {
        if (!is_due(model, &model->pending[i])) {
            model->pending[kept++] = model->pending[i];
            continue;
        }
        int at = model->due_count++;
        for (; at > 0 && goes_before(&model->pending[i], &model->due[at - 1]); at--) {
            model->due[at] = model->due[at - 1];
        }
        model->due[at] = model->pending[i];
    }
    model->count = kept;
}

/* Clocks: 0 unscaled, 1 game, 2 and 3 children of game, 4 a child of 2. */
static void advance(struct model *model, int ms)
{
    static const int parents[CLOCKS] = {-1, 0, 1, 1, 2};
    for (int clock = 0; clock < CLOCKS; clock++) {
        int64_t ns = (int64_t)ms * 1000000;
        for (int at = clock; at > 0; at = parents[at]) {
            ns = ns * model->percent[at] / 100;
        }
        model->now[clock] += ns;
    }
    model->ticks++;
    model->threshold++;
}

static void restart_the_fallen(struct model *model)
{
    for (int id = 0; id < FLOWS; id++) {
        if (flow_state_of(model->story->world, model->handles[id]) != FLOW_STATE_LIVE) {
            int clock = (int)story_random_below(&model->random, CLOCKS);
            flow_options options = {.clock = model->clocks[clock]};
            model->handles[id] = FLOW_RUN_WITH(model->story->world, &options, actor, .model = model,
                                               .id = id, .clock = clock);
        }
    }
}

static void disturb(struct model *model)
{
    static const int percents[] = {0, 50, 100, 200, 25};
    uint32_t clock = 1 + story_random_below(&model->random, CLOCKS - 1);
    uint32_t percent = story_random_below(&model->random, 5);
    if (story_random_below(&model->random, 4) == 0) {
        model->percent[clock] = percents[percent];
        assert_int_equal(flow_clock_set_scale(model->story->world, model->clocks[clock],
                                              percents[percent] / 100.0),
                         FLOW_OK);
    }
    for (int i = 0; i < 5; i++) {
        int id = (int)story_random_below(&model->random, FLOWS);
        forget(model, id);
        (void)flow_cancel(model->story->world, model->handles[id]);
    }
    restart_the_fallen(model);
}

static void random_waits_resume_as_a_naive_reference_says(void **state)
{
    (void)state;
    static struct model model;
    struct story story;
    story_begin(&story, NULL);
    model = (struct model){
        .story = &story, .random = {story_seed(20)}, .percent = {100, 100, 100, 100, 100}};
    model.clocks[0] = FLOW_CLOCK_UNSCALED;
    model.clocks[1] = FLOW_CLOCK_GAME;
    for (int i = 2; i < CLOCKS; i++) {
        model.clocks[i] = flow_clock_create(story.world, model.clocks[i == 4 ? 2 : 1], "own");
    }
    restart_the_fallen(&model);
    for (int i = 0; i < TICKS_IN_ALL; i++) {
        int ms = 4 * (int)story_random_below(&model.random, 6);
        if (story_random_below(&model.random, 3) != 0) { /* some frames have two ticks, some none */
            model.frames++;
            assert_int_equal(flow_world_begin_frame(story.world, ms / 1000.0), FLOW_OK);
        }
        advance(&model, ms);
        sort_due(&model);
        assert_int_equal(flow_world_tick(story.world, FLOW_UPDATE, ms / 1000.0), FLOW_OK);
        assert_int_equal(model.due_next, model.due_count);
        for (int clock = 0; clock < CLOCKS; clock++) {
            assert_int_equal(flow_clock_now_ns(story.world, model.clocks[clock], FLOW_UPDATE),
                             model.now[clock]);
        }
        disturb(&model);
    }
    assert_in_range(model.resumes, 10000, 1000000);
    assert_int_equal(flow_world_counters(story.world).live, FLOWS);
    story_end(&story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_waits_resume_as_a_naive_reference_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
