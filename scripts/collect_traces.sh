#!/bin/sh
# Traces the suite at all sizes to get its counters by the rules of each GPU. The GPUs need not be in this machine.
# Programs with arrays of structs are traced in three of their layouts, other programs in all their versions. For each
# GPU, the script makes the dataset NAME-trace in $PERFMODEL_DATASETS (default: the user's folder of datasets). After an
# interruption, the same command traces the missing samples. The shipped NAME-trace datasets of GPUs without measurements
# were made in an empty folder (PERFMODEL_DATASETS=/some/folder scripts/collect_traces.sh).
# A GPU takes some minutes on two cores. If tracing fails for one GPU, the script still traces the suite for the others.
# Usage: scripts/collect_traces.sh [GPU...]   PERFMODEL: path of perfmodel
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
    # No word of these lists contains a blank.
    # shellcheck disable=SC2046,SC2086
    {
        count $(printf -- '--program %s ' $plain)
        count $(printf -- '--program %s ' $structs) --variant aos --variant aos-align --variant soa
        count --program matmul --program inverse
    }
done
exit $status
