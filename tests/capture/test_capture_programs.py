#!/usr/bin/env python3
"""perfmodel capture of real programs, from packages and with libraries of packages, without a change to them: they
print what they print, the workload files replay on PoCL with the results that the programs had, and a table tells what
was captured and what it cost. A program that is not installed is skipped.

Usage: tests/capture/test_capture_programs.py [--warm] [-- COMMAND ARGUMENT...]
--warm runs each twice, so that compiling its kernels is not part of the times. A command behind -- is tried in place of
the programs.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(1, sys.path[0] + "/..")
import program

HERE = pathlib.Path(__file__).resolve().parent / "programs"
PYTHON = "/usr/bin/python3"  # the interpreter for which Debian's packages are built
SKIPPED = 77


def compiled(folder, source, *words):
    """Compiles a program. Returns None if a library is missing. It is not optimised: kernels take
    most of its time, and optimising ViennaCL's templates would double the compile time."""
    path = folder / pathlib.Path(source).stem
    compiler = "c++" if source.endswith("pp") else program.CC
    done = subprocess.run([compiler, "-O0", "-w", "-DCL_TARGET_OPENCL_VERSION=120", HERE / source, "-o", path, *words],
                          check=False, capture_output=True)
    return [str(path)] if done.returncode == 0 else None


def commands(folder):
    """Returns {name: words} of an installed program; None if it is not installed."""
    def installed(name, *words):
        return [name, *words] if shutil.which(name) else None

    def python(source):
        there = subprocess.run([PYTHON, "-c", "import pyopencl"], check=False, capture_output=True).returncode == 0
        return [PYTHON, str(HERE / source)] if there else None

    makers = {"ViennaCL": lambda: compiled(folder, "solve.cpp", "-lOpenCL"),
              "clFFT": lambda: installed("clFFT-client", "-x", "1024", "-y", "256", "-p", "5"),
              "PyOpenCL": lambda: python("arrays.py"),
              "CLBlast": lambda: compiled(folder, "gemm.c", "-lclblast", "-lOpenCL"),
              "clpeak": lambda: installed("clpeak", "--kernel-latency")}
    return {name: makers[name]() for name in program.part_of(list(makers))}


def timed(words):
    """Returns seconds, exit code and output of a run without capture."""
    start = time.monotonic()
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    return time.monotonic() - start, done


def capture(folder, words):
    """Returns perfmodel's document, the program's exit code, and its output."""
    shutil.rmtree(folder, ignore_errors=True)
    done = program.run("capture", "-o", folder, "--json", "--", *words)
    at = done.stdout.rindex('{\n  "folder"')
    return json.loads(done.stdout[at:]), done.returncode, done.stdout[:at]


def replay(folder, files):
    """Returns whether all workload files reproduce the captured results on this machine's
    device."""
    done = program.run("collect", *(folder / file for file in files), "--counters", "none", "-o", folder / "x.csv")
    for path in folder.glob("x.*"):
        path.unlink()
    return done.returncode == 0 and "0 failed" in done.stdout


def replays(folder, files):
    """Returns how many workload files do. All run in one command; if one fails, each runs in a
    command of its own."""
    return len(files) if replay(folder, files) else sum(replay(folder, [file]) for file in files)


def size_of(folder):
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def try_one(name, words, folder):
    """Prints a row. Returns whether everything is as expected."""
    os.environ.pop("POCL_EXTRA_BUILD_FLAGS", None)
    if name == "CLBlast" and "--warm" not in sys.argv:  # PoCL takes half a minute to optimise its kernels
        os.environ["POCL_EXTRA_BUILD_FLAGS"] = "-cl-opt-disable"
    if "--warm" in sys.argv:
        timed(words)
        capture(folder, words)
    alone, plain = timed(words)
    told, code, _ = capture(folder, words)
    good = replays(folder, told["workloads"])
    slowdown = told["program_s"] / alone
    share = told["of_captured_kernels_s"] / told["time_s"] if told["time_s"] else 0
    print(f"{name:10} {told['captured']:4}/{told['launches']:<5} {told['kernels_captured']:3}/{told['kernels']:<3} "
          f"{100 * share:6.1f} % {size_of(folder) / 1e6:8.2f} MB {alone:8.2f} {told['program_s']:8.2f} {slowdown:6.2f} "
          f"{good:4}/{len(told['workloads'])}", flush=True)
    for left in told["left_out"]:
        print(f"             left out: {left['launches']} launches, {left['time_s']:.3g} s: {left['why']}", flush=True)
    return code == plain.returncode and good == len(told["workloads"]) > 0 and share > 0.5


def main():
    at = sys.argv.index("--") if "--" in sys.argv else 0
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        os.environ.setdefault("POCL_CACHE_DIR", str(scratch / "kernels"))
        (scratch / "kernels").mkdir()
        tried = {"program": sys.argv[at + 1:]} if at else commands(scratch)
        there = {name: words for name, words in tried.items() if words}
        print("program   launches     kernels  their time  on disk   alone s captured s  ratio  replays")
        good = [try_one(name, words, scratch / f"{name}.perfmodel") for name, words in there.items()]
    for name in tried.keys() - there.keys():
        print(f"{name}: not installed")
    if not there:
        return SKIPPED
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
