#!/bin/bash
# Collecting on a device: datasets with and without counters, JSON. Needs an
# OpenCL CPU device, else skips (77). PERFMODEL is the program, BUILD the build folder; ctest sets them.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck source=tests/cli/collect_fixture.sh
. "$(dirname "$0")/collect_fixture.sh"

# ---- a device --------------------------------------------------------------------------------------
is_json devices.json
same "$(sed -n '/"profiles": \[/,/\]/p' devices.json | grep -c '"h100"')" 1
same "$(sed -n '/"traced": \[/,/\]/p' devices.json | grep -c '"gtx980"') $(grep -c 'gtx980-' devices.json)" "1 0"
same "$(grep -c '"name": "h100"' devices.json) $(grep -c '"name": "h100-' devices.json)" "1 0"
wrong "no_such_device" collect --device no_such_device
has err "$device"

# One workload of each of 2 programs.
small=(first.workload second.workload --size one --variant plain)
run 0 collect whole.csv --json
cp out whole.out
is_json whole.out
is_json whole.json
same "$(rows whole.csv)" 2
has whole.out '"measured": 2'

before=$(md5sum <whole.csv)
run 0 collect whole.csv
has out "0 measured, 2 there already"
same "$(md5sum <whole.csv)" "$before"

run 0 pm collect --device "$device" --counters none --program copy --size 16 --variant float
[ -s "$XDG_DATA_HOME/perfmodel/datasets/$device.csv" ] || same "no dataset" "one in XDG_DATA_HOME"
PERFMODEL_DATASETS=$work/mine run 0 pm collect --device "$device" --counters none --program copy \
    --size 16 --variant float
[ -s "mine/$device.csv" ] || same "no dataset" "one in PERFMODEL_DATASETS"

# A path that JSON cannot hold.
cp whole.csv $'latin-\xe9.csv'
run 0 collect $'latin-\xe9.csv' --json
is_json out

# Counters of the trace engine in addition to times of this device, by the rules of its row (a CPU's
# vectors of eight floats). They are in a dataset of their own.
if [ "$engine" ]; then
    run 2 collect whole.csv --counters trace
    has err "whole.csv:2: its counters are of source 'none', not 'trace'"
    same "$(md5sum <whole.csv)" "$before"
    run 0 collect counted.csv --counters trace
    has counted.json '"counter_target": "pocl"'
    same "$(tail -n +2 counted.csv | cut -d, -f 1,6 | sort -u)" "$device,trace"
    same "$(cell counted.csv first,plain,one gld_request)" 8
    [ "$(cell counted.csv first,plain,one time_s)" ] || same "no time_s" "one"
    run 0 collect counted.csv --counters auto --target pocl
    has out "0 measured, 2 there already"
    before=$(md5sum <counted.csv)
    run 2 collect counted.csv
    has err "counted.csv:2: its counters are of source 'trace', not 'none'"
    run 2 collect counted.csv --counters trace --target h200
    has err "counted.json:1: the dataset's counters are by the rules of pocl, not h200"
    same "$(md5sum <counted.csv)" "$before"
    run 2 collect x.csv --sample all
    has err "--counters none"
    PERFMODEL_CLANG=$work/no_clang run 0 collect untraced.csv --counters auto --target h100
    has err "no counters, time only: "
    has out "2 measured"
fi

# ---- validate and predict with the collected dataset -----------------------------------------------
# Time alone, and three programs: an error that says so, or a result, but never a crash.
pm validate whole.csv --json >out 2>err
code=$?
case $code in
0) is_json out ;;
1 | 2) has err "perfmodel: " ;;
*) same "$code" "0, 1 or 2" ;;
esac

finish
