#!/bin/sh
# Builds perfmodel and does its main job on this machine: measures the suite, tells how well run times
# are predicted for programs that the model has not seen, and predicts them for an H200.
# Results go into results/demo (or the folder given). Run it again and it goes on where it stopped.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
mkdir -p "${1:-$(dirname "$0")/../results/demo}"
results=$(cd "${1:-$(dirname "$0")/../results/demo}" && pwd)
cd "$(dirname "$0")/.."

say() { printf '\n==> %s\n' "$*"; }

say "Packages that the build needs"
scripts/setup.sh

say "Building in build/"
cmake -G Ninja -S . -B build -DPM_TESTS=OFF >"$results/build.log" ||
    { cat "$results/build.log"; exit 1; }
cmake --build build >>"$results/build.log" || { cat "$results/build.log"; exit 1; }
PATH=$PWD/build/bin:$PATH

. scripts/opencl.sh
pm_nvidia_icd "$results/vendors"
export PERFMODEL_DATASETS="$results"

say "The devices of this machine, and the GPUs that datasets are there for"
perfmodel devices

measure() {
    # Workloads that fail are told, and the others are in the dataset.
    perfmodel collect "$@" --json >"$results/collect.json" </dev/null || [ -s "$results/collect.json" ]
}
if perfmodel devices --json | jq -e '[.devices[] | select(.cpu | not)] | length > 0' >/dev/null; then
    say "Measuring the suite: each result is checked, timed, and its counters read"
    measure
else
    say "Measuring the suite on the CPU, as there is no GPU: the two smallest sizes of each program"
    perfmodel collect --list --json | jq -r '.[] | "\(.program) \(.sizes[0]) \(.sizes[1])"' \
        >"$results/plan"
    while read -r program first second; do
        measure --program "$program" --size "$first" --size "$second" --time-limit 1
    done <"$results/plan"
    rm "$results/plan"
fi
dataset=$(jq -r .dataset "$results/collect.json")
device=$(jq -r .device "$results/collect.json")

# Without counters of its own those of the shipped H100 dataset stand in. By path: in the results, a
# dataset of this machine may have the same name.
h100=$PWD/datasets/h100.csv
source=$(cut -d, -f6 "$dataset" | sed 1d | sort -u)
if [ "$source" = cupti ]; then
    say "Times on $device from its own counters, each program by a model that has not seen it"
    set -- "$dataset"
elif [ "$source" = trace ]; then
    say "Times on $device from traced counters, each program by a model that has not seen it"
    set -- "$dataset"
else
    say "Times on $device from the counters of an H100, each program by a model that has not seen it"
    set -- "$dataset" --from "$h100"
fi
perfmodel validate "$@" --plot "$results/$device.svg"
echo "Plot: $results/$device.svg"

say "Three of the programs on an H200, each by a model that has not seen it there"
set -- --target h200 --program nbody --program fdtd3d --program haar1d --leave-out program
[ "$source" = cupti ] || set -- "$@" --from "$h100"
perfmodel predict "$@"

say "Done. The dataset: $dataset"
