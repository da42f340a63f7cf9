"""A workload file, a capture, the records of one that was interrupted and a launch that another tool recorded, and
ways to damage them: the text of what is in them, and what lies in their folders (links, named pipes, devices, wrong
sizes, names that a terminal acts on).

SPDX-License-Identifier: GPL-3.0-or-later
"""
import hashlib
import os
import random
import re
import shutil
import socket

import recorded
from workload_wrong import GOOD, SOURCE

# A capture: contents, headers and results are files beside it.
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
contents = file contents/IN.bin, 16
[buffer items]
type = Item
count = n
contents = zeros
contents.id = each i * 7 % 13
[buffer few]
type = int
count = 4
contents = list 1, 2, 3, 4
expected = file contents/FEW.bin
[buffer out]
type = float
count = n
expected = file contents/OUT.bin
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
PAIR = "typedef struct { float a; int b; } Pair;\n"
SCALE = "#define SCALE(x) (2 * (x))\n"


def name_of(contents):
    """Returns the file name that a capture gives to the contents, which is their MD5 sum."""
    return hashlib.md5(contents, usedforsecurity=False).hexdigest()


CONTENTS = {"IN": bytes(16 + 4 * 512), "FEW": bytes([1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0]), "OUT": bytes(4 * 256)}
for WORD, BYTES in CONTENTS.items():
    CAPTURED = CAPTURED.replace(WORD, name_of(BYTES))

# Records of a program that was killed after its only launch.
RECORDED = """#include "inner/scale.h"
__kernel void first(__global const float *in, __global float *out, float by, __local float *tile)
{
    tile[get_local_id(0)] = SCALE(in[get_global_id(0)]);
    out[get_global_id(0)] = tile[get_local_id(0)] * by;
}
"""
JOURNAL = f"""process 1 77 /where/it/ran
program 1 source {name_of(RECORDED.encode())} -I%20headers%20-DN=4
header 1 /where/it/ran/headers/inner/scale.h {name_of(SCALE.encode())}
kernel 1 1 first global:float%2A:in global:float%2A:out private:float:by local:float%2A:tile
device A%20CPU
launch 0 1 15000 256 64 0 buffer:1:0:1024:0:=00:- buffer:2:0:1024:0:=0000803f:{name_of(CONTENTS["OUT"])} value:0000003f local:256
total 1 captured 1 15000 0
total 1 choice 3 40000 0
"""


# ---- mutations of a text -----------------------------------------------------------------------

NUMBERS = ["0", "-1", "1", "-9223372036854775808", "9223372036854775807", "9223372036854775808", "1 << 62", "1 << 64",
           "2 ** 62", "2 ** 2 ** 2 ** 2 ** 2", "1e999", "nan", "0x7fffffffffffffff", "1 / 0", "n % 0", "-9223372036854775808 / -1",
           "-9223372036854775808 % -1", "4294967296", "2147483648", "1e-320", "0.5", "n n", "(" * 2000 + "1" + ")" * 2000,
           "-" * 3000 + "1", "1 ? " * 500 + "1", "min(1", "max(" * 300, "9" * 400, "{n}", "{" * 50, "i", "n * n * n * n * n * n"]
PATHS = ["../../etc/passwd", "/dev/zero", "/dev/stdin", "/dev/full", "/dev/tty", "/proc/self/mem", "/proc/kmsg", "/etc/shadow",
         "/", ".", "..", "pipe", "../pipe", "loop", "zero", "huge", "a" * 5000, "-o", "%s%n", "~", "/proc/self/fd/0",
         "/dev/fd/1", "../../outside/secret", "../other", "out/secret", "out", "sources/../../other", "d/" * 900 + "x",
         "d/" * 30 + "sources/pair.h", "missing/../../../outside/secret", "link/good.cl", "sources", "good.cl, 1 << 62", "x y", "\"", "'", "$(touch made)", "`touch made`", "; touch made"]
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
    """Replaces one item by another of the same kind."""
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




def include(draw, text):
    """Includes another header in one of the possible ways."""
    path = draw.choice(PATHS)
    line = draw.choice([f'#include "{path}"', f"#include <{path}>", f"#define NAME <{path}>\n#include NAME", f'#inc\\\nlude "{path}"',
                        f'/*\n*/ # /* */ include "{path}"', f'%:include "{path}"', f"#embed <{path}>", f'?\x3f=include "{path}"',
                        f'#include_next "{path}"', f'#if 0\n#include "{path}"\n#endif', f'__asm__(".incbin \"{path}\"");',
                        '#include "again.h"\n' * 300]).encode()
    return line + b"\n" + text if draw.random() < 0.7 else text + b"\n" + line + b"\n"


