#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The examples of flow/examples are complete programs that a bare compiler builds. Usage: examples.sh SOURCE_DIR
# Each stands in their README, has under 60 lines, draws no diagnostic with the full warnings either, and prints, in
# virtual time, exactly the comment `/* output:` that ends its file.
set -eu
# shellcheck source=tests/build/support/common.sh
. "$(dirname -- "$0")/support/common.sh"
make_temp

# wanted FILE: what it is to print.
wanted() {
    awk '/^\*\/$/ { inside = 0 } inside { print } /^\/\* output:$/ { inside = 1 }' "$1"
}

# code_lines FILE: lines before that comment and the empty line above it.
code_lines() {
    awk '/^\/\* output:$/ { exit } { if (NF) last = NR } END { print last }' "$1"
}

# builds FILE FLOW_DIR: as its reader would do it, then with every compiler and the warnings on; quiet. flow itself, which
# is in one file for all of them, is compiled once.
builds() {
    [ -e "$temp/flow.o" ] || cc -std=c11 -I "$2/include" -c "$2/flow.c" -o "$temp/flow.o" >"$temp/said" 2>&1 || return 1
    cc -std=c11 -I "$2/include" "$1" "$temp/flow.o" -o "$temp/program" >"$temp/said" 2>&1 && [ ! -s "$temp/said" ] || return 1
    for compiler in $(present gcc clang); do
        # shellcheck disable=SC2046,SC2086 # several flags
        "$compiler" -std=c11 -O1 $full_warnings $(strict_flags "$compiler") -Werror -I "$2/include" -c "$1" \
            -o "$temp/program.o" >"$temp/said" 2>&1 || return 1
    done
}

# check_example FILE FLOW_DIR
check_example() {
    name=${1##*/}
    wanted "$1" >"$temp/wanted"
    if [ ! -s "$temp/wanted" ]; then
        say_failure "$name: no comment /* output: ends it"
    elif [ "$(code_lines "$1")" -ge 60 ]; then
        say_failure "$name: $(code_lines "$1") lines; it must be under 60"
    elif ! builds "$1" "$2"; then
        say_failure "$name does not build, or not in silence: $(cat "$temp/said")"
    elif ! "$temp/program" >"$temp/printed"; then
        say_failure "$name: the program failed"
    elif ! diff "$temp/wanted" "$temp/printed"; then
        say_failure "$name: it printed something else (comment < and program >, above)"
    fi
}

# Each of these must be refused.
self_test() {
    mkdir "$temp/tree"
    printf '#include <stdio.h>\nint main(void)\n{\n    puts("a");\n%s}\n\n/* output:\n%s\n*/\n' '' b >"$temp/tree/other.c"
    printf 'int main(void)\n{\n    return 0;\n}\n' >"$temp/tree/silent.c"
    printf '#include <stdio.h>\nint main(void)\n{\n    puts("a");\n    return 3;\n}\n\n/* output:\na\n*/\n' >"$temp/tree/fails.c"
    printf '#include <stdio.h>\nint main(int n, char **v)\n{\n    puts("a");\n}\n\n/* output:\na\n*/\n' >"$temp/tree/warns.c"
    {
        printf '#include <stdio.h>\nint main(void)\n{\n    puts("a");\n'
        awk 'BEGIN { for (i = 0; i < 60; i++) print "    ;" }'
        printf '}\n\n/* output:\na\n*/\n'
    } >"$temp/tree/long.c"
    for name in other silent fails warns long; do
        before=$failures
        check_example "$temp/tree/$name.c" "$root/flow" >/dev/null
        refused=$((failures - before))
        failures=$before
        [ "$refused" -eq 1 ] || say_failure "self-test: $name.c was accepted"
    done
}

root=$(CDPATH='' cd -- "$1" && pwd)
self_test
checked=0
for example in "$root"/flow/examples/*.c; do
    [ -e "$example" ] || continue
    check_example "$example" "$root/flow"
    grep -qF "(${example##*/})" "$root/flow/examples/README.md" ||
        say_failure "${example##*/} is not in the list of flow/examples/README.md"
    checked=$((checked + 1))
done
[ "$checked" -gt 0 ] || say_failure 'there is no example'
finish "$checked examples print what they say"
