#!/bin/sh
# Installs what building and the demo need, and with `setup.sh tests` what the tests need too. Does
# nothing when all of it is there.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu

packages="gcc libc6-dev cmake ninja-build pkg-config
libgsl-dev libjansson-dev libinih-dev libcsv-dev libcmocka-dev
ocl-icd-opencl-dev opencl-headers pocl-opencl-icd gnuplot-nox jq
clang-19 llvm-19-dev libclc-19"
# An oracle that is not ours, and a way to CUPTI without NVIDIA's toolkit.
[ "${1:-}" != tests ] || packages="$packages libxml2-utils python3 python3-venv python3-sklearn
oclgrind"

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    cat >&2 <<'END'
setup.sh: this system has no apt. Install these by hand and build with CMake (README.md):
  a C17 compiler, CMake 3.25 or newer, Ninja, pkg-config
  GSL, jansson, inih, libcsv, and cmocka for the tests: libraries with their headers
  the OpenCL ICD loader and headers, and an OpenCL device (PoCL makes one of the CPU)
  gnuplot for plots; jq and xmllint for some tests
END
    command -v cmake >/dev/null && pkg-config --exists gsl jansson inih OpenCL && exit 0
    exit 1
fi

missing=
for package in $packages; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$state" = installed ] || missing="$missing $package"
done
# Another gnuplot, and pkgconf under its own name, do as well.
command -v gnuplot >/dev/null && missing=$(printf %s "$missing" | sed 's/ gnuplot-nox//')
command -v pkg-config >/dev/null && missing=$(printf %s "$missing" | sed 's/ pkg-config//')
if [ -z "$missing" ]; then
    echo "setup: everything is there"
    exit 0
fi

as_root=
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "setup.sh: neither root nor sudo; as root, run: apt-get install$missing" >&2
        exit 1
    fi
    as_root=sudo
fi
echo "setup: installing$missing"
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -q </dev/null
# shellcheck disable=SC2086 # a list of words
$as_root apt-get install -y -q --no-install-recommends $missing </dev/null