def add_noise(draw, text):
    at = draw.randrange(len(text) + 1)
    return text[:at] + draw.randbytes(draw.choice([1, 4, 200])) + text[at + draw.choice([0, 0, 4, 200]):]


def rename_struct(draw, text):
    """Names that become names of files and of sections."""
    names = [b"struct { float x; int y; }", b"a$b", b"u\xcc\x88", b"x" * 300, b"CON", b"struct ../made { float x; }", b".."]
    return re.sub(rb"\bItem\b", lambda _: draw.choice(names), text)


TEXT += [add_noise, replace(rb"(?m)(?<=^name = ).+$", ["..", ".", "...", "../made", "-o", "a/b", "x" * 47, "\x1b]0;made\x07", "con."]),
         rename_struct]
OF_SOURCE = TEXT + [include, include, include]
# Mutations after which a kernel still behaves as before. Others may make a CPU's driver crash its
# process.
TAME = [replace(rb"(?m)(?<=^source = ).+$", PATHS), replace(rb"(?m)(?<=^options = ).+$", ["-I" + path for path in PATHS]),
        replace(rb"(?m)(?<= = file ).+$", PATHS)]


def escape_word(draw, text):
    """A word of a journal with an invalid content."""
    return replace(rb"(?<= )[^ \n]+", ["%2e%2e%2f%2e%2e%2foutside%2fsecret", "/../../../outside/secret", "%0a%5breference%5d", "%00", "%",
                                       "..", "../../outside/secret", "a%2fb", "=" + "0" * 64, "99999999999999999999", "-1",
                                       "buffer:1:0:1073741824:0:=00:=01", "local:99999999999", "value:" + "00" * 5000,
                                       "-I/etc%20-DX", "%1b%5b2J", "global:struct%20x:in"])(draw, text)


OF_JOURNAL = [flip_bits, cut, of_lines(drop_lines), of_lines(double_lines), of_lines(move_line), of_lines(shuffle), escape_word, escape_word,
              escape_word, replace(rb"\b[0-9]+\b", ["0", "-1", "18446744073709551615", "4294967296", "1073741825", "x", "0x10", "1" * 400])]
OF_RECORDED = [flip_bits, cut, add_noise, put_bytes, OF_JOURNAL[-1], OF_JOURNAL[-1], OF_JOURNAL[-1],
               lambda draw, text: draw.choice(PATHS).encode()]


# ---- mutations of files in the folder ----------------------------------------------------------

LINKS = ["/dev/zero", "/dev/stdin", "/dev/tty", "/dev/null", "../pipe", "/etc/passwd", "/proc/self/mem", "/proc/kmsg", "..", "/", "missing",
         "../../outside/secret", "../../../outside/secret", "../../outside", "../../../outside", ".", "/dev", "loop", "TOP/outside/secret",
         "TOP/outside", "/proc/self/fd/1", "/proc/self/cwd/../outside/secret", "huge"]


def put_pipe(draw, path):
    del draw
    os.mkfifo(path)


def put_link(draw, path):
    """A link to another path, to itself, or through another link."""
    top = next(folder for folder in path.parents if folder.name == "work").parent
    to = draw.choice([*LINKS, path.name, path.name + "~"]).replace("TOP", str(top))
    path.symlink_to(to)
    if to == path.name + "~":
        (path.parent / to).symlink_to(draw.choice([path.name, "../../outside/secret", "/dev/zero", "../" * 40 + "etc/passwd"]))


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


def put_socket(draw, path):
    """A socket with a path on disk on which no process listens."""
    del draw
    with socket.socket(socket.AF_UNIX) as made:
        where = os.open(path.parent, os.O_PATH)
        try:
            made.bind(f"/proc/self/fd/{where}/{path.name}")
        finally:
            os.close(where)


