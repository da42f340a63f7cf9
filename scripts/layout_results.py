#!/usr/bin/env python3
"""What data layouts gain on measured GPUs, and what the methods choose, as Markdown on standard output.

For each program with arrays of structs, size and GPU: the measured time of every layout in the dataset
TARGET-layouts, the fastest, the one that method units predicts to be the fastest from traced counters (the model
has not seen the program; `perfmodel advise --leave-out program` uses the same), and the one that the method
of Nakai and Ohno chooses. The regret of a choice is its measured time over that of the fastest layout,
minus 1.

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
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = ("sph", "idw", "cfd", "particlefilter")


def measured(path):
    """{(program, size): {variant: seconds of all kernels}}"""
    times = collections.defaultdict(lambda: collections.defaultdict(float))
    with open(path, newline="", encoding="utf-8") as table:
        for row in csv.DictReader(table):
            if row["program"] in PROGRAMS:
                times[row["program"], row["size"]][row["variant"]] += float(row["time_s"])
    return times


def run(arguments, *words):
    """The JSON document that a command of perfmodel prints."""
    command = [arguments.perfmodel, *words, "--json"]
    if arguments.datasets and words[0] != "collect":
        command += ["--datasets", arguments.datasets]
    done = subprocess.run(command, check=False, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    return json.loads(done.stdout)


def predicted(arguments, folder, target):
    """{(program, size): {variant: seconds}}, each program by a model that has not seen it."""
    times = collections.defaultdict(lambda: collections.defaultdict(float))
    with tempfile.NamedTemporaryFile("w", suffix=".csv", encoding="utf-8") as both:
        both.write((folder / f"{target}.csv").read_text(encoding="utf-8"))
        both.write("".join((folder / f"{target}-layouts.csv").read_text(encoding="utf-8")
                           .splitlines(True)[1:]))
        both.flush()
        document = run(arguments, "validate", both.name, "--from", f"{target}-trace", "--method",
                       "units", "--counters", "code")
    for sample in document["samples"]:
        if sample["program"] in PROGRAMS:
            times[sample["program"], sample["size"]][sample["variant"]] += sample["predicted_s"]
    return times


def nakai(arguments, target):
    """{program: the layout that Nakai's method chooses}, from the program's smallest size."""
    choices = {}
    for program in run(arguments, "collect", "--list"):
        if program["program"] in PROGRAMS:
            document = run(arguments, "advise", "--target", target, "--program", program["program"],
                           "--size", program["sizes"][0], "--clusters", "1")
            choices[program["program"]] = document["nakai"]
    return choices


def regret(times, variant):
    """Of choosing a variant; None where nobody measured it."""
    return times[variant] / min(times.values()) - 1 if variant in times else None


def percent(value):
    """A regret for a table."""
    return "not measured" if value is None else f"{100 * value:.1f} %"


def micro(seconds):
    """Microseconds with four digits."""
    return f"{seconds * 1e6:.4g}"


def print_times(times, chosen_by):
    """The table of one program and size."""
    print("\n| layout | us | over aos | |\n|---|---|---|---|")
    for variant, seconds in sorted(times.items(), key=lambda item: item[1]):
        notes = [name for name, chosen in chosen_by.items() if chosen == variant]
        print(f"| `{variant}` | {micro(seconds)} | {times['aos'] / seconds:.3f} | "
              f"{', '.join(notes)} |")


def main():
    """One table of choices for each target, and unless --short all times behind it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--perfmodel", default=str(HERE.parent / "build" / "bin" / "perfmodel"))
    parser.add_argument("--datasets", help="folder of the datasets; default: the shipped ones")
    parser.add_argument("--short", action="store_true", help="without the times of all layouts")
    parser.add_argument("targets", nargs="+", metavar="TARGET")
    arguments = parser.parse_args()
    folder = pathlib.Path(arguments.datasets or HERE.parent / "datasets")
    all_choices = []
    for target in arguments.targets:
        times, guessed = measured(folder / f"{target}-layouts.csv"), predicted(arguments, folder, target)
        by_nakai = nakai(arguments, target)
        keys = sorted(times, key=lambda key: (PROGRAMS.index(key[0]), int(key[1])))
        chosen_by = {key: {"model": min(guessed[key], key=guessed[key].get), "nakai": by_nakai[key[0]]}
                     for key in keys}
        print(f"\n### {target}\n\n| program | size | layouts | fastest | us | aos | soa | model's choice | "
              "regret | nakai's choice | regret | over best of aos, soa |\n" + "|---" * 12 + "|")
        for key in keys:
            own, chosen = times[key], chosen_by[key]
            fastest = min(own, key=own.get)
            all_choices.append((target, *key, regret(own, chosen["model"]), regret(own, chosen["nakai"])))
            print(f"| {key[0]} | {key[1]} | {len(own)} | `{fastest}` | {micro(own[fastest])} | "
                  f"{micro(own['aos'])} | {micro(own['soa'])} | `{chosen['model']}` | "
                  f"{percent(all_choices[-1][3])} | `{chosen['nakai']}` | {percent(all_choices[-1][4])} | "
                  f"{min(own['aos'], own['soa']) / own[fastest]:.3f} |")
        for key in keys if not arguments.short else ():
            print(f"\n#### {target}: {key[0]} {key[1]}")
            print_times(times[key], chosen_by[key])
    print("\n### Regret\n\n| method | mean | worst | fastest chosen |\n|---|---|---|---|")
    for name, place in (("model", 3), ("nakai", 4)):
        known = [choice[place] for choice in all_choices if choice[place] is not None]
        print(f"| {name} | {percent(sum(known) / len(known))} | {percent(max(known))} | "
              f"{sum(value == 0 for value in known)} of {len(all_choices)} |")


if __name__ == "__main__":
    main()
