#!/bin/sh
# SPDX-License-Identifier: MIT
# What a level of the profiler's overlay costs a frame, in the lab's 500 flows, without a window: the median of its
# callback, in which the software renderer also does what was drawn.
#
#   tests/bench/overlay.sh GAME [--check]
#
# --check exits 3 where a level takes more than 0.5 ms. For a machine that does nothing else.
set -eu
game=$1
check=${2:-}
most=0.5
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
missed=0

for level in 1 2 3; do
    : >"$temp/script.txt"
    press=0
    while [ "$press" -lt "$level" ]; do
        printf '%s press overlay\n%s release overlay\n' $((10 + 4 * press)) $((12 + 4 * press)) >>"$temp/script.txt"
        press=$((press + 1))
    done
    "$game" --headless --mute --scene lab --seed 3 --frames 400 --script "$temp/script.txt" \
        --profile-summary "$temp/summary.json" >"$temp/out" 2>&1 || {
        cat "$temp/out"
        exit 1
    }
    ms=$(tr '{' '\n' <"$temp/summary.json" | sed -n 's/.*"name":"overlay",.*"p50_ms":\([0-9.]*\),.*/\1/p')
    [ -n "$ms" ] || { echo "overlay.sh: the summary has no row of the overlay"; exit 1; }
    if awk "BEGIN { exit !($ms > $most) }" </dev/null; then
        word=MISSED missed=1
    else
        word=met
    fi
    echo "overlay_level_$level  $ms ms a frame, at most $most: $word"
done
[ "$check" != --check ] || [ "$missed" -eq 0 ] || exit 3
