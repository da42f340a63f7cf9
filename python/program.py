#!python
"""The command perfmodel of a wheel: runs the program file in the package.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import importlib.util
import os
import sys

spec = importlib.util.find_spec("perfmodel")  # imports nothing
if not spec or not spec.origin:
    sys.exit("perfmodel: the Python package perfmodel is not installed for " + sys.executable)
program = os.path.join(os.path.dirname(spec.origin), "bin", "perfmodel")
try:
    os.execv(program, [program, *sys.argv[1:]])
except OSError as error:
    sys.exit(f"perfmodel: {program}: {error.strerror}; install the wheel again")
