#!/bin/bash
# How long predictions for GPUs by their profile take, the learning on the shipped datasets included:
# the median of RUNS (default 11) starts of each, beside /bin/true and a bare numpy import. For a GPU
# without a dataset the whole suite is predicted from traced counters: those of its shipped dataset,
# else of a few programs that are counted first, which takes as long as it says.
# Usage: tests/bench/predict_speed.sh [PERFMODEL]     default: build/bin/perfmodel
# SPDX-License-Identifier: GPL-3.0-or-later
set -euo pipefail
. "$(dirname "$0")/times.sh"
shipped=$(dirname "$program")/../share/perfmodel/datasets

echo "median of $runs runs"
report "/bin/true" /bin/true
report "perfmodel --help" "$program" --help
if [ ! -e "$shipped/gtx980-trace.csv" ]; then
    counted=$(time_of "$program" collect --device none --target gtx980 --program haar1d \
        --program sobel3x3 --time-limit 5 -o "$work/gtx980-trace.csv")
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
report_python
exit "$failed"
