#!/bin/sh
# Measures times and counters of the whole suite on this machine's first GPU, as for the shipped datasets. Writes
# OUTDIR/DEVICE.csv and its provenance DEVICE.json, then prints the errors of a model on them (`perfmodel validate`).
# Usage: scripts/collect_dataset.sh OUTDIR [option of `perfmodel collect`]...
# Uses perfmodel of build/, else on the PATH. After an interruption, the same command measures the missing samples.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
if [ $# -lt 1 ]; then
    sed -n '2,5s/^# //p' "$0" >&2
    exit 2
fi
mkdir -p "$1"
out=$(cd "$1" && pwd)
shift
here=$(cd "$(dirname "$0")" && pwd)
[ ! -x "$here/../build/bin/perfmodel" ] || PATH=$here/../build/bin:$PATH

. "$here/opencl.sh"
pm_nvidia_icd "$out/vendors"
# `collect` names the file after the device, in this folder.
export PERFMODEL_DATASETS="$out"
perfmodel devices
perfmodel collect --counters cupti --time-limit 10 --json "$@" >"$out/collect.json"
cat "$out/collect.json"
dataset=$(sed -n 's/^ *"dataset": "\(.*\)",*$/\1/p' "$out/collect.json")
rm "$out/collect.json"
perfmodel validate "$dataset"
