"""Compiles kernels of Triton to PTX without a GPU, as Triton's own JIT specialises them.

SPDX-License-Identifier: GPL-3.0-or-later
"""
from __future__ import annotations

import copy

from ._errors import BadInput, Error
from ._ptx_launch import Buffers, parameters_of, rename_parameters, three, value_text
from ._tensors import Tensor, is_tensor, tensor_of

TYPE_CHECKING = False  # the same constant as in the module typing, which takes long to import
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

HIDDEN = ("global_scratch", "profile_scratch")     # parameters that Triton adds, in this order
# : Names in workload files of the types of a tensor map's elements, by their numbers in Triton's metadata.
MAP_TYPES = ("u8", "u16", "u32", "s32", "u64", "s64", "f16", "f32", "f32", "f64", "bf16")


def modules() -> Any:
    """Returns Triton's package after importing what this module uses."""
    try:
        import triton
        import triton.backends.compiler
        import triton.compiler
        import triton.runtime.jit
    except ImportError as error:
        raise ImportError(f"Triton cannot be imported ({error}); install it by: pip install triton. No GPU is "
                          "needed") from error
    if not hasattr(triton.runtime.jit, "create_function_from_signature") or not hasattr(
            triton.runtime.jit.JITFunction, "_pack_args"):
        raise ImportError(f"Triton {triton.__version__} is not supported; perfmodel was tested with 3.9: "
                          "pip install -U triton")
    return triton


def unwrap(kernel: Any) -> tuple[Any, list[dict[str, Callable]], list | None]:
    """Returns the function of @triton.jit below the decorators of a kernel, the values of its
    @triton.heuristics, and the configurations of its autotuner or None."""
    jit = modules().runtime.jit.JITFunction
    heuristics, configs = [], None
    while not isinstance(kernel, jit):
        if hasattr(kernel, "configs"):
            configs = kernel.configs
        elif hasattr(kernel, "values"):
            heuristics.append(kernel.values)
        kernel = getattr(kernel, "fn", None)
        if kernel is None:
            raise BadInput("the kernel is no function of @triton.jit")
    return kernel, heuristics, configs


