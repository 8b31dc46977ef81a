#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Every public header compiles alone, twice in one file, as C (C11 for flow, C17 for the engine) and as C++17, with
# the warnings on, with every compiler there is; each of flow's has its row in flow/README.md. Usage: headers.sh SOURCE_DIR
set -eu
# shellcheck source=tests/build/support/common.sh
. "$(dirname -- "$0")/support/common.sh"
make_temp
root=$(CDPATH='' cd -- "$1" && pwd)
system_flags=$(system_cflags sdl2 cglm)
checked=0

# compile_alone COMPILER LANGUAGE STANDARD INCLUDE FOLDER...: quiet, or the compiler's words.
compile_alone() {
    compiler=$1 language=$2 standard=$3 include=$4
    shift 4
    printf '#include "%s"\n#include "%s"\n' "$include" "$include" >"$temp/alone"
    # shellcheck disable=SC2086 # several flags
    "$compiler" -x "$language" "-std=$standard" -fsyntax-only $full_warnings -Werror $system_flags "$@" "$temp/alone"
}

# check_header HEADER INCLUDE C_STANDARD FOLDER_FLAG...
check_header() {
    header=$1 include=$2 c_standard=$3
    shift 3
    checked=$((checked + 1))
    for compiler in $(present gcc clang); do
        compile_alone "$compiler" c "$c_standard" "$include" "$@" || say_failure "$header: $compiler -std=$c_standard"
    done
    for compiler in $(present g++ clang++); do
        compile_alone "$compiler" c++ c++17 "$include" "$@" || say_failure "$header: $compiler -std=c++17"
    done
}

# check_headers TOP: all public headers of a tree.
check_headers() {
    for header in "$1"/flow/include/flow/*.h; do
        [ -e "$header" ] || continue
        grep -qF "| \`flow/${header##*/}\` |" "$1/flow/README.md" ||
            say_failure "flow/${header##*/} has no row in flow/README.md"
        check_header "$header" "flow/${header##*/}" c11 "-I$1/flow/include"
    done
    for header in "$1"/flow/sdl/*.h; do
        [ -e "$header" ] || continue
        check_header "$header" "${header##*/}" c11 "-I$1/flow/include" "-I$1/flow/sdl"
    done
    for header in "$1"/engine/include/engine/*.h; do
        [ -e "$header" ] || continue
        check_header "$header" "engine/${header##*/}" c17 "-I$1/engine/include"
    done
}

# A header that leans on another's include, one that is no C++, one with a warning: all must be refused.
self_test() {
    mkdir -p "$temp/tree/flow/include/flow"
    echo 'uint32_t leans(void);' >"$temp/tree/flow/include/flow/leans.h"
    echo 'int no_cxx(int class);' >"$temp/tree/flow/include/flow/no_cxx.h"
    echo 'static inline char warns(int i) { return i; }' >"$temp/tree/flow/include/flow/warns.h"
    printf '| `flow/%s` |\n' leans.h no_cxx.h warns.h >"$temp/tree/flow/README.md"
    echo 'int untold;' >"$temp/tree/flow/include/flow/untold.h"
    check_headers "$temp/tree" >"$temp/out" 2>&1
    failures=0
    checked=0
    for name in leans no_cxx warns; do
        grep -q "^FAIL: .*/$name.h" "$temp/out" || say_failure "self-test: $name.h was accepted"
    done
    grep -q '^FAIL: flow/untold.h has no row' "$temp/out" || say_failure 'self-test: untold.h was accepted'
}

self_test
check_headers "$root"
[ "$checked" -gt 0 ] || say_failure 'no public header was found'
finish "$checked headers compile alone with: $(present gcc clang g++ clang++ | tr '\n' ' ')"
