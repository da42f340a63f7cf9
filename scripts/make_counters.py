#!/usr/bin/env python3
"""Writes the tables of docs/counters.md from machine/counters/counters.ini and machine/counters/profilers.csv, between
<!-- counters --> and <!-- end -->.

make_counters.py [--check]. With --check nothing is written, and the exit code is 1 if the page would change.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import configparser
import csv
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "counters.md"
TABLES = ROOT / "machine" / "counters"
BEGIN, END = "<!-- counters -->", "<!-- end -->"
COLUMNS = ("nvprof from 2", "nvprof from 5", "Nsight Compute from 7", "rocprof")
NOT_KEYS = ("what", "unit", "kind", "launch")


def read_counters():
    """Returns the sections of counters.ini, in its order: {counter: {key: value}}. Continued lines
    are joined."""
    table = configparser.ConfigParser(interpolation=None, empty_lines_in_values=False)
    table.read(TABLES / "counters.ini", encoding="utf-8")
    return {name: {key: " ".join(value.split()) for key, value in table[name].items()}
            for name in table.sections() if name != "families"}


def read_profilers():
    """Returns the rows of profilers.csv: {counter: {column: name}}."""
    with open(TABLES / "profilers.csv", encoding="utf-8", newline="") as file:
        return {row["counter"]: row for row in csv.DictReader(file)}


def code(text):
    """Returns a formula as Markdown: its names as code, joined by its signs. "": a dash."""
    if not text:
        return "–"
    words = text.split(" ")
    return " ".join(word if word in ("+", "-", "*", "/", "or") or word.isdigit() else f"`{word}`" for word in words) \
        .replace(" * ", " × ")


def of_ncu(counter, names):
    """Returns Nsight Compute's formula: that of most chips, then those of other families."""
    usual = counter.get("cupti", "none")
    usual = names.get("Nsight Compute from 7", "") if usual == "none" else usual
    others = {}
    for key, value in counter.items():
        if key not in NOT_KEYS and key != "cupti":
            others.setdefault(value, []).append(key)
    parts = [code(usual)] if usual or not others else []
    parts += [f"{', '.join(families)}: {code('' if value == 'none' else value)}" for value, families in others.items()]
    return "; ".join(parts)


def entry(name, counter, names):
    """Returns the section of a counter."""
    kinds = {"code": "", "run": " Known only after a run.", "time": " A time.", "energy": " An energy."}
    lines = [f"### {name}", "", f"{counter['what']} Unit: {counter['unit']}.{kinds[counter['kind']]}", ""]
    theirs = {"nvprof, compute capability 2 and 3": code(names.get(COLUMNS[0], "")),
              "nvprof, 5 and 6": code(names.get(COLUMNS[1], "")), "Nsight Compute": of_ncu(counter, names),
              "rocprof": code(names.get(COLUMNS[3], ""))}
    if all(name == "–" for name in theirs.values()):
        return lines + [f"nvprof, Nsight Compute and rocprof have no counter of the same meaning as `{name}`.", ""]
    return lines + ["| profiler | name |", "|---|---|"] + [f"| {tool} | {text} |" for tool, text in theirs.items()] + [""]


def page_text():
    """Returns the page with its tables written anew."""
    counters, profilers = read_counters(), read_profilers()
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    lines = [line for name, counter in counters.items() for line in entry(name, counter, profilers.get(name, {}))]
    return before + BEGIN + "\n\n" + "\n".join(lines) + "\n" + END + rest.split(END)[1]


def main():
    """Returns 1 if the page is not as it should be."""
    text = page_text()
    if sys.argv[1:] == ["--check"]:
        same = text == PAGE.read_text(encoding="utf-8")
        print("" if same else f"{PAGE.name} differs from the tables of counters: run scripts/make_counters.py", end="")
        return 0 if same else 1
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
