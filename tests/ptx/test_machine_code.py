#!/usr/bin/env python3
"""--ptxas with PTX: the machine code that NVIDIA's ptxas makes is counted. Skips where there is no ptxas that knows the
H100, or no nvdisasm.

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
from program import ROOT, Base

HEAD = ".version 8.0\n.target sm_90\n.address_size 64\n"
# Two loads, 40 products and a store, without a branch.
STRAIGHT = HEAD + """.visible .entry straight(.param .u64 in, .param .u64 out)
{
.reg .b64 %a<3>; .reg .b32 %t, %c, %n; .reg .f32 %x<3>;
ld.param.u64 %a0, [in]; ld.param.u64 %a1, [out]; cvta.to.global.u64 %a0, %a0; cvta.to.global.u64 %a1, %a1;
mov.u32 %t, %tid.x; mov.u32 %c, %ctaid.x; mov.u32 %n, %ntid.x; mad.lo.u32 %t, %c, %n, %t;
mul.wide.u32 %a2, %t, 4; add.u64 %a0, %a0, %a2; add.u64 %a1, %a1, %a2;
ld.global.f32 %x0, [%a0]; ld.global.f32 %x1, [%a0+4];
""" + "fma.rn.f32 %x0, %x0, %x1, %x0;\n" * 40 + """st.global.f32 [%a1], %x0;
ret;
}
"""
# A sum of n loads, whose loop ptxas unrolls.
LOOP = HEAD + """.visible .entry loop(.param .u64 in, .param .u64 out, .param .u32 n)
{
.reg .b64 %a<3>; .reg .b32 %t, %c, %n, %k; .reg .f32 %x<3>; .reg .pred %p;
ld.param.u64 %a0, [in]; ld.param.u64 %a1, [out]; ld.param.u32 %k, [n]; cvta.to.global.u64 %a0, %a0;
cvta.to.global.u64 %a1, %a1; mov.u32 %t, %tid.x; mul.wide.u32 %a2, %t, 4; add.u64 %a1, %a1, %a2;
add.u64 %a0, %a0, %a2; mov.f32 %x0, 0f00000000;
AGAIN:
ld.global.f32 %x1, [%a0]; fma.rn.f32 %x0, %x0, %x1, %x1; add.u64 %a0, %a0, 128; add.s32 %k, %k, -1;
setp.gt.s32 %p, %k, 0; @%p bra AGAIN;
st.global.f32 [%a1], %x0;
ret;
}
"""
# A loop of n loads of a fragment of 16 x 16 halves.
FRAGMENTS = HEAD + """.visible .entry fragments(.param .u64 in, .param .u64 out, .param .u32 n)
{
.reg .b64 %a<3>; .reg .b32 %t, %k, %s, %f<8>; .reg .pred %p;
ld.param.u64 %a0, [in]; ld.param.u64 %a1, [out]; ld.param.u32 %k, [n]; cvta.to.global.u64 %a0, %a0;
cvta.to.global.u64 %a1, %a1; mov.u32 %t, %tid.x; mul.wide.u32 %a2, %t, 4; add.u64 %a1, %a1, %a2; mov.u32 %s, 0;
AGAIN:
wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}, [%a0], 16;
xor.b32 %s, %s, %f0; xor.b32 %s, %s, %f1; xor.b32 %s, %s, %f2; xor.b32 %s, %s, %f3; add.u64 %a0, %a0, 32;
add.s32 %k, %k, -1; setp.gt.s32 %p, %k, 0; @%p bra AGAIN;
st.global.u32 [%a1], %s;
ret;
}
"""


def tool(name):
    """The path of a tool of NVIDIA, or None."""
    for path in (os.environ.get("PERFMODEL_" + name.upper()), shutil.which(name), "/usr/local/cuda/bin/" + name):
        if path and pathlib.Path(path).exists():
            return path
    return None


PTXAS, NVDISASM = tool("ptxas"), tool("nvdisasm")


class MachineCode(Base):
    def count(self, text, *arguments):
        kernel, = self.json_of("trace", "--target", "h100", "--quiet", self.write("k.ptx", text), f"--ptxas={PTXAS}",
                               *arguments)["kernels"]
        return {name: counter["value"] for name, counter in kernel["counters"].items()}

    def instructions(self, text):
        """The machine instructions up to the first EXIT without a condition, as nvdisasm prints them."""
        code = self.folder / "code"
        subprocess.run([PTXAS, "-arch=sm_90", self.write("k.ptx", text), "-o", code], check=True)
        listing = subprocess.run([NVDISASM, "-c", code], check=True, capture_output=True, text=True).stdout
        found = re.findall(r"/\*[0-9a-f]{4}\*/\s+([^;]*);", listing)
        return found[:found.index(next(line for line in found if line.strip() == "EXIT")) + 1]

    def test_straight_code(self):
        """Each warp executes each instruction once."""
        counts = self.count(STRAIGHT, "--grid", "8", "--block", "256", "--arg", "in=float[2049]", "--arg", "out=float[2048]")
        self.assertEqual(counts["inst_executed"], 64 * len(self.instructions(STRAIGHT)))
        self.assertEqual(counts["thread_inst_executed"], 32 * counts["inst_executed"])
        self.assertEqual(counts["flop_fp32"], 2 * 40 * 2048)

    def test_unrolled_loop(self):
        """The loop's instructions are counted once for each iteration, whatever ptxas makes of it."""
        for iterations in (1, 2, 7, 64, 1001):
            counts = self.count(LOOP, "--grid", "1", "--block", "32", "--arg", f"n={iterations}", "--arg",
                                f"in=float[{32 * (iterations + 1)}]", "--arg", "out=float[32]")
            self.assertEqual(counts["inst_fp32"], 32 * iterations)
            self.assertEqual(counts["gld_request"], iterations)
            self.assertGreater(counts["inst_executed"], 2 * iterations)
            self.assertLess(counts["inst_executed"], 8 * iterations + 60)

    def test_branch_that_is_no_predicate(self):
        """The first thread adds up what the warps wrote. The side is short, but ptxas leaves it a branch, so that the other
        warps do not execute it. CUPTI counted 45 instructions of each warp on an H200 (datasets/h200-modern.csv)."""
        text = (ROOT / "tests/ptx/sum_tiles.ptx").read_text(encoding="utf-8")
        counts = self.count(text, "--grid", "1024", "--block", "256", "--arg", "param_0=int[2097152]", "--arg",
                            "param_1=int[1024]", "--sample", "all")
        self.assertAlmostEqual(counts["inst_executed"] / (8 * 1024), 45, delta=0.5)

    def test_loop_of_matrix_loads(self):
        """ptxas makes four loads of a fragment, which are no copies of the loop: each is executed in each iteration."""
        short, long = (self.count(FRAGMENTS, "--grid", "1", "--block", "32", "--arg", f"n={n}", "--arg", "in=half[4096]",
                                  "--arg", "out=int[32]") for n in (100, 200))
        self.assertEqual(long["gld_request"] - short["gld_request"], 4 * 100)
        self.assertEqual(long["inst_memory"] - short["inst_memory"], 32 * 4 * 100)

    def test_without_nvdisasm(self):
        os.environ["PERFMODEL_NVDISASM"] = str(self.folder / "none")
        self.addCleanup(os.environ.__setitem__, "PERFMODEL_NVDISASM", NVDISASM)
        done = self.good("trace", "--target", "h100", self.write("k.ptx", STRAIGHT), f"--ptxas={PTXAS}", "--grid", "1",
                         "--block", "32", "--arg", "in=float[64]", "--arg", "out=float[64]")
        self.assertRegex(done.stderr, r"instructions are estimated: .*none")


if __name__ == "__main__":
    if not PTXAS or not NVDISASM or subprocess.run([PTXAS, "-arch=sm_90", "-o", "/dev/null", "/dev/stdin"], check=False,
                                                   text=True, capture_output=True, input=HEAD).returncode:
        print("test_machine_code: skipped: no ptxas that knows sm_90, or no nvdisasm (PERFMODEL_PTXAS, PERFMODEL_NVDISASM, "
              "PATH, /usr/local/cuda)")
        sys.exit(77)
    unittest.main()
