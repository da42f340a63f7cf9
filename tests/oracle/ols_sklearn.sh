#!/bin/sh
# Runs ols_sklearn.py with a Python that has scikit-learn, the system's if the first in PATH has none.
# Usage: ols_sklearn.sh PERFMODEL DATASET.csv     ends with 77 where there is none
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
script=$(dirname "$0")/ols_sklearn.py
for python in python3 /usr/bin/python3; do
    command -v "$python" >/dev/null || continue
    code=0
    "$python" "$script" "$@" || code=$?
    [ "$code" -eq 77 ] || exit "$code"
done
echo "ols_sklearn: SKIPPED: no python3 with scikit-learn (Debian: apt-get install python3-sklearn)"
exit 77
