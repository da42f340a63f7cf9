#!/usr/bin/env python3
"""datasets/classes.csv: it has every program of the shipped datasets once, in order, with the class that its workload
file says where it has one.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import re
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import DATASETS, ROOT, rows_of

OTHERS = ("devices.csv", "gpu_names.csv", "classes.csv", "published.csv")


class Table(unittest.TestCase):
    """The shipped table."""

    def setUp(self):
        self.rows = rows_of(DATASETS / "classes.csv")
        self.classes = {row["program"]: row["class"] for row in self.rows}

    def test_order(self):
        """The table is sorted and has no duplicate or empty cells."""
        names = [row["program"] for row in self.rows]
        self.assertEqual(names, sorted(set(names)))
        self.assertTrue(all(self.classes.values()))

    def test_workloads(self):
        """Classes agree with the workload files of the corpus and of the modern kernels."""
        paths = sorted(path for folder in ("corpus", "modern")
                       for path in (ROOT / "kernels" / folder).glob("*.workload"))
        self.assertGreater(len(paths), 200)
        for path in paths:
            text = path.read_text(encoding="utf-8")
            said = {key: re.search(rf"^{key} *= *(\S+)", text, re.M).group(1) for key in ("name", "class")}
            self.assertEqual(self.classes.get(said["name"]), said["class"], path.name)

    def test_datasets(self):
        """Every program with a sample in a dataset has a class."""
        paths = [path for path in sorted(DATASETS.glob("*.csv")) if path.name not in OTHERS]
        self.assertGreater(len(paths), 10)
        for path in paths:
            self.assertEqual({row["program"] for row in rows_of(path)} - set(self.classes), set(), path.name)


if __name__ == "__main__":
    sys.exit(0 if unittest.main(exit=False, verbosity=0).result.wasSuccessful() else 1)
