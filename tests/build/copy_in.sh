#!/bin/sh
# SPDX-License-Identifier: MIT
#
# flow/ is a folder to copy, and the programs of the README are real. Usage: copy_in.sh SOURCE_DIR
# In README.md or flow/README.md a line `<!-- copy-in: NAME -->` announces the block that is file NAME, and
# `<!-- copy-in-output: NAME -->` the block with what the program prints. The programs:
#     main.c            a complete SDL program of under 60 lines; must be there
#     variable_step.c   a host without a fixed step
#     host.cpp, story.c a C++17 host that drives a flow written in C
# Each is built beside a copy of flow/ by a bare compiler with flow/flow.c and SDL's own flags, must draw no diagnostic,
# and is run under the dummy drivers.
set -eu
# shellcheck source=tests/build/support/common.sh
. "$(dirname -- "$0")/support/common.sh"
make_temp
root=$(CDPATH='' cd -- "$1" && pwd)
SDL_VIDEODRIVER=dummy
SDL_AUDIODRIVER=dummy
export SDL_VIDEODRIVER SDL_AUDIODRIVER

# block MARKER: the block after it, from the first README that has one.
block() {
    for page in "$root/README.md" "$root/flow/README.md"; do
        if [ -e "$page" ] && awk -f "$support/block.awk" marker="<!-- $1 -->" "$page"; then return; fi
    done
    return 1
}

# extract NAME: the program's file into the copy.
extract() {
    block "copy-in: $1" >"$temp/$1"
}

# quietly COMMAND...: it succeeds and says nothing.
quietly() {
    if ! "$@" >"$temp/said" 2>&1 || [ -s "$temp/said" ]; then
        echo "$*"
        cat "$temp/said"
        return 1
    fi
}

sdl_cflags=$(sdl2-config --cflags 2>/dev/null || pkg-config --cflags sdl2)
sdl_libs=$(sdl2-config --libs 2>/dev/null || pkg-config --libs sdl2)

compile_c() {
    # shellcheck disable=SC2086 # several flags
    quietly cc -std=c11 -I flow/include $sdl_cflags -c "$1" -o "$2"
}

# link_program COMPILER OBJECT...: flow's one file is added.
link_program() {
    # shellcheck disable=SC2086 # several flags
    quietly "$@" flow.o -o program $sdl_libs
}

# run_program NAME: prints what the README says.
run_program() {
    if ! block "copy-in-output: $1" >wanted; then
        say_failure "$1: no block follows <!-- copy-in-output: $1 -->"
    elif ! ./program >printed; then
        say_failure "$1: the program failed"
    elif ! diff wanted printed; then
        say_failure "$1: it printed something else (README < and program >, above)"
    fi
}

check_c_program() {
    if compile_c "$1" program.o && link_program cc program.o; then
        run_program "$1"
    else
        say_failure "$1 does not build"
    fi
}

check_cpp_program() {
    extract story.c || say_failure 'host.cpp is in a README, story.c is not'
    # shellcheck disable=SC2086 # several flags
    if compile_c story.c story.o && quietly c++ -std=c++17 -I flow/include $sdl_cflags -c host.cpp -o host.o &&
        link_program c++ host.o story.o; then
        run_program host.cpp
    else
        say_failure 'host.cpp with story.c does not build'
    fi
}

self_test() {
    # shellcheck disable=SC2016 # backquotes are Markdown's
    printf 'x\n<!-- copy-in: a.c -->\n\nText\n```c\none\n\ntwo\n```\n```c\nno\n```\n' >"$temp/page"
    if [ "$(awk -f "$support/block.awk" marker='<!-- copy-in: a.c -->' "$temp/page" | tr '\n' .)" != one..two. ]; then
        say_failure 'self-test: block.awk'
    fi
    if awk -f "$support/block.awk" marker='<!-- copy-in: b.c -->' "$temp/page"; then
        say_failure 'self-test: block.awk finds what is not there'
    fi
}

self_test
extract main.c || skip 'no README has a line <!-- copy-in: main.c --> yet'
cp -R "$root/flow" "$temp/flow"
cd "$temp"
compile_c flow/flow.c flow.o || say_failure 'flow/flow.c does not build alone'
[ "$(wc -l <main.c)" -lt 60 ] || say_failure "main.c has $(wc -l <main.c) lines; it must be under 60"
checked=main.c
check_c_program main.c
if extract variable_step.c; then
    check_c_program variable_step.c
    checked="$checked variable_step.c"
fi
if extract host.cpp; then
    check_cpp_program
    checked="$checked host.cpp"
fi
finish "copied flow/ and built $checked"
