#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs every story again with its 1st, 2nd ... nth allocation failing, and all after it (sweep.h): whatever becomes of
# the story, flow must stay in its memory, and a world destroyed then must leave nothing behind. The programs are those
# of a build with the address sanitizer: all of tests/flow but those in sweep_left_out.txt.
# Usage: sweep.sh BUILD_DIR [PROGRAM...], programs by whole path
set -eu
left_out=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)/sweep_left_out.txt
build=$(CDPATH='' cd -- "$1" && pwd)
shift
deepest=40  # stories that fail later than that are those of crowds
whole=240   # seconds that a program may take with nothing failing
shortest=10 # and at least with something failing: a story may wait for what never comes then
longest=300 # seconds for all runs of a program, roughly: crowds and endless loops take theirs each time
seconds=$whole
temp=$(mktemp -d)
mkdir "$temp/work" # tests write files where they are
trap 'rm -rf "$temp"' EXIT
runs=0
bad=0

# one PROGRAM N: runs it so. Its exit code says nothing but that of a world that was left with memory.
one() {
    code=0
    (cd "$temp/work" && exec env ASAN_OPTIONS=detect_leaks=0:exitcode=99 EMBERLINE_FAIL_ALLOCATION="$2" \
        timeout "$seconds" "$1") >"$temp/log" 2>&1 || code=$?
    runs=$((runs + 1))
}

# frame N: the last report's frame of that depth.
frame() {
    sed -n "s/^ *#$1 .* in //p" "$temp/log" | tail -n 1
}

# in_flow FRAME
in_flow() {
    case $1 in
    */flow/src/* | */flow/include/*) return 0 ;;
    *) return 1 ;;
    esac
}

# flow_is_wrong: whose fault was it? A test that gives flow a null pointer, since what it would have pointed to could
# not be started, is wrong itself.
flow_is_wrong() {
    if grep 'flow/src/.*runtime error' "$temp/log" | grep -qv 'null pointer'; then return 0; fi
    case $code in
    98 | 134) return 0 ;;
    99)
        if grep -q 'SEGV on unknown address 0x0000000' "$temp/log"; then
            in_flow "$(frame 0)" && in_flow "$(frame 1)"
        else
            in_flow "$(frame 0)" || in_flow "$(frame 1)"
        fi
        ;;
    *) return 1 ;;
    esac
}

wrong() {
    echo "FAIL: $1"
    bad=$((bad + 1))
}

# is_left_out PROGRAM
is_left_out() {
    grep -q "^${1##*/} " "$left_out"
}

sweep() {
    seconds=$whole
    begin=$(date +%s)
    one "$1" 1000000
    took=$(($(date +%s) - begin))
    most=$(sed -n 's/^sweep: at most \([0-9]*\) .*/\1/p' "$temp/log")
    if [ -z "$most" ]; then
        if ! is_left_out "$1"; then wrong "${1##*/} tells of no story, and $left_out does not say why"; fi
        return
    fi
    if is_left_out "$1"; then wrong "${1##*/} has stories, and yet is in $left_out"; fi
    if [ "$most" -gt "$deepest" ]; then most=$deepest; fi
    if [ $((most * took)) -gt "$longest" ]; then most=$((longest / took + 1)); fi
    seconds=$((took * 2 + shortest))
    n=1
    while [ "$n" -le "$most" ]; do
        one "$1" "$n"
        if flow_is_wrong; then
            wrong "${1##*/}, allocation $n"
            grep -e '^sweep: .* left' -e 'ERROR:' -e 'runtime error' -e '^ *#[0-5] ' "$temp/log" | head -n 8
        fi
        if [ "$code" -eq 124 ]; then
            echo "${1##*/}: waits for ever without allocation $n"
            return
        fi
        n=$((n + 1))
    done
}

if [ $# -eq 0 ]; then
    set -- "$build"/tests/flow/test_*
    names=$(sed -n 's/^\(test_[a-z_]*\) .*/\1/p' "$left_out")
    for name in $names; do
        if [ ! -x "$build/tests/flow/$name" ]; then wrong "$left_out names $name, which there is not"; fi
    done
fi
for program in "$@"; do
    if [ -f "$program" ] && [ -x "$program" ]; then sweep "$program"; fi
done
echo "$runs runs, $bad with faults"
[ "$bad" -eq 0 ]
