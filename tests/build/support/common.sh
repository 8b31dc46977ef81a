# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# What the scripts of tests/build share. Sourced, with the script's own `set -eu` in force.

# Compilers translate their messages and draw quotes by locale; the tests read them.
LC_ALL=C
export LC_ALL

full_warnings='-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wimplicit-fallthrough'
support=$(CDPATH='' cd -- "$(dirname -- "$0")/support" && pwd)
failures=0

# say_failure MESSAGE...: counts a failure and goes on, so that one run shows them all.
say_failure() {
    echo "FAIL: $*"
    failures=$((failures + 1))
}

# skip MESSAGE...: ctest reads 77 as skipped.
skip() {
    echo "SKIPPED: $*"
    exit 77
}

# finish WHAT: the last line and the exit code of a script.
finish() {
    if [ "$failures" -ne 0 ]; then
        echo "$failures failed: $*"
        exit 1
    fi
    echo "ok: $*"
}

# make_temp: sets $temp to a new folder that goes when the script ends.
make_temp() {
    temp=$(mktemp -d)
    trap 'rm -rf "$temp"' EXIT
    trap 'exit 1' HUP INT TERM
}

have() {
    command -v "$1" >/dev/null 2>&1
}

# present COMMAND...: those of the commands that exist here.
present() {
    for candidate in "$@"; do
        if have "$candidate"; then echo "$candidate"; fi
    done
}

# strict_flags COMPILER: what flow::strict adds.
strict_flags() {
    case $1 in
    clang*) echo '-Wunused-result -Wsometimes-uninitialized -Wconditional-uninitialized' ;;
    *) echo '-Wunused-result -Wjump-misses-init -Wmaybe-uninitialized' ;;
    esac
}

# system_cflags PACKAGE...: pkg-config's include folders as system folders, whose warnings are not ours.
system_cflags() {
    pkg-config --cflags "$@" 2>/dev/null | sed 's/-I/-isystem /g'
}

# list_tests TREE: "test_x:name" for each test function of tests/*/test_x.c, a line each.
list_tests() {
    (cd "$1" && awk '
        FNR == 1 { program = FILENAME; sub(/.*\//, "", program); sub(/\.c$/, "", program) }
        /^(static void )?[a-z0-9_]+\(void \*\*/ { name = $0; sub(/^static void /, "", name); sub(/\(.*/, "", name)
            print program ":" name }' tests/*/test_*.c)
}
