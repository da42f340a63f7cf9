#!/usr/bin/env python3
"""Times a campaign of `perfmodel tune` (docs/campaigns.md): a run that is divided into shards, each a process with one thread.

    campaign_scaling.py scaling OUT  [--only PARAMETER=VALUES]... [--processes 16,8,4,2,1] [--seconds 240]
    campaign_scaling.py campaign OUT [--processes 16] [--seconds 560]

scaling: examines a whole space of versions without shards on all cores, then with each number of shards, and merges the shards. It
times each run, and checks that the merged result is equal to the result without shards, byte for byte. A number of processes that
would exceed --seconds is left out with a message. --only restricts a parameter to some of its values, so that the space is smaller.
OUT/scaling.csv has a row for each number of processes. OUT/scaling.json has the times that are computed from it for larger spaces
and more shards.

campaign: examines the whole space in shards until all versions are done or --seconds are over. If it is run again with the same OUT,
it continues. When all versions are done, `perfmodel merge` writes OUT/campaign.json, and its output goes to OUT/found.txt.
OUT/campaign.csv has a row for each run.

Options of both (with their defaults): --workload FILE (kernels/tune/matmul_wide.workload), --size S (n256), and --target NAME...
(h200, a100, gtx980 and mi210). $PERFMODEL is the path of perfmodel (default: build/bin/perfmodel).
SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import contextlib
import csv
import json
import math
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGETS = ["h200", "a100", "gtx980", "mi210"]
ALL = "1000000000"  # a budget that is larger than any space
MARGIN = 1.25       # factor by which N processes may take longer than 1/N of the time of one
END_SECONDS = 20    # time in which a shard has to finish its current version after SIGTERM
MERGE_SECONDS = 0.003  # upper estimate of merge's time per version and target
FIT_SECONDS = 10    # upper estimate of merge's time to fit the model of a target
SCALING = ("processes", "versions", "targets", "traces", "shares_s", "slowest_cpu_s", "cpu_s", "merge_s", "merge_cpu_s", "same")
CAMPAIGN = ("processes", "versions", "versions_done", "targets", "traces", "shares_s", "cpu_s", "merge_s", "merge_cpu_s")


class Fault(Exception):
    """An error that is reported in one line."""


def narrowed(workload, only, out):
    """Returns the workload. If `only` restricts parameters, returns a copy with these values in the
    folder out."""
    if not only:
        return workload
    text = workload.read_text(encoding="utf-8")
    for name, values in (pair.split("=", 1) for pair in only):
        head, section = text.split("[tune]", 1)
        section, count = re.subn(rf"(?m)^{re.escape(name)} = .*$", f"{name} = {values}", section, count=1)
        if not count:
            raise Fault(f"{workload}: [tune] has no parameter {name}")
        text = f"{head}[tune]{section}"
    source = re.search(r"(?m)^source = (.*)$", text)
    text = text.replace(source[0], f"source = {(workload.parent / source[1]).resolve()}", 1)
    copy = out / workload.name
    copy.write_text(text, encoding="utf-8")
    return copy


class Timed:
    """A process and its log. When it has ended, wall and cpu are its times in seconds, including
    its children's."""

    def __init__(self, words, log, threads=1):
        self.words, self.log = words, log
        self.begun = time.monotonic()
        with open(log, "ab") as file:
            self.process = subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=file, stderr=file,
                                            env={**os.environ, "PERFMODEL_THREADS": str(threads)})
        self.wall = self.cpu = self.code = None

    def ended(self, flags=0):
        if self.code is None:
            pid, status, usage = os.wait4(self.process.pid, flags)
            if pid:
                self.code = self.process.returncode = os.waitstatus_to_exitcode(status)
                self.wall, self.cpu = time.monotonic() - self.begun, usage.ru_utime + usage.ru_stime
        return self.code is not None

    def good(self):
        self.ended()
        if self.code != 0:
            raise Fault(f"{' '.join(map(str, self.words))}: exit code {self.code}, see {self.log}")
        return self


def share_paths(stem, count):
    return [stem.with_name(f"{stem.name}-{i}of{count}.jsonl") for i in range(1, count + 1)]


