#!/usr/bin/env python3
"""The public interface against what it was: the names that the library exports against packaging/debian/libperfmodel1.symbols, and types
and functions, by abidiff (abigail-tools), against tests/session/perfmodel.abi, with --types. With --write both are written anew, which is
right where the interface grew: nothing in them may go or change within a major version.

MAP is the linker's list of names, CC the compiler; ctest sets them. SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SYMBOLS = ROOT / "packaging/debian/libperfmodel1.symbols"
ABI = ROOT / "tests/session/perfmodel.abi"
DECLARED = re.compile(r"^(?!typedef|#|\s|\})[^;{}#]*?\b(pm_\w+)\([^;{}]*\);", re.M)


def declarations():
    """Returns {function: its declaration} of the headers, and their text."""
    texts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "include/perfmodel").glob("*.h"))]
    bare = [re.sub(r"/\*.*?\*/", "", text, flags=re.S) for text in texts]
    return {found.group(1): found.group(0) for text in bare for found in DECLARED.finditer(text)}, "\n".join(texts)


def symbols_text(names, version):
    """Makes a symbols file as Debian's. Existing names keep the version in which they were
    added."""
    before = dict(re.findall(r"^ (\w+)@PERFMODEL_1 (\S+)$", SYMBOLS.read_text(encoding="utf-8"), re.M))
    lines = [f" {name}@PERFMODEL_1 {before.get(name, version)}" for name in ["PERFMODEL_1", *sorted(names)]]
    return "\n".join(["libperfmodel.so.1 libperfmodel1 #MINVER#", *lines]) + "\n"


def check_names(names, version):
    """Returns the faults of the exported names."""
    exported = set(re.findall(r"^    (pm_\w+);$", pathlib.Path(os.environ["MAP"]).read_text(encoding="utf-8"), re.M))
    faults = [f"{name} is declared and not exported, or exported and not declared" for name in sorted(exported ^ names)]
    listed = set(re.findall(r"^ (pm_\w+)@PERFMODEL_1 ", SYMBOLS.read_text(encoding="utf-8"), re.M))
    faults += [f"{name} has gone: programs that call it no longer start" for name in sorted(listed - names)]
    faults += [f"{name} is not in {SYMBOLS.relative_to(ROOT)}: run with --write" for name in sorted(names - listed)]
    if symbols_text(names, version) != SYMBOLS.read_text(encoding="utf-8") and not faults:
        faults.append(f"{SYMBOLS.relative_to(ROOT)} is not as --write makes it")
    return faults


def check_reserved(text):
    """Returns the faults of structs: each must end with reserved words, or be marked as
    complete."""
    faults = []
    for found in re.finditer(r"^(typedef struct \{\n(?:.*\n)*?\} (pm_\w+);)", text, re.M):
        body, name = found.groups()
        complete = re.sub(r"\s*\n \*\s*", " ", text[:found.start()]).endswith("No later version adds members. */\n")
        reserved = re.search(r"\n    uint64_t reserved\[\d+\];\n\} pm_\w+;$", body)
        if complete == bool(reserved):
            faults.append(f"{name}: a struct has reserved words as its last member, or its comment ends with "
                          "'No later version adds members.'")
    return faults


def build_stub(declared, folder):
    """Builds a library that has the declared functions with their types and empty bodies."""
    source, library = folder / "stub.c", folder / "libperfmodel.so.1"
    bodies = (declaration[:-1] + "\n{\n    __builtin_trap();\n}" for _, declaration in sorted(declared.items()))
    source.write_text("\n".join(['#include "perfmodel.h"', *bodies, ""]), encoding="utf-8")
    subprocess.run([os.environ.get("CC", "cc"), "-std=c17", "-g", "-w", "-shared", "-fPIC", f"-I{ROOT / 'include'}", source, "-o",
                    library], check=True)
    return library


def check_types(declared, write):
    """Faults by abidiff."""
    with tempfile.TemporaryDirectory() as name:
        library = build_stub(declared, pathlib.Path(name))
        if write:
            subprocess.run(["abidw", "--no-corpus-path", "--no-comp-dir-path", "--no-show-locs", library, "--out-file", ABI],
                           check=True)
        done = subprocess.run(["abidiff", ABI, library], check=False, capture_output=True, text=True)
    if done.returncode == 0:
        return []
    return [f"types differ from {ABI.relative_to(ROOT)}; members may only come out of reserved words, then run with --write:\n"
            f"{done.stdout}{done.stderr}"]


def main():
    declared, text = declarations()
    version = re.search(r'PM_VERSION "(.*?)"', text).group(1)
    write, types, faults = "--write" in sys.argv, "--types" in sys.argv, []
    if (types or write) and not (shutil.which("abidiff") and shutil.which("abidw")):
        print("types are not compared: no abidiff (abigail-tools)")
        return 77
    if write:
        SYMBOLS.write_text(symbols_text(set(declared), version), encoding="utf-8")
    if types or write:
        faults = check_types(declared, write)
    if not types:
        faults += check_names(set(declared), version) + check_reserved(text)
    print("\n".join(faults) if faults else f"{len(declared)} functions, as they were")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
