#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Builds the game and plays it. stdout and the exit code are the game's; all else goes to stderr.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=cmake/packages.sh
. "$root/cmake/packages.sh"
game=$root/build/release/game/emberline
picture=$root/build/release/attract.bmp

usage() {
    cat <<'END'
Usage: ./run.sh [GAME OPTION]...
Installs what is missing (Debian, Ubuntu), builds the game and runs it with the options given.
Without options and without a display it plays 600 headless frames of the attract mode.

END
}

no_display() {
    [ "$(uname -s)" = Linux ] && [ -z "${DISPLAY:-}" ] && [ -z "${WAYLAND_DISPLAY:-}" ]
}

play_headless() {
    say 'No display (DISPLAY and WAYLAND_DISPLAY are not set): playing 600 headless frames of the attract mode.'
    code=0
    "$game" --headless --attract --frames 600 --screenshot "450:$picture" || code=$?
    if [ -e "$picture" ]; then say "Screenshot of frame 450: $picture"; fi
    exit "$code"
}

if [ "${1:-}" = --help ]; then usage; fi
require build
use_all_processors
build_preset release --target emberline || die 'The game did not build; see above.'
if [ $# -eq 0 ] && no_display; then play_headless; fi
exec "$game" "$@"
