#!/usr/bin/env python3
"""Host code that allocates and launches by wrappers: templates, classes, Thrust's vectors, tables of kernels, and other
calls of the runtime. PERFMODEL is the program; ctest sets it. SPDX-License-Identifier: GPL-3.0-or-later
"""
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import Base, sections

# Each case is a function's body that launches `add` for 4096 floats. CHECK has a variable of its own.
COMMON = """#include <cuda_runtime.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <array>
#include <memory>
#include <vector>
#define CHECK(call) do { cudaError_t status = (call); if (status != cudaSuccess) { printf("%d", status); exit(1); } } while (0)
__global__ void add(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] += in[i];
}
template <int N> __global__ void times(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = N * in[i];
}
typedef void (*kernel)(float *, const float *, int);
template <class T> void allocate(T **p, size_t n) { CHECK(cudaMalloc((void **)p, n * sizeof(T))); }
template <class T> T *allocated(size_t n) { void *p; CHECK(cudaMalloc(&p, n * sizeof(T))); return static_cast<T *>(p); }
template <class T> class Buffer {
    T *data_ = nullptr;
    size_t size_;
  public:
    explicit Buffer(size_t n) : size_(n) { CHECK(cudaMalloc(&data_, n * sizeof(T))); }
    Buffer(const std::vector<T> &from) : Buffer(from.size())
    {
        CHECK(cudaMemcpy(data_, from.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
    }
    ~Buffer() { cudaFree(data_); }
    T *get() { return data_; }
    operator const T *() const { return data_; }
    size_t size() const { return size_; }
};
struct Pool { std::vector<float *> all; float *more(size_t n) { float *p; cudaMalloc(&p, n * 4); all.push_back(p); return p; } };
struct Free { void operator()(float *p) { cudaFree(p); } };
template <kernel K> void run(float *out, const float *in, int n) { K<<<(n + 255) / 256, 256>>>(out, in, n); }
int main()
{
    const int n = 4096;
"""
CASES = {
    "templates": "float *a; allocate(&a, n); float *b = allocated<float>(n); add<<<16, 256>>>(a, b, n);",
    "classes": "Buffer<float> a(n); std::vector<float> h(n, 1.5f); Buffer<float> b(h); add<<<a.size() / 256, 256>>>(a.get(), b, n);",
    "long": "std::vector<float> h(100000); for (int i = 0; i < 100000; i++) h[i] = sinf(i);\n"
            "Buffer<float> a(n), b(h); add<<<b.size() * 16 / 100000, 256>>>(a.get(), b, n);",
    "owners": "auto a = std::make_unique<Buffer<float>>(n); std::unique_ptr<float, Free> b(allocated<float>(n));\n"
              "add<<<16, 256>>>(a->get(), b.get(), n);",
    "members": "Pool pool; pool.more(n); pool.more(n); add<<<pool.all.size() * 8, 256>>>(pool.all[0], pool.all[1], n);",
    "array": "std::array<float *, 2> p; for (auto &q : p) CHECK(cudaMalloc(&q, n * sizeof *q)); add<<<16, 256>>>(p[0], p[1], n);",
    "thrust": "thrust::host_vector<float> h(n); for (int i = 0; i < n; i++) h[i] = i;\n"
              "thrust::device_vector<float> a = h, b(n, 2.0f);\n"
              "add<<<16, 256>>>(thrust::raw_pointer_cast(&a[0]), b.data().get(), a.size());",
    "thrust_raw": "auto a = thrust::device_malloc<float>(n); thrust::device_vector<float> b; b.resize(n);\n"
                  "add<<<16, 256>>>(a.get(), thrust::raw_pointer_cast(b.data()), n);",
    "pool": "cudaMemPool_t pool; cudaDeviceGetDefaultMemPool(&pool, 0); float *a, *b; cudaStream_t s = 0;\n"
            "CHECK(cudaMallocFromPoolAsync(&a, n * 4, pool, s)); CHECK(cudaMallocAsync(&b, n * 4, s));\n"
            "add<<<16, 256, 0, s>>>(a, b, n);",
    "mapped": "float *h, *d, *p; CHECK(cudaHostAlloc(&h, n * 4, cudaHostAllocMapped)); CHECK(cudaHostGetDevicePointer(&d, h, 0));\n"
              "CHECK(cudaMallocHost(&p, n * 4)); add<<<16, 256>>>(d, p, n);",
    "pitch": "float *a, *b; size_t pitch; cudaPitchedPtr v; CHECK(cudaMallocPitch(&a, &pitch, 512, 32));\n"
             "CHECK(cudaMalloc3D(&v, make_cudaExtent(500, 16, 2))); float *h = new float[n];\n"
             "CHECK(cudaMemcpy2D(a, pitch, h, 512, 512, 32, cudaMemcpyHostToDevice));\n"
             "add<<<16, 256>>>(a, (float *)v.ptr, pitch / 4 * 32);",
    "configuration": "float *a = allocated<float>(n), *b = allocated<float>(n); cudaLaunchConfig_t c = {};\n"
                     "c.gridDim = 16; c.blockDim = dim3(256); CHECK(cudaLaunchKernelEx(&c, add, a, (const float *)b, n));",
    "function": "std::function<void(float *, const float *)> f = [&](float *x, const float *y) { add<<<n / 256, 256>>>(x, y, n); };\n"
                "float *a = allocated<float>(n), *b = allocated<float>(n); f(a, b);",
    "argument": "float *a = allocated<float>(n), *b = allocated<float>(n); run<add>(a, b, n);",
}
TABLES = {
    "structs": ("static const struct { const char *name; kernel k; } table[] = {{\"a\", add}, {\"b\", times<3>}, {\"c\", &times<5>}};\n"
                "for (int i = 0; i < 3; i++) table[i].k<<<16, 256>>>(a, b, n);"),
    "vector": "std::vector<kernel> table = {add, times<3>, times<5>}; for (auto k : table) k<<<16, 256>>>(a, b, n);",
    "pairs": ("std::vector<std::pair<int, kernel>> table{{1, add}, {2, times<3>}, {3, times<5>}};\n"
              "for (const auto &p : table) p.second<<<16, 256>>>(a, b, n);"),
}


