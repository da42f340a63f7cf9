"""Results: what the command line prints with --json, with a few comforts.

SPDX-License-Identifier: GPL-3.0-or-later
"""
from __future__ import annotations

import json

from ._frames import frame_of

TYPE_CHECKING = False  # as typing has it, which takes long to import
if TYPE_CHECKING:
    from typing import Any

    import pandas


class Document(dict):
    """A result, or a part of it: a dict with the fields of docs/usage.md's JSON, equal to what the
    command prints. Fields can be read as attributes, too, where no method of dict has the name."""

    #: The field whose entries are the rows of :meth:`frame`.
    _rows = ""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"this result has {', '.join(self)}; no {name}") from None

    def __dir__(self):
        return [*super().__dir__(), *self]

    def frame(self, rows: str | None = None) -> pandas.DataFrame:
        """A pandas frame of a list of this result, a row an entry; fields that are lists or objects
        themselves are left out, but for parameters, counts and the like, which become columns.

        rows: the name of the list; the main one where it is left out.
        """
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
    """Of :meth:`Session.trace`: kernels with counters and memory accesses."""

    _rows = "kernels"
    target: str
    program: str
    variant: str
    size: str
    kernels: list[Document]

    def frame(self, rows: str | None = None) -> pandas.DataFrame:
        """A row a kernel with its counters as columns; with rows="accesses" a row a memory instruction."""
        if rows in (None, "kernels"):
            return frame_of([{"kernel": kernel.kernel, "launches": kernel.launches,
                              **{name: counter.value for name, counter in kernel.counters.items()}}
                             for kernel in self.kernels])
        return frame_of([{"kernel": kernel.kernel, **entry}
                         for kernel in self.kernels for entry in kernel[rows]])


class Predictions(Document):
    """Of :meth:`Session.predict`."""

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
    """Of :meth:`Session.validate`; errors are fractions."""

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
    """Of :meth:`Session.advise`; choices are fastest first."""

    _rows = "choices"
    target: str
    program: str
    size: str
    basis: str
    base: str
    best: str
    choices: list[Document]


class Tuning(Document):
    """Of :meth:`Session.tune`; choices are fastest first."""

    _rows = "choices"
    target: str
    examined: int
    choices: list[Document]


class Check(Document):
    """Of :meth:`Session.check`."""

    _rows = "kernels"
    slower: int
    failed: int
    kernels: list[Document]


class Capture(Document):
    """Of :meth:`Session.capture`."""

    _rows = "left_out"
    folder: str
    exit_code: int
    workloads: list[str]


class Collected(Document):
    """Of :meth:`Session.collect`."""

    device: str
    dataset: str
    measured: int
    kept: int
    failed: int
    skipped: int


def read(text: str, kind: type[Document]) -> Any:
    """The document of a JSON text; objects in it are Documents, too."""
    return kind(json.loads(text, object_hook=Document))
