#!/usr/bin/env python3
"""Prints the measured times of data layouts, and the layouts that `perfmodel advise` chooses, as Markdown.

The dataset TARGET-layouts has the measured times of the layouts. For each GPU, and each program with arrays of structs
and its sizes, the script prints the fastest layout and three choices of
`perfmodel advise --target TARGET --program P --size S --leave-out program`:
- predicted: the measured layout with the shortest predicted time, by a model that is fitted without the program
- proposed: the layout that advise proposes, which ranks measured gains before predicted gains
- nakai: the layout that the method of Nakai and Ohno chooses
The regret of a choice is its measured time over that of the fastest layout, minus 1.

Usage: scripts/layout_results.py [--perfmodel PATH] [--datasets DIR] [--short] TARGET...
SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import collections
import csv
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = ("sph", "idw", "cfd", "particlefilter")
CHOICES = ("predicted", "proposed", "nakai")


def measured(path):
    """Returns {(program, size): {variant: seconds, summed over its kernels}}."""
    times = collections.defaultdict(lambda: collections.defaultdict(float))
    with open(path, newline="", encoding="utf-8") as table:
        for row in csv.DictReader(table):
            if row["program"] in PROGRAMS:
                times[row["program"], row["size"]][row["variant"]] += float(row["time_s"])
    return times


def choices_of(arguments, target, program, size):
    """Returns {method of choice: layout that advise chooses by this method}."""
    command = [arguments.perfmodel, "advise", "--target", target, "--program", program, "--size", size,
               "--leave-out", "program", "--json"]
    if arguments.datasets:
        command += ["--datasets", arguments.datasets]
    done = subprocess.run(command, check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    advice = json.loads(done.stdout)
    known = [choice for choice in advice["choices"] if choice["measured_s"] is not None]
    fastest = min(known, key=lambda choice: choice["predicted_s"])
    return {"predicted": fastest["variant"], "proposed": advice["best"],
            "nakai": advice["nakai"]}


def regret(times, variant):
    """Returns the regret of choosing a variant: its time over the fastest time, minus 1; None: not
    measured."""
    return times[variant] / min(times.values()) - 1 if variant in times else None


def percent(value):
    """Formats a regret for a table."""
    return "not measured" if value is None else f"{100 * value:.1f} %"


def micro(seconds):
    """Formats a time in microseconds with four digits."""
    return f"{seconds * 1e6:.4g}"


def print_times(times, chosen_by):
    """Prints the table of one program and size."""
    print("\n| layout | us | over aos | |\n|---|---|---|---|")
    for variant, seconds in sorted(times.items(), key=lambda item: item[1]):
        notes = [name for name, chosen in chosen_by.items() if chosen == variant]
        print(f"| `{variant}` | {micro(seconds)} | {times['aos'] / seconds:.3f} | "
              f"{', '.join(notes)} |")


def main():
    """Prints a table of choices for each target, and unless --short all measured times."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--perfmodel", default=str(HERE.parent / "build" / "bin" / "perfmodel"))
    parser.add_argument("--datasets", help="folder of the datasets; default: the shipped ones")
    parser.add_argument("--short", action="store_true", help="without the times of all layouts")
    parser.add_argument("targets", nargs="+", metavar="TARGET")
    arguments = parser.parse_args()
    folder = pathlib.Path(arguments.datasets or HERE.parent / "datasets")
    regrets = collections.defaultdict(list)
    for target in arguments.targets:
        times = measured(folder / f"{target}-layouts.csv")
        keys = sorted(times, key=lambda key: (PROGRAMS.index(key[0]), int(key[1])))
        chosen = {key: choices_of(arguments, target, *key) for key in keys}
        print(f"\n### {target}\n\n| program | size | layouts | fastest | us | aos | soa | "
              + "".join(f"{name} | regret | " for name in CHOICES)
              + "over best of aos, soa |\n" + "|---" * 14 + "|")
        for key in keys:
            own = times[key]
            fastest = min(own, key=own.get)
            print(f"| {key[0]} | {key[1]} | {len(own)} | `{fastest}` | {micro(own[fastest])} | "
                  f"{micro(own['aos'])} | {micro(own['soa'])} | ", end="")
            for name in CHOICES:
                regrets[name].append(regret(own, chosen[key][name]))
                print(f"`{chosen[key][name]}` | {percent(regrets[name][-1])} | ", end="")
            print(f"{min(own['aos'], own['soa']) / own[fastest]:.3f} |", flush=True)
        for key in keys if not arguments.short else ():
            print(f"\n#### {target}: {key[0]} {key[1]}")
            print_times(times[key], chosen[key])
    print("\n### Regret\n\n| choice | mean regret | largest regret | fastest chosen | not measured |\n|---|---|---|---|---|")
    for name in CHOICES:
        known = [value for value in regrets[name] if value is not None]
        print(f"| {name} | {percent(sum(known) / len(known))} | {percent(max(known))} | "
              f"{sum(value == 0 for value in known)} of {len(regrets[name])} | {len(regrets[name]) - len(known)} |")


if __name__ == "__main__":
    main()
