#!/usr/bin/env python3
"""Arguments of workload files: structs by value, bytes, parts of buffers, NULL and wide vectors. Each reaches the
kernel as it should, in the trace engine and on a device: what kernels make of it is held against a file.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import struct
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import Base, rows_of, run

SOURCE = """typedef struct { float scale; int4 shift; char tag[3]; struct { short a; double b; } in[2]; } Setup;
struct Small { int n; };
typedef struct { union { int i; float f; } u; uint bits; } Odd;
typedef struct { int key; int value; } Pair;

kernel void by_value(global double *out, Setup s, struct Small t, Odd odd)
{
    const int i = get_global_id(0);

    s.scale += i; /* a work-item's own */
    if (i == 1)
        out[i] = s.scale;
    else if (i < 6)
        out[i] = i == 2 ? s.shift.x : i == 3 ? s.shift.y : i == 4 ? s.shift.z : s.shift.w;
    else if (i < 9)
        out[i] = s.tag[i - 6];
    else if (i < 11)
        out[i] = s.in[i - 9].a;
    else if (i < 13)
        out[i] = s.in[i - 11].b;
    else
        out[i] = i == 13 ? t.n : i == 14 ? odd.u.f : odd.bits;
}
kernel void wide(global double *out, double16 d, float8 f, char16 c, ulong n)
{
    out[0] = d.s0 + d.sf;
    out[1] = f.s7;
    out[2] = c.sf;
    out[3] = n;
}
kernel void part(global float *out, global const float *in, global Pair *pairs, constant int *table)
{
    const int i = get_global_id(0);

    out[i] = in[i] + table[0];
    pairs[i].key = i;
}
kernel void maybe(global float *out, global const float *in, constant float *more)
{
    const int i = get_global_id(0);

    out[i] = (in ? in[i] : 5) + (more ? more[0] : 7);
}
"""

HEAD = """[workload]
name = args
source = args.cl
[size s]
n = 64
"""

BY_VALUE = HEAD + """[buffer out]
type = double
count = 16
expected = file out.bin
[launch by_value]
global = 16
local = 16
arguments = out, Setup (0.5, (1, 2, n, -4), (7, 8, -9), (10, 11), (2.5, 1e300)), struct Small (n * 2),
    bytes 0x00002040 05000000
"""

WIDE = HEAD + """[buffer out]
type = double
count = 4
expected = file out.bin
[launch wide]
global = 1
local = 1
arguments = out, double16 (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0.25),
    float8 (0, 0, 0, 0, 0, 0, 0, n / 128), char16 (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -3), size_t n
