#!/bin/bash
# Collecting on a device: stopping and going on, folders that cannot be written, a full disk, JSON. Needs an
# OpenCL CPU device, else skips (77). PERFMODEL is the program, BUILD the build
# folder; ctest sets them.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck source=tests/cli/cli_fixture.sh
. "$(dirname "$0")/cli_fixture.sh"

# ---- a device --------------------------------------------------------------------------------------
run 0 pm devices --json
cp out devices.json
is_json devices.json
same "$(sed -n '/"profiles": \[/,/\]/p' devices.json | grep -c '"h100"')" 1
same "$(sed -n '/"traced": \[/,/\]/p' devices.json | grep -c '"gtx980"') $(grep -c 'gtx980-' devices.json)" "1 0"
same "$(grep -c '"name": "h100"' devices.json) $(grep -c '"name": "h100-' devices.json)" "1 0"
device=$(tr -d '\n' <devices.json | sed 's/}, *{/\n/g; s/{ *"devices"/\n/' | grep '"cpu": true' |
    sed -n 's/.*"id": "\([^"]*\)".*/\1/p' | head -1)
if [ -z "$device" ]; then
    [ "$failures" -eq 0 ] || exit 1
    echo "SKIPPED: collecting needs an OpenCL CPU device (install pocl-opencl-icd)"
    exit 77
fi
wrong "no_such_device" collect --device no_such_device
has err "$device"

# a row of devices.csv, which is there the second time, and not as a dataset is
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

# collect FILE [option]...: 5 workloads of 2 programs, each well under a second a pass.
small=(--device "$device" --counters none --program sobel3x3 --program copy
    --variant local --variant float --variant float2 --variant float4 --variant float8
    --size 1536x1536 --size 16)
collect()
{
    local file=$1
    shift
    pm collect "${small[@]}" -o "$file" "$@"
}

# The same of one workload, where the number of workloads makes no difference.
collect_one()
{
    local small=(--device "$device" --counters none --program copy --variant float --size 16)
    collect "$@"
}

run 0 collect whole.csv --json
cp out whole.out
is_json whole.out
is_json whole.json
whole=$(rows whole.csv)
same "$whole" 5
has whole.out '"measured": 5'

before=$(md5sum <whole.csv)
run 0 collect whole.csv
has out "0 measured, 5 there already"
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

# Counters of the trace engine beside times of this device, by the rules of its row (a CPU's vectors of
# eight): in a dataset of their own.
if [ "$engine" ]; then
    run 2 collect whole.csv --counters trace
    has err "whole.csv:2: its counters are of source 'none', not 'trace'"
    same "$(md5sum <whole.csv)" "$before"
    run 0 collect_one counted.csv --counters trace
    has counted.json '"counter_target": "pocl"'
    same "$(tail -n +2 counted.csv | cut -d, -f 1,6 | sort -u)" "$device,trace"
    same "$(cell counted.csv copy,float,16 gld_request)" 524288
    [ "$(cell counted.csv copy,float,16 time_s)" ] || same "no time_s" "one"
    run 0 collect_one counted.csv --counters auto --target pocl
    has out "0 measured, 1 there already"
    before=$(md5sum <counted.csv)
    run 2 collect_one counted.csv
    has err "counted.csv:2: its counters are of source 'trace', not 'none'"
    run 2 collect_one counted.csv --counters trace --target h200
    has err "counted.json:1: the dataset's counters are by the rules of pocl, not h200"
    same "$(md5sum <counted.csv)" "$before"
    run 2 collect_one x.csv --sample all
    has err "--counters none"
    PERFMODEL_CLANG=$work/no_clang run 0 collect_one untraced.csv --counters auto
    has err "no counters, time only: "
    has out "1 measured"
fi

# Rows with counters of another source stand beside those without, and do not stop the next run.
sed 's/,none,/,cupti,/' whole.csv >sources.csv
run 0 collect_one sources.csv
has out "1 measured"
run 0 collect_one sources.csv
has out "0 measured, 1 there already"

# The limit holds for the first size too, and for one that is not measured because the dataset has it.
over=(pm collect --device "$device" --counters none --program sobel3x3 --variant local
    --size 1536x1536 --size 2304x2304 -o over.csv)
run 0 "${over[@]}" --time-limit 1e-9
has out "0 measured, 0 there already, 2 left out"
has err "--time-limit"
same "$(grep -c 'left out' err)" 1
run 0 "${over[@]}" --time-limit 0
run 0 "${over[@]}" --time-limit 1e-9
has out "2 there already"
sed -i '/2304x2304/d' over.csv
run 0 "${over[@]}" --time-limit 1e-9
has out "0 measured, 1 there already, 1 left out"

