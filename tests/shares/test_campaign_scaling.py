#!/usr/bin/env python3
"""scripts/campaign_scaling.py: times of a campaign by numbers of processes, and one that is stopped and goes on.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import csv
import json
import os
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import PERFMODEL, Base
from shares import VERSIONS, learn_from_one_gpu, write_workloads

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "campaign_scaling.py"


class Scaling(Base):
    def setUp(self):
        super().setUp()
        write_workloads(self.folder)
        learn_from_one_gpu(self.folder)

    def script(self, what, *words):
        return subprocess.run([sys.executable, SCRIPT, what, self.folder / what, "--workload", self.folder / "tuned.workload", "--size",
                               "small", "--target", "h200", *words], env={**os.environ, "PERFMODEL": str(PERFMODEL)}, check=False,
                              capture_output=True, text=True)

    def rows(self, what):
        with open(self.folder / what / f"{what}.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_scaling(self):
        done = self.script("scaling", "--processes", "1,2", "--only", "group=128")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        one, two = self.rows("scaling")
        for row, count in ((one, "1"), (two, "2")):
            self.assertEqual((row["processes"], row["versions"], row["same"]), (count, str(VERSIONS // 2), "yes"))
            self.assertGreater(float(row["cpu_s"]), 0)
        # `by` does not change the code: each number of rounds is traced once in each shard that has
        # it
        self.assertEqual(int(one["traces"]), 3)
        self.assertGreaterEqual(int(two["traces"]), 3)
        seconds = json.loads((self.folder / "scaling" / "scaling.json").read_text(encoding="utf-8"))["computed"]["shares_s"]
        self.assertGreater(seconds["1"], seconds["16"])

    def test_no_time(self):
        done = self.script("scaling", "--processes", "1", "--seconds", "0.001")
        self.assertEqual(done.returncode, 2)
        self.assertIn("1 processes: left out", done.stdout)

    def test_campaign(self):
        done = self.script("campaign", "--processes", "2", "--seconds", "20")  # no second to start in
        self.assertEqual(done.returncode, 0, done.stderr)
        done = self.script("campaign", "--processes", "2", "--seconds", "120")
        self.assertEqual(done.returncode, 0, done.stderr)
        first, last = self.rows("campaign")
        self.assertLess(int(first["versions_done"] or 0), VERSIONS)
        self.assertEqual((int(last["versions_done"]), int(last["versions"])), (VERSIONS, VERSIONS))
        found = json.loads((self.folder / "campaign" / "campaign.json").read_text(encoding="utf-8"))
        self.assertEqual(found["space"], VERSIONS)
        done = self.script("campaign", "--processes", "1", "--seconds", "120")
        self.assertEqual(done.returncode, 2)
        self.assertIn("a share of another number of processes", done.stderr)

    def test_wrong_parameter(self):
        done = self.script("scaling", "--only", "height=3")
        self.assertEqual(done.returncode, 2)
        self.assertIn("has no parameter height", done.stderr)


if __name__ == "__main__":
    unittest.main()
