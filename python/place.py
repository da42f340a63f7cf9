"""Prints the folder for Python packages in an installation prefix, relative to the prefix.

Run as ``python place.py PREFIX`` with the Python that is to find the packages.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import sys
import sysconfig


def folder_in(prefix):
    """Returns this Python's folder of packages if it is below the prefix, else
    lib/pythonX.Y/site-packages."""
    own = os.path.relpath(sysconfig.get_path("purelib"), prefix)
    if prefix != "/usr" and not own.startswith(".."):
        return own
    return f"lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages"


if __name__ == "__main__":
    print(folder_in(os.path.abspath(sys.argv[1])))
