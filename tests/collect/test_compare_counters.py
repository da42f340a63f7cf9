#!/usr/bin/env python3
"""What scripts/compare_counters.py says of datasets whose differences are known.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).parents[2] / "scripts" / "compare_counters.py"
HEAD = ("program,variant,size,kernel,gld_request,gst_request,barrier,gld_sector,l1_global_load_hit,"
        "l1_global_load_miss,dram_read_bytes,dram_write_bytes\n")
MEASURED = (HEAD + "p,local,1,k,100,0,,1000,50,50,0,0\n"
                   "p,local,2,k,200,0,,1000,90,10,300,100\n"
                   "p,local,3,k,0,10,,1000,0,0,300,100\n")


class Compare(unittest.TestCase):
    """Each test writes a second dataset and checks the script's output for it."""

    def run_it(self, counted, *options, measured=MEASURED):
        """Runs the script and returns the finished process."""
        with tempfile.TemporaryDirectory() as folder:
            paths = [pathlib.Path(folder) / name for name in ("a.csv", "b.csv")]
            for path, text in zip(paths, (measured, counted)):
                path.write_text(text, encoding="utf-8")
            return subprocess.run([sys.executable, SCRIPT, *paths, *options], check=False,
                                  capture_output=True, text=True)

    def result(self, counted, *options):
        """What --json says."""
        done = self.run_it(counted, "--json", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def by_name(self, rows):
        """Returns rows by their counter."""
        return {row["counter"]: row for row in rows}

    def test_the_same(self):
        """For equal datasets there is no difference. Unknown values do not count as equal."""
        result = self.result(MEASURED)
        exact = self.by_name(result["exact"])
        self.assertEqual((exact["gld_request"]["samples"], exact["gld_request"]["equal"]), (3, 3))
        self.assertEqual((exact["barrier"]["samples"], exact["barrier"]["share"]), (0, None))
        self.assertEqual(result["outliers"], [])
        self.assertEqual(result["l1_hit_rate"], {"samples": 2, "median_points": 0, "p90_points": 0})

    def test_differences(self):
        """A difference of 2 % counts as equal, 3 % does not. A value where 0 was measured never
        counts as equal."""
        result = self.result(HEAD + "p,local,1,k,102,0,5,1100,60,40,0,0\n"
                                    "p,local,2,k,206,0,5,1200,90,10,330,110\n"
                                    "p,local,3,k,1,10,5,1300,0,0,300,90\n", "--l2-bytes", "199")
        exact = self.by_name(result["exact"])
        self.assertEqual((exact["gld_request"]["equal"], exact["gst_request"]["equal"]), (1, 3))
        self.assertEqual([(o["size"], o["difference"]) for o in result["outliers"]],
                         [("2", 6 / 200), ("3", "inf")])
        sector = self.by_name(result["modelled"])["gld_sector"]
        self.assertAlmostEqual(sector["median"], 0.2)
        self.assertAlmostEqual(sector["p90"], 0.3)
        self.assertAlmostEqual(sector["ratio"], 1.2)
        self.assertAlmostEqual(result["l1_hit_rate"]["median_points"], 5)
        self.assertEqual(result["dram"]["samples"], 2)
        self.assertAlmostEqual(result["dram"]["median"], (0.1 + 0.025) / 2)

    def test_l2_bound(self):
        """DRAM bytes are compared only for samples that transfer more than twice the capacity of
        L2."""
        self.assertEqual(self.result(MEASURED, "--l2-bytes", "200")["dram"]["samples"], 0)

    def test_only_shared_samples(self):
        """A sample that only one dataset has is named."""
        done = self.run_it(HEAD + "p,local,1,k,100,0,,1000,50,50,0,0\n", "--markdown")
        self.assertEqual(done.returncode, 0)
        self.assertIn("2 samples are not in", done.stderr)
        self.assertIn("| gld_request | 1 | 1 | 100.0 % |", done.stdout)

    def test_bad_input(self):
        """A bad input gives one line and exit code 2."""
        row = "p,local,1,k,100,0,,1000,50,50,0,0\n"
        for text in ("", "a,b\n", HEAD, HEAD + "p,local\n", HEAD + row + row,
                     HEAD + row.replace("1000", "many"), HEAD + row.replace("1000", "nan"),
                     HEAD + row.replace("1000", "-1"), HEAD + row.replace("p,", "q,")):
            done = self.run_it(text)
            self.assertEqual(done.returncode, 2, text)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    unittest.main()
