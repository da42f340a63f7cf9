#!/bin/sh
# Measures versions in local memory on this machine's first GPU: of every program with a base its listed versions
# and those of datasets/shared.txt, at every size (of programs with data layouts at those of
# scripts/collect_layouts.sh). Appends to the device's dataset in $PERFMODEL_DATASETS (else the user's folder);
# stopped, the same command goes on. The shipped h100-shared and h200-shared were made in a folder of their own
# (PERFMODEL_DATASETS=/some/folder scripts/collect_shared.sh). Arguments behind -- go to collect: with
# -- --device none --target h100 this makes h100-shared-trace.
# A failure of one program does not keep the others from being measured.
# Usage: scripts/collect_shared.sh [PROGRAM...] [-- OPTION...]   PERFMODEL: path of the program
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
here=$(dirname "$0")
perfmodel=${PERFMODEL:-$here/../build/bin/perfmodel}
list=$here/../datasets/shared.txt

programs=
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    programs="$programs $1"
    shift
done
[ $# -eq 0 ] || shift
[ -n "$programs" ] || programs=$(awk '!/^#/ && !seen[$1]++ { print $1 }' "$list")

status=0
for program in $programs; do
    if ! grep -q "^$program " "$list"; then
        echo "$0: no program '$program' in datasets/shared.txt; there is: $(
            awk '!/^#/ && !seen[$1]++ { printf "%s%s", sep, $1; sep = ", " }' "$list")" >&2
        exit 2
    fi
    case $program in
    sph) sizes="100000 500000 800000" ;;
    idw) sizes="10240 20480 51200" ;;
    cfd) sizes="98304 196608 786432" ;;
    particlefilter) sizes="8192 16384 65536" ;;
    *) sizes= ;;
    esac
    variants=$(awk -v program="$program" '$1 == program { print "--variant"; print $2 }' "$list")
    # No word of these lists has a blank in it; no sizes are all.
    # shellcheck disable=SC2046,SC2086
    "$perfmodel" collect --program "$program" $([ -z "$sizes" ] || printf -- '--size %s ' $sizes) $variants "$@" ||
        status=$?
done
exit $status
