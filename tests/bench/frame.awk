# SPDX-License-Identifier: MIT
# The game's line of JSON as lines of the runner's: run.sh calls it with a scene and its n.
function value(name,    at) {
    at = index($0, "\"" name "\":")
    return at ? substr($0, at + length(name) + 3) + 0 : -1
}

function row(what, ns) {
    printf "frame,%s_%s,%s,flow,gcc,%.0f,%.0f,n/a,n/a\n", scene, what, n, ns, ns
}

/"bench"/ {
    # Nothing is told of a run that lost a flow, or left one.
    if (value("left") != 0 || value("missing") != 0) {
        exit 1
    }
    row("p50", 1e6 * value("work_p50_ms"))
    row("p99", 1e6 * value("work_p99_ms"))
    row("max", 1e6 * value("work_max_ms"))
    if (value("event_cancel_ns") > 0) {
        row("cancel_one", value("event_cancel_ns"))
    }
    if (scene == "load") {
        row("all", 1e6 * value("load_ms"))
    }
    told = 1
}

END {
    exit !told
}
