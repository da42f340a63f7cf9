#!/usr/bin/env python3
"""Programs of several files, as nvcc -rdc=true compiles them: functions, variables and kernels that another file defines
are found there. PERFMODEL is the program; ctest sets it. SPDX-License-Identifier: GPL-3.0-or-later
"""
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import Base, sections

MAIN = """#include "force.cuh"
#define N 4096
extern __device__ float damp(float);
extern __constant__ float factor;
static __device__ float half_of(float x) { return 0.5f * x; }
__device__ int unused(int);
__global__ void step(float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = damp(force(x[i])) + half_of(factor);
}
int main()
{
    float *x;
    cudaMalloc(&x, N * sizeof(float));
    step<<<N / 256, 256>>>(x);
    set<<<N / 128, 128>>>(x);
}
"""
HEADER = """#ifndef FORCE_CUH
#define FORCE_CUH
__device__ float force(float x);
__global__ void set(float *x);
#endif
"""
# A kernel, a function that needs a third file, and names that are in several files.
FORCE = """#include <cstdio>
#include "force.cuh"
#define N 100
__constant__ float factor = 2;
extern __device__ float inner(float);
static __device__ float half_of(float x) { return 0.5f * x; }
__device__ float force(float x) { return inner(x) * half_of(x); }
__global__ void set(float *x)
{
    x[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
void report() { printf("%d\\n", N); }
"""
DAMP = """namespace { template <class T> __device__ T twice(T x) { return 2 * x; } }
__device__ float damp(float x) { return twice(x) + 1; }
"""
INNER = """__device__ float inner(float x) { return x - 1; }
"""
OTHER = """__device__ float damp(float x) { return x; }
int main() {}
"""
# Host code that another file's functions continue: they fill a variable and launch the kernel.
CALLER = """#include "filter.h"
static int rounds() { return 3; }
int main()
{
    float weights[4] = {1, 2, 3, 0.5f}, *x;
    cudaMalloc(&x, 8192 * sizeof(float));
    set_weights(weights, 4);
    for (int i = 0; i < rounds(); i++) filter(x, 8192);
}
"""
FILTER_HEADER = """#pragma once
extern "C" void set_weights(const float *from, int n);
void filter(float *x, int n);
"""
FILTER = """#include "filter.h"
__constant__ float weights[8];
static int rounds() { return 256; }
__global__ void filtered(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) for (int k = 0; weights[k] != 0; k++) x[i] += weights[k];
}
extern "C" void set_weights(const float *from, int n) { cudaMemcpyToSymbol(weights, from, n * sizeof(float)); }
void filter(float *x, int n) { filtered<<<(n + 255) / 256, 256>>>(x, n); }
"""
# A header in <> of a folder beside the source's, which includes another one.
CUBES = """#include <vector>
#include <helper_cuda.h>
#include <powers/cube.cuh>
__global__ void cubes(float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = powers::cube(x[i]);
}
int main()
{
    float *x;
    checkCudaErrors(cudaMalloc(&x, 4096 * sizeof(float)));
    cubes<<<16, 256>>>(x);
}
"""


