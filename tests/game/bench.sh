#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Every --bench scene prints one JSON line whose counts are exact: what a NOVA and the end of a screen cancel in one
# frame. Times are printed and not judged. Usage: bench.sh GAME SOURCE_DIR
set -eu
game=$1
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
failures=0

fail() {
    echo "$1"
    failures=$((failures + 1))
}

# is NAME CONDITION: a field of the line, e.g. is left '== 0'
is() {
    value=$(sed -n "s/.*\"$1\":\([0-9.]*\)[,}].*/\1/p" "$temp/json")
    awk "BEGIN { exit !(${value:-none == 1} $2) }" </dev/null || fail "$1 is ${value:-missing}, not $2: $(cat "$temp/json")"
}

# bench NAME FRAMES
bench() {
    code=0
    "$game" --bench "$1" --no-draw >"$temp/json" 2>"$temp/report" || code=$?
    [ "$code" -eq 0 ] || fail "--bench $1 ended with $code: $(cat "$temp/report")"
    [ "$(wc -l <"$temp/json")" -eq 1 ] || fail "--bench $1 printed other than one line"
    grep -q "^{\"bench\":\"$1\",.*}\$" "$temp/json" || fail "--bench $1: $(cat "$temp/json")"
    is frames "== $2"
    is left '== 0'
    is missing '== 0'
    is event_work_ms '> 0'
    cat "$temp/json"
}

bench idle 600
bench wave 1500
bench load 120
is load_ms '> 0'
for enemies in 500 5000; do
    bench "nova$enemies" 620
    is event_cancelled "== $enemies"
    is finally_runs "== 3 * $enemies"
    is event_frame '== 299'
    is event_cancel_ns '> 0'
done
bench transition 300
is event_cancelled '>= 600'
is event_frame '>= 180'
is event_cancel_ns '> 0'

[ "$failures" -eq 0 ] || exit 1
echo 'The counts of the bench scenes are right'
