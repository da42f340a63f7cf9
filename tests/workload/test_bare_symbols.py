#!/usr/bin/env python3
"""Host code that fills variables in the GPU's memory: kernels have to read these contents, follow these pointers, and get
these addresses. PERFMODEL is the program; ctest sets it. SPDX-License-Identifier: GPL-3.0-or-later
"""
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import Base, sections

# Structs, arrays and numbers, whole and in part. A thread adds 7 x 3 numbers: 7 rounds of a loop, and 3 steps of weights
# that are not 0.
FILLED = """struct Settings { int n, rounds; float scale; };
namespace of { __constant__ Settings settings; }
__constant__ float weights[1000];
__device__ int order[4];
static __device__ int ready = 1;
__device__ double sum;
__global__ void steps(float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= of::settings.n || !ready) return;
    float v = x[order[i & 3] * of::settings.n + i];
    for (int r = 0; r < of::settings.rounds; r++)
        for (int w = 0; w < 1000 && weights[w] != 0; w++) v += weights[w];
    x[i] = v * of::settings.scale;
    if (v < 0) sum = v;
}
int main()
{
    Settings chosen = {4096, 7, 0.5f};
    float some[3];
    int rows[2] = {3, 1};
    double zero = 0;
    float *x;
    for (int i = 0; i < 3; i++) some[i] = i + 0.25f;
    cudaMalloc(&x, 4 * chosen.n * sizeof(float));
    cudaMemcpyToSymbol(of::settings, &chosen, sizeof chosen);
    cudaMemcpyToSymbol(weights, some, sizeof some, 0, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbolAsync(order, rows, sizeof rows, 2 * sizeof(int), cudaMemcpyHostToDevice, 0);
    cudaMemcpyToSymbol(sum, &zero, sizeof zero);
    steps<<<16, 256>>>(x);
    cudaMemcpyFromSymbol(&zero, sum, sizeof zero);
}
"""
# A pointer, a struct of pointers in constant memory, an address that is an argument, and managed memory.
POINTERS = """struct Grid { float *in, *out; int n; };
__device__ float *table;
__constant__ Grid grid;
__device__ float sums[256];
__managed__ int stride = 2;
__global__ void look(float *partial)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < grid.n) grid.out[i] = grid.in[i] + table[i * stride];
    partial[threadIdx.x] = 1;
    sums[threadIdx.x] += 1;
}
int main()
{
    Grid g;
    float *found, *values;
    size_t bytes;
    g.n = 1024;
    cudaMalloc(&g.in, g.n * sizeof(float));
    cudaMalloc(&g.out, g.n * sizeof(float));
    cudaMalloc(&values, 4096 * sizeof(float));
    stride = 4;
    cudaMemcpyToSymbol(grid, &g, sizeof g);
    cudaMemcpyToSymbol(table, &values, sizeof(float *));
    cudaGetSymbolAddress((void **)&found, sums);
    cudaGetSymbolSize(&bytes, sums);
    cudaMemset(found, 0, bytes);
    look<<<8, 128>>>(found);
}
"""
# Contents that the host code does not determine, contents that change, and an unknown number.
UNKNOWN = """#include <cstdlib>
__constant__ float noise[64];
__constant__ int size, phase;
__global__ void add(float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < size && phase == 0) x[i] += noise[i & 63];
}
int main(int argc, char **argv)
{
    int count = atoi(argv[1]);
    float values[64], *x;
    for (int i = 0; i < 64; i++) values[i] = rand() / (float)RAND_MAX;
    cudaMalloc(&x, 65536 * sizeof(float));
    cudaMemcpyToSymbol(noise, values, sizeof values);
    cudaMemcpyToSymbol(size, &count, sizeof count);
    for (int p = 0; p < 2; p++) {
        cudaMemcpyToSymbol(phase, &p, sizeof p);
        add<<<256, 256>>>(x);
    }
}
"""
# Arrays of the host of known contents become those of buffers.
COPIED = """#include <vector>
__global__ void rows(const int *begin, const float *v, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    for (int k = begin[i]; k < begin[i + 1]; k++) sum += v[k];
    out[i] = sum;
}
int main()
{
    const int n = 512;
    std::vector<int> begin(n + 1);
    int *b; float *v, *out;
    for (int i = 0; i <= n; i++) begin[i] = 5 * i;
    cudaMalloc(&b, begin.size() * sizeof(int));
    cudaMalloc(&v, 5 * n * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    cudaMemcpy(b, begin.data(), begin.size() * sizeof(int), cudaMemcpyHostToDevice);
    rows<<<n / 128, 128>>>(b, v, out, n);
}
"""