class Elsewhere(Base):
    def counted(self, *arguments):
        document = self.json_of("trace", "--target", "a100", *arguments)
        return ({kernel["kernel"]: {key: of["value"] for key, of in kernel["counters"].items()}
                 for kernel in document["kernels"]}, document["assumed"])

    def test_definitions_in_other_files(self):
        main = self.write("main.cu", MAIN)
        self.write("force.cuh", HEADER)
        self.write("force.cu", FORCE)
        self.write("damp.cu", DAMP)
        self.write("inner.cu", INNER)
        kernels, assumed = self.counted(main)
        self.assertEqual(kernels["step"]["gst_request"], 4096 / 32)
        self.assertEqual(kernels["set"]["gst_request"], 4096 / 32)
        said = [line for line in assumed if "together" in line]
        self.assertEqual(len(said), 1, assumed)
        for words in ("force of force.cu", "factor of force.cu", "set of force.cu", "damp of damp.cu"):
            self.assertIn(words, said[0])
        self.assertNotIn("unused", said[0])
        (self.folder / "whole").mkdir()
        # the same program in one file has the same counts
        whole = HEADER + DAMP + INNER + FORCE.replace('#include "force.cuh"\n', "").replace("#define N 100\n", "").replace("N", "1") \
            + MAIN.replace('#include "force.cuh"\n', "").replace("static __device__ float half_of(float x) { return 0.5f * x; }", "")
        self.assertEqual(self.counted(self.write("whole/whole.cu", whole))[0]["step"], kernels["step"])
        # init writes the files' names into the workload file, which gives the same counts
        workload = self.folder / "main.workload"
        self.good("init", main, "-o", workload)
        self.assertEqual(sections(workload)[0]["workload"]["options"], "-include force.cu -include damp.cu -include inner.cu")
        document = self.json_of("trace", "--target", "a100", workload)
        self.assertEqual(document["kernels"][0]["counters"]["inst_executed"]["value"], kernels["step"]["inst_executed"])
        done = self.good("advise", "--target", "a100", f"{self.folder.name}/main.cu", cwd=self.folder.parent)
        self.assertNotIn("not found", done.stdout + done.stderr)

    def test_several_definitions(self):
        main = self.write("main.cu", MAIN)
        (self.folder / "lib").mkdir()
        for name, text in (("force.cuh", HEADER), ("lib/force.cu", FORCE), ("damp.cu", DAMP), ("inner.cu", INNER),
                           ("other.cu", OTHER)):
            self.write(name, text)
        self.refused(["function damp", "another file", "-include FILE"], "trace", "--target", "a100", "--kernel", "step", main,
                     "--build-options", f"-I{self.folder}/lib")
        kernels, assumed = self.counted(main, "--build-options", f"-I{self.folder}/lib -include damp.cu")
        self.assertEqual(sorted(kernels), ["set", "step"])
        self.assertFalse([line for line in assumed if "damp of" in line])
        self.assertIn("lib/force.cu", "".join(assumed))
        self.refused(["main.cu", "-include none.cu", "no such file"], "trace", "--target", "a100", main,
                     "--build-options", "-include none.cu")

    def test_host_code_in_other_files(self):
        caller = self.write("caller.cu", CALLER)
        self.write("filter.h", FILTER_HEADER)
        self.write("filter.cu", FILTER)
        # other programs of the folder
        self.write("second.cu", FILTER + "int main() { filter(nullptr, 1); }\n")
        document = self.json_of("trace", "--target", "a100", caller)
        counters = document["kernels"][0]["counters"]
        self.assertEqual(counters["inst_fp32"]["value"], 3 * 8192 * (4 + 5))
        self.assertIn("compiled together with other files, for set_weights of filter.cu, filter of filter.cu",
                      document["assumed"])
        workload = self.folder / "caller.workload"
        self.good("init", caller, "-o", workload)
        found = sections(workload)[0]
        self.assertEqual(found["buffer weights"]["contents"], "list 1, 2, 3, 0.5, 0, 0, 0, 0")
        self.assertEqual((found["launch filtered"]["grid"], found["launch filtered"]["repeat"]), ("32", "3"))
        # with two files that define the function, the user names one
        self.write("third.cu", FILTER)
        self.refused(["caller.cu", "no kernel"], "trace", "--target", "a100", caller)
        self.json_of("trace", "--target", "a100", caller, "--build-options", "-include filter.cu")

    def test_headers_of_other_folders(self):
        for folder in ("src", "lib/include/powers/detail", "third/powers"):
            (self.folder / folder).mkdir(parents=True)
        main = self.write("src/cubes.cu", CUBES)
        self.write("lib/include/powers/cube.cuh", """#pragma once
#include "detail/square.cuh"
namespace powers { template <class T> __device__ T cube(T x) { return square(x) * x; } }
""")
        self.write("lib/include/powers/detail/square.cuh",
                   "namespace powers { template <class T> __device__ T square(T x) { return x * x; } }\n")
        kernels, assumed = self.counted(main)
        self.assertEqual(kernels["cubes"]["inst_fp32"], 2 * 4096)
        self.assertIn("headers found around the source: -I../lib/include", assumed)
        # of two such folders, the user has to choose one
        self.write("third/powers/cube.cuh", "namespace powers { __device__ float cube(float x) { return x; } }\n")
        self.refused(["cubes.cu:7", "powers"], "trace", "--target", "a100", main)
        kernels, assumed = self.counted(main, "--build-options", f"-I {self.folder}/third")
        self.assertEqual(kernels["cubes"]["inst_fp32"], 0)
        self.assertFalse([line for line in assumed if "headers" in line])

    def test_no_definition(self):
        main = self.write("main.cu", MAIN)
        self.write("force.cuh", HEADER)
        self.write("force.cu", FORCE)
        self.refused(["main.cu:", "the function", "another file", "-include FILE"], "trace", "--target", "a100", "--kernel",
                     "step", main)


if __name__ == "__main__":
    unittest.main()
