#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The tool in game/tools makes exactly the files in assets/, byte for byte, also when it is built without optimisation;
# and what is wrong with its use is said in one line. Usage: assets.sh GAME SOURCE_DIR
# The tool is make_assets beside the game, or is built here where it is missing.
set -eu
game=$1
source=$2
assets=$source/assets
cc=${CC:-cc}
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
failures=0

fail() {
    echo "$1"
    failures=$((failures + 1))
}

build_tool() {
    "$cc" -std=c17 -O0 -ffp-contract=off "$source"/game/tools/*.c -o "$1"
}

# make_folders DIR: where the tool may write.
make_folders() {
    mkdir -p "$1/images" "$1/sounds" "$1/fonts"
}

# files_of DIR: every file that the tool should have made.
files_of() {
    (cd "$1" && find images sounds fonts palette.txt -type f | sort)
}

# differences MADE COMMITTED: a line for each file that only one of the folders has or that differs.
differences() {
    files_of "$1" >"$temp/made"
    files_of "$2" >"$temp/committed"
    diff "$temp/committed" "$temp/made" | sed -n 's/^< \(.*\)/\1 is not made by the tool/p; s/^> \(.*\)/\1 is not committed/p'
    while read -r file; do
        if [ -f "$2/$file" ] && ! cmp -s "$1/$file" "$2/$file"; then
            echo "$file differs from what the tool makes"
        fi
    done <"$temp/made"
}

# check_made MADE: the folder is equal to assets/.
check_made() {
    found=$(differences "$1" "$assets")
    [ -z "$found" ] || fail "$found"
}

# check_refused CODE WORDS ARGUMENT...: the tool ends with CODE and one line that contains WORDS.
check_refused() {
    code=0
    expected=$1
    words=$2
    shift 2
    "$tool" "$@" >"$temp/out" 2>"$temp/line" || code=$?
    [ "$code" -eq "$expected" ] || fail "make_assets $* ended with $code, not $expected"
    [ "$(wc -l <"$temp/line")" -eq 1 ] || fail "make_assets $* printed other than one line"
    [ ! -s "$temp/out" ] || fail "make_assets $* wrote to stdout"
    grep -qF -- "$words" "$temp/line" || fail "make_assets $* did not say: $words"
}

tool=$(dirname -- "$game")/make_assets
if [ ! -x "$tool" ]; then
    tool=$temp/make_assets
    build_tool "$tool"
fi
make_folders "$temp/built"
"$tool" "$temp/built"
check_made "$temp/built"

if command -v "$cc" >/dev/null 2>&1; then
    build_tool "$temp/plain_tool"
    make_folders "$temp/plain"
    "$temp/plain_tool" "$temp/plain"
    check_made "$temp/plain"
fi

# The comparison finds a changed, a missing and an additional file.
cp -r "$assets" "$temp/changed"
printf 'x' >>"$temp/changed/palette.txt"
rm "$temp/changed/sounds/shot.wav"
: >"$temp/changed/images/stray.bmp"
found=$(differences "$temp/built" "$temp/changed" | wc -l)
[ "$found" -eq 3 ] || fail "The comparison found $found of 3 differences in a changed copy"

check_refused 2 "usage: make_assets OUTDIR"
check_refused 2 "usage: make_assets OUTDIR" "$temp/built" "$temp/built"
check_refused 2 "usage: make_assets OUTDIR" --help
check_refused 1 "$temp/missing/palette.txt" "$temp/missing"
mkdir "$temp/bare"
check_refused 1 "$temp/bare/images/sprites.bmp" "$temp/bare"

bytes=$(find "$assets" -type f -exec cat {} + | wc -c)
[ "$bytes" -le 1500000 ] || fail "assets/ has $bytes bytes, more than 1,500,000"

[ "$failures" -eq 0 ] || exit 1
echo "All $(wc -l <"$temp/made") files of assets/ are what the tool makes"
