#!/bin/bash
# Named pipes and devices in place of input files: each is refused at once, in one line, with exit code
# 2, where opening them would wait for ever. Pipes that are open already are read.
# PERFMODEL is the program, BUILD the build folder; ctest sets them. SPDX-License-Identifier: GPL-3.0-or-later
set -u

: "${PERFMODEL:?path of the program}"
work=$(mktemp -d "${TMPDIR:-/tmp}/perfmodel-pipes.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

failed()
{
    failures=$((failures + 1))
    echo "FAILED: $*"
    cat err
}

# refused FILE COMMAND...: the command must refuse the file, because it is not a regular file.
refused()
{
    local file=$1 code=0
    shift
    timeout 60 "$PERFMODEL" "$@" >out 2>err </dev/null || code=$?
    [ "$code" -eq 2 ] || failed "exit code $code instead of 2: $*"
    [ "$(wc -l <err)" -eq 1 ] || failed "not one line on standard error: $*"
    grep -qF "$file: cannot be read: it is no regular file" err || failed "says something else: $*"
}

mkdir data
mkfifo pipe pipe.csv pipe.cl pipe.workload data/devices.csv
refused pipe.csv validate pipe.csv
refused pipe.csv predict --target h100 --from pipe.csv --program copy
refused /dev/zero validate "$PWD/../../dev/zero"
refused pipe.cl transform --layout soa -o x pipe.cl
refused pipe.workload trace --workload pipe.workload
refused data/devices.csv trace --datasets data --program copy
PERFMODEL_DATASETS=data refused data/devices.csv trace --program copy

"$PERFMODEL" advise --template >good.workload || failed template
sed 's|^source = .*|source = pipe.cl|' good.workload >source.workload
refused pipe.cl trace --workload source.workload
sed '0,/^contents = .*/s||contents = file pipe|' good.workload >contents.workload
refused pipe trace --workload contents.workload

cat >one.csv <<'END'
device,program,variant,size,kernel,counter_source,time_s,gld_request
x,a,b,1,k,trace,0.1,
END
mkdir share
mkfifo share/counters.ini
PERFMODEL_SHARE=share refused share/counters.ini validate "${BUILD:?build folder}/share/perfmodel/datasets/h100.csv"

cat one.csv | "$PERFMODEL" validate /dev/stdin >out 2>err
piped=$?
"$PERFMODEL" validate one.csv >out 2>err.file
[ "$piped" -eq $? ] || failed "a pipe ends with $piped, a file with another code"
diff <(sed 's|/dev/stdin|one.csv|' err) err.file || failed "a pipe is read in another way than a file"

[ "$failures" -eq 0 ] || exit 1
echo "no pipe is waited for"