def start_shares(tune, stem, count):
    return [Timed([*tune, "--shard", f"{i}/{count}", "-o", f"{stem}.json"], f"{stem}-{i}.log") for i in range(1, count + 1)]


def counted(paths, targets):
    """Returns the number of planned versions, of finished versions, and of traces (one per code and
    target)."""
    planned = done = traces = 0
    for path in paths:
        with open(path, encoding="utf-8") as file:
            planned += json.loads(file.readline())["planned"]
            for line in file:
                if not line.endswith("\n"):
                    continue
                of_code = line[:200].split('","value"')[0].split('",')[0].rsplit(" ", 1)[-1] in targets
                traces, done = traces + of_code, done + (not of_code)
    return planned, done, traces


def merge(stem, count, log):
    return Timed([PERFMODEL, "merge", *share_paths(stem, count), "-o", f"{stem}.json"], log).good()


def write_rows(path, fields, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, fields, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def shown(row):
    print("  ".join(f"{name} {value}" for name, value in row.items()), flush=True)


def on_paper(row, start, versions):
    """Computes the seconds that shards of a space with this number of versions take
    (docs/campaigns.md)."""
    each = (row["cpu_s"] - row["processes"] * start) / row["versions"]
    return {"versions": versions, "seconds_a_version": each, "start_s": start, "shares_s":
            {n: start + each * (versions / n + 2 * math.sqrt(versions / n)) for n in (1, 4, 16, 64, 256, 1024)}}


def scaling(tune, options):
    """Times each number of processes. The largest number comes first, because it takes the least
    time."""
    end = time.monotonic() + options.seconds
    whole = Timed([*tune, "--budget", ALL, "-o", options.out / "whole.json"], options.out / "whole.log", os.cpu_count()).good()
    print(f"without shares, {os.cpu_count()} threads: {whole.wall:.1f} s, {whole.cpu:.1f} s of processors", flush=True)
    expected, rows, start = (options.out / "whole.json").read_bytes(), [], None
    for count in sorted(options.processes, reverse=True):
        needs = MARGIN * (rows[-1]["cpu_s"] if rows else whole.cpu) / min(count, os.cpu_count())
        if time.monotonic() + needs > end:
            print(f"{count} processes: left out, as {needs:.0f} s would be needed and {end - time.monotonic():.0f} are left", flush=True)
            continue
        stem = options.out / f"scale{count}"
        for path in share_paths(stem, count):
            path.unlink(missing_ok=True)
        begun = time.monotonic()
        shares = [share.good() for share in start_shares(tune, stem, count)]
        wall = max(share.begun + share.wall for share in shares) - begun
        merged = merge(stem, count, options.out / "merge.log")
        planned, done, traces = counted(share_paths(stem, count), options.target)
        same = pathlib.Path(f"{stem}.json").read_bytes() == expected
        rows.append(dict(zip(SCALING, (count, planned, len(options.target), traces, round(wall, 2),
                                       round(max(share.cpu for share in shares), 2), round(sum(share.cpu for share in shares), 2),
                                       round(merged.wall, 2), round(merged.cpu, 2), "yes" if same and done == planned else "no"))))
        shown(rows[-1])
        write_rows(options.out / "scaling.csv", SCALING, sorted(rows, key=lambda row: row["processes"]))
        if start is None:  # times a shard that has nothing left to do
            start = [share.good() for share in start_shares(tune, stem, count)][0].cpu
    if not rows:
        raise Fault("no number of processes was timed: give it more --seconds, or fewer values by --only")
    result = {"cores": os.cpu_count(), "targets": options.target, "whole_s": whole.wall, "whole_cpu_s": whole.cpu,
              "computed": on_paper(rows[-1], start, options.versions)}
    (options.out / "scaling.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print("computed, for", options.versions, "versions:", ", ".join(f"{n} shares {s:.0f} s" for n, s in result["computed"]["shares_s"].items()))
    return all(row["same"] == "yes" for row in rows)


def running(shares):
    return [share for share in shares if not share.ended(os.WNOHANG)]


def wait_until(shares, end):
    """Waits until all shards have ended. After `end`, sends signals to the running shards and
    returns these shards."""
    stopped = []
    for number, until in ((None, end), (signal.SIGTERM, end + END_SECONDS), (signal.SIGKILL, math.inf)):
        for share in running(shares) if number else []:
            share.process.send_signal(number)
            stopped.append(share)
        while running(shares) and time.monotonic() < until:
            time.sleep(0.05)
    return stopped


def add_row(path, fields, row):
    """Adds a row to a table. Returns the earlier rows."""
    rows = []
    with contextlib.suppress(FileNotFoundError), open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    write_rows(path, fields, [*rows, row])
    return rows


def campaign(tune, options):
    """Runs all shards until the time is over and adds a row with the result. If all versions are
    done and time is left, merges the shards and writes found.txt."""
    count, stem, begun = max(options.processes), options.out / "campaign", time.monotonic()
    paths = share_paths(stem, count)
    others = sorted(set(options.out.glob("campaign-*of*.jsonl")) - set(paths))
    if others:
        raise Fault(f"{others[0]}: a share of another number of processes; take that number, or another folder")
    shares = start_shares(tune, stem, count)
    stopped = wait_until(shares, begun + options.seconds - END_SECONDS)
    for share in shares:
        if share not in stopped:
            share.good()
    wall = time.monotonic() - begun
    planned, done, traces = counted([path for path in paths if path.exists()], options.target)
    needs = len(options.target) * (MERGE_SECONDS * done + FIT_SECONDS)
    merged = None
    if not stopped and wall + needs <= options.seconds:
        (options.out / "found.txt").unlink(missing_ok=True)
        merged = merge(stem, count, options.out / "found.txt")
    row = dict(zip(CAMPAIGN, (count, planned, done, len(options.target), traces, round(wall, 2), round(sum(share.cpu for share in shares), 2),
                              *((round(merged.wall, 2), round(merged.cpu, 2)) if merged else ("", "")))))
    before = add_row(options.out / "campaign.csv", CAMPAIGN, row)
    shown(row)
    if stopped:
        left = (planned - done) * wall / max(1, done - (int(before[-1]["versions_done"]) if before else 0))
        print(f"{done} of {planned} versions are done; run it again for the others, which take some {left:.0f} s")
    elif not merged:
        print(f"all {done} versions are done; run it again to merge them, with --seconds of at least {needs + END_SECONDS:.0f}")
    return True


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("scaling", "campaign"))
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--workload", type=pathlib.Path, default=ROOT / "kernels" / "tune" / "matmul_wide.workload")
    parser.add_argument("--size", default="n256")
    parser.add_argument("--target", action="append")
    parser.add_argument("--only", action="append", default=[], metavar="PARAMETER=VALUES")
    parser.add_argument("--processes", default="", help="numbers of processes; default: 1, 2, 4 ... up to as many as there are cores")
    parser.add_argument("--seconds", type=float, default=0)
    parser.add_argument("--versions", type=int, default=10000, help="of the space that scaling.json computes times for")
    options = parser.parse_args()
    options.target = options.target or TARGETS
    options.seconds = options.seconds or {"scaling": 240, "campaign": 560}[options.what]
    cores = os.cpu_count()
    options.processes = [int(n) for n in options.processes.split(",")] if options.processes else sorted(
        {1 << k for k in range(cores.bit_length())} | {cores})
    options.out = options.out.resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    return options


def main():
    options = parse()
    try:
        workload = narrowed(options.workload.resolve(), options.only, options.out)
        tune = [PERFMODEL, "tune", *(word for target in options.target for word in ("--target", target)), "--size", options.size, workload]
        return 0 if {"scaling": scaling, "campaign": campaign}[options.what](tune, options) else 1
    except (Fault, OSError) as fault:
        print(f"campaign_scaling.py: {fault}", file=sys.stderr)
        return 2


PERFMODEL = os.environ.get("PERFMODEL", ROOT / "build" / "bin" / "perfmodel")

if __name__ == "__main__":
    sys.exit(main())
