# SPDX-License-Identifier: MIT
#
# Resolves the tests that a page names: awk -f semantics.awk tests=FILE PAGE. Each item of the page, "- ...", is one
# sentence and ends with one or more [program: test]. Prints an offence a line and fails if there is one.

function offend(line, text) {
    print FILENAME ":" line ": " text
    offences++
}

# Takes the references off the item's end.
function check_item(    reference, count) {
    if (item == "") return
    sub(/ +$/, "", item)
    while (match(item, / \[[a-z0-9_]+: [a-z0-9_]+\]$/)) {
        reference = substr(item, RSTART + 2, RLENGTH - 3)
        item = substr(item, 1, RSTART - 1)
        sub(/: /, ":", reference)
        if (!(reference in test)) offend(start, "no such test: " reference)
        count++
    }
    if (!count) offend(start, "no test is named at its end")
    if (item ~ /\[test_/) offend(start, "a test is named before its end")
    if (item !~ /\.$/ || item ~ /\. /) offend(start, "not one sentence")
    items++
    item = ""
}

FNR == 1 { while ((getline line < tests) > 0) test[line] = 1 }
/^- / { check_item(); item = $0; start = FNR; next }
/^  [^ ]/ && item != "" { item = item " " substr($0, 3); next }
{ check_item() }
END {
    check_item()
    print items + 0 " sentences"
    exit offences > 0 || items == 0
}
