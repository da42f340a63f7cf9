#!/usr/bin/env python3
"""No data race in any kernel that stages arrays: Oclgrind watches the suite's programs as they run.

Usage: test_shared_races.py RUN_ONCE PERFMODEL [--slow]

Each version in local memory is run once at a small size: no data race, no barrier that only some work-items
reach, no access outside of a buffer. A version that is refused is told. That Oclgrind would see a race is shown
by staged kernels that miss one of their barriers. Ends with 77 where Oclgrind is missing. SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/..")
import program

# Program, size (with the number of work-groups that run, if not all do), versions.
WORKLOADS = (
    ("matmul_tiled", "32", ("shared", "shared:a", "shared:b", "shared/8")),
    ("matmul_float4", "64", ("shared", "shared/4")),
    ("matmul", "40", ("shared", "shared/4")),
    ("inverse", "24", ("shared",)),
    ("dct8x8", "64", ("shared",)),
    ("haar1d", "524288 --groups 16", ("shared",)),
    ("nbody", "512", ("shared", "shared/64")),
    ("fdtd3d", "32x16x2", ("shared",)),
    ("median3x3", "32x32", ("shared",)),
    ("sobel3x3", "32x32", ("shared",)),
    ("binomial", "1", ("shared",)),
    ("sph", "512", ("shared", "soa;shared")),
    ("idw", "256", ("shared", "soa;shared")),
    ("cfd", "4x4x4", ("shared", "soa;shared")),
    ("particlefilter", "256", ("shared", "soa;shared")),
)
SLOW = (("aes128", "1", ("shared",)),)  # minutes
REFUSED = re.compile(r"run_once: (.*\.cl:\d*:? |nothing to stage)")
FAULTS = re.compile(r"data race|[Ii]nvalid (read|write)|divergence|FATAL|out of bounds")
STAGED_AT_LEAST = 2  # programs of a part
TIMEOUT = 300


def run(command, **named):
    """Returns the exit code and all output of a command."""
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=TIMEOUT, **named)
    return done.returncode, done.stdout + done.stderr


def first_lines(text):
    """Returns the useful lines of a long output."""
    return "\n".join(line for line in text.splitlines() if line.strip())[:1500]


def watch(run_once, name, variant, size):
    """Returns the fault of a version, "" if there is none; None: it was refused."""
    code, text = run(["oclgrind", "--data-races", run_once, "opencl", name, variant, *size.split()])
    if FAULTS.search(text):
        return first_lines(text)
    if code == 0:
        return ""
    if REFUSED.search(text):
        print(f"test_shared_races: {name} {variant}: refused: {text.strip().splitlines()[-1]}")
        return None
    return f"exit code {code}: {first_lines(text)}"


def races(folder, source):
    """Returns whether a matmul_tiled of two tiles per row and column has a race."""
    (folder / "kernel.cl").write_text(source, encoding="utf-8")
    floats = "<size=4096 float fill=1>\n"
    (folder / "kernel.sim").write_text(f"{folder}/kernel.cl\nmatmul_tiled\n32 32 1\n16 16 1\n{floats * 3}"
                                       "<size=4 int>\n32\n", encoding="utf-8")
    code, text = run(["oclgrind-kernel", "--data-races", "--build-options", "-DTILE=16", folder / "kernel.sim"])
    if code != 0:
        sys.exit(f"test_shared_races: oclgrind-kernel: exit code {code}: {first_lines(text)}")
    return "data race" in text


def check_barriers(perfmodel, folder):
    """Oclgrind finds no race in a staged kernel, and one if any of its barriers is removed."""
    done = subprocess.run([perfmodel, "transform", "--shared", "--program", "matmul_tiled"], check=True,
                          capture_output=True, text=True)
    lines = done.stdout.splitlines(keepends=True)
    barriers = [i for i, line in enumerate(lines) if "barrier(" in line]
    if not barriers or races(folder, done.stdout):
        sys.exit(f"test_shared_races: matmul_tiled races, or has no barrier:\n{done.stdout}")
    for i in barriers:
        if not races(folder, "".join(lines[:i] + lines[i + 1:])):
            sys.exit(f"test_shared_races: without the barrier of line {i + 1} Oclgrind sees no race in:\n{done.stdout}")
    return len(barriers)


def main():
    """Tests all versions of all programs."""
    run_once, perfmodel = sys.argv[1:3]
    if not shutil.which("oclgrind") or not shutil.which("oclgrind-kernel"):
        print("test_shared_races: SKIPPED: no oclgrind (Debian: apt-get install oclgrind)")
        return 77
    os.environ.setdefault("ASAN_OPTIONS", "verify_asan_link_order=0:detect_leaks=0")
    with tempfile.TemporaryDirectory() as folder:
        barriers = check_barriers(perfmodel, pathlib.Path(folder))
    wrong, clean, staged = [], 0, set()
    for name, size, variants in program.part_of(WORKLOADS) + (SLOW if "--slow" in sys.argv else ()):
        for variant in variants:
            fault = watch(run_once, name, variant, size)
            if fault:
                wrong.append(f"{name} {variant} {size}: {fault}")
            elif fault == "":
                clean += 1
                staged.add(name)
    for text in wrong:
        print(f"test_shared_races: {text}")
    print(f"test_shared_races: {clean} versions of {len(staged)} programs without a fault, {len(wrong)} with one; "
          f"{barriers} kernels without a barrier race")
    return 1 if wrong or len(staged) < STAGED_AT_LEAST else 0


if __name__ == "__main__":
    sys.exit(main())
