#!/usr/bin/env python3
"""What the target's own profiler calls the counters that trace prints.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import configparser
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import ROOT, Base, rows_of

COPY = """kernel void copy(global const float *from, global float *to) { to[get_global_id(0)] = from[get_global_id(0)]; }
"""
WORKLOAD = """[workload]
name = copied
source = copy.cl
[size only]
n = 1024
[buffer from]
type = float
count = n
[buffer to]
type = float
count = n
[launch copy]
global = n
local = 64
arguments = from, to
"""
# A GPU's profiler, and its names of sectors of global loads and of launched warps.
PROFILERS = {"gtx1080ti": ("nvprof", "gld_transactions / 4", "warps_launched"),
             "k40c": ("nvprof", None, "warps_launched"),
             "h100": ("Nsight Compute", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "smsp__warps_launched.sum"),
             "t4": ("Nsight Compute", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "smsp__warps_launched.sum"),
             "mi250x": ("rocprof", None, "SQ_WAVES")}


class ProfilerNames(Base):
    def setUp(self):
        super().setUp()
        self.write("copy.cl", COPY)
        self.workload = self.write("copy.workload", WORKLOAD)

    def test_names(self):
        for target, (profiler, sectors, warps) in PROFILERS.items():
            with self.subTest(target):
                kernel = self.json_of("trace", "--target", target, self.workload)["kernels"][0]
                names = {name: counter["profiler_name"] for name, counter in kernel["counters"].items()}
                self.assertEqual(kernel["profiler"], profiler)
                self.assertEqual((names["launched_warps"], names["warp_span"]), (warps, None))
                self.assertEqual(names.get("gld_sector"), sectors)

    def test_text(self):
        text = self.good("trace", "--target", "h100", self.workload, environment={"COLUMNS": "80"}).stdout
        self.assertRegex(text, r"\n +gld_sector +l1tex__t_sectors_pipe_lsu_mem_global_op_ld\.sum\n")
        self.assertLessEqual(max(map(len, text.splitlines())), 80)
        self.assertRegex(self.good("trace", "--target", "gtx1080ti", self.workload).stdout, r"\n +gst_sector +gst_transactions\n")

    def test_table(self):
        """Counters of the table have perfmodel's names. Names of Nsight Compute are those that
        CUPTI is asked for."""
        counters = configparser.ConfigParser(interpolation=None, empty_lines_in_values=False)
        counters.read(ROOT / "machine" / "counters" / "counters.ini", encoding="utf-8")
        rows = rows_of(ROOT / "machine" / "counters" / "profilers.csv")
        self.assertEqual(len({row["counter"] for row in rows}), len(rows))
        for row in rows:
            self.assertIn(row["counter"], counters)
            self.assertTrue(row["source"])
            name = row["Nsight Compute from 7"]
            if "launch" in counters[row["counter"]]:
                self.assertRegex(name, "^launch__")
            else:
                self.assertIn(name, ("", counters[row["counter"]]["cupti"]))


if __name__ == "__main__":
    unittest.main()
