#!/bin/bash
# How fast the trace engine is, and how much memory it takes, as Markdown tables: an n-body launch of
# 10^9 accesses without sampling, the same kernel under Oclgrind on the same machine, workload files
# whose launches depend on each other, or change, and every launch of the suite with sampling.
# Usage: tests/bench/trace_speed.sh [BUILD]     default: build; SIZES=all takes every size of the
# suite, else the smallest and the largest of each variant
# SPDX-License-Identifier: GPL-3.0-or-later
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$(realpath "${1:-$here/../../build}")
speed=$build/bin/trace_speed
once=$build/bin/run_once

echo "$(nproc) cores, load average $(cut -d' ' -f1 /proc/loadavg) at the start"
echo
echo "| n-body without sampling | accesses | load | count | accesses/s | peak MiB | command |"
echo "|---|---|---|---|---|---|---|"
rate=0
for variant in nolocal local; do
    line=$("$speed" nbody "$variant" 32768 --sample 1)
    read -r _ _ _ _ _ load count recorded _ peak <<<"$line"
    awk -v v="$variant" -v l="$load" -v c="$count" -v n="$recorded" -v p="$peak" 'BEGIN {
        printf "| %s 32768 | %.3g | %.2f s | %.2f s | %.3g | %d | `trace_speed nbody %s 32768 --sample 1` |\n",
               v, n, l, c, n / c, p, v }'
    [ "$variant" = local ] || rate=$(awk -v n="$recorded" -v c="$count" 'BEGIN { print n / c }')
done

# Prints the seconds of a command, whose output is discarded.
seconds()
{
    local start end
    start=$(date +%s%N)
    "$@" >/dev/null 2>&1
    end=$(date +%s%N)
    awk -v t="$((end - start))" 'BEGIN { printf "%.3f", t / 1e9 }'
}

# Oclgrind starts slowly, so the difference of its times for 2048 and 256 bodies is used. A body
# loads itself, its velocity, and each of n bodies. Oclgrind's compiler splits each store into 5.
echo
if command -v oclgrind >/dev/null; then
    echo "| Oclgrind, n-body nolocal | accesses | time | accesses/s | engine / Oclgrind |"
    echo "|---|---|---|---|---|"
    for options in "--inst-counts" "--inst-counts --num-threads 1" ""; do
        # shellcheck disable=SC2086 # a list of options
        {
            small=$(seconds oclgrind $options "$once" opencl nbody nolocal 256)
            large=$(seconds oclgrind $options "$once" opencl nbody nolocal 2048)
        }
        awk -v o="$options" -v s="$small" -v l="$large" -v r="$rate" 'BEGIN {
            n = 2048 * (2048 + 7) - 256 * (256 + 7)
            printf "| `oclgrind %s run_once opencl nbody nolocal 2048` | %.3g | %.2f s | %.3g | %.0f |\n",
                   o, n, l - s, n / (l - s), r / (n / (l - s)) }'
    done
else
    echo "oclgrind is not installed: not compared (Debian: apt-get install oclgrind)"
fi

echo
echo "| workload file | time |"
echo "|---|---|"
for name in elimination debug_store; do
    took=$(seconds "$build/bin/perfmodel" trace --workload "$here/$name.workload" --size large)
    echo "| tests/bench/$name.workload, large | $took s |"
done

echo
echo "| with sampling | size | launches | least share run | load | count, per launch | buffers MiB | peak MiB |"
echo "|---|---|---|---|---|---|---|---|"
"$speed" --list | awk -v all="${SIZES:-ends}" '
    all == "all" { print; next }
    $1 " " $2 != key { if (n > 1) print last; print; key = $1 " " $2; n = 0 }
    { n++; last = $0 }
    END { if (n > 1) print last }' |
    while read -r program variant size; do
        "$speed" "$program" "$variant" "$size" </dev/null ||
            echo "$program $variant $size FAILED" >&2
    done | awk '{ per = $7 / $4
        printf "| %s %s | %s | %d | %s | %.2f s | %.2f s | %.0f | %.0f |\n", $1, $2, $3, $4,
               $5, $6, per, $9, $10
        if (per > worst) { worst = per; which = $1 " " $2 " " $3 }
        if ($10 > most) { most = $10; whose = $1 " " $2 " " $3 }
        n++ }
    END { printf "\n%d workloads. Slowest launch: %.2f s (%s). Most memory: %.0f MiB (%s).\n", n, worst,
                 which, most, whose }'
