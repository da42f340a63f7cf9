#!/usr/bin/env python3
"""Several kernels in a file of which some do not compile: the others are predicted, and the bad ones are named with the
compiler's line. PERFMODEL is the program; ctest sets it. SPDX-License-Identifier: GPL-3.0-or-later
"""
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import Base, run

KERNELS = """#include <cstdio>
__global__ void good(float *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= 2; }
__global__ void __launch_bounds__(256) bad(float *x, int n) { x[threadIdx.x] = not_there(n); }
__global__ void lanes(float *x, int n) { int i; asm volatile("mov.u32 %0, %%laneid;" : "=r"(i)); x[i] = n; }
template <typename T> __global__ void other(T *x, int n) { x[threadIdx.x] = n; }
"""
MAIN = """int main()
{
    const int n = 1 << 16;
    float *x;
    cudaMalloc(&x, n * sizeof(float));
    good<<<n / 256, 256>>>(x, n);
    bad<<<1, 256>>>(x, n);
    lanes<<<1, 256>>>(x, n);
}
"""
FILE = """[workload]
name = some
source = some.cu
[size one]
n = 65536
[buffer x]
type = float
count = n
output = yes
""" + "".join(f"[launch {name}]\ngrid = {grid}\nblock = 256\narguments = x, int n\n"
              for name, grid in (("good", "n / 256"), ("bad", "1"), ("lanes", "1")))


class LeftOut(Base):
    """Asks for sources in which one kernel of three compiles."""

    def names(self, *arguments):
        """Asserts that the answer has `good` alone, and that `bad` is named with its line."""
        answer = run(*arguments)
        self.assertEqual(answer.returncode, 3, answer.stderr)
        self.assertRegex(answer.stdout, r"\bgood\b")
        self.assertRegex(answer.stderr, r"kernel bad left out: .*some\.cu:3:\d+: .*not_there")
        self.assertRegex(answer.stderr, r"kernel lanes left out: .*some\.cu:4: inline assembly")
        self.assertNotRegex(answer.stderr, r"kernel (good|other)")

    def test_workload_file(self):
        self.write("some.cu", KERNELS)
        path = self.write("some.workload", FILE)
        self.names("predict", "--target", "h100", path)
        self.names("trace", "--target", "h100", path)

    def test_host_code(self):
        self.names("predict", "--target", "h100", self.write("some.cu", KERNELS + MAIN))

    def test_kernels_alone(self):
        self.names("predict", "--target", "h100", self.write("some.cu", KERNELS))

    def test_none_is_good(self):
        """If no kernel compiles, the first error is the answer, with exit code 2."""
        self.write("some.cu", KERNELS.replace("x[i] *= 2", "x[i] = nothing"))
        answer = run("predict", "--target", "h100", self.write("some.workload", FILE))
        self.assertEqual(answer.returncode, 2)
        self.assertRegex(answer.stderr, r"some\.cu:2:\d+: .*nothing")


if __name__ == "__main__":
    unittest.main()
