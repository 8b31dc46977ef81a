/* SPDX-License-Identifier: MIT */
/* Record and replay: every input that a world can have, from the host, threads and jobs. */
#include "executors.h"
#include "flows.h"
#include "replayed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a room with one of everything ---- */

struct room {
    FLOW_SIGNAL(int) signal;
    FLOW_SIGNAL(int) closing;
    FLOW_PROPERTY(int) property;
    FLOW_ONCE(int) once, failing;
    FLOW_COMPLETION(int) completion, refused;
    FLOW_CHANNEL(int) channel;
    flow_cancel_source source;
    flow_event event;
    flow_semaphore semaphore;
    flow_handle group, crowd, stopping, single;
    flow_clock clock;
    int got[16]; /* by listener */
    uint64_t seen;
    char log[1024];
};

static struct room room;

static void note(const char *what, int number)
{
    size_t length = strlen(room.log);
    (void)snprintf(room.log + length, sizeof room.log - length, "%s%s %d", length ? ", " : "", what,
                   number);
}

/* Notes what it waited for, again and again. */
struct listener {
    flow_frame base;
    const char *name;
    flow_wait wait;
    int *got;
    flow_outcome outcome;
    int turns;
};

FLOW_STATIC(listener)
{
    FLOW_BEGIN;
    (void)flow_set_name(flow, self->name, -1);
    for (self->turns = 0; self->turns < 3; self->turns++) {
        FLOW_TRY(&self->outcome, self->wait);
        note(self->name, self->outcome.code != 0 ? self->outcome.code : *self->got);
        if (self->outcome.state != FLOW_STATE_DONE) {
            FLOW_RETURN;
        }
        FLOW_AWAIT(flow_next_tick());
    }
    FLOW_END;
}

/* Lives until it is cancelled, or asked to stop. */
struct member {
    flow_frame base;
    int number;
};

static const int member_first = __LINE__ + 1;
FLOW_STATIC(member)
{
    FLOW_BEGIN;
    while (!flow_stop_requested(flow)) {
        FLOW_AWAIT(flow_next_tick());
    }
    FLOW_FINALLY;
    note("gone", self->number);
    FLOW_END;
}

struct sleeper {
    flow_frame base;
};

FLOW_STATIC(sleeper)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(flow_seconds(0.02));
        note("slept", 0);
    }
    FLOW_END;
}

static void listen(flow_world *world, const char *name, int *got, flow_wait wait)
{
    (void)FLOW_RUN(world, listener, .name = name, .got = got, .wait = wait);
}

static void room_begin(struct story *s)
{
    story_begin(s, NULL);
    flow_world *w = s->world;
    memset(&room, 0, sizeof room);
    assert_int_equal(flow_signal_init(&room.signal, w), FLOW_OK);
    assert_int_equal(flow_signal_init(&room.closing, w), FLOW_OK);
    assert_int_equal(flow_property_init(&room.property, w, &(int){0}), FLOW_OK);
    assert_int_equal(flow_once_init(&room.once, w), FLOW_OK);
    assert_int_equal(flow_once_init(&room.failing, w), FLOW_OK);
    assert_int_equal(flow_completion_init(&room.completion, w), FLOW_OK);
    assert_int_equal(flow_completion_init(&room.refused, w), FLOW_OK);
    assert_int_equal(flow_channel_init(&room.channel, w, 4), FLOW_OK);
    assert_int_equal(flow_cancel_source_init(&room.source, w), FLOW_OK);
    assert_int_equal(flow_event_init(&room.event, w, FLOW_RESET_AUTO), FLOW_OK);
    assert_int_equal(flow_semaphore_init(&room.semaphore, w, 0), FLOW_OK);
    room.clock = flow_clock_create(w, FLOW_CLOCK_GAME, "slow");
    room.group = flow_group_create(w, &(flow_group_desc){.name = "group"});
    room.crowd = flow_group_create(w, &(flow_group_desc){.name = "crowd"});
    for (int i = 0; i < 3; i++) {
        (void)FLOW_RUN_WITH(w, FLOW_OPTIONS(.owner = room.group), member, .number = i);
        (void)FLOW_RUN_WITH(w, FLOW_OPTIONS(.owner = room.crowd), member, .number = 10 + i);
    }
    room.stopping = FLOW_RUN(w, member, .number = 20);
    room.single = FLOW_RUN(w, member, .number = 21);
    (void)FLOW_RUN_WITH(w, FLOW_OPTIONS(.clock = room.clock), sleeper);
    listen(w, "signal", &room.got[0], flow_next(&room.signal, &room.got[0]));
    listen(w, "closing", &room.got[1], flow_next(&room.closing, &room.got[1]));
    listen(w, "property", &room.got[2],
           flow_property_changed(&room.property, &room.seen, &room.got[2]));
    listen(w, "once", &room.got[3], flow_once_wait(&room.once, &room.got[3]));
    listen(w, "failing", &room.got[4], flow_once_wait(&room.failing, &room.got[4]));
    listen(w, "completion", &room.got[5], flow_completion_wait(&room.completion, &room.got[5]));
    listen(w, "refused", &room.got[6], flow_completion_wait(&room.refused, &room.got[6]));
    listen(w, "channel", &room.got[7], flow_next(&room.channel, &room.got[7]));
    listen(w, "source", &room.got[8], flow_cancelled(&room.source));
    listen(w, "event", &room.got[9], flow_event_wait(&room.event));
    listen(w, "permit", &room.got[10], flow_acquire(&room.semaphore));
}

