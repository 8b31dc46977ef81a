#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What is wrong with a command line, a script or an asset is said in one line on stderr, with exit code 2; a missing
# display with 1. Usage: usage.sh GAME SOURCE_DIR
set -eu
game=$1
source=$2
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
failures=0

fail() {
    echo "$1"
    failures=$((failures + 1))
}

# check CODE WORDS ARGUMENT...: ends with CODE and one line that contains WORDS, and nothing on stdout.
check() {
    expected=$1
    words=$2
    shift 2
    code=0
    "$game" "$@" >"$temp/out" 2>"$temp/line" || code=$?
    [ "$code" -eq "$expected" ] || fail "emberline $* ended with $code, not $expected"
    [ "$(wc -l <"$temp/line")" -eq 1 ] || fail "emberline $* wrote other than one line: $(cat "$temp/line")"
    [ ! -s "$temp/out" ] || fail "emberline $* wrote to stdout"
    grep -qF -- "$words" "$temp/line" || fail "emberline $* did not say \"$words\": $(cat "$temp/line")"
}

# check_script WORDS LINE...: a script of these lines is refused.
check_script() {
    words=$1
    shift
    printf '%s\n' "$@" >"$temp/script.txt"
    check 2 "$temp/script.txt:$#: $words" --headless --frames 10 --script "$temp/script.txt"
}

check 2 '--nonsense' --nonsense
check 2 'title' title
check 2 '--frames: needs N' --headless --frames
check 2 '--frames: expected' --frames none
check 2 '--frames: expected' --frames -5
check 2 '--seed: expected' --seed 1.5
check 2 '--scene: expected title, play, boss or lab' --scene shop
check 2 '--stress: expected' --stress 100000
check 2 '--screenshot: expected FRAME:FILE' --screenshot out.bmp
check 2 '--profile: needs FILE' --profile
check 2 '--profile-mode: expected hitch or all' --profile-mode some
check 2 '--hitch-ms: expected a number of ms' --hitch-ms -5
check 2 '--inject-hitch: expected FRAME:MS' --inject-hitch 300
check 2 '--inject-hitch: expected FRAME:MS' --inject-hitch 0:40
check 2 '--clock: expected real or counted' --clock fast
check 2 '--clock: counted is for --headless' --clock counted
check 2 '--inject-hitch: expected FRAME:MS' --inject-hitch 300:40:luck
check 2 '--inject-hitch: expected FRAME:MS' --inject-hitch 300::render
check 2 '--assert-p99: expected' --assert-p99 fast
check 2 '--attract' --attract --script x.txt
check 2 "$temp/none.txt: No such file" --headless --frames 10 --script "$temp/none.txt"
check 2 "$temp: cannot be read" --headless --frames 10 --script "$temp"

check_script 'a line begins with the number of a frame' 'press fire'
check_script 'after the frame comes press, release, axis, pad, focus, resize or quit' '# fine' '' '10 jump fire'
check_script 'no action has this name' '10 press fly'
check_script 'no key has this name' '10 press key:any'
check_script 'the value is no number' '10 axis move_x 7'
check_script 'the frame lies before' '10 press fire' '9 release fire'

# A picture that cannot be written.
code=0
"$game" --headless --frames 5 --screenshot "2:$temp/none/out.bmp" >"$temp/out" 2>"$temp/line" || code=$?
[ "$code" -eq 2 ] || fail "an unwritable picture ended with $code, not 2"
grep -qF "$temp/none/out.bmp" "$temp/line" || fail "an unwritable picture was not named: $(cat "$temp/line")"

# Assets beside the game come first: a broken one is named. (A copy of the game with a copy of the assets.)
mkdir "$temp/copy"
cp "$game" "$temp/copy/emberline"
cp -R "$source/assets" "$temp/copy/assets"
good=$game
game=$temp/copy/emberline
echo 'moth_0 sprites.bmp 1 2 3' >"$temp/copy/assets/images/sprites.txt"
check 2 'sprites.txt:1: expected: name file x y w h' --headless --frames 5
echo '# nothing' >"$temp/copy/assets/images/sprites.txt"
check 2 'has no cell "logo"' --headless --frames 5
cp "$source/assets/images/sprites.txt" "$temp/copy/assets/images/"
echo 'no picture' >"$temp/copy/assets/images/glow.bmp"
check 2 'glow.bmp' --headless --frames 5
game=$good

# Without a display: which flag helps. (No driver at all counts as none; nor does SDL look where no desktop is named.)
for driver in SDL_VIDEODRIVER=x11 -uSDL_VIDEODRIVER; do
    code=0
    env -u DISPLAY -u WAYLAND_DISPLAY -u XDG_RUNTIME_DIR "$driver" "$game" --frames 5 >"$temp/out" 2>"$temp/line" || code=$?
    [ "$code" -eq 1 ] || fail "without a display it ended with $code, not 1"
    [ "$(wc -l <"$temp/line")" -eq 1 ] || fail "without a display it wrote other than one line: $(cat "$temp/line")"
    grep -qF -- '--headless' "$temp/line" || fail "without a display it did not name --headless: $(cat "$temp/line")"
done

# Help and version are no errors.
"$game" --help >"$temp/out" || fail '--help failed'
grep -q -- '--screenshot' "$temp/out" || fail '--help does not list the options'
"$game" --version >"$temp/out" || fail '--version failed'

[ "$failures" -eq 0 ] || exit 1
echo 'Every mistake is one line'
