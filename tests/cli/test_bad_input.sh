#!/bin/bash
# Bad input through the program: damaged datasets, counters that explain nothing, devices that are not
# there, full disks and read-only folders. Each gives one line on standard error with the file, the
# line and the cure, exit code 2, nothing on standard output, and leaves every file as it was.
# The datasets are made up here: they are test input, and tell nothing of any GPU.
# PERFMODEL is the program; ctest sets it. SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck disable=SC2016 # awk programs stand in quotes
set -u

: "${PERFMODEL:?path of the program}"
work=$(mktemp -d "${TMPDIR:-/tmp}/perfmodel-bad.XXXXXX")
mounted=
cleanup()
{
    [ -z "$mounted" ] || umount "$mounted"
    chmod -R u+w "$work"
    rm -rf "$work"
}
trap cleanup EXIT
cd "$work" || exit 1
mkdir data messages home
chmod 777 . home messages
export XDG_DATA_HOME="$work/home" HOME="$work/home" XDG_CACHE_HOME="$work/home"
unset PERFMODEL_DATASETS
failures=0

failed()
{
    failures=$((failures + 1))
    [ "$failures" -le 10 ] || return
    printf 'FAILED (lines %s): %s\n' "${BASH_LINENO[*]}" "$1"
    sed 's/^/    /' messages/err messages/out | cut -c 1-400 | head -10
}

# Prints names, sizes and dates of all files under data, and checksums except of huge files.
state()
{
    find data -type d -printf '%p %m\n' -o -printf '%p %s %T@ %m\n' | sort
    find data -type f -size -4M -exec md5sum {} + | sort
}

as=() # words that run a program as another user, while this is tested

# refused CODE WORDS COMMAND...: the command must end with CODE after one line with WORDS, print no
# output and change no file.
refused()
{
    local want=$1 words=$2 before code=0
    shift 2
    before=$(state)
    "${as[@]}" "$PERFMODEL" "$@" >messages/out 2>messages/err </dev/null || code=$?
    [ "$code" -eq "$want" ] || failed "exit code $code instead of $want: $*"
    [ "$(wc -l <messages/err)" -eq 1 ] || failed "not one line on standard error: $*"
    grep -qF -- "$words" messages/err || failed "no \"$words\": $*"
    [ ! -s messages/out ] || failed "something on standard output: $*"
    [ "$(state)" = "$before" ] || failed "a file has changed: $*"
}

# accepted NOTICES COMMAND...: the command must end with code 0 after NOTICES lines on standard
# error.
accepted()
{
    local want=$1 code=0
    shift
    "$PERFMODEL" "$@" >messages/out 2>messages/err </dev/null || code=$?
    [ "$code" -eq 0 ] || failed "exit code $code: $*"
    [ "$(wc -l <messages/err)" -eq "$want" ] || failed "not $want lines on standard error: $*"
}

# dataset DEVICE ROWS: prints a dataset of four programs and 10 counters that all differ and are not
# constant.
dataset()
{
    awk -v device="$1" -v rows="$2" 'BEGIN {
        FS = OFS = ","
        print "device,program,variant,size,kernel,counter_source,time_s,runs,work_items," \
            "work_group,gld_request,gst_request,shared_load,branch,divergent_branch,inst_issued," \
            "inst_executed,l1_global_load_hit,l1_global_load_miss,active_cycles"
        for (i = 0; i < rows; i++) {
            $0 = device ",program" i % 4 ",v," i ",k,cupti," 1e-5 * (1 + i + i * i % 7) ",7," \
                1024 * (i + 1) "," 64 * (1 + i % 3)
            for (c = 1; c <= 10; c++)
                $(10 + c) = 100 * (i + 1) * c + (i * i * (c + 3)) % (11 + c)
            print
        }
    }'
}

# good_as FILE 'AWK PROGRAM': writes a changed copy of the good dataset.
good_as() { awk -F, -v OFS=, "$2" data/good.csv >"data/$1"; }

