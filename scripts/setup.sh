#!/usr/bin/env bash
# Installs what is missing on Debian 12 or Ubuntu 24.04, and only that; a second run changes nothing and takes no time.
#
#   scripts/setup.sh build           what `make` needs
#   scripts/setup.sh test [LINK]     … and what `make test` needs; LINK becomes a link to the test environment
#                                    (LINK/venv: Python packages, LINK/node_modules: the TypeScript SDK); and the
#                                    runtimes of the languages (scripts/runtimes.sh)
#   scripts/setup.sh lint            … and what `make lint` needs
#   scripts/setup.sh bench [LINK]    … and what `make bench` compares with (LINK/peer)
#
# Programs and libraries come from apt, as root or with sudo. Elsewhere the script names what is missing and stops.
# The environments live in ${XDG_CACHE_HOME:-~/.cache}/codecalc, one a combination of pins and interpreter.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
cache=${XDG_CACHE_HOME:-$HOME/.cache}/codecalc

say() { printf '%s\n' "setup: $*" >&2; }
die() { say "$*"; exit 1; }

# ---- apt ----

missing=() # packages
program() { command -v "$1" >/dev/null || missing+=("$2"); }
# library FILE PACKAGE [FILE]: a static library, under one of two names, that the compiler finds.
library() { case $(gcc -print-file-name="$1" 2>/dev/null)$(gcc -print-file-name="${3:-$1}" 2>/dev/null) in */*) ;; *) missing+=("$2") ;; esac; }

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"
    elif command -v sudo >/dev/null; then sudo "$@"
    else die "not root and no sudo: run as root: $*"
    fi
}

updated=
apt_update() {
    [ -z "$updated" ] || return 0
    command -v apt-get >/dev/null || die "this system has no apt-get; install what provides: ${missing[*]}"
    as_root apt-get update -qq
    updated=1
}

# Installs what the checks found missing.
install_missing() {
    [ ${#missing[@]} -gt 0 ] || return 0
    apt_update
    say "installing ${missing[*]}"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
    missing=()
}

# A cargo that is new enough, under whatever name this distribution has it.
install_cargo() {
    "$here/toolchain.sh" cargo >/dev/null 2>&1 && return
    missing=(cargo)
    apt_update
    local name
    name=$(apt-cache search --names-only '^cargo-1\.[0-9]+$' | cut -d' ' -f1 | sort -V | tail -n 1)
    case ${name:-none} in
    none | cargo-1.[0-9] | cargo-1.[0-7][0-9] | cargo-1.8[0-4]) name=cargo-web ;;
    esac
    missing=("$name")
    [ -n "$(apt-cache search --names-only "^$name\$")" ] || die "no cargo 1.85 or newer in this system's archive: install one (rustup's will do) and run this again"
    install_missing
    "$here/toolchain.sh" cargo >/dev/null
}

# The run-time part of clang's sanitizers and fuzzer, which Debian packages by version.
clang_runtime() {
    command -v clang >/dev/null && [ -e "$(clang -print-resource-dir)/lib/linux/libclang_rt.fuzzer-$(uname -m).a" ] && return
    missing+=(clang)
    apt_update
    local version
    version=$(apt-cache depends clang | sed -nE 's/.*Depends: clang-([0-9]+)$/\1/p' | head -n 1)
    [ -n "$version" ] || die "apt knows no clang"
    missing+=("libclang-rt-$version-dev")
}

setup_build() {
    program gcc gcc
    program g++ g++
    program make make
    program cmake cmake
    program ninja ninja-build
    program python3 python3
    program autoconf autoconf
    program automake automake
    program libtoolize libtool
    program m4 m4
    program xz xz-utils
    python3 -c 'import ensurepip, venv, pip' 2>/dev/null || missing+=(python3-venv python3-pip)
    library libc.a libc6-dev
    library libgmp.a libgmp-dev
    library libmpfr.a libmpfr-dev
    library libseccomp.a libseccomp-dev
    library libuv_a.a libuv1-dev libuv.a
    [ -e /etc/ssl/certs/ca-certificates.crt ] || missing+=(ca-certificates)
    install_missing
    install_cargo
}

setup_test() {
    program git git
    program node nodejs
    program npm npm
    program zsh zsh   # their completion is tried for real
    program fish fish
    printf '#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <setjmp.h>\n#include <cmocka.h>\n' |
        gcc -fsyntax-only -x c - 2>/dev/null || missing+=(libcmocka-dev)
    clang_runtime
    # Other systems of computer algebra, which answer the same questions. Where nothing can be installed their tests are skipped, and fail in CI.
    if command -v apt-get >/dev/null && { [ "$(id -u)" = 0 ] || command -v sudo >/dev/null; }; then
        program gp pari-gp
        command -v maxima >/dev/null || missing+=(maxima maxima-share)
    fi
    install_missing
}

setup_lint() {
    program cppcheck cppcheck
    program clang-tidy clang-tidy
    program shellcheck shellcheck
    install_missing
}

# ---- environments ----

# environment NAME FILE…: leaves its folder in $env, named after the contents of the files and the interpreters.
environment() {
    local name=$1; shift
    env=$cache/$name-$({ cat "$@"; python3 -c 'import sys; print(sys.version, sys.prefix)'; } | sha256sum | cut -c1-16)
    mkdir -p "$cache"
    exec 9>"$cache/.$name.lock"
    flock 9 # two runs at once would build it twice
}

# link TARGET NAME: NAME becomes a link to TARGET, where a name was asked for.
link() {
    [ -n "$2" ] || return 0
    mkdir -p "$(dirname "$2")"
    ln -sfn "$1" "$2"
    touch "$1" # for make, which looks through the link
}

quiet() { local log; log=$(mktemp); "$@" >"$log" 2>&1 || { tail -n 30 "$log" >&2; rm -f "$log"; die "failed: $*"; }; rm -f "$log"; }

test_environment() {
    local e2e=$root/tests/e2e
    environment testenv "$e2e/requirements.txt" "$e2e/ts/package-lock.json"
    if [ ! -e "$env/.complete" ]; then
        say "making the test environment (about a minute)"
        rm -rf "$env"
        mkdir -p "$env"
        python3 -m venv "$env/venv"
        quiet "$env/venv/bin/python" -m pip install -q --disable-pip-version-check --require-hashes -r "$e2e/requirements.txt"
        cp "$e2e/ts/package.json" "$e2e/ts/package-lock.json" "$env"
        ( cd "$env" && quiet npm ci --no-audit --no-fund --ignore-scripts )
        touch "$env/.complete"
    fi
    link "$env" "$1"
}

# What else programs are contained with.
setup_bench() {
    program bwrap bubblewrap
    program firejail firejail
    install_missing
}

peer_environment() {
    environment peer "$root/tests/bench/peer.txt"
    if [ ! -e "$env/.complete" ]; then
        say "installing the peer of the comparison (a few minutes)"
        rm -rf "$env"
        python3 -m venv "$env"
        quiet "$env/bin/python" -m pip install -q --disable-pip-version-check -r "$root/tests/bench/peer.txt"
        touch "$env/.complete"
    fi
    link "$env" "$1"
}

case ${1:-} in
build) setup_build ;;
test)
    setup_build
    setup_test
    # The languages' runtimes, beside the environment; both mostly wait for the network.
    "$here/runtimes.sh" & runtimes=$!
    test_environment "${2:-}"
    wait "$runtimes" || say "not every runtime could be installed: the tests of those languages are skipped, and fail in CI"
    ;;
lint) setup_build; setup_test; setup_lint; test_environment "${2:-}" ;;
bench) setup_build; setup_bench; test_environment "${2:-}"; peer_environment "${2:+$(dirname "$2")/peer}" ;;
*) die "usage: scripts/setup.sh build | test [LINK] | lint [LINK] | bench [LINK]" ;;
esac
