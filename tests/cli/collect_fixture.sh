# What the scripts about collecting share: an OpenCL CPU device, without which they skip (77), and small workloads.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck source=tests/cli/cli_fixture.sh
. "$(dirname "$0")/cli_fixture.sh"

run 0 pm devices --json
cp out devices.json
device=$(tr -d '\n' <devices.json | sed 's/}, *{/\n/g; s/{ *"devices"/\n/' | grep '"cpu": true' |
    sed -n 's/.*"id": "\([^"]*\)".*/\1/p' | head -1)
if [ -z "$device" ]; then
    [ "$failures" -eq 0 ] || exit 1
    echo "SKIPPED: collecting needs an OpenCL CPU device (install pocl-opencl-icd)"
    exit 77
fi
# collect FILE [option]...: the workloads of the array `small`, each well under a second a pass.
collect()
{
    local file=$1
    shift
    pm collect --device "$device" --counters none "${small[@]}" -o "$file" "$@"
}

# collect_four: collects 4 workloads of 2 programs into whole.csv, which has $whole rows.
collect_four()
{
    small=(--program sobel3x3 --program copy --variant local --variant float --variant float2
        --variant float4 --size 1536x1536 --size 16)
    run 0 collect whole.csv
    whole=$(rows whole.csv)
    same "$whole" 4
}

# Keys of a dataset, sorted: what was measured, without how long it took.
keys() { cut -d, -f1-6 "$1" | sort; }
