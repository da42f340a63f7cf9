#!/usr/bin/env python3
"""perfmodel transform --shared, and advise on its versions, as users meet them: what they write and tell, and every
wrong input.

Counts are held against what a person counts in the kernels of tests/staging/kernels. PERFMODEL is the program; ctest
sets it. SPDX-License-Identifier: GPL-3.0-or-later
"""
import pathlib
import re
import shutil
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import DATASETS, Base

KERNELS = pathlib.Path(__file__).parent / "kernels"
GROUP = ("--work-group", "64")
FIELDS = {"kernel", "array", "first_line", "last_line", "read", "written", "range", "elements", "accesses",
          "accesses_per_element", "element_bytes", "tile_bytes", "tile", "staged", "reason"}

# Kernel, work-group, array to stage. For the array: first line, last line, elements, accesses of a
# work-group. blur: 16 x 16 work-items read 5 neighbours in a row, so 16 rows of 20. two: 64
# work-items read 3 in a row. data: each work-item reads at[x] twice. full: 16 rows of 64, each
# element read by all 64 work-items.
COUNTS = (
    ("stencil.cl", ("--work-group", "16x16"), "in", 7, 8, 16 * 20, 256 * 5),
    ("two.cl", GROUP, "a@one", 4, 4, 66, 3 * 64),
    ("data.cl", GROUP, "at", 6, 6, 64, 2 * 64),
    ("full.cl", (), "in/16", 13, 15, 16 * 64, 16 * 64 * 64),
)
# Wrong command lines, and words of the message.
WRONG_WORDS = (
    (["--work-group 0", "16x16"], ["--shared", "--work-group", "0", "stencil.cl"]),
    (["--work-group 16x", "16x16"], ["--shared", "--work-group", "16x", "stencil.cl"]),
    (["--work-group 4x4x4x4"], ["--shared", "--work-group", "4x4x4x4", "stencil.cl"]),
    (["--work-group -4"], ["--shared", "--work-group=-4", "stencil.cl"]),
    (["--work-group 99999999999999999999"], ["--shared", "--work-group", "99999999999999999999", "stencil.cl"]),
    (["--local-bytes 0", "from 1 to"], ["--shared", "--local-bytes", "0", "stencil.cl"]),
    (["--local-bytes 4k", "from 1 to"], ["--shared", "--local-bytes", "4k", "stencil.cl"]),
    (["are of --shared"], ["--layout", "soa", "--work-group", "64", "stencil.cl"]),
    (["are of --shared"], ["--layout", "soa", "--analyse", "stencil.cl"]),
    (["--analyse writes no kernel", "-o"], ["--shared", "--analyse", "-o", "out", "stencil.cl"]),
    (["its own launches"], ["--shared", "--work-group", "64", "--program", "matmul_tiled"]),
    (["its own launches"], ["--shared", "--scratch", "c", "--program", "matmul_tiled"]),
    (["copy measures the device"], ["--shared", "--program", "copy"]),
    (["--layout or --shared is missing"], ["--work-group", "64", "stencil.cl"]),
    (["FILE.cl, or --program P"], ["--shared"]),
    (["layouts first"], ["--layout", "shared;soa", "stencil.cl"]),
)
# Wrong texts, and words of the message; more are in test_shared_text.c.
WRONG_TEXTS = (
    ("two.cl", "x", ["no kernel takes an array 'x'", "a, b, c, d"]),
    ("stencil.cl", "width", ["width", "in, out"]),
    ("two.cl", "a@three", ["no kernel 'three'", "one, two"]),
    ("two.cl", "a/0", ["1 to 65536"]),
    ("two.cl", "a;soa", ["layouts first"]),
)
# Sources with an array that cannot be staged: array, line of the reason, words of the reason.
REFUSED = (
    ("break.cl", "in", 6, ["break"]),
    ("data.cl", "in", 6, ["index"]),
    ("recursion.cl", "in", 3, ["recursion"]),
)


