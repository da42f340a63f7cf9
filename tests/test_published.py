#!/usr/bin/env python3
"""The published figures in datasets/published.csv: each row says where it is from, numbers are numbers, GPUs, programs
and variants are those that perfmodel has, nothing stands there twice, and what papers print twice agrees.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import csv
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
PUBLISHED = ROOT / "datasets" / "published.csv"
COLUMNS = ["source", "place", "device", "program", "variant", "size", "quantity", "value", "unit", "note"]
SOURCE = re.compile(r"[A-Z][A-Za-z]+( and [A-Z][A-Za-z]+| et al\.)? (19|20)\d\d")
PLACE = re.compile(r"(section \d+(\.\d+)*, text|tables? \d+|figures? \d+( to \d+)?(, (text|line \d+))?)")
UNITS = {"%", "sign", "rank", "bool", "s", "GB/s", "KB", "byte", "core", "instruction", "launch", "particles", "ratio",
         "weight", "work-group", "work-item"}
# What is no program of the suite: Kamiya's product row by row, a struct that a paper talks of, its example.
OTHER_PROGRAM = re.compile(r"matmul_rows|struct of \d floats|example")


def faults(path, devices):
    """What is wrong with a file of published figures, a line each."""
    found, seen = [], {}
    with open(path, encoding="utf-8", newline="") as file:
        reader = csv.reader(file)
        header = next(reader, [])
        if header != COLUMNS:
            return [f"1: the header is {header}"]
        for cells in reader:
            line = reader.line_num
            if len(cells) != len(COLUMNS):
                found.append(f"{line}: {len(cells)} cells")
                continue
            row = dict(zip(COLUMNS, cells))
            found += [f"{line}: {what}" for what in row_faults(row, devices)]
            key = tuple(row[c] for c in COLUMNS if c not in ("value", "note"))
            if key in seen:
                found.append(f"{line}: stands in line {seen[key]} already")
            seen.setdefault(key, line)
    return found


def row_faults(row, devices):
    """What is wrong with one row."""
    if not SOURCE.fullmatch(row["source"]):
        yield f"source '{row['source']}'"
    if not PLACE.fullmatch(row["place"]):
        yield f"place '{row['place']}'"
    if row["device"] and row["device"] not in devices:
        yield f"device '{row['device']}'"
    if not re.fullmatch(r"[a-z][a-z0-9_]*(-[a-z0-9-]+)?", row["quantity"]):
        yield f"quantity '{row['quantity']}'"
    if row["unit"] not in UNITS:
        yield f"unit '{row['unit']}'"
    if not re.fullmatch(r"-?\d+(\.\d+)?", row["value"]):
        yield f"value '{row['value']}'"
    elif row["unit"] == "sign" and row["value"] not in ("-1", "0", "1"):
        yield f"sign {row['value']}"
    elif row["unit"] == "bool" and row["value"] not in ("0", "1"):
        yield f"bool {row['value']}"


def devices_of(path):
    """The names in devices.csv."""
    with open(path, encoding="utf-8", newline="") as file:
        return {row["device"] for row in csv.DictReader(file)}


def rows():
    """Those of the shipped file."""
    with open(PUBLISHED, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


class Published(unittest.TestCase):
    """The shipped file, and files that are wrong."""

    def test_shipped(self):
        """Nothing is wrong with it."""
        self.assertEqual(faults(PUBLISHED, devices_of(ROOT / "datasets" / "devices.csv")), [])
        self.assertGreater(len(rows()), 100)

    def test_wrong(self):
        """Each kind of fault is found, in its line."""
        good = ["Anybody et al. 2010", "table 1", "k20c", "p", "v", "1", "time", "1.5", "s", ""]
        wrong = {"source": "", "place": "somewhere", "device": "k20", "quantity": "", "unit": "", "value": "about 3"}
        for column, text in wrong.items():
            bad = list(good)
            bad[COLUMNS.index(column)] = text
            self.assertEqual({f.split(":")[0] for f in self.faults_of(good, bad)}, {"3"}, column)
        other = list(good)
        other[7], other[9] = "2.5", "another value"
        self.assertEqual(self.faults_of(good, other), ["3: stands in line 2 already"])
        self.assertEqual(self.faults_of(good, good[:9]), ["3: 9 cells"])
        self.assertEqual(len(self.faults_of([*good[:7], "2", "sign", ""], [*good[:7], "2", "bool", ""])), 2)
        self.assertEqual(self.faults_of(good), [])

    def faults_of(self, *lines):
        """Those of a file with these rows."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "published.csv"
            with open(path, "w", encoding="utf-8", newline="") as file:
                csv.writer(file).writerows([COLUMNS, *lines])
            return faults(path, {"k20c"})

    def test_ratios(self):
        """Kamiya's printed ratios are those of the printed times, to the printed digit."""
        times = {(r["device"], r["program"], r["size"], r["variant"]): float(r["value"])
                 for r in rows() if r["quantity"] == "time"}
        ratios = [r for r in rows() if r["quantity"] == "time_over_nolocal" and r["place"].startswith("table")]
        self.assertEqual((len(times), len(ratios)), (32, 16))
        for r in ratios:
            where = r["device"], r["program"], r["size"]
            self.assertLess(abs(100 * times[*where, "shared"] / times[*where, "nolocal"] - float(r["value"])), 0.1)

    @unittest.skipUnless("PERFMODEL" in os.environ, "PERFMODEL names the program to test")
    def test_names(self):
        """Programs and variants are the suite's."""
        listed = subprocess.run([os.environ["PERFMODEL"], "collect", "--list"], check=True, capture_output=True,
                                text=True).stdout
        programs = dict(re.findall(r"^(\S+) .*\n  variants: (.*)$", listed, re.M))
        for r in rows():
            if not r["program"] or OTHER_PROGRAM.fullmatch(r["program"]):
                continue
            self.assertIn(r["program"], programs)
            # `shared` is made, not listed.
            self.assertIn(r["variant"], ["", "shared", *programs[r["program"]].split()], r["program"])

    @unittest.skipUnless("PERFMODEL" in os.environ, "PERFMODEL names the program to test")
    def test_no_dataset(self):
        """It is none to perfmodel: no name to predict from."""
        done = subprocess.run([os.environ["PERFMODEL"], "predict", "--target", "h100", "--from", "nothing",
                               "--datasets", ROOT / "datasets"], check=False, capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("h100", done.stderr)
        self.assertNotIn("published", done.stderr)


if __name__ == "__main__":
    unittest.main()
