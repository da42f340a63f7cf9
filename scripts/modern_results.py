#!/usr/bin/env python3
"""Prints the tables of docs/results/modern.md: errors of traced counters and of predicted times of kernels/modern.

Usage: modern_results.py MEASURED.csv TRACED.csv PREDICTIONS.json [--list]

MEASURED and TRACED are datasets of the same GPU, such as h200-modern and h200-modern-trace. PREDICTIONS is what
`perfmodel predict --target GPU TRACED.csv --json` prints. kernels/modern/programs.csv has the kind of each program, and
whether it is of the blind part. The error of a counter is |traced / measured - 1|; kernels in which both are 0 are left
out. The error of a time is |predicted / measured - 1| of a kernel in a size. --list prints each time.

Exit code: 0; 2, after a line on standard error, if an input is wrong.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import csv
import json
import math
import pathlib
import statistics
import sys

KEY = ("program", "variant", "size", "kernel")
COUNTERS = ("inst_executed", "thread_inst_executed", "inst_fp32", "inst_int", "inst_special", "inst_conversion",
            "inst_control", "inst_memory", "branch", "pipe_fma", "pipe_fmaheavy", "pipe_alu", "gld_request",
            "gst_request", "gld_sector", "gst_sector", "global_wavefront", "shared_load", "shared_store",
            "shared_wavefront", "atomic", "local_load", "l2_read_sector", "l2_write_sector", "dram_read_bytes",
            "registers", "shared_bytes", "resident_groups")
PROGRAMS = pathlib.Path(__file__).resolve().parent.parent / "kernels/modern/programs.csv"


def rows_of(path):
    """Returns the rows of a dataset by their key."""
    with open(path, newline="", encoding="utf-8") as table:
        return {tuple(row[name] for name in KEY): row for row in csv.DictReader(table)}


def quantile(values, part):
    """Returns the smallest value that at least this part of the values does not exceed."""
    values = sorted(values)
    return values[max(0, math.ceil(part * len(values)) - 1)]


def percent(value):
    return "inf" if math.isinf(value) else f"{100 * value:.1f} %"


def counter_table(measured, traced):
    """Prints the errors of each counter over the kernels that both datasets have."""
    print("| counter | kernels | exact | median error | 90th percentile | largest |\n|---|---|---|---|---|---|")
    for name in COUNTERS:
        errors = []
        for key in measured.keys() & traced.keys():
            was, is_now = (rows[key].get(name) or "" for rows in (measured, traced))
            if not was or not is_now or float(was) == float(is_now) == 0:
                continue
            errors.append(abs(float(is_now) / float(was) - 1) if float(was) else math.inf)
        if errors:
            exact = sum(error < 0.0005 for error in errors)
            print(f"| {name} | {len(errors)} | {exact} | {percent(statistics.median(errors))} | "
                  f"{percent(quantile(errors, 0.9))} | {percent(max(errors))} |")


def summary(title, times):
    """Prints a row for times, each with the measured time, the predicted time and the ends of the interval."""
    if not times:
        return
    errors = [abs(t["predicted_s"] / t["time_s"] - 1) for t in times]
    inside = sum(t["lo_s"] <= t["time_s"] <= t["hi_s"] for t in times)
    ratio = statistics.median(t["predicted_s"] / t["time_s"] for t in times)
    print(f"| {title} | {len(times)} | {percent(statistics.mean(errors))} | {percent(statistics.median(errors))} | "
          f"{inside} ({round(100 * inside / len(times))} %) | {ratio:.2f} |")


def times_of(measured, predictions, programs):
    """Returns the measured and predicted times of each kernel in each size."""
    times = []
    for p in predictions:
        row = measured.get(tuple(p[name] for name in KEY))
        if row and row["time_s"]:
            times.append({**p, **programs[p["program"]], "time_s": float(row["time_s"])})
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("measured")
    parser.add_argument("traced")
    parser.add_argument("predictions")
    parser.add_argument("--list", action="store_true", help="print each time, too")
    arguments = parser.parse_args()
    with open(PROGRAMS, newline="", encoding="utf-8") as table:
        programs = {row["program"]: {"kind": row["kind"], "part": row["part"]} for row in csv.DictReader(table)}
    measured, traced = rows_of(arguments.measured), rows_of(arguments.traced)
    with open(arguments.predictions, encoding="utf-8") as text:
        predictions = json.load(text)["predictions"]
    counter_table(measured, traced)
    times = times_of(measured, predictions, programs)
    print("\n| programs | times | mean error | median | in the interval | median of predicted / measured |\n"
          "|---|---|---|---|---|---|")
    for part in ("blind", "open"):
        of_part = [t for t in times if t["part"] == part]
        summary(part, of_part)
        for kind in ("tensor", "attention", "bandwidth", "reductions"):
            summary(f"{part}, {kind}", [t for t in of_part if t["kind"] == kind])
    summary("all", times)
    for size in ("small", "medium", "large"):
        summary(f"all, {size}", [t for t in times if t["size"] == size])
    if arguments.list:
        for t in sorted(times, key=lambda t: (t["part"], t["program"], t["kernel"], t["time_s"])):
            print(f"{t['part']:6} {t['kind']:10} {t['program']:26} {t['kernel']:18} {t['size']:7}"
                  f"{1e6 * t['time_s']:9.1f} {1e6 * t['predicted_s']:9.1f} {t['predicted_s'] / t['time_s']:6.2f} "
                  f"{t.get('bound')}")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (OSError, KeyError, ValueError) as error:
        print(f"modern_results.py: {error}", file=sys.stderr)
        sys.exit(2)
