#!/usr/bin/env python3
"""perfmodel check on kernels of the corpus that were made worse, and on refactorings that change nothing.

    check_mutants.py make FOLDER [--target NAME] [--each N] [--but CSV]   what check says; FOLDER is new
    check_mutants.py again FOLDER [--target NAME]               what it says of the same now
    check_mutants.py measure FOLDER DEVICE [--seconds N]        how much slower they are there
    check_mutants.py table FOLDER

Each kind of change is made by a rule on text, in the first N programs, by the SHA-256 of their names, that have a place for
it, that the trace engine still runs in their largest size, and, of what makes worse, whose counts it changes: in base variants
and, where there are too few, in the others. --but leaves out what a check.csv has: for a set that nobody has seen.
FOLDER gets each as two workloads, before/KIND_PROGRAM and after/KIND_PROGRAM, under a name that no model has seen, and
check.csv; measuring needs these, a GPU and the program alone, takes the first of each kind first, stops in time, and writes
measured.csv. PERFMODEL is the program.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import collections
import concurrent.futures
import csv
import hashlib
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PERFMODEL = os.environ.get("PERFMODEL", "perfmodel")
# All work-items stay within the range, but neighbours in it are far apart, so a warp's accesses are
# not coalesced.
SCATTERED = ("((int)(get_global_id(0) % 32 * (get_global_size(0) / 32) + get_global_id(0) / 32))")


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S)


DECLARED = r"^ +(?:const )?(?:int|uint|long|ulong|size_t|float|double) (\w+)"
LOOP = r"for \((?:int|uint|size_t|long) (\w+) ="


def named(name):
    """Returns a pattern for uses of a variable: not a field, and not a part of another word."""
    return rf"(?<![\w.>]){name}\b"


def renamed(text):
    """Local variables."""
    names = set(re.findall(DECLARED, text, re.M)) | set(re.findall(LOOP, text))
    for name in names:
        text = re.sub(named(name), f"{name}_here", text)
    return text if names else None


def types_of(text):
    """Returns {name: type} of the numbers whose name is declared with only one type."""
    found = {}
    for kind, names in re.findall(r"\b(int|uint|long|ulong|float|double) (\w+(?: = [^,;(){}]*)?(?:, ?\w+(?: = [^,;(){}]*)?)*)", text):
        for name in re.findall(r"(?:^|, ?)(\w+)", names):
            found.setdefault(name, set()).add(kind)
    return {name: kinds.pop() for name, kinds in found.items() if len(kinds) == 1}


def extracted(text):
    """Moves arithmetic expressions without accesses and calls into functions."""
    types, functions = types_of(text), []

    def call(match):
        space, kind, name, value = match.groups()
        used = sorted(set(re.findall(r"(?<![\w.])[A-Za-z_]\w*", value)))
        if not used or any(u not in types for u in used):
            return match[0]
        functions.append(f"static {kind} make_{name}_{len(functions)}({', '.join(f'{types[u]} {u}' for u in used)})\n"
                         f"{{\n    return {value};\n}}\n")
        return f"{space}{kind} {name} = make_{name}_{len(functions) - 1}({', '.join(used)});"

    text = re.sub(r"^( +)(int|uint|float) (\w+) = ([\w .]+ [-+*] [-+*\w .()]+);", call, text, flags=re.M)
    at = re.search(r"^(?:__)?kernel ", text, re.M)
    return text[:at.start()] + "".join(functions) + text[at.start():] if functions and at else None


def end_of(text, at, opening, closing):
    """Returns the position after the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] == opening) - (text[i] == closing)
        if depth == 0:
            return i + 1
    return None


def whiles(text):
    """Rewrites for loops as while loops. Loops with `continue` stay."""
    at, count = 0, 0
    while found := re.compile(r"\bfor \(").search(text, at):
        at = found.end()
        head = end_of(text, at - 1, "(", ")")
        parts = text[at:head - 1].split(";") if head else []
        if len(parts) != 3 or not all(part.strip() for part in parts) or text[head:head + 2] != " {" \
                or text[:found.start()].rstrip().endswith("unroll"):
            continue
        end = end_of(text, head + 1, "{", "}")
        body = text[head + 2:end - 1] if end else "continue"
        if re.search(r"\bcontinue\b", body):
            continue
        text = (f"{text[:found.start()]}{{ {parts[0].strip()}; while ({parts[1].strip()}) {{{body}{parts[2].strip()}; }} }}"
                f"{text[end:]}")
        count += 1
    return text if count else None


