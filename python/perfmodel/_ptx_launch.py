"""Writes a launch of a kernel in PTX as a workload file, with its buffers and their contents.

SPDX-License-Identifier: GPL-3.0-or-later
"""
from __future__ import annotations

import contextlib
import math
import os
import pathlib
import re
import struct

from ._errors import BadInput, Error
from ._interface import ffi
from ._library import error_of, lib, text_of
from ._tensors import Tensor, is_tensor, tensor_of

TYPE_CHECKING = False  # the same constant as in the module typing, which takes long to import
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

ENTRY = re.compile(r"\.entry\s+([\w$]+)\s*(?:\((.*?)\))?[^;{]*\{", re.S)
PARAMETER = re.compile(r"\.param\s+(?:\.align\s+\d+\s+)?\.([a-z]+)(\d+)\b[^,]*?(?:\[(\d+)\])?\s*(?:,|$)", re.S)
# : Types of arguments in workload files by the kind and the bits of a value.
ARGUMENTS = {("i", 32): "int", ("i", 64): "long", ("u", 32): "uint", ("u", 64): "ulong", ("f", 32): "float",
             ("f", 64): "double"}
PACKED = {("i", 8): "b", ("i", 16): "h", ("i", 32): "i", ("i", 64): "q", ("u", 8): "B", ("u", 16): "H", ("u", 32): "I",
          ("u", 64): "Q", ("f", 16): "e", ("f", 32): "f", ("f", 64): "d"}


def parameters_of(ptx: str, kernel: str) -> list[int]:
    """Returns the sizes in bits of a kernel's parameters in PTX."""
    for name, inside in ENTRY.findall(ptx):
        if name == kernel:
            return [int(bits) * int(count or 1) for _, bits, count in PARAMETER.findall(inside)]
    raise BadInput(f"{kernel}: the PTX has no kernel of this name")


def rename_parameters(ptx: str, kernel: str, names: Sequence[str | None]) -> str:
    """Gives a kernel's parameters in PTX names of their own, by which perfmodel's tables name
    buffers. None: the parameter keeps its number."""
    def renamed(found: re.Match) -> str:
        i = int(found[1])
        return f"{kernel}_{names[i]}" if i < len(names) and names[i] else found[0]

    return re.sub(rf"\b{re.escape(kernel)}_param_(\d+)\b", renamed, ptx)


