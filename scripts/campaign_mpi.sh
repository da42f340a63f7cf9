#!/bin/sh
# Divides a run of perfmodel into shards, one for each rank of Open MPI. If a rank fails, Open MPI ends the other ranks.
# The script then starts all ranks again, and each rank continues with the unfinished part of its shard.
#   scripts/campaign_mpi.sh 16 tune --target h200 --target a100 -o found.json my.workload
#   perfmodel merge found-*of16.jsonl -o found.json
# $MPIRUN: command that starts the ranks, with options (default: mpirun). $TRIES: largest number of starts (default: 3).
# $PERFMODEL: path of perfmodel (default: perfmodel on the PATH).
# SPDX-License-Identifier: GPL-3.0-or-later
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
