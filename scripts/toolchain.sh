#!/usr/bin/env bash
# Finds a tool whose version matters, and prints its path; installs nothing.
#
#   scripts/toolchain.sh cargo     a cargo that reads edition-2024 manifests (1.85 or newer)
#
# Where it looks: PATH (rustup's, or Debian 12's cargo-web), then Ubuntu's versioned packages (cargo-1.NN).
set -euo pipefail

wanted=85 # of cargo 1.NN

# minor PROGRAM: the NN of "cargo 1.NN.x", nothing when it does not run.
minor() { "$1" --version 2>/dev/null | sed -nE 's/^cargo 1\.([0-9]+)\..*/\1/p'; }

find_cargo() {
    local candidate version
    for candidate in "$(command -v cargo || :)" $(printf '%s\n' /usr/bin/cargo-1.* /usr/lib/rust-1.*/bin/cargo | sort -Vr) "$HOME/.cargo/bin/cargo"; do
        [ -x "$candidate" ] || continue
        version=$(minor "$candidate")
        if [ "${version:-0}" -ge $wanted ]; then
            printf '%s\n' "$candidate"
            return
        fi
    done
    echo "toolchain: no cargo 1.$wanted or newer found; scripts/setup.sh build installs one (Debian 12: cargo-web, Ubuntu 24.04: cargo-1.NN), rustup's works too" >&2
    return 1
}

case ${1:-} in
cargo) find_cargo ;;
*) echo "usage: scripts/toolchain.sh cargo" >&2; exit 2 ;;
esac
