"""How perfmodel fails.

SPDX-License-Identifier: GPL-3.0-or-later
"""


class Error(Exception):
    """The work failed. Its text is one line: what went wrong, where, and how to mend it."""


class BadInput(Error, ValueError):
    """An argument, an input file, or the place for the output is wrong."""


class Cancelled(Error):
    """:meth:`Session.cancel` ended the work."""


class Notice(UserWarning):
    """What perfmodel has to tell while it works, such as a row of a dataset that it left out."""
