#!/bin/sh
# Builds perfmodel and demonstrates its main commands. `predict` predicts times of three programs on an H200, without the
# times of these programs there, and prints the measured times beside them. `report` writes a page with versions of an
# n-body kernel and their predicted times. `collect` measures the suite on this machine, and `validate` prints how far
# predictions for this machine are off, each program left out of the model that predicts it.
# The results go into results/demo, or into the folder given as the argument. After an interruption, run the script
# again: it does not repeat finished measurements.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
mkdir -p "${1:-$(dirname "$0")/../results/demo}"
results=$(cd "${1:-$(dirname "$0")/../results/demo}" && pwd)
cd "$(dirname "$0")/.."

say() { printf '\n==> %s\n' "$*"; }

say "Packages that the build needs"
scripts/setup.sh

say "Building in build/"
cmake -G Ninja -S . -B build -DPM_TESTS=OFF -DPM_JOIN_SOURCES=ON >"$results/build.log" ||
    { cat "$results/build.log"; exit 1; }
cmake --build build >>"$results/build.log" || { cat "$results/build.log"; exit 1; }
PATH=$PWD/build/bin:$PATH

. scripts/opencl.sh
pm_nvidia_icd "$results/vendors"
export PERFMODEL_DATASETS="$results"

# Path and not name, because the results may contain a dataset of this machine with the same name.
h100=$PWD/datasets/h100.csv
say "Three programs on an H200, from their counters on an H100, each by a model that has not seen it there"
perfmodel predict --target h200 --from "$h100" --leave-out program --program nbody --program fdtd3d \
    --program haar1d

say "What an n-body kernel would gain from which version of it, on an H200: a page"
perfmodel report --target h200 --program nbody --size 8192 -o "$results/report.html" 2>"$results/report.log" ||
    { cat "$results/report.log"; exit 1; }

say "The devices of this machine, and the GPUs that datasets are there for"
perfmodel devices

measure() {
    # Workloads that fail are reported. The dataset contains the other workloads.
    perfmodel collect "$@" --json >"$results/collect.json" </dev/null || [ -s "$results/collect.json" ]
}
if perfmodel devices --json | jq -e '[.devices[] | select(.cpu | not)] | length > 0' >/dev/null; then
    say "Measuring the suite: each result is checked, timed, and its counters read"
    measure
else
    say "Measuring the suite on the CPU, as there is no GPU: up to three versions of each program, small"
    perfmodel collect --list --json |
        jq -r '.[] | [.program, .sizes[0], (.variants[:3][] | "--variant", .)] | join(" ")' \
            >"$results/plan"
    while read -r program size versions; do
        # shellcheck disable=SC2086 # the versions are several arguments
        measure --program "$program" --size "$size" $versions --time-limit 0.3
    done <"$results/plan"
    rm "$results/plan"
fi
dataset=$(jq -r .dataset "$results/collect.json")
device=$(jq -r .device "$results/collect.json")

# If the device has no counters of its own, the counters of the shipped H100 dataset are used.
source=$(cut -d, -f6 "$dataset" | sed 1d | sort -u)
if [ "$source" = none ]; then
    say "Times on $device from the counters of an H100, each program by a model that has not seen it"
    set -- "$dataset" --from "$h100"
else
    say "Times on $device from its own counters ($source), each program by a model that has not seen it"
    set -- "$dataset"
fi
perfmodel validate "$@" --plot "$results/$device.svg"
echo "Plot: $results/$device.svg"

say "Done. The page: $results/report.html. The dataset: $dataset"
