/* SPDX-License-Identifier: MIT */
/* Record and replay: a session of a small house, and programs that are changed a little. */
#include "flows.h"
#include "replayed.h"

#include <stdio.h>
#include <string.h>

/* ---- the program: a door that counts knocks, a guest that comes by a call, a lamp ---- */

struct house {
    FLOW_SIGNAL(int) knock;
    FLOW_CHANNEL(int) letters;
    int changed;     /* what is different in this program: see the flows */
    int heard, read; /* knocks; the sum of letters */
    flow_handle door, guest;
};

static struct house house;

static int second_knock, rest, letter_line, guest_line; /* the lines of awaits */

struct guest {
    flow_frame base;
    int letter;
};

static const int guest_first = __LINE__ + 1;
FLOW_STATIC(guest)
{
    FLOW_BEGIN;
    (void)flow_set_name(flow, "guest", 7);
    for (;;) {
        letter_line = __LINE__ + 1;
        FLOW_AWAIT(flow_next(&house.letters, &self->letter));
        house.read += self->letter;
    }
    FLOW_FINALLY;
    if (flow_cause_of(flow) == FLOW_CAUSE_EXPLICIT) {
        guest_line = __LINE__ + 1;
        FLOW_AWAIT(flow_next_tick());
    }
    FLOW_END;
}

struct door {
    flow_frame base;
    int count, times, late;
};

FLOW_STATIC(door)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(flow_next(&house.knock, &self->times));
        house.heard += self->times;
        if (house.changed == 4) {
            (void)FLOW_RUN(flow_world_of(flow), guest);
        }
        if (house.changed == 1 && house.heard >= 5) {
            second_knock = __LINE__ + 1;
            FLOW_AWAIT(flow_next_tick());
        }
        rest = __LINE__ + 1;
        FLOW_AWAIT(flow_seconds(house.changed == 2 ? 0.03 : house.changed == 3 ? 0.01 : 0.02));
    }
    FLOW_END;
}

/* A call of the host's: lets a number of guests in, of whom the last is remembered. */
static void let_in(flow_world *world, void *arg)
{
    const int *count = arg;
    for (int i = 0; i < (*count & 7); i++) {
        house.guest = FLOW_RUN(world, guest);
    }
}

static void ring(flow_world *world, void *arg)
{
    (void)world;
    flow_emit(&house.knock, arg);
}

static const flow_replay_call calls[] = {
    {"let in", let_in, sizeof(int), NULL, NULL},
    {"ring", ring, sizeof(int), NULL, NULL},
};

/* A fresh world with the house as it is in the beginning. */
static void house_begin(struct story *s, int changed)
{
    story_begin(s, NULL);
    house = (struct house){.changed = changed};
    assert_int_equal(flow_signal_init(&house.knock, s->world), FLOW_OK);
    assert_int_equal(flow_channel_init(&house.letters, s->world, 2), FLOW_OK);
    house.door = FLOW_RUN(s->world, door);
}

static void knock(int times)
{
    flow_emit(&house.knock, &times);
}

/* Frames 1 to 6, with everything a host does in between. */
static void session(flow_world *world)
{
    int two = 2, letter = 40;
    for (int frame = 1; frame <= 6; frame++) {
        (void)flow_world_begin_frame(world, 0.01);
        (void)flow_world_tick(world, FLOW_UPDATE, 0.01);
        switch (frame) {
        case 1:
            knock(2);
            break;
        case 2:
            flow_world_call(world, let_in, &two);
            (void)flow_try_send(&house.letters, &letter);
            break;
        case 4:
            knock(3);
            break;
        case 5:
            (void)flow_cancel(world, house.guest);
            break;
        default:
            break;
        }
    }
}

static void record_session(struct tape *tape)
{
    struct story s;
    house_begin(&s, 0);
    tape_record(tape, s.world, calls, 2);
    session(s.world);
    tape_end(tape, s.world);
    story_end(&s);
}

/* ---- equal ---- */