def reordered(text):
    """Swaps neighbouring declarations of numbers that do not depend on each other."""
    line = r"^( +)((?:const )?(?:int|uint|float|double|size_t) (\w+) = ([^;(){}]*|\(?\w*\)?get_\w+\(\d\)[^;(){}]*);)\n"
    count = 0

    def swap(match):
        nonlocal count
        if match[1] != match[5] or re.search(named(match[3]), match[8]) or "=" in match[4] + match[8] or "++" in match[4] + match[8]:
            return match[0]
        count += 1
        return f"{match[5]}{match[6]}\n{match[1]}{match[2]}\n"

    text = re.sub(line + line[1:].replace("^", ""), swap, text, flags=re.M)
    return text if count else None


def folded(text):
    """Replaces macros by their whole numbers, and operations on two
    numbers in parentheses by the result."""
    found = dict(re.findall(r"^#define (\w+) (\d+)\s*$", text, re.M))
    lines = []
    for one in text.splitlines(keepends=True):
        if not one.startswith("#"):
            for name, value in found.items():
                one = re.sub(rf"\b{name}\b", value, one)
            one = re.sub(r"(?<=[(\[])(\d+) ([-+*]) (\d+)(?=[)\]])", lambda m: str(eval(m[0])), one)  # numbers alone
        lines.append(one)
    new = "".join(lines)
    return new if new != text else None


def replaced(pattern, by, flags=0):
    def change(text):
        new, count = re.subn(pattern, by, text, flags=flags)
        return new if count else None
    return change


def spilled(text):
    """Indexes private arrays of constant length by a number that the compiler does not know."""
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
HARMLESS = {"renamed": renamed, "extracted": extracted, "while": whiles, "reordered": reordered, "folded": folded}
WRITTEN = ("kind", "program", "variant", "caught", "findings", "ratio", "lo", "hi", "chance", "counts", "unit", "line", "before_s", "seconds",
           "processor_s")


def run(*words, timeout=300):
    """Returns output, exit code, elapsed seconds and processor seconds of a command and the
    processes that it started."""
    with tempfile.TemporaryFile("w+") as out:
        start = time.monotonic()
        # pylint: disable-next=consider-using-with
        process = subprocess.Popen([PERFMODEL, *map(str, words)], stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.DEVNULL)
        timer = threading.Timer(timeout, process.kill)
        timer.start()
        _, status, used = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        return out.read(), process.returncode, time.monotonic() - start, used.ru_utime + used.ru_stime


class Program:
    """A program of the corpus in one variant (default: its base): its files, and the path of the
    base's source."""

    def __init__(self, path, variant=None):
        self.path, self.name = path, path.stem
        text = path.read_text(encoding="utf-8")
        base = (re.search(r"^base = (\S+)", text, re.M) or [None, "plain"])[1]
        self.variant, self.is_base = variant or base, variant in (None, base)
        self.others = [name for name in re.findall(r"^\[variant (\S+)\]", text, re.M) if name != base]
        self.size = re.findall(r"^\[size (\S+)\]", text, re.M)[-1]
        self.source = path.parent / (re.search(r"^source = (\S+)", text, re.M) or [None, ""])[1]

    def copy(self, folder, name, text=None):
        """Writes a copy of the workload under another name, with all files that it uses."""
        folder.mkdir(parents=True)
        for file in self.path.parent.glob(f"{self.name}*"):
            if file != self.path:
                shutil.copy(file, folder)
        if text is not None:
            (folder / self.source.name).write_text(text, encoding="utf-8")
        path = folder / f"{name}.workload"
        path.write_text(re.sub(r"^name = .*", f"name = {name}", self.path.read_text(encoding="utf-8"), count=1, flags=re.M),
                        encoding="utf-8")
        return path

    def words(self):
        return ["--variant", self.variant, "--size", self.size]

    def named(self, kind):
        return f"{kind}_{self.name}" + ("" if self.is_base else f"_{self.variant}")


