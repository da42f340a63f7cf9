#!/bin/sh
# clang-format and clang-tidy over all C files, as errors. Both must be version 14: others format and
# check differently. Where they are missing it says so and ends with 77.
# Usage: scripts/lint.sh [BUILD]   BUILD: a configured build folder (default: build-lint, made here)
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
cd "$(dirname "$0")/.."
for tool in clang-format-14 clang-tidy-14; do
    if ! command -v "$tool" >/dev/null; then
        echo "SKIPPED: $tool is not installed (Debian 12: apt-get install $tool)"
        exit 77
    fi
done
build=${1:-build-lint}
cmake -G Ninja -S . -B "$build" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >/dev/null

files=$(git ls-files '*.c' '*.h')
# shellcheck disable=SC2086 # a list of words, and no file here has blanks in its name
clang-format-14 --dry-run -Werror $files
# One file at a time: with several, version 14 takes va_start of the second for missing. What is
# compiled is checked; the fuzzers and helpers that this build leaves out are not.
for file in $(git ls-files '*.c'); do
    ! grep -q "\"file\": \".*/$file\"" "$build/compile_commands.json" || echo "$file"
done | xargs -P "${JOBS:-$(nproc)}" -n 1 clang-tidy-14 --quiet -p "$build"
echo "lint: clean"
