#!/usr/bin/env python3
"""perfmodel transform --shared of CUDA sources: the forms that ids have, what is left as it is, and what of C++ is
refused with its line. Results and counts are held against OpenCL C's in test_trace_shared_cuda.c, random programs in
test_staging_random.

PERFMODEL is the program; ctest sets it. SPDX-License-Identifier: GPL-3.0-or-later
"""
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import Base

# A kernel that sums all elements, for which a tile pays. `before` is code around the loop, `body`
# code in it.
SUM = """%(before)s
__global__ void sum(%(array)s, float *out, int n)
{
    const int i = %(id)s;
    float s = 0;
    %(first)s
    for (int j = 0; j < n; j++)
        %(body)s
    %(last)s
    out[i] = s;
}
"""
PLAIN = {"before": "", "array": "float *a", "id": "blockIdx.x * blockDim.x + threadIdx.x", "first": "",
         "body": "s += a[j];", "last": ""}
LINES = {"first": 6, "body": 8, "last": 9}  # with one line of `before`
# Expressions that all compute the global index of a thread.
IDS = ("blockIdx.x * blockDim.x + threadIdx.x", "threadIdx.x + blockDim.x * blockIdx.x", "blockIdx.x * 64 + threadIdx.x",
       "(int)threadIdx.x + (int)blockIdx.x * (int)blockDim.x", "int(blockIdx.x) * 64 + int(threadIdx.x)",
       "static_cast<int>(blockIdx.x * blockDim.x) + static_cast<int>(threadIdx.x)",
       "threadIdx.x + __umul24(blockIdx.x, 64) * 0 + blockIdx.x * blockDim.x")
# Difference from the plain kernel, line that the refusal names, and words of the reason.
REFUSED = (
    ({"before": "__device__ void bump(float &x) { float *p = &x; *p += 1; }", "last": "bump(a[i]);"}, "last",
     "by reference"),
    ({"first": "float &own = i > 3 ? a[i] : a[0];", "last": "own = s;"}, "first", "by reference"),
    ({"before": "__device__ void step(float *&p) { p++; }", "first": "step(a);"}, "first", "references"),
    ({"first": "auto put = [&](float v) { a[i] = v; };", "last": "put(s);"}, "first", "lambda"),
    ({"body": "s += __ldg(&a[j]);"}, "body", "not in the source"),
    ({"last": "atomicAdd(&a[i], s);"}, "last", "changed by an atomic function"),
    ({"first": "const int *b = reinterpret_cast<int *>(a);", "body": "s += b[j];"}, "first", "another type"),
    ({"first": "goto end;", "last": "end:;"}, None, "goto"),
)


WORKLOAD = """[workload]
name = sum
source = sum.cu
[size one]
n = 256
[buffer a]
type = float
count = n
[buffer out]
type = float
count = n
output = yes
[launch sum]
kernel = sum
grid = n / 64
block = 64
shared = %d
arguments = a, out, int n
"""


def kernel(**changes):
    return SUM % {**PLAIN, **changes}


class Cuda(Base):
    def words(self, source):
        return "transform", "--shared", "--work-group", "64", self.write("sum.cu", source)

    def staged(self, source):
        return self.good(*self.words(source)).stdout

    def table(self, source):
        done = self.good(*self.words(source), "--analyse", environment={"COLUMNS": "200"})
        return done.stdout + done.stderr

    def test_forms_of_ids(self):
        for spelled in IDS[:-1]:
            text = self.table(kernel(id=spelled, body="s += a[j] * a[i];"))
            self.assertIn("64 * blockIdx.x", text, spelled)
        text = self.table(kernel(id=IDS[-1], body="s += a[j] * a[i];"))
        self.assertNotIn("64 * blockIdx.x + (0..63)", text)  # a product that is not analysed

    def test_what_is_written(self):
        text = self.staged(kernel())
        for line in ("    __shared__ float a_tile[64];", "    const int lx = threadIdx.x;",
                     "        __syncthreads();", "            s += a_tile[j - j_first];"):
            self.assertIn(line + "\n", text)
        for word in ("barrier(", "__local", "get_", "reqd_work_group_size"):
            self.assertNotIn(word, text)

    def test_a_guard(self):
        text = self.staged(kernel(first="if (i >= n) return;", last="s += __shfl_down_sync(0xffffffffu, s, 1);"))
        self.assertIn("const bool active = i < n;", text)
        self.assertNotIn("return", text)
        self.assertRegex(text, r"if \(active\)\s+s \+= __shfl_down_sync")
        # Only work-items that executed it before take part in an exchange.
        text = self.staged(kernel(first="if (i >= n) return;", last="const float t = __shfl_down_sync(~0u, s, 1);"))
        self.assertIn("active ? __shfl_down_sync(~0u, s, 1) : (float)(0)", text)

    def test_host_code_stays(self):
        host = ('#include <cstdio>\n#include <vector>\nint main()\n{\n    std::vector<float> v(3);\n'
                '    sum<<<1, 64>>>(v.data(), v.data(), 3);\n}\n')
        text = self.staged(kernel() + host)
        self.assertTrue(text.endswith(host))

    def test_refused(self):
        for changes, place, words in REFUSED:
            with self.subTest(words=words, **changes):
                where = [f"sum.cu:{LINES[place]}:"] if place else []
                self.refused([words, *where], *self.words(kernel(**changes)))

    def test_no_kernel_but_templates(self):
        self.refused(["no kernel that is no template"], *self.words("template <typename T> " + kernel().strip()))

    def test_size_of_blocks(self):
        path = self.write("sum.cu", kernel())
        self.refused(["blocks is not known; give --work-group"], "transform", "--shared", path)

    def test_memory_that_a_launch_gives(self):
        self.write("sum.cu", kernel(first="extern __shared__ float own[]; own[threadIdx.x] = 1;"))
        for given, staged in ((47 << 10, "yes"), (48 << 10, "no")):
            path = self.write("sum.workload", WORKLOAD % given)
            done = self.good("transform", "--shared", "--analyse", path)
            self.assertRegex(done.stdout + done.stderr, rf"(?m)^sum +a .* {staged} ")

    def test_memory_of_functions(self):
        """Of 48 KiB."""
        for floats, staged in ((12224, "yes"), (12288, "no")):
            of_function = f"__device__ float swap(float x) {{ __shared__ float t[{floats}]; t[0] = x; return t[1]; }}"
            self.assertRegex(self.table(kernel(before=of_function, last="s += swap(s);")), rf"(?m)^sum +a .* {staged} ")


if __name__ == "__main__":
    unittest.main()
