#!/usr/bin/env python3
"""Times of recorded CUDA launches with a substitute for the driver. The host must submit a launch within 30 us, which a
build with sanitizers does not on a slow machine.

PERFMODEL is the program; the arguments are a CUDA program and its kernels, as ctest passes them.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
import program
from test_capture_cuda import records_of


class Times(program.Base):
    def test_few_are_recorded(self):
        """Few of many equal launches are recorded. Host time in a launch does not make it count as longer."""
        lines = records_of(self.folder, "many").read_text(encoding="utf-8").splitlines()
        times = [int(line.split()[3]) for line in lines if line.startswith("launch")]
        self.assertGreaterEqual(len(times), 10)
        self.assertLess(len(times), 50)
        self.assertLess(sorted(times)[len(times) // 2], 3000)


if __name__ == "__main__":
    unittest.main()