/* Records what `play` does to a room, and replays it in a fresh one: the same is noted. */
static void same_again(void (*play)(flow_world *world, int frame), int frames, uint64_t inputs,
                       const flow_replay_call *calls, size_t count)
{
    static struct tape tape;
    struct story s;
    char noted[sizeof room.log];
    flow_replay_report report;
    room_begin(&s);
    tape_record(&tape, s.world, calls, count);
    for (int frame = 1; frame <= frames; frame++) {
        play(s.world, frame);
        story_update(&s, 10);
    }
    tape_end(&tape, s.world);
    memcpy(noted, room.log, sizeof noted);
    story_end(&s);
    assert_int_equal(tape.recording.inputs, inputs);
    assert_int_equal(tape.recording.unnamed, 0);
    room_begin(&s);
    if (tape_replay(&tape, s.world, calls, count, &report) != FLOW_VERDICT_EQUAL) {
        fail_msg("%s", report.text);
    }
    assert_string_equal(room.log, noted);
    story_end(&s);
    memcpy(room.log, noted, sizeof noted);
}

/* ---- the host ---- */

static void host_plays(flow_world *w, int frame)
{
    switch (frame) {
    case 1:
        flow_emit(&room.signal, &(int){1});
        flow_signal_fail(&room.closing, 7, "the wire is cut");
        flow_property_set(&room.property, &(int){2});
        flow_once_set(&room.once, &(int){3});
        flow_once_fail(&room.failing, 8, "no");
        break;
    case 2:
        (void)flow_completion_set(&room.completion, &(int){4});
        (void)flow_completion_fail(&room.refused, 9, NULL);
        (void)flow_try_send(&room.channel, &(int){5});
        flow_channel_close(&room.channel);
        flow_cancel_source_cancel(&room.source);
        flow_cancel_source_reset(&room.source);
        break;
    case 3:
        flow_event_set(&room.event);
        flow_event_set(&room.event);
        flow_event_reset(&room.event);
        flow_semaphore_add(&room.semaphore, 2);
        (void)flow_clock_set_scale(w, room.clock, 0.5);
        break;
    case 4:
        (void)flow_clock_pause(w, room.clock);
        (void)flow_cancel(w, room.single);
        (void)flow_request_stop(w, room.stopping);
        break;
    case 5:
        (void)flow_clock_release(w, room.clock);
        (void)flow_group_clear(w, room.group);
        (void)flow_cancel_gradually(w, room.crowd, 1);
        flow_emit(&room.signal, NULL);
        (void)flow_world_flush(w, FLOW_UPDATE);
        break;
    default:
        break;
    }
}

static void what_the_host_does_is_done_again(void **state)
{
    (void)state;
    same_again(host_plays, 10, 2 * 10 + 5 + 6 + 5 + 3 + 5, NULL, 0);
    assert_string_equal(room.log,
                        "property 0, property 2, signal 1, closing 7, once 3, failing 8, slept 0, "
                        "once 3, completion 4, refused 9, channel 5, source 0, once 3, "
                        "completion 4, channel -4, event 0, permit 0, gone 21, gone 20, "
                        "completion 4, permit 0, gone 2, gone 1, gone 0, signal 1, gone 12, "
                        "gone 11, gone 10, slept 0");
}

