#!/usr/bin/env python3
"""Compares counters that others published with traced counters of the same kernels, as Markdown.

For each architecture and counter, the table has the median of counted / published, the percentage of kernels whose
traced counter is within 5 % of the published one, and the kernel with the largest difference.

Usage: scripts/public_counters.py FOLDER [-d DIR] [--list COUNTER]
FOLDER contains the published tables (docs/published.md), and DIR the traced datasets. --list prints the ratio of each
kernel for a published counter.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import collections
import csv
import math
import pathlib
import statistics
import sys

import public_datasets
from public_sources import SIMPLE_GPUS, BadInput, rows_of, simple_key, tuned

# Published counter: name of our counter, or a formula, and a factor. The publication's threads are
# work-items here.
NVPROF = {"gld_request": "gld_request", "gst_request": "gst_request", "shared_load": "shared_load",
          "shared_store": "shared_store", "shared_transactions": "shared_wavefront",
          "issued again": "inst_issued - inst_executed", "global_load_transactions": "gld_tag",
          "global_store_transactions": "gst_tag", "l2_read_transactions": "l2_read_sector",
          "l2_write_transactions": "l2_write_sector", "instructions_executed": "inst_executed",
          "instructions_issued": "inst_issued", "thread_inst_executed": "thread_inst_executed",
          "fp_instructions_single": "inst_fp32", "integer_instructions": "inst_int",
          "control_flow_instructions": "inst_control", "load_store_instructions": "inst_memory",
          "device_memory_read_transactions": "dram_read_bytes", "device_memory_write_transactions":
          "dram_write_bytes", "registers": "registers", "warps_launched": "launched_warps"}
NCU = {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum": "gld_request",
       "l1tex__data_pipe_lsu_wavefronts_mem_shared": "shared_wavefront",
       "lts__t_sectors_op_read.sum": "l2_read_sector", "lts__t_sectors_op_write.sum": "l2_write_sector",
       "dram__sectors_read.sum": "dram_read_bytes", "dram__sectors_write.sum": "dram_write_bytes",
       "smsp__inst_executed.sum": "inst_executed",
       "smsp__sass_thread_inst_executed_op_fp32_pred_on.sum": "inst_fp32",
       "smsp__sass_thread_inst_executed_op_integer_pred_on.sum": "inst_int",
       "smsp__sass_thread_inst_executed_op_control_pred_on.sum": "inst_control",
       "smsp__sass_thread_inst_executed_op_memory_pred_on.sum": "inst_memory",
       "smsp__sass_thread_inst_executed_op_conversion_pred_on.sum": "inst_conversion",
       "registers": "registers"}
NVPROF_PASCAL = {"inst_executed": "inst_executed", "inst_fp_32": "inst_fp32", "inst_integer": "inst_int",
                 "inst_control": "inst_control", "inst_bit_convert": "inst_conversion",
                 "l2_read_transactions": "l2_read_sector", "l2_write_transactions": "l2_write_sector",
                 "dram_read_transactions": "dram_read_bytes", "dram_write_transactions": "dram_write_bytes",
                 "local_load_transactions": "local_load", "registers": "registers"}


def number(text):
    """Returns the value of a cell; NaN if it is empty."""
    return float(text) if text else math.nan


def published(folder):
    """Yields (device, key, published counters by name, the map of names)."""
    seen = set()
    for row in rows_of(folder, "gpuperfpredict/simple_kernels_counters.csv"):
        key = simple_key(row)
        # The file has some rows of the TITAN X twice. The second row has the counters of other
        # work-groups.
        if key and row["gpu"] in SIMPLE_GPUS and (row["gpu"], str(key)) not in seen:
            seen.add((row["gpu"], str(key)))
            row["shared_transactions"] = str(number(row["shared_load_transactions"])
                                             + number(row["shared_store_transactions"]))
            row["issued again"] = str(number(row["instructions_issued"]) - number(row["instructions_executed"]))
            yield SIMPLE_GPUS[row["gpu"]], key, row, NVPROF
    names = {"bx": "block_size_x", "by": "block_size_y", "tx": "tile_size_x", "ty": "tile_size_y", "ro": "read_only",
             "pad": "padding"}
    for row in rows_of(folder, "ktt_counters/conv_2080ti.csv"):
        if row["padding"] == "0":
            row["l1tex__data_pipe_lsu_wavefronts_mem_shared"] = str(
                number(row["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"])
                + number(row["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"]))
            yield "rtx2080ti", ("convolve_15x15", "tiled", tuned(row, names)), row, NCU
    names = {"b": "block_size_x", "t": "tile_size", "m": "between_method", "c": "use_method"}
    for row in rows_of(folder, "ktt_counters/pnpoly_2080ti.csv"):
        yield "rtx2080ti", ("point_in_polygon", None, tuned(row, names)), row, NCU
    names = {"gx": "work_group_size_x", "gy": "work_group_size_y", "u": "inner_unroll_factor", "z": "z_iterations"}
    for name, device, atoms, counters in (("coulomb3d_2080ti", "rtx2080ti", 64, NCU),
                                          ("coulomb3d_1070_tutorial", "gtx1070", 256, NVPROF_PASCAL)):
        for row in rows_of(folder, f"ktt_counters/{name}.csv"):
            further = device == "rtx2080ti" and row["inner_unroll_factor"] != "0" and row["private_mem_bytes"] == "0"
            if row.get("inst_executed") != "" and not further:
                yield (device, ("coulomb_grid", "apart" if row["use_soa"] == "1" else "packed",
                                {"a": atoms, **tuned(row, names)}), row, counters)


def traced(folder):
    """Returns {device: {(program, variant, size): row}} of the traced datasets."""
    found = {}
    for path in sorted(folder.glob("*-trace.csv")):
        with open(path, newline="", encoding="utf-8") as table:
            found[path.name.removesuffix("-trace.csv")] = {
                (row["program"], row["variant"], row["size"]): row for row in csv.DictReader(table)}
    return found


def architectures():
    """Returns {device: architecture}."""
    with open(public_datasets.ROOT / "datasets" / "devices.csv", newline="", encoding="utf-8") as table:
        return {row["device"]: row["architecture"] for row in csv.DictReader(table)}


def compared(folder, traces):
    """Returns {(architecture, counter, counted as): {(device, program, variant, size): counted /
    published}}."""
    known, kinds = public_datasets.workloads(), architectures()
    counts = traced(traces)
    found = collections.defaultdict(dict)
    for device, (program, variant, parameters), row, names in published(folder):
        workload = known[program]
        size = workload.size(parameters)
        key = (program, variant or workload.base, size)
        ours = counts.get(device, {}).get(key)
        if not size or not ours:
            continue
        ours["inst_issued - inst_executed"] = str(number(ours["inst_issued"]) - number(ours["inst_executed"]))
        for theirs, mine in names.items():
            there, here = number(row.get(theirs, "")), number(ours.get(mine, ""))
            if mine.startswith("dram"):
                here /= 32
            if there > 0 and here >= 0:
                found[kinds[device], theirs, mine][device, *key] = here / there
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("-d", "--traces", type=pathlib.Path, default=public_datasets.ROOT / "datasets" / "public")
    parser.add_argument("--list", metavar="COUNTER", help="each kernel's ratio of a published counter")
    o = parser.parse_args()
    try:
        found = compared(o.folder, o.traces)
    except BadInput as error:
        print(f"public_counters.py: {error}", file=sys.stderr)
        return 2
    if o.list:
        for (kind, theirs, _), ratios in sorted(found.items()):
            if theirs == o.list:
                for key, ratio in sorted(ratios.items()):
                    print(kind, *key, f"{ratio:.4f}")
        return 0
    print("| GPUs | published | counted | kernels | counted / published, median | within 5 % | furthest off |")
    print("|---|---|---|---|---|---|---|")
    for (kind, theirs, mine), ratios in sorted(found.items()):
        worst = max(ratios, key=lambda key: abs(math.log(max(ratios[key], 1e-6))))
        near = sum(abs(ratio - 1) <= 0.05 for ratio in ratios.values())
        print(f"| {kind} | `{theirs}` | `{mine}` | {len(ratios)} | {statistics.median(ratios.values()):.3f} "
              f"| {100 * near // len(ratios)} % | {ratios[worst]:.2f}: {' '.join(worst[1:])} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
