#!/usr/bin/env python3
"""The same command gives the same bytes, however busy the machine and however many threads.

Runs commands that sample work-groups, alone with one thread and beside busy processes with sixteen, and compares what
they print. With --runs N: N runs of trace and advise over the suite, each beside a random number of busy processes,
with a random number of threads. PERFMODEL is the program; ctest sets it. PERFMODEL_THREADS is set here.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import contextlib
import json
import os
import random
import subprocess
import sys
import threading
import time

sys.path.insert(1, sys.path[0] + "/..")
from program import part_of
from seed import chosen_seed

PERFMODEL = os.environ.get("PERFMODEL", "perfmodel")
os.environ["PERFMODEL_CACHE"] = "off"  # each run computes
HOGS, THREADS = 4, 16
# By default, all of these commands sample work-groups.
COMMANDS = (
    ("trace", "--json", "--program", "inverse", "--size", "500", "--target", "gtx980"),
    ("trace", "--json", "--program", "particlefilter", "--size", "16384"),
    ("advise", "--json", "--target", "h100", "--program", "matmul", "--size", "777", "--variant", "shared"),
    # A kernel with two private arrays in memory. Their order must not depend on addresses of this
    # host.
    ("trace", "--json", "--program", "topk_rows", "--sample", "0.02"),
)
HOG = "import os\nprint(flush=True)\nparent = os.getppid()\nwhile os.getppid() == parent:\n    sum(range(100000))"


@contextlib.contextmanager
def busy(count):
    """Starts this number of processes that only compute. They end with this process in any case."""
    hogs = []
    try:
        for _ in range(count):
            hogs.append(subprocess.Popen([sys.executable, "-c", HOG], stdout=subprocess.PIPE))
        for hog in hogs:
            hog.stdout.readline()  # it has begun
        yield
    finally:
        for hog in hogs:
            hog.kill()
        for hog in hogs:
            hog.wait()
            hog.stdout.close()


def family(pid):
    """Returns a process and the processes that it started."""
    found = [pid]
    for parent in found:
        with contextlib.suppress(OSError):
            for task in os.listdir(f"/proc/{parent}/task"):
                with open(f"/proc/{parent}/task/{task}/children", encoding="ascii") as file:
                    found += map(int, file.read().split())
    return found


def threads_of(pid):
    """Returns the largest number of threads of one process of a family."""
    most = 0
    for member in family(pid):
        with contextlib.suppress(OSError):
            most = max(most, len(os.listdir(f"/proc/{member}/task")))
    return most


def run(command, hogs, threads):
    """Returns what a command prints while this number of busy processes runs, its exit code, its
    largest number of threads, and its messages."""
    seen = 0
    with busy(hogs):
        process = subprocess.Popen([PERFMODEL, *command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env={**os.environ, "PERFMODEL_THREADS": str(threads)})
        output = []
        reader = threading.Thread(target=lambda: output.extend(process.communicate()))
        reader.start()
        while reader.is_alive():
            seen = max(seen, threads_of(process.pid))
            time.sleep(0.01)
        reader.join()
    return output[0], process.returncode, seen, output[1]


def first_difference(one, other):
    """For people."""
    lines = zip(one.decode(errors="replace").splitlines() + [""], other.decode(errors="replace").splitlines() + [""])
    return next((f"{a.strip()!r} and {b.strip()!r}" for a, b in lines if a != b), "a different length")


def samples(command, output):
    """Returns whether a trace sampled work-groups. For advice this cannot be seen."""
    return command[0] != "trace" or any(kernel["sampled"] < 1 for kernel in json.loads(output)["kernels"])


def short():
    """Runs each command alone with one thread, and with many threads next to busy processes."""
    failures = []
    for command in part_of(COMMANDS):
        text = " ".join(command)
        alone, code, _, messages = run(command, 0, 1)
        if code != 0:
            failures.append(f"{text}: code {code}: {messages.decode(errors='replace')[-200:]}")
            continue
        if not samples(command, alone):
            failures.append(f"{text}: all work-groups are traced, so that nothing can differ; choose a larger size")
        loaded, code, seen, _ = run(command, HOGS, THREADS)
        if code != 0 or loaded != alone:
            failures.append(f"{text}: alone and beside {HOGS} busy processes: {first_difference(alone, loaded)}")
        if seen < THREADS:
            failures.append(f"{text}: PERFMODEL_THREADS={THREADS}, and it has {seen} threads")
    return failures


def suite_commands(rng):
    """Yields traces and advice over the suite's programs and sizes."""
    listed = subprocess.run([PERFMODEL, "collect", "--list", "--json"], check=True, stdout=subprocess.PIPE)
    programs = json.loads(listed.stdout)
    for program in rng.sample(programs, len(programs)):
        targets = ("h100", "gtx980", "hd5870", "gtx280")
        yield ("trace", "--json", "--target", rng.choice(targets), "--program", program["program"],
               "--variant", rng.choice(program["variants"]), "--size", rng.choice(program["sizes"]))
        if program["base"]:
            yield ("advise", "--json", "--target", rng.choice(targets), "--program", program["program"], "--clusters", "1",
                   "--size", rng.choice(program["sizes"][:3]))


def long(runs, seed):
    """Runs commands of the suite, each five times."""
    rng, failures, commands = random.Random(seed), [], []
    while len(commands) < (runs + 4) // 5:
        commands += suite_commands(rng)
    plan = [command for command in commands[:(runs + 4) // 5] for _ in range(5)][:runs]
    first = {}
    for number, command in enumerate(rng.sample(plan, len(plan))):
        hogs, threads = rng.choice((0, 0, 1, 2, 4, HOGS)), rng.choice((1, 2, 3, THREADS))
        output, code, _, messages = run(command, hogs, threads)
        text, how = " ".join(command), f"{hogs} busy processes, {threads} threads"
        print(f"[{number + 1}/{runs}] {text}, {how}", flush=True)
        if code != 0:
            failures.append(f"{text} ({how}): code {code}: {messages.decode(errors='replace')[-200:]}")
        elif first.setdefault(command, (output, how))[0] != output:
            failures.append(f"{text} ({first[command][1]}; {how}): {first_difference(first[command][0], output)}")
    print(f"{runs} runs of {len(set(plan))} commands, seed {seed}: {len(failures)} differ or fail")
    return failures


def main():
    """Runs the comparison that the module's text describes."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=0)
    parser.add_argument("--seed", type=int, default=chosen_seed())
    options = parser.parse_args()
    failures = long(options.runs, options.seed) if options.runs else short()
    for failure in failures:
        print("FAILED:", failure)
    print("FAILED" if failures else "all passed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
