#!/usr/bin/env python3
"""What advise proposes has been run: a version that leaves other results than the plain one is not proposed, and
a notice tells where they differ.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import re
import struct
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import Base, run

# Without -DQUICK the kernel computes a second sum, multiplies it by 0 and adds it. It then does
# twice the work.
SOURCE = """__kernel void sums(__global const float *in, __global float *out, __global int *seen, __global float *own, int n)
{
    int i = get_global_id(0);
    float sum = 0;

    for (int k = 0; k < 16; k++)
        sum += in[(i + k) % n];
#ifndef QUICK
    float more = 0;

    for (int k = 0; k < 256; k++)
        more += in[(i * 64 + k * 33) % n];
    sum += more * 0;
#endif
    out[i] = sum * (1 + OFF);
    seen[i] = i + SEEN;
    own[i] = OWN;
    BEHIND
}
"""
WORKLOAD = """[workload]
name = sums
source = sums.cl
options = -DOFF=0 -DSEEN=0 -DOWN={plain_own} -DBEHIND=;
[size small]
n = 1024
[size large]
n = 16384
[buffer in]
type = float
count = n
contents = random 1, 2
[buffer out]
type = float
count = n
{out}
[buffer seen]
type = int
count = n
[buffer own]
type = float
count = n
{own}
[launch sums]
global = n
local = 64
arguments = in, out, seen, own, int n
[variant quick]
options = -DQUICK {quick}
{more}
"""
STRUCTS = """typedef struct { float a, b, c, d, e, f, g, h; } Item;
__kernel void move(__global Item *items, int n)
{
    int i = get_global_id(0);

    items[i].a += items[i].b;
}
"""


class Checked(Base):
    """Advice for a program that has one much faster version."""

    plain_own = "sum"

    def advise(self, quick="", out="", own="", more="", words=()):
        options = {"OFF": "0", "SEEN": "0", "OWN": "sum", "BEHIND": ";"}
        options.update(word.split("=", 1) for word in quick.split())
        self.write("sums.cl", SOURCE)
        path = self.write("sums.workload", WORKLOAD.format(
            quick=" ".join(f"-D{name}={value}" for name, value in options.items()), out=out, own=own, more=more,
            plain_own=self.plain_own))
        return self.told(path, "--size", "large", *(words or ("--variant", "quick")))

    def told(self, *words):
        """Returns the document, and the notices on standard error."""
        done = self.good("advise", "--target", "h100", *words, "--json")
        return json.loads(done.stdout), [line for line in done.stderr.splitlines() if not line.startswith("[")]

    def proposed(self, *words, **named):
        document, notices = self.advise(*words, **named)
        self.assertEqual((document["best"], document["checked"], document["checked_size"], document["unchecked"]),
                         ("quick", "trace", "small", None))
        self.assertEqual(notices, [])

    def not_proposed(self, says, *words, **named):
        document, notices = self.advise(*words, **named)
        self.assertEqual((document["best"], document["checked"], document["checked_size"]), ("plain", "no", None))
        self.assertEqual([choice["variant"] for choice in document["choices"]], ["plain"])
        self.assertEqual(len(notices), 1, notices)
        self.assertRegex(notices[0], r"\Aperfmodel: quick: not proposed: .*" + says)

    def test_right(self):
        self.proposed()

    def test_floats(self):
        self.proposed("OFF=5e-6f")
        self.not_proposed(r"out\[0\] is [0-9.]+, but [0-9.]+ by the plain version \(1024 of 1024 elements differ\)",
                          "OFF=1e-4f")

    def test_nan(self):
        """A NaN counts as equal to any NaN, and as different from any number."""
        self.plain_own = "as_float(0x7fc00007)"
        self.proposed("OWN=as_float(0x7fc00001)")
        self.not_proposed(r"own\[0\] is 1, but nan by the plain version", "OWN=1")
        self.plain_own = "sum"
        self.not_proposed(r"own\[0\] is nan, but", "OWN=as_float(0x7fc00001)")

    def test_scratch(self):
        self.not_proposed(r"own\[0\] is 1, but", "OWN=1")
        self.proposed("OWN=1", own="scratch = yes")

    def test_integers(self):
        self.not_proposed(r"seen\[0\] is 0x00000001, but 0x00000000 by the plain version", "SEEN=1")
        self.not_proposed(r"seen\[7\] is 0x00000008, but 0x00000007 by the plain version \(1 of 1024 elements differ\)",
                          "SEEN=(i==7)")

    def test_outputs_that_are_named(self):
        """A kernel may write different values to buffers that are not outputs."""
        self.proposed("SEEN=1", out="output = yes")
        self.not_proposed(r"out\[0\] is", "OFF=1e-4f", out="output = yes")

    def test_tolerance(self):
        """Floats may differ from an expected file by rounding, because another device computed the
        file."""
        self.write("out.bin", struct.pack("<16384f", *[0] * 16384))
        expected = "expected = file out.bin\nexpected.tolerance = {}"
        self.proposed("OFF=1e-4f", out=expected.format("1e-3"))
        self.not_proposed(r"out\[0\] is", "OFF=1e-4f", out=expected.format("1e-5"))
        self.proposed("OFF=1e-4f", more="[reference]\ntolerance = 1e-3", out="output = yes")

    def test_only_in_one_size(self):
        """A version that accesses a buffer out of bounds only in the advised size is not
        proposed."""
        self.not_proposed(r"sums\.workload:\d+: buffer out has 4096 bytes", "BEHIND=out[n<2048?n+i:i]+=0;")

    def test_next_best(self):
        document, notices = self.advise(
            "OFF=1", more="[variant near]\noptions = -DQUICK -DOFF=0 -DSEEN=0 -DOWN=sum -DBEHIND=if(in[(i*32)%n]<0)own[i]=0;",
            words=("--variant", "quick", "--variant", "near"))
        self.assertEqual([choice["variant"] for choice in document["choices"]], ["near", "plain"])
        self.assertEqual((document["best"], document["checked"]), ("near", "trace"))
        self.assertEqual(len(notices), 1)

    def test_limit(self):
        document, notices = self.advise("OFF=1", words=("--variant", "quick", "--check-limit", "1000"))
        self.assertEqual((document["best"], document["checked"], document["checked_size"]), ("quick", "no", None))
        self.assertRegex(document["unchecked"],
                         r"\Asize small takes about [0-9.e+]+ instructions of work-items, more than --check-limit 1000")
        self.assertEqual(notices, [])

    def test_layouts(self):
        """Structs are put together again from the parts of a layout. If no outputs are named, all
        written buffers are compared."""
        self.write("move.cl", STRUCTS)
        path = self.write("move.workload", "[workload]\nname = move\nsource = move.cl\n[size small]\nn = 4096\n"
                          "[size large]\nn = 1048576\n[buffer items]\ntype = Item\ncount = n\ncontents = random\n"
                          "restore = yes\n[launch move]\nglobal = n\nlocal = 64\narguments = items, int n\n")
        document, _ = self.told(path, "--variant", "soa")
        self.assertEqual((document["best"], document["checked"], document["checked_size"]), ("soa", "trace", "small"))

    def test_tables(self):
        """The line below the table of versions."""
        self.advise()
        words = ("advise", "--target", "h100", self.folder / "sums.workload", "--variant", "quick")
        self.assertIn("\nquick was checked: size small, run whole in the trace engine, gives the right results\n",
                      self.good(*words, environment={"COLUMNS": "120"}).stdout)
        self.assertIn("\nquick was not checked: size small takes about ",
                      self.good(*words, "--check-limit", "1000", environment={"COLUMNS": "120"}).stdout)
        self.assertNotIn("checked", self.good(*words[:-1], "plain").stdout)

    def test_suite(self):
        document, _ = self.told("--program", "idw", "--size", "4096", "--variant", "soa")
        self.assertEqual((document["best"], document["checked"], document["checked_size"]), ("soa", "trace", "4096"))

    def test_report(self):
        page = self.folder / "page.md"
        self.advise()
        self.good("report", "--target", "h100", self.folder / "sums.workload", "--variant", "quick", "-o", page)
        self.assertIn("quick was run whole in the trace engine, in size small, and gives the right results.",
                      page.read_text(encoding="utf-8"))
        page.unlink()
        path = self.write("sums.workload", WORKLOAD.format(
            quick="-DOFF=1 -DSEEN=0 -DOWN=sum -DBEHIND=;", out="", own="", more="", plain_own="sum"))
        done = run("report", "--target", "h100", path, "--variant", "quick", "-o", page)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("quick: not proposed: sums quick small: wrong result on the trace engine: out[0]", done.stderr)
        self.assertIsNone(re.search(r"quick \(proposed\)", page.read_text(encoding="utf-8")))


if __name__ == "__main__":
    unittest.main()
