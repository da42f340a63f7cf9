#!/usr/bin/env python3
"""The trace engine's counters of every program and variant, at its smallest size, against an H100's.

What is promised of them: requests of global memory and instructions on shared memory are equal within
2 % in nine of ten samples; half of the samples are within 5 % in sectors, within 10 % in branches, and
within 5 points in the hit rate of L1. PERFMODEL is the program; ctest sets it.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import DATASETS, PERFMODEL, ROOT, output_of, rows_of

COMPARE = ROOT / "scripts" / "compare_counters.py"
MEASURED = DATASETS / "h100.csv"
EQUAL_SHARE = 0.9
MEDIANS = {"gld_sector": 0.05, "gst_sector": 0.05, "branch": 0.1}
L1_POINTS = 5


def collect(folder):
    """Counts the smallest measured size of each program. Returns {(program, size)} and the
    dataset's path."""
    path = pathlib.Path(folder) / "counted.csv"
    programs = {row["program"] for row in rows_of(MEASURED)}
    smallest = {(row["program"], row["sizes"][0])
                for row in json.loads(output_of(PERFMODEL, "collect", "--list", "--json"))
                if row["program"] in programs}
    for program, size in sorted(smallest):
        output_of(PERFMODEL, "collect", "--device", "none", "--target", "h100", "--program", program,
            "--size", size, "--sample", "0.1", "-o", path)
    return smallest, path


class H100(unittest.TestCase):
    """One comparison, whose parts the tests check."""

    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            cls.smallest, path = collect(folder)
            cls.result = json.loads(output_of(sys.executable, COMPARE, MEASURED, path, "--json"))

    def test_all_samples_are_there(self):
        """Every variant that was measured at these sizes was counted, and nothing else."""
        measured = sum((row["program"], row["size"]) in self.smallest for row in rows_of(MEASURED))
        self.assertEqual(self.result["samples"], measured)
        self.assertEqual(self.result["only_counted"], [])

    def test_equal_counters(self):
        """Checks requests and shared memory."""
        rows = {row["counter"]: row for row in self.result["exact"]}
        for name in ("gld_request", "gst_request", "shared_load", "shared_store", "atomic"):
            self.assertEqual(rows[name]["samples"], self.result["samples"], name)
            self.assertGreaterEqual(rows[name]["share"], EQUAL_SHARE, self.result["outliers"])

    def test_medians(self):
        """Checks sectors, branches and L1."""
        rows = {row["counter"]: row for row in self.result["modelled"]}
        for name, limit in MEDIANS.items():
            self.assertEqual(rows[name]["samples"], self.result["samples"], name)
            self.assertLessEqual(rows[name]["median"], limit, name)
        self.assertGreater(self.result["l1_hit_rate"]["samples"], 0)
        self.assertLessEqual(self.result["l1_hit_rate"]["median_points"], L1_POINTS)


if __name__ == "__main__":
    unittest.main()
