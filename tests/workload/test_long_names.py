#!/usr/bin/env python3
"""Kernels have names of any length: of functions, and of instances of templates. PERFMODEL is the program; ctest sets
it. SPDX-License-Identifier: GPL-3.0-or-later
"""
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import Base

NAME = "_".join(["part"] * 250)
TYPE = "Type" + "X" * 900
SOURCE = f"""template <int A, int B> struct {TYPE} {{ static const int value = A + B; }};
__constant__ float {TYPE}_factor;
__global__ void {NAME}(float *x, int n) {{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= {TYPE}_factor; }}
template <typename T, typename U> __global__ void scale(T *x, int n)
{{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= U::value;
}}
int main()
{{
    const int n = 1 << 14;
    float *x;
    cudaMalloc(&x, n * sizeof(float));
    {NAME}<<<n / 256, 256>>>(x, n);
    scale<float, {TYPE}<1, 2>><<<n / 256, 256>>>(x, n);
    scale<float, {TYPE}<5, 2>><<<n / 256, 256>>>(x, n);
}}
"""


class LongNames(Base):
    """Asks for a source whose names have a thousand letters."""

    def test_names(self):
        path = self.write("long.cu", SOURCE)
        kernels = [row["kernel"] for row in self.json_of("predict", "--target", "h100", path)["predictions"]]
        self.assertEqual([kernel for kernel in kernels if not kernel.startswith("all ")],
                         [NAME, f"scale<float, {TYPE}<1, 2>>", f"scale<float, {TYPE}<5, 2>>"])


if __name__ == "__main__":
    unittest.main()
