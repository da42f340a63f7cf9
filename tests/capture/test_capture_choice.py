#!/usr/bin/env python3
"""perfmodel capture: which launches are chosen, what ends a capture early, and what is refused.

The argument is the program tests/capture/captured.c. SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import os
import pathlib
import random
import resource
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(1, sys.path[0] + "/..")
import program

MUTATIONS = 60
CAPTURED = pathlib.Path(sys.argv.pop(1)) if len(sys.argv) > 1 else None


class Choice(program.Base):
    """Options of capture, and paths of its folder."""

    def document(self, mode, *options, code=7):
        """Returns the document of --json, which follows the program's output."""
        done = program.run("capture", "-o", self.folder / "c", "--json", *options, "--", CAPTURED, mode)
        self.assertEqual(done.returncode, code, done.stderr)
        self.told = done.stderr
        return json.loads(done.stdout[done.stdout.index("{"):]), (self.folder / "c" / "capture.workload")

    def test_longest(self):
        """--longest replaces shorter launches, but keeps one launch of each kernel."""
        document, path = self.document("many", "--longest", "4", "--share", "100")
        self.assertEqual(document["launches"], 41)
        self.assertEqual(document["kernels_captured"], 2)
        text = path.read_text(encoding="utf-8")
        self.assertIn("[launch relax]", text)
        stored = {name for name in re.findall(r"contents/[\w.]+", text)}
        kept = {f"contents/{file.name}" for file in (path.parent / "contents").iterdir()}
        self.assertEqual(kept, stored)

    def test_share(self):
        """By default, only the kernels that make 95 % of the time are captured."""
        document, path = self.document("shares")
        self.assertEqual([document["kernels"], document["kernels_captured"]], [2, 1])
        self.assertIn("[launch heavy]", path.read_text(encoding="utf-8"))
        self.assertIn("--share", document["left_out"][0]["why"])
        shutil.rmtree(path.parent)
        self.assertEqual(self.document("shares", "--share", "100")[0]["kernels_captured"], 2)

    def test_growing(self):
        """If launches become longer and longer, those that took longest are captured, although the
        shorter ones before them had used up the limit of bytes."""
        document, path = self.document("growing", "--max-bytes", "120000")
        self.assertGreaterEqual(document["captured"], 2)
        self.assertLessEqual(document["captured"], 5)
        self.assertIn("--max-bytes", document["left_out"][0]["why"])
        sizes = sorted(int(size) for size in re.findall(r"global = (\d+)", path.read_text(encoding="utf-8")))
        self.assertEqual(sizes[-1], 64 * 10)
        self.assertGreaterEqual(sizes[0], 64 * 5)

    def test_kernel(self):
        """Selects the launches of one kernel."""
        document, path = self.document("many", "--kernel", "relax")
        self.assertEqual(document["captured"], 1)
        self.assertEqual(document["left_out"][0]["launches"], 40)
        self.assertNotIn("[launch scale]", path.read_text(encoding="utf-8"))

    def test_launches(self):
        """Selects a range of the launches of the chosen kernels."""
        document, path = self.document("many", "--kernel", "scale", "--launches", "18:23")
        self.assertEqual(document["captured"], 5)
        text = path.read_text(encoding="utf-8")
        self.assertIn("# number 19 of the program", text)
        self.assertEqual(re.findall(r"global = (.*)", text), ["64", "64", "4096", "4096", "4096"])

    def test_bytes(self):
        """If the contents exceed --max-bytes, launches are left out and a notice says so."""
        document, _ = self.document("loop", "--max-bytes", "40000")
        self.assertGreater(document["captured"], 0)
        self.assertLess(document["captured"], 10)
        self.assertIn("--max-bytes", document["left_out"][0]["why"])
        self.assertLessEqual(document["bytes"], 40000)

    def test_seconds(self):
        """If the run exceeds --max-seconds, launches are left out. An empty capture is a failure whose
        only message says what to change."""
        document, _ = self.document("loop", "--max-seconds", "0", code=2)
        self.assertRegex(self.told, r"\Aperfmodel: .*none of the program's 10 launches was captured: .*--max-seconds "
                         r"allows more.*; the program's exit code is 7\n\Z")
        self.assertEqual(document["captured"], 0)
        self.assertEqual(document["workloads"], [])
        self.assertIn("--max-seconds", document["left_out"][0]["why"])

    def test_interrupted(self):
        """If perfmodel was killed, a second run makes the files from the records."""
        folder = self.folder / "c"
        command = f"{CAPTURED} loop; sleep 30"
        with subprocess.Popen([program.PERFMODEL, "capture", "-o", folder, "--", "sh", "-c", command],
                              stdout=subprocess.PIPE, start_new_session=True) as process:
            process.stdout.readline()
            time.sleep(0.5)
            os.killpg(process.pid, signal.SIGKILL)
        self.assertFalse((folder / "capture.workload").exists())
        self.good("capture", "-o", folder)
        self.good("trace", "--workload", folder / "capture.workload")

    def test_no_opencl(self):
        """The capture of a program without OpenCL fails, also if the program succeeds."""
        for code in (0, 3):
            done = program.run("capture", "-o", self.folder / f"c{code}", "--", "sh", "-c", f"exit {code}")
            self.assertEqual(done.returncode, 2)
            self.assertRegex(done.stderr, r"\Aperfmodel: .*launched no kernel of OpenCL or CUDA.*\n\Z")
            self.assertEqual(f"exit code is {code}" in done.stderr, code != 0)

    def test_refused(self):
        """Wrong command lines and paths are refused."""
        self.refused(["-o is missing"], "capture", "--", "true")
        self.refused(["behind --"], "capture", "-o", self.folder / "c", "true")
        self.refused(["no such capture"], "capture", "-o", self.folder / "c")
        self.refused(["one of them"], "capture", "-o", self.folder / "c", "--first", "2", "--longest", "2", "--", "true")
        self.refused(["FROM:TO"], "capture", "-o", self.folder / "c", "--launches", "5:2", "--", "true")
        self.write("something", "here")
        self.refused(["something already"], "capture", "-o", self.folder, "--", "true")


