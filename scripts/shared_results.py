#!/usr/bin/env python3
"""Prints measured and predicted gains of staging arrays in shared memory, as Markdown.

A staged version is the variant `local`, or a variant whose name starts with `shared`. Its gain is the time of the plain
version (`nolocal`, else `aos`) over its own time. For each program, size and staged version, the table has the measured
gain, the predicted gain, and their difference in percentage points. Times are predicted from traced counters by a model
that is fitted without the program (`perfmodel validate --from`). The choice for a program and size is the version with
the shortest predicted time, which may be the plain version. The regret of a choice is its measured time over that of the
fastest version, minus 1. A summary for each GPU has the errors of the gains, the number of choices that are slower than
the plain version, and the regrets.

Measured rows come from the dataset TARGET and, if it exists, TARGET-shared. Traced rows come from TARGET-trace and
TARGET-shared-trace. If two datasets have the same row, the row of the -shared dataset is used.

Usage: scripts/shared_results.py [--perfmodel PATH] [--datasets DIR] [--method NAME] [--short] TARGET...
SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import collections
import csv
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
BASES = ("nolocal", "aos")
KEY = ("program", "variant", "size", "kernel")
TOLERANCE = 0.02  # a choice that is slower by less than this fraction counts as right

Gain = collections.namedtuple("Gain", "target program size variant measured predicted")
Choice = collections.namedtuple("Choice", "target program size variant slower regret")


def merge(paths, out):
    """Writes the rows of the CSV files that exist. A row of a later file replaces the row with the
    same key of an earlier file. A cell is empty if its file lacks the column. Ends the program if
    no file exists."""
    columns, rows = {}, {}
    for path in paths:
        if not path.exists():
            continue
        with open(path, newline="", encoding="utf-8") as table:
            reader = csv.DictReader(table)
            columns.update(dict.fromkeys(reader.fieldnames or ()))
            for row in reader:
                rows[tuple(row[name] for name in KEY)] = row
    if not rows:
        sys.exit(f"{paths[0]}: not there; `perfmodel collect` makes it")
    writer = csv.DictWriter(out, list(columns), restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows.values())
    out.flush()


def validate(arguments, folder, target):
    """Returns the samples of `perfmodel validate`, each predicted without its program."""
    with tempfile.TemporaryDirectory() as work:
        command = [arguments.perfmodel, "validate"]
        for suffix in ("", "-trace"):
            path = pathlib.Path(work) / f"{target}{suffix}.csv"
            with open(path, "w", newline="", encoding="utf-8") as out:
                merge([folder / f"{target}{suffix}.csv", folder / f"{target}-shared{suffix}.csv"], out)
            command += ["--from"] * bool(suffix) + [str(path)]
        command += ["--method", arguments.method, "--counters", "code", "--json"]
        if arguments.datasets:
            command += ["--datasets", arguments.datasets]
        done = subprocess.run(command, check=False, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    return json.loads(done.stdout)["samples"]


def times_of(samples):
    """Returns {(program, size): {variant: (measured, predicted)}}, in seconds summed over all
    kernels."""
    times = collections.defaultdict(lambda: collections.defaultdict(lambda: (0.0, 0.0)))
    for sample in samples:
        variants = times[sample["program"], sample["size"]]
        measured, predicted = variants[sample["variant"]]
        variants[sample["variant"]] = (measured + sample["measured_s"],
                                       predicted + sample["predicted_s"])
    return times


def is_staged(variant):
    """Returns whether a version stages arrays in shared memory."""
    return variant == "local" or variant.startswith("shared")


def compare(target, samples):
    """Returns the gains of all staged versions, and the choices among the versions."""
    gains, choices = [], []
    for (program, size), variants in times_of(samples).items():
        base = next((name for name in BASES if name in variants), None)
        staged = [name for name in variants if is_staged(name)]
        if base is None or not staged:
            continue
        plain = variants[base]
        gains += [Gain(target, program, size, name, plain[0] / variants[name][0],
                       plain[1] / variants[name][1]) for name in staged]
        chosen = min([base, *staged], key=lambda name, of=variants: of[name][1])
        fastest = min(variants[name][0] for name in [base, *staged])
        choices.append(Choice(target, program, size, chosen, variants[chosen][0] / plain[0] - 1,
                              variants[chosen][0] / fastest - 1))
    return gains, choices


def points(gain):
    """Returns the error of a predicted gain in percentage points."""
    return 100 * (gain.predicted - gain.measured)


def print_target(target, gains, choices):
    """Prints the table of one GPU."""
    chosen = {(c.program, c.size): c.variant for c in choices}
    print(f"\n### {target}\n\n| program | size | version | measured gain | predicted gain | error, points | "
          f"version is chosen |\n"
          + "|---" * 7 + "|")
    for gain in gains:
        mark = "yes" if chosen[gain.program, gain.size] == gain.variant else ""
        print(f"| {gain.program} | {gain.size} | `{gain.variant}` | {gain.measured:.3f} | {gain.predicted:.3f} | "
              f"{points(gain):+.1f} | {mark} |")


def print_summary(gains, choices):
    """Prints a row for each GPU: the errors of gains, and the time lost by the choices."""
    print("\n| GPU | versions | median error, points | mean error, points | largest error, points | choices | choices "
          "slower than the plain version by more than 2 % | slowest choice over the plain version | mean regret | "
          "largest regret |\n" + "|---" * 10 + "|")
    for target in dict.fromkeys(gain.target for gain in gains):
        off = [abs(points(gain)) for gain in gains if gain.target == target]
        own = [choice for choice in choices if choice.target == target]
        slower = [choice.slower for choice in own]
        regrets = [choice.regret for choice in own]
        print(f"| {target} | {len(off)} | {statistics.median(off):.1f} | {statistics.mean(off):.1f} | {max(off):.1f} | "
              f"{len(own)} | {sum(value > TOLERANCE for value in slower)} | {100 * max(slower + [0]):.1f} % | "
              f"{100 * statistics.mean(regrets):.1f} % | {100 * max(regrets):.1f} % |")


def main():
    """Prints a table for each target, unless --short, and at the end a row for each target."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--perfmodel", default=str(HERE.parent / "build" / "bin" / "perfmodel"))
    parser.add_argument("--datasets", help="folder of the datasets; default: the shipped ones")
    parser.add_argument("--method", default="units", help="of perfmodel validate; default: units")
    parser.add_argument("--short", action="store_true", help="the last table alone")
    parser.add_argument("targets", nargs="+", metavar="TARGET")
    arguments = parser.parse_args()
    folder = pathlib.Path(arguments.datasets or HERE.parent / "datasets")
    all_gains, all_choices = [], []
    for target in arguments.targets:
        gains, choices = compare(target, validate(arguments, folder, target))
        if not gains:
            sys.exit(f"{folder / target}.csv: no program has both a staged and a plain version")
        if not arguments.short:
            print_target(target, gains, choices)
        all_gains += gains
        all_choices += choices
    print_summary(all_gains, all_choices)


if __name__ == "__main__":
    main()
