#!/usr/bin/env python3
"""Damaged workload files and captures through the program: mutations of the text, of the sources and headers, and of
what lies in the folder (named pipes, devices, links, wrong sizes). The program ends with 0, 1 or 2, in time, with a
result or with one line on standard error, never by a signal, neither its own nor its worker's, and writes nothing but
its output.

PERFMODEL is the program; ctest sets it. --runs N and --seed N look further; a failure names its number, and --only N
repeats it and keeps its folder.
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

from workload_wrong import GOOD, SOURCE

PERFMODEL = os.path.abspath(os.environ.get("PERFMODEL", "perfmodel"))
LONGEST_S = float(os.environ.get("LONGEST_S", "30"))

# What a terminal would act on.
HIDDEN = re.compile("[\0-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")

# As a capture is: contents, headers and results in files beside it.
CAPTURED = """[workload]
name = captured
source = sources/kernel.cl
options = -I headers -DFOUR={2 ** 2} -cl-std=CL2.0

[size s256]
n = 256
m = n << 1

[buffer in]
type = float
count = m
contents = file contents/in.bin, 16
[buffer items]
type = Item
count = n
contents = zeros
contents.id = each i * 7 % 13
[buffer few]
type = int
count = 4
contents = list 1, 2, 3, 4
expected = file contents/few.bin
[buffer out]
type = float
count = n
expected = file contents/out.bin
expected.tolerance = 1e-5
restore = yes

