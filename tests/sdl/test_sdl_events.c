/* SPDX-License-Identifier: MIT */
/* SDL's events as signals, and SDL's own threads as senders. */
#include "flow_sdl.h"
#include "flows.h"

#include <SDL.h>
#include <stdatomic.h>
#include <string.h>

static SDL_Event key(SDL_Scancode scancode, int repeat)
{
    SDL_Event event = {.type = SDL_KEYDOWN};
    event.key.keysym.scancode = scancode;
    event.key.repeat = (Uint8)repeat;
    return event;
}

static SDL_Event click(int button)
{
    SDL_Event event = {.type = SDL_MOUSEBUTTONDOWN};
    event.button.button = (Uint8)button;
    return event;
}

static SDL_Event press(SDL_JoystickID pad, SDL_GameControllerButton button)
{
    SDL_Event event = {.type = SDL_CONTROLLERBUTTONDOWN};
    event.cbutton.which = pad;
    event.cbutton.button = (Uint8)button;
    return event;
}

static SDL_Event unplug(Uint32 type, SDL_JoystickID pad)
{
    SDL_Event event = {.type = type};
    event.cdevice.which = pad;
    return event;
}

static uint32_t emit(flow_sdl_events *events, SDL_Event event)
{
    return flow_sdl_events_emit(events, &event);
}

static void wait_for(struct story *s, const char *name, flow_wait wait)
{
    (void)FLOW_RUN(s->world, waiter, .name = name, .wait = wait);
}

static void flows_wait_for_events_by_type_key_and_button(void **state)
{
    struct story s;
    flow_sdl_events events;
    SDL_Event got = {0};
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_sdl_events_init(&events, s.world), FLOW_OK);
    wait_for(&s, "any", flow_sdl_next_event(&events, 0, NULL));
    wait_for(&s, "quit", flow_sdl_next_event(&events, SDL_QUIT, NULL));
    wait_for(&s, "space", flow_sdl_next_key(&events, SDL_SCANCODE_SPACE, &got));
    wait_for(&s, "key", flow_sdl_next_key(&events, SDL_SCANCODE_UNKNOWN, NULL));
    wait_for(&s, "right", flow_sdl_next_click(&events, SDL_BUTTON_RIGHT, NULL));
    wait_for(&s, "click", flow_sdl_next_click(&events, 0, NULL));
    assert_int_equal(emit(&events, key(SDL_SCANCODE_SPACE, 1)), 1); /* a repeat is an event */
    assert_int_equal(emit(&events, key(SDL_SCANCODE_A, 0)), 1);
    assert_int_equal(emit(&events, click(SDL_BUTTON_LEFT)), 1);
    story_frame(&s, 10);
    story_expect(&s, "any key click");
    assert_int_equal(emit(&events, key(SDL_SCANCODE_SPACE, 0)), 1);
    assert_int_equal(emit(&events, click(SDL_BUTTON_RIGHT)), 1);
    assert_int_equal(emit(&events, (SDL_Event){.type = SDL_QUIT}), 1);
    story_frame(&s, 10);
    story_expect(&s, "space right quit");
    assert_int_equal(got.key.keysym.scancode, SDL_SCANCODE_SPACE);
    wait_for(&s, "left", flow_sdl_next_event(&events, SDL_QUIT, NULL));
    flow_sdl_events_fini(&events);
    wait_for(&s, "late", flow_sdl_next_button(&events, 3, SDL_CONTROLLER_BUTTON_A, NULL));
    story_frame(&s, 10);
    story_expect(&s, "late!-4 left!-4");
    story_end(&s);
}

