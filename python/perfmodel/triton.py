"""Predicts kernels of Triton without a GPU, ranks their configurations, and saves Triton's autotuner measurements.

Triton compiles a kernel to PTX on any machine, and perfmodel predicts the time of the PTX::

    import perfmodel.triton as pt

    x = pt.tensor((4096, 1024), "fp32")
    print(pt.predict(softmax, (4096,), (x, x, 1024, 1024), "h100", BLOCK=1024).predictions[0].predicted_s)

SPDX-License-Identifier: GPL-3.0-or-later
"""
from __future__ import annotations

import concurrent.futures
import copy
import os
import pathlib
import tempfile
import warnings

from ._errors import BadInput, Error, Notice
from ._ptx_launch import Buffers, limits_of, messages_about, write_workload
from ._results import Document, Predictions, Trace
from ._session import Session, shared_session
from ._tensors import Tensor as tensor
from ._triton_compiler import Compiled, compile_kernel, is_descriptor, modules, named_arguments, unwrap

TYPE_CHECKING = False  # the same constant as in the module typing, which takes long to import
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from ._library import PathLike

__all__ = ["Ranking", "autotune", "predict", "rank", "tensor", "trace", "write"]


class Ranking(Document):
    """Result of :func:`rank`. Configurations are sorted by predicted time, fastest first.

    best: the fastest configurations, as they were given.
    """

    _rows = "choices"
    target: str
    kernel: str
    choices: list[Document]
    failed: list[Document]
    best: list[Any]


class _Launch:
    """A launch of a kernel for a GPU: what all configurations have in common."""

    def __init__(self, kernel: Any, grid: Any, args: Sequence | Mapping[str, Any], keywords: Mapping[str, Any],
                 target: PathLike, session: Session | None):
        self.session = session or shared_session()
        self.kernel, self.heuristics, self.configs = unwrap(kernel)
        self.grid, self.keywords = grid, dict(keywords)
        self.args = named_arguments(self.kernel, args, keywords)
        self.target, self.capability, self.shared = limits_of(self.session, target)

    def compile(self, keywords: Mapping[str, Any], hook: Callable | None = None) -> Compiled:
        """Compiles the kernel with further keywords. BadInput if a block has too much shared
        memory. hook: the configuration's pre_hook, which may set the block shapes of descriptors."""
        args = self.args
        if hook and any(map(is_descriptor, args.values())):
            args = {name: copy.copy(value) if is_descriptor(value) else value for name, value in args.items()}
            hook({**args, **self.keywords, **keywords})
        found = compile_kernel(self.kernel, self.heuristics, self.grid, args, {**self.keywords, **keywords},
                               self.capability)
        if found.shared > self.shared:
            raise BadInput(f"{found.name}: a block has {found.shared} bytes of shared memory, and {self.target} "
                           f"has {self.shared} for a block; choose smaller tiles or fewer stages")
        return found

    def buffers(self, folder: PathLike) -> Buffers:
        """Returns the buffers of the launch, with their contents in a folder."""
        buffers = Buffers(pathlib.Path(folder))
        buffers.limit_indices([*self.args.values(), *self.keywords.values()])
        return buffers

    @staticmethod
    def write(found: Compiled, buffers: Buffers, file: str | None = None) -> pathlib.Path:
        """Writes the workload file of a compiled kernel, and returns its path."""
        return write_workload(buffers.folder, found.name, found.ptx, found.entry, found.grid, found.block, found.shared,
                              found.arguments(buffers), buffers, file)

    def run(self, use: Callable[[pathlib.Path, str], Document]) -> Document:
        """Calls use(workload, target) for the workload of the launch, and returns its result with
        what was assumed about the arguments."""
        if self.configs is not None and len(self.configs) > 1 and not any(
                name in self.keywords for config in self.configs for name in config.kwargs):
            raise BadInput(f"{self.kernel.__name__} has {len(self.configs)} configurations; give the parameters of one "
                           "by keyword, or call perfmodel.triton.rank")
        with tempfile.TemporaryDirectory(prefix="perfmodel-triton-") as folder:
            buffers = self.buffers(folder)
            only = self.configs[0] if self.configs and len(self.configs) == 1 else None
            path = self.write(self.compile({**(only.all_kwargs() if only else {}), **self.keywords},
                                           getattr(only, "pre_hook", None)), buffers)
            with messages_about(path):
                result = use(path, self.target)
        result["assumed"] = [*result.get("assumed", ()), *buffers.assumed]
        return result


def predict(kernel: Any, grid: Any, args: Sequence | Mapping[str, Any], target: PathLike = "h100", *,
            session: Session | None = None, **meta: Any) -> Predictions:
    """Predicts the time of a kernel of Triton with its 90 % interval, without a GPU.

    kernel: a function of @triton.jit, also with @triton.heuristics.
    grid: numbers of programs (a tuple), or a function of the arguments that returns them.
    args: the arguments by position (a tuple) or by name (a dict). Tensors are :class:`tensor`, torch's (also on the
        device meta), numpy's, or other objects with shape and dtype. Integers of arrays with data are used as given;
        other contents are random.
    target: name of the GPU.
    session: session whose options hold and which keeps the fitted models; None: one for all such calls.
    meta: as in a launch: constants of the kernel, num_warps, num_stages, num_ctas, maxnreg.

    The result is that of :meth:`Session.predict`. Each of its predictions also has ``counters``.
    """
    launch = _Launch(kernel, grid, args, meta, target, session)
    return launch.run(lambda path, name: launch.session.predict(name, path, with_counters=True))


