"""Predicts CUDA kernels of Numba without a GPU::

    import perfmodel.numba as pn

    x = pn.tensor(1 << 20, "fp32")
    print(pn.predict(saxpy, "void(int32, float32, float32[::1], float32[::1])", 4096, 256, (1 << 20, 2, x, x)).seconds)

SPDX-License-Identifier: GPL-3.0-or-later
"""
from __future__ import annotations

import inspect
import pathlib
import tempfile

from ._errors import BadInput
from ._ptx_launch import (ENTRY, Buffers, limits_of, messages_about, parameters_of, rename_parameters, three, value_text,
                          write_workload)
from ._results import Predictions, Trace
from ._session import Session, shared_session
from ._tensors import is_tensor, tensor_of
from ._tensors import Tensor as tensor

TYPE_CHECKING = False  # the same constant as in the module typing, which takes long to import
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from ._library import PathLike
    from ._results import Document

__all__ = ["predict", "tensor", "trace", "write"]

INSTALL = "install Numba's CUDA target with NVIDIA's compiler libraries: pip install 'numba-cuda[cu13]'. No GPU is needed"


def _cuda() -> Any:
    """Returns the module numba.cuda."""
    try:
        from numba import cuda
        cuda.compile_ptx  # missing where another package stands in for numba-cuda
    except (ImportError, AttributeError) as error:
        raise ImportError(f"numba.cuda cannot be imported ({error}); {INSTALL}") from error
    return cuda


def _types(signature: Any, args: Sequence[Any]) -> tuple:
    """Returns the types of the parameters. signature: of Numba; None: the types of the arguments."""
    import numba
    if signature is None:
        return tuple(_type_of(value) for value in args)
    if isinstance(signature, str):
        signature = numba.core.sigutils.normalize_signature(signature)[0]
    return tuple(getattr(signature, "args", signature))


def _type_of(value: Any) -> Any:
    import numba
    if not is_tensor(value):
        return numba.typeof(value)
    found = tensor_of(value)
    if not found.type.numpy:
        raise BadInput(f"Numba has no arrays of {found.dtype}; give a signature with the type that the kernel uses")
    import numpy
    element = numba.from_dtype(numpy.dtype(found.type.numpy))
    return numba.types.Array(element, found.ndim, "C" if found.is_contiguous() else "A")


def _is_array(kind: Any) -> bool:
    return hasattr(kind, "ndim") and hasattr(kind, "layout")


class _Compiled:
    """A kernel that Numba compiled for a GPU: its name and its PTX, in which the entry has this name."""

    def __init__(self, function: Callable, types: tuple, capability: int, options: dict[str, Any]):
        cuda = _cuda()
        function = getattr(function, "py_func", function)
        self.name = function.__name__
        self.names = list(inspect.signature(function).parameters)
        try:
            ptx, _ = cuda.compile_ptx(function, types, cc=divmod(capability, 10), **options)
        except Exception as error:
            text = " ".join(str(error).split())
            if "nvvm" in f"{type(error).__name__} {text}".lower():
                raise ImportError(f"Numba does not find NVIDIA's compiler library NVVM ({text[:200]}); {INSTALL}") from error
            raise BadInput(f"{self.name}: Numba does not compile it: {type(error).__name__}: {text[-300:]}") from error
        entries = [name for name, _ in ENTRY.findall(ptx)]
        if len(entries) != 1:
            raise BadInput(f"{self.name}: its PTX has {len(entries)} kernels, not one")
        self.types = types
        shown = [part for name, kind in zip(self.names, types) for part in
                 ([None] * 4 + [name] + [None] * 2 * kind.ndim if _is_array(kind) else [name])]
        ptx = ptx.replace(entries[0], self.name)        # Numba's names have hundreds of characters
        self.ptx = rename_parameters(ptx, self.name, shown)

    def arguments(self, args: Sequence[Any], buffers: Buffers) -> list[str]:
        """Returns the arguments as in a workload file, and adds their buffers. An array is passed as
        two pointers that kernels do not use, its number of elements, the size of an element, the
        address, the shape, and the strides in bytes."""
        if len(args) != len(self.types):
            raise BadInput(f"{self.name} has {len(self.types)} parameters, and {len(args)} arguments are given")
        sizes = iter(parameters_of(self.ptx, self.name))
        texts: list[str] = []
        for name, kind, value in zip(self.names, self.types, args):
            if _is_array(kind):
                texts += self._array(name, kind, value, buffers)
                for _ in range(5 + 2 * kind.ndim):
                    next(sizes)
            elif hasattr(kind, "bitwidth"):
                letter = "f" if not hasattr(kind, "signed") else "i" if kind.signed else "u"
                texts.append(value_text(value, letter, next(sizes)))
            elif str(kind) in ("bool", "boolean"):
                texts.append(value_text(bool(value), "u", next(sizes)))
            else:
                raise BadInput(f"{self.name}: parameter {name} has the type {kind}; give arrays, integers, floats and bools")
        return texts

    def _array(self, name: str, kind: Any, value: Any, buffers: Buffers) -> list[str]:
        if not is_tensor(value):
            raise BadInput(f"{self.name}: argument {name} is {value!r}; give an array or a perfmodel.numba.tensor")
        found = tensor_of(value)
        if found.ndim != kind.ndim or found.element_size() * 8 != getattr(kind.dtype, "bitwidth", 8):
            raise BadInput(f"{self.name}: argument {name} is {found}, and the signature has {kind}")
        size = found.element_size()
        return ["ulong 0", "ulong 0", f"long {found.numel()}", f"long {size}", buffers.name_of(name, value),
                *(f"long {length}" for length in found.shape), *(f"long {stride * size}" for stride in found.strides)]


