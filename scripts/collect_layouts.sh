#!/bin/sh
# Measures the data layouts of the four programs with arrays of structs: those that each program lists, and
# those of datasets/layouts.txt, which are what `perfmodel advise` traced. Appends to a dataset.
# Usage: scripts/collect_layouts.sh FILE.csv [PROGRAM...]   PERFMODEL=path of the program
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
here=$(dirname "$0")
perfmodel=${PERFMODEL:-$here/../build/bin/perfmodel}
list=${LAYOUTS:-$here/../datasets/layouts.txt}
out=${1:?usage: scripts/collect_layouts.sh FILE.csv [PROGRAM...]}
shift
[ $# -gt 0 ] || set -- sph idw cfd particlefilter

for program; do
    case $program in
    sph) sizes="100000 500000 800000" ;;
    idw) sizes="10240 20480 51200" ;;
    cfd) sizes="98304 196608 786432" ;;
    particlefilter) sizes="8192 16384 65536" ;;
    *) echo "$0: no program '$program'; there is: sph, idw, cfd, particlefilter" >&2; exit 2 ;;
    esac
    variants=$(awk -v program="$program" '$1 == program { print "--variant"; print $2 }' "$list")
    # words of both lists have no blanks in them
    # shellcheck disable=SC2086
    "$perfmodel" collect --program "$program" $(printf -- '--size %s ' $sizes) $variants -o "$out"
done