TRANSPOSITION = """kernel void store(global const float *restrict m, global float *restrict t, uint w, uint h) {
    uint x = get_global_id(0), y = get_global_id(1);
    if (x < w && y < h) t[x * h + y] = m[y * w + x];
}
kernel void load(global const float *restrict m, global float *restrict t, uint w, uint h) {
    uint x = get_global_id(0), y = get_global_id(1);
    if (x < w && y < h) t[y * w + x] = m[x * h + y];
}
"""


class Shared(Base):
    """Tests perfmodel transform --shared."""

    def document(self, name, *arguments):
        """Returns the JSON of a transform."""
        return self.json_of("transform", *arguments, KERNELS / name)

    def test_standard_output(self):
        """Standard output has only the source; the table is on standard error. Unchanged text
        stays, comments included."""
        done = self.good("transform", "--shared", "--work-group", "16x16", KERNELS / "stencil.cl")
        self.assertTrue(done.stdout.startswith("/* A blur along rows. */\n__kernel __attribute__(("
                                               "reqd_work_group_size(16, 16, 1))) void blur("))
        self.assertRegex(done.stdout, r"__local float \w+\[16\]\[20\];")
        self.assertIn("barrier(CLK_LOCAL_MEM_FENCE);", done.stdout)
        self.assertIn("const int x = get_global_id(0), y = get_global_id(1);", done.stdout)
        self.assertRegex(done.stderr, r"(?m)^kernel +array +lines +use +each +tile bytes +staged")
        self.assertRegex(done.stderr, r"(?m)^blur +in +7-8 +read +4 +1280 +yes")
        self.assertRegex(done.stderr, r"(?m)^blur +out .* no .*\n +out not staged: .*stencil.cl:9: ")

    def test_counts(self):
        """Lines, elements and accesses equal the values counted by hand."""
        for name, group, arrays, first, last, elements, accesses in COUNTS:
            with self.subTest(name=name):
                document = self.document(name, f"--shared={arrays}", *group)
                wanted = re.split("[@/]", arrays)[0]
                (row,) = [row for row in document["arrays"] if row["array"] == wanted]
                self.assertEqual((row["first_line"], row["last_line"]), (first, last))
                self.assertEqual((row["elements"], row["accesses"]), (elements, accesses))
                self.assertAlmostEqual(row["accesses_per_element"], accesses / elements, 6)
                self.assertEqual((row["read"], row["written"], row["staged"]), (True, False, True))
                self.assertEqual((row["element_bytes"], row["tile_bytes"]), (4, 4 * elements))
                self.assertIsNone(row["reason"])

    def test_transposition(self):
        """Stores that are a row apart are staged in a tile, although each element is accessed once;
        loads likewise. Adjacent accesses of neighbours are not staged."""
        kernel = self.write("turn.cl", TRANSPOSITION)
        for name, staged in (("store", "t"), ("load", "m")):
            (row,) = [r for r in self.json_of("transform", "--shared", "--work-group", "16x16", kernel)["arrays"]
                      if r["kernel"] == name and r["staged"]]
            self.assertEqual((row["array"], row["accesses_per_element"], row["tile_bytes"]), (staged, 1, 1024))
        self.refused(["(to stage m); ", "(to stage t)", "copy.cl:3", "1 times on average"], "transform", "--shared", "--work-group", "16x16",
                     self.write("copy.cl", TRANSPOSITION.split("kernel void load")[0].replace("x * h + y", "y * w + x")))

    def test_reasons(self):
        """Each reason names its array. If there are more than three arrays, only some are named."""
        body = "int x = get_global_id(0);\n" + "".join(f"    {a}[x] = 1;\n" for a in "abcde")
        kernel = self.write("many.cl", "kernel void k(" + ", ".join(f"global int *restrict {a}" for a in "abcde") + ")\n{\n    " + body + "}\n")
        self.refused(["(to stage a)", "(to stage b)", "(to stage c); 2 more arrays"], "transform", "--shared", "--work-group", "64", kernel)
        self.refused(["(to stage d)"], "transform", "--shared=d/4", "--work-group", "64",
                     self.write("data.cl", "kernel void k(global int *restrict d, global int *restrict e) { d[e[get_global_id(0)]] = 1; }\n"))

    def test_json(self):
        """The document has its fields, and the texts that the files would get."""
        document = self.document("stencil.cl", "--shared", "--work-group", "16x16")
        self.assertEqual(set(document), {"layout", "shared", "edits", "wide_loads", "wide_stores", "source",
                                         "headers", "arrays", "assumptions", "files"})
        self.assertEqual((document["layout"], document["shared"]), ("aos", "shared"))
        self.assertGreater(document["edits"], 0)
        self.assertEqual(document["headers"], [])
        for row in document["arrays"]:
            self.assertEqual(set(row), FIELDS)
        out = [row for row in document["arrays"] if row["array"] == "out"][0]
        self.assertEqual((out["read"], out["written"], out["staged"]), (False, True, False))
        self.assertIn("stencil.cl:9:", out["reason"])
        plain = self.good("transform", "--shared", "--work-group", "16x16", KERNELS / "stencil.cl")
        self.assertEqual(plain.stdout, document["source"])

    def test_files(self):
        """Files are named after source, layout and staging. The table is on standard output."""
        lines = self.good("transform", "--shared=in", "--work-group", "16x16", "-o", "out",
                          KERNELS / "stencil.cl", cwd=self.folder).stdout.splitlines()
        self.assertTrue(lines[0].startswith("kernel"))
        self.assertEqual(lines[-2], "out/stencil_shared.cl")
        self.assertRegex(lines[-1], r"^\d+ places changed, 0 wide loads, 0 wide stores$")
        written = (self.folder / "out" / "stencil_shared.cl").read_text(encoding="utf-8")
        self.assertEqual(written, self.document("stencil.cl", "--shared=in", "--work-group",
                                                "16x16")["source"])

    def test_layout_first(self):
        """Stages arrays that a layout made of the source. Both ways to write this are accepted."""
        texts = (("--layout", "soa", "--shared=at_x/32"), ("--layout", "soa;shared:at_x/32"))
        for number, arguments in enumerate(texts):
            folder = self.folder / str(number)
            files = self.good("transform", *arguments, "-o", folder, KERNELS / "points.cl").stdout.splitlines()
            self.assertIn(f"{folder}/points_soa_shared.cl", files)
            self.assertIn(f"{folder}/Point_layout.h", files)
            source = (folder / "points_soa_shared.cl").read_text(encoding="utf-8")
            self.assertRegex(source, r"__local float \w+\[32\];")
            self.assertIn("at_y", source)
            self.assertNotIn("at[", source)
        self.refused(["at_x"], "transform", "--layout", "soa", "--shared=at", KERNELS / "points.cl")

    def test_work_group(self):
        """If the source does not tell an array's size, the error asks for it; otherwise it is not
        needed."""
        self.refused(["stencil.cl:", "--work-group", "reqd_work_group_size"], "transform", "--shared",
                     KERNELS / "stencil.cl")
        self.good("transform", "--shared", KERNELS / "full.cl")
        narrow = self.document("stencil.cl", "--shared=in", "--work-group", "32")
        row = [row for row in narrow["arrays"] if row["array"] == "in"][0]
        self.assertEqual((row["elements"], row["accesses"]), (36, 5 * 32))

    def test_assumptions(self):
        """If the source does not show that two buffers are different, the output lists that they
        are different as an assumption."""
        done = self.good("transform", "--shared=in", *GROUP, KERNELS / "overlap.cl")
        (line,) = [line for line in done.stderr.splitlines() if line.startswith("assumed: ")]
        for word in ("blur", "in", "out", "overlap", "restrict"):
            self.assertIn(word, line)
        told = self.document("overlap.cl", "--shared=in", *GROUP)["assumptions"]
        self.assertEqual([f"assumed: {text}" for text in told], [line])
        told = self.document("stencil.cl", "--shared=in", "--work-group", "16x16")["assumptions"]
        self.assertFalse([text for text in told if "overlap" in text])

    def test_divergent_code(self):
        """A barrier that not all work-items reach would hang, so no barrier is inside a branch."""
        document = self.document("divergent.cl", "--shared=in", *GROUP)
        source = document["source"]
        self.assertEqual(document["assumptions"], [])
        depth, guarded = 0, []
        for line in source.splitlines():
            if re.match(r"\s*if \(", line) and line.rstrip().endswith("{"):
                guarded.append(depth)
            depth += line.count("{") - line.count("}")
            guarded = [at for at in guarded if at < depth]
            if "barrier(" in line:
                self.assertEqual(guarded, [], source)
        self.assertIn("barrier(", source)

    def test_rim(self):
        """Work-item 63 does not access in[x0 + 70], and no other work-item does. Element x0 + 70
        may not exist."""
        self.refused(["rim.cl:", "in has an element x0 + 70"], "transform", "--shared=in", *GROUP, KERNELS / "rim.cl")

    def test_local_memory(self):
        """Local memory that the kernel already uses is taken into account."""
        self.assertTrue(self.document("full.cl", "--shared=in/16")["arrays"][0]["staged"])
        self.refused(["full.cl:", "4096 bytes", "424 bytes of local memory"], "transform", "--shared=in/16", "--local-bytes", "25000",
                     KERNELS / "full.cl")
        self.good("transform", "--shared=in/16", "--local-bytes", str(24576 + 4096), KERNELS / "full.cl")

    def test_scratch(self):
        """An array that no other kernel needs exists only in local memory."""
        source = self.document("scratch.cl", "--shared=rows", "--scratch", "rows")["source"]
        self.assertRegex(source, r"__local float \w+\[64\];")
        self.assertNotRegex(source, r"\brows\[")
        kept = self.document("scratch.cl", "--shared=rows")["source"]
        self.assertRegex(kept, r"\brows\[[^]]*\] = ")
        for names in ("row", "rows+", "", "in+total"):
            self.refused(["scratch: no kernel has a parameter", "in, out, rows"], "transform", "--shared=rows",
                         "--scratch", names, KERNELS / "scratch.cl")

    def test_analyse(self):
        """Prints only the table. It is no error if nothing can be staged."""
        done = self.good("transform", "--shared", "--analyse", "--work-group", "16x16", KERNELS / "stencil.cl")
        self.assertRegex(done.stdout, r"(?m)^blur +in +7-8 +read +4 +1280 +yes")
        self.assertNotIn("__kernel", done.stdout)
        document = self.document("stencil.cl", "--shared", "--analyse", "--work-group", "16x16")
        self.assertIsNone(document["source"])
        self.assertEqual(document["edits"], 0)
        document = self.document("stencil.cl", "--shared", "--analyse")
        self.assertFalse(any(row["staged"] for row in document["arrays"]))
        self.assertTrue(any("--work-group" in (row["reason"] or "") for row in document["arrays"]))

    def test_programs(self):
        """For a program, the launches give the missing values."""
        document = self.json_of("transform", "--shared", "--program", "matmul_tiled")
        rows = {row["array"]: row for row in document["arrays"]}
        for name in ("a", "b"):
            self.assertEqual((rows[name]["elements"], rows[name]["accesses"], rows[name]["staged"]),
                             (256, 16 * 256, True))
        self.assertEqual(document["assumptions"], [])
        document = self.json_of("transform", "--shared=a+b/4", "--program", "matmul")
        self.assertEqual([row["tile"] for row in document["arrays"] if row["staged"]], [4, 4])
        lines = self.good("transform", "--shared", "-o", self.folder, "--program",
                          "sobel3x3").stdout.splitlines()
        self.assertIn(f"{self.folder}/sobel3x3_shared.cl", lines)

    def test_wrong_words(self):
        """The command line."""
        for words, arguments in WRONG_WORDS:
            with self.subTest(arguments=arguments):
                self.refused(words, "transform", *(KERNELS / word if word.endswith(".cl") else word
                                                   for word in arguments))

    def test_wrong_texts(self):
        """Each error names the fault and the valid values."""
        for name, text, words in WRONG_TEXTS:
            with self.subTest(text=text):
                self.refused(words, "transform", f"--shared={text}", *GROUP, KERNELS / name, "-o",
                             self.folder / "out")

    def test_refused_sources(self):
        """Errors name the line and the reason."""
        for name, array, line, words in REFUSED:
            with self.subTest(name=name):
                self.refused([f"{name}:{line}:", *words], "transform", f"--shared={array}", *GROUP,
                             KERNELS / name)

    def test_variants(self):
        """Texts of staging are variants of programs with a base, and of no other program."""
        self.refused(["no variant 'shared'", "float4"], "trace", "--program", "copy", "--variant", "shared")
        self.refused(["no variant 'sharedx'", "local, nolocal", "shared:ARRAY+ARRAY/TILE"], "trace", "--program",
                     "nbody", "--variant", "sharedx")
        self.refused(["no variant 'soa;shared'", "local, nolocal"], "trace", "--program", "nbody",
                     "--variant", "soa;shared")
        self.refused(["shared:x", "a, b, c"], "trace", "--program",
                     "matmul_tiled", "--variant", "shared:x")
        traced = self.json_of("trace", "--program", "matmul_tiled", "--variant", "shared:a/8", "--size", "512",
                              "--sample", "0.01")
        self.assertEqual(traced["variant"], "shared:a/8")
        listed = self.json_of("collect", "--list")
        bases = {program["program"]: program["base"] for program in listed}
        self.assertEqual((bases["copy"], bases["nbody"], bases["sph"]), (None, "nolocal", "aos"))


