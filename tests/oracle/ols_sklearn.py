#!/usr/bin/env python3
"""Compares method `paper` with scikit-learn's LinearRegression, each sample or program left out.

Usage: ols_sklearn.py PERFMODEL DATASET.csv

Reads the same CSV, takes the counters that perfmodel names, z-scores them, and predicts with
LeaveOneOut and LeaveOneGroupOut. perfmodel turns a prediction below 0 into 0; so does this.
Ends with 77 where scikit-learn is missing.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import csv
import json
import subprocess
import sys

try:
    import numpy
    from sklearn.linear_model import LinearRegression
    from sklearn.model_selection import LeaveOneGroupOut, LeaveOneOut, cross_val_predict
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
except ImportError as error:
    print(f"ols_sklearn: SKIPPED: {error} (Debian: apt-get install python3-sklearn)")
    sys.exit(77)

KEY = ("program", "variant", "size", "kernel")


def compare(program, dataset, variant, leave_out):
    """Returns the largest relative difference of a prediction, and the number of predictions."""
    command = [program, "validate", dataset, "--method", "paper", "--variant", variant,
               "--leave-out", leave_out, "--json"]
    answer = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    with open(dataset, newline="", encoding="utf-8") as table:
        rows = [row for row in csv.DictReader(table) if row["variant"] == variant]
    counters = numpy.array([[float(row[name]) for name in answer["counters"]] for row in rows])
    times = numpy.array([float(row["time_s"]) for row in rows])
    programs = [row["program"] for row in rows]
    model = make_pipeline(StandardScaler(), LinearRegression())
    split = LeaveOneOut() if leave_out == "sample" else LeaveOneGroupOut()
    expected = numpy.maximum(
        cross_val_predict(model, counters, times, groups=programs, cv=split), 0)

    predicted = {tuple(sample[k] for k in KEY): sample["predicted_s"]
                 for sample in answer["samples"]}
    if len(predicted) != len(rows):
        sys.exit(f"ols_sklearn: {len(predicted)} predictions for {len(rows)} rows")
    found = numpy.array([predicted[tuple(row[k] for k in KEY)] for row in rows])
    if numpy.any((expected == 0) != (found == 0)) or not numpy.any(expected > 0):
        sys.exit(f"ols_sklearn: {variant} by {leave_out}: other predictions are 0")
    positive = expected > 0
    return numpy.max(abs(found[positive] / expected[positive] - 1)), len(rows)


def main():
    """Compares all variants and units of leaving out. Returns 1 if one of them differs."""
    program, dataset = sys.argv[1:]
    failed = False
    for variant in ("local", "nolocal"):
        for leave_out in ("sample", "program"):
            apart, count = compare(program, dataset, variant, leave_out)
            print(f"{variant}, each {leave_out} left out: {count} predictions differ by "
                  f"{apart:.1e} at most")
            failed = failed or not apart < 1e-6
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
