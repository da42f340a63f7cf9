#!/usr/bin/env python3
"""Sources with host code as people post them: each has to be traced with the launches that the program makes, and
what kernels do has its right value. PERFMODEL is the program; ctest sets it. SPDX-License-Identifier: GPL-3.0-or-later
"""
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import Base, run, sections

PRINTS = r"""#include <cstdio>
__global__ void twice(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) printf("n is %d\n", n);
    if (i < n) x[i] = 2 * x[i];
}
int main()
{
    float *x;
    cudaMalloc(&x, 4096 * sizeof(float));
    twice<<<16, 256>>>(x, 4096);
    cudaDeviceSynchronize();
}
"""
# The last three warps of the last block, and a part of the warp before them, end before the
# barrier.
ENDED = """__global__ void early(float *x, int n)
{
    __shared__ float s[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    s[threadIdx.x] = x[i];
    __syncthreads();
    x[i] = s[threadIdx.x] + 1;
}
int main()
{
    float *x;
    cudaMalloc(&x, 3984 * sizeof(float));
    early<<<16, 256>>>(x, 3984);
}
"""
APART = """__global__ void apart(float *x)
{
    __shared__ float s[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = i;
    if (threadIdx.x & 1) {
        __syncthreads();
        s[threadIdx.x] += s[threadIdx.x ^ 1];
    } else {
        s[threadIdx.x] *= 3;
    }
    x[i] = s[threadIdx.x];
}
int main()
{
    float *x;
    cudaMalloc(&x, 4096 * sizeof(float));
    apart<<<16, 256>>>(x);
}
"""
ENDED_CL = """__kernel void early(__global float *x, int n)
{
    __local float s[256];
    int i = get_global_id(0);
    if (i >= n) return;
    s[get_local_id(0)] = x[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    x[i] = s[get_local_id(0)] + 1;
}
"""
# Loops of the second kernel run as often as the first one stores.
ORDER = """__global__ void number(int *times, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) times[i] = i % 8;
}
__global__ void add(const int *times, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (i < n) {
        for (int k = 0; k < times[i]; k++) sum += k * out[i];
        out[i] = sum;
    }
}
int main()
{
    const int n = 1 << 12;
    int *times; float *out;
    cudaMalloc(&times, n * sizeof(int));
    cudaMalloc(&out, n * sizeof(float));
    number<<<n / 256, 256>>>(times, n);
    add<<<n / 256, 256>>>(times, out, n);
}
"""
# Managed memory, macros that check errors, helpers in namespaces, streams, events, and buffers that
# are swapped.
STEPS = r"""#include <cstdio>
#include <cuda_runtime.h>
#define CHECK(call) { check((call), __FILE__, __LINE__); }
inline void check(cudaError_t code, const char *file, int line, bool quits = true)
{
    if (code != cudaSuccess) { fprintf(stderr, "%s %s %d\n", cudaGetErrorString(code), file, line); if (quits) exit(code); }
}
typedef double real;
namespace solver {
constexpr int BX = 32, BY = 8;
static inline int cover(int a, int b) { return a % b != 0 ? a / b + 1 : a / b; }
dim3 blocks(int w, int h, dim3 block) { return dim3(cover(w, block.x), cover(h, block.y)); }
__global__ void step(real *out, const real *in, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && y > 0 && x < w - 1 && y < h - 1) out[y * w + x] = 0.5 * (in[y * w + x - 1] + in[y * w + x + 1]);
}
}
int main(int argc, char **argv)
{
    int w = 500, h = 300, rounds = 50;
    if (argc == 4) { w = atoi(argv[1]); h = atoi(argv[2]); rounds = atoi(argv[3]); }
    real *a, *b;
    CHECK(cudaMallocManaged(&a, w * h * sizeof(real)));
    CHECK(cudaMallocManaged(&b, w * h * sizeof(real)));
    for (int i = 0; i < w * h; i++) a[i] = b[i] = 0.0;
    cudaStream_t stream; cudaStreamCreate(&stream);
    cudaEvent_t from, to; cudaEventCreate(&from); cudaEventCreate(&to);
    dim3 block(solver::BX, solver::BY), grid = solver::blocks(w, h, block);
    cudaEventRecord(from, stream);
    for (int i = 0; i < rounds; i++) {
        solver::step<<<grid, block, 0, stream>>>(b, a, w, h);
        std::swap(a, b);
    }
    cudaEventRecord(to, stream); cudaEventSynchronize(to);
    float ms; cudaEventElapsedTime(&ms, from, to);
    CHECK(cudaPeekAtLastError()); CHECK(cudaDeviceSynchronize());
}
"""
# A template in a header of another folder, a try block as the body of main, and an exception.
SCALE = """#pragma once
template <typename T> __global__ void axpy(T a, const T *__restrict__ x, T *__restrict__ y, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
"""
HEADER = """#include "../kernels/axpy.cuh"
#include <iostream>
#include <stdexcept>
#include <string>
using Real = float;
static constexpr unsigned THREADS{128};
static void check(cudaError_t e, const char *what)
{
    if (e != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(e));
}
int main(int argc, char *argv[])
try {
    unsigned n = 1u << 16;
    if (argc > 1) n = std::stoi(argv[1]);
    const std::size_t bytes = sizeof(Real) * n;
    Real *x{}, *y{};
    check(cudaMalloc(reinterpret_cast<void **>(&x), bytes), "x");
    check(cudaMalloc(reinterpret_cast<void **>(&y), bytes), "y");
    check(cudaMemset(y, 0, bytes), "memset");
    const auto blocks = static_cast<unsigned>(std::ceil(double(n) / THREADS));
    axpy<Real><<<blocks, THREADS>>>(Real(2), x, y, n);
    check(cudaGetLastError(), "axpy");
    return EXIT_SUCCESS;
} catch (const std::exception &e) {
    std::cerr << e.what();
    return 1;
}
"""
# A class that a smart pointer owns launches templates with dynamic shared memory and a struct by
# value.
OWNED = """#include <memory>
struct Params { float alpha; int n; int3 dims; };
template <typename T, unsigned BLOCK> __global__ void sum(const T *in, T *out, Params p)
{
    extern __shared__ unsigned char raw[];
    T *s = reinterpret_cast<T *>(raw);
    unsigned i = blockIdx.x * BLOCK + threadIdx.x;
    s[threadIdx.x] = i < p.n ? in[i] * p.alpha : T(0);
    __syncthreads();
    for (unsigned k = BLOCK / 2; k > 0; k >>= 1) {
        if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}
template <typename T> class Array {
public:
    explicit Array(size_t n) : n_(n) { cudaMalloc(&p_, n * sizeof(T)); }
    ~Array() { cudaFree(p_); }
    T *get() { return p_; }
private:
    T *p_ = nullptr; size_t n_;
};
class Sum {
    Params params; int blocks; Array<float> in, out;
public:
    Sum(int n) : blocks((n + 255) / 256), in(n), out((n + 255) / 256) { params.alpha = 2; params.n = n; params.dims = make_int3(n, 1, 1); }
    void run() { sum<float, 256><<<blocks, 256, 256 * sizeof(float)>>>(in.get(), out.get(), params); }
};
int main() { auto s = std::make_unique<Sum>(1 << 16); s->run(); cudaDeviceSynchronize(); }
"""
# Pitched memory and constant memory, and a kernel name that also exists in a namespace.
ROWS = """#include <vector>
#define R 4
__constant__ float coeff[2 * R + 1];
namespace {
__global__ void rows(const float *in, size_t pitch, float *out, int w, int h)
{
    int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y;
    if (x >= w || y >= h) return;
    const float *row = (const float *)((const char *)in + y * pitch);
    float s = 0;
    for (int k = -R; k <= R; k++) s += coeff[k + R] * row[min(max(x + k, 0), w - 1)];
    out[y * w + x] = s;
}
}
int main()
{
    const int width = 1000, height = 60;
    std::vector<float> image(width * height);
    float c[2 * R + 1];
    for (int i = 0; i < 2 * R + 1; i++) c[i] = 1.f / (2 * R + 1);
    cudaMemcpyToSymbol(coeff, c, sizeof(c));
    float *in, *out; size_t pitch;
    cudaMallocPitch((void **)&in, &pitch, width * sizeof(float), height);
    cudaMalloc((void **)&out, image.size() * sizeof(float));
    cudaMemcpy2D(in, pitch, image.data(), width * sizeof(float), width * sizeof(float), height, cudaMemcpyHostToDevice);
    dim3 threads(32, 8), blocks((width + threads.x - 1) / threads.x, (height + threads.y - 1) / threads.y);
    rows<<<blocks, threads>>>(in, pitch, out, width, height);
}
"""
# A pitched volume that is passed by value.
VOLUME = """#include <stdio.h>
__global__ void fill(cudaPitchedPtr of, cudaExtent extent) { if (threadIdx.x >= extent.depth) ((char *)of.ptr)[0] = 1; }
__global__ void sum(const char *p, size_t pitch, int w, int h, int d, float *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float s = 0;
    if (x >= w || y >= h) return;
    for (int z = 0; z < d; z++) s += ((const float *)(p + (z * h + y) * pitch))[x];
    out[y * w + x] = s;
}
int main(void)
{
    const int W = 200, H = 16, D = 4;
    cudaExtent extent = make_cudaExtent(W * sizeof(float), H, D);
    cudaPitchedPtr p; float *out;
    cudaMalloc3D(&p, extent);
    cudaMemset3D(p, 0, extent);
    cudaMalloc(&out, W * H * sizeof(float));
    sum<<<dim3((W + 31) / 32, H / 8), dim3(32, 8)>>>((const char *)p.ptr, p.pitch, W, H, D, out);
}
"""
# Properties of the GPU are assumed, also inside std::min, which returns a reference.
HIP = """#include <hip/hip_runtime.h>
#include <vector>
#define HIP_CHECK(cmd) do { hipError_t e_ = (cmd); if (e_ != hipSuccess) { std::cerr << hipGetErrorString(e_); std::abort(); } } while (0)
constexpr int BLOCK = 256;
__global__ void add(const float *in, float *out, size_t n)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) out[i] += in[i];
}
int main(int argc, char **argv)
{
    size_t n = argc > 1 ? std::stoul(argv[1]) : 1 << 20;
    hipDeviceProp_t prop; HIP_CHECK(hipGetDeviceProperties(&prop, 0));
    std::vector<float> host(n);
    float *in, *out;
    HIP_CHECK(hipMalloc(&in, n * sizeof(float))); HIP_CHECK(hipMalloc(&out, n * sizeof(float)));
    HIP_CHECK(hipMemcpy(in, host.data(), n * sizeof(float), hipMemcpyHostToDevice));
    hipLaunchKernelGGL(add, dim3(std::min<size_t>((n + BLOCK - 1) / BLOCK, 4 * prop.multiProcessorCount)), dim3(BLOCK), 0, 0, in, out, n);
    HIP_CHECK(hipDeviceSynchronize());
}
"""
# Lambdas that a function calls several times, tiles of cooperative groups, and sizes that grow in a
# loop.
GROW = """#include <chrono>
#include <cooperative_groups.h>
#include <vector>
namespace cg = cooperative_groups;
__global__ void sums(const int *in, int *out, int n)
{
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<32>(block);
    int i = block.group_index().x * block.size() + block.thread_rank();
    int v = i < n ? in[i] : 0;
    for (int d = 16; d > 0; d /= 2) v += tile.shfl_down(v, d);
    if (tile.thread_rank() == 0 && i < n) out[i / 32] = v;
}
template <class F> double timed(F f, int rounds = 3)
{
    auto from = std::chrono::high_resolution_clock::now();
    for (int r = 0; r < rounds; ++r) f();
    return std::chrono::duration<double>(std::chrono::high_resolution_clock::now() - from).count();
}
int main()
{
    for (int n = 1 << 12; n <= 1 << 14; n <<= 1) {
        std::vector<int> host(n, 1);
        int *in, *out;
        cudaMalloc((void **)&in, n * sizeof(int));
        cudaMalloc((void **)&out, n / 32 * sizeof *out);
        timed([&]() { sums<<<(n + 255) / 256, 256>>>(in, out, n); });
        cudaFree(in); cudaFree(out);
    }
}
"""
# A struct of pointers that a function fills, an algorithm that is chosen at run time, and
# cudaLaunchKernel with streams of an array.
STREAMS = """#include <stdlib.h>
typedef struct { int n; float *x, *y; } vectors;
enum class Way { WHOLE, PARTS };
__global__ void triad(float *x, const float *y, float s, int n, int from)
{
    int i = from + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = s * y[i];
}
static int make(vectors *v, int n)
{
    v->n = n;
    if (cudaMalloc((void **)&v->x, n * sizeof(float)) != cudaSuccess) return -1;
    if (cudaMalloc((void **)&v->y, n * sizeof(float)) != cudaSuccess) return -1;
    return 0;
}
int main(int argc, char *argv[])
{
    vectors v;
    Way way = Way::PARTS;
    int n = 1 << 16;
    for (int i = 1; i < argc; i++) if (strcmp(argv[i], "-n") == 0) n = atoi(argv[++i]);
    if (make(&v, n) < 0) return 1;
    cudaStream_t streams[2];
    for (int i = 0; i < 2; i++) cudaStreamCreate(&streams[i]);
    switch (way) {
    case Way::WHOLE: triad<<<n / 256, 256>>>(v.x, v.y, 3.0f, n, 0); break;
    case Way::PARTS:
        for (int i = 0; i < 2; i++) {
            int from = i * (n / 2); float s = 3.0f;
            void *args[] = {&v.x, &v.y, &s, &n, &from};
            cudaLaunchKernel((const void *)triad, dim3(n / 2 / 256), dim3(256), args, 0, streams[i]);
        }
        break;
    }
    for (auto &s : streams) cudaStreamSynchronize(s);
}
"""
# Required arguments of the command line, and kernels that a macro launches.
MACRO = r"""#define SIDE 16
#define LAUNCH(kernel, nx, ny, ...) \
    kernel<<<dim3(((nx) + SIDE - 1) / SIDE, ((ny) + SIDE - 1) / SIDE), dim3(SIDE, SIDE)>>>(__VA_ARGS__)
__global__ void flip(float *out, const float *in, int width, int height)
{
    __shared__ float tile[SIDE][SIDE + 1];
    int x = blockIdx.x * SIDE + threadIdx.x, y = blockIdx.y * SIDE + threadIdx.y;
    if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();
    x = blockIdx.y * SIDE + threadIdx.x; y = blockIdx.x * SIDE + threadIdx.y;
    if (x < height && y < width) out[y * height + x] = tile[threadIdx.x][threadIdx.y];
}
int main(int argc, char **argv)
{
    if (argc < 3) { printf("usage: %s width height\n", argv[0]); return -1; }
    int width = atoi(argv[1]), height = atoi(argv[2]);
    float *a, *b;
    cudaMalloc(&a, width * height * sizeof(float)); cudaMalloc(&b, sizeof(float) * width * height);
    LAUNCH(flip, width, height, b, a, width, height);
}
"""


