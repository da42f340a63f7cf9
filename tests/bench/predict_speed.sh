#!/bin/bash
# How long predictions for GPUs by their profile take, the learning on the shipped datasets included:
# the median of RUNS (default 11) starts of each, beside /bin/true and a bare numpy import. For a GPU
# without a dataset the whole suite is predicted from traced counters: those of its shipped dataset,
# else of a few programs that are counted first, which takes as long as it says.
# Usage: tests/bench/predict_speed.sh [PERFMODEL]     default: build/bin/perfmodel
# SPDX-License-Identifier: GPL-3.0-or-later
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "${1:-$here/../../build/bin/perfmodel}")
runs=${RUNS:-11}
work=$(mktemp -d "${TMPDIR:-/tmp}/perfmodel-speed.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
shipped=$(dirname "$program")/../share/perfmodel/datasets
export PERFMODEL_DATASETS=$work

# Microseconds of a run; standard output and error go nowhere.
time_of()
{
    local start end
    start=$(date +%s%N)
    "$@" >/dev/null 2>err || { echo "FAILED: $*: $(cat err)" >&2; return 1; }
    end=$(date +%s%N)
    echo "$(((end - start) / 1000))"
}

# Milliseconds; a failed run fails it.
median()
{
    local i
    for ((i = 0; i < runs; i++)); do
        time_of "$@" || return 1
    done >times
    sort -n times | awk '{ t[NR] = $1 } END { print t[int((NR + 1) / 2)] / 1000 }'
}

base=$(median /bin/true)
failed=0
report()
{
    local name=$1 time
    shift
    if ! time=$(median "$@"); then
        failed=1
        return
    fi
    awk -v n="$name" -v t="$time" -v b="$base" \
        'BEGIN { printf "%-62s %10.1f ms %8.1f x /bin/true\n", n, t, t / b }'
}

echo "median of $runs runs"
report "/bin/true" /bin/true
report "perfmodel --help" "$program" --help
if [ ! -e "$shipped/gtx980-trace.csv" ]; then
    counted=$(time_of "$program" collect --device none --target gtx980 --program haar1d \
        --program sobel3x3 --program copy --time 60 -o "$work/gtx980-trace.csv")
    echo "no gtx980-trace shipped: $(($(wc -l <gtx980-trace.csv) - 1)) samples counted in" \
        "$((counted / 1000)) ms"
    traced=$work/gtx980-trace.csv
else
    traced=$shipped/gtx980-trace.csv
fi
samples=$(($(wc -l <"$traced") - 1))
report "perfmodel predict --target gtx980 ($samples traced samples)" \
    "$program" predict --target gtx980 --from "$traced"
for leave_out in "" "--leave-out program"; do
    # shellcheck disable=SC2086 # two words
    report "perfmodel predict --target h200 --from h100 --basis profile${leave_out:+ $leave_out}" \
        "$program" predict --target h200 --from h100 --basis profile $leave_out
done
if python3 -c 'import numpy' 2>/dev/null; then
    report "python3 -c 'import numpy'" python3 -c 'import numpy'
else
    report "python3 -c pass (numpy is not installed)" python3 -c pass
fi
exit "$failed"
