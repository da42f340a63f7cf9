#!/bin/sh
# Prints, as Markdown, what docs/results.md says of the trace engine beside an H100's own counters: the
# suite is traced by that GPU's rules (some minutes), compared counter by counter, and predicted from.
# Usage: scripts/trace_results.sh [TRACE.csv]     a dataset that was traced before is not made again
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
