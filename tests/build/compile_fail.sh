#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Misuse is diagnosed at compile time. Usage: compile_fail.sh SOURCE_DIR
#
# compile_fail/*.c: each a mistake, with its correction. Comments in it say what must happen:
#     /* expect-gcc: REGEX */  /* expect-clang: REGEX */   one or more of each; `none` where a compiler cannot see it
#     /* flags: ... */  /* flags-gcc: ... */  /* flags-clang: ... */   added to -std=c11; with none, the diagnostic must
#                                         come by default. `strict` stands for what flow::strict adds.
#     /* BAD */                           on each line that the diagnostics must point at
# Without macros defined, the expected diagnostics must appear; with -DGOOD the same file must draw none under the full
# warnings, with and without optimisation.
#
# The harness tries itself on a few cases without flow first.
set -eu
# shellcheck source=tests/build/support/common.sh
. "$(dirname -- "$0")/support/common.sh"
make_temp

# marks WHAT FILE: the text of every comment "/* WHAT: text */".
marks() {
    awk -v start="/* $1:" '
        {
            while ((at = index($0, start)) > 0) {
                $0 = substr($0, at + length(start))
                text = substr($0, 1, index($0, "*/") - 1)
                gsub(/^ +| +$/, "", text)
                print text
            }
        }' "$2"
}

# flags_for COMPILER FILE
flags_for() {
    for flag in $(marks flags "$2") $(marks "flags-$1" "$2"); do
        if [ "$flag" = strict ]; then strict_flags "$1"; else echo "$flag"; fi
    done | tr '\n' ' '
}

# compile COMPILER FILE FLAG...: its words to $temp/said.
compile() {
    compiler=$1 source=$2
    shift 2
    "$compiler" -std=c11 "$@" -I "$include" -fdiagnostics-color=never -c -o "$temp/object" "$source" >"$temp/said" 2>&1
}

# check_bad COMPILER CASE: the expected diagnostics appear.
check_bad() {
    marks "expect-$1" "$2" >"$temp/expected"
    if [ ! -s "$temp/expected" ]; then
        say_failure "$2: no comment says what $1 must do (expect-$1)"
        return
    fi
    if [ "$(cat "$temp/expected")" = none ]; then return; fi
    # shellcheck disable=SC2046 # several flags
    compile "$1" "$2" $(flags_for "$1" "$2") || true # an error is as good as a warning
    if ! awk -f "$support/diagnostics.awk" tested="$2" expected="$temp/expected" "$temp/said"; then
        sed 's/^/  | /' "$temp/said"
        say_failure "$2: $1"
    fi
}

# check_good COMPILER CASE: the correction draws no diagnostic.
check_good() {
    for level in -O0 -O2; do
        # shellcheck disable=SC2046,SC2086 # several flags
        if ! compile "$1" "$2" $full_warnings $(strict_flags "$1") $(flags_for "$1" "$2") $level -DGOOD ||
            [ -s "$temp/said" ]; then
            sed 's/^/  | /' "$temp/said"
            say_failure "$2: $1 $level -DGOOD is not clean"
        fi
    done
}

# check_cases ROOT: all cases of a tree with all compilers.
check_cases() {
    include=$1/flow/include
    count=0
    for case in "$1"/tests/build/compile_fail/*.c; do
        [ -e "$case" ] || continue
        count=$((count + 1))
        for compiler in $compilers; do
            check_bad "$compiler" "$case"
            check_good "$compiler" "$case"
        done
    done
}

# put_case NAME LINE...
put_case() {
    printf '%s\n' "$@" | tail -n +2 >"$temp/tree/tests/build/compile_fail/$1.c"
}

# Cases that must pass (ok_*) and that the harness must refuse (bad_*).
make_self_test() {
    mkdir -p "$temp/tree/tests/build/compile_fail" "$temp/tree/flow/include"
    printf '#define TAKE(p) take(1, p)\nvoid take(int, int *);\n' >"$temp/tree/flow/include/take.h"
    expect_any='/* expect-gcc: incompatible */ /* expect-clang: incompatible */'
    put_case ok_macro '/* expect-gcc: incompatible pointer */' '/* expect-clang: incompatible pointer */' \
        '#include "take.h"' 'void f(long *l, int *i);' 'void f(long *l, int *i)' '{' \
        '#ifdef GOOD' 'TAKE(i); (void)l;' '#else' 'TAKE(l); /* BAD */' '(void)i;' '#endif' '}'
    put_case ok_one_sided '/* expect-gcc: maybe-uninit|may be used uninit */' '/* expect-clang: none */' \
        '/* flags-gcc: -O2 strict */' 'int g(int *); int f(int c);' 'int f(int c) {' \
        '#ifdef GOOD' 'int x = 0;' '#else' 'int x;' '#endif' 'if (c) x = g(&c);' 'c = g(&c);' \
        'if (c) return x; /* BAD */' 'return 0; }'
    put_case bad_silent '/* expect-gcc: unused */' '/* expect-clang: unused */' \
        'int f(void); int f(void) { int x; return 0; } /* BAD */'
    put_case bad_elsewhere '/* expect-gcc: incompatible */ ' '/* expect-clang: incompatible */' \
        'void f(long *l); void f(long *l) {' '#ifndef GOOD' 'int *p = l;' '(void)p; /* BAD */' '#endif' '(void)l; }'
    put_case bad_second_line '/* expect-gcc: incompatible */' '/* expect-clang: incompatible */' \
        'void f(long *l); void f(long *l) {' '#ifndef GOOD' 'int *p = l; /* BAD */' '(void)p; /* BAD */' '#endif' \
        '(void)l; }'
    put_case bad_regex '/* expect-gcc: no such words */' '/* expect-clang: no such words */' \
        'int f(void) { return x; } /* BAD */'
    put_case bad_good "$expect_any" 'void f(long *l); void f(long *l) { int *p = l; (void)p; } /* BAD */'
    put_case bad_unmarked '/* nothing said */' 'int f(void); int f(void) { return 0; }'
}

self_test() {
    make_self_test
    check_cases "$temp/tree" >"$temp/out"
    failures=0
    if grep '^FAIL: .*/ok_' "$temp/out"; then say_failure "self-test: a case above was refused: $(cat "$temp/out")"; fi
    for case in "$temp"/tree/tests/build/compile_fail/bad_*.c; do
        for compiler in $compilers; do
            grep -q "^FAIL: $case: .*$compiler" "$temp/out" ||
                say_failure "self-test: ${case##*/} was accepted with $compiler: $(cat "$temp/out")"
        done
    done
}

compilers=$(present gcc clang)
have clang || echo 'clang is not installed: only gcc is tried'
self_test
check_cases "$1"
[ "$count" -gt 0 ] || say_failure 'no case was found'
finish "$count mistakes with: $(echo "$compilers" | tr '\n' ' ')"
