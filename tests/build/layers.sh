#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Who may include whom (support/layers.awk has the table). Usage: layers.sh SOURCE_DIR
# First the check is tried on a small tree with one offence of each kind, all of which it must find.
set -eu
# shellcheck source=tests/build/support/common.sh
. "$(dirname -- "$0")/support/common.sh"
make_temp

# check_tree DIR: one line per offence.
check_tree() {
    (
        cd "$1"
        find flow engine game tests -name build -prune -o \( -name '*.[ch]' -o -name '*.cpp' \) -print 2>/dev/null |
            grep -v '^tests/build/' | sort | xargs awk -f "$support/layers.awk"
    )
}

# put FILE LINE...: a file of the tree for the self-test.
put() {
    mkdir -p "$temp/tree/$(dirname "$1")"
    file=$temp/tree/$1
    shift
    printf '%s\n' "$@" >"$file"
}

make_good_tree() {
    put flow/include/flow/flow.h '#include <stdint.h>' '/* #include "SDL.h"' ' #include <unistd.h> */'
    put flow/src/list.h '#include "flow/flow.h"'
    put flow/src/list.c '#include "list.h"' '#include <string.h>'
    put flow/flow.c '#include "src/list.c"'
    put flow/sdl/flow_sdl.h '#include "flow/flow.h"' '#include <SDL.h>'
    put engine/include/engine/loop.h '#include <stdbool.h>'
    put engine/src/loop.c '#include "engine/loop.h"' '#include <SDL2/SDL.h>' '#include <cglm/vec2.h>'
    put game/src/glue.c '#include "engine/loop.h"' '#include "flow/flow.h"' 'x = flow_world_tick(world, 0, 0);'
    put game/src/game.c '#include "flow/flow.h"' '/* flow_world_tick() */' 'puts("flow_world_tick(");'
    put game/tools/make.c '#include <stdio.h>'
    put tests/bench/bench.c '#include "flow/flow.h"' '#include <sys/time.h>'
    put tests/flow/test_list.c '#include "../../flow/src/list.h"' '#include <cmocka.h>'
}

# One offence in each; the list at the end names them all.
make_bad_tree() {
    put flow/include/flow/world.h '#include "../../src/list.h"'
    put flow/src/time.c '#include <time.h>'
    put flow/src/lock.c '#  include <threads.h>'
    put flow/src/draw.c '#include "SDL.h"'
    put flow/src/host.c '/* a */ int a; /* b' '*/' '#include "engine/loop.h"'
    put flow/src/posix.c '#include <unistd.h> /* sleep */'
    put flow/src/macro.c '#include HEADER'
    put flow/src/gone.c '#include "nowhere.h"'
    put flow/sdl/flow_sdl.c '#include "engine/loop.h"'
    put engine/src/flowing.c '#include <flow/flow.h>'
    put engine/src/games.c '#include "../../game/src/game.h"'
    put engine/src/sys.c '#include <sys/stat.h>'
    put game/src/game.h '#include <stddef.h>'
    put game/src/raw.c '#include <SDL.h>'
    put game/src/inner.c '#include "../../engine/src/inner.h"'
    put engine/src/inner.h '#include <stddef.h>'
    put game/src/second.c 'void f(flow_world *w) { (void)flow_world_begin_frame(w, 0.1); }'
    put game/src/third.c 'static tick *const t = flow_world_tick;'
    put game/tools/tool.c '#include "flow/flow.h"'
    put tests/bench/private.c '#include "../../flow/src/list.h"'
    bad='flow/include/flow/world.h flow/src/time.c flow/src/lock.c flow/src/draw.c flow/src/host.c flow/src/posix.c
        flow/src/macro.c flow/src/gone.c flow/sdl/flow_sdl.c engine/src/flowing.c engine/src/games.c engine/src/sys.c
        game/src/raw.c game/src/inner.c game/src/second.c game/src/third.c game/tools/tool.c tests/bench/private.c'
}

self_test() {
    make_good_tree
    check_tree "$temp/tree" >"$temp/out" || say_failure "self-test: a clean tree was refused: $(cat "$temp/out")"
    make_bad_tree
    if check_tree "$temp/tree" >"$temp/out"; then say_failure 'self-test: a bad tree passed'; fi
    expected=0
    for file in $bad; do
        expected=$((expected + 1))
        grep -q "^$file:" "$temp/out" || say_failure "self-test: the offence in $file was not found"
    done
    found=$(wc -l <"$temp/out")
    [ "$found" -eq "$expected" ] || say_failure "self-test: $expected offences, $found found: $(cat "$temp/out")"
}

self_test
check_tree "$1" || say_failure 'the lines above break the table of layers'
finish 'layers'