dataset gpu0 32 >data/good.csv
dataset gpu1 32 >data/other.csv
accepted 0 validate data/good.csv
accepted 0 validate data/good.csv --method paper
accepted 0 predict --target data/other.csv --from data/good.csv

# ---- malformed datasets ----------------------------------------------------------------------------
if "$PERFMODEL" devices --json | grep -q '"cpu": true'; then have_device=1; else have_device=; fi
measure=(--device 0 --counters none --program copy --size 16)

# broken FILE LINE WORDS: checks the message for the file. broken_everywhere: for each command that
# reads the file.
broken()
{
    refused 2 "$1:$2:" validate "data/$1"
    grep -qF -- "$3" messages/err || failed "no \"$3\" for $1"
}
broken_everywhere()
{
    local file=data/$1 words=$1:$2:
    for command in "validate $file" "validate data/good.csv --from $file" \
        "validate $file --method paper --json" "predict --target $file --from data/good.csv" \
        "predict --target data/good.csv --from $file --json"; do
        # shellcheck disable=SC2086 # the words of the command
        refused 2 "$words" $command
        grep -qF -- "$3" messages/err || failed "no \"$3\" for $1"
    done
    [ -z "$have_device" ] || refused 2 "$words" collect "${measure[@]}" -o "$file"
}

good_as column.csv '{ $7 = ""; sub(",,", ","); print }'
broken_everywhere column.csv 1 "no column time_s"
good_as word.csv 'NR == 9 { $12 = "many" } { print }'
broken_everywhere word.csv 9 "column gst_request holds 'many', not a number; write"
for value in nan NaN inf -inf 1e999 0x10; do
    good_as number.csv 'NR == 5 { $11 = "'$value'" } { print }'
    broken number.csv 5 "column gld_request holds '$value', not a number; write"
done
for value in 0 -1e-5; do
    good_as time.csv 'NR == 3 { $7 = "'$value'" } { print }'
    broken time.csv 3 "time_s is"
done
good_as wide.csv 'NR == 7 { print $0, 1; next } { print }'
broken wide.csv 7 "21 cells where the header has 20 columns; mend"
good_as narrow.csv 'NR == 7 { sub(",[^,]*$", "") } { print }'
broken narrow.csv 7 "19 cells where the header has 20 columns; mend"
good_as twice.csv '{ print } NR == 4 { kept = $0 } END { print kept }'
broken_everywhere twice.csv 34 "as line 4; remove one of the two"
good_as names.csv 'NR == 1 { $12 = $11 } { print }'
broken names.csv 1 "two columns are called 'gld_request'; rename"
good_as quote.csv 'NR == 6 { $2 = "\"program" } { print }'
broken quote.csv 6 "quote"
: >data/empty.csv
# -o with a valid dataset of another device, and with a broken one
for file in data/good.csv data/word.csv; do
    [ -z "$have_device" ] || refused 2 "$file:" collect "${measure[@]}" -o "$file"
done

# Datasets without rows. collect would accept such a file as its output, so here they are only read.
unread()
{
    refused 2 "$1" validate "data/$2"
    refused 2 "$1" predict --target "data/$2" --from data/good.csv
    refused 2 "$1" predict --target data/good.csv --from "data/$2"
}
good_as header.csv 'NR == 1'
unread "header.csv:2: no rows; collect some" header.csv
unread "empty.csv:1: no header; the first line" empty.csv
head -c -5 data/good.csv | head -n 2 | head -c -5 >data/torn.csv
unread "torn.csv:2: no rows but one without a newline" torn.csv
unread "no.csv: No such file or directory; check the path" no.csv
mkdir data/folder.csv
unread "folder.csv: cannot be read: Is a directory; check the path" folder.csv

