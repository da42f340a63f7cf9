"""Exceptions and warnings of perfmodel.

SPDX-License-Identifier: GPL-3.0-or-later
"""


class Error(Exception):
    """The work failed. The text is one line: what went wrong, where, and how to mend it."""


class BadInput(Error, ValueError):
    """An argument, an input file, or the place for the output is wrong."""


class Cancelled(Error):
    """The work was ended by :meth:`Session.cancel`."""


class Notice(UserWarning):
    """A message during the work, such as about a row of a dataset that was left out."""
