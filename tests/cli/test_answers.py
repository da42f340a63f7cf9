#!/usr/bin/env python3
"""What an answer rests on, what is left out of it, and what ends it: exit codes 0, 2, 3 and 130.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import csv
import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import PERFMODEL, ROOT, Base, run

KERNEL = """__kernel void scale(__global float *x)
{
    x[get_global_id(0)] *= 2.0f;
}
"""
WORKLOAD = """[workload]
name = NAME
source = scale.cl
[size one]
n = 4096
[buffer x]
type = float
count = n
restore = yes
[launch scale]
global = n
local = 64
arguments = x
"""
# Needs 100,000 bytes of local memory, which gtx980 lacks and h100 has.
LARGE = (WORKLOAD.replace("NAME", "large").replace("scale.cl", "large.cl")
         .replace("arguments = x", "arguments = x, local 100000"))
LARGE_KERNEL = """__kernel void scale(__global float *x, __local float *t)
{
    t[get_local_id(0)] = x[get_global_id(0)];
    x[get_global_id(0)] = t[get_local_id(0)] * 2.0f;
}
"""


class Answers(Base):
    def setUp(self):
        super().setUp()
        self.write("scale.cl", KERNEL)
        for name in ("many", "mine", "data/perfmodel/datasets"):
            (self.folder / name).mkdir(parents=True)
        self.workload = self.write("scale.workload", WORKLOAD.replace("NAME", "scale"))
        self.home = {"HOME": str(self.folder), "XDG_DATA_HOME": str(self.folder / "data"), "PERFMODEL_DATASETS": ""}

    def predicted(self, *words):
        return self.json_of("predict", *words, environment=self.home)

    def collect_own(self):
        """Makes a user's dataset with counters by a GPU's rules. The test adds the times."""
        path = self.folder / "data/perfmodel/datasets/gtx980.csv"
        self.good("collect", "--device", "none", "--target", "gtx980", self.workload, "-o", path)
        rows = list(csv.reader(path.read_text().splitlines()))
        at = {name: rows[0].index(name) for name in ("time_s", "time_mad_s", "runs")}
        for row in rows[1:]:
            row[at["time_s"]], row[at["time_mad_s"]], row[at["runs"]] = "1e-3", "1e-6", "9"
        path.write_text("".join(",".join(row) + "\n" for row in rows))
        return path

    def test_own_datasets_count_where_they_are_named(self):
        words = "--target", "gtx980", "--program", "nbody", "--size", "8192"
        before = self.predicted(*words)
        self.assertEqual((before["from"], before["with"]), (None, []))
        path = self.collect_own()
        self.assertEqual(self.predicted(*words), before)
        named = self.predicted("--target", "gtx980", self.workload, "--with", path)
        self.assertEqual(named["with"], [str(path)])
        self.assertEqual(named["predictions"][0]["measured_s"], 1e-3)
        self.assertNotIn("measured_s", self.predicted("--target", "gtx980", self.workload)["predictions"][0])
        answer = self.predicted("--target", "h200", "--from", path)
        self.assertEqual((answer["from"], answer["predictions"][0]["program"]), (str(path), "scale"))
        self.refused(["no_such.csv"], "predict", *words, "--with", "no_such.csv")

    def test_a_gpu_without_datasets(self):
        """Programs of the suite are traced for the GPU."""
        found = self.predicted("--target", "rtx2080ti", "--program", "sobel3x3", "--size", "1536x1536")
        self.assertEqual({p["program"] for p in found["predictions"]}, {"sobel3x3"})
        self.assertEqual(found["basis"], "profile")
        self.refused(["nbdy"], "predict", "--target", "rtx2080ti", "--program", "nbdy")

    def test_a_target_that_cannot(self):
        self.write("large.cl", LARGE_KERNEL)
        workload = self.write("large.workload", LARGE)
        for targets in (("h100", "gtx980"), ("gtx980", "h100")):
            words = [word for target in targets for word in ("--target", target)]
            done = run("predict", *words, workload, "--json")
            answer = json.loads(done.stdout)
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertEqual([target["target"] for target in answer["targets"]], ["h100"])
            self.assertEqual([left["target"] for left in answer["left_out"]], ["gtx980"])
            self.assertEqual(sum("gtx980: left out: " in line for line in done.stderr.splitlines()), 1)
        done = run("predict", "--target", "gtx980", workload)
        self.assertIn(done.returncode, (1, 2))

    def test_a_workload_that_cannot(self):
        """If one of two workloads fails, the other one is predicted. A check of both fails."""
        self.write("wrong.cl", KERNEL.replace("2.0f", "no_such_name"))
        good = self.write("many/scale.workload", WORKLOAD.replace("NAME", "scale").replace("scale.cl", "../scale.cl"))
        self.write("many/wrong.workload", WORKLOAD.replace("NAME", "wrong").replace("scale.cl", "../wrong.cl"))
        many = good.parent
        for words in (("trace", "--target", "h100"), ("predict", "--target", "h100"),
                      ("check", "--target", "h100", "-o", self.folder / "base.json")):
            done = run(*words, many)
            self.assertEqual(done.returncode, 3, (words, done.stderr))
            self.assertIn("no_such_name", done.stderr)
        kernels = json.loads((self.folder / "base.json").read_text())["kernels"]
        self.assertEqual([kernel["program"] for kernel in kernels], ["scale"])

    def interrupted(self, *words, cpu_s):
        """Returns (exit code, seconds from the signal to the end); None: the program ended before
        the signal."""
        environment = {**os.environ, **self.home, "PERFMODEL_CACHE": "off"}
        with subprocess.Popen([PERFMODEL, *map(str, words)], env=environment, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE) as child:
            while child.poll() is None and self.cpu_of(child.pid) < cpu_s:
                time.sleep(0.002)
            if child.poll() is not None:
                return None
            start = time.monotonic()
            child.send_signal(signal.SIGINT)
            child.communicate(timeout=60)
            return child.returncode, time.monotonic() - start

    @staticmethod
    def cpu_of(pid):
        try:
            words = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            return float("inf")
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def test_interrupted_while_it_learns(self):
        ends = []
        for cpu_s in (0.15, 0.4, 0.7):
            ended = self.interrupted("predict", "--target", "gtx980", cpu_s=cpu_s)
            if ended:
                self.assertEqual(ended[0], 130)
                ends.append(ended[1])
        self.assertTrue(ends)
        self.assertLess(sorted(ends)[len(ends) // 2], 0.5)

    def test_columns_of_devices(self):
        lines = (ROOT / "datasets/devices.csv").read_text(encoding="utf-8").split("\n", 1)
        for name, wrong, told in (("architecture", "architecturex", "did you mean architecture?"),
                                  ("launch_us", "lunch_us", "did you mean launch_us?"), ("year", "remarks", "'remarks'")):
            names = [wrong if column == name else column for column in lines[0].split(",")]
            self.write("mine/devices.csv", ",".join(names) + "\n" + lines[1])
            self.refused(["mine/devices.csv:1: no column is called", told], "predict", "--datasets", self.folder / "mine",
                         "--target", "gtx980", self.workload)


if __name__ == "__main__":
    unittest.main()
