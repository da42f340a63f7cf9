#!/usr/bin/env python3
"""The published convolution, unrolled whole: what a warp issues and the registers of a work-item against what NVRTC 13.5
made of the same loops for an RTX 2080 Ti (sm_75, weights in __constant__ memory) and what LLVM 19's own back end for
AMD's GPUs made for a W6600 (gfx1032). PERFMODEL is the program; ctest sets it.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import unittest

from program import ROOT, Base


class Convolution(Base):
    """Three pixels of a work-item, and a border within which some of a work-group's pixels lie."""

    def counters(self, gpu, variant, size):
        done = self.json_of("trace", ROOT / "kernels/public/convolve_15x15.workload", "--target", gpu, "--variant", variant,
                            "--size", size)
        counters = {name: counter["value"] for name, counter in done["kernels"][0]["counters"].items()}
        return counters["inst_executed"] / counters["launched_warps"], counters["registers"]

    def test_tiled(self):
        """Sums are made where their operands come, and not where they are stored: not 460 registers, but some 51."""
        executed, registers = self.counters("rtx2080ti", "tiled", "bx112_by1_tx1_ty3_ro0_pad0")
        self.assertLess(abs(executed / 1066 - 1), 0.15)
        self.assertLess(registers, 64)

    def test_tiled_amd(self):
        """LLVM's back ends leave sums at the store, and take 200 registers and more."""
        _, registers = self.counters("w6600", "tiled", "bx112_by1_tx1_ty3_ro0_pad0")
        self.assertGreater(registers, 200)

    def test_direct(self):
        """Each load stands in a short side of a branch, and addresses are constants away from those of others."""
        executed, _ = self.counters("rtx2080ti", "direct", "bx112_by1_tx1_ty3_ro0_pad0")
        self.assertLess(abs(executed / 1740 - 1), 0.2)


if __name__ == "__main__":
    unittest.main()
