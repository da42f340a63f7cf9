#!/usr/bin/env python3
"""What scripts/shared_results.py says of datasets whose gains are known. A stand-in takes the place of perfmodel:
it predicts the column `guess` of the traced rows.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).parents[2] / "scripts" / "shared_results.py"
STAND_IN = '''#!/usr/bin/env python3
import csv, json, sys
words = sys.argv[1:]
assert words[0] == "validate" and words[2] == "--from" and "--json" in words, words
assert words[words.index("--counters") + 1] == "code", words
key = ("program", "variant", "size", "kernel")
traced = {tuple(r[k] for k in key): float(r["guess"]) for r in csv.DictReader(open(words[3]))}
json.dump({"samples": [dict({k: r[k] for k in key}, measured_s=float(r["time_s"]),
                            predicted_s=traced[tuple(r[k] for k in key)])
                       for r in csv.DictReader(open(words[1]))]}, sys.stdout)
'''
MEASURED = ("program,variant,size,kernel,time_s\n"
            "p,nolocal,1,a,3\np,nolocal,1,b,1\np,local,1,a,1.5\np,local,1,b,0.5\n"
            "q,aos,1,k,1\nq,soa,1,k,0.1\nq,local,1,k,1.05\n"
            "r,nolocal,1,k,1\n")
TRACED = ("program,variant,size,kernel,guess\n"
          "p,nolocal,1,a,5\np,nolocal,1,b,1\np,local,1,a,3\np,local,1,b,1\n"
          "q,aos,1,k,1\nq,soa,1,k,0.1\nq,local,1,k,0.8\n"
          "r,nolocal,1,k,1\n")


class Shared(unittest.TestCase):
    """Each test writes datasets and checks the script's output for them."""

    def run_it(self, files, *words):
        """Runs the script and returns the finished process."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            stand_in = folder / "perfmodel"
            stand_in.write_text(STAND_IN, encoding="utf-8")
            stand_in.chmod(0o755)
            for path, text in files.items():
                (folder / path).write_text(text, encoding="utf-8")
            return subprocess.run([sys.executable, SCRIPT, "--perfmodel", stand_in, "--datasets", name, *words],
                                  check=False, capture_output=True, text=True)

    def lines(self, files, *words):
        """Returns the lines of tables."""
        done = self.run_it(files, *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [line for line in done.stdout.splitlines() if line.startswith("| ")]

    def test_gains_and_choices(self):
        """Times of kernels are summed. The base is nolocal, else aos. Versions that stage nothing
        are left out."""
        lines = self.lines({"g.csv": MEASURED, "g-trace.csv": TRACED}, "g")
        self.assertEqual(lines[1], "| p | 1 | `local` | 2.000 | 1.500 | -50.0 | yes |")
        self.assertEqual(lines[2], "| q | 1 | `local` | 0.952 | 1.250 | +29.8 | yes |")
        self.assertEqual(lines[4], "| g | 2 | 39.9 | 39.9 | 50.0 | 2 | 1 | 5.0 % | 2.5 % | 5.0 % |")

    def test_rows_of_the_shared_files_count(self):
        """Rows of a second dataset are added or replace rows of the first. Its columns may
        differ."""
        files = {"g.csv": MEASURED, "g-trace.csv": TRACED,
                 "g-shared.csv": "time_s,program,variant,size,kernel,runs\n"
                                 "2,r,shared:a/16,1,k,7\n0.5,q,local,1,k,7\n",
                 "g-shared-trace.csv": "program,variant,size,kernel,guess\nr,shared:a/16,1,k,2\n"}
        lines = self.lines(files, "g")
        self.assertEqual(lines[2], "| q | 1 | `local` | 2.000 | 1.250 | -75.0 | yes |")
        self.assertEqual(lines[3], "| r | 1 | `shared:a/16` | 0.500 | 0.500 | +0.0 |  |")
        self.assertEqual(self.lines(files, "--short", "g"), lines[4:])

    def test_what_is_missing_is_told(self):
        """A missing dataset, and one without versions to compare."""
        done = self.run_it({"g.csv": MEASURED}, "g")
        self.assertIn("g-trace.csv: not there", done.stderr)
        self.assertEqual(done.returncode, 1)
        head = "program,variant,size,kernel,time_s,guess\n"
        done = self.run_it({"g.csv": head + "r,nolocal,1,k,1,1\n", "g-trace.csv": head + "r,nolocal,1,k,1,1\n"},
                           "g")
        self.assertIn("no program has both", done.stderr)
        self.assertEqual(done.returncode, 1)


if __name__ == "__main__":
    unittest.main()
