#!/usr/bin/env python3
"""CUDA sources beside the same programs in OpenCL C (tests/bench/twins/): measured and counted on an NVIDIA GPU, and
counted by the trace engine. On a machine with such a GPU:

    tests/bench/twins.py [--perfmodel build/bin/perfmodel] [--target h200] [--keep FOLDER] [--sizes small,large]

prints the times of both, and of each counter what the trace engine counts in parts of what CUPTI counts: the median over
all kernels, and the farthest. --keep keeps the datasets. --compare only prints what a folder has.

SPDX-License-Identifier: GPL-3.0-or-later
"""

import argparse
import csv
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TWINS = os.path.join(HERE, "twins")
VARIANTS = ("opencl", "cuda")
COUNTERS = ("gld_request", "gst_request", "gld_sector", "gst_sector", "shared_load", "shared_store", "shared_wavefront",
            "inst_executed", "thread_inst_executed", "inst_fp32", "inst_fp64", "inst_int", "inst_control", "inst_memory",
            "branch", "barrier", "atomic", "l2_read_sector", "dram_read_bytes", "registers", "shared_bytes")
ENOUGH_S = 900


def collect(options, path, *more):
    sizes = [word for size in options.sizes.split(",") for word in ("--size", size)]
    variants = [word for variant in VARIANTS for word in ("--variant", variant)]
    print(f"collecting {path}", file=sys.stderr, flush=True)
    return subprocess.run([options.perfmodel, "collect", TWINS, *sizes, *variants, *more, "-o", path], check=False,
                          stdin=subprocess.DEVNULL, timeout=ENOUGH_S).returncode


def rows_of(path):
    """Returns the rows of kernels in their order, by program, variant and size."""
    rows = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8", newline="") as f:
            for row in csv.DictReader(f):
                rows.setdefault((row["program"], row["variant"], row["size"]), []).append(row)
    return rows


def number(row, name):
    try:
        return float(row.get(name) or "nan")
    except ValueError:
        return math.nan


def print_times(measured):
    print(f"{'program':20} {'size':6} {'kernel':22} {'OpenCL us':>10} {'CUDA us':>10} {'CUDA/OpenCL':>11}")
    for (program, variant, size), rows in measured.items():
        if variant != "cuda":
            continue
        twins = measured.get((program, "opencl", size), [{}] * len(rows))
        for row, twin in zip(rows, twins):
            cuda, opencl = number(row, "time_s") * 1e6, number(twin, "time_s") * 1e6
            print(f"{program:20} {size:6} {row['kernel']:22} {opencl:10.2f} {cuda:10.2f} {cuda / opencl:11.3f}")


def ratios(measured, traced, variant, counter):
    """Returns traced over counted values of the kernels for which both are known and one is not
    0."""
    found = []
    for key, rows in measured.items():
        for row, other in zip(rows, traced.get(key, [])) if key[1] == variant else []:
            a, b = number(row, counter), number(other, counter)
            if a > 0 and b >= 0:
                found.append((b / a, f"{key[0]} {key[2]} {row['kernel']}"))
            elif a == 0 and b > 0:
                found.append((math.inf, f"{key[0]} {key[2]} {row['kernel']}"))
    return found


def print_counters(measured, traced):
    print(f"\n{'traced / counted':22} {'variant':7} {'kernels':>7} {'median':>7}  farthest")
    for counter in COUNTERS:
        for variant in VARIANTS:
            found = ratios(measured, traced, variant, counter)
            if found:
                middle = statistics.median(r for r, _ in found)
                far = max(found, key=lambda r: abs(math.log(max(r[0], 1e-9))) if r[0] < math.inf else 99)
                print(f"{counter:22} {variant:7} {len(found):7} {middle:7.3f}  {far[0]:.3f} {far[1]}")


def compilers(path):
    with open(os.path.splitext(path)[0] + ".json", encoding="utf-8") as f:
        return {run.get("cuda_compiler") for run in json.load(f)["runs"]} - {None}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--perfmodel", default="perfmodel")
    parser.add_argument("--target", default="h200")
    parser.add_argument("--keep", metavar="FOLDER")
    parser.add_argument("--sizes", default="small,large")
    parser.add_argument("--compare", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or scratch
        measured, traced = os.path.join(folder, "twins.csv"), os.path.join(folder, "twins-trace.csv")
        codes = [0]
        if not options.compare:
            codes = [collect(options, measured, "--counters", "cupti"),
                     collect(options, traced, "--device", "none", "--target", options.target)]
        print_times(rows_of(measured))
        print_counters(rows_of(measured), rows_of(traced))
        if os.path.exists(measured):
            print("\ncompiled by " + ", ".join(sorted(compilers(measured))))
        sys.exit(max(codes))


if __name__ == "__main__":
    main()
