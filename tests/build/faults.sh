#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The model test catches what it is there for: ten faults, built into the runtime one at a time (FLOW_FAULT_ in
# flow/src), must each make a random program differ from the reference, or crash; without them none does.
# Usage: faults.sh SOURCE_DIR
set -eu
# shellcheck source=tests/build/support/common.sh
. "$(dirname -- "$0")/support/common.sh"
make_temp
root=$(CDPATH='' cd -- "$1" && pwd)
cc=${CC:-cc}
faults=10
programs=40000

# build NAME OPTION...: the model test on a runtime compiled with these options.
build() {
    name=$1
    shift
    "$cc" -std=c11 "$@" -I "$root/flow/include" -c "$root/flow/flow.c" -o "$temp/flow.o" &&
        "$cc" "$temp"/model/*.o "$temp/flow.o" -o "$temp/$name" -lm
}

mkdir "$temp/model"
for source in "$root"/tests/model/*.c; do
    "$cc" -std=c11 -O1 -I "$root/flow/include" -c "$source" -o "$temp/model/$(basename "$source" .c).o"
done

build sound -O0
"$temp/sound" 1 500 >"$temp/log" || say_failure "without a fault: $(tail -n 2 "$temp/log")"
n=1
while [ "$n" -le "$faults" ]; do
    grep -rqF "FLOW_FAULT_($n)" "$root/flow/src" || say_failure "there is no fault $n"
    build faulty -O0 "-DFLOW_FAULT=$n"
    if "$temp/faulty" 1 "$programs" >"$temp/log"; then say_failure "$programs programs do not catch fault $n"; fi
    grep '^seed [0-9]* [a-z]' "$temp/log" | sed "s/^/fault $n: /"
    n=$((n + 1))
done
finish "the model test and $faults faults"