class Wrappers(Base):
    def drafted(self, name, body):
        """Returns the sections of the workload file that init writes."""
        workload = self.folder / "drafted.workload"
        self.good("init", self.write(name, COMMON + body + "\n}\n"), "--force", "-o", workload)
        return sections(workload)[0]

    def test_allocations_and_launches(self):
        for name, body in CASES.items():
            with self.subTest(name):
                found = self.drafted("case.cu", body)
                launches = [of for section, of in found.items() if section.startswith("launch ")]
                self.assertEqual([(of["grid"], of["block"]) for of in launches], [("16", "256")])
                self.assertTrue(launches[0]["arguments"].endswith(", int 4096"), launches)
                buffers = [of["count"] for section, of in found.items() if section.startswith("buffer ")]
                self.assertEqual(buffers, ["4096", "100000" if name == "long" else "4096"])

    def test_tables_of_kernels(self):
        for name, body in TABLES.items():
            with self.subTest(name):
                found = self.drafted("table.cu", "float *a = allocated<float>(n), *b = allocated<float>(n);\n" + body)
                self.assertEqual([of.get("kernel", section.split()[1]) for section, of in found.items()
                                  if section.startswith("launch ")], ["add", "times<3>", "times<5>"])

    def test_lists_of_sizes(self):
        found = self.drafted("sizes.cu", "float *a = allocated<float>(n), *b = allocated<float>(n);\n"
                             "for (int m : {256, 1024}) add<<<m / 256, 256>>>(a, b, m);\n"
                             "for (size_t m : std::vector<size_t>{512, 2048}) add<<<m / 256, 256>>>(a, b, m);")
        self.assertEqual([of["grid"] for section, of in found.items() if section.startswith("launch ")],
                         ["1", "4", "2", "8"])

    def test_contents(self):
        found = self.drafted("filled.cu", "float *a = allocated<float>(n); std::vector<float> h(n, 1.5f); Buffer<float> b(h);\n"
                             "add<<<16, 256>>>(a, b, n);")
        self.assertEqual([of.get("contents") for section, of in found.items() if section.startswith("buffer ")],
                         ["random", "constant 1.5"])


if __name__ == "__main__":
    unittest.main()
