#!/usr/bin/env python3
"""perfmodel capture: which launches are chosen, what ends a capture early, and what is refused.

The argument is the program tests/capture/captured.c. SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import unittest

import program

CAPTURED = pathlib.Path(sys.argv.pop(1)) if len(sys.argv) > 1 else None


class Choice(program.Base):
    """Options, and places for the capture."""

    def document(self, mode, *options):
        """What --json tells, behind what the program prints."""
        done = program.run("capture", "-o", self.folder / "c", "--json", *options, "--", CAPTURED, mode)
        self.assertEqual(done.returncode, 7, done.stderr)
        return json.loads(done.stdout[done.stdout.index("{"):]), (self.folder / "c" / "capture.workload")

    def test_longest(self):
        """Those that take longest displace others, but for one of each kernel."""
        document, path = self.document("many", "--longest", "4")
        self.assertEqual(document["launches"], 41)
        self.assertEqual(document["kernels_captured"], 2)
        text = path.read_text(encoding="utf-8")
        self.assertIn("[launch relax]", text)
        stored = {name for name in re.findall(r"contents/\w+\.bin", text)}
        kept = {f"contents/{file.name}" for file in (path.parent / "contents").iterdir()}
        self.assertEqual(kept, stored)

    def test_kernel(self):
        """Launches of one kernel."""
        document, path = self.document("many", "--kernel", "relax")
        self.assertEqual(document["captured"], 1)
        self.assertEqual(document["left_out"][0]["launches"], 40)
        self.assertNotIn("[launch scale]", path.read_text(encoding="utf-8"))

    def test_launches(self):
        """A range of the launches of the chosen kernels."""
        document, path = self.document("many", "--kernel", "scale", "--launches", "18:23")
        self.assertEqual(document["captured"], 5)
        text = path.read_text(encoding="utf-8")
        self.assertIn("# number 19 of the program", text)
        self.assertEqual(re.findall(r"global = (.*)", text), ["64", "64", "4096", "4096", "4096"])

    def test_bytes(self):
        """A limit on contents leaves launches out, and says so."""
        document, _ = self.document("loop", "--max-bytes", "40000")
        self.assertGreater(document["captured"], 0)
        self.assertLess(document["captured"], 10)
        self.assertIn("--max-bytes", document["left_out"][0]["why"])
        self.assertLessEqual(document["bytes"], 40000)

    def test_seconds(self):
        """So does one on time."""
        document, _ = self.document("loop", "--max-seconds", "0")
        self.assertEqual(document["captured"], 0)
        self.assertEqual(document["workloads"], [])
        self.assertIn("--max-seconds", document["left_out"][0]["why"])

    def test_interrupted(self):
        """Of a perfmodel that was killed, a second run makes the files."""
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
        """A program without OpenCL has its own code, and perfmodel says that there was nothing."""
        done = program.run("capture", "-o", self.folder / "c", "--", "sh", "-c", "exit 3")
        self.assertEqual(done.returncode, 3)
        self.assertIn("launched no OpenCL kernel", done.stderr)

    def test_refused(self):
        """Wrong command lines and places."""
        self.refused(["-o is missing"], "capture", "--", "true")
        self.refused(["behind --"], "capture", "-o", self.folder / "c", "true")
        self.refused(["no such capture"], "capture", "-o", self.folder / "c")
        self.refused(["one of them"], "capture", "-o", self.folder / "c", "--first", "2", "--longest", "2", "--", "true")
        self.refused(["FROM:TO"], "capture", "-o", self.folder / "c", "--launches", "5:2", "--", "true")
        self.write("something", "here")
        self.refused(["something already"], "capture", "-o", self.folder, "--", "true")


class Records(program.Base):
    """Records that are none."""

    def test_garbage(self):
        """Lines that were changed are refused in one line, and nothing is written outside."""
        journal = self.folder / "c" / "records" / "12" / "journal"
        journal.parent.mkdir(parents=True)
        good = ["process 1 12 /tmp", f"program 1 source {'a' * 32} %", "kernel 2 1 k global:float*:x",
                f"launch 0 2 10 64 64 0 buffer:1:0:256:=00:{'b' * 32}"]
        for line, bad in ((0, "process 2 12 /tmp"), (1, "program x source - %"), (2, "kernel 2 7 k"),
                          (1, "program 1 source ../../../etc/passwd %"), (3, "launch 0 2 10 64 64,1 0"),
                          (3, "launch 0 2 10 64 64 0 buffer:1:0:256:/etc:-"), (3, "drop 9"), (3, "what 1")):
            lines = [*good]
            lines[line] = bad
            journal.write_text("\n".join(lines) + "\n", encoding="utf-8")
            self.refused(["journal"], "capture", "-o", self.folder / "c")
        journal.write_text("\n".join(good) + "\n", encoding="utf-8")
        self.refused(["contents", "cannot be read"], "capture", "-o", self.folder / "c")


if __name__ == "__main__":
    unittest.main()
