#!/usr/bin/env python3
"""Kinds of host code and kernels that public programs have: HIP's arithmetic of vectors, rounding directions, waits for
the clock, and repeats of launches that are costly to count. PERFMODEL is the program; ctest sets it.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import Base, run, sections

# HIP's headers define operators of vector types; the source's own operator for uint2 is preferred.
VECTORS = """#include <hip/hip_runtime.h>
__device__ uint2 operator+(uint2 a, uint2 b) { return make_uint2(a.x ^ b.x, 0); }
__global__ void blend(float4 *a, float3 *b, int2 *c, uint2 *d, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 x = 2.0f * a[i] + 1.0f;
    float3 sum = make_float3(0, 0, 0);
    x -= a[i];
    x = -x / 3.0f;
    a[i] = x;
    sum += 2 * b[i];
    b[i] = sum;
    int2 q = c[i] << 1;
    if (q == c[i]) q.x = 1;
    c[i] = q;
    d[i] = d[i] + d[i];
}
int main()
{
    const int n = 4096;
    float4 *a; float3 *b; int2 *c; uint2 *d;
    hipMalloc(&a, n * sizeof(float4));
    hipMalloc(&b, n * sizeof(float3));
    hipMalloc(&c, n * sizeof(int2));
    hipMalloc(&d, n * sizeof(uint2));
    blend<<<n / 64, 64>>>(a, b, c, d, n);
}
"""
ROUNDED = """__global__ void bounds(float *low, float *high, double *wide, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    low[i] = __fmul_rd(__fadd_rd(low[i], 1), 3);
    high[i] = __fsqrt_ru(__fmaf_ru(high[i], 2, __frcp_rz(high[i])));
    wide[i] = __dmul_rz(__dadd_ru(wide[i], 1), __dsub_rd(wide[i], 2));
}
int main()
{
    const int n = 4096;
    float *low, *high; double *wide;
    cudaMalloc(&low, n * sizeof(float));
    cudaMalloc(&high, n * sizeof(float));
    cudaMalloc(&wide, n * sizeof(double));
    bounds<<<n / 64, 64>>>(low, high, wide, n);
}
"""
CLOCK = """__global__ void wait(long long cycles)
{
    long long start = clock64();
    while (clock64() - start < cycles);
}
__global__ void twice(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= 2;
}
int main()
{
    float *x;
    cudaMalloc(&x, 4096 * sizeof(float));
    wait<<<1, 1>>>(100000000LL);
    twice<<<16, 256>>>(x, 4096);
}
"""
# What a launch writes decides what its repeats do, so that all work-groups of each repeat have to run.
CHAIN = """__global__ void grow(int *state, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && state[(i + 1) % n] > state[i]) state[i] += 1;
}
int main()
{
    const int n = 1 << 23;
    int *state;
    cudaMalloc(&state, n * sizeof(int));
    for (int i = 0; i < 100; i++)
        grow<<<n / 256, 256>>>(state, n);
}
"""
# Each warp has a long loop of accesses.
LONG = """__global__ void sweep(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 4000; k++) x[(i * 32 + k) % n] += 1;
}
int main()
{
    const int n = 1 << 20;
    float *x;
    cudaMalloc(&x, n * sizeof(float));
    for (int i = 0; i < 90; i++)
        sweep<<<n / 256, 256>>>(x, n);
}
"""

# The bytes are indices of a small array of each work-item.
SMALL = """__global__ void bins(float *out, const char *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    char count[16];
    float sum = 0;
    for (int k = 0; k < 16; k++) count[k] = 0;
    if (i >= n - 4) return;
    for (int k = 0; k < 4; k++) count[in[i + k]]++;
    for (int k = 0; k < 16; k++) sum += count[k] * count[k];
    out[i] = sum;
}
int main()
{
    const int n = 4096;
    char *in; float *out;
    cudaMalloc(&in, n);
    cudaMalloc(&out, n * sizeof(float));
    bins<<<n / 256, 256>>>(out, in, n);
}
"""

# An index is a sum of numbers from a buffer.
SUMS = """__global__ void near(float *out, const int *points, const float *weights, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = weights[points[i] + points[i + n] + points[i + 2 * n]];
}
int main()
{
    const int n = 8192;
    int *points; float *weights, *out;
    cudaMalloc(&points, 3 * n * sizeof(int));
    cudaMalloc(&weights, n * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    near<<<n / 256, 256>>>(out, points, weights, n);
}
"""

# Macros of nvcc and hipcc decide whether a function is compiled for the GPU.
MACROS = """#if defined(__NVCC__) || defined(__HIPCC__)
#define BOTH __host__ __device__
#else
#define BOTH
#endif
struct point { float x, y; BOTH point(float a, float b) : x(a), y(b) {} };
BOTH inline float squared(const point &p) { return p.x * p.x + p.y * p.y; }
__global__ void length(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = squared(point(in[i], 2));
}
int main()
{
    float *in, *out;
    cudaMalloc(&in, 4096 * sizeof(float));
    cudaMalloc(&out, 4096 * sizeof(float));
    length<<<16, 256>>>(out, in, 4096);
}
"""

LANES = """__global__ void relu(unsigned *x, const unsigned *y, unsigned *sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    sums[i] = __vsadu4(x[i], y[i]) + __vcmpgts2(x[i], y[i]) + __vavgu4(x[i], __vabs2(y[i]));
    x[i] = __vmaxs4(__vadd4(x[i], y[i]), 0);
}
int main()
{
    unsigned *x, *y, *sums;
    cudaMalloc(&x, 4096 * 4);
    cudaMalloc(&y, 4096 * 4);
    cudaMalloc(&sums, 4096 * 4);
    relu<<<16, 256>>>(x, y, sums, 4096);
}
"""

# The program ends early, because it has no file to read.
ENDS = """#include <cstdio>
#include <cstdlib>
template <int W> __global__ void twice(float *x, int n)
{
    int i = blockIdx.x * W + threadIdx.x;
    if (i < n) x[i] *= 2;
}
int size_of(const char *name);
void compute(float *x, int n)
{
    twice<128><<<(n + 127) / 128, 128>>>(x, n);
}
int main(int argc, char **argv)
{
    FILE *file = fopen("in.bin", "rb");
    if (1) { printf("no input\\n"); exit(1); }
    int n = size_of(argv[1]);
    float *x;
    cudaMalloc(&x, n * sizeof(float));
    compute(x, n);
}
"""


class Kinds(Base):
    def kernels(self, name, text, code=0):
        """{kernel: {counter: value}}, and what is said on standard error."""
        done = run("trace", "--target", "h100", "--json", self.write(name, text))
        self.assertEqual(done.returncode, code, done.stderr)
        return ({kernel["kernel"]: {key: of["value"] for key, of in kernel["counters"].items()}
                 for kernel in json.loads(done.stdout)["kernels"]}, done.stderr)

    def repeats(self, name, text):
        """Repeats of the only launch in the workload file that init writes."""
        workload = self.folder / "drafted.workload"
        self.good("init", self.write(name, text), "--force", "-o", workload)
        launch, = (of for section, of in sections(workload)[0].items() if section.startswith("launch "))
        return int(launch.get("repeat", "1"))

    def test_operators_of_hip(self):
        blend = self.kernels("blend.hip", VECTORS)[0]["blend"]
        # float4: 3 multiplications and additions and a division each; float3: a multiplication and an addition each
        self.assertGreaterEqual(blend["inst_fp32"], 4096 * (4 * 3 + 3 * 2) / 32)
        self.assertEqual(blend["gst_request"], 4096 / 32 * (1 + 3 + 1 + 1))
        # the same operators are no part of CUDA
        self.refused(["blend.cu", "invalid operands"], "trace", "--target", "h100",
                     self.write("blend.cu", VECTORS.replace("#include <hip/hip_runtime.h>", "")))

    def test_rounding(self):
        bounds = self.kernels("bounds.cu", ROUNDED)[0]["bounds"]
        self.assertEqual(bounds["gst_request"], 3 * 4096 / 32)
        self.assertEqual(bounds["inst_fp64"], 4096 * 3)

    def test_lanes_of_words(self):
        relu = self.kernels("relu.cu", LANES)[0]["relu"]
        self.assertEqual(relu["gst_request"], 2 * 128)
        self.assertGreater(relu["thread_inst_executed"], 4096 * 30)

    def test_clock(self):
        kernels, said = self.kernels("waits.cu", CLOCK, code=3)
        self.assertEqual(list(kernels), ["twice"])
        self.assertEqual(kernels["twice"]["gld_request"], 4096 / 32)
        self.assertIn("kernel wait left out", said)
        self.assertIn("waits for the clock cannot be predicted", said)

    def test_bytes_as_indices(self):
        document = self.json_of("trace", "--target", "h100", self.write("bins.cu", SMALL))
        self.assertIn("in: char[4096], random below 16", document["assumed"])
        # the last of 128 warps ends with 28 work-items that store
        self.assertEqual(document["kernels"][0]["counters"]["gst_request"]["value"], 128)
        # without such an index, all values of a byte are taken
        summed = SMALL.replace("count[in[i + k]]++", "count[k] += in[i + k]")
        document = self.json_of("trace", "--target", "h100", self.write("sums.cu", summed))
        self.assertIn("in: char[4096], random", document["assumed"])

    def test_sums_of_indices(self):
        document = self.json_of("trace", "--target", "h100", self.write("near.cu", SUMS))
        self.assertIn("points: int[24576], random below 1024", document["assumed"])
        self.assertEqual(document["kernels"][0]["counters"]["gld_request"]["value"], 4 * 8192 / 32)

    def test_macros_of_compilers(self):
        hip = "#include <hip/hip_runtime.h>\n" + MACROS.replace("defined(__NVCC__) || ", "")
        for name, text in (("length.cu", MACROS), ("length.hip", hip)):
            with self.subTest(name):
                self.assertEqual(self.kernels(name, text)[0]["length"]["gst_request"], 128)

    def test_main_ends_early(self):
        document = self.json_of("trace", "--target", "h100", self.write("ends.cu", ENDS))
        self.assertEqual([kernel["kernel"] for kernel in document["kernels"]], ["twice<128>"])
        self.assertTrue([text for text in document["assumed"] if text.startswith("n = ")], document["assumed"])

    def test_repeats_that_cost_much(self):
        for name, text, most in (("chain.cu", CHAIN, 20), ("sweep.cu", LONG, 5)):
            with self.subTest(name):
                self.assertLessEqual(self.repeats(name, text), most)
        # cheap launches keep their repeats
        self.assertEqual(self.repeats("few.cu", CHAIN.replace("1 << 23", "1 << 12")), 100)


if __name__ == "__main__":
    unittest.main()