static void a_session_replays_equal_in_a_fresh_world(void **state)
{
    struct tape tape;
    struct story s;
    flow_replay_report report;
    (void)state;
    record_session(&tape);
    assert_int_equal(tape.recording.status, FLOW_OK);
    assert_int_equal(tape.recording.frames, 6);
    assert_int_equal(tape.recording.ticks, 6);
    assert_int_equal(tape.recording.inputs, 17);
    assert_int_equal(tape.recording.events, 8);
    assert_int_equal(tape.recording.unnamed, 0);
    house_begin(&s, 0);
    assert_int_equal(tape_replay(&tape, s.world, calls, 2, &report), FLOW_VERDICT_EQUAL);
    assert_string_equal(report.text,
                        "equal to its end: 6 frames, 6 ticks, 8 events, hash 0x9bf5524b6dbae682");
    assert_true(report.hash == tape.recording.hash);
    assert_int_equal(report.frame, 6);
    assert_int_equal(report.tick, 6);
    assert_int_equal(report.input, 17);
    assert_int_equal(report.event, 8);
    assert_int_equal(house.heard, 5);
    assert_int_equal(house.read, 40);
    story_end(&s);
}

static void a_whole_session_is_a_few_bytes(void **state)
{
    struct tape tape;
    struct story s;
    (void)state;
    house_begin(&s, 0);
    tape_record(&tape, s.world, calls, 2);
    for (int i = 0; i < 1000; i++) {
        story_update(&s, 10);
    }
    tape_end(&tape, s.world);
    /* head, end, the first dt of both, and then 1 and 2 bytes a frame and a tick */
    assert_int_equal(tape.size, 32 + 37 + 16 + 3 * 1000);
    story_end(&s);
}

/* ---- a changed program ---- */

static void the_first_difference_is_named_with_its_place(void **state)
{
    struct tape tape;
    struct story s;
    flow_replay_report report;
    char expected[FLOW_REPLAY_TEXT];
    (void)state;
    record_session(&tape);
    house_begin(&s, 1); /* the door thinks for a tick after the fifth knock */
    assert_int_equal(tape_replay(&tape, s.world, calls, 2, &report), FLOW_VERDICT_DIFFERS);
    (void)snprintf(expected, sizeof expected,
                   "frame 6, tick 6 (update), event 7: recorded: guest#7 (#3.1) went on in guest "
                   "at await 2, test_replay.c:%d; now: door (#1.1, door) went on in door at await "
                   "2, test_replay.c:%d",
                   guest_line, second_knock);
    assert_string_equal(report.text, expected);
    assert_int_equal(report.frame, 6);
    assert_int_equal(report.tick, 6);
    assert_int_equal(report.phase, FLOW_UPDATE);
    assert_int_equal(report.event, 7);
    story_end(&s);
}

static void what_does_not_happen_any_more_is_a_difference_too(void **state)
{
    struct tape tape;
    struct story s;
    flow_replay_report report;
    char expected[FLOW_REPLAY_TEXT];
    (void)state;
    record_session(&tape);
    house_begin(&s, 2); /* the door rests longer, so that it misses the knock in frame 4 */
    assert_int_equal(tape_replay(&tape, s.world, calls, 2, &report), FLOW_VERDICT_DIFFERS);
    (void)snprintf(expected, sizeof expected,
                   "frame 4, tick 4 (update), event 5: recorded: door (#1.1) went on in door at "
                   "await 3, test_replay.c:%d; now: nothing",
                   rest);
    assert_string_equal(report.text, expected);
    assert_int_equal(house.heard, 2); /* it stopped there */
    assert_int_equal(flow_world_frame(s.world), 4);
    story_end(&s);
}

static void who_is_first_now_is_a_difference(void **state)
{
    struct tape tape;
    struct story s;
    flow_replay_report report;
    char expected[FLOW_REPLAY_TEXT];
    (void)state;
    record_session(&tape);
    house_begin(&s, 3); /* the door does not rest */
    assert_int_equal(tape_replay(&tape, s.world, calls, 2, &report), FLOW_VERDICT_DIFFERS);
    (void)snprintf(expected, sizeof expected,
                   "frame 3, tick 3 (update), event 4: recorded: guest#7 (#2.1) went on in guest "
                   "at await 1, test_replay.c:%d; now: door (#1.1, door) went on in door at await "
                   "3, test_replay.c:%d",
                   letter_line, rest);
    assert_string_equal(report.text, expected);
    story_end(&s);
}

