#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A script's inputs are part of the state: the same script gives the same hashes twice, one flipped input others.
# Usage: inputs.sh GAME SOURCE_DIR
set -eu
game=$1
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
failures=0

fail() {
    echo "$1"
    failures=$((failures + 1))
}

# hash_of SCRIPT FILE [OPTION]...
hash_of() {
    script=$1
    file=$2
    shift 2
    "$game" --headless --no-draw --scene play --frames 420 --script "$script" --hash "$@" >"$file" 2>/dev/null ||
        fail "the game ended with $?"
}

cat >"$temp/one.txt" <<'END'
30 press fire
40 axis move_x 1
70 axis move_x -0.5
90 press dash
95 release dash
120 axis aim_x 1
121 axis aim_y -1
200 press key:s
260 release key:s
300 release fire
END
sed 's/^90 press dash/90 release dash/' "$temp/one.txt" >"$temp/flipped.txt"
sed 's/^200 press/201 press/' "$temp/one.txt" >"$temp/late.txt"

hash_of "$temp/one.txt" "$temp/one" --seed 3
hash_of "$temp/one.txt" "$temp/again" --seed 3
hash_of "$temp/flipped.txt" "$temp/flipped" --seed 3
hash_of "$temp/late.txt" "$temp/late" --seed 3
hash_of "$temp/one.txt" "$temp/seed" --seed 4

[ "$(grep -Ec '^frame [0-9]+ hash [0-9a-f]{16}$' "$temp/one")" -eq 7 ] || fail "not a hash every 60 steps: $(cat "$temp/one")"
grep -Eq '^final 420 hash [0-9a-f]{16}$' "$temp/one" || fail 'no final hash'
[ "$(wc -l <"$temp/one")" -eq 8 ] || fail 'more than hashes on stdout'
cmp "$temp/one" "$temp/again" || fail 'the same script gave other hashes'
for other in flipped late seed; do
    [ "$(tail -n 1 "$temp/one")" != "$(tail -n 1 "$temp/$other")" ] || fail "$other gave the same final hash"
done
# Before the flipped input nothing differs.
[ "$(head -n 1 "$temp/one")" = "$(head -n 1 "$temp/flipped")" ] || fail 'the hashes differ before the inputs do'
[ "$(head -n 3 "$temp/one")" = "$(head -n 3 "$temp/late")" ] || fail 'the hashes differ before the late input'

[ "$failures" -eq 0 ] || exit 1
echo 'Inputs and seed decide the hashes'
