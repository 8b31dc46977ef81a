# SPDX-License-Identifier: MIT
#
# Checks the #include lines of the files given on the command line (paths relative to the current folder, which is
# the top of the tree) against the table of layers, and that one file alone drives flow from the engine's loop.
# Prints one line per offence and exits 1 if there was any.

BEGIN {
    split("assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg " \
          "stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype", \
          names, " ")
    for (i in names) is_iso[names[i] ".h"] = 1
    # flow starts no thread and reads no clock.
    is_iso_barred["threads.h"] = is_iso_barred["time.h"] = 1

    allow("flow",         "iso flow")
    allow("flow-private", "iso flow flow-private")
    allow("flow-sdl",     "iso iso-barred flow flow-sdl sdl")
    allow("flow-example", "iso iso-barred flow")
    allow("engine",         "iso iso-barred engine sdl cglm")
    allow("engine-private", "iso iso-barred engine engine-private sdl cglm")
    allow("engine-platform", "iso iso-barred engine engine-private sdl cglm posix")
    allow("game",  "iso iso-barred game engine flow flow-sdl")
    allow("tools", "iso iso-barred tools")
    allow("bench", "iso iso-barred posix bench tests flow")
    allow("peers", "iso iso-barred posix bench peers flow unknown")
    allow("tests", "iso iso-barred posix tests flow flow-private flow-sdl engine engine-private game sdl cglm cmocka cjson")

    # One include of one file that no layer allows: where there is no aligned_alloc (MSVC, MinGW), its replacement.
    exempt["flow/src/world.c", "malloc.h"] = 1

    # The files of the engine that may look beyond ISO C and SDL. None so far.
    split("", platform_file)
    glue = "game/src/glue.c"
    search_count = split("flow/include flow/sdl engine/include engine/src game/src tests/support", search_dirs, " ")
    offences = 0
}

function allow(part, kinds,    list, i) {
    split(kinds, list, " ")
    for (i in list) allowed[part, list[i]] = 1
}

function offence(message) {
    print FILENAME ":" FNR ": " message
    offences++
}

# The layer that a path of this tree belongs to.
function part_of(path) {
    if (path in platform_file)             return "engine-platform"
    if (path ~ /^flow\/include\//)         return "flow"
    if (path ~ /^flow\/(src\/|[^\/]*\.c$)/) return "flow-private"
    if (path ~ /^flow\/sdl\//)             return "flow-sdl"
    if (path ~ /^flow\/examples\//)        return "flow-example"
    if (path ~ /^engine\/include\//)       return "engine"
    if (path ~ /^engine\//)                return "engine-private"
    if (path ~ /^game\/tools\//)           return "tools"
    if (path ~ /^game\//)                  return "game"
    if (path ~ /^tests\/bench\/(peers|compare)\//) return "peers"
    if (path ~ /^tests\/bench\//)          return "bench"
    if (path ~ /^tests\//)                 return "tests"
    return "unknown"
}

function exists(path,    line, status) {
    status = (getline line < path)
    close(path)
    return status >= 0
}

# a/b/../c -> a/c; a path that leaves the tree keeps its leading "..".
function normal(path,    pieces, count, i, top, kept, result) {
    count = split(path, pieces, "/")
    top = 0
    for (i = 1; i <= count; i++) {
        if (pieces[i] == "" || pieces[i] == ".") continue
        if (pieces[i] == ".." && top > 0 && kept[top] != "..") { top--; continue }
        kept[++top] = pieces[i]
    }
    result = kept[1]
    for (i = 2; i <= top; i++) result = result "/" kept[i]
    return result
}

# The path in this tree that an include means, or "" where it means something outside.
function resolve(name, quoted,    dir, path, i) {
    if (quoted) {
        dir = FILENAME
        sub(/[^\/]*$/, "", dir)
        path = normal(dir name)
        if (exists(path)) return path
    }
    path = "tests/bench/compare/" name
    if (part_of(FILENAME) == "peers" && exists(path)) return path
    for (i = 1; i <= search_count; i++) {
        path = normal(search_dirs[i] "/" name)
        if (exists(path)) return path
    }
    return ""
}

function kind_of(name, quoted,    path) {
    if (!quoted && name in is_iso_barred)   return "iso-barred"
    if (!quoted && name in is_iso)          return "iso"
    path = resolve(name, quoted)
    if (path != "")                         return part_of(path) == "engine-platform" ? "engine-private" : part_of(path)
    if (name ~ /^flow\//)                   return "flow"
    if (name ~ /^engine\//)                 return "engine"
    if (name ~ /^(SDL2\/)?SDL[A-Za-z_0-9]*\.h$/) return "sdl"
    if (name ~ /^cglm\//)                   return "cglm"
    if (name == "cmocka.h")                 return "cmocka"
    if (name == "cjson/cJSON.h")            return "cjson"
    if (name ~ /^(unistd|pthread|dirent|fcntl|sched|dlfcn|poll|spawn|strings|semaphore|regex|glob|libgen)\.h$/ ||
        name ~ /^sys\//)                    return "posix"
    return "unknown"
}

function check_include(text,    name, quoted, kind, part) {
    sub(/^[ \t]*#[ \t]*include[ \t]*/, "", text)
    quoted = (substr(text, 1, 1) == "\"")
    if (!quoted && substr(text, 1, 1) != "<") { offence("an include must name a file, not a macro"); return }
    name = substr(text, 2)
    sub(/[">].*$/, "", name)
    kind = kind_of(name, quoted)
    part = part_of(FILENAME)
    if ((part, kind) in allowed || (FILENAME, name) in exempt) return
    offence("layer " part " may not include " name " (" kind ")")
}

# What is left of a line without its comments and strings; in_comment lives from line to line.
function code_of(line,    start, stop, result) {
    if (!in_comment && line ~ /^[ \t]*#[ \t]*include/) { sub(/\/[\/*].*$/, "", line); return line }
    gsub(/'"'/, "", line)
    result = ""
    while (1) {
        if (in_comment) {
            stop = index(line, "*/")
            if (!stop) return result
            line = substr(line, stop + 2)
            in_comment = 0
        }
        gsub(/"([^"\\]|\\.)*"/, "", line)
        start = match(line, /\/[\/*]/)
        if (!start) return result line
        result = result substr(line, 1, start - 1) " "
        if (substr(line, start + 1, 1) == "/") return result
        line = substr(line, start + 2)
        in_comment = 1
    }
}

FNR == 1 { in_comment = 0 }

{
    code = code_of($0)
    if (code ~ /^[ \t]*#[ \t]*include/) check_include(code)
    if (FILENAME ~ /^(game|engine)\// && FILENAME != glue &&
        code ~ /(^|[^A-Za-z0-9_])flow_world_(begin_frame|tick|flush)([^A-Za-z0-9_]|$)/)
        offence("only " glue " joins flow to the loop: it alone calls flow_world_begin_frame, _tick and _flush")
}

END { exit offences > 0 }