static void what_happens_only_now_is_a_difference_too(void **state)
{
    struct tape tape;
    struct story s;
    flow_replay_report report;
    char expected[FLOW_REPLAY_TEXT];
    (void)state;
    record_session(&tape);
    house_begin(&s, 4); /* the door starts somebody */
    assert_int_equal(tape_replay(&tape, s.world, calls, 2, &report), FLOW_VERDICT_DIFFERS);
    (void)snprintf(expected, sizeof expected,
                   "frame 2, tick 2 (update), event 2: recorded: nothing before the next input, "
                   "call of let in, 4 bytes; now: guest (#2.1, guest) started in guest at its "
                   "beginning, test_replay.c:%d",
                   guest_first);
    assert_string_equal(report.text, expected);
    story_end(&s);
}

static void another_beginning_is_told_at_once(void **state)
{
    struct tape tape;
    struct story s;
    flow_replay_report report;
    (void)state;
    record_session(&tape);
    house_begin(&s, 0);
    let_in(s.world, &(int){1});
    assert_int_equal(tape_replay(&tape, s.world, calls, 2, &report), FLOW_VERDICT_DIFFERS);
    assert_string_equal(report.text, "frame 0, at the start, event 1: recorded: another tree of "
                                     "live flows; now: the world is not as it was: begin alike");
    story_end(&s);
    house_begin(&s, 0);
    story_update(&s, 10);
    assert_int_equal(tape_replay(&tape, s.world, calls, 2, &report), FLOW_VERDICT_DIFFERS);
    assert_string_equal(report.text,
                        "frame 1, at the start, event 1: recorded: frame 0; now: frame 1");
    story_end(&s);
}

/* Equal events, and yet the flows are not the same in the end. */
static void a_difference_without_an_event_shows_at_the_end(void **state)
{
    struct tape tape;
    struct story s;
    flow_replay_report report;
    (void)state;
    house_begin(&s, 0);
    tape_record(&tape, s.world, calls, 2);
    knock(1);
    story_update(&s, 10);
    tape_end(&tape, s.world);
    story_end(&s);
    house_begin(&s, 2);
    assert_int_equal(tape_replay(&tape, s.world, calls, 2, &report), FLOW_VERDICT_DIFFERS);
    assert_string_equal(report.text,
                        "frame 1, tick 1 (update), event 2: recorded: no more events; now: the "
                        "same, but the flows that live wait for something else");
    story_end(&s);
}

/* ---- what is no recording, or not of this program ---- */

static flow_verdict replay_bytes(const void *bytes, size_t size, const flow_replay_call *table,
                                 size_t count, flow_replay_report *report)
{
    struct story s;
    house_begin(&s, 0);
    flow_verdict verdict =
        flow_world_replay_all(s.world, &(flow_replay_desc){bytes, size, table, count}, report);
    story_update(&s, 10); /* a guest who is leaving has gone then */
    story_end(&s);
    return verdict;
}

static void a_truncated_recording_is_replayed_as_far_as_it_goes(void **state)
{
    static struct tape tape;
    flow_replay_report report;
    int heads = 0, parts = 0;
    (void)state;
    record_session(&tape);
    for (size_t size = 0; size < tape.size; size++) {
        flow_verdict verdict = replay_bytes(tape.bytes, size, calls, 2, &report);
        heads += verdict == FLOW_VERDICT_BAD;
        parts += verdict == FLOW_VERDICT_TRUNCATED;
    }
    assert_int_equal(heads, 32);
    assert_int_equal(parts, tape.size - 32);
    assert_string_equal(report.text,
                        "frame 6, tick 6 (update), byte 220 of 256: the recording ends "
                        "in the middle of something");
    (void)replay_bytes(tape.bytes, 31, calls, 2, &report);
    assert_string_equal(report.text,
                        "the recording cannot be replayed: it is shorter than its head");
}

