#!/usr/bin/env python3
"""Holds the trace engine's accesses against those that Oclgrind executes, kernel by kernel.

Usage: oclgrind_accesses.py RUN_ONCE [--markdown]

Oclgrind (Price and McIntosh-Smith, IWOCL 2015) interprets the same OpenCL C with a compiler and an
execution model of its own. Both run the same launches once; compared are, for each kernel, how many
work-items' loads and stores of global and local memory there are, how many bytes they move, and how
many work-items pass barriers. Where one compiler joins or splits accesses that the other does not,
EXPLAINED has the exact ratio and the reason; any other difference fails, and so does a ratio that no
longer holds. Ends with 77 where Oclgrind, or what the engine compiles with, is missing.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import re
import shutil
import subprocess
import sys
from fractions import Fraction

# Options that make programs small enough for an interpreter. A number at the end: work-groups of
# each launch.
WORKLOADS = (
    ("matmul_tiled", "local", "64"), ("matmul_tiled", "nolocal", "64"),
    ("matmul_float4", "local", "128"), ("matmul_float4", "nolocal", "128"),
    ("dct8x8", "local", "64"), ("dct8x8", "nolocal", "64"),
    ("haar1d", "local", "524288", "64"), ("haar1d", "nolocal", "524288", "64"),
    ("nbody", "local", "512"), ("nbody", "nolocal", "512"),
    ("fdtd3d", "local", "64x32x4"), ("fdtd3d", "nolocal", "64x32x4"),
    ("median3x3", "local", "64x64"), ("median3x3", "nolocal", "64x64"),
    ("sobel3x3", "local", "64x64"), ("sobel3x3", "nolocal", "64x64"),
    ("binomial", "local", "4"), ("binomial", "nolocal", "4"),
    ("matmul", "local", "50"), ("matmul", "nolocal", "50"),
    ("inverse", "local", "40"), ("inverse", "nolocal", "40"),
    ("aes128", "local", "1", "4"), ("aes128", "nolocal", "1", "4"),
    ("sph", "aos", "1024"), ("idw", "aos", "512"),
    ("copy", "float", "1", "8"), ("copy", "float2", "1", "8"), ("copy", "float4", "1", "8"),
    ("copy", "float8", "1", "8"), ("copy", "float16", "1", "8"),
    ("cfd", "aos", "8x4x4"), ("particlefilter", "aos", "512"),
)
WHAT = ("load global", "store global", "load local", "store local", "barrier")

# (program, variant, what): (ratio of the engine's accesses to Oclgrind's, ratio of bytes or None if
# Oclgrind does not report them, reason). A kernel's name precedes `what` if the program's other
# kernels have no difference.
PIECES = "no instruction of a GPU moves more than 16 bytes: a longer vector takes several"
STORES = "Oclgrind's clang takes the stored float4 apart: as a float2, a float and so on"
STRUCTS = "Oclgrind has a struct's copy as one call; the engine loads and stores its five members"
ROW_OF_A = "a row of a_tile is read four floats at a time: of 32 loads 16 become 4"
EXPLAINED = {
    ("cfd", "aos", "copy_variables", "load global"): (Fraction(5), None, STRUCTS),
    ("cfd", "aos", "copy_variables", "store global"): (Fraction(5), None, STRUCTS),
    ("copy", "float8", "load global"): (Fraction(2), Fraction(1), PIECES),
    ("copy", "float8", "store global"): (Fraction(2), Fraction(1), PIECES),
    ("copy", "float16", "load global"): (Fraction(4), Fraction(1), PIECES),
    ("copy", "float16", "store global"): (Fraction(4), Fraction(1), PIECES),
    ("nbody", "local", "store global"): (Fraction(2, 5), Fraction(1), STORES),
    ("nbody", "nolocal", "store global"): (Fraction(2, 5), Fraction(1), STORES),
    ("haar1d", "local", "load global"): (
        Fraction(1, 2), Fraction(1), "a float2 is one load, of which Oclgrind's clang makes two"),
    ("haar1d", "nolocal", "load global"): (
        Fraction(16897 + 2 * 16830, 2 * 16897 + 16830), Fraction(1),
        "16897 float2 are one load each and two in Oclgrind; 16830 vload2 the other way round: "
        "they need not be aligned to 8 bytes, and Oclgrind has vload2 as one call"),
    ("matmul_tiled", "local", "load local"): (Fraction(5, 8), Fraction(1), ROW_OF_A),
    ("matmul", "local", "load local"): (Fraction(5, 8), Fraction(1), ROW_OF_A),
    ("dct8x8", "local", "load local"): (
        Fraction(5, 8), Fraction(1), "the 8 loads of a row of cx_tile become 2 of float4"),
    ("sobel3x3", "local", "load global"): (
        Fraction(1, 3), Fraction(4, 3),
        "a uchar4 is one load; Oclgrind's clang loads the three bytes of it that are used"),
}

COUNT = re.compile(r"\s*(\d+) - (load|store) (global|local|shared)(?: \((\d+) bytes\))?$")
VECTOR = re.compile(r"\s*(\d+) - call _Z\d+v(load|store)(\d+)(?:Dv\d+_)?.*PU3AS([13])K?([a-z])\(\)$")
COPY = re.compile(r"\s*(\d+) - call llvm\.memcpy\.p1\w*\.p1\w*\.i64\(\)$")
BARRIER = re.compile(r"\s*(\d+) - (?:call _Z7barrierj\(\)|(barrier of warps))$")
ELEMENT = {"c": 1, "h": 1, "s": 2, "t": 2, "i": 4, "j": 4, "f": 4, "l": 8, "m": 8, "d": 8}
WARP = 32  # all launches here consist of whole warps


class Missing(Exception):
    """A program or library that this machine lacks."""


def parse(text):
    """Returns {kernel: {what: [accesses, bytes]}}, summed over launches."""
    kernels = {}
    counts = None
    for line in text.splitlines():
        head = re.match(r"Instructions executed for kernel '(\w+)':", line)
        if head:
            counts = kernels.setdefault(head[1], {what: [0, 0] for what in WHAT})
            continue
        plain, vector = COUNT.match(line), VECTOR.match(line)
        copy, barrier = COPY.match(line), BARRIER.match(line)
        if plain:
            space = "local" if plain[3] == "shared" else plain[3]
            add, moved, what = int(plain[1]), int(plain[4]), f"{plain[2]} {space}"
        elif vector:
            add = int(vector[1])
            moved = add * int(vector[3]) * ELEMENT[vector[5]]
            what = f"{vector[2]} {'global' if vector[4] == '1' else 'local'}"
        elif copy:
            for what in ("load global", "store global"):
                counts[what][0] += int(copy[1])
            continue
        elif barrier:
            add, moved, what = int(barrier[1]) * (WARP if barrier[2] else 1), 0, "barrier"
        else:
            continue
        counts[what][0] += add
        counts[what][1] += moved
    return kernels


def run(command):
    """Returns standard output and error of a command. A failure ends the test."""
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        tail = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:]
        if "install" in done.stderr:
            raise Missing(tail[0])
        sys.exit(f"oclgrind_accesses: {' '.join(command)}: {' '.join(tail)}")
    return done.stdout + done.stderr


def judge(key, theirs, ours):
    """Returns "same", the reason of an explained difference, or None. key: program, variant,
    kernel, what."""
    program = EXPLAINED.get((*key[:2], key[3]), (Fraction(1), Fraction(1), "same"))
    accesses, moved, why = EXPLAINED.get(key, program)
    agree = ours[0] == accesses * theirs[0] and (moved is None or ours[1] == moved * theirs[1])
    return why if agree else None


def compare(run_once, workload):
    """Yields rows (program, variant, kernel, what, Oclgrind's value, ours, verdict) of a
    workload."""
    arguments = list(workload[:3]) + (["--groups", workload[3]] if len(workload) > 3 else [])
    theirs = parse(run(["oclgrind", "--num-threads", "1", "--inst-counts", run_once, "opencl",
                        *arguments]))
    ours = parse(run([run_once, "trace", *arguments]))
    if not theirs or set(theirs) != set(ours):
        sys.exit(f"oclgrind_accesses: {' '.join(workload)}: kernels {sorted(theirs)} under "
                 f"Oclgrind, {sorted(ours)} in the engine")
    return [(*workload[:2], kernel, what, theirs[kernel][what], ours[kernel][what],
             judge((*workload[:2], kernel, what), theirs[kernel][what], ours[kernel][what]))
            for kernel in theirs for what in WHAT
            if any(theirs[kernel][what]) or any(ours[kernel][what])]


def print_rows(rows, markdown):
    """Prints one line for each kernel and kind of access."""
    head = ("program", "variant", "kernel", "what", "Oclgrind", "engine", "verdict")
    form = "| {} | {} | {} | {} | {} | {} | {} |" if markdown else \
        "{:14}{:9}{:15}{:13}{:>20}{:>20}  {}"
    print(form.format(*head))
    if markdown:
        print("|---" * len(head) + "|")
    for program, variant, kernel, what, theirs, ours, verdict in rows:
        print(form.format(program, variant, kernel, what,
                          *(f"{n[0]} ({n[1]} B)" if n[1] else str(n[0]) for n in (theirs, ours)),
                          verdict or "DIFFERENT"))


def main():
    """Returns 0 if all values agree or are explained, else 1."""
    if not shutil.which("oclgrind"):
        print("oclgrind_accesses: SKIPPED: no oclgrind (Debian: apt-get install oclgrind)")
        return 77
    rows = []
    number, count = map(int, os.environ.get("PERFMODEL_TEST_PART", "1/1").split("/"))
    workloads = WORKLOADS[number - 1::count]
    try:
        for workload in workloads:
            rows += compare(sys.argv[1], workload)
    except Missing as missing:
        print(f"oclgrind_accesses: SKIPPED: {missing}")
        return 77
    print_rows(rows, "--markdown" in sys.argv)
    seen = {(row[0], row[1], row[3]) for row in rows} | {row[:4] for row in rows}
    stale = [key for key in EXPLAINED if key not in seen and key[:2] in [w[:2] for w in workloads]]
    different = [row for row in rows if row[-1] is None]
    print(f"{len(rows)} rows: {sum(row[-1] == 'same' for row in rows)} the same, "
          f"{sum(row[-1] not in (None, 'same') for row in rows)} explained, "
          f"{len(different)} different" + (f", explained but not seen: {stale}" if stale else ""))
    return 1 if different or stale else 0


if __name__ == "__main__":
    sys.exit(main())
