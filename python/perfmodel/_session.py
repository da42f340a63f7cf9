"""Sessions, whose methods run the commands of perfmodel.

SPDX-License-Identifier: GPL-3.0-or-later
"""
from __future__ import annotations

import functools
import os
import threading
import warnings

from . import _tables
from ._errors import Cancelled, Error, Notice
from ._interface import ffi
from ._library import c_list, error_of, fill, lib, names_of, options, taken, text_of
from ._results import (Advice, Capture, Check, Collected, Document, Predictions, Trace, Tuning, Validation, read)

TYPE_CHECKING = False  # the same constant as in the module typing, which takes long to import
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, Concatenate, ParamSpec, TypeVar

    import pandas

    from ._library import Names, PathLike

    P = ParamSpec("P")
    R = TypeVar("R")

LEFT_OUT = {None: 0, "nothing": lib.PM_LEAVE_NOTHING, "program": lib.PM_LEAVE_PROGRAM, "class": lib.PM_LEAVE_CLASS,
            "sample": lib.PM_LEAVE_SAMPLE, "gpu": lib.PM_LEAVE_GPU, "architecture": lib.PM_LEAVE_ARCHITECTURE}
# : Members of pm_cost_options by the names of the command line's options.
PRICES = {"hours": "hours", "rate": "hourly_rate", "gpu_hour": "gpu_hour", "runs": "runs_per_month",
          "passes": "passes", "gpus": "gpus", "currency": "currency"}
FINDINGS = {"time": lib.PM_CHECK_TIME, "spills": lib.PM_CHECK_SPILLS, "doubles": lib.PM_CHECK_DOUBLES,
            "sectors": lib.PM_CHECK_SECTORS, "waits": lib.PM_CHECK_WAITS, "barriers": lib.PM_CHECK_BARRIERS}
GIVEN = {"rate": lib.PM_GIVEN_RATE, "gpu_hour": lib.PM_GIVEN_GPU_HOUR, "runs": lib.PM_GIVEN_RUNS}


# : Keyword arguments that say how kernels of bare sources are launched.
LAUNCH = frozenset({"kernel", "grid", "block", "shared", "arg", "set", "build_options"})


def _ranges(value: Any) -> list[str] | None:
    """Converts sizes to the command line's form. A size is 64 or (64, 64); a list has several
    sizes."""
    if value is None:
        return None
    return [each if isinstance(each, str) else ",".join(map(str, each if isinstance(each, tuple) else (each,)))
            for each in (value if isinstance(value, list) else [value])]


def _pairs(value: Mapping[str, Any] | None) -> list[str] | None:
    return None if value is None else [f"{name}={each}" for name, each in value.items()]


def _choice(what: str, value: Any, known: Mapping[Any, int]) -> int:
    try:
        return known[value]
    except KeyError:
        names = ", ".join(name for name in known if name)
        raise ValueError(f"{what}={value!r}: one of {names}") from None


