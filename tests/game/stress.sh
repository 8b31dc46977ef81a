#!/bin/sh
# SPDX-License-Identifier: MIT
#
# --stress prints one JSON line from the world's counters: as many enemies were cancelled as ran their finally section,
# and none is left. Usage: stress.sh GAME SOURCE_DIR
set -eu
game=$1
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
failures=0

fail() {
    echo "$1"
    failures=$((failures + 1))
}

# field NAME: its number; empty when it is not there.
field() {
    sed -n "s/.*\"$1\":\([0-9.]*\)[,}].*/\1/p" "$temp/json"
}

# is NAME CONDITION: e.g. is left '== 0'
is() {
    value=$(field "$1")
    awk "BEGIN { exit !(${value:-none == 1} $2) }" </dev/null || fail "$1 is ${value:-missing}, not $2: $(cat "$temp/json")"
}

# stress ENEMIES FRAMES NOVAS
stress() {
    code=0
    "$game" --headless --no-draw --stress "$1" --frames "$2" --seed 1 >"$temp/json" 2>"$temp/report" || code=$?
    [ "$code" -eq 0 ] || fail "--stress $1 ended with $code: $(cat "$temp/report")"
    [ "$(wc -l <"$temp/json")" -eq 1 ] || fail "--stress $1 printed other than one line"
    grep -Eq '^\{.*\}$' "$temp/json" || fail "no JSON object: $(cat "$temp/json")"
    is stress "== $1"
    is frames "== $2"
    is novas "== $3"
    is left '== 0'
    is live_peak ">= $1"
    is cancelled ">= $1 * $3"
    is started "== $(field cancelled)"
    is finally_runs "== $(field cancelled)"
    for name in work_p50_ms work_p99_ms work_max_ms ns_per_start ns_per_resume; do is "$name" '> 0'; done
    [ -s "$temp/report" ] || fail 'no report on stderr'
}

stress 500 620 2
is ns_per_cancel '> 0'
stress 1 100 0
stress 3000 305 1

[ "$failures" -eq 0 ] || exit 1
echo 'The counters of the stress test agree'
