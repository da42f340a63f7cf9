#!/usr/bin/env python3
"""Kernels of public programs that are templates or call CUB: instances that cannot be written as functions, functions
of blocks, atomics of 16-bit floats, and integers that must not be random. PERFMODEL is the program; ctest sets it.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import Base

# The template of the first kernel is in a header. An instance of the second one is a special case, and the third one
# takes a template.
HEADER = """template <typename T, int N> __global__ void scale(T *x, T by)
{
    x[blockIdx.x * N + threadIdx.x] *= by;
}
"""
TEMPLATES = """#include "scale.cuh"
template <typename T> __global__ void fill(T *x) { x[threadIdx.x] = 1; }
template <> __global__ void fill<float>(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 2; }
template <typename T> struct Larger { __device__ T operator()(T a, T b) const { return a < b ? b : a; } };
template <template <typename> class Operation, typename T> __global__ void with(const T *in, T *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = Operation<T>()(in[i], T(1));
}
int main()
{
    const int n = 4096;
    float *x; double *y; int *a, *b;
    cudaMalloc(&x, n * sizeof(float));
    cudaMalloc(&y, n * sizeof(double));
    cudaMalloc(&a, n * sizeof(int));
    cudaMalloc(&b, n * sizeof(int));
    scale<double, 128><<<n / 128, 128>>>(y, 2.0);
    fill<float><<<n / 128, 128>>>(x);
    with<Larger, int><<<n / 128, 128>>>(a, b);
}
"""

# Blocks of 256 threads: a reduction, a prefix sum, and items that are loaded striped and exchanged.
BLOCKS = """#include <cub/cub.cuh>
template <int N> __global__ void sums(const float *in, float *out)
{
    typedef cub::BlockReduce<float, N> Reduce;
    __shared__ typename Reduce::TempStorage memory;
    float sum = Reduce(memory).Sum(in[blockIdx.x * N + threadIdx.x]);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
template <int N, cub::BlockScanAlgorithm A> __global__ void places(const int *in, int *out, int *at)
{
    typedef cub::BlockScan<int, N, A> Scan;
    __shared__ typename Scan::TempStorage memory;
    int i = blockIdx.x * N + threadIdx.x, place, all;
    Scan(memory).ExclusiveSum(1, place, all);
    if (place == threadIdx.x && all == N) out[i] = in[at[i] = blockIdx.x * N + place];
}
__global__ void twice(const float *in, float *out)
{
    typedef cub::BlockLoad<float, 128, 4, cub::BLOCK_LOAD_TRANSPOSE> Load;
    typedef cub::BlockStore<float, 128, 4, cub::BLOCK_STORE_TRANSPOSE> Store;
    __shared__ union { typename Load::TempStorage load; typename Store::TempStorage store; } memory;
    float items[4];
    Load(memory.load).Load(in + blockIdx.x * 512, items);
    __syncthreads();
    for (float &item : items) item *= 2;
    Store(memory.store).Store(out + blockIdx.x * 512, items);
}
int main()
{
    const int n = 1 << 16;
    float *x, *y; int *a, *b, *c;
    cudaMalloc(&x, n * sizeof(float));
    cudaMalloc(&y, n * sizeof(float));
    cudaMalloc(&a, n * sizeof(int));
    cudaMalloc(&b, n * sizeof(int));
    cudaMalloc(&c, n * sizeof(int));
    sums<256><<<n / 256, 256>>>(x, y);
    places<256, cub::BLOCK_SCAN_RAKING><<<n / 256, 256>>>(a, b, c);
    twice<<<n / 512, 128>>>(x, y);
}
"""

# Types of 16 bits, of which cuBLAS's header has the declarations, and functions that stop a kernel.
NARROW = """#include <cublas_v2.h>
__global__ void add(half *h, __half2 *p, __nv_bfloat16 *q, float *f)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(h + i, __float2half(1.0f));
    atomicAdd(p + i, __float2half2_rn(1.0f));
    atomicAdd(q + i, __float2bfloat16(1.0f));
    if (isnan(f[i])) __trap();
    f[i] = i ? f[i] : nanf("");
}
int main()
{
    const int n = 4096;
    half *h; __half2 *p; __nv_bfloat16 *q; float *f;
    cudaMalloc(&h, n * sizeof(half));
    cudaMalloc(&p, n * sizeof(__half2));
    cudaMalloc(&q, n * sizeof(__nv_bfloat16));
    cudaMalloc(&f, n * sizeof(float));
    add<<<n / 128, 128>>>(h, p, q, f);
}
"""

# A parameter that is an array of arrays. Its pointer's type names no element.
ARRAYS = """typedef double plane[32][64];
__global__ void half_of(const double in[][32][64], double out[][32][64])
{
    out[blockIdx.x][threadIdx.y][threadIdx.x] = in[blockIdx.x][threadIdx.y][threadIdx.x] / 2;
}
int main()
{
    plane *in, *out;
    cudaMalloc((void **)&in, 16 * sizeof(plane));
    cudaMalloc((void **)&out, 16 * sizeof(plane));
    half_of<<<16, dim3(64, 4)>>>(in, out);
}
"""

# Row pointers: random ones lead out of `list`. Numbers that count from 1: 0 leads out of `place`.
ROWS = """__global__ void rows(const int *first, const int *list, float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    for (int k = first[i]; k != first[i + 1]; k++) sum += list[k];
    x[i] = sum;
}
int main()
{
    const int n = 4096;
    int *first, *list; float *x;
    cudaMalloc(&first, (n + 1) * sizeof(int));
    cudaMalloc(&list, n * sizeof(int));
    cudaMalloc(&x, n * sizeof(float));
    rows<<<n / 128, 128>>>(first, list, x, n);
}
"""
FROM_ONE = """__global__ void ranks(const int *rank, float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float place[64];
    for (int k = 0; k < 64; k++) place[k] = x[k];
    if (i < n) x[i] = place[rank[i] - 1];
}
int main()
{
    const int n = 4096;
    int *rank; float *x;
    cudaMalloc(&rank, n * sizeof(int));
    cudaMalloc(&x, n * sizeof(float));
    ranks<<<n / 128, 128>>>(rank, x, n);
}
"""

# All work-groups of the first kernel would have to run, because its numbers decide what the second one does.
DEPENDENT = """__global__ void make(int *key, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = i;
    for (int k = 0; k < 2000; k++) if (x % 3 == k % 7) x += key[(x + k) % n];
    key[i] = x;
}
__global__ void choose(const int *key, float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (key[i] & 1) x[i] += 1;
}
int main()
{
    const int n = 1 << 20;
    int *key; float *x;
    cudaMalloc(&key, n * sizeof(int));
    cudaMalloc(&x, n * sizeof(float));
    make<<<n / 256, 256>>>(key, n);
    choose<<<n / 256, 256>>>(key, x);
}
"""

# A library whose header is missing gets values, so `n` stays known.
LIBRARY = """__global__ void scale(float2 *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i].x *= 2;
}
int main()
{
    int n = 1024 + 56;
    float2 *x;
    cudaMalloc(&x, n * sizeof(float2));
    cufftHandle plan;
    cufftPlan1d(&plan, n, CUFFT_C2C, 1);
    scale<<<(n + 255) / 256, 256>>>(x, n);
}
"""


class Templates(Base):
    def traced(self, name, text):
        """Returns the counters of each kernel, and the assumptions."""
        document = self.json_of("trace", "--target", "h100", self.write(name, text))
        return {kernel["kernel"]: {counter: value["value"] for counter, value in kernel["counters"].items()}
                for kernel in document["kernels"]}, document["assumed"]

    def test_instances_that_are_not_written(self):
        self.write("scale.cuh", HEADER)
        kernels, assumed = self.traced("templates.cu", TEMPLATES)
        self.assertEqual(list(kernels), ["scale<double, 128>", "fill<float>", "with<Larger, int>"])
        self.assertIn("y: double[4096], random", assumed)
        for kernel in kernels.values():
            self.assertEqual(kernel["gst_request"], 4096 / 32)
        self.assertEqual([kernel["gld_request"] for kernel in kernels.values()], [128, 0, 128])

    def test_blocks(self):
        for name, text in (("blocks.cu", BLOCKS), ("blocks.hip", "#include <hip/hip_runtime.h>\n" + BLOCKS.replace(
                "cub/cub.cuh", "hipcub/hipcub.hpp").replace("cub::", "hipcub::"))):
            with self.subTest(name):
                kernels, _ = self.traced(name, text)
                sums, places, twice = kernels.values()
                self.assertEqual((sums["gld_request"], sums["gst_request"]), (2048, 256))
                self.assertEqual(sums["barrier"], 2048)
                self.assertEqual(sums["shared_store"], 2048)
                # each thread has the place of its rank, so all threads store
                self.assertEqual((places["gld_request"], places["gst_request"]), (2048, 2 * 2048))
                # 4 requests of a full warp for each of 512 warps: striped accesses need 4 sectors each
                self.assertEqual((twice["gld_request"], twice["gld_sector"]), (4 * 512, 4 * 512 * 4))
                self.assertEqual(twice["gst_sector"], 4 * 512 * 4)

    def test_narrow_atomics(self):
        kernels, _ = self.traced("narrow.cu", NARROW)
        self.assertEqual(kernels["add"]["atomic"], 3 * 128)
        self.assertEqual(kernels["add"]["gst_request"], 128)

    def test_arrays(self):
        kernels, assumed = self.traced("arrays.cu", ARRAYS)
        self.assertEqual(kernels["half_of"]["gld_request"], 16 * 8)
        self.assertIn("in: double[32768], random", assumed)

    def test_integers_that_are_not_random(self):
        kernels, assumed = self.traced("rows.cu", ROWS)
        self.assertTrue([text for text in assumed if "first" in text and "0, 1, 2 and so on below 4097" in text], assumed)
        self.assertEqual(kernels["rows"]["gst_request"], 128)
        _, assumed = self.traced("ranks.cu", FROM_ONE)
        self.assertIn("rank: int[4096], all 1", assumed)

    def test_library_without_header(self):
        kernels, assumed = self.traced("library.cu", LIBRARY)
        self.assertEqual(kernels["scale"]["gld_request"], 34)
        self.assertEqual(assumed, ["x: float2[1080], random"])

    def test_costly_dependence(self):
        kernels, assumed = self.traced("choose.cu", DEPENDENT)
        self.assertIn("launches start from assumed contents, as it takes long to compute what earlier ones write",
                      assumed)
        self.assertTrue([text for text in assumed if text.startswith("key, key_2: int[1048576]")], assumed)
        self.assertEqual(kernels["choose"]["gst_request"], (1 << 20) / 32)


if __name__ == "__main__":
    unittest.main()
