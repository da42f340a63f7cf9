"""Loads the shared library, and converts arguments, results and errors between Python and C.

SPDX-License-Identifier: GPL-3.0-or-later
"""
from __future__ import annotations

import functools
import os

from ._errors import BadInput, Error
from ._interface import ffi
from ._place import LIBRARY

TYPE_CHECKING = False  # the same constant as in the module typing, which takes long to import
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Union

    PathLike = Union[str, "os.PathLike[str]"]
    Names = Union[None, PathLike, Iterable[PathLike]]

SONAME = "libperfmodel.so.1"


def _open() -> Any:
    """Loads the library beside the package (of a wheel or an install prefix), else the system's
    library."""
    own = os.path.join(os.path.dirname(__file__), LIBRARY, SONAME)
    try:
        return ffi.dlopen(own if os.path.exists(own) else SONAME)
    except OSError as error:
        raise ImportError(f"{error}; install the library and the Python package of perfmodel together: a wheel has "
                          "both, and so has the prefix of cmake --install") from error


lib = _open()


def text_of(pointer: Any) -> str | None:
    """Returns a C text as a str; None for NULL. Paths in it may have any bytes."""
    return ffi.string(pointer).decode("utf-8", "surrogateescape") if pointer else None


__version__ = text_of(lib.pm_library_version())
api_version = divmod(lib.pm_api_version(), 1 << 16)

if api_version[0] != lib.PM_API_MAJOR or api_version[1] < lib.PM_API_MINOR:
    raise ImportError(f"{SONAME} has interface {api_version[0]}.{api_version[1]}, and this package needs "
                      f"{lib.PM_API_MAJOR}.{lib.PM_API_MINOR}: install the two of one version")


def taken(pointer: Any) -> str:
    """Returns a C text as a str and frees the C text."""
    try:
        return text_of(pointer)
    finally:
        lib.free(pointer)


def error_of(err: Any) -> Error:
    """Returns the exception for a pm_error."""
    kind = BadInput if err.status == lib.PM_BAD_INPUT else Error
    return kind(text_of(err.text))


def names_of(value: Names) -> list[PathLike]:
    """Returns one name or several names as a list."""
    return [value] if isinstance(value, (str, os.PathLike)) else list(value or ())


def c_list(names: Iterable[PathLike], keep: list) -> Any:
    """Returns names as a NULL-terminated C list, which lives as long as keep."""
    texts = [ffi.new("char[]", os.fsencode(name)) for name in names]
    array = ffi.new("char *[]", texts + [ffi.NULL])
    keep += [texts, array]
    return array


@functools.lru_cache(maxsize=None)
def fields_of(pointer: Any) -> dict[str, Any]:
    """Returns the members of the struct that pointers of this type point to."""
    return dict(pointer.item.fields)


def options(kind: str, keep: list, **members: Any) -> Any:
    """Returns a struct of options with these members set and all others zero. None leaves a member
    at its default, which is zero. Texts and lists live as long as keep."""
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
