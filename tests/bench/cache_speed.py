#!/usr/bin/env python3
"""Measure the processor time of whole commands with an empty cache, with only the installed fits, with a full cache,
and without a cache. With --before, another perfmodel runs in turn with this one. The lowest time of --runs runs counts.

    tests/bench/cache_speed.py --perfmodel build/bin/perfmodel [--before OTHER/bin/perfmodel] [--runs 3] [--only WORD]

SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import os
import pathlib
import resource
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = "page.html"
COMMANDS = (
    ("predict, a GPU", "predict --target gtx980"),
    ("predict, four GPUs", "predict --target gtx980 --target a100 --target k20c --target v100"),
    ("predict, a program", "predict --target gtx980 --program nbody"),
    ("trace nbody", "trace --target h100 --program nbody --size 8192"),
    ("advise nbody", "advise --target gtx980 --program nbody --size 8192"),
    ("report, 2 GPUs, 3 programs",
     f"report --target gtx980 --target h100 --program nbody --program matmul_tiled --program sobel3x3 -o {PAGE}"),
    ("tune, 260 versions",
     f"tune --target gtx980 --budget 260 {ROOT}/kernels/tune/matmul_tiles.workload"),
)


def seconds_of(program, words, folder, environment):
    """Returns user and system time in seconds of the command and of all processes that it
    started."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([program, *words], check=False, capture_output=True, text=True, cwd=folder,
                          stdin=subprocess.DEVNULL, env={**os.environ, **environment})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(words)}: {done.stderr}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def without_fits(program, folder):
    """Copies the program's installation without the shipped fits."""
    tree = pathlib.Path(program).resolve().parent.parent
    copy = pathlib.Path(folder) / "without-fits"
    for part in ("bin", "lib/perfmodel"):
        (copy / part).mkdir(parents=True)
        for file in (tree / part).iterdir():
            if file.is_file():
                shutil.copy2(file, copy / part / file.name)
    (copy / "share").mkdir()
    (copy / "share" / "perfmodel").symlink_to((tree / "share" / "perfmodel").resolve())
    return str(copy / "bin" / "perfmodel")


def measure(options, words, folder):
    """Returns the lowest time of each state of the cache."""
    bare, times = without_fits(options.perfmodel, folder), {}
    for run in range(options.runs):
        cache = pathlib.Path(folder) / f"cache{run}"
        ways = [("before", options.before, "off")] if options.before else []
        ways += [("off", options.perfmodel, "off"), ("empty", bare, cache / "bare"),
                 ("installed", options.perfmodel, cache / "own"), ("full", options.perfmodel, cache / "own")]
        for name, program, where in ways:
            took = seconds_of(program, words, folder, {"PERFMODEL_CACHE": str(where)})
            times[name] = min(took, times.get(name, took))
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--perfmodel", required=True)
    parser.add_argument("--before")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", default="", help="commands whose name has the word")
    options = parser.parse_args()
    options.perfmodel = str(pathlib.Path(options.perfmodel).resolve())
    names = ([("before")] if options.before else []) + ["off", "empty", "installed", "full"]
    print(f"| seconds of processor time | {' | '.join(names)} |\n|---|{'---|' * len(names)}")
    for name, command in COMMANDS:
        if options.only in name:
            with tempfile.TemporaryDirectory() as folder:
                times = measure(options, command.split(), folder)
            print(f"| {name} | {' | '.join(f'{times[way]:.2f}' for way in names)} |", flush=True)


if __name__ == "__main__":
    main()
