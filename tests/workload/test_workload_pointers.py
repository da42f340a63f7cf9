#!/usr/bin/env python3
"""Pointers in struct arguments and in buffers: kernels follow them to the right elements, are counted as with direct
arguments, and a pointer that leads nowhere is reported.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import struct
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import Base, run

SOURCE = """struct Part { const float *x; int count; };
struct View { Part in; float *y; float *more[3]; };

__global__ void direct(const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = 2 * x[i];
}
__global__ void member(View v)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < v.in.count)
        v.y[i] = 2 * v.in.x[i];
}
__global__ void chosen(View v, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += v.more[k][i];
    v.y[i] = sum;
}
__global__ void rows(float **y, const float *const *x)
{
    y[blockIdx.x][threadIdx.x] = x[blockIdx.x] ? x[blockIdx.x][threadIdx.x] : -1;
}
__global__ void structs(const View *views)
{
    const View &v = views[blockIdx.x];
    v.y[threadIdx.x] = v.in.x[threadIdx.x] + v.in.count;
}
struct Node { float value; Node *next; };
__global__ void walk(const Node *first, float *y)
{
    float sum = 0;
    for (const Node *at = first; at; at = at->next)
        sum += at->value;
    y[threadIdx.x] = sum;
}
__global__ void local(float *y, const float *x, const float *z, int n)
{
    const float *both[2] = {x, z};
    int i = threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += both[(k + i) & 1][i];
    y[i] = sum;
}
__global__ void step(float *y, int4 limits)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int *at = &limits.x;
    while (i >= *at)
        ++at;
    y[i] = at - &limits.x;
}
__global__ void shared_too(float *y, const float *x)
{
    __shared__ float tile[64];
    const float *both[2] = {x, tile};
    tile[threadIdx.x] = 1;
    __syncthreads();
    y[threadIdx.x] = both[threadIdx.x & 1][threadIdx.x];
}
"""

HEAD = """[workload]
name = pointers
source = pointers.cu
[size s]
n = 256
[buffer x]
type = float
count = n
contents = range 0, 1
[buffer y]
type = float
count = n
contents = constant 0.5
restore = yes
expected = file y.bin
"""

MEMBER = "[launch member]\ngrid = n / 64\nblock = 64\narguments = "


class Pointers(Base):
    def setUp(self):
        super().setUp()
        self.write("pointers.cu", SOURCE)

    def trace(self, text, values=None):
        """Traces a workload in which all work-groups run, and checks the values of y at the end."""
        workload = self.write("pointers.workload", HEAD + text)
        expected = values if values is not None else [0.5] * 256
        (self.folder / "y.bin").write_bytes(struct.pack("256f", *expected))
        return run("trace", "--target", "a100", "--sample", "all", "--json", workload)

    def gives(self, text, values):
        """y must have these values at the end; a wrong expectation is reported."""
        done = self.trace(text, values)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        wrong = self.trace(text, [values[0] + 1, *values[1:]])
        self.assertEqual(wrong.returncode, 1)
        self.assertIn("y[0] is", wrong.stderr)
        return json.loads(done.stdout)

    def refused(self, text, *parts):
        done = self.trace(text)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
        for part in parts:
            self.assertIn(part, done.stderr)

    def test_members(self):
        doubled = [2.0 * i for i in range(256)]
        for argument in ("View (x, n, y, (null, null, null))",
                         "View { in = { x = buffer x, count = n }, y = y }",
                         "struct View {in.x = x, in.count = n, y = y + 0}",
                         "bytes 0x" + "00" * 8 + "00010000" + "00" * 36 + " (0: x, 16: y)"):
            self.gives(MEMBER + argument + "\n", doubled)
        self.gives(MEMBER + "View (x + n / 2, n / 2, y + n / 2, (null, null, null))\n",
                   [0.5] * 128 + doubled[128:])

    def test_arrays_of_pointers_in_a_struct(self):
        self.gives("[launch chosen]\ngrid = n / 64\nblock = 64\n"
                   "arguments = View {y = y, more = (x, x, null)}, int 2\n", [2.0 * i for i in range(256)])

    def test_a_pointer_steps_through_a_struct(self):
        self.gives("[launch step]\ngrid = n / 64\nblock = 64\narguments = y, int4 (64, 128, 192, n)\n",
                   [float(i // 64) for i in range(256)])

    def test_repeats_take_turns(self):
        done = self.gives(MEMBER + "View {in.x = x|y, in.count = n, y = y|y}\nrepeat = 2\n",
                          [4.0 * i for i in range(256)])
        self.assertEqual(done["kernels"][0]["launches"], 2)

    def test_buffers_of_pointers(self):
        self.gives("[buffer in]\ntype = float *\ncount = 4\ncontents = list x + 64, null, x, x + 192\n"
                   "[buffer out]\ntype = float *\ncount = 4\ncontents = each y + i * 64\n"
                   "[launch rows]\ngrid = 4\nblock = 64\narguments = out, in\n",
                   [64.0 + i for i in range(64)] + [-1.0] * 64 + [float(i) for i in range(64)] +
                   [192.0 + i for i in range(64)])

    def test_structs_with_pointers(self):
        for contents in ("contents.in.x = each x + i * 64\ncontents.in.count = range 1, 1\n"
                         "contents.y = each y + 64 * i\n",
                         "contents.in.count = range 1, 1\npointers = 0: x, 16: y, 48: x + 256, 64: y + 256,\n"
                         "    96: x + 512, 112: y + 512, 144: x + 768, 160: y + 768\n"):
            self.gives(f"[buffer views]\ntype = View\ncount = 4\n{contents}"
                       "[launch structs]\ngrid = 4\nblock = 64\narguments = views\n",
                       [float(i + i // 64 + 1) for i in range(256)])

    def test_pointers_in_a_file(self):
        (self.folder / "p.txt").write_text("0: x\n8: x + 256\n\n16: x + 512\n24: x + 768\n", encoding="utf-8")
        self.gives("[buffer in]\ntype = uchar\ncount = 32\npointers = file p.txt\n"
                   "[buffer out]\ntype = float *\ncount = 4\ncontents = each y + i * 64\n"
                   "[launch rows]\ngrid = 4\nblock = 64\narguments = out, in\n", [float(i) for i in range(256)])

    def test_lists(self):
        """A list whose nodes are in one buffer, each with the address of the next one."""
        self.gives("[buffer nodes]\ntype = Node\ncount = 5\ncontents.value = range 1, 1\n"
                   "contents.next = list nodes + 3, null, nodes + 1, nodes + 2, nodes\n"
                   "[launch walk]\ngrid = 1\nblock = 256\narguments = nodes, y\n", [1.0 + 4 + 3 + 2] * 256)

    def test_private_arrays_of_pointers(self):
        self.gives("[buffer z]\ntype = float\ncount = n\ncontents = constant 3\n"
                   "[launch local]\ngrid = 1\nblock = 256\narguments = y, x, z, int 2\n",
                   [3.0 + i for i in range(256)])
        self.refused("[launch shared_too]\ngrid = 1\nblock = 64\narguments = y, x\n", "pointers.cu:63",
                     "more than one memory")

    def test_counts_are_those_of_direct_arguments(self):
        both = self.gives("[launch direct]\ngrid = n / 64\nblock = 64\narguments = x, y\n" + MEMBER +
                          "View (x, n, y, (null, null, null))\n", [2.0 * i for i in range(256)])["kernels"]
        counters = [{name: value["value"] if isinstance(value, dict) else value
                     for name, value in kernel["counters"].items()} for kernel in both]
        for name in ("gld_request", "gld_sector", "gst_sector", "l2_read_sector", "load_wait", "registers"):
            self.assertEqual(counters[0][name], counters[1][name], name)
        self.assertEqual([access["buffer"] for access in both[1]["accesses"]], ["v", "v+0", "v+16"])

    def test_wrong_pointers(self):
        self.refused(MEMBER + "View (x, n, y + 1, (null, null, null))\n", "buffer y has 1024 bytes", "byte 1024",
                     "pointers.cu:13")
        self.refused(MEMBER + "View (null, n, y, (null, null, null))\n", "null pointer v+0", "pointers.cu:13")
        self.refused("[buffer in]\ntype = float *\ncount = 4\n[launch rows]\ngrid = 4\nblock = 64\n"
                     "arguments = in, in\n", "null pointer", "pointers.cu:25")

    def test_malformed(self):
        for argument, part in (("View (z, n, y, (null, null, null))", "no buffer is called z; there are: x, y, null"),
                               ("View {x = x}", "no field x; it has: in.x, in.count, y, more"),
                               ("View {y = y, y = x}", "overlaps"),
                               ("View {y}", "NAME = VALUE"),
                               ("View {y = y + n}", "starts at element 256"),
                               ("View {y = y", "a brace is not closed"),
                               ("bytes 0x0000000000000000 (1: x)", "pointer at byte 1"),
                               ("bytes 0x0000000000000000 (x)", "AT: BUFFER + BYTES")):
            self.refused(MEMBER + argument + "\n", part)
        for section, part in (("type = float *\ncount = 4\ncontents = random", "contents of pointers are"),
                              ("type = float *\ncount = 4\ncontents = list x", "has 1 pointers, wanted are 4"),
                              ("type = float *\ncount = 4\ncontents = each x + i * 100", "starts at element 300"),
                              ("type = int\ncount = 4\npointers = 12: x", "pointer at byte 12")):
            self.refused(f"[buffer p]\n{section}\n" + MEMBER + "View {y = y}\n", part)

    def test_layouts_are_refused(self):
        workload = self.write("pointers.workload", HEAD + MEMBER + "View (x, n, y, (null, null, null))\n")
        (self.folder / "y.bin").write_bytes(struct.pack("256f", *[2.0 * i for i in range(256)]))
        done = run("trace", "--target", "a100", "--variant", "soa", workload)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)

    def test_opencl_devices_refuse_pointers(self):
        self.write("rows.cl", "kernel void rows(global float *y, global ulong *p) { y[0] = p[0] != 0; }\n")
        workload = self.write("rows.workload", HEAD.replace("pointers.cu", "rows.cl").replace(
            "expected = file y.bin\n", "") + "[buffer p]\ntype = ulong\ncount = 1\npointers = 0: x\n"
            "[launch rows]\nglobal = 1\nlocal = 1\narguments = y, p\n")
        done = run("collect", workload, "--device", "pocl", "--counters", "none", "-o", self.folder / "o.csv")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("pointers in buffers or in struct arguments cannot be given to an OpenCL device",
                      done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
