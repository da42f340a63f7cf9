#!/bin/sh
# Builds twice under build-test/, as users get it and with AddressSanitizer and
# UndefinedBehaviorSanitizer, and runs all tests, each in one of the builds.
# Tests that need what this machine lacks (a GPU) are listed as skipped. JOBS=N sets how many compile and
# run at once.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
cd "$(dirname "$0")/.."

scripts/setup.sh tests
. scripts/opencl.sh
pm_nvidia_icd "$PWD/build-test/vendors"

# The counter table is held against NVIDIA's own library, which needs no GPU for that. Without the CUDA
# toolkit it comes from PyPI; without that, the test is skipped by name.
if ! ldconfig -p | grep -q libcupti.so && [ -z "$(find /usr/local/cuda*/ -name 'libcupti.so*' 2>/dev/null)" ]; then
    venv=$PWD/build-test/cupti
    if ! ls "$venv"/lib/python3*/site-packages/nvidia/cu13/lib/libcupti.so.* >/dev/null 2>&1; then
        mkdir -p build-test
        { python3 -m venv "$venv" && "$venv/bin/pip" install -q nvidia-cuda-cupti==13.0.85; } ||
            echo "test.sh: no CUPTI from PyPI: its test will be skipped" >&2
    fi
    for lib in "$venv"/lib/python3*/site-packages/nvidia/cu13/lib; do
        [ ! -d "$lib" ] || export LD_LIBRARY_PATH="$lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
    done
fi

# Random tests see other programs with each commit, and the same ones again with the same commit.
if [ -z "${PERFMODEL_TEST_SEED:-}" ]; then
    commit=$(git rev-parse --short=7 HEAD 2>/dev/null || echo 1)
    PERFMODEL_TEST_SEED=$((0x$(printf %.7s "$commit")))
fi
export PERFMODEL_TEST_SEED
echo "test.sh: random tests start from PERFMODEL_TEST_SEED=$PERFMODEL_TEST_SEED"

jobs=${JOBS:-$(nproc)}
build() {
    name=$1
    shift
    cmake -G Ninja -S . -B "build-test/$name" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DPM_TESTS_ONCE=ON "$@"
    cmake --build "build-test/$name" -j "$jobs"
}
build release -DCMAKE_BUILD_TYPE=Release
# With -O2 -g the sanitizers' code takes twice as long to compile; -g1 has the lines that they print.
build sanitized -DCMAKE_BUILD_TYPE=RelWithDebInfo "-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O1 -g1 -DNDEBUG" -DPM_SANITIZE=ON

# One test more than there are cores: many wait for a process, a timeout or a pause for an eighth of their
# time. tests/CMakeLists.txt says which test runs in which. One run over both would run twice what they
# share: ctest joins the labels of tests of one name.
for name in release sanitized; do
    ctest --test-dir "build-test/$name" -L '^ci$' --output-on-failure -j "${JOBS:-$((jobs + 1))}"
done
