#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What the compilers make of flow functions. Usage: objects.sh SOURCE_DIR
#   - Resume points are numbered densely, not by line: a comment that moves no line leaves the object file as it is, byte
#     for byte, and one that moves lines changes nothing but the line number of each await, which is kept for the dump.
#   - FLOW_DECLARE in a header that two sources include, and FLOW_DEFINE in one of them, link and run; so does a C++17
#     program that starts the function through flow_start.
set -eu
# shellcheck source=tests/build/support/common.sh
. "$(dirname -- "$0")/support/common.sh"
make_temp
root=$(CDPATH='' cd -- "$1" && pwd)

write_story() {
    cat >"$temp/story.c" <<END
#include "flow/flow.h"
struct story { flow_frame base; int i; };
FLOW_STATIC(story)
{
    FLOW_BEGIN;$1
    FLOW_AWAIT(flow_next_tick());$2
    for (self->i = 0; self->i < 3; self->i++)
        FLOW_AWAIT(flow_seconds(0.5));
    FLOW_FINALLY;
    FLOW_AWAIT(flow_next_tick());
    FLOW_END;
}
void start(flow_world *world);
void start(flow_world *world) { (void)FLOW_RUN(world, story); }
END
}

# object COMPILER NAME AFTER_BEGIN AFTER_AWAIT: compiles the story with these texts in it.
object() {
    write_story "$3" "$4"
    (cd "$temp" && "$1" -std=c11 -O2 -I "$root/flow/include" -c -o "$2.o" story.c)
}

# code NAME: takes the code out of NAME.o, to NAME.text.
code() {
    objcopy -O binary --only-section=.text "$temp/$1.o" "$temp/$1.text"
    [ -s "$temp/$1.text" ] || say_failure "$1.o: no code"
}

# differing NAME NAME: how many bytes of the code differ; "length" when it is longer or shorter.
differing() {
    code "$1"
    code "$2"
    if [ "$(wc -c <"$temp/$1.text")" != "$(wc -c <"$temp/$2.text")" ]; then
        echo length
    else
        cmp -l "$temp/$1.text" "$temp/$2.text" | wc -l
    fi
}

check_comments() {
    new_line='
'
    object "$1" plain '' ''
    object "$1" comment ' /* what it is about */' ' /* a tick */ /* or so */'
    object "$1" lines "$new_line /* what it is about */" "$new_line$new_line /* a tick */"
    object "$1" await '' ' FLOW_AWAIT(flow_next_tick());'
    cmp "$temp/plain.o" "$temp/comment.o" || say_failure "$1: a comment changes the object file"
    moved=$(differing plain lines)
    case $moved in
    [1-6]) ;;
    *) say_failure "$1: comment lines change more than the lines of three awaits: $moved bytes" ;;
    esac
    [ "$(differing plain await)" = length ] || say_failure "$1: self-test: another await leaves the code as it is"
}

write_two_files() {
    cat >"$temp/walk.h" <<'END'
#ifndef WALK_H
#define WALK_H
#include "flow/flow.h"
struct walk { flow_frame base; int steps; int *done; };
FLOW_DECLARE(walk);
#endif
END
    cat >"$temp/walk.c" <<'END'
#include "walk.h"
FLOW_DEFINE(walk)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_ticks(self->steps));
    *self->done += self->steps;
    FLOW_END;
}
END
    cat >"$temp/main.c" <<'END'
#include <stdio.h>
#include "walk.h"
struct story { flow_frame base; int *done; };
FLOW_STATIC(story)
{
    FLOW_BEGIN;
    FLOW_AWAIT(FLOW_CALL(walk, .steps = 2, .done = self->done));
    (void)FLOW_SPAWN(walk, .steps = 1, .done = self->done);
    FLOW_AWAIT(flow_ticks(2));
    FLOW_END;
}
int main(void)
{
    int         done = 0;
    flow_world *world = flow_world_create(NULL);
    if (world == NULL) return 1;
    (void)FLOW_RUN(world, story, .done = &done);
    (void)FLOW_RUN(world, walk, .steps = 4, .done = &done);
    for (int tick = 0; tick < 5; tick++) (void)flow_world_tick(world, FLOW_UPDATE, 0.1);
    printf("%d\n", done);
    return flow_world_destroy(world) == FLOW_OK ? 0 : 1;
}
END
}

check_two_files() {
    "$1" -std=c11 -O1 -I "$root/flow/include" -c -o "$temp/flow.o" "$root/flow/flow.c"
    # shellcheck disable=SC2046,SC2086 # several flags
    "$1" -std=c11 $full_warnings $(strict_flags "$1") -Werror -I "$root/flow/include" -o "$temp/program" \
        "$temp/main.c" "$temp/walk.c" "$temp/flow.o" || {
        say_failure "$1: two files do not build"
        return
    }
    [ "$("$temp/program")" = 7 ] || say_failure "$1: two files: wrong result"
}

write_cpp() {
    cat >"$temp/host.cpp" <<'END'
#include <cstdio>
#include "walk.h"
int main()
{
    int         done = 0;
    walk        arguments = {};
    flow_world *world = flow_world_create(nullptr);
    if (world == nullptr) return 1;
    arguments.steps = 3;
    arguments.done = &done;
    for (int round = 0; round < 2; round++) {
        flow_handle flow = flow_start(world, FLOW_FUNCTION(walk), &arguments, nullptr);
        for (int tick = 0; tick < 3; tick++) flow_world_tick(world, FLOW_UPDATE, 0.1);
        if (flow_state_of(world, flow) == FLOW_STATE_LIVE) return 2;
    }
    std::printf("%d\n", done);
    return flow_world_destroy(world) == FLOW_OK ? 0 : 1;
}
END
}

# check_cpp C_COMPILER CPP_COMPILER
check_cpp() {
    "$1" -std=c11 -O1 -I "$root/flow/include" -c -o "$temp/walk.o" "$temp/walk.c"
    # shellcheck disable=SC2086 # several flags
    "$2" -std=c++17 $full_warnings -Werror -I "$root/flow/include" -o "$temp/program" \
        "$temp/host.cpp" "$temp/walk.o" "$temp/flow.o" || {
        say_failure "$2: a C++ host does not build"
        return
    }
    [ "$("$temp/program")" = 6 ] || say_failure "$2: a C++ host: wrong result"
}

write_two_files
write_cpp
compilers=$(present gcc clang)
for compiler in $compilers; do
    check_comments "$compiler"
    check_two_files "$compiler"
    case $compiler in
    gcc) cpp=g++ ;;
    *) cpp=clang++ ;;
    esac
    if have "$cpp"; then check_cpp "$compiler" "$cpp"; fi
done
finish "comments and two files with: $(echo "$compilers" | tr '\n' ' ')"
