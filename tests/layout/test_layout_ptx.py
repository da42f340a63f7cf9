#!/usr/bin/env python3
"""Global memory accesses of 16 and 8 bytes in the PTX of the suite's programs in other layouts.

An aligned layout is only worth its padding if what is read and written together is one access. Which
ones there have to be follows from the words that the sources read and write; clang takes a part of a
word where nobody looks at the rest, and the comments say where. PERFMODEL is the program and CLANG
the compiler that it uses; ctest sets them.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import collections
import os
import re
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import PERFMODEL, Base, output_of

CLANG = os.environ.get("CLANG", "clang-19")
OPTIONS = ("-x cl -cl-std=CL1.2 -target nvptx64-nvidia-cuda -Xclang -finclude-default-header -O2 -S"
           " -DGROUP=128 -o -").split()
ENTRY = re.compile(r"^\s*(?:\.visible\s+)?\.(entry|func)\s+(?:\([^)]*\)\s*)?(\w+)")
ACCESS = re.compile(r"\b(ld|st)\.global(?:\.nc)?(?:\.v(\d))?\.[a-z](\d+)\b")
POS, VEL, ACCEL = "pos_x+pos_y+pos_z", "vel_x+vel_y+vel_z", "accel_x+accel_y+accel_z"

# By kernel: number of loads of 16 and of 8 bytes, and of stores of 16 and of 8 bytes.
NONE = (0, 0, 0, 0)
EXPECTED = {
    ("sph", f"cluster-align:{POS}+density/{VEL}+pressure/{ACCEL}"): {
        # pos of the particle and of its neighbour: the fourth member is not read, so 12 bytes are
        # accesses of 8 and 4
        "density": (0, 2, 0, 0),
        # both words of the particle and of its neighbour; acceleration with its padding
        "force": (4, 0, 1, 0),
        # vel, accel and pos, 12 bytes each; pos and vel are written without the fourth member
        "position": (0, 3, 0, 2),
    },
    ("sph", f"cluster-align:{POS}+density+{VEL}+pressure/{ACCEL}"): {
        "density": (0, 2, 0, 0),
        "force": (4, 0, 1, 0),
        "position": (0, 3, 0, 2),
    },
    # pos, vel_x | vel_y, vel_z, accel_x, accel_y || accel_z, density, pressure
    ("sph", "cluster-align:8-3"): {
        "density": (0, 2, 0, 0),
        # The particle: first word, 8 bytes of the second, 4 and 4 bytes of the third. Its
        # neighbour: first word, 8 bytes of the second, and the third, whose members are read under
        # two conditions.
        "force": (3, 2, 0, 1),
        "position": (2, 0, 1, 1),
    },
    ("sph", "aos-align"): {
        "density": (0, 2, 0, 0),
        "force": (3, 2, 0, 1),
        "position": (2, 0, 1, 1),
    },
    # structs of 12 bytes padded to 16, and density with pressure in 8
    ("sph", "cluster-align:3-3-3-2"): {
        "density": (0, 2, 0, 1),
        "force": (0, 6, 1, 0),
        "position": (0, 3, 2, 0),
    },
    ("sph", "aos-align8"): {
        "density": (0, 2, 0, 0),
        "force": (0, 6, 0, 1),
        "position": (0, 4, 0, 3),
    },
    ("sph", "cluster-align8:pos_x+pos_y/pos_z+density/vel_x+vel_y/vel_z+pressure"
            "/accel_x+accel_y/accel_z"): {
        "density": (0, 2, 0, 0),
        "force": (0, 8, 0, 1),
        "position": (0, 3, 0, 2),
    },
    # 20 bytes padded to 32. Copies of whole structs are two words, the second read without its
    # padding. The first four fields of an element are one word.
    ("cfd", "aos-align"): {
        "copy_variables": (1, 0, 2, 0),
        "compute_step_factor": (1, 0, 0, 0),
        "compute_flux": (2, 0, 1, 0),
        "time_step": (2, 0, 1, 0),
    },
    ("cfd", "cluster-align:4-1"): {
        "copy_variables": (1, 0, 1, 0),
        "compute_step_factor": (1, 0, 0, 0),
        "compute_flux": (2, 0, 1, 0),
        "time_step": (2, 0, 1, 0),
    },
    ("cfd", "cluster-align:density+energy/momentum_x+momentum_y+momentum_z"): {
        "copy_variables": (0, 2, 1, 1),
        "compute_step_factor": (0, 2, 0, 0),
        "compute_flux": (0, 4, 1, 1),
        "time_step": (0, 4, 1, 1),
    },
    ("cfd", "aos-align8"): {
        "copy_variables": (0, 2, 0, 3),
        "compute_step_factor": (0, 2, 0, 0),
        "compute_flux": (0, 4, 0, 2),
        "time_step": (0, 4, 0, 2),
    },
    # x, y of the query; x, y, z of a data point, where z is read in a separate branch of the loop
    ("idw", "aos-align"): {"idw": (1, 1, 0, 0)},
    ("idw", "aos-align8"): {"idw": (0, 2, 0, 0)},
    ("idw", "cluster-align:x+y/z"): {"idw": (0, 2, 0, 0)},
    ("idw", "cluster-align8:x+y/z"): {"idw": (0, 2, 0, 0)},
    # likelihood reads xj, yj and writes x, y and weight, likelihood; find_index copies x, y
    ("particlefilter", "cluster-align8:x+y/xj+yj/weight+likelihood/cdf+u/seed"): {
        "likelihood": (0, 1, 0, 2),
        "sum_weights": NONE,
        "normalize_weights": NONE,
        "find_index": (0, 1, 0, 1),
    },
}
# In layouts without alignment the compiler must not combine accesses.
PLAIN = {
    "sph": ["aos", "soa", "asta:32", "cluster:3-3-3-2", "cluster:8-3",
            f"cluster:{POS}+density/{VEL}+pressure/{ACCEL}"],
    "cfd": ["aos", "soa", "asta:32", "cluster:4-1",
            "cluster:density+energy/momentum_x+momentum_y+momentum_z"],
    "idw": ["aos", "soa", "asta:32", "cluster:x+y/z"],
    "particlefilter": ["aos", "soa", "asta:32", "cluster:x+y/xj+yj/weight+likelihood/cdf+u/seed"],
}
ALL_KERNELS = {
    "sph": {"density", "force", "position"},
    "cfd": {"copy_variables", "compute_step_factor", "compute_flux", "time_step"},
    "idw": {"idw"},
    "particlefilter": {"likelihood", "sum_weights", "normalize_weights", "find_index"},
}


def accesses(ptx):
    """Returns {kernel: Counter of (ld or st, bytes)} of accesses to global memory in PTX."""
    found, kernel = {}, None
    for line in ptx.splitlines():
        entry = ENTRY.match(line)
        if entry:
            kernel = entry[2] if entry[1] == "entry" else None
            if kernel:
                found[kernel] = collections.Counter()
        access = ACCESS.search(line)
        if re.search(r"\b(ld|st)\.global", line) and not access:
            raise RuntimeError(f"an access that this test does not know: {line}")
        if access and kernel:
            found[kernel][access[1], int(access[2] or 1) * int(access[3]) // 8] += 1
    return found


def wide(counter):
    """Returns the numbers of loads of 16 and of 8 bytes, and of stores of 16 and of 8 bytes."""
    return tuple(counter[kind, size] for kind in ("ld", "st") for size in (16, 8))


class Ptx(Base):
    """Tests each layout of each program."""

    def compile(self, program, layout):
        """Returns the accesses of a program's kernels in a layout."""
        source = self.write("kernel.cl", output_of(PERFMODEL, "transform", "--program", program, "--layout", layout))
        found = accesses(output_of(CLANG, *OPTIONS, source))
        self.assertEqual(set(found), ALL_KERNELS[program])
        return found

    def test_aligned(self):
        """The number of wide accesses equals the number of used words."""
        for (program, layout), expected in EXPECTED.items():
            with self.subTest(program=program, layout=layout):
                found = self.compile(program, layout)
                self.assertEqual({name: wide(counter) for name, counter in found.items()}, expected)

    def test_not_aligned(self):
        """There are no wide accesses, and the number of accesses to the struct is the same as in
        the source."""
        for program, layouts in PLAIN.items():
            for layout in layouts:
                with self.subTest(program=program, layout=layout):
                    found = self.compile(program, layout)
                    self.assertEqual({name: wide(counter) for name, counter in found.items()},
                                     {name: NONE for name in found})
                    self.assertGreater(sum(counter["ld", 4] for counter in found.values()), 0)
                    self.assertGreater(sum(counter["st", 4] for counter in found.values()), 0)


if __name__ == "__main__":
    unittest.main()