# ---- stopped, and going on -------------------------------------------------------------------------
# Keys of a dataset, sorted: what was measured, without how long it took.
keys() { cut -d, -f1-6 "$1" | sort; }

# stopped SIGNAL FILE: starts collecting, and sends the signal once the file has a row.
stopped()
{
    local child
    "$PERFMODEL" collect "${small[@]}" -o "$2" >out 2>err </dev/null &
    child=$!
    for _ in $(seq 600); do
        [ -e "$2" ] && [ "$(rows "$2")" -gt 0 ] && break
        sleep 0.05
    done
    kill "-$1" "$child"
    wait "$child" 2>/dev/null
}

for signal in INT TERM; do
    # Background jobs of a script ignore SIGINT unless they set a handler, which collect does.
    stopped "$signal" "$signal.csv"
    same $? 1
    has err "run the same command to go on"
    [ "$(rows "$signal.csv")" -lt "$whole" ] || same "all rows" "fewer: it was stopped"
    run 0 collect "$signal.csv"
    same "$(keys "$signal.csv")" "$(keys whole.csv)"
done
stopped KILL killed.csv
same $? 137
run 0 collect killed.csv
same "$(keys killed.csv)" "$(keys whole.csv)"

# The crash tore the last row.
head -c -7 whole.csv >torn.csv
run 0 collect torn.csv
has err "torn.csv"
same "$(keys torn.csv)" "$(keys whole.csv)"

# Two at once: the second says so, and spoils nothing.
collect locked.csv >/dev/null 2>&1 &
first=$!
for _ in $(seq 600); do [ -e locked.csv ] && break; sleep 0.05; done
run 1 collect locked.csv
has err "locked.csv"
wait "$first"
same $? 0
same "$(keys locked.csv)" "$(keys whole.csv)"

# Another file of the user's is left as it is.
printf 'a,b\n1,2\n' >mine.csv
run 2 collect mine.csv
same "$(cat mine.csv)" "$(printf 'a,b\n1,2')"

# ---- places that cannot be written -----------------------------------------------------------------
run 2 collect missing/folder/x.csv
has err "missing/folder/x.csv"
mkdir readonly
chmod a-w readonly
if [ -w readonly ]; then
    # root may write anywhere but into /proc
    run 2 collect /proc/x.csv
    has err "/proc/x.csv"
else
    run 2 collect readonly/x.csv
    has err "readonly/x.csv"
fi

# A full disk: whole rows stay, and with room again the same command goes on. Without the right to
# mount one, a limit on the size of files stands for it.
# padded FILE BYTES: a dataset of that size, of made-up rows.
padded()
{
    awk -F, -v OFS=, -v bytes="$2" '
        NR == 1 { print; total = length($0) + 1 }
        NR == 2 {
            $2 = "padding"
            for (i = 1; bytes - total > 2000; i++) {
                $4 = i
                print
                total += length($0) + 1
            }
            for ($4 = "x"; total + length($0) + 1 < bytes; ) $4 = $4 "x"
            print
        }' whole.csv >"$1"
}
mkdir disk
if mount -t tmpfs -o size=16k tmpfs disk 2>/dev/null; then
    mounted=$work/disk
    padded disk/x.csv 8180 # in the two pages that the provenance leaves
    head -c 16384 /dev/zero >disk/filler 2>/dev/null
    truncate -s -4096 disk/filler
    collect disk/x.csv >out 2>err
    same $? 2
    has err "No space left"
    same "$(tail -c 1 disk/x.csv | od -An -c | tr -d ' ')" '\n'
    rm disk/filler
    mount -o remount,size=1m disk
    run 0 collect disk/x.csv
    same "$(keys disk/x.csv | grep -v padding)" "$(keys whole.csv)"
    umount disk
    mounted=
fi
padded limited.csv $((1024 * 1024 - 50))
(
    ulimit -f 1024
    collect limited.csv >out 2>err
)
same $? 2
has err "limited"
run 0 collect limited.csv
same "$(keys limited.csv | grep -v padding)" "$(keys whole.csv)"

# ---- validate and predict on what was collected ----------------------------------------------------
# Time alone, and three programs: an error that says so, or a result, but never a crash.
pm validate whole.csv --json >out 2>err
code=$?
case $code in
0) is_json out ;;
1 | 2) has err "perfmodel: " ;;
*) same "$code" "0, 1 or 2" ;;
esac

finish