# A line of 1 GB: 2 MiB of digits and then a hole of the sparse file. The hole must not be read into
# memory.
good_as long.csv '{ print }'
tail -n 1 data/good.csv | tr -d '\n' >>data/long.csv
head -c 2097152 /dev/zero | tr '\0' 1 >>data/long.csv
truncate -s 1G data/long.csv
( # sanitizers reserve address space, so no limit is set for them
    case ${CFLAGS-} in *sanitize*) ;; *) ulimit -v 2000000 ;; esac
    broken_everywhere long.csv 34 "a row longer than 1 MiB"
    exit "$failures"
)
failures=$?
rm data/long.csv

# ---- too little, or nothing to learn from ----------------------------------------------------------
dataset gpu0 1 >data/one.csv
refused 2 "one.csv:2: 1 program to learn from, at least 3 are needed" validate data/one.csv
refused 2 "one.csv:2: 1 sample to learn from" validate data/one.csv --leave-out sample
refused 2 "one.csv:2: 1 program to learn" predict --target data/one.csv --from data/good.csv
refused 2 "one.csv:2 has too, at least 3" predict --target data/good.csv --from data/one.csv

dataset gpu0 8 >data/few.csv
for method in auto paper ridge gp forest; do
    few=12
    [ $method = paper ] && few=8
    refused 2 "few.csv:1: $few counters but only 8 rows" validate data/few.csv --method $method
done
refused 2 "12 counters but only 8 rows in data/few.csv" predict --target data/few.csv \
    --from data/good.csv
refused 2 "few.csv:1: 12 counters but only 8 rows" predict --target data/good.csv \
    --from data/few.csv
accepted 0 validate data/few.csv --counters gld_request,branch

# One constant counter and one copy of a counter. They are left out with a notice of one line unless
# the user asked for them.
good_as constant.csv 'NR > 1 { $11 = 5; $14 = 6 } { print }'
good_as zero.csv 'NR > 1 { $11 = 0; $14 = 0 } { print }'
good_as copy.csv 'NR > 1 { $14 = $11; $15 = $11 } { print }'
for counters in all code; do
    accepted 1 validate data/constant.csv --counters $counters
    grep -qF "gld_request (5 in every row), branch (6 in every row)" messages/err ||
        failed "the constant counters are not named"
    accepted 0 validate data/zero.csv --counters $counters
    accepted 1 validate data/copy.csv --counters $counters --json
    grep -qF "branch (equal to gld_request), divergent_branch (equal to gld_request)" \
        messages/err || failed "the copies are not named"
    accepted 1 predict --target data/other.csv --from data/copy.csv --counters $counters
done
for file in constant zero; do
    words="$file.csv:1: counter gld_request is"
    refused 2 "$words" validate data/$file.csv --method paper
    refused 2 "$words" validate data/$file.csv --counters shared_load,gld_request
    refused 2 "$words" predict --target data/good.csv --from data/$file.csv --method paper
    refused 2 "leave it out of --counters" predict --target data/good.csv --from data/$file.csv \
        --counters gld_request
done
words="copy.csv:1: counters gld_request and branch are equal in every row; leave one out"
refused 2 "$words" validate data/copy.csv --method paper
refused 2 "$words" validate data/copy.csv --counters gld_request,branch
refused 2 "$words" predict --target data/good.csv --from data/copy.csv \
    --counters gld_request,branch
refused 2 "names branch twice; name it once" validate data/good.csv --counters branch,gld_request,branch
good_as unknown.csv 'NR == 8 { $11 = ""; $12 = "" } { print }'
accepted 1 validate data/unknown.csv
grep -qF "gld_request (unknown in line 8), gst_request (unknown in line 8)" messages/err ||
    failed "the unknown counters are not named"
refused 2 "unknown.csv:8: counter gld_request is unknown here" validate data/unknown.csv \
    --counters gld_request
good_as still.csv 'NR > 1 { for (i = 9; i <= NF; i++) $i = i } { print }'
for method in auto ridge gp forest; do
    refused 2 "still.csv:1: no counter that is known and differs between rows" \
        validate data/still.csv --method $method