def programs():
    """Returns the programs of the corpus in their base variants, then in other variants."""
    found = [Program(path) for path in (ROOT / "kernels" / "corpus").glob("*.workload")]
    found = [p for p in found if p.source.suffix == ".cl" and p.source.is_file()]
    found.sort(key=lambda p: hashlib.sha256(p.name.encode()).hexdigest())
    return found + [Program(p.path, variant) for p in found for variant in p.others]


def key_of(row):
    """Returns program and variant of a row. The shipped times of an H200 name no variant, because
    all are of base variants."""
    return row["program"], row.get("variant") or program_of(row).variant


def program_of(row):
    """Returns the program of a row that make has written."""
    return Program(ROOT / "kernels" / "corpus" / f"{row['program']}.workload", row.get("variant"))


def said(program, kind, options):
    """Returns a row of the table for the two workloads in the folder; None: one of them does not
    run."""
    name = program.named(kind)
    before, after = (options.folder / part / name / f"{name}.workload" for part in ("before", "after"))
    base = options.folder / f"{name}.json"
    document = code = None
    if run("check", before, *program.words(), "--target", options.target, "-o", base)[1] == 0:
        document, code, spent, used = run("check", after, *program.words(), "--against", base, "--json")
    base.unlink(missing_ok=True)
    kernels = json.loads(document)["kernels"] if document else []
    if not kernels:
        return None
    worst = max(kernels, key=lambda k: k["ratio"] or 0)
    return {"kind": kind, "program": program.name, "variant": program.variant, "caught": code == 1,
            "findings": " ".join(sorted({word for k in kernels for word in k["findings"]})),
            **{key: worst[key] for key in ("ratio", "lo", "hi", "chance")},
            "counts": max(len(k["counts"]) for k in kernels), "unit": worst["unit"] or "", "line": worst["line"] or "",
            "before_s": sum(k["before_s"] or 0 for k in kernels), "seconds": round(spent, 1), "processor_s": round(used, 2)}


def check(program, kind, text, options):
    """Makes both workloads. Returns None if the changed one does not run, or if it counts the same
    although it should be worse."""
    name = program.named(kind)
    before = program.copy(options.folder / "before" / name, name)
    after = program.copy(options.folder / "after" / name, name, text)
    row = said(program, kind, options)
    if not row or (kind in MUTANTS and not row["counts"]):
        shutil.rmtree(before.parent)
        shutil.rmtree(after.parent)
        return None
    return row


def make_kind(kind, change, options):
    """Returns rows of the first programs to which a mutation of this kind can be applied."""
    found = []
    candidates = [(p, change(without_comments(p.source.read_text(encoding="utf-8")))) for p in programs()]
    seen = {(row["kind"], *key_of(row)) for row in rows_of(options.but)} if options.but else set()
    candidates = [(p, text) for p, text in candidates if text and (kind, p.name, p.variant) not in seen]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        while candidates and len(found) < options.each:
            some, candidates = candidates[:options.each - len(found)], candidates[options.each - len(found):]
            found += [row for row in pool.map(lambda pair: check(pair[0], kind, pair[1], options), some) if row]
    return found