static void changed_bytes_are_refused(void **state)
{
    static struct tape tape;
    flow_replay_report report;
    (void)state;
    record_session(&tape);
    for (size_t at = 0; at < tape.size; at++) {
        tape.bytes[at] ^= 0x10;
        assert_int_equal(replay_bytes(tape.bytes, tape.size, calls, 2, &report),
                         at >= tape.size - 37 && at < tape.size - 33 ? report.verdict
                                                                     : FLOW_VERDICT_BAD);
        assert_true(report.verdict != FLOW_VERDICT_EQUAL);
        tape.bytes[at] ^= 0x10;
    }
    tape.bytes[100]++;
    (void)replay_bytes(tape.bytes, tape.size, calls, 2, &report);
    assert_string_equal(report.text, "the recording cannot be replayed: its bytes are not those "
                                     "that were recorded: the checksum differs");
    (void)replay_bytes("GIF89a: a picture of a house, 1x1", 33, calls, 2, &report);
    assert_string_equal(report.text,
                        "the recording cannot be replayed: it does not begin as a recording does");
    tape.bytes[8] = 2;
    (void)replay_bytes(tape.bytes, tape.size, calls, 2, &report);
    assert_string_equal(
        report.text,
        "the recording cannot be replayed: it is of version 2, and this program reads version 1");
}

/* Without its end, nothing tells that they were changed: whatever they say, it ends well. */
static void damaged_bytes_without_a_checksum_do_no_harm(void **state)
{
    static struct tape tape, other;
    struct story_random random = {story_seed(7)};
    flow_replay_report report;
    int verdicts[6] = {0};
    (void)state;
    record_session(&tape);
    for (int round = 0; round < 2000; round++) {
        size_t size = tape.size - 37 - story_random_below(&random, 20);
        memcpy(other.bytes, tape.bytes, size);
        for (uint32_t i = story_random_below(&random, 4); i-- > 0;) {
            other.bytes[32 + story_random_below(&random, (uint32_t)size - 32)] =
                (unsigned char)story_random_next(&random);
        }
        struct story s;
        house_begin(&s, 0);
        verdicts[flow_world_replay_all(s.world, &(flow_replay_desc){other.bytes, size, calls, 2},
                                       &report)]++;
        assert_true(report.text[0] != '\0');
        s.expect_warnings = s.warning_count; /* an odd dt, a cut: of no importance */
        s.expect_failures = s.failure_count;
        assert_int_equal(story_destroy(&s), FLOW_OK);
        s.expect_warnings = s.warning_count;
        s.expect_failures = s.failure_count;
        story_end(&s);
    }
    assert_int_equal(verdicts[FLOW_VERDICT_NONE] + verdicts[FLOW_VERDICT_EQUAL], 0);
    assert_true(verdicts[FLOW_VERDICT_TRUNCATED] > 0 && verdicts[FLOW_VERDICT_BAD] > 0 &&
                verdicts[FLOW_VERDICT_DIFFERS] > 0);
}

static void a_call_that_the_table_lacks_is_named(void **state)
{
    static struct tape tape;
    static const flow_replay_call larger[] = {{"let in", let_in, 12, NULL, NULL}};
    flow_replay_report report;
    (void)state;
    record_session(&tape);
    assert_int_equal(replay_bytes(tape.bytes, tape.size, calls + 1, 1, &report), FLOW_VERDICT_BAD);
    assert_string_equal(report.text, "frame 2, call of let in, 4 bytes, byte 110 of 257: a call of "
                                     "\"let in\", which this program's table has not");
    assert_int_equal(replay_bytes(tape.bytes, tape.size, larger, 1, &report), FLOW_VERDICT_BAD);
    assert_string_equal(report.text, "frame 2, call of let in, 4 bytes, byte 110 of 257: a call of "
                                     "\"let in\" with 4 bytes, which has 12 in this program");
}

/* ---- a recording that cannot go on ---- */

static void a_full_buffer_is_told_once_and_valid_up_to_there(void **state)
{
    static struct tape whole, tape;
    struct story s;
    flow_replay_report report;
    size_t last = 0;
    (void)state;
    record_session(&whole);
    for (size_t capacity = 128; capacity <= whole.size; capacity++) {
        flow_record_desc desc = {
            .buffer = tape.bytes, .capacity = capacity, .calls = calls, .call_count = 2};
        flow_status expected = capacity < whole.size ? FLOW_FULL : FLOW_OK;
        house_begin(&s, 0);
        assert_int_equal(flow_world_record(s.world, &desc), FLOW_OK);
        session(s.world);
        assert_int_equal(flow_world_record_end(s.world, &tape.recording), expected);
        s.expect_warnings = expected == FLOW_FULL;
        if (expected == FLOW_FULL) {
            assert_int_equal(s.warnings[0], FLOW_WARNING_RECORDING_CUT);
        }
        story_end(&s);
        assert_true(tape.recording.bytes <= capacity && tape.recording.bytes >= last);
        last = tape.recording.bytes;
        assert_int_equal(replay_bytes(tape.bytes, last, calls, 2, &report),
                         expected == FLOW_FULL ? FLOW_VERDICT_CUT : FLOW_VERDICT_EQUAL);
        if (capacity == 160) {
            assert_string_equal(report.text, "equal as far as it was recorded, which was cut for "
                                             "want of room: 2 frames, 2 ticks, 1 events");
        }
    }
}

