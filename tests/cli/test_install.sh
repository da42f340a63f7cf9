#!/bin/sh
# Installs into a prefix with blanks in its name, runs the copy from elsewhere, moves the prefix, and
# builds C programs against it through pkg-config: that of README.md with the static library and with
# the shared one, which Python loads too.
# Needs SOURCE (the source folder), BUILD (the build folder), CMAKE, CC and CFLAGS, which ctest sets.
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

for file in bin/perfmodel include/perfmodel.h include/perfmodel/core.h share/perfmodel/counters.ini \
    share/perfmodel/kernels/copy/copy.cl share/perfmodel/page/style.css \
    share/perfmodel/page/page.js share/man/man1/perfmodel.1 \
    share/bash-completion/completions/perfmodel share/zsh/site-functions/_perfmodel \
    lib/perfmodel/libperfmodel-capture.so lib/perfmodel/libperfmodel-capture-cuda.so \
    share/doc/perfmodel/README.md share/doc/perfmodel/LICENSE; do
    [ -s "$file" ] || fail "$file was not installed"
done
[ -z "$(find share/perfmodel/kernels -type f ! -name '*.cl' ! -name '*.cu' ! -name '*.workload')" ] ||
    fail "kernels/ holds more than .cl, .cu and .workload"

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

# The template's source is that of the moved prefix, with blanks in its path.
for option in --template --template-cuda; do
    "$prefix/bin/perfmodel" advise "$option" >"$work/x.workload" || fail "advise $option"
    source=$(sed -n 's/^source = //p' "$work/x.workload")
    case $source in "$prefix"/*) [ -e "$source" ] ;; *) false ;; esac || fail "the source of $option is $source"
done

# A kernel's source is found as well, where there is a device to compile it for.
device=$("$prefix/bin/perfmodel" devices | sed -n 's/^  0  \([^ ]*\).*/\1/p')
if [ -n "$device" ]; then
    "$prefix/bin/perfmodel" collect --device "$device" --program copy --variant float --size 16 \
        --counters none -o "$work/copy.csv" >"$work/log" 2>&1 || { cat "$work/log"; fail collect; }
fi

# ---- a user's program -----------------------------------------------------------------------------
cat >"$work/user.c" <<'END'
#include <perfmodel.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    pm_error err = {0};
    pm_dataset *dataset = pm_dataset_read(argc > 1 ? argv[1] : "missing.csv", NULL, &err);

    printf("%zu programs; %s\n", pm_program_count(), dataset ? "read" : err.text);
    pm_dataset_free(dataset);
    return err.status;
}
END
pc=$(dirname "$(find "$prefix" -name perfmodel.pc)")
export PKG_CONFIG_PATH="$pc${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"
flags=$(pkg-config --cflags --libs perfmodel) || fail "pkg-config"
# pkg-config escapes blanks for a shell to read.
eval "\"$CC\" $CFLAGS \"$work/user.c\" -o \"$work/user\" $flags" || fail "no link: $flags"
code=0
LD_LIBRARY_PATH="$pc/..${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" "$work/user" >"$work/log" || code=$?
[ "$code" -eq 2 ] || fail "the user's program ended with $code: $(cat "$work/log")"
grep -q '^[1-9][0-9]* programs; missing.csv' "$work/log" || fail "it printed: $(cat "$work/log")"

# ---- README.md's program finds its files -----------------------------------------------------------
sed -n '/^```c$/,/^```$/{/^```/d;p}' "$SOURCE/README.md" >"$work/example.c"
grep -q pm_validate "$work/example.c" || fail "README.md has no example in C"
"$CMAKE" --install "$BUILD" --prefix "$work/second prefix" >"$work/log" || fail "second --install"
prefix="$work/second prefix"
lib=$(dirname "$(find "$prefix" -name 'libperfmodel.*' | head -1)")
export PKG_CONFIG_PATH="$lib/pkgconfig"
flags=$(pkg-config --cflags --libs perfmodel)
cd "$prefix/share/perfmodel/datasets"

# runs WHAT PROGRAM...: which prints what README.md says.
runs()
{
    what=$1
    shift
    "$@" >"$work/log" 2>&1 || fail "$what: $(cat "$work/log")"
    grep -q '^mean error [0-9.]* % over [0-9]* samples$' "$work/log" ||
        fail "$what printed: $(cat "$work/log")"
}

if [ -e "$lib/libperfmodel.a" ]; then
    eval "\"$CC\" $CFLAGS \"$work/example.c\" -o \"$work/example\" $flags" || fail "no link: $flags"
    runs "the static library" "$work/example"
    # The same objects as -DBUILD_SHARED_LIBS=ON would make it of.
    eval "\"$CC\" $CFLAGS -shared -o \"$lib/libperfmodel.so\" -Wl,--version-script=\"$BUILD/perfmodel.map\" \
        -Wl,--whole-archive \"$lib/libperfmodel.a\" -Wl,--no-whole-archive \
        $(pkg-config --libs-only-l gsl jansson libxxhash OpenCL) -lcsv -lm" || fail "no shared library"
    rm "$lib/libperfmodel.a"
fi
mv "$prefix" "$work/third prefix" # where a shared library is, its files are
lib="$work/third prefix${lib#"$prefix"}"
cd "$work/third prefix/share/perfmodel/datasets"
export LD_LIBRARY_PATH="$lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
"$CC" $CFLAGS -I"$work/third prefix/include" "$work/example.c" -o "$work/example" -L"$lib" -lperfmodel ||
    fail "no link with the shared library"
runs "the shared library" "$work/example"
if command -v python3 >/dev/null && [ -z "$CFLAGS" ]; then # a sanitized library cannot be loaded late
    runs "Python" python3 -c '
import ctypes, os, sys
lib = ctypes.CDLL(sys.argv[1])
err, path = ctypes.create_string_buffer(2048), ctypes.create_string_buffer(4096)
os.chdir("/")
found = lib.pm_share_path(b"counters.ini", path, ctypes.c_size_t(4096), err)
print("mean error 0.0 % over 0 samples" if found == 0 else err.raw[4:].split(b"\0")[0].decode())
assert path.value.decode().startswith(sys.argv[2] + "/"), path.value' \
        "$lib/libperfmodel.so" "$(realpath "$work")/third prefix"
fi

# ---- a shared library shows the public names alone ------------------------------------------------
shared=$(find "$work/third prefix" -name 'libperfmodel.so' | head -1)
if [ -n "$shared" ]; then
    shown=$(nm -D --defined-only "$shared" | sed '/ A PERFMODEL_/d; s/.* //; s/@.*//' | sort)
    for name in $shown; do
        grep -q "[ *]$name(" "$work/third prefix"/include/perfmodel/*.h || fail "$name is exported"
    done
    echo "shared library: $(echo "$shown" | wc -l) names"
fi
echo "installed, moved, run and linked"
