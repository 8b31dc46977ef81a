#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Builds everything and runs the tests. Installing and building talk on stderr, tests on stdout. Every step runs, also
# after one that failed; the last line says what passed.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=cmake/packages.sh
. "$root/cmake/packages.sh"
passed=''
failed=''

usage() {
    cat <<'END'
Usage: ./test.sh [--all]
Installs what is missing (Debian, Ubuntu), builds, and runs the tests:
  default   gcc release, gcc with address and undefined behaviour sanitizers, the tests that start threads with the
            thread sanitizer, and the same game hashes from gcc and clang
  --all     also clang, debug, thread sanitizer for all of flow, a minute of stress, far more random programs, every
            story without memory, valgrind, clang-tidy, cppcheck, clang-format and codespell
END
}

# step NAME COMMAND...: runs it and remembers how it went.
step() {
    name=$1
    shift
    say "== $name"
    if "$@"; then passed="$passed $name"; else failed="$failed $name"; fi
}

# test_preset PRESET [CTEST_OPTION...]
test_preset() {
    preset=$1
    shift
    build_preset "$preset" && (cd "$root" && ctest --preset "$preset" "$@")
}

# The simulation and its pictures are the same with another compiler.
test_hash() {
    build_preset release --target emberline && build_preset clang --target emberline &&
        sh "$root/tests/game/hash_equal.sh" "$root/build/release/game/emberline" "$root" \
            "$root/build/clang/game/emberline" &&
        sh "$root/tests/game/playthrough.sh" "$root/build/clang/game/emberline" "$root" &&
        sh "$root/tests/game/golden.sh" "$root/build/clang/game/emberline" "$root"
}

# gcc 12's runtime cannot map its shadow where the kernel randomises addresses by more than 28 bits.
# run_tsan CTEST_OPTION...
run_tsan() {
    fixed_addresses=''
    if setarch "$(uname -m)" -R true 2>/dev/null; then fixed_addresses="setarch $(uname -m) -R"; fi
    # shellcheck disable=SC2086 # a command and its options
    (cd "$root" && $fixed_addresses ctest --preset tsan "$@")
}

test_threads() {
    build_preset tsan --target thread_tests && run_tsan -L '^threads$'
}

test_tsan() {
    build_preset tsan && run_tsan -L '^(flow|sdl)$'
}

# A minute each of what workers, cancels and teardowns do to one another.
test_stress() {
    FLOW_STRESS_SECONDS=60 run_tsan -R '^test_stress$' &&
        (cd "$root" && FLOW_STRESS_SECONDS=60 ctest --preset asan -R '^test_stress$')
}

# Memcheck on flow's own tests; the engine's would mostly show what SDL's drivers keep. Ten minutes of play, which are
# to see how much is written, would take half an hour and show nothing that the profiler's other tests do not.
test_valgrind() {
    build_preset debug || return 1
    broken=0
    for program in "$root"/build/debug/tests/flow/test_*; do
        if [ ! -f "$program" ] || [ ! -x "$program" ] || [ "${program##*/}" = test_profile_long ]; then continue; fi
        echo "valgrind ${program##*/}"
        (cd "$root/build/debug" && valgrind -q --error-exitcode=9 --leak-check=full \
            --errors-for-leak-kinds=definite,indirect,possible "$program" >/dev/null) || broken=1
    done
    return $broken
}

# Of random programs far more than ctest runs; a difference prints its seed, which the program takes to replay it.
test_model_long() {
    build_preset release --target test_model && "$root/build/release/tests/model/test_model" 40001 400000
}

# Every story again with its 1st, 2nd ... allocation failing.
test_sweep() {
    build_preset asan && sh "$root/tests/support/sweep.sh" "$root/build/asan"
}

# sources FOLDER...: the C files in them, one a line.
sources() {
    (cd "$root" && find "$@" -name '*.c' | sort)
}

test_clang_tidy() {
    (cd "$root" && cmake --preset clang) >&2 || return 1
    sources flow/src flow/sdl engine/src game/src game/tools |
        (cd "$root" && xargs -P "$jobs" -n 2 clang-tidy-14 -p build/clang --quiet --warnings-as-errors='*')
}

# cppcheck must see cglm's types, and must not be sent through all of the system's headers for them.
test_cppcheck() {
    only=$root/build/cglm
    mkdir -p "$only" && ln -sfn "$(pkg-config --variable=includedir cglm)/cglm" "$only/cglm" || return 1
    (cd "$root" && cppcheck --quiet -j "$jobs" --std=c11 --enable=warning,performance,portability --inline-suppr \
        --suppress=missingIncludeSystem "--suppress=*:$only/*" --error-exitcode=1 \
        -I flow/include -I engine/include -I "$only" flow/src flow/sdl engine/src game)
}

test_format() {
    (cd "$root" && find flow engine game tests \( -name '*.[ch]' -o -name '*.cpp' \) -not -path 'flow/build/*' |
        sort | xargs clang-format-14 --dry-run -Werror)
}

test_spelling() {
    (cd "$root" && codespell README.md LICENSE CMakeLists.txt run.sh test.sh cmake flow engine game tests)
}

run_default() {
    step release test_preset release
    step asan test_preset asan
    step threads test_threads
    step hash test_hash
}

# A minute of real frames in a window: no hitch may be flow's.
test_frames() {
    build_preset release --target emberline &&
        sh "$root/tests/bench/real_frames.sh" "$root/build/release/game/emberline"
}

# Twenty minutes of the attract mode.
test_soak() {
    build_preset release --target test_soak &&
        EMBERLINE_SOAK_MINUTES=20 SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy \
            "$root/build/release/tests/game/test_soak"
}

run_rest() {
    step clang test_preset clang
    step debug test_preset debug
    step tsan test_tsan
    step stress test_stress
    step soak test_soak
    step frames test_frames
    step model test_model_long
    step sweep test_sweep
    step valgrind test_valgrind
    step clang-tidy test_clang_tidy
    step cppcheck test_cppcheck
    step clang-format test_format
    step codespell test_spelling
}

summary() {
    if [ -n "$failed" ]; then
        echo "test.sh: FAILED:$failed; passed:${passed:- nothing}"
        exit 1
    fi
    echo "test.sh: all passed:$passed"
}

all=no
for option in "$@"; do
    case $option in
    --all) all=yes ;;
    --help)
        usage
        exit 0
        ;;
    *)
        say "test.sh: unknown option '$option'; --help names the options"
        exit 2
        ;;
    esac
done

if [ "$all" = yes ]; then require build test lint; else require build test; fi
use_all_processors
run_default
if [ "$all" = yes ]; then run_rest; fi
summary
