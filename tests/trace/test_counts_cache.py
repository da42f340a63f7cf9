#!/usr/bin/env python3
"""Cached counts, bitcode and descriptions of sources: a command prints the same with a warm cache, a cold one and none.
A change of anything that a result depends on gives a new result. Damaged files count as absent.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import pathlib
import shutil
import struct
import sys
import tempfile
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import PERFMODEL, run, share_of_few

SOURCE = """#include "near.h"
#include <far.h>
kernel void twice(global const float *a, global float *out)
{
    int i = get_global_id(0), unused;

    out[i] = NEAR * a[i] + FAR;
    for (int k = 0; k < ROUNDS; k++)
        out[i] *= a[(i + k) % get_global_size(0)];
}
"""
CUDA = """template <int N> __global__ void many(const float *a, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    for (int k = 0; k < N; k++)
        out[i] = a[i] * k + out[i];
}
"""
WORKLOAD = """[workload]
name = kept
source = {source}
options = {options}
[size small]
n = {n}
[buffer a]
type = float
count = n
contents = each i % {period}
[buffer out]
type = float
count = n
output = yes
[launch it]
kernel = {kernel}
global = n
local = 64
arguments = a, out
"""


class Kept(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.few = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.few)
        share_of_few(cls.few / "share")

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.cache = self.folder / "cache"
        for name, text in (("near.h", "#define NEAR 2\n"), ("far/far.h", "#define FAR 3\n"), ("kept.cl", SOURCE),
                           ("kept.cu", CUDA)):
            (self.folder / name).parent.mkdir(exist_ok=True)
            (self.folder / name).write_text(text, encoding="utf-8")
        (self.folder / "first").mkdir()
        self.write()

    def write(self, *, source="kept.cl", rounds=2, n=512, period=7, kernel="twice", more=""):
        options = f"-DROUNDS={rounds} -I{self.folder}/first -I{self.folder}/far {more}"
        (self.folder / "kept.workload").write_text(
            WORKLOAD.format(source=source, options=options, n=n, period=period, kernel=kernel), encoding="utf-8")

    def environment(self, cache):
        return {"PERFMODEL_CACHE": str(cache), "PERFMODEL_SHARE": str(self.few / "share"), "PERFMODEL_DATASETS": ""}

    def say(self, *arguments, cache=None, **environment):
        """Returns standard output and standard error of a command."""
        done = run(*arguments, cwd=self.folder, environment={**self.environment(cache or self.cache), **environment})
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout, done.stderr

    def files(self, kind):
        """Returns names and inodes of the entries, because a rewritten entry has another inode."""
        return {(path.name, path.stat().st_ino) for path in (self.cache / kind).glob("*")}

    def holds(self, *arguments, **environment):
        """The output is the same with a cold cache, a warm one and none; only the cold run writes entries."""
        cold = self.say(*arguments, **environment)
        before = {kind: self.files(kind) for kind in ("counts", "bitcode", "sources")}
        self.assertTrue(before["counts"])
        warm = self.say(*arguments, **environment)
        self.assertEqual(cold, warm)
        self.assertEqual(before, {kind: self.files(kind) for kind in before})
        self.assertEqual(cold, self.say(*arguments, cache="off", **environment))
        return cold

    def is_fresh(self, change, *arguments, differs=True, **environment):
        """After the change the cache gets a new file, and the output is that of a run without a cache."""
        arguments = arguments or ("trace", "kept.workload")
        old = self.say(*arguments)
        files = self.files("counts")
        change()
        new = self.say(*arguments, **environment)
        self.assertEqual(len(self.files("counts") - files), 1)
        self.assertEqual(new, self.say(*arguments, cache="off", **environment))
        if differs:
            self.assertNotEqual(old, new)

    # ---- changes that keep the entry ------------------------------------------------------------

    def test_suite(self):
        self.holds("trace", "--target", "h100", "--program", "sobel3x3", "--size", "1536x1536")

    def test_predict(self):
        self.holds("predict", "--target", "gtx980", "kept.workload")

    def test_advise(self):
        out, _ = self.holds("advise", "--target", "gtx980", "kept.workload")
        self.assertIn("kept", out)

    def test_opencl(self):
        self.holds("trace", "kept.workload")

    def test_amd(self):
        self.holds("trace", "--target", "mi250x", "kept.workload")

    def test_cuda(self):
        self.write(source="kept.cu", kernel="many<3>")
        self.holds("trace", "kept.workload")

    def test_notices_are_given_again(self):
        self.write(more="-Weverything -cl-nv-verbose -DNEAR=5")
        (self.folder / "near.h").write_text("#define NEAR 2\n#warning near is old\n", encoding="utf-8")
        _, err = self.holds("trace", "kept.workload")
        self.assertIn("near is old", err)
        self.assertIn("is left out", err)

    def test_another_folder_and_threads(self):
        """clang also searches the current folder for headers; the folder of this source has none."""
        text = SOURCE.split("\n", 2)[2].replace("NEAR", "2").replace("FAR", "3")
        (self.folder / "kept.cl").write_text(text, encoding="utf-8")
        first = self.say("trace", self.folder / "kept.workload", PERFMODEL_THREADS="1")
        files = self.files("counts")
        done = run("trace", self.folder / "kept.workload", cwd="/",
                   environment={**self.environment(self.cache), "PERFMODEL_THREADS": "2"})
        self.assertEqual((done.stdout, done.stderr), first)
        self.assertEqual(self.files("counts"), files)

    # ---- changes that need another entry ------------------------------------------------------

    def test_option(self):
        self.is_fresh(lambda: self.write(rounds=3))

    def test_size(self):
        self.is_fresh(lambda: self.write(n=1024))

    def test_contents(self):
        self.is_fresh(lambda: self.write(period=5), differs=False)

    def test_header(self):
        self.is_fresh(lambda: (self.folder / "near.h").write_text(
            "#define NEAR 2 * out[i] * out[i / 2]\n", encoding="utf-8"))

    def test_header_that_hides_another(self):
        self.is_fresh(lambda: (self.folder / "first" / "far.h").write_text(
            "#define FAR 3 * out[i / 2]\n", encoding="utf-8"))

    def test_header_of_cuda(self):
        (self.folder / "kept.cu").write_text('#include "near.h"\n' + CUDA.replace("* k", "* k * NEAR"), encoding="utf-8")
        self.write(source="kept.cu", kernel="many<3>")
        self.is_fresh(lambda: (self.folder / "near.h").write_text("#define NEAR out[i / 2]\n", encoding="utf-8"))

    def test_seed_and_sample(self):
        self.say("trace", "kept.workload")
        for option in ("--seed=2", "--sample=0.5", "--step-limit=100000", "--target=gtx980"):
            files = self.files("counts")
            self.say("trace", "kept.workload", option)
            self.assertEqual(len(self.files("counts") - files), 1, option)

    def share(self):
        """Copies the program's data directory, so that the test may change it."""
        share = self.folder / "share"
        shutil.copytree(pathlib.Path(PERFMODEL).resolve().parent.parent / "share" / "perfmodel", share,
                        ignore=lambda folder, names: [n for n in names if n.endswith("-trace.csv") or n == "page"])
        return share

    def test_row_of_device(self):
        share = self.share()
        table = share / "datasets" / "devices.csv"

        def change():
            lines = table.read_text(encoding="utf-8").splitlines()
            column = lines[0].split(",").index("max_warps")
            for i, line in enumerate(lines):
                if line.startswith("h100,"):
                    cells = line.split(",")
                    cells[column] = "32"
                    lines[i] = ",".join(cells)
            table.write_text("\n".join(lines) + "\n", encoding="utf-8")

        self.say("trace", "kept.workload", PERFMODEL_SHARE=str(share))
        files = self.files("counts")
        change()
        self.say("trace", "kept.workload", PERFMODEL_SHARE=str(share))
        self.assertEqual(len(self.files("counts") - files), 1)

    def test_tables_of_the_share(self):
        share = self.share()
        for name in ("instructions.ini", "prelude.cl"):
            self.say("trace", "kept.workload", PERFMODEL_SHARE=str(share))
            files = self.files("counts")
            comment = "# changed\n" if name.endswith(".ini") else "// changed\n"
            with open(share / name, "a", encoding="utf-8") as file:
                file.write(comment)
            self.say("trace", "kept.workload", PERFMODEL_SHARE=str(share))
            self.assertEqual(len(self.files("counts") - files), 1, name)

    # ---- faulty caches and files ---------------------------------------------------------------

    def test_damaged(self):
        right = self.say("trace", "kept.workload")
        for kind in ("counts", "bitcode", "sources"):
            for damage in (lambda data: data[:len(data) // 2], lambda data: b"", lambda data: data[:-1] + b"\xff",
                           lambda data: data + b"x"):
                for path in (self.cache / kind).glob("*"):
                    path.write_bytes(damage(path.read_bytes()))
                for path in (self.cache / "counts").glob("*") if kind != "counts" else ():
                    path.unlink()
                self.assertEqual(self.say("trace", "kept.workload"), right)

    def test_failures_are_not_kept(self):
        (self.folder / "near.h").write_text("#define NEAR nothing\n", encoding="utf-8")
        for _ in range(2):
            done = run("trace", "kept.workload", cwd=self.folder, environment=self.environment(self.cache))
            self.assertNotEqual(done.returncode, 0)
        self.assertEqual(self.files("counts") | self.files("bitcode"), set())

    def test_names_of_macros_and_times_are_not_kept(self):
        for start in ('#define NAME "near.h"\n#include NAME\n', 'constant char when[] = __TIME__;\n'):
            text = start + SOURCE.replace("NEAR", "2")
            (self.folder / "kept.cl").write_text(text, encoding="utf-8")
            self.say("trace", "kept.workload")
            self.assertEqual(self.files("counts") | self.files("bitcode"), set(), start)

    def test_results_that_are_expected(self):
        """A check reads a file of expected results again if the file has changed."""
        a = [i % 7 for i in range(512)]
        want = [(2 * a[i] + 3) * a[i] * a[(i + 1) % 512] for i in range(512)]
        path = self.folder / "kept.workload"
        path.write_text(path.read_text(encoding="utf-8").replace("output = yes", "expected = file want.bin"),
                        encoding="utf-8")
        (self.folder / "want.bin").write_bytes(struct.pack("<512f", *want))
        self.say("trace", "--sample=all", "kept.workload")
        (self.folder / "want.bin").write_bytes(struct.pack("<512f", *want[:-1], 1))
        done = run("trace", "--sample=all", "kept.workload", cwd=self.folder, environment=self.environment(self.cache))
        self.assertNotEqual(done.returncode, 0)


if __name__ == "__main__":
    unittest.main()
