#!/usr/bin/env python3
"""Kernels in the style of public collections, each launched once with what its hosts give it: structs by value, headers,
parts of buffers, NULL, 64-bit atomics, kernels beside it that are not launched. Each has to give what is expected in the trace engine and
on PoCL, and advise has to weigh it.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import math
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from held import UNTRACED, Held

CONSTANTS = """
#define GROUP 64
#include "types.h"
"""
TYPES = """
typedef struct { float v, x, y, z; } vec;
typedef struct { float alpha; int boxes; } par_t;
"""
BOX = """
#include "constants.h"

kernel void box_force(par_t par, global const vec *pos, global const float *q, global vec *force)
{
    const int i = get_global_id(0), l = get_local_id(0);
    const float a2 = 2.0f * par.alpha * par.alpha;
    local vec tile[GROUP];
    vec f = {0, 0, 0, 0};

    for (int b = 0; b < par.boxes; b++) {
        tile[l] = pos[b * GROUP + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < GROUP; k++) {
            const float dx = pos[i].x - tile[k].x;
            const float r = exp(-a2 * dx * dx) * q[b * GROUP + k];

            f.x += r * dx;
            f.v += r;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    force[i] = f;
}
"""
REDUCE = """
kernel void reduce(global const double *restrict in, global double *restrict out, local double *sums, unsigned int n)
{
    const unsigned t = get_local_id(0), size = get_local_size(0), grid = 2 * size * get_num_groups(0);

    sums[t] = 0.0;
    for (unsigned i = get_group_id(0) * 2 * size + t; i < n; i += grid)
        sums[t] += in[i] + in[i + size];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (unsigned k = size / 2; k > 0; k >>= 1) {
        if (t < k)
            sums[t] += sums[t + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0)
        out[get_group_id(0)] = sums[0];
}
""" + UNTRACED
HISTOGRAM = """
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
kernel void histogram(global const uint *data, global ulong *bins, uint n, ulong weight)
{
    const uint i = get_global_id(0);

    if (i < n)
        atom_add(&bins[data[i] & 255], weight);
}
"""
CONVOLVE = """
kernel void convolve(global const float *in, constant float *mask, global float *out, int2 size, int2 span, yes_t clip)
{
    const int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;

    for (int j = 0; j < span.y; j++)
        for (int i = 0; i < span.x; i++) {
            const int at_x = clamp(x + i - span.x / 2, 0, size.x - 1), at_y = clamp(y + j - span.y / 2, 0, size.y - 1);

            sum += in[at_y * size.x + at_x] * mask[j * span.x + i];
        }
    out[y * size.x + x] = clip ? clamp(sum, 0.f, 1.f) : sum;
}
"""
SPMV = """
kernel void spmv(global const float *restrict values, global const float *restrict x, global const int *restrict columns,
                 global const int *restrict starts, const int n, global float *restrict out)
{
    const int row = get_global_id(0);
    float sum = 0;

    if (row >= n)
        return;
    for (int j = starts[row]; j < starts[row + 1]; j++)
        sum = mad(values[j], x[columns[j]], sum);
    out[row] = sum;
}
"""
SGEMM = """
kernel void sgemm(global const float *a, int lda, global const float *b, int ldb, global float *c, int ldc, int k,
                  float alpha, float beta, global const float8 *bias)
{
    const int m = get_global_id(0), n = get_global_id(1);
    float sum = 0.0f;

    for (int i = 0; i < k; ++i)
        sum += a[m + i * lda] * b[n + i * ldb];
    c[m + n * ldc] = c[m + n * ldc] * beta + alpha * sum + (bias ? bias[0].s7 : 0.0f);
}
"""


class Public(Held):
    def test_box(self):
        n = 128
        x = [i % 16 / 16 for i in range(n)]
        force = []
        for i in range(n):
            f = [0.0, 0.0]
            for k in range(n):
                r = math.exp(-0.5 * (x[i] - x[k]) ** 2) * (k % 3)
                f = [f[0] + r, f[1] + r * (x[i] - x[k])]
            force += [*f, 0, 0]
        (self.folder / "include").mkdir()
        self.write("box.cl", BOX)
        self.write("include/constants.h", CONSTANTS)
        self.write("include/types.h", TYPES)
        variants = self.holds("""[workload]
name = box
source = box.cl
options = -I include
[size s]
boxes = 2
n = boxes << 6
[buffer pos]
type = vec
count = n
contents.x = each i % 16 / 16
[buffer q]
type = float
count = n
contents = each i % 3
[buffer force]
type = vec
count = n
expected = file force.bin
expected.tolerance = 1e-4
[launch box_force]
global = n
local = 64
arguments = par_t (0.5, boxes), pos, q, force
""", force=("f", force))
        self.assertIn("soa", variants)

    def test_reduce(self):
        sums = [sum(i % 7 for g in range(4) for i in range(g * 2048 + k * 512, g * 2048 + k * 512 + 512))
                for k in range(4)]
        self.write("reduce.cl", REDUCE)
        self.holds("""[workload]
name = reduce
source = reduce.cl
options = -cl-std=CL2.0 -cl-nv-verbose -Wall
[size s]
n = 1 << 13
groups = 4
[buffer in]
type = double
count = n
contents = each i % 7
[buffer out]
type = double
count = groups
expected = file out.bin
[launch reduce]
global = groups * 256
local = 256
arguments = in, out, local 8 * 256, uint n
""", out=("d", sums))

    def test_histogram(self):
        bins = [0] * 256
        for i in range(4096):
            bins[i * i % 1000 & 255] += 1 << 33
        self.write("histogram.cl", HISTOGRAM)
        self.holds("""[workload]
name = histogram64
source = histogram.cl
[size s]
n = 2 ** 12
[buffer data]
type = uint
count = n
contents = each i ** 2 % 1000
[buffer bins]
type = ulong
count = 256
restore = yes
expected = file bins.bin
[launch histogram]
global = n
local = 256
arguments = data, bins, uint n, ulong 1 << 33
""", bins=("Q", bins))

    def test_convolve(self):
        w, h = 64, 32
        image = [i % 5 / 4 for i in range(w * h)]
        mask = [0, 0.125, 0, 0.125, 0.5, 0.125, 0, 0.125, 0]
        at = lambda x, y: image[min(max(y, 0), h - 1) * w + min(max(x, 0), w - 1)]
        out = [sum(at(x + i - 1, y + j - 1) * mask[3 * j + i] for j in range(3) for i in range(3))
               for y in range(h) for x in range(w)]
        self.write("convolve.cl", CONVOLVE)
        variants = self.holds("""[workload]
name = convolve
source = convolve.cl
options = -cl-std=CL3.0 -D yes_t=uchar
[size s]
w = 64
h = w >> 1
n = w * h
[buffer in]
type = float
count = n
contents = each i % 5 / 4
[buffer mask]
type = float
count = 9
contents = list 0, 1 / 8, 0, 1 / 8, 0.5, 1 / 8, 0, 1 / 8, 0
[buffer out]
type = float
count = n
expected = file out.bin
[launch convolve]
global = w, h
local = 16, 16
arguments = in, mask, out, int2 (w, h), int2 (3, 3), bool 1
""", out=("f", out))
        self.assertIn("shared", variants)

    def test_spmv(self):
        n, per = 256, 8
        out = [sum((j % 4) * ((j * 79 % n) % 8) for j in range(r * per, r * per + per)) for r in range(n)]
        self.write("spmv.cl", SPMV)
        self.holds("""[workload]
name = spmv_rows
source = spmv.cl
options = -cl-mad-enable -cl-nv-maxrregcount 32
[size s]
n = 256
per = 8
total = n * per
[buffer values]
type = float
count = total
contents = each i % 4
[buffer x]
type = float
count = n
contents = each i % 8
[buffer columns]
type = int
count = total
contents = each i * 79 % n
[buffer starts]
type = int
count = n + 1
contents = range 0, per
[buffer out]
type = float
count = n
expected = file out.bin
[launch spmv]
global = n
local = 128
arguments = values, x, columns, starts, int n, out
""", out=("f", out))

    def test_sgemm(self):
        n = 32
        a = [i % 7 for i in range(n * n, 2 * n * n)]
        b = [i % 5 for i in range(n * n)]
        c = [0] * (n * n) + [2 * sum(a[m + i * n] * b[k + i * n] for i in range(n)) for k in range(n) for m in range(n)]
        self.write("sgemm.cl", SGEMM)
        self.holds("""[workload]
name = sgemm_columns
source = sgemm.cl
[size s]
n = 32
[buffer a]
type = float
count = 2 * n * n
contents = each i % 7
[buffer b]
type = float
count = n * n
contents = each i % 5
[buffer c]
type = float
count = 2 * n * n
restore = yes
expected = file c.bin
[launch sgemm]
global = n, n
local = 16, 16
arguments = a + n * n, int n, b, int n, c + n * n, int n, int n, float 2, float 0, null
""", c=("f", c))


if __name__ == "__main__":
    unittest.main()