done
refused 2 "still.csv:1: counter gld_request is 11 in every row" validate data/still.csv \
    --method paper
for name in h100 h200 pocl; do
    "$PERFMODEL" validate $name >messages/out 2>messages/err || failed "validate $name"
    [ "$(wc -l <messages/err)" -le 1 ] || failed "noisy: $name"
done

# ---- standard errors, and sources without times ----------------------------------------------------
# A standard error is no counter where its counter is there, and a counter where it is not.
good_as errors.csv 'NR == 1 { print $0, "branch_se", "lonely_se"; next } { print $0, "", NR * NR }'
accepted 0 validate data/errors.csv
accepted 0 validate data/errors.csv --counters branch,lonely_se
refused 2 "errors.csv:1: no counter 'branch_se'; there is: all, code, gld_request" \
    validate data/errors.csv --counters branch,branch_se
good_as word_se.csv 'NR == 1 { print $0, "branch_se"; next } { print $0, NR == 9 ? "few" : 1 }'
broken word_se.csv 9 "column branch_se holds 'few', not a number; write"

good_as untimed.csv 'NR > 1 { $7 = $8 = "" } { print }'
accepted 0 validate data/other.csv --from data/untimed.csv
accepted 0 validate data/other.csv --from data/untimed.csv --method paper
accepted 0 predict --target data/other.csv --from data/untimed.csv
refused 2 "untimed.csv:1: time_s is empty in every row" validate data/untimed.csv
good_as uncounted.csv 'NR > 1 { for (i = 7; i <= 10; i++) $i = ""; for (; i <= NF; i++) $i = i }
    { print }'
refused 2 "uncounted.csv:1: no counter that is known and differs between rows" \
    validate data/other.csv --from data/uncounted.csv
# Only some rows have a time. Rows without one are left out, because the time is a variable of the
# model.
good_as gap.csv 'NR == 5 { $7 = "" } { print }'
accepted 1 validate data/other.csv --from data/gap.csv
accepted 0 validate data/other.csv --from data/gap.csv --no-source-time

# ---- missing devices -------------------------------------------------------------------------------
refused 2 "no device 'no_such_device' here" collect --device no_such_device -o data/good.csv
OCL_ICD_VENDORS=$work/home refused 2 "no device 'gtx480' here: no OpenCL platform" \
    collect --device gtx480 -o data/good.csv
OCL_ICD_VENDORS=$work/home refused 1 "install a driver" collect -o data/new.csv

# ---- counters of the trace engine ------------------------------------------------------------------
if ls "${BUILD:?build folder}"/lib*/perfmodel/perfmodel-worker >/dev/null 2>&1; then
    trace=(--device none --counters trace --program copy --variant float --size 16)
    refused 2 "no_such_gpu" collect "${trace[@]}" --target no_such_gpu -o data/new.csv
    refused 2 "no_such_gpu" trace --program copy --target no_such_gpu
    refused 2 "No such file or directory; make" collect "${trace[@]}" -o data/missing/x.csv
    refused 2 "good.csv:2: its counters are of source 'cupti', not 'trace'" \
        collect "${trace[@]}" -o data/good.csv
    refused 2 "word.csv:9: column gst_request holds 'many'" collect "${trace[@]}" -o data/word.csv
    mkdir data/target
    "$PERFMODEL" collect "${trace[@]}" -o data/target/x.csv >messages/out 2>messages/err ||
        failed "collect --counters trace"
    sed 's/"counter_target": "h100"/"counter_target": "gtx\\u001b9"/' data/target/x.json >data/target/json
    mv data/target/json data/target/x.json
    refused 2 'x.json:1: the dataset'"'"'s counters are by the rules of gtx\x1b9, not h100' \
        collect "${trace[@]}" -o data/target/x.csv
fi

