#!/bin/sh
# SPDX-License-Identifier: MIT
#
# flow/ as a stranger's project sees it: added as a folder, installed and found by CMake, and found by pkg-config.
# In each, flow::strict must still report misuse of a macro. Usage: package.sh SOURCE_DIR
set -eu
# shellcheck source=tests/build/support/common.sh
. "$(dirname -- "$0")/support/common.sh"
make_temp
root=$(CDPATH='' cd -- "$1" && pwd)

# log COMMAND...: its words are shown only when it fails.
log() {
    if ! "$@" >"$temp/log" 2>&1; then
        cat "$temp/log"
        say_failure "$*"
        return 1
    fi
}

# A program that uses what is stable: a flow which waits for a tick. With -DBAD a local lives across the await.
write_stranger() {
    mkdir -p "$temp/stranger"
    cat >"$temp/stranger/main.c" <<'END'
#include <flow/flow.h>
#include <stdio.h>

struct story {
    flow_frame base;
};

FLOW_STATIC(story)
{
    FLOW_BEGIN;
#ifdef BAD
    int kept = 1;
#endif
    FLOW_AWAIT(flow_next_tick());
#ifdef BAD
    printf("%d\n", kept);
#endif
    puts("ticked");
    FLOW_END;
}

int main(void)
{
    flow_world *world = flow_world_create(NULL);
    (void)FLOW_RUN(world, story);
    (void)flow_world_begin_frame(world, 0.1);
    (void)flow_world_tick(world, FLOW_UPDATE, 0.1);
    (void)flow_world_destroy(world);
    return 0;
}
END
}

# write_project HOW_FLOW_IS_FOUND
write_project() {
    cat >"$temp/stranger/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.25)
project(stranger LANGUAGES C)
$1
add_executable(stranger main.c)
target_link_libraries(stranger PRIVATE flow::flow)
add_executable(misuse EXCLUDE_FROM_ALL main.c)
target_compile_definitions(misuse PRIVATE BAD)
target_compile_options(misuse PRIVATE -Werror)
target_link_libraries(misuse PRIVATE flow::flow flow::strict)
END
}

# check_project NAME: builds the stranger and runs it; its misuse is refused.
check_project() {
    build=$temp/build-$1
    log cmake -G Ninja -S "$temp/stranger" -B "$build" -DCMAKE_BUILD_TYPE=RelWithDebInfo \
        -DCMAKE_PREFIX_PATH="$temp/prefix" ||
        return 0
    log cmake --build "$build" || return 0
    [ "$("$build/stranger")" = ticked ] || say_failure "$1: the program does not work"
    if cmake --build "$build" --target misuse >"$temp/log" 2>&1 || ! grep -q kept "$temp/log"; then
        say_failure "$1: flow::strict let a local across an await pass: $(cat "$temp/log")"
    fi
}

check_pkg_config() {
    PKG_CONFIG_PATH=$(dirname "$(find "$temp/prefix" -name flow.pc)")
    export PKG_CONFIG_PATH
    # shellcheck disable=SC2046 # several flags
    log cc -std=c11 "$temp/stranger/main.c" $(pkg-config --cflags --libs flow) -o "$temp/program" || return 0
    [ "$("$temp/program")" = ticked ] || say_failure 'pkg-config: the program does not work'
}

write_stranger
write_project "add_subdirectory(\"$root/flow\" flow SYSTEM)"
check_project folder
log cmake -G Ninja -S "$root/flow" -B "$temp/alone" -DCMAKE_BUILD_TYPE=RelWithDebInfo &&
    log cmake --build "$temp/alone" && log cmake --install "$temp/alone" --prefix "$temp/prefix"
if [ "$failures" -eq 0 ]; then
    write_project 'find_package(flow 0.1 REQUIRED)'
    check_project installed
    check_pkg_config
fi
finish 'flow as a folder, an installed package and a pkg-config module'
