#!/usr/bin/env python3
"""The trace engine's counters of every program and variant, at its smallest size, against an H100's.

What is promised of them: requests of global memory and instructions on shared memory are equal within
2 % in nine of ten samples; half of the samples are within 5 % in sectors, within 10 % in branches, and
within 5 points in the hit rate of L1. PERFMODEL is the program; ctest sets it.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PERFMODEL = os.environ.get("PERFMODEL", "perfmodel")
SOURCE = pathlib.Path(__file__).parent.parent
COMPARE = SOURCE / "scripts" / "compare_counters.py"
MEASURED = SOURCE / "datasets" / "h100.csv"
EQUAL_SHARE = 0.9
MEDIANS = {"gld_sector": 0.05, "gst_sector": 0.05, "branch": 0.1}
L1_POINTS = 5


def run(*command):
    """The finished process, which must have succeeded."""
    done = subprocess.run([str(word) for word in command], check=False, capture_output=True,
                          text=True, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}: {done.returncode}\n{done.stderr}")
    return done


def collect(folder):
    """The smallest size of each program that was measured, counted; {(program, size)} and the dataset's path."""
    path = pathlib.Path(folder) / "counted.csv"
    with open(MEASURED, newline="", encoding="utf-8") as table:
        programs = {row["program"] for row in csv.DictReader(table)}
    smallest = {(row["program"], row["sizes"][0])
                for row in json.loads(run(PERFMODEL, "collect", "--list", "--json").stdout)
                if row["program"] in programs}
    for program, size in sorted(smallest):
        run(PERFMODEL, "collect", "--device", "none", "--target", "h100", "--program", program,
            "--size", size, "-o", path)
    return smallest, path


class H100(unittest.TestCase):
    """One comparison, looked at from several sides."""

    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            cls.smallest, path = collect(folder)
            cls.result = json.loads(run(sys.executable, COMPARE, MEASURED, path, "--json").stdout)

    def test_all_samples_are_there(self):
        """Every variant that was measured at these sizes was counted, and nothing else."""
        with open(MEASURED, newline="", encoding="utf-8") as table:
            measured = sum((row["program"], row["size"]) in self.smallest
                           for row in csv.DictReader(table))
        self.assertEqual(self.result["samples"], measured)
        self.assertEqual(self.result["only_counted"], [])

    def test_equal_counters(self):
        """Requests and shared memory."""
        rows = {row["counter"]: row for row in self.result["exact"]}
        for name in ("gld_request", "gst_request", "shared_load", "shared_store", "atomic"):
            self.assertEqual(rows[name]["samples"], self.result["samples"], name)
            self.assertGreaterEqual(rows[name]["share"], EQUAL_SHARE, self.result["outliers"])

    def test_medians(self):
        """Sectors, branches and L1."""
        rows = {row["counter"]: row for row in self.result["modelled"]}
        for name, limit in MEDIANS.items():
            self.assertEqual(rows[name]["samples"], self.result["samples"], name)
            self.assertLessEqual(rows[name]["median"], limit, name)
        self.assertGreater(self.result["l1_hit_rate"]["samples"], 0)
        self.assertLessEqual(self.result["l1_hit_rate"]["median_points"], L1_POINTS)


if __name__ == "__main__":
    unittest.main()
