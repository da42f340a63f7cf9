"""Data frames: the one part of the package that needs pandas.

SPDX-License-Identifier: GPL-3.0-or-later
"""
from __future__ import annotations

TYPE_CHECKING = False  # as typing has it, which takes long to import
if TYPE_CHECKING:
    from typing import Any

    import pandas


def frame_of(data: Any) -> pandas.DataFrame:
    """A frame of a list of rows or a dict of columns."""
    try:
        import pandas  # takes half a second: only where it is wanted
    except ImportError as error:
        raise ImportError("data frames need pandas, and everything else works without it: pip install pandas") from error
    return pandas.DataFrame(data)
