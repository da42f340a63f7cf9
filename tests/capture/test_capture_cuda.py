#!/usr/bin/env python3
"""perfmodel capture of CUDA programs: what is recorded of launches, and how sources are found. The driver is tests/capture/cuda's,
which needs no GPU; the program at the end is a real one, where there is a GPU and nvcc.

The arguments are the program tests/capture/cuda/program.c and the library of its kernels. SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
import program
from seed import chosen_seed

PROGRAM, KERNELS = (pathlib.Path(sys.argv.pop(1)) for _ in range(2)) if len(sys.argv) > 2 else (None, None)
SOURCES = pathlib.Path(__file__).resolve().parent / "cuda"
KILLED = 137
MUTATIONS = 40


class Capture(program.Base):
    """Captures CUDA programs with a stub driver that needs no GPU."""

    def capture(self, mode, *options, source=SOURCES, code=7, **environment):
        """Returns the folder, the document of --json, and standard error."""
        folder = self.folder / f"{mode}.perfmodel"
        words = ["--source", source] if source else []
        done = program.run("capture", "-o", folder, "--share", "100", "--json", *words, *options, "--", PROGRAM, KERNELS, mode,
                           environment={"LD_LIBRARY_PATH": str(KERNELS.parent), **environment})
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertFalse((folder / "records").exists())
        return folder, json.loads(done.stdout[done.stdout.index("{"):]), done.stderr

    def replay(self, folder):
        """The trace engine reproduces the captured results."""
        self.good("trace", folder, "--sample", "all", "--target", "h100")

    def test_all(self):
        """Captures templates, namespaces, C names, structs, parts of buffers, null pointers, shared
        memory, symbols, and arguments in one block."""
        folder, told, _ = self.capture("all", "--first", "10")
        found, comments = program.sections(folder / "capture.workload")
        self.assertEqual(told["launches"], 10)
        self.assertEqual(told["captured"], 8)
        self.assertEqual(told["kernels_captured"], 5)
        self.assertEqual(found["workload"]["source"], "capture.cu")
        self.assertEqual(found["workload"]["options"], "-Iheaders/1")
        self.assertEqual(found["launch scale"], {"grid": "16", "block": "64",
                                                 "arguments": "in, out, bytes 0x0000003fe8030000"})
        self.assertEqual(found["launch sum"], {"kernel": "sum<float, 64>", "grid": "16", "block": "64", "shared": "256",
                                               "arguments": "out, sums + 16, int 1000"})
        self.assertEqual(found["launch move_3"], {"kernel": "space::move", "grid": "4, 4", "block": "64, 1",
                                                  "arguments": "at, int 11, seen"})
        self.assertEqual(found["launch plain"]["arguments"], "at, uint 85")
        self.assertEqual(found["launch plain_2"]["arguments"], "at, uint 1")  # a kernel of a graph
        self.assertNotIn("expected", found["buffer at"])
        self.assertEqual(found["buffer at"]["type"], "int2")
        self.assertEqual(found["symbol weights"]["count"], "16")
        self.assertTrue(any("a GPU that is none" in line for line in comments))
        self.assertEqual((folder / "headers/1/include/setup.cuh").read_text(encoding="utf-8"),
                         (SOURCES / "include/setup.cuh").read_text(encoding="utf-8"))
        self.replay(folder)

    def test_expected_is_checked(self):
        """With another value of a symbol, the results differ from the captured ones."""
        folder, _, _ = self.capture("all")
        found, _ = program.sections(folder / "capture.workload")
        data, weights = self.unpacked(folder, found["symbol weights"]["contents"])
        data = bytearray(data)
        data[2] ^= 1
        weights.write_bytes(data)
        done = program.run("trace", folder, "--sample", "all")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("wrong result", done.stderr)

    def test_pointers(self):
        """Pointers in structs and in memory become buffers and offsets, and the results are reproduced."""
        folder, told, _ = self.capture("pointers", "--first", "10")
        found, _ = program.sections(folder / "capture.workload")
        self.assertEqual((told["launches"], told["captured"]), (3, 3))
        self.assertEqual(found["launch follow"]["arguments"], "rows, lists")
        self.assertEqual(found["buffer rows"]["pointers"], "0: memory, 8: memory + 256")
        self.assertEqual(found["buffer lists"]["pointers"], "0: memory_2 + 256, 16: memory_2")
        self.assertEqual(found["launch linked"]["arguments"],
                         "bytes 0x00000000000000000100000000000000 (0: memory_2 + 256)")
        self.assertEqual(found["buffer memory"]["output"], "yes")
        self.replay(folder)

    def test_left_out(self):
        """Launches that cannot be captured are reported with the reason and the remedy."""
        folder, told, errors = self.capture("all")
        reasons = {entry["why"]: entry["launches"] for entry in told["left_out"]}
        for part in ("without source and PTX (hidden)", "launched in clusters"):
            self.assertEqual(sum(count for why, count in reasons.items() if part in why), 1, reasons)
        self.assertIn("modules/", errors)
        kept = list((folder / "modules").iterdir())
        self.assertEqual([path.suffix for path in kept], [".ptx"])
        self.assertTrue(kept[0].read_text(encoding="utf-8").startswith("// no PTX"))

    def test_without_source(self):
        """Without --source, only the images that the program loaded are written."""
        folder, told, errors = self.capture("loop", source=None, code=2)
        self.assertEqual(told["workloads"], [])
        self.assertIn("without source and PTX (space::move)", errors)
        self.assertIn("-gencode arch=compute_90,code=compute_90", errors)
        self.assertTrue((folder / "modules").is_dir())

    def test_no_folder(self):
        """A missing folder of sources is refused."""
        done = program.run("capture", "-o", self.folder / "x", "--source", self.folder / "none", "--", PROGRAM, KERNELS,
                           environment={"LD_LIBRARY_PATH": str(KERNELS.parent)})
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("no such folder", done.stderr)

    def test_loop(self):
        """Launches that are linear in i become one section with the same grid."""
        folder, _, _ = self.capture("loop", "--first", "10")
        found, _ = program.sections(folder / "capture.workload")
        self.assertEqual(found["launch move"], {"kernel": "space::move", "grid": "4, 4", "block": "64, 1",
                                                "arguments": "at, int 3 + 2 * i, null", "repeat": "10"})
        self.replay(folder)

    def test_activity(self):
        """Times are those of CUPTI's records, of recorded launches and of all others."""
        folder, told, _ = self.capture("many", "--longest", "4", CUPTI_ACTIVITY="1")
        self.assertEqual([told["launches"], told["captured"], told["untimed"]], [500, 4, 0])
        self.assertAlmostEqual(told["time_s"], 500 * 1024e-9)
        self.assertIn("number 0 of the program, 1.024 us", (folder / "capture.workload").read_text(encoding="utf-8"))

    def test_choice(self):
        """--kernel takes the plain name of a mangled kernel name, --launches takes numbers."""
        _, told, _ = self.capture("all", "--kernel", "move", "--launches", "1:2")
        self.assertEqual(told["captured"], 1)
        self.assertEqual(told["launches"], 10)

    def test_killed(self):
        """If a signal ends the program, the launches before it are captured."""
        folder, told, _ = self.capture("killed", "--first", "4", code=KILLED)
        self.assertEqual(told["captured"], 4)
        self.replay(folder)

    def test_threads(self):
        """Threads launch at the same time. Each launch is counted, and recorded launches reproduce
        their results."""
        folder, told, _ = self.capture("threads", "--first", "20")
        self.assertEqual(told["launches"], 200)
        self.assertEqual(told["captured"], 20)
        self.replay(folder)

    def test_changed(self):
        """Launches that find other contents of __constant__ memory than the first launch are left
        out."""
        folder, told, errors = self.capture("changed")
        self.assertEqual(told["captured"], 1)
        self.assertIn("changed __constant__ memory", errors)
        self.replay(folder)

    def test_fails(self):
        """A launch that the driver refuses is not recorded. The next launches are."""
        folder, told, _ = self.capture("fails")
        self.assertEqual(told["launches"], 1)
        self.assertEqual(told["captured"], 1)
        self.replay(folder)

    def test_kernel_in_header(self):
        """A kernel in a header belongs to the file that includes the header. Files that define
        other kernels are not used."""
        source = self.folder / "source"
        shutil.copytree(SOURCES, source)
        text = (source / "kernels.cu").read_text(encoding="utf-8")
        (source / "kernels.cu").rename(source / "kernels.cuh")
        (source / "a.cu").write_text("__global__ void move(int *at) { at[0] = 1; }\n// " + text.replace("\n", "\n// "),
                                     encoding="utf-8")
        (source / "main.cu").write_text('#define WIDE 1\n#include "kernels.cuh"\n', encoding="utf-8")
        folder, told, _ = self.capture("all", source=source)
        self.assertEqual(told["kernels_captured"], 5)
        self.assertIn("#define WIDE 1", (folder / "capture.cu").read_text(encoding="utf-8"))
        self.assertTrue((folder / "headers/1/kernels.cuh").exists())
        self.replay(folder)

    def test_kernel_in_included_source(self):
        """Kernels in a .cu file that another one includes belong to the including file, whose macros
        they need. Headers in folders of -I outside of the sources are kept."""
        source, outside = self.folder / "parts", self.folder / "elsewhere/include"
        outside.mkdir(parents=True)
        source.mkdir()
        shutil.copy(SOURCES / "include/setup.cuh", outside)
        text = (SOURCES / "kernels.cu").read_text(encoding="utf-8")
        (source / "a_kernels.cu").write_text(text.replace('"include/setup.cuh"', "<setup.cuh>")
                                             .replace("weights[4]", "weights[WEIGHTS]"), encoding="utf-8")
        (source / "main.cu").write_text('#define WEIGHTS 4\n#include "a_kernels.cu"\nint main() { }\n',
                                        encoding="utf-8")
        folder, told, _ = self.capture("all", "--build-options", f"-I{outside}", source=source)
        self.assertEqual(told["kernels_captured"], 5)
        self.assertIn('#include "a_kernels.cu"', (folder / "capture.cu").read_text(encoding="utf-8"))
        self.assertEqual(len(list(folder.glob("headers/**/setup.cuh"))), 1)
        self.assertEqual(len(list(folder.glob("headers/**/a_kernels.cu"))), 1)
        self.replay(folder)

    def test_no_cupti(self):
        """Without CUPTI the program runs as usual, and perfmodel says why nothing was captured."""
        driver = self.folder / "driver"
        driver.mkdir()
        shutil.copy(KERNELS.parent / "libcuda.so.1", driver)
        places = {"LD_LIBRARY_PATH": str(driver), "CUDA_HOME": "", "CUDA_PATH": ""}
        done = program.run("capture", "-o", self.folder / "c", "--", PROGRAM, KERNELS, environment=places)
        self.assertEqual(done.returncode, 2, done.stderr)
        if "no CUPTI" not in done.stderr:
            self.skipTest("there is a CUPTI in /usr/local/cuda")


