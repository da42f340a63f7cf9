"""Conversion to data frames. No other part of the package needs pandas.

SPDX-License-Identifier: GPL-3.0-or-later
"""
from __future__ import annotations

TYPE_CHECKING = False  # the same constant as in the module typing, which takes long to import
if TYPE_CHECKING:
    from typing import Any

    import pandas


def frame_of(data: Any) -> pandas.DataFrame:
    """Returns a pandas frame of a list of rows or a dict of columns."""
    try:
        import pandas  # takes half a second, so it is imported only when needed
    except ImportError as error:
        raise ImportError("data frames need pandas, and everything else works without it: pip install pandas") from error
    return pandas.DataFrame(data)
