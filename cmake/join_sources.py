#!/usr/bin/env python3
"""Write C files that include several source files each, so that the compiler starts and reads headers once for all of
them. Files that define the same name or macro are put into different joined files.

    join_sources.py FOLDER NAME LINES SOURCE ...

writes FOLDER/NAME_1.c, FOLDER/NAME_2.c, ..., each with at most LINES lines of sources, and prints their names,
separated by semicolons. FOLDER/NAME.json has the sources of each joined file, for scripts/lint.sh.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import pathlib
import re
import sys

# comments, texts and characters, which may contain anything
OPAQUE = re.compile(r"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.DOTALL)
DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", re.MULTILINE)
MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
TAG = re.compile(r"\b(?:struct|union|enum)\s+(\w+)\s*\{")
ENUM = re.compile(r"\benum\s*\w*\s*\{([^{}]*)\}")
INNERMOST = re.compile(r"\{[^{}]*\}")
BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
POINTER = re.compile(r"[^()]*\(\s*\*\s*(\w+)")  # to a function
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"', re.MULTILINE)
FORWARD = re.compile(r"\btypedef\s+(?:struct|union)\s+\w+\s+(\w+)\s*;")  # several headers may have the same one
WORD = re.compile(r"[A-Za-z_]\w*")


def names_declared(text):
    """Returns the names that a C text without comments and directives declares at file scope, types included."""
    names = set(TAG.findall(text))
    for constants in ENUM.findall(text):
        names.update(match.group() for match in map(WORD.match, map(str.strip, constants.split(","))) if match)
    nested = 1
    while nested:
        text, nested = INNERMOST.subn("@", text)
    # A function's body ends its declaration. The members of a type and the values of a variable do not.
    text = re.sub(r"\)\s*@", ");", text)
    for declaration in text.split(";"):
        pointer = POINTER.match(declaration)
        if pointer:
            names.add(pointer.group(1))
            continue
        nested = 1
        while nested:
            declaration, nested = BRACKETS.subn(" ", declaration)
        for declarator in declaration.split(","):
            words = [word for word in WORD.findall(declarator.split("=")[0]) if word != "__attribute__"]
            if words:
                names.add(words[-1])
    return names - {"enum", "struct", "union"}


def files_included(path, text, folders):
    """Returns the repository's headers that a file includes directly. Other headers are not in the folders."""
    found = []
    for name in INCLUDE.findall(text):
        for folder in (path.parent, *folders):
            if (folder / name).is_file():
                found.append((folder / name).resolve())
                break
    return found


class File:
    """A C file or header with the names that it and its headers declare."""

    known = {}

    def __init__(self, path, folders):
        File.known[path] = self
        text = path.read_text(encoding="utf-8")
        self.path = path
        self.lines = text.count("\n")
        plain = OPAQUE.sub(" ", text)
        self.words = set(WORD.findall(plain))
        self.macros = set(MACRO.findall(plain))
        self.headers = {}
        for header in files_included(path, text, folders):
            known = File.known.get(header) or File(header, folders)
            self.headers.update({header: known, **known.headers})
        # The header or file that declares each name, or the text of a forward declaration. A C file defines names that
        # its headers declare.
        self.origins = {name: path for name in names_declared(DIRECTIVE.sub("", plain)) | self.macros}
        self.forward = {match.group(1): match.group() for match in FORWARD.finditer(plain)}
        for header in self.headers.values():
            self.origins.update(header.origins)
            self.forward.update(header.forward)
        self.origins.update(self.forward)


class Group:
    """Files that are compiled together."""

    def __init__(self):
        self.sources, self.lines = [], 0
        self.macros, self.words, self.origins = set(), set(), {}

    def takes(self, source, most):
        """Returns whether the file can be added."""
        return (self.lines + source.lines <= most
                and all(self.origins.get(name, origin) == origin for name, origin in source.origins.items())
                and not self.macros & source.words and not source.macros & self.words)

    def add(self, source):
        """Adds a file."""
        self.sources.append(source)
        self.lines += source.lines
        self.macros |= source.macros
        self.words |= source.words
        self.origins.update(source.origins)


def join(sources, most):
    """Returns the groups, each file in the first that takes it."""
    groups = []
    for source in sources:
        group = next((known for known in groups if known.takes(source, most)), None)
        if group is None:
            group = Group()
            groups.append(group)
        group.add(source)
    return groups


def write_if_changed(path, text):
    """Writes a file, but keeps the time of one that has this text."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def main():
    folder, name, most = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    root = pathlib.Path(__file__).resolve().parent.parent
    sources = [File(pathlib.Path(path), (root, root / "include", root / "tests")) for path in sorted(sys.argv[4:])]
    folder.mkdir(parents=True, exist_ok=True)
    joined = {}
    for number, group in enumerate(join(sources, most), 1):
        path = folder / f"{name}_{number}.c"
        joined[str(path)] = [str(source.path) for source in group.sources]
        write_if_changed(path, "".join(f'#include "{source.path}"\n' for source in group.sources))
    write_if_changed(folder / f"{name}.json", json.dumps(joined, indent=1) + "\n")
    print(";".join(joined), end="")


if __name__ == "__main__":
    main()
