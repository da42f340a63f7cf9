#!/usr/bin/env python3
"""Workload files through the program: the template works, a suite's kernel described by a file gives
the suite's counters, and every wrong file ends in one line that names it, with exit code 2.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import re
import struct
import sys
import time
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import PERFMODEL, ROOT, Base, run
from workload_wrong import GOOD, SOURCE, WRONG

KERNELS = ROOT / "kernels"
HEAT = """typedef struct { float conductivity; int kind; } Cell;
__kernel void diffuse(__global const float *from, __global float *to, __global const Cell *cells, float dt
                      TILES)
{
    const int at = get_global_id(1) * WIDTH + get_global_id(0);

    to[at] = from[at] + dt * cells[at].conductivity * (from[max(at - 1, 0)] - from[at]);
}
__kernel void set_border(__global float *to, int width, float2 values)
{
    if (get_global_id(0) < width)
        to[get_global_id(0)] = values.y;
}
"""

SOBEL = """[workload]
name = mine
source = {kernels}/sobel3x3/sobel3x3_nolocal.cl
options = -cl-std=CL1.2 -DGX={{gx}} -DGY={{gy}}
base = nolocal
[size 1536x1536]
w = 1536
h = 1536
gx = 32
gy = 8
[buffer in]
type = uchar4
count = w * h
contents = random
[buffer out]
type = float
count = w * h
output = yes
[launch filter]
kernel = sobel3x3
global = w, h
local = gx, gy
arguments = in, out, int w, int h
[variant local]
source = {kernels}/sobel3x3/sobel3x3_local.cl
"""

TURNS = """[workload]
name = loop
source = good.cl
[size s]
n = 1024
[buffer a]
type = float
count = n
[buffer b]
type = float
count = n
[launch even]
kernel = scale
global = n
local = 64
arguments = a|b, float2 (i, 0)
repeat = 3
[launch odd]
kernel = scale
global = n * (i + 1)
local = 64
arguments = b, float2 (1, 1)
repeat = with even
"""

COUNT = """[workload]
name = count
source = count.cl
options = -DTYPE={kind} "-DWANT={want}"
[size s]
half = 2 ** 9
n = half << 1
[buffer in]
type = {kind}
count = n
contents = {contents}
[buffer out]
type = {kind}
count = n
[launch one]
global = n
local = 64
arguments = in, out
"""


def line_of(text, part):
    return text[:text.index(part)].count("\n") + 1



class Files(Base):
    def setUp(self):
        super().setUp()
        self.write("good.cl", SOURCE)
        self.write("nul.cl", b"__kernel\0void")
        self.write("short.bin", b"1234")
        self.write("long.bin", bytes(16384))
        self.file = self.write("good.workload", GOOD)

    def traced(self, *arguments):
        return self.json_of("trace", "--sample", "all", *arguments)["kernels"]

    def wrong(self, words, path, *arguments):
        """Returns the one line of the error for a file, which must contain the words."""
        line = self.refused(words, *(arguments or ("trace", "--workload", path))).stderr
        self.assertRegex(line, r"\Aperfmodel( trace| advise)?: ")
        self.assertTrue(line[:-1].isprintable(), line)
        return line

    def test_right(self):
        self.assertEqual([k["launches"] for k in self.traced("--workload", self.file)], [1, 2])

    def test_wrong(self):
        for old, new, says in WRONG:
            with self.subTest(new=new):
                self.assertIn(old, GOOD)
                path = self.write("wrong.workload", GOOD.replace(old, new, 1))
                line = self.wrong([says or ""], path)
                place = re.match(r"perfmodel: (.*?):(?:(\d+):)? ", line)
                self.assertEqual(place.group(1), str(path))
                # The line is that of the change. For a missing key it is the line of its section.
                at = line_of(GOOD, old)
                if says is not None:
                    self.assertTrue(at - 4 <= int(place.group(2)) <= at + new.count("\n") + 1, line)

    def test_no_file(self):
        self.wrong(["No such file"], "none.workload")
        self.wrong(["[workload]"], self.write("empty", ""))
        for path in (ROOT / "datasets", "/dev/zero", ROOT / "include" / "perfmodel.h", PERFMODEL):
            self.wrong([], path)
        for name in ("/dev/stdout", "/dev/stderr"):  # pipes whose writer never closes them
            self.wrong(["the program's own output"], name)
            self.wrong(["the program's own output"], self.write("own", GOOD.replace("good.cl", name)))
        for seed in range(20):
            state = seed * 7919 + 1
            garbage = bytearray()
            for _ in range(2000):
                state = (state * 1103515245 + 12345) % (1 << 31)
                garbage.append(state >> 16 & 255)
            self.wrong([], self.write("garbage", bytes(garbage)))
        self.wrong([], self.write("large", "# comment\n" * 200000))
        # A file name may look like an option.
        self.write("-DX.cl", SOURCE)
        self.write("--json", GOOD.replace("good.cl", "-DX.cl"))
        out = self.good("trace", "--workload", "--json", "--size", "large", cwd=self.folder).stdout
        self.assertNotIn("good plain", out)
        self.assertIn("good aos large", out)

    def test_names(self):
        good, h100 = self.file, ("--target", "h100")
        for words, arguments in ((["there is: small, large"], ("trace", "--workload", good, "--size", "medium")),
                                 (["there is: aos, wide"], ("trace", "--workload", good, "--variant", "medium")),
                                 ([], ("trace", "--workload", good, "--program", "nbody")),
                                 ([], ("advise", *h100, "--workload", good, "--program", "nbody")),
                                 ([], ("advise", *h100)),
                                 (["there is: small, large"],
                                  ("advise", *h100, "--workload", good, "--size", "medium"))):
            self.wrong(words, good, *arguments)

    def test_wrong_sources(self):
        bad = self.write("bad.workload", GOOD.replace("good.cl", "bad.cl"))
        self.write("bad.cl", "__kernel void add(__global float *a) { a[0] = ; }\n")
        self.wrong([f"{bad}:", "bad.cl:1"], bad)
        self.write("bad.cl", SOURCE.replace("__kernel void scale", "__kernel __attribute__((reqd_work_group_size("
                                            "32, 1, 1))) void scale"))
        done = run("trace", "--workload", bad)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (3, 1), done.stderr)
        self.assertIn(f"{bad}: ", done.stderr)
        self.assertIn("32x1x1", done.stderr)
        self.write("bad.cl", SOURCE.replace("if (i < n)", "while (n)"))
        self.wrong([f"{bad}: ", "add"], bad, "trace", "--workload", bad, "--step-limit", "10000")

    def test_headers(self):
        """Files that a source includes at any depth must not be pipes or devices, because compilers
        would wait for them."""
        os.mkfifo(self.folder / "pipe.h")
        os.mkfifo(self.folder / "beside.h")
        (self.folder / "headers").mkdir()
        (self.folder / "headers" / "zero.h").symlink_to("/dev/zero")
        (self.folder / "headers" / "folder.h").mkdir()
        self.write("outer.h", "#pragma once\n#include \"outer.h\"\n#include <folder.h>\n#  include /* ... */ <zero.h>\n")
        self.write("right.h", "#define TWO 2\n")
        path = self.folder / "good.workload"
        path.write_text(GOOD.replace("-DM={n / 2}", "-DM={n / 2} -I headers"), encoding="utf-8")
        for line, says in (("#include \"pipe.h\"", "pipe.h: cannot be read: it is no regular file"),
                           ("  #\tinclude <beside.h>", "beside.h: cannot be read: it is no regular file"),
                           ("#include \"outer.h\"", "headers/zero.h: cannot be read: it is no regular file"),
                           ("#include \"/dev/zero\"", "/dev/zero: cannot be read: it is no regular file"),
                           ("?" "?=include \"pipe.h\"", "pipe.h: cannot be read: it is no regular file"),
                           ("/*\n*/ # in\\\nclude \"pipe.h\"", "pipe.h: cannot be read: it is no regular file"),
                           ("#embed \"/dev/random\"", "/dev/random: cannot be read: it is no regular file")):
            self.write("good.cl", line + "\n" + SOURCE)
            self.wrong(["good.workload:3: source ", says], path)
        self.write("good.cl", "#include \"right.h\"\n" + SOURCE)
        self.good("trace", path)

    def test_hidden_characters(self):
        """Control characters for terminals are not printed."""
        self.write("good.workload", GOOD.replace("name = good", "name = a\u202eb\u009bc\x7fd\u2028e\u00e9"))
        self.wrong(["name \"a???b??c?d???e\u00e9\""], self.folder / "good.workload")

    def test_bounds(self):
        at = line_of(GOOD, "[buffer b]")
        path = self.write("bounds.workload", GOOD.replace("count = n\noutput", "count = n - 1\noutput"))
        for arguments in (("trace", "--workload", path),
                          ("trace", "--workload", path, "--size", "large", "--variant", "wide"),
                          ("advise", "--target", "h100", "--workload", path, "--size", "small")):
            done = run(*arguments)
            n = 4096 if "large" in arguments else 1024
            self.assertEqual(done.returncode, 2, arguments)
            for words in (f"{path}:{at}: buffer b has {4 * n - 4} bytes", "kernel add", f"at byte {4 * n - 4} (",
                          "good.cl:10)", f"at least {4 * n} bytes"):
                self.assertIn(words, done.stderr.splitlines()[-1])
        self.write("bounds.workload", GOOD.replace("count = n\ncontents = range", "count = n - 1\ncontents = range"))
        self.wrong(["buffer pairs has 16368 bytes", "needs at least"], path)
        self.write("before.cl", SOURCE.replace("tile[l] = a[i]", "tile[l] = a[i - 1]"))
        self.write("bounds.workload", GOOD.replace("good.cl", "before.cl"))
        self.wrong(["buffer a", "4 bytes before its start", "before.cl:7"], path)

    def test_template(self):
        done = self.good("advise", "--template")
        self.assertEqual(done.stderr, "")
        path = self.write("x.workload", done.stdout)
        kernels = self.traced("--workload", path)
        self.assertEqual(kernels[0]["kernel"], "move")
        values = {name: c["value"] for name, c in kernels[0]["counters"].items()}
        # 16384 particles in groups of 128, each in warps of 32.
        self.assertEqual((values["work_groups"], values["launched_warps"]), (128, 512))
        self.assertGreaterEqual(values["gst_request"], 512 * 5)
        wide = self.traced("--workload", path, "--variant", "wide")[0]["counters"]
        self.assertEqual(wide["work_groups"]["value"], 64)
        soa = self.traced("--workload", path, "--variant", "soa")[0]["counters"]
        self.assertLess(soa["gld_sector"]["value"], values["gld_sector"] / 4)
        self.assertLessEqual(max(len(line) for line in done.stdout.splitlines() if "source =" not in line), 100)
        table = self.good("trace", "--target", "h100", "--workload", path).stdout
        self.assertRegex(table, r"(?m)% of the work-groups traced$")
        self.assertIn("coalesced: work-items of a warp", table)

    def test_template_of_cuda(self):
        done = self.good("advise", "--template-cuda")
        self.assertEqual(done.stderr, "")
        path = self.write("x.workload", done.stdout)
        kernel = self.traced("--workload", path)[0]
        self.assertEqual(kernel["kernel"], "move<128>")
        values = {name: c["value"] for name, c in kernel["counters"].items()}
        # 16384 particles in blocks of 128; each thread loads and stores two vectors and stores a number.
        self.assertEqual((values["work_groups"], values["launched_warps"]), (128, 512))
        self.assertEqual((values["gld_request"], values["gst_request"]), (2 * 512, 3 * 512))
        # the loaded value is an operand of an instruction
        self.assertEqual(values["constant_pass"], 0)
        wide = self.traced("--workload", path, "--variant", "wide")[0]
        self.assertEqual((wide["kernel"], wide["counters"]["work_groups"]["value"]), ("move<256>", 64))
        self.assertLessEqual(max(len(line) for line in done.stdout.splitlines() if "source =" not in line), 100)
        table = self.good("trace", "--target", "h100", "--workload", path).stdout
        self.assertRegex(table, r"(?m)% of the blocks traced$")
        self.assertRegex(table, r"(?m)^  work_groups +128 +0  blocks$")
        self.assertIn("coalesced: threads of a warp", table)
        self.assertNotIn("work-", table)

    def test_documents(self):
        """The example of docs/workloads.md is valid, and the shown lines are those printed."""
        blocks = re.findall(r"(?:^    .*\n|^\n)+", (ROOT / "docs" / "workloads.md").read_text(encoding="utf-8"), re.M)
        text = next(b for b in blocks if "[workload]" in b)
        path = self.write("heat.workload", re.sub("^    ", "", text, flags=re.MULTILINE))
        self.write("heat.cl", HEAT.replace("TILES", ""))
        self.write("heat_tiled.cl", HEAT.replace("TILES", ", __local float *tile"))
        for width in (512, 2048):
            with open(self.folder / f"cells_{width}.bin", "wb") as file:
                file.truncate(8 * width * width)
        for arguments in ((), ("--variant", "tiled")):
            kernels = self.traced("--workload", path, *arguments)
            self.assertEqual([k["launches"] for k in kernels], [4, 4], arguments)

    def test_advice(self):
        advice = self.json_of("advise", "--target", "h100", "--workload", self.file, "--clusters", "1")
        variants = [c["variant"] for c in advice["choices"]]
        self.assertEqual((advice["program"], advice["size"], advice["base"]), ("good", "large", "aos"))
        self.assertLessEqual({"aos", "soa", "wide"}, set(variants))
        self.assertEqual(len(variants), len(set(variants)))

    def same_as_suite(self, text, program, size, variants):
        path = self.write(f"{program}.workload", text.format(kernels=KERNELS))
        for variant in variants:
            own = self.traced("--workload", path, "--variant", variant)
            suite = self.traced("--program", program, "--variant", variant, "--size", size)
            self.assertEqual(own, suite, f"{program} {variant}")
            self.assertGreater(suite[0]["counters"]["gld_request"]["value"], 0)

    def test_sobel(self):
        self.same_as_suite(SOBEL, "sobel3x3", "1536x1536", ("nolocal", "local"))

    def test_loop(self):
        self.wrong(["buffer b has 4096 bytes"], self.write("loop.workload", TURNS))
        text = TURNS.replace("n * (i + 1)", "n")
        path = self.write("loop.workload", text)
        self.assertEqual(self.traced("--workload", path)[0]["launches"], 6)
        self.wrong(["more than 10000 launches"],
                   self.write("loop.workload", text.replace("repeat = 3", "repeat = 5001")))
        # Files are read together as far as possible; copying all texts for each took minutes.
        self.write("loop.workload", text.replace("repeat = 3", "repeat = 5000"))
        start = time.monotonic()
        self.wrong([], path, "trace", "--workload", path, "--size", "none")
        self.assertLess(time.monotonic() - start, 60)

    def test_odd_struct(self):
        """A struct for which no layout is possible can be traced. Its size must be given."""
        self.write("union.cl", "typedef struct { union { int a; float b; } u; int c; } Odd;\n"
                               "__kernel void one(__global Odd *odd) { odd[get_global_id(0)].c = 1; }\n")
        text = ("[workload]\nname = odd\nsource = union.cl\n[size s]\n[buffer odd]\ntype = Odd\nBYTES"
                "count = 64\n[launch one]\nglobal = 64\nlocal = 64\narguments = odd\n")
        path = self.write("odd.workload", text.replace("BYTES", ""))
        self.wrong([f"{path}:6: ", "union.cl:1", "add bytes"], path)
        self.write("odd.workload", text.replace("BYTES", "bytes = 8\ncontents = constant 1\n"))
        self.wrong([f"{path}:8: "], path)
        self.write("odd.workload", text.replace("BYTES", "bytes = 8\n"))
        self.assertEqual(self.traced("--workload", path)[0]["counters"]["gst_request"]["value"], 2)
        self.wrong(['no variant "soa"; there is: plain'], path, "trace", "--workload", path, "--variant", "soa")

    def test_contents(self):
        """Buffer contents decide which work-items store, which the counts show."""
        self.write("count.cl",
                   "__kernel void one(__global const TYPE *in, __global TYPE *out)\n"
                   "{ const int i = get_global_id(0); if (in[i] == (TYPE)(WANT)) out[i] = 1; }\n")
        self.write("numbers.bin", struct.pack("<1025f", *range(-1, 1024)))
        for kind, contents, want, stores in [
                ("int", "range 5, 3", "5 + 3 * i", 1024), ("int", "range 5, 3", "11", 1),
                ("int", "zeros", "0", 1024), ("uchar", "constant 255", "255", 1024),
                ("long", "range 0, -10000000000", "-10000000000L * i", 1024),
                ("float", "range 1, 0.5", "1.0f + 0.5f * i", 1024),
                ("double", "range 1 / 4, 0", "0.25", 1024), ("float", "file numbers.bin, 4", "i", 1024),
                ("float", "file numbers.bin", "i - 1", 1024), ("short", "random 7, 7", "7", 1024),
                ("float", "random 2, 2", "2", 1024), ("float", "constant n", "1024", 1024),
                ("int", "list " + ", ".join(f"{i} ** 2 << 1" for i in range(1024)), "2 * i * i", 1024),
                ("float", "list " + ", ".join(f"{i} / 4" for i in range(1024)), "0.25f * i", 1024),
                ("int", "each i < half ? i >> 1 : -i", "i < 512 ? i / 2 : -i", 1024)]:
            text = COUNT.format(kind=kind, contents=contents, want=want)
            kernels = self.traced("--workload", self.write("count.workload", text))
            got = sum(a["work_items"] for a in kernels[0]["accesses"] if a["kind"] == "store")
            self.assertEqual(got, stores, f"{kind} {contents}")


if __name__ == "__main__":
    unittest.main()
