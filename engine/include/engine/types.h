/* SPDX-License-Identifier: MIT */
/*
 * Small value types that every part of the engine shares.
 *
 * They are plain structs without alignment demands, so that they are the same in C17 and C++17; the
 * engine itself computes with cglm. Nothing here calls SDL. Safe from any thread.
 */
#ifndef ENGINE_TYPES_H
#define ENGINE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    /* The width of the picture that the host draws, in logical pixels. */
    ENGINE_WIDTH = 640,
    /* The height of that picture, in logical pixels. */
    ENGINE_HEIGHT = 360,
    /* The size of every buffer for an error text, its terminating zero included, in bytes. */
    ENGINE_ERROR_SIZE = 256
};

/* One running engine. Made by engine_create, ended by engine_destroy; only its own thread (the one
 * that created it) may use it, unless a function says otherwise. */
struct engine;

/* A point or a vector in logical pixels: x to the right, y downwards. */
struct engine_vec2 {
    float x; /* logical pixels, to the right */
    float y; /* logical pixels, downwards */
};

/* An axis-aligned rectangle in logical pixels: its top left corner and its size. */
struct engine_rect {
    float x; /* left edge */
    float y; /* top edge */
    float w; /* width, 0 or more */
    float h; /* height, 0 or more */
};

/* A colour, 8 bits a channel, alpha not premultiplied. All zero is fully transparent. */
struct engine_color {
    uint8_t r; /* red */
    uint8_t g; /* green */
    uint8_t b; /* blue */
    uint8_t a; /* 0 is transparent, 255 opaque; with additive blending the strength of the light */
};

#ifdef __cplusplus
}
#endif

#endif
