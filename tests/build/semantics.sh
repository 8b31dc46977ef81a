#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Each sentence of flow/docs/semantics.md names the tests that hold it; they must exist. Usage: semantics.sh SOURCE_DIR
set -eu
# shellcheck source=tests/build/support/common.sh
. "$(dirname -- "$0")/support/common.sh"
make_temp

# check_page PAGE: one line per offence, then the count.
check_page() {
    awk -f "$support/semantics.awk" tests="$temp/tests" "$1"
}

self_test() {
    echo 'test_a:it_works' >"$temp/tests"
    printf '# Page\n\n- It works,\n  it does.\n  [test_a: it_works]\n\nText\n' >"$temp/good"
    [ "$(check_page "$temp/good")" = '1 sentences' ] || say_failure 'self-test: a good page is refused'
    for item in '- It works. [test_a: it_fails]' '- It works. [test_b: it_works]' '- It works.' 'Text' \
        '- It works [test_a: it_works] and how. [test_a: it_works]' '- It works. It does. [test_a: it_works]'; do
        echo "$item" >"$temp/bad"
        if check_page "$temp/bad" >/dev/null; then say_failure "self-test: '$item' passes"; fi
    done
}

self_test
list_tests "$1" >"$temp/tests"
check_page "$1/flow/docs/semantics.md" >"$temp/out" || say_failure 'flow/docs/semantics.md, as above'
cat "$temp/out"
finish "semantics: $(tail -n 1 "$temp/out")"
