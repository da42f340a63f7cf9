#!/bin/bash
# The program as its users meet it: help, wrong names, collecting, stopping and going on, folders that
# cannot be written, a full disk, JSON. Needs an OpenCL CPU device, else skips (77).
# PERFMODEL is the program, BUILD the build folder; ctest sets them.
# SPDX-License-Identifier: GPL-3.0-or-later
set -u

: "${PERFMODEL:?path of the program}"
work=$(mktemp -d "${TMPDIR:-/tmp}/perfmodel-cli.XXXXXX")
mounted=
cleanup()
{
    [ -z "$mounted" ] || umount "$mounted"
    chmod -R u+w "$work"
    rm -rf "$work"
}
trap cleanup EXIT
cd "$work" || exit 1
export XDG_DATA_HOME="$work/home" HOME="$work"
unset PERFMODEL_DATASETS
failures=0

# run CODE COMMAND...: the exit code must be CODE; out and err hold what was printed.
run()
{
    local want=$1 code=0
    shift
    "$@" >out 2>err </dev/null || code=$?
    [ "$code" -eq "$want" ] && return
    failures=$((failures + 1))
    printf 'FAILED (line %s): exit code %s instead of %s: %s\n' "${BASH_LINENO[*]}" "$code" "$want" "$*"
    sed 's/^/    /' err out | head -20
}

# has FILE TEXT: a line of the file holds it.
has()
{
    grep -qF -- "$2" "$1" && return
    failures=$((failures + 1))
    printf 'FAILED (line %s): no "%s" in:\n' "${BASH_LINENO[*]}" "$2"
    sed 's/^/    /' "$1" | head -20
}

same()
{
    [ "$1" = "$2" ] && return
    failures=$((failures + 1))
    printf 'FAILED (line %s): "%s" is not "%s"\n' "${BASH_LINENO[*]}" "$1" "$2"
}

is_json()
{
    if command -v jq >/dev/null; then
        run 0 jq . "$1"
    else
        run 0 python3 -m json.tool "$1"
    fi
}

rows() { tail -n +2 "$1" | wc -l; }

pm() { "$PERFMODEL" "$@"; }

# wrong TEXT WORDS...: the program ends with code 2 and says the text.
wrong()
{
    local text=$1
    shift
    run 2 pm "$@"
    has err "$text"
}

# ---- help and wrong words --------------------------------------------------------------------------
run 0 pm --help
has out "Exit codes"
run 0 pm --version
run 2 pm
run 2 pm colect
for command in devices collect validate predict trace transform advise report capture; do
    has err "$command"
done
for command in devices collect validate predict trace transform advise report capture; do
    for help in "$command --help" "$command -h" "help $command"; do
        # shellcheck disable=SC2086 # two words
        run 0 pm $help
        has out "Example"
    done
    wrong "--no-such-option" "$command" --no-such-option
    same "$(wc -l <err)" 1
done
run 2 pm help colect
wrong "--program" devices --program nbody
wrong "--program" validate h100 --program nbody
run 2 pm devices nbody
wrong "--device is of --probe" devices --device 0
wrong "--output is of --probe" devices -o x.csv
wrong "no_such_device" devices --probe --device no_such_device
same "$(wc -l <err)" 1
run 2 pm validate
wrong "--target" predict
wrong "no_such_dataset" validate no_such_dataset
wrong "missing.csv" validate ./missing.csv
wrong "no_such_gpu" predict --target no_such_gpu
printf 'this is no dataset\n' >bad.csv
wrong "bad.csv" validate bad.csv
wrong "nbody" collect --program no_such_program
has err "matmul_tiled"
wrong "local, nolocal" collect --program nbody --variant no_such_variant
wrong "8192" collect --program nbody --size 7
wrong "together" collect --program copy --program nbody --variant float --size 8192
wrong "--program" trace
wrong "nbody" trace --program no_such_program
wrong "one at a time" trace --program nbody --program copy
wrong "local, nolocal" trace --program nbody --variant no_such_variant
wrong "8192" trace --program nbody --size 7
wrong "--device none" collect --device none --counters none --program copy -o x.csv
wrong "--counters cupti" collect --device none --counters cupti --program copy -o x.csv
[ ! -e x.csv ] || same x.csv "no file"
run 2 pm collect --time-limit soon
run 2 pm collect --seed -1
run 2 pm collect --counters no_such_source --program copy --size 16 -o x.csv
run 0 pm collect --list
has out "sobel3x3"
run 0 pm collect --list --json
cp out list.json
is_json list.json
run 0 pm validate --methods
has out "auto"
if [ -e /dev/full ]; then
    for command in "collect --list --json" "collect --list" "validate h100" "validate --methods" \
        "collect --help" help; do
        # shellcheck disable=SC2086 # words
        "$PERFMODEL" $command >/dev/full 2>err
        same $? 2
        has err "No space left"
        same "$(grep -c "standard output" err)" 1
    done