[launch first]
kernel = first
global = n
local = 64
offset = 0
arguments = in + 1, items, few, out, Pair (0.5, 3), float2 (1, 2), null, local 64 * 4
[launch second]
kernel = second
global = n, 1
local = 32, 1
arguments = out | out, bytes 0x00000040
repeat = n < 1 ? 1 : 2
"""
KERNEL = """#include "pair.h"
#include <inner/scale.h>
typedef struct { float x; int id; } Item;
__kernel void first(__global const float *in, __global Item *items, __constant int *few, __global float *out,
                    Pair pair, float2 by, __global int *nothing, __local float *tile)
{
    int i = get_global_id(0), l = get_local_id(0);

    tile[l] = in[i] * by.x;
    barrier(CLK_LOCAL_MEM_FENCE);
    items[i].x = tile[63 - l] + pair.a + few[l % FOUR];
    if (!nothing)
        out[i] = SCALE(tile[l]) + items[i].id - i * 7 % 13;
}
__kernel void second(__global float *out, float by)
{
    out[get_global_id(0)] *= by;
}
"""
FILES = {"good.workload": GOOD, "good.cl": SOURCE, "capture/app.workload": CAPTURED,
         "capture/sources/kernel.cl": KERNEL, "capture/sources/pair.h": "typedef struct { float a; int b; } Pair;\n",
         "capture/headers/inner/scale.h": "#define SCALE(x) (2 * (x))\n"}


# ---- mutations of a text -----------------------------------------------------------------------

NUMBERS = ["0", "-1", "1", "-9223372036854775808", "9223372036854775807", "9223372036854775808", "1 << 62", "1 << 64",
           "2 ** 62", "2 ** 2 ** 2 ** 2 ** 2", "1e999", "nan", "0x7fffffffffffffff", "1 / 0", "n % 0", "-9223372036854775808 / -1",
           "-9223372036854775808 % -1", "4294967296", "2147483648", "1e-320", "0.5", "n n", "(" * 2000 + "1" + ")" * 2000,
           "-" * 3000 + "1", "1 ? " * 500 + "1", "min(1", "max(" * 300, "9" * 400, "{n}", "{" * 50, "i", "n * n * n * n * n * n"]
PATHS = ["../../etc/passwd", "/dev/zero", "/dev/stdin", "/dev/full", "/dev/tty", "/proc/self/mem", "/proc/kmsg", "/etc/shadow",
         "/", ".", "..", "pipe", "../pipe", "loop", "zero", "huge", "a" * 5000, "-o", "%s%n", "~", "/proc/self/fd/0",
         "/dev/fd/1", "link/good.cl", "sources", "good.cl, 1 << 62", "x y", "\"", "'", "$(touch made)", "`touch made`", "; touch made"]
WORDS = ["zeros", "random", "each", "list", "file", "range", "constant", "local", "null", "bytes 0x" + "0" * 9000, "float16", "double",
         "half", "bool", "size_t", "Item", "Pair", "struct Item", "char3", "yes", "no", "[reference]", "[variant x]", "[size", "]",
         "=", "#", "\\", ",", "|", "\x1b[31m", "\x7f", "\u202e", "-include", "-I", "-I/dev", "-I pipe", "-DN=\"", "-D" + "x" * 20000,
         "-cl-std=CL9", "-Xclang", "-o made", "-save-temps", "@made", "repeat = 1000000000", "n = 1 << 40", "scratch = yes"]


def flip_bits(draw, text):
    damaged = bytearray(text)
    for _ in range(draw.randint(1, 6)):
        if damaged:
            damaged[draw.randrange(len(damaged))] ^= 1 << draw.randrange(8)
    return bytes(damaged)


def cut(draw, text):
    return text[:draw.randrange(len(text) + 1)]


def put_bytes(draw, text):
    at = draw.randrange(len(text) + 1)
    return text[:at] + draw.choice([b"\0", b"\xff\xfe", b"\r", b"\n", b"\xef\xbb\xbf", bytes(range(256)), b" " * 70000,
                                    b"x" * 70000]) + text[at:]


def of_lines(change):
    def mutate(draw, text):
        lines = text.split(b"\n")
        change(draw, lines)
        return b"\n".join(lines)
    return mutate


def drop_lines(draw, lines):
    for _ in range(draw.choice([1, 1, 2, 5])):
        if len(lines) > 1:
            del lines[draw.randrange(len(lines))]


def double_lines(draw, lines):
    at = draw.randrange(len(lines))
    many = draw.choice([1, 1, 2, 5000])
    lines[at:at] = [lines[at]] * many


def move_line(draw, lines):
    lines.insert(draw.randrange(len(lines)), lines.pop(draw.randrange(len(lines))))


def shuffle(draw, lines):
    draw.shuffle(lines)


def replace(pattern, choices):
    """One thing of that kind by another."""
    def mutate(draw, text):
        found = list(re.finditer(pattern, text))
        if not found:
            return text
        where = draw.choice(found)
        return text[:where.start()] + draw.choice(choices).encode() + text[where.end():]
    return mutate


def swap_values(draw, text):
    found = list(re.finditer(rb"(?m)= (.+)$", text))
    if len(found) < 2:
        return text
    first, second = sorted(draw.sample(found, 2), key=lambda where: where.start())
    return (text[:first.start(1)] + second.group(1) + text[first.end(1):second.start(1)] + first.group(1)
            + text[second.end(1):])


TEXT = [flip_bits, flip_bits, cut, put_bytes, of_lines(drop_lines), of_lines(drop_lines), of_lines(double_lines),
        of_lines(move_line), of_lines(shuffle), replace(rb"\b[0-9]+\b", NUMBERS), replace(rb"\b[0-9]+\b", NUMBERS),
        replace(rb"\bn\b", NUMBERS), replace(rb"(?m)(?<=[ =])[^ =]+$", PATHS), replace(rb"[a-z/]+\.(cl|bin|h)", PATHS),
        replace(rb"\b[a-z]+\b", WORDS), replace(rb"(?m)(?<== ).+$", WORDS), swap_values]


# ---- mutations of what lies in the folder ------------------------------------------------------

def put_pipe(draw, path):
    del draw
    os.mkfifo(path)


def put_link(draw, path):
    path.symlink_to(draw.choice(["/dev/zero", "/dev/stdin", "/dev/tty", "/dev/null", path.name, "../pipe", "/etc/passwd",
                                 "/proc/self/mem", "/proc/kmsg", "..", "/", "missing", "../../outside/secret"]))


def put_folder(draw, path):
    del draw
    path.mkdir()


def put_sparse(draw, path):
    with open(path, "wb") as file:
        file.truncate(draw.choice([1, 1 << 20, 1 << 33, 1 << 42]))


def put_random(draw, path):
    path.write_bytes(draw.randbytes(draw.choice([0, 1, 100, 5000])))


def put_nothing(draw, path):
    del draw, path


def change_place(draw, path):
    """Another thing in place of a file or a folder."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()
    draw.choice([put_pipe, put_pipe, put_link, put_link, put_link, put_folder, put_sparse, put_random, put_nothing])(draw, path)


