#!/bin/sh
# Counts the suite by the rules of GPUs that need not be there, at every size: programs with arrays of structs in three
# of their layouts, all others in all their versions. Makes NAME-trace in $PERFMODEL_DATASETS (else the user's folder)
# for each GPU; stopped, the same command goes on. The shipped NAME-trace of unmeasured GPUs were made so, in a folder of
# their own (PERFMODEL_DATASETS=/some/folder scripts/collect_traces.sh).
# A GPU takes some minutes of two cores. A failure on one GPU does not keep the others from being counted.
# Usage: scripts/collect_traces.sh [GPU...]   PERFMODEL: path of the program
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
here=$(dirname "$0")
perfmodel=${PERFMODEL:-$here/../build/bin/perfmodel}
[ $# -gt 0 ] || set -- b200 l40s rtx4090 a100 rtx3090 t4 v100 p100 gtx980 k20c gtx680 c2050 gtx480 gtx285 gtx280 hd5870
plain="matmul_tiled matmul_float4 dct8x8 haar1d nbody fdtd3d median3x3 sobel3x3 binomial aes128 copy"
structs="sph idw cfd particlefilter"

status=0
trap 'exit 130' INT
for gpu; do
    count() {
        "$perfmodel" collect --device none --target "$gpu" "$@" || status=$?
    }
    # No word of these lists has a blank in it.
    # shellcheck disable=SC2046,SC2086
    {
        count $(printf -- '--program %s ' $plain)
        count $(printf -- '--program %s ' $structs) --variant aos --variant aos-align --variant soa
        count --program matmul --program inverse
    }
done
exit $status
