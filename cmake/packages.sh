# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# Finding and installing what run.sh and test.sh need; sourced by them. What is there is found by asking the tools
# themselves, so that a hand-installed SDL2 counts too. Debian and Ubuntu get what is missing from apt-get; on any
# other system the packages are named and the script stops. Everything is said on stderr. The sourcing script sets $root.

missing=''

say() {
    echo "$*" >&2
}

die() {
    say "$*"
    exit 1
}

have() {
    command -v "$1" >/dev/null 2>&1
}

# need PACKAGE COMMAND...: PACKAGE is missing unless the command succeeds.
need() {
    package=$1
    shift
    "$@" >/dev/null 2>&1 || missing="$missing $package"
}

# CMakePresets.json has workflow presets, which came with 3.25.
cmake_is_new_enough() {
    version=$(cmake --version | awk 'NR == 1 { print $3 }')
    echo "$version" | awk -F. '{ exit !($1 > 3 || ($1 == 3 && $2 >= 25)) }'
}

finds_c_headers() {
    echo '#include <stdio.h>' | gcc -E -x c -
}

probe_build_packages() {
    need cmake have cmake
    need ninja-build have ninja
    need gcc have gcc
    need libc6-dev finds_c_headers
    need pkg-config have pkg-config
    need libsdl2-dev pkg-config --exists sdl2
    need libcglm-dev pkg-config --exists cglm
    need libcmocka-dev pkg-config --exists cmocka
    need libcjson-dev pkg-config --exists libcjson
}

probe_test_packages() {
    need g++ have g++
    need clang have clang
}

# Formatting and lint differ from version to version, so theirs is fixed.
probe_lint_packages() {
    need valgrind have valgrind
    need clang-tidy-14 have clang-tidy-14
    need clang-format-14 have clang-format-14
    need cppcheck have cppcheck
    need codespell have codespell
}

# probe GROUP...: sets $missing.
probe() {
    missing=''
    for group in "$@"; do "probe_${group}_packages"; done
}

# as_root COMMAND...: asks for no password where nobody could type one.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif [ -t 0 ]; then
        sudo "$@"
    else
        sudo -n "$@"
    fi
}

# Another apt-get may be at work, and the lists' lock is not one that apt-get waits for.
update_lists() {
    for attempt in 1 2 3 4 5 6 7 8 9 10 11 12; do
        code=0
        said=$(as_root apt-get -q update 2>&1) || code=$?
        case $code,$attempt,$said in
        0,* | *,12,*) break ;;
        *[Ll]ock*) sleep 5 ;;
        *) break ;;
        esac
    done
    say "$said"
    if [ "$code" -ne 0 ]; then say 'apt-get update failed; trying with the lists that are there'; fi
}

install_missing() {
    say "Installing:$missing"
    update_lists
    # shellcheck disable=SC2086 # several packages
    as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get -q install -y --no-install-recommends -o DPkg::Lock::Timeout=300 $missing </dev/null >&2 ||
        die "Could not install:$missing"
}

# Ends the script where nothing can be installed.
check_installing() {
    have apt-get || die "Missing (by their Debian names):$missing. Please install them and try again."
    if [ "$(id -u)" -eq 0 ] || { have sudo && { [ -t 0 ] || sudo -n true 2>/dev/null; }; }; then return; fi
    die "Missing:$missing. Please install them as root and try again (sudo is missing or wants a password)."
}

# require GROUP...: returns when everything of these groups is there, or ends the script.
require() {
    probe "$@"
    if [ -n "$missing" ]; then
        check_installing
        install_missing
        probe "$@"
        [ -z "$missing" ] || die "Still not found after installing:$missing"
    fi
    cmake_is_new_enough || die "cmake 3.25 or newer is needed; this is $version"
}

# build_preset PRESET [BUILD_OPTION...]: configure and build, all chatter on stderr.
build_preset() {
    preset=$1
    shift
    (cd "$root" && cmake --preset "$preset" && cmake --build --preset "$preset" "$@") </dev/null >&2
}

# One job for each processor, for cmake and ctest alike.
use_all_processors() {
    jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
    CMAKE_BUILD_PARALLEL_LEVEL=$jobs
    CTEST_PARALLEL_LEVEL=$jobs
    export CMAKE_BUILD_PARALLEL_LEVEL CTEST_PARALLEL_LEVEL
}
