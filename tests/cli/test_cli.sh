#!/bin/bash
# The program as its users meet it: help, wrong names, counters without times and without a device.
# PERFMODEL is the program, BUILD the build folder; ctest sets them.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck source=tests/cli/cli_fixture.sh
. "$(dirname "$0")/cli_fixture.sh"

# ---- help and wrong command lines ------------------------------------------------------------------
run 0 pm --help
has out "Exit codes"
run 0 pm --version
run 2 pm
run 2 pm colect
for command in init devices collect validate predict trace transform advise report capture; do
    has err "$command"
done
for command in init devices collect validate predict trace transform advise report capture; do
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

    # A work-item of the copy has one load and one store. A warp copies 128 bytes, and there are 4
    # Mi floats.
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

finish