class Records(program.Base):
    """Malformed records, some of them made to do harm."""

    def records(self):
        """Runs a program and returns the journal of its records, which no run of perfmodel has
        processed."""
        (layer,) = pathlib.Path(program.PERFMODEL).resolve().parent.parent.glob("lib*/**/libperfmodel-capture.so")
        (self.folder / "c" / "records").mkdir(parents=True)
        choice = "longest=10 first=0 from=0 to=0 bytes=100000000 ms=60000 kernels="
        subprocess.run([CAPTURED, "loop"], check=False, stdout=subprocess.DEVNULL, env={
            **os.environ, "OPENCL_LAYERS": str(layer), "PERFMODEL_CAPTURE": str(self.folder / "c" / "records"),
            "PERFMODEL_CAPTURE_CHOICE": choice})
        (journal,) = self.folder.glob("c/records/*/journal")
        return journal

    def refused_with(self, *words):
        self.refused(words, "capture", "-o", self.folder / "c")

    def test_garbage(self):
        """Malformed lines are refused with a message of one line."""
        journal = self.records()
        good = journal.read_text(encoding="utf-8")
        for words, bad in (("process 1", "process 2"), ("process 1", "end"), (good[:good.index("\n") + 1], ""), ("program ", "program x"), ("kernel ", "kernel 9"), ("4096", "-4"),
                           (" 4096 64 0 ", " 4096 64,1 0 "), (":16384:", ":0:"), (":16384:", ":99999999999:"),
                           ("buffer:", "buffers:"), (":=00:", ":/etc/passwd:"), (":=00:", ":../../../../x:"), (":0:=00:", ":16384:=00:"),
                           ("local:", "local"), ("launch ", "launched "), ("total ", "drop 99\ntotal ")):
            self.assertIn(words, good)
            journal.write_text(good.replace(words, bad, 1), encoding="utf-8")
            self.refused_with("journal")

    def test_links(self):
        """Nothing is moved or written to the target of a link."""
        outside = self.folder / "outside"
        outside.mkdir()
        self.records()
        (self.folder / "c" / "contents").symlink_to(outside)
        self.refused_with("contents: no folder")
        (self.folder / "c" / "contents").unlink()
        (self.folder / "c" / "records").rename(self.folder / "elsewhere")
        (self.folder / "c" / "records").symlink_to(self.folder / "elsewhere")
        self.refused_with("records: no folder")
        self.assertEqual(list(outside.iterdir()), [])

    def test_links_of_files(self):
        """A record outside of the folder is neither read nor copied into the capture."""
        journal = self.records()
        source = next(line.split()[3] for line in journal.read_text(encoding="utf-8").splitlines() if line.startswith("program"))
        for path in (journal, journal.parent / "contents" / source):
            elsewhere = self.folder / "elsewhere"
            path.rename(elsewhere)
            path.symlink_to(elsewhere)
            self.refused_with(path.name, "leads out of the capture")
            path.unlink()
            elsewhere.rename(path)
        self.assertFalse((self.folder / "c" / "capture.cl").exists())

    def test_includes(self):
        """Files that a source includes from elsewhere are not copied; only the driver's description
        of its kernels remains."""
        journal = self.records()
        source = next(line.split()[3] for line in journal.read_text(encoding="utf-8").splitlines() if line.startswith("program"))
        path = journal.parent / "contents" / source
        path.write_text(f'#include "{self.write("secret.h", "do not tell 4711")}"\n' + path.read_text(encoding="utf-8"), encoding="utf-8")
        done = program.run("capture", "-o", self.folder / "c")
        self.assertIn("secret.h, which is not in the capture", done.stderr)
        self.assertNotIn("4711", done.stderr)

    def test_many(self):
        """A journal of 3500 launches, each of which needs a buffer of its own, is refused within a minute
        of processor time."""
        journal = self.records()
        lines = journal.read_text(encoding="utf-8").splitlines(keepends=True)
        before = [line for line in lines if not line.startswith(("launch", "drop"))]
        launch = next(line for line in lines if line.startswith("launch")).replace(":=00:", ":=01:")
        journal.write_text("".join(before[:-2]) + launch * 3500 + "".join(before[-2:]), encoding="utf-8")
        start = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        done = program.run("capture", "-o", self.folder / "c")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("too many launches", done.stderr)
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - start, 60)

    def test_mutations(self):
        """Journals with random changes: the result is a capture or a message of one line, and no
        file outside of the folder changes."""
        seed = random.randrange(1 << 32)
        chance = random.Random(seed)
        journal = self.records()
        good = journal.read_bytes()
        kept = self.folder / "kept"
        shutil.copytree(self.folder / "c", kept)
        for _ in range(MUTATIONS):
            bad = bytearray(good)
            for _ in range(chance.randrange(1, 4)):
                at = chance.randrange(len(bad))
                if chance.random() < 0.5:
                    bad[at] = chance.choice(b"0123456789abcdef:,= -/.%\n\0\xff")
                else:
                    del bad[at:at + chance.randrange(1, 20)]
            journal.write_bytes(bad)
            done = program.run("capture", "-o", self.folder / "c")
            self.assertIn(done.returncode, (0, 1, 2), f"seed {seed}: {done.stderr}")
            for line in done.stderr.splitlines():
                self.assertRegex(line, "^perfmodel: ", f"seed {seed}: {done.stderr}")
            self.assertEqual({path.name for path in self.folder.iterdir()}, {"c", "kept"}, f"seed {seed}")
            shutil.rmtree(self.folder / "c")
            shutil.copytree(kept, self.folder / "c")


if __name__ == "__main__":
    unittest.main()
