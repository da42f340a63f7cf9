#!/usr/bin/env python3
"""Several datasets of perfmodel validate: taken together, and rows that are learned from alone.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import statistics
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import DATASETS, Base, rows_of, write_rows


def key_of(sample):
    return sample["program"], sample["variant"], sample["size"], sample["kernel"]


class With(Base):
    def setUp(self):
        super().setUp()
        self.rows = [row for row in rows_of(DATASETS / "h100.csv")
                     if row["program"] in ("nbody", "haar1d", "sobel3x3", "median3x3", "binomial", "copy", "dct8x8")]

    def dataset(self, name, rows):
        write_rows(self.folder / name, rows)
        return self.folder / name

    def samples(self, *arguments):
        return {key_of(s): s for s in self.json_of("validate", *arguments)["samples"]}

    def test_together(self):
        """Two halves of a dataset give the same result as the whole, in any order. Of rows with
        equal keys the first counts."""
        whole = self.dataset("whole.csv", self.rows)
        one, two = self.dataset("one.csv", self.rows[:20]), self.dataset("two.csv", self.rows[20:])
        before = self.json_of("validate", whole)
        joined = self.json_of("validate", one, two)
        self.assertEqual(joined["dataset"], f"{one}, {two}")
        self.assertEqual({**joined, "dataset": ""}, {**before, "dataset": ""})
        self.assertEqual(set(self.samples(two, one)), set(map(key_of, before["samples"])))
        other = self.dataset("other.csv", [{**row, "time_s": "1"} for row in self.rows[:20]])
        self.assertEqual(self.json_of("validate", one, two, other)["samples"], before["samples"])

    def test_with(self):
        """Rows of other programs change predictions, but are not predicted themselves."""
        target = self.dataset("target.csv", [r for r in self.rows if r["program"] not in ("nbody", "dct8x8")])
        more = self.dataset("more.csv", [r for r in self.rows if r["program"] in ("nbody", "dct8x8")])
        before, after = self.samples(target), self.samples(target, "--with", more)
        self.assertEqual(set(before), set(after))
        self.assertNotEqual(before, after)
        whole = self.samples(self.dataset("whole.csv", self.rows))
        for key, sample in after.items():
            self.assertAlmostEqual(sample["predicted_s"] / whole[key]["predicted_s"], 1, 4)

    def test_left_out(self):
        """Rows of a predicted program are left out with it. A row that is already present has no
        effect."""
        of_one = [r for r in self.rows if r["program"] == "nbody"]
        target = self.dataset("target.csv", [r for r in self.rows if r not in of_one[:2]])
        lies = [{**row, "time_s": str(100 * float(row["time_s"]))} for row in of_one]
        before, after = self.samples(target), self.samples(target, "--with", self.dataset("more.csv", lies))
        self.assertEqual(set(before), set(after))
        for key, sample in after.items():
            self.assertEqual(sample["measured_s"], before[key]["measured_s"])
            if key[0] == "nbody":
                self.assertAlmostEqual(sample["predicted_s"] / before[key]["predicted_s"], 1, 9)
        self.assertNotEqual(before, after)

    def test_from(self):
        """With a source, times come from rows of the target, and counters from rows of the
        source."""
        words = ["validate", "h200", "--from", "h100", "--method", "units"]
        more = ["--with", "h200-cuda", "--with", "h100-cuda"]
        before, after = self.json_of(*words), self.json_of(*words, *more)
        self.assertEqual(list(map(key_of, before["samples"])), list(map(key_of, after["samples"])))
        self.assertNotEqual(before["samples"], after["samples"])
        # the rows of h200-cuda alone lack counters and have no effect
        self.assertEqual(self.json_of(*words, *more[:2])["samples"], before["samples"])
        print(f"h200 from h100: mean error {before['mape']:.4f}, with CUDA {after['mape']:.4f}, median "
              f"{statistics.median(abs(s['predicted_s'] / s['measured_s'] - 1) for s in after['samples']):.4f}")

    def test_wrong(self):
        target = self.dataset("target.csv", self.rows)
        mine = self.write("my.workload", "")
        untimed = self.dataset("untimed.csv", [{**row, "time_s": ""} for row in self.rows])
        traced = self.dataset("traced.csv", [{**row, "counter_source": "trace"} for row in self.rows])
        for words, arguments in ((["h200.csv:2", "is of h200", "h100"], [target, "h200"]),
                                 (["h200.csv: has no row like"], [target, "--with", "h200"]),
                                 (["untimed.csv"], [target, "--with", untimed]),
                                 (["traced.csv"], [target, "--with", traced]),
                                 (["no_such"], [target, "--with", "no_such"]), (["no_such"], [target, "no_such"]),
                                 (["is a workload", "perfmodel collect"], [mine])):
            with self.subTest(arguments=arguments):
                self.refused(words, "validate", *arguments)

    def test_collected(self):
        """Returns the dataset that collect wrote for a workload."""
        self.write("k.cl", "__kernel void twice(__global float *a)\n{\n    a[get_global_id(0)] *= 2;\n}\n")
        mine = self.write("my.workload", "[workload]\nname = mine\nsource = k.cl\n[size s]\nn = 4096\n[size m]\nn = 65536\n"
                          "[buffer a]\ntype = float\ncount = n\nrestore = yes\n[launch twice]\nglobal = n\nlocal = 64\n"
                          "arguments = a\n")
        rows = self.folder / "mine.csv"
        self.good("collect", mine, "--device", "none", "--target", "h100", "-o", rows)
        timed = self.dataset("timed.csv", [{**row, "time_s": "1e-5"} for row in rows_of(rows)])
        words = ["validate", "h100", "--from", "h100-trace", "--method", "ridge"]
        before = json.loads(self.good(*words, "--json").stdout)
        after = json.loads(self.good(*words, "--with", timed, "--json").stdout)
        self.assertEqual(list(map(key_of, before["samples"])), list(map(key_of, after["samples"])))
        self.assertNotEqual(before["samples"], after["samples"])


if __name__ == "__main__":
    unittest.main()