/* ---- other threads ---- */

static void called(flow_world *world, void *arg)
{
    (void)world;
    note("called", *(int *)arg);
}

static void named(flow_world *world, void *arg)
{
    (void)world;
    note(arg, 0);
}

static char left[] = "left", right[] = "right";

static void freed(flow_world *world, void *arg)
{
    (void)world;
    note("freed", *(int *)arg);
    free(arg);
}

static void *owned(const void *bytes, size_t size)
{
    void *copy = malloc(size);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    return copy;
}

static const flow_replay_call thread_calls[] = {{"called", called, sizeof(int), NULL, NULL},
                                                {"left", named, 0, left, NULL},
                                                {"right", named, 0, right, NULL},
                                                {"freed", freed, sizeof(int), NULL, owned}};

static int numbers[3] = {1, 2, 3};

static void thread_sends(void *arg)
{
    flow_world *w = arg;
    int *mine = owned(&(int){17}, sizeof(int));
    assert_int_equal(flow_post(w, called, &numbers[0]), FLOW_OK);
    assert_int_equal(flow_emit_any_thread(&room.signal, &(int){11}), FLOW_OK);
    assert_int_equal(flow_post(w, named, right), FLOW_OK);
    assert_int_equal(flow_completion_set(&room.completion, &(int){14}), 1);
    assert_int_equal(flow_post(w, freed, mine), FLOW_OK);
    assert_int_equal(flow_property_set_any_thread(&room.property, &(int){12}), FLOW_OK);
    assert_int_equal(flow_post(w, named, left), FLOW_OK);
    assert_int_equal(flow_send_any_thread(&room.channel, &(int){15}), FLOW_OK);
    assert_int_equal(flow_close_any_thread(&room.closing), FLOW_OK);
    assert_int_equal(flow_cancel_any_thread(w, room.single), FLOW_OK);
    assert_int_equal(flow_cancel_source_cancel_any_thread(&room.source), FLOW_OK);
    assert_int_equal(flow_post(w, called, &numbers[1]), FLOW_OK);
}

static void threads_play(flow_world *w, int frame)
{
    if (frame == 2) {
        test_on_thread(thread_sends, w);
    } else if (frame == 3) {
        assert_int_equal(flow_post(w, called, &numbers[2]), FLOW_OK); /* the host, for itself */
    }
}

static void what_threads_sent_is_taken_in_again_in_its_order(void **state)
{
    (void)state;
    same_again(threads_play, 5, 2 * 5 + 12 + 1, thread_calls, 4);
    assert_string_equal(room.log,
                        "property 0, called 1, right 0, freed 17, left 0, gone 21, called 2, "
                        "slept 0, signal 11, completion 14, property 12, channel 15, closing -4, "
                        "source 0, called 3, completion 14, source 0, slept 0, completion 14, "
                        "source 0");
}

/* ---- what the flows send themselves ---- */

struct sender {
    flow_frame base;
    int number;
};

FLOW_STATIC(sender)
{
    FLOW_BEGIN;
    for (self->number = 1; self->number <= 3; self->number++) {
        assert_int_equal(flow_post(flow_world_of(flow), called, &self->number), FLOW_OK);
        assert_int_equal(flow_emit_any_thread(&room.signal, &self->number), FLOW_OK);
        FLOW_AWAIT(flow_next_tick());
    }
    FLOW_AWAIT(flow_never());
    FLOW_END;
}

static void start_sender(flow_world *world, void *arg)
{
    (void)arg;
    (void)FLOW_RUN(world, sender);
}

static const flow_replay_call sender_calls[] = {{"sender", start_sender, 0, NULL, NULL},
                                                {"called", called, sizeof(int), NULL, NULL}};

static void sender_plays(flow_world *w, int frame)
{
    if (frame == 1) {
        flow_world_call(w, start_sender, NULL);
    } else if (frame == 2) {
        assert_int_equal(flow_post(w, called, &(int){30}), FLOW_OK); /* behind the flow's */
        (void)flow_world_begin_frame(w, 0.0);
    }
}

static void what_flows_send_themselves_is_not_sent_twice(void **state)
{
    (void)state;
    same_again(sender_plays, 5, 2 * 5 + 1 + 1 + 6 + 1, sender_calls, 2);
    assert_string_equal(room.log, "property 0, called 1, signal 1, called 2, called 30, slept 0, "
                                  "called 3, signal 3, slept 0");
}

