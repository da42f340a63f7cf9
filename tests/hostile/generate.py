"""Hostile kernels with a workload file each, from a seed.

A case is a folder with kernel.cl, case.workload, options, and what these name. Its class goes in turns: sources of
the suite and of the tests that are changed at random, the bad kernels of snippets.txt, and bytes that are no text. The seed chooses the class of the first
one behind the PLAIN cases, so that a short run has other classes with each seed.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import pathlib
import random
import re

TESTS = pathlib.Path(__file__).resolve().parent.parent
DEFINES = {"GROUP": 64, "ROUNDS": 10, "STEPS": 63, "GROUP_WIDTH": 8, "GX": 16, "GY": 16, "COLUMNS": 64, "ROWS": 4,
           "TILE": 16}
OPTIONS = "-cl-std=CL1.2 -DTYPE=float4 " + " ".join(f"-D{name}={value}" for name, value in DEFINES.items())
KERNEL = """typedef struct { float x, y; int id; } S;
%s
kernel void k(global float *a, global int *b, global S *s, int n, local float *l)
{
    int i = get_global_id(0);
    %s
    s[i].x += a[i] + a[(i + 1) %% n];
    b[i] = s[i].id;
}
"""
WORKLOAD = """[workload]
name = hostile
source = kernel.cl
options = -cl-std=CL1.2
[size only]
n = 256
[buffer a]
type = float
count = n
contents = random -1, 1
output = yes
[buffer b]
type = int
count = n
contents = range 0, 1
[buffer s]
type = S
count = n
contents = random 1, 2
[launch k]
global = n
local = 64
arguments = a, b, s, int n, local 1024
"""
TOKEN = re.compile(r"/\*.*?\*/|//[^\n]*|#(?:[^\n]|\\\n)*|\s+|[\w.]+|<<=|>>=|->|\+\+|--|<<|>>|[<>=!+\-*/%&|^]=|&&|\|\||"
                   r"[^\w\s]", re.DOTALL)
HEADER = re.compile(r"kernel\s+(?:__attribute__\s*\(\(reqd_work_group_size\(([^)]*)\)\)\)\s*)?"
                    r"void\s+(\w+)\s*\(([^)]*)\)")
KEYWORD = re.compile("(u?(char|short|int|long)|float|double|half)[0-9]*|const|void|if|for|while|return|else|struct|typedef|"
                     "kernel|global|local|constant|restrict|static|size_t|bool|do|break|continue")
NUMBERS = "0 -1 1 2 3 7 31 65 1000 1048576 2147483647 4294967296 9223372036854775807".split()
OPERATORS = "+ - * / % << >> & | ^ && || < > <= >= == != = += -= *= /= %= <<= ,".split()
OTHERS = "( ) [ ] { } ; ? : goto return for while if else break continue const volatile local global private " \
         "constant static unsigned long float4 barrier(1) get_local_id(0) 1e38f sizeof".split()


def read_snippets():
    """Returns the lines and the choices of each section."""
    sections, lines, choices = {}, [], {}
    for line in (TESTS / "hostile" / "snippets.txt").read_text(encoding="utf-8").splitlines():
        choice = re.fullmatch(r"(\w+) = (.*[^;])", line)
        if re.fullmatch(r"\[\w+\]", line):
            sections[line[1:-1]] = lines, choices = [], {}
        elif choice and " => " not in line:
            choices[choice.group(1)] = choice.group(2).split(" | ")
        elif line and not re.match("# |#$", line):
            lines.append(line)
    return sections


def filled(line, choices, rng):
    """Returns a line with each choice replaced by a random value."""
    made = {name: rng.choice(values) for name, values in choices.items()}

    def put(match):
        value, text = made[match.group(1)], match.group(2)
        return value if text is None else "".join(text.replace("@#", str(j)) for j in range(int(value)))

    names = "|".join(sorted(choices, key=len, reverse=True)) or "(?!)"
    for _ in range(2):  # the value of a choice may name another choice
        line = re.sub(f"@({names})(?:`([^`]*)`)?", put, line)
    return re.sub("@n", "\n", line)


def originals():
    """Returns the paths of valid sources."""
    found = sorted((TESTS.parent / "kernels").glob("*/*.cl"))
    for folder in ("layout/kernels", "staging/kernels", "trace/sources"):
        found += sorted((TESTS / folder).glob("*.cl"))
    return found


def workload_of(source):
    """Returns a workload that launches each kernel of a source, with arguments derived from its
    text."""
    buffers, launches = [], []
    for number, (sizes, kernel, parameters) in enumerate(HEADER.findall(source)):
        try:
            local = [eval(size, {}, DEFINES) for size in sizes.split(",")] if sizes else [64]
        except NameError:  # a macro of its own
            local = [64]
        arguments = []
        for parameter in parameters.split(","):
            words = re.findall(r"(?!(?:const|volatile|restrict|struct|(?:__)?(?:global|constant))\b)\b\w+", parameter)
            if "local" in parameter:
                arguments.append("local 16384")
            elif "*" in parameter:
                floats = re.match("float|double|TYPE", words[0])
                buffers.append(f"[buffer k{number}_{words[-1]}]\ntype = {words[0].replace('TYPE', 'float4')}\n"
                               f"count = 65536\ncontents = random {'-1, 1' if floats else '0, 7'}\noutput = yes\n")
                arguments.append(f"k{number}_{words[-1]}")
            elif words not in ([], ["void"]):
                arguments.append(f"{words[0]} {'0.5' if words[0] in ('float', 'double') else '32'}")
        sizes = (", ".join(str(times * size) for size in local) for times in (2, 1))
        launches.append(f"[launch l{number}]\nkernel = {kernel}\nglobal = {next(sizes)}\nlocal = {next(sizes)}\n"
                        f"arguments = {', '.join(arguments)}\n")
    return (f"[workload]\nname = hostile\nsource = kernel.cl\noptions = {OPTIONS}\n[size only]\nn = 256\n"
            + "".join(buffers + launches))


def mutate(tokens, rng):
    """Changes one token, mostly into another token of the same kind."""
    code = [t for t, token in enumerate(tokens) if not token.isspace() and not token.startswith(("/*", "//", "#"))]
    numbers = [t for t in code if tokens[t][:1].isdigit()]
    signs = [t for t in code if tokens[t] in OPERATORS]
    words = [t for t in code if re.fullmatch(r"[a-zA-Z]\w*", tokens[t]) and not KEYWORD.fullmatch(tokens[t])]
    how = rng.choices(range(7), (6, 6, 6, 1, 1, 1, 1))[0]
    if how == 0 and numbers:
        tokens[rng.choice(numbers)] = rng.choice(NUMBERS)
    elif how == 1 and signs:
        tokens[rng.choice(signs)] = rng.choice(OPERATORS)
    elif how == 2 and words:
        tokens[rng.choice(words)] = tokens[rng.choice(words)]
    elif how == 3:
        tokens[rng.choice(code)] = ""
    elif how == 4:
        tokens[rng.choice(code)] += " " + tokens[rng.choice(code)]
    elif how == 5:
        one, other = rng.choice(code), rng.choice(code)
        tokens[one], tokens[other] = tokens[other], tokens[one]
    else:
        tokens[rng.choice(code)] = rng.choice(OTHERS)


def mutated(rng):
    """Returns a source with some changed tokens, or the start of one source and the end of
    another."""
    path = rng.choice(originals())
    text = path.read_text(encoding="utf-8")
    if rng.random() < 0.1:
        other = rng.choice(originals()).read_text(encoding="utf-8")
        changed = text[:rng.randrange(len(text))] + other[rng.randrange(len(other)):]
    else:
        tokens = TOKEN.findall(text)
        for _ in range(rng.choice((1, 1, 1, 1, 2, 4))):
            mutate(tokens, rng)
        changed = "".join(tokens)
    files = {f.name: f.read_bytes() for f in path.parent.iterdir() if f.suffix in (".h", ".inc")}
    return {**files, "kernel.cl": changed, "case.workload": workload_of(text), "options": OPTIONS}


def encoded(rng):
    """Returns bytes that are not valid text."""
    good = (KERNEL % ("", "")).encode()
    at = rng.randrange(len(good))
    start, end = good[:at], good[at:]
    return rng.choice((
        b"", b"\n", b" ", start, start + b"\0" + end, start + b"\xff\xfe\xc0\x80" + end, b"\xef\xbb\xbf" + good,
        good.decode().encode("utf-16"), good.replace(b"\n", b"\r\n"), good.replace(b"\n", b"\r"), good + b"\\",
        good + b"/*", good + b'"', good + b"'", good + b"#", good + b"/* " + b"x" * 3000000 + b" */",
        good.replace(b"\n", b" ") + b" " * 3000000, b"\n" * 3000000 + good, rng.randbytes(10), rng.randbytes(1000),
        rng.randbytes(100000), bytes(100000), b"\x7fELF" + bytes(1000), b"BC\xc0\xde" + bytes(1000),
        start + b"\x1b[31m\x07\x08" + end, b"(" * 1000000, b"int x" * 500000, start + "ℵ𝔘\u202e".encode() + end,
        b"%s%n%d\n" * 100 + good, good.replace(b"kernel", b"??=kernel??/\n"), good.replace(b" ", b"\\\n"),
        good.replace(b"k(", b"k" * 5000 + b"(")))


SNIPPETS = read_snippets()
# Valid cases come first, one for each GPU that callers ask for. A process keeps the memory of
# fitting to all datasets, and only growth after that counts as a leak.
PLAIN = 2
CLASSES = [name for section in SNIPPETS for name in (section, "mutated")] + ["encoded"]


def generate(seed, number, folder):
    """Writes case `number` of a seed into folder/NUMBER. Returns its class."""
    place = pathlib.Path(folder) / f"{number:04}"
    number -= PLAIN
    rng, name = random.Random(f"{seed}:{number}"), CLASSES[(number + seed) % len(CLASSES)] if number >= 0 else "plain"
    files = {"kernel.cl": KERNEL % ("", ""), "case.workload": WORKLOAD, "options": "-cl-std=CL1.2"}
    if name == "mutated":
        files = mutated(rng)
    elif name == "encoded":
        files["kernel.cl"] = encoded(rng)
    elif name != "plain":
        lines, choices = SNIPPETS[name]
        # uses each line once before any line is repeated
        order = random.Random(f"{seed}:{name}").sample(lines, len(lines))
        line = filled(order[number // len(CLASSES) % len(lines)], choices, rng)
        if name == "workloads":
            files["case.workload"] = WORKLOAD.replace(*line.split(" => ", 1), 1)
        else:
            before, _, body = line.rpartition("@@")
            files["kernel.cl"] = KERNEL % (before, body)
    place.mkdir()
    os.mkfifo(place / "fifo")
    for path, content in files.items():
        (place / path).write_bytes(content if isinstance(content, bytes) else content.encode())
    return name
