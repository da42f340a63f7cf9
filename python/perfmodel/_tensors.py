"""Tensors as arguments of kernels: shape, type and contents, without the memory of a GPU.

SPDX-License-Identifier: GPL-3.0-or-later
"""
from __future__ import annotations

import math

from ._errors import BadInput

TYPE_CHECKING = False  # the same constant as in the module typing, which takes long to import
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, NamedTuple
else:
    from typing import NamedTuple


class Type(NamedTuple):
    """A type of elements: its name in Triton, its type in workload files, its size in bytes, and
    its name in numpy; "": numpy does not have it."""

    name: str
    c_type: str
    bytes: int
    numpy: str = ""


TYPES = {kind.name: kind for kind in (
    Type("fp64", "double", 8, "float64"), Type("fp32", "float", 4, "float32"), Type("fp16", "half", 2, "float16"),
    Type("bf16", "__nv_bfloat16", 2), Type("i64", "long", 8, "int64"), Type("u64", "ulong", 8, "uint64"),
    Type("i32", "int", 4, "int32"), Type("u32", "uint", 4, "uint32"), Type("i16", "short", 2, "int16"),
    Type("u16", "ushort", 2, "uint16"), Type("i8", "char", 1, "int8"), Type("u8", "uchar", 1, "uint8"),
    Type("u1", "uchar", 1, "bool"), Type("fp8e4nv", "uchar", 1), Type("fp8e5", "uchar", 1),
    Type("fp8e4b8", "uchar", 1), Type("fp8e5b16", "uchar", 1), Type("fp8e4b15", "uchar", 1))}
# : Other names of these types, in torch, numpy, numba and ml_dtypes.
OTHER_NAMES = {**{kind.numpy: kind.name for kind in TYPES.values() if kind.numpy},
               "double": "fp64", "float": "fp32", "half": "fp16", "bfloat16": "bf16", "long": "i64", "int": "i32",
               "short": "i16", "bool_": "u1", "int1": "u1", "i1": "u1", "float8_e4m3fn": "fp8e4nv",
               "float8_e5m2": "fp8e5", "float8_e4m3fnuz": "fp8e4b8", "float8_e5m2fnuz": "fp8e5b16"}


def type_of(dtype: Any) -> Type:
    """Returns the type for a name such as "fp16", or for a type of torch, numpy, Triton or
    numba."""
    name = dtype if isinstance(dtype, str) else getattr(dtype, "name", None) or getattr(dtype, "__name__", None) or str(dtype)
    name = str(name).rsplit(".", 1)[-1]
    try:
        return TYPES[OTHER_NAMES.get(name, name)]
    except KeyError:
        raise BadInput(f"{name}: no type of a tensor's elements; write one of {', '.join(TYPES)}, or a type of "
                       "torch or numpy") from None


class Dtype(str):
    """The name of a type of elements, with those members of torch's types that Triton's TensorDescriptor reads."""

    @property
    def itemsize(self) -> int:
        """Bytes of an element."""
        return TYPES[self].bytes

    @property
    def is_floating_point(self) -> bool:
        """Whether the elements are floating-point numbers."""
        return "f" in self


class Tensor:
    """A tensor as an argument of a kernel: its shape, its type and its contents. It has no memory.

    shape: a number or a tuple. dtype: such as "fp16", "bf16", "fp32", "int64", torch.float16 or numpy.float32.
    strides: in elements; None: those of a contiguous tensor.
    contents: an array of the same shape, or the contents of a buffer in a workload file, such as "random 0, 9" or
        "constant 1". None: floats are random from 0 to 1, integers are random and small enough to be indices.

    The methods stride, size, numel, element_size and data_ptr are those of a torch tensor.
    """

    def __init__(self, shape: int | Sequence[int], dtype: Any = "fp32", contents: Any = None,
                 strides: Sequence[int] | None = None):
        self.shape = tuple(map(int, shape)) if hasattr(shape, "__iter__") else (int(shape),)
        self.type = type_of(dtype)
        self.dtype = Dtype(self.type.name)
        self.strides = tuple(map(int, strides)) if strides is not None else _contiguous(self.shape)
        self.contents = contents
        if len(self.strides) != len(self.shape) or any(length < 0 for length in self.shape + self.strides):
            raise BadInput(f"shape {self.shape} and strides {self.strides} of a tensor: give as many strides as "
                           "dimensions, and no negative number")
        if contents is not None and not isinstance(contents, str) and tuple(contents.shape) != self.shape:
            raise BadInput(f"contents of shape {tuple(contents.shape)} for a tensor of shape {self.shape}: give the "
                           "same shape")

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return len(self.shape)

    @property
    def span(self) -> int:
        """Number of elements from the first to the last one in memory; at least 1."""
        return 1 + sum((length - 1) * stride for length, stride in zip(self.shape, self.strides) if length > 1)

    def dim(self) -> int:
        """Returns the number of dimensions."""
        return len(self.shape)

    def stride(self, axis: int | None = None) -> Any:
        """Returns the stride of a dimension in elements, or all strides."""
        return self.strides if axis is None else self.strides[axis]

    def size(self, axis: int | None = None) -> Any:
        """Returns the length of a dimension, or all lengths."""
        return self.shape if axis is None else self.shape[axis]

    def numel(self) -> int:
        """Returns the number of elements."""
        return math.prod(self.shape)

    def element_size(self) -> int:
        """Returns the size of an element in bytes."""
        return self.type.bytes

    def is_contiguous(self) -> bool:
        """Returns whether the elements have the order of the indices, without gaps."""
        return self.strides == _contiguous(self.shape)

    @staticmethod
    def data_ptr() -> int:
        """Returns an address for compilers, which assume that a tensor is aligned to 16 bytes."""
        return 0

    def __repr__(self) -> str:
        return f"tensor({self.shape}, {self.dtype!r})"


def _contiguous(shape: tuple[int, ...]) -> tuple[int, ...]:
    strides, step = [], 1
    for length in reversed(shape):
        strides.append(step)
        step *= max(length, 1)
    return tuple(reversed(strides))


def is_tensor(value: Any) -> bool:
    """Returns whether a value is an array or a tensor. A scalar of numpy is none."""
    if isinstance(value, Tensor):
        return True
    has_both = hasattr(value, "dtype") and hasattr(value, "shape") and not isinstance(value, type)
    return has_both and (value.shape != () or hasattr(value, "__setitem__"))


def tensor_of(value: Any) -> Tensor:
    """Returns the description of an array or tensor of numpy, torch or another package. Integers
    of an array with data are its contents; floats are random."""
    if isinstance(value, Tensor):
        return value
    kind = type_of(value.dtype)
    if callable(getattr(value, "stride", None)):
        strides = value.stride()
    elif getattr(value, "strides", None):
        strides = [stride // kind.bytes for stride in value.strides]
    else:
        strides = None
    found = Tensor(value.shape, kind.name, strides=strides)
    if kind.name[0] in "iu":
        found.contents = _data_of(value)
    return found


def _data_of(value: Any) -> Any:
    """Returns the data of an array as a numpy array; None if it has none, as on torch's device
    meta."""
    if str(getattr(value, "device", "")) == "meta":
        return None
    if hasattr(value, "detach"):
        value = value.detach().cpu().numpy()
    return value if hasattr(value, "tobytes") else None
