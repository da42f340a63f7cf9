#!/usr/bin/env python3
"""--ptxas with programs that are not NVIDIA's: what they say is taken for what it is, and one that is broken in any way
ends the command with one line and code 2. A kernel or a GPU that it refuses keeps its estimates, with a notice.
PERFMODEL is the program; ctest sets it. SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import DATASETS, Base, rows_of, write_rows

# Two kernels, one of them with shared memory of its own.
WORDS = ["trace", "--program", "matmul_tiled", "--variant", "local", "--size", "512", "--sample", "0.001", "--target", "h200"]
VERSION = """echo 'ptxas: NVIDIA (R) Ptx optimizing assembler'
echo 'Cuda compilation tools, release 99.1, V99.1.2'"""
# A ptxas that reports USED for each kernel of the PTX on its standard input.
KERNELS = """for k in $(sed -n 's/^\\.visible \\.entry \\([A-Za-z0-9_]*\\)(.*/\\1/p'); do
    echo "ptxas info    : Compiling entry function '$k' for 'sm_90'" >&2
    echo "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads" >&2
    echo "ptxas info    : Used %s" >&2
done"""
HANGS = "sleep 600"


class Fake(Base):
    """Installs a script in place of ptxas."""

    def ptxas(self, body, version=VERSION):
        path = self.write("ptxas", f"#!/bin/sh\nif [ \"$1\" = --version ]; then\n{version}\nexit 0\nfi\n{body}\n")
        path.chmod(0o755)
        return path

    def counters(self, *words, **named):
        """Returns registers, shared bytes and resident work-groups, and their source."""
        kernel = self.json_of(*WORDS, *words, **named)["kernels"][0]
        names = ("registers", "shared_bytes", "resident_groups")
        return [kernel["counters"][name]["value"] for name in names], kernel["registers_source"]


class Told(Fake):
    def test_what_it_says_is_taken(self):
        for used, expected in (("128 registers, used 1 barriers, 2048 bytes smem", [128, 2048, 2]),
                               ("40 registers, used 1 barriers, 32768 bytes smem, 400 bytes cmem[0]", [40, 32768, 6]),
                               ("16 registers", [16, 0, 8])):
            with self.subTest(used=used):
                path = self.ptxas(KERNELS % used)
                self.assertEqual(self.counters(f"--ptxas={path}"), (expected, "ptxas 99.1.2"))
                self.assertEqual(self.counters("--ptxas", environment={"PERFMODEL_PTXAS": str(path)}),
                                 (expected, "ptxas 99.1.2"))

    def test_spills_are_told(self):
        kernels = (KERNELS % "255 registers").replace("0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads",
                                                      "24 bytes stack frame, 16 bytes spill stores, 20 bytes spill loads")
        done = self.good(*WORDS, f"--ptxas={self.ptxas(kernels)}")
        self.assertIn("matmul_tiled: by ptxas 99.1.2 it spills registers (16 bytes of stores, 20 of loads, a stack frame of 24)",
                      done.stderr)

    def test_found_in_the_search_path(self):
        self.ptxas(KERNELS % "77 registers")
        path = f"{self.folder}:/usr/bin:/bin"
        self.assertEqual(self.counters("--ptxas", environment={"PATH": path, "PERFMODEL_PTXAS": ""})[1], "ptxas 99.1.2")

    def test_only_when_asked_for(self):
        path = self.ptxas(KERNELS % "128 registers")
        found = self.counters(environment={"PERFMODEL_PTXAS": str(path)})
        self.assertEqual(found[1], "estimate")
        self.assertNotEqual(found[0][0], 128)

    def test_the_same_bytes(self):
        path = self.ptxas(KERNELS % "96 registers, 4096 bytes smem")
        first, second = (self.good(*WORDS, f"--ptxas={path}", "--json").stdout for _ in range(2))
        self.assertEqual(first, second)

    def test_advice_says_it(self):
        path = self.ptxas(KERNELS % "48 registers")
        words = ["advise", "--target", "h100", "--program", "idw", "--size", "4096", "--variant", "soa", "--sample", "0.01"]
        for more, expected in (([], "estimate"), ([f"--ptxas={path}"], "ptxas 99.1.2")):
            choices = self.json_of(*words, *more)["choices"]
            self.assertEqual({choice["registers_source"] for choice in choices}, {expected})

    def test_prediction_says_it(self):
        path = self.ptxas(KERNELS % "48 registers")
        words = ["predict", "--target", "h200", "--from", "h100", "--program", "copy", "--size", "16", "--variant", "float"]
        self.assertIsNone(self.json_of(*words, f"--ptxas={path}")["registers_source"])  # nothing is traced
        write_rows(self.folder / "devices.csv", [
            {**row, "device": {"t4": "mygpu"}.get(row["device"], row["device"])} for row in rows_of(DATASETS / "devices.csv")])
        words += ["--sample", "0.01", "--datasets", self.folder]
        words[2] = "mygpu"
        for more, expected in (([], "estimate"), ([f"--ptxas={path}"], "ptxas 99.1.2")):
            self.assertEqual(self.json_of(*words, *more)["registers_source"], expected)


class Provenance(Fake):
    def collect(self, *more):
        return ["collect", "--device", "none", "--counters", "trace", "--target", "h200", "--program", "copy",
                "--size", "16", "--variant", "float", "--sample", "0.01", "-o", self.folder / "c.csv", *more]

    def test_runs_say_it_and_do_not_mix(self):
        path = self.ptxas(KERNELS % "48 registers")
        self.good(*self.collect(f"--ptxas={path}"))
        self.good(*self.collect(f"--ptxas={path}"))
        runs = json.loads((self.folder / "c.json").read_text(encoding="utf-8"))["runs"]
        self.assertEqual([run["registers_source"] for run in runs], ["ptxas 99.1.2"] * 2)
        self.refused(["c.json:1", "registers are by ptxas 99.1.2, not estimate"], *self.collect())

    def test_not_for_hardware_counters(self):
        self.refused(["--ptxas"], "collect", "--device", "none", "--counters", "none", "--ptxas", "--program", "copy")


class Refused(Fake):
    """Estimates stay."""

    def notice(self, words, path, target="h200"):
        arguments = [*WORDS[:-1], target, "--json"]
        without = json.loads(self.good(*arguments).stdout)
        done = self.good(*arguments, f"--ptxas={path}")
        self.assertEqual(json.loads(done.stdout), without)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        for word in ["registers are estimated", *words]:
            self.assertIn(word, done.stderr)

    def test_a_gpu(self):
        message = "ptxas fatal   : Value 'sm_90' is not defined for option 'gpu-name'"
        self.notice(["h200", "ptxas 99.1.2", message], self.ptxas(f"echo \"{message}\" >&2; exit 255"))

    def test_a_gpu_of_no_capability(self):
        self.notice(["hd5870", "compute_capability"], self.ptxas(KERNELS % "48 registers"), "hd5870")

    def test_a_kernel(self):
        message = "ptxas error   : Entry function 'k' uses too much shared data (0x1 bytes, 0x0 max)"
        path = self.ptxas(f"grep -q entry || exit 0\necho \"{message}\" >&2; exit 255")
        self.notice(["matmul_tiled", message], path)


class Broken(Fake):
    """One line, code 2."""

    def wrong(self, words, path, **named):
        self.refused(words, *WORDS, f"--ptxas={path}", **named)

    def test_not_there(self):
        self.wrong(["none/ptxas", "No such file", "--ptxas"], self.folder / "none" / "ptxas")
        self.wrong(["Permission denied"], self.folder)
        self.wrong(["Permission denied"], self.write("file", VERSION))
        self.wrong(["too long"], "x" * 5000)

    def test_no_version(self):
        for body in ("exit 1", "true", "printf 'release \\377\\376, V'", "echo ptxas release 12, Vx", "echo release 12.9, V12.9.1",
                     "head -c 100000 /dev/zero"):
            with self.subTest(body=body):
                self.wrong(["does not answer --version"], self.ptxas("true", version=body))

    def test_endless_version(self):
        self.wrong(["MiB of output"], self.ptxas("true", version="exec yes"))

    def test_silent_failure(self):
        self.wrong(["does not say why"], self.ptxas("exit 1"))
        self.wrong(["signal"], self.ptxas("kill -SEGV $$"))

    def test_senseless_kernels(self):
        for body in ("true", "echo Used 12 registers", "head -c 3000000 /dev/urandom >&2", "yes ptxas | head -c 3000000 >&2",
                     "echo \"Compiling entry function '\" >&2", KERNELS % "no registers",
                     KERNELS % "0 registers", KERNELS % "99999999999999999999999 registers", KERNELS % "-3 registers",
                     KERNELS.replace("$k", "other") % "48 registers", KERNELS.replace("$k", "k" * 3000) % "48 registers"):
            with self.subTest(body=body[:60]):
                self.wrong(["does not say how many registers", "matmul_tiled"], self.ptxas(body))

    def test_hanging(self):
        limits = {"PERFMODEL_WORKER_SECONDS": "2"}
        self.wrong(["was ended after 2 s"], self.ptxas("true", version=HANGS), environment=limits)
        self.wrong(["was ended after 2 s"], self.ptxas(HANGS), environment=limits)
        self.wrong(["was ended after 2 s"], self.ptxas("exec yes >&2"), environment=limits)


if __name__ == "__main__":
    sys.exit(unittest.main())