class Symbols(Base):
    def counted(self, name, text):
        """Returns {counter: value} of the first kernel, and the assumptions."""
        document = self.json_of("trace", "--target", "a100", "--sample", "all", self.write(name, text))
        return {key: of["value"] for key, of in document["kernels"][0]["counters"].items()}, document["assumed"]

    def drafted(self, name, text):
        """Returns {buffer: {key: value}} of the workload file that init writes."""
        workload = self.folder / "drafted.workload"
        self.good("init", self.write(name, text), "--force", "-o", workload)
        return {name.split()[1]: of for name, of in sections(workload)[0].items() if name.startswith("buffer ")}

    def test_contents(self):
        counts, assumed = self.counted("filled.cu", FILLED)
        self.assertEqual(counts["inst_fp32"], 4096 * (7 * 3 + 1 + 7 * 4 + 1))
        self.assertEqual(counts["gst_request"], 4096 / 32)
        self.assertEqual(counts["gld_request"] % (4096 / 32), 0)
        self.assertEqual([line for line in assumed if "settings" in line or "weights" in line], [])
        buffers = self.drafted("filled.cu", FILLED)
        self.assertEqual(buffers["settings"], {"type": "uint", "count": "3", "symbol": "of::settings",
                                               "contents": f"list 4096, 7, {0x3f000000}"})
        self.assertEqual(buffers["weights"]["contents"], "list 0.25, 1.25, 2.25 within 0, 3, 1000")
        self.assertEqual(buffers["order"]["contents"], "list 0, 0, 3, 1")
        self.assertNotIn("contents", buffers["sum"])
        self.assertNotIn("ready", buffers)
        # the workload file gives the same counts
        again = self.json_of("trace", "--target", "a100", "--sample", "all", self.folder / "drafted.workload")
        self.assertEqual({key: of["value"] for key, of in again["kernels"][0]["counters"].items()}, counts)

    def test_pointers(self):
        counts, _ = self.counted("pointers.cu", POINTERS)
        # a warp loads two arrays and `sums`, and `stride`; it stores to grid.out, to the argument and to `sums`
        self.assertEqual(counts["gld_request"], 32 * 5)
        self.assertEqual(counts["gst_request"], 32 * 3)
        # grid.in: 4 sectors; table: every fourth float; sums: 4; stride and table's address: 1
        self.assertEqual(counts["gld_sector"], 32 * (4 + 16 + 4 + 1 + 1))
        buffers = self.drafted("pointers.cu", POINTERS)
        self.assertEqual(buffers["table"], {"type": "float *", "count": "1", "pointers": "0: values", "symbol": "table"})
        self.assertEqual(buffers["grid"]["pointers"], "0: in, 8: out")
        self.assertEqual(buffers["grid"]["contents"], "list 0, 0, 0, 0, 1024, 0")
        self.assertEqual(buffers["stride"]["contents"], "constant 4")
        self.assertEqual(buffers["sums"]["symbol"], "sums")

    def test_unknown_contents_are_assumed(self):
        counts, assumed = self.counted("unknown.cu", UNKNOWN)
        self.assertEqual(counts["gst_request"], 2 * 65536 / 32)
        self.assertIn("noise: float[64], random", assumed)
        self.assertIn("phase: as in the first launch, although the host code changes it", assumed)
        self.assertTrue([line for line in assumed if line.startswith("count = ")], assumed)

    def test_contents_of_copied_arrays(self):
        counts, _ = self.counted("copied.cu", COPIED)
        self.assertEqual(counts["inst_fp32"] / 512, 5)
        self.assertEqual(self.drafted("copied.cu", COPIED)["b"]["contents"], "range 0, 5")

    def test_wrong_symbols(self):
        workload = """[workload]
name = w
source = pointers.cu
[size n]
n = 1
[buffer grid]
type = uint
count = 6
symbol = {}
[buffer sums]
type = float
count = 256
symbol = sums
{}
[launch look]
grid = 8
block = 128
arguments = sums
"""
        self.write("pointers.cu", POINTERS)
        for text, words in ((workload.format("griddle", ""), ["pointers.cu", "no variable griddle", "grid"]),
                            (workload.format("sums", ""), ["w.workload:13", "symbol sums", "twice"]),
                            (workload.format("grid", "[symbol sums]\ntype = float\ncount = 1\ncontents = zeros"),
                             ["w.workload:13", "symbol sums", "twice"])):
            self.refused(words, "trace", "--target", "a100", self.write("w.workload", text))
        self.write("pointers.cl", "__kernel void look(__global float *sums) { sums[get_global_id(0)] = 1; }\n")
        self.refused(["w.workload:9", "symbol grid", "CUDA"], "trace", "--target", "a100",
                     self.write("w.workload", workload.format("grid", "").replace(".cu", ".cl")))


if __name__ == "__main__":
    unittest.main()
