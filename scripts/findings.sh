#!/bin/sh
# Compares measurements of four papers on GPUs of 2009 to 2014 with perfmodel's predictions for these GPUs. Prints tables
# and writes them into docs/findings.md. The script needs no arguments and passes any arguments to scripts/findings.py.
# The exit code is 1 if a prediction failed.
# Usage: scripts/findings.sh   PERFMODEL: path of perfmodel
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
here=$(dirname "$0")
perfmodel=${PERFMODEL:-$here/../build/bin/perfmodel}
if [ ! -x "$perfmodel" ]; then
    echo "$0: no $perfmodel; build it, or set PERFMODEL to the path of the program" >&2
    exit 2
fi
exec python3 "$here/findings.py" --perfmodel "$perfmodel" "$@"
