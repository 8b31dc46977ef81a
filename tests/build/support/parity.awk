# SPDX-License-Identifier: MIT
#
# Resolves a list of parity: awk -f parity.awk ids=FILE tests=FILE whole=0 LIST, in the folder that the list's files are in.
# With whole=1 every id must have its line.
# Prints an offence a line and fails if there is one; the last line is the count.

function offend(text) {
    print FILENAME ":" FNR ": " text
    offences++
}

function exists(file,    line, found) {
    found = (getline line < file) >= 0
    close(file)
    return found
}

# Does a line of the file hold the text?
function holds(file, text,    line, found) {
    while (!found && (getline line < file) > 0) found = index(line, text) > 0
    close(file)
    return found
}

function resolve_doc(reference,    colon) {
    colon = index(reference, ":")
    if (colon == 0 || colon == length(reference)) offend("a doc line is doc:FILE:TEXT")
    else if (!holds(substr(reference, 1, colon - 1), substr(reference, colon + 1))) offend("no such line: " reference)
}

function resolve_build(reference,    parts) {
    split(reference, parts, ":")
    if (!exists("tests/build/" parts[1] ".sh")) offend("no such script: " parts[1])
    if (parts[2] != "" && !exists("tests/build/" parts[1] "/" parts[2])) offend("no such case: " reference)
}

function resolve(reference) {
    if (reference ~ /^doc:/) resolve_doc(substr(reference, 5))
    else if (reference ~ /^none:./) return
    else if (reference ~ /^build_/) resolve_build(substr(reference, 7))
    else if (!(reference in test)) offend("no such test: " reference)
}

function read_lists(    line) {
    while ((getline line < ids) > 0)
        if (line !~ /^#/) { known[line] = 1; total++ }
    while ((getline line < tests) > 0) test[line] = 1
}

FNR == 1 { read_lists() }
/^#/ { next }
{
    if (!($1 in known)) offend("no such id: " $1)
    if ($1 in seen) offend("a second line for " $1)
    seen[$1] = 1
    done++
    resolve(substr($0, length($1) + 2))
}
END {
    for (id in known)
        if (whole && !(id in seen)) {
            print FILENAME ": nothing is said of " id
            offences++
        }
    print done + 0 " of " total + 0 " done"
    exit offences > 0
}
