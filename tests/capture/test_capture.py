#!/usr/bin/env python3
"""perfmodel capture: programs that use OpenCL in many ways are captured, go on as they would, and what is captured can
be run again with the results that it had.

The argument is the program tests/capture/captured.c. SPDX-License-Identifier: GPL-3.0-or-later
"""
import pathlib
import shutil
import subprocess
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
import program

CAPTURED = pathlib.Path(sys.argv.pop(1)) if len(sys.argv) > 1 else None
SIGKILL, SIGABRT = 137, 134


def plain_run(mode, cwd):
    """Returns the program's output, and its exit code as a shell reports it."""
    done = subprocess.run([CAPTURED, mode], check=False, capture_output=True, text=True, cwd=cwd)
    return done.stdout, done.returncode if done.returncode >= 0 else 128 - done.returncode


class Capture(program.Base):
    """Captures programs and checks the records."""

    def capture(self, mode, *options, code=None):
        """Captures a program, with all of its kernels. Returns the folder and perfmodel's standard
        error. The program's output and exit code must be the same as without capture."""
        folder = self.folder / f"{mode}.perfmodel"
        # PoCL 3.1 sometimes loses a launch in a queue that is out of order, with or without capture.
        for _ in range(3 if mode == "threads" else 1):
            shutil.rmtree(folder, ignore_errors=True)
            output, own_code = plain_run(mode, self.folder)
            done = program.run("capture", "-o", folder, "--share", "100", *options, "--", CAPTURED, mode, cwd=self.folder)
            if done.stdout == output:
                break
        self.assertEqual(done.stdout, output, done.stderr)
        self.assertEqual(done.returncode, own_code if code is None else code, done.stderr)
        self.assertFalse((folder / "records").exists())
        return folder, done.stderr

    def replay(self, path):
        """Both executors reproduce the captured results."""
        self.good("collect", "--workload", path, "--counters", "none", "-o", self.folder / "x.csv")
        self.assertGreater(len(program.rows_of(self.folder / "x.csv")), 0)
        (self.folder / "x.csv").unlink()
        self.good("trace", "--workload", path, "--sample", "all")

    def captured(self, mode, *options):
        """Returns the sections of the only workload file, which must replay."""
        folder, told = self.capture(mode, *options)
        self.assertEqual([path.name for path in folder.glob("*.workload")], ["capture.workload"], told)
        self.replay(folder / "capture.workload")
        return program.sections(folder / "capture.workload")[0], told

    def test_numbers(self):
        """Files are numbered in the order of the first launch of each source, not by time. Tables
        name the file of each row."""
        folder, told = self.capture("two-sources")
        self.assertIn("__kernel void quick", (folder / "capture.cl").read_text(encoding="utf-8"), told)
        self.assertIn("__kernel void slow", (folder / "capture_2.cl").read_text(encoding="utf-8"))
        words = " ".join(self.good("predict", "--target", "a100", folder).stdout.split())
        self.assertIn("two-sources_2 is of", words)
        self.assertRegex(words, r"capture_2\.workload")

    def test_plain(self):
        """Captures one launch. Buffers whose elements are equal need no file with contents."""
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
        self.assertEqual(len(contents), 2)
        for path in contents:
            self.assertLess(path.stat().st_size, 4 * 4096)
            self.assertEqual(len(self.unpacked(path.parents[1], f"file contents/{path.name}")[0]), 4 * 4096)
        self.replay(self.folder / "plain.perfmodel" / "capture.workload")

    def test_expected_is_checked(self):
        """Results that differ from the captured ones are reported."""
        folder, _ = self.capture("plain")
        found, _ = program.sections(folder / "capture.workload")
        data, expected = self.unpacked(folder, found["buffer out"]["expected"])
        data = bytearray(data)
        data[41] ^= 1
        expected.write_bytes(data)
        done = program.run("trace", "--workload", folder / "capture.workload", "--sample", "all")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("out[10]", done.stderr)

    def test_loop(self):
        """Launches whose arguments are linear in i and whose buffers alternate become one
        section."""
        found, _ = self.captured("loop")
        self.assertEqual(found["launch relax"], {"global": "4096", "local": "64", "repeat": "10",
                                                 "arguments": "now|next, next|now, int 3 + 2 * i, local 256"})
        self.assertEqual([name for name in found if name.startswith("launch")], ["launch relax"])

    def test_two_kernels(self):
        """Kernels that alternate, and a work-group size that the driver chose."""
        found, told = self.captured("two-kernels", "--first", "5")
        self.assertEqual(found["launch relax"]["repeat"], "5")
        self.assertEqual(found["launch scale"]["repeat"], "with relax")
        self.assertEqual(4096 % int(found["launch scale"]["local"]), 0)
        self.assertIn("10 of 20 launches", told)
        self.assertIn("they were not chosen", told)

    def test_sparse(self):
        """Only pages that the launch reads or writes in part are kept, and the results are still
        checked."""
        folder, told = self.capture("sparse")
        found, comments = program.sections(folder / "capture.workload")
        self.assertEqual(found["buffer all"]["contents"], "zeros", told)
        self.assertIn("# launches read 5 of 2048 pages of 4096 bytes; the others are zeros here", comments)
        self.assertIn("# launches read 0 of 2048 pages of 4096 bytes; the others are zeros here", comments)
        self.assertIn("# launches read 10 of 2048 pages of 4096 bytes; the others are zeros here", comments)
        self.assertLess(sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()), 500e3)
        self.replay(folder / "capture.workload")
        data, path = self.unpacked(folder, found["buffer table"]["contents"])
        path.write_bytes(bytes(4) + data[4:])
        done = program.run("trace", folder, "--sample", "all")
        self.assertIn("all[0] is", done.stderr)

    def test_sub_buffers(self):
        """Parts of a buffer become buffers. The whole buffer has the data written to a part."""
        found, told = self.captured("sub-buffers")
        self.assertIn("3 of 3 launches", told)
        self.assertEqual(found["buffer in"]["contents"], "constant 1.5")
        self.assertEqual(sorted(section["count"] for name, section in found.items() if name.startswith("buffer")),
                         ["4096"] * 3 + ["8192"])

    def test_overlaps(self):
        """Overlapping parts become one buffer. The launch uses it from the second element on."""
        found, _ = self.captured("overlaps")
        self.assertEqual(found["buffer in"]["count"], str(4096 * 5 // 4))
        self.assertEqual(found["launch scale"]["arguments"], "in, in + 1024, float 3, int 1024")

    def test_maps(self):
        """Data that the host writes between launches are recorded, even if the host may not read
        the mapping."""
        found, told = self.captured("maps")
        self.assertIn("3 of 3 launches", told)
        self.assertEqual(sum(name.startswith("buffer out") for name in found), 2)

    def test_threads(self):
        """Two threads with a queue each; one queue is out of order."""
        found, told = self.captured("threads", "--first", "20")
        self.assertIn("20 of 20 launches", told)
        self.assertEqual(sum("expected" in section for section in found.values()), 2)

    def test_fork(self):
        """A child process that runs another program is captured, too."""
        folder, told = self.capture("fork-child")
        self.assertIn("11 of 11 launches and 2 of 2 kernels", told)
        files = sorted(folder.glob("*.workload"))
        self.assertEqual(len(files), 2)
        for path in files:
            self.replay(path)

    def test_fork_copy(self):
        """The end of a forked process does not end the capture of its parent."""
        _, told = self.captured("fork-copy", "--first", "10")
        self.assertIn("11 of 11 launches", told)

    def test_crash(self):
        """If a program ends by a signal, its earlier launches are recorded."""
        for mode, code in (("abort", SIGABRT), ("kill", SIGKILL)):
            folder, told = self.capture(mode, code=code)
            self.assertIn("10 of 10 launches", told)
            self.replay(folder / "capture.workload")

    def test_image(self):
        """Launches that cannot be captured are named, with their fraction of the time."""
        _, told = self.captured("image")
        self.assertRegex(told, r"left out: 1 launches, \d+\.\d % of the time: images are arguments")
        self.assertIn("1 of 2 launches and 1 of 2 kernels", told)

    def test_events(self):
        """Capture does not wait for commands that the host holds back, and callbacks do not wait
        for capture."""
        _, told = self.captured("events")
        self.assertIn("1 of 3 launches", told)
        self.assertIn("the host held commands back", told)
        self.assertIn("a callback launched them", told)

    def test_headers(self):
        """Headers that -I finds are copied into the same relative folders."""
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

    def test_macro_header(self):
        """A source that includes a header by a macro is preprocessed, so that it needs no header."""
        header = self.folder / "include" / "outer" / "scale.h"
        header.parent.mkdir(parents=True)
        header.write_text("inline float scaled(float x, float by) { return x * by + MORE; }\n", encoding="utf-8")
        folder, told = self.capture("macro-header")
        source = (folder / "capture.cl").read_text(encoding="utf-8")
        self.assertIn("return x * by + 1;", source, told)
        self.assertNotIn("#include", source)
        self.assertNotIn("# 1 ", source)
        self.assertFalse((folder / "headers").exists())
        header.unlink()
        self.replay(folder / "capture.workload")

    def test_largest_group(self):
        """The largest work-groups of a CPU's driver are larger than a GPU's. Captured programs see a GPU's limit."""
        found, _ = self.captured("largest-group")
        self.assertLessEqual(int(found["launch scale"]["local"]), 1024)

    def test_svm(self):
        """Shared virtual memory becomes buffers. A copy between launches changes the contents."""
        found, told = self.captured("svm")
        self.assertIn("2 of 2 launches", told)
        self.assertEqual(found["launch scale"]["arguments"], "in + 2048, out, float 2, int 2048")
        self.assertEqual(found["launch scale_2"]["arguments"], "in_2 + 2048, out, float 2, int 2048")
        self.assertEqual(sum(name.startswith("buffer") for name in found), 3)

    def test_svm_pointers(self):
        """Pointers in shared virtual memory lead to buffers, also within one allocation. Only traces follow them."""
        folder, told = self.capture("svm-pointers")
        self.assertIn("1 of 1 launches", told)
        found, _ = program.sections(folder / "capture.workload")
        self.assertEqual(found["launch walk"]["arguments"], "l, out")
        self.assertEqual(found["buffer l"]["pointers"], "0: memory")
        self.assertEqual(found["buffer memory"]["pointers"],
                         "0: memory + 16, 8: memory_2, 16: memory + 32, 24: memory_3, 40: memory_4")
        self.good("trace", folder, "--sample", "all")

    def test_values(self):
        """Values of many types, one of them NaN, and a null pointer."""
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
