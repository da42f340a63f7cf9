"""What tests of the program share: running it, and what holds of a run that works and of one that is refused.

PERFMODEL is the program, CC a C compiler; ctest sets them. SPDX-License-Identifier: GPL-3.0-or-later
"""
import csv
import itertools
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

PERFMODEL = os.environ.get("PERFMODEL", "perfmodel")
CC = os.environ.get("CC", "cc")
ROOT = pathlib.Path(__file__).resolve().parent.parent
DATASETS = ROOT / "datasets"


# Part of a script's tests to run, and number of parts. ctest sets it for a script with PARTS.
PART, PARTS = map(int, os.environ.get("PERFMODEL_TEST_PART", "1/1").split("/"))


def part_of(items):
    """Returns the items of this part."""
    return items[PART - 1::PARTS]


def take_part():
    """Gives unittest only the methods of this part."""
    names_of, seen = unittest.defaultTestLoader.getTestCaseNames, itertools.count()
    unittest.defaultTestLoader.getTestCaseNames = lambda case: [
        name for name in names_of(case) if next(seen) % PARTS == PART - 1]


take_part()


def run(*arguments, environment=None, cwd=None):
    """Runs perfmodel and returns the finished process."""
    return subprocess.run([PERFMODEL, *map(str, arguments)], check=False, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, cwd=cwd, timeout=300, env={**os.environ, **(environment or {})})


def output_of(*command):
    """Returns the standard output of any command, which must succeed."""
    done = subprocess.run([str(word) for word in command], check=False, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}: {done.returncode}\n{done.stderr}")
    return done.stdout


def rows_of(path):
    """Returns the rows of a CSV file by column."""
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write_rows(path, rows):
    """Writes rows to a CSV file with the columns of the first row."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def share_without_datasets(share):
    """Makes a data directory like the program's own, with an empty folder of datasets."""
    (share / "datasets").mkdir(parents=True)
    for path in (pathlib.Path(PERFMODEL).resolve().parent.parent / "share" / "perfmodel").iterdir():
        if path.name != "datasets":
            (share / path.name).symlink_to(path.resolve())
    return share


def share_of_few(share):
    """Makes a data directory whose datasets have a few programs on three GPUs, so that a fit takes
    a tenth of a second."""
    datasets = share_without_datasets(share) / "datasets"
    for name in ("h100", "h100-trace", "h200", "h200-trace", "gtx980-trace"):
        write_rows(datasets / f"{name}.csv", [row for row in rows_of(DATASETS / f"{name}.csv")
                                              if row["program"] in ("copy", "nbody", "idw", "matmul", "sobel3x3")])
        shutil.copy(DATASETS / f"{name}.json", datasets)
    for name in ("devices", "classes", "gpu_names"):
        shutil.copy(DATASETS / f"{name}.csv", datasets)
    return share


def sections(path):
    """Returns {section: {key: value}} of a workload file, and its comments."""
    found, comments, section = {}, [], None
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            comments.append(line)
        elif line.startswith("["):
            section = found.setdefault(line.strip("[]"), {})
        elif line:
            key, value = line.split(" = ", 1)
            section[key] = value
    return found, comments


class Base(unittest.TestCase):
    """Base class with a folder and checks of commands. All tests of a script use a folder with the
    same path, which is empty at the start of each test. Counts that an earlier test made of the
    same files are therefore in the cache."""
    scratch = None

    def setUp(self):
        if Base.scratch:
            os.mkdir(Base.scratch.name)
        else:
            Base.scratch = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        self.addCleanup(Base.scratch.cleanup)
        self.folder = pathlib.Path(Base.scratch.name)

    def write(self, name, content):
        """Writes text or bytes to a file in the folder and returns its path."""
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def good(self, *arguments, **named):
        """Runs a command that must succeed and returns the finished process."""
        done = run(*arguments, **named)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def json_of(self, *arguments, **named):
        """Runs a command that must succeed and returns its JSON document."""
        return json.loads(self.good(*arguments, "--json", **named).stdout)

    def unpacked(self, folder, contents):
        """Returns the bytes of a buffer's contents that a workload file in the folder names: "file
        PATH.zst". Replaces them by an uncompressed file, which the caller may change. Returns its path,
        too."""
        name = contents.removeprefix("file ")
        path = folder / name.removesuffix(".zst")
        data = subprocess.run(["zstd", "-dcq", folder / name], check=True, capture_output=True).stdout
        path.write_bytes(data)
        for file in folder.glob("*.workload"):
            file.write_text(file.read_text(encoding="utf-8").replace(name, name.removesuffix(".zst")), encoding="utf-8")
        return data, path

    def refused(self, words, *arguments, code=2, progress=False, **named):
        """Runs a command that must fail with one line that contains the words. Lines of progress
        may precede it if allowed."""
        before = sorted(self.folder.rglob("*"))
        done = run(*arguments, **named)
        lines = [line for line in done.stderr.splitlines(keepends=True) if not (progress and line.startswith("["))]
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual("".join(lines).count("\n"), 1, done.stderr)
        for word in words:
            self.assertIn(word, lines[0], arguments)
        self.assertEqual(sorted(self.folder.rglob("*")), before)
        return done
