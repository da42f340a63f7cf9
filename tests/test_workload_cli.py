#!/usr/bin/env python3
"""Workload files through the program: the template works, a suite's kernel described by a file gives
the suite's counters, and every wrong file ends in one line that names it, with exit code 2.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import time

from workload_wrong import GOOD, SOURCE, WRONG

PERFMODEL = os.environ["PERFMODEL"]
KERNELS = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", "kernels"))
failed = 0


def check(right, what):
    global failed
    if not right:
        failed += 1
        print("FAILED:", what)


def run(*arguments, **options):
    return subprocess.run([PERFMODEL, *arguments], capture_output=True, text=True, errors="replace",
                          timeout=300, **options)


def write(path, text):
    with open(path, "wb") as file:
        file.write(text if isinstance(text, bytes) else text.encode())
    return path


def traced(*arguments):
    result = run("trace", "--json", "--sample", "all", *arguments)
    check(result.returncode == 0, f"trace {arguments}: {result.stderr}")
    return json.loads(result.stdout)["kernels"] if result.returncode == 0 else None


def line_of(text, part):
    return text[:text.index(part)].count("\n") + 1


def wrong_once(path, what, *arguments):
    """The command fails with code 2 and one line that names the file; returns the line."""
    result = run(*(arguments or ("trace", "--workload", path)))
    lines = result.stderr.splitlines()
    check(result.returncode == 2, f"{what!r}: code {result.returncode}: {result.stderr[:300]}")
    check(len(lines) == 1, f"{what!r}: {len(lines)} lines: {result.stderr[:300]}")
    check(lines and re.match("perfmodel( trace| advise)?: ", lines[0]) and all(c.isprintable() for c in lines[0]),
          f"{what!r}: {lines}")
    check(result.stdout == "", f"{what!r}: something on standard output")
    return lines[0] if lines else ""


def test_wrong(folder):
    path = os.path.join(folder, "wrong.workload")
    for old, new, says in WRONG:
        assert old in GOOD, old
        write(path, GOOD.replace(old, new, 1))
        line = wrong_once(path, new)
        place = re.match(r"perfmodel: (.*?):(?:(\d+):)? ", line)
        check(place and place.group(1) == path, f"{new!r}: no file: {line}")
        if says is None:
            continue
        check(says in line, f"{new!r}: no {says!r}: {line}")
        # The line is that of the change; of what is missing, that of its section.
        at = line_of(GOOD, old)
        check(place and place.group(2) and at - 4 <= int(place.group(2)) <= at + new.count("\n") + 1,
              f"{new!r}: not line {at}: {line}")


def test_no_file(folder):
    check("No such file" in wrong_once("none.workload", "a missing file"), "a missing file")
    write(os.path.join(folder, "empty"), "")
    check("[workload]" in wrong_once(os.path.join(folder, "empty"), "an empty file"), "an empty file")
    wrong_once(folder, "a folder")
    wrong_once("/dev/zero", "an endless file")
    wrong_once(os.path.join(KERNELS, "..", "include", "perfmodel.h"), "a header")
    wrong_once(PERFMODEL, "a program")
    for seed in range(20):
        state = seed * 7919 + 1
        garbage = bytearray()
        for _ in range(2000):
            state = (state * 1103515245 + 12345) % (1 << 31)
            garbage.append(state >> 16 & 255)
        wrong_once(write(os.path.join(folder, "garbage"), bytes(garbage)), "garbage")
    wrong_once(write(os.path.join(folder, "large"), "# comment\n" * 200000), "a large file")
    # What looks like an option is a file's name.
    write(os.path.join(folder, "-DX.cl"), SOURCE)
    write(os.path.join(folder, "--json"), GOOD.replace("good.cl", "-DX.cl"))
    result = run("trace", "--workload", "--json", "--size", "large", cwd=folder)
    check(result.returncode == 0 and "good plain" not in result.stdout, result.stderr)
    check("good aos large" in result.stdout, result.stdout[:100])


def test_names(folder):
    good = write(os.path.join(folder, "good.workload"), GOOD)
    check("it has: small, large" in wrong_once(good, "size", "trace", "--workload", good, "--size",
                                               "medium"), "sizes are listed")
    check("it has: aos, wide" in wrong_once(good, "variant", "trace", "--workload", good, "--variant",
                                            "medium"), "variants are listed")
    wrong_once(good, "both", "trace", "--workload", good, "--program", "nbody")
    wrong_once(good, "both", "advise", "--target", "h100", "--workload", good, "--program", "nbody")
    wrong_once(good, "neither", "advise", "--target", "h100")
    check("it has: small, large" in wrong_once(good, "size", "advise", "--target", "h100",
                                               "--workload", good, "--size", "medium"), "advise")
    source = os.path.join(folder, "bad.cl")
    write(source, "__kernel void add(__global float *a) { a[0] = ; }\n")
    write(os.path.join(folder, "bad.workload"), GOOD.replace("good.cl", "bad.cl"))
    line = wrong_once(os.path.join(folder, "bad.workload"), "a syntax error")
    check(f"{folder}/bad.workload:" in line and "bad.cl:1" in line, line)
    source = SOURCE.replace("__kernel void scale", "__kernel __attribute__((reqd_work_group_size(32, 1, 1))) "
                            "void scale")
    write(os.path.join(folder, "bad.cl"), source)
    line = wrong_once(os.path.join(folder, "bad.workload"), "another work-group than the kernel asks for")
    check(f"{folder}/bad.workload: " in line and "32x1x1" in line, line)
    write(os.path.join(folder, "bad.cl"), SOURCE.replace("if (i < n)", "while (n)"))
    line = wrong_once(os.path.join(folder, "bad.workload"), "a kernel that hangs", "trace", "--workload",
                      os.path.join(folder, "bad.workload"), "--step-limit", "10000")
    check(f"{folder}/bad.workload: " in line and "add" in line, line)


def test_bounds(folder):
    path = os.path.join(folder, "bounds.workload")
    at = line_of(GOOD, "[buffer b]")
    text = GOOD.replace("count = n\noutput", "count = n - 1\noutput")
    for arguments in (("trace", "--workload", write(path, text)),
                      ("trace", "--workload", path, "--size", "large", "--variant", "wide"),
                      ("advise", "--target", "h100", "--workload", path, "--size", "small")):
        result = run(*arguments)
        line = result.stderr.splitlines()[-1]
        n = 4096 if "large" in arguments else 1024
        check(result.returncode == 2, f"{arguments}: {result.returncode}")
        check(f"{path}:{at}: buffer b has {4 * n - 4} bytes" in line and "kernel add" in line and
              f"at byte {4 * n - 4} (" in line and "good.cl:10)" in line and
              f"at least {4 * n} bytes" in line, line)
    text = GOOD.replace("count = n\ncontents = range", "count = n - 1\ncontents = range")
    line = wrong_once(write(path, text), "a struct's buffer")
    check("buffer pairs has 16368 bytes" in line and "needs at least" in line, line)
    source = SOURCE.replace("tile[l] = a[i]", "tile[l] = a[i - 1]")
    write(os.path.join(folder, "before.cl"), source)
    line = wrong_once(write(path, GOOD.replace("good.cl", "before.cl")), "an index below 0")
    check("buffer a" in line and "4 bytes before its start" in line and "before.cl:7" in line, line)


# ---- what works --------------------------------------------------------------------------------


def test_template(folder):
    result = run("advise", "--template")
    check(result.returncode == 0 and result.stderr == "", result.stderr)
    path = write(os.path.join(folder, "x.workload"), result.stdout)
    kernels = traced("--workload", path)
    check(kernels and kernels[0]["kernel"] == "move", "the template's kernel")
    values = {name: c["value"] for name, c in kernels[0]["counters"].items()}
    # 16384 particles in groups of 128, each in warps of 32.
    check(values["work_groups"] == 128 and values["launched_warps"] == 512, values)
    check(values["gst_request"] >= 512 * 5, values)
    check(traced("--workload", path, "--variant", "wide")[0]["counters"]["work_groups"]["value"] == 64,
          "the template's variant")
    soa = traced("--workload", path, "--variant", "soa")[0]["counters"]
    check(soa["gld_sector"]["value"] < values["gld_sector"] / 4, "another layout of the template")
    check(max(len(line) for line in result.stdout.splitlines() if "source =" not in line) <= 100,
          "lines of the template fit")


HEAT = """typedef struct { float conductivity; int kind; } Cell;
__kernel void diffuse(__global const float *from, __global float *to, __global const Cell *cells, float dt
                      TILES)
{
    const int at = get_global_id(1) * WIDTH + get_global_id(0);

    to[at] = from[at] + dt * cells[at].conductivity * (from[max(at - 1, 0)] - from[at]);
}
__kernel void set_border(__global float *to, int width, float2 values)
{
    if (get_global_id(0) < width)
        to[get_global_id(0)] = values.y;
}
"""


def test_documents(folder):
    """The example of docs/workloads.md is right, and the lines that it shows are those told."""
    with open(os.path.join(KERNELS, "..", "docs", "workloads.md")) as file:
        blocks = re.findall(r"(?:^    .*\n|^\n)+", file.read(), re.MULTILINE)
    text = next(b for b in blocks if "[workload]" in b)
    path = write(os.path.join(folder, "heat.workload"), re.sub("^    ", "", text, flags=re.MULTILINE))
    write(os.path.join(folder, "heat.cl"), HEAT.replace("TILES", ""))
    write(os.path.join(folder, "heat_tiled.cl"), HEAT.replace("TILES", ", __local float *tile"))
    for width in (512, 2048):
        with open(os.path.join(folder, f"cells_{width}.bin"), "wb") as file:
            file.truncate(8 * width * width)
    for arguments in ((), ("--variant", "tiled")):
        kernels = traced("--workload", path, *arguments)
        check(kernels and [k["launches"] for k in kernels] == [4, 4], f"the example {arguments}")


def test_advice(folder):
    good = write(os.path.join(folder, "good.workload"), GOOD)
    result = run("advise", "--target", "h100", "--workload", good, "--clusters", "1", "--json")
    check(result.returncode == 0, result.stderr)
    if result.returncode:
        return
    advice = json.loads(result.stdout)
    variants = [c["variant"] for c in advice["choices"]]
    check(advice["program"] == "good" and advice["size"] == "large" and advice["base"] == "aos", advice)
    check("aos" in variants and "soa" in variants and "wide" in variants, variants)
    check(len(variants) == len(set(variants)), variants)


NBODY = """[workload]
name = mine
source = {kernels}/nbody/nbody_nolocal.cl
options = -cl-std=CL1.2 -DGROUP=64
base = nolocal
[size 8192]
n = 8192
[buffer position]
type = float4
count = n
contents = random -1, 1
[buffer velocity]
type = float4
count = n
contents = random -0.01, 0.01
[buffer new_position]
type = float4
count = n
output = yes
[buffer new_velocity]
type = float4
count = n
output = yes
[launch nbody]
global = n
local = 64
arguments = position, velocity, new_position, new_velocity, int n, float 0.01, float 1 / 100
[variant local]
source = {kernels}/nbody/nbody_local.cl
"""

SOBEL = """[workload]
name = mine
source = {kernels}/sobel3x3/sobel3x3_nolocal.cl
options = -cl-std=CL1.2 -DGX={{gx}} -DGY={{gy}}
base = nolocal
[size 1536x1536]
w = 1536
h = 1536
gx = 32
gy = 8
[buffer in]
type = uchar4
count = w * h
contents = random
[buffer out]
type = float
count = w * h
output = yes
[launch filter]
kernel = sobel3x3
global = w, h
local = gx, gy
arguments = in, out, int w, int h
[variant local]
source = {kernels}/sobel3x3/sobel3x3_local.cl
"""

TURNS = """[workload]
name = loop
source = good.cl
[size s]
n = 1024
[buffer a]
type = float
count = n
[buffer b]
type = float
count = n
[launch even]
kernel = scale
global = n
local = 64
arguments = a|b, float2 (i, 0)
repeat = 3
[launch odd]
kernel = scale
global = n * (i + 1)
local = 64
arguments = b, float2 (1, 1)
repeat = with even
"""


def same_as_suite(folder, text, program, size, variants):
    path = write(os.path.join(folder, f"{program}.workload"), text.format(kernels=KERNELS))
    for variant in variants:
        own = traced("--workload", path, "--variant", variant)
        suite = traced("--program", program, "--variant", variant, "--size", size)
        check(own == suite, f"{program} {variant}: not the suite's counters")
        check(suite and suite[0]["counters"]["gld_request"]["value"] > 0, "nothing was counted")


def test_loop(folder):
    path = write(os.path.join(folder, "loop.workload"), TURNS)
    line = wrong_once(path, "the second turn is too large")
    check("buffer b has 4096 bytes" in line, line)
    path = write(path, TURNS.replace("n * (i + 1)", "n"))
    kernels = traced("--workload", path)
    check(kernels and kernels[0]["launches"] == 6, "two launches, three times each")
    many = TURNS.replace("n * (i + 1)", "n")
    write(path, many.replace("repeat = 3", "repeat = 5001"))
    check("more than 10000 launches" in wrong_once(path, "too many launches"), "too many launches")
    # As many as are possible are read at once; copying all for each took minutes.
    write(path, many.replace("repeat = 3", "repeat = 5000"))
    start = time.monotonic()
    wrong_once(path, "no such size", "trace", "--workload", path, "--size", "none")
    check(time.monotonic() - start < 60, "10000 launches are read in time")


def test_odd_struct(folder):
    """A struct that no layout can be made of is traced; its size has to be told."""
    write(os.path.join(folder, "union.cl"), "typedef struct { union { int a; float b; } u; int c; } Odd;\n"
          "__kernel void one(__global Odd *odd) { odd[get_global_id(0)].c = 1; }\n")
    text = ("[workload]\nname = odd\nsource = union.cl\n[size s]\n[buffer odd]\ntype = Odd\nBYTES"
            "count = 64\n[launch one]\nglobal = 64\nlocal = 64\narguments = odd\n")
    path = write(os.path.join(folder, "odd.workload"), text.replace("BYTES", ""))
    line = wrong_once(path, "no size of a struct")
    check(f"{path}:6: " in line and "union.cl:1" in line and "add bytes" in line, line)
    write(path, text.replace("BYTES", "bytes = 8\ncontents = constant 1\n"))
    check(f"{path}:8: " in wrong_once(path, "contents of unknown fields"), "contents of unknown fields")
    write(path, text.replace("BYTES", "bytes = 8\n"))
    kernels = traced("--workload", path)
    check(kernels and kernels[0]["counters"]["gst_request"]["value"] == 2, "two warps store once each")
    check("no variant \"soa\"; it has: plain" in wrong_once(path, "a layout", "trace", "--workload", path,
                                                           "--variant", "soa"), "no layouts")


def test_contents(folder):
    """Contents decide which work-items store: what they are shows in the counts."""
    write(os.path.join(folder, "count.cl"),
          "__kernel void one(__global const TYPE *in, __global TYPE *out)\n"
          "{ const int i = get_global_id(0); if (in[i] == (TYPE)(WANT)) out[i] = 1; }\n")
    write(os.path.join(folder, "numbers.bin"), struct.pack("<1025f", *range(-1, 1024)))
    for kind, contents, want, stores in [
            ("int", "range 5, 3", "5 + 3 * i", 1024), ("int", "range 5, 3", "11", 1),
            ("int", "zeros", "0", 1024), ("uchar", "constant 255", "255", 1024),
            ("long", "range 0, -10000000000", "-10000000000L * i", 1024),
            ("float", "range 1, 0.5", "1.0f + 0.5f * i", 1024),
            ("double", "range 1 / 4, 0", "0.25", 1024), ("float", "file numbers.bin, 4", "i", 1024),
            ("float", "file numbers.bin", "i - 1", 1024), ("short", "random 7, 7", "7", 1024),
            ("float", "random 2, 2", "2", 1024), ("float", "constant n", "1024", 1024)]:
        path = write(os.path.join(folder, "count.workload"), f"""[workload]
