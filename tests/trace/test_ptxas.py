#!/usr/bin/env python3
"""--ptxas with NVIDIA's own: all that kernels may do is assembled, and what it says of known kernels is what their source
says, or what the driver of an H200 told of them. Skips where there is no ptxas that knows the H200. PERFMODEL is the program;
ctest sets it. SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import DATASETS, Base, rows_of

WORKLOAD = """[workload]
name = assembled
source = assembled.cl
[size only]
n = 256
[buffer a]
type = float
count = n
contents = random 0, 1
[launch k]
global = n
local = 64
arguments = a, int 3
"""
LANGUAGE = """void kernel k(global float *a, int m)
{
    local float tile[1000];
    local int bins[24];
    size_t i = get_global_id(0);
    float c, x = a[i], s = sincos(x, &c), by_data[8];
    double d = x;
    for (int j = 0; j < 8; j++) by_data[j] = x + j;
    if (get_local_id(0) < 24) bins[get_local_id(0)] = 0;
    tile[get_local_id(0)] = native_sin(x) + native_cos(x) + native_exp(x) + native_log(x) + native_sqrt(x) + half_sin(x);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&bins[i % 24]);
    barrier(CLK_LOCAL_MEM_FENCE);
    x = sin(x) + cos(c) + tan(s) + exp(x) + log(x + 1) + pow(x, 1.5f) + exp10(x) + cbrt(x) + atan2(x, s) + fmod(x, 0.3f) + erf(x)
        + tgamma(x + 1) + x / (s + 2) + sqrt(x) + rsqrt(x + 1) + native_recip(x + 1) + as_float(popcount(m)) + native_tan(x);
    d = sin(d) + exp(d) + sqrt(d) / (d + 1);
    a[i] = x + d + tile[63 - get_local_id(0)] + bins[m] + by_data[(int)x & 7] + get_work_dim() + get_global_offset(0)
        + get_global_size(1) + mad_sat(m, m, m) + convert_float(mul_hi(m, 77777));
}
"""
SUMS = "void kernel k(global float *a, int m)\n{\n    float %s;\n    for (int j = 0; j < m; j++) {\n%s\n    }\n    a[0] = %s;\n}\n"
# Excluded kernels: NVIDIA's OpenCL unrolls them differently.
MEASURED = (("matmul_tiled", "local"), ("matmul_tiled", "nolocal"), ("dct8x8", "local"), ("dct8x8", "nolocal"),
            ("haar1d", "nolocal"), ("nbody", "local"), ("fdtd3d", "local"), ("fdtd3d", "nolocal"), ("sobel3x3", "local"),
            ("sobel3x3", "nolocal"), ("aes128", "nolocal"))


def find():
    """A ptxas, or None."""
    for path in (os.environ.get("PERFMODEL_PTXAS"), shutil.which("ptxas"), "/usr/local/cuda/bin/ptxas"):
        if path and pathlib.Path(path).exists():
            known = subprocess.run([path, "-arch", "sm_90", "-o", "/dev/null", "/dev/stdin"], check=False, text=True,
                                   capture_output=True, input=".version 5.0\n.target sm_20\n.address_size 64\n")
            return path if known.returncode == 0 else None
    return None


PTXAS = find()


class Assembled(Base):
    """Returns the kernels of a workload file, and of the suite."""

    def counters(self, *words):
        done = self.json_of("trace", *words, "--target", "h200", f"--ptxas={PTXAS}")
        for kernel in done["kernels"]:
            self.assertRegex(kernel["registers_source"], r"^ptxas \d+\.\d+\.\d+$")
        return {k["kernel"]: {n: k["counters"][n]["value"] for n in ("registers", "shared_bytes", "resident_groups")}
                for k in done["kernels"]}

    def of_source(self, source):
        self.write("assembled.cl", source)
        return self.counters("--workload", self.write("assembled.workload", WORKLOAD))["k"]

    def test_language(self):
        """No function of OpenCL C prevents LLVM or ptxas from compiling. Shared variables have the
        source's sizes."""
        counters = self.of_source(LANGUAGE)
        self.assertEqual(counters["shared_bytes"], 4 * (1000 + 24))
        self.assertGreater(counters["registers"], 20)

    def test_live_values(self):
        """Sums that are live in a loop take a register each."""
        for sums in (40, 100):
            names = [f"s{i}" for i in range(sums)]
            body = "\n".join(f"        {n} = {n} * {n} + a[j * {sums} + {i}];" for i, n in enumerate(names))
            body = body.replace(f"a[j * {sums} +", "a[(j & 1) +")
            registers = self.of_source(SUMS % (", ".join(f"{n} = {i}" for i, n in enumerate(names)), body, " * ".join(names)))
            self.assertGreater(registers["registers"], sums)
            self.assertLess(registers["registers"], 2 * sums + 32)

    def test_measured(self):
        """Registers of the suite agree with an H200's driver within 10 % in the median."""
        rows = rows_of(DATASETS / "h200.csv")
        off = []
        for program, variant in MEASURED:
            measured = {row["kernel"]: row for row in rows if (row["program"], row["variant"]) == (program, variant)}
            found = self.counters("--program", program, "--variant", variant, "--sample", "0.000001")
            self.assertLessEqual(set(found), set(measured))
            off += [abs(counters["registers"] / float(measured[kernel]["registers"]) - 1) for kernel, counters in found.items()]
        self.assertLess(statistics.median(off), 0.1, off)
        self.assertLess(max(off), 0.2, off)


if __name__ == "__main__":
    if not PTXAS:
        print("test_ptxas: skipped: no ptxas that knows sm_90 (PERFMODEL_PTXAS, PATH, /usr/local/cuda)")
        sys.exit(77)
    unittest.main()
