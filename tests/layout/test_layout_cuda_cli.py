#!/usr/bin/env python3
"""perfmodel transform, trace and advise with layouts of CUDA sources, as their users meet them.

PERFMODEL is the program, CC a C compiler; ctest sets them. SPDX-License-Identifier: GPL-3.0-or-later
"""
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import CC, Base, rows_of

KERNELS = pathlib.Path(__file__).parent / "cuda"
LAYOUTS = ("aos-align", "aos-align8", "soa", "asta:32", "cluster:x+y+z/mass+colour/tag+id+spin",
           "cluster-align:x+y+z+id/spin+mass/colour+tag")
WORKLOAD = f"""[workload]
name = bodies
source = {KERNELS}/bodies.cu

[size small]
n = 1000

[buffer bodies]
type = Body
count = n
contents = each i % 100
output = yes
restore = yes

[launch move]
kernel = move
grid = (n + 255) / 256
block = 256
arguments = bodies, int n, float 0.5
"""
# Packs and unpacks bodies and compares the result with the input.
ROUND_TRIP = """
#include <stdio.h>
#include <stdlib.h>
#include "Body_layout.h"
int main(void)
{
    enum { N = 70 };
    static Body in[N], out[N];
    Body_parts parts;

    for (size_t i = 0; i < sizeof in; i++)
        ((unsigned char *)in)[i] = (unsigned char)(i * 131 %% 251);
    memcpy(out, in, sizeof in);
%s
    Body_pack(in, N, &parts);
    for (size_t i = 0; i < N; i++)
        out[i].x = out[i].z = 0, out[i].mass = 0, out[i].id = 0, out[i].tag[2] = 0;
    Body_unpack(out, N, &parts);
    for (size_t i = 0; i < N; i++)
        if (memcmp(&in[i].x, &out[i].x, 4) || memcmp(&in[i].mass, &out[i].mass, 8) ||
            memcmp(&in[i].z, &out[i].z, 4) || in[i].id != out[i].id || in[i].tag[2] != out[i].tag[2])
            return 1;
    return 0;
}
"""


class Layouts(Base):
    """A file with kernel and host code."""

    def test_files(self):
        """The output is the whole file, and a header that compiles as C and as C++."""
        for i, layout in enumerate(LAYOUTS):
            with self.subTest(layout=layout):
                out = self.folder / str(i)
                document = self.json_of("transform", "-o", out, "--layout", layout, KERNELS / "bodies.cu")
                kernel, header = document["files"]
                self.assertRegex(kernel, r"/bodies_[\w-]+\.cu$")
                self.assertTrue(header.endswith("/Body_layout.h"))
                text = pathlib.Path(kernel).read_text(encoding="utf-8")
                self.assertIn("std::vector<Body> bodies(1000);", text)
                self.assertNotIn("bodies[i].mass *= 2", text)
                self.assertIn("host code launches kernels", document["assumptions"][0])
                for language in ("c", "c++"):
                    self.round_trip(out, document["headers"][0]["text"], language)

    def round_trip(self, folder, header, language):
        """The output compiles without a warning and gives the same results."""
        names = [line.split()[3].split("_bytes_")[1].split("(")[0] for line in header.splitlines()
                 if line.startswith("static inline size_t Body_bytes_")]
        takes = "".join(f"    {{ void *room = malloc(Body_bytes_{name}(N)); memcpy(&parts."
                        f"{'part_' if name.isdigit() else ''}{name}, &room, sizeof room); }}\n"
                        for name in names)
        main = folder / "main.c"
        main.write_text(ROUND_TRIP % takes, encoding="utf-8")
        done = subprocess.run([CC, "-x", language, "-Wall", "-Wextra", "-Werror", "-Wno-unused-function",
                               "-o", folder / "main", main], check=False, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(subprocess.run([folder / "main"], check=False).returncode, 0)

    def test_workload(self):
        """Layouts of a workload are variants, which give the same results as the plain version."""
        workload = self.write("bodies.workload", WORKLOAD)
        out = self.folder / "out.csv"
        arguments = [word for layout in LAYOUTS for word in ("--variant", layout)]
        self.good("collect", "--device", "none", "--counters", "trace", "--target", "h200", workload,
                  "--variant", "aos", *arguments, "-o", out)
        self.assertEqual({row["variant"] for row in rows_of(out)}, {"aos", *LAYOUTS})
        plain = [row for row in rows_of(out) if row["variant"] == "aos"][0]
        soa = [row for row in rows_of(out) if row["variant"] == "soa"][0]
        self.assertLess(float(soa["gld_sector"]), 0.7 * float(plain["gld_sector"]))

    def test_advice(self):
        """Only layouts whose results were right in the trace engine are proposed."""
        workload = self.write("bodies.workload", WORKLOAD)
        document = self.json_of("advise", "--target", "h200", workload, "--clusters", "1")
        self.assertIn("soa", [choice["variant"] for choice in document["choices"]])
        self.assertEqual(document["checked"], "trace" if document["best"] != "aos" else "no")

    def test_header(self):
        """A user's header may contain host code and include headers that only a host has."""
        self.write("point.cuh", "#pragma once\n#include <math.h>\n#include <vector>\n#include \"scale.h\"\n"
                                "struct Point { float x, y; };\nstd::vector<Point> read(const char *path);\n")
        self.write("scale.h", "#include <stdio.h>\n#define SCALE 2.0f\n")
        source = self.write("points.cu", "#include \"point.cuh\"\n__global__ void k(Point *points)\n{\n"
                                         "    points[threadIdx.x].x *= SCALE;\n}\n")
        out = self.good("transform", "--layout", "soa", source).stdout
        self.assertIn('#include "point.cuh"', out)
        self.assertIn("__global__ void k(float *points_x, float *points_y)", out)
        self.assertIn("points_x[threadIdx.x] *= SCALE;", out)

    def test_kernel_in_a_header(self):
        """If the struct is in another file, that file is written out, too."""
        self.write("kernel.cuh", "#include <math.h>\nstruct Point { float x, y; };\n__global__ void k(Point *points)\n{\n"
                                 "    points[threadIdx.x].x = fabsf(points[threadIdx.x].y);\n}\n")
        source = self.write("points.cu", "#include \"kernel.cuh\"\n#include <vector>\nint main() { std::vector<int> v; }\n")
        out = self.good("transform", "--layout", "soa", source).stdout
        self.assertIn("__global__ void k(float *points_x, float *points_y)", out)
        self.assertIn("points_x[threadIdx.x] = fabsf(points_y[threadIdx.x]);", out)
        self.assertNotIn("vector", out)

    def test_wrong(self):
        """Errors are one line with file and line, and no output file remains."""
        reference = self.write("reference.cu", "struct P { float x, y; };\n__global__ void k(P *p)\n{\n"
                                               "    float &r = threadIdx.x > 3 ? p[1].x : p[0].x;\n    r = 1;\n}\n")
        self.refused([f"{reference}:4: ", "a reference to an element", "use a pointer"],
                     "transform", "--layout", "soa", reference)
        self.refused([f"{KERNELS}/bodies.cu:23: ", "--work-group"], "transform", "--shared", KERNELS / "bodies.cu")
        workload = self.write("wrong.workload", WORKLOAD.replace("int n, float 0.5", "int n"))
        self.refused(["wrong.workload:", "kernel move takes 3 arguments, given are 2"], "trace", "--target",
                     "h200", workload)


if __name__ == "__main__":
    unittest.main()
