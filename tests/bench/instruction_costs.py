#!/usr/bin/env python3
"""What NVIDIA's OpenCL makes of operators and builtins, in machine instructions: the rows of instructions.ini.

Each is counted by `perfmodel collect --counters cupti` in a kernel of one warp that does it four times, on values that it
loads, less a kernel that loads and adds up the same values; a fourth of the difference is one. Constants that the four
share are not in it. The argument of a function is 0.6, the second one 1.7: others can take another path.

Usage: tests/bench/instruction_costs.py [--perfmodel PATH] [--fast] [--keep FOLDER]
SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import csv
import pathlib
import re
import subprocess
import sys
import tempfile

TIMES, WARP = 4, 32
OF_WORK_ITEMS = ("fp32", "fp64", "int", "special", "conversion", "control", "memory")
COLUMNS = {"total": "inst_executed", "branch": "branch", "alu": "pipe_alu", "fma": "pipe_fma", "heavy": "pipe_fmaheavy",
           **{name: f"inst_{name}" for name in OF_WORK_ITEMS}}
INI = pathlib.Path(__file__).resolve().parents[2] / "collector" / "trace" / "backend" / "instructions.ini"
WITH_TWO = {"atan2", "fmod", "hypot", "pow", "powr", "remainder", "native_powr", "copysign"}
OF_FLOATS = {"div": "$x / $y", "inverse": "1 / $x", "fmin": "fmin($x, $y)", "round": "round($x)", "floor": "floor($x)",
             "select": "($x > $y ? $y : c)", "mad": "mad($x, $y, c)"}
OF_INTEGERS = {"add": "$x + $y", "add3": "$x + $y + c", "add_constant": "$x + 77", "mul": "$x * $y",
               "mul_constant": "$x * 77", "mad": "$x * $y + c", "shl": "$x << 5", "shr": "$x >> 5",
               "shift_masked": "$x << ($y & 31)", "div": "$x / $y", "rem": "$x % $y", "div_constant": "$x / 77",
               "rem_constant": "$x % 77", "rem_power": "$x % 8", "min": "min($x, $y)", "popcount": "popcount($x)",
               "clz": "clz($x)", "mul_hi": "mul_hi($x, $y)", "select": "($x > $y ? $y : c)"}


def builtins_of(kind):
    """Returns the names of the functions that have a row in instructions.ini."""
    rows = re.findall(rf"^(\w+)\.{kind} = ", INI.read_text(encoding="utf-8"), re.M)
    return [name for name in rows if not name.startswith(("pm_", "maxnum", "minnum", "maximum", "minimum"))]


def expressions():
    """Yields (name, type, expression of $x, $y and c) of each row."""
    for kind in ("float", "double"):
        for name in builtins_of(kind):
            arguments = "$x, $y" if name in WITH_TWO else "$x, 3" if name in ("pown", "rootn") else "$x"
            yield name, kind, f"{name}({arguments})"
        for name, text in OF_FLOATS.items():
            if name not in builtins_of(kind):
                yield name, kind, text
    for kind in ("int", "uint", "long", "ulong"):
        for name, text in OF_INTEGERS.items():
            yield name, kind, text


def kernel_of(name, kind, text):
    """Returns a kernel that adds up TIMES results of an expression."""
    join = " + " if kind in ("float", "double") else " ^ "
    lines = [f"__kernel void {name}(__global const {kind} *in, __global {kind} *out, {kind} c)", "{",
             "    int g = get_local_id(0);"]
    for i in range(TIMES):
        lines.append(f"    {kind} x{i} = in[g + {i * WARP}], y{i} = in[g + {(TIMES + i) * WARP}];")
    each = (f"({text.replace('$x', f'x{i}').replace('$y', f'y{i}')})" for i in range(TIMES))
    return "\n".join([*lines, f"    out[g] = {join.join(each)};", "}"])


def base_of(kind, text):
    """Returns the sum without the operation, and the number of additional sums per operation."""
    sums = {"float": "fp32", "double": "fp64"}
    if "$y" not in text:
        return f"base_x_{kind}", "$x", None
    return f"base_xy_{kind}", "$x + $y" if kind in sums else "$x ^ $y", sums.get(kind)


def write_workload(folder, fast):
    """Writes the kernels and a workload that launches each of them once."""
    kernels = {}
    for name, kind, text in expressions():
        if fast and kind != "float":
            continue
        base, plain, _ = base_of(kind, text)
        kernels[base] = kind, plain
        kernels[f"{name}_of_{kind}"] = kind, text
    source = ["#pragma OPENCL EXTENSION cl_khr_fp64 : enable"]
    source += [kernel_of(name, kind, text) for name, (kind, text) in kernels.items()]
    text = ["[workload]", "name = instruction_costs", "source = costs.cl"]
    if fast:
        text.append("options = -cl-std=CL1.2 -cl-fast-relaxed-math")
    text += ["[size one]", f"n = {2 * TIMES * WARP}"]
    for kind in sorted({kind for kind, _ in kernels.values()}):
        floating = kind in ("float", "double")
        second = f"min(max(i - {TIMES * WARP - 1}, 0), 1)"
        contents = f"0.6 + {second} * 1.1" if floating else f"123456789 - {second} * 123455000 + i"
        text += [f"[buffer in_{kind}]", f"type = {kind}", "count = n", f"contents = each {contents}",
                 f"[buffer out_{kind}]", f"type = {kind}", f"count = {WARP}"]
    for name, (kind, _) in kernels.items():
        value = "0.9" if kind in ("float", "double") else "1234567"
        text += [f"[launch {name}]", f"global = {WARP}", f"local = {WARP}",
                 f"arguments = in_{kind}, out_{kind}, {kind} {value}"]
    (folder / "costs.cl").write_text("\n".join(source) + "\n", encoding="utf-8")
    path = folder / "costs.workload"
    path.write_text("\n".join(text) + "\n", encoding="utf-8")
    return path


def counted(row):
    """Returns {class: machine instructions of the kernel's warp}."""
    return {name: float(row[column] or 0) / (WARP if name in OF_WORK_ITEMS else 1) for name, column in COLUMNS.items()}


def main():
    """Counts the kernels and prints a row for each operation."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--perfmodel", default="perfmodel")
    parser.add_argument("--fast", action="store_true", help="with -cl-fast-relaxed-math; functions of float alone")
    parser.add_argument("--keep", help="an empty folder for the kernels and what was counted")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(arguments.keep or temporary)
        table = folder / "costs.csv"
        done = subprocess.run([arguments.perfmodel, "collect", "--workload", str(write_workload(folder, arguments.fast)),
                               "--counters", "cupti", "-o", str(table)], check=False)
        if done.returncode != 0:
            sys.exit(done.returncode)
        with open(table, newline="", encoding="utf-8") as rows:
            kernels = {row["kernel"]: counted(row) for row in csv.DictReader(rows)}
    for name, kind, text in expressions():
        if f"{name}_of_{kind}" not in kernels:
            continue
        base, _, more = base_of(kind, text)
        cost = {k: (v - kernels[base][k]) / TIMES for k, v in kernels[f"{name}_of_{kind}"].items()}
        if more:
            cost["total"] += 1
            cost[more] += 1
            cost["fma"] += more == "fp32"
        parts = " ".join(f"{k} {round(v * 4) / 4:g}" for k, v in cost.items() if k != "total" and round(v * 4))
        print(f"{name}.{kind} = {round(cost['total'] * 4) / 4:g} {parts}")


if __name__ == "__main__":
    main()
