#!/bin/sh
# Draws the plots in docs/figures: predicted over measured times, as in figures 4 to 7 of Shimada et al. (2010), for the
# shipped H100 and H200 datasets. Each plot is drawn for the method of the paper and for perfmodel's method `auto`. The
# script needs gnuplot, and perfmodel in build/ or on the PATH.
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
