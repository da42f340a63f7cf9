#!/usr/bin/env python3
"""Damaged datasets through the program: 100 mutations of a small CSV, each by one method of
`validate`, which take turns, and by `predict`. The program ends with 0, 1 or 2, in time, with JSON or with one line on
standard error, and never by a signal. First, the fields of the JSON documents for the whole CSV.

The numbers of the CSV are made up here: it is test input, and tells nothing of any GPU.
PERFMODEL is the program; ctest sets it. SEED and COUNT may be set to look further.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import math
import os
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(1, sys.path[0] + "/..")
from seed import chosen_seed

PERFMODEL = os.environ["PERFMODEL"]
SEED = int(os.environ.get("SEED") or chosen_seed())
COUNT = int(os.environ.get("COUNT", "50"))
LONGEST_S = 5.0
METHODS = ["auto", "paper", "ridge", "gp", "forest"]
KEYS = ["device", "program", "variant", "size", "kernel", "counter_source"]
NUMBERS = ["time_s", "time_mad_s", "runs", "work_items", "work_group"]
COUNTERS = ["gld_request", "gst_request", "shared_load", "branch", "divergent_branch",
            "inst_issued", "inst_executed", "l1_global_load_hit", "l1_global_load_miss",
            "active_cycles"]
SAMPLE = ["program", "variant", "size", "kernel", "predicted_s", "lo_s", "hi_s"]


def small_csv(device, seed):
    """The original dataset: 4 programs in 2 variants and 3 sizes."""
    draw = random.Random(seed)
    lines = [",".join(KEYS + NUMBERS + COUNTERS)]
    for program in range(4):
        for variant in range(2):
            for size in (1, 4, 16):
                counts = [round(1000 * size * (1 + program + variant) * draw.uniform(0.5, 2))
                          for _ in COUNTERS]
                time_s = 1e-5 + 1e-9 * sum(counts)
                row = [device, f"program{program}", f"variant{variant}", str(size), "kernel",
                       "cupti", f"{time_s:.9g}", "1e-7", "7", str(1024 * size), str(64 << variant)]
                lines.append(",".join(row + [str(count) for count in counts]))
    return "\n".join(lines).encode() + b"\n"


# ---- mutations ---------------------------------------------------------------------------------

def flip_bytes(draw, text):
    damaged = bytearray(text)
    for _ in range(draw.randint(1, 8)):
        damaged[draw.randrange(len(damaged))] ^= 1 << draw.randrange(8)
    return bytes(damaged)


def cut(draw, text):
    return text[:draw.randrange(len(text))]


def of_lines(change):
    def mutate(draw, text):
        lines = text.split(b"\n")[:-1]
        change(draw, lines)
        return b"\n".join(lines) + b"\n"
    return mutate


def of_cells(change, header=False):
    """Changes a few cells, or all cells of a column except its name."""
    def mutate(draw, text):
        rows = [line.split(b",") for line in text.split(b"\n")[:-1]]
        first = 0 if header else 1
        column = draw.randrange(len(rows[0]))
        if draw.random() < 0.3:
            places = [(row, column) for row in range(first, len(rows))]
        else:
            places = [(draw.randrange(first, len(rows)), draw.randrange(len(rows[0])))
                      for _ in range(draw.randint(1, 5))]
        for row, place in places:
            change(draw, rows[row], min(place, len(rows[row]) - 1))
        return b"\n".join(b",".join(row) for row in rows) + b"\n"
    return mutate


def duplicate(draw, lines):
    lines.insert(draw.randrange(len(lines) + 1), draw.choice(lines))


def remove_lines(draw, lines):
    kept = draw.randrange(len(lines) + 1)
    lines[1:] = draw.sample(lines[1:], min(kept, len(lines) - 1))


def shuffle(draw, lines):
    draw.shuffle(lines)


ODD = [b"1e999", b"-1", b"0x10", b"", b"nan", b"inf", b"-inf", b"1e308", b"1e-320", b"0", b"-0",
       b"9" * 400, b"x" * 100000, b"\"", b"\"a,b\"", b"\"a\nb\"", b"\xff\xfe", b"\0", b" ", b"\r",
       b"%s%n", b"1,1", b"program0"]


def replace(draw, row, place):
    row[place] = draw.choice(ODD)


def scale(draw, row, place):
    try:
        row[place] = b"%.17g" % (float(row[place]) * 10.0 ** draw.randint(-300, 300))
    except ValueError:
        pass


def remove(draw, row, place):
    if len(row) > 1:
        del row[place]


def copy_neighbour(draw, row, place):
    row[place] = row[place - 1]


MUTATIONS = [flip_bytes, cut, of_lines(duplicate), of_lines(remove_lines), of_lines(shuffle),
             of_cells(replace), of_cells(replace), of_cells(replace, header=True), of_cells(scale),
             of_cells(scale), of_cells(remove), of_cells(copy_neighbour)]


def mutation(number, text):
    draw = random.Random(SEED * 1000003 + number)
    for _ in range(draw.choice([1, 1, 1, 2, 3])):
        if text.count(b"\n") > 2:
            text = draw.choice(MUTATIONS)(draw, text)
    return text


# ---- running the program -----------------------------------------------------------------------

def refuse_constant(name):
    raise ValueError(f"{name} in JSON")


def all_finite(value):
    if isinstance(value, dict):
        return all(map(all_finite, value.values()))
    if isinstance(value, list):
        return all(map(all_finite, value))
    return not isinstance(value, float) or math.isfinite(value)


def run(arguments):
    """Returns the faults of the program's answer (empty: none), and its JSON document."""
    try:
        done = subprocess.run([PERFMODEL, *arguments, "--json"], stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=LONGEST_S)
    except subprocess.TimeoutExpired:
        return f"longer than {LONGEST_S} s", None
    errors = done.stderr.decode(errors="replace")
    lines = errors.splitlines()
    if done.returncode not in (0, 1, 2) or "runtime error" in errors or "Sanitizer" in errors:
        return f"exit code {done.returncode}: {errors[:2000]}", None
    if not errors.isprintable() and "\n" not in errors:
        return f"unprintable: {errors!r}", None
    if any(not line.startswith("perfmodel: ") for line in lines):
        return f"a message of several lines: {errors!r}", None
    if done.returncode:
        if done.stdout or not lines:
            return f"exit code {done.returncode} with {done.stdout[:200]!r} and {errors!r}", None
        return "", None
    try:
        document = json.loads(done.stdout, parse_constant=refuse_constant)
    except ValueError as fault:
        return f"JSON: {fault}: {done.stdout[:300]!r}", None
    return ("" if all_finite(document) else "a number in JSON that is not finite"), document


