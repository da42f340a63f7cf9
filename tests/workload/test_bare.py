#!/usr/bin/env python3
"""Sources without a workload file: what is assumed of their launches, what options and host code say of them, and what
`perfmodel init` writes. PERFMODEL is the program; ctest sets it. SPDX-License-Identifier: GPL-3.0-or-later
"""
import struct
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import Base, run, sections

BLUR = """__kernel void blur(__global const float *in, __global float *out, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x > 0 && y > 0 && x < width - 1 && y < height - 1)
        out[y * width + x] = in[y * width + x - width] + in[y * width + x + width];
}
"""
HALVE = """__global__ void halve(float *x)
{
    x[blockIdx.x * blockDim.x + threadIdx.x] *= 0.5f;
}
"""
MANY = """typedef struct { float4 pos; int cell; } Particle;
__kernel void histogram(__global const int *data, __global int *bins, int n)
{
    int i = get_global_id(0);
    if (i < n) atomic_inc(&bins[data[i] % 256]);
}
__kernel void gather(__global const int *index, __global const float *table, __global float *out, int n)
{
    int i = get_global_id(0);
    if (i < n) out[i] = table[index[i]];
}
__kernel void move(__global Particle *p, __global const float *cells, float dt, int n)
{
    int i = get_global_id(0);
    if (i < n) p[i].pos += dt * cells[p[i].cell];
}
__kernel void forces(__global const float4 *p, __global float4 *f, int n, __local float4 *part)
{
    float4 sum = 0;
    for (int j = 0; j < n; j++) sum += p[j];
    part[get_local_id(0)] = sum;
    f[get_global_id(0)] = part[get_local_id(0)];
}
__kernel void heat(__global const float *a, __global float *b, int nx, int ny, int nz)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (x < nx && y < ny && z < nz) b[(z * ny + y) * nx + x] = a[(z * ny + y) * nx + x];
}
__kernel __attribute__((reqd_work_group_size(8, 8, 1))) void asked(__global float *x, int n)
{
    x[get_global_id(1) * n + get_global_id(0)] = 1;
}
"""
SHAPES = """#define TILE 32
__global__ void __launch_bounds__(128) bound(float *x, int n, int incx)
{
    extern __shared__ float s[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = 1;
    if (i < n) x[i * incx] = s[threadIdx.x];
}
__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * cols + x];
    __syncthreads();
    out[(blockIdx.x * TILE + threadIdx.y) * rows + blockIdx.y * TILE + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
"""
HOST = """#include <cstdlib>
#include <cuda_runtime.h>
struct Cell { float v; int next; };
template <typename T> __global__ void scale(T *x, T a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= a;
}
__global__ void follow(const Cell *c, float *y, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && r < h) y[r * w + x] += c[c[r * w + x].next].v;
}
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), w = 512, h = 256;
    float *x, *y;
    Cell *c;
    cudaMalloc(&x, n * sizeof(float));
    cudaMalloc(&y, w * h * sizeof(float));
    cudaMalloc(&c, w * h * sizeof(Cell));
    cudaMemset(y, 0, w * h * sizeof(float));
    scale<float><<<(n + 127) / 128, 128>>>(x, 2.0f, n);
    dim3 block(16, 16), grid(w / 16, h / 16);
    for (int i = 0; i < 10; i++)
        follow<<<grid, block>>>(c, y, w, h);
}
"""
# Threads of a warp: each warp gets the sum of its thread numbers and the number of odd ones.
WARPS = """#include <hip/hip_runtime.h>
__global__ void sums(int *out)
{
    int i = hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x, sum = i;
    for (int by = warpSize / 2; by > 0; by /= 2)
        sum += __shfl_down(sum, by);
    int odd = __popcll(__ballot(i % 2));
    if (threadIdx.x % warpSize == 0) {
        out[2 * (i / warpSize)] = sum;
        out[2 * (i / warpSize) + 1] = odd;
    }
}
"""
WARPS_WORKLOAD = """[workload]
name = warps
source = warps.hip
[size one]
n = 256
[buffer out]
type = int
count = n / {width} * 2
expected = file warps{width}.bin
[launch sums]
grid = n / 128
block = 128
arguments = out
"""