class Host(Base):
    def kernels(self, name, text, *options, target="h100"):
        """Returns {kernel: {counter: value}} and the assumptions."""
        document = self.json_of("trace", "--target", target, *options, self.write(name, text))
        return ({kernel["kernel"]: {key: of["value"] for key, of in kernel["counters"].items()}
                 for kernel in document["kernels"]}, document["assumed"])

    def launches(self, name, text, *options):
        """Returns (grid, block, arguments, repeat) of each launch."""
        workload = self.folder / "drafted.workload"
        self.good("init", self.write(name, text), *options, "--force", "-o", workload)
        return {name.split()[1]: tuple(of.get(key, "1").split("   #")[0] for key in ("grid", "block", "arguments", "repeat"))
                for name, of in sections(workload)[0].items() if name.startswith("launch ")}

    def test_printf_is_left_out(self):
        kernels, assumed = self.kernels("prints.cu", PRINTS)
        self.assertEqual(kernels["twice"]["gld_request"], 4096 / 32)
        self.assertEqual(kernels["twice"]["gst_request"], 4096 / 32)
        self.assertIn("printf in kernels is not counted", assumed)
        done = run("predict", "--target", "h100", self.folder / "prints.cu")
        self.assertIn("prints.cu: printf in kernels is not counted", done.stdout + done.stderr)

    def test_barriers_do_not_wait_for_ended_warps(self):
        kernels, _ = self.kernels("ended.cu", ENDED)
        self.assertEqual(kernels["early"]["barrier"], 125)
        self.assertEqual(kernels["early"]["gst_sector"], 3984 / 8)
        self.refused(["apart.cu:7", "not all", "barrier"], "trace", "--target", "h100", self.write("apart.cu", APART))
        self.refused(["ended.cl:7", "not all work-items", "barrier"], "trace", "--target", "h100", "--kernel", "early",
                     "--grid", "16", "--block", "256", "--set", "n=3984", self.write("ended.cl", ENDED_CL))

    def test_launches_depend_on_earlier_ones(self):
        kernels, _ = self.kernels("order.cu", ORDER, "--sample", "all")
        self.assertEqual(kernels["add"]["gst_request"], 4096 / 32)
        # times in each warp are 0 to 7, so the warp loads `out` 7 times
        self.assertEqual(kernels["add"]["thread_inst_executed"] % 32, 0)
        self.assertEqual(kernels["add"]["inst_fp32"], 4096 * 7 / 2)

    def test_posted_programs(self):
        for name, text, expected in (
                ("steps.cu", STEPS, {"step": ("16, 38", "32, 8", "b, a, int 500, int 300", "25"),
                                     "step_2": ("16, 38", "32, 8", "a, b, int 500, int 300", "25")}),
                ("rows.cu", ROWS, {"rows": ("32, 8", "32, 8", "in, ulong 4096, out, int 1000, int 60", "1")}),
                ("volume.cu", VOLUME, {"sum": ("7, 2", "32, 8", "ptr, ulong 1024, int 200, int 16, int 4, out", "1")}),
                ("add.hip", HIP, {"add": ("432", "256", "in, out, ulong 1048576", "1")}),
                ("grow.cu", GROW, {"sums": ("16", "256", "in, out, int 4096", "3"),
                                   "sums_2": ("32", "256", "in_2, out_2, int 8192", "3"),
                                   "sums_3": ("64", "256", "in_3, out_3, int 16384", "3")}),
                ("streams.cu", STREAMS, {"triad": ("128", "256", "x, y, float 3, int 65536, int 0", "1"),
                                         "triad_2": ("128", "256", "x, y, float 3, int 65536, int 32768", "1")})):
            with self.subTest(name):
                self.assertEqual(self.launches(name, text), expected)

    def test_arguments_of_the_command_line(self):
        self.assertEqual(self.launches("flip.cu", MACRO, "--set", "width=320", "--set", "height=200"),
                         {"flip": ("20, 13", "16, 16", "b, a, int 320, int 200", "1")})

    def test_templates(self):
        (self.folder / "kernels").mkdir()
        (self.folder / "src").mkdir()
        self.write("kernels/axpy.cuh", SCALE)
        kernels, _ = self.kernels("src/header.cu", HEADER)
        self.assertEqual(kernels["axpy<float>"]["gld_request"], 2 * 65536 / 32)
        kernels, _ = self.kernels("owned.cu", OWNED)
        self.assertEqual(kernels["sum<float, 256>"]["gst_request"], 256)
        self.assertEqual(kernels["sum<float, 256>"]["gld_request"], 65536 / 32)

    def test_namespaces(self):
        kernels, _ = self.kernels("steps.cu", STEPS, "--kernel", "step")
        self.assertEqual(list(kernels), ["solver::step"])
        kernels, _ = self.kernels("rows.cu", ROWS)
        self.assertEqual(kernels["rows"]["gst_request"], 32 * 60)


if __name__ == "__main__":
    unittest.main()