def _launch(function: Callable, signature: Any, grid: Any, block: Any, args: Sequence[Any], target: PathLike, shared: int,
            session: Session, folder: pathlib.Path, options: dict[str, Any]) -> tuple[pathlib.Path, str, Buffers]:
    """Writes the workload file of a launch. Returns its path, the id of the GPU and the buffers."""
    _cuda()
    name, capability, _ = limits_of(session, target)
    found = _Compiled(function, _types(signature, args), capability, options)
    buffers = Buffers(folder)
    buffers.limit_indices(args)
    return write_workload(folder, found.name, found.ptx, found.name, three(grid, "grid"), three(block, "block"), shared,
                          found.arguments(args, buffers), buffers), name, buffers


def _run(use: Callable[[pathlib.Path, str], Document], *launch: Any) -> Any:
    """Calls use(workload, target) for a launch, and returns its result with what was assumed."""
    with tempfile.TemporaryDirectory(prefix="perfmodel-numba-") as folder:
        path, name, buffers = _launch(*launch[:-1], pathlib.Path(folder), launch[-1])
        with messages_about(path):
            result = use(path, name)
    result["assumed"] = [*result.get("assumed", ()), *buffers.assumed]
    return result


def predict(function: Callable, signature: Any, grid: Any, block: Any, args: Sequence[Any], target: PathLike = "h100", *,
            shared: int = 0, session: Session | None = None, **options: Any) -> Predictions:
    """Predicts the time of a CUDA kernel of Numba with its 90 % interval, without a GPU.

    function: the Python function, or what @numba.cuda.jit made of it.
    signature: types of the parameters as for @cuda.jit, such as "void(int32, float32[:])"; None: those of args.
    grid, block: numbers of blocks, and of threads of a block: a number or a tuple.
    args: arguments by position: numbers, and :class:`tensor`, numpy's or other arrays. Integers of arrays with data
        are used as given; other contents are random.
    shared: bytes of dynamic shared memory.
    options: of numba.cuda.compile_ptx, such as fastmath=True.

    The result is that of :meth:`Session.predict`. Each of its predictions also has ``counters``.
    """
    session = session or shared_session()
    return _run(lambda path, name: session.predict(name, path, with_counters=True), function, signature, grid, block,
                args, target, shared, session, options)


def trace(function: Callable, signature: Any, grid: Any, block: Any, args: Sequence[Any], target: PathLike = "h100", *,
          shared: int = 0, session: Session | None = None, **options: Any) -> Trace:
    """Counts what a GPU would count for a CUDA kernel of Numba. Arguments are those of :func:`predict`, and the
    result is that of :meth:`Session.trace`."""
    session = session or shared_session()
    return _run(lambda path, name: session.trace(workload=path, target=name), function, signature, grid, block, args,
                target, shared, session, options)


def write(function: Callable, signature: Any, grid: Any, block: Any, args: Sequence[Any], folder: PathLike,
          target: PathLike = "h100", *, shared: int = 0, session: Session | None = None, **options: Any) -> pathlib.Path:
    """Writes the PTX and the workload file of a launch into a folder, for perfmodel's other commands, and returns the
    path of the workload file. Arguments are those of :func:`predict`."""
    place = pathlib.Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    return _launch(function, signature, grid, block, args, target, shared, session or shared_session(), place, options)[0]
