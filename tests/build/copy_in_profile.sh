#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The program of flow/docs/profiling.md, built beside a copy of flow/ by a bare compiler, names the flow that makes its
# frames long: on stderr, in its CSV and in its trace. The hooks for other profilers work as that page says. Usage:
# copy_in_profile.sh SOURCE_DIR
set -eu
# shellcheck source=tests/build/support/common.sh
. "$(dirname -- "$0")/support/common.sh"
make_temp
root=$(CDPATH='' cd -- "$1" && pwd)
page=$root/flow/docs/profiling.md
SDL_VIDEODRIVER=dummy
SDL_AUDIODRIVER=dummy
export SDL_VIDEODRIVER SDL_AUDIODRIVER
sdl_cflags=$(sdl2-config --cflags 2>/dev/null || pkg-config --cflags sdl2)
sdl_libs=$(sdl2-config --libs 2>/dev/null || pkg-config --libs sdl2)

# The machine may stall a frame for longer than the program does: then another run tells.
named_everywhere() {
    ./program 2>lines || return 1
    grep -q '^HITCH f=60 .* | 1 pathfinder +.*profiled\.c:[0-9]*)' lines && grep -q '^HITCH f=120 .* | 1 pathfinder +' lines &&
        grep -q '^my game,.*,60,.*,pathfinder,#.*,hitch flow:pathfinder$' frames.csv
}

check_program() {
    for run in 1 2 3 4 5 6; do
        if named_everywhere; then return; fi
    done
    say_failure "run $run: the culprit was not named: $(cat lines)"
}

write_checker() {
    cat >checker.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include "trace_rules.h"
int main(void)
{
    struct trace_facts facts = {0};
    long length = 0;
    char *text = read_file("trace.json", &length);
    cJSON *root = text != NULL ? cJSON_Parse(text) : NULL;
    int kept = root != NULL && trace_keeps_rules(root, text, &facts);
    printf("%ld frames, %ld hitches %s\n", facts.frames, facts.hitches, facts.broken);
    cJSON_Delete(root);
    free(text);
    return kept && facts.frames == 159 && facts.hitches >= 2 ? 0 : 1;
}
END
}

check_trace() {
    write_checker
    # shellcheck disable=SC2046 # several flags
    cc -std=c11 -I "$root/tests/support" checker.c "$root/tests/support/trace_rules.c" \
        $(pkg-config --cflags --libs libcjson) -lm -o checker || say_failure 'the checker does not build'
    ./checker >said || say_failure "trace.json: $(cat said)"
}

check_hooks() {
    cat >my_zones.h <<'END'
void my_zone_begin(const char *function, const char *file, unsigned line);
void my_zone_end(void);
#define FLOW_ZONE_BEGIN(function, file, line) my_zone_begin(function, file, line)
#define FLOW_ZONE_END() my_zone_end()
END
    cat >hooked.c <<'END'
#include <stdio.h>
#include "flow/flow.h"
#include "my_zones.h"
static int depth;
void my_zone_begin(const char *function, const char *file, unsigned line)
{
    (void)file;
    printf("%*s%s%s", 2 * depth++, "", function, line ? " goes on\n" : "\n");
}
void my_zone_end(void) { depth--; }
struct child { flow_frame base; };
FLOW_STATIC(child) { FLOW_BEGIN; FLOW_AWAIT(flow_never()); FLOW_FINALLY; FLOW_END; }
struct parent { flow_frame base; };
FLOW_STATIC(parent)
{
    FLOW_BEGIN;
    (void)FLOW_SPAWN(child);
    FLOW_AWAIT(flow_next_tick());
    FLOW_END;
}
int main(void)
{
    flow_world *world = flow_world_create(NULL);
    (void)FLOW_RUN(world, parent);
    (void)flow_world_begin_frame(world, 0.1);
    (void)flow_world_tick(world, FLOW_UPDATE, 0.1);
    (void)flow_world_destroy(world);
    return depth;
}
END
    printf 'parent\n  child\nparent goes on\nchild goes on\n' >wanted
    if ! cc -std=c11 -I flow/include -include my_zones.h -c flow/flow.c -o hooked_flow.o ||
        ! cc -std=c11 -I flow/include hooked.c hooked_flow.o -o hooked; then
        say_failure 'flow does not build with hooks'
    elif ! ./hooked >printed || ! diff wanted printed; then
        say_failure 'the hooks were called otherwise (wanted < and told >, above)'
    fi
}

cp -R "$root/flow" "$temp/flow"
cd "$temp"
awk -f "$support/block.awk" marker='<!-- copy-in: profiled.c -->' "$page" >profiled.c || say_failure 'profiling.md has no program'
# shellcheck disable=SC2086 # several flags
if cc -std=c11 -I flow/include $sdl_cflags profiled.c flow/flow.c -o program $sdl_libs >said 2>&1 && [ ! -s said ]; then
    check_program
    check_trace
else
    say_failure "the program does not build: $(cat said)"
fi
check_hooks
finish 'profiled a copied flow/'