def try_one(number, text, good, folder):
    """Returns the faults of the program on one mutation, and how often it gave a result."""
    path = os.path.join(folder, f"{number}.csv")
    with open(path, "wb") as file:
        file.write(text)
    commands = [["validate", path, "--method", METHODS[number % len(METHODS)]],
                ["predict", "--target", path, "--from", good], ["predict", "--target", good, "--from", path]]
    faults, results = [], 0
    for command in commands:
        fault, document = run(command)
        results += document is not None
        if fault:
            faults.append(f"mutation {number}, {' '.join(command)}: {fault}")
    with open(path, "rb") as file:
        if file.read() != text:
            faults.append(f"mutation {number}: the file has changed")
    os.unlink(path)
    return faults, results


# ---- JSON fields -------------------------------------------------------------------------------

def expect(faults, what, found, wanted):
    if found != wanted:
        faults.append(f"{what}: {found} instead of {wanted}")


def check_fields(path, other):
    """Checks that a document has exactly the documented fields with valid values."""
    faults = []
    for method in METHODS:
        fault, document = run(["validate", path, "--method", method])
        if not document:
            faults.append(f"validate --method {method}: {fault or 'no result'}")
            continue
        expect(faults, "fields of validate", sorted(document), sorted(
            ["dataset", "from", "method", "leave_out", "n", "mape", "median_ape", "coverage90",
             "counters", "samples"]))
        expect(faults, "dataset", document["dataset"], path)
        expect(faults, "method", document["method"], method)
        expect(faults, "leave_out", document["leave_out"], "program")
        expect(faults, "n", document["n"], len(document["samples"]))
        for sample in document["samples"]:
            expect(faults, "fields of a sample", sorted(sample), sorted(SAMPLE + ["device", "measured_s"]))
        errors = [abs(s["predicted_s"] / s["measured_s"] - 1) for s in document["samples"]]
        if not math.isclose(document["mape"], sum(errors) / len(errors), rel_tol=1e-6):
            faults.append(f"mape {document['mape']} is not the mean of the samples' errors")
    with open(other, "rb") as file:
        rows = file.read().split(b"\n")
    partial = path + ".partial.csv"
    with open(partial, "wb") as file:
        file.write(b"\n".join(rows[:-2]) + b"\n")  # the last sample is not measured on the target
    fault, document = run(["predict", "--target", partial, "--from", path])
    if not document:
        return faults + [f"predict: {fault or 'no result'}"]
    expect(faults, "fields of predict", sorted(document), ["assumed", "basis", "from", "predictions", "registers_source", "target", "totals",
                                                              "with"])
    expect(faults, "target", document["target"], partial)
    expect(faults, "basis", document["basis"], "dataset")
    expect(faults, "predictions", len(document["predictions"]), len(rows) - 2)
    for sample in document["predictions"][:-1]:
        expect(faults, "fields of a prediction", sorted(sample), sorted(SAMPLE + ["measured_s"]))
    expect(faults, "fields of an unmeasured one", sorted(document["predictions"][-1]),
           sorted(SAMPLE))
    os.unlink(partial)
    return faults


def main():
    good, other = small_csv("gpu0", 1), small_csv("gpu1", 2)
    with tempfile.TemporaryDirectory(prefix="perfmodel-mutations.") as folder:
        paths = [os.path.join(folder, name) for name in ("good.csv", "other.csv")]
        for path, text in zip(paths, (good, other)):
            with open(path, "wb") as file:
                file.write(text)
        faults, results = check_fields(*paths), 0
        with ThreadPoolExecutor(max_workers=min(4, os.cpu_count() or 1)) as pool:
            tries = [pool.submit(try_one, number, mutation(number, good), paths[1], folder)
                     for number in range(COUNT)]
            for done in tries:
                more, count = done.result()
                faults += more
                results += count
        left = sorted(os.listdir(folder))
        if left != ["good.csv", "other.csv"]:
            faults.append(f"files left behind: {left}")
    runs = COUNT * 3
    if not runs * 0.05 < results < runs * 0.95:
        faults.append(f"{results} results of {runs} runs: the mutations are too wild or too tame")
    for fault in faults[:20]:
        print("FAILED:", fault)
    print(f"{runs} runs, {results} with a result, {len(faults)} failures")
    return 1 if faults else 0


sys.exit(main())
