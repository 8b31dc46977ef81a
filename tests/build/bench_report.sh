#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What run.sh makes of measured lines: the worse of two processes, ratios within each, derived rows, targets and the
# exit code. The lines are made up, so that the numbers are known. Usage: bench_report.sh SOURCE_FOLDER
set -eu
here=$1/tests/bench
# shellcheck source=tests/build/support/common.sh
. "$(dirname -- "$0")/support/common.sh"
make_temp

# expect WHAT TEXT FILE: the file has a line with the text.
expect() {
    grep -qF -- "$2" "$3" || say_failure "$1: no line '$2'"
}

# report CHECK: the tables of $temp/lines.csv into $temp/out; sets $code.
report() {
    code=0
    awk -v commit=abc -v cpu='A CPU' -v csv="$temp/results.csv" -v json="$temp/results.json" -v check="$1" \
        -v partial="$2" -v targets="$temp/targets.txt" -v published="$temp/published.txt" -f "$here/report.awk" \
        "$temp/lines.csv" >"$temp/out" || code=$?
}

cat >"$temp/lines.csv" <<'END'
scale,resume_one,4096,flow,gcc,4.000,8.000,136.0,0
scale,resume_one,4096,C++20,gcc,2.000,2.000,n/a,0
flowtask,cancel,100,flow,gcc,10.000,11.000,n/a,0
flowtask,cancel_normal,100,flow,gcc,12.500,12.000,n/a,0
scale,resume_one,4096,flow,gcc,9.000,6.000,136.0,0
scale,resume_one,4096,C++20,gcc,6.000,3.000,n/a,0
scale,resume_one,4096,flow,clang,5.000,5.000,n/a,0
scale,resume_one,4096,C++20,clang,2.500,2.500,n/a,n/a
END
echo 'scale/resume_one/4096 somebody 1 ns' >"$temp/published.txt"
{
    echo 'near scale/resume_one/4096/flow scale/resume_one/4096/C++20 4.0'
    echo 'far scale/resume_one/4096/flow scale/resume_one/4096/C++20 >1.6'
} >"$temp/targets.txt"

report 0 scale1
[ "$code" -eq 0 ] || say_failure "without --check the code is $code"
expect 'columns' 'suite,scenario,n,implementation,compiler,ns_min,ns_median,bytes,allocations,commit,CPU' "$temp/results.csv"
expect 'the worse process counts' 'scale,resume_one,4096,flow,gcc,9.000,8.000,136.0,0,abc,"A CPU"' "$temp/results.csv"
expect 'a derived row' 'flowtask,cancel_less_normal,100,flow,gcc,-2.5,-1,n/a,n/a,abc,"A CPU"' "$temp/results.csv"
expect 'what is not known is null' '"ns_min":2.500,"ns_median":2.500,"bytes":null,"allocations":null,' "$temp/results.json"
expect 'published figures stand beside' 'published elsewhere: somebody 1 ns' "$temp/out"

# Ratios are 2.00 and 1.50 on the minima, 4.00 and 2.00 on the medians: the worse depends on what is asked.
report 1 scale1
[ "$code" -eq 3 ] || say_failure "a missed target gives $code"
expect 'at most' 'near                 ratio   2.00 (median   4.00)  at most   4.00  met     clang 2.00 (median 2.00)' "$temp/out"
expect 'at least' 'far                  ratio   1.50 (median   2.00)  at least  1.60  missed' "$temp/out"
expect 'no allocation' '0 allocations in 4 scenarios after warm-up  met' "$temp/out"

# Met, all of them; in a whole run nothing may be left out; an allocation is a miss.
sed -i '/^far/d' "$temp/targets.txt"
report 1 scale1
[ "$code" -eq 0 ] || say_failure "targets that are met give $code"
echo 'absent scale/none/1/flow scale/none/1/floor 1.0' >>"$temp/targets.txt"
report 1 scale1
[ "$code" -eq 0 ] || say_failure "a target of another suite gives $code"
report 1 0
[ "$code" -eq 3 ] || say_failure "a target that a whole run lacks gives $code"
sed -i '/^absent/d' "$temp/targets.txt"
echo 'scale,start,1,flow,gcc,1.000,1.000,n/a,2' >>"$temp/lines.csv"
report 1 scale1
[ "$code" -eq 3 ] || say_failure "an allocation gives $code"

# A scene of the game.
echo '{"bench":"wave","left":0,"missing":0,"work_p50_ms":1.500,"work_p99_ms":2.250,"work_max_ms":3.000,"event_cancel_ns":0.0}' \
    >"$temp/scene"
awk -v scene=wave -v n=1 -f "$here/frame.awk" "$temp/scene" >"$temp/out"
expect 'a scene' 'frame,wave_p99,1,flow,gcc,2250000,2250000,n/a,n/a' "$temp/out"
sed 's/"left":0/"left":1/' "$temp/scene" | awk -v scene=wave -v n=1 -f "$here/frame.awk" >"$temp/out" &&
    say_failure 'a scene that leaves a flow is told'
awk -v scene=wave -v n=1 -f "$here/frame.awk" /dev/null && say_failure 'a scene that says nothing passes'

finish 'reports of the bench'
