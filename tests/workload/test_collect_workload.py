#!/usr/bin/env python3
"""collect with workload files and the corpus: contents by formula, results held against the file's reference, and
what is wrong with either told in one line.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import os
import struct
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import Base, rows_of, run

SOURCE = """typedef struct { float x; int tag[2]; } Item;
kernel void twice(global const float *a, global const int *b, global float *out, global Item *items)
{
    int i = get_global_id(0);

    out[i] = 2 * a[i] + b[i];
    items[i].x = a[i];
    items[i].tag[0] = b[i];
    items[i].tag[1] = CHANGED;
}
kernel void plainly(global const float *a, global const int *b, global float *out, global Item *items, int n)
{
    for (int i = 0; i < n; i++) {
        out[i] = a[i] + a[i] + b[i];
        items[i].x = a[i];
        items[i].tag[0] = i * 7 % 13 - n;
        items[i].tag[1] = 1;
    }
}
"""
WORKLOAD = """[workload]
name = held
source = held.cl
options = -DCHANGED=1
class = tests
[size small]
n = 256
[size large]
n = 1024
[buffer a]
type = float
count = n
contents = each (i % 7 - 3) * 0.5
[buffer b]
type = int
count = n
contents = each i * 7 % 13 - n
[buffer out]
type = float
count = n
output = yes
[buffer items]
type = Item
count = n
output = yes
[launch twice]
global = n
local = 64
arguments = a, b, out, items
[launch plainly]
global = 1
local = 1
arguments = a, b, out, items, int n
repeat = 0
[variant other]
launch.twice.local = 128
[reference]
launch.twice.repeat = 0
launch.plainly.repeat = 1
tolerance = 1e-6
"""


class Held(Base):
    def write_held(self, changes=(), source=SOURCE):
        text = WORKLOAD
        for old, new in changes:
            self.assertIn(old, text)
            text = text.replace(old, new, 1)
        self.write("held.cl", source)
        self.write("held.workload", text)

    def collect(self, *arguments):
        return run("collect", "--workload", self.folder / "held.workload", "--device", "pocl", "--counters", "none",
                   "-o", self.folder / "out.csv", *arguments)

    def rows(self):
        return [(row["program"], row["variant"], row["size"], row["kernel"])
                for row in rows_of(self.folder / "out.csv")]

    def test_right(self):
        self.write_held()
        result = self.collect()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.rows(), [("held", variant, size, "twice")
                                       for variant in ("aos", "other") for size in ("small", "large")])

    def test_wrong_result(self):
        for changes, source, says in (
                ([], SOURCE.replace("2 * a[i]", "2.001f * a[i]"), "out[0] is -259.001495, but -259 by the reference"),
                ([("DCHANGED=1", "DCHANGED=258")], SOURCE,
                 "items.tag[0] is 0x00000102, but 0x00000001 by the reference")):
            self.write_held(changes, source)
            result = self.collect("--variant", "aos")
            self.assertEqual(result.returncode, 3)
            self.assertIn(says, result.stderr)
            # Larger sizes are not compared with the reference, which may take long.
            self.assertEqual(self.rows(), [("held", "aos", "large", "twice")])
            (self.folder / "out.csv").unlink()

    def test_wrong_result_of_a_layout(self):
        """The reference is the plain version. Parts of a layout are put together again before the
        comparison."""
        self.write_held([("DCHANGED=1", "DCHANGED=258")])
        result = self.collect("--variant", "soa", "--size", "small")
        self.assertEqual(result.returncode, 1)
        self.assertIn("items.tag[0] is 0x00000102, but 0x00000001 by the reference", result.stderr)
        self.write_held()
        self.assertEqual(self.collect("--variant", "soa", "--size", "small").returncode, 0)

    def test_tolerance(self):
        self.write_held([("tolerance = 1e-6", "tolerance = 0.01")], SOURCE.replace("2 * a[i]", "2.001f * a[i]"))
        self.assertEqual(self.collect().returncode, 0)

    def test_wrong_files(self):
        for changes, says in (
                ([("each i * 7 % 13 - n", "each i * 7 %")], "a number or a parameter is missing at the end"),
                ([("each i * 7 % 13 - n", "each")], "a number or a parameter is missing at the end"),
                ([("each i * 7 % 13 - n", "each 1 / (i - 200)")], "element 200: 1 / 0: a division by zero"),
                ([("each i * 7 % 13 - n", "each i * 3000000000")], "element 1: the value does not fit a int"),
                ([("tolerance = 1e-6", "tolerance = -1")], "tolerance is below 0"),
                ([("tolerance = 1e-6", "colour = red")], 'no key "colour"'),
                ([("[reference]", "[reference]\nsource = held.cl\n[reference]")], "[reference] is there already"),
                ([("count = n\noutput = yes\n[buffer items]", "count = n\n[buffer items]"),
                  ("count = n\noutput = yes\n[launch", "count = n\n[launch")], "nothing to be compared with"),
                ([("arguments = a, b, out, items, int n", "arguments = a, b, out, items")], "plainly")):
            self.write_held(changes)
            result = self.collect()
            self.assertIn(says, result.stderr)
            self.assertIn(result.returncode, (1, 2))

    def test_traced(self):
        self.write_held()
        traced = self.json_of("trace", "--workload", self.folder / "held.workload", "--sample", "all")
        self.assertEqual(traced["program"], "held")


EXPECTING = """[workload]
name = expecting
source = step.cl
[size s]
n = 64
[buffer values]
type = float
count = n
contents = range 0, 0.5
restore = yes
expected = file values_{n}.bin, 4
[buffer pairs]
type = Pair
count = n
expected = file pairs.bin
[buffer vectors]
type = float4
count = n
[launch advance]
global = n
local = 64
arguments = values, pairs, vectors
"""
STEP = """typedef struct { float x; char tag; } Pair;
kernel void advance(global float *values, global Pair *pairs, global float4 *vectors)
{
    int i = get_global_id(0);

    vectors[i] = (float4)(i, 1, 2, 3);
    values[i] = i == 7 ? NAN : values[i] + 1;
    pairs[i].x = i;
    pairs[i].tag = 3;
}
"""


class Expected(Base):
    """expected = file PATH: the buffer's contents at the end, on a device and in the trace
    engine."""

    def setUp(self):
        super().setUp()
        self.write("step.cl", STEP)
        self.values = [i * 0.5 + 1 for i in range(64)]
        self.values[7] = struct.unpack("<f", b"\x01\x00\xc0\xff")[0]  # a NaN of other bits
        self.write_values()
        # Padding between fields is not compared.
        self.pairs = [struct.pack("<fbbbb", i, 3, 1, 2, 3) for i in range(64)]
        self.write("pairs.bin", b"".join(self.pairs))
        self.write("vectors.bin", b"".join(struct.pack("<4f", i, 1, 2, 3) for i in range(64)))
        self.workload = self.write("expecting.workload", EXPECTING)

    def write_values(self, *changes):
        values = list(self.values)
        for at, value in changes:
            values[at] = value
        self.write("values_64.bin", bytes(4) + struct.pack("<64f", *values))

    def collect(self):
        (self.folder / "out.csv").unlink(missing_ok=True)
        return run("collect", "--workload", self.workload, "--device", "pocl", "--counters", "none", "-o",
                   self.folder / "out.csv")

    def trace(self, *arguments):
        return run("trace", "--workload", self.workload, "--sample", "all", *arguments)

    def right(self):
        for result in (self.collect(), self.trace()):
            self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(len(rows_of(self.folder / "out.csv")), 1)

    def wrong(self, says):
        for result, device in ((self.collect(), "failed, not stored: expecting"),
                               (self.trace(), "wrong result on the trace engine")):
            self.assertEqual(result.returncode, 1)
            self.assertIn(device, result.stderr)
            self.assertIn(says, result.stderr)
        self.assertEqual(rows_of(self.folder / "out.csv"), [])

    def test_right(self):
        self.right()
        self.assertEqual(self.trace("--variant", "soa").returncode, 0)

    def test_wrong(self):
        self.write_values((5, 3.25), (9, 0))
        self.wrong(f"values[5] is 3.5, but 3.25 by {self.folder}/values_64.bin (2 of 64 elements differ)")
        self.write_values((5, 3.5000002384185791))
        self.wrong("values[5] is 3.5, but 3.50000024 by")
        self.write_values((7, 3))
        self.wrong("values[7] is nan, but 3 by")
        self.write_values()
        self.pairs[60] = struct.pack("<fbbbb", 60, 4, 0, 0, 0)
        self.write("pairs.bin", b"".join(self.pairs))
        self.wrong("pairs.tag[60] is 0x03, but 0x04 by")
        # In another layout too.
        result = self.trace("--variant", "soa")
        self.assertEqual(result.returncode, 1)
        self.assertIn("pairs.tag[60] is 0x03, but 0x04 by", result.stderr)

    def test_vector(self):
        self.write("expecting.workload", EXPECTING.replace("float4\ncount = n\n",
                                                           "float4\ncount = n\nexpected = file vectors.bin\n"))
        self.right()
        self.write("vectors.bin", b"".join(struct.pack("<4f", i, 1, 2 + i // 60, 3) for i in range(64)))
        self.wrong("vectors[60].z is 2, but 3 by")

    def test_tolerance(self):
        self.write_values((5, 3.5001), (0, 1.0002))
        self.wrong("values[0] is 1, but")
        text = EXPECTING.replace("_{n}.bin, 4\n", "_{n}.bin, 4\nexpected.tolerance = 1e-4\n")
        self.write("expecting.workload", text)
        self.right()
        self.write("expecting.workload", text.replace("1e-4", "1e-6"))
        self.wrong("(2 of 64 elements differ)")
        of_all = EXPECTING.replace("[workload]\n", "[workload]\nexpected.tolerance = 1e-4\n")
        self.write("expecting.workload", of_all)
        self.right()
        self.write("expecting.workload", of_all.replace("_{n}.bin, 4\n", "_{n}.bin, 4\nexpected.tolerance = 1e-6\n"))
        self.wrong("(2 of 64 elements differ)")
        self.write_values((7, 3))
        self.write("expecting.workload", text)
        self.wrong("values[7] is nan, but 3 by")

    def test_unknown_struct(self):
        """If the fields of a struct are unknown, all its bytes must be equal."""
        self.write("step.cl", STEP.replace("char tag;", "union { char tag; int all; };"))
        self.write("pairs.bin", b"".join(struct.pack("<fbbbb", i, 3, 0, 0, 0) for i in range(64)))
        self.write("expecting.workload", EXPECTING.replace("type = Pair\n", "type = Pair\nbytes = 8\n"))
        self.right()
        self.write("pairs.bin", b"".join(struct.pack("<fbbbb", i, 3, 0, i // 63, 0) for i in range(64)))
        self.wrong("pairs[510] is 0x00, but 0x01 by")

    def test_sampled(self):
        """If the expected results are incomplete, nothing is compared."""
        text = EXPECTING.replace("n = 64", "n = 2097152").replace("contents = range 0, 0.5\n", "")
        text = text.replace("expected = file pairs.bin\n", "")
        self.write("expecting.workload", text)
        self.write("values_2097152.bin", bytes(4 + 4 * 2097152))
        self.assertEqual(run("trace", "--workload", self.workload, "--sample", "0.01").returncode, 0)
        self.assertIn("wrong result", self.trace().stderr)

    def test_bad(self):
        for old, new, says in (
                ("expected = file values_{n}.bin, 4", "expected = values_{n}.bin", "write file PATH"),
                ("expected = file values_{n}.bin, 4", "expected = file", "write file PATH"),
                ("expected = file values_{n}.bin, 4", "expected = file none.bin", "none.bin: cannot be read: No such"),
                ("expected = file values_{n}.bin, 4", "expected = file values_{n}.bin, 8", "needs 256 bytes"),
                ("expected = file values_{n}.bin, 4", "expected = file values_{m}.bin", '"m" is no parameter'),
                ("expected = file values_{n}.bin, 4", "expected = file ../" + self.folder.name, "Is a directory"),
                ("expected = file values_{n}.bin, 4", "expected.tolerance = 1", "nothing is expected"),
                ("expected = file values_{n}.bin, 4",
                 "expected.tolerance = -1\nexpected = file values_{n}.bin, 4", "expected.tolerance is below 0")):
            self.assertIn(old, EXPECTING)
            text = EXPECTING.replace(old, new)
            self.write("expecting.workload", text)
            result = self.trace()
            line = text[:text.index(new.split("\n")[0])].count("\n") + 1
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertEqual(result.stderr.count("\n"), 1)
            self.assertIn(f"{self.workload}:{line}: ", result.stderr)
            self.assertIn(says, result.stderr)


CHANGING = """[workload]
name = changing
source = changing.cl
options = -I inc
[size small]
n = 256
[size large]
n = 512
[buffer a]
type = float
count = n
contents = constant 1
[buffer b]
type = float
count = n
[launch set]
global = n
local = 64
arguments = a, b, int 3
[variant other]
launch.set.local = 128
"""


class Changed(Base):
    """A workload that was changed is measured again; all others are not."""
    first = None  # messages of the first collection, and its files

    def setUp(self):
        super().setUp()
        (self.folder / "inc" / "deep").mkdir(parents=True)
        self.write("inc/a.h", '#include "deep/b.h"\n')
        self.write("inc/deep/b.h", "#define ONE 1\n")
        self.write("changing.cl", '#include "a.h"\nkernel void set(global const float *a, global float *b, int n)\n'
                   "{ b[get_global_id(0)] = a[get_global_id(0)] + n + ONE; }\n")
        self.write("changing.workload", CHANGING)
        self.out = self.folder / "out.csv"
        if not self.first:
            Changed.first = self.collect(), [(path, path.read_bytes()) for path in self.folder.glob("out.*")]
        for path, content in self.first[1]:
            path.write_bytes(content)
        self.assertEqual(len(rows_of(self.out)), 4)

    def collect(self, *arguments, folder=None):
        done = self.good("collect", "--workload", (folder or self.folder) / "changing.workload", "--device", "pocl",
                         "--counters", "none", "-o", self.out, *arguments)
        return done.stderr + done.stdout

    def again(self, *workloads, **named):
        """Collecting again measures the changed workloads and says so. Other rows stay the same,
        byte for byte."""
        header, *before = self.out.read_text().splitlines()
        said = self.collect(**named)
        now_header, *now = self.out.read_text().splitlines()
        self.assertEqual(header, now_header)
        self.assertEqual(len(now), 4)
        told = [line.removeprefix("perfmodel: ").split(":")[0] for line in said.splitlines() if "changed since" in line]
        self.assertEqual(told, [f"changing {workload}" for workload in workloads])
        changed = {row.split(",")[2] + " " + row.split(",")[3] for row in set(before) - set(now)}
        # a new measurement may be equal to the old one, to the last digit
        self.assertLessEqual(changed, set(workloads))
        self.assertIn(f"{len(workloads)} measured, {4 - len(workloads)} there already", said)

    ALL = ("plain small", "plain large", "other small", "other large")

    def test_unchanged(self):
        self.assertNotIn("changed", self.first[0])
        self.again()
        self.write("changing.workload", "# a comment\n" + CHANGING.replace("n = 256", "n = 16 * 16"))
        self.again()
        self.write("inc/other.h", "#define ONE 2\n")
        self.again()

    def test_moved(self):
        """Moving the files does not count as a change."""
        moved = self.folder / "moved"
        moved.mkdir()
        for name in ("inc", "changing.cl", "changing.workload"):
            (self.folder / name).rename(moved / name)
        self.again(folder=moved)

    def test_source(self):
        path = self.folder / "changing.cl"
        path.write_text(path.read_text() + "\n")
        self.again(*self.ALL)
        self.again()

    def test_header(self):
        self.write("inc/deep/b.h", "#define ONE 2\n")
        self.again(*self.ALL)

    def test_parts(self):
        for old, new, workloads in (("n = 512", "n = 1024", ("plain large", "other large")),
                                    ("constant 1", "constant 2", self.ALL),
                                    ("int 3", "int 4", self.ALL),
                                    ("-I inc", "-I inc -DX", self.ALL),
                                    ("local = 128", "local = 256", ("other small", "other large"))):
            text = CHANGING.replace(old, new)
            self.assertNotEqual(text, CHANGING)
            self.write("changing.workload", text)
            self.again(*workloads)
            self.write("changing.workload", CHANGING)
            self.again(*workloads)

    def test_contents_of_file(self):
        self.write("data.bin", bytes(2048))
        self.write("changing.workload", CHANGING.replace("constant 1", "file data.bin"))
        self.again(*self.ALL)
        self.write("data.bin", bytes(2047) + b"x")
        self.again("plain large", "other large")

    def test_expected(self):
        self.write("want.bin", struct.pack("<512f", *[5] * 512))
        self.write("changing.workload", CHANGING.replace("[launch set]", "expected = file want.bin\n[launch set]"))
        self.again(*self.ALL)
        # The measurement that has become wrong is removed.
        self.write("changing.workload", CHANGING.replace("[launch set]", "expected = file want.bin, 0\n[launch set]"))
        self.write("want.bin", struct.pack("<512f", *[6] * 512))
        done = run("collect", "--workload", self.folder / "changing.workload", "--device", "pocl", "--counters", "none",
                   "-o", self.out)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.count("wrong result"), 4)
        self.assertEqual(rows_of(self.out), [])

    def test_traced(self):
        """Changed workloads are counted again in a dataset without times, too."""
        self.out.unlink()
        self.out = self.folder / "traced.csv"
        arguments = ("collect", "--workload", self.folder / "changing.workload", "--device", "none", "--target", "h100",
                     "-o", self.out)
        self.good(*arguments)
        before = rows_of(self.out)
        self.write("changing.workload", CHANGING.replace("arguments = a, b, int 3", "arguments = a, b, int 3\nrepeat = 2"))
        self.assertIn("4 measured", self.good(*arguments).stdout)
        self.assertEqual([float(row["launched_warps"]) for row in rows_of(self.out)],
                         [2 * float(row["launched_warps"]) for row in before])

    def test_not_known(self):
        """Rows whose definition is unknown stay."""
        document = json.loads((self.folder / "out.json").read_text())
        self.assertEqual(list(document["definitions"]["changing"]), ["plain", "other"])
        del document["definitions"]
        self.write("out.json", json.dumps(document))
        self.write("changing.workload", CHANGING.replace("constant 1", "constant 2"))
        self.again()
        # New rows get a definition.
        self.out.write_text("\n".join(self.out.read_text().splitlines()[:3]) + "\n")
        self.collect()
        self.write("changing.workload", CHANGING.replace("constant 1", "constant 3"))
        self.again("other small", "other large")

    def test_not_writable(self):
        """If the file cannot be replaced, it stays unchanged."""
        if os.geteuid() == 0:
            self.skipTest("root writes everywhere")
        before = self.out.read_bytes()
        self.write("changing.workload", CHANGING.replace("constant 1", "constant 2"))
        os.chmod(self.folder, 0o500)
        self.addCleanup(os.chmod, self.folder, 0o700)
        done = run("collect", "--workload", self.folder / "changing.workload", "--device", "pocl", "--counters", "none",
                   "-o", self.out)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(self.out.read_bytes(), before)


class Corpus(Base):
    def test_listed(self):
        names = {}
        for suite in ("suite", "corpus", "all"):
            names[suite] = [program["program"] for program in self.json_of("collect", "--list", "--suite", suite)]
        self.assertIn("nbody", names["suite"])
        self.assertEqual(names["corpus"], sorted(names["corpus"]))
        self.assertEqual(names["all"], names["suite"] + names["corpus"])

    def test_own_dataset(self):
        self.good("collect", "--suite", "corpus", "--program", "dwconv_int8", "--size", "s28", "--device", "none",
                  "--target", "gtx980", environment={"PERFMODEL_DATASETS": str(self.folder)})
        self.assertEqual(sorted(os.listdir(self.folder)), ["gtx980-corpus-trace.csv", "gtx980-corpus-trace.json"])

    def test_languages(self):
        """The suite's CUDA programs are predicted with CUDA's launch time, its other programs with
        OpenCL's."""
        for suite, program, languages in (("cuda", "copy_cuda", {"copy_cuda": {"float": "CUDA"}}), ("suite", "copy", None)):
            self.good("collect", "--suite", suite, "--program", program, "--variant", "float", "--size", "16", "--device", "none",
                      "--target", "h200", "-o", self.folder / f"{suite}.csv")
            document = json.loads((self.folder / f"{suite}.json").read_text(encoding="utf-8"))
            self.assertEqual(document.get("languages"), languages)

    def test_wrong_set(self):
        result = run("collect", "--suite", "corps", "-o", "/dev/null")
        self.assertEqual(result.returncode, 2)
        self.assertEqual(result.stderr, "perfmodel: --suite corps: choose one of suite, cuda, corpus, all\n")


if __name__ == "__main__":
    unittest.main()
