#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A screenshot is a BMP of 640x360 with 24 bits a pixel that shows something, and the same in a second run.
# Usage: picture.sh GAME SOURCE_DIR
set -eu
game=$1
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
failures=0

fail() {
    echo "$1"
    failures=$((failures + 1))
}

# number FILE OFFSET SIZE: a little-endian number of the file.
number() {
    od -A n -v -t u1 -j "$2" -N "$3" "$1" | tr -s ' \n' ' ' |
        awk '{ for (i = NF; i > 0; i--) value = value * 256 + $i; print value + 0 }'
}

check_picture() {
    [ "$(head -c 2 "$1")" = BM ] || fail "$1 is no BMP"
    [ "$(number "$1" 18 4)" -eq 640 ] || fail "$1 is not 640 wide"
    [ "$(number "$1" 22 4)" -eq 360 ] || fail "$1 is not 360 high"
    [ "$(number "$1" 28 2)" -eq 24 ] || fail "$1 has not 24 bits a pixel"
    [ "$(wc -c <"$1")" -ge 691200 ] || fail "$1 is too short"
    # A picture of one colour compresses to next to nothing.
    packed=$(gzip -c "$1" | wc -c)
    [ "$packed" -gt 8000 ] || fail "$1 shows next to nothing: $packed bytes packed"
}

play() {
    "$game" --headless --scene play --frames 460 --seed 1 --screenshot "450:$1" --screenshot "60:$2" \
        >"$temp/report" || fail "the game ended with $?"
    [ -s "$temp/report" ] || fail 'no report on stdout'
    check_picture "$1"
    check_picture "$2"
}

play "$temp/a450.bmp" "$temp/a60.bmp"
play "$temp/b450.bmp" "$temp/b60.bmp"
cmp "$temp/a450.bmp" "$temp/b450.bmp" || fail 'frame 450 differs in a second run'
if cmp -s "$temp/a450.bmp" "$temp/a60.bmp"; then fail 'frames 60 and 450 are the same'; fi

[ "$failures" -eq 0 ] || exit 1
echo 'Pictures are pictures'
