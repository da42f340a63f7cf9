#!/bin/sh
# What four papers measured on GPUs of 2009 to 2014, and what perfmodel predicts for them from their profiles alone:
# prints the tables and writes docs/findings.md. Needs no arguments; those of scripts/findings.py are handed on.
# Ends with 1 where something could not be predicted.
# Usage: scripts/findings.sh   PERFMODEL: path of the program
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
here=$(dirname "$0")
perfmodel=${PERFMODEL:-$here/../build/bin/perfmodel}
if [ ! -x "$perfmodel" ]; then
    echo "$0: no $perfmodel; build it, or set PERFMODEL to the path of the program" >&2
    exit 2
fi
exec python3 "$here/findings.py" --perfmodel "$perfmodel" "$@"
