#!/usr/bin/env python3
"""Host code of OpenCL in C and C++ without a workload file: where its kernels are found, and the launches, sizes and
values that it has. PERFMODEL is the program; ctest sets it. SPDX-License-Identifier: GPL-3.0-or-later
"""
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import Base, run, sections

# Adjacent string literals, sizes from macros, and errors that a macro checks.
ADD = r"""#include <stdio.h>
#include <stdlib.h>
#include <CL/cl.h>
#define CHECK(x) do { cl_int e = (x); if (e != CL_SUCCESS) { fprintf(stderr, "%d\n", e); exit(1); } } while (0)
const char *text =
"__kernel void add(__global const float *a, __global const float *b, __global float *c, const unsigned int n)\n"
"{\n"
"    int i = get_global_id(0);\n"
"    if (i < n) c[i] = a[i] + b[i];\n"
"}\n";
int main(int argc, char **argv)
{
    unsigned int n = argc > 1 ? atoi(argv[1]) : 100000;
    size_t bytes = n * sizeof(float), global, local = 64;
    float *host = malloc(bytes);
    cl_platform_id platform; cl_device_id device; cl_int err;
    CHECK(clGetPlatformIDs(1, &platform, NULL));
    CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL));
    cl_context context = clCreateContext(0, 1, &device, NULL, NULL, &err);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &err);
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &err);
    CHECK(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, "add", &err);
    if (!kernel || err != CL_SUCCESS) return 1;
    cl_mem d_a = clCreateBuffer(context, CL_MEM_READ_ONLY, bytes, NULL, NULL);
    cl_mem d_b = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, host, NULL);
    cl_mem d_c = clCreateBuffer(context, CL_MEM_WRITE_ONLY, bytes, NULL, NULL);
    err = clEnqueueWriteBuffer(queue, d_a, CL_TRUE, 0, bytes, host, 0, NULL, NULL);
    err |= clSetKernelArg(kernel, 0, sizeof(cl_mem), &d_a);
    err |= clSetKernelArg(kernel, 1, sizeof(cl_mem), &d_b);
    err |= clSetKernelArg(kernel, 2, sizeof(cl_mem), (void *)&d_c);
    err |= clSetKernelArg(kernel, 3, sizeof(unsigned int), &n);
    CHECK(err);
    global = (n + local - 1) / local * local;
    CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
    CHECK(clFinish(queue));
    return 0;
}
"""
# A file of kernels, options that are joined from texts, a class, local memory, a vector by value,
# no local size, and a loop.
TILES_CL = """__kernel void tiles(const int n, __global const float *a, __global float *c, __local float *row)
{
    __local float tile[TS][TS];
    int x = get_local_id(0), y = get_local_id(1);
    tile[y][x] = a[get_global_id(1) * n + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    row[x] = tile[x][y];
    c[get_global_id(0) * n + get_global_id(1)] = tile[y][x] + row[x];
}
__kernel void scale(__global float4 *c, float4 by, int n)
{
    int i = get_global_id(0);
    if (i < n) c[i] *= by;
}
"""
TILES = """#include <CL/cl.h>
#include <fstream>
#include <string>
#define SIDE 512
static std::string load(const char *name)
{
    std::ifstream in(name);
    return std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
}
struct Gpu {
    cl_context context; cl_command_queue queue; cl_program program;
    Gpu(int tile)
    {
        cl_device_id device;
        clGetDeviceIDs(nullptr, CL_DEVICE_TYPE_ALL, 1, &device, nullptr);
        context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
        queue = clCreateCommandQueue(context, device, 0, nullptr);
        std::string text = load("kernels/tiles.cl"), options = "-DTS=" + std::to_string(tile);
        const char *source = text.c_str();
        program = clCreateProgramWithSource(context, 1, &source, nullptr, nullptr);
        if (clBuildProgram(program, 1, &device, options.c_str(), nullptr, nullptr) != CL_SUCCESS) throw 1;
    }
    cl_mem make(size_t count) { return clCreateBuffer(context, CL_MEM_READ_WRITE, count * sizeof(float), nullptr, nullptr); }
};
int main()
{
    const int n = SIDE, tile = 16;
    Gpu gpu(tile);
    cl_mem a = gpu.make(n * n), c = gpu.make(n * n);
    cl_kernel tiles = clCreateKernel(gpu.program, "tiles", nullptr), scale = clCreateKernel(gpu.program, "scale", nullptr);
    int index = 0;
    clSetKernelArg(tiles, index++, sizeof(int), &n);
    clSetKernelArg(tiles, index++, sizeof(cl_mem), &a);
    clSetKernelArg(tiles, index++, sizeof(cl_mem), &c);
    clSetKernelArg(tiles, index++, tile * sizeof(float), nullptr);
    const size_t global[2] = {(size_t)n, (size_t)n}, local[2] = {16, 16};
    for (int i = 0; i < 10; i++)
        clEnqueueNDRangeKernel(gpu.queue, tiles, 2, nullptr, global, local, 0, nullptr, nullptr);
    cl_float4 by = {{1, 2, 3, 4}};
    cl_int quads = n * n / 4;
    size_t items = quads;
    clSetKernelArg(scale, 0, sizeof c, &c);
    clSetKernelArg(scale, 1, sizeof by, &by);
    clSetKernelArg(scale, 2, sizeof quads, &quads);
    clEnqueueNDRangeKernel(gpu.queue, scale, 1, nullptr, &items, nullptr, 0, nullptr, nullptr);
}
"""
# Strings in a macro and in an array, two programs, a helper that launches, and buffers that are
# swapped in a loop.
TREE = r"""#define TEXT(...) #__VA_ARGS__
#define N (1 << 18)
#define LOCAL 128
static const char *fill_text[] = {
    "kernel void fill(global int *x) {\n",
    "    x[get_global_id(0)] = get_global_id(0);\n",
    "}\n"};
const char *reduce_text = TEXT(
__kernel void reduce(__global const int *in, __global int *out, __local int *part) {
    int l = get_local_id(0);
    part[l] = in[get_global_id(0)];
    for (int s = get_local_size(0) / 2; s > 0; s >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < s) part[l] += part[l + s];
    }
    if (l == 0) out[get_group_id(0)] = part[0];
});
static void launch(cl_command_queue q, cl_kernel k, size_t global, size_t local)
{
    cl_int err = clEnqueueNDRangeKernel(q, k, 1, 0, &global, &local, 0, 0, 0);
    if (err != CL_SUCCESS) exit(EXIT_FAILURE);
}
int main(int argc, char *argv[])
{
    size_t length;
    cl_context c = clCreateContextFromType(0, CL_DEVICE_TYPE_GPU, 0, 0, 0);
    clGetContextInfo(c, CL_CONTEXT_DEVICES, 0, NULL, &length);
    cl_device_id *devices = malloc(length);
    cl_command_queue q = clCreateCommandQueue(c, devices[0], 0, 0);
    cl_program a = clCreateProgramWithSource(c, 3, fill_text, 0, 0), b = clCreateProgramWithSource(c, 1, &reduce_text, 0, 0);
    char options[100];
    sprintf(options, "-DWIDTH=%d", LOCAL);
    clBuildProgram(a, 0, 0, options, 0, 0);
    clBuildProgram(b, 0, 0, options, 0, 0);
    cl_kernel fill = clCreateKernel(a, "fill", 0), reduce = clCreateKernel(b, "reduce", 0);
    cl_mem x = clCreateBuffer(c, 0, N * sizeof(cl_int), 0, 0), y = clCreateBuffer(c, 0, N / LOCAL * sizeof(cl_int), 0, 0);
    cl_mem in = x, out = y;
    clSetKernelArg(fill, 0, sizeof x, &x);
    launch(q, fill, N, LOCAL);
    clSetKernelArg(reduce, 2, LOCAL * sizeof(cl_int), 0);
    for (size_t n = N; n > 1; n /= LOCAL) {
        clSetKernelArg(reduce, 0, sizeof in, &in);
        clSetKernelArg(reduce, 1, sizeof out, &out);
        launch(q, reduce, n < LOCAL ? LOCAL : n, LOCAL);
        cl_mem t = in; in = out; out = t;
    }
    return 0;
}
"""


