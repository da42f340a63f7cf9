#!/bin/sh
# Prints Markdown tables for docs/results.md: counters of the trace engine beside counters that an H100 measured. The
# script traces the suite by the H100's rules (some minutes) and compares each counter. It then prints the errors of
# predictions from traced and from measured counters.
# Usage: scripts/trace_results.sh [TRACE.csv]     TRACE.csv: dataset of an earlier trace, which is used for a new one
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
[ ! -x "$here/build/bin/perfmodel" ] || PATH=$here/build/bin:$PATH
measured=$here/datasets/h100.csv
traced=${1:-}

if [ -z "$traced" ]; then
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    traced=$work/h100-trace.csv
    perfmodel collect --device none --counters trace --target h100 -o "$traced" >&2
fi
python3 "$here/scripts/compare_counters.py" "$measured" "$traced" --markdown

echo
echo "| counters, one program left out at a time | samples | mean error | median error | coverage |"
echo "|---|---|---|---|---|"
row() {
    what=$1
    shift
    perfmodel validate "$@" --counters code --json 2>/dev/null |
        jq -r '[.n, .mape, .median_ape, .coverage90] | @tsv' | awk -F '\t' -v what="$what" '{
            printf "| %s | %d | %.1f %% | %.1f %% | %.1f %% |\n",
                   what, $1, 100 * $2, 100 * $3, 100 * $4 }'
}
row "code counters of CUPTI" "$measured"
row "code counters of the trace engine" "$measured" --from "$traced"
