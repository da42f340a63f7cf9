#!/usr/bin/env python3
"""perfmodel check on kernels of the corpus that were made worse, and on refactorings that change nothing.

    check_mutants.py [--target NAME] [--each N] [--measure DEVICE] [-o FILE.csv]

Each kind of change is made by a rule on text, in the first N programs, by the SHA-256 of their names, that have a place for
it, that the trace engine still runs in their largest size and base variant, and whose counts it changes. With --measure,
programs and mutants are timed on a device, too, and what is really slower is known. PERFMODEL is the program.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import concurrent.futures
import csv
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PERFMODEL = os.environ.get("PERFMODEL", "perfmodel")
# All work-items stay within the range, and neighbours are far apart: a warp's accesses are no longer together.
SCATTERED = ("((int)(get_global_id(0) % 32 * (get_global_size(0) / 32) + get_global_id(0) / 32))")


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S)


def renamed(text):
    """Names of loop variables."""
    names = set(re.findall(r"for \((?:int|uint|size_t) (\w+) =", text))
    for name in names:
        text = re.sub(rf"\b{name}\b", f"{name}_counter", text)
    return text if names else None


def replaced(pattern, by, flags=0):
    def change(text):
        new, count = re.subn(pattern, by, text, flags=flags)
        return new if count else None
    return change


def spilled(text):
    """Private arrays of a constant length are indexed by a number that the compiler does not know."""
    found = re.search(r"^( +)(?:float|int|uint|double) (\w+)\[\w+\];", text, re.M)
    if not found:
        return None
    head, name = text[:found.end()], found[2]
    return head + re.sub(rf"\b{name}\[([^\[\]]+)\]", rf"{name}[(\1) ^ (int)(get_group_id(0) >> 30)]", text[found.end():])


MUTANTS = {
    "restrict": replaced(r"\b(?:restrict|__restrict) ", ""),
    "scattered": replaced(r"get_global_id\(0\)", SCATTERED),
    "spilled": spilled,
    "barrier": replaced(r"^( *)(barrier\(CLK_LOCAL_MEM_FENCE\);)", r"\1\2 \2", re.M),
    "double": replaced(r"(\d\.\d*(?:e[-+]?\d+)?)f\b", r"\1"),
}
HARMLESS = {
    "renamed": renamed,
    "comments": replaced(r";\n", "; // as before\n\n"),
    "increments": replaced(r"\b(\w+)\+\+\)", r"\1 += 1)"),
    "operands": replaced(r"\b([a-z]\w*) \* ([a-z]\w*)\b(?! *[\[(.])", r"\2 * \1"),
    "const": replaced(r"^( +)(int|float|uint) (\w+ = get_)", r"\1const \2 \3", re.M),
}


def run(*words, timeout=300):
    return subprocess.run([PERFMODEL, *map(str, words)], check=False, capture_output=True, text=True, timeout=timeout,
                          stdin=subprocess.DEVNULL)


class Program:
    """A program of the corpus: its files, and where its first variant's source is."""

    def __init__(self, path):
        self.path, self.name = path, path.stem
        text = path.read_text(encoding="utf-8")
        self.base = (re.search(r"^base = (\S+)", text, re.M) or [None, "plain"])[1]
        self.size = re.findall(r"^\[size (\S+)\]", text, re.M)[-1]
        self.source = path.parent / (re.search(r"^source = (\S+)", text, re.M) or [None, ""])[1]

    def copy(self, folder, text=None):
        """The workload file, copied with all that goes with it."""
        for file in self.path.parent.glob(f"{self.name}*"):
            shutil.copy(file, folder)
        if text is not None:
            (folder / self.source.name).write_text(text, encoding="utf-8")
        return folder / self.path.name

    def words(self):
        return ["--variant", self.base, "--size", self.size]


def programs():
    found = [Program(path) for path in (ROOT / "kernels" / "corpus").glob("*.workload")]
    found = [p for p in found if p.source.suffix == ".cl" and p.source.is_file()]
    return sorted(found, key=lambda p: hashlib.sha256(p.name.encode()).hexdigest())


def seconds(folder, program, workload, device):
    """Of all kernels together; None: it does not run or gives wrong results."""
    out = folder / "times.csv"
    done = run("collect", workload, *program.words(), "--device", device, "--counters", "none", "-o", out)
    if done.returncode != 0:
        return None
    with open(out, newline="", encoding="utf-8") as file:
        return sum(float(row["time_s"]) for row in csv.DictReader(file))


def check(program, kind, text, target):
    """A row of the table; None: it does not run any more, or the code is the same to a compiler."""
    with tempfile.TemporaryDirectory() as plain, tempfile.TemporaryDirectory() as other:
        before, after = program.copy(pathlib.Path(plain)), program.copy(pathlib.Path(other), text)
        base = before.parent / "base.json"
        if run("check", before, *program.words(), "--target", target, "-o", base).returncode != 0:
            return None
        start = time.monotonic()
        done = run("check", after, *program.words(), "--against", base, "--json")
        spent = time.monotonic() - start
    if not done.stdout:
        return None
    kernels = json.loads(done.stdout)["kernels"]
    worst = max(kernels, key=lambda k: k["ratio"] or 0)
    if kind in MUTANTS and not any(k["counts"] for k in kernels):
        return None
    return {"kind": kind, "program": program.name, "caught": done.returncode == 1, "ratio": worst["ratio"],
            "lo": worst["lo"], "hi": worst["hi"], "counts": len(worst["counts"]), "unit": worst["unit"] or "",
            "line": worst["line"] or "", "seconds": round(spent, 1), "measured": "",
            "before": sum(k["before_s"] or 0 for k in kernels)}


def measure(program, text, device):
    """The ratio of measured times; "": one of the two gives no right results."""
    times = []
    for changed in (None, text):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            times.append(seconds(folder, program, program.copy(folder, changed), device))
    return times[1] / times[0] if all(times) else ""


def try_kind(kind, change, options):
    """Rows of the first programs that have a place for it, with what they were made of."""
    found = []
    candidates = [(p, change(without_comments(p.source.read_text(encoding="utf-8")))) for p in programs()]
    candidates = [(p, text) for p, text in candidates if text]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        while candidates and len(found) < options.each:
            some, candidates = candidates[:options.each - len(found)], candidates[options.each - len(found):]
            rows = pool.map(lambda pair: check(pair[0], kind, pair[1], options.target), some)
            found += [(row, *pair) for row, pair in zip(rows, some) if row]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--target", default="h200")
    parser.add_argument("--each", type=int, default=6)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--measure")
    parser.add_argument("-o", dest="output", required=True)
    options = parser.parse_args()
    rows = []
    with open(options.output, "w", newline="", encoding="utf-8") as file:
        writer = None
        for kind, change in (MUTANTS | HARMLESS).items():
            for row, program, text in try_kind(kind, change, options):
                if options.measure and kind in MUTANTS:
                    row["measured"] = measure(program, text, options.measure)
                writer = writer or csv.DictWriter(file, fieldnames=row)
                if not rows:
                    writer.writeheader()
                writer.writerow(row)
                file.flush()
                rows.append(row)
    for name, kinds in (("mutants", MUTANTS), ("refactorings", HARMLESS)):
        some = [row for row in rows if row["kind"] in kinds]
        print(f"{name}: {len(some)}, of which check fails {sum(row['caught'] for row in some)}")
    slower = [row for row in rows if row["measured"] and row["measured"] > 1.1]
    if options.measure:
        print(f"measured to be slower by more than a tenth: {len(slower)}, of which check fails "
              f"{sum(row['caught'] for row in slower)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
