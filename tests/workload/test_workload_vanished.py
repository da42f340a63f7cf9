#!/usr/bin/env python3
"""A loop that repeats one sum for the sake of measuring: what vanishes with it is no gain of local memory, and is named as
restrict's.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import Base, run

SOURCE = """kernel void again(global uint *sum, global const uint *term)
{
    const size_t i = get_global_id(0);

    for (int k = 0; k < 4096; k++)
        sum[i] += term[i];
}
"""

FILE = """[workload]
name = again
source = again.cl
[size one]
n = 65536
[buffer sum]
type = uint
count = n
restore = yes
output = yes
[buffer term]
type = uint
count = n
contents = range 0, 1
[launch again]
global = n
local = 256
arguments = ARGUMENTS
"""


class Vanished(Base):
    def test_advise(self):
        self.write("again.cl", SOURCE)
        done = run("advise", "--json", "--target", "v100", "--workload",
                   self.write("again.workload", FILE.replace("ARGUMENTS", "sum, term")))
        self.assertEqual(done.returncode, 0, done.stderr)
        gains = {choice["variant"]: choice["gain"] for choice in json.loads(done.stdout)["choices"]}
        self.assertNotIn("shared", gains)
        self.assertGreater(gains["restrict"], 50)
        self.assertIn("__restrict__ alone does the same (version restrict)", done.stderr)

    def test_overlap(self):
        """A launch that passes one buffer twice is refused for a kernel with restrict parameters."""
        self.write("again.cl", SOURCE)
        done = run("trace", "--target", "v100", "--variant", "restrict", "--workload",
                   self.write("again.workload", FILE.replace("ARGUMENTS", "sum, sum")))
        self.assertEqual(done.returncode, 2)
        self.assertIn("gives it buffer sum twice, which restrict rules out", done.stderr)


if __name__ == "__main__":
    unittest.main()
