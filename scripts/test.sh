#!/bin/sh
# Makes two builds in build-test/: the release build, and a build with AddressSanitizer and UndefinedBehaviorSanitizer.
# Runs all tests, each in one of the builds. Prints the processor time of the tests and the names of tests that take more
# than 30 s. A test that takes 60 s fails. Tests that need hardware or programs that this machine lacks, such as a GPU, are
# listed as skipped. JOBS=N: number of compilations, or of tests, that run at once. With --all, random tests, fuzzers and
# hostile kernels run for hours, clang-tidy checks all files, and tests have no time limit.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
cd "$(dirname "$0")/.."

all=OFF
[ "${1:-}" != --all ] || all=ON

scripts/setup.sh tests
. scripts/opencl.sh
pm_nvidia_icd "$PWD/build-test/vendors"

# Finds NVIDIA's library CUPTI, against which a test checks the counter table without a GPU. If
# there is no CUDA toolkit, the library comes from PyPI. Otherwise the test is reported as skipped.
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

# The site of the documentation is built by a generator from PyPI. Without it, the site's test is
# reported as skipped.
scripts/site.sh install || echo "test.sh: no mkdocs-material from PyPI: the site will not be built" >&2

# The seed of random tests is derived from the commit, so the tests see other programs with each
# commit and are repeatable.
if [ -z "${PERFMODEL_TEST_SEED:-}" ]; then
    commit=$(git rev-parse --short=7 HEAD 2>/dev/null || echo 1)
    PERFMODEL_TEST_SEED=$((0x$(printf %.7s "$commit")))
fi
export PERFMODEL_TEST_SEED
echo "test.sh: random tests start from PERFMODEL_TEST_SEED=$PERFMODEL_TEST_SEED"

# The tests have a cache and a folder of datasets of their own and do not touch the user's.
export PERFMODEL_CACHE="$PWD/build-test/cache" XDG_DATA_HOME="$PWD/build-test/data"

jobs=${JOBS:-$(nproc)}
began=$(date +%s)
# gold links a test in half the time of the default linker.
linker=
! command -v ld.gold >/dev/null || linker=-fuse-ld=gold
build() {
    name=$1
    shift
    cmake -G Ninja -S . -B "build-test/$name" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DPM_TESTS_ONCE=ON \
        -DPM_JOIN_SOURCES=ON -DPM_TESTS_ALL="$all" "-DCMAKE_EXE_LINKER_FLAGS=$linker" "$@"
    cmake --build "build-test/$name" -j "$jobs"
}
build release -DCMAKE_BUILD_TYPE=Release
# Sanitized code compiles much faster without optimization. -g1 has the line numbers that sanitizers print.
build sanitized -DCMAKE_BUILD_TYPE=RelWithDebInfo "-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O0 -g1 -DNDEBUG" -DPM_SANITIZE=ON \
    -DPM_PYTHON=OFF
built=$(date +%s)

# Runs one test more than there are cores, because tests wait for processes, timeouts or pauses for
# an eighth of their time. One ctest runs both builds, so that no core waits for the end of the
# first.
export PERFMODEL_TEST_COSTS="$PWD/build-test/costs.txt"
rm -f "$PERFMODEL_TEST_COSTS"
if [ "$all" = ON ]; then export PERFMODEL_DOCS_ALL=1; else export PERFMODEL_TEST_BUDGET=30; fi
echo 'subdirs(release sanitized)' >build-test/CTestTestfile.cmake
status=0
ctest --test-dir build-test --output-on-failure --no-tests=error -j "${JOBS:-$((jobs + 1))}" || status=$?

echo "test.sh: processor time of tests in seconds, the 30 longest of $(wc -l <"$PERFMODEL_TEST_COSTS"):"
sort -rnk 2 "$PERFMODEL_TEST_COSTS" | head -n 30 | awk '{ printf "%8.1f  %s\n", $2, $1 }'
awk '{ sum += $2 } END { printf "%8.1f  all of them\n", sum }' "$PERFMODEL_TEST_COSTS"
awk '$2 > 30 { print "test.sh: over its budget of 30 s: " $1 }' "$PERFMODEL_TEST_COSTS"
echo "test.sh: builds took $((built - began)) s, tests $(($(date +%s) - built)) s"
exit "$status"
