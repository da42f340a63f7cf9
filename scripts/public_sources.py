"""How figures that others published become times of workloads of kernels/public: a reader for each source.

A reader takes the folder of figures and yields points. What the sources say of how they measured stands in SOURCES and
goes into the datasets' JSON.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import csv
import dataclasses
import typing


class BadInput(Exception):
    """The one line that says what is wrong with an input."""


@dataclasses.dataclass
class Point:
    """One published time. parameters are those of a size of the workload; variant None: the plain one."""
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
}


def rows_of(folder, name):
    """Rows of a table of figures by column."""
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


def gpuperfpredict(folder):
    """Simple kernels of CUDA. The folder `traces` has older measurements of the same, and is left out."""
    for row in rows_of(folder, "gpuperfpredict/simple_kernels_times.csv"):
        if row["gpu"] not in SIMPLE_GPUS or row["program"] not in SIMPLE_PROGRAMS or row["trace_dir"] == "traces":
            continue
        program, variant = SIMPLE_PROGRAMS[row["program"]]
        size, block = int(row["size"]), (int(row["block_x"]), int(row["block_y"]))
        group = block[0] * block[1]
        if program in ("simple_matmul", "simple_matsum"):
            parameters = {"width": size, "tile": block[0]}
        elif program == "max_subsequence":
            parameters = {"n": size}
        else:
            parameters = {"n": size, "group": group}
        yield Point(SIMPLE_GPUS[row["gpu"]], program, variant, parameters, float(row["time_s_median"]),
                    int(row["runs"]), int(row["grid_x"]) * int(row["grid_y"]) * group, group)


TORCH_GPUS = {"Tesla P4": "p4", "Tesla P100-PCIE-16GB": "p100pcie16", "Tesla V100-PCIE-32GB": "v100pcie",
              "Tesla T4": "t4", "NVIDIA A100-PCIE-40GB": "a100pcie40", "NVIDIA A100 80GB PCIe": "a100pcie80",
              "NVIDIA L4": "l4", "AMD Instinct MI100": "mi100", "AMD Instinct MI210": "mi210"}
# A division by a number is a product with its inverse.
TORCH_PROGRAMS = {"add": "add", "mul": "mul", "div": "div", "pow": "pow", "addu": "add_scalar", "mulu": "mul_scalar",
                  "divu": "mul_scalar", "powu": "pow_scalar", "relu": "relu", "tanh": "tanh", "gelu": "gelu"}


def neusight(folder):
    """Element-wise kernels of PyTorch: four elements for each work-item."""
    for row in rows_of(folder, "neusight_elementwise/elementwise.csv"):
        if row["op"] not in TORCH_PROGRAMS or row["device"] not in TORCH_GPUS:
            continue
        group = int(row["block_x"]) * int(row["block_y"])
        yield Point(TORCH_GPUS[row["device"]], f"elementwise_{TORCH_PROGRAMS[row['op']]}", None,
                    {"n": int(row["B"]) * int(row["H"]), "group": group}, float(row["latency_ms"]) * 1e-3, None,
                    int(row["grid_x"]) * int(row["grid_y"]) * group, group)


READERS = {"gpuperfpredict": gpuperfpredict, "neusight": neusight}