def fill(folder):
    """The folder before anything is changed."""
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    contents = folder / "capture" / "contents"
    contents.mkdir()
    for name, size in (("in.bin", 16 + 4 * 512), ("out.bin", 4 * 256)):
        (contents / name).write_bytes(bytes(size))
    (contents / "few.bin").write_bytes(bytes([1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0]))
    for where in (folder, folder / "capture"):
        os.mkfifo(where / "pipe")
        (where / "loop").symlink_to("loop")
        (where / "zero").symlink_to("/dev/zero")
        put_sparse(random.Random(1), where / "huge")


def mutate(draw, folder):
    """What to run it on."""
    capture = draw.random() < 0.6
    main = folder / ("capture/app.workload" if capture else "good.workload")
    files = [folder / name for name in FILES if name.startswith("capture") == capture and not name.endswith(".workload")]
    if capture:
        files += [folder / "capture/contents" / name for name in ("in.bin", "few.bin", "out.bin")]
    for _ in range(draw.choice([1, 1, 1, 2, 4])):
        kind = draw.random()
        path = main if kind < 0.65 else draw.choice(files)
        if not path.is_file() or path.is_symlink() or path.stat().st_size > 1 << 20:
            continue
        if kind < 0.85:
            text = path.read_bytes()
            path.write_bytes(draw.choice(TEXT)(draw, text) if text or path == main else b"")
        else:
            change_place(draw, draw.choice([path, path, path, path.parent]) if path.parent != folder else path)
    return (folder / "capture") if capture and draw.random() < 0.5 else main


# ---- the program -------------------------------------------------------------------------------

COMMANDS = [(60, ["trace", "--json"]), (8, ["trace", "--sample", "all"]), (10, ["predict", "--target", "h100", "--json"]),
            (8, ["collect", "--device", "none", "-o", "OUT/rows.csv"]), (8, ["advise", "--target", "h100", "--json"]),
            (6, ["report", "--target", "gtx980", "-o", "OUT/page.html"])]


def command_of(draw, subject, out):
    words = draw.choices([words for _, words in COMMANDS], [weight for weight, _ in COMMANDS])[0]
    return [words[0], *(["--workload"] if draw.random() < 0.3 and not subject.is_dir() else []), str(subject),
            *(word.replace("OUT", str(out)) for word in words[1:])]


def tree(top):
    """All names below it but those of the output, with what tells whether they have changed."""
    found = {}
    for where, folders, files in os.walk(top):
        for name in folders + files:
            path = os.path.join(where, name)
            info = os.lstat(path)
            found[path] = (info.st_mode, info.st_size if not os.path.isdir(path) else 0, info.st_mtime_ns if name in files else 0)
        if where == str(top):
            folders[:] = [name for name in folders if name != "out"]
    return found


