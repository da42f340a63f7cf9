#!/usr/bin/env python3
"""More rows never hurt: `validate` of synthetic data of several shapes, sizes and methods.

PERFMODEL is the program; ctest sets it. tests/bench/make_dataset.py makes the data, with noise of 2.5 % in the mean.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import pathlib
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import Base, output_of

MAKE = pathlib.Path(__file__).parents[1] / "bench" / "make_dataset.py"


class MoreRows(Base):
    """Each test makes its data in a folder of its own."""

    path = None  # of the data

    def make(self, programs, sizes, counters=30, shape="sum"):
        """Writes the data."""
        self.path = self.write("a.csv", output_of(sys.executable, MAKE, programs, sizes, counters, 1, shape))

    def validate(self, *options, threads="0"):
        """Returns the JSON document of validate."""
        return self.good("validate", self.path, "--json", *options,
                         environment={"PERFMODEL_THREADS": threads, "PERFMODEL_CACHE": "off"}).stdout

    def check(self, most, *options):
        """The mean error is at most this percentage, and intervals cover 90 %."""
        found = json.loads(self.validate(*options))
        self.assertLess(100 * found["mape"], most, options)
        self.assertGreater(found["coverage90"], 0.87, options)
        self.assertLess(found["coverage90"], 0.935, options)

    def test_sums_are_found_to_the_noise(self):
        """Tests fewer and more than 256 programs, each with several sizes."""
        self.make(60, 12)
        self.check(3)
        self.make(290, 12)
        for method in ("auto", "gp", "forest"):
            self.check(3, "--method", method)
        self.check(15, "--method", "ridge")

    def test_other_shapes(self):
        """For times that are powers of counters, the Gaussian process is used instead of the
        line."""
        for shape, most in (("product", 3.5), ("uneven", 4.5), ("max", 18)):
            self.make(290, 12, shape=shape)
            self.check(most)
        self.make(290, 12, counters=4)
        self.check(3)

    def test_one_program(self):
        """Leaves samples out instead of programs."""
        self.make(1, 1500)
        self.check(3, "--leave-out", "sample")

    def test_any_number_of_threads(self):
        """With several threads the result is the same."""
        for shape in ("sum", "max"):
            self.make(290, 6, shape=shape)
            self.assertEqual(self.validate(threads="1"), self.validate(threads="16"))


if __name__ == "__main__":
    unittest.main()
