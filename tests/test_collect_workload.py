#!/usr/bin/env python3
"""collect with workload files and the corpus: contents by formula, results held against the file's reference, and
what is wrong with either told in one line.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import unittest

from program import Base, rows_of, run

SOURCE = """typedef struct { float x; int tag[2]; } Item;
kernel void twice(global const float *a, global const int *b, global float *out, global Item *items)
{
    int i = get_global_id(0);

    out[i] = 2 * a[i] + b[i];
    items[i].x = a[i];
    items[i].tag[0] = b[i];
    items[i].tag[1] = CHANGED;
}
kernel void plainly(global const float *a, global const int *b, global float *out, global Item *items, int n)
{
    for (int i = 0; i < n; i++) {
        out[i] = a[i] + a[i] + b[i];
        items[i].x = a[i];
        items[i].tag[0] = i * 7 % 13 - n;
        items[i].tag[1] = 1;
    }
}
"""
WORKLOAD = """[workload]
name = held
source = held.cl
options = -DCHANGED=1
class = tests
[size small]
n = 256
[size large]
n = 1024
[buffer a]
type = float
count = n
contents = each (i % 7 - 3) * 0.5
[buffer b]
type = int
count = n
contents = each i * 7 % 13 - n
[buffer out]
type = float
count = n
output = yes
[buffer items]
type = Item
count = n
output = yes
[launch twice]
global = n
local = 64
arguments = a, b, out, items
[launch plainly]
global = 1
local = 1
arguments = a, b, out, items, int n
repeat = 0
[variant other]
launch.twice.local = 128
[reference]
launch.twice.repeat = 0
launch.plainly.repeat = 1
tolerance = 1e-6
"""


class Held(Base):
    def write_held(self, changes=(), source=SOURCE):
        text = WORKLOAD
        for old, new in changes:
            self.assertIn(old, text)
            text = text.replace(old, new, 1)
        self.write("held.cl", source)
        self.write("held.workload", text)

    def collect(self, *arguments):
        return run("collect", "--workload", self.folder / "held.workload", "--device", "pocl", "--counters", "none",
                   "-o", self.folder / "out.csv", *arguments)

    def rows(self):
        return [(row["program"], row["variant"], row["size"], row["kernel"])
                for row in rows_of(self.folder / "out.csv")]

    def test_right(self):
        self.write_held()
        result = self.collect()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.rows(), [("held", variant, size, "twice")
                                       for variant in ("aos", "other") for size in ("small", "large")])

    def test_wrong_result(self):
        for changes, source, says in (
                ([], SOURCE.replace("2 * a[i]", "2.001f * a[i]"), "out[0] is -259.001495, but -259 by the reference"),
                ([("DCHANGED=1", "DCHANGED=258")], SOURCE,
                 "items.tag[0] is 0x00000102, but 0x00000001 by the reference")):
            self.write_held(changes, source)
            result = self.collect("--variant", "aos")
            self.assertEqual(result.returncode, 1)
            self.assertIn(says, result.stderr)
            # Larger sizes are not held against a definition that may take long.
            self.assertEqual(self.rows(), [("held", "aos", "large", "twice")])
            (self.folder / "out.csv").unlink()

    def test_tolerance(self):
        self.write_held([("tolerance = 1e-6", "tolerance = 0.01")], SOURCE.replace("2 * a[i]", "2.001f * a[i]"))
        self.assertEqual(self.collect().returncode, 0)

    def test_wrong_files(self):
        for changes, says in (
                ([("each i * 7 % 13 - n", "each i * 7 %")], "a number or a parameter is missing at the end"),
                ([("each i * 7 % 13 - n", "each")], "a number or a parameter is missing at the end"),
                ([("each i * 7 % 13 - n", "each 1 / (i - 200)")], "element 200: 1 / 0: a division by zero"),
                ([("each i * 7 % 13 - n", "each i * 3000000000")], "element 1: the value does not fit a int"),
                ([("tolerance = 1e-6", "tolerance = -1")], "tolerance is below 0"),
                ([("tolerance = 1e-6", "colour = red")], 'no key "colour"'),
                ([("[reference]", "[reference]\nsource = held.cl\n[reference]")], "[reference] is there already"),
                ([("count = n\noutput = yes\n[buffer items]", "count = n\n[buffer items]"),
                  ("count = n\noutput = yes\n[launch", "count = n\n[launch")], "nothing to be compared with"),
                ([("arguments = a, b, out, items, int n", "arguments = a, b, out, items")], "plainly")):
            self.write_held(changes)
            result = self.collect()
            self.assertIn(says, result.stderr)
            self.assertIn(result.returncode, (1, 2))

    def test_traced(self):
        self.write_held()
        traced = self.json_of("trace", "--workload", self.folder / "held.workload", "--sample", "all")
        self.assertEqual(traced["program"], "held")


class Corpus(Base):
    def test_listed(self):
        names = {}
        for suite in ("suite", "corpus", "all"):
            names[suite] = [program["program"] for program in self.json_of("collect", "--list", "--suite", suite)]
        self.assertIn("nbody", names["suite"])
        self.assertEqual(names["corpus"], sorted(names["corpus"]))
        self.assertEqual(names["all"], names["suite"] + names["corpus"])

    def test_own_dataset(self):
        self.good("collect", "--suite", "corpus", "--program", "dwconv_int8", "--size", "s28", "--device", "none",
                  "--target", "gtx980", environment={"PERFMODEL_DATASETS": str(self.folder)})
        self.assertEqual(sorted(os.listdir(self.folder)), ["gtx980-corpus-trace.csv", "gtx980-corpus-trace.json"])

    def test_wrong_set(self):
        result = run("collect", "--suite", "corps", "-o", "/dev/null")
        self.assertEqual(result.returncode, 2)
        self.assertEqual(result.stderr, "perfmodel: --suite corps: choose one of suite, corpus, all\n")


if __name__ == "__main__":
    unittest.main()
