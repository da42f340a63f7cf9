#!/bin/bash
# Collecting on a device: stopping and going on, two at once. Needs an OpenCL CPU
# device, else skips (77). PERFMODEL is the program, BUILD the build folder; ctest sets them.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck source=tests/cli/collect_fixture.sh
. "$(dirname "$0")/collect_fixture.sh"

collect_four two

# ---- interruption and resuming ---------------------------------------------------------------------
# stopped SIGNAL FILE: starts collecting, and sends the signal once the file has a row.
stopped()
{
    local child lines=()
    "$PERFMODEL" collect --device "$device" --counters none "${small[@]}" -o "$2" >out 2>err </dev/null &
    child=$!
    for _ in $(seq 1500); do
        [ ! -e "$2" ] || mapfile -t lines <"$2"
        [ "${#lines[@]}" -lt 2 ] || break
        sleep 0.02
    done
    kill "-$1" "$child"
    wait "$child" 2>/dev/null
}

for signal in INT TERM; do
    # Background jobs of a script ignore SIGINT unless they set a handler, which collect does.
    stopped "$signal" "$signal.csv"
    same $? 130
    has err "run the same command to go on"
    [ "$(rows "$signal.csv")" -lt "$whole" ] || same "all rows" "fewer: it was stopped"
    run 0 collect "$signal.csv"
    same "$(keys "$signal.csv")" "$(keys whole.csv)"
done
stopped KILL killed.csv
same $? 137
run 0 collect killed.csv
same "$(keys killed.csv)" "$(keys whole.csv)"

# Simulates a crash that tore the last row.
head -c -7 whole.csv >torn.csv
run 0 collect torn.csv
has err "torn.csv"
same "$(keys torn.csv)" "$(keys whole.csv)"

# Two commands write to one file at the same time. The second one reports this and changes nothing.
collect locked.csv >/dev/null 2>&1 &
first=$!
for _ in $(seq 600); do [ -e locked.csv ] && break; sleep 0.05; done
run 1 collect locked.csv
has err "locked.csv"
wait "$first"
same $? 0
same "$(keys locked.csv)" "$(keys whole.csv)"

# Another CSV file of the user is not changed.
printf 'a,b\n1,2\n' >mine.csv
run 2 collect mine.csv
same "$(cat mine.csv)" "$(printf 'a,b\n1,2')"

finish
