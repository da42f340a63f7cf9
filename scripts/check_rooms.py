#!/usr/bin/env python3
"""Checks that modules (folders of the product's C files) only include the modules that scripts/rooms.txt allows, that
these includes have no cycle, and that no two types have the same name.

If there are errors, prints a line for each and ends with exit code 1.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LEFT_OUT = {"tests", "include", "scripts", "docs"}  # every module may include perfmodel.h
INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)
TYPE = re.compile(r"^\}\s*(pm_\w+);|^(?:struct|union|enum) (pm_\w+) \{|^typedef (?!struct|union|enum)[^;{}]*?\(?\*?(pm_\w+)\)?"
                  r"(?:\([^;]*\))?;", re.M)


def read_allowed(path):
    """Reads {module: set of modules} from lines `module: module module`. An indented line continues
    the line before."""
    allowed, room = {}, None
    for line in path.read_text().splitlines():
        line = line.split("#")[0].rstrip()
        if not line:
            continue
        if not line[0].isspace():
            room, line = line.split(":", 1)
            allowed[room] = set()
        allowed[room].update(line.split())
    return allowed


def sources():
    for path in sorted(ROOT.rglob("*.[ch]")):
        name = path.relative_to(ROOT)
        if name.parts[0] not in LEFT_OUT and not name.parts[0].startswith(("build", ".")):
            yield path, name


def find_circle(arrows):
    """Returns the modules of an include cycle, or None if there is no cycle."""
    done, way = set(), []

    def visit(room):
        if room in way:
            return way[way.index(room):] + [room]
        if room in done:
            return None
        way.append(room)
        for to in sorted(arrows.get(room, ())):
            circle = visit(to)
            if circle:
                return circle
        done.add(way.pop())
        return None

    return next(filter(None, map(visit, sorted(arrows))), None)


def main():
    allowed = read_allowed(ROOT / "scripts/rooms.txt")
    faults, arrows, types = [], {}, {}
    for path, name in sources():
        text = path.read_text()
        room = str(name.parent)
        if room not in allowed:
            faults.append(f"{name}: the room {room} is not in scripts/rooms.txt")
            continue
        for include in INCLUDE.findall(text):
            to = str(pathlib.PurePath(include).parent)
            if to in (".", room):
                continue
            arrows.setdefault(room, set()).add(to)
            if to not in allowed[room]:
                faults.append(f"{name}: {room} may not include {include} (scripts/rooms.txt)")
        for found in TYPE.findall(text):
            kind = next(filter(None, found))
            types.setdefault(kind, set()).add(str(name))
    unused = [f"scripts/rooms.txt: {room} includes nothing of {to}"
              for room in allowed for to in sorted(allowed[room] - arrows.get(room, set()))]
    circle = find_circle(arrows)
    if circle:
        faults.append("a circle: " + " -> ".join(circle))
    for kind, places in sorted(types.items()):
        headers = [p for p in places if p.endswith(".h")]
        bodies = [p for p in places if p.endswith(".c")]
        if len(headers) > 1 or len(bodies) > 1:
            faults.append(f"{kind} is defined in {', '.join(sorted(places))}")
    for fault in faults + unused:
        print(fault)
    print(f"rooms: {len(arrows)} rooms, {sum(map(len, arrows.values()))} arrows, "
          f"{len(types)} types, {len(faults + unused)} faults")
    return 1 if faults or unused else 0


if __name__ == "__main__":
    sys.exit(main())
