#!/bin/sh
# Installs the packages that the build and scripts/demo.sh need. `setup.sh build` installs only those that the build needs.
# `setup.sh tests` also installs those that the tests need. Installed packages are not changed.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu

packages="gcc libc6-dev cmake ninja-build pkg-config python3-cffi
libgsl-dev libblis-serial-dev libjansson-dev libcsv-dev libxxhash-dev libzstd-dev liblz4-dev
ocl-icd-opencl-dev opencl-headers libjs-chart.js"
[ "${1:-}" = build ] || packages="$packages libcmocka-dev pocl-opencl-icd gnuplot-nox jq"
# Oclgrind, an independent OpenCL simulator for comparison, and Python's venv to install CUPTI
# without the CUDA toolkit.
[ "${1:-}" != tests ] || packages="$packages libxml2-utils python3 python3-venv python3-sklearn
oclgrind"

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    cat >&2 <<'END'
setup.sh: this system has no apt. Install these by hand and build with CMake (README.md):
  a C17 compiler, CMake 3.25 or newer, Ninja, pkg-config
  GSL (BLIS makes its matrices fast), jansson, libcsv, xxHash, zstd, LZ4, and cmocka for the tests: libraries with their
    headers
  the OpenCL ICD loader and headers, and an OpenCL device (PoCL makes one of the CPU)
  Chart.js 3 for the figures of reports; gnuplot for plots; jq and xmllint for some tests; Python with cffi for the Python package
  LLVM 19 with its headers, clang 19 and libclc, to count without a GPU; libclang 19 with its
    headers, for data layouts
END
    command -v cmake >/dev/null && pkg-config --exists gsl jansson OpenCL && exit 0
    exit 1
fi

missing_of() {
    installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null || true)
    for package; do
        printf '%s\n' "$installed" | grep -qxF "$package installed" || printf ' %s' "$package"
    done
}

# Prints the missing packages of the trace engine and of data layouts; "none" if they are not
# available.
engine_missing() {
    set -- clang-19 llvm-19-dev libclc-19 libclang-19-dev
    [ "$(missing_of "$@")" ] || return 0
    # apt-cache succeeds if it knows one of several packages, so each is asked for alone.
    if { apt-cache show "$1" && apt-cache show "$2" && apt-cache show "$3" &&
        apt-cache show "$4"; } >/dev/null 2>&1; then
        missing_of "$@"
    else
        echo none
    fi
}

# Prints missing packages that some tests need; without them these tests are skipped. They are a
# browser for the report's page (on Ubuntu only as a snap), the checkers of scripts/lint.sh, the
# fuzzers' runtime and locales with a decimal comma. Further: OpenCL programs to capture, packages
# that build and run the Python package and its notebook, abidiff, and engines that start shards.
extras_missing() {
    [ "$wanted" = tests ] || return 0
    for package in clang-format-14 clang-tidy-14 libclang-rt-19-dev locales chromium clpeak \
        clfft-client zstd python3-pyopencl libclblast-dev libviennacl-dev g++ \
        python3-pandas python3-matplotlib python3-yaml python3-nbclient python3-ipykernel abigail-tools \
        slurmctld slurmd slurm-client munge openmpi-bin; do
        if [ "$package" = chromium ] && command -v chromium chromium-browser google-chrome >/dev/null; then
            continue
        fi
        # Ask apt-cache last: it takes half a second per package.
        if [ -n "$(missing_of "$package")" ] && apt-cache show "$package" >/dev/null 2>&1; then
            printf ' %s' "$package"
        fi
    done
}

wanted=${1:-}
# shellcheck disable=SC2086 # a list of words
missing=$(missing_of $packages)
# A gnuplot of another package, or pkgconf under its own name, is sufficient, too.
command -v gnuplot >/dev/null && missing=$(printf %s "$missing" | sed 's/ gnuplot-nox//')
command -v pkg-config >/dev/null && missing=$(printf %s "$missing" | sed 's/ pkg-config//')
engine=$(engine_missing)
extras=$(extras_missing)
if [ -z "$missing" ] && [ "$engine" = none ] && [ -z "$extras" ]; then
    echo "setup: everything is there but LLVM 19: perfmodel is built without its trace engine and data layouts"
    exit 0
elif [ -z "$missing$engine$extras" ]; then
    echo "setup: everything is there"
    exit 0
fi

as_root=
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "setup.sh: neither root nor sudo; as root, run: apt-get install$missing" \
            "${engine#none}$extras" >&2
        [ -z "$missing" ] && exit 0
        exit 1
    fi
    as_root=sudo
fi
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -q </dev/null
if [ -n "$missing" ]; then
    echo "setup: installing$missing"
    # shellcheck disable=SC2086 # a list of words
    $as_root apt-get install -y -q --no-install-recommends $missing </dev/null
fi
# On a bare system apt's lists of packages exist only from here on.
engine=$(engine_missing)
if [ -n "$engine" ] && [ "$engine" != none ]; then
    echo "setup: installing$engine"
    # shellcheck disable=SC2086 # a list of words
    $as_root apt-get install -y -q --no-install-recommends --no-remove $engine </dev/null ||
        engine=none
fi
if [ "$engine" = none ]; then
    echo "setup: no LLVM 19 to be had: perfmodel is built without its trace engine and data layouts" >&2
fi
extras=$(extras_missing)
if [ -n "$extras" ]; then
    echo "setup: installing$extras"
    # shellcheck disable=SC2086 # a list of words
    $as_root apt-get install -y -q --no-install-recommends $extras </dev/null ||
        echo "setup: not all of$extras is to be had: tests that need it are skipped" >&2
fi
