#!/usr/bin/env python3
"""The row of this machine's CPU: what `devices --probe` prints of it, and that `collect` keeps it beside a dataset and
counts by it.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import math
import os
import pathlib
import shutil
import sys
import tempfile
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import DATASETS, Base, rows_of, run, write_rows

SOURCE = "kernel void add(global const float *a, global float *out) { int i = get_global_id(0); out[i] = a[i] + 1; }\n"
WORKLOAD = """[workload]
name = adding
source = adding.cl
[size small]
n = 4096
[size large]
n = 16384
[buffer a]
type = float
count = n
contents = each i * 0.5
[buffer out]
type = float
count = n
output = yes
[launch add]
global = n
local = 64
arguments = a, out
"""
# The cells that counting and predicting require, with values that hold for any CPU.
FROM_HERE = ("compute_units", "clock_mhz", "warp_width", "l2_bytes_per_cycle", "dram_gb_s", "launch_us",
             "load_l1_cycles", "load_dram_cycles", "sources")


class Row(Base):
    @classmethod
    def setUpClass(cls):
        """Collects a dataset of the small size. The probe measures its row, which takes seconds."""
        with_folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(with_folder.cleanup)
        cls.first = pathlib.Path(with_folder.name)
        (cls.first / "adding.cl").write_text(SOURCE, encoding="utf-8")
        (cls.first / "adding.workload").write_text(WORKLOAD, encoding="utf-8")
        devices = json.loads(run("devices", "--json").stdout)["devices"]
        if not any(device["id"] == "pocl" for device in devices):
            raise unittest.SkipTest("no PoCL device here (install pocl-opencl-icd)")
        done = run("collect", cls.first / "adding.workload", "--device", "pocl", "--size", "small", "-o",
                   cls.first / "here.csv")
        if done.returncode != 0:
            raise AssertionError(done.stderr)

    def setUp(self):
        super().setUp()
        shutil.copytree(self.first, self.folder, dirs_exist_ok=True)

    def collect(self, *arguments):
        return run("collect", self.folder / "adding.workload", "--device", "pocl", "-o", self.folder / "here.csv",
                   *arguments)

    def collected(self, *arguments):
        """Does the same and requires success. The messages show why it failed."""
        done = self.collect(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)

    def provenance(self):
        return json.loads((self.folder / "here.json").read_text(encoding="utf-8"))

    def test_the_probe_makes_a_whole_row(self):
        columns = self.json_of("devices", "--probe", "--device", "pocl")["columns"]
        for name in FROM_HERE:
            self.assertTrue(columns[name]["value"], name)
        self.assertEqual(columns["coalescing"]["value"], "items")
        self.assertLessEqual(int(columns["compute_units"]["value"]), len(os.sched_getaffinity(0)))
        self.assertIn("additions", columns["clock_mhz"]["how"])

    def test_collect_counts_by_the_cpu_that_is_here(self):
        before = self.provenance()["device"]["row"]
        for name in FROM_HERE:
            self.assertTrue(before[name], name)
        self.assertEqual(self.provenance()["runs"][0]["counter_target"], "pocl")
        # If the row is changed to larger vectors, the row in the file is used and kept.
        document = self.provenance()
        document["device"]["row"]["warp_width"] = "16"
        self.write("here.json", json.dumps(document))
        self.collected("--size", "large")
        self.assertEqual(self.provenance()["device"]["row"]["warp_width"], "16")
        loads = {row["size"]: float(row["gld_request"]) for row in rows_of(self.folder / "here.csv")}
        self.assertEqual(loads, {"small": 4096 / float(before["warp_width"]), "large": 16384 / 16})


if __name__ == "__main__":
    unittest.main()
