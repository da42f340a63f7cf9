#!/usr/bin/env python3
"""Compares measurements of CUDA programs on a GPU with perfmodel's predictions and traces, as Markdown.

The table of times has the mean and median error of predicted times, and the coverage of 90 % intervals. The model is
fitted with all programs, without the predicted program, and without the program's class. Each row is for versions and
sizes with at least a given time. The table of counters compares traced counters with CUPTI's on kernels for which one of
both is not 0. --list prints the kernels whose numbers of requests differ. The table of compilers compares times and
instructions of the code that clang compiles from the same sources with those of NVRTC's code.

    cuda_results.py [--perfmodel PATH] [--target h200] [--dataset h200-cuda] [--compiler h200-cuda-clang] [--list]

SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import csv
import json
import pathlib
import statistics
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATASETS = ROOT / "datasets"
LEAST_S = (0, 20e-6, 100e-6)
KEY = ("program", "variant", "size", "kernel")
REQUESTS = ("gld_request", "gst_request", "shared_load", "shared_store", "atomic")
ESTIMATES = ("inst_executed", "inst_int", "branch", "registers")
TOLERANCE = 0.02


def rows_of(name):
    """Returns the rows of a dataset by key."""
    with open(DATASETS / f"{name}.csv", encoding="utf-8", newline="") as file:
        return {tuple(row[k] for k in KEY): row for row in csv.DictReader(file)}


def is_of_corpus(program):
    return (ROOT / "kernels" / "cuda" / f"{program.removesuffix('_cuda')}.workload").exists()


GROUPS = {"all": lambda key: True, "corpus": lambda key: is_of_corpus(key[0]), "suite": lambda key: not is_of_corpus(key[0])}


# ---- times --------------------------------------------------------------------------------------------------------

def predict(options, left_out):
    command = [options.perfmodel, "predict", "--target", options.target, "--from", f"{options.dataset}-trace", "--json"]
    if left_out:
        command += ["--leave-out", left_out]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)["predictions"]


def totals(predictions, measured):
    """Returns (measured, predicted, low, high) seconds of each version in each size."""
    sums = {}
    for p in predictions:
        key = (p["program"], p["variant"], p["size"])
        row = measured.get((*key, p["kernel"]))
        if row and row["time_s"]:
            values = (float(row["time_s"]), p["predicted_s"], p["lo_s"], p["hi_s"])
            sums[key] = tuple(map(sum, zip(sums.get(key, (0,) * 4), values)))
    return sums


def print_times(options, measured):
    print("| left out | programs | times of at least | versions and sizes | mean error | median error | coverage |")
    print("|---|---|---|---|---|---|---|")
    for left_out in (None, "program", "class"):
        sums = totals(predict(options, left_out), measured)
        for group, belongs in GROUPS.items():
            for least in LEAST_S:
                some = [s for key, s in sums.items() if belongs(key) and s[0] >= least]
                errors = [abs(p / t - 1) for t, p, _, _ in some]
                cover = statistics.mean(low <= t <= high for t, _, low, high in some)
                print(f"| {left_out or 'nothing'} | {group} | {least * 1e6:.0f} us | {len(some)} | "
                      f"{100 * statistics.mean(errors):.1f} % | {100 * statistics.median(errors):.1f} % | "
                      f"{100 * cover:.0f} % |")


# ---- counters -----------------------------------------------------------------------------------------------------

def differences(measured, traced, counter, belongs):
    """Returns [(relative difference, key, measured, traced)]. The difference is infinite if only
    the traced value is not 0."""
    found = []
    for key, row in measured.items():
        a, b = row.get(counter), traced.get(key, {}).get(counter)
        if a and b and belongs(key) and (float(a) or float(b)):
            a, b = float(a), float(b)
            found.append((abs(b / a - 1) if a else float("inf"), key, a, b))
    return sorted(found)


def all_requests(measured, traced, belongs):
    return sorted(d for counter in REQUESTS for d in differences(measured, traced, counter, belongs))


def print_counters(options, measured, traced):
    print("| counter | programs | kernels | within 2 % of CUPTI's | median difference | 90th percentile |")
    print("|---|---|---|---|---|---|")
    for counter in ("all requests",) + REQUESTS + ESTIMATES:
        for group, belongs in GROUPS.items():
            found = differences(measured, traced, counter, belongs) if counter in REQUESTS + ESTIMATES else \
                all_requests(measured, traced, belongs)
            if not found:
                continue
            off = [d[0] for d in found]
            print(f"| {counter} | {group} | {len(off)} | {100 * statistics.mean(d <= TOLERANCE for d in off):.0f} % | "
                  f"{100 * statistics.median(off):.1f} % | {100 * off[-(-9 * len(off) // 10) - 1]:.0f} % |")
    for counter in REQUESTS if options.list else ():
        for off, key, a, b in differences(measured, traced, counter, GROUPS["all"]):
            if off > TOLERANCE:
                print(f"{counter}: {' '.join(key)}: {a:.0f} by CUPTI, {b:.0f} traced")


# ---- compilers ----------------------------------------------------------------------------------------------------

def print_compilers(measured, other):
    shared = [key for key in other if key in measured]
    print("| clang's value over NVRTC's | kernels | minimum | median | maximum |")
    print("|---|---|---|---|---|")
    for column in ("time_s", "inst_executed"):
        ratios = [float(other[key][column]) / float(measured[key][column]) for key in shared]
        print(f"| {column} | {len(ratios)} | {min(ratios):.2f} | {statistics.median(ratios):.2f} | {max(ratios):.2f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--perfmodel", default=str(ROOT / "build" / "bin" / "perfmodel"))
    parser.add_argument("--target", default="h200")
    parser.add_argument("--dataset", default="h200-cuda")
    parser.add_argument("--compiler", default="h200-cuda-clang", help="the same sources by another compiler")
    parser.add_argument("--list", action="store_true", help="names kernels whose requests differ")
    options = parser.parse_args()
    measured = rows_of(options.dataset)
    print_times(options, measured)
    print()
    print_counters(options, measured, rows_of(f"{options.dataset}-trace"))
    print()
    print_compilers(measured, rows_of(options.compiler))


if __name__ == "__main__":
    main()