class Advise(Base):
    """Tests perfmodel advise on programs without structs."""

    def advice(self, program, size, *arguments):
        """Returns the document, and its choices by variant."""
        document = self.json_of("advise", "--target", "h100", "--program", program, "--size", size, "--sample",
                                "0.05", "--leave-out", "program", *arguments)
        return document, {choice["variant"]: choice for choice in document["choices"]}

    def test_versions(self):
        """Choices are versions by hand, staged ones, single arrays and other tiles. There are no
        layouts and no steps of Nakai's method."""
        document, choices = self.advice("matmul", "512", "--steps")
        self.assertEqual(set(choices), {"nolocal", "local", "shared", "shared:a", "shared:b", "shared/8",
                                        "shared/32"})
        self.assertEqual((document["base"], document["examined"]), ("nolocal", 0))
        self.assertIsNone(document["nakai"])
        self.assertIsNone(document["steps"])
        times = [choice["predicted_s"] for choice in document["choices"]]
        self.assertEqual(times, sorted(times))
        for choice in choices.values():
            self.assertAlmostEqual(choice["gain"], choices["nolocal"]["predicted_s"] / choice["predicted_s"], 6)

    def test_proposal(self):
        """The best is the fastest choice that is the base, or gains more than 2 % and more than its
        uncertainty. Measured gains take precedence over predicted ones."""
        def gain(choice, measured, predicted):
            return choice[predicted] if choice[measured] is None else choice[measured]

        for program, size in (("matmul_tiled", "512"), ("nbody", "8192"), ("sobel3x3", "1536x1536")):
            document, choices = self.advice(program, size)
            good = [choice for choice in document["choices"]
                    if choice["variant"] == "nolocal" or (gain(choice, "measured_gain", "gain") >= 1.02 and
                                                          gain(choice, "measured_lo", "lo") >= 1)]
            best = max(good, key=lambda choice: gain(choice, "measured_gain", "gain"))
            self.assertEqual(document["best"], best["variant"])
            self.assertEqual((choices["nolocal"]["lo"], choices["nolocal"]["hi"]), (1, 1))

    def test_measured(self):
        """Times in h100-shared.csv are shown as measured times of staged versions."""
        for path in DATASETS.glob("h100*"):
            shutil.copy(path, self.folder)
        shutil.copy(DATASETS / "devices.csv", self.folder)
        lines = (DATASETS / "h100.csv").read_text(encoding="utf-8").splitlines()
        row = [line for line in lines if line.startswith("h100,matmul_tiled,local,512,")][0].split(",")
        row[2], row[6] = "shared:a", "0.00123"
        self.assertEqual(lines[0].split(",")[6], "time_s")
        self.write("h100-shared.csv", f"{lines[0]}\n{','.join(row)}\n")
        _, choices = self.advice("matmul_tiled", "512", "--datasets", str(self.folder))
        self.assertEqual(choices["shared:a"]["measured_s"], 0.00123)
        self.assertIsNone(choices["shared:b"]["measured_s"])
        self.assertIsNotNone(choices["local"]["measured_s"])


if __name__ == "__main__":
    unittest.main()
