# SPDX-License-Identifier: MIT
# Tables, results.csv, results.json and the targets from the runner's lines: run.sh calls it.
# Of a case that was measured in two processes the worse figures count. A ratio is taken within each,
# and the worse one counts.
BEGIN {
    FS = ","
    while ((getline line < published) > 0) {
        if (line !~ /^#/) {
            at = index(line, " ")
            elsewhere[substr(line, 1, at - 1)] = substr(line, at + 1)
        }
    }
}

function worse(table, key, value) {
    if (value == "n/a" || !(key in table) || (table[key] != "n/a" && value + 0 > table[key] + 0)) {
        table[key] = value
    }
}

{
    row = $1 "/" $2 "/" $3
    key = $5 "|" row "|" $4
    if (!(key in least)) {
        order[++keys] = key
    }
    processes[key]++
    least_in[key, processes[key]] = $6
    median_in[key, processes[key]] = $7
    worse(least, key, $6)
    worse(median, key, $7)
    worse(bytes, key, $8)
    worse(allocations, key, $9)
}

function table_print(label, suite,    i, part, at, columns, column, rows, seen, r, c, text) {
    columns = rows = 0
    for (i = 1; i <= keys; i++) {
        split(order[i], part, "|")
        split(part[2], at, "/")
        if (part[1] == label && at[1] == suite) {
            if (!(part[2] in seen)) { seen[part[2]] = 1; row_name[++rows] = part[2] }
            if (!(part[3] in column)) { column[part[3]] = ++columns; column_name[columns] = part[3] }
        }
    }
    if (!rows) {
        return
    }
    printf "\n%s, %s: %s\n%-28s %9s", suite, label,
        suite == "frame" ? "ns of work in a frame" : "ns per item, minimum (median)", "scenario", "n"
    for (c = 1; c <= columns; c++) {
        printf " %19s", column_name[c]
    }
    printf "\n"
    for (r = 1; r <= rows; r++) {
        split(row_name[r], at, "/")
        printf "%-28s %9s", at[2], at[3]
        for (c = 1; c <= columns; c++) {
            i = label "|" row_name[r] "|" column_name[c]
            text = !(i in least) ? "-" : suite == "frame" ? sprintf("%.0f", median[i]) : \
                sprintf("%.2f (%.2f)", least[i], median[i])
            printf " %19s", text
        }
        printf "\n"
        if (row_name[r] in elsewhere) {
            printf "    published elsewhere: %s\n", elsewhere[row_name[r]]
        }
    }
}

