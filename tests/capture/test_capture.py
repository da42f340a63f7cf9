#!/usr/bin/env python3
"""perfmodel capture: programs that use OpenCL in many ways are captured, go on as they would, and what is captured can
be run again with the results that it had.

The argument is the program tests/capture/captured.c. SPDX-License-Identifier: GPL-3.0-or-later
"""
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
import program

CAPTURED = pathlib.Path(sys.argv.pop(1)) if len(sys.argv) > 1 else None
SIGKILL, SIGABRT = 137, 134


def plain_run(mode, cwd):
    """What the program prints, and its code as a shell tells it."""
    done = subprocess.run([CAPTURED, mode], check=False, capture_output=True, text=True, cwd=cwd)
    return done.stdout, done.returncode if done.returncode >= 0 else 128 - done.returncode


class Capture(program.Base):
    """What is recorded of each program."""

    def capture(self, mode, *options, code=None):
        """The folder, and what perfmodel told on standard error; the program prints and ends as it does alone."""
        folder = self.folder / f"{mode}.perfmodel"
        output, own_code = plain_run(mode, self.folder)
        done = program.run("capture", "-o", folder, *options, "--", CAPTURED, mode, cwd=self.folder)
        self.assertEqual(done.stdout, output, done.stderr)
        self.assertEqual(done.returncode, own_code if code is None else code, done.stderr)
        self.assertFalse((folder / "records").exists())
        return folder, done.stderr

    def replay(self, path):
        """Both executors come to the results that were captured."""
        self.good("collect", "--workload", path, "--counters", "none", "-o", self.folder / "x.csv")
        self.assertGreater(len(program.rows_of(self.folder / "x.csv")), 0)
        (self.folder / "x.csv").unlink()
        self.good("trace", "--workload", path, "--sample", "all")

    def captured(self, mode, *options):
        """The sections of the one workload file, which replays."""
        folder, told = self.capture(mode, *options)
        self.assertEqual([path.name for path in folder.glob("*.workload")], ["capture.workload"], told)
        self.replay(folder / "capture.workload")
        return program.sections(folder / "capture.workload")[0], told

    def test_numbers(self):
        """Files are numbered in the order of the first launch of each source, whatever took longest; tables that have
        several say which is of which file."""
        folder, told = self.capture("two-sources")
        self.assertIn("__kernel void quick", (folder / "capture.cl").read_text(encoding="utf-8"), told)
        self.assertIn("__kernel void slow", (folder / "capture_2.cl").read_text(encoding="utf-8"))
        words = " ".join(self.good("predict", "--target", "a100", folder).stdout.split())
        self.assertIn("two-sources_2 is of", words)
        self.assertRegex(words, r"capture_2\.workload")

    def test_plain(self):
        """One launch: contents that are equal are no file, others are one."""
        found, told = self.captured("plain")
        self.assertEqual(found["workload"]["options"], "-DFACTOR=2")
        self.assertEqual(found["workload"]["name"], "plain")
        self.assertEqual(found["buffer out"]["contents"], "zeros")
        self.assertEqual(found["buffer out"]["count"], "4096")
        self.assertEqual(found["launch scale"],
                         {"global": "4096", "local": "64", "arguments": "in, out, float 0.1, int 4091"})
        self.assertNotIn("expected", found["buffer in"])
        self.assertIn("1 of 1 launches and 1 of 1 kernels", told)
        contents = sorted((self.folder / "plain.perfmodel" / "contents").iterdir())
        self.assertEqual([path.stat().st_size for path in contents], [4 * 4096] * 2)

    def test_expected_is_checked(self):
        """Other results than the captured ones are told."""
        folder, _ = self.capture("plain")
        found, _ = program.sections(folder / "capture.workload")
        expected = folder / found["buffer out"]["expected"].removeprefix("file ")
        data = bytearray(expected.read_bytes())
        data[41] ^= 1
        expected.write_bytes(data)
        done = program.run("trace", "--workload", folder / "capture.workload", "--sample", "all")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("out[10]", done.stderr)

    def test_loop(self):
        """Launches that differ in a line of i and in the turns of buffers are one section."""
        found, _ = self.captured("loop")
        self.assertEqual(found["launch relax"], {"global": "4096", "local": "64", "repeat": "10",
                                                 "arguments": "now|next, next|now, int 3 + 2 * i, local 256"})
        self.assertEqual([name for name in found if name.startswith("launch")], ["launch relax"])

    def test_two_kernels(self):
        """Kernels that take turns; a work-group that the driver was to choose."""
        found, told = self.captured("two-kernels", "--first", "5")
        self.assertEqual(found["launch relax"]["repeat"], "5")
        self.assertEqual(found["launch scale"]["repeat"], "with relax")
        self.assertEqual(4096 % int(found["launch scale"]["local"]), 0)
        self.assertIn("10 of 20 launches", told)
        self.assertIn("they were not chosen", told)

    def test_sub_buffers(self):
        """Parts of a buffer are buffers; the whole has what was written to a part."""
        found, told = self.captured("sub-buffers")
        self.assertIn("3 of 3 launches", told)
        self.assertEqual(found["buffer in"]["contents"], "constant 1.5")
        self.assertEqual(sorted(section["count"] for name, section in found.items() if name.startswith("buffer")),
                         ["4096"] * 3 + ["8192"])

    def test_overlaps(self):
        """Parts that overlap are one buffer, which the launch takes from two elements on."""
        found, _ = self.captured("overlaps")
        self.assertEqual(found["buffer in"]["count"], str(4096 * 5 // 4))
        self.assertEqual(found["launch scale"]["arguments"], "in, in + 1024, float 3, int 1024")

    def test_maps(self):
        """What the host writes between launches is found, also where it may not read."""
        found, told = self.captured("maps")
        self.assertIn("3 of 3 launches", told)
        self.assertEqual(sum(name.startswith("buffer out") for name in found), 2)

    def test_threads(self):
        """Two threads with a queue each, one of them out of order."""
        found, told = self.captured("threads", "--first", "20")
        self.assertIn("20 of 20 launches", told)
        self.assertEqual(sum("expected" in section for section in found.values()), 2)

    def test_fork(self):
        """A child that runs another program is captured beside its parent."""
        folder, told = self.capture("fork-child")
        self.assertIn("11 of 11 launches and 2 of 2 kernels", told)
        files = sorted(folder.glob("*.workload"))
        self.assertEqual(len(files), 2)
        for path in files:
            self.replay(path)

    def test_fork_copy(self):
        """The end of a copy of the process does not end the capture of its parent."""
        _, told = self.captured("fork-copy", "--first", "10")
        self.assertIn("11 of 11 launches", told)

    def test_crash(self):
        """A program that ends by a signal leaves what it launched before."""
        for mode, code in (("abort", SIGABRT), ("kill", SIGKILL)):
            folder, told = self.capture(mode, code=code)
            self.assertIn("10 of 10 launches", told)
            self.replay(folder / "capture.workload")

    def test_image(self):
        """What cannot be captured is named, with its share of the time."""
        _, told = self.captured("image")
        self.assertRegex(told, r"left out: 1 launches, \d+\.\d % of the time: images are arguments")
        self.assertIn("1 of 2 launches and 1 of 2 kernels", told)

    def test_events(self):
        """Commands that the host holds back are not waited for, and callbacks do not wait."""
        _, told = self.captured("events")
        self.assertIn("1 of 3 launches", told)
        self.assertIn("the host held commands back", told)
        self.assertIn("a callback launched them", told)

    def test_headers(self):
        """Headers that -I finds are copied with their places."""
        include = self.folder / "include"
        for name, text in (("outer/scale.h", '#include "../inner/more.h"\n'
                            "inline float scaled(float x, float by) { return x * by + MORE_OF(MORE); }\n"),
                           ("inner/more.h", "#define MORE_OF(x) (2 * (x))\n")):
            (include / name).parent.mkdir(parents=True, exist_ok=True)
            (include / name).write_text(text, encoding="utf-8")
        folder, _ = self.capture("headers")
        copied = {path.name for path in (folder / "headers").rglob("*.h")}
        self.assertEqual(copied, {"scale.h", "more.h"})
        options = program.sections(folder / "capture.workload")[0]["workload"]["options"].split()
        self.assertIn("-DMORE=1", options)
        for option in options:
            if option.startswith("-I"):
                self.assertTrue((folder / option[2:]).is_dir(), option)
        self.replay(folder / "capture.workload")

    def test_values(self):
        """Values of many types, one of which is no number, and a pointer to no buffer."""
        found, _ = self.captured("values")
        extents = [found["launch scale"][key] for key in ("global", "local", "offset")]
        self.assertEqual(extents, ["3968, 1", "64, 1", "128, 0"])
        arguments = found["launch scale"]["arguments"].split(", ", 6)
        self.assertEqual(arguments[:2] + arguments[3:4] + arguments[5:6], ["in", "out", "long -1", "null"])
        self.assertEqual(arguments[2][:24], "bytes 0x9a99993eff0f0000")
        self.assertRegex(arguments[4], "bytes 0x0000c0[f7]f")
        self.assertEqual(arguments[6], "double3 (0.1, -2, 0.7), short -3")


if __name__ == "__main__":
    unittest.main()
