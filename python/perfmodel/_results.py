"""Results of commands: the JSON documents that the commands print with --json, with helper methods.

SPDX-License-Identifier: GPL-3.0-or-later
"""
from __future__ import annotations

import json

from ._frames import frame_of

TYPE_CHECKING = False  # the same constant as in the module typing, which takes long to import
if TYPE_CHECKING:
    from typing import Any

    import pandas


class Document(dict):
    """A result or a part of it: a dict with the fields of docs/usage.md's JSON, equal to the
    command's output. Fields can also be read as attributes, unless a method of dict has the same
    name."""

    # : Name of the field whose entries are the rows of :meth:`frame`.
    _rows = ""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"this result has {', '.join(self)}; no {name}") from None

    def __dir__(self):
        return [*super().__dir__(), *self]

    def frame(self, rows: str | None = None) -> pandas.DataFrame:
        """Returns a pandas frame with one row for each entry of a list in this result. Fields that
        are lists or objects are left out, except parameters and counts, which become columns. rows:
        name of the list; None: the main list of the result."""
        return frame_of([_flat(entry) for entry in self[rows or self._rows]])


def _flat(entry: Any) -> dict[str, Any]:
    row = {}
    for key, value in entry.items():
        if isinstance(value, dict):
            row.update({name if key == "parameters" else f"{key}.{name}": inner for name, inner in value.items()
                        if not isinstance(inner, (dict, list))})
        elif not isinstance(value, list):
            row[key] = value
    return row


class Trace(Document):
    """Result of :meth:`Session.trace`: kernels with counters and memory accesses."""

    _rows = "kernels"
    target: str
    program: str
    variant: str
    size: str
    kernels: list[Document]

    def frame(self, rows: str | None = None) -> pandas.DataFrame:
        """Returns a frame with one row per kernel and its counters as columns. With
        rows="accesses", one row per memory instruction."""
        if rows in (None, "kernels"):
            return frame_of([{"kernel": kernel.kernel, "launches": kernel.launches,
                              **{name: counter.value for name, counter in kernel.counters.items()}}
                             for kernel in self.kernels])
        return frame_of([{"kernel": kernel.kernel, **entry}
                         for kernel in self.kernels for entry in kernel[rows]])


class Predictions(Document):
    """Result of :meth:`Session.predict`."""

    _rows = "predictions"
    target: str
    basis: str
    predictions: list[Document]
    totals: list[Document]

    @property
    def seconds(self) -> list[float]:
        """The predicted time of each kernel, in the order of predictions."""
        return [entry.predicted_s for entry in self.predictions]


class Validation(Document):
    """Result of :meth:`Session.validate`. Errors are fractions."""

    _rows = "samples"
    dataset: str
    method: str
    leave_out: str
    n: int
    mape: float
    median_ape: float
    coverage90: float
    samples: list[Document]


class Advice(Document):
    """Result of :meth:`Session.advise`. Choices are sorted by time, fastest first."""

    _rows = "choices"
    target: str
    program: str
    size: str
    basis: str
    base: str
    best: str
    choices: list[Document]


class Tuning(Document):
    """Result of :meth:`Session.tune`. Choices are sorted by time, fastest first."""

    _rows = "choices"
    target: str
    examined: int
    choices: list[Document]


class Check(Document):
    """Result of :meth:`Session.check`."""

    _rows = "kernels"
    slower: int
    failed: int
    kernels: list[Document]


class Capture(Document):
    """Result of :meth:`Session.capture`."""

    _rows = "left_out"
    folder: str
    exit_code: int
    workloads: list[str]


class Collected(Document):
    """Result of :meth:`Session.collect`."""

    device: str
    dataset: str
    measured: int
    kept: int
    failed: int
    skipped: int


def read(text: str, kind: type[Document]) -> Any:
    """Parses a JSON text into a document. Objects in it become Documents, too."""
    return kind(json.loads(text, object_hook=Document))