class OpenCl(Base):
    def draft(self, path):
        """Returns the sections of the workload file that init writes."""
        workload = path.with_suffix(".workload")
        done = run("init", path, "-o", workload)
        self.assertEqual(done.returncode, 0, done.stderr)
        return sections(workload)[0]

    def launches(self, draft):
        keys = ("global", "local", "arguments", "repeat")
        return {name.split()[1]: tuple(of.get(key, "1").split("   #")[0] for key in keys) for name, of in draft.items()
                if name.startswith("launch ")}

    def test_literals(self):
        draft = self.draft(self.write("add.c", ADD))
        self.assertEqual(draft["workload"]["source"], "add.c")
        self.assertEqual(self.launches(draft), {"add": ("100032", "64", "d_a, d_b, d_c, uint 100000", "1")})
        self.assertEqual([draft[f"buffer d_{name}"]["count"] for name in "abc"], ["100000"] * 3)
        counters = self.json_of("trace", "--target", "h100", self.folder / "add.c")["kernels"][0]["counters"]
        self.assertEqual(counters["gld_request"]["value"], 2 * 100000 / 32)
        answer = self.json_of("predict", "--target", "h100", "--set", "n=3200", "--block", "32", self.folder / "add.c")
        self.assertGreater(answer["predictions"][0]["predicted_s"], 0)
        # the file that init wrote takes the kernels from the host code
        again = self.json_of("trace", "--target", "h100", self.folder / "add.workload")
        self.assertEqual(again["kernels"][0]["counters"], counters)

    def test_lines_are_those_of_the_host_code(self):
        wrong = self.write("wrong.c", ADD.replace("c[i] = a[i] + b[i]", "c[i] = missing"))
        done = run("predict", "--target", "h100", wrong)
        self.assertEqual(done.returncode, 2)
        self.assertIn("wrong.c:9:", done.stderr)

    def test_file_of_kernels(self):
        (self.folder / "kernels").mkdir()
        self.write("kernels/tiles.cl", TILES_CL)
        draft = self.draft(self.write("main.cpp", TILES))
        self.assertEqual((draft["workload"]["source"], draft["workload"]["options"]), ("kernels/tiles.cl", "-DTS=16"))
        self.assertEqual(self.launches(draft), {"tiles": ("512, 512", "16, 16", "int 512, a, c, local 64", "10"),
                                                "scale": ("65536", "256", "c, float4 (1, 2, 3, 4), int 65536", "1")})
        document = self.json_of("trace", "--target", "h100", self.folder / "main.cpp")
        self.assertIn("scale: global 65536, local 256", document["assumed"])
        self.assertEqual([kernel["kernel"] for kernel in document["kernels"]], ["tiles", "scale"])

    def test_strings_of_macros_and_arrays(self):
        draft = self.draft(self.write("tree.c", TREE))
        self.assertEqual(draft["workload"]["options"], "-DWIDTH=128")
        self.assertEqual(self.launches(draft), {"fill": ("262144", "128", "x", "1"),
                                                "reduce": ("262144", "128", "x, y, local 512", "1"),
                                                "reduce_2": ("2048", "128", "y, x, local 512", "1"),
                                                "reduce_3": ("128", "128", "x, y, local 512", "1")})
        self.assertEqual((draft["buffer x"]["count"], draft["buffer y"]["count"]), ("262144", "2048"))

    def test_no_host_code(self):
        for name, text, *words in (
                ("other.c", "int main(void) { return 0; }\n", "no OpenCL host code", "clEnqueueNDRangeKernel"),
                ("cuda.cpp", "int main() { k<<<1, 32>>>(x); }\n", ".cu or .hip"),
                ("away.cpp", TILES.replace("kernels/tiles.cl", "away.cl"), "kernel tiles", "Name the .cl file"),
                ("open.c", "int main() { \"clEnqueueNDRangeKernel\", \'", "no launch was found")):
            self.refused([name, *words], "predict", "--target", "h100", self.write(name, text))


if __name__ == "__main__":
    unittest.main()
