#!/usr/bin/env bash
# Fetches, checks and builds the libraries that codecalc links; prints nothing but progress (stderr).
#
#   scripts/deps.sh OUT.mk      build what is missing, then write the make variables that name the results
#
# Each library lives in ${XDG_CACHE_HOME:-~/.cache}/codecalc/deps/<name>-<hash>, where the hash covers its version,
# its recipe below, the checksums of its sources and the compiler: a changed pin rebuilds only itself, and every clone on a machine shares the cache.
# A result appears under its name only when it is whole (built aside, then renamed).
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/codecalc/deps
jobs=${JOBS:-$(nproc)}
cc=${DEPS_CC:-gcc}
cxx=${DEPS_CXX:-g++}
mkdir -p "$cache"
exec 9>"$cache/.lock"
flock 9 # two builds at once would do the same work twice

say() { printf '%s\n' "deps: $*" >&2; }
die() { say "$*"; exit 1; }

# run_logged NAME COMMAND…: its output goes to a log that is shown only on failure.
run_logged() {
    local log="$work/$1.log"; shift
    "$@" >"$log" 2>&1 || { tail -n 40 "$log" >&2; die "failed: $* (log above)"; }
}

# key NAME: hash of everything that the result depends on.
key() {
    { declare -f "version_$1" "build_$1"
      case $1 in
      z3) cat "$here/deps/z3_format.h" ;;
      crates) cat "$here/deps/crates.toml" "$here/deps/crates.sha256" ;;
      flint) grep ' flint3-sys-' "$here/deps/crates.sha256" ;;
      treesitter) grep ' tree-sitter-[0-9]' "$here/deps/crates.sha256" ;;
      grammars) grep -E ' (arborium|tree-sitter-fortran)-' "$here/deps/crates.sha256" ;;
      esac
      "$cc" -dumpfullversion; "$cc" -dumpmachine; } | sha256sum | cut -c1-16
}

# need NAME: builds it unless the cache has it, and leaves its folder in $out.
need() {
    local name=$1
    out="$cache/$name-$(key "$name")"
    [ -e "$out/.complete" ] && return
    say "$name $("version_$name"): building ($(hint "$name"))"
    local started=$SECONDS
    work=$(mktemp -d "$cache/.build-$name-XXXXXX")
    dest=$work/out
    mkdir -p "$dest"
    ( cd "$work" && "build_$name" )
    touch "$dest/.complete"
    rm -rf "$out"
    mv "$dest" "$out"
    rm -rf "$work"
    say "$name: done in $((SECONDS - started)) s"
}

hint() {
    case $1 in
    z3) echo "about 25 minutes on 2 cores, once per machine" ;;
    flint) echo "about 8 minutes on 2 cores, once per machine" ;;
    grammars) echo "about 1 minute" ;;
    *) echo "seconds" ;;
    esac
}

