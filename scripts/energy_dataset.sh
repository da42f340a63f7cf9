#!/bin/sh
# Measures times and joules of programs whose launches can be repeated alone, on the first NVIDIA GPU.
#
# Usage: scripts/energy_dataset.sh OUTDIR [DEVICE]
#
# Writes OUTDIR/energy-suite.csv and energy-corpus.csv with their provenance, and what was said to energy.log. PERFMODEL is the
# program; else build/bin/perfmodel. Some minutes.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu

out=${1:?usage: scripts/energy_dataset.sh OUTDIR [DEVICE]}
here=$(dirname "$0")
perfmodel=${PERFMODEL:-$here/../build/bin/perfmodel}
mkdir -p "$out"

collect() {
    name=$1
    shift
    "$perfmodel" collect --energy --counters none "$@" -o "$out/$name.csv" 2>>"$out/energy.log"
}

set -- ${2:+--device "$2"}
collect energy-suite "$@" --program copy --program matmul --program sobel3x3 --program nbody --program idw
collect energy-corpus "$@" --suite corpus --time-limit 0.5 --program gemm_tn --program gemv_rowmajor --program lbm_d3q19 \
    --program bilateral_gray --program perlin_fbm --program sha256_nonces --program pairwise_l1_tile --program wave_sponge
