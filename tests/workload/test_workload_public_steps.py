#!/usr/bin/env python3
"""Kernels in the style of public collections whose hosts launch them step after step: in a loop, one after another in a
loop, or with other bytes each time. Each has to give what is expected in the trace engine and
on PoCL, and advise has to weigh it.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import struct
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from held import Held

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
FLOYD = """
typedef struct { uint k, n; union { uint word; uchar bytes[4]; } mode; } Pass;
kernel void floyd(global uint *path, const Pass pass)
{
    const uint x = get_global_id(0), y = get_global_id(1), n = pass.n;

    path[y * n + x] = min(path[y * n + x], path[y * n + pass.k] + path[pass.k * n + x] + pass.mode.bytes[0]);
}
"""


class Steps(Held):
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
        """Stage and pass are derived from one counter: 0 0, 1 0, 1 1, 2 0, ..., by triangular
        numbers."""
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


if __name__ == "__main__":
    unittest.main()
