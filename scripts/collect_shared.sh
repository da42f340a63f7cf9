#!/bin/sh
# Measures versions that stage arrays in local memory, and their base versions, on this machine's first GPU.
# datasets/shared.txt lists the programs and versions. Programs with data layouts are measured at three sizes, as in
# scripts/collect_layouts.sh, and other programs at all their sizes. The script appends rows to the device's dataset in
# $PERFMODEL_DATASETS (default: the user's folder of datasets). After an interruption, the same command measures the
# missing samples. The shipped datasets h100-shared and h200-shared were measured into an empty folder
# (PERFMODEL_DATASETS=/some/folder scripts/collect_shared.sh). Arguments after -- are options of `perfmodel collect`. For
# example, -- --device none --target h100 makes the dataset h100-shared-trace.
# If a program fails, the script still measures the other programs.
# Usage: scripts/collect_shared.sh [PROGRAM...] [-- OPTION...]   PERFMODEL: path of perfmodel
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
    # No word of these lists contains a blank. Without --size, collect measures all sizes.
    # shellcheck disable=SC2046,SC2086
    "$perfmodel" collect --program "$program" $([ -z "$sizes" ] || printf -- '--size %s ' $sizes) $variants "$@" ||
        status=$?
done
exit $status
