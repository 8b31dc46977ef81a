#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The game in a real window, under Xvfb, with keys from the X server: it starts, plays, pauses, goes on and quits, with
# frames as long as they are. Needs Xvfb, and python3 with libXtst for the keys; where they are missing it says so and
# passes. Usage: window.sh GAME SOURCE_DIR
set -eu
game=$1
temp=$(mktemp -d)
server=''
player=''

clean_up() {
    if [ -n "$player" ]; then kill "$player" 2>/dev/null || :; fi
    if [ -n "$server" ]; then kill "$server" 2>/dev/null || :; fi
    rm -rf "$temp"
}
trap clean_up EXIT

fail() {
    echo "$1"
    cat "$temp/report" "$temp/errors" 2>/dev/null || :
    exit 1
}

command -v Xvfb >/dev/null 2>&1 || { echo 'Skipped: no Xvfb'; exit 0; }
python3 -c 'import ctypes; ctypes.CDLL("libX11.so.6"); ctypes.CDLL("libXtst.so.6")' 2>/dev/null ||
    { echo 'Skipped: no python3 with libXtst'; exit 0; }

Xvfb -displayfd 3 -screen 0 1280x800x24 -nolisten tcp 3>"$temp/display" >/dev/null 2>&1 &
server=$!
for try in 1 2 3 4 5 6 7 8 9 10; do
    [ -s "$temp/display" ] && break
    sleep 0.5
done
[ -s "$temp/display" ] || fail "Xvfb did not start ($try tries)"
DISPLAY=:$(cat "$temp/display")
export DISPLAY
unset SDL_VIDEODRIVER
export SDL_AUDIODRIVER=dummy SDL_FRAMEBUFFER_ACCELERATION=0
# A window brings in the desktop's libraries, which keep what they took (libdbus). What the game itself takes is held
# to nothing in every other test.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"

# press.py PAUSE KEYSYM...: taps keys, with a pause after each. Without a window manager the window is given the keyboard
# first.
cat >"$temp/press.py" <<'END'
import ctypes, sys, time
x = ctypes.CDLL("libX11.so.6")
t = ctypes.CDLL("libXtst.so.6")
x.XOpenDisplay.restype = ctypes.c_void_p
x.XDefaultRootWindow.restype = ctypes.c_ulong
x.XStringToKeysym.restype = ctypes.c_ulong
display = ctypes.c_void_p(x.XOpenDisplay(None))
root = ctypes.c_ulong(x.XDefaultRootWindow(display))
parent, above = ctypes.c_ulong(), ctypes.c_ulong()
children, count = ctypes.POINTER(ctypes.c_ulong)(), ctypes.c_uint()
x.XQueryTree(display, root, ctypes.byref(above), ctypes.byref(parent), ctypes.byref(children), ctypes.byref(count))
if count.value == 0:
    sys.exit("no window")
x.XSetInputFocus(display, ctypes.c_ulong(children[count.value - 1]), 1, 0)
x.XSync(display, 0)
time.sleep(0.3)
for name in sys.argv[2:]:
    code = x.XKeysymToKeycode(display, ctypes.c_ulong(x.XStringToKeysym(name.encode())))
    for down in (1, 0):
        t.XTestFakeKeyEvent(display, ctypes.c_uint(code & 255), down, ctypes.c_ulong(0))
        x.XSync(display, 0)
        time.sleep(0.1)
    time.sleep(float(sys.argv[1]))
END

# give_up REASON: ends a session that went wrong.
give_up() {
    echo "$1" >"$temp/why"
    if [ -n "$player" ]; then
        kill "$player" 2>/dev/null || :
        wait "$player" 2>/dev/null || :
        player=''
    fi
    return 1
}

# play PAUSE: the session with that many seconds after each key. Start, wait, pause, on again, pause, two down to
# "give up", and on the title escape quits.
play() {
    "$game" --scale 1 --seed 5 --saves "$temp" --report >"$temp/report" 2>"$temp/errors" &
    player=$!
    sleep 3
    kill -0 "$player" 2>/dev/null || { give_up 'the game did not stay'; return 1; }
    python3 "$temp/press.py" "$1" Return a p Return p Down Down Return Escape >"$temp/keys" 2>&1 ||
        { give_up "no keys: $(cat "$temp/keys")"; return 1; }
    tries=20
    while kill -0 "$player" 2>/dev/null && [ "$tries" -gt 0 ]; do
        sleep 0.5
        tries=$((tries - 1))
    done
    if kill -0 "$player" 2>/dev/null; then give_up 'it did not quit'; return 1; fi
    code=0
    wait "$player" || code=$?
    player=''
    [ "$code" -eq 0 ] || { give_up "it ended with $code"; return 1; }
    grep -qx 'screens title play pause play pause title' "$temp/report" || { give_up 'other screens'; return 1; }
    grep -q ', 0 left$' "$temp/report" || { give_up 'flows are left'; return 1; }
}

# A machine that is busy elsewhere may miss a key: then once more, and slower.
play 1.2 || play 4 || fail "$(cat "$temp/why")"
echo "In a window: $(head -n 1 "$temp/report")"
