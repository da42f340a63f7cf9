#!/bin/sh
# Draws docs/figures: what figures 4 to 7 of Shimada et al. (2010) show, on the shipped datasets, once by
# the paper's method and once by auto. Wants perfmodel in build/ or on the PATH, and gnuplot.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
[ ! -x "$here/build/bin/perfmodel" ] || PATH=$here/build/bin:$PATH
out=${1:-$here/docs/figures}
mkdir -p "$out"

for method in paper auto; do
    for variant in nolocal local; do
        perfmodel validate "$here/datasets/h100.csv" --method "$method" --variant "$variant" \
            --plot "$out/h100-$variant-$method.svg" \
            --title "H100, variant $variant, method $method, each program left out" | tail -n 1
    done
    perfmodel validate "$here/datasets/h200.csv" --from "$here/datasets/h100.csv" \
        --method "$method" --plot "$out/h200-from-h100-$method.svg" \
        --title "H200 from an H100, method $method, each program left out" | tail -n 1
done