/* I14 */
static void a_pad_that_is_removed_ends_the_waits_for_it_alone(void **state)
{
    struct story s;
    flow_sdl_events events;
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_sdl_events_init(&events, s.world), FLOW_OK);
    wait_for(&s, "3a", flow_sdl_next_button(&events, 3, SDL_CONTROLLER_BUTTON_A, NULL));
    wait_for(&s, "3b", flow_sdl_next_button(&events, 3, SDL_CONTROLLER_BUTTON_B, NULL));
    wait_for(&s, "4", flow_sdl_next_button(&events, 4, SDL_CONTROLLER_BUTTON_INVALID, NULL));
    wait_for(&s, "any", flow_sdl_next_button(&events, FLOW_SDL_ANY, SDL_CONTROLLER_BUTTON_B, NULL));
    assert_int_equal(emit(&events, press(3, SDL_CONTROLLER_BUTTON_A)), 1);
    assert_int_equal(emit(&events, press(9, SDL_CONTROLLER_BUTTON_A)), 0);
    story_frame(&s, 10);
    story_expect(&s, "3a");
    (void)emit(&events, unplug(SDL_JOYDEVICEREMOVED, 8)); /* nobody's */
    (void)emit(&events, unplug(SDL_JOYDEVICEREMOVED, 3));
    (void)emit(&events, unplug(SDL_CONTROLLERDEVICEREMOVED, 3));
    story_frame(&s, 10);
    story_expect(&s, "3b!-4");
    wait_for(&s, "gone", flow_sdl_next_button(&events, 3, SDL_CONTROLLER_BUTTON_A, NULL));
    story_expect(&s, "gone!-4"); /* at once */
    assert_int_equal(emit(&events, press(4, SDL_CONTROLLER_BUTTON_B)), 2);
    story_frame(&s, 10);
    story_expect(&s, "any 4");
    for (int pad = 100; pad < 116; pad++) { /* 4 has its place still */
        wait_for(&s, "p", flow_sdl_next_button(&events, pad, SDL_CONTROLLER_BUTTON_A, NULL));
    }
    story_expect(&s, "p!-11");
    (void)emit(&events, unplug(SDL_CONTROLLERDEVICEREMOVED, 4));
    wait_for(&s, "q", flow_sdl_next_button(&events, 115, SDL_CONTROLLER_BUTTON_A, NULL));
    assert_int_equal(emit(&events, press(115, SDL_CONTROLLER_BUTTON_A)), 1);
    story_frame(&s, 10);
    story_expect(&s, "q");
    flow_sdl_events_fini(&events);
    story_end(&s);
}

/* ---- senders ---- */

struct sender {
    FLOW_SIGNAL(int) beat;
    atomic_int left, failed;
};

static void send_beat(struct sender *sender)
{
    int left = atomic_load(&sender->left);
    if (left > 0) {
        atomic_fetch_add(&sender->failed, flow_emit_any_thread(&sender->beat, &left) != FLOW_OK);
        atomic_store(&sender->left, left - 1);
    }
}

static Uint32 SDLCALL on_timer(Uint32 interval, void *user)
{
    struct sender *sender = user;
    send_beat(sender);
    return atomic_load(&sender->left) > 0 ? interval : 0;
}

static void SDLCALL on_audio(void *user, Uint8 *stream, int length)
{
    memset(stream, 0, (size_t)length);
    send_beat(user);
}

struct beats {
    flow_frame base;
    struct sender *sender;
    FLOW_SUBSCRIPTION(int) beats;
    int value, count;
};

FLOW_STATIC(beats)
{
    FLOW_BEGIN;
    if (flow_subscribe(flow, &self->beats, &self->sender->beat, FLOW_FAIL_WHEN_FULL, 8) !=
        FLOW_OK) {
        FLOW_FAIL(FLOW_NOMEM, "no subscription");
    }
    for (self->count = 5; self->count > 0; self->count--) {
        FLOW_AWAIT(flow_next(&self->beats, &self->value));
        assert_int_equal(self->value, self->count);
    }
    story_log(story_of(flow), "heard");
    FLOW_END;
}

static void hear(struct story *s)
{
    while (flow_world_counters(s->world).live != 0) {
        story_update(s, 1);
        SDL_Delay(1);
    }
    story_expect(s, "heard");
}

static void timers_and_audio_callbacks_of_sdl_may_send(void **state)
{
    static struct sender sender; /* a timer that is removed may still be in its call */
    struct story s;
    (void)state;
    assert_int_equal(SDL_Init(SDL_INIT_TIMER | SDL_INIT_AUDIO), 0);
    story_begin(&s, NULL);
    assert_int_equal(flow_signal_init(&sender.beat, s.world), FLOW_OK);
    atomic_store(&sender.left, 5);
    (void)FLOW_RUN(s.world, beats, .sender = &sender);
    assert_true(SDL_AddTimer(1, on_timer, &sender) != 0);
    hear(&s);
    atomic_store(&sender.left, 5);
    (void)FLOW_RUN(s.world, beats, .sender = &sender);
    SDL_AudioSpec wanted = {.freq = 48000, .format = AUDIO_S16SYS, .channels = 1, .samples = 256};
    wanted.callback = on_audio;
    wanted.userdata = &sender;
    SDL_AudioDeviceID device = SDL_OpenAudioDevice(NULL, 0, &wanted, NULL, 0);
    assert_true(device != 0);
    SDL_PauseAudioDevice(device, 0);
    hear(&s);
    SDL_CloseAudioDevice(device); /* no call is under way any more */
    assert_int_equal(atomic_load(&sender.failed), 0);
    SDL_Quit();
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flows_wait_for_events_by_type_key_and_button),
        cmocka_unit_test(a_pad_that_is_removed_ends_the_waits_for_it_alone),
        cmocka_unit_test(timers_and_audio_callbacks_of_sdl_may_send),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
