#!/usr/bin/env python3
"""Kernels in the style of public collections, each with what its hosts do: structs by value, headers, parts of buffers,
NULL, 64-bit atomics, kernels beside it that are not launched. Each has to give what is expected in the trace engine and
on PoCL, and advise has to weigh it.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import math
import struct
import unittest

from program import Base, rows_of, run

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
kernel void show(global double *out) { printf("%f\\n", out[get_global_id(0)]); }
kernel void draw(read_only image2d_t from, global float4 *out)
{
    const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

    out[0] = read_imagef(from, s, (int2)(0, 0));
}
"""
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
ELIMINATE = """
typedef struct { bool used; int row; } Flag;
kernel void fan1(global float *m, global float *a, const int n, const int t)
{
    const int i = get_global_id(0);

    if (i < n - 1 - t)
        *(m + n * (i + t + 1) + t) = *(a + n * (i + t + 1) + t) / *(a + n * t + t);
}
kernel void fan2(global float *m, global float *a, const int n, const int t)
{
    const int x = get_global_id(0), y = get_global_id(1);

    if (x < n - 1 - t && y < n - t)
        a[n * (x + 1 + t) + y + t] -= m[n * (x + 1 + t) + t] * a[n * t + y + t];
}
kernel void forget(global Flag *flags) { flags[get_global_id(0)].used = false; }
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
BFS = """
typedef struct { int start, edges; } Node;
kernel void visit(global const Node *nodes, global const int *edges, global char *mask, global char *next,
                  global char *seen, global int *cost, const int n)
{
    const int i = get_global_id(0);

    if (i >= n || !mask[i])
        return;
    mask[i] = false;
    for (int e = nodes[i].start; e < nodes[i].start + nodes[i].edges; e++)
        if (!seen[edges[e]]) {
            cost[edges[e]] = cost[i] + 1;
            next[edges[e]] = true;
        }
}
kernel void advance(global char *mask, global char *next, global char *seen, global char *over, const int n)
{
    const int i = get_global_id(0);

    if (i >= n || !next[i])
        return;
    mask[i] = seen[i] = true;
    next[i] = false;
    if (over)
        *over = true;
}
"""
BITONIC = """
kernel void bitonic(global uint *a, const uint stage, const uint pass)
{
    const uint t = get_global_id(0), distance = 1u << (stage - pass);
    const uint left = t % distance + t / distance * distance * 2, right = left + distance;
    const uint x = a[left], y = a[right];
    const bool up = (t >> stage & 1) == 0;

    a[left] = up ? min(x, y) : max(x, y);
    a[right] = up ? max(x, y) : min(x, y);
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
FLOYD = """
typedef struct { uint k, n; union { uint word; uchar bytes[4]; } mode; } Pass;
kernel void floyd(global uint *path, const Pass pass)
{
    const uint x = get_global_id(0), y = get_global_id(1), n = pass.n;

    path[y * n + x] = min(path[y * n + x], path[y * n + pass.k] + path[pass.k * n + x] + pass.mode.bytes[0]);
}
"""
LAST_WARP = """
kernel void sum_groups(global const int *in, global int *out, local VOLATILE int *part)
{
    const uint t = get_local_id(0), size = get_local_size(0);

    part[t] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = size / 2; k > 32; k >>= 1) {
        if (t < k)
            part[t] += part[t + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t < 32) {
        part[t] += part[t + 32];
        part[t] += part[t + 16];
        part[t] += part[t + 8];
        part[t] += part[t + 4];
        part[t] += part[t + 2];
        part[t] += part[t + 1];
    }
    if (t == 0)
        out[get_group_id(0)] = part[0];
}
kernel void turn(global const int *in, global int *out, local int *part)
{
    const uint t = get_local_id(0);

    part[t] = in[get_global_id(0)];
    part[t] = part[t ^ 31] + 1;
    out[get_global_id(0)] = part[t ^ 1];
}
"""
SHELVES = """
typedef struct { int from; bool open; int keys[3]; } Shelf;
kernel void look(global const Shelf *shelves, global const Shelf *other, global int *out)
{
    const int i = get_global_id(0);

    out[i] = shelves[i].open ? shelves[i].keys[2] : other->open ? other->keys[1] - shelves[i].from : 0;
}
"""
PAIRS = """
constant int pair[] = PAIR;
kernel void mask(global const int *in, global int *out, int bits)
{
    out[get_global_id(0)] = (in[get_global_id(0)] & bits) * pair[1] + pair[0];
}
"""
SHORT_PRODUCTS = """
kernel void place(global int *out, int width)
{
    const uint i = mul24(get_group_id(0), get_local_size(0)) + get_local_id(0);

    out[i] = mul24((int)get_local_id(0), width) + mul24(get_group_id(0), (uint)width) + mul24(width, get_local_size(0));
}
"""


class Public(Base):
    def holds(self, workload, **expected):
        """What the buffers hold in the end, in the trace engine and on PoCL; and that they are looked at."""
        path = self.write("a.workload", workload)
        for name, (letter, values) in expected.items():
            self.write(f"{name}.bin", struct.pack(f"<{len(values)}{letter}", *values))
        for wrong in (False, True):
            if wrong:
                name, (letter, values) = list(expected.items())[0]
                self.write(f"{name}.bin", struct.pack(f"<{len(values)}{letter}", *values[:-1], values[-1] + 1))
            traced = run("trace", "--workload", path, "--sample", "all")
            self.assertEqual(traced.returncode, int(wrong), traced.stderr)
            measured = run("collect", "--workload", path, "--device", "pocl", "--counters", "none", "-o",
                           self.folder / f"{wrong}.csv")
            self.assertEqual(measured.returncode, int(wrong), measured.stderr)
            self.assertEqual(bool(rows_of(self.folder / f"{wrong}.csv")), not wrong)
        name, (letter, values) = list(expected.items())[0]
        self.write(f"{name}.bin", struct.pack(f"<{len(values)}{letter}", *values))
        advice = self.json_of("advise", "--target", "h100", "--workload", path, "--clusters", "1")
        for choice in advice["choices"]:
            self.assertGreater(choice["predicted_s"], 0)
        return [choice["variant"] for choice in advice["choices"]]

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

    def test_eliminate(self):
        n = 16
        a = [[64.0 if x == y else 1.0 for x in range(n)] for y in range(n)]
        for t in range(n - 1):
            for y in range(t + 1, n):
                factor = a[y][t] / a[t][t]
                a[y] = [a[y][x] - factor * a[t][x] if x >= t else a[y][x] for x in range(n)]
        self.write("eliminate.cl", ELIMINATE)
        self.holds("""[workload]
name = eliminate
source = eliminate.cl
[size s]
n = 16
[buffer m]
type = float
count = n ** 2
restore = yes
[buffer a]
type = float
count = n ** 2
contents = each (i - i % n) / n == i % n ? 64 : 1
restore = yes
expected = file a.bin
expected.tolerance = 1e-5
[launch fan1]
global = n
local = n
arguments = m, a, int n, int i
repeat = n - 1
[launch fan2]
global = n, n
local = n, 4
arguments = m, a, int n, int i
repeat = with fan1
""", a=("f", [x for row in a for x in row]))

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

    def test_bfs(self):
        n = 256
        cost, front = [-1] * n, [0]
        cost[0] = 0
        for step in range(1, 7):
            front = sorted({(i * 3 + e * 17 + 1) % n for i in front for e in range(2)} - {i for i in range(n) if cost[i] >= 0})
            for i in front:
                cost[i] = step
        self.write("bfs.cl", BFS)
        self.holds("""[workload]
name = bfs_masks
source = bfs.cl
[size s]
n = 256
[buffer nodes]
type = Node
count = n
contents.start = range 0, 2
contents.edges = constant 2
[buffer edges]
type = int
count = 2 * n
contents = each (i / 2 * 3 + i % 2 * 17 + 1) % n
[buffer mask]
type = char
count = n
contents = each i == 0
restore = yes
[buffer next]
type = char
count = n
restore = yes
[buffer seen]
type = char
count = n
contents = each i == 0
restore = yes
[buffer cost]
type = int
count = n
contents = each i == 0 ? 0 : -1
restore = yes
expected = file cost.bin
[buffer over]
type = char
count = 1
[launch visit]
global = n
local = 64
arguments = nodes, edges, mask, next, seen, cost, int n
repeat = 6
[launch advance]
global = n
local = 64
arguments = mask, next, seen, over|NULL, int n
repeat = with visit
""", cost=("i", cost))

    def test_bitonic(self):
        """Stage and pass are counted in one loop: 0 0, 1 0, 1 1, 2 0, ..., by where triangular numbers lie."""
        self.write("bitonic.cl", BITONIC)
        stage = " + ".join(f"(i >= {k * (k + 1) // 2})" for k in range(1, 10))
        self.holds(f"""[workload]
name = bitonic_stages
source = bitonic.cl
[size s]
bits = 10
n = 1 << bits
[buffer a]
type = uint
count = n
contents = each i * 7919 % 10007
restore = yes
expected = file a.bin
[launch bitonic]
global = n >> 1
local = 256
arguments = a, uint {stage}, uint i - ({stage}) * ({stage} + 1) / 2
repeat = bits * (bits + 1) / 2
""", a=("I", sorted(i * 7919 % 10007 for i in range(1024))))

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

    def test_floyd(self):
        n = 32
        path = [(i * 37 % 101) + 1 for i in range(n * n)]
        for k in range(n):
            for y in range(n):
                for x in range(n):
                    path[y * n + x] = min(path[y * n + x], path[y * n + k] + path[k * n + x])
        self.write("floyd.cl", FLOYD)
        launches = "".join(f"""[launch pass{k}]
kernel = floyd
global = n, n
local = 16, 16
arguments = path, bytes 0x{struct.pack('<3I', k, n, 0).hex()}
""" for k in range(n))
        self.holds("""[workload]
name = floyd
source = floyd.cl
[size s]
n = 32
[buffer path]
type = uint
count = n * n
contents = each i * 37 % 101 + 1
restore = yes
expected = file path.bin
""" + launches, path=("I", path))

    def traces(self, workload, **expected):
        """What only a GPU does, so that PoCL is not asked."""
        path = self.write("a.workload", workload)
        for name, values in expected.items():
            self.write(f"{name}.bin", struct.pack(f"<{len(values)}i", *values))
        self.good("trace", "--workload", path, "--sample", "all")
        name, values = list(expected.items())[0]
        self.write(f"{name}.bin", struct.pack(f"<{len(values)}i", *values[:-1], values[-1] + 1))
        self.assertEqual(run("trace", "--workload", path, "--sample", "all").returncode, 1)

    def test_last_warp(self):
        """The end of a sum is the last warp's, whose work-items are in step without barriers."""
        n, group = 1024, 256
        values = [i * i % 101 for i in range(n)]
        sums = [sum(values[g:g + group]) for g in range(0, n, group)]
        self.write("sum.cl", LAST_WARP)
        self.traces("""[workload]
name = last_warp
source = sum.cl
options = -D VOLATILE=volatile
[size s]
n = 1024
group = 256
[buffer in]
type = int
count = n
contents = each i * i % 101
[buffer out]
type = int
count = n / group
expected = file out.bin
[buffer turned]
type = int
count = n
expected = file turned.bin
[launch sum_groups]
global = n
local = group
arguments = in, out, local 4 * group
[launch turn]
global = n
local = group
arguments = in, turned, local 4 * group
""", out=sums, turned=[values[i ^ 30] + 1 for i in range(n)])

    def test_struct_with_bool(self):
        """No layout is made of it, but its fields are known."""
        n = 64
        self.write("shelves.cl", SHELVES)
        variants = self.holds("""[workload]
name = shelves
source = shelves.cl
[size s]
n = 0x40
[buffer shelves]
type = Shelf
count = n
contents.from = range 0, 2
contents.open = each i % 3 == 0
contents.keys = each i * 5
[buffer other]
type = Shelf
count = 1
contents = constant 1
contents.keys = list 7, 1000, 9
[buffer out]
type = int
count = n
expected = file out.bin
[launch look]
global = n
local = 32
arguments = shelves, other, out
""", out=("i", [(3 * i + 2) * 5 if i % 3 == 0 else 1000 - 2 * i for i in range(n)]))
        self.assertNotIn("soa", variants)

    def test_braces_and_hexadecimal(self):
        n = 64
        self.write("pairs.cl", PAIRS)
        self.holds("""[workload]
name = pairs
source = pairs.cl
options = -D PAIR={{0x100,{n / 32}}}
[size s]
n = 64
[buffer in]
type = int
count = n
contents = each i * 0x11
[buffer out]
type = int
count = n
expected = file out.bin
[launch mask]
global = n
local = 32
arguments = in, out, int 0xf0f
""", out=("i", [(i * 0x11 & 0xf0f) * 2 + 0x100 for i in range(n)]))

    def test_group_left_to_the_driver(self):
        """As a host does that gives NULL for the size of work-groups."""
        self.write("sizes.cl", "kernel void sizes(global int2 *out)\n{\n"
                   "    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = "
                   "(int2)(get_local_size(0), get_local_size(1));\n}\n")
        self.holds("""[workload]
name = sizes
source = sizes.cl
[size s]
n = 48
[buffer out]
type = int2
count = n * n
expected = file out.bin
[launch sizes]
global = n, n
local = NULL
arguments = out
""", out=("i", [24, 8] * 48 * 48))

    def test_products_of_sizes(self):
        """mul24 of what get_local_size gives, as NVIDIA's compiler takes it."""
        self.write("place.cl", SHORT_PRODUCTS)
        self.traces("""[workload]
name = place
source = place.cl
[size s]
n = 128
[buffer out]
type = int
count = n
expected = file out.bin
[launch place]
global = n
local = 32
arguments = out, int 5
""", out=[i % 32 * 5 + i // 32 * 5 + 5 * 32 for i in range(128)])

    def test_true_limits(self):
        """What cannot be traced is called by its name."""
        launch = """[workload]
name = limits
source = limits.cl
[size s]
n = 64
[buffer out]
type = float4
count = n
[launch {kernel}]
global = n
local = 32
arguments = {arguments}
"""
        source = (REDUCE + "kernel void lane(global float4 *out)\n{\n    uint i;\n\n"
                  '    asm("mov.u32 %0, %%laneid;" : "=r"(i));\n    out[i] = 1;\n}\n')
        line = 1 + source[:source.index("asm")].count("\n")
        self.write("limits.cl", source)
        for kernel, arguments, told in (("draw", "out, out", "argument 1 of kernel draw (from) takes an image"),
                                        ("show", "out", "the function printf cannot be traced"),
                                        ("lane", "out", f"limits.cl:{line}: inline assembly cannot be traced")):
            path = self.write("a.workload", launch.format(kernel=kernel, arguments=arguments))
            done = run("trace", "--workload", path)
            self.assertEqual(done.returncode, 2)
            self.assertIn(told, done.stderr)


if __name__ == "__main__":
    unittest.main()
