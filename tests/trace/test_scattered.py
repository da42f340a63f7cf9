#!/usr/bin/env python3
"""The counts of a sample of scattered accesses are those of the whole launch.
PERFMODEL is the program; ctest sets it. SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import run

# Each work-item reads 16 elements at pseudo-random positions of a table of 2^23 bytes.
SOURCE = """__kernel void gather(__global const float *table, __global float *out, uint mask)
{
    uint i = get_global_id(0), at = i * 2654435761u + 12345u;
    float sum = 0;
    for (int k = 0; k < 16; k++) {
        at = at * 1664525u + 1013904223u;
        uint h = at ^ at >> 15;
        h *= 2246822519u;
        h ^= h >> 13;
        sum += table[h & mask];
    }
    out[i] = sum;
}
"""
WORKLOAD = """[workload]
name = scattered
source = scattered.cl
[size small]
n = 1 << 19
[size large]
n = 1 << 21
[buffer table]
type = float
count = 1 << 21
[buffer out]
type = float
count = n
output = yes
[launch gather]
global = n
local = 256
arguments = table, out, uint (1 << 21) - 1
"""
ITEMS = 1 << 21


class Scattered(unittest.TestCase):
    def trace(self, *arguments):
        """Returns the counts of the kernel."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "scattered.workload"
            path.write_text(WORKLOAD, encoding="utf-8")
            (path.parent / "scattered.cl").write_text(SOURCE, encoding="utf-8")
            done = run("trace", *arguments, "--json", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        kernel, = json.loads(done.stdout)["kernels"]
        return kernel

    def test_a_sample_counts_the_whole_launch(self):
        kernel = self.trace("--target", "h100", "--size", "large", "--sample", "0.2")
        self.assertLess(kernel["sampled"], 1)
        # Two of a warp's 32 reads are rarely in the same sector of the table, which has 2^18 sectors.
        sectors = kernel["counters"]["gld_sector"]
        expected = ITEMS / 32 * 16 * (32 - 32 * 31 / 2 / (1 << 18))
        self.assertEqual(kernel["counters"]["gld_request"]["value"], ITEMS / 32 * 16)
        self.assertLess(abs(sectors["value"] - expected), 3 * sectors["error"] + 1e-4 * expected)

    def test_a_sample_misses_l2_as_the_whole_launch_does(self):
        """The GTX 980 has an L2 of 2 MiB, a quarter of the table. It has lines of four sectors, of which a read
        needs one, so that about 94 % of the reads miss."""
        read = {}
        for share in ("0.2", "all"):
            kernel = self.trace("--target", "gtx980", "--size", "small", "--sample", share)
            read[share] = kernel["counters"]["dram_read_bytes"]["value"]
        self.assertLess(abs(read["0.2"] / read["all"] - 1), 0.08)


if __name__ == "__main__":
    unittest.main()
