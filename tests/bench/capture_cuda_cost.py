#!/usr/bin/env python3
"""What `perfmodel capture` costs a CUDA program, with tests/capture/cuda's driver, which needs no GPU: the time of a launch that is
not recorded, and of a program whose buffers have many bytes, in relation to the same program alone.

Usage: tests/bench/capture_cuda_cost.py PROGRAM KERNELS [--perfmodel PATH] [--megabytes N] [--rounds N]
PROGRAM is tests/capture/cuda/program.c and KERNELS the library of its kernels, compiled. The time of copies from a GPU, and CUPTI's
own, are not part of this. Let the machine be idle, and TMPDIR be on a fast disk. The processor time depends less on other
processes.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

LAUNCHES = 30000
PTX = pathlib.Path(__file__).resolve().parent.parent / "capture" / "cuda" / "kernels.ptx"


def seconds_of(command, environment):
    """Returns the run time of a command, and the processor time of it and its children."""
    before, start = os.times(), time.monotonic()
    subprocess.run([str(word) for word in command], check=False, env=environment, stdout=subprocess.DEVNULL)
    after = os.times()
    return (time.monotonic() - start,
            after.children_user - before.children_user + after.children_system - before.children_system)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("kernels", type=pathlib.Path)
    parser.add_argument("--perfmodel", default=os.environ.get("PERFMODEL", "perfmodel"))
    parser.add_argument("--megabytes", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    environment = {**os.environ, "LD_LIBRARY_PATH": str(options.kernels.resolve().parent), "CUPTI_ACTIVITY": "1"}
    print(f"{'program':28} {'time':9} {'alone':>8} {'captured':>8} {'ratio':>6} {'MB':>7}")
    for name, mode in ((f"{LAUNCHES} launches", f"launches={LAUNCHES}"),
                       (f"20 launches, 2 x {options.megabytes} MB", f"large={options.megabytes}")):
        alone, captured = [], []
        with tempfile.TemporaryDirectory() as folder:
            command = [options.program.resolve(), options.kernels.resolve(), mode, PTX]
            for turn in range(options.rounds):
                path = pathlib.Path(folder) / f"{turn}.perfmodel"
                alone.append(seconds_of(command, environment))
                captured.append(seconds_of([options.perfmodel, "capture", "--quiet", "-o", path, "--", *command], environment))
                size = sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
                shutil.rmtree(path)
        for i, kind in enumerate(("run", "processor")):
            before, after = (min(row[i] for row in rows) for rows in (alone, captured))
            print(f"{name:28} {kind:9} {before:8.2f} {after:8.2f} {after / before:6.2f} {size / 1e6:7.1f}")


if __name__ == "__main__":
    main()
