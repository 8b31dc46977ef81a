#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Real frames: the game in a window of Xvfb at 60 Hz for 60 s, where every 5 s five hundred flows are cancelled at once and
# two screens follow one another under a wipe. Prints the profiler's figures, and fails where a hitch names a flow first.
# A bench check for a machine that does nothing else, run by ./test.sh --all. Usage: real_frames.sh GAME [SECONDS]
set -eu
game=$1
seconds=${2:-60}
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
command -v xvfb-run >/dev/null 2>&1 || { echo 'Skipped: no xvfb-run'; exit 0; }

# Into the lab; then, every 5 s: cancel all, back to the title, into the lab again.
{
    echo '60 press lab'
    echo '63 release lab'
    frame=300
    while [ "$frame" -lt $((seconds * 60 - 280)) ]; do
        for press in "0 confirm" "60 pause" "150 lab"; do
            at=$((frame + ${press%% *}))
            echo "$at press ${press##* }"
            echo "$((at + 3)) release ${press##* }"
        done
        frame=$((frame + 300))
    done
} >"$temp/script.txt"
code=0
env -u SDL_VIDEODRIVER SDL_AUDIODRIVER=dummy SDL_FRAMEBUFFER_ACCELERATION=0 xvfb-run -a -s '-screen 0 1280x800x24' \
    "$game" --scale 1 --dt real --frames $((seconds * 60)) --script "$temp/script.txt" --report \
    --profile-summary "$temp/summary.json" >"$temp/out" 2>"$temp/err" || code=$?
if [ "$code" -ne 0 ]; then
    echo "The game ended with $code"
    cat "$temp/err"
    exit 1
fi
cat "$temp/out" "$temp/err"
# What a hitch names first: a flow type (with #), or the cancel of a scope.
blamed=$(grep -E '^HITCH .*\| 1 (cancel|[a-z_]+ [+-][0-9.]+ \(x)' "$temp/err" || :)
if [ -n "$blamed" ]; then
    echo 'A hitch is blamed on flow:'
    echo "$blamed"
    exit 1
fi
