#!/usr/bin/env python3
"""What single kernels of public collections count on: work-items of a warp in step, members that no layout moves, options
with braces, work-groups that the driver chooses, products of 24 bits; and what cannot be traced, by its name.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from held import UNTRACED, Held
from program import run

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


class Words(Held):
    def test_last_warp(self):
        """The last warp computes the end of a sum. Its work-items execute in lockstep without
        barriers."""
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
        """No layout is possible for it, but its fields are known."""
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
        """The host passes NULL as work-group size."""
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
        """mul24 of a result of get_local_size, which NVIDIA's compiler accepts."""
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
        """A feature that cannot be traced is named in the error."""
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
        source = (UNTRACED + "kernel void lane(global float4 *out)\n{\n    uint i;\n\n"
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