class Bare(Base):
    """Tests programs without a workload file."""

    def written(self, name, text, *options):
        """Returns the sections of the workload file that init writes for a source."""
        source = self.write(name, text)
        self.good("init", source, "--force", *options)
        return sections(source.with_suffix(".workload"))[0]

    @staticmethod
    def value_of(text):
        """Returns a value without the comment after it."""
        return text.split("   #")[0]

    def test_prediction(self):
        source = self.write("blur.cl", BLUR)
        self.write("halve.cu", HALVE)
        done = self.good("predict", "--target", "a100", source, environment={"COLUMNS": "60"})
        self.assertRegex(done.stdout, r"(?m)^blur +plain +assumed +blur .* us ")
        block = done.stdout[done.stdout.index("assumed: "):]
        self.assertIn("assumed: width = 1024; height = 1024; in:", block)
        self.assertLessEqual(max(map(len, block.splitlines())), 60)
        document = self.json_of("predict", "--target", "a100", self.folder / "halve.cu")
        self.assertEqual(document["assumed"], ["n = 1048576", "x: float[1048576], random",
                                               "halve: grid (n + 255) / 256, block 256"])
        self.assertEqual([row["kernel"] for row in document["predictions"]], ["halve"])

    def test_documents(self):
        source = self.write("blur.cl", BLUR)
        for command in (["trace"], ["advise", "--target", "a100"]):
            document = self.json_of(*command, source)
            self.assertIn("width = 1024", document["assumed"], command)
        self.good("check", "--target", "a100", source, "-o", self.folder / "base.json")
        document = self.json_of("check", "--target", "a100", source, "--against", self.folder / "base.json")
        self.assertIn("width = 1024", document["assumed"])
        self.good("init", source)
        document = self.json_of("trace", source.with_suffix(".workload"))
        self.assertEqual(document["assumed"], [])

    def test_several(self):
        self.write("blur.cl", BLUR)
        self.write("halve.cu", HALVE)
        document = self.json_of("predict", "--target", "a100", self.folder / "blur.cl", self.folder / "halve.cu")
        self.assertEqual([row["program"] for row in document["predictions"]], ["blur", "halve"])
        self.assertIn("halve: n = 1048576", document["assumed"])

    def test_sizes_of_buffers(self):
        found = self.written("many.cl", MANY)
        counts = {name[len("buffer "):]: self.value_of(of["count"]) for name, of in found.items()
                  if name.startswith("buffer ")}
        self.assertEqual(counts["data"], "n")
        self.assertEqual(counts["bins"], "256")
        self.assertEqual(counts["table"], "n")
        self.assertEqual(counts["p"], "n")
        self.assertEqual(counts["cells"], "n")
        # each work-item reads all elements, so the problem must be small
        self.assertEqual(counts["forces_p"], "forces_n")
        self.assertEqual(self.value_of(found["size assumed"]["forces_n"]), "16384")
        self.assertEqual(counts["a"], "nx * ny * nz")
        self.assertEqual(found["buffer index"]["contents"], "random 0, n - 1")
        self.assertEqual(found["buffer p"]["contents.cell"], "random 0, n - 1")
        self.assertNotIn("contents", found["buffer out"])
        self.assertEqual(found["buffer bins"]["restore"], "yes")
        self.assertEqual(self.value_of(found["launch asked"]["local"]), "8, 8")
        self.assertEqual(len(self.value_of(found["launch heat"]["local"]).split(",")), 3)
        self.assertIn("local 4096", found["launch forces"]["arguments"])

    def test_groups(self):
        found = self.written("shapes.cu", SHAPES)
        self.assertEqual(self.value_of(found["launch bound"]["block"]), "128")
        self.assertEqual(found["launch bound"]["shared"], "512")
        self.assertIn("int 1", found["launch bound"]["arguments"])
        self.assertEqual(self.value_of(found["launch transpose"]["block"]), "32, 32")
        self.assertEqual(self.value_of(found["launch transpose"]["grid"]), "(cols + 31) / 32, (rows + 31) / 32")

    def test_options(self):
        found = self.written("blur.cl", BLUR, "--set", "width=2048", "--set", "height=64", "--block", "32,4")
        self.assertEqual(found["size given"], {"width": "2048", "height": "64"})
        self.assertEqual(self.value_of(found["launch blur"]["global"]),
                         "(width + 31) / 32 * 32, (height + 3) / 4 * 4")
        self.assertEqual(self.value_of(found["buffer in"]["count"]), "width * height")
        found = self.written("shapes.cu", SHAPES, "--kernel", "bound", "--grid", "10", "--block", "64", "--shared", "1024",
                             "--arg", "n=640", "--arg", "incx=3", "--arg", "x=float[n * 4]")
        self.assertEqual([name for name in found if name.startswith("launch")], ["launch bound"])
        self.assertEqual(found["launch bound"]["grid"], "10")
        self.assertEqual(found["launch bound"]["block"], "64")
        self.assertEqual(found["launch bound"]["shared"], "1024")
        self.assertEqual(found["launch bound"]["arguments"], "x, int n, int incx")
        self.assertEqual(found["buffer x"]["count"], "n * 4")
        document = self.json_of("trace", self.folder / "shapes.cu", "--kernel", "bound", "--kernel", "transpose",
                                "--grid", "10", "--grid", "2,4")
        self.assertEqual([kernel["counters"]["work_groups"]["value"] for kernel in document["kernels"]], [10, 8])

    def test_options_that_are_wrong(self):
        source = self.write("blur.cl", BLUR)
        image = self.write("image.cl", "__kernel void k(__read_only image2d_t image, __global int *x) { x[0] = 1; }\n")
        broken = self.write("broken.cu", "__global__ void k(float *x)\n{\n    x[0] = nothing;\n}\n")
        empty = self.write("empty.cl", "int twice(int x) { return 2 * x; }\n")
        template = self.write("template.cu", "template <typename T> __global__ void k(T *x) { x[threadIdx.x] = 1; }\n")
        for words, arguments in ((["--arg depth=3", "in, out, width, height"], [source, "--arg", "depth=3"]),
                                 (["--set n=3", "width, height"], [source, "--set", "n=3"]),
                                 (["--arg in=int[4]", "float"], [source, "--arg", "in=int[4]"]),
                                 (["--arg in=4", "TYPE[COUNT]"], [source, "--arg", "in=4"]),
                                 (["no kernel blurr", "blur"], [source, "--kernel", "blurr"]),
                                 (["--grid 4x4", "4096 or 64,64"], [source, "--grid", "4x4"]),
                                 (["--arg width", "NAME=VALUE"], [source, "--arg", "width"]),
                                 (["--block is there 2 times"], [source, "--block", "4", "--block", "8"]),
                                 (["image.cl:1", "cannot be traced"], [image]),
                                 (["broken.cu:3:", "nothing"], [broken]),
                                 (["empty.cl", "no kernel"], [empty]),
                                 (["template.cu", "k<float>"], [template]),
                                 (["no.cl", "No such file"], [self.folder / "no.cl"])):
            self.refused(words, "trace", *arguments, progress=True)
        self.good("trace", template, "--kernel", "k<double>")

    def test_too_small_a_buffer(self):
        source = self.write("halve.cu", HALVE)
        self.refused(["buffer x", "it needs at least"], "trace", source, "--arg", "x=float[100]", progress=True)

    def test_init(self):
        source = self.write("blur.cl", BLUR)
        self.good("init", source)
        found, _ = sections(source.with_suffix(".workload"))
        self.assertEqual(found["workload"], {"name": "blur", "source": "blur.cl"})
        self.assertTrue(found["size assumed"]["width"].endswith("# assumed"))
        by_file = self.json_of("trace", source.with_suffix(".workload"))
        by_source = self.json_of("trace", source)
        self.assertEqual(by_file["kernels"], by_source["kernels"])
        self.refused(["blur.workload: is there already", "--force"], "init", source)
        other = self.folder / "other"
        other.mkdir()
        self.good("init", source, "-o", other / "mine.workload")
        self.assertEqual(sections(other / "mine.workload")[0]["workload"]["source"], str(source.resolve()))
        self.good("trace", other / "mine.workload")
        self.refused(["a source is missing"], "init")
        self.refused([".cl, .cu, .hip, .ptx, .c or .cpp"], "init", other / "mine.workload")

    def test_draft(self):
        source = self.write("list.cu", "struct node { int key; node *next; };\n__global__ void walk(node *list, int *out)\n{\n"
                            "    asm volatile(\"\"); out[threadIdx.x] += list->key;\n}\n")
        self.refused(["list.cu:4", "cannot be traced"], "trace", source, progress=True)
        self.good("init", source)
        text = source.with_suffix(".workload").read_text(encoding="utf-8")
        self.assertIn("to be filled in", text)
        self.assertIn("# With these sizes: ", text)

    def test_host_code(self):
        found = self.written("host.cu", HOST)
        self.assertEqual(self.value_of(found["size assumed"]["n"]), "1048576")
        self.assertEqual(found["launch scale"], {"kernel": "scale<float>", "grid": "(n + 127) / 128", "block": "128",
                                                 "arguments": "x, float 2, int n"})
        self.assertEqual(found["launch follow"]["grid"], "32, 16")
        self.assertEqual(found["launch follow"]["repeat"], "10")
        self.assertEqual(self.value_of(found["buffer c"]["count"]), "131072")
        self.assertEqual(found["buffer c"]["contents.next"], "random 0, 131072 - 1")
        self.assertNotIn("contents", found["buffer y"])
        document = self.json_of("trace", self.folder / "host.cu", "--set", "n=5000", "--kernel", "scale", "--block", "64")
        self.assertEqual([kernel["kernel"] for kernel in document["kernels"]], ["scale<float>"])
        self.assertEqual(document["assumed"], ["x: float[5000], random"])
        self.assertEqual(document["kernels"][0]["counters"]["work_groups"]["value"], 80)
        self.refused(["--set m=3", "leaves open: n"], "trace", self.folder / "host.cu", "--set", "m=3", progress=True)

    def test_what_host_code_leaves_open(self):
        """A number that the host code reads at run time is assumed. The number of repeats is
        limited."""
        found = self.written("open.cu", """
extern int from_elsewhere();
__global__ void add(float *x, int count) { if (threadIdx.x < count) x[threadIdx.x] += 1; }
__global__ void clear(float *x) { x[threadIdx.x] = 0; }
int main()
{
    float *x;
    cudaMalloc(&x, 256 * sizeof(float));
    for (int i = 0; i < 100000; i++) add<<<1, 256>>>(x, from_elsewhere());
    clear<<<1, 256>>>(x);
}
""")
        self.assertEqual(found["launch add"]["repeat"], "99")
        self.assertNotIn("repeat", found["launch clear"])
        document = self.json_of("trace", self.folder / "open.cu")
        self.assertIn("launches are repeated 1/1001 as often as in the host code", document["assumed"])
        self.assertEqual([kernel["kernel"] for kernel in document["kernels"]], ["add", "clear"])

    def test_name_of_the_suite(self):
        self.write("nbody.cu", HALVE)
        self.assertEqual(self.json_of("trace", self.folder / "nbody.cu")["program"], "nbody.cu")

    def test_warps_of_64(self):
        self.write("warps.hip", WARPS)
        for width, target in ((32, "h100"), (64, "mi210")):
            values = []
            for first in range(0, 256, width):
                values += [sum(range(first, first + width)), width // 2]
            self.write(f"warps{width}.bin", struct.pack(f"{len(values)}i", *values))
            workload = self.write(f"warps{width}.workload", WARPS_WORKLOAD.format(width=width))
            document = self.json_of("trace", "--target", target, "--sample", "all", workload)
            self.assertEqual(document["kernels"][0]["counters"]["work_groups"]["value"], 2)

    def test_masks_of_32(self):
        source = self.write("masks.cu", "__global__ void k(unsigned *x)\n{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                            "    x[i] = __ballot_sync(0xffffffff, i % 3);\n}\n")
        done = run("predict", "--target", "mi100", "--target", "v100", source)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("masks.cu:4: __ballot_sync needs warps of 32 threads, and those of mi100 have 64", done.stderr)
        self.assertRegex(done.stdout, r"mi100 .*v100")


if __name__ == "__main__":
    unittest.main()