def trace(kernel: Any, grid: Any, args: Sequence | Mapping[str, Any], target: PathLike = "h100", *,
          session: Session | None = None, **meta: Any) -> Trace:
    """Counts what a GPU would count for a kernel of Triton. Arguments are those of :func:`predict`, and the result
    is that of :meth:`Session.trace`."""
    launch = _Launch(kernel, grid, args, meta, target, session)
    return launch.run(lambda path, name: launch.session.trace(workload=path, target=name))


def write(kernel: Any, grid: Any, args: Sequence | Mapping[str, Any], folder: PathLike, target: PathLike = "h100", *,
          session: Session | None = None, **meta: Any) -> pathlib.Path:
    """Writes the PTX and the workload file of a launch into a folder, for perfmodel's other commands, and returns the
    path of the workload file. Arguments are those of :func:`predict`."""
    launch = _Launch(kernel, grid, args, meta, target, session)
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    return launch.write(launch.compile({}), launch.buffers(folder))


def rank(kernel: Any, grid: Any, args: Sequence | Mapping[str, Any], configs: Iterable[Any] | None = None,
         target: PathLike = "h100", *, best: int = 5, session: Session | None = None, **meta: Any) -> Ranking:
    """Ranks configurations of a kernel by predicted time, fastest first, without a GPU.

    configs: triton.Config objects; None: those of the kernel's @triton.autotune.
    best: number of configurations in the member ``best`` of the result.

    Each entry of ``choices`` has predicted_s, lo_s, hi_s, bound, shared (bytes of a block) and the parameters of its
    configuration. ``failed`` lists configurations that do not compile, need too much shared memory or cannot be
    traced, each with the reason. Other arguments are those of :func:`predict`.
    """
    launch = _Launch(kernel, grid, args, meta, target, session)
    configs = list(launch.configs or () if configs is None else configs)
    if not configs:
        raise BadInput("no configurations to rank: give a list of triton.Config")
    with tempfile.TemporaryDirectory(prefix="perfmodel-triton-") as folder:
        buffers = launch.buffers(folder)
        done, failed = _predict_all(launch, configs, buffers)
    done.sort(key=lambda entry: entry[:2])
    ranking = Ranking(target=launch.target, kernel=launch.kernel.__name__, choices=[choice for _, _, choice in done],
                      failed=failed, assumed=buffers.assumed)
    ranking["best"] = [configs[i] for _, i, _ in done[:best]]
    return ranking


def _predict_all(launch: _Launch, configs: Sequence[Any],
                 buffers: Buffers) -> tuple[list[tuple[float, int, Document]], list[Document]]:
    """Compiles configurations in threads and predicts each one that is compiled. Returns the time,
    the index and the entry of each, and the entries of those that failed."""
    done, failed, known = [], [], {}
    launch.kernel.cache_key     # computes the key before several threads need it
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        futures = {pool.submit(launch.compile, config.all_kwargs(), getattr(config, "pre_hook", None)): i for i, config in enumerate(configs)}
        try:
            for future in concurrent.futures.as_completed(futures):
                i = futures[future]
                choice = Document(config=str(configs[i]), parameters=Document(configs[i].all_kwargs()))
                try:
                    found = future.result()
                    if found.key not in known:      # configurations may compile to the same code
                        known[found.key] = _predict_once(launch, found, buffers, i)
                    choice.update(known[found.key])
                    done.append((choice.predicted_s, i, choice))
                except Error as error:
                    failed.append(Document(choice, reason=str(error)))
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
    return done, failed


def _predict_once(launch: _Launch, found: Compiled, buffers: Buffers, i: int) -> Document:
    """Predicts a compiled configuration, and returns its times and what limits it."""
    path = launch.write(found, buffers, f"{found.name}.{i}")
    with messages_about(path):
        entry = launch.session.predict(launch.target, path).predictions[0]
    return Document(predicted_s=entry.predicted_s, lo_s=entry.lo_s, hi_s=entry.hi_s, bound=entry.get("bound"),
                    shared=found.shared)


def autotune(configs: Sequence[Any], key: Sequence[str], *, keep: int = 5, target: PathLike | None = None,
             session: Session | None = None, **named: Any) -> Callable:
    """Decorates a kernel in place of @triton.autotune. Before Triton's autotuner measures, all configurations are
    predicted, and the autotuner measures the `keep` fastest.

    target: GPU to predict for; None: the GPU on which the kernel is launched.
    named: other arguments of triton.autotune. If prune_configs_by has an early_config_prune, it is called first.

    If the configurations cannot be predicted, all are measured, and a :class:`Notice` says why.
    """
    early = (named.get("prune_configs_by") or {}).get("early_config_prune")

    def decorate(kernel: Any) -> Any:
        def prune(configs, named_args, **keywords):
            if early:
                configs = early(configs, named_args, **keywords)
            if len(configs) <= keep:
                return configs
            grid = keywords.pop("grid", None)
            keywords.pop("warmup", None)
            try:
                found = rank(kernel, grid, dict(named_args), configs, target or _present_gpu(), best=keep,
                             session=session, **keywords)
            except Exception as error:      # whatever fails here must not end the program that is tuned
                warnings.warn(f"all {len(configs)} configurations are measured: {error}", Notice, stacklevel=2)
                return configs
            if not found.best:
                warnings.warn(f"all {len(configs)} configurations are measured: {found.failed[0].reason}", Notice,
                              stacklevel=2)
            return found.best or configs

        pruning = {**(named.get("prune_configs_by") or {}), "early_config_prune": prune}
        return modules().autotune(configs, list(key), **{**named, "prune_configs_by": pruning})(kernel)

    return decorate


def _present_gpu() -> str:
    """Returns the name of the GPU of this process, as torch reports it."""
    try:
        import torch
        return torch.cuda.get_device_name()
    except (ImportError, RuntimeError, AssertionError) as error:
        raise BadInput(f"no GPU here whose name torch knows ({error}); give autotune its target") from error
