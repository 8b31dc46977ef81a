#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A recorded run is played again step for step, whoever played it and whatever its frames took; what differs is named.
# Usage: replay.sh GAME SOURCE_DIR
set -eu
game=$1
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
failures=0

fail() {
    echo "$1"
    failures=$((failures + 1))
}

# record NAME OPTION...: a run that is recorded to NAME.txt, its hashes kept in NAME.hash.
record() {
    name=$1
    shift
    code=0
    "$game" --headless --no-draw --hash --record "$temp/$name.txt" "$@" >"$temp/$name.hash" 2>"$temp/err" || code=$?
    [ "$code" -eq 0 ] || fail "recording $name ended with $code: $(cat "$temp/err")"
    [ "$(grep -c ' hash ' "$temp/$name.txt")" -ge 3 ] || fail "$name has no hashes"
}

# replay NAME: the same hashes again.
replay() {
    code=0
    "$game" --headless --no-draw --hash --replay "$temp/$1.txt" >"$temp/again" 2>"$temp/err" || code=$?
    [ "$code" -eq 0 ] || fail "replaying $1 ended with $code: $(cat "$temp/err")"
    cmp -s "$temp/$1.hash" "$temp/again" || fail "$1 gave other hashes in its replay"
}

record pilot --seed 11 --scene play --frames 1500
replay pilot
record attract --seed 12 --attract --frames 2400
replay attract
cat >"$temp/inputs.txt" <<'END'
60 press confirm
61 release confirm
140 hold right 0.62
180 press fire
190 pad in
200 axis pad:leftx -0.8
205 axis mouse_x 100
210 press pad:a
220 pad out
260 press confirm
262 release confirm
300 focus lose
310 focus gain
330 press key:escape
331 release key:escape
400 resize 900 700
END
record script --seed 13 --frames 700 --script "$temp/inputs.txt"
replay script
grep -q '^screens title play pause play pause play$' "$temp/err" || fail "other screens: $(grep screens "$temp/err")"
# Frames that take as long as they take: the machine's own pace is in the file.
record real --seed 14 --scene play --dt real --frames 240
replay real
[ "$(grep -c ' time ' "$temp/real.txt")" -gt 200 ] || fail 'a run in real time has no times'

# One flipped input, another seed and a forged hash are noticed, and the frame is named.
differs() {
    code=0
    "$game" --headless --no-draw --replay "$temp/bad.txt" >"$temp/out" 2>"$temp/err" || code=$?
    [ "$code" -eq 4 ] || fail "$1: ended with $code, not 4"
    grep -q "$temp/bad.txt: frame [0-9]* has the hash [0-9a-f]*, and had [0-9a-f]* when" "$temp/err" ||
        fail "$1: not named: $(cat "$temp/err")"
}
awk '$2 == "hold" && $3 == "right" { $3 = "left" } { print }' "$temp/script.txt" >"$temp/bad.txt"
differs 'a flipped input'
sed '1s/seed 13/seed 14/' "$temp/script.txt" >"$temp/bad.txt"
differs 'another seed'
sed 's/hash [0-9a-f]*$/hash 0123456789abcdef/' "$temp/script.txt" >"$temp/bad.txt"
differs 'a forged hash'

# What is no recording is refused.
refused() {
    code=0
    "$game" --headless --frames 5 --replay "$temp/bad.txt" >"$temp/out" 2>"$temp/err" || code=$?
    [ "$code" -eq 2 ] || fail "$1 ended with $code, not 2"
    [ "$(wc -l <"$temp/err")" -eq 1 ] || fail "$1: other than one line"
    grep -qF "$temp/bad.txt:$2" "$temp/err" || fail "$1: not named: $(cat "$temp/err")"
}
echo 'hello' >"$temp/bad.txt"
refused 'another file' 1:
: >"$temp/bad.txt"
refused 'an empty file' 1:
{
    head -n 1 "$temp/script.txt"
    echo '5 hash xyz'
} >"$temp/bad.txt"
refused 'a bad hash' 2:

[ "$failures" -eq 0 ] || exit 1
echo 'Recordings play again, and what differs is named'
