/* SPDX-License-Identifier: MIT */
/*
 * Numbers of keys and buttons. The engine takes SDL's scancodes, which are the usage numbers of the
 * USB HID tables (page 7) and never change; the game does not include SDL for them.
 */
#ifndef EMBERLINE_KEYS_H
#define EMBERLINE_KEYS_H

enum key {
    KEY_A = 4,
    KEY_B = 5,
    KEY_D = 7,
    KEY_E = 8,
    KEY_M = 16,
    KEY_P = 19,
    KEY_S = 22,
    KEY_W = 26,
    KEY_ENTER = 40,
    KEY_ESCAPE = 41,
    KEY_SPACE = 44,
    KEY_COMMA = 54,
    KEY_PERIOD = 55,
    KEY_F1 = 58,
    KEY_F3 = 60,
    KEY_F4 = 61,
    KEY_F5 = 62,
    KEY_F11 = 68,
    KEY_F12 = 69,
    KEY_RIGHT = 79,
    KEY_LEFT = 80,
    KEY_DOWN = 81,
    KEY_UP = 82,
    KEY_LEFT_SHIFT = 225,
    KEY_RIGHT_SHIFT = 229
};

enum mouse_button { MOUSE_LEFT = 1, MOUSE_RIGHT = 3 };

enum pad_button {
    PAD_A = 0,
    PAD_X = 2,
    PAD_START = 6,
    PAD_UP = 11,
    PAD_DOWN = 12,
    PAD_LEFT = 13,
    PAD_RIGHT = 14
};

enum pad_axis {
    PAD_LEFT_X = 0,
    PAD_LEFT_Y = 1,
    PAD_RIGHT_X = 2,
    PAD_RIGHT_Y = 3,
    PAD_TRIGGER_RIGHT = 5
};

#endif