static void a_full_buffer_is_told_before_the_next_input(void **state)
{
    static struct tape tape;
    struct story s;
    flow_record_desc desc = {.buffer = tape.bytes, .capacity = 128};
    (void)state;
    house_begin(&s, 0);
    assert_int_equal(flow_world_record(s.world, &desc), FLOW_OK);
    knock(1);
    knock(1);
    story_update(&s, 10); /* the door's turn finds no room: it is no time to tell it */
    assert_int_equal(s.warning_count, 0);
    assert_int_equal(flow_world_recording(s.world).status, FLOW_FULL);
    story_update(&s, 10);
    assert_int_equal(s.warning_count, 1);
    s.expect_warnings = 1;
    assert_int_equal(flow_world_record_end(s.world, NULL), FLOW_FULL);
    story_end(&s);
}

static void what_is_written_is_what_a_buffer_gets(void **state)
{
    static struct tape tape;
    static struct sink sink;
    struct story s;
    flow_recording recording;
    (void)state;
    for (int round = 0; round < 2; round++) {
        house_begin(&s, 0);
        sink = (struct sink){0};
        if (round == 0) {
            tape_record(&tape, s.world, calls, 2);
        } else {
            flow_record_desc desc = {
                .write = sink_write, .user = &sink, .calls = calls, .call_count = 2};
            assert_int_equal(flow_world_record(s.world, &desc), FLOW_OK);
        }
        long calls_of_alloc = s.calls;
        for (int i = 0; i < 3000; i++) {
            knock(1);
            story_update(&s, 10);
        }
        assert_int_equal(s.calls, calls_of_alloc); /* recording takes no memory */
        assert_int_equal(flow_world_record_end(s.world, &recording), FLOW_OK);
        story_end(&s);
        tape.size = round == 0 ? recording.bytes : tape.size;
    }
    assert_int_equal(sink.size, tape.size);
    assert_int_equal(recording.bytes, tape.size);
    assert_memory_equal(sink.bytes, tape.bytes, tape.size);
    assert_int_equal(sink.calls, tape.size / 4096 + 1);
}

static void a_write_that_fails_ends_the_recording(void **state)
{
    static struct sink sink;
    struct story s;
    flow_record_desc desc = {.write = sink_write, .user = &sink};
    (void)state;
    house_begin(&s, 0);
    sink = (struct sink){.room = 5000};
    assert_int_equal(flow_world_record(s.world, &desc), FLOW_OK);
    for (int i = 0; i < 3000; i++) {
        knock(1);
        story_update(&s, 10);
    }
    assert_int_equal(sink.calls, 2);
    assert_int_equal(s.warning_count, 1);
    s.expect_warnings = 1;
    assert_int_equal(flow_world_record_end(s.world, NULL), FLOW_IO);
    story_end(&s);
    flow_replay_report report;
    assert_int_equal(replay_bytes(sink.bytes, sink.size, NULL, 0, &report), FLOW_VERDICT_TRUNCATED);
}

/* ---- one at a time, and from outside alone ---- */

static void record_inside(flow_task *flow, void *arg)
{
    static struct tape tape;
    flow_record_desc desc = {.buffer = tape.bytes, .capacity = sizeof tape.bytes};
    int *status = arg;
    status[0] = flow_world_record(flow_world_of(flow), &desc);
    status[1] = flow_world_replay(flow_world_of(flow), &(flow_replay_desc){"", 0, NULL, 0}, NULL);
}

