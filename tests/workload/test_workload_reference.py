#!/usr/bin/env python3
"""How results are held against a [reference]: tolerances, allowed errors that the reference computes, references of some
elements, sizes; and contents that make this possible. One pass of PoCL a case.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import Base, run

KERNEL = """__kernel void scale(__global const float4 *in, __global float *out, float off)
{ int i = get_global_id(0); if (i != SKIPPED) out[i] = in[i].x + 2 * in[i].w + off; }
"""
REFERENCE = """__kernel void scale(__global const float4 *in, __global float *out, __global float *errors)
{ int i = get_global_id(0); errors[i] = i < 32 ? 0.5f : 0; if (i % STEP == 0) out[i] = in[i].x + 2 * in[i].w; }
"""
WORKLOAD = """[workload]
name = scaled
title = two components
source = scale.cl
options = -cl-std=CL1.2 -DSKIPPED={skipped}
base = sum
work = n ** 2
[size small]
n = 64
[size large]
n = 128
[buffer in]
type = float4
count = n
contents = random 1, 2
contents.w = range 1, 1
[buffer out]
type = float
count = n
contents = unset
output = yes
{errors}
[buffer allowed]
type = float
count = n
reference = yes
[launch scale]
global = n
local = 32
arguments = {arguments}, float {off}
[reference]
source = reference.cl
options = -cl-std=CL1.2 -DSTEP={step}
launch.scale.arguments = in, out, allowed
{keys}
"""


class Reference(Base):
    def setUp(self):
        super().setUp()
        self.write("scale.cl", KERNEL)
        self.write("reference.cl", REFERENCE)

    def file(self, off=0, keys="", errors="", step=1, skipped=-1, arguments="in, out"):
        return self.write("scaled.workload", WORKLOAD.format(
            off=off, keys=keys, errors=errors, step=step, skipped=skipped, arguments=arguments))

    def told(self, size="small", **changes):
        """What collect says of a wrong result; "" if all are right."""
        rows = self.folder / "rows.csv"
        rows.unlink(missing_ok=True)
        done = run("collect", "--device", "pocl", "--counters", "none", "--size", size, "-o", rows,
                   self.file(**changes))
        wrong = [line for line in done.stderr.splitlines() if "wrong result" in line]
        self.assertEqual(done.returncode, 1 if wrong else 0, done.stderr)
        return "".join(wrong)

    def test_tolerances(self):
        self.assertEqual(self.told(), "")
        self.assertIn("(64 of 64 elements differ)", self.told(off=0.25))
        self.assertEqual(self.told(off=0.25, keys="tolerance.absolute = n / 256"), "")
        self.assertIn("(64 of 64", self.told(off=0.25, keys="tolerance.absolute = 2 ** -3"))
        # Values go from 3 to 130, so that 1 / 64 of one is less than 0.25 for the first seven.
        self.assertIn("(7 of 64", self.told(off=0.25, keys="tolerance.relative = 1 / 64"))

    def test_errors_of_each_element(self):
        self.assertIn("out[32]", self.told(off=0.25, errors="errors = allowed"))
        self.assertIn("(32 of 64", self.told(off=0.25, errors="errors = allowed"))
        self.assertEqual(self.told(errors="errors = allowed"), "")

    def test_sizes(self):
        self.assertEqual(self.told("large", off=0.25), "")
        self.assertIn("(128 of 128", self.told("large", off=0.25, keys="sizes = all"))

    def test_part_of_the_elements(self):
        self.assertIn("(48 of 64", self.told(step=4))
        self.assertEqual(self.told(step=4, keys="partial = yes"), "")
        self.assertIn("(16 of 64", self.told(step=4, off=1, keys="partial = yes"))
        self.assertIn("out[5] is -nan", self.told(step=4, skipped=5, keys="partial = yes"))
        self.assertIn("out[5] is -nan", self.told(skipped=5))

    def test_faults(self):
        for words, changes in (
                ("only the reference has buffer allowed", {"arguments": "in, allowed"}),
                ("a buffer of type float with reference = yes", {"errors": "errors = in"}),
                ("which replace it", {"keys": "tolerance = 1\ntolerance.absolute = 1"}),
                ("all or first", {"keys": "sizes = some"}),
                ("tolerance is below 0", {"keys": "tolerance.relative = -1"})):
            self.refused(words, "trace", self.file(**changes))
        path = self.file()
        content = path.read_text()
        path.write_text(content.replace("contents.w", "contents.v"))
        self.refused('has no "v"', "trace", path)
        path.write_text(content[:content.index("[reference]")])
        self.refused("there is no [reference]", "trace", path)
        path.write_text(content.replace("[launch", "[buffer more]\ntype = int\ncount = 1\n[launch"))
        self.refused("these come last", "trace", path)

    def test_box_of_a_grid(self):
        """The 64 vectors are a grid of 16 x 16 scalars. Inside of the box they are at least 1."""
        path = self.file(keys="tolerance = 0")
        content = path.read_text().replace("contents.w = range 1, 1\n", "")
        for box, words in (("4, 8, 16", "does not have as many scalars"), ("4, 13, 16, 0, 16, 16", "larger than the grid"),
                           ("4, 8, 16, 2, 10", "within FIRST, COUNT, TOTAL"), ("-1, 8, 16, 2, 10, 16", "0 or more")):
            path.write_text(content.replace("random 1, 2", f"random 1, 2 within {box}"))
            self.refused(words, "trace", path)
        path.write_text(content.replace("random 1, 2", "random 1, 2 within 4, 8, 16, 2, 10, n / 4"))
        self.write("reference.cl", REFERENCE.replace(
            "out[i] = in[i].x + 2 * in[i].w",
            "out[i] = i % 4 == 0 || i % 4 == 3 || i / 4 < 2 || i / 4 >= 12 ? 0 : max(1.0f, in[i].x) + 2 * max(1.0f, in[i].w)"))
        rows = self.folder / "rows.csv"
        self.good("collect", "--device", "pocl", "--counters", "none", "--size", "small", "-o", rows, path)

    def test_place_of_the_plain_version(self):
        path = self.file()
        path.write_text(path.read_text() + "[variant other]\noptions = -DSKIPPED=-1\n[variant sum]\n")
        listed = run("collect", "--list", path).stdout
        self.assertLess(listed.index("other"), listed.index("sum"))


if __name__ == "__main__":
    unittest.main()
