"""Writes workload files for scripts/findings/sph.cu, the particle program of Takada and Ohno. The particles are a column
of water, as in kernels/sph, in one of the paper's data layouts.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import array
import functools
import math
import pathlib
import random

NAME = "sph_copies"
SOURCE = pathlib.Path(__file__).resolve().parent / "findings" / "sph.cu"
GROUP = 128
SPACING, REACH = 0.01, 0.019  # SPACING: distance of particles at rest. REACH: smoothing length.
POS, VEL, ACCEL, STATE = (["pos_x", "pos_y", "pos_z"], ["vel_x", "vel_y", "vel_z"], ["accel_x", "accel_y", "accel_z"],
                          ["density", "pressure"])
MEMBERS = POS + VEL + ACCEL + STATE
# For each layout: its macro in sph.cu, and the members in each of its arrays.
LAYOUTS = {"aos": ("AOS", [MEMBERS]), "soa": ("SOA", [[member] for member in MEMBERS]),
           "4-4-3": ("SPLIT_4_4_3", [POS + STATE[:1], VEL + STATE[1:], ACCEL]),
           "3-3-3-2": ("SPLIT_3_3_3_2", [POS, VEL, ACCEL, STATE]),
           "8-3": ("SPLIT_8_3", [POS + VEL + STATE, ACCEL])}


@functools.lru_cache(maxsize=1)
def dam(count):
    """Returns a column of water near rest, sorted by cell: {member: floats}, index of the first
    particle of each cell, cells along each axis, heights of the tank."""
    width = math.ceil((count / 2) ** (1 / 3))
    tank = [4 * width * SPACING, 3 * width * SPACING, width * SPACING]
    cells = [int(edge / REACH) + 1 for edge in tank]
    low, chance = SPACING / 2, random.Random(1)
    columns = {member: array.array("f", bytes(4 * count)) for member in MEMBERS}
    for axis, member in enumerate(POS):
        step = [1, width * width, width][axis]
        columns[member] = array.array("f", (
            min(max(low + SPACING * (i // step if axis == 1 else i // step % width) + chance.uniform(-.2, .2) * SPACING,
                    low), tank[axis] - low) for i in range(count)))
    for member in VEL:
        columns[member] = array.array("f", (chance.uniform(-.1, .1) for _ in range(count)))
    cell = [(int(z / REACH) * cells[1] + int(y / REACH)) * cells[0] + int(x / REACH)
            for x, y, z in zip(*(columns[member] for member in POS))]
    order = sorted(range(count), key=cell.__getitem__)
    for member in POS + VEL:
        columns[member] = array.array("f", (columns[member][i] for i in order))
    start = array.array("i", bytes(4 * (math.prod(cells) + 1)))
    for c in cell:
        start[c + 1] += 1
    for c in range(1, len(start)):
        start[c] += start[c - 1]
    return columns, start, cells, tank


def words_of(members, variant):
    """Returns the 4-byte words of a struct. The size of an aligned struct is a multiple of 16
    bytes, or of 8 bytes if it has two members or fewer."""
    unit = (4 if len(members) > 2 else 2) if variant.endswith("-align") else 1
    return -(-len(members) // unit) * unit


def write_workload(folder, variant, count):
    """Writes the workload with `count` particles in a layout into a folder. Returns its path."""
    layout, arrays = LAYOUTS[variant.removesuffix("-align")]
    columns, start, cells, tank = dam(count)
    text = [f"[workload]\nname = {NAME}\nsource = {SOURCE}",
            f"options = -DGROUP={GROUP} -D{layout}{' -DALIGNED' * variant.endswith('-align')}",
            f"[size {count}]\nn = {count}"]
    for number, members in enumerate(arrays):
        words = words_of(members, variant)
        contents = array.array("f", bytes(4 * words * count))
        for k, member in enumerate(members):
            contents[k::words] = columns[member]
        (folder / f"array{number}.bin").write_bytes(contents.tobytes())
        text.append(f"[buffer array{number}]\ntype = float\ncount = {words} * n\ncontents = file array{number}.bin\nrestore = yes")
    (folder / "cell_start.bin").write_bytes(start.tobytes())
    text.append(f"[buffer cell_start]\ntype = int\ncount = {len(start)}\ncontents = file cell_start.bin")
    mass = 1000 * SPACING ** 3
    near = ["cell_start", "int n", *(f"int {edge}" for edge in cells), f"float {1 / REACH!r}", f"float {REACH!r}"]
    for kernel, arguments in {
            "density": [*near, f"float {mass * 315 / (64 * math.pi * REACH ** 9)!r}", "float 1000", "float 100"],
            "force": [*near, f"float {mass * 45 / (math.pi * REACH ** 6)!r}", "float 1", "float 9.81"],
            "position": ["int n", "float 0.0005", f"float {SPACING / 2!r}",
                         *(f"float {edge - SPACING / 2!r}" for edge in tank), "float 0.5"]}.items():
        text.append(f"[launch {kernel}]\ngrid = (n + {GROUP - 1}) / {GROUP}\nblock = {GROUP}\narguments = "
                    + ", ".join([*(f"array{number}" for number in range(len(arrays))), *arguments]))
    path = folder / f"{variant}.workload"
    path.write_text("\n".join(text) + "\n", encoding="utf-8")
    return path
