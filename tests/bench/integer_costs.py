#!/usr/bin/env python3
"""What integers and addresses cost on GPUs before compute capability 7.0, read from the code that NVRTC makes.

Usage: integer_costs.py [--gpu sm_52]

Prints rows as the sections [instructions N] of the table of instruction costs have them: what a small kernel with the
operation has more than one without it, and how many of these are beside the longest chain of them. Needs an NVRTC that
knows the GPU ($PERFMODEL_NVRTC, or one in LD_LIBRARY_PATH; CUDA 11 or 12 for sm_52) and nvdisasm in PATH; 77 where one is
missing.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import collections
import ctypes
import os
import re
import shutil
import subprocess
import sys
import tempfile

from flop_costs import cubin, load

KERNEL = '''struct S3 { int x, y, z; };
extern "C" __global__ void k(int *c, long long *d, const int *p, const int *q, const S3 *r)
{
    const int i = threadIdx.x;
    const int x = c[i], y = c[i + 1];
    const long long X = d[i], Y = d[i + 1];
    %s
}
'''
# For each row: code that executes the instruction, and code that is equal without it. Both contain
# a load by an address, which cancels out.
ROWS = {
    "multiply": ("c[i + 2] = x * y;", "c[i + 2] = x & y;"),
    "mul_i64": ("d[i + 2] = X * Y;", "d[i + 2] = X & Y;"),
    "address_scaled": ("c[i + 2] = p[x];", "c[i + 2] = x;"),
    "address_shared + address_again": ("c[i + 2] = p[x] & q[x];", "c[i + 2] = x;"),
    "address_multiplied": ("c[i + 2] = r[x].y;", "c[i + 2] = x;"),
    "sdiv_i32": ("c[i + 2] = x / y;", "c[i + 2] = x & y;"),
    "udiv_i32": ("c[i + 2] = (unsigned)x / (unsigned)y;", "c[i + 2] = x & y;"),
    "srem_i32": ("c[i + 2] = x % y;", "c[i + 2] = x & y;"),
    "urem_i32": ("c[i + 2] = (unsigned)x % (unsigned)y;", "c[i + 2] = x & y;"),
    "sdiv_constant": ("c[i + 2] = x / 7;", "c[i + 2] = x;"),
    "udiv_constant": ("c[i + 2] = (unsigned)x / 7u;", "c[i + 2] = x;"),
    "srem_constant": ("c[i + 2] = x % 7;", "c[i + 2] = x;"),
    "urem_constant": ("c[i + 2] = (unsigned)x % 7u;", "c[i + 2] = x;"),
}
# Classes of nvprof's counters, as patterns of instruction names.
CLASSES = {"fp32": "MUFU", "int": "IADD|IADD3|IADD32I|IMAD|XMAD|ISCADD|LEA|SHL|SHR|SHF|LOP|LOP3|LOP32I|ISETP|IMNMX|IABS",
           "special": "MUFU|I2F|F2I|I2I", "conversion": "I2F|F2I|I2I"}
LEFT_OUT = {"NOP", "BRA", "EXIT", "LDG", "STG", "DEPBAR"}
LINE = re.compile(r"^\s+/\*[0-9a-f]+\*/\s+(?:\{\s+)?(@!?P\d\s+)?([A-Z][A-Z0-9_.]*)\s*([^;}]*)", re.M)
REGISTER = re.compile(r"\b([RP]\d+)\b")


def instructions(code):
    """Returns [(name, registers that it writes, registers that it reads)] of the instructions."""
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(code)
        file.flush()
        text = subprocess.run(["nvdisasm", "-c", file.name], check=True, capture_output=True, text=True).stdout
    found = []
    for guard, name, operands in LINE.findall(text):
        base, parts = name.split(".")[0], [part.strip() for part in operands.split(",")]
        places = 2 if base in ("ISETP", "FSETP") else 1
        if base == "STG":
            places = 0
        writes = [r for part in parts[:places] for r in REGISTER.findall(part)]
        reads = [r for part in parts[places:] for r in REGISTER.findall(part)] + REGISTER.findall(guard)
        if "64" in name.split(".") and base == "LDG":
            writes += [f"R{int(r[1:]) + 1}" for r in writes]
        if base in ("LDG", "STG"):  # the address is in two registers
            address = REGISTER.findall(operands[operands.index("["):operands.index("]")])
            reads += [f"R{int(r[1:]) + 1}" for r in address]
        if ".CC" in operands:
            writes.append("CC")
        if name.endswith(".X") or ".X." in name:
            reads.append("CC")
        found.append((base, writes, reads))
    return found


def measure(body, nvrtc, gpu):
    """Returns (instructions by name, length of the longest dependency chain of counted
    instructions)."""
    code = cubin(nvrtc, KERNEL % body, [f"--gpu-architecture={gpu}"])
    if code is None:
        sys.exit(f"integer_costs.py: this NVRTC does not compile for {gpu}; take an older one")
    names, ways, longest = collections.Counter(), {}, 0
    for name, writes, reads in instructions(code):
        way = max((ways.get(r, 0) for r in reads), default=0) + (name not in LEFT_OUT)
        names[name] += 1
        longest = max(longest, way)
        for r in writes:
            ways[r] = way
    return names, longest


def main():
    """Prints the rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpu", default="sm_52")
    gpu = parser.parse_args().gpu
    named = os.environ.get("PERFMODEL_NVRTC")
    nvrtc = ctypes.CDLL(named) if named else load()
    if not nvrtc or not shutil.which("nvdisasm"):
        print("integer_costs.py: no libnvrtc in LD_LIBRARY_PATH, or no nvdisasm in PATH", file=sys.stderr)
        sys.exit(77)
    for row, (body, without) in ROWS.items():
        names, chain = measure(body, nvrtc, gpu)
        before, usual = measure(without, nvrtc, gpu)
        more = collections.Counter({name: names[name] - before[name] for name in set(names) | set(before)
                                    if name not in LEFT_OUT})
        logic = "LOP" if "LOP" in names | before else "LOP3"
        more[logic] += without.count("x & y") + 2 * without.count("X & Y") - body.count("&")
        parts = [(part, sum(more[name] for name in pattern.split("|"))) for part, pattern in CLASSES.items()]
        total = sum(more.values())
        parts.append(("beside", total - (chain - usual + ("&" in without) - ("&" in body))))
        print(f"{row} = {total}", *(f"{part} {count}" for part, count in parts if count),
              "#", *(f"{name} {count}" for name, count in sorted(more.items()) if count))


if __name__ == "__main__":
    main()
