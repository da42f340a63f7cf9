#!/bin/sh
# A run of perfmodel in shares, as ranks of Open MPI, until all of them have done theirs: a rank that fails ends the others,
# and the next try goes on where they were.
#   scripts/campaign_mpi.sh 16 tune --target h200 --target a100 -o found.json my.workload
#   perfmodel merge found-*of16.jsonl -o found.json
# $MPIRUN holds mpirun and its options (mpirun), $TRIES how often it is started (3), $PERFMODEL the program, where PATH does
# not have it. SPDX-License-Identifier: GPL-3.0-or-later
set -u
[ $# -ge 2 ] || { echo "usage: campaign_mpi.sh RANKS COMMAND [OPTION...]" >&2; exit 2; }
ranks=$1
shift
PERFMODEL_THREADS=${PERFMODEL_THREADS:-1}
export PERFMODEL_THREADS
code=1
for try in $(seq "${TRIES:-3}"); do
    # shellcheck disable=SC2086 # a list of words
    ${MPIRUN:-mpirun} -n "$ranks" -x PERFMODEL_THREADS "${PERFMODEL:-perfmodel}" "$@" --shard auto && exit 0
    code=$?
    # A wrong command line or input will not be right at the next try.
    [ "$code" -ne 2 ] || break
    echo "campaign_mpi.sh: try $try ended with code $code" >&2
done
exit "$code"