"""

PART = HEAD + """[buffer out]
type = float
count = 2 * n
contents = range 100, 1
expected = file out.bin
[buffer in]
type = float
count = 2 * n
contents = range 0, 1
[buffer pairs]
type = Pair
count = 2 * n
expected = file pairs.bin
[buffer table]
type = int
count = 2 * n
contents = range 0, 1
[launch part]
global = n
local = n
arguments = out + n, in + n / 2, pairs + n, table + 32
"""

MAYBE = HEAD + """[buffer out]
type = float
count = n
expected = file out.bin
[buffer in]
type = float
count = n
contents = range 0, 1
[launch maybe]
global = n
local = n
arguments = out, IN, null
"""


class Arguments(Base):
    def setUp(self):
        super().setUp()
        self.write("args.cl", SOURCE)

    def collect(self, workload):
        (self.folder / "out.csv").unlink(missing_ok=True)
        return run("collect", "--workload", workload, "--device", "pocl", "--counters", "none", "--variant", "aos",
                   "--variant", "plain", "-o", self.folder / "out.csv")

    def gives(self, text, values, kind, **files):
        """The buffer out must have these values at the end, in every executor. A wrong expected
        value is reported."""
        workload = self.write("args.workload", text)
        for name, data in files.items():
            self.write(f"{name}.bin", data)
        for wrong in (False, True):
            self.write("out.bin", struct.pack(f"<{len(values)}{kind}", *values[:-1], values[-1] + wrong))
            traced = run("trace", "--workload", workload, "--sample", "all")
            self.assertEqual(traced.returncode, int(wrong), traced.stderr)
            measured = run("collect", "--workload", workload, "--device", "pocl", "--counters", "none",
                           "-o", self.folder / f"out{wrong}.csv")
            self.assertEqual(measured.returncode, int(wrong), measured.stderr)
            self.assertEqual(len(rows_of(self.folder / f"out{wrong}.csv")), 0 if wrong else 1)
            for path in self.folder.glob("out*.csv"):
                path.unlink()

    def test_struct(self):
        values = [-4, 1.5, 1, 2, 64, -4, 7, 8, -9, 10, 11, 2.5, 1e300, 128, 2.5, 5]
        self.gives(BY_VALUE, values, "d")

    def test_struct_as_bytes(self):
        """Expected results, computed by hand. Alignment is that of the source."""
        setup = (struct.pack("<f12x4i3b", 0.5, 1, 2, 64, -4, 7, 8, -9) + bytes(5) + struct.pack("<h6xdh6xd", 10, 2.5,
                                                                                              11, 1e300))
        setup += bytes(-len(setup) % 16)
        text = BY_VALUE.replace("Setup (0.5, (1, 2, n, -4), (7, 8, -9), (10, 11), (2.5, 1e300))",
                                "bytes 0x" + setup.hex())
        self.assertIn("bytes 0x0000003f", text)
        self.gives(text, [-4, 1.5, 1, 2, 64, -4, 7, 8, -9, 10, 11, 2.5, 1e300, 128, 2.5, 5], "d")

    def test_variant(self):
        """A variant uses the struct of its own source."""
        self.write("other.cl", SOURCE.replace("{ int n; }", "{ short pad; int n; }"))
        text = BY_VALUE + "[variant other]\nsource = other.cl\n"
        workload = self.write("args.workload", text)
        self.write("out.bin", struct.pack("<16d", -4, 1.5, 1, 2, 64, -4, 7, 8, -9, 10, 11, 2.5, 1e300, 128, 2.5, 5))
        done = run("trace", "--workload", workload, "--sample", "all", "--variant", "other")
        self.assertEqual(done.returncode, 2)
        self.assertIn("struct Small has 2 fields, of which n and those after it have no value", done.stderr)
        self.write("args.workload", text + "launch.by_value.arguments = out, Setup (0.5, (1, 2, n, -4), (7, 8, -9), "
                   "(10, 11), (2.5, 1e300)), Small (1, n * 2), bytes 0x0000204005000000\n")
        self.good("trace", "--workload", workload, "--sample", "all", "--variant", "other")

    def test_wide(self):
        self.gives(WIDE, [1.25, 0.5, -3, 64], "d")

    def test_part(self):
        out = list(range(100, 164)) + [32 + i + 32 for i in range(64)]
        pairs = bytes(512) + b"".join(struct.pack("<2i", i, 0) for i in range(64))
        self.gives(PART, out, "f", pairs=pairs)

    def test_part_of_layout(self):
        """A part of a buffer has no layout of its own."""
        workload = self.write("args.workload", PART)
        self.write("out.bin", bytes(512))
        self.write("pairs.bin", bytes(1024))
        done = run("trace", "--workload", workload, "--variant", "soa")
        self.assertEqual(done.returncode, 2)
        self.assertIn("kernel part gets pairs from byte 512 of buffer pairs on", done.stderr)
        done = run("trace", "--workload", self.write("args.workload", PART.replace("pairs + n", "pairs")), "--variant",
                   "soa", "--sample", "0.5")
        # counted from the source, and not what out.bin contains
        self.assertEqual(done.returncode, 1)
        self.assertIn("wrong result", done.stderr)

    def test_part_bounds(self):
        workload = self.write("args.workload", PART.replace("in + n / 2", "in + n + 1"))
        self.write("out.bin", bytes(512))
        self.write("pairs.bin", bytes(1024))
        done = run("trace", "--workload", workload)
        self.assertEqual(done.returncode, 2)
        self.assertIn("buffer in has 512 bytes, and kernel part makes a load of 4 bytes at byte 512", done.stderr)
        self.write("args.cl", SOURCE.replace("in[i] + table", "in[i - 1] + table"))
        self.write("args.workload", PART)
        done = run("trace", "--workload", workload)
        self.assertEqual(done.returncode, 2)
        self.assertIn("a load of 4 bytes at byte 124 (", done.stderr)
        self.assertIn("the launch gives it the buffer from byte 128 on", done.stderr)

    def test_misaligned_part(self):
        """OpenCL's sub-buffers must start at aligned offsets."""
        workload = self.write("args.workload", PART.replace("in + n / 2", "in + 3"))
        self.write("out.bin", bytes(512))
        self.write("pairs.bin", bytes(1024))
        done = run("collect", "--workload", workload, "--device", "pocl", "--counters", "none",
                   "-o", self.folder / "out.csv")
        self.assertEqual(done.returncode, 1)
        self.assertIn("kernel part gets buffer in from byte 12 on, but on ", done.stderr)
        self.assertIn("starts at a multiple of 128 bytes", done.stderr)

    def test_turns(self):
        text = PART.replace("in + n / 2", "in + i * 2|out|in + n") + "repeat = 3\n"
        self.write("out.bin", bytes(512))
        self.write("pairs.bin", bytes(1024))
        done = run("trace", "--workload", self.write("args.workload", text), "--sample", "all")
        # The results at the end: element 64 of `in`, and 32.
        self.assertIn("but 0 by", done.stderr)
        out = list(range(100, 164)) + [64 + i + 32 for i in range(64)]
        self.gives(text.replace("i * 2", "i * 32"), out, "f",
                   pairs=bytes(512) + b"".join(struct.pack("<2i", i, 0) for i in range(64)))

    def test_null(self):
        self.gives(MAYBE.replace("IN", "NULL"), [12] * 64, "f")
        self.gives(MAYBE.replace("IN", "in"), [i + 7 for i in range(64)], "f")
        self.gives(MAYBE.replace("IN", "in|null") + "repeat = 2\n", [12] * 64, "f")
        self.gives(MAYBE.replace("IN", "null | in + 0") + "repeat = 2\n", [i + 7 for i in range(64)], "f")

    def test_access_by_null(self):
        self.write("args.cl", SOURCE.replace("(in ? in[i] : 5)", "in[i]"))
        self.write("out.bin", bytes(256))
        done = run("trace", "--workload", self.write("args.workload", MAYBE.replace("IN", "null")))
        self.assertEqual(done.returncode, 2)
        self.assertIn("args.cl:42: kernel maybe: a load through the null pointer in", done.stderr)

    def test_bad(self):
        self.write("out.bin", bytes(512))
        self.write("pairs.bin", bytes(1024))
        for good, old, new, says in (
                (BY_VALUE, "Setup (0.5, ", "Setup (", "')' is missing before"),
                (BY_VALUE, ", (2.5, 1e300))", ")", "has 5 fields, of which in.b and those after it have no value"),
                (BY_VALUE, ", 1e300))", ", 1e300), 3)", "has only 5 fields"),
                (BY_VALUE, "(7, 8, -9)", "(7, 8)", "field tag has more elements than there are values: it has 3"),
                (BY_VALUE, "(7, 8, -9)", "(7, 8, 9, 10)", "field tag has fewer elements"),
                (BY_VALUE, "(7, 8, -9)", "7", "the elements of an array stand in parentheses"),
                (BY_VALUE, "(7, 8, -9)", "(7, 8, 900)", "is 900 in size s, which a char does not hold"),
                (BY_VALUE, "(7, 8, -9)", "(7, 8, m)", '"m" is no parameter'),
                (BY_VALUE, "(1, 2, n, -4)", "(1, 2, n)", "more components than there are values"),
                (BY_VALUE, "struct Small (n * 2)", "Tiny (n)", "Tiny is no struct that a kernel takes as a value"),
                (BY_VALUE, "struct Small (n * 2)", "Small ()", "no value"),
                (BY_VALUE, "struct Small (n * 2)", "Small n", "neither a buffer"),
                (BY_VALUE, "struct Small (n * 2)", "Setup (0.5, (1, 2, n, -4), (7, 8, -9), (10, 11), (2.5, 1))",
                 "(t) is of type Small (4 bytes)"),
                (BY_VALUE, "struct Small (n * 2)", "int n", "(t) is of type Small (4 bytes)"),
                (BY_VALUE, "bytes 0x00002040 05000000", "Odd (1, 2)", "Odd is no struct"),
                (BY_VALUE, "bytes 0x00002040 05000000", "bytes 0x0000204005", "(odd) is of type something else"),
                (BY_VALUE, "bytes 0x00002040 05000000", "bytes 00002040", "write bytes 0x"),
                (BY_VALUE, "bytes 0x00002040 05000000", "bytes 0x000", "two hexadecimal digits a byte"),
                (BY_VALUE, "bytes 0x00002040 05000000", "bytes 0xgg", "two hexadecimal digits a byte"),
                (BY_VALUE, "bytes 0x00002040 05000000", "bytes 0x", "no byte stands behind 0x"),
                (BY_VALUE, "bytes 0x00002040 05000000", "bytes 0x" + 4097 * "00", "up to 4096 bytes"),
                (BY_VALUE, "bytes 0x00002040 05000000", "bytes 0x" + 8000 * "00", "argument is missing beside a comma"),
                (WIDE, "size_t n", "size_t -1", "does not hold"),
                (WIDE, "size_t n", "bool n", "a bool is 0 or 1"),
                (WIDE, "size_t n", "bool 1", "(n) is of type ulong"),
                (WIDE, "size_t n", "null", "(n) takes a value, ulong"),
                (WIDE, "char16 (0,", "char16 (", "more components"),
                (PART, "out + n", "out + 2 * n", "starts at element 128 in size s, but out has 128 elements"),
                (PART, "out + n", "out - n", "behind a buffer's name stands only + ELEMENTS"),
                (PART, "out + n", "out n", "behind a buffer's name stands only + ELEMENTS"),
                (PART, "out + n", "out +", "missing at the end"),
                (PART, "out + n", "out + -1", "starts at element -1"),
                (PART, "out + n", "out + m", '"m" is no parameter'),
                (PART, "out + n", "put + n", '"put": neither a buffer'),
                (PART, "out + n", "out|", "neither a buffer"),
                (PART, "out + n", "out|null + n", "nothing may follow null")):
            self.assertIn(old, good)
            text = good.replace(old, new)
            workload = self.write("args.workload", text)
            done = run("trace", "--workload", workload)
            with self.subTest(new=new):
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                line = text[:text.index("arguments =")].count("\n") + 1
                self.assertIn(f"{workload}:{line}: ", done.stderr)
                self.assertIn(says, done.stderr)


if __name__ == "__main__":
    unittest.main()