# What cancelling takes more than coming to the end does; negative where it takes less.
function cancel_differences(    i, count, key, normal) {
    count = keys
    for (i = 1; i <= count; i++) {
        key = normal = order[i]
        if (sub(/cancel(_nested)?\//, "&normal/", normal) && sub(/\/normal\//, "_normal/", normal) &&
            normal in least) {
            sub(/cancel(_nested)?\//, "&less/", key)
            sub(/\/less\//, "_less_normal/", key)
            order[++keys] = key
            least[key] = least[order[i]] - least[normal]
            median[key] = median[order[i]] - median[normal]
            bytes[key] = allocations[key] = "n/a"
        }
    }
}

function write_results(    i, part, at, n, comma) {
    print "suite,scenario,n,implementation,compiler,ns_min,ns_median,bytes,allocations,commit,CPU" > csv
    printf "[" > json
    for (i = 1; i <= keys; i++) {
        split(order[i], part, "|")
        split(part[2], at, "/")
        printf "%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,\"%s\"\n", at[1], at[2], at[3], part[3], part[1],
            least[order[i]], median[order[i]], bytes[order[i]], allocations[order[i]], commit, cpu > csv
        printf "%s\n{\"suite\":\"%s\",\"scenario\":\"%s\",\"n\":%s,\"implementation\":\"%s\",\"compiler\":\"%s\"," \
            "\"ns_min\":%s,\"ns_median\":%s,\"bytes\":%s,\"allocations\":%s,\"commit\":\"%s\",\"CPU\":\"%s\"}",
            comma, at[1], at[2], at[3], part[3], part[1], least[order[i]], median[order[i]],
            number(bytes[order[i]]), number(allocations[order[i]]), commit, cpu > json
        comma = ","
    }
    print "\n]" > json
}

function number(text) {
    return text == "n/a" ? "null" : text
}

# "suite/scenario/n/implementation" to the key of a figure
function key_of(label, name,    at) {
    split(name, at, "/")
    gsub(/_/, " ", at[4])
    return label "|" at[1] "/" at[2] "/" at[3] "|" at[4]
}

# The ratio of two figures in each process: the largest, or the smallest where it has to be large.
function ratio(table, a, b, or_more,    i, one, worst) {
    for (i = 1; i <= processes[a] && i <= processes[b]; i++) {
        one = table[a, i] / table[b, i]
        if (i == 1 || (or_more ? one < worst : one > worst)) {
            worst = one
        }
    }
    return worst
}

# The same with clang, which no bound holds for.
function beside(top, bottom, or_more,    a, b) {
    a = key_of("clang", top)
    b = key_of("clang", bottom)
    return a in least && b in least ? \
        sprintf("  clang %.2f (median %.2f)", ratio(least_in, a, b, or_more), ratio(median_in, a, b, or_more)) : ""
}

function target(id, top, bottom, bound,    a, b, or_more, by_least, by_median, met) {
    a = key_of("gcc", top)
    b = key_of("gcc", bottom)
    if (!(a in least) || !(b in least)) {
        printf "%-20s not measured here\n", id
        return partial == "0" # nothing may be left out of a whole run
    }
    or_more = sub(/^>/, "", bound)
    bound += 0 # a number from now on
    by_least = ratio(least_in, a, b, or_more)
    by_median = ratio(median_in, a, b, or_more)
    met = or_more ? (by_least >= bound && by_median >= bound) : (by_least <= bound && by_median <= bound)
    printf "%-20s ratio %6.2f (median %6.2f)  %s %5.2f  %-6s%s\n", id, by_least, by_median,
        or_more ? "at least" : "at most ", bound, met ? "met" : "missed", beside(top, bottom, or_more)
    return !met
}

function figure(id, name, table, bound,    key, met) {
    key = key_of("gcc", name)
    if (!(key in table)) {
        return
    }
    met = table[key] != "n/a" && table[key] + 0 <= bound
    printf "%-20s %6s  at most %5.2f  %s\n", id, table[key], bound, met ? "met" : "missed"
    return !met
}

function allocations_of_flow(    i, part, sum, known) {
    for (i = 1; i <= keys; i++) {
        split(order[i], part, "|")
        if (part[3] == "flow" && allocations[order[i]] != "n/a") {
            known++
            sum += allocations[order[i]]
        }
    }
    if (!known && partial ~ /[a-z]/) {
        return 0 # a suite whose rows are not counted
    }
    printf "%-20s %6d allocations in %d scenarios after warm-up  %s\n", "malloc", sum, known,
        known && !sum ? "met" : "missed"
    return !(known && !sum)
}

END {
    cancel_differences()
    split("runtime_async flowtask onity slimtask scale frame", suites, " ")
    split("gcc clang", labels, " ")
    for (l = 1; l <= 2; l++) {
        for (s = 1; s <= 6; s++) {
            table_print(labels[l], suites[s])
        }
    }
    write_results()
    printf "\nwritten: %s and %s\n", csv, json
    if (!check) {
        exit 0
    }
    printf "\ntargets, gcc against g++:\n"
    while ((getline line < targets) > 0) {
        if (line !~ /^#/ && split(line, t, " ") == 4) {
            missed += target(t[1], t[2], t[3], t[4])
        }
    }
    missed += figure("sleepers_us", "scale/sleepers_idle/1000000/flow", least, 1000)
    missed += figure("bytes", "scale/bytes/100000/flow", bytes, 144)
    missed += allocations_of_flow()
    exit missed ? 3 : 0
}
