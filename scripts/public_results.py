#!/usr/bin/env python3
"""Prints the errors of predictions of times that others published, as Markdown.

UNIT is left out of the training data of the predicted times: the GPU, its architecture, or the program.
`perfmodel validate public --leave-out UNIT --json` makes the predictions. For comparison, the tables have the errors of
`--method units`, which uses one set of parameters for all GPUs, learned on the GPUs that perfmodel measured, and of three
estimates without a model. The first two take the time of the same work on the GPU with the nearest year of release (of
another architecture, if the architecture is left out), times the ratio of both GPUs' DRAM bandwidths, or of their FP32
rates. The third is the roofline: the longer of the times to transfer the DRAM bytes and to execute the FP32 instructions
at peak rates. Times under 40 us are left out, because they consist mostly of the overhead of the launch.

A pair is two variants of a program in one size on one GPU, such as with and without local memory, along rows and along
columns, or with arrays of structs and structs of arrays. If a tuner measured at least 20 configurations of a program on
a GPU, two more results are printed. One is the time of the best of the ten configurations with the shortest predicted
times, relative to the fastest configuration. The other is the rank correlation of predicted and measured times.

Usage: scripts/public_results.py [--perfmodel PATH] [--datasets DIR] [--json DIR] [--leave-out UNIT]...
SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import collections
import csv
import itertools
import json
import pathlib
import statistics
import subprocess

HERE = pathlib.Path(__file__).resolve().parent.parent
LEAST_S = 40e-6
DIFFER = 1.1
TUNERS, TUNED = ("benchmark_hub", "ktt"), 20
KEY = ("program", "variant", "size", "kernel")


def rows_of(path):
    """Returns the rows of a CSV file by column."""
    with open(path, newline="", encoding="utf-8") as table:
        return list(csv.DictReader(table))


def number(text):
    """Returns the value of a cell; 0 if it is empty."""
    return float(text) if text else 0.0


def key_of(row):
    """Returns the key of a sample. Samples with equal keys are the same work."""
    return tuple(row[name] for name in KEY)


# ---- guesses without a model -------------------------------------------------------------------


class Guesses:
    """Estimates of times without a model, for comparison."""

    def __init__(self, datasets):
        self.gpus = {row["device"]: row for row in rows_of(datasets / "devices.csv")}
        self.times = collections.defaultdict(dict)
        self.traces = {}
        for path in sorted((datasets / "public").glob("*.csv")):
            gpu = path.stem.removesuffix("-trace")
            for row in rows_of(path):
                if path.stem.endswith("-trace"):
                    self.traces[(gpu, *key_of(row))] = row
                else:
                    self.times[key_of(row)][gpu] = float(row["time_s"])

    def fp32(self, gpu):
        """Returns the peak rate of a GPU in FP32 instructions of work-items per second."""
        row = self.gpus[gpu]
        return (float(row["fma_per_cycle"]) * float(row["warp_width"]) * float(row["compute_units"])
                * float(row["clock_mhz"]) * 1e6)

    def bandwidth(self, gpu):
        """Returns the peak DRAM bandwidth of a GPU in bytes per second."""
        return float(self.gpus[gpu]["dram_gb_s"]) * 1e9

    def ratio(self, sample, rate, unit):
        """Scales the time on the GPU nearest in age by the ratio of the two GPUs' rates; None:
        there is no other GPU."""
        target = self.gpus[sample["device"]]
        others = [gpu for gpu in self.times[key_of(sample)] if gpu != sample["device"] and gpu in self.gpus
                  and (unit != "architecture" or self.gpus[gpu]["architecture"] != target["architecture"])]
        if not others:
            return None
        nearest = min(others, key=lambda gpu: (abs(float(self.gpus[gpu]["year"]) - float(target["year"])), gpu))
        return self.times[key_of(sample)][nearest] * rate(nearest) / rate(sample["device"])

    def roofline(self, sample):
        """Returns the seconds of a sample at peak rates; None: it was not traced."""
        row = self.traces.get((sample["device"], *key_of(sample)))
        if not row:
            return None
        moved = number(row["dram_read_bytes"]) + number(row["dram_write_bytes"])
        return max(moved / self.bandwidth(sample["device"]), number(row["inst_fp32"]) / self.fp32(sample["device"]))


# ---- errors and tables -------------------------------------------------------------------------


def errors(samples, seconds):
    """Returns relative errors of the samples that have a prediction."""
    return [abs(s / sample["measured_s"] - 1) for sample, s in zip(samples, seconds) if s]


def two(values):
    """Formats the median and the mean of errors as two cells."""
    return (f"{100 * statistics.median(values):.1f} % | {100 * statistics.mean(values):.1f} %" if values else "- | -")


def coverage(samples):
    """Returns the fraction of measured times that are inside their intervals."""
    return statistics.mean(s["lo_s"] <= s["measured_s"] <= s["hi_s"] for s in samples)


def table(title, groups, units, guesses, unit):
    """Prints a row for each group: errors of the model, of the model with one set of parameters,
    and of the guesses."""
    print(f"| {title} | times | median | mean | 90 % intervals cover | one set: median | mean | bandwidths: median | mean "
          "| FP32: median | mean | roofline: median | mean |")
    print("|---" * 13 + "|")
    for name, samples in groups:
        beside = [units.get((s["device"], *key_of(s)), {}).get("predicted_s") for s in samples]
        cells = [two(errors(samples, beside)),
                 two(errors(samples, [guesses.ratio(s, guesses.bandwidth, unit) for s in samples])),
                 two(errors(samples, [guesses.ratio(s, guesses.fp32, unit) for s in samples])),
                 two(errors(samples, [guesses.roofline(s) for s in samples]))]
        print(f"| {name} | {len(samples)} | {two(errors(samples, [s['predicted_s'] for s in samples]))} "
              f"| {100 * coverage(samples):.0f} % | {' | '.join(cells)} |")
    print()


def by(samples, name):
    """Returns samples grouped by a field, in alphabetical order."""
    groups = collections.defaultdict(list)
    for sample in samples:
        groups[sample.get(name, "")].append(sample)
    return sorted(groups.items())


def pairs(samples):
    """Returns (measured ratio, predicted ratio, program) of the times of two variants in one size
    on one GPU."""
    cells = collections.defaultdict(dict)
    for s in samples:
        cells[s["device"], s["program"], s["size"]][s["variant"]] = s
    for (_, program, _), variants in sorted(cells.items()):
        for one, other in itertools.combinations(sorted(variants), 2):
            a, b = variants[one], variants[other]
            yield a["measured_s"] / b["measured_s"], a["predicted_s"] / b["predicted_s"], program


def print_pairs(samples):
    """Prints how well the faster of two variants and the ratio of their times are predicted."""
    groups = collections.defaultdict(list)
    for measured, predicted, program in pairs(samples):
        groups[program].append((measured, predicted))
        groups["**all**"].append((measured, predicted))
    print("| program | pairs | pairs that differ by more than 10 % | right sign | median error of the ratio |")
    print("|---|---|---|---|---|")
    for program, found in sorted(groups.items()):
        differ = [(m, p) for m, p in found if max(m, 1 / m) > DIFFER]
        right = f"{100 * statistics.mean((m > 1) == (p > 1) for m, p in differ):.0f} %" if differ else "-"
        off = statistics.median(abs(p / m - 1) for m, p in found)
        print(f"| {program} | {len(found)} | {len(differ)} | {right} | {100 * off:.1f} % |")
    print()


def ranks(values):
    """Returns the rank of each value among the values."""
    order = sorted(range(len(values)), key=values.__getitem__)
    return [order.index(i) for i in range(len(values))]


def print_tuned(samples):
    """Prints the errors of programs with many configurations on a GPU."""
    groups = collections.defaultdict(list)
    for s in samples:
        work = s["size"].split("_")[0] if s["program"] == "coulomb_grid" else ""  # atoms
        if s.get("origin") in TUNERS:
            groups[f"{s['program']} {work}", s["device"]].append(s)
    print("| program | GPU | configurations | best of the ten fastest predictions: time over the best, minus 1 | "
          "rank correlation |")
    print("|---|---|---|---|---|")
    for (program, gpu), found in sorted(groups.items()):
        if len(found) < TUNED:
            continue
        chosen = sorted(found, key=lambda s: s["predicted_s"])[:10]
        best = min(s["measured_s"] for s in chosen) / min(s["measured_s"] for s in found) - 1
        rank = statistics.correlation(ranks([s["measured_s"] for s in found]), ranks([s["predicted_s"] for s in found]))
        print(f"| {program} | {gpu} | {len(found)} | {100 * best:.1f} % | {rank:.2f} |")
    print()


# ---- running -----------------------------------------------------------------------------------


def validate(arguments, unit, method):
    """Returns samples with a time of at least LEAST_S. If the folder of --json already has the
    result, it is read from there."""
    kept = arguments.json / f"{unit}-{method}.json" if arguments.json else None
    if kept and kept.exists():
        return [s for s in json.loads(kept.read_text(encoding="utf-8"))["samples"] if s["measured_s"] >= LEAST_S]
    command = [arguments.perfmodel, "validate", "public", "--leave-out", unit, "--method", method, "--json"]
    if arguments.datasets != HERE / "datasets":
        command += ["--datasets", str(arguments.datasets)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          stdin=subprocess.DEVNULL)
    if kept:
        kept.write_text(done.stdout, encoding="utf-8")
    return [s for s in json.loads(done.stdout)["samples"] if s["measured_s"] >= LEAST_S]


def main():
    """Prints the tables for each UNIT of --leave-out."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--perfmodel", default=HERE / "build" / "bin" / "perfmodel")
    parser.add_argument("--datasets", type=pathlib.Path, default=HERE / "datasets")
    parser.add_argument("--json", type=pathlib.Path, help="a folder in which what validate says is kept")
    parser.add_argument("--leave-out", action="append", choices=("gpu", "architecture", "program", "class"))
    arguments = parser.parse_args()
    guesses = Guesses(arguments.datasets)

    if arguments.json:
        arguments.json.mkdir(parents=True, exist_ok=True)
    for unit in arguments.leave_out or ("gpu", "architecture", "program"):
        samples = validate(arguments, unit, "auto")
        units = {(s["device"], *key_of(s)): s for s in validate(arguments, unit, "units")}
        print(f"**Without the {unit}**\n")
        table("", [("**all**", samples)], units, guesses, unit)
        for title, name in (("GPU", "device"), ("source", "origin"), ("program", "program")):
            table(title, by(samples, name), units, guesses, unit)
        print_pairs(samples)
        print_tuned(samples)


if __name__ == "__main__":
    main()