def named_arguments(kernel: Any, args: Sequence | Mapping[str, Any], keywords: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the arguments of a launch by name, with tensors as Tensor and numpy's scalars as
    numbers of Python."""
    names = kernel.arg_names
    if not isinstance(args, dict):
        if len(args) > len(names):
            raise BadInput(f"{kernel.__name__} has {len(names)} parameters, and {len(args)} arguments are given")
        args = dict(zip(names, args))
    unknown, both = args.keys() - set(names), args.keys() & keywords.keys()
    if unknown:
        raise BadInput(f"{kernel.__name__} has no parameter {min(unknown)}; it has {', '.join(names)}")
    if both:
        raise BadInput(f"{kernel.__name__}: {min(both)} is given twice, in args and by keyword")
    return {name: plain_value(value) for name, value in args.items()}


def plain_value(value: Any) -> Any:
    """Returns a Tensor for each tensor in an argument, and a number of Python for numpy's scalars."""
    if isinstance(value, tuple) and type(value) is tuple:
        return tuple(plain_value(each) for each in value)
    if is_tensor(value):
        return tensor_of(value)
    return value.item() if type(value).__module__ == "numpy" else value


def is_descriptor(value: Any) -> bool:
    """Returns whether an argument is a TensorDescriptor of Triton."""
    return hasattr(value, "block_shape") and hasattr(value, "base")


class Compiled:
    """A kernel that Triton compiled for a GPU, and its launch: its PTX, its entry, the numbers of
    blocks and threads, its bytes of shared memory and its arguments."""

    def __init__(self, kernel: Any, named: dict[str, Any], found: Any, grid: Any, bound: dict[str, Any],
                 signature: dict[str, Any]):
        metadata = found.metadata
        self.name = kernel.__name__
        self.entry = metadata.name
        self.shared = metadata.shared
        self.block = (32 * metadata.num_warps, 1, 1)
        if getattr(metadata, "num_ctas", 1) > 1:
            raise BadInput(f"{self.name}: num_ctas is {metadata.num_ctas}, and clusters of blocks cannot be traced; set "
                           "num_ctas=1")
        self.grid = three(grid({**named, **bound}) if callable(grid) else grid, "grid")
        maps = iter(getattr(metadata, "tensordesc_meta", None) or ())
        self._values = [pair for name, kind in signature.items() for pair in _flat(name, kind, bound[name], maps)]
        self.ptx = rename_parameters(found.asm["ptx"], self.entry, [name for name, _, _ in self._values])
        self.key = (self.ptx, self.grid, self.block, self.shared)
        self._scratch = {f"{name}_scratch": getattr(metadata, f"{name}_scratch_size", 0) * self.grid[0] * self.grid[1]
                         * self.grid[2] for name in ("global", "profile")}

    def arguments(self, buffers: Buffers) -> list[str]:
        """Returns the arguments as in a workload file, and adds their buffers."""
        sizes = parameters_of(self.ptx, self.entry)
        hidden = HIDDEN[:len(sizes) - len(self._values)]
        if len(self._values) + len(hidden) != len(sizes):
            raise Error(f"{self.name}: its PTX has {len(sizes)} parameters, and perfmodel knows "
                        f"{len(self._values)} of them; this version of Triton is not supported")
        texts = [_argument(name, kind, value, bits, buffers) for (name, kind, value), bits in zip(self._values, sizes)]
        return texts + [buffers.scratch(name, self._scratch[name]) if self._scratch[name] else "null" for name in hidden]


def _argument(name: str, kind: str, value: Any, bits: int, buffers: Buffers) -> str:
    """Returns an argument as in a workload file, and adds its buffer."""
    if kind == "m":
        return _map_text(buffers.name_of(name, value[0].base), *value)
    return buffers.name_of(name, value) if kind == "p" else value_text(value, kind, bits)


def _map_text(buffer: str, descriptor: Any, made: Mapping[str, Any]) -> str:
    """Returns the tensor map that Triton's launcher makes of a descriptor, as in a workload file. made: what the
    compiled kernel says about the map. The map's dimensions are in the reverse order of the tensor's."""
    if made.get("fp4_padded") or made.get("is_im2col"):
        raise BadInput(f"{buffer}: descriptors for im2col or numbers of 4 bits cannot be traced; use one of another type")
    kind = "tf32" if descriptor.round_f32_to_tf32 else MAP_TYPES[made["elem_type"]]
    lists = {"sizes": descriptor.shape, "strides": [stride * made["elem_size"] for stride in descriptor.strides[:-1]],
             "box": made["block_size"]}
    fields = [f"{name} ({', '.join(str(number) for number in reversed(numbers))})"
              for name, numbers in lists.items() if len(numbers) > 0]
    fields += [f"swizzle {(16 << made['swizzle']) if made['swizzle'] else 0}", f"type {kind}"]
    return f"tensor_map ({', '.join([buffer, *fields, *(['fill nan'] if descriptor.padding == 'nan' else [])])})"


def _flat(name: str, kind: Any, value: Any, maps: Iterator) -> list[tuple[str, str, Any]]:
    """Returns the values that an argument passes to the kernel: none for a constant, several for a
    tuple. Each has its name, i, u, f, p (a tensor) or m (a tensor map) for its kind, and the value. maps: what the
    compiled kernel says about each of its tensor maps."""
    if isinstance(kind, tuple):
        return [each for i, pair in enumerate(zip(kind, value)) for each in _flat(f"{name}_{i}", *pair, maps)]
    if kind == "constexpr":
        return []
    if kind.startswith("tensordesc"):
        return _flat_descriptor(name, value, next(maps, None))
    return [(name, "p" if kind[0] == "*" else kind[0].replace("b", "f"), value)]


def _flat_descriptor(name: str, value: Any, made: Mapping[str, Any] | None) -> list[tuple[str, str, Any]]:
    """Returns the values that a tensor descriptor passes to the kernel, as Triton's launcher does: a tensor map if the
    GPU has them (made is not None), else the tensor and what describes it; then the shape and the strides."""
    value = copy.copy(value)
    value.base = tensor_of(value.base)
    numbers = [(f"{name}_{what}_{d}", number) for what, list_ in (("shape", value.shape), ("stride", value.strides))
               for d, number in enumerate(list_)]
    described = [(each, "i", number) for each, number in numbers]
    if made is not None:
        return [(name, "m", (value, made)), *described]
    wide = [(f"{each}_of_base", "i", number) for each, number in numbers]
    flags = [(f"{name}_nan", "i", int(value.padding == "nan")), (f"{name}_tf32", "i", int(value.round_f32_to_tf32))]
    return [(name, "p", value.base), *wide, *flags, *described]


def compile_kernel(kernel: Any, heuristics: Sequence[Mapping[str, Callable]], grid: Any, args: Mapping[str, Any],
                   keywords: Mapping[str, Any], capability: int) -> Compiled:
    """Compiles a kernel for a compute capability (90 means 9.0) as its launch with these arguments
    would compile it. args: arguments by name. keywords: arguments that the launch passes by
    keyword, and options such as num_warps. A keyword may be both."""
    triton = modules()
    target = triton.backends.compiler.GPUTarget("cuda", capability, 32)
    keywords = {name: plain_value(value) for name, value in keywords.items()}
    for heuristic in heuristics:
        for name, function in heuristic.items():
            keywords[name] = function({**args, **keywords})
    try:
        backend = triton.compiler.make_backend(target)
        bind = triton.runtime.jit.create_function_from_signature(kernel.signature, kernel.params, backend)
        bound, specialization, options = bind(**args, **keywords)
        options = {**keywords, "debug": bool(keywords.get("debug", kernel.debug))}
        options, signature, constants, attributes = kernel._pack_args(backend, options, bound, specialization, options)
        source = triton.compiler.ASTSource(kernel, signature, constants, attributes)
        found = triton.compile(source, target=target, options=options.__dict__)
    except Exception as error:
        raise BadInput(f"{kernel.__name__}: Triton does not compile it: {_one_line(error)}") from error
    return Compiled(kernel, {**args, **keywords}, found, grid, bound, signature)


def _one_line(error: BaseException) -> str:
    """Returns the last line of an error's text that has a word, or the type of the error."""
    lines = [line.strip() for line in str(error).splitlines() if any(map(str.isalpha, line))]
    return f"{type(error).__name__}: {lines[-1]}" if lines else type(error).__name__
