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
# Two programs in two versions each. A pass takes less than a millisecond, or some milliseconds in
# size two. A program of the suite would take seconds to collect, because its times are not steady
# on a busy machine.
cat >small.cl <<'END'
__kernel void rounds(__global float *x, int rounds)
{
    float v = x[get_global_id(0)];

    for (int i = 0; i < rounds; i++)
        v = v * 0.5f + 1.0f;
    x[get_global_id(0)] = v;
}
END
for name in first second; do
    cat >"$name.workload" <<END
[workload]
name = $name
source = small.cl
[size one]
rounds = 2000
[size two]
rounds = 25000
[buffer x]
type = float
count = 64
output = yes
restore = yes
[launch rounds]
global = 64
local = 64
arguments = x, int rounds
[variant halves]
launch.rounds.local = 32
END
done

# collect FILE [option]...: collects the workloads in the array `small`.
collect()
{
    local file=$1
    shift
    pm collect "${small[@]}" --device "$device" --counters none -o "$file" "$@"
}

# collect_four SIZE: collects 4 workloads of 2 programs into whole.csv, which has $whole rows.
collect_four()
{
    small=(first.workload second.workload --size "$1")
    run 0 collect whole.csv
    whole=$(rows whole.csv)
    same "$whole" 4
}

# Prints the sorted keys of a dataset, without times.
keys() { cut -d, -f1-6 "$1" | sort; }
