"""Compiles a kernel of Triton to PTX for compute capability 9.0, without a GPU.

Each NAME.py of this folder calls write(), which writes NAME.ptx beside it and prints the bytes of shared memory.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import pathlib
import re
import sys

os.environ["TRITON_DISABLE_LINE_INFO"] = "1"

import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

MOST_BYTES = 40000


def write(kernel, types, constants, num_warps=4, num_stages=3):
    """types: the type of each parameter, such as "*fp16" or "i32"; integers of type "i32:16" are divisible by 16, and
    so are all pointers. constants: the values of the constexpr parameters. PTX of at least MOST_BYTES is refused."""
    names = kernel.arg_names
    attributes = {(i,): [["tt.divisibility", 16]] for i, name in enumerate(names)
                  if name in types and (types[name][0] == "*" or types[name].endswith(":16"))}
    signature = {name: types[name].split(":")[0] if name in types else "constexpr" for name in names}
    source = ASTSource(kernel, signature, constants, attributes)
    found = triton.compile(source, target=GPUTarget("cuda", 90, 32),
                           options={"num_warps": num_warps, "num_stages": num_stages, "ptx_version": 85})
    path = pathlib.Path(sys.argv[0]).with_suffix(".ptx")
    ptx = re.sub(r"\n\t\.section\s+\.debug.*?\n\t\}", "", found.asm["ptx"], flags=re.S)
    text = "\n".join(line.rstrip() for line in ptx.split("\n") if not re.match(r"\s*(//.*)?$", line)) + "\n"
    if len(text) >= MOST_BYTES:
        sys.exit(f"{path}: {len(text)} bytes of PTX, more than {MOST_BYTES}")
    path.write_text(text, encoding="utf-8")
    print(f"{path.name}: {len(text)} bytes, {32 * num_warps} threads, shared = {found.metadata.shared}")
