#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Settings and high scores are kept, written aside and renamed; a corrupt file is reported, kept, and defaults are used;
# bindings come from a text file. Usage: saves.sh GAME SOURCE_DIR
set -eu
game=$1
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
failures=0
saves=$temp/saves

fail() {
    echo "$1"
    failures=$((failures + 1))
}

# tap FRAME ACTION
tap() {
    echo "$1 press $2"
    echo "$(($1 + 3)) release $2"
}

# play EXPECTED_CODE FRAMES [OPTION]...: plays script.txt.
play() {
    expected=$1
    frames=$2
    shift 2
    code=0
    "$game" --headless --no-draw --seed 5 --frames "$frames" --script "$temp/script.txt" --saves "$saves" "$@" \
        >"$temp/out" 2>"$temp/err" || code=$?
    [ "$code" -eq "$expected" ] || fail "ended with $code, not $expected: $(cat "$temp/err")"
}

# is FILE LINE: the file has this line.
is() {
    grep -qx "$2" "$saves/$1" || fail "$1 has no line '$2': $(cat "$saves/$1")"
}

# The panel: music two down, shake off by quitting in the middle of it.
mkdir "$saves"
{
    tap 60 down
    tap 65 down
    tap 70 confirm # settings
    tap 80 down
    tap 90 left
    tap 100 left
    tap 110 down
    tap 120 down
    tap 130 left
    echo '140 quit'
} >"$temp/script.txt"
play 0 1000
grep -qx 'screens title settings' "$temp/out" || fail "screens: $(grep screens "$temp/out")"
is settings.txt 'emberline settings 1'
is settings.txt 'music 4'
is settings.txt 'shake 9'
is settings.txt end
[ ! -e "$saves/settings.txt.new" ] || fail 'the file written aside is still there'

# They are there again, and go on from there.
play 0 1000
is settings.txt 'music 2'
is settings.txt 'shake 8'

# A play gives a high score (an idle moth is gone before frame 1300).
{
    tap 60 confirm
    echo '100 press fire'
    echo '2000 quit'
} >"$temp/script.txt"
play 0 3000
grep -q '^score_1 [1-9]' "$saves/scores.txt" || fail "no high score: $(cat "$saves/scores.txt")"
is scores.txt 'wave_1 1'
is scores.txt 'score_2 0'
best=$(sed -n 's/^score_1 //p' "$saves/scores.txt")
play 0 3000
is scores.txt "score_1 $best"
is scores.txt "score_2 $best"
is settings.txt 'music 2'

# corrupt FILE PLACE: reported in one line, kept, defaults used, and the game goes on.
corrupt() {
    cp "$saves/$1" "$temp/bad"
    echo '10 quit' >"$temp/script.txt"
    play 0 100
    [ "$(wc -l <"$temp/err")" -eq 1 ] || fail "$1: other than one line: $(cat "$temp/err")"
    grep -qF "$saves/$1:$2" "$temp/err" || fail "$1: the place is not named: $(cat "$temp/err")"
    kept=$(sed -n 's/.* the file is kept as //p' "$temp/err")
    cmp -s "$kept" "$temp/bad" || fail "$1 was not kept"
    [ ! -e "$saves/$1" ] || fail "$1 is still in its place"
}

echo 'music loud' >>"$saves/settings.txt"
sed -i '/^end$/d' "$saves/settings.txt"
corrupt settings.txt 9:
printf 'emberline scores 1\nscore_1 5\n' >"$saves/scores.txt"
corrupt scores.txt '3: the end is missing'
printf 'emberline scores 1\nscore_1 -5\nend\n' >"$saves/scores.txt"
corrupt scores.txt '2: the number is out of range'
printf 'something else\n' >"$saves/settings.txt"
corrupt settings.txt '1: this is another kind of file'
head -c 5000 /dev/zero >"$saves/settings.txt"
corrupt settings.txt 1:
[ "$(find "$saves" -name '*.corrupt*' | wc -l)" -eq 5 ] || fail 'not all corrupt files were kept'

# A folder that is not there: a line, and the game plays.
{
    tap 20 down
    tap 25 down
    tap 30 confirm
    tap 40 confirm
    echo '60 quit'
} >"$temp/script.txt"
real=$saves
saves=$temp/none
play 0 100
grep -q "$temp/none/settings.txt: cannot be written" "$temp/err" || fail "no word of the folder: $(cat "$temp/err")"
saves=$real

# Bindings: jumping over to another key, which the script presses.
cat >"$temp/controls.txt" <<'END'
# my keys
confirm key:Return
confirm key:Keypad Enter   # an own name with a blank
pause   key:q
END
{
    echo '60 press key:space' # confirms no more
    echo '63 release key:space'
    echo '80 press key:enter'
    echo '83 release key:enter'
    echo '160 press key:q'
    echo '163 release key:q'
} >"$temp/script.txt"
play 0 300 --controls "$temp/controls.txt"
grep -qx 'screens title play pause' "$temp/out" || fail "screens: $(grep screens "$temp/out")"
cp "$temp/controls.txt" "$saves/controls.txt"
play 0 300
grep -qx 'screens title play pause' "$temp/out" || fail "the folder's bindings are not used: $(grep screens "$temp/out")"

# bindings_refused LINE REASON: named in one line; in the folder they are no reason not to play.
bindings_refused() {
    printf 'pause key:q\n%s\n' "$1" >"$temp/controls.txt"
    play 2 100 --controls "$temp/controls.txt"
    [ "$(cat "$temp/err")" = "emberline: $temp/controls.txt:2: $2" ] || fail "bindings: $(cat "$temp/err")"
    cp "$temp/controls.txt" "$saves/controls.txt"
    play 0 100
    grep -qF "$saves/controls.txt:2: $2; defaults are used" "$temp/err" || fail "bindings: $(cat "$temp/err")"
}
bindings_refused 'fly key:q' 'no action has this name'
bindings_refused 'fire key:nonsense' 'no key, button or axis has this name'
bindings_refused 'fire' 'expected an action and a source'

[ "$failures" -eq 0 ] || exit 1
echo 'What the player set and scored is kept'
