#!/usr/bin/env python3
"""Public kernels that are there in OpenCL C and in CUDA: the trace engine counts their requests alike, and what
scripts/public_twins.py writes of both is what it says. PERFMODEL is the program; ctest sets it.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import csv
import subprocess
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import ROOT, Base

SCRIPT = ROOT / "scripts" / "public_twins.py"
REQUESTS = ("gld_request", "gst_request", "shared_load", "shared_store", "barrier")
PROGRAMS = ("max_subsequence", "simple_dot", "simple_matmul", "simple_matsum", "simple_vectoradd", "sum_pairs")


class Twins(Base):
    def test_requests_are_the_same(self):
        folder = self.folder / "twins"
        subprocess.run([sys.executable, SCRIPT, "--write", folder, "--sizes", "1", "--programs", ",".join(PROGRAMS)],
                       check=True)
        dataset = self.folder / "twins.csv"
        self.good("collect", "--device", "none", "--target", "h200", folder, "-o", dataset)
        with open(dataset, encoding="utf-8", newline="") as file:
            rows = {(r["program"], r["variant"], r["size"], r["kernel"]): r for r in csv.DictReader(file)}
        twins = {key: rows[(f"{key[0]}_cuda", *key[1:])] for key in rows if not key[0].endswith("_cuda")}
        self.assertEqual({key[0] for key in twins}, set(PROGRAMS))
        self.assertEqual(2 * len(twins), len(rows))
        for key, cuda in twins.items():
            for counter in REQUESTS:
                self.assertEqual(float(cuda[counter]), float(rows[key][counter]), (key, counter))
            self.assertGreater(float(cuda["gld_request"]), 0)
        self.assertIn('"simple_dot_cuda"', (self.folder / "twins.json").read_text(encoding="utf-8").split('"languages"')[1])


if __name__ == "__main__":
    unittest.main()
