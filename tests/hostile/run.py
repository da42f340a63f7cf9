#!/usr/bin/env python3
"""Hostile kernels against the library: makes cases, has test_hostile call the library on them in one process, and
watches that from outside: time and memory of each call, and processes that are left behind.

A seed is printed and can be given again. --kill sends SIGKILL to children of the process at random moments, which a
call has to answer with one line. --try-faults holds this script itself against a library that is broken on purpose.
Ends with 1 where anything is wrong.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import collections
import contextlib
import os
import pathlib
import random
import resource
import select
import signal
import subprocess
import sys
import tempfile
import time

from generate import CLASSES, generate

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from seed import chosen_seed  # pylint: disable=wrong-import-position

CALLS = ("trace", "advise", "layout", "local")
# environment variable that marks all processes started from here, even if their parent has ended
MARK = "HOSTILE_MARK"
# allowed growth of the caller's memory in MB from the second quarter of the calls to the last
GROWTH_MB = 64
FAULTS = {"die": "ended by signal 11", "exit": "ended with code 0", "hang": "ended after",
          "newline": "control character", "silent": "says nothing", "file": "files left open", "memory": "holds",
          "child": "left running"}


def processes(mark):
    """Returns the ids of all processes with the mark."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with contextlib.suppress(OSError), open(f"/proc/{entry}/environ", "rb") as file:
                if mark in file.read():
                    found.append(int(entry))
    return found


def kill(pids):
    """Ends them."""
    for pid in pids:
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)


def resident_mb(pids):
    """Returns the total memory of these processes. Shared memory counts for each process."""
    pages = 0
    for pid in pids:
        with contextlib.suppress(OSError, IndexError), open(f"/proc/{pid}/statm", encoding="ascii") as file:
            pages += int(file.read().split()[1])
    return pages * resource.getpagesize() >> 20


class Caller:
    """A test_hostile process from one call on, and all processes that it starts."""

    def __init__(self, options, folder, case, call):
        self.options, self.pending = options, b""
        self.mark = f"{MARK}={os.getpid()}.{random.getrandbits(64):x}".encode()
        name, value = self.mark.decode().split("=")
        with open(folder / "messages", "ab") as messages:
            self.process = subprocess.Popen(
                [options.program, str(folder), str(case), str(call)], stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=messages, cwd=folder, env={**os.environ, name: value})

    def line(self):
        """Returns the next line, or None and the reason."""
        now = time.monotonic()
        deadline, look = now + self.options.deadline, now + 0.1
        while b"\n" not in self.pending:
            if select.select([self.process.stdout], [], [], 0.05)[0]:
                piece = os.read(self.process.stdout.fileno(), 65536)
                if not piece:
                    code = self.process.wait()
                    return None, f"ended by signal {-code}" if code < 0 else f"ended with code {code}"
                self.pending += piece
            now = time.monotonic()
            if now > deadline:
                return None, f"ended after {self.options.deadline:g} s"
            if now > look:
                pids, look = processes(self.mark), now + 0.2
                if resident_mb(pids) > self.options.memory:
                    return None, f"ended at {resident_mb(pids)} MiB"
                if self.options.kill and random.random() < 0.3:
                    kill(set(pids) - {self.process.pid})
        line, self.pending = self.pending.split(b"\n", 1)
        return line.decode("utf-8", "replace"), None

    def stop(self, done):
        """Ends all processes. If the caller is done, returns how many processes have outlived
        it."""
        if done:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(self.options.deadline)
        left = processes(self.mark)
        kill(left)
        self.process.wait()
        self.process.stdout.close()
        return len(left)


class Tally:
    """Results of the calls by class."""

    def __init__(self, verbose):
        self.verbose, self.counts = verbose, collections.defaultdict(collections.Counter)
        self.wrong, self.times = [], []

    def add(self, kind, place, verdict, text, seconds=0.0):
        """Records the result of one call, or of a check over all calls."""
        self.counts[kind][verdict] += 1
        self.times.append((seconds, place))
        if verdict in ("wrong", "died"):
            self.wrong.append(text)
        if verdict in ("wrong", "died") or self.verbose:
            print(f"{kind} {place}: {seconds:.2f} s, {verdict}: {text[:300]}", flush=True)

    def show(self):
        """Prints a table, and the slowest calls."""
        print(f"{'class':16}{'right':>8}{'one line':>10}{'wrong':>8}{'died':>8}")
        for kind, counts in self.counts.items():
            print(f"{kind:16}{counts['right']:8}{counts['one line']:10}{counts['wrong']:8}{counts['died']:8}")
        print("slowest: " + ", ".join(f"{place} {seconds:.1f} s" for seconds, place in sorted(self.times)[:-4:-1]))
        calls = sum(sum(counts.values()) for counts in self.counts.values())
        print(f"{calls} calls, {len(self.wrong)} wrong")


