#!/usr/bin/env python3
"""Sources without a workload file whose host code passes pointers in structs, or copies them to the GPU.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import Base, run, sections

SOURCE = r"""#include <cuda_runtime.h>
#include <stdlib.h>
struct View { const float *weights; float *values; int count; };
struct Task { float *data; int n; float scale; };
__global__ void weigh(View v, float by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < v.count)
        v.values[i] = v.weights[i] * by;
}
__global__ void rows(float **p, int width)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < width)
        p[blockIdx.y][i] += 1.0f;
}
__global__ void tasks(const Task *tasks)
{
    const Task t = tasks[blockIdx.y];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < t.n)
        t.data[i] *= t.scale;
}
__global__ void one(View *v)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < v->count)
        v->values[i] = v->weights[i];
}
int main(int argc, char **argv)
{
    int n = 1 << 16;
    float *d_w, *d_v, *d_a, *d_b, **d_p;
    cudaMalloc(&d_w, n * sizeof(float));
    cudaMalloc(&d_v, n * sizeof(float));
    View s;
    s.weights = d_w;
    s.values = d_v;
    s.count = n;
    weigh<<<(n + 255) / 256, 256>>>(s, 2.0f);

    cudaMalloc(&d_a, n * sizeof(float));
    cudaMalloc(&d_b, n * sizeof(float));
    float *h[] = {d_a, d_b};
    cudaMalloc(&d_p, sizeof(h));
    cudaMemcpy(d_p, h, sizeof(h), cudaMemcpyHostToDevice);
    dim3 grid(n / 256, 2);
    rows<<<grid, 256>>>(d_p, n);

    const int count = 4;
    Task *h_tasks = (Task *)malloc(count * sizeof(Task)), *d_tasks;
    for (int k = 0; k < count; k++) {
        cudaMalloc(&h_tasks[k].data, 4096 * sizeof(float));
        h_tasks[k].n = 4096;
        h_tasks[k].scale = 0.5f * k;
    }
    cudaMalloc(&d_tasks, count * sizeof(Task));
    cudaMemcpy(d_tasks, h_tasks, count * sizeof(Task), cudaMemcpyHostToDevice);
    tasks<<<dim3(16, count), 256>>>(d_tasks);

    View *d_view;
    cudaMalloc(&d_view, sizeof(View));
    cudaMemcpy(d_view, &s, sizeof(View), cudaMemcpyHostToDevice);
    one<<<n / 256, 256>>>(d_view);
    return 0;
}
"""


class BarePointers(Base):
    def test_pointers_of_the_host(self):
        """A struct by value, an array of pointers, an array of structs filled in a loop, and a copied struct."""
        path = self.folder / "host.workload"
        done = run("init", self.write("host.cu", SOURCE), "-o", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        found, _ = sections(path)
        self.assertEqual(found["launch weigh"]["arguments"],
                         "bytes 0x" + "00" * 16 + "0000010000000000 (0: d_w, 8: d_v), float 2")
        self.assertEqual(found["buffer d_p"], {"type": "float *", "count": "2", "pointers": "0: d_a, 8: d_b"})
        tasks = found["buffer d_tasks"]
        self.assertEqual(tasks["pointers"], "0: data, 16: data_2, 32: data_3, 48: data_4")
        self.assertEqual((tasks["type"], tasks["contents.n"], tasks["contents.scale"]),
                         ("Task", "constant 4096", "list 0, 0.5, 1, 1.5"))
        self.assertEqual(found["buffer data_3"]["count"], "4096")
        self.assertEqual(found["buffer d_view"]["pointers"], "0: d_w, 8: d_v")
        self.assertEqual(found["buffer d_view"]["contents.count"], "constant 65536")

    def test_they_are_predicted(self):
        done = run("predict", "--target", "a100", "--json", self.write("host.cu", SOURCE))
        self.assertEqual(done.returncode, 0, done.stderr)
        for kernel in ("weigh", "rows", "tasks", "one"):
            self.assertIn(f'"{kernel}"', done.stdout)

    def test_a_struct_of_an_unknown_pointer_gets_null(self):
        source = SOURCE.replace("    s.values = d_v;\n", "")
        done = run("predict", "--target", "a100", "--kernel", "weigh", self.write("host.cu", source))
        self.assertEqual(done.returncode, 2)
        self.assertIn("through the null pointer v+8", done.stderr)


if __name__ == "__main__":
    unittest.main()
