#!/bin/bash
# How long whole runs of the program take: the median of RUNS (default 11) starts of each, beside
# /bin/true and a bare numpy import. The input is synthetic (make_dataset.py).
# Usage: tests/bench/speed.sh [PERFMODEL]     default: build/bin/perfmodel
# SPDX-License-Identifier: GPL-3.0-or-later
set -euo pipefail
. "$(dirname "$0")/times.sh"

python3 "$here/make_dataset.py" 200 50 30 1 >synthetic.csv
python3 "$here/make_dataset.py" 200 50 30 2 >other.csv
echo "$(($(wc -l <synthetic.csv) - 1)) synthetic rows, 30 counters, $(wc -c <synthetic.csv) bytes; median of $runs runs"

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
report_python
exit "$failed"
