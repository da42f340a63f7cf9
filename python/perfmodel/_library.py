"""The shared library, and how arguments go there and errors come back.

SPDX-License-Identifier: GPL-3.0-or-later
"""
from __future__ import annotations

import functools
import os

from ._errors import BadInput, Error
from ._interface import ffi
from ._place import LIBRARY

TYPE_CHECKING = False  # as typing has it, which takes long to import
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Union

    PathLike = Union[str, "os.PathLike[str]"]
    Names = Union[None, PathLike, Iterable[PathLike]]

SONAME = "libperfmodel.so.1"


def _open() -> Any:
    """The library of the wheel or of the prefix that the package was installed into, else the system's."""
    own = os.path.join(os.path.dirname(__file__), LIBRARY, SONAME)
    try:
        return ffi.dlopen(own if os.path.exists(own) else SONAME)
    except OSError as error:
        raise ImportError(f"{error}; install the library and the Python package of perfmodel together: a wheel has "
                          "both, and so has the prefix of cmake --install") from error


lib = _open()


def text_of(pointer: Any) -> str | None:
    """A C text as a str; None for NULL. Paths in it may be any bytes."""
    return ffi.string(pointer).decode("utf-8", "surrogateescape") if pointer else None


__version__ = text_of(lib.pm_library_version())
api_version = divmod(lib.pm_api_version(), 1 << 16)

if api_version[0] != lib.PM_API_MAJOR or api_version[1] < lib.PM_API_MINOR:
    raise ImportError(f"{SONAME} has interface {api_version[0]}.{api_version[1]}, and this package needs "
                      f"{lib.PM_API_MAJOR}.{lib.PM_API_MINOR}: install the two of one version")


def taken(pointer: Any) -> str:
    """A C text that is the caller's to free."""
    try:
        return text_of(pointer)
    finally:
        lib.free(pointer)


def error_of(err: Any) -> Error:
    """The exception for a pm_error."""
    kind = BadInput if err.status == lib.PM_BAD_INPUT else Error
    return kind(text_of(err.text))


def names_of(value: Names) -> list[PathLike]:
    """One name or several."""
    return [value] if isinstance(value, (str, os.PathLike)) else list(value or ())


def c_list(names: Iterable[PathLike], keep: list) -> Any:
    """Names as a NULL-terminated list, which lives as long as keep."""
    texts = [ffi.new("char[]", os.fsencode(name)) for name in names]
    array = ffi.new("char *[]", texts + [ffi.NULL])
    keep += [texts, array]
    return array


@functools.lru_cache(maxsize=None)
def fields_of(pointer: Any) -> dict[str, Any]:
    """The members of the struct that this type of pointers points to."""
    return dict(pointer.item.fields)


def options(kind: str, keep: list, **members: Any) -> Any:
    """A zeroed struct of options with these members set. None leaves a member as it is, at its
    default. What texts and lists need lives as long as keep."""
    struct = ffi.new(kind + " *")
    fill(struct, keep, members)
    keep.append(struct)
    return struct


def fill(struct: Any, keep: list, members: dict[str, Any]) -> None:
    """Sets members of a struct by name."""
    fields = fields_of(ffi.typeof(struct))
    for name, value in members.items():
        if value is None:
            continue
        kind = fields[name].type
        if kind.kind != "pointer" or isinstance(value, ffi.CData):
            setattr(struct, name, value)
        elif kind.item.kind == "pointer":
            setattr(struct, name, c_list(names_of(value), keep))
        else:
            text = ffi.new("char[]", os.fsencode(value))
            keep.append(text)
            setattr(struct, name, text)