static void a_world_has_one_tape_at_a_time(void **state)
{
    static struct tape tape;
    struct story s;
    int inside[2];
    flow_record_desc desc = {.buffer = tape.bytes, .capacity = sizeof tape.bytes};
    (void)state;
    record_session(&tape);
    house_begin(&s, 0);
    flow_replay_desc replay = {tape.bytes, tape.size, calls, 2};
    assert_int_equal(flow_world_replay(s.world, &replay, NULL), FLOW_OK);
    assert_int_equal(flow_world_record(s.world, &desc), FLOW_BUSY);
    assert_int_equal(flow_world_replay(s.world, &replay, NULL), FLOW_BUSY);
    assert_int_equal(flow_world_record_end(s.world, NULL), FLOW_STALE);
    assert_int_equal(flow_world_replay_end(s.world, NULL), FLOW_VERDICT_NONE);
    assert_int_equal(flow_replay_step(s.world), 0);
    (void)FLOW_RUN(s.world, doer, .wait = flow_ready(), .act = record_inside, .arg = inside);
    assert_int_equal(inside[0], FLOW_REENTRANT);
    assert_int_equal(inside[1], FLOW_REENTRANT);
    desc.write = sink_write;
    assert_int_equal(flow_world_record(s.world, &desc), FLOW_MISUSE);
    s.expect_misuses = 1;
    story_end(&s);
}

static void the_end_of_the_world_ends_both(void **state)
{
    static struct tape tape;
    struct story s;
    flow_replay_report report;
    (void)state;
    house_begin(&s, 0);
    tape_record(&tape, s.world, calls, 2);
    knock(1);
    assert_int_equal(flow_world_recording(s.world).inputs, 1);
    story_end(&s); /* and writes the end of the recording: head, emit, end */
    assert_int_equal(replay_bytes(tape.bytes, 32 + 9 + 37, calls, 2, &report), FLOW_VERDICT_EQUAL);
    house_begin(&s, 0);
    assert_int_equal(
        flow_world_replay(s.world, &(flow_replay_desc){tape.bytes, 78, calls, 2}, NULL), FLOW_OK);
    story_end(&s);
}

static void no_memory_for_a_tape_is_told(void **state)
{
    static struct tape tape;
    struct story s;
    flow_record_desc desc = {.buffer = tape.bytes, .capacity = sizeof tape.bytes};
    flow_replay_report report;
    (void)state;
    record_session(&tape);
    story_begin(&s, &(flow_world_desc){.byte_budget = 290 * 1024});
    while (flow_world_reserve(s.world, flow_world_counters(s.world).live + 64) == FLOW_OK &&
           FLOW_RUN(s.world, waiter, .name = "w", .wait = flow_never()).generation != 0) {
    }
    s.log[0] = '\0';
    assert_int_equal(flow_world_record(s.world, &desc), FLOW_NOMEM);
    flow_replay_desc replay = {tape.bytes, tape.size, calls, 2};
    assert_int_equal(flow_world_replay(s.world, &replay, &report), FLOW_NOMEM);
    assert_int_equal(flow_world_replay_all(s.world, &replay, &report), FLOW_VERDICT_BAD);
    s.expect_failures = s.failure_count;
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_session_replays_equal_in_a_fresh_world),
        cmocka_unit_test(a_whole_session_is_a_few_bytes),
        cmocka_unit_test(the_first_difference_is_named_with_its_place),
        cmocka_unit_test(what_does_not_happen_any_more_is_a_difference_too),
        cmocka_unit_test(who_is_first_now_is_a_difference),
        cmocka_unit_test(what_happens_only_now_is_a_difference_too),
        cmocka_unit_test(another_beginning_is_told_at_once),
        cmocka_unit_test(a_difference_without_an_event_shows_at_the_end),
        cmocka_unit_test(a_truncated_recording_is_replayed_as_far_as_it_goes),
        cmocka_unit_test(changed_bytes_are_refused),
        cmocka_unit_test(damaged_bytes_without_a_checksum_do_no_harm),
        cmocka_unit_test(a_call_that_the_table_lacks_is_named),
        cmocka_unit_test(a_full_buffer_is_told_once_and_valid_up_to_there),
        cmocka_unit_test(a_full_buffer_is_told_before_the_next_input),
        cmocka_unit_test(what_is_written_is_what_a_buffer_gets),
        cmocka_unit_test(a_write_that_fails_ends_the_recording),
        cmocka_unit_test(a_world_has_one_tape_at_a_time),
        cmocka_unit_test(the_end_of_the_world_ends_both),
        cmocka_unit_test(no_memory_for_a_tape_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
