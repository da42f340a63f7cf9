#!/bin/sh
# Builds with AddressSanitizer and UndefinedBehaviorSanitizer in build-test/ and runs all tests.
# Tests that need what this machine lacks (a GPU) are listed as skipped. JOBS=N sets how many run at
# once.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
cd "$(dirname "$0")/.."

scripts/setup.sh
. scripts/opencl.sh
pm_nvidia_icd "$PWD/build-test/vendors"
jobs=${JOBS:-$(nproc)}
cmake -G Ninja -S . -B build-test -DPM_SANITIZE=ON -DCMAKE_BUILD_TYPE=RelWithDebInfo
cmake --build build-test -j "$jobs"
ctest --test-dir build-test --output-on-failure -j "$jobs"
