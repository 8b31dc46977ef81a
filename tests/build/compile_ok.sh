#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Forms that must work. Usage: compile_ok.sh SOURCE_DIR
# compile_ok/*.c: complete programs that include flow's headers. With gcc and clang, with and without optimisation, each
# must compile without a diagnostic, and print what its comment says that begins with a line "/* output:" and ends with
# a line "*/". `/* flags: ... */` adds flags.
set -eu
# shellcheck source=tests/build/support/common.sh
. "$(dirname -- "$0")/support/common.sh"
make_temp
root=$(CDPATH='' cd -- "$1" && pwd)

# build_flow COMPILER: the one-file build, once for each compiler.
build_flow() {
    "$1" -std=c11 -O1 -I "$root/flow/include" -c -o "$temp/flow-$1.o" "$root/flow/flow.c"
}

# build_case COMPILER LEVEL CASE
build_case() {
    flags=$(sed -n 's|.*/\* flags: *\(.*[^ ]\) *\*/.*|\1|p' "$3")
    # shellcheck disable=SC2046,SC2086 # several flags
    "$1" -std=c11 $full_warnings $(strict_flags "$1") -Werror "$2" $flags -I "$root/flow/include" \
        -o "$temp/case" "$3" "$temp/flow-$1.o"
}

# check_case COMPILER LEVEL CASE
check_case() {
    if ! build_case "$@"; then
        say_failure "$3: $1 $2 does not build cleanly"
    elif ! "$temp/case" >"$temp/printed"; then
        say_failure "$3: $1 $2: the program failed"
    elif ! diff "$temp/wanted" "$temp/printed"; then
        say_failure "$3: $1 $2: it printed something else (wanted < and printed >, above)"
    fi
}

set -- "$root"/tests/build/compile_ok/*.c
[ -e "$1" ] || say_failure 'no case was found'
for compiler in $(present gcc clang); do
    build_flow "$compiler"
    for case in "$@"; do
        sed -n '/^\/\* output:/,/^ *\*\//p' "$case" | sed '1d;$d' >"$temp/wanted"
        for level in -O0 -O2; do check_case "$compiler" "$level" "$case"; done
    done
done
finish "$# programs with: $(present gcc clang | tr '\n' ' ')"
