#!/usr/bin/env bash
# Runs fuzz targets side by side, and fails when one finds something.
#
#   scripts/fuzz.sh SECONDS PROGRAM…     each program built with libFuzzer; its seeds are tests/fuzz/corpus/<name>
#
# What a run learns stays in build/fuzz/corpus/<name>; what it finds is kept in build/fuzz/found and printed as base64.
set -uo pipefail

seconds=$1; shift
top=$(dirname "$1")
mkdir -p "$top/found"

run() {
    local seconds=$1 program=$2 top name log
    top=$(dirname "$program")
    name=$(basename "$program" | sed 's/^fuzz_//')
    log=$top/$name.log
    mkdir -p "$top/corpus/$name"
    local options arguments=(-max_total_time="$seconds" -max_len=8192 -timeout=20 -rss_limit_mb=3000 -artifact_prefix="$top/found/$name-"
                     -print_final_stats=1 "$top/corpus/$name" "tests/fuzz/corpus/$name")
    [ -e "tests/fuzz/$name.options" ] && read -ra options <"tests/fuzz/$name.options" && arguments+=("${options[@]}")
    [ -e "tests/fuzz/$name.dict" ] && arguments+=(-dict="tests/fuzz/$name.dict")
    if "$program" "${arguments[@]}" >"$log" 2>&1; then
        printf 'fuzz %-8s nothing found in %s runs\n' "$name" "$(sed -nE 's/^(stat::number_of_executed_units: *|#)([0-9]+).*/\2/p' "$log" | tail -n 1)"
    else
        printf 'fuzz %-8s FAILED\n' "$name"
        grep -aE -A 12 'ERROR|runtime error|Assertion' "$log" | cut -c1-300 | head -n 24
        local artifact
        artifact=$(sed -nE 's/.*Test unit written to (.*)$/\1/p' "$log" | tail -n 1)
        [ -n "$artifact" ] && printf 'input (base64): %s\n' "$(base64 -w0 "$artifact" | head -c 4000)"
        return 1
    fi
}
export -f run
printf '%s\0' "$@" | xargs -0 -P "$(nproc)" -I '{}' bash -c "run $seconds '{}'"
