#!/usr/bin/env python3
"""The row of this machine's CPU: what `devices --probe` prints of it, and that `collect` keeps it beside a dataset and
counts by it.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import os
import unittest

from program import Base, rows_of, run

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
# The cells without which nothing is counted or predicted, and what they hold of any CPU.
FROM_HERE = ("compute_units", "clock_mhz", "warp_width", "l2_bytes_per_cycle", "dram_gb_s", "launch_us",
             "load_l1_cycles", "load_dram_cycles", "sources")


class Row(Base):
    def setUp(self):
        super().setUp()
        devices = self.json_of("devices")["devices"]
        if not any(device["id"] == "pocl" for device in devices):
            self.skipTest("no PoCL device here (install pocl-opencl-icd)")
        self.write("adding.cl", SOURCE)
        self.write("adding.workload", WORKLOAD)

    def collect(self, *arguments):
        return run("collect", self.folder / "adding.workload", "--device", "pocl", "-o", self.folder / "here.csv",
                   *arguments)

    def collected(self, *arguments):
        """The same, which has to succeed: what is said tells why it does not."""
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
        done = self.collect("--size", "small")
        self.assertEqual(done.returncode, 0, done.stderr)
        before = self.provenance()["device"]["row"]
        for name in FROM_HERE:
            self.assertTrue(before[name], name)
        self.assertEqual(self.provenance()["runs"][0]["counter_target"], "pocl")
        # Another row, and larger vectors: it is the file's that counts, and it is kept.
        document = self.provenance()
        document["device"]["row"]["warp_width"] = "16"
        self.write("here.json", json.dumps(document))
        self.collected("--size", "large")
        self.assertEqual(self.provenance()["device"]["row"]["warp_width"], "16")
        loads = {row["size"]: float(row["gld_request"]) for row in rows_of(self.folder / "here.csv")}
        self.assertEqual(loads, {"small": 4096 / float(before["warp_width"]), "large": 16384 / 16})

    def test_the_driver_tells_which_loops_are_of_vectors(self):
        """By its code: the rules would have a vector of both, as neither has a loop."""
        self.write("adding.cl", "kernel void add(global const float *a, global float *out) {\n"
                                "size_t i = get_global_id(0); out[i] = a[i] * a[i] + 1; }\n"
                                "kernel void twist(global const float *a, global float *out) {\n"
                                "size_t i = get_global_id(0); float x = a[i];\n"
                                "if (x > 3) out[(int)(x * x) % 4096] = x; else out[i] = sinpi(x); }\n")
        self.write("adding.workload", WORKLOAD.replace("[launch add]", "[launch twist]\nglobal = n\nlocal = 64\n"
                                                                       "arguments = a, out\n[launch add]"))
        self.collected("--size", "small")
        lanes = {row["kernel"]: float(row["thread_inst_executed"]) / float(row["inst_executed"])
                 for row in rows_of(self.folder / "here.csv")}
        self.assertGreater(lanes["add"], 2)
        self.assertLess(lanes["twist"], lanes["add"])

    def test_a_dataset_of_another_cpu_is_refused(self):
        self.collected("--size", "small")
        document = self.provenance()
        document["device"]["row"]["name"] = "another CPU"
        self.write("here.json", json.dumps(document))
        done = self.collect("--size", "large")
        self.assertEqual(done.returncode, 2)
        self.assertIn("another CPU", done.stderr)
        self.assertIn("-o", done.stderr)

    def test_a_row_that_is_none_is_refused(self):
        self.collected("--size", "small")
        document = self.provenance()
        document["device"]["row"] = [1]
        self.write("here.json", json.dumps(document))
        done = self.collect("--size", "large")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("here.json:1", done.stderr)


if __name__ == "__main__":
    unittest.main()
