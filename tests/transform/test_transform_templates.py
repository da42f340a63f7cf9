#!/usr/bin/env python3
"""CUDA kernels that are templates and take elements by reference, in other layouts and in shared memory: as their twins
without either, and compiled by nvcc where there is one.

PERFMODEL is the program; ctest sets it. SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import Base

KERNELS = pathlib.Path(__file__).parents[1] / "layout" / "cuda"
SOURCE = KERNELS / "templates.cu"
VARIANTS = ("aos", "soa", "aos-align", "asta:32", "shared:all@forces", "soa;shared:all_x+all_y@forces")
WORKLOAD = f"""[workload]
name = templates
source = {KERNELS}/%(source)s
options = -std=c++17

[size one]
n = 1024

[buffer all]
type = Particle
count = n
contents = random 0, 1
output = yes
restore = yes

[buffer order]
type = int
count = n
contents = each (i * 7) %% n

[buffer energy]
type = float
count = n
output = yes

[launch forces]
kernel = forces%(forces)s
grid = n / 128
block = 128
arguments = all, energy, int n

[launch move]
kernel = move%(move)s
grid = n / 64
block = 64
arguments = all, order, energy, float 0.5
"""
PLAIN = {"source": "functions.cu", "forces": "", "move": ""}
TEMPLATES = {"source": "templates.cu", "forces": "<float, 128, true>", "move": "<float>"}
NVCC = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
# A kernel that launches two instances of a template, and one with a reference.
LINES = """template <typename T>
__device__ T twice(T x)
{
    return x + x;
}
__global__ void sum(float *a, float *out, int n)
{
    const float &first = a[0];
    float s = twice(first) + twice(n);

    for (int j = 0; j < n; j++) {
        if (s > 9) break;
        s += a[j];
    }
    out[threadIdx.x] = s;
}
"""


class Templates(Base):
    def counts(self, variant, words):
        path = self.write("templates.workload", WORKLOAD % words)
        kernels = self.json_of("trace", "--target", "h100", "--variant", variant, path)["kernels"]
        return [{name: kernel["counters"][name] for name in ("gld_request", "gst_request", "gld_sector", "shared_load",
                                                             "shared_store")} for kernel in kernels]

    def test_like_the_twin(self):
        for variant in VARIANTS:
            self.assertEqual(self.counts(variant, TEMPLATES), self.counts(variant, PLAIN), variant)

    def test_results(self):
        path = self.write("templates.workload", WORKLOAD % TEMPLATES)
        told = self.good("advise", "--target", "h100", path, "--variant", VARIANTS[-1])
        self.assertIn("gives the right results", told.stdout + told.stderr)

    def test_text(self):
        path = self.write("templates.workload", WORKLOAD % TEMPLATES)
        text = self.good("transform", "--variant", VARIANTS[-1], path).stdout
        for part in ("static __device__ float square(float v)", "void push(float *p_x,", "void __launch_bounds__(128) forces(",
                     "all_x_tile[", "energy[i] = true ? sum * 2 : sum;", "add(energy[i], all_x[order[i]]);",
                     "add(all_vy[i], dt * energy[i]);", "all_colour[i].w = all_vy[i];"):
            self.assertIn(part, text)
        for part in ("template", "&p", "&o", "\v", "#line"):
            self.assertNotIn(part, text.split("*/", 2)[2])

    @unittest.skipUnless(NVCC, "no nvcc here")
    def test_nvcc(self):
        path = self.write("templates.workload", WORKLOAD % TEMPLATES)
        for number, variant in enumerate((VARIANTS[2], VARIANTS[4], VARIANTS[5])):
            made = self.write(f"made_{number}.cu", self.good("transform", "--variant", variant, path).stdout)
            done = subprocess.run([NVCC, "-ptx", "-arch=sm_90", "-o", os.devnull, made], capture_output=True, text=True,
                                  check=False)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_source_alone(self):
        words = "transform", "--build-options", "-std=c++17", "--layout", "soa", SOURCE
        self.refused([f"{SOURCE}:27: kernel forces is a template", "--kernel"], *words)
        done = self.good(*words, "--kernel", "forces<float, 64, false>")
        self.assertIn("void __launch_bounds__(64) forces(float *all_x", done.stdout)
        self.assertIn(f"{SOURCE}:40: kernel move is a template, of which no instance is named", " ".join(done.stderr.split()))
        self.refused(["--kernel is of a source"], "transform", "--variant", "soa", "--kernel", "move<float>",
                     self.write("templates.workload", WORKLOAD % TEMPLATES))

    def test_lines(self):
        path = self.write("sum.cu", LINES)
        done = self.good("transform", "--shared=out", "--work-group", "64", path)
        self.assertRegex(done.stderr, r"(?m)^sum +a +9-14 ")
        self.assertRegex(done.stderr, r"(?m)^sum +out +15 ")
        self.assertIn(f"{path}:9: a group accesses", done.stderr)


if __name__ == "__main__":
    unittest.main()
