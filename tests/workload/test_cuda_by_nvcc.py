#!/usr/bin/env python3
"""CUDA sources that clang refuses and nvcc compiles: which kernels are traced, with which counts and lines, and which
notices and errors users get. Skipped where no nvcc is found. PERFMODEL is the program; ctest sets it.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import os
import pathlib
import shutil
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import Base, run

NVCC = os.environ.get("PERFMODEL_NVCC") or shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"

# Each thread adds 4 bytes by inline assembly, which clang's bitcode has and the trace engine refuses.
ASSEMBLY = """__device__ unsigned dot(unsigned a, unsigned b)
{
    unsigned d;
    asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(0));
    return d;
}
__global__ void dots(const unsigned *a, unsigned *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        b[i] = dot(a[i], 0x01010101);
}
__global__ void plain(const unsigned *a, unsigned *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        b[i] = a[i];
}
int main()
{
    const int n = 4096;
    unsigned *a, *b;
    cudaMalloc(&a, n * sizeof(unsigned));
    cudaMalloc(&b, n * sizeof(unsigned));
    dots<<<n / 256, 256>>>(a, b, n);
    return 0;
}
"""
# A template whose instances have no name that host code can write, a member of libcu++ in a kernel's parameters, and
# a struct with pointers that is passed by value.
LIBRARY = """#include <cuda/atomic>
#include <cuda/std/span>
#include <cstdio>
struct Rows {
    const float *from;
    float *to;
    int count;
};
__global__ void scale(Rows rows, float by)
{
    cuda::std::span<const float> from(rows.from, rows.count);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows.count)
        rows.to[i] = by * from[i];
}
__global__ void count(const int *values, cuda::atomic<int, cuda::thread_scope_device> *sum, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && values[i] >= 0)
        sum->fetch_add(1, cuda::std::memory_order_relaxed);
}
template <class F> __global__ void map(const int *in, int *out, int n, F f)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = f(in[i]);
}
int main()
{
    const int n = 8192;
    Rows rows;
    rows.count = n;
    float *from;
    cudaMalloc(&from, n * sizeof(float));
    rows.from = from;
    cudaMalloc(&rows.to, n * sizeof(float));
    scale<<<n / 128, 128>>>(rows, 2.0f);
    int *values, *out;
    cuda::atomic<int, cuda::thread_scope_device> *sum;
    cudaMalloc(&values, n * sizeof(int));
    cudaMalloc(&out, n * sizeof(int));
    cudaMalloc(&sum, sizeof(*sum));
    count<<<n / 128, 128>>>(values, sum, n);
    map<<<n / 128, 128>>>(values, out, n, [] __device__(int x) { return 3 * x; });
    return 0;
}
"""
TENSOR = """#include <mma.h>
#include <cuda_fp16.h>
using namespace nvcuda;
__global__ void copy(const float *a, float *b) { b[threadIdx.x] = a[threadIdx.x]; }
__global__ void faulty(const float *a, float *b) { undeclared(a, b); }
int main()
{
    float *a, *b;
    cudaMalloc(&a, 256 * sizeof(float));
    cudaMalloc(&b, 256 * sizeof(float));
    copy<<<1, 256>>>(a, b);
    faulty<<<1, 256>>>(a, b);
    return 0;
}
"""


def kernels_of(done):
    """Returns the counters of each kernel of a trace, by name."""
    return {kernel["kernel"]: {name: value["value"] for name, value in kernel["counters"].items()}
            for kernel in json.loads(done.stdout)["kernels"]}


@unittest.skipUnless(os.access(NVCC, os.X_OK), "no nvcc")
class Nvcc(Base):
    def trace(self, text, *options, environment=None):
        pathlib.Path(self.folder, "k.cu").write_text(text, encoding="utf-8")
        return run("trace", "--target", "h100", "--json", *options, "k.cu", cwd=self.folder,
                   environment={"PERFMODEL_NVCC": NVCC, "PERFMODEL_CUDA_COMPILER": "auto", **(environment or {})})

    def test_inline_assembly(self):
        done = self.trace(ASSEMBLY)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"k\.cu: compiled by nvcc [0-9.]+, because clang refuses it: k\.cu:4: inline")
        counts = kernels_of(done)
        self.assertEqual(list(counts), ["dots"])
        self.assertEqual((counts["dots"]["gld_request"], counts["dots"]["gst_request"]), (128, 128))

    def test_lines_are_those_of_the_source(self):
        done = self.trace(ASSEMBLY)
        accesses = json.loads(done.stdout)["kernels"][0]["accesses"]
        self.assertEqual({access["line"] for access in accesses}, {11})

    def test_library_types_lambdas_and_structs(self):
        done = self.trace(LIBRARY)
        self.assertEqual(done.returncode, 0, done.stderr)
        counts = kernels_of(done)
        self.assertEqual(len(counts), 3, counts.keys())
        self.assertEqual((counts["scale"]["gld_request"], counts["scale"]["gst_request"]), (256, 256))
        self.assertEqual(counts["count"]["gld_request"], 256)
        self.assertGreater(counts["count"]["atomic"], 0)

    def test_clang_alone_refuses(self):
        for chosen in ({"PERFMODEL_CUDA_COMPILER": "clang"}, {"PERFMODEL_NVCC": "/none", "PERFMODEL_NVRTC": "/none"}):
            done = self.trace(ASSEMBLY, environment=chosen)
            self.assertEqual(done.returncode, 2)
            self.assertIn("k.cu:4: inline assembly cannot be traced", done.stderr)
            self.assertNotIn("compiled by", done.stderr)
        done = self.trace(ASSEMBLY, "--cuda-compiler", "clang")
        self.assertEqual(done.returncode, 2)

    def test_nvcc_is_forced(self):
        by_clang = self.trace(ASSEMBLY, "--kernel", "plain", "--grid", "16", "--block", "256", "--set", "n=4096")
        by_nvcc = self.trace(ASSEMBLY, "--kernel", "plain", "--grid", "16", "--block", "256", "--set", "n=4096",
                             "--cuda-compiler", "nvcc")
        self.assertNotIn("compiled by", by_clang.stderr)
        self.assertIn("k.cu: compiled by nvcc", by_nvcc.stderr)
        for name in ("gld_request", "gld_sector", "gst_request", "gst_sector", "work_groups"):
            self.assertEqual(kernels_of(by_clang)["plain"][name], kernels_of(by_nvcc)["plain"][name])

    def test_source_that_both_refuse(self):
        done = self.trace(TENSOR)
        by_clang = self.trace(TENSOR, "--cuda-compiler", "clang")
        self.assertEqual((done.returncode, done.stderr), (by_clang.returncode, by_clang.stderr))
        self.assertIn("kernel faulty left out", done.stderr)

    def test_pointer_that_the_kernel_does_not_use(self):
        """The PTX of older versions of nvcc does not declare pointers, so the kernel takes a number."""
        older = self.folder / "nvcc"
        older.write_text(f"""#!/bin/sh
