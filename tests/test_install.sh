#!/bin/sh
# Installs into a prefix with blanks in its name, runs the copy from elsewhere, moves the prefix, and
# builds a C program against it through pkg-config.
# Needs BUILD (the build folder), CMAKE, CC and CFLAGS, which ctest sets.
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

for file in bin/perfmodel include/perfmodel.h share/perfmodel/counters.ini \
    share/perfmodel/kernels/copy/copy.cl share/man/man1/perfmodel.1 \
    share/bash-completion/completions/perfmodel share/zsh/site-functions/_perfmodel \
    share/doc/perfmodel/README.md share/doc/perfmodel/LICENSE; do
    [ -s "$file" ] || fail "$file was not installed"
done
[ -z "$(find share/perfmodel/kernels -type f ! -name '*.cl' ! -name template.workload)" ] ||
    fail "kernels/ holds more than .cl and the template"

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
"$prefix/bin/perfmodel" advise --template >"$work/x.workload" || fail "advise --template"
grep -qF "source = $prefix/" "$work/x.workload" || fail "the template names another source"

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

# ---- a shared library shows the public names alone ------------------------------------------------
shared=$(find "$prefix" -name 'libperfmodel.so.*.*')
if [ -n "$shared" ]; then
    shown=$(nm -D --defined-only "$shared" | sed 's/.* //; s/@.*//' | sort)
    for name in $shown; do
        grep -q "[ *]$name(" "$prefix/include/perfmodel.h" || fail "$name is exported"
    done
    echo "shared library: $(echo "$shown" | wc -l) names"
fi
echo "installed, moved, run and linked"
