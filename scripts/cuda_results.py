#!/usr/bin/env python3
"""Predictions of CUDA programs beside their times: for nothing, the program and its class left out, the mean and the median
error over versions and sizes from some times on, and the share that 90 % intervals cover.

    cuda_results.py [--perfmodel PATH] [--target h200] [--dataset h200-cuda]

SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import csv
import json
import pathlib
import statistics
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
LEAST_S = (0, 20e-6, 100e-6)


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return {(r["program"], r["variant"], r["size"], r["kernel"]): float(r["time_s"]) for r in csv.DictReader(file)}


def predict(options, left_out):
    command = [options.perfmodel, "predict", "--target", options.target, "--from", f"{options.dataset}-trace", "--json"]
    if left_out:
        command += ["--leave-out", left_out]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)["predictions"]


def totals(predictions, measured):
    """(measured, predicted, low, high) of each version in each size."""
    sums = {}
    for p in predictions:
        key = (p["program"], p["variant"], p["size"])
        seconds = measured.get((*key, p["kernel"]))
        if seconds:
            values = (seconds, p["predicted_s"], p["lo_s"], p["hi_s"])
            sums[key] = tuple(map(sum, zip(sums.get(key, (0,) * 4), values)))
    return sums.values()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--perfmodel", default=str(ROOT / "build" / "bin" / "perfmodel"))
    parser.add_argument("--target", default="h200")
    parser.add_argument("--dataset", default="h200-cuda")
    options = parser.parse_args()
    measured = rows_of(ROOT / "datasets" / f"{options.dataset}.csv")
    print("| left out | times of at least | versions and sizes | mean error | median | 90 % intervals cover |")
    print("|---|---|---|---|---|---|")
    for left_out in (None, "program", "class"):
        sums = totals(predict(options, left_out), measured)
        for least in LEAST_S:
            some = [s for s in sums if s[0] >= least]
            errors = [abs(p / t - 1) for t, p, _, _ in some]
            cover = statistics.mean(low <= t <= high for t, _, low, high in some)
            print(f"| {left_out or 'nothing'} | {least * 1e6:.0f} us | {len(some)} | {100 * statistics.mean(errors):.1f} % | "
                  f"{100 * statistics.median(errors):.1f} % | {100 * cover:.0f} % |")


if __name__ == "__main__":
    main()