# pypi_sdist NAME VERSION SHA256: the source archive, unpacked into ./NAME.
pypi_sdist() {
    printf '%s==%s --hash=sha256:%s\n' "$1" "$2" "$3" >pins.txt
    run_logged "fetch-$1" python3 -m pip download -q --disable-pip-version-check --no-deps --no-binary "$1" --require-hashes -r pins.txt -d archive
    mkdir "$1"
    tar -xzf archive/*.tar.gz -C "$1" --strip-components=1
}

# ---- crates: one vendored folder of sources, from which flint, tree-sitter and the grammars are built ----
version_crates() { echo "of $(wc -l <"$here/deps/crates.sha256") packages"; }
build_crates() {
    mkdir manifest
    cp "$here/deps/crates.toml" manifest/Cargo.toml
    : >manifest/lib.rs
    ( cd manifest && run_logged fetch-crates "$("$here/toolchain.sh" cargo)" vendor -q --versioned-dirs "$work/vendor" )
    # What the packages ask for beyond the list (build scripts' helpers, Rust glue) is not used and not kept.
    local sum crate
    while read -r sum crate; do
        grep -q "\"package\":\"$sum\"" "vendor/$crate/.cargo-checksum.json" || die "checksum of $crate is not the pinned one"
        mv "vendor/$crate" "$dest"
    done <"$here/deps/crates.sha256"
}

version_yyjson() { echo 0.10.0; }
build_yyjson() {
    pypi_sdist yyjson 4.0.6 fcd4dc15c1e39a30bf9fa85d56903029111506860fc3080ab0d81c6c6dacaa8c
    cp yyjson/yyjson/yyjson.[ch] yyjson/LICENSE "$dest"
    grep -q '"0.10.0"' "$dest/yyjson.h"
    "$cc" -std=c11 -O2 -ffunction-sections -fdata-sections -DYYJSON_DISABLE_NON_STANDARD=1 -DYYJSON_DISABLE_INCR_READER=1 \
        -c "$dest/yyjson.c" -o "$dest/yyjson.o"
    ar rcsD "$dest/libyyjson.a" "$dest/yyjson.o"
}

version_z3() { echo 4.16.0; }
build_z3() {
    pypi_sdist z3-solver 4.16.0 263d9ad668966e832c2b246ba0389298a599637793da2dc01cc5e4ef4b0b6c78
    local core=$work/z3-solver/core
    # Unity builds are three times faster; these files do not survive being joined.
    cat >>"$core/CMakeLists.txt" <<'CMAKE'
foreach(t IN ITEMS model qe_lite nlsat cmd_context smtlogic_tactics opt api)
  set_target_properties(${t} PROPERTIES UNITY_BUILD OFF)
endforeach()
CMAKE
    echo 'set_source_files_properties(theory_intblast.cpp theory_lra.cpp theory_sls.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)' \
        >>"$core/src/smt/CMakeLists.txt"
    local flags="-ffunction-sections -fdata-sections -ffile-prefix-map=$work=."
    if [ "$("$cxx" -dumpversion | cut -d. -f1)" -lt 13 ]; then
        mkdir compat
        cp "$here/deps/z3_format.h" compat/format
        flags="-isystem $work/compat $flags"
    fi
    # Single-threaded with a polling timer: a sealed job may not start threads.
    run_logged configure-z3 cmake -S "$core" -B build -G Ninja -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" \
        -DZ3_BUILD_LIBZ3_SHARED=OFF -DZ3_BUILD_EXECUTABLE=OFF -DZ3_BUILD_TEST_EXECUTABLES=OFF -DZ3_ENABLE_EXAMPLE_TARGETS=OFF \
        -DZ3_INCLUDE_GIT_HASH=OFF -DZ3_INCLUDE_GIT_DESCRIBE=OFF -DCMAKE_UNITY_BUILD=ON \
        -DZ3_SINGLE_THREADED=ON -DZ3_POLLING_TIMER=ON \
        "-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG" "-DCMAKE_CXX_FLAGS=$flags"
    ninja_progress build
    mkdir "$dest/include"
    cp build/libz3.a "$dest"
    cp "$core"/src/api/z3*.h "$dest/include"
    cp build/src/api/z3_version.h "$dest/include" 2>/dev/null || find build -name z3_version.h -exec cp {} "$dest/include" \;
    cp "$core/LICENSE.txt" "$dest"
}

# ninja_progress DIR: one line for every tenth of the work.
ninja_progress() {
    local tenth=-1 built total
    NINJA_STATUS='[%f/%t] ' ninja -C "$1" -j"$jobs" 2>&1 | tee ninja.log | while IFS= read -r line; do
        [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
        built=${BASH_REMATCH[1]} total=${BASH_REMATCH[2]}
        [ $((built * 10 / total)) = $tenth ] && continue
        tenth=$((built * 10 / total))
        say "  $built of $total files"
    done || { tail -n 40 ninja.log >&2; die "ninja failed"; }
}

version_flint() { echo 3.6.0; }
build_flint() {
    cp -r "$crates"/flint3-sys-*/flint flint
    cd flint
    chmod -R u+w .
    local host
    host=$("$cc" -dumpmachine)
    run_logged bootstrap-flint ./bootstrap.sh
    # --host keeps it from building for this very processor, whose results would crash on an older one.
    CC=$cc CFLAGS="-O2 -g0 -ffunction-sections -fdata-sections -ffile-prefix-map=$work=." \
        run_logged configure-flint ./configure --build="$host" --host="$host" --disable-shared --enable-static --disable-debug --prefix="$dest"
    run_logged make-flint make -j"$jobs" library
    run_logged install-flint make install
    cp COPYING* "$dest" 2>/dev/null || cp LICENSE* "$dest"
}

version_treesitter() { echo 0.27.1; }
build_treesitter() {
    local src=$crates/tree-sitter-0.27.1
    mkdir "$dest/include"
    cp -r "$src"/include/tree_sitter "$dest/include"
    "$cc" -std=c11 -D_GNU_SOURCE -O2 -ffunction-sections -fdata-sections -ffile-prefix-map="$src"=. -I"$src/src" -I"$src/include" \
        -c "$src/src/lib.c" -o lib.o
    ar rcsD "$dest/libtree-sitter.a" lib.o
    cp "$src"/LICENSE* "$dest" 2>/dev/null || :
}

version_grammars() { echo "of 29 languages"; }
build_grammars() {
    # Tcl's is in no crate of the list.
    pypi_sdist tree-sitter-language-pack 0.9.1 2da539751ecc50b9e6bbfca38b57501a3c55e67186a939d5bf149d9cb7220974
    local dir name file
    for dir in "$crates"/arborium-*/grammar "$crates"/tree-sitter-fortran-* tree-sitter-language-pack/parsers/tcl; do
        name=$(basename "${dir%/grammar}")
        # Most keep their scanner beside src, some in it, some have none.
        for file in src/parser src/scanner scanner; do
            [ -f "$dir/$file.c" ] && printf '%s\0' "$dir" "$file" "$name-${file#src/}.o"
        done
    done >list
    # shellcheck disable=SC2016  # expanded by the inner shell
    run_logged compile-grammars env CC="$cc" xargs -0 -n 3 -P "$jobs" -a list sh -c \
        '$CC -std=c11 -Os -w -ffunction-sections -fdata-sections -ffile-prefix-map="$1=." -I"$1/src" -I"$1" -c "$1/$2.c" -o "$3"' sh
    ar rcsD "$dest/libgrammars.a" ./*.o
}

write_make() {
    cat <<MK
CC_DEPS_YYJSON := $yyjson
CC_DEPS_Z3 := $z3
CC_DEPS_FLINT := $flint
CC_DEPS_TREESITTER := $treesitter
CC_DEPS_GRAMMARS := $grammars
MK
}
[ $# = 1 ] || die "usage: scripts/deps.sh OUT.mk"
need crates; crates=$out
need yyjson; yyjson=$out
need treesitter; treesitter=$out
need grammars; grammars=$out
need flint; flint=$out
need z3; z3=$out
write_make >"$1.tmp"
mv "$1.tmp" "$1"
