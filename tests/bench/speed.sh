#!/bin/bash
# How long whole runs of the program take: the median of RUNS (default 11) starts of each, beside
# /bin/true and a bare numpy import. The input is synthetic (make_dataset.py).
# Usage: tests/bench/speed.sh [PERFMODEL]     default: build/bin/perfmodel
# SPDX-License-Identifier: GPL-3.0-or-later
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "${1:-$here/../../build/bin/perfmodel}")
runs=${RUNS:-11}
work=$(mktemp -d "${TMPDIR:-/tmp}/perfmodel-speed.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
export PERFMODEL_DATASETS=$work

python3 "$here/make_dataset.py" 200 50 30 1 >synthetic.csv
python3 "$here/make_dataset.py" 200 50 30 2 >other.csv
echo "$(($(wc -l <synthetic.csv) - 1)) synthetic rows, 30 counters, $(wc -c <synthetic.csv) bytes; median of $runs runs"

# Milliseconds of each run of a command; standard output and error go nowhere.
median()
{
    local i start end
    for ((i = 0; i < runs; i++)); do
        start=$(date +%s%N)
        "$@" >/dev/null 2>err || { echo "FAILED: $*: $(cat err)" >&2; return 1; }
        end=$(date +%s%N)
        echo "$(((end - start) / 1000))"
    done | sort -n | awk '{ t[NR] = $1 } END { print t[int((NR + 1) / 2)] / 1000 }'
}

base=$(median /bin/true)
report()
{
    local name=$1 time
    shift
    time=$(median "$@") || return 0
    awk -v n="$name" -v t="$time" -v b="$base" \
        'BEGIN { printf "%-58s %10.1f ms %8.1f x /bin/true\n", n, t, t / b }'
}

report "/bin/true" /bin/true
report "perfmodel --help" "$program" --help
report "perfmodel validate synthetic (own counters)" "$program" validate synthetic
report "perfmodel validate other --from synthetic" "$program" validate other --from synthetic
report "perfmodel predict --target other --from synthetic" \
    "$program" predict --target other --from synthetic
for dataset in h100 h200; do
    [ -e "$(dirname "$program")/../share/perfmodel/datasets/$dataset.csv" ] || continue
    report "perfmodel validate $dataset (shipped)" "$program" validate "$dataset"
    report "perfmodel predict --target $dataset --from h100 (shipped)" \
        "$program" predict --target "$dataset" --from h100
done
if python3 -c 'import numpy' 2>/dev/null; then
    report "python3 -c 'import numpy'" python3 -c 'import numpy'
else
    report "python3 -c pass (numpy is not installed)" python3 -c pass
fi
