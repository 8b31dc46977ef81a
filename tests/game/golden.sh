#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Pictures of the title, a play, NOVA, the boss, the pause, the lab, the end and the profiler, compared pixel by pixel with those in
# tests/game/golden (drawn by SDL's software renderer under the dummy driver, the same on every machine).
# Usage: golden.sh GAME SOURCE_DIR [--refresh]
# --refresh writes the pictures that GAME draws instead. Pictures are kept packed.
set -eu
game=$1
source=$2
refresh=${3:-}
golden=$source/tests/game/golden
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
failures=0

# take NAME FRAME OPTION...: a picture of one frame; what comes before is not drawn.
take() {
    name=$1
    frame=$2
    shift 2
    code=0
    "$game" --headless --no-draw --frames "$frame" --screenshot "$frame:$temp/$name.bmp" "$@" >"$temp/out" 2>&1 || code=$?
    if [ "$code" -ne 0 ]; then
        echo "$name: the game ended with $code: $(cat "$temp/out")"
        failures=$((failures + 1))
        return
    fi
    if [ "$refresh" = --refresh ]; then
        mkdir -p "$golden"
        gzip -9nc "$temp/$name.bmp" >"$golden/$name.bmp.gz"
    elif ! gzip -dc "$golden/$name.bmp.gz" | cmp - "$temp/$name.bmp"; then
        echo "$name.bmp is not what tests/game/golden has (tests/support/refresh.sh renews the pictures)"
        failures=$((failures + 1))
    fi
}

scripts=$source/tests/game/scripts
take loading 60 --slow-io 100
take title 59 --seed 5 --script "$scripts/game_over.txt"
take play 1500 --seed 27 --script "$scripts/victory.txt"
take tutorial 690 --seed 5 --script "$scripts/tutorial.txt"
take pause 240 --seed 7 --script "$scripts/pauses.txt"
take settings 440 --seed 7 --script "$scripts/pauses.txt"
take help 330 --seed 7 --script "$scripts/pauses.txt"
take boss 760 --seed 8 --scene boss
take lab 299 --seed 11 --script "$scripts/lab.txt"
take victory 8320 --seed 27 --script "$scripts/victory.txt"
take over 9380 --seed 27 --script "$scripts/victory.txt"
take nova 4372 --seed 27 --script "$scripts/victory.txt"

# The profiler's overlay on a counted clock, frozen, with the cursor on a frame that took too long.
cat >"$temp/overlay.txt" <<'END'
10 press overlay
12 release overlay
14 press overlay
16 release overlay
85 press freeze
86 release freeze
87 hold frame_back 1.0
112 release frame_back
END
take overlay 115 --seed 3 --scene play --clock counted --inject-hitch 60:400 --script "$temp/overlay.txt"

[ "$failures" -eq 0 ] || exit 1
echo "The pictures are those of tests/game/golden"
