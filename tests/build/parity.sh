#!/bin/sh
# SPDX-License-Identifier: MIT
#
# tests/parity.txt says what shows each feature that others have, tests/lessons.txt what holds each lesson that their bug
# reports taught; here every line is resolved. Usage: parity.sh SOURCE_DIR
# An id that is not in the list's ids, one that stands twice, and a test, script or documentation line that does
# not exist are failures. So is an id without a line.
# Every name of flow's in flow/docs/coming-from-csharp.md is in a header.
set -eu
# shellcheck source=tests/build/support/common.sh
. "$(dirname -- "$0")/support/common.sh"
make_temp

# check_parity LIST IDS TREE [WHOLE]: one line per offence, then the count. WHOLE 1: each id must have a line.
check_parity() {
    list_tests "$3" >"$temp/tests"
    (cd "$3" && awk -f "$support/parity.awk" ids="$2" tests="$temp/tests" whole="${4-0}" "$1")
}

# strangers PAGE HEADER...: the names of flow's in the page that no header has; X(NAME, ...) is one of a status or warning.
strangers() {
    grep -ohE '(flow|FLOW)_[A-Za-z_]*[A-Za-z]' "$1" | sort -u >"$temp/named"
    shift
    {
        grep -ohE '[A-Za-z_]+' "$@"
        sed -n 's/^ *X(\([A-Z_]*\),.*/\1/p' "$@" | sed 'h; s/^/FLOW_/; p; g; s/^/FLOW_WARNING_/'
    } | sort -u | comm -23 "$temp/named" -
}

self_test() {
    printf 'flow_a(x), FLOW_B, FLOW_ODD, FLOW_WARNING_ODD, flow_c, flow_ab\n' >"$temp/page"
    printf 'int flow_a(int flow_abc); /* FLOW_B_ */\n#define FLOW_B 1\n    X(ODD, "odd")\n' >"$temp/header"
    [ "$(strangers "$temp/page" "$temp/header" | tr '\n' ' ')" = 'flow_ab flow_c ' ] || say_failure 'self-test: strangers'
    printf '# ids\nA1\nA2\nA3\nA4\nA5\nA6\nA7\n' >"$temp/ids"
    mkdir -p "$temp/tree/tests/flow" "$temp/tree/tests/build"
    printf 'static void it_works(void **state)\n{\n    called(void **state);\n}\n' >"$temp/tree/tests/flow/test_a.c"
    echo 'One line: with a colon' >"$temp/tree/page.md"
    touch "$temp/tree/tests/build/script.sh"
    printf '# head\nA1 test_a:it_works\nA2 doc:page.md:line: with\nA3 none:a reason\nA4 build_script\n' >"$temp/good"
    said=$(check_parity "$temp/good" "$temp/ids" "$temp/tree") || say_failure "self-test: a good list is refused: $said"
    [ "$said" = '4 of 7 done' ] || say_failure "self-test: counted '$said'"
    if check_parity "$temp/good" "$temp/ids" "$temp/tree" 1 >"$temp/out"; then say_failure 'self-test: missing ids pass'; fi
    [ "$(grep -c 'nothing is said of A[567]' "$temp/out")" = 3 ] || say_failure 'self-test: three ids are missing'
    { cat "$temp/good" && printf 'A%d none:too\n' 5 6 7; } >"$temp/whole"
    said=$(check_parity "$temp/whole" "$temp/ids" "$temp/tree" 1) || say_failure "self-test: a whole list is refused: $said"
    for line in 'A0 test_a:it_works' 'A1 none:again' 'A5 test_a:it_fails' 'A5 test_b:it_works' 'A5 doc:page.md:two lines' \
        'A5 doc:none.md:One' 'A5 none:' 'A5 build_nothing' 'A5 test_a' 'A5' 'A5 said so' 'A5 test_a:called'; do
        { cat "$temp/good" && echo "$line"; } >"$temp/bad"
        if check_parity "$temp/bad" "$temp/ids" "$temp/tree" >/dev/null; then say_failure "self-test: '$line' passes"; fi
    done
}

self_test
counts=''
for list in parity lessons; do
    check_parity "$1/tests/$list.txt" "$1/tests/${list}_ids.txt" "$1" 1 >"$temp/out" || say_failure "tests/$list.txt, as above"
    cat "$temp/out"
    counts="$counts; $list: $(tail -n 1 "$temp/out")"
done
for name in $(strangers "$1/flow/docs/coming-from-csharp.md" "$1"/flow/include/flow/*.h "$1"/flow/sdl/*.h); do
    say_failure "flow/docs/coming-from-csharp.md: no header has $name"
done
finish "${counts#; }"
