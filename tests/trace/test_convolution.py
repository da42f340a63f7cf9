#!/usr/bin/env python3
"""The published convolution, unrolled whole: what a warp issues and the registers of a work-item against what NVRTC 13.5
made of the same loops for an RTX 2080 Ti (sm_75, weights in __constant__ memory) and what clang 19 made of them for a
W6600 (gfx1032). PERFMODEL is the program; ctest sets it.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import ROOT, Base


class Convolution(Base):
    """Each work-item computes three pixels, and a border exists in which some pixels of a
    work-group are."""

    def counters(self, gpu, variant, size):
        done = self.json_of("trace", ROOT / "kernels/public/convolve_15x15.workload", "--target", gpu, "--variant", variant,
                            "--size", size)
        counters = {name: counter["value"] for name, counter in done["kernels"][0]["counters"].items()}
        warps = counters["launched_warps"]
        return {"registers": counters["registers"], "executed": counters["inst_executed"] / warps,
                "stored": counters["local_store"] / warps, "loaded": counters["local_load"] / warps}

    def test_tiled(self):
        """Sums are computed where their operands are defined and not where they are stored. The
        kernel then has about 51 registers instead of 460."""
        counters = self.counters("rtx2080ti", "tiled", "bx112_by1_tx1_ty3_ro0_pad0")
        self.assertLess(abs(counters["executed"] / 1066 - 1), 0.15)
        self.assertLess(counters["registers"], 64)

    def test_amd(self):
        """The published HIP source has 128 registers with clang 19 for gfx1032, and spills this
        number of words per work-item."""
        for variant, size, stored, loaded in (("direct", "bx112_by4_tx1_ty1_ro1_pad0", 208, 105),
                                              ("tiled", "bx96_by2_tx2_ty2_ro1_pad0", 374, 687)):
            counters = self.counters("w6600", variant, size)
            self.assertEqual(counters["registers"], 128)
            self.assertLess(abs(counters["stored"] / stored - 1), 0.06)
            self.assertLess(abs(counters["loaded"] / loaded - 1), 0.06)
        fits = self.counters("w6600", "tiled", "bx32_by4_tx4_ty1_ro0_pad0")
        self.assertEqual((fits["registers"], fits["stored"], fits["loaded"]), (45, 0, 0))

    def test_direct(self):
        """Each load is in a short side of a branch, and addresses differ by constants from
        others."""
        counters = self.counters("rtx2080ti", "direct", "bx112_by1_tx1_ty3_ro0_pad0")
        self.assertLess(abs(counters["executed"] / 1740 - 1), 0.2)
        self.assertEqual(counters["stored"], 0)


if __name__ == "__main__":
    unittest.main()
