#!/bin/sh
# clang-format and clang-tidy over all C files, as errors. Both must be version 14: others format and
# check differently. Where they are missing it says so and ends with 77.
# Usage: scripts/lint.sh [BUILD [PART PARTS]]   BUILD: a configured build folder (default: build-lint,
# made here). With PART, as CI calls it: of the product's files every PARTS-th alone, from file PART on,
# and the analyzer gives up on a function after 8,000 states where it takes 225,000 else, in a tenth of
# the time.
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
part=${2:-1}
parts=${3:-1}
nodes=225000
leave_out=:!build
if [ "$parts" -gt 1 ]; then
    nodes=8000
    leave_out=:!tests
fi
[ -e "$build/compile_commands.json" ] || cmake -G Ninja -S . -B "$build" >/dev/null

# shellcheck disable=SC2046 # a list of words, and no file here has blanks in its name
[ "$part" -ne 1 ] || clang-format-14 --dry-run -Werror $(git ls-files '*.c' '*.h')
# One file at a time, and each by one command: with several, version 14 takes va_start of the second for
# missing. What is compiled is checked; the fuzzers and helpers that this build leaves out are not. A row
# of a table may leave its last fields empty.
once=$(mktemp -d)
trap 'rm -rf "$once"' EXIT
jq 'unique_by(.file)' "$build/compile_commands.json" >"$once/compile_commands.json"
for file in $(git ls-files '*.c' "$leave_out"); do
    ! grep -q "\"file\": \".*/$file\"" "$once/compile_commands.json" || echo "$file"
done | awk -v part="$part" -v parts="$parts" 'NR % parts == part % parts' |
    xargs -P "${JOBS:-$(nproc)}" -n 1 clang-tidy-14 --quiet -p "$once" --extra-arg=-Xclang \
        --extra-arg=-analyzer-config --extra-arg=-Xclang --extra-arg=max-nodes="$nodes" \
        --extra-arg=-Wno-missing-field-initializers
echo "lint: clean"