def records_of(folder, *words):
    """Runs the program with perfmodel's library, and returns the journal of its records, which no run of perfmodel has
    processed."""
    (layer,) = pathlib.Path(program.PERFMODEL).resolve().parent.parent.glob("lib*/**/libperfmodel-capture-cuda.so")
    (folder / "c" / "records").mkdir(parents=True)
    subprocess.run([PROGRAM, KERNELS, *words], check=False, stdout=subprocess.DEVNULL, env={
        **os.environ, "CUDA_INJECTION64_PATH": str(layer), "LD_LIBRARY_PATH": str(KERNELS.parent),
        "PERFMODEL_CAPTURE": str(folder / "c" / "records"),
        "PERFMODEL_CAPTURE_CHOICE": "longest=10 first=0 from=0 to=0 bytes=100000000 ms=60000 kernels="})
    (journal,) = folder.glob("c/records/*-cuda/journal")
    return journal


class Records(program.Base):
    """Malformed records are refused."""

    def test_garbage(self):
        """Malformed lines are refused with a message of one line."""
        journal = records_of(self.folder)
        good = journal.read_text(encoding="utf-8")
        for words, bad in (("symbol:weights:16:", "symbol:weights:0:"), ("symbol:weights:16:", "symbol:weights:99999999:"),
                           ("symbol:weights:16:", "symbol:weights"), ("shared:256", "shared:x"), ("module ptx ", "module exe "),
                           ("module ptx ", "module ptx ../"), ("symbol:weights:16:", "symbol:weights:16:/")):
            self.assertIn(words, good)
            journal.write_text(good.replace(words, bad, 1), encoding="utf-8")
            self.refused(["journal"], "capture", "-o", self.folder / "c", "--source", SOURCES)

    def test_mutations(self):
        """Journals with random changes: the result is a capture or a message of one line, and no
        file outside of the folder changes."""
        seed = chosen_seed()
        chance = random.Random(seed)
        journal = records_of(self.folder)
        good = journal.read_bytes()
        kept = self.folder / "kept"
        shutil.copytree(self.folder / "c", kept)
        for _ in range(MUTATIONS):
            bad = bytearray(good)
            for _ in range(chance.randrange(1, 4)):
                at = chance.randrange(len(bad))
                if chance.random() < 0.5:
                    bad[at] = chance.choice(b"0123456789abcdef:,= -/.%_ZNEI\n\0\xff")
                else:
                    del bad[at:at + chance.randrange(1, 20)]
            journal.write_bytes(bad)
            done = program.run("capture", "-o", self.folder / "c", "--source", SOURCES)
            self.assertIn(done.returncode, (0, 1, 2), f"seed {seed}: {done.stderr}")
            for line in done.stderr.splitlines():
                self.assertRegex(line, "^perfmodel: ", f"seed {seed}: {done.stderr}")
            self.assertEqual({path.name for path in self.folder.iterdir()}, {"c", "kept"}, f"seed {seed}")
            shutil.rmtree(self.folder / "c")
            shutil.copytree(kept, self.folder / "c")


