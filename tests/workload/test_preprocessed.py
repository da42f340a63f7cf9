#!/usr/bin/env python3
"""The output of a preprocessor (nvcc -E) is a source: it is predicted like the source before it, with the launches of its
host code. PERFMODEL is the program; ctest sets it. SPDX-License-Identifier: GPL-3.0-or-later
"""
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import Base

HEADER = """#pragma once
#define SCALE 3
template <typename T> __global__ void mul(T *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= SCALE;
}
__device__ int hits;
"""
MAIN = """#include <cooperative_groups.h>
#include "kernels.cuh"
__global__ void count(const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] > 0) atomicAdd(&hits, 1);
    cooperative_groups::this_thread_block().sync();
}
int main()
{
    float *x;
    cudaMalloc(&x, (1 << 16) * sizeof(float));
    mul<float><<<256, 256>>>(x, 1 << 16);
    count<<<256, 256>>>(x, 1 << 16);
}
"""


def preprocessed():
    """Returns MAIN as nvcc -E writes it, with parts of headers that perfmodel must not read."""
    header = HEADER.replace("#define SCALE 3\n", "\n").replace("SCALE", "3").replace("#pragma once\n", "\n")
    begin, end = MAIN.split('#include "kernels.cuh"\n')
    text = ('# 1 "main.cu"\n# 1 "<built-in>"\nunknown built_in;\n# 1 "<command-line>" 1\n'
            '# 1 "/opt/tools/include/cuda_runtime.h" 1\nstruct float4 { unknown x; };\n'
            '# 1 "/usr/include/c++/12/vector" 1 3\nunknown v;\n# 1 "<command-line>" 2\n# 1 "main.cu"\n'
            '# 1 "/opt/tools/include/cooperative_groups.h" 1\nunknown w;\n# 2 "main.cu" 2\n' +
            begin.replace("#include <cooperative_groups.h>\n", "") +
            f'# 1 "kernels.cuh" 1\n{header}# 3 "main.cu" 2\n{end}')
    for word in ("global", "device"):
        text = text.replace(f"__{word}__", f"__attribute__(({word}))")
    return text


class Preprocessed(Base):
    """Asks for a source and for its preprocessed form."""

    def test_same(self):
        self.write("kernels.cuh", HEADER)
        times = []
        for name, text in (("main.cu", MAIN), ("after.cu", preprocessed())):
            rows = self.json_of("predict", "--target", "h100", self.write(name, text))["predictions"]
            times.append({row["kernel"]: row["predicted_s"] for row in rows})
        self.assertEqual(times[0], times[1])
        self.assertTrue({"mul<float>", "count"} <= set(times[0]))


if __name__ == "__main__":
    unittest.main()
