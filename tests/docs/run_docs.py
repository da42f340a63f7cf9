#!/usr/bin/env python3
"""Runs the commands that README.md and docs/ show, and compares what they print.

Each document has a folder of its own, in which its blocks run in order. CONTRIBUTING.md describes how blocks are
written. With --update the outputs in the documents are replaced by those of the program.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import difflib
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

import blocks
import compare

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PERFMODEL = pathlib.Path(os.environ.get("PERFMODEL", "build/bin/perfmodel")).resolve()
PROGRESS = re.compile(r"\[ *\d+/[\d?]+\] ")


def documents():
    """Returns the paths of the documents."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs").glob("results/*.md"))]


def commands_in(path):
    """Returns approximately how many commands a document has. Documents are assigned to parts in
    this order, so that parts take about the same time."""
    return path.read_text(encoding="utf-8").count("perfmodel ")


def share_of(items, part):
    """Returns the items of part "i/n"."""
    number, parts = map(int, part.split("/"))
    return items[number - 1::parts]


def processor_time():
    """Returns the processor time in seconds of all commands so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Runner:
    """Runs the blocks of one document in a folder."""

    def __init__(self, path, folder, options):
        self.path, self.folder, self.options = path, folder, options
        self.name = str(path.relative_to(ROOT))
        self.lines = path.read_text(encoding="utf-8").split("\n")
        # folder in which the next command starts; a cd applies to later commands, too
        self.here = folder
        self.failures, self.left_out, self.changes, self.ran = [], [], [], 0
        home = folder.parent / "home"
        home.mkdir(exist_ok=True)
        self.environment = {**os.environ, "PATH": f"{PERFMODEL.parent}:{os.environ['PATH']}", "COLUMNS": "80",
                            "HOME": str(home), "SOURCE": str(ROOT), "LC_ALL": "C.UTF-8"}
        self.environment.setdefault("PERFMODEL_CACHE", str(folder.parent / "cache"))

    def reason_to_leave_out(self, marks):
        """Returns why a block with these marks is not run; None if it is run."""
        if "not run" in marks:
            return marks["not run"]
        if "all" in marks and not self.options.all:
            return f"{marks['all']} (--all runs it)"
        for needed in marks.get("needs", "").split():
            program, _, module = needed.partition(":")
            path = shutil.which(program, path=self.environment["PATH"])
            if not path or module and subprocess.run([path, "-c", f"import {module}"], check=False, env=self.environment,
                                                     capture_output=True).returncode:
                return f"needs {needed}"
        return None

    def run(self, command):
        """Returns the exit status of a command and its printed lines, without lines of progress."""
        place = self.folder.parent / "place"
        done = subprocess.run(["bash", "-c", f"trap 'pwd >{place}' EXIT\n{command.text}"], check=False, text=True,
                              cwd=self.here, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=3600 if self.options.all else 300, errors="replace")
        if place.exists():
            self.here = pathlib.Path(place.read_text(encoding="utf-8").strip())
        share = PERFMODEL.parent.parent / "share"
        text = done.stdout.replace(f"{self.folder}/", "").replace(f"{share}/", "share/").replace(f"{ROOT}/", "")
        lines = [line.rstrip() for line in text.split("\n") if not PROGRESS.match(line)]
        while lines and not lines[-1]:
            lines.pop()
        while lines and not lines[0]:
            lines.pop(0)
        return done.returncode, lines

    def check(self, command, marks):
        """Runs one command and records differences of exit status and output from the document."""
        where = f"{self.name}:{command.line + 1}: {command.text}"
        expected = int(marks.get("exit", "0"))
        began = processor_time()
        status, got = self.run(command)
        self.ran += 1
        if self.options.verbose:
            print(f"{processor_time() - began:7.1f} s  {where}", flush=True)
        if status != expected:
            self.failures.append(f"{where}\n    ended with {status}, not {expected}:\n    " + "\n    ".join(got))
            return
        if not any(line.startswith("perfmodel: ") for line in command.shown):
            got = [line for line in got if not line.startswith("perfmodel: ")]
        measured = "measured" in marks
        if not command.shown or measured and compare.matches(command.shown, got, measured):
            return
        new = compare.updated(command.shown, got, measured)
        if self.options.update:
            if new != command.shown:        # blanks count here, so that tables stay aligned
                self.changes.append((command, new))
        elif not compare.matches(command.shown, got, measured):
            lines = difflib.unified_diff(command.shown, new, "the document", "the command", lineterm="")
            self.failures.append(f"{where}\n    " + "\n    ".join(lines))

    def run_all(self):
        """Runs the document's blocks."""
        for block in blocks.read(self.lines, self.name):
            reason = self.reason_to_leave_out(block.marks)
            if reason:
                if block.commands or "file" in block.marks:
                    self.left_out.append(f"{self.name}:{block.line + 1}: left out: {reason}")
                continue
            if "file" in block.marks:
                path = self.here / block.marks["file"]
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("\n".join(block.lines) + "\n", encoding="utf-8")
            for command in block.commands:
                self.check(command, block.marks)

    def update(self):
        """Writes the document with the output of the commands."""
        for command, lines in reversed(self.changes):
            self.lines[command.first:command.first + len(command.shown)] = lines
        if self.changes:
            self.path.write_text("\n".join(self.lines), encoding="utf-8")
            print(f"{self.name}: {len(self.changes)} outputs updated")


def run_document(path, options):
    """Runs a document. Returns the number of its commands and its failures."""
    with tempfile.TemporaryDirectory(prefix="perfmodel-docs-") as scratch:
        folder = pathlib.Path(scratch) / path.stem
        folder.mkdir()
        runner = Runner(path, folder, options)
        runner.run_all()
        if options.update:
            runner.update()
    for line in runner.left_out:
        print(line)
    return runner.ran, runner.failures


def main():
    """Runs the documents of this part, or the documents that are named."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("documents", nargs="*", type=pathlib.Path, help="default: README.md and docs/")
    parser.add_argument("--all", action="store_true", help="run what takes minutes, too")
    parser.add_argument("--update", action="store_true", help="write the outputs into the documents")
    parser.add_argument("--verbose", action="store_true", help="print each command and its processor time in seconds")
    options = parser.parse_args()
    options.all = options.all or os.environ.get("PERFMODEL_DOCS_ALL") == "1"
    paths = [path.resolve() for path in options.documents]
    if not paths:
        paths = share_of(sorted(documents(), key=commands_in, reverse=True), os.environ.get("PERFMODEL_TEST_PART", "1/1"))
    ran, failures = 0, []
    for path in paths:
        try:
            count, failed = run_document(path, options)
        except blocks.DocumentError as error:
            count, failed = 0, [str(error)]
        ran += count
        failures += failed
    for failure in failures:
        print(failure, file=sys.stderr)
    print(f"{ran} commands of {len(paths)} documents, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
