#!/bin/sh
# Builds the documentation's web site in build-site/site with mkdocs-material, which is installed from PyPI into a virtual
# environment in build-site. A broken link is an error. `scripts/site.sh install` only makes the virtual environment.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
cd "$(dirname "$0")/.."

venv=build-site/venv
wanted="mkdocs==1.6.1 mkdocs-material==9.8.2"
if [ "$(cat "$venv/installed" 2>/dev/null)" != "$wanted" ]; then
    mkdir -p build-site
    python3 -m venv "$venv"
    # shellcheck disable=SC2086 # a list of words
    "$venv/bin/pip" install -q $wanted
    printf '%s\n' "$wanted" >"$venv/installed"
fi
[ "${1:-}" != install ] || exit 0
# Turns off mkdocs-material's message about its successor.
export NO_MKDOCS_2_WARNING=1
exec "$venv/bin/mkdocs" build --strict -q
