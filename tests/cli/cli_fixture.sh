# What scripts about the command line share: a folder to work in, and what must hold of a run. PERFMODEL is the
# program, BUILD the build folder; ctest sets them. A script that sources this ends with `finish`.
# SPDX-License-Identifier: GPL-3.0-or-later
set -u

: "${PERFMODEL:?path of the program}"
work=$(mktemp -d "${TMPDIR:-/tmp}/perfmodel-cli.XXXXXX")
mounted=
cleanup()
{
    [ -z "$mounted" ] || umount "$mounted"
    chmod -R u+w "$work"
    rm -rf "$work"
}
trap cleanup EXIT
cd "$work" || exit 1
export XDG_DATA_HOME="$work/home" HOME="$work"
unset PERFMODEL_DATASETS
failures=0

# run CODE COMMAND...: fails unless the exit code is CODE. The files out and err get the output.
run()
{
    local want=$1 code=0
    shift
    "$@" >out 2>err </dev/null || code=$?
    [ "$code" -eq "$want" ] && return
    failures=$((failures + 1))
    printf 'FAILED (line %s): exit code %s instead of %s: %s\n' "${BASH_LINENO[*]}" "$code" "$want" "$*"
    sed 's/^/    /' err out | head -20
}

# has FILE TEXT: fails unless a line of the file contains TEXT.
has()
{
    grep -qF -- "$2" "$1" && return
    failures=$((failures + 1))
    printf 'FAILED (line %s): no "%s" in:\n' "${BASH_LINENO[*]}" "$2"
    sed 's/^/    /' "$1" | head -20
}

same()
{
    [ "$1" = "$2" ] && return
    failures=$((failures + 1))
    printf 'FAILED (line %s): "%s" is not "%s"\n' "${BASH_LINENO[*]}" "$1" "$2"
}

is_json()
{
    if command -v jq >/dev/null; then
        run 0 jq . "$1"
    else
        run 0 python3 -m json.tool "$1"
    fi
}

rows() { tail -n +2 "$1" | wc -l; }

pm() { "$PERFMODEL" "$@"; }

# wrong TEXT WORDS...: fails unless the program ends with code 2 and a message that contains TEXT.
wrong()
{
    local text=$1
    shift
    run 2 pm "$@"
    has err "$text"
}

# The shipped dataset of an H100.
shipped=$(pm devices --json 2>/dev/null | sed -n 's/.*"path": "\(.*h100\.csv\)".*/\1/p' | head -1)

# Empty if perfmodel was built without LLVM and therefore has no trace engine.
engine=
! ls "${BUILD:?build folder}"/lib*/perfmodel/perfmodel-worker >/dev/null 2>&1 || engine=yes
# cell FILE PROGRAM,VARIANT,SIZE COLUMN: prints a cell of the dataset.
cell()
{
    awk -F, -v key="$2" -v column="$3" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) c = i }
        $2 "," $3 "," $4 == key { print c ? $c : "no such column" }' "$1"
}

finish()
{
    [ "$failures" -eq 0 ] || { echo "$failures failures"; exit 1; }
    echo "all passed"
}