def run(words, top):
    """Exit code (None: it had to be ended), seconds, output and messages."""
    environment = {**os.environ, "HOME": str(top / "home"), "XDG_DATA_HOME": str(top / "home"), "TMPDIR": str(top / "home")}
    start = time.monotonic()
    with subprocess.Popen([PERFMODEL, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          cwd=top / "work", env=environment, start_new_session=True) as process:
        try:
            output, messages = process.communicate(timeout=LONGEST_S)
            return process.returncode, time.monotonic() - start, output, messages.decode(errors="replace")
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            _, messages = process.communicate()
            return None, time.monotonic() - start, b"", messages.decode(errors="replace")


def fault_of(words, code, output, messages):
    """What is wrong with the program's answer; empty: nothing."""
    lines = [line for line in messages.split("\n")[:-1] if not re.match(r"\[\d+/[\d?]+\] ", line)]
    if code is None:
        return f"longer than {LONGEST_S} s: {messages[-500:]}"
    if code not in (0, 1, 2) or "runtime error" in messages or "Sanitizer" in messages or "signal" in messages:
        return f"exit code {code}: {messages[-2000:]}"
    if any(not line.startswith("perfmodel: ") or HIDDEN.search(line) for line in lines):
        return f"no line of the program's: {messages[-2000:]!r}"
    if code and (not lines or (output and words[0] not in ("report", "collect"))):
        return f"exit code {code} with {output[:200]!r} and {messages!r}"
    if code == 0 and "--json" in words:
        try:
            json.loads(output, parse_constant=lambda name: int(name, 36) // 0)
        except (ValueError, ZeroDivisionError) as wrong:
            return f"JSON: {wrong}: {output[:300]!r}"
    return ""


def try_one(number, seed, keep=False):
    """Its number, the command, the exit code, the seconds, and what was wrong."""
    draw = random.Random(seed * 1000003 + number)
    top = pathlib.Path(tempfile.mkdtemp(prefix="perfmodel-mutation."))
    try:
        for name in ("work", "home", "outside", "out"):
            (top / name).mkdir()
        (top / "outside/secret").write_text("do not tell 4711\n", encoding="utf-8")
        fill(top / "work")
        subject = mutate(draw, top / "work")
        words = command_of(draw, subject, top / "out")
        before = tree(top)
        code, seconds, output, messages = run(words, top)
        fault = fault_of(words, code, output, messages)
        after = tree(top)
        if not fault and {path: info for path, info in after.items() if not path.startswith(str(top / "out") + "/")} != before:
            changed = sorted(path for path in {**before, **after} if before.get(path) != after.get(path))
            fault = f"files have changed: {changed}"
        if keep:
            print(top, *words, code, messages, sep="\n")
        return number, words, code, seconds, fault
    finally:
        if not keep:
            shutil.rmtree(top, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 31))
    parser.add_argument("--only", type=int)
    chosen = parser.parse_args()
    numbers = [chosen.only] if chosen.only is not None else range(chosen.first, chosen.first + chosen.runs)
    codes, slowest, faults = collections.Counter(), (0, None), 0
    print(f"seed {chosen.seed}", flush=True)
    with ThreadPoolExecutor(max_workers=min(2, os.cpu_count() or 1)) as pool:
        for number, words, code, seconds, fault in pool.map(
                lambda number: try_one(number, chosen.seed, chosen.only is not None), numbers):
            codes[code] += 1
            if sum(codes.values()) % 1000 == 0:
                print(f"{sum(codes.values())} runs, {faults} faults", flush=True)
            slowest = max(slowest, (seconds, number))
            faults += bool(fault)
            if fault:
                print(f"FAILED: --seed {chosen.seed} --only {number}: {words[0]}: {fault}", flush=True)
    print(f"{len(numbers)} runs: {codes[0]} with a result, {codes[2]} refused, {codes[1]} failed; "
          f"the slowest took {slowest[0]:.1f} s (number {slowest[1]}); {faults} faults")
    if len(numbers) >= 100 and not len(numbers) * 0.03 < codes[0] < len(numbers) * 0.9:
        print("the mutations are too wild or too tame")
        return 1
    return 1 if faults else 0


sys.exit(main())