fi

# ---- counters without times ------------------------------------------------------------------------
# A source that has no times gives its counters alone: what its own GPU's are predicted from.
shipped=$(pm devices --json 2>/dev/null | sed -n 's/.*"path": "\(.*h100\.csv\)".*/\1/p' | head -1)
# untimed FILE: the dataset without times, and with a standard error of every branch counter.
untimed()
{
    awk -F, -v OFS=, '
        NR == 1 {
            for (i = 1; i <= NF; i++)
                drop[i] = $i ~ /^(time_s|time_mad_s|runs)$/
            print $0, "branch_se"
            next
        }
        { for (i = 1; i <= NF; i++) if (drop[i]) $i = ""; print $0, NR }' "$shipped" >"$1"
}
untimed untimed.csv
run 0 pm validate h100 --counters code --json
sed '/"from"/d' out >own.json
run 0 pm validate h100 --from untimed.csv --counters code --json
sed '/"from"/d' out >from.json
same "$(md5sum <from.json)" "$(md5sum <own.json)"
run 0 pm validate h200 --from untimed.csv --json
same "$(grep -c 'source_time_s\|_se"' out)" 0
run 0 pm predict --target h200 --from untimed.csv --program nbody --json
same "$(grep -c '"kernel": "nbody"' out)" 12
wrong "--from" validate untimed.csv
wrong "no counter 'branch_se'" validate h200 --from untimed.csv --counters branch,branch_se
same "$(grep -c 'branch_se.*branch_se' err)" 0

