#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A scripted session goes through every screen, and quitting in each of them ends with no flow left.
# Usage: session.sh GAME SOURCE_DIR
set -eu
game=$1
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
failures=0

fail() {
    echo "$1"
    failures=$((failures + 1))
}

# tap FRAME ACTION: press, and release three frames later.
tap() {
    echo "$1 press $2"
    echo "$(($1 + 3)) release $2"
}

# play FRAMES SCREENS: plays script.txt, which visits these screens and leaves no flow.
play() {
    "$game" --headless --no-draw --seed 5 --frames "$1" --script "$temp/script.txt" >"$temp/report" 2>"$temp/errors" ||
        fail "the game ended with $? ($2)"
    grep -qx "screens $2" "$temp/report" || fail "not the screens $2: $(grep '^screens' "$temp/report")"
    grep -q ', 0 left$' "$temp/report" || fail "flows are left: $(cat "$temp/report")"
    [ ! -s "$temp/errors" ] || fail "stderr: $(cat "$temp/errors")"
}

# Title, play, pause, resume.
{
    tap 60 confirm
    tap 150 pause
    tap 200 down
    tap 210 up
    tap 220 confirm
} >"$temp/script.txt"
play 400 'title play pause play'

# An idle moth is gone before frame 1300; game over goes back to the title by itself, which waits for 25 s.
echo '2300 quit' >>"$temp/script.txt"
play 3000 'title play pause play over title'

# The pause menu's second choice goes back to the title.
{
    tap 60 confirm
    tap 150 pause
    tap 170 down
    tap 180 down
    tap 190 confirm
} >"$temp/script.txt"
play 300 'title play pause title'

# The key that pauses also resumes.
{
    tap 60 confirm
    tap 150 key:p
    tap 180 key:escape
} >"$temp/script.txt"
play 300 'title play pause play'

# Quit everywhere: under the wipe that opens, on the title, under the wipe that closes, in play, in pause.
for frame in 1 10 55 65 75 130 160; do
    {
        if [ "$frame" -gt 60 ]; then tap 60 confirm; fi
        if [ "$frame" -gt 150 ]; then tap 150 pause; fi
        echo "$frame quit"
    } | sort -n >"$temp/script.txt"
    code=0
    "$game" --headless --no-draw --frames 1000 --script "$temp/script.txt" >"$temp/report" 2>"$temp/errors" || code=$?
    [ "$code" -eq 0 ] || fail "quit in frame $frame ended with $code: $(cat "$temp/errors")"
    grep -q ', 0 left$' "$temp/report" || fail "quit in frame $frame left flows"
done

# While everything is loaded, which takes 100 frames here, one file after another.
for frame in 1 50 99; do
    echo "$frame quit" >"$temp/script.txt"
    code=0
    "$game" --headless --no-draw --slow-io 100 --frames 1000 --script "$temp/script.txt" >"$temp/report" 2>"$temp/errors" ||
        code=$?
    [ "$code" -eq 0 ] || fail "quit in frame $frame, while loading, ended with $code: $(cat "$temp/errors")"
    grep -q ', 0 left$' "$temp/report" || fail "quit in frame $frame, while loading, left flows"
    grep -qx 'screens' "$temp/report" || fail "not the loading screen in frame $frame: $(cat "$temp/report")"
done
: >"$temp/script.txt"

# On the title, the pause key quits.
tap 60 pause >"$temp/script.txt"
play 1000 'title'

[ "$failures" -eq 0 ] || exit 1
echo 'Every screen was reached, and every way out leaves no flow'
