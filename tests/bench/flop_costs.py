#!/usr/bin/env python3
"""Operations of floating point in CUDA's builtins, read from the code that NVRTC makes of them.

Usage: flop_costs.py [--gpu sm_90] [--write INSTRUCTIONS.ini]

For each row NAME.float, NAME.fast_float and NAME.double of the table of instruction costs whose code is a straight
line it prints the row's operations: FADD and FMUL one, FFMA two, or DADD, DMUL and DFMA. Others, which CUDA does not
have or which branch, are left out. --write puts them into the table. Needs libnvrtc and nvdisasm (both are on PyPI) in
LD_LIBRARY_PATH and PATH; 77 where one is missing.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import ctypes
import os
import re
import shutil
import subprocess
import sys
import tempfile

TABLE = os.path.join(os.path.dirname(__file__), "../../collector/engine/backend/instructions.ini")
ROW = re.compile(r"^(\w+)\.(float|fast_float|double) = (.*)$")
INSTRUCTION = re.compile(r"^\s+/\*[0-9a-f]+\*/\s+(?:@!?U?P\w+\s+)?([A-Z][A-Z0-9_.]*)", re.M)
TWO = {"atan2", "copysign", "fmod", "hypot", "pow", "remainder"}
NAMES = {"maximum": None, "minimum": None, "maxnum": "fmax", "minnum": "fmin"}


def load():
    for name in ("libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12"):
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    return None


def cubin(nvrtc, source, options):
    """Returns the machine code of a CUDA source; None if it does not compile."""
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"k.cu", 0, None, None)
    texts = [option.encode() for option in options]
    failed = nvrtc.nvrtcCompileProgram(program, len(texts), (ctypes.c_char_p * len(texts))(*texts))
    code = None
    if not failed:
        nvrtc.nvrtcGetCUBINSize(program, ctypes.byref(size))
        buffer = ctypes.create_string_buffer(size.value)
        nvrtc.nvrtcGetCUBIN(program, buffer)
        code = buffer.raw
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    return code


def opcodes(code):
    """Returns the names of the instructions in machine code, without modifiers."""
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(code)
        file.flush()
        text = subprocess.run(["nvdisasm", "-c", file.name], check=True, capture_output=True, text=True).stdout
    return [name.split(".")[0] for name in INSTRUCTION.findall(text)]


def operations(nvrtc, gpu, name, kind):
    """Returns (flop32, flop64) of a builtin; None: CUDA lacks it, or its code has branches."""
    scalar = "double" if kind == "double" else "float"
    name = NAMES.get(name, name)
    options = [f"--gpu-architecture={gpu}", "-prec-div=false", "-prec-sqrt=false"]
    if kind == "fast_float":
        options.append("--use_fast_math")
    call = f"{name}{'' if scalar == 'double' else 'f'}(x{', y' if name in TWO else ''})"
    code = name and cubin(nvrtc, f'extern "C" __global__ void k({scalar} *p) {{ {scalar} x = p[threadIdx.x], '
                                 f'y = p[threadIdx.x + 32]; p[threadIdx.x] = {call}; }}', options)
    found = opcodes(code) if code else []
    # The code after EXIT always has a branch to itself.
    if not found or "CALL" in found or found[:found.index("EXIT")].count("BRA"):
        return None
    return tuple(sum(found.count(letter + op) * times for op, times in (("ADD", 1), ("MUL", 1), ("FMA", 2)))
                 for letter in "FD")


def changed(line, counts):
    words = [word for word in re.split(r" (flop(?:32|64) [0-9.]+)", line) if word and not word.startswith("flop")]
    return "".join(words) + "".join(f" {name} {count}" for name, count in zip(("flop32", "flop64"), counts)
                                    if count or name == "flop32")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--gpu", default="sm_90")
    options.add_argument("--write", metavar="INSTRUCTIONS.ini")
    options = options.parse_args()
    nvrtc = load()
    if not nvrtc or not shutil.which("nvdisasm"):
        print("skipped: libnvrtc or nvdisasm is missing")
        return 77
    with open(options.write or TABLE, encoding="utf-8") as file:
        lines = file.read().splitlines()
    for at, line in enumerate(lines):
        row = ROW.match(line)
        counts = operations(nvrtc, options.gpu, row[1], row[2]) if row else None
        if counts:
            lines[at] = changed(line, counts)
            print(lines[at])
    if options.write:
        with open(options.write, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
