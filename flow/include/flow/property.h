/* SPDX-License-Identifier: MIT */
/*
 * Properties: a value that changes, with a version, and waits that no change escapes.
 *
 *     FLOW_PROPERTY(int) health;                       a member of the host's struct
 *     flow_property_init(&enemy->health, world, &(int){100});
 *     flow_property_set(&enemy->health, &points);      from the world's thread, in or outside flows
 *     FLOW_AWAIT(flow_property_until(&enemy->health, is_low, NULL, &self->health));
 *
 * Every set that changes the value tests the waiting conditions then and there, in the order in
 * which the waits began, so that a value which held for less than a tick is seen too. A condition
 * may set the property: those who are still to see the earlier value see it first. A struct that
 * embeds properties may be moved or copied; value and waiters live in the world. World's thread
 * only.
 */
#ifndef FLOW_PROPERTY_H
#define FLOW_PROPERTY_H

#include "flow/signal.h"

FLOW_EXTERN_C_BEGIN_

/* A property of no particular type: what every FLOW_PROPERTY(T) begins with. All zero: not made
 * yet. */
typedef flow_source flow_property;

/* A property of type T, an object type. Values are compared and copied byte by byte, so padding
 * counts: set it to what is zero but for its members. */
#define FLOW_PROPERTY(T)                                                                           \
    union {                                                                                        \
        flow_property property;                                                                    \
        T *type_;                                                                                  \
    }

/* Sets nested in conditions of one property, one in the other; what is deeper is refused. */
enum { FLOW_PROPERTY_DEPTH = 4 };

/* Makes a property in a world with the value *initial (null: all zero) and the version 1. Takes
 * memory for FLOW_PROPERTY_DEPTH values. OK, or NOMEM: then it is an ended one, and whoever awaits
 * it fails. */
#define flow_property_init(p, world, initial)                                                      \
    flow_property_init_(FLOW_TYPED_(p, initial, property), (world), (uint32_t)sizeof(*(p)->type_), \
                        (initial))

/* Ends a property: its waits end as CLOSED, and so do later ones. One that was never made is left
 * alone. */
#define flow_property_fini(p) flow_property_fini_(&(p)->property)

/* Copies *value into it; the version goes up by one, and the waits are tested. An equal value does
 * nothing. 1 when it changed, else 0; null, and a set nested too deep in conditions, is misuse and
 * changes nothing. Takes no memory. O(waits). */
#define flow_property_set(p, ...)                                                                  \
    flow_property_set_(FLOW_TYPED_(p, (__VA_ARGS__), property), (__VA_ARGS__))

/* Copies the value to *out. 1, or 0 when the property has ended: then *out is left alone. O(1). */
#define flow_property_get(p, out) flow_property_get_(FLOW_TYPED_(p, out, property), (out))

/* How often it was set to something else, counted from 1; 0 when it has ended. O(1). */
#define flow_property_version(p) flow_property_version_(&(p)->property)

/* Until match(value, arg), a flow_match, holds: tested at once, then in every set, those between
 * two ticks included. *out (of its type, or null; it must live until the wait ends) gets the value
 * for which it held, whatever comes after. arg is borrowed until the wait ends. Suspends unless it
 * holds at once. Fails as CLOSED when the property has ended. */
#define flow_property_until(p, match, arg, out)                                                    \
    flow_property_until_(FLOW_TYPED_(p, out, property), (match), (arg), (out))

/* Until the version is another than *seen, a uint64_t, 0 for none: at once, or by the next set.
 * When the flow goes on, *out and *seen are the latest value and its version, so that a loop sees
 * every state that lasted and none twice. Both must live until the wait ends; out may be null.
 * Fails as CLOSED when the property has ended. */
#define flow_property_changed(p, seen, out)                                                        \
    flow_property_changed_(FLOW_TYPED_(p, out, property), (seen), (out))

flow_status flow_property_init_(flow_property *property, flow_world *world, uint32_t size,
                                const void *initial);
void flow_property_fini_(flow_property *property);
int flow_property_set_(flow_property *property, const void *value);
int flow_property_get_(const flow_property *property, void *out);
uint64_t flow_property_version_(const flow_property *property);

FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_property_until_(flow_property *property,
                                                            flow_match match, void *arg, void *out)
{
    flow_wait w = flow_wait_of_(FLOW_WAIT_SIGNAL_, FLOW_NEXT_IF_, property, out);
    w.match_ = match;
    w.arg_ = arg;
    return w;
}

FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_property_changed_(flow_property *property,
                                                              uint64_t *seen, void *out)
{
    flow_wait w = flow_wait_of_(FLOW_WAIT_SIGNAL_, FLOW_NEXT_CHANGED_, property, out);
    w.arg_ = seen;
    return w;
}

FLOW_EXTERN_C_END_

#endif
