# SPDX-License-Identifier: MIT
#
# Are the expected diagnostics there? Usage: awk -f diagnostics.awk tested=FILE expected=FILE OUTPUT
# `tested` is the source as it was named to the compiler, `expected` has one regular expression a line, OUTPUT is what
# the compiler said. A diagnostic touches every line of the source that it or one of its notes names, since a
# compiler may place it in the macro and add the line that used it as a note. Each expression must match a diagnostic
# that touches a line marked BAD, and each such line must be touched by a diagnostic that an expression matches.

# One pass over the case and the expectations; awk's own input is the compiler's output.
function read_case(    line, number) {
    while ((getline line < expected) > 0)
        if (line != "") wanted[++wanted_count] = line
    while ((getline line < tested) > 0) {
        number++
        if (line ~ /\/\* BAD \*\//) { bad[number] = 1; bad_count++ }
    }
}

FNR == 1 { read_case() }

/^[^ ].*:[0-9]+:([0-9]+:)? (fatal )?(error|warning):/ {
    group++
    text[group] = $0
    sub(/^.*: (fatal )?(error|warning): /, "", text[group])
}

group > 0 && index($0, tested ":") == 1 {
    number = substr($0, length(tested) + 2) + 0
    touches[group, number] = 1
}

# Does any diagnostic that `pattern` matches touch a line marked BAD? Those lines count as covered.
function look_for(pattern,    found, i, line) {
    for (i = 1; i <= group; i++) {
        if (text[i] !~ pattern) continue
        for (line in bad)
            if ((i, line) in touches) { covered[line] = 1; found = 1 }
    }
    return found
}

END {
    if (NR == 0) read_case()
    failed = 0
    for (w = 1; w <= wanted_count; w++)
        if (!look_for(wanted[w])) { print "  no diagnostic on a BAD line matches: " wanted[w]; failed = 1 }
    for (line in bad)
        if (!(line in covered)) { print "  line " line " is marked BAD and drew no expected diagnostic"; failed = 1 }
    if (!bad_count) { print "  no line is marked BAD"; failed = 1 }
    exit failed
}
