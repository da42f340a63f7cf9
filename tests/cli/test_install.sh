#!/bin/sh
# Installs into a prefix with blanks in its name, moves the prefix, and runs the program from elsewhere.
# Builds the C program of README.md with the shared and the static library, through pkg-config and through
# find_package. Imports the installed Python package.
# Needs SOURCE (the source folder), BUILD (the build folder), CMAKE, CC and CFLAGS, which ctest sets. PYTHON is
# the Python that the package was built with; empty if there is no package.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu

fail() { echo "FAILED: $*" >&2; exit 1; }

work=$(mktemp -d "${TMPDIR:-/tmp}/perfmodel install.XXXXXX")
trap 'rm -rf "$work"' EXIT
unset PERFMODEL_SHARE PERFMODEL_DATASETS DESTDIR
export XDG_DATA_HOME="$work/data"

"$CMAKE" --install "$BUILD" --prefix "$work/first prefix" >"$work/log" ||
    { cat "$work/log"; fail "cmake --install"; }
mv "$work/first prefix" "$work/moved prefix"
prefix="$work/moved prefix"
cd "$prefix"

for file in bin/perfmodel bin/perfmodel-intercept include/perfmodel.h include/perfmodel/core.h share/perfmodel/counters.ini \
    share/perfmodel/kernels/copy/copy.cl share/perfmodel/page/style.css \
    share/perfmodel/page/page.js share/perfmodel/page/report.html share/man/man1/perfmodel.1 \
    share/bash-completion/completions/perfmodel share/zsh/site-functions/_perfmodel \
    lib/perfmodel/libperfmodel-capture.so lib/perfmodel/libperfmodel-capture-cuda.so \
    share/doc/perfmodel/README.md share/doc/perfmodel/LICENSE; do
    [ -s "$file" ] || fail "$file was not installed"
done
[ ! -e "$BUILD/share/perfmodel/chart.js" ] || [ -s share/perfmodel/chart.js ] || fail "Chart.js was not installed"
[ -z "$(find share/perfmodel/kernels -type f ! -name '*.cl' ! -name '*.cu' ! -name '*.cuh' ! -name '*.ptx' \
    ! -name '*.workload')" ] ||
    fail "kernels/ holds more than sources and workload files"

cd /
"$prefix/bin/perfmodel" --version | grep -q '^perfmodel [0-9]' || fail "--version"
"$prefix/bin/perfmodel" collect --list | grep -q '^nbody' || fail "collect --list"
for dataset in "$prefix"/share/perfmodel/datasets/h?00.csv; do
    [ -e "$dataset" ] || continue
    "$prefix/bin/perfmodel" validate "$(basename "$dataset" .csv)" --json >"$work/validation.json" ||
        fail "validate by name from the moved prefix"
    grep -qF "$prefix/share/perfmodel/datasets" "$work/validation.json" ||
        fail "validate took another dataset than the moved one"
done

# The template's source is the file in the moved prefix, whose path contains blanks.
for option in --template --template-cuda; do
    "$prefix/bin/perfmodel" advise "$option" >"$work/x.workload" || fail "advise $option"
    source=$(sed -n 's/^source = //p' "$work/x.workload")
    case $source in "$prefix"/*) [ -e "$source" ] ;; *) false ;; esac || fail "the source of $option is $source"
done

# The source of a kernel is found in the prefix, too. This needs a device to compile for.
device=$("$prefix/bin/perfmodel" devices | sed -n 's/^  0  \([^ ]*\).*/\1/p')
if [ -n "$device" ]; then
    "$prefix/bin/perfmodel" collect --device "$device" --program copy --variant float --size 16 \
        --counters none -o "$work/copy.csv" >"$work/log" 2>&1 || { cat "$work/log"; fail collect; }
fi

# ---- programs that use the libraries ---------------------------------------------------------------
# Prints what README.md says, in whichever folder it runs.
sed -n '/^```c$/,/^```$/{/^```/d;p}' "$SOURCE/README.md" >"$work/example.c"
grep -q pm_validate "$work/example.c" || fail "README.md has no example in C"
pc=$(dirname "$(find "$prefix" -name perfmodel.pc)")
lib=$(dirname "$pc")
export PKG_CONFIG_PATH="$pc${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"

