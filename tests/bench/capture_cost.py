#!/usr/bin/env python3
"""What a launch that is not captured costs a program under `perfmodel capture`: microseconds of a call of
clEnqueueNDRangeKernel, and of a launch with the wait for its end, with the layer and without, in the same run.

Usage: tests/bench/capture_cost.py LAUNCH_COST [--perfmodel PATH] [--check]
LAUNCH_COST is tests/bench/launch_cost.c, compiled. With --check it ends with 1 if the layer adds 2 microseconds or more.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import os
import subprocess
import sys
import tempfile

MOST_US = 2
ROUNDS = 5


def costs(command):
    """Returns the microseconds until a launch is enqueued, and until it is done. A capture that records no launch, as
    here, ends with exit code 2."""
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode not in (0, 2):
        sys.exit(f"{command} ended with {done.returncode}: {done.stderr}")
    return [float(word) for word in done.stdout.split()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--perfmodel", default=os.environ.get("PERFMODEL", "perfmodel"))
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    alone, layered = [], []
    with tempfile.TemporaryDirectory() as folder:
        # alternates between both, so that a disturbance of the machine affects both
        for turn in range(ROUNDS):
            alone.append(costs([options.program]))
            layered.append(costs([options.perfmodel, "capture", "-o", f"{folder}/{turn}", "--kernel", "other", "--",
                                  options.program]))
    print("                 alone  with the layer  added (us)")
    worst = 0
    for i, name in enumerate(("enqueued", "done")):
        before, after = (min(row[i] for row in rows) for rows in (alone, layered))
        worst = max(worst, after - before)
        print(f"{name:12} {before:9.3f} {after:15.3f} {after - before:11.3f}")
    return 1 if options.check and worst >= MOST_US else 0


if __name__ == "__main__":
    sys.exit(main())
