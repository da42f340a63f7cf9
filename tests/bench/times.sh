# What speed.sh and predict_speed.sh share, for them to read: $here, $program, $runs, a scratch folder
# $work that is entered, time_of, median and report.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "${1:-$here/../../build/bin/perfmodel}")
runs=${RUNS:-11}
work=$(mktemp -d "${TMPDIR:-/tmp}/perfmodel-speed.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
export PERFMODEL_DATASETS=$work

# Prints the microseconds of a run, whose output is discarded.
time_of()
{
    local start end
    start=$(date +%s%N)
    "$@" >/dev/null 2>err || { echo "FAILED: $*: $(cat err)" >&2; return 1; }
    end=$(date +%s%N)
    echo "$(((end - start) / 1000))"
}

# Prints the median in milliseconds. Fails if a run failed.
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

report_python()
{
    if python3 -c 'import numpy' 2>/dev/null; then
        report "python3 -c 'import numpy'" python3 -c 'import numpy'
    else
        report "python3 -c pass (numpy is not installed)" python3 -c pass
    fi
}