class Session:
    """State that calls have in common: files that were read, counts, and fitted models. They are computed once.
    If a file changes, only a session that is created later sees the change.

    datasets: folder in which datasets, devices.csv and classes.csv are looked up first.
    also: your own datasets, by name or path, from which models learn in addition to the shipped ones.
    seed: seed of random inputs and of sampling.
    sample: fraction of the work-groups that the trace engine runs, in (0, 1]; 0: a fixed amount of work.
    step_limit: largest number of basic blocks that the trace engine runs in one warp; 0: the default.
    ptxas: path of NVIDIA's ptxas, which reports registers of traced kernels; "": search for it; None: estimate
        the registers.
    threads: number of threads of the trace engine; 0: the number of cores.
    progress: called as progress(done, total, step) before each step of long work. total is 0 while it is unknown.
    log: called with each notice, which is one line; None: notices become :class:`Notice` warnings.

    Calls release the interpreter's lock. Threads with sessions of their own work at the same time. Threads with
    the same session wait for each other. Ctrl-C ends a call with KeyboardInterrupt, and an exception in a callback
    ends it with that exception. The session can still be used afterwards. Use it in a ``with`` statement, or close
    it.

    Each parameter for a workload also takes a source file (.cl, .cu, .hip). Keywords give the values that its host
    code does not determine, as the options of the command line do. Values that are given nowhere are assumed and
    listed in ``assumed`` of the result. The keywords are kernel (one or several names), grid and block (a number, a
    tuple, or a list with one for each kernel), shared (bytes), arg (a mapping of parameters to values, "float[n]" or
    "null"), set (a mapping of names to integers) and build_options. Example:
    ``session.predict("h100", "saxpy.cu", set={"n": 1048576})``.
    """

    def __init__(self, datasets: PathLike | None = None, *, also: Names = None, seed: int = 1, sample: float = 0, step_limit: float = 0,
                 ptxas: PathLike | None = None, cuda_compiler: str | None = None, threads: int = 0,
                 progress: Callable[[int, int, str], object] | None = None,
                 log: Callable[[str], object] | None = None):
        self._session = ffi.NULL
        self._lock = threading.RLock()
        self._working = False
        self._raised: BaseException | None = None
        self._cancel = ffi.new("int *")
        self._keep: list = []
        self._ids: dict[str, str] = {}
        chosen = options("pm_session_options", self._keep, datasets=datasets, seed=seed, sample=sample,
                         step_limit=step_limit, ptxas=ptxas, cuda_compiler=cuda_compiler, threads=threads, cancel=self._cancel,
                         **{"with": also})
        self._add_callbacks(chosen, progress, log)
        err = ffi.new("pm_error *")
        self._session = lib.pm_session_create(chosen, err)
        if not self._session:
            raise error_of(err)

    def _add_callbacks(self, chosen: Any, progress: Callable | None, log: Callable | None) -> None:
        """Sets the callbacks of the session. An exception in a callback ends the call, also a
        KeyboardInterrupt raised by a signal handler. The library calls `stop` several times per
        second."""
        def keep_first(_kind, value, _where):
            self._raised = self._raised or value

        def tell(_user, line):
            if log:
                log(text_of(line))
            else:
                warnings.warn(text_of(line), Notice)

        def show(_user, done, total, step):
            progress(done, total, text_of(step))

        def stop(_user):
            return self._raised is not None

        def called(signature, function, **more):
            self._keep.append(ffi.callback(signature, function, onerror=keep_first, **more))
            return self._keep[-1]

        chosen.log.fn = called("void(void *, const char *)", tell)
        chosen.stop = called("bool(void *)", stop, error=True)
        if progress:
            chosen.progress = called("void(void *, size_t, size_t, const char *)", show)

    # ---- closing and cancelling ----------------------------------------------------------------------

    def close(self) -> None:
        """Releases everything that the session holds. The session cannot be used afterwards."""
        with self._lock:
            if self._working:
                raise Error("a session cannot be closed by a callback of its own")
            session, self._session = self._session, ffi.NULL
            lib.pm_session_free(session)

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_session", None):
            lib.pm_session_free(self._session)
            self._session = ffi.NULL

    def cancel(self) -> None:
        """Ends the call that runs in another thread. That call then raises :class:`Cancelled`."""
        if self._working:
            self._cancel[0] = 1

    def _call(self, work: Callable[[Any, Any, list], R]) -> R:
        """Calls work(session, err, keep) and returns its result. An exception raised by a callback
        meanwhile is raised instead."""
        with self._lock:
            if not self._session:
                raise Error("the session is closed: make another one")
            if self._working:
                raise Error("the session is at work: its callbacks cannot call it; use another session")
            self._working = True
            try:
                result = work(self._session, ffi.new("pm_error *"), [])
                if self._raised is None:
                    return result
            except Error:
                if self._raised is None and self._cancel[0]:
                    raise Cancelled("cancelled") from None
                if self._raised is None:
                    raise
            finally:
                self._working = False
                raised, self._raised = self._raised, None
                self._cancel[0] = 0
            raise raised

    @staticmethod
    def _written(result: Any, write: Callable) -> str:
        """Returns the text that write(result, err) makes."""
        err = ffi.new("pm_error *")
        text = write(result, err)
        if not text:
            raise error_of(err)
        return taken(text)

    def _document(self, run: Callable, free: Callable | None, write: Callable, kind: type[Document]) -> Any:
        """Calls run(session, err, keep), writes its result as JSON by write(result, err), and
        returns the document."""
        def work(session, err, keep):
            result = run(session, err, keep)
            if not result:
                raise error_of(err)
            try:
                return self._written(result, write)
            finally:
                if free:
                    free(result)

        return read(self._call(work), kind)

    def _target(self, session: Any, name: PathLike | None, err: Any) -> str | None:
        """Returns the device name in devices.csv for a name of a GPU."""
        if name is None:
            return None
        name = os.fspath(name)
        if name not in self._ids:
            found = ffi.new("char[4096]")
            if lib.pm_target_id(session, os.fsencode(name), found, 4096, err) != lib.PM_OK:
                raise error_of(err)
            self._ids[name] = text_of(found)
        return self._ids[name]

    def _say(self, session: Any, err: Any, keep: list, launch: Mapping[str, Any]) -> None:
        """Passes the launch options of this call's bare sources to the library."""
        unknown = launch.keys() - LAUNCH
        if unknown:
            raise TypeError(f"unexpected keyword argument {min(unknown)!r}; of sources: {', '.join(sorted(LAUNCH))}")
        chosen = options("pm_launch_options", keep, kernels=launch.get("kernel"), grids=_ranges(launch.get("grid")),
                         blocks=_ranges(launch.get("block")), shared=_ranges(launch.get("shared")),
                         arguments=_pairs(launch.get("arg")), sets=_pairs(launch.get("set")),
                         build_options=launch.get("build_options"))
        if lib.pm_session_launch(session, chosen, err) != lib.PM_OK:
            raise error_of(err)

    # ---- commands ------------------------------------------------------------------------------------

    def trace(self, program: str | None = None, variant: str | None = None, size: str | None = None, *,
              workload: PathLike | None = None, target: str = "h100", **launch: Any) -> Trace:
        """Counts what a GPU would count for a program of the suite or a workload file, without a GPU.

        variant, size: None: the program's first variant and its smallest size.
        target: GPU whose rules of counting apply.
        """
        def run(session, err, keep):
            self._say(session, err, keep, launch)
            chosen = options("pm_trace_options", keep, target=self._target(session, target, err), workload=workload)
            key = [ffi.NULL if word is None else os.fsencode(word) for word in (program, variant, size)]
            return lib.pm_trace_run(session, *key, chosen, err)

        return self._document(run, None, lib.pm_trace_document, Trace)

    def predict(self, target: str, workloads: Names = None, *, source: PathLike | None = None, programs: Names = None,
                variants: Names = None, sizes: Names = None, basis: str | None = None, leave_out: str | None = None,
                method: str | None = None, counters: str | None = None, no_source_time: bool = False,
                with_counters: bool = False, **launch: Any) -> Predictions:
        """Predicts run times on a GPU with 90 % intervals. Neither the GPU nor measurements on it are needed.

        workloads: sources, workload files, captures and folders of them. None: the samples of `source`.
        source: dataset of the samples to predict. None: all programs of the suite that were traced for the target.
            If workloads are given: their measured times on another GPU, which improve the predictions.
        programs, variants, sizes: predict only these.
        basis: "dataset" or "profile"; None: the target's dataset if it has enough times, else its profile.
        leave_out: "program" or "class". The model is then fitted without the program, or the class, that it
            predicts.
        method, counters, no_source_time: options of the model, as for ``perfmodel predict``.
        with_counters: each prediction also has ``counters``, the counters of its kernel by name.
        """
        def run(session, err, keep):
            self._say(session, err, keep, launch)
            name[0] = self._target(session, target, err)
            chosen = options("pm_predict_options", keep, target=name[0], workloads=workloads, programs=programs,
                             variants=variants, sizes=sizes, basis=basis,
                             leave_out=_choice("leave_out", leave_out, LEFT_OUT), **{"from": source})
            fill(ffi.addressof(chosen, "model"), keep,
                 {"method": method, "counters": counters, "no_source_time": no_source_time})
            return lib.pm_predict_on(session, chosen, err)

        def document(found, err):
            if with_counters:
                counts.extend(_tables.read_counters(found))
            return lib.pm_predictions_document(found, name[0].encode(), err)

        name, counts = [""], []
        result = self._document(run, lib.pm_predictions_free, document, Predictions)
        for prediction, values in zip(result.predictions, counts):
            prediction["counters"] = values
        return result

    def advise(self, target: str, program: str | None = None, size: str | None = None, *,
               workload: PathLike | None = None, variants: Names = None, leave_out: str | None = None,
               clusters: int = 0, check_limit: float = 0, cost: Mapping[str, Any] | None = None,
               **launch: Any) -> Advice:
        """Ranks versions of a program for a GPU by predicted time, fastest first. Versions are data layouts of its
        structs and stagings of arrays in local memory. Each version is rewritten, traced and predicted.

        program, size: program of the suite and its size; None: the largest size. Otherwise give a workload file.
        variants: rank only these and the base.
        clusters: number of clustered layouts to trace; 0: the default.
        check_limit: limit of the work for running the best version to check its results; 0: the default.
        cost: mapping with any of hours, rate, gpu_hour, runs, passes, gpus and currency. The result then also has
            the cost of each version, its savings, and the time after which it has paid.
        """
        def run(session, err, keep):
            self._say(session, err, keep, launch)
            chosen = options("pm_advise_options", keep, target=self._target(session, target, err), program=program,
                             size=size, workload=workload, variants=variants, clusters=clusters,
                             check_limit=check_limit, leave_out=_choice("leave_out", leave_out, LEFT_OUT))
            return lib.pm_advise(session, chosen, err)

        keep: list = []
        prices = ffi.NULL if cost is None else ffi.new("pm_cost_options *", lib.pm_cost_options_default())
        for name in cost or ():
            _choice("cost", name, dict.fromkeys(PRICES, 0))
        if cost:
            fill(prices, keep, {PRICES[name]: value for name, value in cost.items()})
        given = sum(bit for name, bit in GIVEN.items() if name in (cost or ()))
        return self._document(run, lib.pm_advice_free,
                              lambda advice, err: lib.pm_advice_document(advice, prices, given, err), Advice)

    def tune(self, target: str, workload: PathLike, *, size: str | None = None, space: PathLike | None = None,
             leave_out: str | None = None, budget: int = 0, budget_s: float = 0, measure: int = 0,
             device: str | None = None, known: Names = None, cache: PathLike | None = None,
             ranking: PathLike | None = None, **launch: Any) -> Tuning:
        """Searches the versions of a workload's [tune] section for the fastest on a GPU.

        space: file of Kernel Tuner; its versions replace the space of the workload.
        budget, budget_s: largest number of versions to examine, and seconds after which no further version is
            started; 0: the default.
        measure, device: number of the most promising versions to run, and the device that runs them.
        known: files of Kernel Tuner with times of the versions on other GPUs.
        cache, ranking: output files. cache gets the predicted times for Kernel Tuner, ranking the versions, fastest
            first.
        """
        def run(session, err, keep):
            self._say(session, err, keep, launch)
            chosen = options("pm_tune_options", keep, target=self._target(session, target, err), workload=workload,
                             size=size, space=space, budget=budget, budget_s=budget_s, measure=measure, device=device,
                             known=known, leave_out=_choice("leave_out", leave_out, LEFT_OUT))
            return lib.pm_tune(session, chosen, err)

        def write(tuning, err):
            for path, write_file in ((cache, lib.pm_tuning_write_cache), (ranking, lib.pm_tuning_write_ranking)):
                if path is not None and write_file(tuning, os.fsencode(path), err) != lib.PM_OK:
                    return ffi.NULL
            return lib.pm_tuning_document(tuning, err)

        return self._document(run, lib.pm_tuning_free, write, Tuning)

    def validate(self, datasets: Names, *, source: PathLike | None = None, also: Names = None,
                 method: str | None = None, leave_out: str | None = None, counters: str | None = None,
                 variants: Names = None, sizes: Names = None, no_source_time: bool = False) -> Validation:
        """Computes the errors of a model on programs that were left out of its training data.

        datasets: names or paths of datasets of one GPU; "public": the times that others published.
        source: dataset of another GPU, from whose counters and times the model predicts.
        also: further datasets to learn from (--with of the command line).
        """
        def run(session, err, keep):
            chosen = options("pm_model_options", keep, method=method, counters=counters, variants=variants,
                             sizes=sizes, no_source_time=no_source_time,
                             leave_out=_choice("leave_out", leave_out, LEFT_OUT))
            if names_of(datasets) == ["public"]:
                return lib.pm_validate_published(session, chosen, err)
            target = lib.pm_dataset_open_all(session, c_list(names_of(datasets), keep), err)
            others = [lib.pm_dataset_open(session, os.fsencode(name), err) if target else target
                      for name in ([] if source is None else [source]) + names_of(also)]
            if not target or not all(others):
                return ffi.NULL
            more = ffi.new("pm_dataset *[]", [*others[source is not None:], ffi.NULL])
            keep.append(more)
            setattr(chosen, "with", more)
            return lib.pm_validate(session, target, ffi.NULL if source is None else others[0], chosen, err)

        return self._document(run, lib.pm_validation_free, lib.pm_validation_document, Validation)

    def check(self, workloads: Names, *, against: PathLike | None = None, output: PathLike | None = None,
              targets: Names = None, variants: Names = None, sizes: Names = None, tolerance: float = 0.05,
              fail_on: Names = None, **launch: Any) -> Check:
        """Checks by counts and predicted times whether kernels became slower since a baseline, without a GPU.

        against: the baseline to compare with; output: path for a new baseline.
        targets: GPUs; None: the baseline's GPUs.
        tolerance: fraction by which a kernel may become slower.
        fail_on: findings that make a kernel fail: time, spills, doubles, sectors, waits, barriers; None: all.
        """
        def run(session, err, keep):
            self._say(session, err, keep, launch)
            named = None if targets is None else [self._target(session, name, err) for name in names_of(targets)]
            chosen = options("pm_check_options", keep, workloads=names_of(workloads), targets=named, variants=variants,
                             sizes=sizes, against=against, output=output, tolerance=tolerance,
                             fail_on=sum(_choice("fail_on", name, FINDINGS) for name in set(names_of(fail_on))))
            return lib.pm_check_run(session, chosen, err)

        return self._document(run, lib.pm_check_free, lib.pm_check_document, Check)

    def capture(self, command: Iterable[PathLike] | None, folder: PathLike, *, kernels: Names = None,
                first: int | None = None, longest: int = 10, launches: tuple[int, int] | None = None,
                max_bytes: int = 8 * 10**9, max_seconds: float = 60, source: PathLike | None = None,
                build: str | None = None, tolerance: float = 0, share: float = 0.95,
                all_contents: bool = False) -> Capture:
        """Runs an unmodified OpenCL or CUDA program and writes its launches as workload files into a folder.

        command: the program and its arguments; None: finishes a capture that was interrupted.
        kernels: capture only these.
        first, longest, launches: select the first launches of each kernel, the launches that take longest, or the
            launches with the numbers from launches[0] to launches[1] - 1.
        share: without `kernels`, `first` and `launches`: capture only the kernels that take most time, and together
            this fraction of the time of all kernels; 1: all kernels.
        all_contents: keep also contents of large buffers that change no address and no branch of a CUDA kernel.
        source, build: folder with the sources of CUDA kernels, and build options for them.
        """
        def run(session, err, keep):
            chosen_longest = 0 if first or launches else longest
            chosen = options("pm_capture_options", keep, folder=folder, kernels=kernels, first=first or 0,
                             longest=chosen_longest, most_bytes=max_bytes, most_seconds=max_seconds, source=source,
                             build=build, tolerance=tolerance, all_contents=all_contents,
                             share=0 if kernels or first or launches or share >= 1 else share,
                             command=None if command is None else names_of(command))
            if launches:
                setattr(chosen, "from", launches[0])
                chosen.to = launches[1]
            return lib.pm_capture_run(session, chosen, code, err)

        code = ffi.new("int *")
        return self._document(
            run, lib.pm_capture_free,
            lambda capture, err: lib.pm_capture_document(lib.pm_capture_told(capture), os.fsencode(folder), code[0],
                                                         err), Capture)

    def collect(self, workloads: Names = None, *, device: str | None = None, suite: str | None = None,
                programs: Names = None, variants: Names = None, sizes: Names = None, counters: str | None = None,
                target: str | None = None, output: PathLike | None = None, time_limit_s: float = 2,
                **launch: Any) -> Collected:
        """Runs programs on a device and appends their times and counters to a dataset.

        device: None: the first GPU, else the first device; "none": no times, only counters of the trace engine.
        counters: auto, cupti, trace or none.
        output: path of the dataset; None: a file in the user's folder of datasets.
        """
        def run(session, err, keep):
            self._say(session, err, keep, launch)
            chosen = options("pm_collect_options", keep, device=device, suite=suite, workloads=workloads,
                             programs=programs, variants=variants, sizes=sizes, counters=counters,
                             target=self._target(session, target, err), output=output, time_limit_s=time_limit_s,
                             command="python")
            result = ffi.new("pm_collect_result *")
            return result if lib.pm_collect(session, chosen, result, err) == lib.PM_OK else ffi.NULL

        return self._document(run, None, lib.pm_collect_document, Collected)

    def merge(self, paths: Names, output: PathLike) -> None:
        """Joins the shards of a run of ``perfmodel collect --shard`` into one dataset."""
        def work(session, err, keep):
            if lib.pm_merge(session, c_list(names_of(paths), keep), os.fsencode(output), err) != lib.PM_OK:
                raise error_of(err)

        self._call(work)

    # ---- datasets, GPUs, devices and programs --------------------------------------------------------

    def dataset(self, name: PathLike) -> pandas.DataFrame:
        """Returns a dataset, given by name or path, as a pandas frame. It has one row per kernel
        run and the columns of the file. Unknown numbers are NaN. The path is in
        ``attrs["path"]``."""
        return _tables.dataset_frame(*self._call(lambda session, err, keep: _tables.read_dataset(
            lib.pm_dataset_open(session, os.fsencode(name), err), err)))

    def published(self, device: str) -> pandas.DataFrame | None:
        """Returns the times that others published for a GPU as a frame; None: there are none."""
        def work(session, err, keep):
            found = lib.pm_dataset_published(session, os.fsencode(self._target(session, device, err)), err)
            return None if not found and err.status == lib.PM_OK else _tables.read_dataset(found, err)

        table = self._call(work)
        return None if table is None else _tables.dataset_frame(*table)

    def datasets(self) -> list[Document]:
        """Returns the datasets that can be found by name, with the bandwidths that the copy probe
        measured."""
        return self._call(lambda session, err, keep: _tables.read_targets(session, err))

    def profiles(self) -> list[str]:
        """Returns the GPUs for which predictions can be made from their row of devices.csv."""
        return self._call(lambda session, err, keep: _tables.read_profiles(session, err))

    def devices(self) -> list[Document]:
        """Returns the OpenCL devices of this machine."""
        return self._call(lambda session, err, keep: _tables.read_devices(err))

    def programs(self) -> list[Document]:
        """Returns the programs of the suite, with their variants and sizes."""
        return self._call(lambda session, err, keep: _tables.read_programs())


@functools.lru_cache(maxsize=None)
def shared_session() -> Session:
    """Returns the session of calls of perfmodel.triton and perfmodel.numba that have no session of
    their own. It keeps the fitted models."""
    return Session()


# ---- functions that make a session for one call --------------------------------------------------------


def _alone(method: Callable[Concatenate[Session, P], R]) -> Callable[P, R]:
    """Makes a function of a method. The function creates a session for each call."""
    @functools.wraps(method)
    def call(*args: P.args, **named: P.kwargs) -> R:
        with Session() as session:
            return method(session, *args, **named)

    call.__doc__ = f"{method.__doc__}\n        As :meth:`Session.{method.__name__}`, in a session of its own."
    return call


trace = _alone(Session.trace)
predict = _alone(Session.predict)
advise = _alone(Session.advise)
tune = _alone(Session.tune)
validate = _alone(Session.validate)
check = _alone(Session.check)
capture = _alone(Session.capture)
collect = _alone(Session.collect)
merge = _alone(Session.merge)
dataset = _alone(Session.dataset)
published = _alone(Session.published)
datasets = _alone(Session.datasets)
profiles = _alone(Session.profiles)
devices = _alone(Session.devices)
programs = _alone(Session.programs)
