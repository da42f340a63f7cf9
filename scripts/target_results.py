#!/usr/bin/env python3
"""Prints the errors of predictions from GPU profiles (rows of devices.csv), as Markdown: the errors of predicting an H200
from an H100 and an H100 from an H200, each program left out in turn, with and without the kernels' times on the other
GPU; the predicted bandwidth of a large copy on each GPU of devices.csv beside its peak and published bandwidths; and
whether a prediction is shorter than the time that peak rates allow.

Usage: scripts/target_results.py [--perfmodel PATH]
SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import csv
import json
import pathlib
import statistics
import subprocess

HERE = pathlib.Path(__file__).resolve().parent.parent
MIB = 2 ** 20
KEY = ("program", "variant", "size", "kernel")


def predict(perfmodel, *words):
    """Returns the predictions for a target from its profile."""
    done = subprocess.run([perfmodel, "predict", "--basis", "profile", "--json", *words], check=True, capture_output=True,
                          text=True)
    return json.loads(done.stdout)["predictions"]


def errors(perfmodel):
    """Prints a row for each measured GPU and each way to predict it."""
    print("| target | GPU that the model learns from | that GPU's time of the predicted kernel | samples | mean error | "
          "median error | coverage |")
    print("|---|---|---|---|---|---|---|")
    for words in ([], ["--no-source-time"]):
        for target, source in (("h200", "h100"), ("h100", "h200")):
            known = [p for p in predict(perfmodel, "--target", target, "--from", source, "--leave-out", "program", *words)
                     if "measured_s" in p]
            off = [abs(p["predicted_s"] / p["measured_s"] - 1) for p in known]
            inside = sum(p["lo_s"] <= p["measured_s"] <= p["hi_s"] for p in known) / len(known)
            print(f"| {target} | {source} | {'unknown' if words else 'known'} | {len(known)} "
                  f"| {100 * statistics.mean(off):.1f} % | {100 * statistics.median(off):.1f} % | {100 * inside:.1f} % |")


def copies(perfmodel):
    """Prints a row for each GPU: the vector width with the fastest copy of 512 MiB."""
    with open(HERE / "datasets/devices.csv", newline="", encoding="utf-8") as table:
        devices = list(csv.DictReader(table))
    with open(HERE / "datasets/published.csv", newline="", encoding="utf-8") as table:
        published = [row for row in csv.DictReader(table) if row["quantity"] == "copy_bandwidth"]
    print("| GPU | peak, GB/s | predicted copy, GB/s | predicted / peak | measured, GB/s | predicted / measured | bound | "
          "measured by |")
    print("|---|---|---|---|---|---|---|---|")
    for row in devices:
        gpu, peak = row["device"], float(row["dram_gb_s"])
        if not (HERE / f"datasets/{gpu}-trace.csv").exists():
            continue
        found = [p for p in predict(perfmodel, "--target", gpu, "--from", f"{gpu}-trace", "--program", "copy")
                 if p["size"] == "512"]
        best = min(found, key=lambda p: p["predicted_s"])
        rate = 2 * 512 * MIB / best["predicted_s"] / 1e9
        practice = [(float(p["value"]), p["source"]) for p in published if p["device"] == gpu]
        if not practice and row["dram_copy_share"]:
            practice = [(peak * float(row["dram_copy_share"]), "profile")]
        for value, source in practice or [(None, "")]:
            print(f"| {gpu} | {peak:g} | {rate:.0f} (`{best['variant']}`) | {100 * rate / peak:.0f} % | "
                  f"{'-' if value is None else f'{value:.0f}'} | {'-' if value is None else f'{rate / value:.2f}'} | "
                  f"{best['bound']} | {source} |")


def peaks(perfmodel):
    """Checks predictions for GPUs without measurements: compares the lower end of each interval
    with the time at peak DRAM bandwidth and peak FP32 rate."""
    with open(HERE / "datasets/devices.csv", newline="", encoding="utf-8") as table:
        devices = [row for row in csv.DictReader(table) if not (HERE / f"datasets/{row['device']}.csv").exists()]
    least, count = float("inf"), 0
    for row in devices:
        traced = f"{row['device']}-trace"
        with open(HERE / f"datasets/{traced}.csv", newline="", encoding="utf-8") as table:
            counted = {tuple(c[k] for k in KEY): c for c in csv.DictReader(table)}
        for p in predict(perfmodel, "--target", row["device"], "--from", traced):
            c = counted[tuple(p[k] for k in KEY)]
            warps = float(c["inst_executed"]) / float(c["thread_inst_executed"])
            # other pipes execute comparisons from Volta on
            pipe = float(c["pipe_fma"] or float(c["inst_fp32"]) * warps)
            fp32 = pipe / (float(row["fma_per_cycle"]) * float(row["compute_units"]) * float(row["clock_mhz"]) * 1e6)
            dram = (float(c["dram_read_bytes"]) + float(c["dram_write_bytes"])) / (float(row["dram_gb_s"]) * 1e9)
            if max(fp32, dram) > 0:
                least, count = min(least, p["lo_s"] / max(fp32, dram)), count + 1
    print(f"{count} predictions on {len(devices)} GPUs: the least lower end is {least:.6f} of what the peaks allow.")


def main():
    """Prints both tables and the result of the check against peak rates."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--perfmodel", default=HERE / "build/bin/perfmodel")
    arguments = parser.parse_args()
    errors(arguments.perfmodel)
    print()
    copies(arguments.perfmodel)
    print()
    peaks(arguments.perfmodel)


if __name__ == "__main__":
    main()