def follow(caller, kinds, tally, memory):
    """Reads the caller's messages until all calls are done or it does not answer. Returns the
    position that it reached."""
    case, call, began, faults = 0, 0, time.monotonic(), []
    while True:
        line, why = caller.line()
        words = (line or "").split(" ", 5)
        if words[0] == "start":
            case, call, began, faults = int(words[1]), int(words[2]), time.monotonic(), []
        elif words[0] == "wrong":
            faults.append(line.split(" ", 3)[3])
        elif words[0] == "end":
            memory.append(int(words[4]) >> 10)
            if memory[-1] > caller.options.resident:
                faults.append(f"the caller holds {memory[-1]} MiB")
            verdict = "wrong" if faults else "right" if words[3] == "0" else "one line"
            tally.add(kinds[case], f"case {case} {CALLS[call]}", verdict, "; ".join([*faults, words[5]]),
                      time.monotonic() - began)
            faults = []
        elif words[0] == "done":
            for fault in faults:
                tally.add("end", "all", "wrong", fault)
            return None
        elif why:
            tally.add(kinds[case], f"case {case} {CALLS[call]}", "died", why, time.monotonic() - began)
            return (case, call + 1) if call + 1 < len(CALLS) else (case + 1, 0)
        else:
            faults.append(f"printed {line[:80]!r}")


def run(options, folder, kinds):
    """Makes all calls of all cases. If a call ends the caller, it is started again after that
    call."""
    tally, memory, place = Tally(options.verbose), [], (options.first, 0)
    while place and place[0] < len(kinds):
        caller = Caller(options, folder, *place)
        memory.clear()
        place = follow(caller, kinds, tally, memory)
        left = caller.stop(done=not place)
        if left and not place:
            tally.add("end", "all", "wrong", f"{left} processes left behind")
    quarter = len(memory) // 4
    if quarter and min(memory[-quarter:]) > min(memory[quarter:2 * quarter]) + GROWTH_MB:
        tally.add("end", "all", "wrong", f"the caller grows: {memory[quarter]} MiB after a quarter of the calls, "
                                         f"{memory[-1]} at the end")
    return tally


def try_faults(options, folder):
    """Checks that each fault of a deliberately broken library is found."""
    missed = 0
    for how, says in FAULTS.items():
        os.environ["HOSTILE_BREAK"] = how
        options.deadline, options.resident = 1 if how == "hang" else 60, 200
        if not any(says in text for text in run(options, folder, ["broken"]).wrong):
            missed += 1
            print(f"FAILED: a library that is broken by '{how}' is not found")
    print("FAILED" if missed else "all faults were found")
    return 1 if missed else 0


def main():
    """Runs the calls or the self-test."""
    parser = argparse.ArgumentParser(description="hostile kernels against the library")
    parser.add_argument("program", help="test_hostile")
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="from this case on")
    parser.add_argument("--seed", type=int, default=chosen_seed())
    parser.add_argument("--deadline", type=float, default=120, help="seconds of a call")
    parser.add_argument("--memory", type=int, default=8192, help="MiB of all processes together")
    parser.add_argument("--resident", type=int, default=1024, help="MiB that the caller may hold after a call")
    parser.add_argument("--kill", action="store_true", help="end children of the caller at random moments")
    parser.add_argument("--keep", help="new folder to leave the cases in")
    parser.add_argument("--try-faults", action="store_true", dest="faults")
    parser.add_argument("-v", "--verbose", action="store_true", help="a line for each call")
    options = parser.parse_args()
    options.program = os.path.realpath(options.program)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # Macros that expand without end keep clang busy until its time limit. A call runs clang several
    # times.
    os.environ.setdefault("PERFMODEL_WORKER_SECONDS", str(options.deadline / 12))
    with tempfile.TemporaryDirectory(prefix="hostile.") as scratch:
        folder = pathlib.Path(options.keep or scratch).absolute()
        folder.mkdir(exist_ok=True)
        kinds = [generate(options.seed, number, folder) for number in range(1 if options.faults else options.cases)]
        if options.faults:
            return try_faults(options, folder)
        print(f"seed {options.seed}, {options.cases} cases", flush=True)
        tally = run(options, folder, kinds)
        tally.show()
        return 1 if tally.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