def has_gpu():
    """Returns whether this machine has an NVIDIA GPU."""
    return shutil.which("nvidia-smi") and subprocess.run(["nvidia-smi", "-L"], check=False, capture_output=True).returncode == 0


class Device(program.Base):
    """A real program."""

    def test_device(self):
        """Kernels compiled by nvcc are captured on a GPU, and their replay gives the same
        results."""
        nvcc = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
        if not nvcc or not has_gpu():
            self.skipTest("no GPU with nvcc")
        shutil.copytree(SOURCES, self.folder / "source")
        with open(self.folder / "source/kernels.cu", "a", encoding="utf-8") as file:
            file.write(HOST)
        program.output_of(nvcc, "-o", self.folder / "app", self.folder / "source/kernels.cu")
        folder = self.folder / "c.perfmodel"
        self.good("capture", "-o", folder, "--source", self.folder / "source", "--first", "3", "--", self.folder / "app")
        found, _ = program.sections(folder / "capture.workload")
        self.assertEqual(found["launch sum"]["kernel"], "sum<float, 64>")
        self.good("collect", folder, "--counters", "none", "-o", self.folder / "x.csv")
        self.good("trace", folder, "--sample", "all")


HOST = r"""
int main()
{
    float values[1024], *in, *out, *sums, weights_[4] = {1, 2, 3, 4};
    for (int i = 0; i < 1024; i++)
        values[i] = i % 37 * 0.25f;
    cudaMalloc(&in, sizeof values);
    cudaMalloc(&out, sizeof values);
    cudaMalloc(&sums, 64);
    cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof values);
    cudaMemset(sums, 0, 64);
    cudaMemcpyToSymbol(weights, weights_, sizeof weights_);
    scale<<<16, 64>>>(in, out, Setup{0.5f, 1000});
    sum<float, 64><<<16, 64, 256>>>(out, sums, 1000);
    return cudaDeviceSynchronize() != cudaSuccess;
}
"""

if __name__ == "__main__":
    if os.environ.get("PERFMODEL") and PROGRAM:
        unittest.main(verbosity=0)
    sys.exit("PERFMODEL=build/bin/perfmodel test_capture_cuda.py PROGRAM KERNELS")