"{NVCC}" "$@" || exit
while [ $# -gt 0 ]; do
    [ "$1" != -o ] || sed -i 's/[.]ptr [.]global [.]align [0-9]*//' "$2"
    shift
done
""", encoding="utf-8")
        older.chmod(0o755)
        text = ASSEMBLY.replace("plain(const unsigned *a,", "plain(const unsigned *a, const float *spare,").replace(
            "dots<<<n / 256, 256>>>(a, b, n)", "plain<<<n / 256, 256>>>(a, (float *)a, b, n)")
        done = self.trace(text, "--cuda-compiler", "nvcc", environment={"PERFMODEL_NVCC": str(older)})
        self.assertEqual(done.returncode, 0, done.stderr)
        counts = kernels_of(done)["plain"]
        self.assertEqual((counts["gld_request"], counts["gst_request"]), (128, 128))

    def test_wrong_choice(self):
        done = self.trace(ASSEMBLY, "--cuda-compiler", "gcc")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--cuda-compiler gcc: it is auto, clang or nvcc", done.stderr)


class Setup(Base):
    def test_pip_fails(self):
        done = run("setup", "nvidia", environment={"PIP_INDEX_URL": "http://127.0.0.1:9/", "PIP_RETRIES": "0",
                                                   "XDG_DATA_HOME": str(self.folder)})
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertIn("or set PERFMODEL_NVCC to the nvcc of a CUDA toolkit", done.stderr)

    def test_what_to_set_up(self):
        self.assertEqual(run("setup").returncode, 2)
        self.assertIn("perfmodel setup nvidia", run("setup", "amd").stderr)


if __name__ == "__main__":
    unittest.main()
