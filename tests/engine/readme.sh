#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The program of engine/README.md has at most 40 lines, builds without warnings, runs until it is interrupted, and ends
# well. Usage: readme.sh ENGINE_LIBRARY SOURCE_DIR
set -eu
library=$1
source=$2
cc=${CC:-cc}
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT

sed -n '/^```c$/,/^```$/{/^```/!p;}' "$source/engine/README.md" >"$temp/hello.c"
lines=$(wc -l <"$temp/hello.c")
if [ "$lines" -lt 10 ] || [ "$lines" -gt 40 ]; then
    echo "The program has $lines lines"
    exit 1
fi
# Sanitizers of the library need themselves here as well.
sanitize=''
if nm "$library" | grep -q __asan_; then sanitize='-fsanitize=address,undefined'; fi
if nm "$library" | grep -q __tsan_; then sanitize='-fsanitize=thread'; fi
if nm "$library" | grep -q __gcov_; then sanitize='--coverage'; fi
# shellcheck disable=SC2046,SC2086 # lists of options
"$cc" -std=c17 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror $sanitize -I "$source/engine/include" \
    "$temp/hello.c" "$library" $(pkg-config --cflags --libs sdl2) -lm -o "$temp/hello"
# In the foreground: else the signal comes twice, and the second one kills.
code=0
SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy timeout --foreground -s INT --preserve-status 2 "$temp/hello" || code=$?
if [ "$code" -ne 0 ]; then
    echo "The program ended with $code"
    exit 1
fi
echo "The program of engine/README.md has $lines lines and runs"
