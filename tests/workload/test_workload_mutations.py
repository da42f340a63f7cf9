#!/usr/bin/env python3
"""Damaged workload files, captures and records of interrupted captures through the program: mutations of the text, of
the sources and headers, and of what lies in the folder (tests/workload/workload_mutations.py). The program ends with 0, 1 or 2,
in time, with a result or with one line on standard error, never by a signal, neither its own nor its worker's. It
writes nothing but its output, and of a capture tells nothing that lies outside of its folder.

PERFMODEL is the program; ctest sets it. --runs N and --seed N look further; a failure names its number, and --only N
repeats it and keeps its folder. Time is the processor's: a machine that is busy does not fail it.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import collections
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(1, sys.path[0] + "/..")
from seed import chosen_seed
from workload_mutations import Damage

PERFMODEL = os.path.abspath(os.environ.get("PERFMODEL", "perfmodel"))
LONGEST_S = float(os.environ.get("LONGEST_S", "30"))  # of the processor
WAITED_S = 10 * LONGEST_S  # time limit for a process that waits and computes nothing
SECRET = "undisclosed4711"  # not a number that a message may contain by chance

# Control characters that a terminal would execute.
HIDDEN = re.compile("[\0-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")

COMMANDS = [(50, ["trace", "--json"]), (10, ["trace", "--sample", "all"]), (8, ["predict", "--target", "h100", "--json"]),
            (6, ["collect", "--device", "none", "-o", "OUT/rows.csv"]), (8, ["collect", "--counters", "none", "-o", "OUT/rows.csv"]),
            (5, ["advise", "--target", "h100", "--json"]), (4, ["transform", "--target", "h100", "-o", "OUT/made"]),
            (5, ["transform", "--layout", "soa", "-o", "OUT/made"]), (4, ["report", "--target", "gtx980", "-o", "OUT/page.html"])]


def command_of(draw, words, damage, out):
    """Commands to run on a folder. Records become files in a folder of their own."""
    subject = damage.subject
    if damage.records:
        return ["capture", "-o", str(subject)]
    return [words[0], *(["--workload"] if draw.random() < 0.3 and not subject.is_dir() else []), str(subject),
            *(word.replace("OUT", str(out)) for word in words[1:])]


def tree(top, output):
    """Returns all files below the folder except the output, with data that shows whether they have
    changed."""
    found = {}
    for where, folders, files in os.walk(top):
        for name in folders + files:
            path = os.path.join(where, name)
            info = os.lstat(path)
            found[path] = (info.st_mode, info.st_ino, info.st_size, info.st_mtime_ns, info.st_ctime_ns)
        folders[:] = [name for name in folders if os.path.join(where, name) != str(output)]
    found.pop(str(output), None)
    return found


def wait_for(process, start):
    """Returns exit code and processor seconds of the process and its children. The code is None if
    it had to be killed."""
    while True:
        ended, status, used = os.wait4(process.pid, os.WNOHANG)
        if ended:
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode, used.ru_utime + used.ru_stime
        if time.monotonic() - start > WAITED_S:
            os.killpg(process.pid, signal.SIGKILL)
            _, _, used = os.wait4(process.pid, 0)
            process.returncode = -signal.SIGKILL
            return None, used.ru_utime + used.ru_stime
        time.sleep(0.01)


def run(words, top, pocl):
    """Returns exit code, processor seconds, elapsed seconds, output and messages."""
    environment = {**os.environ, "HOME": str(top / "home"), "XDG_DATA_HOME": str(top / "home"), "TMPDIR": str(top / "home"),
                   "POCL_CACHE_DIR": str(pocl), "PERFMODEL_WORKER_SECONDS": "10"}
    start = time.monotonic()
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as messages:
        # pylint: disable-next=consider-using-with
        process = subprocess.Popen([PERFMODEL, *words], stdin=subprocess.DEVNULL, stdout=output, stderr=messages, cwd=top / "work",
                                   env=environment, start_new_session=True)
        code, used = wait_for(process, start)
        output.seek(0)
        messages.seek(0)
        return code, used, time.monotonic() - start, output.read(), messages.read().decode(errors="replace")


def is_notice(line):
    """A line about left-out parts may precede the line with the error."""
    return re.search(r": left out| is left out|: left as it is| \[-W[\w-]+\]$|kernels are taken as the driver|is compiled as", line)


def fault_of(words, damage, code, output, messages):
    """Returns the fault of the program's answer; empty: none."""
    whole = messages.split("\n")[:-1]
    # Lines of progress, and lines that PoCL's compiler prints.
    lines = [line for line in whole if not re.match(r"\[\d+/[\d?]+\] |\d+ (errors?|warnings?)( and \d+ errors?)? generated\.$", line)]
    if code not in (0, 1, 2, 3) or "runtime error" in messages or "Sanitizer" in messages or "signal" in messages:
        return f"exit code {code}: {messages[-2000:]}"
    if any(not line.startswith("perfmodel: ") for line in lines) or any(HIDDEN.search(line) for line in whole):
        return f"no line of the program's: {messages[-2000:]!r}"
    if code == 3 and not any(": left out" in line or " left out: " in line for line in lines):
        return f"exit code 3 without a line about what was left out: {messages[-2000:]!r}"
    if code in (1, 2) and (not lines or (output and words[0] not in ("report", "collect", "capture"))):
        return f"exit code {code} with {output[:200]!r} and {messages!r}"
    if code == 2 and sum(not is_notice(line) for line in lines) > 1:
        return f"more than one line: {messages[-2000:]!r}"
    if damage.captured and (SECRET in messages or SECRET.encode() in output):
        return f"told what is outside: {messages[-2000:]!r}"
    if code == 0 and "--json" in words:
        try:
            json.loads(output, parse_constant=lambda name: int(name, 36) // 0)
        except (ValueError, ZeroDivisionError) as wrong:
            return f"JSON: {wrong}: {output[:300]!r}"
    return ""


def written_fault(damage, before, after, output):
    """Returns files that the program must not have written or copied."""
    if after != before:
        return f"files have changed: {sorted(path for path in {**before, **after} if before.get(path) != after.get(path))}"
    if not damage.captured:
        return ""
    for path in output.rglob("*"):
        if path.is_file() and not path.is_symlink() and path.stat().st_size < 1 << 20 and SECRET.encode() in path.read_bytes():
            return f"{path} has what is outside"
    return ""


Result = collections.namedtuple("Result", "number words code used waited fault")


def try_one(number, seed, pocl, keep=False):
    draw = random.Random(seed * 1000003 + number)
    top = pathlib.Path(tempfile.mkdtemp(prefix="perfmodel-mutation."))
    try:
        for name in ("work", "home", "outside", "out"):
            (top / name).mkdir()
        (top / "outside/secret").write_text(f"do not tell {SECRET}\n", encoding="utf-8")
        words = draw.choices([words for _, words in COMMANDS], [weight for weight, _ in COMMANDS])[0]
        # A kernel that a CPU's driver runs is part of the process, so it may crash it.
        damage = Damage(draw, top / "work", tame="--counters" in words)
        words = command_of(draw, words, damage, top / "out")
        output = damage.top if damage.records else top / "out"
        before = tree(top, output)
        code, used, waited, printed, messages = run(words, top, pocl)
        if code is None or used > LONGEST_S:
            fault = f"took {used:.1f} s of the processor, {waited:.1f} s by the clock: {messages[-500:]!r}"
        else:
            fault = (fault_of(words, damage, code, printed, messages)
                     or written_fault(damage, before, tree(top, output), output))
        if keep:
            print(top, *words, code, messages, sep="\n")
        return Result(number, words, code, used, waited, fault)
    finally:
        if not keep:
            shutil.rmtree(top, ignore_errors=True)


def tell(results):
    """Returns the number of faults."""
    codes = collections.Counter(result.code for result in results)
    commands = collections.Counter(result.words[0] for result in results)
    slowest = max(results, key=lambda result: result.used)
    faults = sum(bool(result.fault) for result in results)
    print(f"{len(results)} runs ({', '.join(f'{name} {count}' for name, count in commands.most_common())}): {codes[0]} with a result, "
          f"{codes[2]} refused, {codes[1]} failed; number {slowest.number} took most of the processor, {slowest.used:.1f} s; "
          f"{faults} faults")
    if len(results) >= 100 and not len(results) * 0.03 < codes[0] < len(results) * 0.9:
        print("the mutations are too wild or too tame")
        return faults + 1
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=chosen_seed())
    parser.add_argument("--only", type=int)
    chosen = parser.parse_args()
    numbers = [chosen.only] if chosen.only is not None else range(chosen.first, chosen.first + chosen.runs)
    results = []
    print(f"seed {chosen.seed}", flush=True)
    with tempfile.TemporaryDirectory() as pocl, ThreadPoolExecutor(max_workers=min(2, os.cpu_count() or 1)) as pool:
        for result in pool.map(lambda number: try_one(number, chosen.seed, pocl, chosen.only is not None), numbers):
            results.append(result)
            if result.fault:
                print(f"FAILED: --seed {chosen.seed} --only {result.number}: {result.words[0]}: {result.fault}", flush=True)
            if len(results) % 1000 == 0:
                print(f"{len(results)} runs, {sum(bool(one.fault) for one in results)} faults", flush=True)
    return 1 if tell(results) else 0


sys.exit(main())
