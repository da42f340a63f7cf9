#!/usr/bin/env python3
"""Holds the registers that the trace engine estimates against those that NVIDIA's ptxas gives.

Usage: ptxas_registers.py PERFMODEL [--ptxas PATH] [--target NAME] [--suite SET] [--measured FILE.csv]...

Each program of the suite and the corpus, every variant in its smallest size, is traced with estimates
and with --ptxas. Printed are, for each kernel, registers of a work-item and resident work-groups by
both; last, how many of the estimates are within 10 % of ptxas, and in how many kernels as many
work-groups are resident. --measured names datasets with what a GPU's driver tells of the same kernels
(collect on the machine that has it); both are then held against that too. Ends with 77 where there is
no ptxas that knows the target.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import concurrent.futures
import csv
import json
import os
import statistics
import subprocess
import sys

WITHIN = 0.10
# Registers do not depend on how many work-groups run.
SAMPLE = "0.000001"


def run(perfmodel, *arguments):
    """Runs a command and returns the finished process."""
    return subprocess.run([perfmodel, *arguments], check=False, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL)


def trace(perfmodel, target, workload, ptxas):
    """Returns {kernel: (registers, resident work-groups, source of the registers)}; None if it
    cannot be traced."""
    program, variant, size = workload
    more = [] if ptxas is None else [f"--ptxas={ptxas}" if ptxas else "--ptxas"]
    done = run(perfmodel, "trace", "--program", program, "--variant", variant, "--size", size,
               "--target", target, "--sample", SAMPLE, "--json", *more)
    if done.returncode != 0:
        print(f"{program} {variant}: {done.stderr.strip()}", file=sys.stderr)
        return None
    kernels = {}
    for kernel in json.loads(done.stdout)["kernels"]:
        values = (kernel["counters"][name]["value"] for name in ("registers", "resident_groups"))
        kernels[kernel["kernel"]] = (*values, kernel["registers_source"])
    return kernels


def read_measured(paths):
    """Returns {(program, variant, size, kernel): (registers, resident work-groups)} of datasets."""
    measured = {}
    for path in paths:
        with open(path, newline="", encoding="utf-8") as table:
            for row in csv.DictReader(table):
                if row["registers"] and row["resident_groups"]:
                    key = (row["program"], row["variant"], row["size"], row["kernel"])
                    measured[key] = (float(row["registers"]), float(row["resident_groups"]))
    return measured


def summary(name, pairs):
    """Prints one line that compares pairs of (registers, groups)."""
    off = [abs(mine[0] / other[0] - 1) for mine, other in pairs]
    near = sum(error <= WITHIN for error in off)
    same = sum(mine[1] == other[1] for mine, other in pairs)
    print(f"{name}: {len(pairs)} kernels; registers {statistics.median(off):.1%} off in the median, "
          f"{near / len(pairs):.1%} within {WITHIN:.0%}; resident work-groups equal in {same / len(pairs):.1%}")


def rows_of(perfmodel, target, ptxas, workloads):
    """Yields (workload, kernel, estimated, assembled) of all kernels."""
    def both(workload):
        return trace(perfmodel, target, workload, None), trace(perfmodel, target, workload, ptxas)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for workload, (estimated, assembled) in zip(workloads, pool.map(both, workloads)):
            for kernel in estimated or {}:
                if assembled and kernel in assembled:
                    yield workload, kernel, estimated[kernel], assembled[kernel]


def main():
    """Prints the table and a summary. Returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("perfmodel")
    parser.add_argument("--ptxas", default="")
    parser.add_argument("--target", default="h200")
    parser.add_argument("--suite", default="all")
    parser.add_argument("--measured", action="append", default=[])
    options = parser.parse_args()
    listed = json.loads(run(options.perfmodel, "collect", "--list", "--suite", options.suite, "--json").stdout)
    workloads = [(p["program"], variant, p["sizes"][0]) for p in listed for variant in p["variants"]]
    measured = read_measured(options.measured)
    against_ptxas, estimates, assembled_ones = [], [], []
    print(f"{'program':24} {'variant':12} {'kernel':24} {'registers':>20} {'resident':>20}")
    print(f"{'':62} {'est. ptxas measured':>20} {'est. ptxas measured':>20}")
    for workload, kernel, estimated, assembled in rows_of(options.perfmodel, options.target, options.ptxas,
                                                          workloads):
        if assembled[2] == "estimate":
            continue
        known = measured.get((*workload, kernel))
        against_ptxas.append((estimated, assembled))
        if known:
            estimates.append((estimated, known))
            assembled_ones.append((assembled, known))
        print(f"{workload[0]:24} {workload[1]:12} {kernel:24}", *(
            f"{estimated[i]:6.0f} {assembled[i]:5.0f} {known[i] if known else float('nan'):8.0f}" for i in (0, 1)))
    if not against_ptxas:
        print(f"no kernel of {options.target} was assembled: is there a ptxas?", file=sys.stderr)
        return 77
    summary("estimates against ptxas", against_ptxas)
    if estimates:
        summary("estimates against measured", estimates)
        summary("ptxas against measured", assembled_ones)
    return 0


if __name__ == "__main__":
    sys.exit(main())
