#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Where each public construct of flow is used: a line for each macro and function that its headers declare, with the
# number of places in the game and in the examples, and the first of them. What nobody uses is listed at the end; what is
# meant for hosts and tests alone stands in tests/uses_elsewhere.txt with the reason. Usage: uses.sh SOURCE_DIR
set -eu
cd "$1"
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT

# Macros without a trailing underscore, and functions in small letters, of the public headers.
constructs() {
    cat flow/include/flow/*.h flow/sdl/*.h >"$temp/headers"
    sed -n 's/^#define \(FLOW_[A-Z0-9_]*[A-Z0-9]\)\([ (].*\)*$/\1/p; s/^#define \(flow_[a-z0-9_]*[a-z0-9]\)(.*/\1/p' "$temp/headers"
    grep -oE '\bflow_[a-z0-9_]*[a-z0-9]\(' "$temp/headers" | tr -d '('
}

# places NAME FOLDER: how many lines name it.
places() {
    grep -rhow --include='*.[ch]' "$1" "$2" | wc -l
}

constructs | grep -vE '^FLOW_(EXTERN_C|NO_ASSERT|POISON|INLINE|LIKELY|UNLIKELY|NODISCARD|ASSERT)|_t$' |
    sort -u >"$temp/names"
: >"$temp/unused"
printf '%-34s %5s %8s  %s\n' construct game examples 'first use'
while read -r name; do
    game=$(places "$name" game/src)
    examples=$(places "$name" flow/examples)
    first=$(grep -rnw --include='*.[ch]' "$name" game/src flow/examples | sort | head -n 1 | cut -d : -f 1,2)
    printf '%-34s %5d %8d  %s\n' "$name" "$game" "$examples" "$first"
    if [ "$game" -eq 0 ] && [ "$examples" -eq 0 ]; then echo "$name" >>"$temp/unused"; fi
done <"$temp/names"

grep -v '^#' tests/uses_elsewhere.txt | sed 's/ .*//; s/\*/.*/g; s/^/^/; s/$/$/' >"$temp/elsewhere"
echo
echo 'Gaps, used nowhere in the game or the examples, and not in tests/uses_elsewhere.txt:'
grep -vf "$temp/elsewhere" "$temp/unused" | tr '\n' ' ' | fold -s -w 110 || :
echo
while read -r pattern; do
    grep -q "$pattern" "$temp/names" || { echo "tests/uses_elsewhere.txt: nothing is called $pattern"; exit 1; }
done <"$temp/elsewhere"
