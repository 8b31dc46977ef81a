#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Where each public construct of flow is used: a line for each macro and function that its headers declare, with the
# number of places in the game and in the examples, and the first of them. One that nobody uses fails the check.
# Usage: uses.sh SOURCE_DIR
#
# What is no construct of a story is left out by rule: names that end in an underscore, which are flow's own; the guards of
# headers and lists of names (X-macros); test.h, the kit of tests; a flow function that a macro of its name calls. What
# else a program may do without stands in tests/uses_elsewhere.txt with the test that uses it.
set -eu
# shellcheck source=tests/build/support/common.sh
. "$(dirname -- "$0")/support/common.sh"
make_temp

# constructs TREE: their names.
constructs() {
    find "$1/flow/include/flow" -name '*.h' ! -name test.h | sort | xargs cat |
        awk '{ line = $0 }
            /^#ifndef/ { guard = $2 }
            /^#define/ {
                name = $2
                list = name ~ /\(X\)/
                sub(/\(.*/, "", name)
                if (!(NF == 2 && name == guard) && !list) print name
                calls[tolower(name)] = 1
                next
            }
            /^ ?\*|^\/\*|^    / { next }
            /^FLOW_DECLARE\(/ { sub(/^FLOW_DECLARE\(/, ""); sub(/\).*/, ""); functions[$0] = 1; next }
            { while (match(line, /flow_[a-z0-9_]*[a-z0-9]\(/)) {
                print substr(line, RSTART, RLENGTH - 1)
                line = substr(line, RSTART + RLENGTH)
            } }
            END { for (name in functions) if (!(name in calls)) print name }' |
        grep -E '^(FLOW|flow)_.*[A-Za-z0-9]$' | sort -u
}

# elsewhere TREE: names that need no use here.
elsewhere() {
    sed 's/#.*//; s/ .*//; /^$/d' "$1/tests/uses_elsewhere.txt"
}

# check_tree TREE: the table; a line of FAIL for what nobody uses, and for an exception that is none.
check_tree() {
    constructs "$1" >"$temp/names"
    elsewhere "$1" >"$temp/elsewhere"
    (cd "$1" && grep -rnoE --include='*.[ch]' '\b(flow|FLOW)_[A-Za-z0-9_]+' game/src flow/examples) | sort -t: -k1,1 -k2,2n |
        awk -F: -v names="$temp/names" -v elsewhere="$temp/elsewhere" '
        { uses[$3, $1 ~ /^game/ ? "game" : "examples"]++; if (!($3 in first)) first[$3] = $1 ":" $2 }
        END {
            while ((getline name <elsewhere) > 0) excused[name] = 1
            printf "%-38s %5s %8s  %s\n", "construct", "game", "examples", "first use"
            while ((getline name <names) > 0) {
                known[name] = 1
                used = name in first
                printf "%-38s %5d %8d  %s\n", name, uses[name, "game"], uses[name, "examples"], used ? first[name] : ""
                if (!used && !(name in excused)) print "FAIL: nobody uses " name
                if (used && name in excused) print "FAIL: " name " has a use, and needs no excuse"
            }
            for (name in excused) if (!(name in known)) print "FAIL: tests/uses_elsewhere.txt: nothing is called " name
        }'
}

# A tree with one construct of each kind that is used, one that is not, and what is none.
make_small_tree() {
    mkdir -p "$1/flow/include/flow" "$1/game/src" "$1/flow/examples" "$1/tests"
    printf '%s\n' '#ifndef FLOW_A_H' '#define FLOW_A_H' '/* flow_in_a_comment(x) */' '#define FLOW_USED(x) (x)' \
        '#define FLOW_UNUSED(x) (x)' '#define flow_lost(x) flow_lost_(x)' 'int flow_called(int x);' 'int flow_excused(void);' \
        'flow_wait flow_forgotten(int x);' 'int flow_lost_(int x);' 'FLOW_DECLARE(flow_function_alone);' '#define FLOW_NAMES(X) X(A)' '#endif' >"$1/flow/include/flow/a.h"
    echo 'int flow_test_only(void);' >"$1/flow/include/flow/test.h"
    echo 'int x = FLOW_USED(1);' >"$1/game/src/a.c"
    echo 'int y(void) { return flow_called(2); }' >"$1/flow/examples/a.c"
    printf '%s\n' '# why' 'flow_excused   test_a' 'flow_unknown   test_a' >"$1/tests/uses_elsewhere.txt"
}

self_test() {
    make_small_tree "$temp/tree"
    check_tree "$temp/tree" | grep '^FAIL' | sort >"$temp/found"
    printf 'FAIL: %s\n' 'nobody uses FLOW_UNUSED' 'nobody uses flow_forgotten' \
        'nobody uses flow_function_alone' 'nobody uses flow_lost' \
        'tests/uses_elsewhere.txt: nothing is called flow_unknown' | sort >"$temp/wanted"
    diff "$temp/wanted" "$temp/found" || say_failure 'self-test: it does not find what nobody uses (wanted < and found >, above)'
}

self_test
check_tree "$1" >"$temp/table"
grep -v '^FAIL' "$temp/table"
grep '^FAIL' "$temp/table" >"$temp/missing" || :
while read -r _ missing; do say_failure "$missing"; done <"$temp/missing"
finish "$(wc -l <"$temp/names") constructs have a use in the game or an example"
