#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The test kit where it is at home: alone, where a failing test prints its place and aborts; in a cmocka program, whose
# other tests go on after one that fails; and in C++17. Usage: kit.sh SOURCE_DIR
set -eu
# shellcheck source=tests/build/support/common.sh
. "$(dirname -- "$0")/support/common.sh"
make_temp
root=$(CDPATH='' cd -- "$1" && pwd)

write_story() {
    cat >"$temp/story.h" <<'END'
#include "flow/flow.h"
#include "flow/test.h"
struct sleeper { flow_frame base; double seconds; };
FLOW_DECLARE(sleeper);
END
    cat >"$temp/story.c" <<'END'
#include "story.h"
FLOW_DEFINE(sleeper)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_seconds(self->seconds));
    FLOW_END;
}
END
}

write_alone() {
    cat >"$temp/alone.c" <<'END'
#include "story.h"
int main(void)
{
    flow_test test;
    flow_test_begin(&test, NULL);
    FLOW_RUN(test.world, sleeper, .seconds = 9.0);
    return !flow_test_end(&test);
}
END
}

write_cmocka() {
    cat >"$temp/framework.c" <<'END'
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "story.h"

static void failed(void *user, const char *message, const char *file, int line)
{
    (void)user;
    print_error("%s\n", message);
    _fail(file, line);
}

static void sleep_for(double seconds)
{
    flow_test test;
    flow_test_begin(&test, (&(flow_test_desc){.on_error = failed}));
    FLOW_RUN(test.world, sleeper, .seconds = seconds);
    flow_test_tick_for(test.world, 1.0, 0.1);
    flow_test_end(&test);
}

static void oversleeps(void **state) { (void)state; sleep_for(9.0); }
static void wakes(void **state) { (void)state; sleep_for(0.5); }

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(oversleeps), cmocka_unit_test(wakes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
END
}

write_cpp() {
    cat >"$temp/host.cpp" <<'END'
#include "story.h"
int main()
{
    flow_test test;
    sleeper   arguments = {};
    arguments.seconds = 0.5;
    flow_test_begin(&test, nullptr);
    flow_handle it = flow_start(test.world, FLOW_FUNCTION(sleeper), &arguments, nullptr);
    flow_test_assert_waits(test.world, "sleeper", "timer");
    flow_test_run_until_done(test.world, it, 1.0);
    return flow_test_end(&test) ? 0 : 1;
}
END
}

# build COMPILER STANDARD SOURCE PROGRAM [LIBRARY]
build() {
    # shellcheck disable=SC2086 # several flags
    "$1" "-std=$2" $full_warnings -Werror -I "$root/flow/include" "$3" "$temp/story.o" "$temp/flow.o" -o "$4" \
        ${5:+"$5"} || {
        say_failure "${3##*/} does not build"
        return 1
    }
}

check_alone() {
    build cc c11 "$temp/alone.c" "$temp/alone" || return 0
    code=0
    (cd "$temp" && exec ./alone) >"$temp/said" 2>&1 || code=$? # a core file goes with the folder
    [ "$code" -gt 128 ] || say_failure "alone: the program ended with $code; it must abort"
    grep -q 'alone.c:7: at its end: 1 live flows, 0 reports' "$temp/said" || say_failure "alone: $(cat "$temp/said")"
    grep -q 'sleeper #.* waits for timer' "$temp/said" || say_failure 'alone: the dump is missing'
}

check_cmocka() {
    build cc c11 "$temp/framework.c" "$temp/framework" -lcmocka || return 0
    code=0
    "$temp/framework" >"$temp/said" 2>&1 || code=$?
    [ "$code" -eq 1 ] || say_failure "cmocka: ended with $code; one test fails and one passes: $(cat "$temp/said")"
    grep -q 'FAILED.*oversleeps' "$temp/said" || say_failure 'cmocka: oversleeps did not fail'
    grep -q ' OK .*wakes' "$temp/said" || say_failure 'cmocka: wakes did not pass'
}

check_cpp() {
    have c++ || return 0
    build c++ c++17 "$temp/host.cpp" "$temp/host" || return 0
    "$temp/host" || say_failure 'C++: the test failed'
}

write_story
write_alone
write_cmocka
write_cpp
cc -std=c11 -I "$root/flow/include" -c "$root/flow/flow.c" -o "$temp/flow.o"
cc -std=c11 -I "$root/flow/include" -c "$temp/story.c" -o "$temp/story.o"
check_alone
check_cmocka
check_cpp
finish 'the kit alone, with cmocka and in C++'