def again(options):
    """Returns the results of check for the rows of check.csv."""
    rows = [row for row in rows_of(options.folder / "check.csv") if not options.only or row["kind"] in options.only]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        rows = list(pool.map(lambda row: said(program_of(row), row["kind"], options), rows))
    with open(options.output or options.folder / "check.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, fieldnames=WRITTEN)
        writer.writeheader()
        writer.writerows(row for row in rows if row)


def make(options):
    """Runs check on all mutants."""
    options.folder.mkdir(parents=True)
    with open(options.folder / "check.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, fieldnames=WRITTEN)
        writer.writeheader()
        for kind, change in (MUTANTS | HARMLESS).items():
            if not options.only or kind in options.only:
                writer.writerows(make_kind(kind, change, options))
                file.flush()


# ---- times --------------------------------------------------------------------------------------------


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def seconds(folder, name, program, device, scratch):
    """Returns the seconds of all kernels together; "": the workload does not run."""
    out = scratch / "times.csv"
    for path in scratch.glob("times.*"):
        path.unlink()
    _, code, _, _ = run("collect", folder / name / f"{name}.workload", *program.words(), "--device", device, "--counters", "none",
                        "--time-limit", "1", "-o", out)
    return sum(float(row["time_s"]) for row in rows_of(out)) if code == 0 else ""


def measure(options):
    """Times original and mutant of each row, as long as time is left. Rows that check.csv lists
    first of each kind come first."""
    rows, places = rows_of(options.folder / "check.csv"), collections.Counter()
    for row in rows:
        row["place"] = places[row["kind"]]
        places[row["kind"]] += 1
    rows.sort(key=lambda row: (row["kind"] in HARMLESS, row["place"]))
    until = time.monotonic() + options.seconds
    with open(options.output or options.folder / "measured.csv", "w", newline="", encoding="utf-8") as file, \
            tempfile.TemporaryDirectory() as scratch:
        writer = csv.writer(file)
        writer.writerow(("kind", "program", "variant", "before_s", "after_s"))
        for row in rows:
            if time.monotonic() > until:
                print(f"no time is left for {row['kind']} {row['program']} and what comes after it", flush=True)
                break
            program = program_of(row)
            name = program.named(row["kind"])
            times = [seconds(options.folder / part, name, program, options.device, pathlib.Path(scratch)) for part in ("before", "after")]
            writer.writerow((row["kind"], row["program"], program.variant, *times))
            file.flush()


def share(some):
    return (f"{len(some)}, of which check fails {sum(row['caught'] == 'True' for row in some)}, "
            f"for their time {sum('time' in row['findings'].split() for row in some)}")


def table(options):
    """What came out."""
    rows = rows_of(options.folder / "check.csv")
    path = options.output or options.folder / "measured.csv"
    times = {(row["kind"], *key_of(row)): float(row["after_s"]) / float(row["before_s"])
             for row in (rows_of(path) if path.is_file() else []) if row["before_s"] and row["after_s"]}
    for row in rows:
        row["measured"] = times.get((row["kind"], *key_of(row)))
        known = f"{row['measured']:.2f}" if row["measured"] else ""
        print(f"{row['kind']:10} {row['program']:20} {'FAILED' if row['caught'] == 'True' else '':6} {float(row['ratio'] or 'nan'):6.2f} "
              f"{float(row['lo'] or 'nan'):6.2f} .. {float(row['hi'] or 'nan'):5.2f} {known:>6}  {row['unit']}")
    for kinds, what in ((MUTANTS, "mutants"), (HARMLESS, "refactorings")):
        some = [row for row in rows if row["kind"] in kinds]
        used = sorted(float(row["processor_s"]) for row in some)
        print(f"{what}: {share(some)}; seconds of processors: {used[len(used) // 2]:.1f} in the median, {used[-1]:.1f} at most, "
              f"above 5 in {sum(one > 5 for one in used)}")
    known = [row for row in rows if row["kind"] in MUTANTS and row["measured"]]
    held = sum(float(row["lo"]) <= row["measured"] <= float(row["hi"]) for row in known)
    print(f"90 % intervals that hold what was measured: {held} of {len(known)}")
    for low, high in ((1.5, math.inf), (1.1, 1.5), (1.05, 1.1), (0, 1.05), (1.1, math.inf)):
        print(f"measured {low} to {high} times as slow: {share([row for row in known if low <= row['measured'] < high])}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("work", choices=("make", "again", "measure", "table"))
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("device", nargs="?")
    parser.add_argument("--target", default="h200")
    parser.add_argument("--each", type=int, default=6)
    parser.add_argument("--but", type=pathlib.Path, help="a check.csv whose changes are left out")
    parser.add_argument("--only", action="append", help="a kind of change")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=90)
    parser.add_argument("-o", dest="output", type=pathlib.Path, help="in place of the FOLDER's CSV")
    options = parser.parse_args()
    if options.work == "measure" and not options.device:
        parser.error("measure needs a DEVICE")
    {"make": make, "again": again, "measure": measure, "table": table}[options.work](options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
