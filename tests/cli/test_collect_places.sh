#!/bin/bash
# Collecting into folders that cannot be written and onto a full disk. Needs an OpenCL CPU device, else skips (77).
# PERFMODEL is the program, BUILD the build folder; ctest sets them.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck source=tests/cli/collect_fixture.sh
. "$(dirname "$0")/collect_fixture.sh"

collect_four one

# ---- paths that cannot be written ------------------------------------------------------------------
run 2 collect missing/folder/x.csv
has err "missing/folder/x.csv"
mkdir readonly
chmod a-w readonly
if [ -w readonly ]; then
    # root may write anywhere but into /proc
    run 2 collect /proc/x.csv
    has err "/proc/x.csv"
else
    run 2 collect readonly/x.csv
    has err "readonly/x.csv"
fi

# A full disk: complete rows stay, and when space is available again, the same command resumes.
# Without the permission to mount a disk, a limit on the size of files simulates it.
padded()
{
    awk -F, -v OFS=, -v bytes="$2" '
        NR == 1 { print; total = length($0) + 1 }
        NR == 2 {
            $2 = "padding"
            for (i = 1; bytes - total > 2000; i++) {
                $4 = i
                print
                total += length($0) + 1
            }
            for ($4 = "x"; total + length($0) + 1 < bytes; ) $4 = $4 "x"
            print
        }' whole.csv >"$1"
}
mkdir disk
if mount -t tmpfs -o size=16k tmpfs disk 2>/dev/null; then
    mounted=$work/disk
    padded disk/x.csv 8180 # the file then fits into the two pages that the provenance leaves free
    head -c 16384 /dev/zero >disk/filler 2>/dev/null
    truncate -s -4096 disk/filler
    collect disk/x.csv >out 2>err
    same $? 2
    has err "No space left"
    same "$(tail -c 1 disk/x.csv | od -An -c | tr -d ' ')" '\n'
    rm disk/filler
    mount -o remount,size=1m disk
    run 0 collect disk/x.csv
    same "$(keys disk/x.csv | grep -v padding)" "$(keys whole.csv)"
    umount disk
    mounted=
fi
padded limited.csv $((1024 * 1024 - 50))
(
    ulimit -f 1024
    collect limited.csv >out 2>err
)
same $? 2
has err "limited"
run 0 collect limited.csv
same "$(keys limited.csv | grep -v padding)" "$(keys whole.csv)"

finish