static int dropped, hundred = 100;

static void drop(void *arg)
{
    dropped += *(int *)arg;
}

static void what_comes_to_a_replay_from_elsewhere_takes_no_effect(void **state)
{
    static struct tape tape;
    struct story s;
    flow_replay_report report;
    (void)state;
    room_begin(&s);
    tape_record(&tape, s.world, sender_calls, 2);
    for (int frame = 1; frame <= 4; frame++) {
        sender_plays(s.world, frame == 1);
        story_update(&s, 10);
    }
    tape_end(&tape, s.world);
    story_end(&s);
    room_begin(&s);
    assert_int_equal(flow_world_replay(s.world,
                                       &(flow_replay_desc){tape.bytes, tape.size, sender_calls, 2},
                                       NULL),
                     FLOW_OK);
    dropped = 0;
    do {
        assert_int_equal(flow_post_or(s.world, called, &hundred, drop), FLOW_OK);
        assert_int_equal(flow_emit_any_thread(&room.signal, &(int){100}), FLOW_OK);
    } while (flow_replay_step(s.world));
    assert_int_equal(flow_world_replay_end(s.world, &report), FLOW_VERDICT_EQUAL);
    assert_string_equal(room.log, "property 0, called 1, signal 1, called 2, slept 0, called 3, "
                                  "signal 3, slept 0");
    assert_int_equal(flow_world_inbox(s.world).waiting, 4); /* since the last frame */
    assert_int_equal(dropped % 100, 0);
    s.expect_warnings = 1; /* DROPPED_AT_DESTROY */
    story_end(&s);
}

/* ---- jobs ---- */

struct worker {
    flow_frame base;
    flow_executor *executor;
    int number;
    struct {
        int in, out;
    } data;
};

static int twice(flow_job *job, void *data)
{
    int *numbers_ = data;
    numbers_[1] = 2 * numbers_[0];
    flow_job_progress(job, 0.5);
    if (numbers_[0] > 2) { /* for all that look whose it is */
        (void)flow_completion_set(&room.completion, &numbers_[0]);
    }
    return 0;
}

FLOW_STATIC(worker)
{
    FLOW_BEGIN;
    self->data.in = self->number;
    FLOW_AWAIT(flow_run_on(self->executor, twice, &self->data));
    note("twice", self->data.out);
    FLOW_END;
}

static void two_workers(struct story *s, flow_executor *executor, int number)
{
    room_begin(s);
    (void)FLOW_RUN(s->world, worker, .executor = executor, .number = number);
    (void)FLOW_RUN(s->world, worker, .executor = executor, .number = number + 1);
}

/* Does work where it is given. */
static int do_at_once(void *user, flow_work *work)
{
    (void)user;
    work->run(work, 0);
    return 0;
}

static void a_job_comes_home_in_the_frame_in_which_it_did(void **state)
{
    static struct tape tape;
    struct story s;
    struct hand hand;
    flow_executor at_once = {do_at_once, NULL, NULL, 1};
    flow_replay_report report;
    char noted[sizeof room.log];
    (void)state;
    hand_begin(&hand, 1);
    two_workers(&s, &hand.executor, 1);
    tape_record(&tape, s.world, NULL, 0);
    story_update(&s, 10);
    flow_work *first = hand_take(&hand); /* the second job is done first */
    hand_do(&hand);
    story_update(&s, 10);
    story_update(&s, 10);
    test_on_thread(hand_run, first);
    story_update(&s, 10);
    tape_end(&tape, s.world);
    memcpy(noted, room.log, sizeof noted);
    story_end(&s);
    assert_string_equal(noted, "property 0, slept 0, twice 4, slept 0, twice 2");
    two_workers(&s, &at_once, 1); /* both are done before the first frame, the first one first */
    if (tape_replay(&tape, s.world, NULL, 0, &report) != FLOW_VERDICT_EQUAL) {
        fail_msg("%s", report.text);
    }
    assert_string_equal(room.log, noted);
    story_end(&s);
    hand_begin(&hand, 1); /* and with nobody to do them */
    hand.executor.sleep = NULL;
    two_workers(&s, &hand.executor, 1);
    assert_int_equal(tape_replay(&tape, s.world, NULL, 0, &report), FLOW_VERDICT_DIFFERS);
    assert_string_equal(report.text, "frame 2, end of a job on #2, event 10: recorded: that it was "
                                     "done; now: that job has not come home");
    hand_do_all(&hand);
    story_update(&s, 10);
    story_end(&s);
}