# ---- counters without a device ---------------------------------------------------------------------
# Left out where perfmodel was built without LLVM.
engine=
! ls "${BUILD:?build folder}"/lib*/perfmodel/perfmodel-worker >/dev/null 2>&1 || engine=yes
# cell FILE PROGRAM,VARIANT,SIZE COLUMN
cell()
{
    awk -F, -v key="$2" -v column="$3" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) c = i }
        $2 "," $3 "," $4 == key { print c ? $c : "no such column" }' "$1"
}
traced=(pm collect --device none --counters trace --program copy --size 16)
if [ "$engine" ]; then
    OCL_ICD_VENDORS=$work run 0 "${traced[@]}" --variant float -o traced.csv --json
    has out '"measured": 1'
    has out '"device": "h100"'
    is_json traced.json
    has traced.json '"counter_target": "h100"'
    has traced.json '"sample": "auto"'
    run 0 "${traced[@]}" -o traced.csv
    has out "4 measured, 1 there already"
    before=$(md5sum <traced.csv)
    run 0 "${traced[@]}" -o traced.csv
    has out "0 measured, 5 there already"
    same "$(md5sum <traced.csv)" "$before"
    same "$(sed -n 2p traced.csv | cut -d, -f 1-9)" "h100,copy,float,16,copy,trace,,,0"

    # A work-item of the copy loads and stores once, a warp 128 bytes: 4 Mi floats.
    run 0 "${traced[@]}" --variant float --sample all -o all.csv
    has all.json '"sample": 1.0'
    for file in traced.csv all.csv; do
        for counter in gld_request gst_request; do
            same "$(cell $file copy,float,16 $counter)" 131072
        done
        for counter in gld_sector gst_sector; do
            same "$(cell $file copy,float,16 $counter)" 524288
        done
        same "$(cell $file copy,float,16 launches)" 1
        same "$(cell $file copy,float,16 work_groups)" 16384
    done
    same "$(cell all.csv copy,float,16 gld_sector_se)" 0
    same "$(cell all.csv copy,float,16 inst_executed_se)" 0
    for counter in launches registers work_groups launched_warps active_cycles; do
        same "$(head -1 all.csv | tr , '\n' | grep -c "^${counter}_se$")" 0
    done

    run 0 "${traced[@]}" --variant float
    [ -s "$XDG_DATA_HOME/perfmodel/datasets/h100-trace.csv" ] || same "no dataset" h100-trace.csv
    rm -r "$XDG_DATA_HOME"
    run 2 "${traced[@]}" --target h200 -o traced.csv
    has err "traced.json"
    has err "h100, not h200"
    cp "$shipped" cupti.csv
    cp "${shipped%.csv}.json" cupti.json
    run 2 "${traced[@]}" -o cupti.csv
    has err "cupti.csv:2: its counters are of source 'cupti', not 'trace'"
    same "$(md5sum <cupti.csv)" "$(md5sum <"$shipped")"

    for json in "" --json; do
        # shellcheck disable=SC2086 # one word or none
        run 0 pm trace --program nbody --sample 0.5 --target h100 $json
        cp out trace.out
        has trace.out h100
        has trace.out gld_request
        has trace.out "warp instructions"
        has trace.out global
        has trace.out shared
        has trace.out load
        has trace.out store
    done
    is_json trace.out
    for key in target program variant size kernels kernel launches sampled counters value unit error \
        accesses kind space bytes line column buffer structure field loop executions work_items \
        transactions coalesced_threads class; do
        has trace.out "\"$key\": "
    done
    has trace.out '"variant": "local"'
    has trace.out '"size": "8192"'
    wrong nbody trace --program nbody --step-limit 1
    PERFMODEL_CLANG=$work/no_clang run 1 pm trace --program nbody
    has err no_clang
    PERFMODEL_CLANG=$work/no_clang run 1 "${traced[@]}" -o missing.csv
    has err no_clang
else
    run 1 "${traced[@]}" -o x.csv
    run 1 pm trace --program nbody
fi
same "$(wc -l <err)" 1

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
    run 0 collect counted.csv --counters trace
    has counted.json '"counter_target": "pocl"'
    same "$(tail -n +2 counted.csv | cut -d, -f 1,6 | sort -u)" "$device,trace"
    same "$(cell counted.csv copy,float,16 gld_request)" 524288
    [ "$(cell counted.csv copy,float,16 time_s)" ] || same "no time_s" "one"
    run 0 collect counted.csv --counters auto --target pocl
    has out "0 measured, 5 there already"
    before=$(md5sum <counted.csv)
    run 2 collect counted.csv
    has err "counted.csv:2: its counters are of source 'trace', not 'none'"
    run 2 collect counted.csv --counters trace --target h200
    has err "counted.json:1: the dataset's counters are by the rules of pocl, not h200"
    same "$(md5sum <counted.csv)" "$before"
    run 2 collect x.csv --sample all
    has err "--counters none"
    PERFMODEL_CLANG=$work/no_clang run 0 collect untraced.csv --counters auto
    has err "no counters, time only: "
    has out "5 measured"
fi

# Rows with counters of another source stand beside those without, and do not stop the next run.
sed 's/,none,/,cupti,/' whole.csv >sources.csv
run 0 collect sources.csv
has out "5 measured"
run 0 collect sources.csv
has out "0 measured, 5 there already"

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

[ "$failures" -eq 0 ] || { echo "$failures failures"; exit 1; }
echo "all passed"