class Buffers:
    """Buffers of one or more launches, whose contents are in files of a folder."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self.assumed: list[str] = []
        self._sections: dict[str, str] = {}
        self._names: dict[int, str] = {}
        self._keep: list = []       # the ids of these objects are keys of _names
        self._rows = 1 << 16

    def limit_indices(self, values: Iterable[Any]) -> None:
        """Sets the limit of random integers: the smallest first dimension of the tensors."""
        lengths = [tensor_of(value).shape[:1] for value in values if is_tensor(value)]
        self._rows = min((length[0] for length in lengths if length), default=self._rows) or 1

    def name_of(self, name: str, value: Any) -> str:
        """Returns the name of the buffer of an argument. The same object is the same buffer."""
        if id(value) not in self._names:
            self._keep.append(value)
            name = re.sub(r"[^A-Za-z0-9_]", "_", name)[:40]
            while name in self._sections:
                name += "_"
            self._names[id(value)] = name
            self._sections[name] = self._section(name, tensor_of(value))
        return self._names[id(value)]

    def scratch(self, name: str, size: int) -> str:
        """Returns the name of a buffer of some bytes."""
        self._sections[name] = f"[buffer {name}]\ntype = uchar\ncount = {size}\ncontents = zeros\n"
        return name

    def _section(self, name: str, tensor: Tensor) -> str:
        contents = tensor.contents
        if contents is not None and not isinstance(contents, str):
            contents = self._file(name, tensor)
        if contents is None:
            contents = self._random(tensor)
            shape = ", ".join(map(str, tensor.shape))
            self.assumed.append(f"{name}: {tensor.dtype}[{shape}], {contents}")
        return f"[buffer {name}]\ntype = {tensor.type.c_type}\ncount = {tensor.span}\ncontents = {contents}\n"

    def _file(self, name: str, tensor: Tensor) -> str | None:
        if not tensor.is_contiguous():
            return None
        (self.folder / f"{name}.bin").write_bytes(_bytes_of(tensor))
        return f"file {name}.bin"

    def _random(self, tensor: Tensor) -> str:
        if tensor.dtype == "u1":
            return "random 0, 1"
        if tensor.dtype[0] in "iu" and tensor.type.bytes > 2:
            return f"random 0, {max(self._rows - 1, 0)}"
        return "random"

    def text(self, used: Iterable[str]) -> str:
        """Returns the sections of these buffers."""
        return "".join(self._sections[name] for name in dict.fromkeys(used))


def _bytes_of(tensor: Tensor) -> bytes:
    data, kind = tensor.contents, tensor.type
    if kind.numpy:
        return data.astype(kind.numpy, copy=False).tobytes()
    if data.dtype.itemsize != kind.bytes:
        raise BadInput(f"contents of type {data.dtype} for a tensor of {kind.name}: give an array with elements of "
                       f"{kind.bytes} bytes, such as ml_dtypes or an integer type has them")
    return data.tobytes()


def value_text(value: Any, kind: str, bits: int) -> str:
    """Returns an argument of a workload file for a number. kind: i, u or f."""
    named = ARGUMENTS.get((kind, bits))
    if named and (kind != "f" or math.isfinite(value)):
        return f"{named} {float(value)!r}" if kind == "f" else f"{named} {int(value)}"
    if kind != "f":
        value = int(value)
    try:
        packed = struct.pack("<" + PACKED[kind, bits], value)
    except (KeyError, struct.error, OverflowError) as error:
        raise BadInput(f"{value!r} is no number of {bits} bits") from error
    return "bytes 0x" + packed.hex()


def _own_name(kernel: str) -> str:
    """Returns a name for the workload of a kernel that no program of the suite has."""
    taken = {text_of(lib.pm_program_at(i).name) for i in range(lib.pm_program_count())}
    name = re.sub(r"[^A-Za-z0-9_.-]", "_", kernel)[:40]
    return name + "_kernel" if name in taken else name


def three(size: int | Sequence[int], what: str) -> tuple[int, int, int]:
    """Returns a size of a grid or a block as three numbers."""
    try:
        numbers = tuple(map(int, size)) if hasattr(size, "__iter__") else (int(size),)
    except (TypeError, ValueError):
        numbers = ()
    if not 1 <= len(numbers) <= 3 or any(number < 1 for number in numbers):
        raise BadInput(f"{what} {size!r}: give one to three numbers of at least 1")
    return (*numbers, 1, 1)[:3]


def write_workload(folder: pathlib.Path, name: str, ptx: str, kernel: str, grid: Sequence[int], block: Sequence[int],
                   shared: int, arguments: Sequence[str], buffers: Buffers, file: str | None = None) -> pathlib.Path:
    """Writes a kernel's PTX and the workload file of its launch, and returns the path of the
    workload file. arguments: as in the workload file."""
    file = file or name
    path = folder / f"{file}.workload"
    (folder / f"{file}.ptx").write_text(ptx, encoding="utf-8")
    used = [re.sub(r"^tensor_map \((\w+).*", r"\1", word) for word in arguments]
    used = [word for word in used if " " not in word and word != "null"]
    path.write_text(
        f"[workload]\nname = {_own_name(name)}\nsource = {file}.ptx\n[size given]\nblocks = {math.prod(grid)}\n"
        f"{buffers.text(used)}[launch {re.sub('[^A-Za-z0-9_.-]', '_', kernel)[:47]}]\nkernel = {kernel}\n"
        f"grid = {', '.join(map(str, grid))}\nblock = {', '.join(map(str, block))}\nshared = {shared}\n"
        f"arguments = {', '.join(arguments)}\n", encoding="utf-8")
    return path


@contextlib.contextmanager
def messages_about(path: pathlib.Path) -> Iterator[None]:
    """Leaves the folder of a temporary workload file out of the texts of errors."""
    try:
        yield
    except Error as error:
        raise type(error)(str(error).replace(f"{path}: ", "").replace(f"{path.parent}/", "")) from None


def limits_of(session: Any, target: str | os.PathLike) -> Any:
    """Returns the id of a GPU, its compute capability (90 means 9.0), and the largest number of
    bytes of shared memory of a block."""
    def work(handle, err, _keep):
        limits = ffi.new("pm_target_limits *")
        found = session._target(handle, target, err)
        if lib.pm_target_limits_read(handle, found.encode(), limits, err) != lib.PM_OK:
            raise error_of(err)
        return found, limits.compute_capability, limits.shared_group_bytes

    name, capability, shared = session._call(work)
    if not capability:
        raise BadInput(f"{name}: kernels can be compiled to PTX only for NVIDIA's GPUs; choose one of these")
    return name, capability, shared
