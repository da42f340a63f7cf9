#!/usr/bin/env python3
"""Mistakes in a CUDA source or in what a workload file says of it: the message names the mistake and what would be
right, with the same text each time.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import Base, run

SOURCE = """template <typename T, int N>
__global__ void turn(const T *in, T *out)
{
    extern __shared__ float part[];
    int i = blockIdx.x * N + threadIdx.x;
    part[threadIdx.x] = in[i];
    __syncthreads();
    out[i] = part[N - 1 - threadIdx.x];
}
__global__ void either(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float *from = n > 5 ? in : out;
    out[i] = from[i];
}
"""

FILE = """[workload]
name = told
source = told.cu
[size one]
n = 512
[buffer in]
type = float
count = n
[buffer out]
type = float
count = n
output = yes
[launch told]
kernel = KERNEL
grid = n / 256
block = 256
arguments = ARGUMENTS
"""


class Told(Base):
    def refused(self, kernel, arguments, source=SOURCE, file=FILE):
        self.write("told.cu", source)
        path = self.write("told.workload", file.replace("KERNEL", kernel).replace("ARGUMENTS", arguments))
        done = run("trace", "--target", "h100", "--workload", path)
        self.assertEqual(done.returncode, 2, done.stderr)
        return done.stderr

    def test_header(self):
        said = self.refused("turn<float, 256>", "in, out", '#include "mine.h"\n' + SOURCE)
        self.assertIn("'mine.h' file not found", said)
        self.assertIn("in those of -I", said)
        said = self.refused("drift", "in, out", '#include "mine.h"\nstruct Body { float at; };\n'
                            "__global__ void drift(Body *b, float *out) { out[0] = b[0].at; }\n",
                            FILE.replace("type = float", "type = Body", 1))
        self.assertIn("type \"Body\" is not known without a header: ", said)
        self.assertIn("told.cu:1:10: 'mine.h' file not found; it was looked for in", said)
        self.assertNotIn("bytes =", said)

    def test_template(self):
        self.assertIn("kernel turn is a template: write its arguments, as in kernel = turn<T, N>",
                      self.refused("turn", "in, out"))
        self.assertIn("it has: either, turn<T, N>", self.refused("twist", "in, out"))

    def test_shared(self):
        self.assertIn("told.cu:6: kernel turn<float, 256>: a store to the shared array part, whose size the launch "
                      "gives in CUDA: add shared = BYTES", self.refused("turn<float, 256>", "in, out"))

    def test_options(self):
        said = self.refused("either", "in, out, int 9", file=FILE.replace("[size", "options = --fast-maths\n[size"))
        self.assertIn("build option --fast-maths: not an option of nvcc", said)

    def test_options_without_effect(self):
        self.write("told.cu", SOURCE)
        path = self.write("told.workload", FILE.replace("KERNEL", "either").replace("ARGUMENTS", "in, out, int 9")
                          .replace("[size", "options = -O3 --maxrregcount 32 -Xcompiler -Wall -arch=sm_80\n[size"))
        done = run("trace", "--target", "h100", "--workload", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count("without effect here"), 1)
        self.assertIn("build options without effect here: -Xcompiler -Wall, -arch=sm_80\n", done.stderr)

    def test_null(self):
        first = self.refused("either", "null, out, int 9")
        self.assertIn("told.cu:14: kernel either: a load of 4 bytes through a null pointer (in or out)", first)
        self.assertEqual(first, self.refused("either", "null, out, int 9"))


if __name__ == "__main__":
    unittest.main()
