#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The same seed gives the same state hashes in every run and every build.
# Usage: hash_equal.sh GAME SOURCE_DIR [OTHER_GAME]
# GAME is run against OTHER_GAME, a build by another compiler, or against itself.
set -eu
game=$1
other=${3:-$1}
SDL_VIDEODRIVER=dummy
SDL_AUDIODRIVER=dummy
export SDL_VIDEODRIVER SDL_AUDIODRIVER
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT

# hash_of GAME SEED FILE
hash_of() {
    "$1" --headless --no-draw --attract --frames 7200 --seed "$2" --hash >"$3" || {
        echo "$1 ended with exit code $?"
        exit 1
    }
}

hash_of "$game" 7 "$temp/one"
hash_of "$other" 7 "$temp/two"
hash_of "$game" 8 "$temp/seed"
if [ ! -s "$temp/one" ]; then
    echo "$game --hash printed nothing"
    exit 1
fi
if ! diff "$temp/one" "$temp/two"; then
    echo "The hashes above differ: < $game, > $other"
    exit 1
fi
if cmp -s "$temp/one" "$temp/seed"; then
    echo "$game gives the same hashes for seeds 7 and 8"
    exit 1
fi
echo "Same hashes for seed 7 from $game and $other"
