#!/bin/sh
# Measures data layouts of the suite's programs with arrays of structs on this machine's first GPU. datasets/layouts.txt
# lists the layouts: those that the programs declare, and those that `perfmodel advise` traced. The script appends rows to
# the device's dataset in $PERFMODEL_DATASETS (default: the user's folder of datasets). After an interruption, the same
# command measures the missing samples. The shipped datasets h100-layouts and h200-layouts consist of such rows, which
# were moved out of the device's dataset.
# Usage: scripts/collect_layouts.sh [PROGRAM...]   PERFMODEL: path of perfmodel
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
here=$(dirname "$0")
perfmodel=${PERFMODEL:-$here/../build/bin/perfmodel}
[ $# -gt 0 ] || set -- sph idw cfd particlefilter

for program; do
    case $program in
    sph) sizes="100000 500000 800000" ;;
    idw) sizes="10240 20480 51200" ;;
    cfd) sizes="98304 196608 786432" ;;
    particlefilter) sizes="8192 16384 65536" ;;
    *) echo "$0: no program '$program'; there is: sph, idw, cfd, particlefilter" >&2; exit 2 ;;
    esac
    variants=$(awk -v program="$program" '$1 == program { print "--variant"; print $2 }' \
        "$here/../datasets/layouts.txt")
    # No word of these lists contains a blank.
    # shellcheck disable=SC2046,SC2086
    "$perfmodel" collect --program "$program" $(printf -- '--size %s ' $sizes) $variants
done
