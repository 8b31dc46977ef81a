#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The scripts of tests/game/scripts, each played alone: the screens it visits, no flow left, exit code 0, and the same
# state hash with every compiler. Then every screen is quit from.
# Usage: playthrough.sh GAME SOURCE_DIR [--refresh]
# --refresh writes the hashes that GAME gives into the scripts.
set -eu
game=$1
source=$2
refresh=${3:-}
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
failures=0

fail() {
    echo "$1"
    failures=$((failures + 1))
}

# head_of SCRIPT NAME: what the comment `# NAME:` at its head says.
head_of() {
    sed -n "s/^# $2: *//p" "$1" | head -n 1
}

# run SCRIPT FRAMES [OPTION]...: plays it; the report is in err, the hashes in out.
run() {
    script=$1
    shift
    rm -rf "$temp/saves"
    mkdir "$temp/saves"
    code=0
    "$game" --headless --no-draw --hash --script "$script" --saves "$temp/saves" "$@" >"$temp/out" 2>"$temp/err" ||
        code=$?
    [ "$code" -eq 0 ] || fail "${script##*/} ended with $code: $(cat "$temp/err")"
    grep -q ', 0 left$' "$temp/err" || fail "${script##*/} left flows: $(cat "$temp/err")"
}

check_settings() {
    wanted=$(head_of "$1" settings)
    [ -z "$wanted" ] || grep -qx "$wanted" "$temp/saves/settings.txt" || fail "${1##*/} did not save '$wanted'"
}

check() {
    # shellcheck disable=SC2046 # a list of options
    run "$1" $(head_of "$1" options)
    grep -qx "screens $(head_of "$1" screens)" "$temp/err" ||
        fail "${1##*/}: $(grep '^screens' "$temp/err"), not $(head_of "$1" screens)"
    check_settings "$1"
    hash=$(sed -n 's/^final [0-9]* hash //p' "$temp/out")
    if [ "$refresh" = --refresh ]; then
        sed "s/^# final:.*/# final: $hash/" "$1" >"$temp/new" && cat "$temp/new" >"$1"
    elif [ "$hash" != "$(head_of "$1" final)" ]; then
        fail "${1##*/} ended with the hash $hash, not $(head_of "$1" final) (tests/support/refresh.sh renews them)"
    fi
}

# quit_at SCRIPT SCREEN FRAME...: quits the script in these frames, the last of which lies in SCREEN.
quit_at() {
    story=$1
    screen=$2
    shift 2
    for frame in "$@"; do
        awk -v last="$frame" '/^#/ { next } $1 < last { print } END { print last " quit" }' "$story" >"$temp/quit.txt"
        # shellcheck disable=SC2046 # a list of options
        run "$temp/quit.txt" $(head_of "$story" options)
    done
    grep -Eq "^screens .*$screen\$" "$temp/err" || fail "frame $frame of ${story##*/} is not in $screen: $(grep screens "$temp/err")"
}

for script in "$source"/tests/game/scripts/*.txt; do check "$script"; done
if [ "$refresh" = --refresh ]; then exit 0; fi
[ "$(head_of "$source/tests/game/scripts/combo.txt" final)" != "$(head_of "$source/tests/game/scripts/combo_late.txt" final)" ] ||
    fail 'a comet is no other than two dashes'

scripts=$source/tests/game/scripts
quit_at "$scripts/game_over.txt" title 1 20 40 61 80
quit_at "$scripts/game_over.txt" play 100 300 900
quit_at "$scripts/game_over.txt" over 1450 1590 1610
quit_at "$scripts/pauses.txt" pause 201 220
quit_at "$scripts/pauses.txt" settings 440
quit_at "$scripts/pauses.txt" play 310 480
quit_at "$scripts/boss_pause.txt" play 50 230 500 590
quit_at "$scripts/boss_pause.txt" pause 650
quit_at "$scripts/lab.txt" lab 120 299 301 320
quit_at "$scripts/victory.txt" victory 7530 8000 8200 8300

[ "$failures" -eq 0 ] || exit 1
echo "$(find "$scripts" -name '*.txt' | wc -l) playthroughs ended as they should, and every screen was left"
