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
        warps = counters["launched_warps"]
        return {"registers": counters["registers"], "executed": counters["inst_executed"] / warps,
                "stored": counters["local_store"] / warps, "loaded": counters["local_load"] / warps}

    def test_tiled(self):
        """Sums are made where their operands come, and not where they are stored: not 460 registers, but some 51."""
        counters = self.counters("rtx2080ti", "tiled", "bx112_by1_tx1_ty3_ro0_pad0")
        self.assertLess(abs(counters["executed"] / 1066 - 1), 0.15)
        self.assertLess(counters["registers"], 64)

    def test_amd(self):
        """LLVM's back end leaves sums at the store: 230 registers where a work-item has one pixel, and where it has two 256
        and 804 bytes of private memory for what does not fit."""
        one = self.counters("w6600", "direct", "bx112_by4_tx1_ty1_ro1_pad0")
        self.assertLess(abs(one["registers"] / 230 - 1), 0.05)
        self.assertEqual((one["stored"], one["loaded"]), (0, 0))
        two = self.counters("w6600", "direct", "bx112_by2_tx1_ty2_ro0_pad0")
        self.assertLess(abs(two["stored"] / (804 / 4) - 1), 0.05)
        self.assertEqual(two["stored"], two["loaded"])

    def test_direct(self):
        """Each load stands in a short side of a branch, and addresses are constants away from those of others."""
        counters = self.counters("rtx2080ti", "direct", "bx112_by1_tx1_ty3_ro0_pad0")
        self.assertLess(abs(counters["executed"] / 1740 - 1), 0.2)
        self.assertEqual(counters["stored"], 0)


if __name__ == "__main__":
    unittest.main()
