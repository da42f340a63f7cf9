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
# The cells without which nothing is counted or predicted, and what they hold of any CPU.
FROM_HERE = ("compute_units", "clock_mhz", "warp_width", "l2_bytes_per_cycle", "dram_gb_s", "launch_us",
             "load_l1_cycles", "load_dram_cycles", "sources")


class Row(Base):
    @classmethod
    def setUpClass(cls):
        """A dataset of the small size, whose row the probe makes, which takes seconds."""
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

    def write_twist(self):
        """Two kernels without a loop, of which one cannot be vectorised."""
        self.write("adding.cl", "kernel void add(global const float *a, global float *out) {\n"
                                "size_t i = get_global_id(0); out[i] = a[i] * a[i] + 1; }\n"
                                "kernel void twist(global const float *a, global float *out) {\n"
                                "size_t i = get_global_id(0); float x = a[i];\n"
                                "if (x > 3) out[(int)(x * x) % 4096] = x; else out[i] = sinpi(x); }\n")
        self.write("adding.workload", WORKLOAD.replace("[launch add]", "[launch twist]\nglobal = n\nlocal = 64\n"
                                                                       "arguments = a, out\n[launch add]"))

    def lanes_of(self, path):
        """Work-items an instruction is of, kernel by kernel."""
        return {row["kernel"]: float(row["thread_inst_executed"]) / float(row["inst_executed"])
                for row in rows_of(self.folder / path) if row["size"] == "large"}

    def counted_alone(self, path, name):
        """Lanes of what is counted without a run, by a dataset of the CPU of that name."""
        document = self.provenance()
        document["device"]["row"]["name"] = name
        self.write("pocl.json", json.dumps(document))
        shutil.copy(self.folder / "here.csv", self.folder / "pocl.csv")
        done = run("collect", self.folder / "adding.workload", "--device", "none", "--target", "pocl", "--size", "large",
                   "--datasets", self.folder, "-o", self.folder / path)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.said = done.stderr
        return self.lanes_of(path)

    def test_the_driver_tells_which_loops_are_of_vectors(self):
        """By its code, run or not, where the row is of this CPU. The rules have a vector of both kernels."""
        self.write_twist()
        self.collected("--size", "large")
        lanes = self.lanes_of("here.csv")
        self.assertGreater(lanes["add"], 2)
        self.assertLess(lanes["twist"], lanes["add"])
        self.assertEqual(self.counted_alone("alone.csv", self.provenance()["device"]["row"]["name"]), lanes)
        self.assertGreater(self.counted_alone("other.csv", "another CPU")["twist"], lanes["twist"])

    def machine_of(self, path):
        """Instructions and cycles of machine code, size by size."""
        return {row["size"]: (float(row["machine_inst"] or "nan"), float(row["machine_cycle"] or "nan"))
                for row in rows_of(self.folder / path) if row["kernel"] == "add"}

    def test_machine_code_is_counted(self):
        """Each work-group runs the same instructions, of which a loop has as many as it has rounds. What is counted is
        the same each time, and also without a run."""
        self.collected("--size", "large")
        plain = self.machine_of("here.csv")
        self.assertEqual(plain["large"][0], 4 * plain["small"][0])
        self.assertGreater(plain["small"][0], 4096 / 64)  # work-items, of vectors of 64 at most
        self.assertGreater(plain["small"][1], plain["small"][0] / 8)
        self.counted_alone("alone.csv", self.provenance()["device"]["row"]["name"])
        self.assertEqual(self.machine_of("alone.csv")["large"], plain["large"])
        self.counted_alone("other.csv", "another CPU")
        self.assertTrue(math.isnan(self.machine_of("other.csv")["large"][0]))

    def test_auto_believes_machine_code(self):
        """Cycles that tell the times are learned from alone, where the dataset has them."""
        rows = rows_of(DATASETS / "pocl.csv")
        for k, row in enumerate(rows):  # some 20 % off, without a rule that counters could tell
            row["machine_cycle"] = str(2e9 * float(row["time_s"]) * (0.8, 1, 1.25, 1.2, 0.85)[k % 5])
        write_rows(self.folder / "told.csv", rows)
        self.write("told.json", (DATASETS / "pocl.json").read_text(encoding="utf-8"))
        by = {method: self.json_of("validate", self.folder / "told.csv", "--method", method) for method in ("auto", "units")}
        self.assertEqual(by["auto"]["samples"], by["units"]["samples"])
        without = self.json_of("validate", "pocl")
        self.assertLess(by["auto"]["mape"], without["mape"])
        self.assertNotEqual(without["samples"], self.json_of("validate", "pocl", "--method", "units")["samples"])

    def test_rounds_of_a_loop_are_counted(self):
        counts = []
        for rounds in (100, 200, 300):
            self.write("adding.cl", "kernel void add(global const float *a, global float *out) {\n"
                                    "size_t i = get_global_id(0); float s = 0;\n"
                                    f"for (int k = 0; k < {rounds}; k++) s = s * a[i] + k; out[i] = s; }}\n")
            name = f"rounds{rounds}.csv"
            self.counted_alone(name, self.provenance()["device"]["row"]["name"])
            counts.append(self.machine_of(name)["large"])
        instructions, cycles = zip(*counts)
        self.assertGreater(instructions[1], instructions[0])
        self.assertEqual(instructions[2] - instructions[1], instructions[1] - instructions[0])
        self.assertGreater(cycles[2] / cycles[0], 2)

    def test_rules_tell_what_the_driver_does_not_build(self):
        self.write("adding.cl", "#ifndef __NVPTX__\n#error not for a CPU\n#endif\n" + SOURCE)
        lanes = self.counted_alone("alone.csv", self.provenance()["device"]["row"]["name"])
        self.assertEqual(lanes["add"], float(self.provenance()["device"]["row"]["warp_width"]))
        self.assertIn("told by rules", self.said)
        self.assertIn("not for a CPU", self.said)

    def test_a_dataset_of_another_cpu_is_refused(self):
        document = self.provenance()
        document["device"]["row"]["name"] = "another CPU"
        self.write("here.json", json.dumps(document))
        done = self.collect("--size", "large")
        self.assertEqual(done.returncode, 2)
        self.assertIn("another CPU", done.stderr)
        self.assertIn("-o", done.stderr)

    def test_a_row_that_is_none_is_refused(self):
        document = self.provenance()
        document["device"]["row"] = [1]
        self.write("here.json", json.dumps(document))
        done = self.collect("--size", "large")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("here.json:1", done.stderr)


if __name__ == "__main__":
    unittest.main()
