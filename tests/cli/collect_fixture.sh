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