# runs WHAT PROGRAM...: fails unless the program finds the datasets and prints their error.
runs()
{
    what=$1
    shift
    "$@" >"$work/log" 2>&1 || fail "$what: $(cat "$work/log")"
    grep -q '^mean error [0-9.]* % over [0-9]* samples$' "$work/log" ||
        fail "$what printed: $(cat "$work/log")"
}

# links MODULE: builds the program as README.md says, as $work/example.
links()
{
    flags=$(pkg-config --cflags --libs "$1") || fail "pkg-config $1"
    # pkg-config escapes blanks for a shell to read.
    eval "\"$CC\" $CFLAGS \"$work/example.c\" -o \"$work/example\" $flags" || fail "no link: $flags"
}

# uses LIBRARY: fails unless the program loads the shared library (shared) or does not (static).
uses()
{
    found=static
    ! readelf -d "$work/example" | grep -q 'NEEDED.*libperfmodel' || found=shared
    [ "$found" = "$1" ] || fail "the program has the $found library, not the $1 one"
}

links perfmodel
uses shared
runs "the shared library of the moved prefix" "$work/example"

# A program with the static library finds perfmodel's files in the install prefix.
links perfmodel-static
uses static
code=0
"$work/example" >"$work/log" 2>&1 || code=$?
[ "$code" -ne 0 ] || fail "the static library found a prefix that has moved"
mv "$prefix" "$work/first prefix"
runs "the static library" "$work/example"
mv "$work/first prefix" "$prefix"

# ---- find_package ---------------------------------------------------------------------------------
mkdir "$work/project"
cp "$work/example.c" "$work/project/"
cat >"$work/project/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.16)
project(example C)
find_package(perfmodel 0.1 REQUIRED COMPONENTS static)
add_executable(with_shared example.c)
target_link_libraries(with_shared perfmodel::perfmodel)
add_executable(with_static example.c)
target_link_libraries(with_static perfmodel::static)
END
if ! "$CMAKE" -S "$work/project" -B "$work/project/build" -DCMAKE_C_COMPILER="$CC" -DCMAKE_C_FLAGS="$CFLAGS" \
    -DCMAKE_PREFIX_PATH="$prefix" >"$work/log" 2>&1 || ! "$CMAKE" --build "$work/project/build" >>"$work/log" 2>&1; then
    cat "$work/log"
    fail "a project with find_package(perfmodel)"
fi
for library in shared static; do
    cp "$work/project/build/with_$library" "$work/example"
    uses $library
done
runs "find_package's shared library" "$work/project/build/with_shared"
if "$CMAKE" -S "$work/project" -B "$work/project/refused" -DCMAKE_C_COMPILER="$CC" -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON >"$work/log" 2>&1; then
    fail "find_package found the static library without pkg-config"
fi

# ---- Python ---------------------------------------------------------------------------------------
package=$(find "$prefix" -type d -path '*-packages/perfmodel')
# a library with sanitizers cannot be loaded into a running process
if [ -n "$PYTHON" ] && [ -z "$CFLAGS" ]; then
    [ -n "$package" ] || fail "the Python package was not installed"
    runs "Python" env PYTHONPATH="$(dirname "$package")" "$PYTHON" -c '
import os, sys
import perfmodel
assert perfmodel.__file__.startswith(sys.argv[1]), perfmodel.__file__
libraries = {line.split(None, 5)[5].strip() for line in open("/proc/self/maps") if "libperfmodel.so" in line}
assert all(path.startswith(os.path.realpath(sys.argv[1])) for path in libraries), libraries
result = perfmodel.validate("h100")
print(f"mean error {100 * result.mape:.1f} % over {result.n} samples")' "$prefix"
fi

# ---- the shared library exports only public names ---------------------------------------------------
shown=$(nm -D --defined-only "$lib/libperfmodel.so" | sed '/ A PERFMODEL_/d; s/.* //; s/@.*//' | sort)
for name in $shown; do
    grep -q "[ *]$name(" "$prefix"/include/perfmodel/*.h || fail "$name is exported"
done
echo "shared library: $(echo "$shown" | wc -l) names"
echo "installed, moved, run and linked"
