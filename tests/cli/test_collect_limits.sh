#!/bin/bash
# A row of devices.csv for a device; collecting into a dataset whose counters are of another source; limits of time.
# Needs an OpenCL CPU device, else skips (77). PERFMODEL is the program, BUILD the build folder; ctest sets them.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck source=tests/cli/collect_fixture.sh
. "$(dirname "$0")/collect_fixture.sh"

# The probe writes a row of devices.csv. It refuses a file that already has the row, and a file that is a dataset.
wrong "choose another with -o" devices --probe --device "$device" -o no_such_folder/devices.csv
run 0 pm devices --probe --device "$device" -o probed.csv --json
has err "to be filled in by hand"
cp out probed.json
is_json probed.json
same "$(grep -c '"how"' probed.json)" "$(head -1 probed.csv | tr , '\n' | wc -l)"
same "$(grep -A1 '"device": {' probed.json | grep -c "\"value\": \"$device\"")" 1
same "$(head -1 probed.csv)" "$(head -1 "${shipped%h100.csv}devices.csv")"
same "$(wc -l <probed.csv)" 2
cp probed.csv probed-before.csv
wrong "probed.csv:2: a row of $device is there already" devices --probe --device "$device" -o probed.csv
same "$(md5sum <probed.csv)" "$(md5sum <probed-before.csv)"
cp "$shipped" probed.csv
wrong "no column 'clock_mhz'" devices --probe --device "$device" -o probed.csv
same "$(md5sum <probed.csv)" "$(md5sum <"$shipped")"

small=(first.workload second.workload --size one --variant plain)
run 0 collect whole.csv

# A dataset may have rows with counters of another source. They do not stop the next run.
sed 's/,none,/,cupti,/' whole.csv >sources.csv
run 0 collect sources.csv
has out "2 measured"
run 0 collect sources.csv
has out "0 measured, 2 there already"

# The time limit applies to the first size, too. It also applies if the dataset already has that
# size and it is not measured again.
over=(pm collect first.workload --device "$device" --counters none --variant plain -o over.csv)
run 0 "${over[@]}" --time-limit 1e-9
has out "0 measured, 0 there already, 2 left out"
has err "--time-limit"
same "$(grep -c 'left out' err)" 1
run 0 "${over[@]}" --time-limit 0
run 0 "${over[@]}" --time-limit 1e-9
has out "2 there already"
sed -i '/,two,/d' over.csv
run 0 "${over[@]}" --time-limit 1e-9
has out "0 measured, 1 there already, 1 left out"

finish
