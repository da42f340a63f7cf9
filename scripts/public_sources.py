"""Reads times that others published for kernels of the workloads in kernels/public. Each source has a reader function.

A reader takes the folder of published tables and yields points (published times). SOURCES has each source's description
of its measurements, which is written into the datasets' JSON files.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import csv
import dataclasses
import typing


class BadInput(Exception):
    """An error of an input file, reported in one line."""


@dataclasses.dataclass
class Point:
    """One published time. parameters: parameters of the workload's size. variant None: the plain
    variant."""
    device: str
    program: str
    variant: typing.Optional[str]
    parameters: dict
    time_s: float
    runs: typing.Optional[int]
    work_items: int
    work_group: int


SOURCES = {
    "gpuperfpredict": {
        "repository": "https://github.com/marcosamaris/gpuperfpredict", "commit": "7c8ece00", "licence": "CC BY 4.0",
        "paper": "Amaris et al., A comparison of GPU execution time prediction using machine learning and analytical "
                 "modeling, NCA 2016",
        "conditions": "CUDA 6.5 to 7.5, nvprof, median of single launches in fresh processes without a warm-up, clocks "
                      "not fixed"},
    "neusight": {
        "repository": "https://github.com/sitar-lab/NeuSight", "commit": "6945927d", "licence": "MIT",
        "paper": "Lee et al., Forecasting GPU performance for deep learning training and inference, ASPLOS 2025",
        "conditions": "PyTorch, CUDA or HIP events around an operation, mean of the fastest runs, arrays of zeros, "
                      "clocks not fixed"},
    "benchmark_hub": {
        "repository": "https://github.com/AutoTuningAssociation/benchmark_hub", "commit": "8eeb99e7", "licence": "MIT",
        "conditions": "Kernel Tuner, CUDA or HIP, median of 32 runs, nodes of DAS-6 and LUMI, clocks not fixed"},
    "ktt": {
        "repository": "https://github.com/HiPerCoRe/KTT and https://github.com/AutoTuningAssociation/benchmark_hub",
        "commit": "931c4157 and 8eeb99e7", "licence": "MIT",
        "conditions": "Kernel Tuning Toolkit, CUDA, one run of each configuration, clocks not said"},
    "babelstream": {
        "repository": "https://github.com/UoB-HPC/performance-portability", "commit": "all branches", "licence": "MIT",
        "conditions": "BabelStream 3.3 and 3.4, CUDA, HIP or OpenCL, shortest of 100 runs"},
    "gpu_benches": {
        "repository": "https://github.com/RRZE-HPC/gpu-benches", "commit": "1038c5d0", "licence": "GPL 3",
        "conditions": "gpu-stream, CUDA or HIP, median of 31 launches by events, two work-groups for each compute unit that "
                      "fill it, clocks not fixed"},
    "clpeak": {
        "repository": "https://github.com/krrishnarraj/clpeak", "commit": "18c668f1", "licence": "Apache 2.0",
        "conditions": "OpenCL, mean of a series of launches, the faster of two orders of the same reads, clocks not fixed"},
    "shoc": {
        "repository": "https://github.com/vetter/shoc", "commit": "0aea03be", "licence": "BSD-like",
        "conditions": "OpenCL 24 to 65, best over work-groups and size classes: the size of a reduction and of a stencil is "
                      "taken as the largest class's, which some rows say"},
}


def rows_of(folder, name):
    """Returns the rows of a table of figures by column."""
    path = folder / name
    try:
        with open(path, newline="", encoding="utf-8") as table:
            yield from csv.DictReader(table)
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}; give the folder that holds the figures") from error


SIMPLE_GPUS = {"GTX-680": "gtx680", "GTX-750": "gtx750", "GTX-980": "gtx980", "Tesla-K20": "k20c", "Tesla-K40": "k40c",
               "Titan": "gtxtitan", "TitanBlack": "titanblack", "TitanX": "gtxtitanx"}
SIMPLE_PROGRAMS = {
    "matMul_gpu": ("simple_matmul", "rows"), "matMul_gpu_uncoalesced": ("simple_matmul", "columns"),
    "matMul_gpu_sharedmem": ("simple_matmul", "tiled"),
    "matMul_gpu_sharedmem_uncoalesced": ("simple_matmul", "tiled_columns"),
    "matrix_sum_coalesced": ("simple_matsum", "rows"), "matrix_sum_normal": ("simple_matsum", "columns"),
    "vectorAdd": ("simple_vectoradd", None), "dotProd": ("simple_dot", None), "subSeqMax": ("max_subsequence", None)}


def simple_key(row):
    """Returns (program, variant, parameters) of a row of gpuperfpredict; None: we have no workload
    for its program."""
    if row["program"] not in SIMPLE_PROGRAMS:
        return None
    program, variant = SIMPLE_PROGRAMS[row["program"]]
    size, block = int(row["size"]), int(row["block_x"])
    if program in ("simple_matmul", "simple_matsum"):
        return program, variant, {"width": size, "tile": block}
    return program, variant, {"n": size} if program == "max_subsequence" else {"n": size, "group": block}


def gpuperfpredict(folder):
    """Yields times of simple CUDA kernels. The folder `traces` is left out, because it has older
    measurements of the same kernels."""
    for row in rows_of(folder, "gpuperfpredict/simple_kernels_times.csv"):
        key = simple_key(row)
        if row["gpu"] in SIMPLE_GPUS and key and row["trace_dir"] != "traces":
            group = int(row["block_x"]) * int(row["block_y"])
            yield Point(SIMPLE_GPUS[row["gpu"]], *key, float(row["time_s_median"]), int(row["runs"]),
                        int(row["grid_x"]) * int(row["grid_y"]) * group, group)


TORCH_GPUS = {"Tesla P4": "p4", "Tesla P100-PCIE-16GB": "p100pcie16", "Tesla V100-PCIE-32GB": "v100pcie",
              "Tesla T4": "t4", "NVIDIA A100-PCIE-40GB": "a100pcie40", "NVIDIA A100 80GB PCIe": "a100pcie80",
              "NVIDIA L4": "l4", "AMD Instinct MI100": "mi100", "AMD Instinct MI210": "mi210"}
# PyTorch computes a division by a number as a product with its inverse.
TORCH_PROGRAMS = {"add": "add", "mul": "mul", "div": "div", "pow": "pow", "addu": "add_scalar", "mulu": "mul_scalar",
                  "divu": "mul_scalar", "powu": "pow_scalar", "relu": "relu", "tanh": "tanh", "gelu": "gelu"}


# Kernel names in PyTorch's profiler, up to the template arguments.
TORCH_ROWS = {"vectorized_layer_norm_kernel": "layer_norm", "softmax_warp_forward": "softmax_warp",
              "cunn_SoftMaxForward": "softmax_block"}


def torch_key(row, group):
    """Returns (program, parameters) of a row of NeuSight; None: we have no workload for its
    program."""
    if row["op"] in TORCH_PROGRAMS:
        return f"elementwise_{TORCH_PROGRAMS[row['op']]}", {"n": int(row["B"]) * int(row["H"]), "group": group}
    program = TORCH_ROWS.get(row["kernel"].partition("<")[0]) if row["op"] in ("ln", "softmax") else None
    if not program:
        return None
    shape = {"rows": int(row["B"]), "width": int(row["H"])}
    return program, {**shape, "group": group} if program == "softmax_block" else shape


def neusight(folder):
    """Yields times of PyTorch kernels: element-wise operations, and operations on rows (layer norm
    and softmax)."""
    for row in rows_of(folder, "neusight_elementwise/elementwise.csv"):
        group = int(row["block_x"]) * int(row["block_y"])
        key = torch_key(row, group)
        if key and row["device"] in TORCH_GPUS:
            yield Point(TORCH_GPUS[row["device"]], key[0], None, key[1], float(row["latency_ms"]) * 1e-3, None,
                        int(row["grid_x"]) * int(row["grid_y"]) * group, group)


def whole(text):
    """Parses a whole number of a table, which may be written as 1.0."""
    return int(float(text))


HUB_GPUS = {"a100": "a100pcie40", "a4000": "a4000", "a6000": "a6000", "mi250x": "mi250x", "mi50": "mi50",
            "w6600": "w6600", "w7800": "w7800"}
CONVOLUTION = {"bx": "block_size_x", "by": "block_size_y", "tx": "tile_size_x", "ty": "tile_size_y", "ro": "read_only",
               "pad": "use_padding"}
DEDISPERSION = {"bx": "block_size_x", "by": "block_size_y", "tx": "tile_size_x", "ty": "tile_size_y",
                "sx": "tile_stride_x", "sy": "tile_stride_y"}


def tiles(length, block, tile):
    """Returns the number of blocks that cover a length."""
    return -(-length // (block * tile))


def tuned(row, names):
    """Returns the parameters of a size from the columns of a row."""
    return {short: whole(row[column]) for short, column in names.items()}


def hub_points(row, program, variant, parameters, area):
    """Yields a point for each GPU of a row of benchmark_hub."""
    group = parameters["bx"] * parameters["by"]
    groups = (tiles(area[0], parameters["bx"], parameters["tx"]) * tiles(area[1], parameters["by"], parameters["ty"]))
    for column, text in row.items():
        if column.startswith("time_ms_") and text:
            yield Point(HUB_GPUS[column.removeprefix("time_ms_")], program, variant, parameters, float(text) * 1e-3, 32,
                        groups * group, group)


def benchmark_hub(folder):
    """Yields times of completely measured spaces of tuning parameters. Rows of the W7800 with
    use_shmem = 0 are left out, because it was measured with a source that always uses shared
    memory. convolution_milo_old has the times of the MI50, and an earlier measurement of the
    A4000."""
    for row in rows_of(folder, "benchmark_hub/convolution_milo.csv"):
        if row["use_shmem"] == "0":
            row["time_ms_w7800"] = ""
        yield from hub_points(row, "convolve_15x15", "tiled" if row["use_shmem"] == "1" else "direct",
                              tuned(row, CONVOLUTION), (4096, 4096))
    for name in ("convolution_milo_old", "convolution_milo_a6000_original"):
        for row in rows_of(folder, f"benchmark_hub/{name}.csv"):
            row.pop("time_ms_a4000", None)
            yield from hub_points(row, "convolve_15x15", "tiled", tuned(row, CONVOLUTION), (4096, 4096))
    for row in rows_of(folder, "benchmark_hub/dedispersion_milo.csv"):
        yield from hub_points(row, "dedisperse", None, tuned(row, DEDISPERSION), (25000, 2048))


def ktt_point(row, device, program, variant, parameters):
    """Returns the point of a row of KTT, whose global sizes are numbers of work-groups."""
    group = whole(row["local_x"]) * whole(row["local_y"]) * whole(row["local_z"])
    groups = whole(row["global_x"]) * whole(row["global_y"]) * whole(row["global_z"])
    return Point(device, program, variant, parameters, float(row["time_us"]) * 1e-6, 1, groups * group, group)


def ktt(folder):
    """Yields times of KTT. Rows with PADDING = 1 of the convolution are left out, because its
    source does not read this parameter. Runs with the profiler are used like other runs: on the GTX
    1070 their median differs by less than 0.1 %. Some Coulomb sums on the RTX 2080 Ti are left out.
    The compiler unrolled their loops further than requested and kept the sums in registers, but our
    counts have the sums in private memory."""
    for device in ("2080ti", "3090"):
        for row in rows_of(folder, f"ktt_counters/conv_{device}.csv"):
            if row["padding"] == "0":
                names = {"bx": "block_size_x", "by": "block_size_y", "tx": "tile_size_x", "ty": "tile_size_y",
                         "ro": "read_only", "pad": "padding"}
                yield ktt_point(row, f"rtx{device}", "convolve_15x15", "tiled", tuned(row, names))
        for row in rows_of(folder, f"ktt_counters/pnpoly_{device}.csv"):
            names = {"b": "block_size_x", "t": "tile_size", "m": "between_method", "c": "use_method"}
            yield ktt_point(row, f"rtx{device}", "point_in_polygon", None, tuned(row, names))
    names = {"gx": "work_group_size_x", "gy": "work_group_size_y", "u": "inner_unroll_factor", "z": "z_iterations"}
    for name, device, atoms in (("coulomb3d_2080ti", "rtx2080ti", 64), ("coulomb3d_1070_tutorial", "gtx1070", 256)):
        for row in rows_of(folder, f"ktt_counters/{name}.csv"):
            if device == "rtx2080ti" and row["inner_unroll_factor"] != "0" and row["private_mem_bytes"] == "0":
                continue
            yield ktt_point(row, device, "coulomb_grid", "apart" if row["use_soa"] == "1" else "packed",
                            {"a": atoms, **tuned(row, names)})


STREAM_GPUS = {"Tesla K20m": "k20m", "Tesla K20X": "k20x", "Tesla P100-PCIE-16GB": "p100pcie16", "Tesla V100-PCIE-16GB": "v100pcie",
               "Tesla V100-SXM2-16GB": "v100", "GeForce RTX 2080 Ti": "rtx2080ti", "NVIDIA A100-SXM-80GB": "a100sxm80",
               "Device 738c": "mi100", "Vega 20": "mi50"}
STREAM_ARRAYS = {"Copy": 2, "Mul": 2, "Add": 3, "Triad": 3, "Dot": 2}


def babelstream(folder):
    """Yields times of BabelStream on arrays of 2^25 doubles. The OpenCL driver chooses the
    work-group size, so only the dot product of the OpenCL version is used, because it sets its own
    size. Work-groups of CUDA and HIP have 1024 work-items, and their dot product has 256
    work-groups."""
    length = 1 << 25
    for row in rows_of(folder, "babelstream/babelstream.csv"):
        device, dot = STREAM_GPUS.get(row["device"]), row["kernel"] == "Dot"
        if not device or row["array_mb"] != "268.4" or (row["implementation"] == "OpenCL" and not dot):
            continue
        time_s = STREAM_ARRAYS[row["kernel"]] * length * 8 / (float(row["mbytes_per_s"]) * 1e6)
        words = row["reduction_config"].split()
        groups, group = (int(words[0]), int(words[-1])) if words else (256, 1024)
        if dot:
            yield Point(device, "babelstream_dot", None, {"groups": groups, "group": group}, time_s, 100,
                        groups * group, group)
        else:
            yield Point(device, "babelstream", f"stream_{row['kernel'].lower()}", {"n": length}, time_s, 100, length,
                        1024)


# Names of files of gpu-stream, and the largest work-group of which two fill a compute unit.
BENCHES_GPUS = {"a40": ("a40", 768), "gh200": ("gh200", 1024), "h100_pcie": ("h100pcie", 1024), "l40": ("l40", 768),
                "mi210": ("mi210", 1024), "mi300a": ("mi300a", 1024), "mi300x": ("mi300x", 1024),
                "rx6900xt": ("rx6900xt", 512)}
# Kernels of gpu-stream in the order of its columns, and the arrays that their rates count.
BENCHES_KERNELS = (("fill", 1), ("read", 1), ("scale", 2), ("triad", 4), ("three_points", 2), ("five_points", 2))
BENCHES_LENGTH = (1 << 28) + 2


def gpu_benches(folder):
    """Yields times of gpu-stream with full compute units. The rates are whole numbers of GB/s. The
    A100 and V100 are left out, because the files do not say which boards they are, and the MI100,
    because two work-groups do not fill its compute units."""
    for name, (device, group) in BENCHES_GPUS.items():
        path = folder / "gpu_benches" / "raw" / f"gpu-stream_{name}.txt"
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except OSError as error:
            raise BadInput(f"{path}: {error.strerror}; give the folder that holds the figures") from error
        rates = [line.partition("GB/s:")[2].split() for line in lines if line.split()[:1] == [str(group)]]
        if rates and len(rates[-1]) != len(BENCHES_KERNELS):
            raise BadInput(f"{path}: the row of {group} work-items has not {len(BENCHES_KERNELS)} rates")
        items = (BENCHES_LENGTH // group + 1) * group
        for (variant, arrays), rate in zip(BENCHES_KERNELS, rates[-1] if rates else ()):
            yield Point(device, "occupancy_stream", variant, {"group": group},
                        arrays * BENCHES_LENGTH * 8 / (float(rate) * 1e9), 31, items, group)


# Logs of clpeak by makers' drivers. Boards whose clock was not that of their row are left out.
CLPEAK_GPUS = {
    "NVIDIA_CUDA/GeForce_GTX_660": "gtx660", "NVIDIA_CUDA/GeForce_GTX_960": "gtx960",
    "NVIDIA_CUDA/GeForce_GTX_1060": "gtx1060-3gb", "NVIDIA_CUDA/GeForce_GTX_1660_Ti": "gtx1660ti",
    "NVIDIA_CUDA/GeForce_RTX_2060": "rtx2060", "NVIDIA_CUDA/GeForce_RTX_2080": "rtx2080",
    "NVIDIA_CUDA/GeForce_RTX_2080_Super": "rtx2080s", "NVIDIA_CUDA/NVIDIA_TITAN_V": "titanv",
    "NVIDIA_CUDA/Tesla_K80": "k80", "NVIDIA_CUDA/Tesla_P40": "p40",
    "AMD_Accelerated_Parallel_Processing/AMD_Hawaii_W8100": "w8100",
    "AMD_Accelerated_Parallel_Processing/R9_390": "r9390", "AMD_Accelerated_Parallel_Processing/R9_290x": "r9290x",
    "AMD_Accelerated_Parallel_Processing/R9_Nano": "r9nano",
    "AMD_Accelerated_Parallel_Processing/RX_570": "rx570",
    "AMD_Accelerated_Parallel_Processing/Radeon-VII-Pro": "radeonprovii"}
CLPEAK_WIDTHS = {"float": 1, "float2": 2, "float4": 4}
CLPEAK_FLOATS = 1 << 27


def clpeak(folder):
    """Yields times of reads of 512 MB by clpeak. It reads as much as the driver gives it in a
    buffer, at most 512 MB, and prints the rate alone. Wider vectors are left out, because the
    compilers of the drivers split them in different ways."""
    for row in rows_of(folder, "clpeak/clpeak.csv"):
        device = CLPEAK_GPUS.get(row["path"].removeprefix("results/old/").removesuffix(".log"))
        width = CLPEAK_WIDTHS.get(row["variant"])
        if device and width and row["test"] == "Global memory bandwidth (GBPS)":
            yield Point(device, "vector_reads", f"read_{row['variant']}", {"floats": CLPEAK_FLOATS},
                        CLPEAK_FLOATS * 4 / (float(row["value"]) * 1e9), None, CLPEAK_FLOATS // 16 // width, 256)


# Name of the GPU, work-items of DeviceMemory, and floats in local memory. The number of work-items
# is compute units times 5 times the largest work-group, which is 512, or 256 on AMD.
SHOC_GPUS = {"c1060": ("c1060", 30 * 2560, 2048), "gtx480": ("gtx480", 15 * 2560, 4096),
             "gtx580": ("gtx580", 16 * 2560, 4096), "gtx680": ("gtx680", 8 * 2560, 4096),
             "gtx980": ("gtx980", 16 * 2560, 4096), "gtxtitan": ("gtxtitan", 14 * 2560, 4096),
             "K40_Intel": ("k40c", 15 * 2560, 4096), "gtx750TiSC": ("gtx750ti", 5 * 2560, 4096),
             "m2090": ("m2090", 16 * 2560, 4096), "hd5870": ("hd5870", 20 * 1280, 4096),
             "hd7970": ("hd7970", 32 * 1280, 4096), "w9100": ("w9100", 44 * 1280, 4096)}
SHOC_RATES = {"gmem_readbw": ("read_even", 1024), "gmem_writebw": ("write_even", 1024),
              "gmem_readbw_strided": ("read_apart", 512), "gmem_writebw_strided": ("write_apart", 512),
              "lmem_readbw": ("read_local", 3000)}


# OpenCL of 2010 measured a stencil's time together with work of the host: 2 to 4 GFLOP/s on each
# GPU.
SHOC_NO_STENCIL = "nvocl32"
SHOC_SIDE = 4096
SHOC_ATOMS, SHOC_NEIGHBOURS = 73728, 128


def shoc_level_one(row, device):
    """Yields times of stencils and of forces between atoms. A stencil has 11 operations per number,
    and 1000 launches with a copy to the GPU and back. Only rows of the largest size are used,
    because smaller sizes fit into caches."""
    for column, program in (("stencil", "stencil_nine"), ("stencil_dp", "stencil_nine_double")):
        if row["platform"] != SHOC_NO_STENCIL and float(row[column] or 0) > 0:
            yield Point(device, program, None, {"n": SHOC_SIDE}, SHOC_SIDE ** 2 * 11 / (float(row[column]) * 1e9), 1000,
                        SHOC_SIDE ** 2 // 8, 256)
    if row["Test Size"] == "4" and float(row["md_sp_bw"] or 0) > 0:
        pairs = SHOC_ATOMS * SHOC_NEIGHBOURS
        moved = 3 * 4 * (1 + pairs) + 3 * 4 * SHOC_ATOMS + 4 * pairs
        yield Point(device, "lennard_jones", None, {"atoms": SHOC_ATOMS}, moved / (float(row["md_sp_bw"]) * 1e9), 8,
                    SHOC_ATOMS, 128)


def shoc(folder):
    """Yields rates of OpenCL from the newest version for each GPU. For the W9100 the file has only
    the best rate, which is OpenCL's."""
    newest = {}
    for row in rows_of(folder, "shoc/results.csv"):
        if row["device"] in SHOC_GPUS and ("ocl" in row["platform"] or row["device"] == "w9100"):
            if row["platform"] >= newest.get(row["device"], row)["platform"]:
                newest[row["device"]] = row
    for name, row in newest.items():
        device, items, cells = SHOC_GPUS[name]
        for column, (variant, rounds) in SHOC_RATES.items():
            if float(row[column] or 0) > 0:
                yield Point(device, "memory_sweep", variant, {"items": items, "cells": cells},
                            items * rounds * 16 * 4 / (float(row[column]) * 1e9), None, items, 256)
        if float(row["reduction"] or 0) > 0:
            yield Point(device, "sum_pairs", None, {"n": 1 << 24}, (4 << 24) / (float(row["reduction"]) * 1e9), None,
                        64 * 256, 256)
        yield from shoc_level_one(row, device)


READERS = {"gpuperfpredict": gpuperfpredict, "neusight": neusight, "benchmark_hub": benchmark_hub, "ktt": ktt,
           "babelstream": babelstream, "gpu_benches": gpu_benches, "clpeak": clpeak, "shoc": shoc}
