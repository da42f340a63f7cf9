#!/usr/bin/env python3
"""Elements of __constant__ memory at places that the code names are operands of the instructions that use them: no load.
Where there are ptxas and nvdisasm, what they make of the same sums says so too. PERFMODEL is the program; ctest sets it.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import Base

TAPS, WARPS = 24, 4
WORKLOAD = f"""[workload]
name = operands
source = operands.cu
[size only]
n = {32 * WARPS}
[buffer a]
type = float
count = n + {TAPS}
contents = random 0, 1
[buffer out]
type = float
count = n
output = yes
[symbol table]
type = float
count = 64
contents = random 0, 1
[launch k]
grid = n / 32
block = 32
arguments = out, a, int 1
"""
SOURCE = """__constant__ float table[64];
extern "C" __global__ void k(float *out, const float *a, int m)
{
    const int i = blockIdx.x * 32 + threadIdx.x;
    float sum = 0.0f;
#pragma unroll
    for (int j = 0; j < %d; j++)
        sum += a[i + j] * table[%s];
    out[i] = sum;
}
"""
PTX = """.version 7.0
.target sm_75
.address_size 64
.const .align 4 .b8 table[256];
.visible .entry k(.param .u64 out, .param .u64 in, .param .u32 m)
{
    .reg .f32 %f<4>; .reg .b32 %r<3>; .reg .b64 %d<8>;
    ld.param.u64 %d1, [out]; ld.param.u64 %d2, [in]; ld.param.u32 %r2, [m];
    cvta.to.global.u64 %d1, %d1; cvta.to.global.u64 %d2, %d2;
    mov.u32 %r1, %tid.x; mul.wide.u32 %d3, %r1, 4; add.s64 %d1, %d1, %d3; add.s64 %d2, %d2, %d3;
    mul.wide.u32 %d4, %r2, 4; mov.u64 %d5, table; add.s64 %d5, %d5, %d4; mov.f32 %f1, 0f00000000;
SUMS
    st.global.f32 [%d1], %f1;
    ret;
}
"""


def find(name):
    """Returns the path of a program of the CUDA toolkit, or None."""
    places = (os.environ.get(f"PERFMODEL_{name.upper()}"), shutil.which(name), f"/usr/local/cuda/bin/{name}")
    return next((path for path in places if path and pathlib.Path(path).exists()), None)


class Operands(Base):
    """Returns a kernel that sums products with elements of a table."""

    def counters(self, index, gpu):
        """Counters of a warp."""
        self.write("operands.cu", SOURCE % (TAPS, index))
        done = self.json_of("trace", self.write("operands.workload", WORKLOAD), "--target", gpu)
        return {name: counter["value"] / WARPS for name, counter in done["kernels"][0]["counters"].items()
                if counter["value"] is not None}

    def test_counts(self):
        """The first element and the following ones at constant indices behave alike. An element
        that an argument chooses is loaded."""
        for gpu in ("h200", "rtx2080ti", "gtx980"):
            named, chosen = self.counters("j", gpu), self.counters("j + m", gpu)
            self.assertEqual((named["constant_pass"], chosen["constant_pass"]), (0, TAPS), gpu)
            self.assertEqual(chosen["inst_memory"] - named["inst_memory"], 32 * TAPS, gpu)
            self.assertEqual(named["inst_fp32"], chosen["inst_fp32"], gpu)

    @unittest.skipUnless(find("ptxas") and find("nvdisasm"), "no ptxas and nvdisasm")
    def test_nvidia(self):
        """ptxas makes an element at a constant index an operand of the multiply-add, and otherwise
        a load."""
        for base, operands, loads in (("table", TAPS, 0), ("%d5", 0, TAPS)):
            sums = "\n".join(f"    ld.global.f32 %f2, [%d2+{4 * j}]; ld.const.f32 %f3, [{base}+{4 * j}]; "
                             "fma.rn.f32 %f1, %f2, %f3, %f1;" for j in range(TAPS))
            cubin = pathlib.Path(self.write("k.ptx", PTX.replace("SUMS", sums))).with_suffix(".cubin")
            subprocess.run([find("ptxas"), "-arch", "sm_75", "-o", cubin, cubin.with_suffix(".ptx")], check=True)
            code = subprocess.run([find("nvdisasm"), "-c", cubin], check=True, capture_output=True, text=True).stdout
            self.assertEqual(len(re.findall(r"\bFFMA R.*c\[0x3\]", code)), operands)
            wide = re.findall(r"\bLDC(?:\.(64|128))? R.*c\[0x3\]", code)
            self.assertEqual(sum(int(bits or 32) // 32 for bits in wide), loads)


if __name__ == "__main__":
    unittest.main()
