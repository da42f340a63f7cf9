#!/bin/sh
# Installs the packages that are needed to build perfmodel, builds perfmodel in build/, and installs it into PREFIX
# (default: ~/.local). The installed perfmodel does not need the sources.
# Usage: scripts/install.sh [PREFIX]
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
prefix=${1:-$HOME/.local}
case $prefix in
-*) echo "Usage: scripts/install.sh [PREFIX]" >&2; exit 2 ;;
/*) ;;
*) prefix=$PWD/$prefix ;;
esac
cd "$(dirname "$0")/.."

log=build/install.log
logged() { "$@" >>"$log" 2>&1 || { cat "$log" >&2; echo "install.sh: $* failed" >&2; exit 1; }; }

scripts/setup.sh build
mkdir -p build
: >"$log"
echo "install: building in build/"
logged cmake -G Ninja -S . -B build -DCMAKE_BUILD_TYPE=Release -DPM_TESTS=OFF -DPM_JOIN_SOURCES=ON \
    -DCMAKE_INSTALL_PREFIX="$prefix"
logged cmake --build build
logged cmake --install build
echo "install: $("$prefix/bin/perfmodel" --version) is in $prefix"
case :$PATH: in
*:"$prefix/bin":*) ;;
*) echo "install: to start it by its name: export PATH=\"$prefix/bin:\$PATH\"" ;;
esac
