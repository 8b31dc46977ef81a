#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures flow beside its peers and writes results.csv, results.json and samples.csv.
#
#   tests/bench/run.sh [--quick] [--suite NAME] [--check] [--out DIRECTORY]
#
# Suites: runtime_async, flowtask, onity, slimtask, scale, frame. --quick: fewer repetitions, one
# process, gcc alone; otherwise every suite runs in two processes and the worse figure counts.
# --check prints a line per target and exits 3 when one is missed.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../.." && pwd)
quick=0 check=0 suite='' out="$root/build/bench"

# shellcheck source=cmake/packages.sh
. "$root/cmake/packages.sh"

fail() {
    say "run.sh: $1"
    exit "${2:-1}"
}

while [ $# -gt 0 ]; do
    case $1 in
    --quick) quick=1 ;;
    --check) check=1 ;;
    --suite | --out)
        [ $# -ge 2 ] || fail "$1 needs a value" 2
        if [ "$1" = --suite ]; then suite=$2; else out=$2; fi
        shift
        ;;
    -h | --help) sed -n '3,10s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) fail "unknown option '$1'" 2 ;;
    esac
    shift
done
case $suite in
'' | runtime_async | flowtask | onity | slimtask | scale | frame) ;;
*) fail "no suite is called '$suite'" 2 ;;
esac

# ---- what is needed: peers that cannot be had are left out, and said ----

finds_boost() {
    echo '#include <boost/context/fiber.hpp>' | g++ -E -x c++ -
}

probe_peer_packages() {
    need gcc have gcc
    need g++ have g++
    need clang have clang
    need pkg-config have pkg-config
    need libboost-context-dev finds_boost
    need liblua5.4-dev pkg-config --exists lua5.4
    need libluajit-5.1-dev pkg-config --exists luajit
}

probe peer
if [ -n "$missing" ]; then
    (check_installing && install_missing) || say 'run.sh: measuring without what could not be installed'
fi

# ---- building ----

built() { # built LABEL CC CXX: the runner and its peers, in $out/LABEL, each compiled beside the others
    cc=$2 cxx=$3 to="$out/$1" code=0
    have "$cc" || return 1
    mkdir -p "$to"
    rm -f "$to"/*.so
    "$cc" -O2 -std=c11 "-I$root/flow/include" "-I$here/compare" -rdynamic "$here"/compare/*.c "$root/flow/flow.c" \
        -o "$to/compare" -lm -ldl -lpthread &
    runner=$!
    if have "$cxx"; then
        peer cpp20 "$cxx" -std=c++20 "$here/peers/cpp20.cpp" &
        peer boost "$cxx" -std=c++20 "$here/peers/boost.cpp" -lboost_context &
    fi
    # shellcheck disable=SC2046
    peer lua "$cc" -std=c11 "$here/peers/lua.c" $(pkg-config --cflags --libs lua5.4 2> /dev/null) &
    # shellcheck disable=SC2046
    peer luajit "$cc" -std=c11 -DLUAJIT "$here/peers/lua.c" $(pkg-config --cflags --libs luajit 2> /dev/null) &
    wait $runner || code=1
    wait
    return $code
}

peer() { # peer NAME COMPILER ARGUMENTS: a shared object, or a word that it is left out
    name=$1 compiler=$2
    shift 2
    "$compiler" -O2 -fPIC -shared -fvisibility=hidden "-I$here/compare" "$@" -o "$to/$name.so" 2> "$to/$name.log" ||
        say "run.sh: the peer '$name' cannot be built with $compiler and is left out ($to/$name.log)"
}

# ---- measuring ----

mkdir -p "$out"
: > "$out/lines.csv"
: > "$out/overlay.txt"
echo suite,scenario,n,implementation,compiler,repetition,ns > "$out/samples.csv"
measured() { # measured LABEL: every suite but frame, in its processes
    [ "$suite" != frame ] || return 0
    label=$1 processes=2 repetitions=15
    if [ $quick = 1 ]; then processes=1 repetitions=7; fi
    set -- --label "$label" --repetitions $repetitions --samples "$out/samples.part"
    [ -z "$suite" ] || set -- "$@" --suite "$suite"
    [ $quick = 0 ] || set -- "$@" --most 100000
    for name in cpp20 boost lua luajit; do
        [ ! -e "$out/$label/$name.so" ] || set -- "$@" --peer "$out/$label/$name.so"
    done
    while [ $processes -gt 0 ]; do
        "$out/$label/compare" "$@" >> "$out/lines.csv"
        cat "$out/samples.part" >> "$out/samples.csv"
        processes=$((processes - 1))
    done
    rm -f "$out/samples.part"
}

built gcc gcc g++ || fail "the runner cannot be built with gcc"
measured gcc
if [ $quick = 0 ] && built clang clang clang++; then
    measured clang
fi

# ---- the game's own scenes ----

# The work of a frame in each: its median, 99th percentile and worst, and where flows are cancelled
# all at once, what one of them took.
framed() {
    game="$root/build/release/game/emberline"
    if ! (require build && use_all_processors && build_preset release --target emberline) > "$out/game.log" 2>&1; then
        say "run.sh: the game cannot be built and the suite 'frame' is left out ($out/game.log)"
        [ "$suite" != frame ] || exit 1
        return 0
    fi
    sh "$here/overlay.sh" "$game" > "$out/overlay.txt" || fail 'the overlay was not measured'
    processes=2 frames=''
    if [ $quick = 1 ]; then processes=1 frames='--frames 320'; fi # with the first NOVA in it
    while [ $processes -gt 0 ]; do
        for scene in idle/1 wave/1 nova500/500 nova5000/5000 transition/500 load/1; do
            short=$frames
            case $scene in transition/* | load/*) short='' ;; esac
            # shellcheck disable=SC2086
            "$game" --bench "${scene%/*}" $short 2> "$out/game.log" |
                awk -v scene="${scene%/*}" -v n="${scene#*/}" -f "$here/frame.awk" >> "$out/lines.csv" ||
                fail "the scene '${scene%/*}' did not run to its end ($out/game.log)"
        done
        processes=$((processes - 1))
    done
}
case $suite in '' | frame) framed ;; esac

# ---- telling ----

commit=$(git -C "$root" rev-parse --short HEAD 2> /dev/null || echo unknown)
cpu=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo 2> /dev/null | head -1)
code=0
awk -v commit="$commit" -v cpu="${cpu:-unknown}" -v csv="$out/results.csv" -v json="$out/results.json" \
    -v check=$check -v partial="$suite$quick" -v targets="$here/targets.txt" -v published="$here/published.txt" \
    -f "$here/report.awk" "$out/lines.csv" || code=$?
cat "$out/overlay.txt"
if [ $check = 1 ] && grep -q MISSED "$out/overlay.txt"; then
    code=3
fi
exit $code
