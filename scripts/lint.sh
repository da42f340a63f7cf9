#!/bin/sh
# Runs clang-format and clang-tidy on all C files. Every finding is an error. Both must be version 14, because other
# versions format and check differently. If one is missing, the script prints a message and ends with exit code 77.
# Usage: scripts/lint.sh [BUILD [PART PARTS [CHANGED]]]
#   BUILD       a configured build folder (default: build-lint, made here)
#   PART PARTS  clang-tidy checks only every PARTS-th file, starting with file PART. PART 0 is clang-format alone.
#               PERFMODEL_TEST_PART=PART/PARTS stands in for both (tests/run_test.c)
#   CHANGED     number of changed files that clang-tidy checks per part at most (CI sets it). The analyzer then stops
#               at 8,000 states per function in place of 225,000, which takes a tenth of the time. clang-format checks
#               all changed files.
# Changed files are the uncommitted ones, then those changed since the branch left origin/main, latest first. On main
# itself, or without an origin, they are the files of the last 20 commits.
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
changed=${4:-}
if [ -n "${PERFMODEL_TEST_PART:-}" ]; then
    part=${PERFMODEL_TEST_PART%/*}
    parts=${PERFMODEL_TEST_PART#*/}
fi
nodes=225000
[ -z "$changed" ] || nodes=8000
[ -e "$build/compile_commands.json" ] || cmake -G Ninja -S . -B "$build" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >/dev/null

# Prints the names of changed files, latest first.
changed_names() {
    base=$(git merge-base HEAD origin/main 2>/dev/null || true)
    if [ -n "$base" ] && [ "$base" != "$(git rev-parse HEAD)" ]; then
        set -- "$base..HEAD"
    else
        set -- -n 20 HEAD
    fi
    {
        git diff --name-only HEAD
        git ls-files --others --exclude-standard
        git log --format= --name-only "$@"
    } | awk '!seen[$0]++'
}

# Prints the changed C files. For a changed header it prints the first C file that includes the header.
changed_files() {
    changed_names | while read -r file; do
        case $file in
        *.c) ;;
        *.h) file=$(git grep -lE "^#include \"($file|${file##*/}|${file#include/})\"" -- '*.c' | head -n 1) ;;
        *) continue ;;
        esac
        [ ! -f "$file" ] || echo "$file"
    done | awk '!seen[$0]++'
}

# Prints the C files and headers that clang-format checks.
formatted() {
    if [ -z "$changed" ]; then
        git ls-files '*.c' '*.h'
    else
        changed_names | while read -r file; do
            case $file in
            *.[ch]) [ ! -f "$file" ] || echo "$file" ;;
            esac
        done
    fi
}
[ "$part" -gt 1 ] || formatted | xargs -r clang-format-14 --dry-run -Werror
if [ "$part" -eq 0 ]; then
    echo "lint: formatted"
    exit 0
fi
# Each command of clang-tidy checks one file. With several files, version 14 wrongly reports a
# missing va_start in the second one. Only compiled files are checked, not fuzzers and helpers that
# this build leaves out. Rows of tables may leave their last fields empty.
once=$(mktemp -d)
trap 'rm -rf "$once"' EXIT
# A source that PM_JOIN_SOURCES joined with others gets the command of its joined file. Joined files allow a local variable
# to have the name of another file's function.
jq -s add /dev/null "$build"/joined/*.json >"$once/joined" 2>/dev/null || true
jq --slurpfile joined "$once/joined" 'map(. as $command | ($joined[0][.file] // [.file])[] as $file
    | $command + {file: $file, command: ($command.command | split($command.file) | join($file) | sub("-Wno-shadow "; ""))})
    | unique_by(.file)' "$build/compile_commands.json" >"$once/compile_commands.json"
if [ -n "$changed" ]; then
    changed_files
else
    git ls-files '*.c' ':!build'
fi | while read -r file; do
    ! grep -q "\"file\": \".*/$file\"" "$once/compile_commands.json" || echo "$file"
done | head -n "$((${changed:-1000000} * parts))" | awk -v part="$part" -v parts="$parts" 'NR % parts == part % parts' >"$once/files"
echo "lint: $(wc -l <"$once/files") files by clang-tidy"
xargs -P "${JOBS:-$(nproc)}" -n 1 clang-tidy-14 --quiet -p "$once" --extra-arg=-Xclang \
    --extra-arg=-analyzer-config --extra-arg=-Xclang --extra-arg=max-nodes="$nodes" \
    --extra-arg=-Wno-missing-field-initializers --extra-arg=-Wno-ignored-optimization-argument <"$once/files"
echo "lint: clean"
