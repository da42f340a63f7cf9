"""Writes workload files for scripts/findings/idw.cu (inverse distance weighting) in one of its data layouts. Data points
and queries are random points of the unit square. In the suite's idw, some queries are at data points and end early.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import pathlib

NAME = "idw_members"
SOURCE = pathlib.Path(__file__).resolve().parent / "findings" / "idw.cu"
GROUP = 128
# For each layout: its macro in idw.cu, and the words of an element of each array.
LAYOUTS = {"aos": ("AOS", [3]), "aos-align": ("ALIGNED", [4]), "soa": ("SOA", [1, 1, 1])}


def write_workload(folder, variant, count):
    """Writes the workload with `count` data points and queries in a layout into a folder. Returns
    its path."""
    layout, arrays = LAYOUTS[variant]
    text = [f"[workload]\nname = {NAME}\nsource = {SOURCE}\noptions = -DGROUP={GROUP} -D{layout}",
            f"[size {count}]\nn = {count}"]
    names = [f"{what}{number}" for what in ("data", "query") for number in range(len(arrays))]
    for seed, name in enumerate(names):
        text.append(f"[buffer {name}]\ntype = float\ncount = {arrays[seed % len(arrays)]} * n\n"
                    f"contents = random 0, 1, {seed}\nrestore = yes")
    text.append(f"[launch idw]\ngrid = (n + {GROUP - 1}) / {GROUP}\nblock = {GROUP}\n"
                f"arguments = {', '.join(names)}, int n, int n")
    path = folder / f"{variant}.workload"
    path.write_text("\n".join(text) + "\n", encoding="utf-8")
    return path
