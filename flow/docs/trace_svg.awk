# SPDX-License-Identifier: MIT
#
# Draws a frame of a trace, with two on either side, as SVG: time to the right, and what is nested below what it is nested
# in. Usage: awk -f trace_svg.awk frame=300 trace.json trace.json >picture.svg (the file is read twice)
# Reads the traces that flow writes, an event a line.
function field(key,    at, rest) {
    at = index($0, "\"" key "\":")
    if (!at) return ""
    rest = substr($0, at + length(key) + 3)
    if (substr(rest, 1, 1) == "\"") { rest = substr(rest, 2); return substr(rest, 1, index(rest, "\"") - 1) }
    match(rest, /^[-0-9.]+/)
    return substr(rest, 1, RLENGTH)
}

function box(x, y, w, label, kind,    shown) {
    printf "<rect x='%.1f' y='%d' width='%.1f' height='18' fill='%s' stroke='#07091c' stroke-width='0.5'/>\n", x, y, w, color[kind]
    shown = substr(label, 1, int(w / 7))
    if (length(shown) > 2) printf "<text x='%.1f' y='%d' fill='%s'>%s</text>\n", x + 3, y + 13, kind ~ /^(frame|zone|wait|tick)$/ ? "#f6faff" : "#07091c", shown
}

BEGIN {
    color["frame"] = "#423290"; color["zone"] = "#9e5cff"; color["wait"] = "#16163a"; color["tick"] = "#127696"
    color["resume"] = color["start"] = color["on"] = "#48e4ff"; color["finally"] = "#ff389e"
    color["cancel"] = "#ff389e"; color["predicate"] = "#76ffac"; color["job"] = "#ffce54"
}

!/"ph":"X"/ { next }

# First reading: from when to when.
NR == FNR {
    if (field("cat") == "frame") {
        number = field("number") + 0
        if (number == frame - 2) from = field("ts") + 0
        if (number == frame + 2) to = field("ts") + field("dur")
    }
    next
}

{
    ts = field("ts") + 0; dur = field("dur") + 0; kind = field("cat"); label = field("name")
    while (depth > 0 && ends[depth] <= ts) depth--
    ends[++depth] = ts + dur
    if (ts < from || ts >= to || depth > 8) next
    if (!begun) {
        printf "<svg xmlns='http://www.w3.org/2000/svg' width='960' height='130' font-family='monospace' font-size='11'>\n"
        printf "<rect width='960' height='130' fill='#07091c'/>\n"
        begun = 1
    }
    if (kind == "frame") label = "frame " field("number") ", " sprintf("%.1f ms", dur / 1000)
    width = 940 * dur / (to - from)
    if (width >= 0.3) box(10 + 940 * (ts - from) / (to - from), 8 + 20 * (depth - 1), width, label, kind)
}

END { if (begun) print "</svg>"; else exit 1 }
