#!/usr/bin/env bash
# Builds the program twice, in folders with names of different lengths, and compares the bytes.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for name in a another/folder; do
    mkdir -p "$work/$name"
    git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$work/$name"
    make -s -C "$work/$name" all
done
cmp "$work/a/build/codecalc" "$work/another/folder/build/codecalc"
sha256sum "$work/a/build/codecalc" | sed -E 's/ .*/  both builds/'
