#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Renews what the game's tests compare with: the hashes in tests/game/scripts and the pictures in tests/game/golden.
# Look at the difference before committing it. Usage: refresh.sh GAME, a release build of the game
set -eu
game=$1
source=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
for script in playthrough golden; do
    SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy sh "$source/tests/game/$script.sh" "$game" "$source" --refresh
done
git -C "$source" status --short tests/game
