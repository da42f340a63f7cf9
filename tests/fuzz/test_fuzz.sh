#!/bin/sh
# Builds the fuzzers and lets each run for a while from PERFMODEL_TEST_SEED, or a seed of its own. A crash leaves its input and
# the command that repeats it.
# With ONE_FUZZER the seed chooses one of them.
# Needs SOURCE (the repository) and WORK (a folder for the build). ctest sets both.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
runs=${RUNS:-20000}
if ! command -v clang-19 >/dev/null; then
    echo "SKIPPED: clang-19 is not installed"
    exit 77
fi
if [ ! -e "$(clang-19 -print-file-name=libclang_rt.fuzzer-x86_64.a)" ]; then
    echo "SKIPPED: the fuzzers' runtime is not installed (libclang-rt-19-dev)"
    exit 77
fi
cmake -G Ninja -S "$SOURCE" -B "$WORK" -DPM_FUZZ=ON -DPM_TESTS=OFF -DCMAKE_C_COMPILER=clang-19 \
    >"$WORK.log" || { cat "$WORK.log"; exit 1; }
seed=${PERFMODEL_TEST_SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
names="dataset workload ptx"
if [ -n "${ONE_FUZZER:-}" ]; then
    case $((seed % 3)) in
        0) names=dataset ;;
        1) names=workload ;;
        *) names=ptx ;;
    esac
fi
for name in $names; do
    cmake --build "$WORK" --target "fuzz_$name" >"$WORK.log" || { cat "$WORK.log"; exit 1; }
    seeds=$SOURCE/tests/fuzz/${name}_seeds
    [ "$name" != dataset ] || seeds=$SOURCE/tests/fuzz/seeds
    mkdir -p "$WORK/$name"
    echo "fuzz_$name: seed $seed"
    "$WORK/bin/fuzz_$name" -seed="$seed" -runs="$runs" -max_total_time="${SECONDS_EACH:-30}" -timeout=10 -verbosity=0 \
        -dict="$SOURCE/tests/fuzz/$name.dict" -artifact_prefix="$WORK/$name/crash-" "$WORK/$name" "$seeds" >"$WORK.log" 2>&1 ||
        { tail -40 "$WORK.log"; exit 1; }
done
