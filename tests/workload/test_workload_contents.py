#!/usr/bin/env python3
"""Contents that kernels compute: what all versions and the reference start with; streams of random numbers; arguments
from buffers; references that see results; and layouts that a file lists.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import array
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import Base, run

KERNEL = """typedef struct { float x, y, z; } Point;
__kernel void join(__global const int *numbers, __global const Point *points, __global int *out)
{ int i = get_global_id(0); out[i] = numbers[i] + (int)points[i].y; }
"""
# Numbers start as 0, 1, ...; `add` makes them 1000 larger, and then `turn` reverses them.
CONTENTS = """typedef struct { float x, y, z; } Point;
__kernel void add(__global int *numbers, __global const int *more)
{ numbers[get_global_id(0)] += more[0]; }
__kernel void turn(__global int *numbers, __global Point *points, int n)
{
    for (int i = 0; i < n / 2; i++) {
        int other = numbers[n - 1 - i];
        numbers[n - 1 - i] = numbers[i];
        numbers[i] = other;
    }
    for (int i = 0; i < n; i++) points[i].y = 10000 * (i % 3);
}
"""
REFERENCE = """__kernel void want(__global const int *more, __global int *out, int n)
{ int i = get_global_id(0); out[i] = more[0] + n - 1 - i + 10000 * (i % 3); }
"""
WORKLOAD = """[workload]
name = joined
source = join.cl
{workload}
[size small]
n = 64
[size large]
n = 128
[buffer numbers]
type = int
count = n
contents = range 0, 1
[buffer points]
type = Point
count = n
[buffer out]
type = int
count = n
contents = unset
output = yes
{out}
[buffer more]
type = int
count = 1
contents = constant 1000
reference = yes
[contents]
source = contents.cl
{contents}
[launch add]
contents = yes
global = n
local = 32
arguments = numbers, more
[launch turn]
contents = yes
global = 1
local = 1
arguments = {turn}
[launch join]
global = n
local = 64
arguments = numbers, points, out
[reference]
source = reference.cl
launch.join.kernel = want
launch.join.arguments = more, out, int n
{end}
"""


def wanted(n):
    """The bytes of out."""
    return array.array("i", [1000 + n - 1 - i + 10000 * (i % 3) for i in range(n)]).tobytes()


class Contents(Base):
    def setUp(self):
        super().setUp()
        self.write("join.cl", KERNEL)
        self.write("contents.cl", CONTENTS)
        self.write("reference.cl", REFERENCE)
        for n in (64, 128):
            (self.folder / f"out_{n}.bin").write_bytes(wanted(n))

    def file(self, workload="", contents="", turn="numbers, points, int n", end="", out="expected = file out_{n}.bin"):
        return self.write("joined.workload", WORKLOAD.format(
            workload=workload, contents=contents, turn=turn, end=end, out=out))

    def test_all_versions_start_with_them(self):
        path = self.file()
        for size in ("small", "large"):
            for variant in ("aos", "soa"):
                self.good("trace", "--sample", "all", "--size", size, "--variant", variant, path)
        (self.folder / "out_64.bin").write_bytes(wanted(64)[::-1])
        done = run("trace", "--sample", "all", path)
        self.assertIn("wrong result", done.stderr)

    def test_the_reference_starts_with_them(self):
        """Another launch changes `more`, which only the reference and [contents] have."""
        self.write("contents.cl", CONTENTS + "__kernel void grow(__global int *more) { more[0] = 1234; }\n")
        grow = "[launch grow]\ncontents = yes\nglobal = 1\nlocal = 1\narguments = more\n"
        rows = self.folder / "rows.csv"
        collect = ("collect", "--device", "pocl", "--counters", "none", "--size", "small", "-o", rows)
        self.good(*collect, self.file(out=""))
        rows.unlink()
        done = run(*collect, self.file(out="", end=grow))
        self.assertIn("but 0x00000511 by the reference (64 of 64", done.stderr)

    def test_streams(self):
        self.write("join.cl", "__kernel void join(__global const float *a, __global const float *b,"
                   " __global float *out) { int i = get_global_id(0); out[i] = a[i] - b[i]; }")
        (self.folder / "zeros.bin").write_bytes(bytes(4 * 64))
        text = ("[workload]\nname = streams\nsource = join.cl\n[size small]\nn = 64\n"
                + "".join(f"[buffer {name}]\ntype = float\ncount = n\n{keys}\n" for name, keys in (
                    ("a", "contents = random 0, 1"), ("b", "contents = random 0, 1\nstream = a"),
                    ("out", "expected = file zeros.bin")))
                + "[launch join]\nglobal = n\nlocal = 64\narguments = a, b, out\n")
        self.good("trace", "--sample", "all", self.write("streams.workload", text))
        self.write("streams.workload", text.replace("stream = a\n", ""))
        self.assertIn("wrong result", run("trace", "--sample", "all", self.folder / "streams.workload").stderr)

    def test_arguments_of_elements(self):
        """The kernel is given 3 + 4."""
        self.write("join.cl", "__kernel void join(__global int *out, int by) { out[get_global_id(0)] = by; }")
        (self.folder / "sevens.bin").write_bytes(array.array("i", [7] * 64).tobytes())
        text = ("[workload]\nname = by\nsource = join.cl\n[size small]\nn = 64\n"
                "[buffer out]\ntype = int\ncount = n\nexpected = file sevens.bin\n"
                "[buffer by]\ntype = int\ncount = 2\ncontents = range 3, 4\n"
                "[launch join]\nglobal = n\nlocal = 64\narguments = out, int by[n / 64]\n")
        path = self.write("by.workload", text)
        self.good("trace", "--sample", "all", path)
        self.write("by.workload", text.replace("n / 64]", "n / 65]"))
        self.assertIn("out[0] is 0x00000003", run("trace", "--sample", "all", path).stderr)
        for words, old, new in (("no element of this number", "n / 64]", "n / 32]"),
                                ("no element of this number", "n / 64]", "-1]"),
                                ("elements of another type", "int by[", "uint by["),
                                ("only the reference has the buffer", "range 3, 4", "range 3, 4\nreference = yes")):
            self.write("by.workload", text.replace(old, new) + "[reference]\noptions = -DX\n")
            self.refused((words,), "trace", path)

    def test_a_reference_that_sees_results(self):
        """Both 1 and 2 are right: the reference takes the one that the version has."""
        self.write("join.cl", "__kernel void join(__global int *out)"
                   " { int i = get_global_id(0); out[i] = i % GIVEN + 1; }")
        self.write("reference.cl", "__kernel void want(__global int *out, __global const int *results)"
                   " { int i = get_global_id(0); out[i] = results[i] == 2 ? 2 : 1; }")
        text = ("[workload]\nname = seen\nsource = join.cl\noptions = -DGIVEN=2\n[size small]\nn = 64\n"
                "[buffer out]\ntype = int\ncount = n\noutput = yes\n"
                "[buffer results]\ntype = int\ncount = n\nafter = out\nreference = yes\n"
                "[launch join]\nglobal = n\nlocal = 64\narguments = out\n"
                "[reference]\nsource = reference.cl\nlaunch.join.kernel = want\nlaunch.join.arguments = out, results\n"
                "[variant one]\noptions = -DGIVEN=1\n[variant three]\noptions = -DGIVEN=3\n")
        referred = text[text.index("[reference]"):text.index("[variant")]
        path = self.write("seen.workload", text)
        trace = ("trace", "--sample", "all", path, "--variant")
        collect = ("collect", "--device", "pocl", "--counters", "none", path, "-o", self.folder / "rows.csv")
        for variant in ("plain", "one"):
            self.good(*trace, variant)
        self.assertIn("out[2] is 0x00000003, but 0x00000001 by the reference (21 of 64", run(*trace, "three").stderr)
        self.assertIn("2 measured, 0 there already, 0 left out, 1 failed", run(*collect).stdout)
        for words, old, new in (("with output = yes", "after = out", "after = results"),
                                ("with output = yes", "results]\ntype = int", "results]\ntype = uint"),
                                ("results has 512 bytes, and out has 256",
                                 "count = n\nafter", "count = 2 * n\nafter"),
                                ("for buffers with reference = yes", "output = yes\n", "output = yes\nafter = out\n"),
                                ("there is no [reference]", referred, "")):
            self.assertIn(old, text)
            self.write("seen.workload", text.replace(old, new))
            self.refused((words,), "trace", path)

    def test_faults_of_contents(self):
        for words, changes in (
                ('no key "tolerance"', {"contents": "tolerance = 1"}),
                ("takes 3 arguments, given are 2", {"turn": "numbers, points"}),
                ("takes a buffer", {"turn": "int 1, points, int n"}),
                ("all versions start with the same", {"end": "launch.turn.local = 1"})):
            self.refused((words,), "trace", self.file(**changes))
        path = self.file()
        content = path.read_text()
        for words, old, new in (("add [contents] with source", "[contents]\nsource = contents.cl\n", ""),
                                ("has no launch: add", "contents = yes\n", ""),
                                ("only the reference has buffer more", "= numbers, points, out", "= more, points, out"),
                                ("the launch right before", "local = 64\n", "local = 64\nrepeat = with turn\n")):
            self.assertIn(old, content)
            path.write_text(content.replace(old, new))
            self.refused((words,), "trace", path)

    def test_faults_of_its_kernels(self):
        self.write("contents.cl", CONTENTS.replace("numbers[get_global_id(0)]", "numbers[get_global_id(0) + 1]"))
        self.refused(("joined.workload", "kernel add makes a load"), "trace", self.file())
        self.write("contents.cl", CONTENTS.replace("+= more[0]", "+= less[0]"))
        self.refused(("contents.cl", "less"), "trace", self.file())

    def test_layouts_of_lists(self):
        named = "[layout pairs]\nlayout = cluster:x+y/z"
        path = self.file(workload="layouts = soa, asta:32", end=named)
        self.assertIn("variants: aos soa asta:32 pairs", run("collect", "--list", path).stdout)
        for variant in ("soa", "asta:32", "pairs", "cluster:x/y/z"):
            self.good("trace", "--sample", "all", "--variant", variant, path)
        plain = self.file(workload="layouts = no\nbase = joining")
        self.assertIn("variants: joining\n", run("collect", "--list", plain).stdout)
        self.good("trace", "--variant", "joining", plain)
        self.refused(('no variant "soa"',), "trace", "--variant", "soa", plain)
        for words, changes in (
                ("no layout", {"workload": "layouts = soa, round"}), ("beside a comma", {"workload": "layouts = soa,"}),
                ("no layout", {"end": "[layout pairs]\nlayout = round"}),
                ('has no "layout"', {"end": "[layout pairs]"}),
                ("the name of a transform", {"end": "[layout soa]\nlayout = cluster:x+y/z"}),
                ("no kernel takes an array", {"workload": "layouts = no", "end": named})):
            self.refused((words,), "trace", self.file(**changes))


if __name__ == "__main__":
    unittest.main()
