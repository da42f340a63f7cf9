#!/usr/bin/env python3
"""perfmodel capture of CUDA programs without source: the PTX that the program loaded becomes the source. The driver is
tests/capture/cuda's, which needs no GPU. Fatbins that nvcc makes are tested if nvcc is installed.

cuda/kernels.ptx is what nvcc 13.0 makes of cuda/kernels.cu with -arch=compute_80, and with an instance of the template `sum`.

The arguments are the program tests/capture/cuda/program.c and the library of its kernels. SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import os
import pathlib
import random
import re
import shutil
import struct
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
import program
from seed import chosen_seed

PROGRAM, KERNELS = (pathlib.Path(sys.argv.pop(1)) for _ in range(2)) if len(sys.argv) > 2 else (None, None)
SOURCES = pathlib.Path(__file__).resolve().parent / "cuda"
PTX = (SOURCES / "kernels.ptx").read_text(encoding="utf-8")
INSTANCE = "template __global__ void sum<float, 64>(const float *, float *, int);\n"
MUTATIONS = 12
PTX_ENTRY, CUBIN_ENTRY = 1, 2


def entry(kind, arch, payload):
    """Returns an entry of a fatbin, not compressed."""
    payload += b"\0" * (-len(payload) % 8)
    return struct.pack("<HHIQIIHHIIIQQQ", kind, 0x101, 64, len(payload), 0, 64, 0, 9, arch, 0, 0, 0x11, 0, 0) + payload


def fatbin(*entries):
    """Returns a fatbin with these entries."""
    joined = b"".join(entries)
    return struct.pack("<IHHQ", 0xBA55ED50, 1, 16, len(joined)) + joined


def without(text, kernel):
    """Returns PTX text without a kernel."""
    begin = text.index(f".visible .entry {kernel}(")
    return text[:begin] + text[text.index("\n}\n", begin) + 3:]


class Images(program.Base):
    """Captures CUDA programs that load images."""

    def capture(self, image, *options, how="", mode="all", code=7):
        """Returns the folder, the document of --json, and standard error. image: what the program loads."""
        folder = self.folder / "c.perfmodel"
        shutil.rmtree(folder, ignore_errors=True)
        path = self.write("image", image)
        done = program.run("capture", "-o", folder, "--share", "100", "--first", "10", "--json", *options, "--", PROGRAM, KERNELS,
                           mode, path, how, environment={"LD_LIBRARY_PATH": str(KERNELS.parent)})
        self.assertEqual(done.returncode, code, done.stderr)
        for line in done.stderr.splitlines():
            self.assertRegex(line, "^(perfmodel: |done$)")
        return folder, json.loads(done.stdout[done.stdout.index("{"):]), done.stderr

    def check(self, folder, told, kernels=5):
        """The capture has PTX, of which the trace engine reproduces the captured results."""
        self.assertEqual(told["kernels_captured"], kernels)
        found, _ = program.sections(folder / "capture.workload")
        self.assertEqual(found["workload"]["source"], "capture.ptx")
        self.good("trace", folder, "--sample", "all", "--target", "h100")
        return found


class Capture(Images):
    """PTX, and fatbins that are not compressed."""

    def test_ptx(self):
        """Kernels have mangled names, sections short ones, and buffers the types of the mangled names. The value of a
        __constant__ variable is captured."""
        folder, told, errors = self.capture(PTX)
        found = self.check(folder, told)
        self.assertEqual((folder / "capture.ptx").read_text(encoding="utf-8"), PTX)
        self.assertEqual(found["launch sum"], {"kernel": "_Z3sumIfLi64EEvPKT_PS0_i", "grid": "16", "block": "64",
                                               "shared": "256", "arguments": "param_1, param_1_2 + 16, int 1000"})
        self.assertEqual(found["launch scale"]["arguments"], "param_0, param_1, bytes 0x0000003fe8030000")
        self.assertEqual(found["launch move"]["arguments"], "param_0_2, int 3, null")
        self.assertEqual(found["buffer param_0"]["type"], "float")
        self.assertEqual(found["buffer param_0_2"]["type"], "int2")
        self.assertEqual(found["symbol weights"]["count"], "16")
        self.assertNotIn("options", found["workload"])
        self.assertIn("without source and PTX (hidden): build them with `nvcc -gencode arch=compute_90,code=compute_90`", errors)
        predicted = self.json_of("predict", folder, "--target", "h100")["predictions"]
        self.assertIn("_Z3sumIfLi64EEvPKT_PS0_i", {row["kernel"] for row in predicted})

    def test_pointers(self):
        """Pointers in struct arguments and in memory become buffers and offsets."""
        folder, told, _ = self.capture(PTX, mode="pointers")
        found = self.check(folder, told, 2)
        self.assertEqual(found["launch linked"]["arguments"],
                         "bytes 0x00000000000000000100000000000000 (0: memory_2 + 256)")
        self.assertEqual(found["buffer param_0"]["pointers"], "0: memory, 8: memory + 256")

    def test_spare_contents(self):
        """Contents of large buffers that change no address and no branch are not stored, unless --all-contents is given."""
        folder, told, _ = self.capture(PTX, mode="large=36")
        found, _ = program.sections(folder / "capture.workload")
        self.assertEqual(told["kernels_captured"], 1)
        self.assertEqual(found["buffer param_0"], {"type": "float", "count": "9000000", "contents": "random 0, 1"})
        self.assertEqual(found["buffer param_1"], {"type": "float", "count": "9000000", "contents": "random 0, 1",
                                                   "output": "yes", "restore": "yes"})
        self.assertEqual(list((folder / "contents").glob("*")) if (folder / "contents").exists() else [], [])
        counted = self.json_of("trace", folder, "--target", "h100")
        folder, _, _ = self.capture(PTX, "--all-contents", mode="large=36")
        found, _ = program.sections(folder / "capture.workload")
        self.assertIn("contents/", found["buffer param_0"]["contents"])
        self.assertIn("contents/", found["buffer param_1"]["expected"])
        kept = self.json_of("trace", folder, "--target", "h100")
        self.assertEqual(counted, kept)

    def test_ways(self):
        """PTX that the program loads by a file's name, or gives to the driver's linker."""
        for how in ("file", "link"):
            with self.subTest(how):
                self.check(*self.capture(PTX, how=how)[:2])

    def test_fatbin(self):
        """Of a fatbin, the newest PTX that the device can run is taken, which is here for compute capability 9.0. A kernel
        that this PTX lacks comes from the next one."""
        newest = without(PTX.replace("sm_80", "sm_90"), "plain")
        folder, told, _ = self.capture(fatbin(
            entry(PTX_ENTRY, 100, PTX.replace("sm_80", "sm_100").encode()), entry(CUBIN_ENTRY, 90, b"\x7fELF"),
            entry(PTX_ENTRY, 70, PTX.encode()), entry(PTX_ENTRY, 90, newest.encode()), entry(PTX_ENTRY, 80, PTX.encode())))
        self.assertEqual(told["kernels_captured"], 5)
        self.assertEqual((folder / "capture.ptx").read_text(encoding="utf-8"), newest)
        self.assertEqual((folder / "capture_2.ptx").read_text(encoding="utf-8"), PTX)
        for name in ("capture", "capture_2"):
            self.good("trace", folder / f"{name}.workload", "--sample", "all")

    def test_machine_code(self):
        """Kernels of which there is only machine code are told with the option that adds PTX."""
        _, told, errors = self.capture(fatbin(entry(CUBIN_ENTRY, 90, b"\x7fELF")), code=2)
        self.assertEqual(told["captured"], 0)
        self.assertIn("without source and PTX (scale, sum<float, 64>, space::move", errors)

    def test_source_first(self):
        """A source that compiles is taken. Kernels that it lacks come from the PTX."""
        source = self.folder / "source"
        shutil.copytree(SOURCES, source)
        text = (source / "kernels.cu").read_text(encoding="utf-8")
        (source / "kernels.cu").write_text(text.replace(") plain(", ") other("), encoding="utf-8")
        folder, told, _ = self.capture(PTX, "--source", source)
        self.assertEqual(told["kernels_captured"], 5)
        self.assertEqual(program.sections(folder / "capture.workload")[0]["workload"]["source"], "capture.cu")
        found, _ = program.sections(folder / "capture_2.workload")
        self.assertEqual(found["workload"]["source"], "capture_2.ptx")
        self.assertEqual({name for name in found if name.startswith("launch")}, {"launch plain", "launch plain_2"})
        for name in ("capture", "capture_2"):
            self.good("trace", folder / f"{name}.workload", "--sample", "all")

    def test_refused_source(self):
        """If clang refuses the source, also only in an instance of a template, the PTX is the source. Names of parameters
        are those of the source."""
        for bad in ("no_such_type x", "typename T::none x"):
            with self.subTest(bad):
                source = self.folder / "source"
                shutil.rmtree(source, ignore_errors=True)
                shutil.copytree(SOURCES, source)
                text = (source / "kernels.cu").read_text(encoding="utf-8")
                (source / "kernels.cu").write_text(text.replace("extern __shared__", f"{bad}; extern __shared__"),
                                                   encoding="utf-8")
                folder, told, errors = self.capture(PTX, "--source", source)
                found = self.check(folder, told)
                self.assertIn("the PTX that the program loaded is the source in its place", errors)
                self.assertEqual(found["launch sum"]["arguments"], "out, sums + 16, int 1000")
                self.assertEqual({path.name for path in folder.iterdir()},
                                 {"capture.ptx", "capture.workload", "contents", "modules"})

    def test_damaged(self):
        """Damaged PTX and fatbins: messages of one line, and no crash."""
        whole = fatbin(entry(PTX_ENTRY, 90, PTX.encode()))
        for bad in (whole[:-2000] + b"\0" * 1000, PTX.replace(".reg", ".rig"), PTX.replace("(\n", "(\n)", 1), ".entry _Z5scalePKfPf5Setup"):
            _, told, errors = self.capture(bad, code=2)
            self.assertEqual(told["captured"], 0)
            self.assertRegex(errors, "PTX that perfmodel cannot read|without source and PTX")

    def test_mutations(self):
        """PTX and fatbins with random changes: a capture, or messages of one line."""
        seed = chosen_seed()
        chance = random.Random(seed)
        for _ in range(MUTATIONS):
            bad = bytearray(fatbin(entry(PTX_ENTRY, 80, PTX.encode()), entry(PTX_ENTRY, 90, PTX.encode())))
            for _ in range(chance.randrange(1, 6)):
                # half of the changes are in headers
                at = chance.randrange(len(bad) if chance.random() < 0.5 else 80)
                bad[at] = chance.choice(b"0123456789abcdef:,= -/.%_ZNEI\n\0\xff")
            path = self.write("image", bytes(bad))
            folder = self.folder / "m.perfmodel"
            shutil.rmtree(folder, ignore_errors=True)
            done = program.run("capture", "-o", folder, "--first", "1", "--", PROGRAM, KERNELS, "all", path,
                               environment={"LD_LIBRARY_PATH": str(KERNELS.parent)})
            self.assertIn(done.returncode, (2, 7), f"seed {seed}: {done.stderr}")
            for line in done.stderr.splitlines():
                self.assertRegex(line, "^(perfmodel: |done$)", f"seed {seed}: {done.stderr}")


NVCC = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")


@unittest.skipUnless(NVCC, "no nvcc")
class Nvcc(Images):
    """Fatbins of nvcc."""

    def compile(self, *options):
        """Returns a fatbin of the kernels."""
        source = self.folder / "kernels.cu"
        shutil.copytree(SOURCES / "include", self.folder / "include", dirs_exist_ok=True)
        source.write_text((SOURCES / "kernels.cu").read_text(encoding="utf-8") + INSTANCE, encoding="utf-8")
        program.output_of(NVCC, *options, "-o", self.folder / "x", source)
        return (self.folder / "x").read_bytes()

    def bare(self, text):
        """Returns PTX text without comments and white space, which nvcc leaves out in fatbins."""
        return "".join(re.sub("//.*", "", text.rstrip("\0")).split())

    def test_compressed(self):
        """All ways of compression give the PTX that nvcc -ptx writes, up to comments and white space."""
        text = self.compile("-ptx", "-arch=compute_80").decode()
        for mode in ("none", "size", "speed", "balance"):
            with self.subTest(mode):
                try:
                    image = self.compile("-fatbin", f"--compress-mode={mode}", "-gencode", "arch=compute_80,code=[sm_80,compute_80]")
                except RuntimeError:
                    self.skipTest("this nvcc has no --compress-mode")
                folder, told, _ = self.capture(image)
                self.check(folder, told)
                self.assertEqual(self.bare((folder / "capture.ptx").read_text(encoding="utf-8")), self.bare(text))

    def test_only_machine_code(self):
        """A fatbin without PTX."""
        self.capture(self.compile("-fatbin", "-gencode", "arch=compute_90,code=sm_90"), code=2)


if __name__ == "__main__":
    if os.environ.get("PERFMODEL") and PROGRAM:
        unittest.main(verbosity=0)
    sys.exit("PERFMODEL=build/bin/perfmodel test_capture_ptx.py PROGRAM KERNELS")
