#!/usr/bin/env python3
"""perfmodel transform and advise as their users meet them: what they write, and every wrong input.

A wrong input gives one line on standard error that says what, where and how to mend it, exit code 2,
nothing on standard output and no file. The kernels are in tests/layout/kernels. PERFMODEL is the program,
CC a C compiler; ctest sets them. SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import CC, DATASETS, PERFMODEL, Base, share_without_datasets

KERNELS = pathlib.Path(__file__).parent / "kernels"
KINDS = "aos, aos-align, aos-align8, soa, asta:TILE, cluster:FIELDS, cluster-align:FIELDS"
# A fast advice: the smallest size, one clustered layout, a fraction of the work-groups.
ADVISE = ("advise", "--target", "h100", "--program", "idw", "--size", "4096", "--clusters", "1",
          "--sample", "0.02")

# Wrong layouts of bodies.cl, and words of the error message. More are in test_layout_text.c.
WRONG_LAYOUTS = {
    "aosx": ('no layout "aosx"', KINDS),
    "soa;": ('layout "soa;"', "an empty one"),
    "asta:3": ('a tile of "3" structs', "a power of two from 2 to 65536"),
    "cluster:x+speed/y+z+mass+never_read":
        ('struct Body has no field "speed"', "it has: x, y, z, mass, never_read"),
    "Cell=soa": ('no array of a struct "Cell"', "they do of: Body"),
    "soa@rest": ('no kernel "rest"', "there are: move"),
    "soa@move": ("soa@move", "conversions between the launches", "give one layout"),
}
# Sources that are refused in any layout: line, and words of the reason and the remedy. More are in
# test_layout_rewrite_bad.c.
REFUSED = {
    "no_struct.cl": ("", "no kernel takes an array of structs", "global or constant memory"),
    "wrong.cl": (":11:", "no member named 'height' in 'Body'"),
    "union.cl": (":7:", "either is a union", "make it a struct of its members"),
    "bytes.cl": (":13:", "cast to another type", "use the struct's members"),
    "escapes.cl": (":12:", "the address of a member is taken", "copy the member into a variable"),
}
GOOD = {
    "bodies.cl": ["aos-align", "aos-align8", "soa", "asta:32", "cluster:x+y+z/mass+never_read",
                  "cluster-align:x+y+z+mass/never_read", "cluster-align8:2-3", "Body=soa"],
    "two_structs.cl": ["soa", "aos-align", "Body=soa;Cell=aos-align", "Cell=cluster:heat/flow"],
    "nested.cl": ["soa", "asta:2", "aos-align", "cluster-align8:2-1-2", "cluster:1-1-1-1-1"],
}


def words_of(source):
    """Returns the tokens of a C source, without comments."""
    return re.findall(r"\w+|[^\w\s]", re.sub(r"/\*.*?\*/", "", source, flags=re.DOTALL))


class Transform(Base):
    """Tests of perfmodel transform."""

    def test_standard_output(self):
        """Only the source is printed. Unchanged text stays, comments included."""
        out = self.good("transform", "--layout", "soa", KERNELS / "bodies.cl").stdout
        self.assertIn("Can be rewritten: an array of structs", out)
        self.assertIn("global float *bodies_never_read", out)
        self.assertIn("bodies_x[i] = x + dt;", out)
        self.assertNotIn("bodies[i]", out)
        plain = self.good("transform", "--layout", "aos", KERNELS / "bodies.cl").stdout
        self.assertEqual(plain, (KERNELS / "bodies.cl").read_text(encoding="utf-8"))

    def test_json(self):
        """The document contains the texts that the files would get."""
        layout = "cluster-align:x+y+z+mass/never_read"
        document = self.json_of("transform", "--layout", layout, KERNELS / "bodies.cl")
        self.assertEqual(set(document), {"layout", "edits", "wide_loads", "wide_stores", "source",
                                         "headers", "files", "shared", "arrays", "assumptions"})
        self.assertEqual((document["shared"], document["arrays"], document["assumptions"]),
                         (None, [], []))
        self.assertEqual(document["layout"], layout)
        self.assertGreater(document["edits"], 0)
        self.assertEqual((document["wide_loads"], document["wide_stores"]), (1, 0))
        self.assertIn("*(__global const float4 *)&bodies_0[i]", document["source"])
        self.assertEqual([header["struct"] for header in document["headers"]], ["Body"])
        self.assertEqual(document["files"], [])
        plain = self.json_of("transform", "--layout", "aos", KERNELS / "bodies.cl")
        self.assertEqual((plain["edits"], plain["headers"]), (0, []))

    def test_files(self):
        """For every layout, the kernel and the host code are correct, and the host code compiles as
        C99 without a warning."""
        for name, layouts in GOOD.items():
            for i, layout in enumerate(layouts):
                with self.subTest(name=name, layout=layout):
                    out = self.folder / f"{name}-{i}"
                    document = self.json_of("transform", "-o", out, "--layout", layout, KERNELS / name)
                    self.assertEqual(sorted(document["files"]), sorted(map(str, out.iterdir())))
                    kernel, *headers = document["files"]
                    self.assertRegex(kernel, rf"/{name[:-3]}_[\w-]+\.cl$")
                    self.assertEqual(pathlib.Path(kernel).read_text(encoding="utf-8"),
                                     document["source"])
                    self.assertEqual([pathlib.Path(path).name for path in headers],
                                     [h["struct"] + "_layout.h" for h in document["headers"]])
                    self.compile(out, document["headers"])

    def compile(self, folder, headers):
        """Compiles a C program that includes the headers twice and packs an array."""
        self.assertGreater(len(headers), 0)
        main = folder / "main.c"
        names = [header["struct"] for header in headers]
        uses = "".join(f"    {n} {n}_all[3]; {n}_parts {n}_to = {{0}};\n"
                       f"    if (argc > 1) {{ {n}_pack({n}_all, 3, &{n}_to); "
                       f"{n}_unpack({n}_all, 3, &{n}_to); }}\n" for n in names)
        includes = "".join(f'#include "{n}_layout.h"\n' for n in names * 2)
        main.write_text(f"{includes}int main(int argc, char **argv)\n{{\n    (void)argv;\n"
                        f"    memset(&argc, 0, sizeof argc);\n{uses}    return 0;\n}}\n",
                        encoding="utf-8")
        done = subprocess.run([CC, "-std=c99", "-Wall", "-Wextra", "-Werror", "-Wno-uninitialized",
                               "-Wno-maybe-uninitialized", "-o", folder / "main", main],
                              check=False, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(subprocess.run([folder / "main"], check=False).returncode, 0)

    def test_files_as_text(self):
        """The output lists the written files and the changes. A second run overwrites the files."""
        for _ in range(2):
            lines = self.good("transform", "--layout", "asta:32", "-o", "out", KERNELS / "bodies.cl",
                              cwd=self.folder).stdout.splitlines()
            self.assertEqual(lines[:2], ["out/bodies_asta.cl", "out/Body_layout.h"])
            self.assertRegex(lines[2], r"^\d+ places changed, 0 wide loads, 0 wide stores$")
            self.assertEqual(len(lines), 3)

    def test_programs(self):
        """Layouts of programs of the suite. The program gives the file its name."""
        for program in ("sph", "idw", "cfd", "particlefilter"):
            lines = self.good("transform", "--layout", "soa", "-o", self.folder, "--program",
                              program).stdout.splitlines()
            self.assertEqual(lines[0], f"{self.folder}/{program}_soa.cl")

    def test_build_options(self):
        """Build options decide what the source contains, and do not appear in the output."""
        source = self.write("kernel.cl", "typedef struct { float x, MORE; } T;\n"
                                         "kernel void k(global T *t) { t[SIZE].x = t[0].MORE; }\n")
        options = ("transform", "--layout", "soa", source)
        self.refused([f"{source}:2:", "'SIZE'"], *options)
        out = self.good(*options, "--build-options", "-DSIZE=4 -DMORE=height").stdout
        self.assertRegex(out, r"t_x\[(SIZE|4)\]")
        self.assertIn("global float *t_height", out)
        self.refused(["-fast", "-D, -U, -I"], *options, "--build-options", "-fast")

    def test_wrong_words(self):
        """The command line."""
        good = KERNELS / "bodies.cl"
        for words, arguments in (
                (["--layout or --shared is missing", "--layout soa kernel.cl"], [good]),
                (["FILE.cl, or --program P"], ["--layout", "soa"]),
                (["FILE.cl, or --program P"], ["--layout", "soa", "--program", "sph", good]),
                (["two_structs.cl' is not expected", "one source at a time"],
                 ["--layout", "soa", good, KERNELS / "two_structs.cl"]),
                (["no option '--tile'"], ["--layout", "soa", "--tile", good]),
                (["-o ''", "folder"], ["--layout", "soa", "-o", "", good]),
                (["no program 'sphere'", "sph, idw, cfd, particlefilter"],
                 ["--layout", "soa", "--program", "sphere"]),
                (["matmul_tiled", "no kernel takes an array of structs"],
                 ["--layout", "soa", "--program", "matmul_tiled"])):
            with self.subTest(words=words):
                self.refused(words, "transform", *arguments)

    def test_wrong_layouts(self):
        """Each error names the fault, and the valid kinds, fields, structs or kernels."""
        for layout, words in WRONG_LAYOUTS.items():
            with self.subTest(layout=layout):
                self.refused(words, "transform", "--layout", layout, KERNELS / "bodies.cl", "-o",
                             self.folder / "out")
        self.refused(['struct Cell has no field "x"', "it has: heat, flow", "STRUCT=LAYOUT"],
                     "transform", "--layout", "cluster:x/y", KERNELS / "two_structs.cl")

    def test_refused_sources(self):
        """The error names the line and the reason. Layouts that change nothing else are refused,
        too."""
        for name, (place, *words) in REFUSED.items():
            for layout in ("soa", "aos-align", "asta:32"):
                with self.subTest(name=name, layout=layout):
                    self.refused([f"{KERNELS / name}{place}", *words], "transform", "--layout",
                                 layout, KERNELS / name, "-o", self.folder / "out")
        self.assertEqual({path.name for path in KERNELS.iterdir()}, set(REFUSED) | set(GOOD))

    def test_files_that_are_no_source(self):
        """Sources that are missing, a folder, contain a zero byte, are empty, are not text, or are
        too large."""
        def refused(words, path):
            self.refused([str(path), *words], "transform", "--layout", "soa", path)

        refused(["No such file or directory", "check the path"], self.folder / "missing.cl")
        refused(["has no workload file"], self.folder)
        refused(["a NUL byte", "OpenCL C"], self.write("zero.cl", "kernel void k(global int *p) { *p = 1; }\0\n"))
        refused(["no kernel takes an array of structs"], self.write("empty.cl", ""))
        refused([":1:"], self.write("noise.cl", bytes(range(1, 256)) * 8))
        with open(self.folder / "large.cl", "wb") as large:
            large.truncate((16 << 20) + 1)
        refused(["over 16 MiB"], self.folder / "large.cl")

    def test_places(self):
        """If the output folder cannot be created, no partial output remains."""
        def refused(words, place):
            self.refused(words, "transform", "--layout", "soa", KERNELS / "bodies.cl", "-o", place)

        refused([f"{self.folder}/file: is no folder"], self.write("file", "mine"))
        refused(["cannot be made: Not a directory", "-o"], self.folder / "file" / "out")
        refused(["cannot be made: No such file", "-o"], self.folder / "missing" / "out")
        refused(["/proc/out: cannot be made", "-o"], "/proc/out")
        refused(["/proc/bodies_soa.cl: cannot be written", "-o"], "/proc")
        self.assertEqual((self.folder / "file").read_text(encoding="utf-8"), "mine")
        # The kernel can be written and its header cannot. Then neither is written.
        (self.folder / "out" / "Body_layout.h").mkdir(parents=True)
        refused(["Body_layout.h: cannot be written: Is a directory", "-o"], self.folder / "out")

    def test_read_only(self):
        """A folder without write permission is reported, except for root."""
        locked = self.folder / "locked"
        locked.mkdir()
        locked.chmod(stat.S_IRUSR | stat.S_IXUSR)
        if os.access(locked, os.W_OK):
            self.skipTest("this user may write into read-only folders")
        self.refused(["bodies_soa.cl: cannot be written: Permission denied", "permissions"],
                     "transform", "--layout", "soa", KERNELS / "bodies.cl", "-o", locked)

    def test_full_output(self):
        """A standard output that cannot be written."""
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        for more in ([], ["--json"]):
            with open("/dev/full", "w", encoding="utf-8") as full:
                done = subprocess.run([PERFMODEL, "transform", "--layout", "soa",
                                       KERNELS / "bodies.cl", *more], check=False, stdout=full,
                                      stderr=subprocess.PIPE, text=True)
            self.assertEqual(done.returncode, 2)
            self.assertIn("No space left on device; make room", done.stderr)

    def test_no_clang(self):
        """If a tool is missing, the exit code is 1 and the message says what to install."""
        for command in (["transform", "--layout", "soa", KERNELS / "bodies.cl"], ADVISE):
            self.refused(["/nonexistent", "clang", "install", "PERFMODEL_CLANG"], *command, code=1,
                         environment={"PERFMODEL_CLANG": "/nonexistent"})

    def test_a_field_that_nothing_reads(self):
        """A field that is never read has a place in every layout."""
        out = self.good("transform", "--layout", "cluster:x+y+z+mass/never_read",
                        KERNELS / "bodies.cl").stdout
        self.assertIn("typedef struct { float never_read ; } Body_1",
                      " ".join(words_of(out)))


class Advise(Base):
    """perfmodel advise."""

    def good(self, *arguments, **named):
        """Runs advise and checks that no layout was left out that advise generated itself. Arrays
        that could not be staged do not count."""
        done = super().good(*arguments, **named)
        given_up = re.findall(r"^perfmodel: (\S+): left out", done.stderr, re.MULTILINE)
        self.assertEqual([v for v in given_up if not re.search(r"(^|;)shared\b", v)], [])
        return done

    def check(self, document):
        """The document has the fields that scripts rely on."""
        for name, value in (("target", "h100"), ("program", "idw"), ("size", "4096"),
                            ("base", "aos")):
            self.assertEqual(document[name], value)
        choices = {choice["variant"]: choice for choice in document["choices"]}
        self.assertEqual(len(choices), len(document["choices"]), "a variant twice")
        self.assertLessEqual({"aos", "aos-align", "aos-align8", "soa", "asta:32"}, set(choices))
        self.assertGreaterEqual(document["examined"], len(choices) - 2)
        times = [choice["predicted_s"] for choice in document["choices"]]
        self.assertEqual(times, sorted(times))
        self.assertGreater(times[0], 0)
        self.assertEqual(document["best"], document["choices"][0]["variant"])
        for choice in document["choices"]:
            self.assertLessEqual({"variant", "predicted_s", "gain", "lo", "hi"}, set(choice))
            self.assertAlmostEqual(choice["gain"],
                                   choices["aos"]["predicted_s"] / choice["predicted_s"], 5)
        return choices

    def test_json(self):
        """The document has no steps unless requested. Messages are on standard error and name each
        layout once, before it is traced."""
        done = self.good(*ADVISE, "--json")
        document = json.loads(done.stdout)
        choices = self.check(document)
        self.assertNotIn("steps", document)
        self.assertIn("aos-align", done.stderr)
        self.assertEqual(len([v for v in choices if v.startswith("cluster")]), 1)
        told = re.findall(r"^\[(\d+)/(\d+|\?)\] (\S+)$", done.stderr, re.MULTILINE)
        self.assertEqual([int(at) for at, _, _ in told], list(range(1, len(told) + 1)))
        self.assertEqual(told[0][2], "aos")
        self.assertEqual(len({variant for _, _, variant in told}), len(told))

    def test_table(self):
        """The table has a row for each layout, fastest first. The source's own layout is marked."""
        lines = self.good(*ADVISE, "--leave-out", "program").stdout.splitlines()
        self.assertRegex(lines[0], r"^idw 4096 on h100: \d+ [mun]?s as it is \(90 %: .*\)$")
        self.assertRegex(lines[1], r"^\d+ layouts ranked, \d+ traced$")
        rows = [line for line in lines if re.search(r"\d\.\d\dx ", line)]
        self.assertEqual(sum("(as it is)" in row for row in rows), 1)
        self.assertEqual(sum("(chosen by Nakai's method)" in row for row in rows), 1)
        self.assertIn("1.00x", [row for row in rows if "(as it is)" in row][0])
        self.assertFalse(any("ShareCoalesc" in line for line in lines))

    def test_steps(self):
        """Rows of method nakai add up, and the ranking marks the method's layout."""
        document = self.json_of("advise", "--target", "h100", "--program", "sph", "--size", "10000",
                                "--clusters", "1", "--sample", "0.01", "--steps")
        steps = document["steps"]
        self.assertEqual((steps["target"], steps["warp_width"]), ("h100", 32))
        (particle,) = steps["structs"]
        self.assertEqual((particle["struct"], particle["bytes"]), ("Particle", 44))
        for row in particle["rows"]:
            self.assertIn(row["class"], ("Coalesc", "UnCoalesc", "ShareCoalesc"))
            weight = -row["coalesced_threads"] / 32 if row["class"] == "Coalesc" else 1
            self.assertAlmostEqual(row["weight"], weight, 6)
            self.assertAlmostEqual(row["corrected"], weight * row["executions"], 3)
        self.assertEqual(len([row for row in particle["rows"] if row["kernel"] == "position"]), 15)
        self.assertAlmostEqual(particle["sum"], sum(row["corrected"] for row in particle["rows"]),
                               3)
        self.assertEqual((particle["choice"], particle["sum"] > 0), ("AoS", True))
        self.assertEqual(set(particle["trees"]), {"loops", "in_kernels", "across_kernels"})
        loops = particle["trees"]["loops"]
        self.assertEqual({place["kernel"] for node in loops for place in node["places"]},
                         {"density", "force", "position"})
        last = particle["trees"]["across_kernels"]
        self.assertEqual(sum(node["bytes"] for node in last), 44)
        self.assertEqual("cluster-align:" + "/".join("+".join(node["fields"]) for node in last),
                         particle["layout"])
        self.assertEqual(particle["definitions"].count("__attribute__((aligned(16)))"), len(last))
        self.assertIn(document["nakai"], [choice["variant"] for choice in document["choices"]])

    def test_steps_as_text(self):
        """The steps are printed before the ranking, and only if requested."""
        lines = self.good(*ADVISE, "--steps").stdout.splitlines()
        rows = [line for line in lines if "ShareCoalesc" in line]
        self.assertEqual(lines[0], "Method nakai as h100 counts, warps of 32 work-items, "
                                   "100 % of them traced")
        self.assertGreater(len(rows), 0)
        ranking = [i for i, line in enumerate(lines) if line.startswith("idw 4096 on h100")]
        self.assertEqual(len(ranking), 1)
        self.assertGreater(ranking[0], max(lines.index(row) for row in rows))

    def test_wrong_words(self):
        """Wrong command lines and names are refused."""
        idw = ["--target", "h100", "--program", "idw"]
        for words, arguments in (
                (["--target is missing"], ["--program", "idw"]),
                (["--program is missing"], ["--target", "h100"]),
                (["'rest' is not expected"], [*idw, "rest"]),
                (["--leave-out sample", "'program'"], [*idw, "--leave-out", "sample"]),
                (["--clusters 0", "from 1 to 1000"], [*idw, "--clusters", "0"]),
                (["--clusters 2x", "from 1 to 1000"], [*idw, "--clusters", "2x"]),
                (["--sample 2", "up to 1"], [*idw, "--sample", "2"]),
                (["--step-limit 0", "at least 1"], [*idw, "--step-limit", "0"]),
                (["no program 'idwx'", "sph, idw, cfd"], ["--target", "h100", "--program", "idwx"]),
                (["copy measures the device", "matmul_tiled", "sph, idw, cfd, particlefilter"],
                 ["--target", "h100", "--program", "copy"]),
                (["no size '5000'", "4096, 10240"], [*idw, "--size", "5000"]),
                (["no GPU 'h1000'", "did you mean h100?"], ["--target", "h1000", *idw[2:]]),
                (["no GPU './missing.csv'", "perfmodel devices"], ["--target", "./missing.csv", *idw[2:]])):
            with self.subTest(words=words):
                self.refused(words, "advise", *arguments)

    def test_datasets_without_the_target(self):
        """A data directory without any datasets to learn from, and a complete one."""
        share = share_without_datasets(self.folder / "share")
        shutil.copy(DATASETS / "devices.csv", share / "datasets")
        shutil.copy(DATASETS / "h200.csv", share / "datasets")
        named = {"PERFMODEL_SHARE": str(share), "HOME": str(self.folder),
                 "XDG_DATA_HOME": str(self.folder), "PERFMODEL_DATASETS": ""}
        self.refused(["0 programs have measured times", "perfmodel collect"], *ADVISE, environment=named)
        self.good(*ADVISE, "--datasets", DATASETS, environment=named)

    def test_a_target_without_rules(self):
        """A dataset of a device that devices.csv has no row of."""
        text = (DATASETS / "h100.csv").read_text(encoding="utf-8").replace("\nh100,", "\nnobodys,")
        self.write("nobodys.csv", text)
        self.refused(["no GPU 'nobodys'", "perfmodel devices"], "advise", "--target", "nobodys", "--program", "idw",
                     "--datasets", self.folder)


if __name__ == "__main__":
    unittest.main()
