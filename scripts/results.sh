#!/bin/sh
# Prints the errors in docs/results.md as Markdown tables: errors of models on the shipped datasets and, if PM_AIWC_DIR is
# set, on the public AIWC measurements. PM_AIWC_DIR is a folder with these measurements as datasets of perfmodel.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
[ ! -x "$here/build/bin/perfmodel" ] || PATH=$here/build/bin:$PATH

# row WHAT ARGUMENTS: prints one row, with a description and the arguments of `perfmodel validate`.
row() {
    what=$1
    shift
    perfmodel validate "$@" --json 2>/dev/null >"$result"
    table_row . "perfmodel validate $*"
}

# Prints the same row without the samples of the copy probe, which stay in the training data.
row_without_probe() {
    what="$what, the ten programs alone"
    table_row '.samples |= map(select(.program != "copy"))
        | .n = (.samples | length)
        | (.samples | map((.predicted_s / .measured_s - 1) | fabs) | sort) as $e
        | .mape = ($e | add / length)
        | .median_ape = ($e | (.[(length - 1) / 2 | floor] + .[length / 2 | floor]) / 2)
        | .coverage90 = (.samples | map(if .measured_s >= .lo_s and .measured_s <= .hi_s
                                        then 1 else 0 end) | add / length)' "the same command, other samples"
}

# table_row FILTER COMMAND: prints a row with the numbers in $result.
table_row() {
    jq -r "$1 | [.n, .mape, .median_ape, .coverage90] | @tsv" "$result" |
        awk -F '\t' -v what="$what" -v command="$2" '{
            if (command ~ /^perfmodel/) command = "`" command "`"
            printf "| %s | %d | %.1f %% | %.1f %% | %.1f %% | %s |\n",
                   what, $1, 100 * $2, 100 * $3, 100 * $4, command }'
}
result=$(mktemp)
trap 'rm -f "$result"' EXIT

head() {
    echo "| $1 | samples | mean error | median error | coverage | command |"
    echo "|---|---|---|---|---|---|"
}

head "dataset and counters, one program left out at a time"
for gpu in h100 h200; do
    row "$gpu, run and code counters" "$gpu"
    row_without_probe
    row "$gpu, code counters alone" "$gpu" --counters code
    row_without_probe
done
row "h200 from h100" h200 --from h100
row_without_probe
row "h200 from h100, code counters" h200 --from h100 --counters code
row "h200 from h100, without its time" h200 --from h100 --no-source-time
row "h100 from h200" h100 --from h200
row "pocl, traced counters" pocl
row "pocl from h100" pocl --from h100
echo
head "method and counters of Shimada et al."
for variant in nolocal local; do
    row "h100, $variant" h100 --method paper --variant "$variant"
    row "h100, $variant, a sample at a time" h100 --method paper --variant "$variant" --leave-out sample
    row "h100, $variant, method auto" h100 --variant "$variant"
done
row "h100, both" h100 --method paper
row "h200 from h100" h200 --from h100 --method paper
echo
head "other methods"
for method in gp forest ridge; do
    row "h100, $method" h100 --method "$method"
    row "h100, $method, code counters" h100 --method "$method" --counters code
    row "h200 from h100, $method" h200 --from h100 --method "$method"
done
[ -n "${PM_AIWC_DIR:-}" ] || exit 0
cd "$PM_AIWC_DIR"
echo
head "AIWC"
for file in titanx k20c k40c hawaii-r9-290x polaris-rx480 i7-6700k knl; do
    row "$file" "$file.csv"
done
for file in k20c k40c hawaii-r9-290x polaris-rx480 i7-6700k knl; do
    row "$file from titanx" "$file.csv" --from titanx.csv
done
