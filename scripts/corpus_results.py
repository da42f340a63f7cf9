#!/usr/bin/env python3
"""Prints the errors of predictions for the corpus as Markdown, each program or class left out of the training data.

For each program and size, `perfmodel advise --target TARGET --leave-out UNIT --program P --size S --variant V ...`
predicts the times of all of the program's versions from traces. The measured times are in the dataset TARGET-corpus, or
with --blind in TARGET-corpus-blind. The error of a version is |predicted / measured - 1| of the sum of its kernels'
times. The gain of a version is the time of the program's first version over the time of this version, minus 1. If the
measured gain or loss of a version is more than 5 %, the script compares the measured with the predicted gain: whether
both have the same sign, and their difference in percentage points.

Usage: scripts/corpus_results.py [--perfmodel PATH] [--csv FILE] [--jobs N] [--leave-out program|class]
       [--blind] TARGET
SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import collections
import concurrent.futures
import csv
import json
import pathlib
import re
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
FIELDS = ("class", "program", "variant", "size", "measured_s", "predicted_s", "lo_s", "hi_s", "bound")


def measured(path):
    """Returns {(program, size): {variant: seconds, summed over its kernels}}."""
    times = collections.defaultdict(lambda: collections.defaultdict(float))
    with open(path, newline="", encoding="utf-8") as table:
        for row in csv.DictReader(table):
            times[row["program"], row["size"]][row["variant"]] += float(row["time_s"])
    return times


def classes():
    """Returns {program: class} of the corpus."""
    found = {}
    for path in (HERE.parent / "kernels" / "corpus").glob("*.workload"):
        found[path.stem] = re.search(r"^class *= *(\S+)", path.read_text(encoding="utf-8"), re.M).group(1)
    return found


def predict(arguments, program, size, variants):
    """Returns the predictions of advise for the versions."""
    command = [arguments.perfmodel, "advise", "--target", arguments.target, "--leave-out", arguments.leave_out,
               "--program", program, "--size", size, "--json"]
    for variant in variants:
        command += ["--variant", variant]
    done = subprocess.run(command, check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        print(f"{' '.join(command)}: {done.stderr.strip()}", file=sys.stderr)
        return {}
    return {choice["variant"]: choice for choice in json.loads(done.stdout)["choices"]}


def all_rows(arguments):
    """Returns a row for each version that was measured and predicted."""
    kinds, rows = classes(), []
    cases = sorted(measured(arguments.dataset).items())
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        answers = pool.map(lambda case: predict(arguments, *case[0], case[1]), cases)
    for ((program, size), times), choices in zip(cases, answers):
        for variant, seconds in times.items():
            choice = choices.get(variant)
            if choice and choice["predicted_s"] is not None:
                rows.append({"class": kinds[program], "program": program, "variant": variant, "size": size,
                             "measured_s": seconds, **{key: choice[key] for key in FIELDS[5:]}})
    return rows


def error(row):
    """Returns the absolute relative error of a predicted time."""
    return abs(row["predicted_s"] / row["measured_s"] - 1)


def line(what, rows):
    """Returns a row of the Markdown table with the errors of some versions."""
    errors = [error(row) for row in rows]
    ratios = [row["predicted_s"] / row["measured_s"] for row in rows]
    inside = [row["lo_s"] <= row["measured_s"] <= row["hi_s"] for row in rows]
    return (f"| {what} | {len({row['program'] for row in rows})} | {len(rows)} | {100 * statistics.mean(errors):.1f} % | "
            f"{100 * statistics.median(errors):.1f} % | {statistics.median(ratios):.2f} | "
            f"{100 * statistics.mean(inside):.0f} % |")


def gains(rows):
    """Returns (measured, predicted) gains over a program's first version, if the measured gain or
    loss is more than 5 %."""
    groups = collections.defaultdict(list)
    for row in rows:
        groups[row["program"], row["size"]].append(row)
    pairs = [tuple(first[what] / other[what] for what in ("measured_s", "predicted_s"))
             for first, *others in groups.values() for other in others]
    return [pair for pair in pairs if abs(pair[0] - 1) > 0.05]


def main():
    """Prints the tables that the module's text describes."""
    parser = argparse.ArgumentParser(description="predictions of programs that are left out of what is learned")
    parser.add_argument("target")
    parser.add_argument("--perfmodel", default=str(HERE.parent / "build" / "bin" / "perfmodel"))
    parser.add_argument("--jobs", type=int, default=1, help="cases at once")
    parser.add_argument("--leave-out", choices=["program", "class"], default="program", help="from what is learned")
    parser.add_argument("--blind", action="store_true", help="the programs that nothing learns from")
    parser.add_argument("--csv", help="file for a row for each version")
    arguments = parser.parse_args()
    ending = "corpus-blind" if arguments.blind else "corpus"
    arguments.dataset = HERE.parent / "datasets" / f"{arguments.target}-{ending}.csv"
    rows = all_rows(arguments)
    if arguments.csv:
        with open(arguments.csv, "w", newline="", encoding="utf-8") as table:
            writer = csv.DictWriter(table, FIELDS)
            writer.writeheader()
            writer.writerows(rows)
    print("| class | programs | versions and sizes | mean error | median error | predicted over measured, median | "
          "coverage |\n|---|---|---|---|---|---|---|")
    print(line("**all**", rows))
    for kind in sorted({row["class"] for row in rows}):
        print(line(kind, [row for row in rows if row["class"] == kind]))
    pairs = gains(rows)
    right = sum((measured > 1) == (predicted > 1) for measured, predicted in pairs)
    points = statistics.median(100 * abs(predicted - measured) for measured, predicted in pairs)
    print(f"\nGains between versions, of the right sign: {right} of {len(pairs)}; {points:.1f} points off in the median")


if __name__ == "__main__":
    main()
