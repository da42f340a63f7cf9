#!/bin/sh
# Measures the data layouts of the programs with arrays of structs on this machine's first GPU: those of
# datasets/layouts.txt (what the programs list, and what `perfmodel advise` traced). Appends to the
# device's dataset in $PERFMODEL_DATASETS (else the user's folder); stopped, the same command goes on. The
# shipped h100-layouts and h200-layouts are its rows, taken out of the device's dataset.
# Usage: scripts/collect_layouts.sh [PROGRAM...]   PERFMODEL: path of the program
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
    # No word of these lists has a blank in it.
    # shellcheck disable=SC2046,SC2086
    "$perfmodel" collect --program "$program" $(printf -- '--size %s ' $sizes) $variants
done
