#!/usr/bin/env python3
"""What reaches the compilers of a workload file's source: headers, standards, extensions and options, the same in the
trace engine, in libclang and on a device; and kernels that nobody launches.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import struct
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import Base, run

HEAD = """[workload]
name = compiled
source = {source}
{options}
[size s]
n = 64
[buffer out]
type = {kind}
count = n
contents = {contents}
restore = yes
expected = file out.bin
[launch one]
global = n
local = n
arguments = out
"""

HEADERS = {
    "src/main.cl": '#include "beside.h"\n#include "deep.h"\n#include <types.h>\n'
                   "kernel void one(global Item *out) { out[get_global_id(0)].value = DEEP + BESIDE + ONE; }\n",
    "src/beside.h": "#define BESIDE 20\n",
    "include/deep.h": '#include "deeper/deeper.h"\n',
    "include/deeper/deeper.h": "#define DEEP 300\n",
    "types/types.h": "typedef struct { int value; } Item;\n",
}

ATOMICS = """#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
kernel void one(global long *out)
{
    local ulong sums[4];
    const int l = get_local_id(0);

    if (l < 4)
        sums[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atom_add(out, l + 0x100000000L);
    atom_sub(out + 1, 1L);
    atom_inc(out + 2);
    atom_dec(out + 3);
    atom_min(out + 4, (long)-l);
    atom_max(out + 5, (long)l << 33);
    atom_or(out + 6, 1L << l);
    atom_and(out + 7, ~(1L << l));
    atom_xor(out + 8, 1L << l);
    if (l == 0)
        atom_xchg(out + 9, 77L);
    if (l == 3)
        atom_cmpxchg(out + 10, 7L, 5L);
    atom_add(&sums[0], (ulong)l);
    atom_max(&sums[1], (ulong)-1L - l);
    atom_add((local int *)&sums[2], 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 3)
        out[12 + l] = sums[l];
}
"""

OTHERS = """typedef struct { bool there; int n; } Flag;
typedef struct { int a; } Plain;
kernel void prints(global int *out) { printf("%d", out[0]); }
kernel void draws(read_only image2d_t picture, global float4 *out)
{
    const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

    out[0] = read_imagef(picture, s, (int2)(0, 0));
}
kernel void flags(global Flag *f) { f[get_global_id(0)].there = true; }
kernel void helps(global int *out) { out[get_global_id(0)] += 1; }
kernel void one(global int *out) { helps(out); }
"""


class Compilers(Base):
    def workload(self, source, kind="int", contents="zeros", options="", values=None, name="main.cl"):
        if source:
            self.write(name, source)
        letter = {"int": "i", "Item": "i", "long": "q", "double": "d"}[kind]
        self.write("out.bin", struct.pack(f"<64{letter}", *values))
        return self.write("a.workload", HEAD.format(source=name, kind=kind, contents=contents,
                                                    options=f"options = {options}" if options else ""))

    def trace(self, path, **named):
        return run("trace", "--workload", path, "--sample", "all", **named)

    def collect(self, path, **named):
        (self.folder / "out.csv").unlink(missing_ok=True)
        return run("collect", "--workload", path, "--device", "pocl", "--counters", "none", "-o",
                   self.folder / "out.csv", **named)

    def right(self, path, says=(), **named):
        """Both executors must give the expected buffer. Returns their messages."""
        for done in (self.trace(path, **named), self.collect(path, **named)):
            self.assertEqual(done.returncode, 0, done.stderr)
            for words in says:
                self.assertIn(words, done.stderr)
            if not says:
                self.assertNotIn("left out", done.stderr.replace("0 left out", ""))

    def write_headers(self):
        for name, text in HEADERS.items():
            (self.folder / name).parent.mkdir(exist_ok=True, parents=True)
            self.write(name, text)

    def test_headers(self):
        """Paths are relative to the workload file's folder, wherever the program runs."""
        self.write_headers()
        options = f"-D ONE=1 -I include -I{self.folder}/types"
        path = self.workload(None, "Item", options=options, values=[321] * 64, name="src/main.cl")
        self.right(path)
        self.right(path, cwd="/")
        self.right(path.name, cwd=self.folder)
        self.good("advise", "--target", "h100", "--workload", path, "--clusters", "1", cwd="/")
        self.good("trace", "--workload", path, "--sample", "all", "--variant", "soa", cwd="/")
        self.write("types/types.h", "typedef struct { int value; int more; } Item;\n")
        self.assertNotEqual(self.trace(path).returncode, 0)

    def test_headers_beside(self):
        self.write_headers()
        self.write("src/plain.cl", '#include "beside.h"\nkernel void one(global int *out)\n'
                                   "{ out[get_global_id(0)] = BESIDE; }\n")
        self.right(self.workload(None, values=[20] * 64, name="src/plain.cl"), cwd="/")

    def test_blanks(self):
        """Compilers of devices split options at blanks, even inside quotes."""
        self.write_headers()
        (self.folder / "include").rename(self.folder / "include dir")
        path = self.workload(None, "Item", options='-DONE=1 -I "include dir" -I types', values=[321] * 64,
                             name="src/main.cl")
        self.assertEqual(self.trace(path).returncode, 0)
        done = self.collect(path)
        self.assertEqual(done.returncode, 1)
        self.assertIn("'deep.h' file not found (a folder's name has blanks, which this compiler may not take)",
                      done.stderr)

    def test_wrong_folders(self):
        self.write_headers()
        for options, says in (("-I none", "build option -I none: there is no folder"), ("-I", "nothing follows it"),
                              ("-DX -I src/main.cl", "there is no folder"), ("-I ''", "nothing follows it"),
                              ("-D", "nothing follows it"), ("-I {m}", '"m" is no parameter'),
                              ("-I inc{n}", "build option -I inc64: there is no folder")):
            path = self.workload(None, options=options, values=[321] * 64, name="src/main.cl")
            done = self.trace(path)
            self.assertEqual(done.returncode, 2, options)
            self.assertEqual(done.stderr.count("\n"), 1)
            self.assertIn(f"{path}:4: ", done.stderr)
            self.assertIn(says, done.stderr)
        os.mkdir(self.folder / "a'b \"c")
        done = self.trace(self.workload(None, "Item", options="-I a\"'\"b' \"c'", values=[321] * 64, name="src/main.cl"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("no compiler takes", done.stderr)

    def test_standards(self):
        source = "kernel void one(global int *out) { out[get_global_id(0)] = __OPENCL_C_VERSION__ >= AT_LEAST; }\n"
        for standard, least in (("CL1.1", 110), ("CL1.2", 120), ("CL2.0", 200), ("CL3.0", 300)):
            self.right(self.workload(source, options=f"-cl-std={standard} -DAT_LEAST={least}", values=[1] * 64))
        for standard in ("CL4.0", "CLC++", "CL2.7"):
            done = self.trace(self.workload(source, options=f"-cl-std={standard}", values=[1] * 64))
            self.assertEqual(done.returncode, 2)
            self.assertIn("the trace engine compiles OpenCL C: CL1.0, CL1.1, CL1.2, CL2.0 or CL3.0", done.stderr)

    def test_options(self):
        source = "kernel void one(global int *out) { out[get_global_id(0)] = 3; }\n"
        for option in ("-cl-nv-verbose", "-Wall", "-Wno-unused",
                       "-g", "-save-temps=x", "-cl-intel-greater-than-4GB-buffer-required", "-fno-bin-source"):
            path = self.workload(source, options=f"-DX {option} -DY", values=[3] * 64)
            self.right(path, [f"build option {option.split(' ')[0]} is left out"])
        # A notice is printed once, however many versions there are.
        said = self.good("advise", "--target", "h100", "--workload", path, "--clusters", "1").stderr
        self.assertEqual(said.count("is left out"), 1)
        for option in ("-w", "-cl-mad-enable", "-cl-kernel-arg-info", "-cl-strict-aliasing"):
            self.right(self.workload(source, options=option, values=[3] * 64))
        for option in ("-cl-fast-relaxd-math", "-march=native", "-Xclang", "x.cl", "-cl-std"):
            done = self.trace(self.workload(source, options=option, values=[3] * 64))
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"build option {option}: not one that the trace engine has", done.stderr)
        done = self.trace(self.workload(source, options="-cl-nv-maxrregcount", values=[3] * 64))
        self.assertIn("build option -cl-nv-maxrregcount: nothing follows it", done.stderr)

    def test_double(self):
        """No pragma is needed for doubles, and constants keep their digits."""
        source = "kernel void one(global double *out) { out[get_global_id(0)] = 0.1; }\n"
        self.right(self.workload(source, "double", values=[0.1] * 64))
        for standard in ("CL1.0", "CL1.1"):
            path = self.workload(source, "double", options=f"-cl-std={standard}", values=[0.1] * 64)
            self.assertEqual(self.trace(path).returncode, 0)

    def test_atomics(self):
        sums = sum(range(64))
        every = 0
        for l in range(64):
            every |= 1 << l
        signed = lambda x: x - (1 << 64) if x >= 1 << 63 else x
        values = [7] * 64
        values[0] = 7 + sums + 64 * 0x100000000
        values[1] = 7 - 64
        values[2] = 7 + 64
        values[3] = 7 - 64
        values[4] = -63
        values[5] = 63 << 33
        values[6] = signed(every)
        values[7] = 0
        values[8] = signed(7 ^ every)
        values[9] = 77
        values[12] = sums
        values[13] = -1
        values[14] = 64
        values[10] = 5
        path = self.workload(ATOMICS, "long", "constant 7", values=values)
        self.right(path)
        kernels = self.json_of("trace", "--workload", path, "--sample", "all")["kernels"]
        rows = [row for row in kernels[0]["accesses"] if row["kind"] == "atomic" and row["space"] == "global"]
        self.assertEqual([row["bytes"] for row in rows], [8] * 11)
        self.assertEqual([row["work_items"] for row in rows], [64] * 9 + [1, 1])

    def test_others(self):
        """Features that only kernels without launches need are ignored."""
        for options in ("", "-cl-std=CL3.0"):
            self.right(self.workload(OTHERS, options=options, values=[1] * 64))
        self.good("advise", "--target", "h100", "--workload", self.folder / "a.workload", "--clusters", "1")
        for kernel, words in (("prints", "printf"), ("none", "no kernel none")):
            path = self.write("a.workload", (self.folder / "a.workload").read_text().replace("[launch one]",
                                                                                          f"[launch {kernel}]"))
            done = self.trace(path)
            self.assertEqual(done.returncode, 2)
            self.assertIn(words, done.stderr)
            self.workload(OTHERS, values=[1] * 64)

    def test_odd_struct_beside(self):
        """If no layout is possible for one struct, other structs still get layouts unless they
        contain it."""
        source = ("typedef struct { int value, more; } Item;\ntypedef struct { union { int a; float b; } u; MORE } Odd;\n"
                  "kernel void one(global Item *out) { out[get_global_id(0)].value = 4; }\n"
                  "kernel void two(global Odd *odd) { odd[0].u.a = 1; }\n")
        values = [4, 0] * 32
        path = self.workload(source.replace("MORE", ""), "Item", values=values)
        self.write("out.bin", struct.pack("<128i", *[4, 0] * 64))
        self.good("trace", "--workload", path, "--sample", "all", "--variant", "soa")
        self.workload(source.replace("MORE", "Item held[2];"), "Item", values=values)
        done = run("trace", "--workload", path, "--sample", "all", "--variant", "soa")
        self.assertEqual(done.returncode, 2)
        self.assertIn("main.cl:2: struct Odd: u is a union", done.stderr)

    def test_tall_grid(self):
        """OpenCL accepts this grid, a CUDA launch does not."""
        path = self.workload("kernel void one(global int *out) { out[get_global_id(1) & 63] = get_group_id(1) >= 0; }\n",
                             values=[1] * 64)
        self.write("a.workload", path.read_text().replace("global = n", "global = 1, 65536").replace("local = n",
                                                                                                    "local = 1, 1"))
        self.assertEqual(self.collect(path).returncode, 0)
        done = self.trace(path)
        self.assertEqual(done.returncode, 2)
        self.assertIn("65536 work-groups in dimension 1; a CUDA launch takes up to 65535", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)
        self.write("a.workload", path.read_text().replace("65536", "65535"))
        self.assertEqual(self.trace(path).returncode, 0)


if __name__ == "__main__":
    unittest.main()
