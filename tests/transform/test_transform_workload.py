#!/usr/bin/env python3
"""perfmodel transform on workloads: what is written is what advise traced, in layouts and in local memory.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import re
import subprocess
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import CC, Base, run

TABLE = """__kernel void filter(__global const float *in, __global const float *table, __global float *out, int taps)
{
    const int i = get_global_id(0);
    float sum = 0;

    for (int k = 0; k < taps; k++)
        sum += table[k] * in[i];
    out[i] = sum;
}
"""

TABLE_WORKLOAD = """[workload]
name = {name}
source = table.cl
[size small]
n = 4096
taps = 512
[size large]
n = 16384
taps = 1024
[buffer in]
type = float
count = n
contents = random
[buffer table]
type = float
count = taps
contents = random
[buffer out]
type = float
count = n
output = yes
[launch filter]
global = n
local = 128
arguments = in, table, out, int taps
{more}
"""

BODIES = """typedef struct { float x, y, z, mass; int kind, more[3]; } Body;
__kernel void move(__global Body *bodies, float dt)
{
    bodies[get_global_id(0)].x += dt * bodies[get_global_id(0)].y;
}
__kernel void weigh(__global const Body *bodies, __global float *out)
{
    out[get_global_id(0)] = bodies[get_global_id(0)].mass * bodies[get_global_id(0)].x;
}
"""

BODIES_WORKLOAD = """[workload]
name = bodies
source = bodies.cl
[size small]
n = 4096
[buffer bodies]
type = Body
count = n
contents = range 0, 1
restore = yes
[buffer out]
type = float
count = n
output = yes
[launch move]
global = n
local = 64
arguments = bodies, float 0.5
[launch weigh]
global = n
local = 64
arguments = bodies, out
"""


class Transform(Base):
    def setUp(self):
        super().setUp()
        self.write("table.cl", TABLE)
        self.write("bodies.cl", BODIES)
        self.table = self.workload("table")
        self.bodies = self.write("bodies.workload", BODIES_WORKLOAD)

    def workload(self, name, more=""):
        return self.write(f"{name}.workload", TABLE_WORKLOAD.format(name=name, more=more))

    def counters(self, *arguments):
        """Returns counts by kernel for the whole workload."""
        kernels = self.json_of("trace", "--sample", "all", *arguments)["kernels"]
        return {k["kernel"]: {name: c["value"] for name, c in k["counters"].items()} for k in kernels}

    def test_as_advised(self):
        """The source of the version that advise proposes, used as a version by hand, has the same
        counts."""
        for size, at in (([], "large"), (["--size", "small"], "small")):
            advice = self.json_of("advise", "--target", "h100", self.table, *size)
            written = self.json_of("transform", "--target", "h100", self.table, *size)
            self.assertEqual((written["variant"], written["size"], written["target"], written["program"]),
                             (advice["best"], advice["size"], "h100", "table"))
            self.assertIn("shared", advice["best"])
            self.assertTrue(any(a["array"] == "table" and a["staged"] for a in written["arrays"]))
            self.write("written.cl", written["source"])
            self.workload("by_hand", "[variant written]\nsource = written.cl\n")
            own = self.counters(self.table, "--variant", advice["best"], "--size", at)
            self.assertEqual(self.counters(self.folder / "by_hand.workload", "--variant", "written", "--size", at), own)
            self.assertNotEqual(self.counters(self.table, "--size", at), own)

    def test_as_asked(self):
        """--shared chooses arrays by the launches, as variant shared does."""
        for option, variant in ((["--shared"], "shared"), (["--shared=table"], "shared:table"),
                                (["--variant", "shared:table/32"], "shared:table/32")):
            written = self.json_of("transform", *option, self.table, "--size", "small")
            self.write("written.cl", written["source"])
            by_hand = self.workload("by_hand", "[variant written]\nsource = written.cl\n")
            self.assertEqual(self.counters(by_hand, "--variant", "written"),
                             self.counters(self.table, "--variant", variant))
        self.refused(["work-group", "not known"], "transform", "--shared", self.folder / "table.cl")

    def test_left(self):
        """If the best version is the base, nothing is written. If it is a version by hand, its
        source is written unchanged."""
        self.write("best.cl", TABLE.replace("sum += table[k] * in[i];", "sum += in[i];"))
        hand = self.workload("hand", "[variant best]\nsource = best.cl\n")
        written = self.json_of("transform", "--target", "h100", hand)
        self.assertEqual(written["variant"], self.json_of("advise", "--target", "h100", hand)["best"])
        self.assertEqual(self.json_of("transform", "--variant", "best", hand)["source"],
                         (self.folder / "best.cl").read_text(encoding="utf-8"))
        self.write("copy.cl", "__kernel void copy(__global const float *in, __global float *out)\n"
                              "{\n    out[get_global_id(0)] = in[get_global_id(0)];\n}\n")
        copy = self.write("copy.workload", "[workload]\nname = copying\nsource = copy.cl\n[size s]\nn = 1024\n"
                          "[buffer a]\ntype = float\ncount = n\n[buffer b]\ntype = float\ncount = n\n"
                          "[launch copy]\nglobal = n\nlocal = 64\narguments = a, b\n")
        done = self.good("transform", "--target", "h100", copy, "-o", self.folder / "none")
        self.assertIn("plain, the source as it is; nothing to write", done.stdout)
        self.assertFalse((self.folder / "none").exists())

    def test_folder(self):
        """Files of one workload are written into the folder, files of several into a subfolder
        each."""
        out = self.folder / "out"
        self.good("transform", "--layout", "soa", self.bodies, "-o", out)
        self.assertEqual(sorted(p.name for p in out.iterdir()), ["Body_layout.h", "bodies_soa.cl"])
        several = self.folder / "several"
        self.workload("second")
        self.good("transform", "--shared", self.table, self.folder / "second.workload", "-o", several)
        self.assertEqual(sorted(str(p.relative_to(several)) for p in several.rglob("*.cl")),
                         ["second/second_shared.cl", "table/table_shared.cl"])
        document = self.json_of("transform", "--shared", self.table, self.folder / "second.workload")
        self.assertEqual([t["program"] for t in document["transforms"]], ["table", "second"])

    def test_by_kernel(self):
        """With layouts that differ between kernels, the output has the source with conversions, a
        header for each layout, and the launches of the conversions."""
        variant = "soa;asta:32@weigh"
        self.assertIn("Body_to_asta", " ".join(self.counters(self.bodies, "--variant", variant)))
        out = self.folder / "out"
        written = json.loads(self.good("transform", "--variant", variant, self.bodies, "-o", out, "--json").stdout)
        conversion = re.search(r"__kernel void (Body_to_\w+)", written["source"]).group(1)
        self.assertEqual([h["struct"] for h in written["headers"]], ["Body", "Body_2"])
        self.assertEqual(len(written["assumptions"]), 1)
        self.assertIn(f"kernel {conversion}", written["assumptions"][0])
        self.assertIn("before weigh", written["assumptions"][0])
        for header in out.glob("*.h"):
            subprocess.run([CC, "-std=c99", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x", "c", header], check=True)
        self.refused(["layouts by kernel need conversions"], "transform", "--layout", variant, self.folder / "bodies.cl")

    def test_wrong(self):
        for words, arguments in ((["--target NAME"], [self.table]), (["not both"], ["--shared", self.table,
                                                                                   self.folder / "table.cl"]),
                                 (["--program"], ["--shared", self.table, "--program", "idw"]),
                                 (["launches"], ["--shared", "--work-group", "64", self.table]),
                                 (["--build-options"], ["--shared", "--build-options", "-DX", self.table]),
                                 (["--sample is of --target"], ["--shared", "--sample", "all", self.table]),
                                 (["leave --layout"], ["--shared", "--target", "h100", self.table]),
                                 (["--target is of workloads"], ["--target", "h100", self.folder / "table.cl"]),
                                 (["no_such_gpu"], ["--target", "no_such_gpu", self.table]),
                                 (["there is: small, large"], ["--shared", "--size", "huge", self.table]),
                                 (["no kernel takes an array 'nothing'"], ["--shared=nothing", self.table]),
                                 (["none.workload"], ["--shared", "none.workload"])):
            with self.subTest(arguments=arguments):
                self.refused(words, "transform", *arguments, progress=True)
        self.workload("second")
        done = run("transform", "--shared", self.table, self.folder / "second.workload")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("2 workloads want a folder", done.stderr)


if __name__ == "__main__":
    unittest.main()