name = count
source = count.cl
options = -DTYPE={kind} "-DWANT={want}"
[size s]
n = 1024
[buffer in]
type = {kind}
count = n
contents = {contents}
[buffer out]
type = {kind}
count = n
[launch one]
global = n
local = 64
arguments = in, out
""")
        kernels = traced("--workload", path)
        got = sum(a["work_items"] for a in kernels[0]["accesses"] if a["kind"] == "store") if kernels else 0
        check(got == stores, f"{kind} {contents}: {got} of {stores} stores")


def main():
    with tempfile.TemporaryDirectory() as folder:
        write(os.path.join(folder, "good.cl"), SOURCE)
        write(os.path.join(folder, "nul.cl"), b"__kernel\0")
        write(os.path.join(folder, "short.bin"), b"1234")
        write(os.path.join(folder, "long.bin"), bytes(16384))
        kernels = traced("--workload", write(os.path.join(folder, "good.workload"), GOOD))
        check(kernels and [k["launches"] for k in kernels] == [1, 2], "the file that is right")
        test_wrong(folder)
        test_no_file(folder)
        test_names(folder)
        test_bounds(folder)
        test_template(folder)
        test_documents(folder)
        test_advice(folder)
        same_as_suite(folder, NBODY, "nbody", "8192", ("nolocal", "local", "shared"))
        same_as_suite(folder, SOBEL, "sobel3x3", "1536x1536", ("nolocal", "local"))
        test_loop(folder)
        test_odd_struct(folder)
        test_contents(folder)
    return 1 if failed else 0


sys.exit(main())
