#!/bin/sh
# Measures times and energies of some programs on an NVIDIA GPU. Each kernel launch of these programs can be repeated
# without the other launches.
#
# Usage: scripts/energy_dataset.sh OUTDIR NAME [DEVICE]
#
# Writes the dataset OUTDIR/NAME-energy.csv and its provenance, and messages into OUTDIR/NAME-energy.log. `perfmodel advise`
# and `perfmodel report` use the dataset for the GPU NAME. DEVICE is the argument of `perfmodel collect --device`. PERFMODEL
# is the path of perfmodel (default: build/bin/perfmodel). The script takes some minutes.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu

out=${1:?usage: scripts/energy_dataset.sh OUTDIR NAME [DEVICE]}
name=${2:?usage: scripts/energy_dataset.sh OUTDIR NAME [DEVICE]}
device=${3:-}
perfmodel=${PERFMODEL:-$(dirname "$0")/../build/bin/perfmodel}
mkdir -p "$out"

collect() {
    "$perfmodel" collect --energy --counters none ${device:+--device "$device"} "$@" -o "$out/$name-energy.csv" \
        2>>"$out/$name-energy.log"
}

collect --program copy --program matmul --program matmul_tiled --program sobel3x3 --program nbody --program idw
collect --suite corpus --time-limit 0.5 --program gemm_tn --program gemv_rowmajor --program lbm_d3q19 \
    --program bilateral_gray --program perlin_fbm --program sha256_nonces --program pairwise_l1_tile --program wave_sponge