static void a_replay_waits_for_its_workers(void **state)
{
    static struct tape tape;
    struct story s;
    struct pool pool;
    flow_replay_report report;
    (void)state;
    pool_begin(&pool, 2);
    two_workers(&s, &pool.executor, 3);
    tape_record(&tape, s.world, NULL, 0);
    while (strstr(room.log, "twice 6") == NULL || strstr(room.log, "twice 8") == NULL) {
        pool_sleep(&pool, 0.001);
        story_update(&s, 10);
    }
    tape_end(&tape, s.world);
    story_end(&s);
    for (int round = 0; round < 20; round++) {
        two_workers(&s, &pool.executor, 3);
        if (tape_replay(&tape, s.world, NULL, 0, &report) != FLOW_VERDICT_EQUAL) {
            fail_msg("%s", report.text);
        }
        story_end(&s);
    }
    pool_end(&pool);
}

/* ---- the clock ---- */

static uint64_t clock_ns, piece_ns;

static uint64_t read_clock(void *user)
{
    (void)user;
    return clock_ns;
}

/* Works as long as the frame's budget lets it. */
struct digger {
    flow_frame base;
    int pieces;
};

FLOW_STATIC(digger)
{
    FLOW_BEGIN;
    for (self->pieces = 1; self->pieces <= 8; self->pieces++) {
        note("piece", self->pieces);
        clock_ns += piece_ns;
        FLOW_AWAIT(flow_yield_over_budget());
    }
    FLOW_END;
}

static void digger_begin(struct story *s, uint64_t piece)
{
    clock_ns = 0;
    piece_ns = piece;
    memset(&room, 0, sizeof room);
    story_begin(s, &(flow_world_desc){.now_ns = read_clock, .frame_budget = 0.002});
    (void)FLOW_RUN(s->world, digger);
}

static void what_the_clock_said_of_the_budget_is_said_again(void **state)
{
    static struct tape tape;
    struct story s;
    flow_replay_report report;
    (void)state;
    digger_begin(&s, 700000);
    tape_record(&tape, s.world, NULL, 0);
    for (int frame = 1; frame <= 3; frame++) {
        story_update(&s, 10);
        note("frame", frame);
    }
    tape_end(&tape, s.world);
    story_end(&s);
    assert_string_equal(room.log, "piece 1, piece 2, piece 3, piece 4, frame 1, piece 5, piece 6, "
                                  "piece 7, frame 2, piece 8, frame 3");
    assert_int_equal(tape.recording.inputs, 3 * 2 + 7);
    digger_begin(&s, 0); /* a faster machine */
    flow_replay_desc desc = {tape.bytes, tape.size, NULL, 0};
    assert_int_equal(flow_world_replay(s.world, &desc, NULL), FLOW_OK);
    for (int step = 1; flow_replay_step(s.world); step++) {
        if (step % 2 == 0) {
            note("frame", step / 2);
        }
    }
    assert_int_equal(flow_world_replay_end(s.world, &report), FLOW_VERDICT_EQUAL);
    assert_string_equal(room.log, "piece 1, piece 2, piece 3, piece 4, frame 1, piece 5, piece 6, "
                                  "piece 7, frame 2, piece 8, frame 3");
    story_end(&s);
}

/* ---- what the host does itself ---- */

