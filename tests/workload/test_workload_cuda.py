#!/usr/bin/env python3
"""Workload files with a CUDA source: launches, instances of templates, symbols and versions are CUDA's, and what is
wrong ends in one line that names it, with exit code 2.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import ROOT, Base, run

SOURCES = ROOT / "tests" / "trace" / "sources" / "cuda"
GOOD = f"""[workload]
name = mine
source = {SOURCES}/program.cu
options = -std=c++17

[size small]
n = 4096
[size large]
n = 65536

[buffer in]
type = float
count = n
contents = each i % 17
[buffer sums]
type = float
count = n / 64
output = yes
[buffer scaled]
type = float
count = n
output = yes
[symbol weights]
type = float
count = 4
contents = range 1, 0.5

[launch sum]
kernel = reduce<float, 256>
grid = n / 256
block = 256
shared = 4 * 256
arguments = in, sums, int n
[launch scale]
kernel = shapes::scale
grid = n / 128
block = 128
arguments = scaled, float2 (3, 0.5), int n

[variant narrow]
launch.sum.kernel = reduce<float, 64>
launch.sum.grid = n / 64
launch.sum.block = 64
launch.sum.shared = 4 * 64
"""

WRONG = [
    ("block = 256\n", "block = 2048\n", "blocks of up to 1024 threads"),
    ("block = 256\n", "", "has no \"block\""),
    ("grid = n / 256\n", "grid = 0\n", "from 1 to"),
    ("grid = n / 256\n", "grid = n / 256\nglobal = n\n", "either grid and block, or global and local"),
    ("shared = 4 * 256", "shared = -1", "from 0 to"),
    ("shared = 4 * 256", "shared = 4 * 255", "program.cu:68"),
    ("shared = 4 * 256", "shared = 400000", "bytes of local memory"),
    ("[symbol weights]", "[symbol wights]", "no variable wights in __constant__ or __device__ memory; it has: weights"),
    ("count = 4\n", "count = 5\n", "weights has 16 bytes, given are 20"),
    ("count = 4\n", "count = 100000\n", "the variable weights has 16 bytes, given are 400000"),
    ("contents = range 1, 0.5\n", "", "has no \"contents\""),
    ("kernel = reduce<float, 256>", "kernel = reduce", "kernel reduce is a template"),
    ("kernel = reduce<float, 256>", "kernel = reduce<float>", "reduce"),
    ("options = -std=c++17", "options = -cl-std=CL1.2", "not an option of nvcc"),
    ("arguments = in, sums, int n", "arguments = in, sums, ulong n", "has 4 bytes, given are 8"),
    ("arguments = in, sums, int n", "arguments = in, sums, local 64", "is a value, given is local memory"),
]


class Cuda(Base):
    """Tests workload files as they are traced."""

    def traced(self, path, *arguments):
        """Returns the kernels that a trace of the file has, by name."""
        kernels = self.json_of("trace", "--sample", "all", "--workload", path, *arguments)["kernels"]
        return {kernel["kernel"]: kernel for kernel in kernels}

    def test_right(self):
        path = self.write("good.workload", GOOD)
        kernels = self.traced(path)
        self.assertEqual(set(kernels), {"reduce<float, 256>", "shapes::scale"})
        narrow = self.traced(path, "--variant", "narrow")
        self.assertEqual(set(narrow), {"reduce<float, 64>", "shapes::scale"})

    def test_advice(self):
        path = self.write("good.workload", GOOD)
        done = self.json_of("advise", "--target", "h100", "--workload", path)
        self.assertEqual({choice["variant"] for choice in done["choices"]}, {"plain", "narrow"})

    def test_copies_of_structs(self):
        """Accesses are as wide as the alignment of the members in use, as in code of NVRTC 11.8 to
        13.0 for copies.cu."""
        launches = "".join(f"[launch {kernel}]\ngrid = 1\nblock = 32\narguments = in, out\n"
                           for kernel in ("whole", "half", "pairs", "apart"))
        path = self.write("copies.workload", f"[workload]\nname = copies\nsource = {SOURCES}/copies.cu\n[size small]\n"
                          "n = 256\n[buffer in]\ntype = float\ncount = n\n[buffer out]\ntype = float\ncount = n\n" + launches)
        counts = {name: tuple(kernel["counters"][counter]["value"] for counter in ("gld_request", "gst_request"))
                  for name, kernel in self.traced(path).items()}
        self.assertEqual(counts, {"whole": (2, 2), "half": (1, 1), "pairs": (3, 1), "apart": (3, 1)})

    def test_wrong(self):
        for old, new, says in WRONG:
            with self.subTest(new=new):
                self.assertIn(old, GOOD)
                path = self.write("wrong.workload", GOOD.replace(old, new, 1))
                done = run("trace", "--sample", "all", "--workload", path)
                # Exit code 3: the file's other kernels are traced, and the faulty one is named.
                self.assertIn(done.returncode, (2, 3), done.stderr)
                self.assertEqual("left out" in done.stderr, done.returncode == 3)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                self.assertIn(says, done.stderr)
                self.assertIn("wrong.workload", done.stderr)


if __name__ == "__main__":
    unittest.main()
