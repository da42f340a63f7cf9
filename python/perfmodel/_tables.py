"""Reads datasets, devices and programs from structs of the library into frames and lists.

SPDX-License-Identifier: GPL-3.0-or-later
"""
from __future__ import annotations

from ._frames import frame_of
from ._interface import ffi
from ._library import error_of, lib, text_of
from ._results import Document

TYPE_CHECKING = False  # the same constant as in the module typing, which takes long to import
if TYPE_CHECKING:
    from typing import Any

    import pandas

TEXTS = ("device", "program", "variant", "size", "kernel", "counter_source")
NUMBERS = ("time_s", "time_mad_s", "runs", "work_items", "work_group")


def read_dataset(dataset: Any, err: Any) -> tuple[str, dict[str, list]]:
    """Returns the path and the columns of a dataset: the columns of the file, and `origin` if a row
    has one."""
    if not dataset:
        raise error_of(err)
    samples = [lib.pm_dataset_sample(dataset, row) for row in range(lib.pm_dataset_rows(dataset))]
    columns: dict[str, list] = {name: [text_of(getattr(sample, name)) for sample in samples] for name in TEXTS}
    columns |= {name: [getattr(sample, name) for sample in samples] for name in NUMBERS}
    origins = [text_of(sample.origin) or "" for sample in samples]
    if any(origins):
        columns["origin"] = origins
    count = lib.pm_dataset_counters(dataset)
    rows = [ffi.unpack(sample.counters, count) for sample in samples] if count else []
    names = [text_of(lib.pm_dataset_counter_name(dataset, i)) for i in range(count)]
    columns |= dict(zip(names, map(list, zip(*rows)) if rows else ([] for _ in names)))
    return text_of(lib.pm_dataset_path(dataset)), columns


def read_counters(predictions: Any) -> list[Document]:
    """Returns the counters of each prediction that are known, by name. Standard errors of sampling
    (names that end in _se) are left out."""
    rows = predictions.rows
    names = [text_of(lib.pm_dataset_counter_name(rows, i)) for i in range(lib.pm_dataset_counters(rows))] if rows else []
    found = [predictions.predictions[i].sample.counters for i in range(predictions.n)]
    return [Document((name, values[i]) for i, name in enumerate(names) if values[i] == values[i]
                     and not name.endswith("_se")) for values in found]


def dataset_frame(path: str, columns: dict[str, list]) -> pandas.DataFrame:
    """Returns the columns of a dataset as a frame."""
    frame = frame_of(columns)
    frame.attrs["path"] = path
    return frame


def read_targets(session: Any, err: Any) -> list[Document]:
    """Returns the datasets that can be found by name."""
    found, count = ffi.new("pm_target **"), ffi.new("size_t *")
    if lib.pm_targets(session, found, count, err) != lib.PM_OK:
        raise error_of(err)
    try:
        return [Document(name=text_of(target.name), path=text_of(target.path), samples=target.samples,
                         copy_gb_per_s=Document((text_of(copy.variant), float(f"{copy.gb_per_s:.9g}"))
                                                for copy in target.copies[0:target.copy_count]))
                for target in found[0][0:count[0]]]
    finally:
        lib.pm_targets_free(found[0], count[0])


def read_profiles(session: Any, err: Any) -> list[str]:
    """Returns the GPUs with a row of devices.csv."""
    names, count = ffi.new("char ***"), ffi.new("size_t *")
    if lib.pm_profiles(session, names, count, err) != lib.PM_OK:
        raise error_of(err)
    try:
        return [text_of(name) for name in names[0][0:count[0]]]
    finally:
        lib.pm_profiles_free(names[0])


def read_devices(err: Any) -> list[Document]:
    """Returns the OpenCL devices of this machine."""
    found, count = ffi.new("pm_device **"), ffi.new("size_t *")
    if lib.pm_devices(found, count, err) != lib.PM_OK:
        raise error_of(err)
    try:
        return [Document(number=i, cpu=device.is_cpu, compute_units=device.compute_units,
                         clock_mhz=device.clock_mhz, memory_bytes=device.memory_bytes,
                         **{name: text_of(getattr(device, name))
                            for name in ("id", "name", "vendor", "platform", "driver")})
                for i, device in enumerate(found[0][0:count[0]])]
    finally:
        lib.free(found[0])


def _listed(names: Any) -> list[str]:
    found = []
    while names and names[len(found)]:
        found.append(text_of(names[len(found)]))
    return found


def read_programs() -> list[Document]:
    """Returns the programs of the suite."""
    all_of_them = (lib.pm_program_at(i) for i in range(lib.pm_program_count()))
    return [Document(program=text_of(info.name), title=text_of(info.title), base=text_of(info.base),
                     variants=_listed(info.variants), sizes=_listed(info.sizes)) for info in all_of_them]