static void a_host_may_do_its_part_itself(void **state)
{
    static struct tape tape;
    struct story s;
    flow_replay_input next;
    flow_replay_report report;
    flow_verdict verdict;
    (void)state;
    room_begin(&s);
    tape_record(&tape, s.world, NULL, 0);
    for (int frame = 1; frame <= 4; frame++) {
        host_plays(s.world, frame);
        story_update(&s, 10);
    }
    tape_end(&tape, s.world);
    story_end(&s);
    for (int other = 0; other < 2; other++) {
        room_begin(&s);
        flow_replay_desc desc = {tape.bytes, tape.size, NULL, 0};
        assert_int_equal(flow_world_replay(s.world, &desc, NULL), FLOW_OK);
        assert_int_equal(flow_replay_next(s.world, &next), 1);
        assert_string_equal(next.what, "emit");
        for (int frame = 1; frame <= 4; frame++) {
            host_plays(s.world, other && frame == 3 ? 2 : frame);
            if (flow_replay_next(s.world, &next)) {
                assert_string_equal(next.what, "frame");
                assert_true(next.dt == 0.01);
                assert_int_equal(flow_replay_step(s.world), 1); /* the frame is the replay's */
                assert_int_equal(flow_replay_next(s.world, &next), 1);
                assert_string_equal(next.what, "tick");
                assert_int_equal(next.phase, FLOW_UPDATE);
                (void)flow_world_tick(s.world, FLOW_UPDATE, 0.01);
            }
        }
        assert_int_equal(flow_replay_next(s.world, &next), 0);
        verdict = flow_world_replay_end(s.world, &report);
        assert_int_equal(verdict, other ? FLOW_VERDICT_DIFFERS : FLOW_VERDICT_EQUAL);
        story_end(&s);
    }
    assert_string_equal(report.text,
                        "frame 2, tick 2 (update), event 33: recorded: set of an event "
                        "on #13.13; now: send on #11.11, 4 bytes");
}

/* ---- what cannot be replayed ---- */

static void start_nothing(flow_world *world, void *arg)
{
    (void)world;
    (void)arg;
}

static void a_start_outside_of_calls_is_counted_and_named(void **state)
{
    static struct tape tape;
    struct story s;
    flow_replay_report report;
    (void)state;
    room_begin(&s);
    tape_record(&tape, s.world, NULL, 0);
    story_update(&s, 10);
    (void)FLOW_RUN(s.world, member, .number = 30);
    flow_world_call(s.world, start_nothing, NULL); /* no line of a table names it */
    assert_int_equal(flow_world_recording(s.world).unnamed, 2);
    tape_end(&tape, s.world);
    story_end(&s);
    room_begin(&s);
    assert_int_equal(tape_replay(&tape, s.world, NULL, 0, &report), FLOW_VERDICT_DIFFERS);
    char expected[FLOW_REPLAY_TEXT];
    (void)snprintf(expected, sizeof expected,
                   "frame 1, tick 1 (update), event 10: recorded: member (#23.1) started in member "
                   "at its beginning, test_replay_inputs.c:%d; now: nothing; the host had started "
                   "it outside of "
                   "every call",
                   member_first);
    assert_string_equal(report.text, expected);
    story_end(&s);
}

/* A program that has something else where a signal was, or nothing. */
static void what_is_not_there_any_more_is_named(void **state)
{
    static struct tape tape;
    struct story s;
    flow_replay_report report;
    FLOW_SIGNAL(int) late;
    FLOW_CHANNEL(int) other;
    (void)state;
    room_begin(&s);
    assert_int_equal(flow_signal_init(&late, s.world), FLOW_OK);
    tape_record(&tape, s.world, NULL, 0);
    flow_emit(&late, &(int){1});
    tape_end(&tape, s.world);
    story_end(&s);
    room_begin(&s);
    assert_int_equal(tape_replay(&tape, s.world, NULL, 0, &report), FLOW_VERDICT_DIFFERS);
    assert_string_equal(report.text, "frame 0, emit on #37.15, 4 bytes, event 1: recorded: that it "
                                     "was done; now: there is no such object");
    story_end(&s);
    room_begin(&s);
    assert_int_equal(flow_channel_init(&other, s.world, 1), FLOW_OK);
    assert_int_equal(tape_replay(&tape, s.world, NULL, 0, &report), FLOW_VERDICT_DIFFERS);
    assert_string_equal(report.text, "frame 0, emit on #37.15, 4 bytes, event 1: recorded: that it "
                                     "was done; now: there is another object in its place");
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_host_does_is_done_again),
        cmocka_unit_test(what_threads_sent_is_taken_in_again_in_its_order),
        cmocka_unit_test(what_flows_send_themselves_is_not_sent_twice),
        cmocka_unit_test(what_comes_to_a_replay_from_elsewhere_takes_no_effect),
        cmocka_unit_test(a_job_comes_home_in_the_frame_in_which_it_did),
        cmocka_unit_test(a_replay_waits_for_its_workers),
        cmocka_unit_test(what_the_clock_said_of_the_budget_is_said_again),
        cmocka_unit_test(a_host_may_do_its_part_itself),
        cmocka_unit_test(a_start_outside_of_calls_is_counted_and_named),
        cmocka_unit_test(what_is_not_there_any_more_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