def change_place(draw, path):
    """Replaces a file or a folder by another kind of entry."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()
    draw.choice([put_pipe, put_pipe, put_link, put_link, put_link, put_link, put_folder, put_sparse, put_random, put_nothing,
                 put_socket])(draw, path)


def exchange(draw, path, files):
    """Exchanges two files of the folder."""
    other = draw.choice(files)
    if other != path and other.is_file() and path.is_file():
        aside = path.with_name("aside")
        path.rename(aside)
        other.rename(path)
        aside.rename(other)


def change_size(draw, path):
    with open(path, "r+b") as file:
        size = path.stat().st_size
        file.truncate(draw.choice([0, 1, max(size - 1, 0), size + 1, size // 2, 1 << 20, 1 << 33]))


# ---- objects of mutations ----------------------------------------------------------------------

NAMES = ["app.perfmodel"] * 6 + ["plain", "a b.perfmodel", "x\n\x1b[2Jperfmodel: all is well.perfmodel", "-o.perfmodel", "\u202eu.perfmodel",
                                 "%s%n.perfmodel", "'\"$(touch made).perfmodel", "n" * 240 + ".perfmodel"]


def write_all(folder, files):
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def fill(folder, name):
    """The folder before a mutation: a workload file, and a capture, records or a recorded launch of
    this name."""
    contents = {f"contents/{name_of(content)}": content for content in (*CONTENTS.values(), SCALE.encode(), RECORDED.encode())}
    write_all(folder, {"good.workload": GOOD, "good.cl": SOURCE, "other": "nobody's\n"})
    write_all(folder / name, {"capture.workload": CAPTURED, "sources/kernel.cl": KERNEL, "sources/pair.h": PAIR,
                              "headers/inner/scale.h": SCALE, **{f"{path}.bin": content for path, content in contents.items()}})
    write_all(folder / "records" / name, {f"records/77/{path}": content for path, content in (("journal", JOURNAL), *contents.items())})
    write_all(folder / "replay" / name, recorded.cells().files)
    for where in (folder, folder / name, folder / "records" / name, folder / "replay" / name):
        os.mkfifo(where / "pipe")
        (where / "loop").symlink_to("loop")
        (where / "zero").symlink_to("/dev/zero")
        (where / "d").symlink_to(".")
        put_sparse(random.Random(1), where / "huge")


class Damage:
    """A mutation of a folder, and the part of the folder that the program gets."""

    def __init__(self, draw, folder, tame):
        kind = draw.random()
        self.draw, self.tame, self.name = draw, tame, draw.choice(NAMES)
        self.records = kind > 0.85 and not tame
        self.recorded = 0.65 < kind <= 0.85 and not tame
        self.captured = kind > 0.25 or tame
        fill(folder, self.name)
        self.top = folder / ("records" if self.records else "replay" if self.recorded else "") / (self.name if self.captured else "")
        self.main = self.top / ("records/77/journal" if self.records else
                                draw.choice(["worksizes.txt", "kernel.cl", "buildOptions.txt", "kernelName.txt", "Local4.txt",
                                             "SVM_Arg_Offset_0.txt", "Argument3.bin"]) if self.recorded else "capture.workload" if self.captured else "good.workload")
        self.files = sorted(path for path in self.top.rglob("*") if path.is_file() and not path.is_symlink() and path.name != "huge"
                            ) if self.captured else [folder / "good.cl", self.main]
        for _ in range(draw.choice([1, 1, 1, 2, 4])):
            self.change()
        self.subject = (draw.choice([self.top, self.top, self.top.parent]) if self.recorded else
                        self.top if self.captured and (self.records or draw.random() < 0.5) else self.main)

    def change(self):
        draw = self.draw
        main = draw.random() < (0.35 if self.tame else 0.55)
        path = self.main if main else draw.choice(self.files)
        if not path.is_file() or path.is_symlink() or path.stat().st_size > 1 << 20:
            return
        if main or (draw.random() < 0.5 and not self.tame):
            text = path.read_bytes()
            changes = (OF_RECORDED if self.recorded and path.suffix != ".cl" else
                       TAME if self.tame else OF_JOURNAL if self.records and main else
                       OF_SOURCE if path.suffix in (".cl", ".h") or self.records else TEXT)
            if text:
                path.write_bytes(draw.choice(changes)(draw, text))
        elif draw.random() < 0.2:
            exchange(draw, path, self.files)
        elif draw.random() < 0.2:
            change_size(draw, path)
        else:
            inside = path.parent != self.top and self.captured
            change_place(draw, draw.choice([path, path, path, path.parent]) if inside else path)
