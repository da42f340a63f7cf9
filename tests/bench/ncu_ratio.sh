#!/bin/sh
# Times counting the 20 metrics of ncu_metrics.ini with perfmodel's own executor against NVIDIA's
# ncu on the same workload and launches: whole processes, and net of the same process unprofiled.
# Wants an NVIDIA GPU, its OpenCL driver, CUPTI, and ncu on PATH.
#
# usage: ncu_ratio.sh COUNT_ONCE [PROGRAM VARIANT SIZE [LAUNCHES [REPEATS]]]
#
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu

if [ $# -lt 1 ]; then
    sed -n 's/^# usage: /usage: /p' "$0" >&2
    exit 2
fi
count_once=$1
program=${2:-copy}
variant=${3:-float}
size=${4:-64}
launches=${5:-10}
repeats=${6:-5}
here=$(cd "$(dirname "$0")" && pwd)
table=$here/ncu_metrics.ini
ncu=${NCU:-ncu}

command -v "$ncu" >/dev/null || { echo "ncu_ratio: no $ncu: set NCU to it" >&2; exit 1; }
metrics=$(sed -n 's/^cupti = //p' "$table" | tr '\n' ',' | sed 's/,$//')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

# timed FILE COMMAND...: appends the seconds of a command to the file. Prints the command's output
# if it fails.
timed() {
    file=$1
    shift
    start=$(date +%s.%N)
    if ! "$@" >"$work/output" 2>&1; then
        echo "ncu_ratio: failed: $*" >&2
        cat "$work/output" >&2
        exit 1
    fi
    end=$(date +%s.%N)
    echo "$start $end" | awk '{ printf "%.6f\n", $2 - $1 }' >>"$work/$file"
}

median() {
    sort -n "$work/$1" | awk '{ v[NR] = $1 }
        END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

set -- "$program" "$variant" "$size" --launches "$launches"
timed warm "$count_once" "$@" --no-counters
i=0
while [ "$i" -lt "$repeats" ]; do
    timed plain "$count_once" "$@" --no-counters
    timed ours "$count_once" "$@" --table "$table"
    timed ncu "$ncu" --metrics "$metrics" "$count_once" "$@" --no-counters
    i=$((i + 1))
    # A run that failed silently would look fast, because ncu exits with 0 when it profiled nothing.
    if ! grep -q 'gpu__time_duration' "$work/output"; then
        echo "ncu_ratio: ncu profiled nothing:" >&2
        cat "$work/output" >&2
        exit 1
    fi
done

echo "workload: $program $variant $size, $launches launches, 20 metrics, $repeats repeats"
echo "$(median plain) $(median ours) $(median ncu)" | awk '{
    printf "unprofiled process   %8.3f s\n", $1
    printf "perfmodel            %8.3f s   net %8.3f s\n", $2, $2 - $1
    printf "ncu                  %8.3f s   net %8.3f s\n", $3, $3 - $1
    printf "ncu / perfmodel      %8.2f     net %8.2f\n", $3 / $2, ($3 - $1) / ($2 - $1)
}'