# ---- full disks ------------------------------------------------------------------------------------
if [ -e /dev/full ]; then
    for json in "" --json; do
        for command in "validate data/good.csv" "predict --target data/other.csv --from data/good.csv"; do
            # shellcheck disable=SC2086 # the words of the command
            "$PERFMODEL" $command $json >/dev/full 2>messages/err
            [ $? -eq 2 ] || failed "$command on a full standard output"
            grep -qF "No space left on device; make room" messages/err || failed "$command: no cure"
        done
    done
fi
if command -v gnuplot >/dev/null; then have_gnuplot=1; else have_gnuplot=; fi
plot() { refused 2 "$1" validate data/good.csv --plot "$2"; }
printf 'an older plot\n' >data/plot.svg
if [ -n "$have_gnuplot" ]; then
    ( # a limit on the size of files simulates a full disk
        ulimit -f 4
        plot "data/plot.svg: cannot be written" data/plot.svg
        plot "choose another place with --plot" data/new.svg
        exit "$failures"
    ) | cat # because the limit does not apply to the pipe
    failures=${PIPESTATUS[0]}
fi
mkdir data/disk
if mount -t tmpfs -o size=64k tmpfs data/disk 2>/dev/null; then
    mounted=$work/data/disk
    [ -z "$have_device" ] || accepted 2 collect "${measure[@]}" --variant float --variant float2 \
        -o data/disk/x.csv
    cp data/plot.svg data/disk/plot.svg
    head -c 65536 /dev/zero >data/disk/filler 2>/dev/null
    if [ -n "$have_device" ]; then
        words="cannot be written: No space left on device; make"
        refused 2 "x.json: $words" collect "${measure[@]}" -o data/disk/x.csv
        refused 2 "new.csv: $words" collect "${measure[@]}" -o data/disk/new.csv
    fi
    [ -z "$have_gnuplot" ] || plot "choose another place with --plot" data/disk/plot.svg
    umount data/disk
    mounted=
fi

# ---- read-only folders -----------------------------------------------------------------------------
mkdir data/readonly
[ -z "$have_device" ] || accepted 2 collect "${measure[@]}" --variant float --variant float2 \
    -o data/readonly/x.csv
cp data/good.csv data/plot.svg data/readonly
cp data/readonly/x.csv data/readonly/mine.csv 2>/dev/null
chmod 666 data/readonly/mine.csv 2>/dev/null # in a folder in which no other file can be created
chmod 444 data/readonly/x.csv data/readonly/plot.svg 2>/dev/null
chmod 555 data/readonly
chmod 755 data
chmod -R 777 home # the OpenCL driver stores files there
[ "$(id -u)" -ne 0 ] || as=(setpriv --reuid 65534 --regid 65534 --clear-groups)
# The other user must be able to read the program's files, which is not the case below /root.
if "${as[@]}" "$PERFMODEL" validate data/good.csv >/dev/null 2>&1 &&
    ! "${as[@]}" test -w data/readonly; then
    if [ -n "$have_device" ]; then
        cure="make the file and its folder writable, or choose another with -o"
        refused 2 "new.csv: cannot be written: Permission denied; $cure" \
            collect "${measure[@]}" -o data/readonly/new.csv
        refused 2 "x.csv: cannot be written: Permission denied; $cure" \
            collect "${measure[@]}" -o data/readonly/x.csv
        refused 2 "mine.json: cannot be written: Permission denied; make room in its folder" \
            collect "${measure[@]}" -o data/readonly/mine.csv
    fi
    if [ -n "$have_gnuplot" ]; then
        cure="cannot be written: Permission denied; choose another place with --plot"
        plot "new.svg: $cure" data/readonly/new.svg
        plot "plot.svg: $cure" data/readonly/plot.svg
    fi
else
    echo "not tested: read-only folders (needs another user than root, or setpriv)"
fi
as=()
refused 2 "No such file or directory; make" collect --device 0 --counters none -o data/missing/x.csv

[ "$failures" -eq 0 ] || { echo "$failures failures"; exit 1; }
echo "all passed"
