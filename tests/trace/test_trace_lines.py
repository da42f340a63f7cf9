#!/usr/bin/env python3
"""Every access of a trace has the line of the source that it comes from, wherever LLVM has moved it.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import re
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import Base

# A comment on a line names the number of accesses that come from this line.
CUDA = """__global__ void hoisted(float *out, int rounds)
{
    extern __shared__ float4 kept[];
    kept[threadIdx.x] = make_float4(threadIdx.x, 1, 2, 3); // store shared
    __syncthreads();
    float sum = 0;
    for (int r = 0; r < rounds; r++) {
        float4 v = kept[(threadIdx.x * 2 & 31) + (r & 7)]; // load shared
        sum += v.x + v.y + v.z + v.w;
    }
    out[threadIdx.x] = sum; // store global
}
"""
OPENCL = """kernel void moved(global const float *restrict a, global float *restrict out, int rounds)
{
    int t = get_global_id(0);
    float sum = 0;
    for (int r = 0; r < rounds; r++) {
        sum += vload4(t, a).y * r; // load global
        sum += a[t]; // load global
        if (r & 1)
            sum *=
                a[t + 7]; // load global
        out[t] = sum; // store global
    }
}
"""
WORKLOAD = """[workload]
name = moved
source = %s
[size only]
rounds = 100
[buffer a]
type = float
count = 4096
[buffer out]
type = float
count = 4096
%s
"""
LAUNCHES = {"moved.cu": "[launch hoisted]\ngrid = 4\nblock = 32\nshared = 64 * 16\narguments = out, int rounds",
            "moved.cl": "[launch moved]\nglobal = 128\nlocal = 32\narguments = a, out, int rounds"}


class Lines(Base):
    def test_moved_accesses(self):
        for name, source in (("moved.cu", CUDA), ("moved.cl", OPENCL)):
            with self.subTest(name):
                self.write(name, source)
                workload = self.write("moved.workload", WORKLOAD % (name, LAUNCHES[name]))
                expected = {(k, *m.groups()) for k, line in enumerate(source.splitlines(), 1)
                            if (m := re.search(r"// (\w+) (\w+)", line))}
                kernel, = self.json_of("trace", "--target", "h100", workload)["kernels"]
                self.assertEqual({(a["line"], a["kind"], a["space"]) for a in kernel["accesses"]}, expected)
                self.assertTrue(all(a["column"] > 0 for a in kernel["accesses"]), kernel["accesses"])


if __name__ == "__main__":
    unittest.main()
