#!/usr/bin/env python3
"""Private arrays in traced kernels: those that NVIDIA's compiler keeps in registers have no local loads and stores, and
the others have. What is expected of each was read from the PTX that NVRTC 13.0 makes of the same loops.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import Base

KERNEL = """kernel void k(global const float *a, global const int *b, global float *out, int m)
{
    int t = get_global_id(0);
    float s = 0;
%s
    out[t] = s;
}
"""
SWEEPS = """    float x[%d];
    for (int i = 0; i < %d; i++) x[i] = a[t + i];
    for (int r = 0; r < m; r++)
        for (int i = 0; i < %d; i++) x[i] = x[i] * x[i] + a[r];
    for (int i = 0; i < %d; i++) s += x[i];"""
ELIMINATION = """    float x[6][6];
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) x[i][j] = a[t + i * 6 + j];
    for (int k = 0; k < 6; k++)
        for (int i = k + 1; i < 6; i++) {
            float f = x[i][k] / x[k][k];
            for (int j = k; j < 6; j++) x[i][j] -= f * x[k][j];
        }
    for (int i = 0; i < 6; i++) s += x[i][i];"""
SCHEDULE = """    uint w[64];
    for (int i = 0; i < 16; i++) w[i] = b[t + i];
    for (int i = 16; i < 64; i++) w[i] = rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1u);
    uint h = 0;
    for (int i = 0; i < 64; i++) h = rotate(h, 5u) + w[i];
    s = h;"""
BY_DATA = """    float x[16];
    for (int i = 0; i < 16; i++) x[i] = a[t + i] + i;
    for (int r = 0; r < m; r++) { x[b[r] & 15] += a[r]; s += x[b[r + 1] & 15]; }"""
ONCE = """    float x[64];
    for (int i = 0; i < 64; i++) x[i] = a[t + i];
#pragma unroll 1
    for (int i = 0; i < 64; i++) s = s * 0.5f + x[63 - i] * x[i / 2];"""
WORKLOAD = """[workload]
name = arrays
source = arrays.cl
[size only]
n = 256
[buffer a]
type = float
count = n + 2048
contents = random 0, 1
[buffer b]
type = int
count = n + 64
contents = random 0, 1000
[buffer out]
type = float
count = n
[launch k]
global = n
local = 64
arguments = a, b, out, int 3
"""


class Arrays(Base):
    def counted(self, body):
        self.write("arrays.cl", KERNEL % body)
        document = self.json_of("trace", "--workload", self.write("arrays.workload", WORKLOAD), "--sample", "all")
        counters = document["kernels"][0]["counters"]
        return {name: counter["value"] for name, counter in counters.items()}

    def test_in_registers(self):
        for name, body in (("sweeps over 16", SWEEPS % (16, 16, 16, 16)), ("sweeps over 48", SWEEPS % (48, 48, 48, 48)),
                           ("elimination", ELIMINATION), ("schedule", SCHEDULE)):
            with self.subTest(name):
                counters = self.counted(body)
                self.assertEqual((counters["local_load"], counters["local_store"]), (0, 0))

    def test_in_memory(self):
        for name, body in (("index by data", BY_DATA), ("sweeps over 1024", SWEEPS % (1024, 1024, 1024, 1024)),
                           ("a pragma against it", ONCE)):
            with self.subTest(name):
                self.assertGreater(self.counted(body)["local_load"], 0)

    def told(self, body):
        self.write("arrays.cl", KERNEL % body)
        done = self.good("trace", "--workload", self.write("arrays.workload", WORKLOAD), "--sample", "all")
        return [line for line in done.stdout.splitlines() if "private array" in line]

    def test_what_stays_is_told(self):
        self.assertEqual(self.told(SWEEPS % (16, 16, 16, 16)), [])
        told = self.told(BY_DATA)
        self.assertEqual(len(told), 1)
        self.assertRegex(told[0], r"line \d+: private array x stays in memory")

    def test_same_arithmetic(self):
        """An array in registers has the same sums and products as an array in memory."""
        counters = self.counted(SWEEPS % (48, 48, 48, 48))
        self.assertEqual(counters["inst_fp32"], 256 * (3 * 48 + 48))


if __name__ == "__main__":
    unittest.main()
